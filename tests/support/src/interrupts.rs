//! A strict service with the ask_user / resume API, written from its documents: threads that an
//! interrupt can stop, one event stream that reports it, and `POST /api/resume/{thread_id}`.
//!
//! This file is the tests' side of it. The HTTP side, which does the strict checks, is in `routes`.

mod routes;

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use axum::body::Bytes;
use serde_json::{Value, json};
use tokio::sync::{mpsc, watch};

use crate::eventually;
use crate::ports::free_port;
use crate::serving::Serving;

/// The interrupt that the documents of the service show as an example.
pub const DOCUMENTED: &str = r#"{"info": "the agent asks 3 questions", "taskName": "user Q&A", "data": {}, "questions": [
  {"question": "Favourite colour?", "options": [{"label": "Red", "value": "red"},
                                                {"label": "Custom", "value": "__custom__", "allow_custom": true}]}]}"#;

/// The format of the stream's frames; both formats are documented.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Framing {
    /// `event: interrupt`, and the data object.
    Named,
    /// `data: {"event": "interrupt", "data": {…}}`.
    Enveloped,
}

/// An action of a resumed thread before its reply ends.
#[derive(Clone, Debug, PartialEq)]
pub enum Step {
    /// `messages/partial`
    Speak,
    /// `tool/start` and `tool/end`
    Tool,
    /// The thread is interrupted again, and the reply reports it.
    Interrupt(Value),
    /// The thread is interrupted again, and only the stream reports it.
    InterruptAside(Value),
    /// An `error` event with this text.
    Fail(&'static str),
}

/// A failure with which the service meets the next resume.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// Responds with this status and this JSON body; the thread is not resumed.
    Status(u16, &'static str),
    /// Responds with an `error` event with this text; the thread is not resumed.
    Error(&'static str),
    /// Resumes the thread, but the connection breaks before the reply says anything.
    BreakOff,
    /// Responds with status 200 and says nothing more until [`Service::release`].
    Hold,
}

/// A resume that arrived.
#[derive(Clone, Debug, PartialEq)]
pub struct Resumed {
    /// The thread's id, from the path.
    pub thread: String,
    /// The JSON body.
    pub body: Value,
}

#[derive(Default)]
struct Thread {
    waits_for: Option<Value>,
    owner: Option<&'static str>,
    next: VecDeque<Vec<Step>>,
}

struct State {
    framing: Framing,
    token: Option<&'static str>,
    announces: bool,
    threads: BTreeMap<String, Thread>,
    faults: VecDeque<Fault>,
    resumed: Vec<Resumed>,
    violations: Vec<String>,
    streams: Vec<mpsc::UnboundedSender<Bytes>>,
}

struct Shared {
    state: Mutex<State>,
    released: watch::Sender<u32>,
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap()
    }
}

/// The running service.
pub struct Service {
    shared: Arc<Shared>,
    serving: Option<Serving>,
    port: u16,
}

impl Service {
    /// Serves on a free loopback port, without demanding a token.
    pub fn start() -> Service {
        Service::speaking(Framing::Named)
    }

    /// Serves likewise, with frames in this format.
    pub fn speaking(framing: Framing) -> Service {
        let state = State {
            framing,
            token: None,
            announces: false,
            threads: BTreeMap::new(),
            faults: VecDeque::new(),
            resumed: Vec::new(),
            violations: Vec::new(),
            streams: Vec::new(),
        };
        let shared = Arc::new(Shared {
            state: Mutex::new(state),
            released: watch::Sender::new(0),
        });
        let mut service = Service {
            shared,
            serving: None,
            port: free_port(),
        };
        service.up();
        service
    }

    /// Cuts every connection and stops serving; what the threads wait for is kept.
    pub fn down(&mut self) {
        self.serving = None;
        self.state().streams.clear();
    }

    /// Serves again on the same port.
    pub fn up(&mut self) {
        let serving = Serving::start(routes::router(self.shared.clone()), self.port);
        self.port = serving.address().port();
        self.serving = Some(serving);
    }

    /// Returns the settings with which Beckon finds this service.
    pub fn config(&self, name: &str) -> String {
        let (stream, resume) = self.addresses();
        format!("[[interrupts]]\nname = \"{name}\"\nstream = \"{stream}\"\nresume = \"{resume}\"\n")
    }

    /// Returns the addresses of the event stream and of the answers.
    pub fn addresses(&self) -> (String, String) {
        let base = format!("http://127.0.0.1:{}/api", self.port);
        (format!("{base}/stream"), format!("{base}/resume"))
    }

    /// Demands this bearer token from now on.
    pub fn want_token(&self, token: &'static str) {
        self.state().token = Some(token);
    }

    /// Tells every new subscriber what the threads wait for, from now on.
    pub fn announce_on_connect(&self) {
        self.state().announces = true;
    }

    /// Makes the thread belong to the user with that token.
    pub fn give_away(&self, thread: &str, owner: &'static str) {
        self.state()
            .threads
            .entry(thread.to_owned())
            .or_default()
            .owner = Some(owner);
    }

    /// Stops the thread and reports it on the stream. `data` is completed with the fields that the
    /// documents promise.
    pub fn interrupt(&self, thread: &str, data: Value) {
        let data = complete(thread, data);
        let mut state = self.state();
        state
            .threads
            .entry(thread.to_owned())
            .or_default()
            .waits_for = Some(data.clone());
        state.say("interrupt", &data);
    }

    /// Reports once more what the thread waits for.
    pub fn repeat(&self, thread: &str) {
        let mut state = self.state();
        let data = state.threads[thread]
            .waits_for
            .clone()
            .expect("the thread waits");
        state.say("interrupt", &data);
    }

    /// Stops the thread without reporting it, as if it had happened while no client was connected.
    pub fn interrupt_unheard(&self, thread: &str, data: Value) {
        let data = complete(thread, data);
        self.state()
            .threads
            .entry(thread.to_owned())
            .or_default()
            .waits_for = Some(data);
    }

    /// Stops the thread with the documents' own example, byte for byte. The example names no
    /// thread.
    pub fn interrupt_as_documented(&self, thread: &str) {
        let data: Value = serde_json::from_str(DOCUMENTED).expect("JSON");
        let mut state = self.state();
        state
            .threads
            .entry(thread.to_owned())
            .or_default()
            .waits_for = Some(data);
        // JSON over several lines is one event with several data lines.
        let lines: String = DOCUMENTED
            .lines()
            .map(|line| format!("data: {line}\n"))
            .collect();
        state.write(format!("event: interrupt\n{lines}\n").into());
    }

    /// Writes these bytes on every stream, unchecked.
    pub fn write(&self, bytes: &str) {
        self.state().write(bytes.to_owned().into());
    }

    /// Sets what the thread does when it is resumed. Several calls are queued, one for each resume.
    pub fn then(&self, thread: &str, steps: &[Step]) {
        let mut state = self.state();
        state
            .threads
            .entry(thread.to_owned())
            .or_default()
            .next
            .push_back(steps.to_vec());
    }

    /// Makes the next resume fail in this way; several calls are queued.
    pub fn fault(&self, fault: Fault) {
        self.state().faults.push_back(fault);
    }

    /// Lets the resumes that [`Fault::Hold`] holds go on.
    pub fn release(&self) {
        self.shared.released.send_modify(|count| *count += 1);
    }

    /// Closes every stream.
    pub fn cut(&self) {
        self.state().streams.clear();
    }

    /// Tells whether the thread waits for a human.
    pub fn waits(&self, thread: &str) -> bool {
        self.state()
            .threads
            .get(thread)
            .is_some_and(|thread| thread.waits_for.is_some())
    }

    /// Returns every resume that arrived, refused or not.
    pub fn resumed(&self) -> Vec<Resumed> {
        self.state().resumed.clone()
    }

    /// Returns the breaches of the documents in the resumes that arrived.
    pub fn violations(&self) -> Vec<String> {
        self.state().violations.clone()
    }

    /// Waits until exactly that many streams are open.
    pub async fn wait_streams(&self, count: usize, timeout: Duration) {
        eventually(&format!("{count} streams"), timeout, async || {
            let mut state = self.state();
            state.streams.retain(|stream| !stream.is_closed());
            (state.streams.len() == count).then_some(())
        })
        .await;
    }

    /// Waits until that many resumes have arrived.
    pub async fn wait_resumed(&self, count: usize, timeout: Duration) -> Vec<Resumed> {
        eventually(&format!("{count} resumes"), timeout, async || {
            let resumed = self.resumed();
            (resumed.len() >= count).then_some(resumed)
        })
        .await
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.shared.state()
    }
}

impl State {
    fn say(&mut self, name: &str, data: &Value) {
        let bytes = frame(self.framing, name, data);
        self.write(bytes);
    }

    fn write(&mut self, bytes: Bytes) {
        self.streams
            .retain(|stream| stream.send(bytes.clone()).is_ok());
    }
}

fn frame(framing: Framing, name: &str, data: &Value) -> Bytes {
    match framing {
        Framing::Named => format!("event: {name}\ndata: {data}\n\n"),
        Framing::Enveloped => format!("data: {}\n\n", json!({ "event": name, "data": data })),
    }
    .into()
}

fn complete(thread: &str, mut data: Value) -> Value {
    let fields = data.as_object_mut().expect("an object");
    fields.entry("thread_id").or_insert(json!(thread));
    fields.entry("info").or_insert(json!("the agent asks"));
    fields.entry("taskName").or_insert(json!("user Q&A"));
    fields.entry("data").or_insert(json!({}));
    data
}
