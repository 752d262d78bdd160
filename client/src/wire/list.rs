//! The output of `list --json`: an item for every ask that is not settled.

mod attention;
mod opened;

pub use attention::{AttentionBody, AttentionWord, SetAside};
pub use opened::{OpenedSession, opens};

use super::call::{FileDeed, NamedArgument};
use super::codes::{ListedState, ReturnCode, WireWord};
use super::ending::AskKind;
use super::history::AlwaysEnd;
use super::purpose::Purpose;
use super::responder::AnsweredBy;
use super::risk::{self, RiskMark};
use beckon_core::hub::HubRefusal;
use beckon_core::hub::team::{FirstAnswers, Hold};
use beckon_core::{
    AskContent, AskState, AskView, DeskView, Entry, Fingerprint, PermissionPurpose, RejectionReach,
    Responder, ReturnReason,
};
use serde::{Deserialize, Serialize};

/// An item of `list --json`.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ListedAsk {
    /// The name by which commands and the API know it.
    pub id: String,
    /// The name of its source.
    pub source: String,
    /// The kind of the ask.
    #[cfg_attr(test, ts(as = "AskKind"))]
    pub kind: WireWord<AskKind>,
    /// The state of the ask.
    #[cfg_attr(test, ts(as = "ListedState"))]
    pub state: WireWord<ListedState>,
    /// The time when it was asked, in milliseconds since 1970.
    pub asked_at: i64,
    /// The fingerprint of what is asked, in ten characters: an answer that gives it is refused if
    /// the ask has changed.
    #[serde(default)]
    #[cfg_attr(test, ts(type = "string"))]
    pub fingerprint: Fingerprint,
    /// Whether something else was asked under its id before, or less was known of it. A person who
    /// answers by that id may mean the former content.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub changed: bool,
    /// The session that asks.
    pub session: Session,
    /// Whether there may be a way to the place where its session runs: `beckon open`.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(test, ts(as = "Option<bool>", optional))]
    pub opens: bool,
    /// The tool call that waits, if the source tells of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub tool: Option<ToolCall>,
    /// The questions, of a question set.
    pub questions: Vec<Question>,
    /// The permission that is asked for, of a permission.
    pub permission: Option<Permission>,
    /// The dangers of a permission. Only what is dangerous beyond doubt is marked.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(test, ts(as = "Option<Vec<RiskMark>>", optional))]
    pub risks: Vec<RiskMark>,
    /// The words of the agent, of a confirm.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub info: Option<String>,
    /// The ask as it came, if its form is not known to Beckon; it takes no answer from here. Such a
    /// question has no questions, such a permission no permission.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub unknown: Option<String>,
    /// The reason why the last answer came back.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub returned: Option<Returned>,
    /// The person who gave the answer that is on its way, as far as that is known; while it is
    /// `answering`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub responder: Option<AnsweredBy>,
    /// The trouble of an answer that the agent does not take, if there is such an answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub undelivered: Option<Undelivered>,
    /// The number of times that it is asked, if more than once: equal permissions of its session
    /// are answered together with it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub times: Option<usize>,
    /// Whether it is one of those that are answered together with another one, and shown there.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(test, ts(as = "Option<bool>", optional))]
    pub behind: bool,
    /// The human's wish not to be reminded: they have seen or snoozed it. Absent if it may ring.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub set_aside: Option<SetAside>,
    /// The people of a team who decide it; absent if this machine's human may.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub held: Option<Held>,
    /// The people who have agreed, if two must. If the ask isn't held, the next person who says the
    /// same decides it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub agreed: Option<Agreed>,
    /// The other asks of its session that are rejected with it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub also_rejects: Option<AlsoRejects>,
}

/// An answer that its agent has not taken for longer than usual. Its delivery is still tried.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Undelivered {
    /// The time when the answer was given, in milliseconds since 1970.
    pub since: i64,
    /// The error of the last try; absent if it seemed to arrive.
    pub why: Option<String>,
}

/// A request that other people of a team decide.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Held {
    /// The names of those who can decide it; empty if a role or a rota has nobody now.
    pub deciders: Vec<String>,
    /// The names of those who have agreed already, if two must.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(test, ts(as = "Option<Vec<String>>", optional))]
    pub agreed: Vec<String>,
    /// The answer that those have given.
    #[serde(default)]
    #[cfg_attr(test, ts(type = "\"yes\" | \"answer\" | \"apart\""))]
    pub said: FirstAnswers,
}

/// The people who have agreed already, if two must, whoever decides it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Agreed {
    /// The names of the people.
    pub people: Vec<String>,
    /// The answer that they have given.
    #[serde(default)]
    #[cfg_attr(test, ts(type = "\"yes\" | \"answer\" | \"apart\""))]
    pub said: FirstAnswers,
}

impl Agreed {
    fn of(entry: &Entry) -> Option<Self> {
        entry
            .first_answers()
            .map(|(people, said)| Self { people, said })
    }
}

impl From<&Hold> for Held {
    fn from(hold: &Hold) -> Self {
        let (deciders, agreed) = (hold.deciders.clone(), hold.agreed.clone());
        Self {
            deciders,
            agreed,
            said: hold.said,
        }
    }
}

impl From<&Held> for Hold {
    fn from(held: &Held) -> Self {
        let (deciders, agreed) = (held.deciders.clone(), held.agreed.clone());
        Self {
            deciders,
            agreed,
            said: held.said,
        }
    }
}

/// A tool call, with its ids as OpenCode's own lists have them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ToolCall {
    /// The message that holds the call.
    #[serde(rename = "messageID")]
    pub message_id: String,
    /// The id of the call.
    #[serde(rename = "callID")]
    pub call_id: String,
}

/// The other asks that a rejection takes along at its source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AlsoRejects {
    /// The number of the others; 9 means 9 or more.
    pub count: usize,
    /// Whether it surely takes them along; if not, nobody has said so.
    pub certain: bool,
}

/// The reason why an answer came back.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Returned {
    /// The reason, in a word for programs.
    #[cfg_attr(test, ts(as = "ReturnCode"))]
    pub reason: WireWord<ReturnCode>,
    /// The agent's own words when it refuses, or the error that kept the answer from being
    /// delivered.
    pub detail: Option<String>,
}

/// The session that asks.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Session {
    /// The id of the session at its source.
    pub id: String,
    /// The title of the session, once known.
    pub title: Option<String>,
    /// The directory of the session.
    pub directory: String,
    /// The agent of the session, once known.
    pub agent: Option<String>,
    /// The session that started it.
    pub parent: Option<String>,
    /// The last words of the agent.
    pub last_words: Option<String>,
}

/// A question of a question set.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Question {
    /// The header, of a few words.
    pub header: String,
    /// The full question.
    pub question: String,
    /// Whether several choices may be taken.
    pub multiple: bool,
    /// Whether own text is allowed.
    pub custom: bool,
    /// The choices, numbered from 1 on the command line.
    pub choices: Vec<Choice>,
}

/// A choice of a question.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Choice {
    /// The label, which is shown.
    pub label: String,
    /// A sentence about the choice.
    pub description: String,
}

/// A permission that is asked for.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Permission {
    /// The source's word for it.
    pub permission: String,
    /// The purpose, as a title names it; absent from an older Beckon.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub purpose: Option<Purpose>,
    /// The patterns that it is asked for, such as commands or files.
    pub patterns: Vec<String>,
    /// The patterns that "always" would allow.
    pub always: Vec<String>,
    /// The time until which that would hold; `unsaid` if it comes from an older Beckon.
    #[serde(default)]
    pub always_until: AlwaysEnd,
    /// The exact command.
    pub command: Option<String>,
    /// The exact change.
    pub diff: Option<String>,
    /// The changes of files, if more than their content changes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(test, ts(as = "Option<Vec<FileDeed>>", optional))]
    pub files: Vec<FileDeed>,
    /// The other arguments of the call, each under its name.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(test, ts(as = "Option<Vec<NamedArgument>>", optional))]
    pub arguments: Vec<NamedArgument>,
    /// Whether there may be more arguments: the agent has not told all that the call is given.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(test, ts(as = "Option<bool>", optional))]
    pub is_partial: bool,
    /// The number of further patterns, files and rules, which are not kept.
    #[serde(default, skip_serializing_if = "is_none_left")]
    #[cfg_attr(test, ts(as = "Option<usize>", optional))]
    pub left_out: usize,
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde hands over what it has"
)]
fn is_none_left(count: &usize) -> bool {
    *count == 0
}

/// Returns the items of `list --json`.
pub fn list(view: &DeskView) -> Vec<ListedAsk> {
    view.asks.iter().map(listed).collect()
}

/// Returns the item of an ask.
pub fn listed(view: &AskView) -> ListedAsk {
    let ask = &view.entry.ask;
    let state = match view.entry.state {
        AskState::Answering { .. } => ListedState::Answering,
        _ if view.entry.quiet_since.is_some() => ListedState::Stale,
        _ => ListedState::Open,
    };
    ListedAsk {
        id: view.name.clone(),
        source: ask.id.source.0.clone(),
        kind: AskKind::of(&ask.kind).into(),
        state: state.into(),
        asked_at: ask.asked_at.0,
        fingerprint: view.entry.target().fingerprint,
        changed: view.entry.changed,
        session: session(&ask.session),
        opens: opens(ask),
        tool: ask.call.as_ref().map(tool_call),
        questions: ask.questions().iter().map(question).collect(),
        permission: permission_of(&ask.kind, view.entry.purpose()),
        risks: risk::marks(ask, view.entry.risks()),
        info: match &ask.kind {
            AskContent::Confirm(info) => Some(info.clone()),
            AskContent::Questions(_) | AskContent::Permission(_) | AskContent::Unknown(_) => None,
        },
        unknown: match &ask.kind {
            AskContent::Unknown(unknown) => Some(unknown.raw.clone()),
            AskContent::Questions(_) | AskContent::Permission(_) | AskContent::Confirm(_) => None,
        },
        returned: view.entry.returned.as_ref().map(returned),
        responder: answering(&view.entry).map(AnsweredBy::from),
        undelivered: view.entry.undelivered.as_ref().map(undelivered),
        times: times(&view.entry),
        behind: view.entry.behind,
        set_aside: SetAside::of(view.entry.attention),
        held: view.entry.hold.as_ref().map(Held::from),
        agreed: Agreed::of(&view.entry),
        also_rejects: also_rejects(&view.entry),
    }
}

/// Returns the person whose answer is on its way.
fn answering(entry: &Entry) -> Option<&Responder> {
    let is_answering = matches!(entry.state, AskState::Answering { .. });
    entry.responder.as_ref().filter(|_| is_answering)
}

/// Converts the trouble of an answer for the list.
pub fn undelivered(trouble: &beckon_core::UndeliveredAnswer) -> Undelivered {
    Undelivered {
        since: trouble.since.0,
        why: trouble.why.clone(),
    }
}

pub(super) fn times(entry: &Entry) -> Option<usize> {
    Some(entry.also_asked + 1).filter(|times| *times > 1)
}

/// Returns what a rejection of this ask takes along.
pub fn also_rejects(entry: &Entry) -> Option<AlsoRejects> {
    let (reach, count) = entry.rejects_beside()?;
    Some(AlsoRejects {
        count,
        certain: reach == RejectionReach::Session,
    })
}

/// Returns the word for the reason why an answer came back.
pub fn return_code(why: &ReturnReason) -> ReturnCode {
    match why {
        ReturnReason::Refused(_) => ReturnCode::Refused,
        ReturnReason::Unauthorized => ReturnCode::Unauthorized,
        ReturnReason::Forbidden => ReturnCode::Forbidden,
        ReturnReason::Unproven => ReturnCode::Unproven,
        ReturnReason::Changed => ReturnCode::Changed,
        ReturnReason::Undelivered(_) => ReturnCode::Undelivered,
        ReturnReason::Unconfirmed => ReturnCode::Unconfirmed,
        ReturnReason::NoThread => ReturnCode::NoThread,
        ReturnReason::NeedsAnother => ReturnCode::NeedsAnother,
        ReturnReason::Hub(refusal) => match refusal {
            HubRefusal::Forbidden => ReturnCode::HubForbidden,
            HubRefusal::NoKey => ReturnCode::HubNoKey,
            HubRefusal::Unlisted => ReturnCode::HubUnlisted,
            HubRefusal::Unreadable => ReturnCode::HubUnreadable,
            HubRefusal::Unfit => ReturnCode::HubUnfit,
            HubRefusal::Held => ReturnCode::HubHeld,
        },
    }
}

fn returned(why: &ReturnReason) -> Returned {
    let detail = match why {
        ReturnReason::Refused(detail) => Some(detail.clone()),
        ReturnReason::Undelivered(fault) => Some(fault.to_string()),
        _ => None,
    };
    Returned {
        reason: return_code(why).into(),
        detail,
    }
}

fn tool_call(call: &beckon_core::CallRef) -> ToolCall {
    ToolCall {
        message_id: call.message.clone(),
        call_id: call.call.clone(),
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

/// Converts a question for other programs.
pub fn question(question: &beckon_core::Question) -> Question {
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

/// Converts the permission that is asked for, if the ask is one.
pub fn permission(kind: &AskContent) -> Option<Permission> {
    let purpose = match kind {
        AskContent::Permission(permission) => Some(permission.purpose()),
        AskContent::Questions(_) | AskContent::Confirm(_) | AskContent::Unknown(_) => None,
    };
    permission_of(kind, purpose.as_ref())
}

/// Converts the permission, with a purpose that is known already.
fn permission_of(kind: &AskContent, purpose: Option<&PermissionPurpose>) -> Option<Permission> {
    let AskContent::Permission(permission) = kind else {
        return None;
    };
    let purpose = purpose.cloned().map(Purpose::from);
    let beckon_core::Permission {
        permission,
        patterns,
        always,
        always_until,
        command,
        diff,
        files,
        input,
        left_out,
        rejects: _,
        root: _,
    } = permission.clone();
    let always_until = always_until.into();
    let arguments = input.arguments.into_iter();
    Some(Permission {
        permission,
        purpose,
        patterns,
        always,
        always_until,
        command,
        diff,
        files: files.into_iter().map(FileDeed::from).collect(),
        arguments: arguments.map(NamedArgument::from).collect(),
        is_partial: input.is_partial,
        left_out: left_out.map_or(0, |left_out| left_out.count),
    })
}
