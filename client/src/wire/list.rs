//! `list --json`: an item for every ask that is not settled.

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
    /// What to call it.
    pub id: String,
    /// Its source.
    pub source: String,
    /// What it is.
    #[cfg_attr(test, ts(as = "AskKind"))]
    pub kind: WireWord<AskKind>,
    /// How it stands.
    #[cfg_attr(test, ts(as = "ListedState"))]
    pub state: WireWord<ListedState>,
    /// Milliseconds since 1970.
    pub asked_at: i64,
    /// What is asked, in ten characters: an answer that says them is refused when it has changed.
    #[serde(default)]
    #[cfg_attr(test, ts(type = "string"))]
    pub fingerprint: Fingerprint,
    /// Something else was asked, or less was known, under its id before: who answers by it may mean that.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub changed: bool,
    /// Who asks.
    pub session: Session,
    /// There may be a way to where its session runs: `beckon open`.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(test, ts(as = "Option<bool>", optional))]
    pub opens: bool,
    /// The tool call that waits, where the source tells of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub tool: Option<ToolCall>,
    /// Of a question set.
    pub questions: Vec<Question>,
    /// Of a permission.
    pub permission: Option<Permission>,
    /// What is dangerous about a permission; nothing is marked that is not dangerous beyond doubt.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(test, ts(as = "Option<Vec<RiskMark>>", optional))]
    pub risks: Vec<RiskMark>,
    /// Of a confirm: what the agent says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub info: Option<String>,
    /// Of one that came in a form which Beckon does not know, and takes no answer from here: it as
    /// it came. Such a question has no questions, such a permission no permission.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub unknown: Option<String>,
    /// Why the last answer came back.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub returned: Option<Returned>,
    /// While it is `answering`: who gave that answer, as far as that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub responder: Option<AnsweredBy>,
    /// There is an answer, and the agent does not take it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub undelivered: Option<Undelivered>,
    /// How often it is asked, if more than once: equal permissions of its session are answered
    /// together with it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub times: Option<usize>,
    /// It is one of those that are answered with another, and shown there.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(test, ts(as = "Option<bool>", optional))]
    pub behind: bool,
    /// Its human has seen or snoozed it; absent: it may ring.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub set_aside: Option<SetAside>,
    /// Others of a team decide it; absent: this machine's human may.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub held: Option<Held>,
    /// Where two must agree: who has. If it isn't held, the next who says the same decides it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub agreed: Option<Agreed>,
    /// What else of its session is rejected with it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub also_rejects: Option<AlsoRejects>,
}

/// An answer that its agent has not taken for longer than usual; it is tried on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Undelivered {
    /// When the answer was given, in milliseconds since 1970.
    pub since: i64,
    /// What the last try met; absent when it seemed to arrive.
    pub why: Option<String>,
}

/// A request that others of a team decide.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Held {
    /// Who can, by name; nobody where a role or a rota has nobody now.
    pub deciders: Vec<String>,
    /// Who has agreed already, where two must.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(test, ts(as = "Option<Vec<String>>", optional))]
    pub agreed: Vec<String>,
    /// What they said.
    #[serde(default)]
    #[cfg_attr(test, ts(type = "\"yes\" | \"answer\" | \"apart\""))]
    pub said: FirstAnswers,
}

/// Who has agreed already to what two must agree to, whoever decides it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Agreed {
    /// By name.
    pub people: Vec<String>,
    /// What they said.
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
    /// The message that holds it.
    #[serde(rename = "messageID")]
    pub message_id: String,
    /// Its own id.
    #[serde(rename = "callID")]
    pub call_id: String,
}

/// What a rejection takes along at its source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AlsoRejects {
    /// So many others; 9 are 9 or more.
    pub count: usize,
    /// It surely does; otherwise nobody has said.
    pub certain: bool,
}

/// Why an answer came back.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Returned {
    /// In a word for programs.
    #[cfg_attr(test, ts(as = "ReturnCode"))]
    pub reason: WireWord<ReturnCode>,
    /// What the agent says when it refuses, or what kept the answer.
    pub detail: Option<String>,
}

/// Who asks.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
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
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
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
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Choice {
    /// What is shown.
    pub label: String,
    /// A sentence about it.
    pub description: String,
}

/// What is to be allowed.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Permission {
    /// The source's word for it.
    pub permission: String,
    /// What it is for, as a title names it; an older Beckon does not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub purpose: Option<Purpose>,
    /// What for.
    pub patterns: Vec<String>,
    /// What "always" would allow.
    pub always: Vec<String>,
    /// How long that would hold; an older Beckon does not say.
    #[serde(default)]
    pub always_until: AlwaysEnd,
    /// The exact command.
    pub command: Option<String>,
    /// The exact change.
    pub diff: Option<String>,
    /// What becomes of each file, where more is done than to change its content.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(test, ts(as = "Option<Vec<FileDeed>>", optional))]
    pub files: Vec<FileDeed>,
    /// What the call is given besides, each under its name.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(test, ts(as = "Option<Vec<NamedArgument>>", optional))]
    pub arguments: Vec<NamedArgument>,
    /// There may be more: the agent has not told all that the call is given.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(test, ts(as = "Option<bool>", optional))]
    pub is_partial: bool,
    /// So many more patterns, files and rules, which nobody keeps.
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

/// The items of `list --json`.
pub fn list(view: &DeskView) -> Vec<ListedAsk> {
    view.asks.iter().map(listed).collect()
}

/// One item.
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

/// Whose answer is on its way.
fn answering(entry: &Entry) -> Option<&Responder> {
    let is_answering = matches!(entry.state, AskState::Answering { .. });
    entry.responder.as_ref().filter(|_| is_answering)
}

/// As it is told.
pub fn undelivered(trouble: &beckon_core::UndeliveredAnswer) -> Undelivered {
    Undelivered {
        since: trouble.since.0,
        why: trouble.why.clone(),
    }
}

pub(super) fn times(entry: &Entry) -> Option<usize> {
    Some(entry.also_asked + 1).filter(|times| *times > 1)
}

/// What a rejection of this ask takes along.
pub fn also_rejects(entry: &Entry) -> Option<AlsoRejects> {
    let (reach, count) = entry.rejects_beside()?;
    Some(AlsoRejects {
        count,
        certain: reach == RejectionReach::Session,
    })
}

/// Why an answer came back, in a word.
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

/// One question, as others read it.
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

/// What is to be allowed, if that is what is asked.
pub fn permission(kind: &AskContent) -> Option<Permission> {
    let purpose = match kind {
        AskContent::Permission(permission) => Some(permission.purpose()),
        AskContent::Questions(_) | AskContent::Confirm(_) | AskContent::Unknown(_) => None,
    };
    permission_of(kind, purpose.as_ref())
}

/// The same, where it is known what it is for.
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
