//! The inputs of the loop, which rooms post through a [`Mailbox`]. Rooms have no other access to
//! the loop.

mod mailbox;

pub(crate) use mailbox::Mailbox;

use crate::app::NameTaken;
use crate::app::snapshot::Snapshot;
use crate::app::warning::Warning;
use crate::channels::telegram;
use crate::destination::{DestinationError, SessionOrigin};
use crate::platform::part::Part;
use crate::sources::opencode::saved::SavedPermissions;
use crate::sources::{self, Report, demo, local_asks::messages, selftest};
use beckon_client::config::LOCAL_ASKS;
use beckon_client::wire::{HubView, PageRequest, WindowDraft, WindowMessage};
use beckon_core::{
    AnswerRefusal, AskId, AskView, ButtonTarget, Channel, Entry, Event, Session, SourceId,
};
use std::collections::{BTreeMap, BTreeSet};
use tokio::sync::{mpsc, oneshot};

/// The number of a hub among those joined in this run, counted from 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct HubNumber(pub(crate) u64);

/// An input of the loop.
#[derive(Debug)]
pub(crate) enum LoopInput {
    /// An event for the desk.
    Event(Event),
    /// A human's own words, and the target of the notification in which they wrote them.
    Reply(ButtonTarget, String),
    /// An answer whose giver waits for the verdict.
    Answer(Event, oneshot::Sender<Result<AskId, AnswerRefusal>>),
    /// A request for a snapshot of everything.
    Look(oneshot::Sender<Snapshot>),
    /// A request for a snapshot without the asks.
    Glance(oneshot::Sender<Snapshot>),
    /// A request for the view of the hub.
    LookAtHub(oneshot::Sender<HubView>),
    /// A request to leave the hub, after the settings name none any more. The reply comes when
    /// nothing is published there any more.
    LeaveHub(oneshot::Sender<()>),
    /// A request for some of the asks: among thousands it costs no more than these.
    Read(AskQuery),
    /// A request to read the time of the human's last input again, since it is about to be shown.
    Freshen(oneshot::Sender<()>),
    /// A request for the asks that a person may mean by a name.
    Find(String, oneshot::Sender<Vec<FoundAsk>>),
    /// A request for the ask that has exactly that name.
    Named(String, oneshot::Sender<Option<FoundAsk>>),
    /// A request to open the answer window at an ask (its serial), with the activation token of the
    /// click.
    Open(u64, Option<String>),
    /// A request for a page of a window; the reply tells whether a window comes.
    Window(PageRequest, Option<oneshot::Sender<bool>>),
    /// The very first start: the human gets an introduction, if there is a window for it.
    Welcome,
    /// A window may be wanted soon.
    PrepareWindow,
    /// The window program has started, and listens on the replied channel.
    Attach(oneshot::Sender<mpsc::UnboundedReceiver<WindowMessage>>),
    /// The window program has ended.
    WindowEnded,
    /// A draft that was typed in a window; the reply tells whether it is saved.
    KeepDraft(AskId, WindowDraft, oneshot::Sender<bool>),
    /// Words for people on Telegram that were held back until what they tell of is saved, and
    /// whether it is.
    HeldWords {
        /// The words.
        words: Vec<telegram::HeldWords>,
        /// Whether what they tell of is saved.
        is_saved: bool,
    },
    /// A press on a notification counts, but the disk goes on refusing to save it.
    PressNotSaved,
    /// A request to be told when everything that has happened is saved.
    AwaitSaved(oneshot::Sender<()>),
    /// A request for all drafts.
    Drafts(oneshot::Sender<BTreeMap<AskId, WindowDraft>>),
    /// A second start of the program: the running one is to show itself.
    Show,
    /// A server that registers itself, and waits for the verdict.
    Register(
        beckon_client::config::OpenCodeServer,
        oneshot::Sender<Result<(), NameTaken>>,
    ),
    /// A report of a source.
    Source(sources::Report),
    /// A request about the window or terminal in which a session runs.
    Session(SessionInput),
    /// A request for the Beckons that are watched from here, directly or through others.
    Reaches(oneshot::Sender<BTreeSet<String>>),
    /// The time for servers to register themselves again is over: sources that nobody watches are
    /// removed.
    DropUnwatched,
    /// The settings file has changed. The warning, if any, is about unknown keys in it.
    Configure(Box<beckon_client::config::Config>, Option<Warning>),
    /// The settings file changed and cannot be used.
    Warn(Warning),
    /// A warning that holds until Beckon is restarted.
    Amiss(Warning),
    /// A request about asks that are made through Beckon itself.
    Asking(messages::AskerRequest),
    /// An agent asked something that could not be read, or not be asked.
    Unreadable {
        /// The agent's name.
        agent: String,
        /// The reason, without a quotation of what was asked.
        reason: String,
    },
    /// A message of an agent that needs no answer.
    Say {
        /// The title of the message.
        title: String,
        /// The text of the message.
        message: String,
        /// The reply: the channel that shows the message, if one does.
        shown: oneshot::Sender<Option<Channel>>,
    },
    /// A request for access to the permissions that "always" has saved at a source, if that saves
    /// them.
    Saved(SourceId, oneshot::Sender<Option<SavedPermissions>>),
    /// The password or token of that source has changed.
    Reconnect(String),
    /// The self-test begins or ends, and its pretend source with it.
    SelfTest(bool),
    /// The human has closed a notification.
    WavedAway(AskId),
    /// A notification was closed by a click that was meant for another one, and has to be shown
    /// again.
    Misclicked(AskId),
    /// Whether the answer window has the keyboard.
    WindowFocus(bool),
    /// The state of notifications has changed: whether they work, or are told not to disturb. The
    /// windows show it.
    DesktopChanged,
    /// A report of the hub's connection.
    Hub(HubNumber, crate::hub::HubReport),
    /// A report of the Telegram room.
    Telegram(telegram::TelegramReport),
    /// A request to set up Telegram, by a person at this machine.
    SetUp(SetUp),
    /// The program ends.
    Stop,
}

impl LoopInput {
    /// Returns the part that caused the input, so that a panic while handling it is blamed on that
    /// part.
    pub(super) fn part(&self) -> Option<Part> {
        match self {
            Self::Source(report) => of_report(report),
            Self::Telegram(_) | Self::HeldWords { .. } => Some(Part::Telegram),
            Self::Hub(..) => Some(Part::Hub),
            _ => None,
        }
    }
}

fn of_report(report: &Report) -> Option<Part> {
    let source = match report {
        Report::Event(event) => match &**event {
            Event::Source(source, _) => source,
            _ => return None,
        },
        Report::Peer(source, _) | Report::Unread(source, _) | Report::LoopDetected(source) => {
            source
        }
        Report::Found(_) | Report::Left(_) => return Some(Part::Discovery),
        Report::LocalAsk(_) | Report::Shared(_) => return None,
    };
    // These sources have no watch that could panic and be left out.
    let is_watched = ![LOCAL_ASKS, demo::NAME, selftest::NAME].contains(&source.0.as_str());
    is_watched.then(|| Part::Source(source.0.clone()))
}

/// An input about where a session runs.
#[derive(Debug)]
pub(crate) enum SessionInput {
    /// A request for where that ask's session runs; `None` if the ask has ended.
    Origin(AskId, oneshot::Sender<Option<SessionOrigin>>),
    /// A click in the tray: the session of the ask with that serial is to come to the front.
    Show(u64),
    /// A session could not be brought to the front, and why.
    NotShown(DestinationError),
}

/// A request for some of the asks.
#[derive(Debug)]
pub(crate) enum AskQuery {
    /// A request for one open ask of that session.
    OfSession(String, oneshot::Sender<Option<Entry>>),
    /// A request for the open asks in a directory, or in all.
    Within(Option<String>, oneshot::Sender<Vec<AskView>>),
    /// A request for the sessions that ask: one for each open ask.
    Sessions(oneshot::Sender<Vec<Session>>),
}

/// A request to set up Telegram.
#[derive(Debug)]
pub(crate) enum SetUp {
    /// The token was changed.
    Reload,
    /// A request for a link that pairs whoever opens it, with its code; `None` while it is unknown
    /// which bot it is.
    Pair(oneshot::Sender<Option<telegram::PairingOffer>>),
    /// A person or group that is no longer to be paired; the reply is `false` if they were not.
    Unpair(i64, oneshot::Sender<bool>),
    /// A request to send a card with a button to every paired chat.
    Test(oneshot::Sender<telegram::TestCard>),
}

/// An ask that was found by a name.
#[derive(Clone, Debug)]
pub(crate) struct FoundAsk {
    /// The ask's id.
    pub id: AskId,
    /// The ask's name, as in every list.
    pub name: String,
    /// The ask, if it is not settled.
    pub entry: Option<Entry>,
    /// The outcome, if the ask is settled.
    pub outcome: Option<beckon_core::Outcome>,
    /// The giver of the answer that counts, as far as that is known.
    pub responder: Option<beckon_core::Responder>,
}
