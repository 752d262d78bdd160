//! The lists and the status that can be read, in our words and in OpenCode's.

mod described;

pub(super) use described::{
    HealthDescription, MessageDescription, ProjectDescription, SessionActivity, SessionDescription,
    WorkingDirectory,
};

use super::answers::one;
use super::error::ApiError;
use super::{ApiState, problem};
use crate::sources::opencode::peer::{self, PeerDetails};
use crate::sources::opencode::wire::{self as opencode, PeerHealth};
use axum::Json;
use axum::extract::{Path, Query, State};
use axum::response::{IntoResponse, Response};
use beckon_client::config::LOCAL_ASKS;
use beckon_client::wire;
use beckon_core::{AskContent, AskView, Session};
use serde::Deserialize;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

/// The number of times that it is looked whether a server has described a session.
const DESCRIBED_WITHIN: usize = 20;
/// The pause before the next look.
const LOOK: Duration = Duration::from_millis(25);

/// `?directory=`
#[derive(Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct DirectoryQuery {
    /// Only what is asked there.
    directory: Option<String>,
}

/// Returns the health. A Beckon that watches this one also learns which others are watched from
/// here.
pub(super) async fn health(State(room): State<ApiState>) -> Json<HealthDescription> {
    let (instance, reaches) = (room.instance.to_string(), room.mailbox.reaches().await);
    let kin = PeerHealth {
        instance,
        reaches,
        asks: true,
    };
    Json(HealthDescription {
        healthy: true,
        version: env!("CARGO_PKG_VERSION"),
        kin,
    })
}

/// `?blocked=true`
#[derive(Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct StatusQuery {
    /// Sums up the history as well, which takes its time: others ask for the status every second.
    #[serde(default)]
    blocked: bool,
}

pub(super) async fn status(
    State(room): State<ApiState>,
    Query(wanted): Query<StatusQuery>,
) -> Json<wire::Status> {
    let status = super::status::status(&room.mailbox.glance_fresh().await, &room.texts);
    let blocked_minutes = if wanted.blocked {
        super::history::blocked_minutes(&room).await
    } else {
        None
    };
    Json(wire::Status {
        blocked_minutes,
        ..status
    })
}

pub(super) async fn list(State(room): State<ApiState>) -> Json<Vec<wire::ListedAsk>> {
    Json(wire::list(&room.mailbox.look().await.view))
}

pub(super) async fn show(State(room): State<ApiState>, Path(id): Path<String>) -> Response {
    let found = match one(&room, &id).await {
        Ok(found) => found,
        Err(response) => return response,
    };
    if let Some(entry) = found.entry {
        return Json(wire::listed(&AskView {
            name: found.name,
            entry,
        }))
        .into_response();
    }
    let who = found.responder.as_ref().map(wire::AnsweredBy::from);
    problem(&room, &ApiError::Over(found.outcome, who.map(Box::new)))
}

pub(super) async fn path() -> Json<WorkingDirectory> {
    Json(WorkingDirectory { directory: "" })
}

/// Lists the directories of what is open, so that a watching Beckon lists them all.
pub(super) async fn projects(State(room): State<ApiState>) -> Json<Vec<ProjectDescription>> {
    let sessions = room.mailbox.sessions().await;
    let directories: BTreeSet<String> = sessions
        .into_iter()
        .map(|session| session.directory)
        .collect();
    Json(
        directories
            .into_iter()
            .map(ProjectDescription::of)
            .collect(),
    )
}

pub(super) async fn sessions(State(room): State<ApiState>) -> Json<Vec<SessionDescription>> {
    Json(
        room.mailbox
            .sessions()
            .await
            .iter()
            .map(SessionDescription::from)
            .collect(),
    )
}

pub(super) async fn session(State(room): State<ApiState>, Path(id): Path<String>) -> Response {
    match described(&room, &id).await {
        Some(session) => Json(SessionDescription::from(&session)).into_response(),
        None => problem(&room, &ApiError::NoSession),
    }
}

/// Returns who asked, and what they said before (`GET /session/{id}/message/{message}`); of the
/// message with the call that waits.
pub(super) async fn message(
    State(room): State<ApiState>,
    Path((id, _)): Path<(String, String)>,
) -> Response {
    match described(&room, &id).await {
        Some(session) => Json(MessageDescription::from(session)).into_response(),
        None => problem(&room, &ApiError::NoSession),
    }
}

/// Returns that session, once it is described. A Beckon that watches this one asks at once who is
/// behind an ask, and only once; the server's description comes a moment after the ask.
async fn described(room: &ApiState, session: &str) -> Option<Session> {
    for _ in 0..DESCRIBED_WITHIN {
        let ask = room.mailbox.of_session(session).await?.ask;
        if ask.session.title.is_some() || ask.id.source.0 == LOCAL_ASKS {
            return Some(ask.session);
        }
        tokio::time::sleep(LOOK).await;
    }
    Some(room.mailbox.of_session(session).await?.ask.session)
}

pub(super) async fn session_status(
    State(room): State<ApiState>,
    Query(place): Query<DirectoryQuery>,
) -> Json<BTreeMap<String, SessionActivity>> {
    let asks = room.mailbox.within(place.directory).await;
    let here = asks.iter().filter(|ask| ask.entry.quiet_since.is_none());
    let busy = |ask: &AskView| (ask.entry.ask.session.id.clone(), SessionActivity::Busy);
    Json(here.map(busy).collect())
}

pub(super) async fn questions(
    State(room): State<ApiState>,
    Query(place): Query<DirectoryQuery>,
) -> Json<Vec<opencode::QuestionRequest>> {
    let asks = room.mailbox.within(place.directory).await;
    Json(
        asks.iter()
            .filter_map(|ask| question_request(ask, &room.instance))
            .collect(),
    )
}

pub(super) async fn permissions(
    State(room): State<ApiState>,
    Query(place): Query<DirectoryQuery>,
) -> Json<Vec<opencode::PermissionRequest>> {
    let asks = room.mailbox.within(place.directory).await;
    Json(
        asks.iter()
            .filter_map(|ask| permission_request(ask, &room.instance))
            .collect(),
    )
}

/// Lists what OpenCode's dialect has no word for (`GET /ask`).
pub(super) async fn others(
    State(room): State<ApiState>,
    Query(place): Query<DirectoryQuery>,
) -> Json<Vec<peer::PeerRequest>> {
    let asks = room.mailbox.within(place.directory).await;
    Json(
        asks.iter()
            .filter_map(|ask| other_request(ask, &room.instance))
            .collect(),
    )
}

pub(super) fn other_request(ask: &AskView, instance: &str) -> Option<peer::PeerRequest> {
    let asked = &ask.entry.ask;
    let text = match &asked.kind {
        // Asks of unknown form are listed by `/question`.
        AskContent::Questions(_) | AskContent::Permission(_) | AskContent::Unknown(_) => {
            return None;
        }
        AskContent::Confirm(info) => info.clone(),
    };
    Some(peer::PeerRequest {
        id: ask.name.clone(),
        session_id: asked.session.id.clone(),
        directory: asked.session.directory.clone(),
        kind: serde_json::to_value(&asked.kind).unwrap_or_default(),
        text,
        tool: tool(ask),
        via: via(ask, instance),
        beckon: Some(PeerDetails::of(asked)),
    })
}

pub(super) fn question_request(ask: &AskView, instance: &str) -> Option<opencode::QuestionRequest> {
    let unknown = match &ask.entry.ask.kind {
        AskContent::Questions(_) => None,
        AskContent::Unknown(unknown) => Some(unknown.clone()),
        AskContent::Permission(_) | AskContent::Confirm(_) => return None,
    };
    Some(opencode::QuestionRequest {
        id: ask.name.clone(),
        session_id: ask.entry.ask.session.id.clone(),
        questions: ask
            .entry
            .ask
            .questions()
            .iter()
            .map(opencode::QuestionInfo::from)
            .collect(),
        tool: tool(ask),
        via: via(ask, instance),
        unknown,
        beckon: Some(PeerDetails::of(&ask.entry.ask)),
    })
}

pub(super) fn permission_request(
    ask: &AskView,
    instance: &str,
) -> Option<opencode::PermissionRequest> {
    let AskContent::Permission(permission) = &ask.entry.ask.kind else {
        return None;
    };
    let text = |name: &str, value: &Option<String>| {
        value
            .clone()
            .map(|value| (name.to_owned(), Value::String(value)))
    };
    let metadata = [
        text("command", &permission.command),
        text("diff", &permission.diff),
    ];
    Some(opencode::PermissionRequest {
        id: ask.name.clone(),
        session_id: ask.entry.ask.session.id.clone(),
        permission: permission.permission.clone(),
        patterns: permission.patterns.clone(),
        metadata: metadata.into_iter().flatten().collect(),
        always: permission.always.clone(),
        tool: tool(ask),
        via: via(ask, instance),
        beckon: Some(PeerDetails::of(&ask.entry.ask)),
    })
}

/// Returns the Beckons that it came through, this one last.
fn via(ask: &AskView, instance: &str) -> Vec<String> {
    let before = ask.entry.ask.session.via.iter().cloned();
    before.chain([instance.to_owned()]).collect()
}

fn tool(ask: &AskView) -> Option<opencode::ToolRef> {
    let call = ask.entry.ask.call.as_ref()?;
    Some(opencode::ToolRef {
        message_id: call.message.clone(),
        call_id: call.call.clone(),
    })
}
