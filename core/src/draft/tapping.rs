//! The effect of each tap on a draft.

use super::{AwaitedText, CardPage, CardTap, Draft, DraftMove};
use crate::{Answer, Ask, AskContent, Fingerprint, Grant, InvalidAnswer, Question, Reply};

impl Draft {
    /// Applies a tap on a button. A refused tap leaves the draft as it was.
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
            CardTap::Unchoose { question, choice } => self.unchoose(ask, question, choice),
            CardTap::Done { question, shown } => self.done(ask, question, shown),
            CardTap::Own { question } => self.own(ask, question),
            CardTap::NotOwn { question } => Ok(self.no_longer(AwaitedText::Text { question })),
            CardTap::Back { from } => self.back(ask, from),
            CardTap::Keep => Ok(self.keep()),
            CardTap::Review => Ok(self.turn_to(CardPage::Review)),
            CardTap::Send { shown } => self.send(ask, shown),
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
                Ok(self.wait_for(AwaitedText::Reason, CardPage::Question(0)))
            }
            CardTap::RejectWithoutReason => Ok(self.no_longer(AwaitedText::Reason)),
            CardTap::Always => Ok(self.ask_first(CardPage::SureAlways)),
            CardTap::Sure if self.page == CardPage::SureAlways => {
                Ok(DraftMove::Answer(Answer::Grant(Grant::Always)))
            }
            CardTap::SureHidden if self.page == CardPage::SureHidden => {
                Ok(DraftMove::Answer(Answer::Grant(Grant::Once)))
            }
            CardTap::Back { .. } | CardTap::Keep => Ok(self.keep()),
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
            CardTap::Back { .. } | CardTap::Keep => Ok(self.keep()),
            _ => Err(InvalidAnswer::WrongKind),
        }
    }

    fn choose(
        &mut self,
        ask: &Ask,
        index: usize,
        choice: usize,
    ) -> Result<DraftMove, InvalidAnswer> {
        let is_shown = self.shows(index);
        let (question, reply) = self.choice_at(ask, index, choice)?;
        if !is_shown {
            // A second tap of the same finger asks for what is already chosen.
            let is_so = reply.choices.contains(&choice);
            return is_so
                .then_some(DraftMove::Draft)
                .ok_or(InvalidAnswer::Passed);
        }
        if !question.multiple {
            *reply = Reply::choice(choice);
            return self.go_on(ask, index);
        }
        if !reply.choices.contains(&choice) {
            reply.choices.push(choice);
        }
        Ok(self.stay(index))
    }

    fn unchoose(
        &mut self,
        ask: &Ask,
        index: usize,
        choice: usize,
    ) -> Result<DraftMove, InvalidAnswer> {
        let is_shown = self.shows(index);
        let (_, reply) = self.choice_at(ask, index, choice)?;
        if !reply.choices.contains(&choice) {
            return Ok(DraftMove::Draft);
        }
        if !is_shown {
            return Err(InvalidAnswer::Passed);
        }
        reply.choices.retain(|chosen| *chosen != choice);
        Ok(self.stay(index))
    }

    /// Returns the question of an existing choice, and the reply to it.
    fn choice_at<'a>(
        &mut self,
        ask: &'a Ask,
        index: usize,
        choice: usize,
    ) -> Result<(&'a Question, &mut Reply), InvalidAnswer> {
        let (question, reply) = self.at(ask, index)?;
        let count = question.choices.len();
        if choice < count {
            return Ok((question, reply));
        }
        Err(InvalidAnswer::NoSuchChoice {
            question: index + 1,
            choice: choice.saturating_add(1),
            count,
        })
    }

    /// Stays at the question after a tick was set or removed. A wait for own words to this question
    /// goes on, too.
    fn stay(&mut self, index: usize) -> DraftMove {
        let own = AwaitedText::Text { question: index };
        let awaits = self.awaits.filter(|awaits| *awaits == own);
        self.turn_to(CardPage::Question(index));
        self.awaits = awaits;
        DraftMove::Draft
    }

    fn done(
        &mut self,
        ask: &Ask,
        index: usize,
        shown: Fingerprint,
    ) -> Result<DraftMove, InvalidAnswer> {
        let is_shown = self.shows(index);
        let is_seen = self.shown() == shown;
        let (_, reply) = self.at(ask, index)?;
        if *reply == Reply::default() {
            return Err(InvalidAnswer::Empty {
                question: index + 1,
            });
        }
        match (is_shown, is_seen) {
            (true, true) => self.go_on(ask, index),
            (true, false) => Err(InvalidAnswer::Unseen),
            // A second tap of the same finger, after the first has turned the page.
            (false, true) => Ok(DraftMove::Draft),
            (false, false) => Err(InvalidAnswer::Passed),
        }
    }

    fn send(&self, ask: &Ask, shown: Fingerprint) -> Result<DraftMove, InvalidAnswer> {
        if ask.questions().is_empty() {
            return self.complete(ask);
        }
        if self.page != CardPage::Review {
            return Err(InvalidAnswer::Passed);
        }
        if self.shown() != shown {
            return Err(InvalidAnswer::Unseen);
        }
        self.complete(ask)
    }

    fn own(&mut self, ask: &Ask, index: usize) -> Result<DraftMove, InvalidAnswer> {
        let is_shown = self.shows(index);
        let (question, _) = self.at(ask, index)?;
        if !question.custom {
            return Err(InvalidAnswer::NoOwnText {
                question: index + 1,
            });
        }
        if !is_shown {
            return Err(InvalidAnswer::Passed);
        }
        Ok(self.wait_for(
            AwaitedText::Text { question: index },
            CardPage::Question(index),
        ))
    }

    fn wait_for(&mut self, what: AwaitedText, page: CardPage) -> DraftMove {
        self.turn_to(page);
        self.awaits = Some(what);
        DraftMove::Draft
    }

    /// Ends the wait for these words. A wait for other words is another person's, and stays.
    fn no_longer(&mut self, what: AwaitedText) -> DraftMove {
        self.awaits = self.awaits.filter(|awaits| *awaits != what);
        DraftMove::Draft
    }

    /// Turns back a page. On the first question it stays there, so a tap too many does no harm.
    fn back(&mut self, ask: &Ask, from: CardPage) -> Result<DraftMove, InvalidAnswer> {
        if self.page != from {
            return Err(InvalidAnswer::Passed);
        }
        let last = ask.questions().len().saturating_sub(1);
        let moved = match self.page {
            CardPage::Question(index) => self.turn_to(CardPage::Question(index.saturating_sub(1))),
            CardPage::Review => self.turn_to(CardPage::Question(last)),
            CardPage::SureDismiss | CardPage::SureAlways | CardPage::SureHidden => self.keep(),
        };
        Ok(moved)
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

    pub(super) fn turn_to(&mut self, page: CardPage) -> DraftMove {
        self.page = page;
        self.awaits = None;
        DraftMove::Draft
    }
}

impl CardPage {
    /// Whether the page asks "Are you sure?".
    pub(super) fn asks(self) -> bool {
        matches!(
            self,
            Self::SureDismiss | Self::SureAlways | Self::SureHidden
        )
    }
}
