//! What the loop shows of itself to those who only look: everything at once, or news as it comes.

use crate::config::{InterruptsKind, ServerTransport};
use crate::tray;
use beckon_core::{BreakThrough, DeskView, Entry, News, PresenceSource, Timestamp};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Everything there is to see.
#[derive(Clone, Debug, Default)]
pub struct Snapshot {
    /// The desk; where nobody wants the asks, without them.
    pub view: DeskView,
    /// How many asks wait for a human.
    pub open: usize,
    /// Where the sources are, by name.
    pub places: BTreeMap<String, SourcePlace>,
    /// Which of them are other Beckons, and what is to be said of one.
    pub beckons: BTreeMap<String, Option<String>>,
    /// What could not be read of them, where that is something.
    pub gaps: BTreeMap<String, UnreadParts>,
    /// The servers that have registered themselves.
    pub registered: Vec<RegisteredServer>,
    /// Who tells where the human is, and what they say.
    pub legs: Vec<Leg>,
    /// Desktop notifications.
    pub desktop: ChannelState,
    /// Telegram.
    pub telegram: TelegramView,
    /// The tray, unless there is to be none.
    pub tray: Option<tray::TrayState>,
    /// What is amiss, in words.
    pub warnings: Vec<String>,
    /// Why there is no hot key although one is set; one of the warnings too.
    pub hotkey_error: Option<String>,
}

/// Where a source is, and what it speaks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SourcePlace {
    /// What it speaks.
    pub kind: SourceKind,
    /// Its address.
    pub url: String,
}

/// What of a source could not be read although it answers: something may be asked there that nobody
/// here knows of.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UnreadParts {
    /// Directories whose lists could not be read.
    pub directories: usize,
    /// Projects whose sessions, which name directories, could not be read (yet).
    pub projects: usize,
    /// Why, of the last one; `None` where it only takes its time.
    pub reason: Option<String>,
}

impl UnreadParts {
    /// All of it was read.
    pub fn is_empty(&self) -> bool {
        self.directories == 0 && self.projects == 0
    }
}

/// What a source speaks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
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

impl From<InterruptsKind> for SourceKind {
    fn from(kind: InterruptsKind) -> Self {
        match kind {
            InterruptsKind::Resume => Self::Interrupts,
            InterruptsKind::LangGraph => Self::LangGraph,
        }
    }
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

/// A server that has registered itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
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
#[serde(rename_all = "lowercase")]
pub enum LegKind {
    /// Keyboard and mouse rest, or move.
    Idle,
    /// The screen is locked, or not.
    Lock,
    /// The machine sleeps, or is awake.
    Sleep,
}

/// Does a channel work?
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum ChannelState {
    /// Not known yet.
    #[default]
    Starting,
    /// It does.
    Works {
        /// The name of the service that shows what is sent.
        daemon: String,
        /// What that does.
        can: Abilities,
        /// Whether it is told not to disturb, where it says so.
        do_not_disturb: Option<bool>,
        /// Which asks come through then.
        break_through: BreakThrough,
    },
    /// It does not, for that reason; the last in the words of the system.
    Down(DesktopFault, String),
}

/// Why there are no notifications.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DesktopFault {
    /// There is no session bus, or it has gone.
    #[error("Failed to reach the session bus")]
    NoBus,
    /// Nobody shows any here.
    #[error("Failed to find a notification service on this desktop")]
    NoService,
    /// The human has turned Beckon's off.
    #[error("Notifications are turned off for Beckon in the settings of the system")]
    OffForBeckon,
    /// The human has turned all off.
    #[error("Notifications are turned off in the settings of the system")]
    Off,
    /// Somebody else has turned them off.
    #[error("Notifications are turned off by a policy of this machine")]
    OffByPolicy,
    /// Anything else.
    #[error("Failed to show notifications")]
    Other,
}

/// A piece of news with its time and the ask it is about.
#[derive(Clone, Debug)]
pub struct Bulletin {
    /// When.
    pub at: Timestamp,
    /// What.
    pub news: News,
    /// The ask, as it stands after it.
    pub entry: Option<Entry>,
    /// What the ask is called, as in every list.
    pub name: Option<String>,
}

/// How Telegram stands.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TelegramView {
    /// In one word.
    pub state: Standing,
    /// What is wrong, in words that say what to do.
    pub error: Option<String>,
    /// The bot's name, without the @.
    pub bot: Option<String>,
    /// In groups the bot hears everything.
    pub reads_groups: bool,
    /// Who may answer, and the group.
    pub paired: Vec<Paired>,
    /// Updates of those who may not, since the start.
    pub ignored: u64,
    /// So many cards are refused.
    pub refused: usize,
    /// The token is that of the environment variable, not of the keychain.
    pub token_from_environment: bool,
    /// A link that pairs is out, until then.
    pub pairing_until: Option<Timestamp>,
}

/// Somebody, or a group, that is paired.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Paired {
    /// Telegram's number.
    pub id: i64,
    /// Their name or title.
    pub name: String,
    /// A group.
    pub group: bool,
}

/// Does it work?
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum Standing {
    /// Not known yet.
    #[default]
    Starting,
    /// Nobody set it up.
    Off,
    /// It does.
    Works,
    /// It does not.
    Down,
}
