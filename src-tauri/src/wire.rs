//! The JSON that others read: `list`, `status`, `watch` and the verdicts. Names are a contract:
//! fields may be added, never renamed.

use crate::snapshot::{Bulletin, ChannelState, Snapshot};
use beckon_core::{
    AskView, Channel, Evidence, Kind, News, Outcome, Override, Presence, PresenceView, Reading,
    SourceState, Standing, State, Surface, Timestamp, View,
};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// An item of `list --json`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Listed {
    /// What to call it.
    pub id: String,
    /// Its source.
    pub source: String,
    /// `question`, `permission` or `confirm`.
    pub kind: String,
    /// `open`, `answering`, or `stale` (the agent seems to have stopped waiting).
    pub state: String,
    /// Milliseconds since 1970.
    pub asked_at: i64,
    /// Who asks.
    pub session: Session,
    /// Of a question set.
    pub questions: Vec<Question>,
    /// Of a permission.
    pub permission: Option<Permission>,
    /// Of a confirm: what the agent says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub info: Option<String>,
}

/// Who asks.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Session {
    /// The source's id of it.
    pub id: String,
    /// Its title, once known.
    pub title: Option<String>,
    /// Its directory.
    pub directory: String,
    /// Its agent, once known.
    pub agent: Option<String>,
    /// The session that started it.
    pub parent: Option<String>,
    /// What the agent said last.
    pub last_words: Option<String>,
}

/// One question.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Question {
    /// A few words.
    pub header: String,
    /// The full question.
    pub question: String,
    /// Several may be taken.
    pub multiple: bool,
    /// Own text is allowed.
    pub custom: bool,
    /// Numbered from 1 on the command line.
    pub choices: Vec<Choice>,
}

/// One choice.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Choice {
    /// What is shown.
    pub label: String,
    /// A sentence about it.
    pub description: String,
}

/// What is to be allowed.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Permission {
    /// The source's word for it.
    pub permission: String,
    /// What for.
    pub patterns: Vec<String>,
    /// What "always" would allow.
    pub always: Vec<String>,
    /// The exact command.
    pub command: Option<String>,
    /// The exact change.
    pub diff: Option<String>,
}

/// `status --json`
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Status {
    /// Beckon's version.
    pub version: String,
    /// Every room has said how it stands.
    pub ready: bool,
    /// The watched sources.
    pub sources: Vec<Source>,
    /// Where the human is.
    pub presence: PresenceStatus,
    /// The channels.
    pub channels: Channels,
    /// Asks that wait for a human.
    pub open: usize,
    /// Milliseconds since 1970 until which nothing rings.
    pub paused_until: Option<i64>,
    /// The database that was broken and set aside at this start, and what else is amiss.
    pub warnings: Vec<String>,
}

/// A source.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Source {
    /// Its name.
    pub name: String,
    /// Its address.
    pub url: String,
    /// `connecting`, `live`, `unreachable`, `unauthorized`.
    pub state: String,
    /// Its version.
    pub version: Option<String>,
    /// What is wrong.
    pub error: Option<String>,
}

/// Where the human is.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct PresenceStatus {
    /// `here`, `idle`, `locked`, `asleep`, `unknown`.
    pub state: Presence,
    /// Do they count as away?
    pub away: bool,
    /// What that rests on: `x11`, `logind`, … or `none`.
    pub evidence: Evidence,
    /// When the last input was, if that is known: milliseconds since 1970.
    #[serde(default)]
    pub last_input: Option<i64>,
    /// What the human said.
    #[serde(rename = "override")]
    pub said: Override,
    /// What they said holds until then: milliseconds since 1970.
    #[serde(default)]
    pub said_until: Option<i64>,
}

/// The channels.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Channels {
    /// Desktop notifications.
    pub desktop: DesktopStatus,
    /// Telegram.
    pub telegram: TelegramStatus,
}

/// Desktop notifications.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct DesktopStatus {
    /// `works`, `down`, `starting`.
    pub state: String,
    /// Why it does not.
    pub error: Option<String>,
    /// Who shows them.
    pub daemon: Option<String>,
}

/// Telegram.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct TelegramStatus {
    /// `off` until a bot is set up.
    pub state: String,
    /// The bot's name.
    pub bot: Option<String>,
    /// How many people are paired.
    pub paired: usize,
    /// What is wrong.
    pub error: Option<String>,
}

/// `answer --json`
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Verdict {
    /// `sent`, `taken`, `already answered`, and `gone` when the agent had stopped waiting.
    pub state: String,
    /// Where the answer that counts was given.
    pub by: Option<String>,
}

/// A line of `watch --json`
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Watched {
    /// Milliseconds since 1970.
    pub at: i64,
    /// `asked`, `shown`, `answered`, `sent`, `taken`, `settled`, `reopened`, `source`, `presence`.
    pub what: String,
    /// The ask.
    pub id: Option<String>,
    /// The source.
    pub source: Option<String>,
    /// What it is about.
    pub topic: Option<String>,
    /// Milliseconds since it was asked.
    pub since_asked: Option<i64>,
    /// How it ended, or where it was answered.
    pub outcome: Option<String>,
}

/// What the API says of an error.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Problem {
    /// For programs.
    pub code: String,
    /// For people.
    pub message: String,
    /// Where the answer that counts was given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
}

/// The items of `list --json`.
pub fn list(view: &View) -> Vec<Listed> {
    view.asks.iter().map(listed).collect()
}

/// One item.
pub fn listed(view: &AskView) -> Listed {
    let ask = &view.entry.ask;
    let kind = match ask.kind {
        Kind::Questions(_) => "question",
        Kind::Permission(_) => "permission",
        Kind::Confirm(_) => "confirm",
    };
    let state = match view.entry.state {
        State::Answering { .. } => "answering",
        _ if view.entry.quiet_since.is_some() => "stale",
        _ => "open",
    };
    Listed {
        id: view.name.clone(),
        source: ask.id.source.0.clone(),
        kind: kind.into(),
        state: state.into(),
        asked_at: ask.asked_at.0,
        session: session(&ask.session),
        questions: ask.questions().iter().map(question).collect(),
        permission: permission(&ask.kind),
        info: match &ask.kind {
            Kind::Confirm(info) => Some(info.clone()),
            Kind::Questions(_) | Kind::Permission(_) => None,
        },
    }
}

fn session(session: &beckon_core::Session) -> Session {
    Session {
        id: session.id.clone(),
        title: session.title.clone(),
        directory: session.directory.clone(),
        agent: session.agent.clone(),
        parent: session.parent.clone(),
        last_words: session.last_words.clone(),
    }
}

fn question(question: &beckon_core::Question) -> Question {
    let choice = |choice: &beckon_core::Choice| Choice {
        label: choice.label.clone(),
        description: choice.description.clone(),
    };
    Question {
        header: question.header.clone(),
        question: question.question.clone(),
        multiple: question.multiple,
        custom: question.custom,
        choices: question.choices.iter().map(choice).collect(),
    }
}

fn permission(kind: &Kind) -> Option<Permission> {
    let Kind::Permission(permission) = kind else { return None };
    let beckon_core::Permission { permission, patterns, always, command, diff } =
        permission.clone();
    Some(Permission { permission, patterns, always, command, diff })
}

/// `status --json`
pub fn status(snapshot: &Snapshot) -> Status {
    let view = &snapshot.view;
    let sources: Vec<Source> = view.sources.iter().map(|s| source(s, &snapshot.urls)).collect();
    let desktop = desktop_status(&snapshot.desktop);
    let settled = |state: &str| !matches!(state, "connecting" | "starting");
    Status {
        version: env!("CARGO_PKG_VERSION").into(),
        ready: sources.iter().all(|s| settled(&s.state)) && settled(&desktop.state),
        sources,
        presence: PresenceStatus::from(view.presence),
        channels: Channels {
            desktop,
            telegram: TelegramStatus { state: "off".into(), bot: None, paired: 0, error: None },
        },
        open: view.waiting().count(),
        paused_until: view.paused_until.map(|at| at.0),
        warnings: snapshot.warnings.clone(),
    }
}

impl From<PresenceView> for PresenceStatus {
    fn from(view: PresenceView) -> Self {
        let Standing { reading, said } = view.standing;
        Self {
            state: reading.presence,
            away: view.away,
            evidence: reading.evidence,
            last_input: reading.last_input.map(|at| at.0),
            said,
            said_until: view.said_until.map(|at| at.0),
        }
    }
}

impl From<&PresenceStatus> for PresenceView {
    fn from(status: &PresenceStatus) -> Self {
        let PresenceStatus { state: presence, evidence, said, .. } = *status;
        let reading = Reading { presence, evidence, last_input: status.last_input.map(Timestamp) };
        Self {
            standing: Standing { reading, said },
            away: status.away,
            said_until: status.said_until.map(Timestamp),
        }
    }
}

fn source(view: &beckon_core::SourceView, urls: &BTreeMap<String, String>) -> Source {
    let (state, version, error) = match view.state.clone() {
        SourceState::Connecting { error: None } => ("connecting", None, None),
        SourceState::Connecting { error } => ("unreachable", None, error),
        SourceState::Live { version } => ("live", version, None),
        SourceState::Unauthorized => ("unauthorized", None, Some("401".into())),
    };
    let name = view.id.0.clone();
    let url = urls.get(&name).cloned().unwrap_or_default();
    Source { name, url, state: state.into(), version, error }
}

fn desktop_status(state: &ChannelState) -> DesktopStatus {
    let (word, daemon, error) = match state.clone() {
        ChannelState::Starting => ("starting", None, None),
        ChannelState::Works(daemon) => ("works", Some(daemon), None),
        ChannelState::Down(error) => ("down", None, Some(error)),
    };
    DesktopStatus { state: word.into(), error, daemon }
}

/// A line of `watch --json`.
pub fn watched(bulletin: &Bulletin) -> Watched {
    let (what, id, outcome) = match &bulletin.news {
        News::Asked(id) => ("asked", Some(id), None),
        News::Shown(id, channel) => ("shown", Some(id), Some(channel_word(*channel))),
        News::Answered(id, by) => ("answered", Some(id), Some(surface(*by))),
        News::Sent(id) => ("sent", Some(id), None),
        News::Settled(id, outcome @ Outcome::Answered { .. }) => {
            ("taken", Some(id), Some(outcome_word(outcome)))
        }
        News::Settled(id, outcome) => ("settled", Some(id), Some(outcome_word(outcome))),
        News::Reopened(id) => ("reopened", Some(id), None),
        News::Source(_) => ("source", None, None),
        News::Standing => ("presence", None, None),
    };
    let source = match &bulletin.news {
        News::Source(source) => Some(source.0.clone()),
        _ => id.map(|id| id.source.0.clone()),
    };
    let entry = bulletin.entry.as_ref();
    Watched {
        at: bulletin.at.0,
        what: what.into(),
        id: id.map(|id| id.own.clone()),
        source,
        topic: entry.map(|entry| entry.topic().to_owned()),
        since_asked: entry.map(|entry| (bulletin.at - entry.ask.asked_at).0),
        outcome,
    }
}

/// `answered`, `elsewhere`, …
pub fn outcome_word(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Answered { .. } => "answered",
        Outcome::Elsewhere { .. } => "answered elsewhere",
        Outcome::DismissedElsewhere => "dismissed elsewhere",
        Outcome::Expired => "expired",
        Outcome::Gone => "gone",
    }
    .into()
}

/// Where an outcome was decided.
pub fn outcome_by(outcome: &Outcome) -> Option<String> {
    match outcome {
        Outcome::Answered { by, .. } => Some(surface(*by)),
        Outcome::Elsewhere { .. } | Outcome::DismissedElsewhere => Some("elsewhere".into()),
        Outcome::Expired => Some(surface(Surface::Clock)),
        Outcome::Gone => None,
    }
}

/// `notification`, `tray`, `cli`, …
pub fn surface(surface: Surface) -> String {
    word(&surface)
}

fn channel_word(channel: Channel) -> String {
    word(&channel)
}

/// An enum's own serialised name.
fn word<T: Serialize>(value: &T) -> String {
    match serde_json::to_value(value) {
        Ok(serde_json::Value::String(word)) => word,
        _ => String::new(),
    }
}
