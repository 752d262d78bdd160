//! The way to the hub: a NATS server over which the Beckons of one person share what they ask. Records
//! go out and come in here; every one is signed on its way out, and on its way in it is found out which
//! device has signed it whose records are believed.
//!
//! Not here: what is shared and which answer counts (`beckon_core::hub`), and what the loop makes of
//! it (`app/hub.rs`).

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

/// Can this program use a hub at all? One without the hub's client shares no bot, and joins none.
pub(crate) const IS_BUILT: bool = cfg!(feature = "hub");

/// Who was not heard of for so long is away.
pub(crate) const AWAY_AFTER: Duration = Duration::from_secs(45);

/// A hub that does not answer does not hold up whoever leaves it for longer.
const ENDS_WITHIN: Duration = Duration::from_secs(6);

/// What is told to others.
#[derive(Clone, Debug)]
pub(crate) enum HubCommand {
    /// An own ask, as it is now.
    Share(AskSubject, AskRecord),
    /// Where the human is, as far as this machine knows.
    Here(HereRecord),
    /// An answer, to be signed and published.
    Answer(OutgoingAnswer),
}

/// An answer on its way out.
#[derive(Clone, Debug)]
pub(crate) struct OutgoingAnswer {
    /// The ask here; `None` for an own one, of which others only learn that it is answered.
    pub ask: Option<AskId>,
    /// Where it goes.
    pub to: AnswerSubject,
    /// What it says, not signed yet.
    pub record: AnswerRecord,
    /// It may be there already.
    pub again: bool,
}

/// What is asked of who keeps the lease of the bot.
#[derive(Clone, Debug)]
pub(crate) enum BotCommand {
    /// This bot is to be served, or none.
    Serve(Option<i64>),
    /// An ask's card has become that.
    Card(AskSubject, CardRecord),
    /// What is known of the bot's chats.
    Chats(ChatsRecord),
    /// What was found of who else polls.
    Probed(Probe),
    /// Somebody else has polled; has another machine that is heard of the bot as well?
    Conflict {
        /// One has.
        others: bool,
    },
    /// Telegram has answered, and nobody else polls.
    Reached,
    /// It has not; does another machine that is heard of have the bot as well?
    Unreached {
        /// One has.
        others: bool,
    },
}

/// What is heard of the bot.
#[derive(Debug)]
pub(crate) enum BotReport {
    /// What stands there, before anything may be sent.
    Listed {
        /// Which messages are which cards.
        cards: BTreeMap<AskSubject, CardRecord>,
        /// What each machine knows of the chats, by its name among Beckons.
        chats: BTreeMap<String, ChatsRecord>,
    },
    /// A card is another.
    Card(CardSubject, CardRecord),
    /// The machine of that name among Beckons knows more of the chats.
    Chats(String, ChatsRecord),
    /// Who serves the bot.
    Holder(LeaseHolder),
    /// An ask has come here, of which a card may stand already.
    Asked(AskId),
}

/// What is heard.
#[derive(Debug)]
pub(crate) enum HubReport {
    /// Of the bot.
    Bot(BotReport),
    /// How the connection stands.
    State(HubState),
    /// What all share, read after the streams were subscribed.
    Listed {
        /// The records that are believed.
        asks: BTreeMap<AskSubject, Signed<AskRecord>>,
        /// Who was heard of lately.
        here: Vec<(HereSubject, Signed<HereRecord>)>,
    },
    /// A record is another.
    Shared(AskSubject, Signed<AskRecord>),
    /// An answer to an own ask.
    Answered(ReceivedAnswer),
    /// A Beckon is there.
    Here(HereSubject, Signed<HereRecord>),
    /// It is time to look who has not been heard of for long, and to be heard of.
    Beat,
    /// What became of an answer that was sent.
    Published(AskId, AnswerSubject, Publication),
    /// Its admin says who belongs to the desk, and it is newer than what was known.
    Desk(DeskRecord),
    /// The record of that subject goes no further.
    Refused(String, RecordFault),
    /// The public key of this device, or why it has none; empty where none was made yet.
    Key(Result<String, String>),
    /// A hub was left, and nothing goes there any more.
    Ended,
}

/// An answer as it came in.
#[derive(Debug)]
pub(crate) struct ReceivedAnswer {
    /// To which round of which ask.
    pub to: AnswerSubject,
    /// What it says, if it can be read.
    pub record: Option<(AnswerRecord, Answer)>,
    /// The device that has signed it, if its records are believed.
    pub device: Option<String>,
}

/// How the connection stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum HubState {
    /// Not yet.
    Connecting,
    /// It does, and what stands there is being read; so many bytes so far.
    Reading(u64),
    /// It does.
    Connected,
    /// It does not; why, in the words of the system or the library.
    Down(String),
    /// It does not, since what the server says is not to be listened to.
    Odd(fault::OddServer),
    /// It does not, since another local user listens there.
    OtherUser,
    /// It is not tried: nobody could tell whether it is the right one.
    UnusableCa(fault::UnusableCa),
    /// A stream is there with other rules than ours, which are not to be relied on; its name.
    OtherRules(String),
    /// The server does not know this device, or no longer.
    Unknown,
    /// The server does not let this device do what it has to; in its words.
    Forbidden(String),
}

/// What became of an answer that was sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Publication {
    /// It is the one that the hub keeps for its round.
    Kept,
    /// Another one was there before it: this, if it is of a device that is believed.
    Lost(Option<Box<Signed<AnswerRecord>>>),
    /// Nobody knows yet: it is read back on the next try.
    Unknown(String),
    /// This device has no key to sign with.
    NoKey(String),
    /// The server does not let this device answer.
    Forbidden,
}

/// The running connection; it ends with this.
#[derive(Debug)]
pub(crate) struct HubHandle {
    commands: UnboundedSender<HubCommand>,
    bot: UnboundedSender<BotCommand>,
    noted: Arc<Notify>,
    connection: JoinSet<()>,
    /// Who keeps the lease of the bot.
    keeper: JoinSet<()>,
}

impl HubHandle {
    /// Tells others, when the hub is there; nobody waits for it.
    pub(crate) fn tell(&self, command: HubCommand) {
        let _ = self.commands.send(command);
    }

    /// Tells who keeps the lease of the bot.
    pub(crate) fn tell_bot(&self, command: BotCommand) {
        let _ = self.bot.send(command);
    }

    /// Something stands in the history that did not before.
    pub(crate) fn noted(&self) {
        self.noted.notify_one();
    }

    /// Ends it in order: another machine may serve the bot at once, without waiting for the hub to
    /// forget that this one did.
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

/// Who looks after the bot of a Beckon that has left the hub; it ends with this.
#[derive(Debug)]
pub(crate) struct LeftBot {
    bot: UnboundedSender<BotCommand>,
    _keeper: JoinSet<()>,
}

impl LeftBot {
    /// Of which it is found out, from that time of the steady clock on, whether others serve it.
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

    /// Tells who looks after it.
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
        // There is never a link, and the keeper waits for one as long as there could be.
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

/// As whom a Beckon joins.
#[derive(Clone, Debug)]
pub(crate) struct HubMember {
    /// Its name among Beckons.
    pub node: String,
    /// Its machine, for people.
    pub machine: String,
    /// Where it is said whether the bot may send.
    pub permit: Arc<watch::Sender<Permit>>,
    /// What its history tells, for the log.
    pub history: Arc<dyn HistoryLines>,
    /// After which row of it that is told there.
    pub told_after: i64,
    /// Its bot stays with another hub, that was left before.
    pub is_bot_elsewhere: bool,
}

/// Where the log on the hub has its lines from.
pub(crate) trait HistoryLines: std::fmt::Debug + Send + Sync {
    /// What happened after that row, the first of it.
    ///
    /// # Errors
    /// When the history cannot be read.
    fn after(&self, row: i64) -> anyhow::Result<HistoryPage>;

    /// Which history it is, and its last row.
    ///
    /// # Errors
    /// When the history cannot be read.
    fn newest(&self) -> anyhow::Result<(String, i64)>;
}

/// Some of what happened.
#[derive(Debug)]
pub(crate) struct HistoryPage {
    /// Which history it is of; no other one is called so.
    pub history: String,
    /// What of it is told.
    pub lines: Vec<HistoryLine>,
    /// The last row that was looked at.
    pub last: i64,
}

/// One thing that happened.
#[derive(Debug)]
pub(crate) struct HistoryLine {
    /// Its row.
    pub row: i64,
    /// To which ask, if others know it.
    pub ask: Option<AskSubject>,
    /// What, as others may read it.
    pub text: String,
}

/// Joins the hub, and stays there; with what was known of the desk before.
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

/// The connection, and who keeps the lease of the bot.
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
    // Where the hub is left out there is never a link, and somebody has to serve the bot all the same.
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
