//! The list of all that waits: one message in each chat that is edited in silence and pinned. Only
//! a handful of asks have a card at once. The others are on the list, and get a card as those are
//! answered, or when they are opened there.
//!
//! Not here: how the list looks (`card/list.rs`), and when it may be sent (`outbox`).

mod places;

use crate::channels::telegram::TelegramChannel;
use crate::channels::telegram::button::ListTap;
use crate::channels::telegram::card::CardMessage;
use crate::channels::telegram::card::list::ListContent;
use crate::channels::telegram::card::says;
use crate::channels::telegram::html::escape;
use crate::channels::telegram::outbox::{
    ABOUT_LIST, ListUrgency, OutgoingNote, Priority, WantedList,
};
use crate::channels::telegram::pairing::pairings::{ChatId, PairingChange};
use crate::channels::telegram::updates::dispatch::Reaction;
use crate::channels::telegram::updates::update::{IncomingUpdate, UpdatePlace};
use crate::channels::telegram::words;
use crate::channels::telegram::worker::command::WorkerCommand;
use beckon_core::{
    AnswerRefusal, AskId, AskState, Channel, ChannelView, Entry, Event, ForwardMode,
    PresenceOverride, Span,
};
pub(in crate::channels::telegram) use places::WaitingList;
use std::time::Instant;

/// The number of asks from which there is a list: one card needs none.
const LEAST: usize = 2;
/// The length of the pause, which the button names.
const PAUSE: Span = Span::minutes(30);

impl TelegramChannel {
    /// Shows an ask that has come, or may be answered again: by its card, or by its line on the
    /// list.
    pub(super) fn admit(&mut self, ask: &AskId, silent: bool, priority: Priority) {
        let Some(shown) = self.cards.get(ask) else {
            return;
        };
        let serial = shown.entry.serial;
        let has_card = !shown.posted.is_empty();
        if self.is_gone_everywhere(ask) {
            // There is no card that could show it; the list does.
            self.list.free_place(serial);
        } else if shown.entry.state != AskState::Open {
            self.list.remove(serial);
            self.queue_card(ask, silent, priority);
        } else if self.list.admit(serial, ask, has_card) {
            self.queue_card(ask, silent, priority);
        } else if !silent && !self.is_quiet() && self.list.may_ring(Instant::now()) {
            self.tell_overflow();
        }
        self.fill_up();
    }

    /// Gives cards to as many asks as there are places, and has the list drawn.
    pub(in crate::channels::telegram) fn fill_up(&mut self) {
        while let Some(ask) = self.list.promote() {
            self.writers.interrupt();
            self.queue_card(&ask, true, Priority::Now);
        }
        self.list_changed();
    }

    /// Rings for asks that are on the list only, by a note: the list itself is edited in silence.
    fn tell_overflow(&mut self) {
        let html = escape(&self.texts.get("telegram-list-overflow"));
        let about = Some(ABOUT_LIST);
        self.send_everywhere(&OutgoingNote {
            html,
            about,
            ..OutgoingNote::default()
        });
    }

    /// Notes that the list has changed. It is drawn when it may be sent: not for each of a thousand
    /// asks.
    pub(in crate::channels::telegram) fn list_changed(&self) {
        let urgency = match (self.cards.is_empty(), self.list.rest.is_empty()) {
            (true, _) => ListUrgency::Now,
            (false, false) => ListUrgency::Soon,
            (false, true) => ListUrgency::Whenever,
        };
        let chats = self.chats();
        let is_any_gone = chats.iter().any(|chat| self.is_any_gone(*chat));
        if self.cards.len() >= LEAST || !self.pairings.lists.is_empty() || is_any_gone {
            self.command(WorkerCommand::ListChanged(chats, urgency));
        }
    }

    /// Draws the list of a chat as it is to look now.
    pub(in crate::channels::telegram) fn draw_list(&self, chat: ChatId) {
        let waiting = self.waiting();
        let known = self.pairings.lists.get(&chat).copied();
        let overflows = !self.list.rest.is_empty();
        // An ask whose card is gone is told on the list alone.
        let is_needed = waiting.len() >= LEAST || overflows || self.is_any_gone(chat);
        if known.is_none() && !is_needed {
            return;
        }
        let page = self.list.pages.get(&chat).copied().unwrap_or_default();
        let card = self.list_message(chat, &waiting, page, true);
        let serials = waiting.iter().map(|entry| entry.serial).collect();
        let wanted = WantedList {
            card,
            serials,
            known,
        };
        self.command(WorkerCommand::List(chat, Box::new(wanted)));
    }

    /// Returns the asks that wait, the longest first.
    fn waiting(&self) -> Vec<&Entry> {
        let entries = self.cards.values().map(|shown| &*shown.entry);
        let mut waiting: Vec<_> = entries.filter(|entry| entry.waits_now()).collect();
        waiting.sort_unstable_by_key(|entry| (entry.ask.asked_at, entry.serial));
        waiting
    }

    fn list_message(
        &self,
        chat: ChatId,
        waiting: &[&Entry],
        page: usize,
        stands: bool,
    ) -> CardMessage {
        let scene = &self.card_context();
        let list = ListContent {
            waiting,
            page,
            stands,
            standing: &self.standing,
            scene,
        };
        list.message(|entry| self.link(chat, entry))
    }

    /// Returns the answer to `/pending`, if any ask waits.
    pub(in crate::channels::telegram) fn pending(
        &self,
        place: &UpdatePlace,
        view: ChannelView<'_>,
    ) -> Option<OutgoingNote> {
        let view = view.overview();
        let mut waiting: Vec<&Entry> = view.waiting().map(|ask| &ask.entry).collect();
        waiting.sort_unstable_by_key(|entry| (entry.ask.asked_at, entry.serial));
        (!waiting.is_empty()).then(|| {
            let CardMessage { html, keyboard, .. } =
                self.list_message(place.chat, &waiting, 0, false);
            OutgoingNote {
                thread: place.thread,
                html,
                keyboard,
                silent: true,
                ..OutgoingNote::default()
            }
        })
    }

    /// Returns a link to the card of an ask. Only messages of supergroups have one: what the bot
    /// calls message 7 in a private chat is another number for its reader
    /// (<https://core.telegram.org/api/links#message-links>).
    fn link(&self, chat: ChatId, entry: &Entry) -> Option<String> {
        let supergroup = chat.0.to_string().strip_prefix("-100")?.to_owned();
        let posted = self.cards.get(&entry.ask.id)?.posted.get(&chat)?;
        (!posted.deleted).then(|| format!("https://t.me/c/{supergroup}/{}", posted.message))
    }

    /// Deals with a tap on a list.
    pub(in crate::channels::telegram) fn on_list_tap(
        &mut self,
        heard: &IncomingUpdate,
        (query, message): (&str, Option<i32>),
        tap: ListTap,
        view: ChannelView<'_>,
    ) -> Reaction {
        let chat = heard.place.chat;
        let now = view.now();
        let (said, event) = match tap {
            ListTap::Open(serial) => {
                if let Some(called) = self.call_for(serial, view) {
                    self.command(WorkerCommand::Answer {
                        query: query.to_owned(),
                        text: String::new(),
                    });
                    return Reaction::Tell(called);
                }
                let said = self.open(chat, serial, view);
                // A line that leads nowhere is of a list that is not kept up to date.
                if !said.is_empty() {
                    self.turn(chat, message, 0, view);
                }
                (said, None)
            }
            ListTap::Page(page) => {
                self.turn(chat, message, page, view);
                (String::new(), None)
            }
            ListTap::Here => {
                let event = self.say_presence(heard, PresenceOverride::Here, None);
                (self.texts.get("telegram-presence-set-here"), Some(event))
            }
            ListTap::Auto => {
                let event = self.say_presence(heard, PresenceOverride::Auto, None);
                (self.texts.get("telegram-presence-set-auto"), Some(event))
            }
            ListTap::Resume => {
                let event = self.say_pause(heard, None);
                (self.texts.get("telegram-resumed"), Some(event))
            }
            ListTap::Pause => {
                // A running pause that is longer is not shortened.
                let running = view.paused_until();
                let until = running.map_or(now + PAUSE, |until| until.max(now + PAUSE));
                let event = self.say_pause(heard, Some(until));
                (words::paused(until, &self.card_context()), Some(event))
            }
        };
        if event.is_some() {
            self.answer_once_saved(query, said);
        } else {
            self.answer(query, said);
        }
        // A note that offered to take something back has done its work.
        let is_undone = matches!(tap, ListTap::Auto | ListTap::Resume);
        let is_list = message == self.pairings.lists.get(&chat).copied();
        if let Some(message) = message.filter(|_| is_undone && !is_list) {
            self.command(WorkerCommand::Strip(chat, message));
        }
        event.map_or(Reaction::Nothing, Reaction::Tell)
    }

    /// Shows another page: of the list that stays, or of an answer to `/pending`.
    pub(in crate::channels::telegram) fn turn(
        &mut self,
        chat: ChatId,
        message: Option<i32>,
        page: usize,
        view: ChannelView<'_>,
    ) {
        let Some(message) = message else { return };
        if self.pairings.lists.get(&chat) == Some(&message) {
            self.list.pages.insert(chat, page);
            return self.draw_list(chat);
        }
        let view = view.overview();
        let mut waiting: Vec<&Entry> = view.waiting().map(|ask| &ask.entry).collect();
        waiting.sort_unstable_by_key(|entry| (entry.ask.asked_at, entry.serial));
        let card = self.list_message(chat, &waiting, page, false);
        self.command(WorkerCommand::Redraw(chat, message, Box::new(card)));
    }

    /// Sends the card of an ask, or points to it where it is. Returns the text for the tap, if
    /// neither is possible.
    fn open(&mut self, chat: ChatId, serial: u64, view: ChannelView<'_>) -> String {
        let shown = self
            .cards
            .values()
            .find(|shown| shown.entry.serial == serial);
        let Some(shown) = shown else {
            return self.not_opened(serial, view);
        };
        let ask = shown.entry.ask.id.clone();
        if shown
            .posted
            .get(&chat)
            .is_some_and(|posted| !posted.deleted)
        {
            let html = escape(&format!(
                "👆 {}",
                says::about(&shown.entry, &self.card_context())
            ));
            let about = Some(serial);
            let note = OutgoingNote {
                html,
                silent: true,
                about,
                ..OutgoingNote::default()
            };
            self.command(WorkerCommand::Say(chat, note));
            return String::new();
        }
        self.bring_back(&ask, chat, true);
        String::new()
    }

    /// Calls for the card of an ask that waits and has none here. Returns the event for the desk;
    /// `None` while no new ones may come.
    fn call_for(&mut self, serial: u64, view: ChannelView<'_>) -> Option<Event> {
        let overview = view.overview();
        if overview.forward == ForwardMode::Never {
            return None;
        }
        let mut waiting = overview.waiting().map(|ask| &ask.entry);
        let entry = waiting.find(|entry| entry.serial == serial)?;
        let ask = entry.ask.id.clone();
        if self.cards.contains_key(&ask) || self.leaves_to_others(entry, None) {
            return None;
        }
        // The ask is to have a card, however many there are.
        self.list.admit(serial, &ask, true);
        let channel = Channel::Telegram;
        Some(Event::CalledFor { channel, ask })
    }

    /// Returns why there is no card to be opened.
    fn not_opened(&self, serial: u64, view: ChannelView<'_>) -> String {
        let scene = self.card_context();
        let waits = || {
            view.overview()
                .asks
                .iter()
                .any(|ask| ask.entry.serial == serial)
        };
        match self.ended.by_serial(serial) {
            Some(ended) => words::late(&ended.entry, &scene),
            None if waits() => self.texts.get("telegram-list-elsewhere"),
            None => words::refusal(&AnswerRefusal::Unknown, &scene),
        }
    }

    /// Notes that the list of a chat is in that message, or is gone.
    pub(in crate::channels::telegram) fn on_list(
        &mut self,
        chat: ChatId,
        message: Option<i32>,
    ) -> Vec<PairingChange> {
        // The chat was unpaired while the list was on its way.
        if let Some(message) = message.filter(|_| !self.pairings.chats().contains(&chat)) {
            self.command(WorkerCommand::Strip(chat, message));
            return Vec::new();
        }
        let changes = self.apply_changes(vec![PairingChange::List(chat, message)]);
        // While the list was on its way, asks on it may have ended.
        if message.is_some() {
            self.list_changed();
        }
        changes
    }

    /// Forgets the lists of those chats: they are another bot's, or the chats are no more.
    pub(in crate::channels::telegram) fn forget_lists(
        &mut self,
        of: impl Fn(ChatId) -> bool,
    ) -> Vec<PairingChange> {
        let gone = self.pairings.lists.keys().copied().filter(|chat| of(*chat));
        let gone = gone.map(|chat| PairingChange::List(chat, None)).collect();
        self.apply_changes(gone)
    }
}
