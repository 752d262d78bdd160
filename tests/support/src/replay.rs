//! An imitation of an OpenCode server whose every byte and fault the test decides, for benches and
//! fault tests.
//!
//! This file is the tests' side of it: the data it serves, its faults, and the record of calls. The
//! stream's bytes are in `replay/stream.rs`, the HTTP side is in `replay/routes.rs`.

mod routes;
mod stream;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::eventually;
use crate::ports::free_port;
use crate::serving::Serving;
use stream::Streams;
pub use stream::{Flooded, Streaming, frame};

/// The kinds of requests that can be open at an OpenCode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A question, `/question`.
    Question,
    /// A permission, `/permission`.
    Permission,
}

/// The server's behaviour when a reply or reject arrives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OnReply {
    /// Responds 200, removes the request from the list and sends its event; responds 404 for an
    /// unknown id.
    Confirm,
    /// Responds 200 and removes the request from the list, but sends no event.
    Quiet,
    /// Responds 200 and does nothing, like 1.1.53 with a wrong directory.
    Ignore,
    /// Behaves as [`OnReply::Confirm`], but responds 200 also for an unknown id, like 1.1.53.
    Assent,
    /// Removes the request from the list, but sends no event and never responds.
    TakeAndHang,
    /// Removes the request from the list and sends its event, but never responds.
    ConfirmAndHang,
    /// Removes the request from the list without an event, and responds with this status.
    TakeAndStatus(u16),
    /// Responds with this status and does nothing.
    Status(u16),
    /// Never responds and does nothing.
    Hang,
}

/// A fault of one path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// Responds with this status.
    Status(u16),
    /// Accepts the request and never answers.
    Hang,
    /// Responds as it should, this much later.
    Slow(Duration),
    /// Responds 200 with a body that never ends, as fast as it is read.
    Endless,
}

/// A reply or reject that arrived.
#[derive(Clone, Debug)]
pub struct Reply {
    /// The kind of request that it answers.
    pub kind: Kind,
    /// The request's id, from the path.
    pub id: String,
    /// Whether it was `/reject`.
    pub rejected: bool,
    /// The directory that it named.
    pub directory: Option<String>,
    /// The JSON body, or null.
    pub body: Value,
    /// The moment at which it arrived.
    pub at: Instant,
}

/// A request that arrived, of whatever kind.
#[derive(Clone, Debug)]
pub struct Call {
    /// `GET`, `POST`.
    pub method: String,
    /// The path without the query.
    pub path: String,
    /// The raw query, or an empty text.
    pub query: String,
    /// Whether it carried a password, or anything like one.
    pub with_credentials: bool,
    /// The moment at which it arrived.
    pub at: Instant,
}

struct Open {
    kind: Kind,
    directory: String,
    request: Value,
}

/// The data that the imitation serves, and the record of what it was sent.
struct Data {
    version: String,
    password: Option<String>,
    projects: BTreeSet<String>,
    sessions: BTreeMap<String, Value>,
    messages: BTreeMap<String, Value>,
    busy: BTreeSet<String>,
    open: Vec<Open>,
    streaming: Streaming,
    on_reply: OnReply,
    faults: BTreeMap<String, Fault>,
    replies: Vec<Reply>,
    calls: Vec<Call>,
}

impl Default for Data {
    fn default() -> Data {
        Data {
            version: "1.18.33".to_owned(),
            password: None,
            projects: BTreeSet::new(),
            sessions: BTreeMap::new(),
            messages: BTreeMap::new(),
            busy: BTreeSet::new(),
            open: Vec::new(),
            streaming: Streaming::Open,
            on_reply: OnReply::Confirm,
            faults: BTreeMap::new(),
            replies: Vec::new(),
            calls: Vec::new(),
        }
    }
}

#[derive(Default)]
struct World {
    data: Mutex<Data>,
    streams: Streams,
}

/// The running imitation; stops on drop.
pub struct Replay {
    world: Arc<World>,
    serving: Option<Serving>,
    port: u16,
}

impl Replay {
    /// Starts on a free port with nothing in it.
    pub fn start() -> Replay {
        let world = Arc::new(World::default());
        let serving = Serving::start(routes::router(Arc::clone(&world)), free_port());
        let port = serving.address().port();
        Replay {
            world,
            serving: Some(serving),
            port,
        }
    }

    /// Returns `http://127.0.0.1:PORT`.
    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// Stops listening and breaks every connection.
    pub fn down(&mut self) {
        self.serving = None;
    }

    /// Listens again on the same port.
    pub fn up(&mut self) {
        self.down();
        self.serving = Some(Serving::start(
            routes::router(Arc::clone(&self.world)),
            self.port,
        ));
    }

    fn change<T>(&self, change: impl FnOnce(&mut Data) -> T) -> T {
        change(&mut self.world.data.lock().unwrap())
    }

    /// Sets the version that `/global/health` reports.
    pub fn version(&self, version: &str) {
        self.change(|data| data.version = version.to_owned());
    }

    /// Demands HTTP Basic with user `opencode` from now on.
    pub fn password(&self, password: &str) {
        self.change(|data| data.password = Some(password.to_owned()));
    }

    /// Adds an idle session, and its directory as a project.
    pub fn session(&self, id: &str, directory: &str, title: &str) {
        let session = json!({ "id": id, "title": title, "directory": directory,
            "projectID": "p", "time": { "created": 0, "updated": 0 }, "agent": "build" });
        self.change(|data| {
            data.projects.insert(directory.to_owned());
            data.sessions.insert(id.to_owned(), session);
        });
    }

    /// Adds an idle session in a directory that is no project.
    pub fn stray_session(&self, id: &str, directory: &str, title: &str) {
        self.session(id, directory, title);
        self.change(|data| data.projects.remove(directory));
    }

    /// Changes a session's fields, e.g. `{"parentID": …}`.
    pub fn amend_session(&self, id: &str, fields: &Value) {
        self.change(|data| {
            let session = data.sessions.get_mut(id).expect("a known session");
            for (key, value) in fields.as_object().expect("an object of fields") {
                session[key] = value.clone();
            }
        });
    }

    /// Sets the message that `/session/{session}/message/{message}` returns.
    pub fn message(&self, session: &str, message: &str, body: Value) {
        self.change(|data| data.messages.insert(format!("{session}/{message}"), body));
    }

    /// Sets whether `/session/status` lists the session as busy.
    pub fn busy(&self, session: &str, busy: bool) {
        self.change(|data| {
            if busy {
                data.busy.insert(session.to_owned())
            } else {
                data.busy.remove(session)
            }
        });
    }

    /// Puts a request on the list without an event; its session becomes busy.
    pub fn open(&self, kind: Kind, directory: &str, request: Value) {
        if let Some(session) = request["sessionID"].as_str() {
            self.busy(session, true);
        }
        let open = Open {
            kind,
            directory: directory.to_owned(),
            request,
        };
        self.change(|data| data.open.push(open));
    }

    /// Gives the open request `id` a new id.
    pub fn rename(&self, id: &str, new: &str) {
        self.change(|data| {
            let open = data.open.iter_mut().find(|open| open.request["id"] == id);
            open.expect("a known request").request["id"] = json!(new);
        });
    }

    /// Takes a request off the list without an event.
    pub fn withdraw(&self, id: &str) {
        self.change(|data| data.open.retain(|open| open.request["id"] != id));
    }

    /// Returns the ids of all open requests.
    pub fn open_ids(&self) -> Vec<String> {
        let id = |open: &Open| open.request["id"].as_str().unwrap_or_default().to_owned();
        self.change(|data| data.open.iter().map(id).collect())
    }

    /// Opens a request like [`open`](Replay::open) and sends its event; returns the moment at which
    /// the event was sent.
    pub async fn ask(&self, kind: Kind, directory: &str, request: Value) -> Instant {
        let name = match kind {
            Kind::Question => "question.asked",
            Kind::Permission => "permission.asked",
        };
        self.open(kind, directory, request.clone());
        self.send(&frame(Some(directory), name, request)).await
    }

    /// Sets the behaviour for replies from now on.
    pub fn on_reply(&self, behaviour: OnReply) {
        self.change(|data| data.on_reply = behaviour);
    }

    /// Makes a path fail from now on; `None` heals it.
    pub fn fault(&self, path: &str, fault: Option<Fault>) {
        self.change(|data| match fault {
            Some(fault) => data.faults.insert(path.to_owned(), fault),
            None => data.faults.remove(path),
        });
    }

    /// Makes a path fail like [`fault`](Replay::fault), for one directory only.
    pub fn fault_in(&self, path: &str, directory: &str, fault: Option<Fault>) {
        self.fault(&format!("{path} in {directory}"), fault);
    }

    /// Returns the replies and rejects so far.
    pub fn replies(&self) -> Vec<Reply> {
        self.change(|data| data.replies.clone())
    }

    /// Returns all requests so far.
    pub fn calls(&self) -> Vec<Call> {
        self.change(|data| data.calls.clone())
    }

    /// Returns how often `path` was called.
    pub fn count(&self, path: &str) -> usize {
        self.change(|data| data.calls.iter().filter(|call| call.path == path).count())
    }

    /// Waits until `count` replies have come and returns them all.
    pub async fn wait_replies(&self, count: usize, timeout: Duration) -> Vec<Reply> {
        eventually(&format!("{count} replies"), timeout, async || {
            let replies = self.replies();
            (replies.len() >= count).then_some(replies)
        })
        .await
    }
}

/// Makes a question request in the form of the list and the event; the options are labels.
pub fn question(id: &str, session: &str, text: &str, labels: &[&str]) -> Value {
    let options: Vec<Value> = labels
        .iter()
        .map(|label| json!({ "label": label, "description": "" }))
        .collect();
    json!({ "id": id, "sessionID": session,
        "questions": [{ "question": text, "header": "Header", "options": options }] })
}

/// Returns the tool call that a request of this id belongs to, in a message of its own.
pub fn call_of(id: &str) -> Value {
    json!({ "messageID": format!("msg_{id}"), "callID": format!("call_{id}") })
}

/// Makes a bash permission request in the form of the list and the event.
pub fn permission(id: &str, session: &str, command: &str) -> Value {
    json!({ "id": id, "sessionID": session, "permission": "bash", "patterns": [command],
        "metadata": { "command": command }, "always": [], "tool": call_of(id) })
}
