//! One card in one chat: what stands there, what should, and the next call from one to the other.

use super::super::api::Trouble;
use super::super::card::{Card, Prompt};
use super::{Call, Posted, Wanted};
use beckon_core::AskId;

#[derive(Debug)]
pub(super) struct Slot {
    pub(super) ask: AskId,
    pub(super) project: String,
    wanted: Card,
    silent: bool,
    last: bool,
    pub(super) message: Option<i32>,
    /// What stands in the chat; unknown after a restart.
    shown: Option<Card>,
    prompt: Option<(i32, Option<Prompt>)>,
    document: Option<i32>,
    /// The markup was refused: words only.
    plain: bool,
    refused: u32,
}

/// Which of a slot's messages a call is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    Card,
    Prompt,
    Document,
}

/// A message is refused for reasons that will not go away; it is tried so often.
const TRIES: u32 = 3;
/// In place of a message that Telegram refused for good, so that it is not tried again.
const NONE: i32 = 0;

impl Slot {
    /// A card, at the message where it stands already, if it does.
    pub(super) fn new(wanted: &Wanted, posted: Option<&Posted>) -> Self {
        Self {
            ask: wanted.ask.clone(),
            project: wanted.project.clone(),
            wanted: wanted.card.clone(),
            silent: wanted.silent,
            last: wanted.last,
            message: posted.map(|posted| posted.message),
            shown: None,
            prompt: posted.and_then(|posted| posted.prompt).map(|id| (id, None)),
            document: posted.and_then(|posted| posted.document),
            plain: false,
            refused: 0,
        }
    }

    pub(super) fn want(&mut self, wanted: &Wanted) {
        self.project.clone_from(&wanted.project);
        self.wanted = wanted.card.clone();
        self.last = wanted.last;
    }

    pub(super) fn posted(&self, chat: super::ChatId) -> Option<Posted> {
        let message = self.message?;
        let stands = |id: &i32| *id != NONE;
        let prompt = self.prompt.as_ref().map(|(id, _)| *id).filter(stands);
        let document = self.document.filter(stands);
        Some(Posted { prompt, document, ..Posted::at(chat, message) })
    }

    /// It stands in another chat now, where nothing has been sent.
    pub(super) fn unposted(mut self) -> Self {
        (self.message, self.shown, self.prompt, self.document) = (None, None, None, None);
        self
    }

    pub(super) fn is_last(&self) -> bool {
        self.last
    }

    /// Its last look stands, or it never stood at all.
    pub(super) fn is_over(&self) -> bool {
        self.last && (self.message.is_none() || self.next(None).is_none())
    }

    /// The next call for it.
    pub(super) fn next(&self, thread: Option<i32>) -> Option<(Part, Call)> {
        let Some(message) = self.message else {
            let (card, plain, silent) = (self.wanted.clone(), self.plain, self.silent);
            let call = Call::Send { thread, card, plain, silent };
            return (!self.last).then_some((Part::Card, call));
        };
        let same =
            |shown: &Card| shown.html == self.wanted.html && shown.keyboard == self.wanted.keyboard;
        if !self.shown.as_ref().is_some_and(same) {
            let (card, plain) = (self.wanted.clone(), self.plain);
            return Some((Part::Card, Call::Edit { message, card, plain }));
        }
        let prompt = self.next_prompt(thread, message).map(|call| (Part::Prompt, call));
        prompt.or_else(|| self.next_document(thread, message).map(|call| (Part::Document, call)))
    }

    fn next_prompt(&self, thread: Option<i32>, under: i32) -> Option<Call> {
        match (&self.prompt, &self.wanted.prompt) {
            (Some((NONE, refused)), wanted) if refused == wanted => None,
            (None | Some((NONE, _)), wanted) => {
                wanted.clone().map(|prompt| Call::Ask { thread, prompt, under })
            }
            (Some((id, prompt)), wanted) => {
                let other = wanted.is_none() || (prompt.is_some() && prompt != wanted);
                other.then_some(Call::Delete { message: *id })
            }
        }
    }

    fn next_document(&self, thread: Option<i32>, under: i32) -> Option<Call> {
        let document = self.wanted.document.as_ref()?;
        let needed = self.document.is_none() && !self.last;
        needed.then(|| Call::Attach { thread, document: document.clone(), under })
    }

    /// The look that was sent stands now; a newer one may be wanted already.
    pub(super) fn sent(&mut self, part: Part, call: &Call, made: Option<i32>) {
        match (part, call) {
            (Part::Card, Call::Send { card, .. } | Call::Edit { card, .. }) => {
                self.message = made.or(self.message);
                self.shown = Some(card.clone());
                self.refused = 0;
            }
            (Part::Prompt, Call::Ask { prompt, .. }) => {
                self.prompt = made.map(|id| (id, Some(prompt.clone())));
            }
            (Part::Prompt, _) => self.prompt = None,
            (Part::Document, _) => self.document = made,
            _ => {}
        }
    }

    /// What a refusal means for it; `false` when the card is to be given up.
    pub(super) fn refused(&mut self, part: Part, call: &Call, trouble: &Trouble) -> bool {
        self.refused += 1;
        match (part, trouble) {
            (Part::Card, Trouble::Markup(_)) if !self.plain => self.plain = true,
            (Part::Card, Trouble::NotModified) => self.sent(part, call, None),
            (Part::Card, _) => return self.refused < TRIES,
            // They help, but the card works without them.
            (Part::Prompt, _) => {
                let given_up = matches!(call, Call::Ask { .. });
                self.prompt = given_up.then(|| (NONE, self.wanted.prompt.clone()));
            }
            (Part::Document, _) => self.document = Some(NONE),
        }
        true
    }
}
