//! A card in one chat: its look there, the look that it should have, and the next call from one to
//! the other. The results of the calls are in `slot/results.rs`.

mod results;

use super::super::card::{CardDocument, CardMessage, ReplyPrompt};
use super::retry::RetryState;
use super::{CardForm, OutboxCall, PostedCard, WantedCard};
use beckon_core::{AskId, AwaitedText};
use std::time::Instant;

#[derive(Debug)]
pub(super) struct CardSlot {
    pub(super) ask: AskId,
    pub(super) project: String,
    wanted: CardMessage,
    silent: bool,
    last: bool,
    pub(super) message: Option<i32>,
    /// The look that the card has in the chat; `None` after a restart, when it is not known.
    shown: Option<CardLook>,
    prompt: Option<SentPrompt>,
    file: AttachedFile,
    /// The form in which the card is tried next.
    form: CardForm,
    /// Whether the markup was refused: words only.
    plain: bool,
    retry: RetryState,
    upload: RetryState,
    /// The state of the retries, and the reason, while the card is refused in every form.
    refused: Option<(RetryState, String)>,
    /// The topic that the card is in, if any; `None` after a restart, when it is not known.
    thread: Option<Option<i32>>,
    /// The time at which its message was sent; `None` after a restart, when it is not known.
    sent_at: Option<Instant>,
    /// The time at which the message was last known to be there.
    seen_at: Option<Instant>,
    /// The latest note beneath it.
    note: Option<i32>,
    /// Whether the message is being looked for.
    is_sought: bool,
    /// Whether its chat is no longer paired.
    has_parted: bool,
}

/// The visible part of a card.
#[derive(Debug)]
struct CardLook {
    html: String,
    keyboard: Vec<Vec<super::CardButton>>,
}

/// The message that asks for words, as far as it is known.
#[derive(Debug)]
struct SentPrompt {
    /// [`NONE`] for one that Telegram refused.
    message: i32,
    /// The kind of text that it asks for; `None` for one that an older Beckon sent.
    asks: Option<AwaitedText>,
    /// The look of the prompt; `None` after a restart, when it is not known.
    look: Option<ReplyPrompt>,
}

impl SentPrompt {
    fn new(message: i32, look: Option<ReplyPrompt>) -> Self {
        Self {
            message,
            asks: look.as_ref().map(|look| look.asks),
            look,
        }
    }

    /// Whether it is known to differ from the one that is wanted.
    fn differs_from(&self, wanted: &ReplyPrompt) -> bool {
        match (&self.look, self.asks) {
            (Some(look), _) => look != wanted,
            (None, Some(asks)) => asks != wanted.asks,
            (None, None) => false,
        }
    }
}

/// The file with the part that the card had no room for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum AttachedFile {
    Unsent,
    Sent(i32),
    /// The file cannot be sent; the card says so.
    GivenUp,
}

/// The message of a slot that a call is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SlotPart {
    Card,
    Prompt,
    Document,
}

/// The size of the largest file, in bytes: "50 MB max size for other files"
/// (<https://core.telegram.org/bots/api#sending-files>).
const LARGEST: usize = 50 * 1_000 * 1_000;
/// The number in place of the message of a prompt that Telegram refused, so that it is not tried
/// again.
const NONE: i32 = 0;

impl CardSlot {
    /// Makes the slot of a card, which is already in the message `posted`, if that is given.
    pub(super) fn new(wanted: &WantedCard, posted: Option<&PostedCard>, now: Instant) -> Self {
        let mut slot = Self {
            ask: wanted.ask.clone(),
            project: wanted.project.clone(),
            wanted: wanted.card.clone(),
            silent: wanted.silent,
            last: wanted.last,
            message: None,
            shown: None,
            prompt: None,
            file: AttachedFile::Unsent,
            form: CardForm::Marked,
            plain: false,
            retry: RetryState::default(),
            upload: RetryState::default(),
            refused: None,
            thread: None,
            sent_at: None,
            seen_at: None,
            note: None,
            is_sought: false,
            has_parted: false,
        };
        if let Some(posted) = posted {
            slot.stands_at(posted, now);
        }
        slot
    }

    /// Takes over the messages that the card is in, perhaps not those that were known before. How
    /// it looks there is not known.
    pub(super) fn stands_at(&mut self, posted: &PostedCard, now: Instant) {
        (self.message, self.shown) = (Some(posted.message), None);
        self.sent_at = None;
        self.seen_at = Some(now);
        self.prompt = posted.prompt.map(|message| SentPrompt {
            message,
            asks: posted.prompt_asks,
            look: None,
        });
        self.note = posted.note;
        self.file = posted
            .document
            .map_or(AttachedFile::Unsent, AttachedFile::Sent);
    }

    pub(super) fn want(&mut self, wanted: &WantedCard) {
        if self.wanted != wanted.card {
            // A different look is a different call, of which nothing is known.
            self.retry.reset();
            self.refused.iter_mut().for_each(|(retry, _)| retry.hurry());
            self.form = self.richest();
        }
        self.project.clone_from(&wanted.project);
        self.wanted = wanted.card.clone();
        self.last = wanted.last;
        self.has_parted = false;
        let file = self.wanted.document.as_ref();
        if self.file == AttachedFile::Unsent && file.is_some_and(|file| file.text.len() > LARGEST) {
            self.file = AttachedFile::GivenUp;
        }
    }

    pub(super) fn posted(&self, chat: super::ChatId) -> Option<PostedCard> {
        let message = self.message?;
        let prompt = self.prompt.as_ref().filter(|it| it.message != NONE);
        let document = match self.file {
            AttachedFile::Sent(id) => Some(id),
            AttachedFile::Unsent | AttachedFile::GivenUp => None,
        };
        Some(PostedCard {
            prompt: prompt.map(|it| it.message),
            prompt_asks: prompt.and_then(|it| it.asks),
            document,
            note: self.note,
            ..PostedCard::at(chat, message)
        })
    }

    /// Returns the slot as it is to be in another chat, where nothing has been sent.
    pub(super) fn unposted(mut self) -> Self {
        // The card rang when it came first.
        self.silent |= self.message.is_some();
        (self.message, self.shown, self.prompt) = (None, None, None);
        (self.file, self.refused) = (AttachedFile::Unsent, None);
        self.thread = None;
        self.note = None;
        self.sent_at = None;
        self.seen_at = None;
        self.is_sought = false;
        self.retry.reset();
        self
    }

    /// Notes the message of a note that was sent beneath the card.
    pub(super) fn noted(&mut self, note: Option<i32>) {
        self.note = note;
    }

    /// Forgets the topic, in which nothing more can be written.
    pub(super) fn forget_thread(&mut self) {
        self.thread = None;
    }

    /// Returns the topic that the card is in, if any; `None` where that is not known.
    pub(super) fn thread(&self) -> Option<Option<i32>> {
        self.thread.filter(|_| self.message.is_some())
    }

    /// Returns when its message was sent, if that is known.
    pub(super) fn sent_at(&self) -> Option<Instant> {
        self.sent_at
    }

    /// Returns when its message was last known to be there.
    pub(super) fn seen_at(&self) -> Option<Instant> {
        self.seen_at
    }

    /// Whether the card has a message that may be looked for, and is not being looked for already.
    pub(super) fn may_be_looked_for(&self) -> bool {
        self.message.is_some() && !self.last && !self.is_sought
    }

    /// Looks for the message by an edit that changes nothing: no other call tells whether it is
    /// still there.
    pub(super) fn look_again(&mut self) {
        self.shown = None;
        self.is_sought = true;
    }

    /// Notes that its message is there.
    pub(super) fn seen(&mut self, call: &OutboxCall, now: Instant) {
        match call {
            OutboxCall::Send { thread, .. } => {
                self.thread = Some(*thread);
                self.sent_at = Some(now);
            }
            OutboxCall::Edit { .. } => {}
            _ => return,
        }
        self.seen_at = Some(now);
        self.is_sought = false;
    }

    /// Whether a call is about the message that the card is in, or makes that message.
    pub(super) fn is_of_its_message(&self, call: &OutboxCall) -> bool {
        match call {
            OutboxCall::Send { .. } => self.message.is_none(),
            OutboxCall::Edit { message, .. } => self.message == Some(*message),
            _ => true,
        }
    }

    /// Notes that its chat is no longer paired: this look is the last one there.
    pub(super) fn part(&mut self) {
        self.has_parted = true;
    }

    pub(super) fn has_parted(&self) -> bool {
        self.has_parted
    }

    pub(super) fn is_last(&self) -> bool {
        self.last
    }

    /// Whether the card has its last look, or was never sent.
    pub(super) fn is_over(&self) -> bool {
        self.last && (self.message.is_none() || self.next(None).is_none())
    }

    /// Returns when it may be tried; not before `now`.
    pub(super) fn due(&self, now: Instant) -> Instant {
        let refused = self
            .refused
            .as_ref()
            .filter(|_| self.form == self.richest());
        self.retry
            .due(refused.map_or(now, |(retry, _)| retry.due(now)))
    }

    /// Whether it may be tried now, and has not stepped aside behind the others.
    pub(super) fn is_first(&self, now: Instant) -> bool {
        self.aside_until().is_none() && self.due(now) <= now
    }

    /// Returns the time until which it has stepped aside, if it has.
    pub(super) fn aside_until(&self) -> Option<Instant> {
        self.retry.aside_until()
    }

    /// Returns when its file may be tried.
    pub(super) fn upload_due(&self, now: Instant) -> Instant {
        self.upload.due(now)
    }

    /// Returns why it is refused, if it is.
    pub(super) fn refusal(&self) -> Option<&str> {
        self.refused.as_ref().map(|(_, reason)| reason.as_str())
    }

    fn richest(&self) -> CardForm {
        if self.plain {
            CardForm::Plain
        } else {
            CardForm::Marked
        }
    }

    /// Returns the card as it is to be in this chat.
    fn card(&self) -> CardMessage {
        let mut card = self.wanted.clone();
        if let (AttachedFile::GivenUp, Some(document)) = (self.file, card.document.take()) {
            card.html = document.instead;
        }
        card
    }

    /// Returns the next call for the card, but for its file.
    pub(super) fn next(&self, thread: Option<i32>) -> Option<(SlotPart, OutboxCall)> {
        let Some(message) = self.message else {
            let (card, form, silent) = (self.card(), self.form, self.silent);
            let call = OutboxCall::Send {
                thread,
                card,
                form,
                silent,
            };
            return (!self.last).then_some((SlotPart::Card, call));
        };
        let card = self.card();
        let same = |shown: &CardLook| shown.html == card.html && shown.keyboard == card.keyboard;
        if !self.shown.as_ref().is_some_and(same) {
            return Some((
                SlotPart::Card,
                OutboxCall::Edit {
                    message,
                    card,
                    form: self.form,
                },
            ));
        }
        self.next_prompt(thread, message)
            .map(|call| (SlotPart::Prompt, call))
    }

    fn next_prompt(&self, thread: Option<i32>, under: i32) -> Option<OutboxCall> {
        let wanted = self.wanted.prompt.as_ref();
        let ask = || {
            wanted.cloned().map(|prompt| OutboxCall::Ask {
                thread,
                prompt,
                under,
            })
        };
        match &self.prompt {
            None => ask(),
            Some(refused) if refused.message == NONE => {
                ask().filter(|_| refused.look.as_ref() != wanted)
            }
            Some(sent) => {
                let is_other = wanted.is_none_or(|wanted| sent.differs_from(wanted));
                is_other.then_some(OutboxCall::Delete {
                    message: sent.message,
                })
            }
        }
    }

    /// Returns the file that is to be sent, and the message below which it goes.
    pub(super) fn file(&self) -> Option<(i32, &CardDocument)> {
        let needed = self.file == AttachedFile::Unsent && !self.last;
        self.message
            .zip(self.wanted.document.as_ref().filter(|_| needed))
    }
}
