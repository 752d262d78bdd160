//! How the asks of Claude Code are called here. Claude Code gives a permission no id of its own, so
//! an ask's id begins with its session, its thread and what is asked: whatever happens later finds
//! the asks that it ends by how their ids begin.

use super::stamps::HookStamp;
use super::{ASKS, PLANS, ToolUse};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::hash::{DefaultHasher, Hash, Hasher};

/// A UUID without its hyphens. Ids have 64 characters at most, and ours carry more than the session's.
const LONGEST_SESSION: usize = 32;

/// Who asks within a session.
#[derive(Clone, Copy, Debug)]
pub(super) enum HookThread<'a> {
    /// The one that the human talks to.
    Main,
    /// A subagent, by its id.
    Subagent(&'a str),
}

/// The beginnings of ids within one thread of a session.
#[derive(Debug)]
pub(super) struct ThreadIds {
    session: String,
    thread: String,
    main: bool,
}

impl ThreadIds {
    pub(super) fn new(session: &str, thread: HookThread<'_>) -> Self {
        let plain = session.chars().filter(char::is_ascii_alphanumeric);
        let session = format!("cc.{}.", plain.take(LONGEST_SESSION).collect::<String>());
        let main = matches!(thread, HookThread::Main);
        let thread = match thread {
            HookThread::Main => format!("{session}main."),
            HookThread::Subagent(id) => format!("{session}{:08x}.", short_hash(id)),
        };
        Self {
            session,
            thread,
            main,
        }
    }

    /// Is it the thread that the human talks to?
    pub(super) fn is_main(&self) -> bool {
        self.main
    }

    /// Of all that the session asks.
    pub(super) fn of_session(&self) -> &str {
        &self.session
    }

    /// Of all that the thread asks.
    pub(super) fn of_thread(&self) -> &str {
        &self.thread
    }

    /// Of what the thread asks for its tools: not of its forms, which stand beside its turn.
    pub(super) fn of_tools(&self) -> String {
        format!("{}t.", self.thread)
    }

    /// Of one call of a tool.
    pub(super) fn of_call(&self, call: &ToolUse) -> String {
        format!("{}{:08x}.", self.of_tools(), CallMark::of(call).0)
    }

    /// Of what nobody could read. It stands beside the turn: who knows what it is.
    pub(super) fn of_unreadable(&self) -> String {
        format!("{}{}", self.of_unreadables(), self.session)
    }

    /// Of whatever nobody could read, of any session.
    pub(super) fn of_unreadables(&self) -> &'static str {
        "cc-odd."
    }

    /// Of the forms of one MCP server, by its name as it is or as it stands in its tools' names.
    pub(super) fn of_server(&self, server: &str) -> String {
        let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
        let server: String = server.chars().map(plain).collect();
        format!("{}f.{:08x}.", self.thread, short_hash(server))
    }
}

/// Returns an id that begins so, for an ask of this process.
pub(super) fn id(beginning: &str) -> String {
    format!("{beginning}{}", HookStamp::own().id_part())
}

/// What is asked, in short: equal for equal calls, whatever the order of their parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub(super) struct CallMark(u64);

impl CallMark {
    pub(super) fn of(call: &ToolUse) -> Self {
        let asked = (&call.tool_name, what_stays(call).map(Value::to_string));
        Self(short_hash(asked))
    }
}

/// What of a tool's input is the same before and after its human has answered: answers are added to
/// questions, and a plan is not told again.
fn what_stays(call: &ToolUse) -> Option<&Value> {
    match call.tool_name.as_str() {
        ASKS => call.tool_input.get("questions"),
        PLANS => None,
        _ => Some(&call.tool_input),
    }
}

fn short_hash(value: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish() >> 32
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn an_id_is_as_short_as_it_has_to_be() {
        let ids = ThreadIds::new(
            "5b133fdc-0e5c-4a3c-bb72-232c4fbba385",
            HookThread::Subagent("a6037cae7c2256174"),
        );
        let call = ToolUse {
            tool_name: "Bash".into(),
            tool_input: json!({ "command": "ls" }),
            id: None,
        };
        let id = id(&ids.of_call(&call));
        assert!(id.len() <= 64, "{id}");
        assert!(id.starts_with(ids.of_session()), "{id}");
        assert_eq!(ids.of_session(), "cc.5b133fdc0e5c4a3cbb72232c4fbba385.");
    }
    #[test]
    fn the_order_of_its_parts_makes_no_other_call() {
        let mark = |input: &str| {
            CallMark::of(&ToolUse {
                tool_name: "Edit".into(),
                tool_input: serde_json::from_str(input).unwrap(),
                id: None,
            })
        };
        let one = mark(r#"{"replace_all":false,"file_path":"/a","deep":{"x":1,"y":2}}"#);
        let same = mark(r#"{"deep":{"y":2,"x":1},"file_path":"/a","replace_all":false}"#);
        let other = mark(r#"{"deep":{"y":2,"x":1},"file_path":"/b","replace_all":false}"#);
        assert_eq!(one, same);
        assert_ne!(one, other);
    }
}
