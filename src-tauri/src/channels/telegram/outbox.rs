//! What is to be sent, to which chat, in which order: pure, with the time as a parameter.
//!
//! The outbox is told how a card should look, not what to send: it compares that with what stands
//! in the chat and finds the next call. So the newest look wins, a failed call is simply found
//! again, and nothing of it need be stored: the desk asks for every open card anew after a restart.

mod chat;
mod pace;
mod slot;
#[cfg(test)]
mod tests;

use super::api::Trouble;
use super::card::{Button, Card, Document, Prompt};
use crate::book::ChatId;
use beckon_core::AskId;
use chat::Chat;
use pace::Pace;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashMap};
use std::time::{Duration, Instant};

/// After a call without an answer: from here, doubling …
const FIRST_PAUSE: Duration = Duration::from_millis(500);
/// … up to this.
const LONGEST_PAUSE: Duration = Duration::from_secs(30);

/// The topics of a chat by project.
type Topics = HashMap<String, i32>;

/// The messages of a card in one chat.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Posted {
    /// Where.
    pub chat: ChatId,
    /// The card.
    pub message: i32,
    /// The message beneath it that asks for a text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prompt: Option<i32>,
    /// The document with what the card has no room for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub document: Option<i32>,
    /// The human deleted the card: it does not come back here.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub deleted: bool,
}

impl Posted {
    pub(super) fn at(chat: ChatId, message: i32) -> Self {
        Self { chat, message, prompt: None, document: None, deleted: false }
    }

    /// Is it one of these messages?
    pub(super) fn has(&self, message: i32) -> bool {
        [Some(self.message), self.prompt, self.document].contains(&Some(message))
    }
}

/// How a card is to look.
#[derive(Clone, Debug)]
pub(super) struct Wanted {
    pub(super) ask: AskId,
    /// Of the ask: cards are sent in this order.
    pub(super) serial: u64,
    /// For its topic.
    pub(super) project: String,
    pub(super) card: Card,
    /// Its first message makes no sound.
    pub(super) silent: bool,
    /// It has ended: this is its last look.
    pub(super) last: bool,
    pub(super) haste: Haste,
}

/// How soon a look is to be seen. Each edit counts for the limits, so not all are worth one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Haste {
    /// Somebody waits for it.
    Now,
    /// It will most likely be another in a moment.
    Passing,
    /// More is known than before; it can be answered without.
    Whenever,
}

/// Words that nobody has to answer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Note {
    pub(super) html: String,
    pub(super) silent: bool,
    /// Beneath the card of the ask with that serial; nowhere if there is none (any more).
    pub(super) about: Option<u64>,
    /// In that project's topic.
    pub(super) project: Option<String>,
    /// Below it.
    pub(super) button: Option<Button>,
}

/// One call to the API.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Call {
    Send { thread: Option<i32>, card: Card, plain: bool, silent: bool },
    Edit { message: i32, card: Card, plain: bool },
    Ask { thread: Option<i32>, prompt: Prompt, under: i32 },
    Attach { thread: Option<i32>, document: Document, under: i32 },
    Delete { message: i32 },
    Say { thread: Option<i32>, note: Note, under: Option<i32> },
    Strip { message: i32 },
    MakeTopic { name: String },
}

/// What came of a call, for whoever keeps the book.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The messages of a card are these now.
    Posted(AskId, Posted),
    /// A card has its last look in every chat.
    Finished(AskId),
    /// The human deleted the card there.
    Deleted(AskId, ChatId),
    /// The bot may not write there (any more).
    Blocked(ChatId),
    /// The group has another id now.
    Moved(ChatId, ChatId),
    /// The topic of a project, or that it is gone.
    Topic(String, Option<i32>),
}

/// Everything that is to be sent.
#[derive(Debug)]
pub(super) struct Outbox {
    chats: BTreeMap<ChatId, Chat>,
    pace: Pace,
    /// The server does not answer: no call before that.
    pause: Option<(Instant, Duration)>,
    /// The topics of the group's projects; `None` for a chat without topics.
    topics: HashMap<String, i32>,
    /// The chat that has topics.
    topical: Option<ChatId>,
}

impl Outbox {
    pub(super) fn new() -> Self {
        Self {
            chats: BTreeMap::new(),
            pace: Pace::of_bot(),
            pause: None,
            topics: HashMap::new(),
            topical: None,
        }
    }

    /// The group that has topics, and those it has.
    pub(super) fn topics(
        &mut self,
        chat: Option<ChatId>,
        known: impl IntoIterator<Item = (String, i32)>,
    ) {
        if self.topical != chat {
            self.topics.clear();
        }
        self.topical = chat;
        self.topics.extend(known);
    }

    /// A card is to look like that in these chats and wherever it was sent before; `posted` where
    /// it stood in an earlier life.
    pub(super) fn want(
        &mut self,
        wanted: &Wanted,
        chats: &[ChatId],
        posted: &[Posted],
        now: Instant,
    ) -> Vec<Outcome> {
        for &chat in chats {
            let posted = posted.iter().find(|posted| posted.chat == chat);
            self.chat(chat).want(wanted, posted, now);
        }
        if !wanted.last {
            return Vec::new();
        }
        // Where it stands though that chat is no longer paired, its end is still written.
        self.chats.values_mut().for_each(|chat| chat.want(wanted, None, now));
        self.finished(&wanted.ask).into_iter().collect()
    }

    /// Says something once.
    pub(super) fn say(&mut self, chat: ChatId, note: Note) {
        self.chat(chat).say(note);
    }

    /// Takes the keyboard off a message that is nobody's card any more.
    pub(super) fn strip(&mut self, chat: ChatId, message: i32) {
        self.chat(chat).tidy(Call::Strip { message });
    }

    /// Gives a message that is no ask's another look.
    pub(super) fn redraw(&mut self, chat: ChatId, message: i32, card: Card) {
        self.chat(chat).tidy(Call::Edit { message, card, plain: false });
    }

    /// Takes a message away.
    pub(super) fn delete(&mut self, chat: ChatId, message: i32) {
        self.chat(chat).tidy(Call::Delete { message });
    }

    /// Nothing more goes there, but keyboards that are to go.
    pub(super) fn forget(&mut self, chat: ChatId) -> Vec<Outcome> {
        let over = self.chats.get_mut(&chat).map(Chat::forget).unwrap_or_default();
        self.still_held(over)
    }

    /// All cards are void: what is still open will be wanted anew.
    pub(super) fn forget_cards(&mut self) {
        self.chats.values_mut().for_each(|chat| _ = chat.forget_cards());
    }

    /// Whatever is under way will not be heard of any more; it is found again.
    pub(super) fn abandon(&mut self) -> Vec<Outcome> {
        self.pause = None;
        let over = self.chats.values_mut().filter_map(Chat::abandon).collect();
        self.still_held(over)
    }

    /// The server answers again.
    pub(super) fn resume(&mut self) {
        self.pause = None;
    }

    /// The next call, if one may go out now.
    pub(super) fn next(&mut self, now: Instant) -> Option<(ChatId, Call)> {
        if self.pause.is_some_and(|(until, _)| now < until) || self.pace.ready_at(now) > now {
            return None;
        }
        let topics = &self.topics;
        for (&id, chat) in &mut self.chats {
            let topics = (self.topical == Some(id)).then_some(topics);
            if let Some(call) = chat.next(topics, now) {
                self.pace.take(now);
                return Some((id, call));
            }
        }
        None
    }

    /// When to look again; `None` when nothing waits for time to pass.
    pub(super) fn due(&self, now: Instant) -> Option<Instant> {
        let chats = self.chats.values().filter_map(|chat| chat.due(now)).min()?;
        let pause = self.pause.map_or(now, |(until, _)| until);
        Some(chats.max(pause).max(self.pace.ready_at(now)))
    }

    /// What came of a call: the id of the message that it made, or of the topic.
    pub(super) fn done(
        &mut self,
        id: ChatId,
        result: Result<Option<i32>, Trouble>,
        now: Instant,
    ) -> Vec<Outcome> {
        match &result {
            Err(Trouble::Network(_) | Trouble::Server(_) | Trouble::Unauthorized) => {
                let pause =
                    self.pause.map_or(FIRST_PAUSE, |(_, pause)| (pause * 2).min(LONGEST_PAUSE));
                self.pause = Some((now + pause, pause));
            }
            // That chat rests by itself.
            Err(Trouble::TooFast(_)) => {}
            _ => self.pause = None,
        }
        if let Err(Trouble::Moved(to)) = result {
            let mut outcomes = self.move_chat(id, ChatId(to));
            outcomes.push(Outcome::Moved(id, ChatId(to)));
            return outcomes;
        }
        let Some(chat) = self.chats.get_mut(&id) else { return Vec::new() };
        let outcomes = chat.done(result, now);
        for outcome in &outcomes {
            match outcome {
                Outcome::Topic(project, Some(thread)) => {
                    _ = self.topics.insert(project.clone(), *thread);
                }
                Outcome::Topic(project, None) => _ = self.topics.remove(project),
                _ => {}
            }
        }
        self.still_held(outcomes)
    }

    /// A card is finished only when no other chat has it.
    fn still_held(&self, mut outcomes: Vec<Outcome>) -> Vec<Outcome> {
        outcomes.retain(|outcome| match outcome {
            Outcome::Finished(ask) => self.finished(ask).is_some(),
            _ => true,
        });
        outcomes
    }

    fn finished(&self, ask: &AskId) -> Option<Outcome> {
        let stands = self.chats.values().any(|chat| chat.holds(ask));
        (!stands).then(|| Outcome::Finished(ask.clone()))
    }

    /// The group is another one now: messages of the old one cannot be edited there.
    pub(super) fn move_chat(&mut self, from: ChatId, to: ChatId) -> Vec<Outcome> {
        if self.topical == Some(from) {
            self.topical = Some(to);
            self.topics.clear();
        }
        let Some(former) = self.chats.remove(&from) else { return Vec::new() };
        let over = self.chat(to).take_over(former);
        self.still_held(over)
    }

    fn chat(&mut self, id: ChatId) -> &mut Chat {
        self.chats.entry(id).or_insert_with(|| Chat::new(id))
    }
}
