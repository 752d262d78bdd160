//! Telegram: the same ask as a card in a chat, answered by buttons or by words.
//!
//! The loop holds this door and, with it, the book of who may answer. The task behind it (`room`)
//! polls and sends. A card is drawn from its ask (`card`), what a tap means stands in its button
//! (`button`), what is sent when in the `outbox`, and what an update leads to in `hearing`.

mod address;
mod api;
pub mod button;
pub mod card;
mod clock_set;
mod ended;
mod heard;
mod hearing;
mod line;
mod outbox;
mod outcomes;
mod pairing;
mod poll;
mod room;
mod send;
mod standing;
mod test_card;
#[cfg(test)]
mod tests;
mod token;
pub mod words;

pub use address::Address;
pub use api::Trouble;
pub use heard::Heard;
pub use hearing::Act;
pub use outbox::{Outcome, Posted, Refusals};
pub use pairing::{Code, Pairing};
pub use test_card::TestCard;
pub use token::{is_token, not_stored};

use crate::book::{self, Book, ChatId, Read, UserId};
use crate::clock;
use crate::mailbox::{Input, Mailbox};
use crate::secrets::{self, Secret};
use crate::texts::Texts;
use anyhow::{Context, Result};
use beckon_core::{AskId, Channel, Entry, Event, Nudge, OnePress, State, Timestamp, Turn};
use card::Scene;
use ended::Ended;
use hearing::Taken;
use jiff::tz::TimeZone;
use outbox::{Haste, Note, Outbox, Wanted};
use poll::Reading;
use room::{Command, Room};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;
use tokio::sync::{mpsc, oneshot};

/// The name of the secret that is the bot's token.
pub const SECRET: &str = "telegram";

type Reporter = Arc<dyn Fn(Report) + Send + Sync>;

/// The bot behind the token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bot {
    /// Its id.
    pub id: UserId,
    /// Its name, without the @.
    pub name: String,
    /// In groups it hears everything, not only replies and commands.
    pub reads_groups: bool,
}

/// Updates that were read together.
#[derive(Debug)]
pub struct Batch {
    /// What they say, in order.
    pub heard: Vec<Heard>,
    /// The offset with which they were asked for.
    pub asked: i64,
    /// Whose they are, and the offset that acknowledges them.
    pub read: Read,
    /// To be told once they are committed; only then are they acknowledged.
    pub committed: oneshot::Sender<()>,
}

/// What the room tells the loop.
#[derive(Debug)]
pub enum Report {
    /// There is no token; and why it cannot be read, if that is it.
    NoToken(Option<secrets::Trouble>),
    /// The token is refused.
    Refused,
    /// Telegram answers.
    Works(Bot),
    /// It does not, for now.
    Trouble(Trouble),
    /// News from the chats.
    Updates(Batch),
    /// Nobody listened for so long that presses were lost.
    Missed,
    /// What came of something that was sent.
    Outbox(Outcome),
}

/// How it stands.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
enum Connection {
    #[default]
    Starting,
    NoToken(Option<secrets::Trouble>),
    Refused,
    Works,
    Trouble(Trouble),
}

/// The Telegram channel.
pub struct Telegram {
    commands: mpsc::UnboundedSender<Command>,
    texts: Arc<Texts>,
    zone: TimeZone,
    seal: String,
    mailbox: Mailbox,
    book: Book,
    bot: Option<Bot>,
    /// The bot whose messages the cards are; only that one can edit them.
    whose: Option<UserId>,
    connection: Connection,
    cards: HashMap<AskId, Shown>,
    ended: Ended,
    /// How often each card was taken away; every time is confirmed once its end stands.
    withdrawals: HashMap<AskId, u32>,
    pairing: Pairing,
    /// Updates of people who have no say here.
    ignored: u64,
    blocked: BTreeSet<ChatId>,
    /// The updates that were taken and are not known to be acknowledged.
    taken: Taken,
    /// The album of which a part was heard last.
    album: Option<String>,
    /// Cards that Telegram refuses.
    refused: Option<Refusals>,
    /// The desk has been told that the channel works.
    up: bool,
    /// Who waits for a test card, by when it was sent.
    tests: Vec<(Timestamp, oneshot::Sender<String>)>,
    address: Address,
    one_press: OnePress,
}

/// An ask that stands in some chats.
struct Shown {
    entry: Box<Entry>,
    posted: BTreeMap<ChatId, Posted>,
    /// It says that presses may have been lost.
    missed: bool,
    /// It says when it will be rejected.
    expires: Option<Timestamp>,
}

/// What the channel is started with.
#[derive(Debug)]
pub struct Settings {
    /// Where the Bot API is.
    pub address: Address,
    /// The seal of the database.
    pub seal: String,
    /// Who may answer, and how far the updates were read.
    pub book: Book,
    /// What one tap may allow.
    pub one_press: OnePress,
}

/// Starts the channel, which does nothing before `begin` has come. Needs a tokio runtime.
pub fn start(
    settings: Settings,
    texts: Arc<Texts>,
    mailbox: Mailbox,
    begin: impl Future<Output = ()> + Send + 'static,
) -> Telegram {
    let Settings { address, seal, book, one_press } = settings;
    let (commands, inbox) = mpsc::unbounded_channel();
    let tell = mailbox.clone();
    let room = Room {
        address: address.clone(),
        reading: Reading::new(book.read.clone()),
        report: Arc::new(move |report| tell.input(Input::Telegram(report))),
        commands: inbox,
        outbox: Outbox::new(),
        menu: words::menu(&texts),
    };
    tokio::spawn(async move {
        begin.await;
        room.run().await;
    });
    let telegram = Telegram {
        commands,
        texts,
        zone: clock::zone(),
        seal,
        mailbox,
        whose: book.read.as_ref().map(|read| read.bot),
        book,
        bot: None,
        connection: Connection::Starting,
        cards: HashMap::new(),
        ended: Ended::default(),
        withdrawals: HashMap::new(),
        pairing: Pairing::default(),
        ignored: 0,
        blocked: BTreeSet::new(),
        taken: Taken::default(),
        album: None,
        refused: None,
        up: false,
        tests: Vec::new(),
        address,
        one_press,
    };
    telegram.tell_topics();
    telegram
}

/// Whose token is it? For a token that is not stored yet.
///
/// # Errors
/// When Telegram refuses it or does not answer.
pub async fn check(address: &Address, token: &Secret) -> Result<Bot> {
    let api = api::Api::new(address, token.clone())?;
    room::get_me(&api).await.context("Failed to ask Telegram about the token")
}

impl Telegram {
    /// Shows a card in every paired chat, or redraws what `replaces` names.
    pub fn show(&mut self, entry: Box<Entry>, replaces: Option<String>, silent: bool) {
        let ask = entry.ask.id.clone();
        match self.cards.get_mut(&ask) {
            Some(shown) => shown.entry = entry,
            None => {
                let posted = self.read_handle(replaces.as_deref());
                // From an earlier life, in whose last moments nobody listened.
                let missed = !posted.is_empty();
                let posted = posted.into_iter().map(|posted| (posted.chat, posted)).collect();
                self.cards.insert(ask.clone(), Shown { entry, posted, missed, expires: None });
            }
        }
        self.want(&ask, silent, Haste::Now);
    }

    /// Redraws a card.
    pub fn update(&mut self, entry: Box<Entry>) {
        let ask = entry.ask.id.clone();
        let Some(shown) = self.cards.get_mut(&ask) else { return };
        let haste = haste(&shown.entry, &entry);
        shown.missed &= haste == Haste::Whenever;
        shown.entry = entry;
        self.want(&ask, true, haste);
    }

    /// Gives a card its last look. Where it stood is known from `handle` after a restart.
    pub fn withdraw(&mut self, ask: AskId, handle: Option<String>, ending: Option<Box<Entry>>) {
        let mut posted = match self.cards.remove(&ask) {
            Some(shown) => shown.posted.into_values().collect(),
            None => self.read_handle(handle.as_deref()),
        };
        posted.retain(|posted| !posted.deleted);
        let Some(entry) = ending else {
            // Nothing is known of its end: only the keyboard goes.
            posted.iter().for_each(|posted| self.take_down(posted));
            self.mailbox.post(Event::Withdrawn { channel: Channel::Telegram, ask });
            return;
        };
        *self.withdrawals.entry(ask).or_default() += 1;
        let wanted = Wanted { last: true, ..self.wanted(&entry, true, false, None) };
        let chats = posted.iter().map(|posted| posted.chat).collect();
        self.ended.add(entry, posted.clone());
        self.command(Command::Want(Box::new(wanted), chats, posted));
    }

    /// A card that is nobody's any more: no keyboard, no prompt.
    fn take_down(&self, posted: &Posted) {
        self.command(Command::Strip(posted.chat, posted.message));
        if let Some(prompt) = posted.prompt {
            self.command(Command::Delete(posted.chat, prompt));
        }
    }

    /// Rings once more for a card that stands.
    pub fn remind(&mut self, entry: &Entry, nudge: Nudge, silent: bool) {
        if let (Nudge::ExpiresAt(at), Some(shown)) = (nudge, self.cards.get_mut(&entry.ask.id)) {
            shown.expires = Some(at);
            self.want(&entry.ask.id, true, Haste::Now);
        }
        let html = words::nudge(entry, nudge, &self.scene());
        self.say_everywhere(&Note { html, silent, about: Some(entry.serial), ..Note::default() });
    }

    /// Tells of a finished turn.
    pub fn tell(&self, turn: &Turn) {
        let html = words::turn(turn, &self.scene());
        let project = Some(turn.session.project().to_owned());
        self.say_everywhere(&Note { html, silent: true, project, ..Note::default() });
    }

    /// Tells what an agent says that asks nothing.
    pub fn remark(&self, title: &str, message: &str) {
        let html = words::remark(title, message);
        self.say_everywhere(&Note { html, silent: true, ..Note::default() });
    }

    /// The computer is in another time zone.
    pub fn local_time_changed(&mut self) {
        self.zone = clock::zone();
    }

    /// The token or the address is another.
    pub fn reload(&mut self, address: Option<Address>) {
        if let Some(address) = address {
            self.address = address;
        }
        // Another token is perhaps another bot: no link to the former one any more.
        (self.connection, self.bot) = (Connection::Starting, None);
        self.command(Command::Reload { address: self.address.clone() });
    }

    /// What one tap may allow. It is drawn by [`Self::redraw`].
    pub fn one_press(&mut self, one_press: OnePress) {
        self.one_press = one_press;
    }

    /// The address is another, perhaps.
    pub fn configure(&mut self, address: Address) {
        if address != self.address {
            self.reload(Some(address));
        }
    }

    /// The machine has slept: connections from before are dead.
    pub fn wake(&self) {
        self.command(Command::Wake);
    }

    /// Takes over what the room reports, except for updates; what is to be committed comes back.
    pub fn on_report(&mut self, report: Report) -> Vec<book::Entry> {
        match report {
            Report::NoToken(error) => self.stands(Connection::NoToken(error)),
            Report::Refused => self.stands(Connection::Refused),
            Report::Trouble(trouble) => self.stands(Connection::Trouble(trouble)),
            Report::Works(bot) => {
                self.meet(bot);
                self.stands(Connection::Works);
            }
            Report::Missed => self.redraw_missed(),
            Report::Outbox(outcome) => return self.on_outcome(outcome),
            Report::Updates(_) => {}
        }
        Vec::new()
    }

    fn redraw_missed(&mut self) {
        tracing::info!("Telegram was out of reach: presses may be lost, cards are drawn anew");
        self.cards.values_mut().for_each(|shown| shown.missed = true);
        self.redraw_cards();
    }

    /// The words are others: every card is drawn in them, and so is the bot's menu.
    pub fn redraw(&self) {
        self.command(Command::Menu(words::menu(&self.texts)));
        self.redraw_cards();
    }

    fn redraw_cards(&self) {
        // A card of which nothing is to be seen yet is not made to ring by that.
        self.cards.keys().for_each(|ask| self.want(ask, true, Haste::Now));
    }

    /// The desk is told where a card stands.
    fn tell_shown(&self, ask: &AskId) {
        if let Some(shown) = self.cards.get(ask) {
            self.shown(ask.clone(), self.write_handle(shown.posted.values()));
        }
    }

    fn shown(&self, ask: AskId, handle: String) {
        self.mailbox.post(Event::Shown { channel: Channel::Telegram, ask, handle });
    }

    /// Draws a card anew wherever it stands or is to stand.
    fn want(&self, ask: &AskId, silent: bool, haste: Haste) {
        let Some(shown) = self.cards.get(ask) else { return };
        let wanted = self.wanted(&shown.entry, silent, shown.missed, shown.expires);
        let wanted = Wanted { haste, ..wanted };
        let mut chats = self.chats();
        chats.retain(|chat| !shown.posted.get(chat).is_some_and(|posted| posted.deleted));
        let posted = shown.posted.values().copied().collect();
        self.command(Command::Want(Box::new(wanted), chats, posted));
    }

    fn wanted(
        &self,
        entry: &Entry,
        silent: bool,
        missed: bool,
        expires: Option<Timestamp>,
    ) -> Wanted {
        let scene = Scene { missed, expires, ..self.scene() };
        Wanted {
            ask: entry.ask.id.clone(),
            serial: entry.serial,
            project: entry.ask.session.project().to_owned(),
            card: card::card(entry, &scene),
            silent,
            last: false,
            haste: Haste::Now,
        }
    }

    fn scene(&self) -> Scene<'_> {
        Scene {
            texts: &self.texts,
            seal: &self.seal,
            now: clock::now(),
            zone: &self.zone,
            missed: false,
            expires: None,
            one_press: self.one_press,
        }
    }

    /// The same as the card of an ask shows it.
    fn scene_of(&self, ask: &AskId) -> Scene<'_> {
        let shown = self.cards.get(ask);
        let missed = shown.is_some_and(|shown| shown.missed);
        Scene { missed, expires: shown.and_then(|shown| shown.expires), ..self.scene() }
    }

    /// Where cards go now.
    fn chats(&self) -> Vec<ChatId> {
        let mut chats = self.book.chats();
        chats.retain(|chat| !self.blocked.contains(chat));
        chats
    }

    fn say_everywhere(&self, note: &Note) {
        for chat in self.chats() {
            self.command(Command::Say(chat, note.clone()));
        }
    }

    fn say(&self, chat: ChatId, html: String) {
        let note = Note { html, silent: true, ..Note::default() };
        self.command(Command::Say(chat, note));
    }

    fn write_handle<'a>(&self, posted: impl IntoIterator<Item = &'a Posted>) -> String {
        let handle = Handle { bot: self.whose, posted: posted.into_iter().copied().collect() };
        serde_json::to_string(&handle).unwrap_or_default()
    }

    /// Where a card stood; nowhere when that was another bot's.
    fn read_handle(&self, handle: Option<&str>) -> Vec<Posted> {
        let handle = handle.and_then(|handle| serde_json::from_str::<Handle>(handle).ok());
        let ours = handle.filter(|handle| self.whose.is_none() || handle.bot == self.whose);
        ours.map(|handle| handle.posted).unwrap_or_default()
    }

    fn tell_topics(&self) {
        let group = self.book.group.as_ref().filter(|group| group.topics);
        let known = self.book.topics.iter().map(|(name, id)| (name.clone(), *id)).collect();
        self.command(Command::Topics(group.map(|group| group.chat), known));
    }

    fn command(&self, command: Command) {
        let _ = self.commands.send(command);
    }

    /// Changes the book, here and, by what is returned, on the disk.
    fn enter(&mut self, entries: Vec<book::Entry>) -> Vec<book::Entry> {
        entries.iter().for_each(|entry| self.book.enter(entry));
        entries
    }
}

/// How much it matters that a card shows what is new.
fn haste(before: &Entry, after: &Entry) -> Haste {
    match (&before.state, &after.state) {
        (State::Open, State::Open) if before.draft == after.draft => Haste::Whenever,
        (State::Open, State::Answering { .. }) => Haste::Passing,
        _ => Haste::Now,
    }
}

/// A card's handle.
#[derive(Serialize, Deserialize)]
struct Handle {
    /// Whose messages these are.
    bot: Option<UserId>,
    posted: Vec<Posted>,
}
