//! The connection to the hub: a NATS server over which the Beckons of one person share their asks.
//! Records go out and come in here. Each is signed on its way out; on its way in its signature is
//! checked, and only records of known devices are believed.
//!
//! Not here: what is shared and which answer counts (`beckon_core::hub`), and what the loop makes
//! of it (`app/hub.rs`).

#![cfg_attr(
    not(feature = "hub"),
    expect(dead_code, reason = "nothing is sent or heard")
)]

#[cfg_attr(feature = "hub", path = "hub/connection.rs")]
#[cfg_attr(not(feature = "hub"), path = "hub/none.rs")]
mod connection;
pub(crate) mod fault;
#[cfg(feature = "hub")]
mod follow;
pub(crate) mod guard;
#[cfg(feature = "hub")]
mod incoming;
#[cfg(feature = "hub")]
pub(crate) mod inspection;
#[cfg(feature = "hub")]
pub(crate) mod invite;
#[cfg(feature = "hub")]
pub(crate) mod joining;
#[cfg_attr(feature = "hub", path = "hub/key.rs")]
#[cfg_attr(not(feature = "hub"), path = "hub/no_key.rs")]
pub(crate) mod key;
#[cfg(feature = "hub")]
mod lease;
#[cfg(feature = "hub")]
mod listing;
#[cfg(feature = "hub")]
pub(crate) mod log;
#[cfg(feature = "hub")]
mod login;
#[cfg_attr(feature = "hub", path = "hub/membership.rs")]
#[cfg_attr(not(feature = "hub"), path = "hub/no_membership.rs")]
pub(crate) mod membership;
#[cfg(feature = "hub")]
mod places;
#[cfg(feature = "hub")]
mod publishing;
#[cfg(feature = "hub")]
pub(crate) mod reaching;
#[cfg(feature = "hub")]
mod requests;
#[cfg(feature = "hub")]
pub(crate) mod serving;
pub(crate) mod settings;
#[cfg(feature = "hub")]
mod streams;
#[cfg(feature = "hub")]
mod tls;
#[cfg(feature = "hub")]
mod trust;

use crate::platform::part::Part;
use crate::platform::sink::Sink;
use beckon_client::config::HubConfig;
use beckon_core::hub::{
    AnswerRecord, AnswerSubject, AskRecord, AskSubject, CardRecord, CardSubject, ChatsRecord,
    DeskRecord, HereRecord, HereSubject, LeaseHolder, Permit, Probe, RecordFault, Signed,
};
use beckon_core::{Answer, AskId, Span};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::sync::{Notify, watch};
use tokio::task::JoinSet;

/// Whether this program can use a hub. A program that was built without the hub's client shares no
/// bot and joins no hub.
pub(crate) const IS_BUILT: bool = cfg!(feature = "hub");

/// The time without a sign of life after which a machine counts as away.
pub(crate) const AWAY_AFTER: Duration = Duration::from_secs(45);

/// The longest time for which leaving a hub that does not answer may take.
const ENDS_WITHIN: Duration = Duration::from_secs(6);

/// A command of the loop to the connection.
#[derive(Clone, Debug)]
pub(crate) enum HubCommand {
    /// Publish an own ask, as it is now.
    Share(AskSubject, AskRecord),
    /// Publish where the human is, as far as this machine knows.
    Here(HereRecord),
    /// Sign and publish an answer.
    Answer(OutgoingAnswer),
}

/// An answer on its way out.
#[derive(Clone, Debug)]
pub(crate) struct OutgoingAnswer {
    /// The ask's id here; `None` for an own ask, of which the others only learn that it is
    /// answered.
    pub ask: Option<AskId>,
    /// The round of the ask for which it is published.
    pub to: AnswerSubject,
    /// The answer's record, not signed yet.
    pub record: AnswerRecord,
    /// Whether the answer may have been published already.
    pub again: bool,
}

/// A command of the loop to the keeper of the bot's lease.
#[derive(Clone, Debug)]
pub(crate) enum BotCommand {
    /// Serve this bot, or none.
    Serve(Option<i64>),
    /// Publish an ask's card as it is now.
    Card(AskSubject, CardRecord),
    /// Publish what is known of the bot's chats.
    Chats(ChatsRecord),
    /// Take in the result of a probe: whether a machine outside the hub polls the bot.
    Probed(Probe),
    /// Take in that another poller was met; the flag tells whether another machine on the hub has
    /// the bot, too.
    Conflict {
        /// Whether another machine on the hub has the bot.
        others: bool,
    },
    /// Take in that Telegram has answered, so that nobody else polls.
    Reached,
    /// Take in that Telegram has not answered; the flag tells whether another machine on the hub
    /// has the bot, too.
    Unreached {
        /// Whether another machine on the hub has the bot.
        others: bool,
    },
}

/// A report on the bot to the loop.
#[derive(Debug)]
pub(crate) enum BotReport {
    /// The records of the bot, read before anything may be sent.
    Listed {
        /// The records of cards: which messages are which asks' cards.
        cards: BTreeMap<AskSubject, CardRecord>,
        /// The records of chats, by the name among Beckons of the machine that wrote them.
        chats: BTreeMap<String, ChatsRecord>,
    },
    /// A record of a card has changed.
    Card(CardSubject, CardRecord),
    /// The machine of that name among Beckons has published what it knows of the chats.
    Chats(String, ChatsRecord),
    /// The machine that serves the bot.
    Holder(LeaseHolder),
    /// An ask of the hub has reached this desk. A card of it may have been sent already.
    Asked(AskId),
}

/// A report of the connection to the loop.
#[derive(Debug)]
pub(crate) enum HubReport {
    /// A report on the bot.
    Bot(BotReport),
    /// The state of the connection.
    State(HubState),
    /// The records of all machines, read after the streams were subscribed.
    Listed {
        /// The records of asks that are believed.
        asks: BTreeMap<AskSubject, Signed<AskRecord>>,
        /// The machines that were heard of lately.
        here: Vec<(HereSubject, Signed<HereRecord>)>,
    },
    /// A record of an ask has changed.
    Shared(AskSubject, Signed<AskRecord>),
    /// An answer to an own ask.
    Answered(ReceivedAnswer),
    /// A sign of life of a Beckon.
    Here(HereSubject, Signed<HereRecord>),
    /// The time to check who has not been heard of for long, and to publish a sign of life.
    Beat,
    /// The result of publishing an answer.
    Published(AskId, AnswerSubject, Publication),
    /// A newer record of who belongs to the desk, signed by its admin.
    Desk(DeskRecord),
    /// A record was refused; with its subject and the reason.
    Refused(String, RecordFault),
    /// The public key of this device, or why it has none; empty where none was made yet.
    Key(Result<String, String>),
    /// A hub was left, and nothing is published there any more.
    Ended,
}

/// An answer as it came in.
#[derive(Debug)]
pub(crate) struct ReceivedAnswer {
    /// The ask and round that it answers.
    pub to: AnswerSubject,
    /// The record and the answer in it; `None` if it cannot be read.
    pub record: Option<(AnswerRecord, Answer)>,
    /// The device that has signed it, if its records are believed.
    pub device: Option<String>,
}

/// The state of the connection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum HubState {
    /// The connection is being made.
    Connecting,
    /// The connection works, and the records there are being read; with the number of bytes so far.
    Reading(u64),
    /// The connection works.
    Connected,
    /// There is no connection; with the reason in the words of the system or the library.
    Down(String),
    /// There is no connection, since the server sends what must not be processed.
    Odd(fault::OddServer),
    /// There is no connection, since another local user listens there.
    OtherUser,
    /// No connection is tried, since the certificate is unusable and nobody could tell whether it
    /// is the right server.
    UnusableCa(fault::UnusableCa),
    /// A stream of that name exists with other rules than ours, so it must not be relied on.
    OtherRules(String),
    /// The server does not know this device, or no longer.
    Unknown,
    /// The server does not let this device do what it has to do; in its words.
    Forbidden(String),
}

/// The result of publishing an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Publication {
    /// The hub keeps this answer as the one of its round.
    Kept,
    /// Another answer was there before; with that answer, if it is of a device that is believed.
    Lost(Option<Box<Signed<AnswerRecord>>>),
    /// It is unknown whether the answer was published; the next try reads it back. The text is the
    /// reason.
    Unknown(String),
    /// This device has no key with which to sign.
    NoKey(String),
    /// The server does not let this device answer.
    Forbidden,
}

/// The handle of the running connection, which ends when this is dropped.
#[derive(Debug)]
pub(crate) struct HubHandle {
    commands: UnboundedSender<HubCommand>,
    bot: UnboundedSender<BotCommand>,
    noted: Arc<Notify>,
    connection: JoinSet<()>,
    /// The task that keeps the lease of the bot.
    keeper: JoinSet<()>,
}

impl HubHandle {
    /// Sends a command to the connection. Nobody waits for it to be carried out.
    pub(crate) fn tell(&self, command: HubCommand) {
        let _ = self.commands.send(command);
    }

    /// Sends a command to the keeper of the bot's lease.
    pub(crate) fn tell_bot(&self, command: BotCommand) {
        let _ = self.bot.send(command);
    }

    /// Tells the writer of the log that the history has a new row.
    pub(crate) fn noted(&self) {
        self.noted.notify_one();
    }

    /// Ends the connection in order. The lease of the bot is given back first, so that another
    /// machine can serve the bot at once, without waiting for the lease to run out.
    pub(crate) async fn end(self) {
        let Self {
            commands,
            bot,
            connection,
            mut keeper,
            ..
        } = self;
        let _ = bot.send(BotCommand::Serve(None));
        drop(bot);
        let ended = async { while keeper.join_next().await.is_some() {} };
        if tokio::time::timeout(ENDS_WITHIN, ended).await.is_err() {
            tracing::warn!("the lease of the bot is not given back; the hub forgets it");
        }
        drop((commands, connection));
    }
}

/// The keeper of a bot whose Beckon has left the hub; it ends when this is dropped.
#[derive(Debug)]
pub(crate) struct LeftBot {
    bot: UnboundedSender<BotCommand>,
    _keeper: JoinSet<()>,
}

impl LeftBot {
    /// Starts the keeper. From that time of the steady clock on, it finds out whether machines of
    /// the hub still serve the bot.
    pub(crate) fn keep(
        names: (String, String),
        permit: Arc<watch::Sender<Permit>>,
        from: Span,
        reports: Sink<HubReport>,
    ) -> Self {
        let (bot, commands) = unbounded_channel();
        Self {
            bot,
            _keeper: start_keeper(names, (permit, from), reports, commands),
        }
    }

    /// Sends a command to the keeper.
    pub(crate) fn tell(&self, command: BotCommand) {
        let _ = self.bot.send(command);
    }
}

#[cfg(feature = "hub")]
fn start_keeper(
    (node, machine): (String, String),
    (permit, from): (Arc<watch::Sender<Permit>>, Span),
    reports: Sink<HubReport>,
    commands: UnboundedReceiver<BotCommand>,
) -> JoinSet<()> {
    let (no_link, link) = watch::channel(None);
    let has_left = Some(from);
    let keeper = lease::LeaseKeeper {
        node,
        machine,
        reports,
        permit,
        link,
        commands,
        is_bot_elsewhere: true,
        has_left,
    };
    JoinSet::from_iter([async move {
        keeper.run().await;
        // The link never gets a connection. It is kept open, since the keeper waits for one as long
        // as there could be one.
        drop(no_link);
    }])
}

#[cfg(not(feature = "hub"))]
fn start_keeper(
    _names: (String, String),
    _permit: (Arc<watch::Sender<Permit>>, Span),
    _reports: Sink<HubReport>,
    _commands: UnboundedReceiver<BotCommand>,
) -> JoinSet<()> {
    JoinSet::new()
}

/// The identity and the tools with which a Beckon joins the hub.
#[derive(Clone, Debug)]
pub(crate) struct HubMember {
    /// The Beckon's name among Beckons.
    pub node: String,
    /// The name of its machine, for people.
    pub machine: String,
    /// The sender that tells whether the bot may send.
    pub permit: Arc<watch::Sender<Permit>>,
    /// The history, from which the log's lines are read.
    pub history: Arc<dyn HistoryLines>,
    /// The row of the history after which its lines are published.
    pub told_after: i64,
    /// Whether the bot is still served by machines of another hub, which was left before.
    pub is_bot_elsewhere: bool,
}

/// The source of the lines for the log on the hub.
pub(crate) trait HistoryLines: std::fmt::Debug + Send + Sync {
    /// Returns the first lines after that row.
    ///
    /// # Errors
    /// When the history cannot be read.
    fn after(&self, row: i64) -> anyhow::Result<HistoryPage>;

    /// Returns the id of the history, and its last row.
    ///
    /// # Errors
    /// When the history cannot be read.
    fn newest(&self) -> anyhow::Result<(String, i64)>;
}

/// A page of the history.
#[derive(Debug)]
pub(crate) struct HistoryPage {
    /// The unique id of the history.
    pub history: String,
    /// The lines that are published.
    pub lines: Vec<HistoryLine>,
    /// The last row that was read.
    pub last: i64,
}

/// A line of the history.
#[derive(Debug)]
pub(crate) struct HistoryLine {
    /// The number of its row.
    pub row: i64,
    /// The ask that it is about, if the other machines know it.
    pub ask: Option<AskSubject>,
    /// The line's text, as others may read it.
    pub text: String,
}

/// Joins the hub, and stays connected. `desk` is the last known record of who belongs to the desk.
pub(crate) fn start(
    config: HubConfig,
    member: HubMember,
    desk: Option<DeskRecord>,
    reports: Sink<HubReport>,
) -> HubHandle {
    let ((commands, inbox), (bot, bot_inbox)) = (unbounded_channel(), unbounded_channel());
    let noted = Arc::new(Notify::new());
    let inboxes = (inbox, bot_inbox, noted.clone());
    let (connection, keeper) = start_tasks((config, desk), member, reports, inboxes);
    HubHandle {
        commands,
        bot,
        noted,
        connection,
        keeper,
    }
}

type Inboxes = (
    UnboundedReceiver<HubCommand>,
    UnboundedReceiver<BotCommand>,
    Arc<Notify>,
);

/// The tasks of the connection, and the task that keeps the lease of the bot.
type HubTasks = (JoinSet<()>, JoinSet<()>);

#[cfg(feature = "hub")]
fn start_tasks(
    (config, desk): (HubConfig, Option<DeskRecord>),
    member: HubMember,
    reports: Sink<HubReport>,
    (inbox, commands, noted): Inboxes,
) -> HubTasks {
    let HubMember {
        node,
        machine,
        permit,
        history,
        told_after,
        is_bot_elsewhere,
    } = member;
    let (linked, link) = watch::channel(None);
    let log = log::LogWriter {
        node: node.clone(),
        machine: machine.clone(),
        history,
        told_after,
        noted,
        link: link.clone(),
    };
    let keeper = lease::LeaseKeeper {
        node: node.clone(),
        machine,
        reports: reports.clone(),
        permit,
        link,
        commands,
        is_bot_elsewhere,
        has_left: None,
    };
    // Where the hub is left out there is never a link, but something has to serve the bot all the
    // same.
    let no_link = Part::Hub.is_left_out().then(|| linked.clone());
    let connection = connection::run((config, node), desk, reports, inbox, linked);
    let runtime = Part::runtime_of_hub();
    let mut connected = JoinSet::new();
    connected.spawn_on(Part::Hub.run(connection), &runtime);
    connected.spawn_on(Part::Hub.run(log.run()), &runtime);
    let kept = async move {
        keeper.run().await;
        drop(no_link);
    };
    let mut keeping = JoinSet::new();
    if Part::Hub.is_left_out() {
        keeping.spawn(kept);
    } else {
        keeping.spawn_on(Part::Hub.run(kept), &runtime);
    }
    (connected, keeping)
}

#[cfg(not(feature = "hub"))]
fn start_tasks(
    (config, desk): (HubConfig, Option<DeskRecord>),
    member: HubMember,
    reports: Sink<HubReport>,
    (inbox, ..): Inboxes,
) -> HubTasks {
    let connection = connection::run((config, member.node), desk, reports, inbox);
    (
        JoinSet::from_iter([Part::Hub.run(connection)]),
        JoinSet::new(),
    )
}
