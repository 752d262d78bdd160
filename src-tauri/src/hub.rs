//! The way to the hub: a NATS server over which the Beckons of one person, or of a team, share what
//! they ask. Records go out and come in here. Each one is signed on its way out. On its way in, it
//! is checked which device has signed it, and only records of trusted devices are believed.
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
mod pace;
#[cfg(feature = "hub")]
mod pauses;
#[cfg(feature = "hub")]
mod places;
#[cfg(feature = "hub")]
mod publishing;
#[cfg(feature = "hub")]
pub(crate) mod reaching;
#[cfg(feature = "hub")]
mod requests;
#[cfg(feature = "hub")]
mod rooms;
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
use tokio::sync::{Notify, oneshot, watch};
use tokio::task::JoinSet;

/// Whether this program can use a hub at all. One that was built without the hub's client shares no
/// bot, and joins no hub.
pub(crate) const IS_BUILT: bool = cfg!(feature = "hub");

/// The silence after which a machine counts as away.
pub(crate) const AWAY_AFTER: Duration = Duration::from_secs(45);

/// The most time that leaving a hub takes, also if the hub does not answer.
const ENDS_WITHIN: Duration = Duration::from_secs(6);

/// A command to the connection: something that is told to the other Beckons.
#[derive(Clone, Debug)]
pub(crate) enum HubCommand {
    /// Publishes one of our asks, as it is now.
    Share(AskSubject, AskRecord),
    /// Publishes where the human is, as far as this machine knows.
    Here(HereRecord),
    /// Signs an answer and publishes it.
    Answer(OutgoingAnswer),
}

/// An answer on its way out.
#[derive(Clone, Debug)]
pub(crate) struct OutgoingAnswer {
    /// The id under which the answered ask is known here; `None` for one of our own asks, of which
    /// the others only learn that it is answered.
    pub ask: Option<AskId>,
    /// The ask, and the round of it, that the answer is for.
    pub to: AnswerSubject,
    /// The content of the answer, not signed yet.
    pub record: AnswerRecord,
    /// Whether the answer may be on the hub already, since its first publication had an unclear
    /// end.
    pub again: bool,
}

/// A command to the task that keeps the lease of the bot.
#[derive(Clone, Debug)]
pub(crate) enum BotCommand {
    /// Serves this bot from now on, or none.
    Serve(Option<i64>),
    /// Publishes the card of an ask, which has changed.
    Card(AskSubject, CardRecord),
    /// Publishes what this machine knows of the bot's chats.
    Chats(ChatsRecord),
    /// Notes whether a probe found another machine that polls.
    Probed(Probe),
    /// Notes that another machine has polled.
    Conflict {
        /// Whether another machine of the hub that is online has the bot as well.
        others: bool,
    },
    /// Notes that Telegram has answered, and that nobody else polls.
    Reached,
    /// Notes that Telegram has not answered.
    Unreached {
        /// Whether another machine of the hub that is online has the bot as well.
        others: bool,
    },
}

/// A report on the bot, from the task that keeps its lease.
#[derive(Debug)]
pub(crate) enum BotReport {
    /// The bot's records on the hub, as they were when reading began. They come before anything may
    /// be sent.
    Listed {
        /// The cards of the asks: which message of a chat shows which ask.
        cards: BTreeMap<AskSubject, CardRecord>,
        /// The knowledge that each machine has of the chats, by the machine's name among Beckons.
        chats: BTreeMap<String, ChatsRecord>,
    },
    /// A card that has changed.
    Card(CardSubject, CardRecord),
    /// A machine's new knowledge of the chats, with the machine's name among Beckons.
    Chats(String, ChatsRecord),
    /// The machine that serves the bot.
    Holder(LeaseHolder),
    /// An ask that has come here from another machine. There may be a card of it already.
    Asked(AskId),
}

/// A report from the hub.
#[derive(Debug)]
pub(crate) enum HubReport {
    /// A report on the bot.
    Bot(BotReport),
    /// The state of the connection.
    State(HubState),
    /// The shared asks and the machines, as they were read after the streams were subscribed.
    Listed {
        /// The asks whose records are believed.
        asks: BTreeMap<AskSubject, Signed<AskRecord>>,
        /// The machines that were heard of lately.
        here: Vec<(HereSubject, Signed<HereRecord>)>,
    },
    /// An ask that is new or has changed.
    Shared(AskSubject, Signed<AskRecord>),
    /// An answer to one of our asks.
    Answered(ReceivedAnswer),
    /// A machine's record of its human: its Beckon is running.
    Here(HereSubject, Signed<HereRecord>),
    /// A tick of the clock: it is time to drop machines that were silent for long, and to publish
    /// where the human is here.
    Beat,
    /// The end of an answer's publication.
    Published(AskId, AnswerSubject, Publication),
    /// The list of who belongs to the desk, signed by its admin and newer than the known one.
    Desk(DeskRecord),
    /// The subject of a record that was refused, and why.
    Refused(String, RecordFault),
    /// The number of open asks that are left out of each device that has too many; by its name.
    LeftOut(BTreeMap<String, u32>),
    /// The public key of this device, or why it has none; empty if none was made yet.
    Key(Result<String, String>),
    /// A request to say when everything before it is taken in.
    TakeIn(oneshot::Sender<()>),
    /// The end of a connection to a hub that was left. Nothing goes there any more.
    Ended,
}

/// An answer as it came in.
#[derive(Debug)]
pub(crate) struct ReceivedAnswer {
    /// The ask, and the round of it, that the answer is for.
    pub to: AnswerSubject,
    /// The content of the answer, if it can be read.
    pub record: Option<(AnswerRecord, Answer)>,
    /// The name of the device that has signed it, if its records are believed.
    pub device: Option<String>,
}

/// The state of the connection to the hub.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum HubState {
    /// Not connected yet.
    Connecting,
    /// Connected, and reading what is on the hub; the number of bytes read so far.
    Reading(u64),
    /// Connected, and all that is on the hub is read.
    Connected,
    /// Not connected; the reason in the words of the system or of the library.
    Down(String),
    /// Not connected, since what the server says must not be relied on.
    Odd(fault::OddServer),
    /// Not connected, since another local user owns the listener there.
    OtherUser,
    /// Not tried, since the certificate authority of the settings cannot be used: it could not be
    /// told whether the server is the right one.
    UnusableCa(fault::UnusableCa),
    /// Not used, since a stream on the hub has other rules than ours, which must not be relied on;
    /// the stream's name.
    OtherRules(String),
    /// Refused, since the server does not know this device, or does not know it any more.
    Unknown,
    /// Refused, since the server does not let this device do what it has to; in the server's words.
    Forbidden(String),
}

/// The end of an answer's publication.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Publication {
    /// Published: the answer is the one that the hub keeps for its round.
    Kept,
    /// Too late: the hub keeps another answer for the round. That answer is given if a trusted
    /// device has signed it.
    Lost(Option<Box<Signed<AnswerRecord>>>),
    /// Unclear whether it was published, and why. The next try first reads back what the hub has.
    Unknown(String),
    /// Not sent, since this device has no key to sign with; why.
    NoKey(String),
    /// Refused, since the server does not let this device answer.
    Forbidden,
}

/// The running connection. Dropping the handle ends it.
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
    /// Tells the other Beckons something, as soon as the hub is there. Does not wait for that.
    pub(crate) fn tell(&self, command: HubCommand) {
        let _ = self.commands.send(command);
    }

    /// Gives a command to the task that keeps the lease of the bot.
    pub(crate) fn tell_bot(&self, command: BotCommand) {
        let _ = self.bot.send(command);
    }

    /// Notes that there is a new line in the history, for the log on the hub.
    pub(crate) fn noted(&self) {
        self.noted.notify_one();
    }

    /// Ends the connection in order: gives the lease back, so that another machine may serve the
    /// bot at once. Without that it would have to wait until the hub has forgotten the lease.
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

/// The task that looks after the bot of a Beckon that has left the hub. Dropping the handle ends
/// it.
#[derive(Debug)]
pub(crate) struct LeftBot {
    bot: UnboundedSender<BotCommand>,
    _keeper: JoinSet<()>,
}

impl LeftBot {
    /// Starts the task. From that time of the steady clock on, it finds out whether other machines
    /// serve the bot.
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

    /// Gives a command to the task.
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
        // There is never a link, but the keeper waits for one as long as the sender exists.
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

/// The identity with which a Beckon joins, and what belongs to it.
#[derive(Clone, Debug)]
pub(crate) struct HubMember {
    /// The name among Beckons.
    pub node: String,
    /// The name of the machine, for people.
    pub machine: String,
    /// The channel that says whether the bot may send now.
    pub permit: Arc<watch::Sender<Permit>>,
    /// The history, for the log on the hub.
    pub history: Arc<dyn HistoryLines>,
    /// The last row of the history that is not told there; all rows after it are.
    pub told_after: i64,
    /// Whether the bot stays with another hub, which was left before.
    pub is_bot_elsewhere: bool,
}

/// The source of the lines in the log on the hub.
pub(crate) trait HistoryLines: std::fmt::Debug + Send + Sync {
    /// Returns the first part of what happened after that row.
    ///
    /// # Errors
    /// When the history cannot be read.
    fn after(&self, row: i64) -> anyhow::Result<HistoryPage>;

    /// Returns the name of the history, and its last row.
    ///
    /// # Errors
    /// When the history cannot be read.
    fn newest(&self) -> anyhow::Result<(String, i64)>;
}

/// A part of the history.
#[derive(Debug)]
pub(crate) struct HistoryPage {
    /// The name of the history; no other history has it.
    pub history: String,
    /// The lines that are told.
    pub lines: Vec<HistoryLine>,
    /// The last row that was looked at, whether it is told or not.
    pub last: i64,
}

/// An event of the history, as a line of the log.
#[derive(Debug)]
pub(crate) struct HistoryLine {
    /// The row in the history.
    pub row: i64,
    /// The ask that it happened to, if other machines know it.
    pub ask: Option<AskSubject>,
    /// The event in words, as others may read it.
    pub text: String,
}

/// Joins the hub, and stays connected. Begins with the list of who belongs to the desk that was
/// known before.
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
    // If the hub is left out there is never a link, but some task has to serve the bot all the
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
