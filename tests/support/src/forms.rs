//! A made-up OpenCode 2.x that serves forms and permissions below `/api`. It was written from the
//! published contract, not from a server that ran.
//!
//! It checks answers as strictly as the parts of the contract that matter here: unknown and missing
//! fields are refused, and a form is settled only once.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex};

use axum::body::{Body, Bytes};
use axum::extract::{Path, Query, Request, State};
use axum::http::{StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::{Html, IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;
use serde_json::{Value, json};
use tokio::sync::broadcast;

use crate::serving::Serving;

/// The number of frames that a slow reader may lag behind.
const BACKLOG: usize = 64;

/// A call that changes something.
#[derive(Clone, Debug, PartialEq)]
pub struct Call {
    /// `POST`, `DELETE`.
    pub method: String,
    /// The path without the query.
    pub path: String,
    /// The JSON body, or null.
    pub body: Value,
    /// The status of the server's response.
    pub status: u16,
}

#[derive(Default)]
struct Data {
    password: Option<String>,
    /// The directory of each session, by its id; all of them run.
    sessions: BTreeMap<String, String>,
    /// The forms by id, each with its `state`.
    forms: BTreeMap<String, Value>,
    permissions: BTreeMap<String, Value>,
    calls: Vec<Call>,
}

struct World {
    data: Mutex<Data>,
    events: broadcast::Sender<Bytes>,
}

type Shared = State<Arc<World>>;

/// The running server; stops on drop.
pub struct Forms {
    world: Arc<World>,
    serving: Serving,
}

impl Forms {
    /// Starts on a free port, without a password.
    pub fn start() -> Forms {
        let (events, _) = broadcast::channel(BACKLOG);
        let world = Arc::new(World {
            data: Mutex::default(),
            events,
        });
        let serving = Serving::start(router(Arc::clone(&world)), 0);
        Forms { world, serving }
    }

    /// Returns `http://127.0.0.1:PORT`.
    pub fn url(&self) -> String {
        format!("http://{}", self.serving.address())
    }

    /// Demands HTTP Basic with user `opencode` from now on.
    pub fn password(&self, password: &str) {
        self.change(|data| data.password = Some(password.to_owned()));
    }

    /// Adds a running session.
    pub fn session(&self, id: &str, directory: &str) {
        self.change(|data| data.sessions.insert(id.to_owned(), directory.to_owned()));
    }

    /// Puts a form on the list without sending an event.
    pub fn open(&self, id: &str, session: &str, fields: Value) -> Value {
        let form = json!({ "id": id, "sessionID": session, "title": "Set up",
            "metadata": { "kind": "setup" }, "fields": fields });
        let mut listed = form.clone();
        listed["state"] = json!({ "status": "pending" });
        self.change(|data| data.forms.insert(id.to_owned(), listed));
        form
    }

    /// Puts a form on the list and sends its event.
    pub fn ask(&self, id: &str, session: &str, fields: Value) {
        let form = self.open(id, session, fields);
        let directory = self.change(|data| data.sessions[session].clone());
        self.world
            .tell("form.created", &directory, json!({ "form": form }));
    }

    /// Adds a permission request and sends its event.
    pub fn ask_permission(&self, id: &str, session: &str, action: &str, resource: &str) {
        let asked = json!({ "id": id, "sessionID": session, "action": action,
            "resources": [resource], "save": [resource] });
        let directory = self.change(|data| {
            data.permissions.insert(id.to_owned(), asked.clone());
            data.sessions[session].clone()
        });
        self.world.tell("permission.asked", &directory, asked);
    }

    /// Answers a form at the server itself, as another client would.
    pub fn answer_there(&self, id: &str, answer: Value) {
        let form = self.change(|data| data.forms[id].clone());
        let session = form["sessionID"].as_str().unwrap();
        assert_eq!(self.world.settle(session, id, Some(answer)), 204);
    }

    /// Returns every call so far that changes something.
    pub fn calls(&self) -> Vec<Call> {
        self.change(|data| data.calls.clone())
    }

    fn change<T>(&self, change: impl FnOnce(&mut Data) -> T) -> T {
        change(&mut self.world.data.lock().unwrap())
    }
}

impl World {
    fn tell(&self, kind: &str, directory: &str, data: Value) {
        let event = json!({ "id": "evt_1", "created": 1_795_205_302_854_u64, "type": kind,
            "location": { "directory": directory }, "data": data });
        let _ = self.events.send(Bytes::from(format!("data: {event}\n\n")));
    }

    /// Ends a form, with its answer or without one; returns the HTTP status.
    fn settle(&self, session: &str, id: &str, answer: Option<Value>) -> u16 {
        let directory = {
            let mut data = self.data.lock().unwrap();
            let Some(form) = data.forms.get_mut(id) else {
                return 404;
            };
            if form["state"]["status"] != "pending" {
                return 409;
            }
            if answer.as_ref().is_some_and(|answer| !fits(form, answer)) {
                return 400;
            }
            form["state"] = match &answer {
                Some(answer) => json!({ "status": "answered", "answer": answer }),
                None => json!({ "status": "cancelled" }),
            };
            data.sessions[session].clone()
        };
        match answer {
            Some(answer) => self.tell(
                "form.replied",
                &directory,
                json!({ "id": id, "sessionID": session, "answer": answer }),
            ),
            None => {
                self.tell(
                    "form.cancelled",
                    &directory,
                    json!({ "id": id, "sessionID": session }),
                );
            }
        }
        204
    }

    fn note(&self, method: &str, path: String, body: Value, status: u16) -> Response {
        let call = Call {
            method: method.to_owned(),
            path,
            body,
            status,
        };
        self.data.lock().unwrap().calls.push(call);
        StatusCode::from_u16(status).unwrap().into_response()
    }
}

fn invalid(form: &str) -> Value {
    json!({ "_tag": "FormInvalidAnswerError", "id": form,
        "message": "Form field does not match pattern: tag" })
}

fn fits(form: &Value, answer: &Value) -> bool {
    let (fields, answer) = (
        form["fields"].as_array().unwrap(),
        answer.as_object().unwrap(),
    );
    let known = |key: &String| fields.iter().any(|field| field["key"] == **key);
    let there = |field: &Value| answer.contains_key(field["key"].as_str().unwrap());
    let must = |field: &&Value| field["required"] == true && field["when"].is_null();
    let right = |field: &Value| {
        // Only the patterns that tests need are supported: a beginning, plain or as a lookahead.
        let beginning = field["pattern"].as_str().and_then(beginning_of);
        let value = answer
            .get(field["key"].as_str().unwrap())
            .and_then(Value::as_str);
        beginning
            .zip(value)
            .is_none_or(|(beginning, value)| value.starts_with(beginning))
    };
    answer.keys().all(known) && fields.iter().filter(must).all(there) && fields.iter().all(right)
}

/// Returns `v` for `^v` and for `^(?=v)`.
fn beginning_of(pattern: &str) -> Option<&str> {
    let rest = pattern.strip_prefix('^')?;
    let ahead = rest.strip_prefix("(?=");
    Some(ahead.and_then(|it| it.strip_suffix(')')).unwrap_or(rest))
}

fn router(world: Arc<World>) -> Router {
    Router::new()
        .route("/api/event", get(events))
        .route(
            "/api/info",
            get(|| async { Json(json!({ "version": "2.1.2", "pid": 1 })) }),
        )
        .route("/api/session/active", get(active))
        .route("/api/session/{session}", get(session))
        .route("/api/form", get(forms))
        .route("/api/permission/request", get(permissions))
        .route(
            "/api/session/{session}/form/{form}",
            get(form).delete(cancel),
        )
        .route("/api/session/{session}/form/{form}/reply", post(reply))
        .route(
            "/api/session/{session}/permission/{request}/reply",
            post(decide),
        )
        // Every unknown path returns the page of the web app, as the real server does.
        .fallback(|| async { Html("<!doctype html><title>App</title>") })
        .layer(middleware::from_fn_with_state(Arc::clone(&world), guard))
        .with_state(world)
}

async fn guard(State(world): Shared, request: Request, next: Next) -> Response {
    let wanted = world.data.lock().unwrap().password.clone();
    let wanted = wanted.map(|password| BASE64.encode(format!("opencode:{password}")));
    let given = request
        .headers()
        .get(header::AUTHORIZATION)
        .and_then(|it| it.to_str().ok());
    match wanted.is_none_or(|wanted| given == Some(&format!("Basic {wanted}"))) {
        true => next.run(request).await,
        false => StatusCode::UNAUTHORIZED.into_response(),
    }
}

async fn events(State(world): Shared) -> Response {
    let hello = "data: {\"id\":\"evt_0\",\"created\":1,\"type\":\"server.connected\",\"data\":{}}\n\n: heartbeat\n\n";
    let events = world.events.subscribe();
    let stream =
        futures_util::stream::unfold((Some(hello), events), async |(hello, mut events)| {
            let bytes = match hello {
                Some(hello) => Bytes::from_static(hello.as_bytes()),
                None => events.recv().await.ok()?,
            };
            Some((Ok::<_, std::io::Error>(bytes), (None, events)))
        });
    (
        [(header::CONTENT_TYPE, "text/event-stream")],
        Body::from_stream(stream),
    )
        .into_response()
}

async fn active(State(world): Shared) -> Json<Value> {
    let data = world.data.lock().unwrap();
    let running = data
        .sessions
        .keys()
        .map(|id| (id.clone(), json!({ "type": "running" })));
    Json(json!({ "data": running.collect::<serde_json::Map<_, _>>() }))
}

async fn session(State(world): Shared, Path(id): Path<String>) -> Response {
    let data = world.data.lock().unwrap();
    let Some(directory) = data.sessions.get(&id) else {
        return StatusCode::NOT_FOUND.into_response();
    };
    let session = json!({ "id": id, "title": "A session", "agent": "build",
        "location": { "directory": directory } });
    Json(json!({ "data": session })).into_response()
}

type Parameters = Query<HashMap<String, String>>;

async fn forms(State(world): Shared, Query(parameters): Parameters) -> Json<Value> {
    let data = world.data.lock().unwrap();
    let pending = data
        .forms
        .values()
        .filter(|form| form["state"]["status"] == "pending");
    listed(&data, pending, &parameters)
}

async fn permissions(State(world): Shared, Query(parameters): Parameters) -> Json<Value> {
    let data = world.data.lock().unwrap();
    listed(&data, data.permissions.values(), &parameters)
}

fn listed<'a>(
    data: &Data,
    all: impl Iterator<Item = &'a Value>,
    parameters: &HashMap<String, String>,
) -> Json<Value> {
    let directory = parameters.get("location[directory]");
    let here = |item: &&Value| {
        let session = item["sessionID"].as_str().unwrap_or_default();
        data.sessions.get(session) == directory
    };
    let items: Vec<Value> = all.filter(here).cloned().collect();
    Json(json!({ "location": { "directory": directory }, "data": items }))
}

async fn form(State(world): Shared, Path((_, form)): Path<(String, String)>) -> Response {
    match world.data.lock().unwrap().forms.get(&form) {
        Some(form) => Json(json!({ "data": form })).into_response(),
        None => StatusCode::NOT_FOUND.into_response(),
    }
}

async fn reply(
    State(world): Shared,
    Path((session, form)): Path<(String, String)>,
    Json(body): Json<Value>,
) -> Response {
    let status = world.settle(&session, &form, Some(body["answer"].clone()));
    let path = format!("/api/session/{session}/form/{form}/reply");
    let response = world.note("POST", path, body, status);
    match status {
        400 => (StatusCode::BAD_REQUEST, Json(invalid(&form))).into_response(),
        _ => response,
    }
}

async fn cancel(State(world): Shared, Path((session, form)): Path<(String, String)>) -> Response {
    let status = world.settle(&session, &form, None);
    world.note(
        "DELETE",
        format!("/api/session/{session}/form/{form}"),
        Value::Null,
        status,
    )
}

async fn decide(
    State(world): Shared,
    Path((session, request)): Path<(String, String)>,
    Json(body): Json<Value>,
) -> Response {
    let removed = world.data.lock().unwrap().permissions.remove(&request);
    let status = if removed.is_some() { 204 } else { 404 };
    if removed.is_some() {
        let directory = world.data.lock().unwrap().sessions[&session].clone();
        let data = json!({ "sessionID": session, "requestID": request, "reply": body["decision"] });
        world.tell("permission.replied", &directory, data);
    }
    world.note(
        "POST",
        format!("/api/session/{session}/permission/{request}/reply"),
        body,
        status,
    )
}
