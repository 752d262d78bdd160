//! The way into the loop: what it takes in, posted through a [`Mailbox`]. Rooms hold nothing else of it.

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

/// Which of the hubs that were joined in this run, counted from 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct HubNumber(pub(crate) u64);

/// What the loop takes in.
#[derive(Debug)]
pub(crate) enum LoopInput {
    /// Something happened.
    Event(Event),
    /// A human's own words, and what stood on the notification that they wrote them into.
    Reply(ButtonTarget, String),
    /// Somebody answered and waits for the verdict.
    Answer(Event, oneshot::Sender<Result<AskId, AnswerRefusal>>),
    /// Somebody wants to see everything.
    Look(oneshot::Sender<Snapshot>),
    /// Somebody wants to see everything but the asks.
    Glance(oneshot::Sender<Snapshot>),
    /// Somebody wants to see the hub.
    LookAtHub(oneshot::Sender<HubView>),
    /// The settings name no hub any more, and somebody waits until nothing goes there.
    LeaveHub(oneshot::Sender<()>),
    /// Somebody wants to see a part of the asks: one of thousands costs no more than it takes.
    Read(AskQuery),
    /// Somebody is about to look and wants the last input to be fresh.
    Freshen(oneshot::Sender<()>),
    /// Somebody wants to know which asks a person may mean by a name.
    Find(String, oneshot::Sender<Vec<FoundAsk>>),
    /// A program wants to know which ask has that name.
    Named(String, oneshot::Sender<Option<FoundAsk>>),
    /// The answer window of an ask is wanted (its serial), with the token of the click.
    Open(u64, Option<String>),
    /// A page of a window is wanted; whether one comes is the reply.
    Window(PageRequest, Option<oneshot::Sender<bool>>),
    /// The very first start: somebody is to be shown round, if there is a window for it.
    Welcome,
    /// A window may be wanted soon.
    PrepareWindow,
    /// The window program has come up, and listens there.
    Attach(oneshot::Sender<mpsc::UnboundedReceiver<WindowMessage>>),
    /// The window program has ended.
    WindowEnded,
    /// Somebody has typed something in a window; whether it is saved is the reply.
    KeepDraft(AskId, WindowDraft, oneshot::Sender<bool>),
    /// Somebody wants to hear when all that happened so far is saved.
    AwaitSaved(oneshot::Sender<()>),
    /// What was typed is wanted.
    Drafts(oneshot::Sender<BTreeMap<AskId, WindowDraft>>),
    /// A second start of the program: the running one is to come forward.
    Show,
    /// A server registers itself, and waits for the verdict.
    Register(
        beckon_client::config::OpenCodeServer,
        oneshot::Sender<Result<(), NameTaken>>,
    ),
    /// A source says something.
    Source(sources::Report),
    /// Somebody wants to go to where a session runs.
    Session(SessionInput),
    /// Somebody wants to know which Beckons are watched from here, directly or through others.
    Reaches(oneshot::Sender<BTreeSet<String>>),
    /// Whoever was going to register itself anew has done so by now.
    DropUnwatched,
    /// The settings file changed; and what is doubtful in it.
    Configure(Box<beckon_client::config::Config>, Option<Warning>),
    /// The settings file changed and cannot be used.
    Warn(Warning),
    /// Something else is amiss until Beckon starts anew.
    Amiss(Warning),
    /// Somebody asks through Beckon itself.
    Asking(messages::AskerRequest),
    /// An agent asked something that could not be read, or not be asked.
    Unreadable {
        /// Who.
        agent: String,
        /// Why, without quoting it.
        reason: String,
    },
    /// An agent says a few words that nobody has to answer; where they were shown.
    Say {
        /// Above them.
        title: String,
        /// The words.
        message: String,
        /// Where they were shown, if anywhere.
        shown: oneshot::Sender<Option<Channel>>,
    },
    /// Whoever wants to know what "always" has saved at a source: whom to ask, if it saves it.
    Saved(SourceId, oneshot::Sender<Option<SavedPermissions>>),
    /// The password or token of that source is another.
    Reconnect(String),
    /// The self-test begins or ends: its pretend source comes or goes.
    SelfTest(bool),
    /// The human has closed a notification.
    WavedAway(AskId),
    /// A notification was closed by a click that was meant for another one.
    Misclicked(AskId),
    /// The answer window has the keyboard, or not any more.
    WindowFocus(bool),
    /// Notifications work, or not, or are told not to disturb: the windows say so.
    DesktopChanged,
    /// The hub reports.
    Hub(HubNumber, crate::hub::HubReport),
    /// Telegram reports.
    Telegram(telegram::TelegramReport),
    /// Somebody at this machine sets Telegram up.
    SetUp(SetUp),
    /// The program ends.
    Stop,
}

impl LoopInput {
    /// The part that says so: what it read of a stranger is its own, also where the loop takes it in.
    pub(super) fn part(&self) -> Option<Part> {
        match self {
            Self::Source(report) => of_report(report),
            Self::Telegram(_) => Some(Part::Telegram),
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
    // Without a watch there is nothing that could be left out.
    let is_watched = ![LOCAL_ASKS, demo::NAME, selftest::NAME].contains(&source.0.as_str());
    is_watched.then(|| Part::Source(source.0.clone()))
}

/// About the way to where a session runs.
#[derive(Debug)]
pub(crate) enum SessionInput {
    /// What is known of that ask's is wanted; `None`: it has ended.
    Origin(AskId, oneshot::Sender<Option<SessionOrigin>>),
    /// From the tray: that of the ask of that serial is to come to the front.
    Show(u64),
    /// It was looked for in vain.
    NotShown(DestinationError),
}

/// A part of the asks.
#[derive(Debug)]
pub(crate) enum AskQuery {
    /// One open ask of that session.
    OfSession(String, oneshot::Sender<Option<Entry>>),
    /// Those in a directory, or in all.
    Within(Option<String>, oneshot::Sender<Vec<AskView>>),
    /// Who asks: one session for each open ask.
    Sessions(oneshot::Sender<Vec<Session>>),
}

/// What there is to set up with Telegram.
#[derive(Debug)]
pub(crate) enum SetUp {
    /// The token is another.
    Reload,
    /// A link that pairs whoever opens it, with its code; `None` while nobody knows which bot it is.
    Pair(oneshot::Sender<Option<telegram::PairingOffer>>),
    /// That person or group is no longer paired; `false` when they were not.
    Unpair(i64, oneshot::Sender<bool>),
    /// A card with a button to every paired chat.
    Test(oneshot::Sender<telegram::TestCard>),
}

/// An ask that a name means.
#[derive(Clone, Debug)]
pub(crate) struct FoundAsk {
    /// The ask.
    pub id: AskId,
    /// What it is called, as in every list.
    pub name: String,
    /// As it stands, if it is not settled.
    pub entry: Option<Entry>,
    /// How it ended, if it is.
    pub outcome: Option<beckon_core::Outcome>,
    /// Who gave the answer that counts, as far as that is known.
    pub responder: Option<beckon_core::Responder>,
}
