//! OpenCode's v1 shapes, as read from its stream and its lists, and their meaning as asks. Unknown
//! fields are passed over, missing ones degrade a card and never lose it.

pub(super) mod lenient;
pub(super) mod peer;
pub(super) mod v2;

use beckon_core::{
    Ask, AskContent, AskId, CallRef, Choice, Permission, Question, RejectionReach, Session,
    SourceId, Timestamp, UnknownAsk,
};
use peer::PeerDetails;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::value::RawValue;
use std::collections::{BTreeMap, BTreeSet};

/// A frame of `/global/event`.
#[derive(Debug, Deserialize)]
pub(crate) struct GlobalFrame<'a> {
    /// Absent on `server.connected` and heartbeats.
    pub directory: Option<String>,
    /// The event.
    #[serde(borrow)]
    pub payload: FramePayload<'a>,
}

/// The event of a frame.
#[derive(Debug, Deserialize)]
pub(crate) struct FramePayload<'a> {
    /// Its name.
    #[serde(rename = "type")]
    pub kind: String,
    /// Its content, parsed once it is known what it is.
    #[serde(borrow)]
    pub properties: Option<&'a RawValue>,
}

/// `session.status`, `session.idle`, `session.error`
#[derive(Debug, Deserialize)]
pub(crate) struct SessionNews {
    /// Absent on an error that belongs to no session.
    #[serde(rename = "sessionID", default)]
    pub session_id: Option<String>,
    /// Of a status.
    #[serde(default)]
    pub status: Option<SessionStatus>,
    /// Of an error.
    #[serde(default)]
    pub error: Option<ErrorInfo>,
}

/// The content of `session.status`
#[derive(Debug, Deserialize)]
pub(crate) struct SessionStatus {
    /// `busy`, `retry`, `idle`.
    #[serde(rename = "type")]
    pub kind: String,
}

/// Why a turn ended.
#[derive(Debug, Default, Deserialize)]
pub(crate) struct ErrorInfo {
    /// `APIError`, `MessageAbortedError`, …
    #[serde(default, deserialize_with = "or_default")]
    pub name: String,
    /// Its details.
    #[serde(default, deserialize_with = "or_default")]
    pub data: ErrorDetails,
}

/// Details of an error.
#[derive(Debug, Default, Deserialize)]
pub(crate) struct ErrorDetails {
    /// As its maker put it.
    #[serde(default)]
    pub message: Option<String>,
    /// Of a provider that answers so.
    #[serde(rename = "statusCode", default)]
    pub status_code: Option<u16>,
}

/// `session.created`, `session.updated`, `session.deleted`
#[derive(Debug, Deserialize)]
pub(crate) struct SessionChanged {
    /// The session as it is now.
    pub info: SessionInfo,
}

/// `server.instance.disposed`
#[derive(Debug, Deserialize)]
pub(crate) struct InstanceDisposed {
    /// Of which directory.
    #[serde(default)]
    pub directory: Option<String>,
}

/// `message.updated`
#[derive(Debug, Deserialize)]
pub(crate) struct MessageChanged {
    /// The message as it is now.
    pub info: MessageState,
}

/// How far a message is.
#[derive(Debug, Deserialize)]
pub(crate) struct MessageState {
    /// Its session.
    #[serde(rename = "sessionID")]
    pub session_id: String,
    /// `user`, `assistant`.
    pub role: String,
    /// Of an assistant: the message that it answers.
    #[serde(rename = "parentID", default)]
    pub parent_id: Option<String>,
    /// Of an assistant who has said everything: `stop`, `tool-calls`, …
    #[serde(default)]
    pub finish: Option<String>,
    /// By the server's clock.
    pub time: MessageTime,
}

/// When a message was made, by the server's clock, in milliseconds of the epoch.
#[derive(Debug, Deserialize)]
pub(crate) struct MessageTime {
    /// Begun.
    pub created: i64,
    /// Ended; absent until then, and on what a user says.
    #[serde(default)]
    pub completed: Option<i64>,
}

/// `GET /global/health`
#[derive(Debug, Deserialize)]
pub(crate) struct ServerHealth {
    /// The server's version.
    pub version: Option<String>,
    /// If it is another Beckon.
    #[serde(flatten)]
    pub kin: Option<PeerHealth>,
}

/// What a Beckon says of itself to one that watches it.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct PeerHealth {
    /// Its name among Beckons: random, and the same after a restart.
    pub instance: String,
    /// The Beckons that it watches, and those that they watch.
    #[serde(default)]
    pub reaches: BTreeSet<String>,
    /// It lists at `/ask` what OpenCode's dialect has no word for.
    #[serde(default)]
    pub asks: bool,
}

/// An item of `GET /question`, and the content of `question.asked`.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct QuestionRequest {
    /// The request id.
    pub id: String,
    /// The session that waits.
    #[serde(rename = "sessionID", default, deserialize_with = "lenient::if_understood")]
    pub session_id: String,
    /// What is asked.
    #[serde(default, deserialize_with = "lenient::questions")]
    pub questions: Vec<QuestionInfo>,
    /// The call that waits.
    #[serde(
        default,
        deserialize_with = "lenient::if_understood",
        skip_serializing_if = "Option::is_none"
    )]
    pub tool: Option<ToolRef>,
    /// From a Beckon: those that it came through.
    #[serde(
        default,
        deserialize_with = "lenient::if_understood",
        skip_serializing_if = "Vec::is_empty"
    )]
    pub via: Vec<String>,
    /// From a Beckon: it came there in a form that is not known there, and takes no answer. There
    /// are no questions then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unknown: Option<UnknownAsk>,
    /// From a Beckon: what else it knows of it.
    #[serde(default, deserialize_with = "or_default", skip_serializing_if = "Option::is_none")]
    pub beckon: Option<PeerDetails>,
}

/// One question.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(default)]
pub struct QuestionInfo {
    /// The full question.
    #[serde(deserialize_with = "or_default")]
    pub question: String,
    /// A few words.
    #[serde(deserialize_with = "or_default")]
    pub header: String,
    /// The choices.
    #[serde(deserialize_with = "or_default")]
    pub options: Vec<OptionInfo>,
    /// Several may be taken; absent is no.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub multiple: Option<bool>,
    /// Own text is allowed; absent is yes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub custom: Option<bool>,
}

/// One choice.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(default)]
pub struct OptionInfo {
    /// What is shown and sent back.
    #[serde(deserialize_with = "or_default")]
    pub label: String,
    /// A sentence about it.
    #[serde(deserialize_with = "or_default")]
    pub description: String,
}

/// The call behind a request.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct ToolRef {
    /// Its message.
    #[serde(rename = "messageID")]
    pub message_id: String,
    /// Its id.
    #[serde(rename = "callID")]
    pub call_id: String,
}

/// An item of `GET /permission`, and the content of `permission.asked`. What is to be allowed is read
/// strictly: nobody is to allow what was not understood.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub(crate) struct PermissionRequest {
    /// The request id.
    pub id: String,
    /// The session that waits.
    #[serde(rename = "sessionID", default, deserialize_with = "lenient::if_understood")]
    pub session_id: String,
    /// `bash`, `edit`, …
    #[serde(default, deserialize_with = "or_default")]
    pub permission: String,
    /// What for.
    #[serde(default, deserialize_with = "or_default")]
    pub patterns: Vec<String>,
    /// `command` on newer servers, `diff` and `filepath` for edits.
    #[serde(default, deserialize_with = "or_default")]
    pub metadata: BTreeMap<String, serde_json::Value>,
    /// What "always" would allow.
    #[serde(default, deserialize_with = "or_default")]
    pub always: Vec<String>,
    /// The call that waits.
    #[serde(
        default,
        deserialize_with = "lenient::if_understood",
        skip_serializing_if = "Option::is_none"
    )]
    pub tool: Option<ToolRef>,
    /// From a Beckon: those that it came through.
    #[serde(
        default,
        deserialize_with = "lenient::if_understood",
        skip_serializing_if = "Vec::is_empty"
    )]
    pub via: Vec<String>,
    /// From a Beckon: what else it knows of it.
    #[serde(default, deserialize_with = "or_default", skip_serializing_if = "Option::is_none")]
    pub beckon: Option<PeerDetails>,
}

/// `question.replied`, `question.rejected`, `permission.replied`
#[derive(Debug, Deserialize)]
pub(crate) struct EndedRequest {
    /// The request id, which `asked` calls `id`.
    #[serde(rename = "requestID")]
    pub request_id: String,
    /// Of a question.
    #[serde(default)]
    pub answers: Option<Vec<Vec<String>>>,
    /// Of a permission.
    #[serde(default)]
    pub reply: Option<String>,
}

/// `GET /session/{id}`
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct SessionInfo {
    /// The session.
    pub id: String,
    /// Its title.
    #[serde(default, deserialize_with = "lenient::if_understood")]
    pub title: Option<String>,
    /// Its directory.
    #[serde(default, deserialize_with = "lenient::if_understood")]
    pub directory: Option<String>,
    /// The session that started it.
    #[serde(rename = "parentID", default, deserialize_with = "lenient::if_understood")]
    pub parent_id: Option<String>,
    /// Newer servers.
    #[serde(default, deserialize_with = "lenient::if_understood")]
    pub agent: Option<String>,
}

/// An item of `GET /project`
#[derive(Debug, Deserialize)]
pub(crate) struct ListedProject {
    /// `/` for everything outside a repository.
    pub worktree: String,
    /// Other worktrees of the same repository.
    #[serde(default, deserialize_with = "lenient::if_understood")]
    pub sandboxes: Vec<String>,
}

/// `GET /path`
#[derive(Debug, Deserialize)]
pub(crate) struct PathInfo {
    /// The server's own working directory.
    pub directory: String,
}

/// `GET /session/{id}/message/{id}`
#[derive(Debug, Deserialize)]
pub(crate) struct SessionMessage {
    /// About it.
    pub info: MessageInfo,
    /// What it consists of.
    #[serde(default)]
    pub parts: Vec<MessagePart>,
}

/// About a message.
#[derive(Debug, Deserialize)]
pub(crate) struct MessageInfo {
    /// Who speaks.
    #[serde(default)]
    pub agent: Option<String>,
    /// When.
    #[serde(default)]
    pub time: Option<MessageTime>,
}

/// A part of a message; only text and tool parts are of interest.
#[derive(Debug, Deserialize)]
pub(crate) struct MessagePart {
    /// `text`, `tool`, …
    #[serde(rename = "type", default)]
    pub kind: String,
    /// Of a text.
    #[serde(default)]
    pub text: Option<String>,
    /// Of a tool.
    #[serde(rename = "callID", default)]
    pub call_id: Option<String>,
    /// Of a tool.
    #[serde(default)]
    pub state: Option<ToolState>,
}

/// How far a tool call is.
#[derive(Debug, Deserialize)]
pub(crate) struct ToolState {
    /// `pending`, `running`, `completed`, `error`.
    #[serde(default)]
    pub status: String,
    /// Why it failed.
    #[serde(default)]
    pub error: Option<String>,
    /// Of an answered question: `answers`.
    #[serde(default)]
    pub metadata: Option<serde_json::Value>,
}

/// The body of `POST /question/{id}/reply`
#[derive(Debug, Deserialize, Serialize)]
pub(crate) struct QuestionReplyBody {
    /// One list per question.
    pub answers: Vec<Vec<String>>,
}

/// `null` where a value belongs is as good as nothing.
pub(super) fn or_default<'de, D: Deserializer<'de>, T: Deserialize<'de> + Default>(
    deserializer: D,
) -> Result<T, D::Error> {
    Ok(Option::<T>::deserialize(deserializer)?.unwrap_or_default())
}

impl QuestionRequest {
    /// As an ask of that source and directory.
    pub(crate) fn into_ask(self, source: &SourceId, directory: &str, now: Timestamp) -> Ask {
        let kind = match self.unknown {
            Some(unknown) => AskContent::Unknown(unknown),
            None => AskContent::Questions(self.questions.into_iter().map(Question::from).collect()),
        };
        Ask {
            id: AskId { source: source.clone(), own: self.id },
            kind,
            session: session(self.session_id, directory, self.via, self.beckon),
            call: self.tool.map(CallRef::from),
            asked_at: now,
        }
    }
}

impl PermissionRequest {
    /// As an ask of that source and directory.
    pub(crate) fn into_ask(self, source: &SourceId, directory: &str, now: Timestamp) -> Ask {
        let text = |key: &str| self.metadata.get(key).filter(|it| !it.is_null()).map(lenient::text);
        let (command, diff) = (text("command"), text("diff"));
        // 1.1.53 has the command nowhere but in the patterns.
        let command = command.or_else(|| {
            (self.permission == "bash" && !self.patterns.is_empty())
                .then(|| self.patterns.join("\n"))
        });
        // Behind another Beckon there may be any agent.
        let rejects = if self.via.is_empty() {
            RejectionReach::Session
        } else {
            RejectionReach::PerhapsSession
        };
        Ask {
            id: AskId { source: source.clone(), own: self.id },
            kind: AskContent::Permission(Permission {
                permission: self.permission,
                patterns: self.patterns,
                always: self.always,
                command,
                diff,
                rejects,
            }),
            session: session(self.session_id, directory, self.via, self.beckon),
            call: self.tool.map(CallRef::from),
            asked_at: now,
        }
    }
}

fn session(id: String, directory: &str, via: Vec<String>, beside: Option<PeerDetails>) -> Session {
    let mut session = Session { id, directory: directory.to_owned(), via, ..Session::default() };
    // Whatever a server may say of itself: one that is no Beckon has none of its words.
    if let Some(beside) = beside.filter(|_| peer::is_from_peer(&session)) {
        beside.fill(&mut session);
    }
    session
}

impl From<QuestionInfo> for Question {
    fn from(info: QuestionInfo) -> Self {
        Self {
            header: info.header,
            question: info.question,
            multiple: info.multiple.unwrap_or(false),
            custom: info.custom.unwrap_or(true),
            choices: info.options.into_iter().map(Choice::from).collect(),
            limits: None,
        }
    }
}

impl From<OptionInfo> for Choice {
    fn from(info: OptionInfo) -> Self {
        Self { label: info.label, description: info.description, value: None }
    }
}

impl From<ToolRef> for CallRef {
    fn from(tool: ToolRef) -> Self {
        Self { message: tool.message_id, call: tool.call_id }
    }
}

impl From<&Question> for QuestionInfo {
    /// Labels that stand for several values are told apart: they are all that comes back.
    fn from(question: &Question) -> Self {
        let labels = question.labels().into_iter();
        let options = labels
            .zip(&question.choices)
            .map(|(label, choice)| OptionInfo { label, description: choice.description.clone() });
        Self {
            question: question.question.clone(),
            header: question.header.clone(),
            options: options.collect(),
            multiple: Some(question.multiple),
            custom: Some(question.custom),
        }
    }
}
