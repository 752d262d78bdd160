//! The JSON that others read: `status`, `watch` and the verdicts here, the rest below. Names are a
//! contract: fields may be added, never renamed.

#[cfg(test)]
mod bindings;
mod codes;
mod ending;
mod finding;
mod history;
mod list;
mod local_asks;
mod settings;
mod state;
mod telegram;
mod window;

pub use codes::{
    AnswerPlace, ListedState, OperatingState, OutcomeKind, PermissionDecision, ProblemCode,
    ReturnCode, SourceStatus, VerdictState, WatchEvent, WireWord,
};
pub use ending::{AskKind, Ending, Replied};
pub use finding::Finding;
pub use history::{HistoryEntry, HistoryPage, csv, history_entry};
pub use list::{
    AlsoRejects, ListedAsk, Permission, Question, Returned, Session, Undelivered, also_rejects,
    list, listed, undelivered,
};
pub use local_asks::{AskedState, LocalAskStatus, NotifyResult};
pub use settings::{
    PluginSetting, ServerSetting, ServerTested, Setting, SettingChange, Settings, server_setting,
    settings,
};
pub use state::{Abilities, Leg, LegKind, Paired, RegisteredServer, SourceKind, Standing};
pub use telegram::{Back, CardTested, PairingLink, TelegramInfo, TelegramStatus, telegram};
pub use window::{
    Page, PageRequest, Tab, Today, UiTexts, View, Waiting, WindowDraft, WindowMessage,
    WindowSnapshot, waiting,
};

use crate::app::snapshot::Bulletin;
use crate::app::snapshot::Snapshot;
use crate::app::snapshot::SourcePlace;
use crate::app::warning;
use crate::channels::desktop::ChannelState;
use crate::sources::opencode;
use crate::text::Texts;
use crate::text::words;
use crate::tray;
use beckon_core::{
    BreakThrough, News, Outcome, Presence, PresenceOverride, PresenceReading, PresenceSource,
    PresenceState, PresenceView, SourceState, Timestamp,
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

/// `status --json`
pub fn status(snapshot: &Snapshot, texts: &Texts) -> Status {
    let view = &snapshot.view;
    let sources: Vec<Source> = view.sources.iter().map(|s| source(s, snapshot, texts)).collect();
    let desktop = desktop_status(&snapshot.desktop, texts);
    Status {
        version: env!("CARGO_PKG_VERSION").into(),
        ready: sources.iter().all(|source| source.state != SourceStatus::Connecting)
            && desktop.state != OperatingState::Starting,
        sources,
        presence: PresenceStatus {
            legs: snapshot.legs.clone(),
            ..PresenceStatus::from(view.presence)
        },
        channels: Channels { desktop, telegram: telegram::telegram_status(&snapshot.telegram) },
        tray: tray_status(snapshot.tray.as_ref()),
        open: snapshot.open,
        paused_until: view.paused_until.map(|at| at.0),
        warnings: snapshot.warnings.clone(),
        hotkey_error: snapshot.hotkey_error.clone(),
    }
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

fn source(view: &beckon_core::SourceView, snapshot: &Snapshot, texts: &Texts) -> Source {
    let (state, version, error) = match view.state.clone() {
        SourceState::Connecting { error: None } => (SourceStatus::Connecting, None, None),
        SourceState::Connecting { error: Some(fault) } => {
            (SourceStatus::Unreachable, None, Some(words::fault(texts, &fault)))
        }
        SourceState::Live { version } => (SourceStatus::Live, version, None),
        SourceState::Unauthorized => (SourceStatus::Unauthorized, None, Some("401".into())),
    };
    let name = view.id.0.clone();
    let SourcePlace { kind, url } = snapshot.places.get(&name).cloned().unwrap_or_default();
    let said = snapshot.beckons.get(&name);
    let experimental = version.as_deref().is_some_and(opencode::is_experimental);
    let error = error.or_else(|| said.cloned().flatten());
    let beckon = said.is_some();
    let gaps = snapshot.gaps.get(&name).filter(|_| state == SourceStatus::Live);
    let missing = gaps.map(|gaps| warning::of_gaps(&name, gaps, texts));
    Source { name, kind, url, state: state.into(), version, error, beckon, experimental, missing }
}

fn desktop_status(state: &ChannelState, texts: &Texts) -> DesktopStatus {
    let silent = |state: OperatingState, error| DesktopStatus {
        state: state.into(),
        error,
        daemon: None,
        can: None,
        do_not_disturb: None,
        break_through: BreakThrough::default(),
    };
    match state.clone() {
        ChannelState::Starting => silent(OperatingState::Starting, None),
        ChannelState::Works { daemon, can, do_not_disturb, break_through } => DesktopStatus {
            state: OperatingState::Works.into(),
            error: None,
            daemon: Some(daemon),
            can: Some(can),
            do_not_disturb,
            break_through,
        },
        ChannelState::Down(why, reason) => {
            silent(OperatingState::Down, Some(why.words(texts, &reason)))
        }
    }
}

fn tray_status(state: Option<&tray::TrayState>) -> TrayStatus {
    let (state, error) = match state {
        None => (OperatingState::Off, None),
        Some(tray::TrayState::Starting) => (OperatingState::Starting, None),
        Some(tray::TrayState::Works) => (OperatingState::Works, None),
        Some(tray::TrayState::Fails(error)) => (OperatingState::Down, Some(error.clone())),
    };
    TrayStatus { state: state.into(), error }
}

/// A line of `watch --json`.
pub fn watched(bulletin: &Bulletin) -> WatchLine {
    let (what, id, outcome) = match &bulletin.news {
        News::Asked(id) => (WatchEvent::Asked, Some(id), None),
        News::Shown(id, channel) => (WatchEvent::Shown, Some(id), Some(word(channel))),
        News::Answered(id, by) => {
            (WatchEvent::Answered, Some(id), Some(word(&AnswerPlace::from(*by))))
        }
        News::Sent(id) => (WatchEvent::Sent, Some(id), None),
        News::Undelivered(id) => (WatchEvent::Undelivered, Some(id), None),
        News::Returned(id) => (WatchEvent::Returned, Some(id), None),
        News::Settled(id, outcome) => (settled(outcome), Some(id), Some(outcome_word(outcome))),
        News::Reopened(id) => (WatchEvent::Reopened, Some(id), None),
        News::Changed(id) => (WatchEvent::Changed, Some(id), None),
        News::Source(_) => (WatchEvent::Source, None, None),
        News::Standing => (WatchEvent::Presence, None, None),
    };
    let source = match &bulletin.news {
        News::Source(source) => Some(source.0.clone()),
        _ => id.map(|id| id.source.0.clone()),
    };
    let entry = bulletin.entry.as_ref();
    WatchLine {
        at: bulletin.at.0,
        what: what.into(),
        id: bulletin.name.clone(),
        source,
        kind: entry.map(|entry| AskKind::of(&entry.ask.kind)),
        topic: entry.map(|entry| entry.topic().to_owned()),
        since_asked: entry.map(|entry| (bulletin.at - entry.ask.asked_at).0),
        outcome,
    }
}

fn settled(outcome: &Outcome) -> WatchEvent {
    match outcome {
        Outcome::Answered { .. } => WatchEvent::Taken,
        Outcome::Elsewhere { .. }
        | Outcome::DismissedElsewhere
        | Outcome::Expired
        | Outcome::Gone => WatchEvent::Settled,
    }
}

/// `answered`, `answered elsewhere`, …
pub fn outcome_word(outcome: &Outcome) -> String {
    word(&OutcomeKind::from(outcome))
}

/// An enum's own serialised name.
pub(crate) fn word<T: Serialize>(value: &T) -> String {
    match serde_json::to_value(value) {
        Ok(serde_json::Value::String(word)) => word,
        _ => String::new(),
    }
}
