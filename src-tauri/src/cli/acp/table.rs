//! The requests for permissions between one editor and one agent: which are open, who answered
//! first, and what became of our answers. Pure: messages go in, acts come out.
//!
//! - The editor always sees the request. The first answer counts; if that is ours, the editor's
//!   dialog is taken back, and what it still says of it is kept from the agent.
//! - The agent has one request with an id. Of two with the same id neither is answered from here,
//!   since nobody could tell whose the editor's answer is.
//! - An answer of ours counts as taken when the agent says that the tool of that call went on (or,
//!   after a no, that it did not). The end of the turn without such a word proves nothing.

use super::message::{self, Message};
use super::permission::{PermissionRequest, read_request};
use crate::sources::local_asks::messages::AskerReceipt;
use beckon_client::wire::PermissionDecision;
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// The most editor's dialogs that were taken back and are still expected to say something.
const MOST_OWED: usize = 1_024;
/// The most tool calls of which the beginning is remembered.
const MOST_CALLS: usize = 512;
/// The fields of a call that a request for its permission may leave out.
const REMEMBERED: [&str; 5] = ["title", "kind", "content", "locations", "rawInput"];

/// The number of an ask of ours.
pub(super) type AskNumber = u64;

/// The session and the tool call in it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct CallName {
    session: String,
    call: String,
}

/// What is to be done in Beckon.
#[derive(Debug)]
pub(super) enum Act {
    /// Ask the human in Beckon.
    Ask(AskNumber, Box<PermissionRequest>),
    /// Tell Beckon how the request ended, and ask no more.
    End(AskNumber, AskerReceipt),
}

/// What becomes of a line of the editor.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Passage {
    /// It is passed on as it came.
    Whole,
    /// Nothing of it is.
    Nothing,
    /// A batch is passed on without the messages that are kept from the agent.
    Rest(Vec<u8>),
}

/// The lines by which an answer of ours is given.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Answer {
    pub(super) to_agent: Vec<u8>,
    pub(super) to_editor: Vec<u8>,
}

#[derive(Debug)]
struct OpenRequest {
    number: AskNumber,
    name: CallName,
    request: PermissionRequest,
}

/// An answer that was given from here.
#[derive(Debug)]
struct GivenAnswer {
    number: AskNumber,
    name: CallName,
    allows: bool,
}

/// A request of the editor that is not answered yet.
#[derive(Debug)]
enum EditorRequest {
    Initialize,
    Session { directory: Option<String> },
    Prompt { session: String },
}

#[derive(Debug, Default)]
pub(super) struct PermissionTable {
    asked: AskNumber,
    /// By the agent's id.
    open: BTreeMap<String, OpenRequest>,
    /// The ids of which the editor still owes the answer to a dialog that was taken back, with the
    /// number of such answers, the newest last.
    owed: Vec<String>,
    given: Vec<GivenAnswer>,
    /// By the editor's id.
    editor_requests: BTreeMap<String, EditorRequest>,
    directories: BTreeMap<String, String>,
    /// What was said of a call so far.
    calls: BTreeMap<CallName, Value>,
    agent: Option<String>,
}

impl PermissionTable {
    /// Takes a line of the agent.
    pub(super) fn hear_agent(&mut self, line: &[u8]) -> Vec<Act> {
        let messages = message::read(line);
        let acts = messages.iter().map(|message| self.on_agent(message));
        acts.flatten().collect()
    }

    fn on_agent(&mut self, message: &Message) -> Vec<Act> {
        match message.method.as_deref() {
            Some("session/request_permission") => self.on_request(message),
            Some("$/cancel_request") => self.on_cancelled(message),
            Some("session/update") => self.on_update(message.params()),
            Some(_) => Vec::new(),
            None => self.on_agent_answer(message),
        }
    }

    fn on_request(&mut self, message: &Message) -> Vec<Act> {
        let name = call_name(message.params(), &message.params()["toolCall"]);
        let mut request = read_request(message, self.calls.get(&name));
        request.directory = self.directories.get(&name.session).cloned();
        request.agent = self.agent.clone();

        let number = self.asked;
        self.asked += 1;
        let is_double = |id: &String| self.open.contains_key(id) || self.owed.contains(id);
        let can_answer = message.id.as_ref().is_some_and(|id| !is_double(id));
        if !can_answer {
            request = request.unanswerable();
        }

        // No id of JSON is written like this.
        let id = message.id.clone();
        let id = id.unwrap_or_else(|| format!("none {number}"));
        let first = self.open.remove(&id).into_iter();
        let first = first.map(|it| Act::End(it.number, AskerReceipt::Over));
        let mut acts: Vec<Act> = first.collect();
        acts.push(Act::Ask(number, Box::new(request.clone())));
        let open = OpenRequest {
            number,
            name,
            request,
        };
        self.open.insert(id, open);
        acts
    }

    /// The agent takes a request back.
    fn on_cancelled(&mut self, message: &Message) -> Vec<Act> {
        let id = message::id(&message.params()["requestId"]);
        let open = id.and_then(|id| self.open.remove(&id));
        let open = open.into_iter();
        open.map(|it| Act::End(it.number, AskerReceipt::Over))
            .collect()
    }

    fn on_update(&mut self, params: &Value) -> Vec<Act> {
        let update = &params["update"];
        let kind = update["sessionUpdate"].as_str().unwrap_or_default();
        if !["tool_call", "tool_call_update"].contains(&kind) {
            return Vec::new();
        }
        let name = call_name(params, update);
        let status = update["status"].as_str().unwrap_or_default();
        let acts = self.on_status(&name, status);
        if ["completed", "failed"].contains(&status) {
            self.calls.remove(&name);
        } else {
            self.remember(name, update);
        }
        acts
    }

    fn on_status(&mut self, name: &CallName, status: &str) -> Vec<Act> {
        let has_ended = ["completed", "failed"].contains(&status);
        let mut acts = Vec::new();
        // It was decided by a way of the agent's own: its HTTP server, or a hook.
        if has_ended {
            for open in self.take_open(|open| open.name == *name) {
                acts.push(Act::End(open.number, AskerReceipt::Elsewhere));
            }
        }

        self.given.retain(|given| {
            let receipt = (given.name == *name)
                .then(|| proof(given.allows, status))
                .flatten();
            acts.extend(receipt.map(|receipt| Act::End(given.number, receipt)));
            receipt.is_none()
        });
        acts
    }

    fn remember(&mut self, name: CallName, update: &Value) {
        if self.calls.len() >= MOST_CALLS && !self.calls.contains_key(&name) {
            return;
        }
        let known = self
            .calls
            .entry(name)
            .or_insert_with(|| Value::Object(Map::new()));
        for field in REMEMBERED {
            if !update[field].is_null() {
                known[field] = update[field].clone();
            }
        }
    }

    /// The agent answers a request of the editor.
    fn on_agent_answer(&mut self, message: &Message) -> Vec<Act> {
        let request = message
            .id
            .as_ref()
            .and_then(|id| self.editor_requests.remove(id));
        match request {
            Some(EditorRequest::Initialize) => {
                let about = &message.result()["agentInfo"];
                let names = [&about["title"], &about["name"]];
                let mut names = names.into_iter().filter_map(Value::as_str);
                self.agent = names
                    .find(|name| !name.trim().is_empty())
                    .map(str::to_owned);
                Vec::new()
            }
            Some(EditorRequest::Session { directory }) => {
                let session = message.result()["sessionId"].as_str();
                if let (Some(session), Some(directory)) = (session, directory) {
                    self.directories.insert(session.to_owned(), directory);
                }
                Vec::new()
            }
            Some(EditorRequest::Prompt { session }) => self.on_turn_end(&session),
            None => Vec::new(),
        }
    }

    /// Nothing of that session waits any more.
    fn on_turn_end(&mut self, session: &str) -> Vec<Act> {
        self.calls.retain(|name, _| name.session != session);
        let open = self.take_open(|open| open.name.session == session);
        let mut acts: Vec<Act> = open
            .iter()
            .map(|open| Act::End(open.number, AskerReceipt::Over))
            .collect();

        let unproven = self.given.extract_if(.., |it| it.name.session == session);
        acts.extend(unproven.map(|it| Act::End(it.number, AskerReceipt::Lost)));
        acts
    }

    /// Takes a line of the editor, before it is passed on.
    pub(super) fn hear_editor(&mut self, line: &[u8]) -> (Passage, Vec<Act>) {
        let messages = message::read(line);
        let mut acts = Vec::new();
        let mut kept = Vec::new();
        for message in &messages {
            let is_passed_on = self.on_editor(message, &mut acts);
            kept.extend(is_passed_on.then_some(message));
        }

        let passage = if kept.len() == messages.len() {
            Passage::Whole
        } else if kept.is_empty() {
            Passage::Nothing
        } else {
            Passage::Rest(message::batch(&kept))
        };
        (passage, acts)
    }

    /// Returns whether the message is for the agent.
    fn on_editor(&mut self, message: &Message, acts: &mut Vec<Act>) -> bool {
        match (message.method.as_deref(), &message.id) {
            (Some("session/cancel"), _) => {
                let session = message.params()["sessionId"].as_str().unwrap_or_default();
                let open = self.take_open(|open| open.name.session == session);
                acts.extend(
                    open.iter()
                        .map(|open| Act::End(open.number, AskerReceipt::Over)),
                );
                true
            }
            (Some(method), Some(id)) => {
                let request = editor_request(method, message.params());
                if let Some(directory) = known_directory(message.params()) {
                    self.directories.extend([directory]);
                }
                self.editor_requests
                    .extend(request.map(|request| (id.clone(), request)));
                true
            }
            (Some(_), None) | (None, None) => true,
            (None, Some(id)) => self.on_editor_answer(id, message, acts),
        }
    }

    fn on_editor_answer(&mut self, id: &str, message: &Message, acts: &mut Vec<Act>) -> bool {
        if let Some(at) = self.owed.iter().position(|owed| owed == id) {
            self.owed.remove(at);
            return false;
        }
        if let Some(open) = self.open.remove(id) {
            let outcome = &message.result()["outcome"]["outcome"];
            let receipt = if outcome == "selected" {
                AskerReceipt::Elsewhere
            } else {
                AskerReceipt::Over
            };
            acts.push(Act::End(open.number, receipt));
        }
        true
    }

    /// Answers a request as somebody decided in Beckon; `None` if it waits for no answer of ours.
    pub(super) fn answer(
        &mut self,
        number: AskNumber,
        decision: PermissionDecision,
    ) -> Option<Answer> {
        let (id, open) = self.open.iter().find(|(_, open)| open.number == number)?;
        let option = open.request.option(decision)?.to_owned();
        let id = id.clone();
        let open = self.open.remove(&id)?;

        self.given.push(GivenAnswer {
            number,
            name: open.name,
            allows: decision != PermissionDecision::Reject,
        });
        if self.owed.len() >= MOST_OWED {
            self.owed.remove(0);
        }
        self.owed.push(id.clone());
        Some(Answer {
            to_agent: message::selection(&id, &option),
            to_editor: message::cancellation(&id),
        })
    }

    /// Returns the end of all asks: the editor or the agent has gone.
    pub(super) fn end(&mut self) -> Vec<Act> {
        let open = self.take_open(|_| true);
        let open = open
            .iter()
            .map(|open| Act::End(open.number, AskerReceipt::Over));
        let unproven = self.given.drain(..);
        let unproven = unproven.map(|given| Act::End(given.number, AskerReceipt::Lost));
        open.chain(unproven).collect()
    }

    fn take_open(&mut self, is_meant: impl Fn(&OpenRequest) -> bool) -> Vec<OpenRequest> {
        let taken = self.open.extract_if(.., |_, open| is_meant(open));
        taken.map(|(_, open)| open).collect()
    }
}

/// Returns what the status of a call says of our answer. That an allowed tool failed may be its own
/// fault as well as somebody's no.
fn proof(allows: bool, status: &str) -> Option<AskerReceipt> {
    match (allows, status) {
        (true, "in_progress" | "completed") | (false, "failed") => Some(AskerReceipt::Taken),
        (false, "completed") => Some(AskerReceipt::Elsewhere),
        _ => None,
    }
}

fn call_name(params: &Value, call: &Value) -> CallName {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    CallName {
        session: text(&params["sessionId"]),
        call: text(&call["toolCallId"]),
    }
}

fn editor_request(method: &str, params: &Value) -> Option<EditorRequest> {
    match method {
        "initialize" => Some(EditorRequest::Initialize),
        "session/new" | "session/fork" => Some(EditorRequest::Session {
            directory: params["cwd"].as_str().map(str::to_owned),
        }),
        "session/prompt" => Some(EditorRequest::Prompt {
            session: params["sessionId"].as_str()?.to_owned(),
        }),
        _ => None,
    }
}

/// Returns the session that a request names together with its directory, as one that loads it does.
fn known_directory(params: &Value) -> Option<(String, String)> {
    let session = params["sessionId"].as_str()?;
    let directory = params["cwd"].as_str()?;
    Some((session.to_owned(), directory.to_owned()))
}

#[cfg(test)]
mod tests;
