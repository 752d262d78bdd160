//! The records that a test reads afterwards: calls, answered taps, command lists.

use std::collections::BTreeMap;
use std::time::Instant;

use serde_json::Value;

use super::chats::{ChatId, UserId};
use super::faults::Fault;
use super::methods::Method;

/// A call of a method that exists.
#[derive(Clone, Debug)]
pub struct Call {
    /// The method that was called.
    pub method: Method,
    /// The parameters as strings; structured ones are JSON. Uploaded files are not included.
    pub params: BTreeMap<String, String>,
    /// The moment at which the call had arrived.
    pub at: Instant,
    /// The moment at which its answer was ready.
    pub answered: Option<Instant>,
    /// The outcome so far.
    pub outcome: Outcome,
}

/// The outcome of a call.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// Not answered: the call waits, or its caller has gone.
    Open,
    /// Done, with the `result` of the answer.
    Done(Value),
    /// Refused, with `error_code` and `description`.
    Refused(u16, String),
    /// Spoilt by a scripted fault.
    Spoilt(Fault),
}

impl Call {
    /// Returns a parameter; an empty text if it is missing.
    pub fn param(&self, name: &str) -> &str {
        self.params.get(name).map_or("", String::as_str)
    }

    /// Parses a structured parameter; null if it is missing or no JSON.
    pub fn json(&self, name: &str) -> Value {
        serde_json::from_str(self.param(name)).unwrap_or_default()
    }

    /// Tells whether the call was done and its caller could know.
    pub fn is_done(&self) -> bool {
        matches!(self.outcome, Outcome::Done(_))
    }
}

/// The bot's answer to a tap.
#[derive(Clone, Debug)]
pub struct Alert {
    /// The id of the callback query.
    pub callback: String,
    /// The person who tapped.
    pub user: UserId,
    /// The chat with the message.
    pub chat: ChatId,
    /// The message with the button.
    pub message: i64,
    /// The text that the person is shown, if any.
    pub text: Option<String>,
    /// Whether the text is in a box to be closed, instead of a line that disappears by itself.
    pub in_a_box: bool,
    /// The moment of the answer.
    pub at: Instant,
}

/// A list of commands, as setMyCommands set it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Commands {
    /// The scope: `default`, `all_private_chats`, `chat 7300000001`.
    pub scope: String,
    /// The language; empty for all others.
    pub language: String,
    /// The commands with their descriptions.
    pub commands: Vec<(String, String)>,
}
