//! What each tap does to a draft.

use super::{AwaitedText, CardPage, CardTap, Draft, DraftMove};
use crate::{Answer, Ask, AskContent, Grant, InvalidAnswer, Reply};

impl Draft {
    /// A button was tapped. A refused tap leaves the draft as it was.
    ///
    /// # Errors
    /// When the button does not belong to this kind of ask or to the page, or something is missing.
    pub fn tap(&mut self, ask: &Ask, tap: CardTap) -> Result<DraftMove, InvalidAnswer> {
        let mut next = self.clone();
        let moved = match &ask.kind {
            AskContent::Questions(_) => next.tap_questions(ask, tap),
            AskContent::Permission(_) => next.tap_permission(tap),
            AskContent::Confirm(_) => next.tap_confirm(tap),
            AskContent::Unknown(_) => Err(InvalidAnswer::WrongKind),
        }?;
        *self = next;
        Ok(moved)
    }

    fn tap_questions(&mut self, ask: &Ask, tap: CardTap) -> Result<DraftMove, InvalidAnswer> {
        match tap {
            CardTap::Choose { question, choice } => self.choose(ask, question, choice),
            CardTap::Done { question } => self.done(ask, question),
            CardTap::Own { question } => self.own(ask, question),
            CardTap::Back => Ok(self.back(ask)),
            CardTap::Keep => Ok(self.keep()),
            CardTap::Review => Ok(self.turn_to(CardPage::Review)),
            CardTap::Send if self.page == CardPage::Review || ask.questions().is_empty() => {
                self.complete(ask)
            }
            CardTap::Dismiss => Ok(self.ask_first(CardPage::SureDismiss)),
            CardTap::Sure if self.page == CardPage::SureDismiss => {
                Ok(DraftMove::Answer(Answer::Dismiss))
            }
            _ => Err(InvalidAnswer::WrongKind),
        }
    }

    fn tap_permission(&mut self, tap: CardTap) -> Result<DraftMove, InvalidAnswer> {
        match tap {
            CardTap::Once => Ok(DraftMove::Answer(Answer::Grant(Grant::Once))),
            CardTap::Reject => Ok(DraftMove::Answer(Answer::Grant(Grant::Reject {
                reason: None,
            }))),
            CardTap::RejectWithReason => {
                Ok(self.await_or_not(AwaitedText::Reason, CardPage::Question(0)))
            }
            CardTap::Always => Ok(self.ask_first(CardPage::SureAlways)),
            CardTap::Sure if self.page == CardPage::SureAlways => {
                Ok(DraftMove::Answer(Answer::Grant(Grant::Always)))
            }
            CardTap::SureHidden if self.page == CardPage::SureHidden => {
                Ok(DraftMove::Answer(Answer::Grant(Grant::Once)))
            }
            CardTap::Back | CardTap::Keep => Ok(self.keep()),
            _ => Err(InvalidAnswer::WrongKind),
        }
    }

    fn tap_confirm(&mut self, tap: CardTap) -> Result<DraftMove, InvalidAnswer> {
        match tap {
            CardTap::Continue => Ok(DraftMove::Answer(Answer::Continue)),
            CardTap::SureHidden if self.page == CardPage::SureHidden => {
                Ok(DraftMove::Answer(Answer::Continue))
            }
            CardTap::Cancel => Ok(DraftMove::Answer(Answer::Cancel)),
            CardTap::Back | CardTap::Keep => Ok(self.keep()),
            _ => Err(InvalidAnswer::WrongKind),
        }
    }

    fn choose(
        &mut self,
        ask: &Ask,
        index: usize,
        choice: usize,
    ) -> Result<DraftMove, InvalidAnswer> {
        let (question, reply) = self.at(ask, index)?;
        let count = question.choices.len();
        if choice >= count {
            let (question, choice) = (index + 1, choice.saturating_add(1));
            return Err(InvalidAnswer::NoSuchChoice {
                question,
                choice,
                count,
            });
        }
        if !question.multiple {
            *reply = Reply::choice(choice);
            return self.go_on(ask, index);
        }
        match reply.choices.iter().position(|&chosen| chosen == choice) {
            Some(place) => drop(reply.choices.remove(place)),
            None => reply.choices.push(choice),
        }
        let awaits = self
            .awaits
            .filter(|awaits| *awaits == AwaitedText::Text { question: index });
        self.turn_to(CardPage::Question(index));
        self.awaits = awaits;
        Ok(DraftMove::Draft)
    }

    fn done(&mut self, ask: &Ask, index: usize) -> Result<DraftMove, InvalidAnswer> {
        let (_, reply) = self.at(ask, index)?;
        if *reply == Reply::default() {
            return Err(InvalidAnswer::Empty {
                question: index + 1,
            });
        }
        self.go_on(ask, index)
    }

    fn own(&mut self, ask: &Ask, index: usize) -> Result<DraftMove, InvalidAnswer> {
        let (question, _) = self.at(ask, index)?;
        if !question.custom {
            return Err(InvalidAnswer::NoOwnText {
                question: index + 1,
            });
        }
        Ok(self.await_or_not(
            AwaitedText::Text { question: index },
            CardPage::Question(index),
        ))
    }

    fn await_or_not(&mut self, what: AwaitedText, page: CardPage) -> DraftMove {
        let again = self.awaits == Some(what);
        self.turn_to(page);
        self.awaits = (!again).then_some(what);
        DraftMove::Draft
    }

    /// From the first question there is nowhere to go back to; a tap too many does no harm.
    fn back(&mut self, ask: &Ask) -> DraftMove {
        let last = ask.questions().len().saturating_sub(1);
        match self.page {
            CardPage::Question(index) => self.turn_to(CardPage::Question(index.saturating_sub(1))),
            CardPage::Review => self.turn_to(CardPage::Question(last)),
            CardPage::SureDismiss | CardPage::SureAlways | CardPage::SureHidden => self.keep(),
        }
    }

    fn keep(&mut self) -> DraftMove {
        match self.page {
            page if page.asks() => self.turn_to(self.keep),
            page => self.turn_to(page),
        }
    }

    pub(super) fn ask_first(&mut self, sure: CardPage) -> DraftMove {
        if !self.page.asks() {
            self.keep = self.page;
        }
        self.turn_to(sure)
    }

    fn turn_to(&mut self, page: CardPage) -> DraftMove {
        self.page = page;
        self.awaits = None;
        DraftMove::Draft
    }
}

impl CardPage {
    /// Is it one of the "sure?" pages?
    fn asks(self) -> bool {
        matches!(
            self,
            Self::SureDismiss | Self::SureAlways | Self::SureHidden
        )
    }
}
