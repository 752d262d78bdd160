//! The JSON that other programs read: `watch`, verdicts and problems here, the rest in the files
//! below. Names are a contract: fields may be added, never renamed.

mod answering;
mod audit;
#[cfg(test)]
mod bindings;
mod call;
mod codes;
mod ending;
mod finding;
mod history;
mod hub;
mod hub_log;
mod hub_team;
mod list;
mod local_asks;
mod pausing;
mod purpose;
mod responder;
mod risk;
mod settings;
mod state;
mod status;
mod telegram;
mod updates;
mod window;

pub use answering::AnswerBody;
pub use audit::AuditLine;
pub use call::{FileDeed, FileDeedCode, NamedArgument};
pub use codes::{
    AnswerPlace, ListedState, OperatingState, OutcomeKind, PermissionDecision, ProblemCode,
    ProxyState, ReturnCode, SourceStatus, VerdictState, WatchEvent, WireWord,
};
pub use ending::{AskKind, Ending, Replied, ending_of};
pub use finding::{Finding, TEST_QUESTION_WITHIN};
pub use history::{
    Activity, ActivityDay, AlwaysEnd, AlwaysGrant, AnswersAt, BlockedMinutes, GrantState,
    HistoryEntry, HistoryPage, LateReply, csv, history_entry,
};
pub use hub::{
    BotServing, DeviceTrust, HUB_WITHIN, HubBot, HubConnection, HubDevice, HubJoined, HubLeft,
    HubMachine, HubRefused, HubView, JoinBody, MachineState, RemoveBody,
};
pub use hub_log::HubLogEntry;
pub use hub_team::{HubPerson, HubRoute, HubTeam};
pub use list::{
    Agreed, AlsoRejects, AttentionBody, AttentionWord, Held, ListedAsk, OpenedSession, Permission,
    Question, Returned, Session, SetAside, Undelivered, also_rejects, list, listed, opens,
    permission, question, return_code, undelivered,
};
pub use local_asks::{AskedState, LocalAskStatus, NotifyResult, PermissionReply};
pub use pausing::PauseFor;
pub use purpose::{Purpose, VerbCode};
pub use responder::{AnsweredBy, ClaimedResponder, VouchedBy};
pub use risk::{RiskCode, RiskMark};
pub use settings::{
    HookSetting, HookState, Installed, Integrations, LocalAgent, LocalAgentState, PluginSetting,
    ServerSetting, ServerTested, Setting, SettingChange, Settings,
};
pub use state::{Abilities, Leg, LegKind, Nearby, Paired, RegisteredServer, SourceKind, Standing};
pub use status::{
    Channels, DesktopStatus, MachineStatus, PresenceStatus, Source, Status, TrayStatus,
};
pub use telegram::{Back, CardTested, PairingLink, ProxyStatus, TelegramInfo, TelegramStatus};
pub use updates::{UpdateState, UpdateStatus};
pub use window::{
    Page, PageRequest, Tab, Today, UiTexts, View, Waiting, WindowDraft, WindowMessage,
    WindowSnapshot, waiting,
};

use beckon_core::Outcome;
use serde::{Deserialize, Serialize};

/// The output of `answer --json`.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Verdict {
    /// The fate of the answer.
    #[cfg_attr(test, ts(as = "VerdictState"))]
    pub state: WireWord<VerdictState>,
    /// The place where the answer that counts was given.
    #[cfg_attr(test, ts(as = "Option<AnswerPlace>"))]
    pub by: Option<WireWord<AnswerPlace>>,
    /// The person who gave the faster answer, as far as that is known; with `already answered`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub responder: Option<AnsweredBy>,
    /// The trouble of an answer that the agent has not taken for longer than usual; with `sent`.
    /// Its delivery is still tried.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub undelivered: Option<Undelivered>,
    /// The other asks that the source rejects as well; for a rejection that is `taken` or `sent`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub also_rejects: Option<AlsoRejects>,
}

impl Verdict {
    /// Makes the verdict on an answer, with nothing more.
    pub fn new(state: VerdictState, by: Option<WireWord<AnswerPlace>>) -> Self {
        Self {
            state: state.into(),
            by,
            responder: None,
            undelivered: None,
            also_rejects: None,
        }
    }
}

/// A line of `watch --json`.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct WatchLine {
    /// The time of the event, in milliseconds since 1970.
    pub at: i64,
    /// The event.
    pub what: WireWord<WatchEvent>,
    /// The id of the ask.
    pub id: Option<String>,
    /// The name of the source.
    pub source: Option<String>,
    /// The kind of the ask.
    #[serde(default)]
    pub kind: Option<AskKind>,
    /// The topic of the ask; for a permission, its source's word for it.
    pub topic: Option<String>,
    /// The milliseconds since it was asked.
    pub since_asked: Option<i64>,
    /// The outcome of the ask, or the place where it was answered.
    pub outcome: Option<String>,
    /// The person who answered, as far as that is known; with `answered`, `sent`, `taken` and
    /// `settled`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub responder: Option<AnsweredBy>,
}

/// An error of the API.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Problem {
    /// The code of the error, for programs.
    #[cfg_attr(test, ts(as = "ProblemCode"))]
    pub code: WireWord<ProblemCode>,
    /// The error in words, for people.
    pub message: String,
    /// The place where the answer that counts was given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional, as = "Option<AnswerPlace>"))]
    pub by: Option<WireWord<AnswerPlace>>,
    /// The person who gave it, as far as that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub responder: Option<Box<AnsweredBy>>,
}

/// Returns the word for an outcome: `answered`, `answered elsewhere`, …
pub fn outcome_word(outcome: &Outcome) -> String {
    word(&OutcomeKind::from(outcome))
}

/// Returns the serialised name of an enum's value.
pub fn word<T: Serialize>(value: &T) -> String {
    match serde_json::to_value(value) {
        Ok(serde_json::Value::String(word)) => word,
        _ => String::new(),
    }
}
