//! The JSON that programs read. `watch`, verdicts and problems are here, the rest in the modules
//! below. The names are a contract: fields may be added, never renamed.

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

/// The output of `answer --json`: what became of an answer.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Verdict {
    /// The state of the answer.
    #[cfg_attr(test, ts(as = "VerdictState"))]
    pub state: WireWord<VerdictState>,
    /// The place where the answer that counts was given.
    #[cfg_attr(test, ts(as = "Option<AnswerPlace>"))]
    pub by: Option<WireWord<AnswerPlace>>,
    /// The person and device that gave the answer that counts, with `already answered` and as far
    /// as they are known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub responder: Option<AnsweredBy>,
    /// The trouble of an answer that the agent has not taken for longer than usual, with `sent`.
    /// Delivery is tried again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub undelivered: Option<Undelivered>,
    /// The other asks that the source rejects with this one, for a rejection that is `taken` or
    /// `sent`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub also_rejects: Option<AlsoRejects>,
}

impl Verdict {
    /// Makes a verdict without any details.
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

/// A line of `watch --json`
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct WatchLine {
    /// The time of the event, in milliseconds since 1970.
    pub at: i64,
    /// The kind of event.
    pub what: WireWord<WatchEvent>,
    /// The ask's id.
    pub id: Option<String>,
    /// The source's name.
    pub source: Option<String>,
    /// The kind of ask.
    #[serde(default)]
    pub kind: Option<AskKind>,
    /// The topic of the ask; of a permission the source's word for it.
    pub topic: Option<String>,
    /// Milliseconds since it was asked.
    pub since_asked: Option<i64>,
    /// The outcome of the ask, or the place where it was answered.
    pub outcome: Option<String>,
    /// The person and device that answered, with `answered`, `sent`, `taken` and `settled` and as
    /// far as they are known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub responder: Option<AnsweredBy>,
}

/// The body of an error response of the API.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Problem {
    /// The reason as a word for programs.
    #[cfg_attr(test, ts(as = "ProblemCode"))]
    pub code: WireWord<ProblemCode>,
    /// The reason as a sentence for people.
    pub message: String,
    /// The place where the answer that counts was given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional, as = "Option<AnswerPlace>"))]
    pub by: Option<WireWord<AnswerPlace>>,
    /// The person and device that gave that answer, as far as that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub responder: Option<Box<AnsweredBy>>,
}

/// Returns the word for an outcome: `answered`, `answered elsewhere`, …
pub fn outcome_word(outcome: &Outcome) -> String {
    word(&OutcomeKind::from(outcome))
}

/// Returns an enum's serialised name.
pub fn word<T: Serialize>(value: &T) -> String {
    match serde_json::to_value(value) {
        Ok(serde_json::Value::String(word)) => word,
        _ => String::new(),
    }
}
