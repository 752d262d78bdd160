//! Where asks come from. One file per kind of agent, and one arm here.

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

/// What a source says.
#[derive(Debug)]
pub enum Report {
    /// For the desk.
    Event(Box<Event>),
    /// Whether a server is another Beckon, and which Beckons it watches.
    Peer(SourceId, Option<PeerHealth>),
    /// What of a source could not be read.
    Unread(SourceId, UnreadParts),
    /// A Beckon has shown an ask that it had from here.
    LoopDetected(SourceId),
    /// A server that nobody has named runs here.
    Found(OpenCodeServer),
    /// A server that registered itself has gone.
    Left(OpenCodeServer),
    /// For the asks that are made through Beckon itself.
    LocalAsk(AskerRequest),
    /// For the asks of other machines that come over a hub.
    Shared(SharedRequest),
}

impl Report {
    /// For the desk.
    pub fn event(event: Event) -> Self {
        Self::Event(Box::new(event))
    }
}

/// Where sources say it.
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
    /// What is asked through Beckon itself.
    Asks(local_asks::LocalAsksHandle),
    /// Another machine's, over a hub.
    Shared(shared::SharedAsksHandle),
    /// None of these any more, after faults of our own.
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

    /// What "always" has saved there, if it is a kind that saves it.
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

    /// Has the source find out what became of an ask that is gone; false where it can't.
    pub fn inquire(&self, entry: Box<Entry>) -> bool {
        match self {
            Self::OpenCode(handle) => {
                handle.inquire(entry);
                true
            }
            // Nothing is kept there of what was answered.
            Self::LangGraph(_) => false,
            // They tell how each of theirs ends, as far as it can be known.
            Self::Interrupts(_)
            | Self::Asks(_)
            | Self::Shared(_)
            | Self::LeftOut(_)
            | Self::Demo(_)
            | Self::SelfTest(_) => false,
        }
    }
}
