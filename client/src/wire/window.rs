//! What the windows and the resident tell each other: which page is wanted, what is to be seen, and
//! what somebody has typed. `ui/src/bindings` is made from these types.

use super::{ListedAsk, Status};
use beckon_core::{AskContent, Fingerprint, LoginSession, Reply, Timestamp};
use serde::{Deserialize, Serialize};

/// What a window shows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "window", rename_all = "lowercase")]
pub enum Page {
    /// Asks, one at a time.
    Answer {
        /// The one that was clicked; otherwise the oldest.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(test, ts(optional))]
        ask: Option<String>,
        /// All that waits, as a list.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        #[cfg_attr(test, ts(as = "Option<bool>", optional))]
        inbox: bool,
    },
    /// The settings.
    Settings {
        /// Which of them.
        tab: Tab,
    },
}

impl Page {
    /// That request; otherwise the oldest.
    pub fn answer(ask: Option<String>) -> Self {
        Self::Answer { ask, inbox: false }
    }

    /// The request that has waited longest.
    pub fn oldest() -> Self {
        Self::answer(None)
    }

    /// All that waits, as a list.
    pub fn inbox() -> Self {
        Self::Answer {
            ask: None,
            inbox: true,
        }
    }
}

/// A part of the settings window.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Tab {
    /// Language, start, how answering works, files.
    General,
    /// What runs here, and the servers.
    #[default]
    Agents,
    /// The bot and who is paired.
    Telegram,
    /// Who counts as away, and what happens then.
    Presence,
    /// Those that share what they ask.
    Machines,
    /// The desktop channel.
    Notifications,
    /// What was answered.
    History,
    /// Every leg.
    Health,
    /// The first start.
    Welcome,
}

/// A page that somebody wants to see.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PageRequest {
    /// Which.
    pub page: Page,
    /// The XDG activation token of the click: without it a Wayland desktop leaves the window in the
    /// background.
    #[serde(default)]
    pub activation: Option<String>,
    /// The login of who asks, whose screen it is to come up on; none where that is the resident's own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub login: Option<LoginSession>,
}

impl PageRequest {
    /// A request for a page on the resident's own screen.
    pub fn here(page: Page, activation: Option<String>) -> Self {
        Self {
            page,
            activation,
            login: None,
        }
    }
}

/// What the resident tells the window program, a frame of `GET /windows/wish` each.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum WindowMessage {
    /// Show this.
    Wish(PageRequest),
    /// A page may be wanted soon.
    Prepare,
    /// The settings are others: language, undo, servers.
    Changed,
    /// Beckon ends; nobody is left to answer to.
    Bye,
}

/// An ask as the windows see it.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Waiting {
    /// As in `list --json`.
    #[serde(flatten)]
    pub listed: ListedAsk,
    /// Never used twice.
    pub serial: u64,
    /// So long it has waited, in milliseconds.
    pub waited_ms: i64,
    /// What "always" would allow; empty when there is no such button.
    pub can_always: Vec<String>,
    /// What somebody has begun to answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub draft_of_window: Option<WindowDraft>,
}

/// An answer that somebody has begun in a window.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct WindowDraft {
    /// As far as it goes.
    #[cfg_attr(
        test,
        ts(type = "Array<{ choices: Array<number>, text?: string | null }>")
    )]
    pub replies: Vec<Reply>,
    /// The step that was shown.
    #[serde(default)]
    pub page: u32,
    /// What it was begun for: begun anew when the ask is another by now.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional, type = "string"))]
    pub seen: Option<Fingerprint>,
}

/// What the day has brought.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Today {
    /// Asks that were answered.
    pub answered: u32,
    /// Half of them waited no longer.
    pub waited_median_ms: i64,
}

/// `GET /windows/view`: all that the resident knows for the windows, seen at one moment.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct WindowSnapshot {
    /// As `status --json`.
    pub status: Status,
    /// Every ask that is not settled, oldest first.
    pub asks: Vec<Waiting>,
    /// Figures for a desk that is empty.
    pub today: Today,
}

/// What the web view draws, whole.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct View {
    /// As `status --json`.
    pub status: Status,
    /// Every ask that is not settled, oldest first.
    pub asks: Vec<Waiting>,
    /// The words.
    pub texts: UiTexts,
    /// What this window is to show.
    pub page: Page,
    /// How often this window was called so far. A call for the page that it shows already has another
    /// number, too.
    pub call: u32,
    /// Figures for a desk that is empty.
    pub today: Today,
    /// So long an answer can be taken back before it is sent.
    pub undo_ms: u32,
}

/// The words of the windows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct UiTexts {
    /// The one that is in use.
    pub language: String,
    /// All there are.
    pub languages: Vec<String>,
    /// Fluent: those of the language, then the English ones for what it lacks.
    pub ftl: String,
}

/// An ask as the windows see it.
pub fn waiting(view: &beckon_core::AskView, draft: Option<WindowDraft>, now: Timestamp) -> Waiting {
    let ask = &view.entry.ask;
    let fingerprint = view.entry.target().fingerprint;
    let is_for_this = |draft: &WindowDraft| draft.seen.is_none_or(|seen| seen == fingerprint);
    Waiting {
        listed: super::listed(view),
        serial: view.entry.serial,
        waited_ms: (now - ask.asked_at).0.max(0),
        can_always: match &ask.kind {
            AskContent::Permission(permission) => permission.always.clone(),
            AskContent::Questions(_) | AskContent::Confirm(_) | AskContent::Unknown(_) => {
                Vec::new()
            }
        },
        draft_of_window: draft.filter(is_for_this),
    }
}
