//! The HTTP side of the service, as strict as its documents.

use std::convert::Infallible;
use std::sync::Arc;

use axum::body::{Body, Bytes};
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use futures_util::stream;
use serde_json::{Value, json};
use tokio::sync::mpsc;

use super::{Fault, Resumed, Shared, Step, complete, frame};

type Room = State<Arc<Shared>>;

pub(super) fn router(shared: Arc<Shared>) -> Router {
    Router::new()
        .route("/api/stream", get(events))
        .route("/api/resume/{thread}", post(resume))
        .with_state(shared)
}

async fn events(State(shared): Room, headers: HeaderMap) -> Response {
    let mut state = shared.state();
    if state.token.is_some() && bearer(&headers) != state.token {
        return refuse(StatusCode::UNAUTHORIZED, "not authorised");
    }
    let (sender, receiver) = mpsc::unbounded_channel();
    // A comment as the first line: a proxy may hold the headers back until something follows them.
    let _ = sender.send(": hello\n\n".into());
    if state.announces {
        let open = state
            .threads
            .values()
            .filter_map(|thread| thread.waits_for.as_ref());
        open.for_each(|data| _ = sender.send(frame(state.framing, "interrupt", data)));
    }
    state.streams.push(sender);
    event_stream(receiver)
}

fn event_stream(receiver: mpsc::UnboundedReceiver<Bytes>) -> Response {
    let bytes = stream::unfold(receiver, |mut receiver| async move {
        receiver
            .recv()
            .await
            .map(|bytes| (Ok::<_, Infallible>(bytes), receiver))
    });
    (
        [(header::CONTENT_TYPE, "text/event-stream")],
        Body::from_stream(bytes),
    )
        .into_response()
}

fn bearer(headers: &HeaderMap) -> Option<&str> {
    headers
        .get(header::AUTHORIZATION)?
        .to_str()
        .ok()?
        .strip_prefix("Bearer ")
}

fn refuse(status: StatusCode, detail: &str) -> Response {
    (status, Json(json!({ "detail": detail }))).into_response()
}

async fn resume(
    State(shared): Room,
    Path(thread): Path<String>,
    headers: HeaderMap,
    Json(body): Json<Value>,
) -> Response {
    let (sender, receiver) = mpsc::unbounded_channel();
    let hold = {
        let mut state = shared.state();
        state.resumed.push(Resumed {
            thread: thread.clone(),
            body: body.clone(),
        });
        if let Some(violation) = breach(&body) {
            state.violations.push(violation);
        }
        if let Some(refusal) = check(&state, &thread, bearer(&headers), &body) {
            return refusal;
        }
        state.faults.pop_front()
    };
    match hold {
        Some(Fault::Status(status, text)) => {
            let json = [(header::CONTENT_TYPE, "application/json")];
            return (StatusCode::from_u16(status).unwrap(), json, text).into_response();
        }
        Some(Fault::Error(text)) => {
            let framing = shared.state().framing;
            let _ = sender.send(frame(framing, "error", &json!({ "message": text })));
            let _ = sender.send(frame(framing, "end", &json!({})));
        }
        Some(Fault::BreakOff) => {
            let (unread, _) = mpsc::unbounded_channel();
            work(&shared, &thread, &body, &unread);
        }
        Some(Fault::Hold) => {
            let mut released = shared.released.subscribe();
            tokio::spawn(async move {
                let _ = released.changed().await;
                work(&shared, &thread, &body, &sender);
            });
        }
        None => work(&shared, &thread, &body, &sender),
    }
    event_stream(receiver)
}

/// Returns the breach in a resume's body, if there is one: clients must not send fields that the
/// documents do not know.
fn breach(body: &Value) -> Option<String> {
    let fields = body.as_object()?;
    let strange = fields
        .keys()
        .find(|key| !matches!(key.as_str(), "action" | "answers"));
    let needless = fields.contains_key("answers") && body["action"] != "answer";
    match strange {
        Some(key) => Some(format!("the documents know no {key}")),
        None => needless.then(|| format!("answers with {}", body["action"])),
    }
}

fn check(
    state: &super::State,
    thread: &str,
    bearer: Option<&str>,
    body: &Value,
) -> Option<Response> {
    if state.token.is_some() && bearer != state.token {
        return Some(refuse(StatusCode::UNAUTHORIZED, "not authorised"));
    }
    let Some(thread) = state.threads.get(thread) else {
        return Some(refuse(StatusCode::NOT_FOUND, "no such thread"));
    };
    if thread.owner.is_some() && bearer != thread.owner {
        return Some(refuse(StatusCode::FORBIDDEN, "not this user's thread"));
    }
    match body["action"].as_str() {
        Some("continue" | "cancel") => {}
        Some("answer") if body["answers"].is_array() => {}
        Some("answer") => return Some(refuse(StatusCode::BAD_REQUEST, "answers is missing")),
        _ => return Some(refuse(StatusCode::BAD_REQUEST, "action is not valid")),
    }
    let waits = thread.waits_for.is_some();
    (!waits).then(|| refuse(StatusCode::CONFLICT, "the thread waits for nobody"))
}

/// Takes the answer or refuses it in the reply, and does the thread's next steps.
fn work(shared: &Shared, id: &str, body: &Value, reply: &mpsc::UnboundedSender<Bytes>) {
    let mut state = shared.state();
    let framing = state.framing;
    let tell = |name: &str, data: Value| _ = reply.send(frame(framing, name, &data));
    let Some(thread) = state.threads.get_mut(id) else {
        return;
    };
    let asked = thread.waits_for.clone().unwrap_or_default();
    if let Some(error) = invalid(&asked, body) {
        state.violations.push(error.clone());
        tell("error", json!({ "message": error }));
        return tell("end", json!({}));
    }
    thread.waits_for = None;
    let stopped = body["action"] == "cancel";
    let steps = thread
        .next
        .pop_front()
        .unwrap_or_else(|| vec![Step::Speak, Step::Tool]);
    for step in steps.into_iter().filter(|_| !stopped) {
        match step {
            Step::Speak => tell("messages/partial", json!({ "content": "Well, then …" })),
            Step::Tool => {
                tell("tool/start", json!({ "name": "search" }));
                tell("tool/end", json!({ "name": "search" }));
            }
            Step::Fail(text) => tell("error", json!({ "message": text })),
            Step::Interrupt(data) => {
                let data = complete(id, data);
                stop(&mut state, id, &data);
                tell("interrupt", data);
            }
            Step::InterruptAside(data) => {
                let data = complete(id, data);
                stop(&mut state, id, &data);
                state.say("interrupt", &data);
            }
        }
    }
    tell("end", json!({}));
}

fn stop(state: &mut super::State, thread: &str, data: &Value) {
    state
        .threads
        .entry(thread.to_owned())
        .or_default()
        .waits_for = Some(data.clone());
}

/// Checks the answers for the two documented errors. An ordinary interrupt has no questions,
/// whatever its options.
fn invalid(asked: &Value, body: &Value) -> Option<String> {
    if body["action"] != "answer" {
        return None;
    }
    let answers = body["answers"].as_array()?;
    let questions = asked["questions"].as_array().map_or(0, Vec::len);
    if answers.len() != questions {
        let got = answers.len();
        return Some(format!(
            "answers count ({got}) does not match questions count ({questions})"
        ));
    }
    let empty = answers
        .iter()
        .position(|a| a.as_str().is_none_or(|a| a.trim().is_empty()));
    empty.map(|index| format!("answer at index {index} is empty"))
}
