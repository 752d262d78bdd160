//! The states of Beckon's parts: what a source speaks, who tells where the human is, what the
//! notification service can do, who is paired. The rooms report them, and they are shown unchanged.

use crate::config::{InterruptsKind, ServerTransport};
use beckon_core::{PresenceSource, Timestamp};
use serde::{Deserialize, Serialize};

/// The protocol that a source speaks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum SourceKind {
    /// OpenCode's API.
    #[default]
    OpenCode,
    /// The ask_user / resume API.
    Interrupts,
    /// LangGraph's API.
    LangGraph,
}

impl SourceKind {
    /// Returns the word that JSON has for it.
    pub fn word(self) -> &'static str {
        match self {
            Self::OpenCode => "opencode",
            Self::Interrupts => "interrupts",
            Self::LangGraph => "langgraph",
        }
    }
}

impl From<InterruptsKind> for SourceKind {
    fn from(kind: InterruptsKind) -> Self {
        match kind {
            InterruptsKind::Resume => Self::Interrupts,
            InterruptsKind::LangGraph => Self::LangGraph,
        }
    }
}

/// A server that has registered itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RegisteredServer {
    /// The server's name.
    pub name: String,
    /// The server's address.
    pub url: String,
    /// The way in which the server is reached.
    pub kind: ServerTransport,
    /// The id of the server's process.
    pub pid: Option<u32>,
    /// The directory in which the server works.
    pub directory: Option<String>,
    /// Whether this entry is watched; otherwise the same process is watched at its port.
    pub watched: bool,
}

/// The abilities of the service that shows notifications, as far as a person notices them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Abilities {
    /// Whether the service draws buttons; otherwise the text says how else to answer.
    pub buttons: bool,
    /// Whether the service plays a sound when asked to.
    pub sound: bool,
    /// Whether a notification that nobody has dealt with stays in a list.
    pub keeps: bool,
}

/// A backend that tells where the human is, with what it says about one thing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Leg {
    /// The thing that the backend tells about.
    pub what: LegKind,
    /// The backend that tells, or would have to: `x11`, `logind`, … or `none`.
    #[cfg_attr(test, ts(type = "string"))]
    pub source: PresenceSource,
    /// Whether the backend does tell.
    pub works: bool,
    /// Whether the human is idle, the screen locked, or the machine asleep right now; false where
    /// no backend tells.
    pub holds: bool,
    /// The time of the last input, where that is seen: milliseconds since 1970.
    #[cfg_attr(test, ts(type = "number | null"))]
    pub last_input: Option<Timestamp>,
}

/// A thing that a backend can tell about a human at a desk.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum LegKind {
    /// Whether keyboard and mouse rest.
    Idle,
    /// Whether the screen is locked.
    Lock,
    /// Whether the machine sleeps.
    Sleep,
}

/// A person or group that is paired.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Paired {
    /// Telegram's id of the person or group.
    pub id: i64,
    /// The person's name or the group's title.
    pub name: String,
    /// Whether it is a group.
    pub group: bool,
    /// Whether nothing reaches them: they have blocked the bot, or it was removed from the group.
    #[serde(default)]
    pub blocked: bool,
}

/// Whether a channel works.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Standing {
    /// The state is not known yet.
    #[default]
    Starting,
    /// The channel is not set up.
    Off,
    /// The channel works.
    Works,
    /// The channel is left to another machine that shares it.
    Standby,
    /// The channel does not work.
    Down,
}

/// A server that announces itself on the local network.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Nearby {
    /// The server's name as announced. Anybody on the network may announce anything.
    pub name: String,
    /// The server's address.
    pub url: String,
}
