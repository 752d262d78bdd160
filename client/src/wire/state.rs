//! The states of the parts of Beckon: what a source speaks, who tells where the human is, what the
//! notification service can do, who is paired. The parts report them, and they are shown as they
//! are.

use crate::config::{InterruptsKind, ServerTransport};
use beckon_core::{PresenceSource, Timestamp};
use serde::{Deserialize, Serialize};

/// The API that a source speaks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum SourceKind {
    /// The API of OpenCode.
    #[default]
    OpenCode,
    /// The ask_user / resume API.
    Interrupts,
    /// The API of LangGraph.
    LangGraph,
}

impl SourceKind {
    /// Returns the word in JSON.
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
    /// The name of the server.
    pub name: String,
    /// The address of the server.
    pub url: String,
    /// The transport by which it is reached.
    pub kind: ServerTransport,
    /// The id of the process.
    pub pid: Option<u32>,
    /// The directory in which it works.
    pub directory: Option<String>,
    /// Whether this server is watched; if not, the same process is watched at its port.
    pub watched: bool,
}

/// The abilities of the service that shows notifications, as far as a person notices them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Abilities {
    /// Whether it draws buttons; if not, the text says how else to answer.
    pub buttons: bool,
    /// Whether it plays a sound when it is asked to.
    pub sound: bool,
    /// Whether a notification that nobody has dealt with stays in a list.
    pub keeps: bool,
}

/// A source of the presence, and what it says about one thing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Leg {
    /// The thing that it tells of.
    pub what: LegKind,
    /// The source that tells it, or would have to: `x11`, `logind`, … or `none`.
    #[cfg_attr(test, ts(type = "string"))]
    pub source: PresenceSource,
    /// Whether the source works.
    pub works: bool,
    /// Whether the human is idle, the screen is locked or the machine sleeps right now; false
    /// without a source.
    pub holds: bool,
    /// The time of the last input, if it is seen: milliseconds since 1970.
    #[cfg_attr(test, ts(type = "number | null"))]
    pub last_input: Option<Timestamp>,
}

/// A thing that can be told about a person at a desk.
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

/// A person or a group that is paired.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Paired {
    /// The id on Telegram.
    pub id: i64,
    /// The name of the person, or the title of the group.
    pub name: String,
    /// Whether it is a group.
    pub group: bool,
    /// Whether nothing reaches them: they have blocked the bot, or it was removed from the group.
    #[serde(default)]
    pub blocked: bool,
}

/// The state of Telegram.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Standing {
    /// The state is not known yet.
    #[default]
    Starting,
    /// Telegram is not set up.
    Off,
    /// Telegram works.
    Works,
    /// Telegram is left to another machine, which shares the bot.
    Standby,
    /// Telegram does not work.
    Down,
}

/// A server on the local network that announces itself.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Nearby {
    /// The name that it announces. Anybody on the network may announce anything.
    pub name: String,
    /// The address of the server.
    pub url: String,
}
