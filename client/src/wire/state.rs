//! How the parts of Beckon stand: what a source speaks, who tells where the human is, what the
//! notification service can do, who is paired. Rooms tell it, and it is shown as it is.

use crate::config::{InterruptsKind, ServerTransport};
use beckon_core::{PresenceSource, Timestamp};
use serde::{Deserialize, Serialize};

/// What a source speaks.
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
    /// As in JSON.
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
    /// Its name.
    pub name: String,
    /// Its address.
    pub url: String,
    /// How it is reached.
    pub kind: ServerTransport,
    /// Its process.
    pub pid: Option<u32>,
    /// Where it works.
    pub directory: Option<String>,
    /// It is watched; otherwise the same process is watched at its port.
    pub watched: bool,
}

/// What the service that shows notifications does, as far as a person notices.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Abilities {
    /// It draws buttons; otherwise the words say how else to answer.
    pub buttons: bool,
    /// It plays a sound when it is asked to.
    pub sound: bool,
    /// One that nobody has dealt with stays in a list.
    pub keeps: bool,
}

/// One of those who tell where the human is, and what they say of one thing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Leg {
    /// What they tell of.
    pub what: LegKind,
    /// Who tells, or would have to: `x11`, `logind`, … or `none`.
    #[cfg_attr(test, ts(type = "string"))]
    pub source: PresenceSource,
    /// They do tell.
    pub works: bool,
    /// Idle, locked, asleep right now; not so where nobody tells.
    pub holds: bool,
    /// When the last input was, where that is seen: milliseconds since 1970.
    #[cfg_attr(test, ts(type = "number | null"))]
    pub last_input: Option<Timestamp>,
}

/// What there is to be told of somebody at a desk.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum LegKind {
    /// Keyboard and mouse rest, or move.
    Idle,
    /// The screen is locked, or not.
    Lock,
    /// The machine sleeps, or is awake.
    Sleep,
}

/// Somebody, or a group, that is paired.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Paired {
    /// Telegram's number.
    pub id: i64,
    /// Their name or title.
    pub name: String,
    /// A group.
    pub group: bool,
    /// Nothing reaches them: they have blocked the bot, or it was removed from the group.
    #[serde(default)]
    pub blocked: bool,
}

/// Does it work?
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Standing {
    /// Not known yet.
    #[default]
    Starting,
    /// Nobody set it up.
    Off,
    /// It does.
    Works,
    /// It is left to another machine that shares it.
    Standby,
    /// It does not.
    Down,
}

/// A server that announces itself.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Nearby {
    /// Its name, as it announces it: anybody on the network may say anything.
    pub name: String,
    /// Its address.
    pub url: String,
}
