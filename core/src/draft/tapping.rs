//! What each tap does to a draft.

use super::{Awaits, Draft, Moved, Page, Tap};
use crate::{Answer, Ask, Grant, InvalidAnswer, AskContent, Reply};

impl Draft {
    /// A button was tapped. A refused tap leaves the draft as it was.
    ///
    /// # Errors
    /// When the button does not belong to this kind of ask or to the page, or something is missing.
    pub fn tap(&mut self, ask: &Ask, tap: Tap) -> Result<Moved, InvalidAnswer> {
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

    fn tap_questions(&mut self, ask: &Ask, tap: Tap) -> Result<Moved, InvalidAnswer> {
        match tap {
            Tap::Choose { question, choice } => self.choose(ask, question, choice),
            Tap::Done { question } => self.done(ask, question),
            Tap::Own { question } => self.own(ask, question),
            Tap::Back => Ok(self.back(ask)),
            Tap::Keep => Ok(self.keep()),
            Tap::Review => Ok(self.turn_to(Page::Review)),
            Tap::Send if self.page == Page::Review || ask.questions().is_empty() => {
                self.complete(ask)
            }
            Tap::Dismiss => Ok(self.ask_first(Page::SureDismiss)),
            Tap::Sure if self.page == Page::SureDismiss => Ok(Moved::Answer(Answer::Dismiss)),
            _ => Err(InvalidAnswer::WrongKind),
        }
    }

    fn tap_permission(&mut self, tap: Tap) -> Result<Moved, InvalidAnswer> {
        match tap {
            Tap::Once => Ok(Moved::Answer(Answer::Grant(Grant::Once))),
            Tap::Reject => Ok(Moved::Answer(Answer::Grant(Grant::Reject { reason: None }))),
            Tap::RejectWithReason => Ok(self.await_or_not(Awaits::Reason, Page::Question(0))),
            Tap::Always => Ok(self.ask_first(Page::SureAlways)),
            Tap::Sure if self.page == Page::SureAlways => {
                Ok(Moved::Answer(Answer::Grant(Grant::Always)))
            }
            Tap::SureHidden if self.page == Page::SureHidden => {
                Ok(Moved::Answer(Answer::Grant(Grant::Once)))
            }
            Tap::Back | Tap::Keep => Ok(self.keep()),
            _ => Err(InvalidAnswer::WrongKind),
        }
    }

    fn tap_confirm(&mut self, tap: Tap) -> Result<Moved, InvalidAnswer> {
        match tap {
            Tap::Continue => Ok(Moved::Answer(Answer::Continue)),
            Tap::SureHidden if self.page == Page::SureHidden => Ok(Moved::Answer(Answer::Continue)),
            Tap::Cancel => Ok(Moved::Answer(Answer::Cancel)),
            Tap::Back | Tap::Keep => Ok(self.keep()),
            _ => Err(InvalidAnswer::WrongKind),
        }
    }

    fn choose(&mut self, ask: &Ask, index: usize, choice: usize) -> Result<Moved, InvalidAnswer> {
        let (question, reply) = self.at(ask, index)?;
        let count = question.choices.len();
        if choice >= count {
            let (question, choice) = (index + 1, choice.saturating_add(1));
            return Err(InvalidAnswer::NoSuchChoice { question, choice, count });
        }
        if !question.multiple {
            *reply = Reply::choice(choice);
            return self.go_on(ask, index);
        }
        match reply.choices.iter().position(|&chosen| chosen == choice) {
            Some(place) => drop(reply.choices.remove(place)),
            None => reply.choices.push(choice),
        }
        let awaits = self.awaits.filter(|awaits| *awaits == Awaits::Text { question: index });
        self.turn_to(Page::Question(index));
        self.awaits = awaits;
        Ok(Moved::Draft)
    }

    fn done(&mut self, ask: &Ask, index: usize) -> Result<Moved, InvalidAnswer> {
        let (_, reply) = self.at(ask, index)?;
        if *reply == Reply::default() {
            return Err(InvalidAnswer::Empty { question: index + 1 });
        }
        self.go_on(ask, index)
    }

    fn own(&mut self, ask: &Ask, index: usize) -> Result<Moved, InvalidAnswer> {
        let (question, _) = self.at(ask, index)?;
        if !question.custom {
            return Err(InvalidAnswer::NoOwnText { question: index + 1 });
        }
        Ok(self.await_or_not(Awaits::Text { question: index }, Page::Question(index)))
    }

    fn await_or_not(&mut self, what: Awaits, page: Page) -> Moved {
        let again = self.awaits == Some(what);
        self.turn_to(page);
        self.awaits = (!again).then_some(what);
        Moved::Draft
    }

    /// From the first question there is nowhere to go back to; a tap too many does no harm.
    fn back(&mut self, ask: &Ask) -> Moved {
        let last = ask.questions().len().saturating_sub(1);
        match self.page {
            Page::Question(index) => self.turn_to(Page::Question(index.saturating_sub(1))),
            Page::Review => self.turn_to(Page::Question(last)),
            Page::SureDismiss | Page::SureAlways | Page::SureHidden => self.keep(),
        }
    }

    fn keep(&mut self) -> Moved {
        match self.page {
            page if page.asks() => self.turn_to(self.keep),
            page => self.turn_to(page),
        }
    }

    pub(super) fn ask_first(&mut self, sure: Page) -> Moved {
        if !self.page.asks() {
            self.keep = self.page;
        }
        self.turn_to(sure)
    }

    fn turn_to(&mut self, page: Page) -> Moved {
        self.page = page;
        self.awaits = None;
        Moved::Draft
    }
}

impl Page {
    /// Is it one of the "sure?" pages?
    fn asks(self) -> bool {
        matches!(self, Self::SureDismiss | Self::SureAlways | Self::SureHidden)
    }
}
