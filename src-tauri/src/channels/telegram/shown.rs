//! The cards that stand in the chats: shown, redrawn, ended, and where each of them is.
//!
//! Not here: how a card looks (`card.rs`), and when it is sent (`outbox.rs`).

pub(super) mod ended;

use super::card::{self, CardContext};
use super::outbox::{OutgoingNote, PostedCard, Priority, WantedCard};
use super::{TelegramChannel, words};
use crate::channels::CardChannel;
use crate::channels::telegram::pairing::pairings::{ChatId, UserId};
use crate::channels::telegram::worker::command::WorkerCommand;
use beckon_core::{AskId, AskState, Channel, Entry, Event, FinishedTurn, Reminder};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// An ask that stands in some chats.
pub(super) struct ShownCard {
    pub(super) entry: Box<Entry>,
    pub(super) posted: BTreeMap<ChatId, PostedCard>,
    /// It says that presses may have been lost.
    pub(super) missed: bool,
}

/// A card's handle.
#[derive(Serialize, Deserialize)]
struct CardHandle {
    /// Whose messages these are.
    bot: Option<UserId>,
    posted: Vec<PostedCard>,
}

impl CardChannel for TelegramChannel {
    /// In every paired chat.
    fn show(&mut self, entry: Box<Entry>, replaces: Option<String>, silent: bool) {
        let ask = entry.ask.id.clone();
        match self.cards.get_mut(&ask) {
            Some(shown) => shown.entry = entry,
            None => {
                let posted = self.read_handle(replaces.as_deref());
                // From an earlier life, in whose last moments nobody listened.
                let missed = !posted.is_empty();
                let posted = posted.into_iter().map(|posted| (posted.chat, posted)).collect();
                self.cards.insert(ask.clone(), ShownCard { entry, posted, missed });
            }
        }
        self.queue_card(&ask, silent, Priority::Now);
    }

    fn update(&mut self, entry: Box<Entry>) {
        let ask = entry.ask.id.clone();
        let Some(shown) = self.cards.get_mut(&ask) else { return };
        let priority = priority(&shown.entry, &entry);
        shown.missed &= priority == Priority::Whenever;
        // Its time is short.
        let new = shown.entry.expires != entry.expires;
        shown.entry = entry;
        self.queue_card(&ask, true, if new { Priority::Now } else { priority });
    }

    fn withdraw(&mut self, ask: AskId, handle: Option<String>, ending: Option<Box<Entry>>) {
        let mut posted = match self.cards.remove(&ask) {
            Some(shown) => shown.posted.into_values().collect(),
            None => self.read_handle(handle.as_deref()),
        };
        posted.retain(|posted| !posted.deleted);
        let Some(entry) = ending else {
            // Nothing is known of its end: only the keyboard goes.
            posted.iter().for_each(|posted| self.take_down(posted));
            self.events.post(Event::Withdrawn { channel: Channel::Telegram, ask });
            return;
        };
        *self.withdrawals.entry(ask).or_default() += 1;
        let wanted = WantedCard { last: true, ..self.wanted_card(&entry, true, false) };
        let chats = posted.iter().map(|posted| posted.chat).collect();
        self.ended.add(entry, posted.clone());
        self.command(WorkerCommand::Want(Box::new(wanted), chats, posted));
    }

    /// With a message that points to the card; the card itself makes no sound.
    fn remind(&mut self, entry: Box<Entry>, why: Reminder, silent: bool) {
        let html = words::reminder(&entry, why, &self.card_context());
        self.send_everywhere(&OutgoingNote {
            html,
            silent,
            about: Some(entry.serial),
            ..OutgoingNote::default()
        });
    }

    fn tell_turn(&mut self, turn: &FinishedTurn) {
        let html = words::turn(turn, &self.card_context());
        let project = Some(turn.session.project().to_owned());
        self.send_everywhere(&OutgoingNote {
            html,
            silent: true,
            project,
            ..OutgoingNote::default()
        });
    }

    fn tell_message(&mut self, title: &str, message: &str) {
        let html = words::message(title, message);
        self.send_everywhere(&OutgoingNote { html, silent: true, ..OutgoingNote::default() });
    }
}

impl TelegramChannel {
    /// A card that is nobody's any more: no keyboard, no prompt.
    pub(super) fn take_down(&self, posted: &PostedCard) {
        self.command(WorkerCommand::Strip(posted.chat, posted.message));
        if let Some(prompt) = posted.prompt {
            self.command(WorkerCommand::Delete(posted.chat, prompt));
        }
    }

    /// Nobody listened for so long that presses were lost: every card says so.
    pub(super) fn redraw_missed(&mut self) {
        tracing::info!("Telegram was out of reach: presses may be lost, cards are drawn anew");
        self.cards.values_mut().for_each(|shown| shown.missed = true);
        self.redraw_cards();
    }

    pub(super) fn redraw_cards(&self) {
        // A card of which nothing is to be seen yet is not made to ring by that.
        self.cards.keys().for_each(|ask| self.queue_card(ask, true, Priority::Now));
    }

    /// The desk is told where a card stands.
    pub(super) fn report_handle(&self, ask: &AskId) {
        if let Some(shown) = self.cards.get(ask) {
            self.report_shown(ask.clone(), self.write_handle(shown.posted.values()));
        }
    }

    pub(super) fn report_shown(&self, ask: AskId, handle: String) {
        self.events.post(Event::Shown { channel: Channel::Telegram, ask, handle });
    }

    /// Draws a card anew wherever it stands or is to stand.
    pub(super) fn queue_card(&self, ask: &AskId, silent: bool, priority: Priority) {
        let Some(shown) = self.cards.get(ask) else { return };
        let wanted = self.wanted_card(&shown.entry, silent, shown.missed);
        let wanted = WantedCard { priority, ..wanted };
        let mut chats = self.chats();
        chats.retain(|chat| !shown.posted.get(chat).is_some_and(|posted| posted.deleted));
        let posted = shown.posted.values().copied().collect();
        self.command(WorkerCommand::Want(Box::new(wanted), chats, posted));
    }

    fn wanted_card(&self, entry: &Entry, silent: bool, missed: bool) -> WantedCard {
        let scene = CardContext { missed, ..self.card_context() };
        WantedCard {
            ask: entry.ask.id.clone(),
            serial: entry.serial,
            project: entry.ask.session.project().to_owned(),
            card: card::card(entry, &scene),
            silent,
            last: false,
            priority: Priority::Now,
        }
    }

    pub(super) fn write_handle<'a>(
        &self,
        posted: impl IntoIterator<Item = &'a PostedCard>,
    ) -> String {
        let handle = CardHandle { bot: self.whose, posted: posted.into_iter().copied().collect() };
        serde_json::to_string(&handle).unwrap_or_default()
    }

    /// Where a card stood; nowhere when that was another bot's.
    fn read_handle(&self, handle: Option<&str>) -> Vec<PostedCard> {
        let handle = handle.and_then(|handle| serde_json::from_str::<CardHandle>(handle).ok());
        let ours = handle.filter(|handle| self.whose.is_none() || handle.bot == self.whose);
        ours.map(|handle| handle.posted).unwrap_or_default()
    }
}

/// How much it matters that a card shows what is new.
fn priority(before: &Entry, after: &Entry) -> Priority {
    match (&before.state, &after.state) {
        (AskState::Open, AskState::Open) if before.draft == after.draft => Priority::Whenever,
        (AskState::Open, AskState::Answering { .. }) => Priority::Passing,
        _ => Priority::Now,
    }
}
