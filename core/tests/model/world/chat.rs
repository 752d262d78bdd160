//! A Telegram chat and the room that writes to it: orders are executed later and in order.
//! Messages, and what is noted of them, outlive Beckon; orders and reports do not.

use beckon_core::{AskId, AskState, Channel, Effect, Entry, Event, Outcome};
use std::collections::{BTreeMap, VecDeque};

const CHANNEL: Channel = Channel::Telegram;

#[derive(Clone, Debug)]
pub struct Message {
    pub ask: AskId,
    /// The number of the ask for which it rang.
    pub rang_for: u64,
    /// The ask as it was last drawn.
    pub entry: Entry,
    /// Whether it has a keyboard, or says that an answer is under way.
    pub live: bool,
    /// Whether no row names it any more, so that only a tap finds it.
    pub stray: bool,
    /// The outcome in its last line.
    pub ending: Option<Outcome>,
}

#[derive(Debug)]
pub struct Chat {
    pub up: bool,
    pub messages: BTreeMap<String, Message>,
    pub orders: VecDeque<Effect>,
    /// The number of messages sent for each ask; each of them rang.
    pub sent: BTreeMap<AskId, u32>,
    /// The message of each ask that the room knows.
    pub known: BTreeMap<AskId, String>,
}

impl Default for Chat {
    fn default() -> Self {
        Self {
            up: true,
            messages: BTreeMap::new(),
            orders: VecDeque::new(),
            sent: BTreeMap::new(),
            known: BTreeMap::new(),
        }
    }
}

impl Chat {
    /// Executes the next order, and returns the report about it.
    pub fn work(&mut self) -> Option<Event> {
        let order = if self.up {
            self.orders.pop_front()?
        } else {
            return None;
        };
        match order {
            Effect::Show {
                entry, replaces, ..
            } => Some(self.show(*entry, replaces)),
            Effect::Update { entry, .. } => {
                self.redraw(&entry);
                None
            }
            Effect::Withdraw {
                ask,
                handle,
                ending,
                ..
            } => Some(self.end(ask, handle, ending)),
            _ => None,
        }
    }

    fn show(&mut self, entry: Entry, replaces: Option<String>) -> Event {
        let ask = entry.ask.id.clone();
        let live = |handle: &String| self.messages.get(handle).is_some_and(|m| m.live);
        let known = self.known.get(&ask).cloned().filter(live);
        let former = replaces
            .filter(|handle| self.messages.contains_key(handle))
            .or(known);
        let handle = former.unwrap_or_else(|| {
            *self.sent.entry(ask.clone()).or_default() += 1;
            format!("message-{}", self.messages.len())
        });
        let rang_for = self
            .messages
            .get(&handle)
            .map_or(entry.serial, |m| m.rang_for);
        let (live, stray, ending, of) = (true, false, None, ask.clone());
        let message = Message {
            ask: of,
            rang_for,
            entry,
            live,
            stray,
            ending,
        };
        self.messages.insert(handle.clone(), message);
        self.known.insert(ask.clone(), handle.clone());
        Event::Shown {
            channel: CHANNEL,
            ask,
            handle,
        }
    }

    fn redraw(&mut self, entry: &Entry) {
        let known = self
            .known
            .get(&entry.ask.id)
            .and_then(|h| self.messages.get_mut(h));
        // The room does not know messages any more that were withdrawn.
        if let Some(message) = known.filter(|message| message.live) {
            message.entry = entry.clone();
        }
    }

    fn end(&mut self, ask: AskId, handle: Option<String>, ending: Option<Box<Entry>>) -> Event {
        let handle = handle.or_else(|| self.known.get(&ask).cloned());
        if let Some(message) = handle.and_then(|handle| self.messages.get_mut(&handle)) {
            message.live = false;
            message.ending = ending.map(|entry| match entry.state {
                AskState::Settled { outcome, .. } => outcome,
                state => panic!("{ask} ends as {state:?}"),
            });
        }
        Event::Withdrawn {
            channel: CHANNEL,
            ask,
        }
    }

    /// Breaks the connection, or forgets the orders of a Beckon that died: they are not executed.
    pub fn fail(&mut self) {
        self.orders.clear();
    }
}
