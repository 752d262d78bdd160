//! The sources of asks: one file per kind of agent, and one arm here.

mod arrival;
pub(crate) mod demo;
pub(crate) mod discovery;
#[cfg(any(test, fuzzing))]
pub(crate) mod fuzzing;
mod http;
pub(crate) mod interrupts;
pub(crate) mod langgraph;
pub(crate) mod left_out;
pub(crate) mod local_asks;
mod log_limiter;
pub mod opencode;
pub(crate) mod probe;
mod reporter;
pub(crate) mod selftest;
pub mod shared;

mod unknown_form;
mod unread;

pub use unread::UnreadParts;

use crate::platform::sink::Sink;
use beckon_client::config::OpenCodeServer;
use beckon_core::{Answer, Entry, Event, SourceId};
use local_asks::messages::AskerRequest;
use opencode::saved::SavedPermissions;
use opencode::wire::PeerHealth;
use shared::SharedRequest;

/// A report of a source to the loop.
#[derive(Debug)]
pub enum Report {
    /// An event for the desk.
    Event(Box<Event>),
    /// Whether a server is another Beckon, and which Beckons it watches.
    Peer(SourceId, Option<PeerHealth>),
    /// The parts of a source that could not be read.
    Unread(SourceId, UnreadParts),
    /// A Beckon has shown an ask that it had from here.
    LoopDetected(SourceId),
    /// A server that nobody has named runs here.
    Found(OpenCodeServer),
    /// A server that registered itself has gone.
    Left(OpenCodeServer),
    /// A request about the asks that are made through Beckon itself.
    LocalAsk(AskerRequest),
    /// A request about the asks of other machines that come over a hub.
    Shared(SharedRequest),
}

impl Report {
    /// Wraps an event for the desk.
    pub fn event(event: Event) -> Self {
        Self::Event(Box::new(event))
    }
}

/// The sink for the reports of sources.
pub type ReportSink = Sink<Report>;

/// A watched source.
#[derive(Debug)]
pub enum Source {
    /// An OpenCode server.
    OpenCode(opencode::OpenCodeHandle),
    /// A service with the ask_user / resume API.
    Interrupts(interrupts::InterruptsHandle),
    /// A LangGraph server.
    LangGraph(langgraph::LangGraphHandle),
    /// The asks that are made through Beckon itself.
    Asks(local_asks::LocalAsksHandle),
    /// The asks of another machine, over a hub.
    Shared(shared::SharedAsksHandle),
    /// A source that is left out after faults of our own.
    LeftOut(left_out::LeftOutHandle),
    /// The pretend agent.
    Demo(demo::DemoHandle),
    /// The pretend agent of the self-test.
    SelfTest(selftest::SelfTestHandle),
}

impl Source {
    /// Sends an answer; what became of it comes back as an event.
    pub fn deliver(&self, entry: Box<Entry>, answer: Answer) {
        match self {
            Self::OpenCode(handle) => handle.deliver(entry, answer),
            Self::Interrupts(handle) => handle.deliver(entry, answer),
            Self::LangGraph(handle) => handle.deliver(entry, answer),
            Self::Asks(handle) => handle.deliver(entry, answer),
            Self::Shared(handle) => handle.deliver(entry, answer),
            Self::LeftOut(handle) => handle.deliver(&entry),
            Self::Demo(handle) => handle.deliver(&entry, &answer),
            Self::SelfTest(handle) => handle.deliver(&entry, &answer),
        }
    }

    /// Reads the whole open list anew.
    pub fn refresh(&self, id: SourceId) {
        match self {
            Self::OpenCode(handle) => handle.refresh(),
            Self::LangGraph(handle) => handle.refresh(),
            Self::Asks(handle) => handle.refresh(),
            Self::Shared(handle) => handle.refresh(id),
            // The API has no list.
            Self::Interrupts(_) | Self::LeftOut(_) | Self::Demo(_) | Self::SelfTest(_) => {}
        }
    }

    /// Returns access to the permissions that "always" has saved, if the source is of a kind that
    /// saves them.
    pub(crate) fn saved(&self) -> Option<SavedPermissions> {
        match self {
            Self::OpenCode(handle) => Some(handle.saved()),
            Self::Interrupts(_)
            | Self::LangGraph(_)
            | Self::Asks(_)
            | Self::Shared(_)
            | Self::LeftOut(_)
            | Self::Demo(_)
            | Self::SelfTest(_) => None,
        }
    }

    /// Asks the source to find out what became of an ask that is gone. Returns false where it
    /// can't.
    pub fn inquire(&self, entry: Box<Entry>) -> bool {
        match self {
            Self::OpenCode(handle) => {
                handle.inquire(entry);
                true
            }
            // LangGraph keeps nothing of what was answered.
            Self::LangGraph(_) => false,
            // These report how each of their asks ends, as far as it can be known.
            Self::Interrupts(_)
            | Self::Asks(_)
            | Self::Shared(_)
            | Self::LeftOut(_)
            | Self::Demo(_)
            | Self::SelfTest(_) => false,
        }
    }
}
