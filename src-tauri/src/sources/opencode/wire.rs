//! OpenCode's v1 shapes, as read from its stream and its lists: here its requests and a server's
//! report about itself. Unknown fields are passed over. Missing ones make a card poorer, and never
//! lose it.
//!
//! What a request means as an ask is in `wire/asks.rs`.

mod asks;
pub(super) mod frames;
pub(super) mod lenient;
pub(super) mod peer;
pub(super) mod sessions;
pub(super) mod v2;

use beckon_core::UnknownAsk;
use peer::PeerDetails;
use serde::{Deserialize, Deserializer, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// The answer of `GET /global/health`.
#[derive(Debug, Deserialize)]
pub(crate) struct ServerHealth {
    /// The server's version.
    pub version: Option<String>,
    /// The report of another Beckon, if it is one.
    #[serde(flatten)]
    pub kin: Option<PeerHealth>,
}

/// What a Beckon says of itself to one that watches it.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
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
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub(crate) struct QuestionRequest {
    /// The request id.
    pub id: String,
    /// The session that waits.
    #[serde(
        rename = "sessionID",
        default,
        deserialize_with = "lenient::if_understood"
    )]
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
    #[serde(
        default,
        deserialize_with = "or_default",
        skip_serializing_if = "Option::is_none"
    )]
    pub beckon: Option<PeerDetails>,
}

/// One question.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
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
#[cfg_attr(test, derive(schemars::JsonSchema))]
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
#[cfg_attr(test, derive(schemars::JsonSchema))]
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
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct PermissionRequest {
    /// The request id.
    pub id: String,
    /// The session that waits.
    #[serde(
        rename = "sessionID",
        default,
        deserialize_with = "lenient::if_understood"
    )]
    pub session_id: String,
    /// `bash`, `edit`, …
    #[serde(default, deserialize_with = "or_default")]
    pub permission: String,
    /// What for.
    #[serde(default, deserialize_with = "or_default")]
    pub patterns: Vec<String>,
    /// `command` on newer servers, `diff` and `filepath` for edits.
    #[serde(default, deserialize_with = "lenient::exact_fields")]
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
    #[serde(
        default,
        deserialize_with = "or_default",
        skip_serializing_if = "Option::is_none"
    )]
    pub beckon: Option<PeerDetails>,
}

/// The content of `question.replied`, `question.rejected` and `permission.replied`.
#[derive(Debug, Deserialize)]
pub(crate) struct EndedRequest {
    /// The request id, which `asked` calls `id`.
    #[serde(rename = "requestID")]
    pub request_id: String,
    /// The answers to a question.
    #[serde(default)]
    pub answers: Option<Vec<Vec<String>>>,
    /// The reply to a permission.
    #[serde(default)]
    pub reply: Option<String>,
}

/// The body of `POST /question/{id}/reply`
#[derive(Debug, Deserialize, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct QuestionReplyBody {
    /// One list per question.
    pub answers: Vec<Vec<String>>,
}

/// Reads a value. `null` where one belongs counts as absent.
pub(super) fn or_default<'de, D: Deserializer<'de>, T: Deserialize<'de> + Default>(
    deserializer: D,
) -> Result<T, D::Error> {
    Ok(Option::<T>::deserialize(deserializer)?.unwrap_or_default())
}
