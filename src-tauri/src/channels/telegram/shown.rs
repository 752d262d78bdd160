//! The cards that are in the chats: shown, redrawn, ended, and the messages of each.
//!
//! Not here: how a card looks (`card.rs`), and when it is sent (`outbox.rs`).

mod adoption;
pub(super) mod ended;
pub(super) mod waiting_list;

use super::card::{self, Answerer, CardContext, CardMessage};
use super::outbox::{ABOUT_LIST, OutgoingNote, PostedCard, Priority, WantedCard};
use super::{TelegramChannel, words};
use crate::channels::CardChannel;
use crate::channels::telegram::pairing::pairings::{ChatId, UserId};
use crate::channels::telegram::shown::ended::EndedCard;
use crate::channels::telegram::updates::edits::DraftEdits;
use crate::channels::telegram::worker::command::WorkerCommand;
use beckon_client::platform::clock;
use beckon_client::text::words::AnswerOwner;
use beckon_core::{
    AskId, AskState, Card, Channel, ChannelView, Entry, Event, FinishedTurn, Reminder, Responder,
    Voucher,
};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// An ask that has a card in some chats.
pub(super) struct ShownCard {
    pub(super) entry: Box<Entry>,
    pub(super) posted: BTreeMap<ChatId, PostedCard>,
    /// Whether the card says that presses may have been lost.
    pub(super) missed: bool,
    /// The name of the person who tapped or wrote last while the card was open. The answer is
    /// theirs, if it was given here.
    pub(super) by: Option<String>,
    /// The people who have changed its draft.
    pub(super) edits: DraftEdits,
    /// The people who have asked to write, in each chat: they are asked for their words.
    pub(super) asked: BTreeMap<ChatId, BTreeSet<UserId>>,
}

/// The content of a card's handle.
#[derive(Serialize, Deserialize)]
struct CardHandle {
    /// The bot that sent the messages.
    bot: Option<UserId>,
    posted: Vec<PostedCard>,
    /// The people who are asked for their words in a group.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    asked: Vec<(ChatId, UserId)>,
}

impl CardChannel for TelegramChannel {
    /// Shows the card in every paired chat.
    fn show(&mut self, entry: Box<Entry>, replaces: Option<String>, silent: bool) {
        let ask = entry.ask.id.clone();
        if self.leaves_to_others(&entry, replaces.as_deref()) {
            return;
        }
        let silent = self.never_rings(silent);
        match self.cards.get_mut(&ask) {
            Some(shown) => {
                // The same id with another serial is a new ask.
                let former = std::mem::replace(&mut shown.entry, entry).serial;
                if former != shown.entry.serial {
                    self.list.remove(former);
                }
            }
            None => {
                self.writers.interrupt();
                let posted = self.read_handle(replaces.as_deref());
                let asked = self.read_asked(replaces.as_deref());
                self.part_strange(&entry, &posted);
                // The card is from before a restart, and updates were not read in between.
                let missed = !posted.is_empty() && self.was_silent;
                let posted = posted
                    .into_iter()
                    .map(|posted| (posted.chat, posted))
                    .collect();
                self.cards.insert(
                    ask.clone(),
                    ShownCard {
                        entry,
                        posted,
                        missed,
                        by: None,
                        edits: DraftEdits::default(),
                        asked,
                    },
                );
            }
        }
        self.admit(&ask, silent, Priority::Now);
    }

    fn update(&mut self, entry: Box<Entry>) {
        let ask = entry.ask.id.clone();
        let Some(shown) = self.cards.get_mut(&ask) else {
            return;
        };
        let priority = priority(&shown.entry, &entry);
        shown.missed &= priority == Priority::Whenever;
        // The time until the ask expires may be short: a new one is shown at once.
        let new = shown.entry.expires != entry.expires;
        shown.entry = entry;
        self.admit(&ask, true, if new { Priority::Now } else { priority });
    }

    fn withdraw(&mut self, ask: AskId, handle: Option<String>, ending: Option<Box<Entry>>) {
        let (mut posted, by) = match self.cards.remove(&ask) {
            Some(shown) => {
                self.list.remove(shown.entry.serial);
                (shown.posted.into_values().collect(), shown.by)
            }
            None => self.former_card(handle.as_deref(), ending.as_deref()),
        };
        self.fill_up();
        posted.retain(|posted| !posted.deleted);
        if let Some(entry) = &ending {
            posted = self.part_strange(entry, &posted);
        }
        let Some(entry) = ending else {
            // The outcome is unknown, so only the keyboard is removed.
            posted.iter().for_each(|posted| self.take_down(posted));
            self.events.post(Event::Withdrawn {
                channel: Channel::Telegram,
                ask,
            });
            return;
        };
        *self.withdrawals.entry(ask).or_default() += 1;
        let scene = CardContext {
            by: self.answerer(by.as_deref()),
            ..self.card_context()
        };
        let wanted = WantedCard {
            last: true,
            ..wanted_card(&entry, true, &scene)
        };
        let chats = posted.iter().map(|posted| posted.chat).collect();
        self.ended.add(EndedCard {
            entry,
            posted: posted.clone(),
            by,
        });
        self.command(WorkerCommand::Want(Box::new(wanted), chats, posted));
    }

    /// Rings with a message that points to the card, since an edited card makes no sound. Where the
    /// card is gone, it is sent anew and rings itself.
    fn remind(&mut self, entry: Box<Entry>, why: Reminder, silent: bool) {
        self.writers.interrupt();
        let silent = self.never_rings(silent);
        let html = words::reminder(&entry, why, &self.card_context());
        let is_listed = self.list.is_listed(entry.serial);
        let note = OutgoingNote {
            html,
            silent,
            about: Some(if is_listed { ABOUT_LIST } else { entry.serial }),
            ..OutgoingNote::default()
        };
        for chat in self.chats() {
            if self.is_gone(&entry.ask.id, chat) {
                self.bring_back(&entry.ask.id, chat, silent);
            } else {
                self.say(chat, note.clone());
            }
        }
    }

    /// Tells of a finished turn. There is no way to its session, which cannot be opened from a
    /// phone.
    fn tell_turn(&mut self, turn: &FinishedTurn, _opens: Option<u64>) {
        self.writers.interrupt();
        let html = words::turn(turn, &self.card_context());
        let project = Some(turn.session.project().to_owned());
        self.send_everywhere(&OutgoingNote {
            html,
            silent: true,
            project,
            ..OutgoingNote::default()
        });
    }

    /// Tells nothing: a human who comes back is at the computer, not at the phone.
    fn tell_absence(&mut self, _answered: usize, _waiting: usize) {}

    fn end_absence(&mut self) {}

    fn tell_message(&mut self, title: &str, message: &str) {
        self.writers.interrupt();
        let html = words::message(title, message);
        self.send_everywhere(&OutgoingNote {
            html,
            silent: true,
            ..OutgoingNote::default()
        });
    }
}

impl TelegramChannel {
    /// Tells a person that their answer came too late; the card shows how the ask ended. If the bot
    /// cannot write to them alone, they gave the answer in the group.
    pub fn tell_late(&mut self, who: Option<&Responder>, title: &str, body: &str) {
        let note = OutgoingNote {
            html: words::too_late(title, body),
            ..OutgoingNote::default()
        };
        match self.chat_of(who) {
            Some(chat) => self.say(chat, note),
            None => self.send_everywhere(&note),
        }
    }

    /// Returns the owner of a late answer, as the text of [`Self::tell_late`] is to name them.
    pub fn owner_of_late<'a>(&self, who: Option<&'a Responder>) -> AnswerOwner<'a> {
        let is_alone = self.chat_of(who).is_some_and(|chat| chat.0 > 0);
        let name = who.and_then(|who| who.person.as_deref());
        match name {
            _ if is_alone || self.is_for_one_person() => AnswerOwner::Reader,
            Some(name) => AnswerOwner::Named(name),
            None => AnswerOwner::Somebody,
        }
    }

    /// Returns the chat in which a person who has answered is told something: their own, or else
    /// the group.
    fn chat_of(&self, who: Option<&Responder>) -> Option<ChatId> {
        let own = match who.map(|who| &who.vouched) {
            Some(Voucher::Telegram { user }) => Some(ChatId(*user)),
            _ => None,
        };
        let group = self.pairings.group.as_ref().map(|group| group.chat);
        let chats = self.chats();
        let mut wanted = [own, group].into_iter().flatten();
        wanted.find(|chat| chats.contains(chat))
    }

    /// Returns true if a message makes no sound whenever it is sent. The desk's `silent` is of this
    /// moment. Where it comes from quiet hours or a pause, it is decided again at the moment of
    /// sending.
    fn never_rings(&self, silent: bool) -> bool {
        silent && !self.is_quiet()
    }

    /// Whether no message may make a sound now.
    pub(super) fn is_quiet(&self) -> bool {
        self.quiet_times.covers(clock::now())
    }

    /// Whether the card of an ask was in a chat and is gone from it.
    pub(super) fn is_gone(&self, ask: &AskId, chat: ChatId) -> bool {
        let posted = self
            .cards
            .get(ask)
            .and_then(|shown| shown.posted.get(&chat));
        posted.is_some_and(|posted| posted.deleted)
    }

    /// Whether the card of an ask is gone from every chat.
    pub(super) fn is_gone_everywhere(&self, ask: &AskId) -> bool {
        let chats = self.chats();
        !chats.is_empty() && chats.into_iter().all(|chat| self.is_gone(ask, chat))
    }

    /// Whether the card of any ask that waits is gone from that chat.
    pub(super) fn is_any_gone(&self, chat: ChatId) -> bool {
        let mut waiting = self.cards.values();
        waiting.any(|shown| shown.entry.waits_now() && self.is_gone(&shown.entry.ask.id, chat))
    }

    /// Sends the card of an ask anew to a chat from which it is gone.
    pub(super) fn bring_back(&mut self, ask: &AskId, chat: ChatId, silent: bool) {
        let Some(shown) = self.cards.get_mut(ask) else {
            return;
        };
        shown.posted.remove(&chat);
        let serial = shown.entry.serial;
        self.writers.interrupt_in(chat);
        self.list.admit(serial, ask, true);
        self.queue_card(ask, silent, Priority::Now);
        self.report_handle(ask);
        self.list_changed();
    }

    /// Removes an ask's card from a chat that is no longer paired: no result is told there, and no
    /// button stays.
    pub(super) fn part(&self, entry: &Entry, posted: PostedCard) {
        let html = words::parted(&self.card_context());
        let card = CardMessage {
            html,
            keyboard: Vec::new(),
            document: None,
            prompt: None,
        };
        let parted = WantedCard {
            card,
            last: true,
            ..wanted_card(entry, true, &self.card_context())
        };
        self.command(WorkerCommand::Part(Box::new(parted), posted));
    }

    /// Removes an ask's card from all chats that are not paired any more. Returns the cards in the
    /// other chats.
    fn part_strange(&self, entry: &Entry, posted: &[PostedCard]) -> Vec<PostedCard> {
        let chats = self.pairings.chats();
        let is_ours = |posted: &&PostedCard| chats.contains(&posted.chat);
        let (ours, strange): (Vec<&PostedCard>, Vec<&PostedCard>) =
            posted.iter().partition(is_ours);
        strange
            .into_iter()
            .filter(|posted| !posted.deleted)
            .for_each(|posted| self.part(entry, *posted));
        ours.into_iter().copied().collect()
    }

    /// Removes the keyboard and the prompt of a card that belongs to no ask any more.
    pub(super) fn take_down(&self, posted: &PostedCard) {
        self.command(WorkerCommand::Strip(posted.chat, posted.message));
        if let Some(prompt) = posted.prompt {
            self.command(WorkerCommand::Delete(posted.chat, prompt));
        }
    }

    /// Marks and redraws every card, because updates were not read for so long that presses were
    /// lost.
    pub(super) fn redraw_missed(&mut self) {
        tracing::info!("Telegram was out of reach: presses may be lost, cards are drawn anew");
        self.cards
            .values_mut()
            .for_each(|shown| shown.missed = true);
        self.redraw_cards();
    }

    pub(super) fn redraw_cards(&self) {
        // A card that is not in the chat yet must not ring because of this.
        self.cards
            .keys()
            .for_each(|ask| self.queue_card(ask, true, Priority::Now));
        self.list_changed();
    }

    /// Tells the desk which messages the card is in.
    pub(super) fn report_handle(&self, ask: &AskId) {
        if let Some(shown) = self.cards.get(ask) {
            let handle = self.write_asking(shown.posted.values(), &shown.asked);
            self.report_shown(ask.clone(), handle);
        }
    }

    pub(super) fn report_shown(&self, ask: AskId, handle: String) {
        self.events.post(Event::Shown {
            channel: Channel::Telegram,
            ask,
            handle,
        });
    }

    /// Queues a card to be drawn anew in the chats that have it, or are to get it.
    pub(super) fn queue_card(&self, ask: &AskId, silent: bool, priority: Priority) {
        let shown = self.cards.get(ask);
        let Some(shown) = shown.filter(|shown| !self.list.is_listed(shown.entry.serial)) else {
            return;
        };
        let wanted = wanted_card(&shown.entry, silent, &self.card_context_of(ask));
        let wanted = WantedCard { priority, ..wanted };
        let mut chats = self.chats();
        chats.retain(|chat| !shown.posted.get(chat).is_some_and(|posted| posted.deleted));
        let posted: Vec<PostedCard> = shown.posted.values().copied().collect();

        if wanted.card.prompt.is_none() {
            return self.command(WorkerCommand::Want(Box::new(wanted), chats, posted));
        }

        // A person who wants to write is asked for their words in the chat where they said so. If
        // there is only one chat it was that one, also after a restart.
        let is_only = chats.len() == 1;
        let is_asked = |chat: &ChatId| {
            let stands = shown.posted.get(chat).is_some_and(|it| it.prompt.is_some());
            is_only || stands || self.writers.writes_in(*chat, shown.entry.serial)
        };
        let (asked, others): (Vec<ChatId>, Vec<ChatId>) = chats.into_iter().partition(is_asked);
        let mut elsewhere = wanted.clone();
        elsewhere.card.prompt = None;
        for chat in asked {
            let mut wanted = wanted.clone();
            let prompt = wanted.card.prompt.take();
            wanted.card.prompt = prompt.map(|prompt| prompt.to(self.writers_in(shown, chat)));
            let posted = posted.clone();
            self.command(WorkerCommand::Want(Box::new(wanted), vec![chat], posted));
        }
        self.command(WorkerCommand::Want(Box::new(elsewhere), others, posted));
    }

    /// Returns the people who are to be asked for words in a group; in a private chat there is only
    /// one.
    fn writers_in<'a>(
        &'a self,
        shown: &'a ShownCard,
        chat: ChatId,
    ) -> impl Iterator<Item = (UserId, &'a str)> {
        let asked = shown.asked.get(&chat).filter(|_| chat.0 < 0);
        let people = &self.pairings.people;
        let writers = asked.into_iter().flatten();
        writers.filter_map(|id| people.get(id).map(|person| (*id, person.name.as_str())))
    }

    /// Returns the person who is said to have answered; without a name where only one person can.
    pub(super) fn answerer<'a>(&self, by: Option<&'a str>) -> Answerer<'a> {
        match by {
            _ if self.is_for_one_person() => Answerer::Reader,
            Some(name) => Answerer::Named(name),
            None => Answerer::Somebody,
        }
    }

    pub(super) fn write_handle<'a>(
        &self,
        posted: impl IntoIterator<Item = &'a PostedCard>,
    ) -> String {
        self.write_asking(posted, &BTreeMap::new())
    }

    /// Writes a handle with the people who are asked for their words, so that only their input
    /// fields open after a restart.
    pub(super) fn write_asking<'a>(
        &self,
        posted: impl IntoIterator<Item = &'a PostedCard>,
        asked: &BTreeMap<ChatId, BTreeSet<UserId>>,
    ) -> String {
        let groups = asked.iter().filter(|(chat, _)| chat.0 < 0);
        let asked = groups.flat_map(|(chat, people)| people.iter().map(|it| (*chat, *it)));
        let handle = CardHandle {
            bot: self.whose,
            posted: posted.into_iter().copied().collect(),
            asked: asked.collect(),
        };
        serde_json::to_string(&handle).unwrap_or_default()
    }

    /// Returns the ask whose card from before a restart is in that message. Words that were written
    /// while Beckon was off are handled before its cards are shown again.
    pub(super) fn noted_at<'a>(
        &self,
        chat: ChatId,
        message: i32,
        view: ChannelView<'a>,
    ) -> Option<&'a Entry> {
        let stands = |card: &Card| {
            let posted = self.read_handle(card.handle.as_deref());
            posted
                .iter()
                .any(|posted| posted.chat == chat && posted.has(message))
        };
        // An ask of the same id that has changed since was not in that message.
        let mut same = view.entries().filter(|entry| !entry.changed);
        same.find(|entry| entry.cards.get(&Channel::Telegram).is_some_and(stands))
    }

    /// Returns the card from before a restart to which that message belongs.
    pub(super) fn noted_card_at(
        &self,
        chat: ChatId,
        message: i32,
        view: ChannelView<'_>,
    ) -> Option<PostedCard> {
        let entry = self.noted_at(chat, message, view)?;
        let card = entry.cards.get(&Channel::Telegram)?;
        let posted = self.read_handle(card.handle.as_deref());
        posted
            .into_iter()
            .find(|posted| posted.chat == chat && posted.has(message))
    }

    /// Whether an ask has a card in that chat, also one from before a restart.
    pub(super) fn stands_in(&self, chat: ChatId, entry: &Entry) -> bool {
        let here = |posted: &PostedCard| posted.chat == chat && !posted.deleted;
        let noted = || {
            entry
                .cards
                .get(&Channel::Telegram)
                .and_then(|card| card.handle.as_deref())
        };
        match self.cards.get(&entry.ask.id) {
            Some(shown) => shown.posted.values().any(here),
            None => !entry.changed && self.read_handle(noted()).iter().any(here),
        }
    }

    /// Returns the messages of a card that is not among the open ones, and who answered it. The
    /// card is from before a restart, or its end was shown already and is known better now. Chats
    /// that are no longer paired are left out.
    fn former_card(
        &self,
        handle: Option<&str>,
        ending: Option<&Entry>,
    ) -> (Vec<PostedCard>, Option<String>) {
        let ended = ending.and_then(|entry| self.ended.by_serial(entry.serial));
        let by = ended.and_then(|card| card.by.clone());
        match ended {
            Some(card) if handle.is_none() => {
                let (chats, mut posted) = (self.chats(), card.posted.clone());
                posted.retain(|posted| chats.contains(&posted.chat));
                (posted, by)
            }
            _ => (self.read_handle(handle), by),
        }
    }

    /// Reads the messages of a card from its handle; none if another bot sent them.
    pub(super) fn read_handle(&self, handle: Option<&str>) -> Vec<PostedCard> {
        let ours = self.own_handle(handle);
        ours.map(|handle| handle.posted).unwrap_or_default()
    }

    /// Reads from a handle who was asked for their words, in each group.
    fn read_asked(&self, handle: Option<&str>) -> BTreeMap<ChatId, BTreeSet<UserId>> {
        let mut asked: BTreeMap<_, BTreeSet<_>> = BTreeMap::new();
        let ours = self.own_handle(handle);
        for (chat, user) in ours.into_iter().flat_map(|handle| handle.asked) {
            asked.entry(chat).or_default().insert(user);
        }
        asked
    }

    fn own_handle(&self, handle: Option<&str>) -> Option<CardHandle> {
        let handle = handle.and_then(|handle| serde_json::from_str::<CardHandle>(handle).ok());
        handle.filter(|handle| self.whose.is_none() || handle.bot == self.whose)
    }
}

fn wanted_card(entry: &Entry, silent: bool, scene: &CardContext<'_>) -> WantedCard {
    WantedCard {
        ask: entry.ask.id.clone(),
        serial: entry.serial,
        project: entry.ask.session.project().to_owned(),
        card: card::card(entry, scene),
        silent,
        last: false,
        priority: Priority::Now,
    }
}

/// Returns how soon a card is to show its change.
fn priority(before: &Entry, after: &Entry) -> Priority {
    match (&before.state, &after.state) {
        (AskState::Open, AskState::Open) if before.draft == after.draft => Priority::Whenever,
        (AskState::Open, AskState::Answering { .. }) => Priority::Passing,
        _ => Priority::Now,
    }
}
