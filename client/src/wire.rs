//! The JSON that others read: `status`, `watch` and the verdicts here, the rest below. Names are a
//! contract: fields may be added, never renamed.

mod answering;
#[cfg(test)]
mod bindings;
mod codes;
mod ending;
mod finding;
mod history;
mod list;
mod local_asks;
mod pausing;
mod risk;
mod settings;
mod state;
mod telegram;
mod window;

pub use answering::AnswerBody;
pub use codes::{
    AnswerPlace, ListedState, OperatingState, OutcomeKind, PermissionDecision, ProblemCode,
    ProxyState, ReturnCode, SourceStatus, VerdictState, WatchEvent, WireWord,
};
pub use ending::{AskKind, Ending, Replied};
pub use finding::{Finding, TEST_QUESTION_WITHIN};
pub use history::{HistoryEntry, HistoryPage, csv, history_entry};
pub use list::{
    AlsoRejects, ListedAsk, Permission, Question, Returned, Session, Undelivered, also_rejects,
    list, listed, permission, question, undelivered,
};
pub use local_asks::{AskedState, LocalAskStatus, NotifyResult, PermissionReply};
pub use pausing::PauseFor;
pub use risk::{RiskCode, RiskMark};
pub use settings::{
    Installed, PluginSetting, ServerSetting, ServerTested, Setting, SettingChange, Settings,
};
pub use state::{Abilities, Leg, LegKind, Nearby, Paired, RegisteredServer, SourceKind, Standing};
pub use telegram::{Back, CardTested, PairingLink, ProxyStatus, TelegramInfo, TelegramStatus};
pub use window::{
    Page, PageRequest, Tab, Today, UiTexts, View, Waiting, WindowDraft, WindowMessage,
    WindowSnapshot, waiting,
};

use beckon_core::{
    BreakThrough, Outcome, Presence, PresenceOverride, PresenceReading, PresenceSource,
    PresenceState, PresenceView, Timestamp,
};
use serde::{Deserialize, Serialize};

/// `status --json`
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Status {
    /// Beckon's version.
    pub version: String,
    /// Every source and the notifications have said how they stand.
    pub ready: bool,
    /// The watched sources.
    pub sources: Vec<Source>,
    /// Where the human is.
    pub presence: PresenceStatus,
    /// The channels.
    pub channels: Channels,
    /// The tray.
    pub tray: TrayStatus,
    /// Asks that wait for a human.
    pub open: usize,
    /// Milliseconds since 1970 until which nothing rings.
    pub paused_until: Option<i64>,
    /// The database that was broken and set aside at this start, and what else is amiss.
    pub warnings: Vec<String>,
    /// Why there is no hot key although one is set; one of the warnings too.
    #[serde(default)]
    pub hotkey_error: Option<String>,
}

/// A source.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Source {
    /// Its name.
    pub name: String,
    /// What it speaks.
    #[serde(default)]
    pub kind: SourceKind,
    /// Its address.
    pub url: String,
    /// How it stands.
    #[cfg_attr(test, ts(as = "SourceStatus"))]
    pub state: WireWord<SourceStatus>,
    /// Its version.
    pub version: Option<String>,
    /// What is wrong.
    pub error: Option<String>,
    /// It is another Beckon.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(test, ts(optional, as = "Option<bool>"))]
    pub beckon: bool,
    /// It is read by a published contract that was not tried on a real server.
    #[serde(default)]
    pub experimental: bool,
    /// Of one that is `live`: what could not be read, so that something may be asked there that
    /// nobody here knows of. It is tried again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub missing: Option<String>,
}

/// Where the human is.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct PresenceStatus {
    /// `here`, `idle`, `locked`, `asleep`, `unknown`.
    #[cfg_attr(test, ts(type = "\"here\" | \"idle\" | \"locked\" | \"asleep\" | \"unknown\""))]
    pub state: Presence,
    /// Do they count as away?
    pub away: bool,
    /// What that rests on: `x11`, `logind`, … or `none`.
    #[cfg_attr(test, ts(type = "string"))]
    pub evidence: PresenceSource,
    /// When the last input was, if that is known: milliseconds since 1970.
    #[serde(default)]
    pub last_input: Option<i64>,
    /// What the human said.
    #[serde(rename = "override")]
    #[cfg_attr(test, ts(type = "\"auto\" | \"here\" | \"away\""))]
    pub said: PresenceOverride,
    /// Milliseconds since 1970 until which that holds.
    pub until: Option<i64>,
    /// Who tells of what on this machine, and what they say now.
    #[serde(default)]
    pub legs: Vec<Leg>,
}

/// The channels.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Channels {
    /// Desktop notifications.
    pub desktop: DesktopStatus,
    /// Telegram.
    pub telegram: TelegramStatus,
}

/// Desktop notifications.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct DesktopStatus {
    /// `works`, `down`, `starting`.
    #[cfg_attr(test, ts(as = "OperatingState"))]
    pub state: WireWord<OperatingState>,
    /// Why it does not.
    pub error: Option<String>,
    /// Who shows them.
    pub daemon: Option<String>,
    /// What that does, while it works.
    #[serde(default)]
    pub can: Option<Abilities>,
    /// Whether the desktop is told not to disturb; nothing where it does not say.
    #[serde(default)]
    pub do_not_disturb: Option<bool>,
    /// Which requests come through then.
    #[serde(default)]
    #[cfg_attr(test, ts(type = "\"never\" | \"permissions\" | \"always\""))]
    pub break_through: BreakThrough,
}

/// The tray.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct TrayStatus {
    /// `works`, `down`, `starting`, and `off` without one.
    #[cfg_attr(test, ts(as = "OperatingState"))]
    pub state: WireWord<OperatingState>,
    /// Why there is no icon.
    pub error: Option<String>,
}

/// `answer --json`
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Verdict {
    /// What came of it.
    #[cfg_attr(test, ts(as = "VerdictState"))]
    pub state: WireWord<VerdictState>,
    /// Where the answer that counts was given.
    #[cfg_attr(test, ts(as = "Option<AnswerPlace>"))]
    pub by: Option<WireWord<AnswerPlace>>,
    /// With `sent`: the agent has not taken it for longer than usual; it is tried on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub undelivered: Option<Undelivered>,
    /// Of a rejection that is `taken` or `sent`: what else its source rejects with it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub also_rejects: Option<AlsoRejects>,
}

impl Verdict {
    /// What came of an answer, and nothing more.
    pub fn new(state: VerdictState, by: Option<WireWord<AnswerPlace>>) -> Self {
        Self { state: state.into(), by, undelivered: None, also_rejects: None }
    }
}

/// A line of `watch --json`
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct WatchLine {
    /// Milliseconds since 1970.
    pub at: i64,
    /// What has happened.
    pub what: WireWord<WatchEvent>,
    /// The ask.
    pub id: Option<String>,
    /// The source.
    pub source: Option<String>,
    /// What kind of ask it is.
    #[serde(default)]
    pub kind: Option<AskKind>,
    /// What it is about; of a permission its source's word for it.
    pub topic: Option<String>,
    /// Milliseconds since it was asked.
    pub since_asked: Option<i64>,
    /// How it ended, or where it was answered.
    pub outcome: Option<String>,
}

/// What the API says of an error.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Problem {
    /// For programs.
    #[cfg_attr(test, ts(as = "ProblemCode"))]
    pub code: WireWord<ProblemCode>,
    /// For people.
    pub message: String,
    /// Where the answer that counts was given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional, as = "Option<AnswerPlace>"))]
    pub by: Option<WireWord<AnswerPlace>>,
}

impl Status {
    /// Is none of the sources reachable, though there are some?
    pub fn is_deaf(&self) -> bool {
        !self.sources.is_empty()
            && !self.sources.iter().any(|source| source.state == SourceStatus::Live)
    }
}

impl From<PresenceView> for PresenceStatus {
    fn from(view: PresenceView) -> Self {
        let PresenceState { reading, said } = view.standing;
        Self {
            state: reading.presence,
            away: view.away,
            evidence: reading.evidence,
            last_input: reading.last_input.map(|at| at.0),
            said,
            until: view.said_until.map(|at| at.0),
            legs: Vec::new(),
        }
    }
}

impl From<&PresenceStatus> for PresenceView {
    fn from(status: &PresenceStatus) -> Self {
        let PresenceStatus { state: presence, evidence, said, .. } = *status;
        let reading =
            PresenceReading { presence, evidence, last_input: status.last_input.map(Timestamp) };
        Self {
            standing: PresenceState { reading, said },
            away: status.away,
            said_until: status.until.map(Timestamp),
        }
    }
}

/// `answered`, `answered elsewhere`, …
pub fn outcome_word(outcome: &Outcome) -> String {
    word(&OutcomeKind::from(outcome))
}

/// An enum's own serialised name.
pub fn word<T: Serialize>(value: &T) -> String {
    match serde_json::to_value(value) {
        Ok(serde_json::Value::String(word)) => word,
        _ => String::new(),
    }
}
