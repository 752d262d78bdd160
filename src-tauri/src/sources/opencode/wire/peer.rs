//! The shapes of what another Beckon tells of asks beyond OpenCode's dialect.

use super::{ToolRef, or_default};
use beckon_core::{
    AlwaysUntil, Ask, AskContent, AskId, CallInput, CallRef, FileChange, LeftOut, Session,
    SourceId, Timestamp, UnknownAsk, UnknownShape,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The prefix in [`Session::api`] of what was seen of an ask of another Beckon.
pub(in crate::sources::opencode) const SEEN: &str = "seen:";

/// What a Beckon tells of an ask besides what the dialect knows.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct PeerDetails {
    /// Stands for all that is asked: an answer brings it back, and meets nothing else.
    pub seen: String,
    /// The session's title.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The agent's name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    /// The session that started this one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent: Option<String>,
    /// The agent's last words before it asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_words: Option<String>,
    /// Of a permission: how long "always" would hold at the agent.
    #[serde(
        default,
        deserialize_with = "or_default",
        skip_serializing_if = "is_unsaid"
    )]
    pub always_until: AlwaysUntil,
    /// Of a permission: what becomes of each file.
    #[serde(
        default,
        deserialize_with = "or_default",
        skip_serializing_if = "Vec::is_empty"
    )]
    #[cfg_attr(test, schemars(with = "Vec<Value>"))]
    pub files: Vec<FileChange>,
    /// Of a permission: what its call is given besides. An older Beckon does not say.
    #[serde(
        default,
        deserialize_with = "or_default",
        skip_serializing_if = "Option::is_none"
    )]
    #[cfg_attr(test, schemars(with = "Option<Value>"))]
    pub input: Option<CallInput>,
    /// Of a permission: its patterns, files and rules that are not kept there.
    #[serde(
        default,
        deserialize_with = "or_default",
        skip_serializing_if = "Option::is_none"
    )]
    #[cfg_attr(test, schemars(with = "Option<Value>"))]
    pub left_out: Option<LeftOut>,
}

fn is_unsaid(until: &AlwaysUntil) -> bool {
    *until == AlwaysUntil::Unsaid
}

impl PeerDetails {
    /// Makes the details of an ask.
    pub(crate) fn of(ask: &Ask) -> Self {
        let Session {
            title,
            agent,
            parent,
            last_words,
            ..
        } = ask.session.clone();
        let permission = match &ask.kind {
            AskContent::Permission(permission) => Some(permission),
            AskContent::Questions(_) | AskContent::Confirm(_) | AskContent::Unknown(_) => None,
        };
        let always_until = permission.map(|it| it.always_until).unwrap_or_default();
        let files = permission.map(|it| it.files.clone()).unwrap_or_default();
        let seen = ask.fingerprint().to_string();
        Self {
            seen,
            title,
            agent,
            parent,
            last_words,
            always_until,
            files,
            input: permission.map(|it| it.input.clone()),
            left_out: permission.and_then(|it| it.left_out),
        }
    }

    /// Notes the details on the session, from where an answer takes them.
    pub(in crate::sources::opencode) fn fill(self, session: &mut Session) {
        session.api = Some(format!("{SEEN}{}", self.seen));
        let Self {
            title,
            agent,
            parent,
            last_words,
            ..
        } = self;
        (session.title, session.agent, session.parent) = (title, agent, parent);
        session.last_words = last_words;
    }
}

/// An item of `GET /ask`, and the content of `ask.asked`: whatever OpenCode's dialect has no word for.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct PeerRequest {
    /// The request id.
    pub id: String,
    /// The session that waits.
    #[serde(rename = "sessionID")]
    pub session_id: String,
    /// Its directory.
    #[serde(default)]
    pub directory: String,
    /// What is asked, as Beckons of the same age know it.
    pub kind: Value,
    /// The same in words, for those that do not.
    #[serde(default)]
    pub text: String,
    /// The call that waits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool: Option<ToolRef>,
    /// The Beckons that it came through.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub via: Vec<String>,
    /// What else is known of it.
    #[serde(
        default,
        deserialize_with = "or_default",
        skip_serializing_if = "Option::is_none"
    )]
    pub beckon: Option<PeerDetails>,
}

impl PeerRequest {
    /// Makes an ask of that source. One of a kind that this Beckon does not know is shown, and can
    /// be answered only there.
    pub(crate) fn into_ask(self, source: &SourceId, now: Timestamp) -> Ask {
        let kind = serde_json::from_value(self.kind);
        let kind = kind.unwrap_or(AskContent::Unknown(UnknownAsk {
            asked: UnknownShape::Question,
            raw: self.text,
        }));
        let (id, directory, via) = (self.session_id, self.directory, self.via);
        let mut session = Session {
            id,
            directory,
            via,
            ..Session::default()
        };
        if let Some(beside) = self.beckon {
            beside.fill(&mut session);
        }
        let id = AskId {
            source: source.clone(),
            own: self.id,
        };
        Ask {
            id,
            kind,
            session,
            call: self.tool.map(CallRef::from),
            asked_at: now,
        }
    }
}

/// Tells whether a session's asks came through another Beckon.
pub(in crate::sources::opencode) fn is_from_peer(session: &Session) -> bool {
    !session.via.is_empty()
}
