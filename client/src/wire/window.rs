//! The messages between the windows and the resident: which page is wanted, what is to be seen, and
//! what somebody has typed. `ui/src/bindings` is made from these types.

use super::{ListedAsk, Status};
use beckon_core::{AskContent, Fingerprint, LoginSession, Reply, Timestamp};
use serde::{Deserialize, Serialize};

/// A page that a window shows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "window", rename_all = "lowercase")]
pub enum Page {
    /// The page of asks, one at a time.
    Answer {
        /// The ask that was clicked; the oldest if absent.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(test, ts(optional))]
        ask: Option<String>,
        /// Whether all that waits is shown as a list.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        #[cfg_attr(test, ts(as = "Option<bool>", optional))]
        inbox: bool,
    },
    /// The page of the settings.
    Settings {
        /// The tab of the settings.
        tab: Tab,
    },
}

impl Page {
    /// Returns the page of that ask; of the oldest one if there is none.
    pub fn answer(ask: Option<String>) -> Self {
        Self::Answer { ask, inbox: false }
    }

    /// Returns the page of the ask that has waited longest.
    pub fn oldest() -> Self {
        Self::answer(None)
    }

    /// Returns the page of all that waits, as a list.
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
    /// The agents that run here, and the servers.
    #[default]
    Agents,
    /// The bot and who is paired.
    Telegram,
    /// The rules of who counts as away, and what happens then.
    Presence,
    /// The machines that share what they ask.
    Machines,
    /// The desktop channel.
    Notifications,
    /// The asks that were answered.
    History,
    /// The checks of all parts.
    Health,
    /// The page of the first start.
    Welcome,
}

/// A request for a page that somebody wants to see.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PageRequest {
    /// The page.
    pub page: Page,
    /// The XDG activation token of the click: without it a Wayland desktop leaves the window in the
    /// background.
    #[serde(default)]
    pub activation: Option<String>,
    /// The login of the one who asks, on whose screen the page is to come up; absent if that is the
    /// resident's own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub login: Option<LoginSession>,
}

impl PageRequest {
    /// Makes a request for a page on the resident's own screen.
    pub fn here(page: Page, activation: Option<String>) -> Self {
        Self {
            page,
            activation,
            login: None,
        }
    }
}

/// A message of the resident to the window program, a frame of `GET /windows/wish` each.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum WindowMessage {
    /// A page is to be shown.
    Wish(PageRequest),
    /// A page may be wanted soon.
    Prepare,
    /// The settings have changed: language, undo, servers.
    Changed,
    /// Beckon ends, and there is nobody left to answer to.
    Bye,
}

/// An ask as the windows see it.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Waiting {
    /// The ask as in `list --json`.
    #[serde(flatten)]
    pub listed: ListedAsk,
    /// The serial of the ask, which is never used twice.
    pub serial: u64,
    /// The time for which it has waited, in milliseconds.
    pub waited_ms: i64,
    /// The patterns that "always" would allow; empty if there is no such button.
    pub can_always: Vec<String>,
    /// The answer that somebody has begun.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub draft_of_window: Option<WindowDraft>,
}

/// An answer that somebody has begun in a window.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct WindowDraft {
    /// The replies, as far as they go.
    #[cfg_attr(
        test,
        ts(type = "Array<{ choices: Array<number>, text?: string | null }>")
    )]
    pub replies: Vec<Reply>,
    /// The step that was shown.
    #[serde(default)]
    pub page: u32,
    /// The fingerprint of the ask that it was begun for. The answer is begun anew if the ask has
    /// changed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional, type = "string"))]
    pub seen: Option<Fingerprint>,
}

/// The figures of the day so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Today {
    /// The number of asks that were answered.
    pub answered: u32,
    /// The median of their waits, in milliseconds: half of them waited no longer.
    pub waited_median_ms: i64,
}

/// The answer to `GET /windows/view`: all that the resident knows for the windows, seen at one
/// moment.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct WindowSnapshot {
    /// The status, as in `status --json`.
    pub status: Status,
    /// Every ask that is not settled, oldest first.
    pub asks: Vec<Waiting>,
    /// The figures of the day, for a desk that is empty.
    pub today: Today,
}

/// The whole of what the web view draws.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct View {
    /// The status, as in `status --json`.
    pub status: Status,
    /// Every ask that is not settled, oldest first.
    pub asks: Vec<Waiting>,
    /// The texts of the windows.
    pub texts: UiTexts,
    /// The page that this window is to show.
    pub page: Page,
    /// The number of times that this window was called so far. A call for the page that it shows
    /// already has a new number, too.
    pub call: u32,
    /// The figures of the day, for a desk that is empty.
    pub today: Today,
    /// The time for which an answer can be taken back before it is sent, in milliseconds.
    pub undo_ms: u32,
}

/// The texts of the windows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct UiTexts {
    /// The language that is in use.
    pub language: String,
    /// The languages there are.
    pub languages: Vec<String>,
    /// The texts in Fluent's format: those of the language, then the English ones for what it
    /// lacks.
    pub ftl: String,
}

/// Returns an ask as the windows see it.
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
