//! What the test reads afterwards: calls, answered taps, command lists.

use std::collections::BTreeMap;
use std::time::Instant;

use serde_json::Value;

use super::chats::{ChatId, UserId};
use super::faults::Fault;
use super::methods::Method;

/// A call of a method that exists.
#[derive(Clone, Debug)]
pub struct Call {
    /// Which one.
    pub method: Method,
    /// The parameters as strings; what is structured is JSON. Uploaded files are not among them.
    pub params: BTreeMap<String, String>,
    /// When it had arrived.
    pub at: Instant,
    /// When its answer was ready.
    pub answered: Option<Instant>,
    /// What became of it.
    pub outcome: Outcome,
}

/// What became of a call.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// Not answered: it waits, or its caller has gone.
    Open,
    /// Done; the answer's `result`.
    Done(Value),
    /// Refused, with `error_code` and `description`.
    Refused(u16, String),
    /// Spoilt on script.
    Spoilt(Fault),
}

impl Call {
    /// A parameter; an empty text when it is missing.
    pub fn param(&self, name: &str) -> &str {
        self.params.get(name).map_or("", String::as_str)
    }

    /// A structured parameter; null when it is missing or no JSON.
    pub fn json(&self, name: &str) -> Value {
        serde_json::from_str(self.param(name)).unwrap_or_default()
    }

    /// Whether it was done and its caller could know.
    pub fn is_done(&self) -> bool {
        matches!(self.outcome, Outcome::Done(_))
    }
}

/// A tap as the bot has answered it.
#[derive(Clone, Debug)]
pub struct Alert {
    /// The id of the callback query.
    pub callback: String,
    /// Who tapped.
    pub user: UserId,
    /// Where.
    pub chat: ChatId,
    /// On which message.
    pub message: i64,
    /// What the person is told, if anything.
    pub text: Option<String>,
    /// Whether that is in a box to be closed, instead of a line that goes by itself.
    pub in_a_box: bool,
    /// When.
    pub at: Instant,
}

/// A list of commands as setMyCommands left it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Commands {
    /// For whom: `default`, `all_private_chats`, `chat 7300000001`.
    pub scope: String,
    /// For which language; empty for all others.
    pub language: String,
    /// Command and description.
    pub commands: Vec<(String, String)>,
}
