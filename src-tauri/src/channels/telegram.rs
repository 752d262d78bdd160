//! The Telegram channel: an ask is a card in a chat, answered by buttons or by words.
//!
//! The loop holds [`TelegramChannel`] and, with it, who is paired. The task behind it (`worker`)
//! polls and sends. A card is drawn from its ask (`card`), the meaning of a tap is in its button
//! (`button`), the order in which things are sent in the `outbox`, and what an update leads to in
//! `dispatch`.

mod api;
pub(crate) mod button;
pub(crate) mod card;
mod clock_set;
#[cfg(any(test, fuzzing))]
pub(crate) mod fuzzing;
mod html;
mod outbox;
pub(crate) mod pairing;
mod service;
mod shown;
mod status;
mod test_card;
#[cfg(test)]
mod tests;
mod token;
mod updates;
mod view;
pub(crate) mod words;
mod worker;

pub use api::CallError;
pub use api::address::ApiAddress;
pub use api::proxy::ProxyError;
use outbox::RefusedCards;
pub use outbox::{CallOutcome, PostedCard};
pub use pairing::{PairingCode, PairingOffer, PendingPairing};
pub use test_card::TestCard;
pub use token::{is_token, not_stored, token_in};
pub use updates::dispatch::Reaction;
pub use updates::unsaved::HeldWords;
pub use updates::update::IncomingUpdate;
pub use view::TelegramView;

use crate::platform::part::Part;
use crate::platform::secrets::{self, Secret};
use crate::platform::sink::Sink;
use anyhow::{Context, Result};
use beckon_client::platform::clock;
use beckon_client::text::Texts;
use beckon_core::hub::{LeaseHolder, Permit, Probe};
use beckon_core::{AskId, Event, OnePress, QuietTimes, Span, Timestamp};
use card::CardContext;
use jiff::tz::TimeZone;
use outbox::{Outbox, OutgoingNote};
use pairing::pairings::{ChatId, PairingChange, Pairings, ReadOffset, UserId};
use rand::Rng;
use shown::ShownCard;
use shown::ended::EndedCards;
use shown::waiting_list::WaitingList;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;
use tokio::sync::{mpsc, oneshot, watch};
use updates::dispatch::TakenUpdates;
use updates::long_texts::UnfinishedTexts;
use updates::poll::PRESSES_LIVE;
use updates::poll::ReadPosition;
use updates::presence::SaidPresence;
use updates::sent_text::taken_words::TakenWords;
use updates::update::UpdatePlace;
use updates::writers::Writers;
use worker::TelegramWorker;
use worker::command::WorkerCommand;
use worker::permit::SendPermit;

/// The name of the secret that is the bot's token.
pub const SECRET: &str = "telegram";

/// The bot behind the token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BotIdentity {
    /// The bot's id.
    pub id: UserId,
    /// The bot's name, without the @.
    pub name: String,
    /// Whether the bot hears everything in groups, not only replies and commands.
    pub reads_groups: bool,
}

/// Updates that were read together.
#[derive(Debug)]
pub struct UpdateBatch {
    /// The contents of the updates, in order.
    pub heard: Vec<IncomingUpdate>,
    /// The offset with which they were asked for.
    pub asked: i64,
    /// The bot that the updates are of, and the offset that acknowledges them.
    pub read: ReadOffset,
    /// The sender that is to be told once the updates are committed; only then are they
    /// acknowledged.
    pub committed: oneshot::Sender<()>,
}

/// A report of the room to the loop.
#[derive(Debug)]
pub enum TelegramReport {
    /// There is no token; and why it cannot be read, if that is it.
    NoToken(Option<secrets::KeychainError>),
    /// The token is refused.
    Refused,
    /// Telegram answers.
    Works(BotIdentity),
    /// Telegram does not answer, for now.
    Trouble(CallError),
    /// News from the chats.
    Updates(UpdateBatch),
    /// Updates were not read for so long that presses were lost.
    Missed,
    /// The result of a search for another program that polls.
    Probed(Probe),
    /// The result of something that was sent.
    Outbox(CallOutcome),
}

/// The state of the connection to Telegram.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
enum ConnectionState {
    #[default]
    Starting,
    /// The channel is left out until Beckon is restarted, after faults of our own.
    LeftOut,
    NoToken(Option<secrets::KeychainError>),
    Refused,
    Works,
    Trouble(CallError),
}

/// The Telegram channel.
pub struct TelegramChannel {
    commands: mpsc::UnboundedSender<WorkerCommand>,
    texts: Arc<Texts>,
    zone: TimeZone,
    seal: String,
    events: Sink<Event>,
    pairings: Pairings,
    bot: Option<BotIdentity>,
    /// The bot whose messages the cards are; only that one can edit them.
    whose: Option<UserId>,
    connection: ConnectionState,
    cards: HashMap<AskId, ShownCard>,
    ended: EndedCards,
    /// The number of times that each card was taken away; every time is confirmed once the card
    /// shows its end.
    withdrawals: HashMap<AskId, u32>,
    pairing: PendingPairing,
    /// Updates of people who have no say here.
    ignored: u64,
    /// Updates that could not be read.
    unread_updates: u64,
    blocked: BTreeSet<ChatId>,
    /// The chats for which Telegram takes nothing, and the time until which it does not.
    held_back: BTreeMap<ChatId, Timestamp>,
    /// The updates that were taken and are not known to be acknowledged.
    taken: TakenUpdates,
    /// The album of which a part was heard last.
    album: Option<String>,
    /// The album whose captions were taken last.
    taken_album: Option<String>,
    /// The people who have asked to write their own words.
    writers: Writers,
    /// The texts that were taken and may go on in a next message.
    unfinished: UnfinishedTexts,
    /// The last words of anybody on where they are, and on a pause.
    standing: SaidPresence,
    /// Cards that Telegram refuses.
    refused: Option<RefusedCards>,
    /// The asks that have a card, and those that are on the list only.
    list: WaitingList,
    /// The holder of the lease that serves the bot; `None` where no other machine shares the bot.
    holder: Option<LeaseHolder>,
    /// Whether anything may be sent.
    permit: Arc<watch::Sender<Permit>>,
    /// Whether the desk has been told that the channel works.
    up: bool,
    /// Whether another program was met that reads the same bot: a button that is unknown here may
    /// be of a card of its own.
    has_rival: bool,
    /// Whether presses from before the start may be lost.
    was_silent: bool,
    /// The words that were taken, as they were written.
    taken_words: TakenWords,
    /// The words that tell of what is not saved yet.
    held_words: Vec<HeldWords>,
    /// The callers that wait for a test card, by when it was sent.
    tests: Vec<(Timestamp, oneshot::Sender<String>)>,
    address: ApiAddress,
    one_press: OnePress,
    /// The times at which nothing makes a sound.
    quiet_times: QuietTimes,
}

/// The settings that the channel is started with.
#[derive(Debug)]
pub struct TelegramSettings {
    /// The address of the Bot API.
    pub address: ApiAddress,
    /// The seal of the database.
    pub seal: String,
    /// The people who may answer, and how far the updates were read.
    pub pairings: Pairings,
    /// The permissions that one tap may grant.
    pub one_press: OnePress,
    /// Whether several machines share the bot.
    pub shared: bool,
    /// The time for which updates were not read before the start, where that is known.
    pub silent_for: Option<Span>,
}

/// Starts the channel, which does nothing before `begin` has come. Needs a tokio runtime.
pub fn start(
    settings: TelegramSettings,
    texts: Arc<Texts>,
    events: Sink<Event>,
    report: Sink<TelegramReport>,
    begin: impl Future<Output = ()> + Send + 'static,
) -> TelegramChannel {
    let TelegramSettings {
        address,
        seal,
        pairings,
        one_press,
        shared,
        silent_for,
    } = settings;
    let was_silent = silent_for.is_none_or(|span| !(Span(0)..=PRESSES_LIVE).contains(&span));
    let (permit, permitted) = watch::channel(if shared {
        Permit::Never
    } else {
        Permit::Always
    });
    let (commands, inbox) = mpsc::unbounded_channel();
    let mut outbox = Outbox::new().jittered(rand::rng().random_range(0.8..1.2));
    pairings.read.iter().for_each(|read| outbox.serve(read.bot));
    let room = TelegramWorker {
        address: address.clone(),
        reading: ReadPosition::new(pairings.read.clone()),
        report,
        commands: inbox,
        outbox,
        menu: words::menu(&texts),
        permit: SendPermit::new(permitted),
    };
    tokio::spawn(Part::Telegram.run(async move {
        begin.await;
        room.run().await;
    }));
    let telegram = TelegramChannel {
        commands,
        texts,
        zone: clock::zone(),
        seal,
        events,
        whose: pairings.read.as_ref().map(|read| read.bot),
        pairings,
        bot: None,
        connection: ConnectionState::first(),
        cards: HashMap::new(),
        ended: EndedCards::default(),
        withdrawals: HashMap::new(),
        pairing: PendingPairing::default(),
        ignored: 0,
        unread_updates: 0,
        blocked: BTreeSet::new(),
        held_back: BTreeMap::new(),
        taken: TakenUpdates::default(),
        album: None,
        taken_album: None,
        writers: Writers::default(),
        unfinished: UnfinishedTexts::default(),
        standing: SaidPresence::default(),
        refused: None,
        list: WaitingList::default(),
        holder: shared.then_some(LeaseHolder::Nobody),
        permit: Arc::new(permit),
        up: false,
        has_rival: false,
        was_silent,
        taken_words: TakenWords::default(),
        held_words: Vec::new(),
        tests: Vec::new(),
        address,
        one_press,
        quiet_times: QuietTimes::default(),
    };
    telegram.send_topics();
    telegram
}

/// Returns the bot that a token belongs to, for a token that is not stored yet.
///
/// # Errors
/// When Telegram refuses it or does not answer.
pub async fn check(address: &ApiAddress, token: &Secret) -> Result<BotIdentity> {
    let proxy = address.proxy_login().await?;
    let api = api::BotApi::new(address, token.clone(), proxy)?;
    worker::get_me(&api)
        .await
        .context("Failed to ask Telegram about the token")
}

impl TelegramChannel {
    /// Takes over the time zone, which has changed.
    pub fn local_time_changed(&mut self) {
        self.zone = clock::zone();
    }

    /// Starts anew after a change of the token, the address, the proxy or its password.
    pub fn reload(&mut self, address: Option<ApiAddress>) {
        if let Some(address) = address {
            self.address = address;
        }
        // A new token is perhaps one of another bot: links to the former bot are not shown any
        // more.
        (self.connection, self.bot) = (ConnectionState::first(), None);
        self.has_rival = false;
        self.command(WorkerCommand::Reload {
            address: self.address.clone(),
        });
    }

    /// Takes over settings that have perhaps changed. What one tap may allow is drawn by
    /// [`Self::redraw`].
    pub fn configure(&mut self, address: ApiAddress, one_press: OnePress) {
        self.one_press = one_press;
        if address != self.address {
            self.reload(Some(address));
        }
    }

    /// Makes new connections after the machine has slept: those from before are dead.
    pub fn wake(&self) {
        self.command(WorkerCommand::Wake);
    }

    /// Sets when nothing is to make a sound, also for what already waits to be sent.
    pub fn set_quiet_times(&mut self, times: QuietTimes) {
        if self.quiet_times != times {
            self.quiet_times = times;
            self.command(WorkerCommand::SetQuietTimes(times));
        }
    }

    /// Takes over what the room reports, except for updates. Returns what is to be committed.
    pub fn on_report(&mut self, report: TelegramReport) -> Vec<PairingChange> {
        match report {
            TelegramReport::NoToken(error) => self.set_connection(ConnectionState::NoToken(error)),
            TelegramReport::Refused => self.set_connection(ConnectionState::Refused),
            TelegramReport::Trouble(trouble) => {
                self.has_rival |= trouble == CallError::OtherPoller;
                self.set_connection(ConnectionState::Trouble(trouble))
            }
            TelegramReport::Works(bot) => {
                let changes = self.adopt_bot(bot);
                self.set_connection(ConnectionState::Works);
                return changes;
            }
            TelegramReport::Missed => self.redraw_missed(),
            TelegramReport::Outbox(outcome) => return self.on_outcome(outcome),
            TelegramReport::Updates(_) | TelegramReport::Probed(_) => {}
        }
        Vec::new()
    }

    /// Redraws every card and the bot's menu, after the words have changed.
    pub fn redraw(&self) {
        self.command(WorkerCommand::Menu(words::menu(&self.texts)));
        self.redraw_cards();
    }

    fn card_context(&self) -> CardContext<'_> {
        CardContext {
            texts: &self.texts,
            seal: &self.seal,
            now: clock::now(),
            zone: &self.zone,
            missed: false,
            one_press: self.one_press,
            by: self.answerer(None),
        }
    }

    /// Returns what the card of an ask is drawn with.
    fn card_context_of(&self, ask: &AskId) -> CardContext<'_> {
        let shown = self.cards.get(ask);
        let missed = shown.is_some_and(|shown| shown.missed);
        let by = self.answerer(shown.and_then(|shown| shown.by.as_deref()));
        CardContext {
            missed,
            by,
            ..self.card_context()
        }
    }

    /// Returns the chats that cards go to now.
    fn chats(&self) -> Vec<ChatId> {
        let mut chats = self.pairings.chats();
        chats.retain(|chat| !self.blocked.contains(chat));
        chats
    }

    fn send_everywhere(&mut self, note: &OutgoingNote) {
        for chat in self.chats() {
            self.say(chat, note.clone());
        }
    }

    fn send_note_once_saved(&mut self, chat: ChatId, html: String) {
        let note = OutgoingNote {
            html,
            silent: true,
            ..OutgoingNote::default()
        };
        self.say_once_saved(chat, note);
    }

    /// Answers what somebody wrote, where they wrote it.
    fn answer_note(&self, place: &UpdatePlace, html: String) {
        let note = OutgoingNote {
            html,
            silent: true,
            thread: place.thread,
            ..OutgoingNote::default()
        };
        self.post(place.chat, note);
    }

    /// Says something unasked. Words that are written there from now on may be about that, so that
    /// nobody there is expected to write their own words any more.
    fn say(&mut self, chat: ChatId, note: OutgoingNote) {
        self.writers.interrupt_in(chat);
        self.post(chat, note);
    }

    /// Sends a note if this machine serves the bot, and drops it otherwise: later it would not be
    /// true any more.
    fn post(&self, chat: ChatId, note: OutgoingNote) {
        if self.serves() {
            self.command(WorkerCommand::Say(chat, note));
        }
    }

    fn send_topics(&self) {
        let group = self.pairings.group.as_ref().filter(|group| group.topics);
        let known = self
            .pairings
            .topics
            .iter()
            .map(|(name, id)| (name.clone(), *id))
            .collect();
        self.command(WorkerCommand::Topics(group.map(|group| group.chat), known));
    }

    fn command(&self, command: WorkerCommand) {
        let _ = self.commands.send(command);
    }

    /// Changes the pairings, here and, by what is returned, on the disk.
    fn apply_changes(&mut self, entries: Vec<PairingChange>) -> Vec<PairingChange> {
        entries.iter().for_each(|entry| self.pairings.apply(entry));
        entries
    }
}
