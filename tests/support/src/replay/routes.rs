//! The HTTP side of the imitation: routes, credentials, faults, and the record. What is served is
//! decided in `replay.rs`.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::body::Body;
use axum::extract::{Path, Query, Request, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::{Html, IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;
use serde_json::{Value, json};

use super::{Call, Data, Fault, Kind, OnReply, Open, Reply, Streaming, World, frame};

/// The delay after which a new stream reports events, as measured with 1.18.33 when it has nothing
/// else to do.
const SUBSCRIBES_IN: Duration = Duration::from_millis(20);

type Shared = State<Arc<World>>;
type Parameters = Query<HashMap<String, String>>;

pub(super) fn router(world: Arc<World>) -> Router {
    Router::new()
        .route("/global/event", get(events))
        .route("/event", get(events))
        .route("/global/health", get(health))
        .route("/project", get(projects))
        .route("/path", get(path))
        .route("/session", get(sessions))
        .route("/session/status", get(statuses))
        .route("/session/{id}", get(session))
        .route("/session/{id}/message", get(messages))
        .route("/session/{id}/message/{message}", get(message))
        .route("/question", get(questions))
        .route("/permission", get(permissions))
        .route("/question/{id}/reply", post(reply_question))
        .route("/question/{id}/reject", post(reject_question))
        .route("/permission/{id}/reply", post(reply_permission))
        .layer(middleware::from_fn_with_state(Arc::clone(&world), guard))
        .with_state(world)
}

async fn guard(State(world): Shared, request: Request, next: Next) -> Response {
    // A statement of its own, so that the lock is not held while the request is served.
    let fault = inspect(&mut world.data.lock().unwrap(), &request);
    match fault {
        Some(Fault::Status(status)) => return status_only(status),
        Some(Fault::Endless) => return endless(),
        Some(Fault::Slow(after)) => tokio::time::sleep(after).await,
        Some(Fault::Hang) => std::future::pending().await,
        None => {}
    }
    next.run(request).await
}

fn endless() -> Response {
    let chunk = || Ok::<_, std::convert::Infallible>(axum::body::Bytes::from(vec![b' '; 1 << 16]));
    let chunks = futures_util::stream::repeat_with(chunk);
    (
        [(header::CONTENT_TYPE, "application/json")],
        Body::from_stream(chunks),
    )
        .into_response()
}

fn inspect(data: &mut Data, request: &Request) -> Option<Fault> {
    let path = request.uri().path().to_owned();
    data.calls.push(Call {
        method: request.method().to_string(),
        path: path.clone(),
        query: request.uri().query().unwrap_or_default().to_owned(),
        with_credentials: request.headers().contains_key(header::AUTHORIZATION),
        at: Instant::now(),
    });
    if !admitted(data, request.headers()) {
        return Some(Fault::Status(401));
    }
    let directory = directory_of(request);
    let there = directory.and_then(|directory| data.faults.get(&format!("{path} in {directory}")));
    there.or_else(|| data.faults.get(&path)).copied()
}

fn directory_of(request: &Request) -> Option<String> {
    let Query(mut parameters) = Parameters::try_from_uri(request.uri()).ok()?;
    parameters.remove("directory")
}

fn admitted(data: &Data, headers: &HeaderMap) -> bool {
    let Some(password) = &data.password else {
        return true;
    };
    let wanted = format!("Basic {}", BASE64.encode(format!("opencode:{password}")));
    headers
        .get(header::AUTHORIZATION)
        .is_some_and(|given| given.as_bytes() == wanted.as_bytes())
}

fn status_only(status: u16) -> Response {
    StatusCode::from_u16(status).unwrap().into_response()
}

async fn events(State(world): Shared) -> Response {
    let streaming = world.data.lock().unwrap().streaming.clone();
    let kind = match streaming {
        Streaming::Named(kind) => kind,
        _ => "text/event-stream",
    };
    let (greet, subscribes_in) = match streaming {
        Streaming::Open | Streaming::Named(_) => (true, SUBSCRIBES_IN),
        Streaming::Late(late) => (true, late),
        Streaming::Mute => (false, Duration::ZERO),
        Streaming::Status(status) => return status_only(status),
        Streaming::Html => return Html("<!doctype html><title>App</title>").into_response(),
        Streaming::Hang => std::future::pending().await,
    };
    (
        [(header::CONTENT_TYPE, kind)],
        world.streams.open(greet, subscribes_in),
    )
        .into_response()
}

async fn health(State(world): Shared) -> Json<Value> {
    let version = world.data.lock().unwrap().version.clone();
    Json(json!({ "healthy": true, "version": version }))
}

async fn projects(State(world): Shared) -> Json<Value> {
    let data = world.data.lock().unwrap();
    let project = |worktree| json!({ "id": "p", "worktree": worktree, "vcs": "git" });
    Json(data.projects.iter().map(project).collect())
}

async fn path(Query(parameters): Parameters) -> Json<Value> {
    let directory = parameters.get("directory").map_or("/", String::as_str);
    Json(json!({ "directory": directory, "worktree": directory }))
}

async fn sessions(State(world): Shared, Query(parameters): Parameters) -> Json<Value> {
    let data = world.data.lock().unwrap();
    let wanted = |session: &&Value| is_in(session, &parameters);
    Json(data.sessions.values().filter(wanted).cloned().collect())
}

fn is_in(session: &Value, parameters: &HashMap<String, String>) -> bool {
    parameters
        .get("directory")
        .is_none_or(|directory| session["directory"] == **directory)
}

async fn statuses(State(world): Shared, Query(parameters): Parameters) -> Json<Value> {
    let data = world.data.lock().unwrap();
    let here = |id: &&String| {
        data.sessions
            .get(*id)
            .is_none_or(|it| is_in(it, &parameters))
    };
    let busy = data.busy.iter().filter(here);
    Json(
        busy.map(|id| (id.clone(), json!({ "type": "busy" })))
            .collect(),
    )
}

async fn session(State(world): Shared, Path(id): Path<String>) -> Response {
    found(world.data.lock().unwrap().sessions.get(&id))
}

async fn message(State(world): Shared, Path((id, message)): Path<(String, String)>) -> Response {
    let data = world.data.lock().unwrap();
    match data.messages.get(&format!("{id}/{message}")) {
        Some(known) => found(Some(known)),
        None => found(of_waiting_calls(&data, &message).as_ref()),
    }
}

/// Returns the messages of a session, oldest first; their ids ascend with time.
async fn messages(State(world): Shared, Path(id): Path<String>) -> Json<Vec<Value>> {
    let data = world.data.lock().unwrap();
    let of_session = format!("{id}/");
    let mut messages: BTreeMap<String, Value> = BTreeMap::new();
    for (key, body) in &data.messages {
        if let Some(message) = key.strip_prefix(&of_session) {
            messages.insert(message.to_owned(), body.clone());
        }
    }
    let waiting = data.open.iter().map(|open| &open.request);
    for request in waiting.filter(|request| request["sessionID"] == id) {
        let message = request["tool"]["messageID"].as_str().unwrap_or_default();
        if let (false, Some(body)) = (
            messages.contains_key(message),
            of_waiting_calls(&data, message),
        ) {
            messages.insert(message.to_owned(), body);
        }
    }
    Json(messages.into_values().collect())
}

/// Returns the message of the waiting calls: each is a running tool part with all of its input.
fn of_waiting_calls(data: &Data, message: &str) -> Option<Value> {
    let waiting = data.open.iter().map(|open| &open.request);
    let parts: Vec<Value> = waiting
        .filter(|request| request["tool"]["messageID"] == message)
        .map(waiting_call)
        .collect();
    let info = json!({ "id": message, "role": "assistant" });
    (!parts.is_empty()).then(|| json!({ "info": info, "parts": parts }))
}

fn waiting_call(request: &Value) -> Value {
    let mut input = request["metadata"].clone();
    if let Some(fields) = input.as_object_mut() {
        fields.remove("diff");
    }
    json!({ "type": "tool", "tool": request["permission"], "callID": request["tool"]["callID"],
        "state": { "status": "running", "input": input } })
}

fn found(value: Option<&Value>) -> Response {
    match value {
        Some(value) => Json(value).into_response(),
        None => (
            StatusCode::NOT_FOUND,
            Json(json!({ "name": "NotFoundError" })),
        )
            .into_response(),
    }
}

async fn questions(world: Shared, parameters: Parameters) -> Json<Value> {
    list(&world, &parameters, Kind::Question)
}

async fn permissions(world: Shared, parameters: Parameters) -> Json<Value> {
    list(&world, &parameters, Kind::Permission)
}

/// Returns the open requests of one directory. As in the real server, a list contains nothing of
/// other directories.
fn list(world: &World, parameters: &HashMap<String, String>, kind: Kind) -> Json<Value> {
    let data = world.data.lock().unwrap();
    let directory = parameters.get("directory");
    let listed = data.open.iter().filter(|open| open.kind == kind);
    Json(
        listed
            .filter(|open| directory == Some(&open.directory))
            .map(|o| o.request.clone())
            .collect(),
    )
}

async fn reply_question(
    world: Shared,
    id: Path<String>,
    parameters: Parameters,
    headers: HeaderMap,
    body: String,
) -> Response {
    take(
        &world,
        reply(Kind::Question, false, id, &parameters, &headers, &body),
    )
    .await
}

async fn reject_question(
    world: Shared,
    id: Path<String>,
    parameters: Parameters,
    headers: HeaderMap,
) -> Response {
    take(
        &world,
        reply(Kind::Question, true, id, &parameters, &headers, ""),
    )
    .await
}

async fn reply_permission(
    world: Shared,
    id: Path<String>,
    parameters: Parameters,
    headers: HeaderMap,
    body: String,
) -> Response {
    take(
        &world,
        reply(Kind::Permission, false, id, &parameters, &headers, &body),
    )
    .await
}

fn reply(
    kind: Kind,
    rejected: bool,
    Path(id): Path<String>,
    parameters: &HashMap<String, String>,
    headers: &HeaderMap,
    body: &str,
) -> Reply {
    let header = headers
        .get("x-opencode-directory")
        .and_then(|value| value.to_str().ok());
    let directory = parameters.get("directory").map(String::as_str).or(header);
    let body = serde_json::from_str(body).unwrap_or(Value::Null);
    Reply {
        kind,
        id,
        rejected,
        directory: directory.map(Into::into),
        body,
        at: Instant::now(),
    }
}

async fn take(world: &World, reply: Reply) -> Response {
    let (behaviour, settled) = settle(&mut world.data.lock().unwrap(), &reply);
    let confirms = matches!(
        behaviour,
        OnReply::Confirm | OnReply::Assent | OnReply::ConfirmAndHang
    );
    for open in settled.iter().filter(|_| confirms) {
        let (name, properties) = confirmation(&reply, &open.request);
        world
            .streams
            .send(&frame(Some(&open.directory), name, properties))
            .await;
    }
    match behaviour {
        OnReply::Confirm if settled.is_empty() => status_only(404),
        OnReply::Confirm | OnReply::Assent | OnReply::Quiet | OnReply::Ignore => {
            Json(true).into_response()
        }
        OnReply::Status(status) | OnReply::TakeAndStatus(status) => status_only(status),
        OnReply::TakeAndHang | OnReply::ConfirmAndHang | OnReply::Hang => {
            std::future::pending().await
        }
    }
}

/// Notes the reply; returns the behaviour and the requests that the reply removed from the list.
fn settle(data: &mut Data, reply: &Reply) -> (OnReply, Vec<Open>) {
    data.replies.push(reply.clone());
    let behaviour = data.on_reply;
    let takes = matches!(
        behaviour,
        OnReply::Confirm
            | OnReply::Assent
            | OnReply::Quiet
            | OnReply::TakeAndHang
            | OnReply::ConfirmAndHang
            | OnReply::TakeAndStatus(_)
    );
    let at = data.open.iter().position(|open| {
        takes
            && open.kind == reply.kind
            && open.request["id"] == *reply.id
            && reply
                .directory
                .as_ref()
                .is_none_or(|directory| *directory == open.directory)
    });
    let mut settled: Vec<Open> = at.map(|at| data.open.remove(at)).into_iter().collect();
    let rejects = reply.kind == Kind::Permission && reply.body["reply"] == "reject";
    if let Some(first) = settled.first().filter(|_| rejects).map(session_of) {
        settled.extend(data.open.extract_if(.., |open| {
            open.kind == Kind::Permission && session_of(open) == first
        }));
    }
    (behaviour, settled)
}

/// Returns the directory and session of a request. Permissions of one session are rejected
/// together, each with an event of its own.
fn session_of(open: &Open) -> (String, Value) {
    (open.directory.clone(), open.request["sessionID"].clone())
}

fn confirmation(reply: &Reply, request: &Value) -> (&'static str, Value) {
    let mut properties = json!({ "sessionID": request["sessionID"], "requestID": request["id"] });
    let name = match (reply.kind, reply.rejected) {
        (Kind::Question, true) => "question.rejected",
        (Kind::Question, false) => {
            properties["answers"] = reply.body["answers"].clone();
            "question.replied"
        }
        (Kind::Permission, _) => {
            properties["reply"] = reply.body["reply"].clone();
            "permission.replied"
        }
    };
    (name, properties)
}
