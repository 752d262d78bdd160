//! A scripted language model: a server with the APIs of OpenAI and Anthropic that plays the script
//! in its prompt.
//!
//! It keeps no state between requests. The prompt carries its script between markers, and the
//! number of assistant messages after that prompt is the step to play. How a step is put into
//! chunks is in `model/wire.rs`.

mod messages;
mod wire;

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use axum::extract::State;
use axum::response::Response;
use axum::routing::post;
use axum::{Json, Router};
use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::serving::Serving;

/// The provider's name in the agent's configuration.
pub const PROVIDER: &str = "lab";
/// The model's name in the agent's configuration.
pub const MODEL: &str = "lab-1";

const OPEN: &str = "[[LAB:";
const CLOSE: &str = "]]";

/// An answer of the model.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Step {
    /// Says this text and ends the turn.
    Text(String),
    /// Calls these tools, all in one step.
    Tools(Vec<ToolCall>),
    /// Says `text` `count` times, `gap_ms` apart, and ends the turn.
    Chunks {
        /// The number of deltas.
        count: usize,
        /// The text of each.
        text: String,
        /// The pause before each.
        gap_ms: u64,
    },
    /// Answers this HTTP status: 400 ends the turn with an error, 503 makes the agent retry.
    Fail(u16),
}

/// A tool the model calls.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ToolCall {
    /// The tool's name: `question`, `bash`, `write`, `read`, `task`.
    pub name: String,
    /// The arguments, in the form of the tool's schema.
    pub arguments: Value,
}

impl ToolCall {
    /// Makes a call of `name` with `arguments`.
    pub fn new(name: &str, arguments: Value) -> ToolCall {
        ToolCall {
            name: name.to_owned(),
            arguments,
        }
    }

    /// Makes a call that asks `questions`, an array in the form of the question tool.
    pub fn question(questions: Value) -> ToolCall {
        ToolCall::new("question", serde_json::json!({ "questions": questions }))
    }

    /// Makes a call that runs a shell command.
    pub fn bash(command: &str) -> ToolCall {
        let arguments = serde_json::json!({ "command": command, "description": "Run a command" });
        ToolCall::new("bash", arguments)
    }
}

/// Returns the prompt that makes the model play `steps`; when they have run out it says "done".
pub fn script(steps: &[Step]) -> String {
    let json = serde_json::to_vec(steps).unwrap();
    format!("Play the script. {OPEN}{}{CLOSE}", BASE64.encode(json))
}

/// The running model server; stops on drop.
pub struct Model {
    serving: Serving,
    record: Arc<Record>,
}

#[derive(Default)]
struct Record {
    requests: AtomicUsize,
    tool_results: Mutex<Vec<(String, String)>>,
}

impl Model {
    /// Starts a model on a free loopback port.
    pub fn start() -> Model {
        let record = Arc::new(Record::default());
        let router = Router::new()
            .route("/v1/chat/completions", post(complete))
            .route("/v1/messages", post(messages::complete))
            .route("/v1/messages/count_tokens", post(messages::count))
            .with_state(Arc::clone(&record))
            .layer(axum::extract::DefaultBodyLimit::disable());
        Model {
            serving: Serving::start(router, 0),
            record,
        }
    }

    /// Returns the base URL for a provider's configuration, ending in `/v1`.
    pub fn url(&self) -> String {
        format!("http://{}/v1", self.serving.address())
    }

    /// Returns the URL without `/v1`, as Anthropic's clients want it.
    pub fn root(&self) -> String {
        format!("http://{}", self.serving.address())
    }

    /// Returns how many requests came, including those of the agent that makes titles.
    pub fn requests(&self) -> usize {
        self.record.requests.load(Ordering::SeqCst)
    }

    /// Returns the tool results that the model was told: each call's id and result, once each, in
    /// order of arrival.
    pub fn tool_results(&self) -> Vec<(String, String)> {
        self.record.tool_results.lock().unwrap().clone()
    }
}

async fn complete(State(record): State<Arc<Record>>, Json(request): Json<Value>) -> Response {
    let number = record.requests.fetch_add(1, Ordering::SeqCst) + 1;
    let messages = request["messages"].as_array().cloned().unwrap_or_default();
    record.note_tool_results(&messages);
    let step = match request["tools"].as_array() {
        Some(tools) if !tools.is_empty() => next_step(&messages),
        _ => Step::Text("A scripted session".to_owned()),
    };
    wire::answer(step, number, request["stream"].as_bool() == Some(true))
}

impl Record {
    /// Notes the tool results that are new; every request repeats the history.
    fn note_tool_results(&self, messages: &[Value]) {
        let mut seen = self.tool_results.lock().unwrap();
        for message in messages.iter().filter(|message| message["role"] == "tool") {
            let id = message["tool_call_id"]
                .as_str()
                .unwrap_or_default()
                .to_owned();
            let entry = (id, text_of(&message["content"]));
            if !seen.contains(&entry) {
                seen.push(entry);
            }
        }
    }
}

fn next_step(messages: &[Value]) -> Step {
    let done = || Step::Text("done".to_owned());
    let Some((at, steps)) = last_script(messages) else {
        return done();
    };
    let played = messages[at..]
        .iter()
        .filter(|message| message["role"] == "assistant")
        .count();
    steps.into_iter().nth(played).unwrap_or_else(done)
}

fn last_script(messages: &[Value]) -> Option<(usize, Vec<Step>)> {
    messages
        .iter()
        .enumerate()
        .rev()
        .filter(|(_, message)| message["role"] == "user")
        .find_map(|(at, message)| Some((at, steps_in(&text_of(&message["content"]))?)))
}

fn steps_in(prompt: &str) -> Option<Vec<Step>> {
    let (_, rest) = prompt.split_once(OPEN)?;
    let (encoded, _) = rest.split_once(CLOSE)?;
    let json = BASE64.decode(encoded).expect("a script is base64");
    Some(serde_json::from_slice(&json).expect("a script is a JSON array of steps"))
}

/// Returns the text of a message's content, which is either plain text or an array of parts.
fn text_of(content: &Value) -> String {
    match content {
        Value::String(text) => text.clone(),
        Value::Array(parts) => parts
            .iter()
            .filter_map(|part| part["text"].as_str())
            .collect(),
        _ => String::new(),
    }
}
