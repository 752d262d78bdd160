//! What can be read: status and lists, in our words and in OpenCode's.

use super::answers::one;
use super::{Room, problem};
use crate::sources::opencode::wire as opencode;
use crate::wire;
use axum::Json;
use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use beckon_core::{AskView, Kind};
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// `?directory=`
#[derive(Deserialize)]
pub(super) struct Place {
    directory: Option<String>,
}

pub(super) async fn health() -> Json<Value> {
    Json(json!({ "healthy": true, "version": env!("CARGO_PKG_VERSION") }))
}

pub(super) async fn status(State(room): State<Room>) -> Json<wire::Status> {
    Json(wire::status(&room.mailbox.look_fresh().await))
}

pub(super) async fn list(State(room): State<Room>) -> Json<Vec<wire::Listed>> {
    Json(wire::list(&room.mailbox.look().await.view))
}

pub(super) async fn show(State(room): State<Room>, Path(id): Path<String>) -> Response {
    let found = match one(&room, &id).await {
        Ok(found) => found,
        Err(response) => return response,
    };
    let view = room.mailbox.look().await.view;
    if let Some(ask) = view.find(&found.id.to_string()) {
        return Json(wire::listed(ask)).into_response();
    }
    let problem = wire::Problem {
        code: "settled".into(),
        message: found.outcome.as_ref().map(wire::outcome_word).unwrap_or_default(),
        by: found.outcome.as_ref().and_then(wire::outcome_by),
    };
    (StatusCode::GONE, Json(problem)).into_response()
}

pub(super) async fn path() -> Json<Value> {
    Json(json!({ "directory": "" }))
}

/// The directories of what is open, so that a watching Beckon lists them all.
pub(super) async fn projects(State(room): State<Room>) -> Json<Vec<Value>> {
    let view = room.mailbox.look().await.view;
    let directories: BTreeSet<String> =
        view.asks.into_iter().map(|ask| ask.entry.ask.session.directory).collect();
    let project = |dir: String| json!({ "id": dir, "worktree": dir, "sandboxes": [] });
    Json(directories.into_iter().map(project).collect())
}

pub(super) async fn sessions(State(room): State<Room>) -> Json<Vec<Value>> {
    Json(room.mailbox.look().await.view.asks.iter().map(session_info).collect())
}

pub(super) async fn session(State(room): State<Room>, Path(id): Path<String>) -> Response {
    let view = room.mailbox.look().await.view;
    match view.asks.iter().find(|ask| ask.entry.ask.session.id == id) {
        Some(ask) => Json(session_info(ask)).into_response(),
        None => problem(StatusCode::NOT_FOUND, "unknown", "no ask of that session is open"),
    }
}

fn session_info(ask: &AskView) -> Value {
    let session = &ask.entry.ask.session;
    json!({
        "id": session.id, "title": session.title, "directory": session.directory,
        "agent": session.agent, "parentID": session.parent,
    })
}

pub(super) async fn session_status(
    State(room): State<Room>,
    Query(place): Query<Place>,
) -> Json<BTreeMap<String, Value>> {
    let view = room.mailbox.look().await.view;
    let here = view.asks.iter().filter(|ask| ask.entry.quiet_since.is_none() && is_in(ask, &place));
    let busy = |ask: &AskView| (ask.entry.ask.session.id.clone(), json!({ "type": "busy" }));
    Json(here.map(busy).collect())
}

pub(super) async fn questions(
    State(room): State<Room>,
    Query(place): Query<Place>,
) -> Json<Vec<opencode::QuestionRequest>> {
    let view = room.mailbox.look().await.view;
    let asks = view.asks.iter().filter(|ask| is_in(ask, &place));
    Json(asks.filter_map(question_request).collect())
}

pub(super) async fn permissions(
    State(room): State<Room>,
    Query(place): Query<Place>,
) -> Json<Vec<opencode::PermissionRequest>> {
    let view = room.mailbox.look().await.view;
    let asks = view.asks.iter().filter(|ask| is_in(ask, &place));
    Json(asks.filter_map(permission_request).collect())
}

/// Without a directory every one is meant; OpenCode would take its own.
fn is_in(ask: &AskView, place: &Place) -> bool {
    place.directory.as_ref().is_none_or(|dir| *dir == ask.entry.ask.session.directory)
}

pub(super) fn question_request(ask: &AskView) -> Option<opencode::QuestionRequest> {
    let Kind::Questions(questions) = &ask.entry.ask.kind else { return None };
    Some(opencode::QuestionRequest {
        id: ask.name.clone(),
        session_id: ask.entry.ask.session.id.clone(),
        questions: questions.iter().map(opencode::QuestionInfo::from).collect(),
        tool: tool(ask),
    })
}

pub(super) fn permission_request(ask: &AskView) -> Option<opencode::PermissionRequest> {
    let Kind::Permission(permission) = &ask.entry.ask.kind else { return None };
    let text = |name: &str, value: &Option<String>| {
        value.clone().map(|value| (name.to_owned(), Value::String(value)))
    };
    let metadata = [text("command", &permission.command), text("diff", &permission.diff)];
    Some(opencode::PermissionRequest {
        id: ask.name.clone(),
        session_id: ask.entry.ask.session.id.clone(),
        permission: permission.permission.clone(),
        patterns: permission.patterns.clone(),
        metadata: metadata.into_iter().flatten().collect(),
        always: permission.always.clone(),
        tool: tool(ask),
    })
}

fn tool(ask: &AskView) -> Option<opencode::Tool> {
    let call = ask.entry.ask.call.as_ref()?;
    Some(opencode::Tool { message_id: call.message.clone(), call_id: call.call.clone() })
}
