//! The results of the calls for a card.

use super::super::retry::{FailureTime, RetryState};
use super::super::{CardForm, OutboxCall};
use super::{AttachedFile, CardLook, CardSlot, NONE, SentPrompt, SlotPart};
use crate::channels::telegram::api::CallError;
use std::time::{Duration, Instant};

/// The number of times that a file is tried: the card works without it.
const UPLOADS: u32 = 3;
/// The number of times that the end of a card may be refused in every form, before it is left: no
/// answer waits for it.
const ROUNDS_OF_AN_END: u32 = 5;

impl CardSlot {
    /// Notes that a look that was sent is in the chat now; a newer one may be wanted already.
    pub(in super::super) fn sent(&mut self, part: SlotPart, call: &OutboxCall, made: Option<i32>) {
        match (part, call) {
            (SlotPart::Card, OutboxCall::Send { card, .. } | OutboxCall::Edit { card, .. }) => {
                self.message = made.or(self.message);
                let (html, keyboard) = (card.html.clone(), card.keyboard.clone());
                self.shown = Some(CardLook { html, keyboard });
                self.refused = None;
            }
            (SlotPart::Prompt, OutboxCall::Ask { prompt, .. }) => {
                self.prompt = made.map(|id| SentPrompt::new(id, Some(prompt.clone())));
            }
            (SlotPart::Prompt, _) => self.prompt = None,
            (SlotPart::Document, _) => {
                self.file = made.map_or(AttachedFile::GivenUp, AttachedFile::Sent)
            }
            _ => {}
        }
        if part != SlotPart::Document {
            self.retry.reset();
        }
    }

    /// Notes that a call for the card got no verdict. Returns the pause after which it is repeated,
    /// if that is to be soon.
    pub(in super::super) fn unanswered(
        &mut self,
        part: SlotPart,
        at: FailureTime,
    ) -> Option<Duration> {
        match part {
            SlotPart::Card | SlotPart::Prompt => return self.retry.unanswered(at),
            SlotPart::Document if self.upload.put_off(at.now) >= UPLOADS => {
                self.file = AttachedFile::GivenUp
            }
            SlotPart::Document => {}
        }
        None
    }

    /// Lets the card be tried at once, after the server has answered again.
    pub(in super::super) fn resume(&mut self) {
        self.retry.reset();
    }

    /// Draws the consequences of a refusal. Returns `false` when the card is to be given up.
    pub(in super::super) fn refused(
        &mut self,
        part: SlotPart,
        call: &OutboxCall,
        trouble: &CallError,
        now: Instant,
    ) -> bool {
        match (part, trouble) {
            (SlotPart::Card, CallError::NotModified) => self.sent(part, call, None),
            (SlotPart::Card, CallError::Markup(_)) if !self.plain => {
                (self.plain, self.form) = (true, CardForm::Plain);
            }
            (SlotPart::Card, trouble) => {
                let form = call.form().unwrap_or(self.form);
                return self.card_refused(form, trouble, now);
            }
            // Prompts help, but the card works without them.
            (SlotPart::Prompt, _) => {
                let given_up = matches!(call, OutboxCall::Ask { .. });
                self.prompt = given_up.then(|| SentPrompt::new(NONE, self.wanted.prompt.clone()));
            }
            (SlotPart::Document, _) => self.file = AttachedFile::GivenUp,
        }
        true
    }

    /// Chooses how a refused card is tried next. One that is refused for its content may pass with
    /// less of it. One that is refused in every form is tried again, later and later: the reason
    /// may go. Returns `false` when the card is to be given up.
    fn card_refused(&mut self, form: CardForm, trouble: &CallError, now: Instant) -> bool {
        let poorer = form.poorer().filter(|_| !trouble.is_of_the_place());
        if let Some(poorer) = poorer {
            self.form = poorer;
            return true;
        }
        self.form = self.richest();
        let mut retry = self
            .refused
            .take()
            .map_or_else(RetryState::default, |(retry, _)| retry);
        let rounds = retry.put_off(now);
        self.refused = Some((retry, trouble.to_string()));
        !self.last || rounds < ROUNDS_OF_AN_END
    }
}
