//! The ids of Claude Code's asks. Claude Code gives a permission no id of its own, so an ask's id
//! begins with its session and its process, its thread and what is asked: later events find the
//! asks that they end by the beginnings of their ids.

use super::input_paths::{PathOrigins, home};
use super::register::RunningClaude;
use super::stamps::{HookStamp, base36};
use super::{ASKS, PLANS, ToolUse};
use crate::platform::processes::Ancestor;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::hash::{DefaultHasher, Hash, Hasher};

/// A UUID without its hyphens. Ids have 64 characters at most, and ours carry more than the session's.
const LONGEST_SESSION: usize = 32;
/// The number of these characters that tell the process, in base 36. The rest of a UUID is random
/// enough.
const MARK_LENGTH: usize = 6;
const MARKS: u64 = 36_u64.pow(6);
/// The beginning of ids of input that could not be read.
const UNREADABLE: &str = "cc-odd.";

/// A thread of a session.
#[derive(Clone, Copy, Debug)]
pub(super) enum HookThread<'a> {
    /// The one that the human talks to.
    Main,
    /// A subagent, by its id.
    Subagent(&'a str),
}

/// The beginnings that the ids of some asks have.
#[derive(Clone, Debug)]
pub(super) struct IdBeginnings {
    /// The beginning of ids that this hook gives.
    own: String,
    /// The beginnings of ids that this hook ends.
    all: Vec<String>,
}

impl IdBeginnings {
    pub(super) fn fit(&self, id: &str) -> bool {
        self.all.iter().any(|beginning| id.starts_with(beginning))
    }

    /// Returns the beginnings with one more part.
    fn with(&self, part: &str) -> Self {
        let with = |beginning: &String| format!("{beginning}{part}.");
        Self {
            own: with(&self.own),
            all: self.all.iter().map(with).collect(),
        }
    }
}

/// The beginnings of ids within one thread of a session.
#[derive(Debug)]
pub(super) struct ThreadIds {
    session: IdBeginnings,
    thread: IdBeginnings,
    main: bool,
    /// The folder in which the thread works.
    directory: String,
}

impl ThreadIds {
    pub(super) fn new(
        session: &str,
        thread: HookThread<'_>,
        directory: &str,
        claude: &RunningClaude,
    ) -> Self {
        let own = session_part(session, claude.mark());
        // An ask of an older hook has no mark, and counts as any process's.
        let marks = claude.possible_marks().into_iter().map(Some);
        let all = marks.chain([None]).map(|mark| session_part(session, mark));
        let session = IdBeginnings {
            all: all.collect(),
            own,
        };

        let main = matches!(thread, HookThread::Main);
        let thread = match thread {
            HookThread::Main => session.with("main"),
            HookThread::Subagent(id) => session.with(&format!("{:08x}", short_hash(id))),
        };
        Self {
            session,
            thread,
            main,
            directory: directory.to_owned(),
        }
    }

    /// Whether it is the thread that the human talks to.
    pub(super) fn is_main(&self) -> bool {
        self.main
    }

    /// Returns the beginnings of all that this process asks in the session.
    pub(super) fn of_session(&self) -> &IdBeginnings {
        &self.session
    }

    /// Returns the beginnings of all that the thread asks.
    pub(super) fn of_thread(&self) -> &IdBeginnings {
        &self.thread
    }

    /// Returns the beginnings of the ids of what the thread asks for its tools. Its forms may be
    /// open beside its turn and are left out.
    pub(super) fn of_tools(&self) -> IdBeginnings {
        self.thread.with("t")
    }

    /// Returns the mark of a call that this hook is told of.
    pub(super) fn mark_of(&self, call: &ToolUse) -> CallMark {
        let home = home();
        let origins = PathOrigins {
            directory: &self.directory,
            home: &home,
        };
        CallMark::of(call, origins)
    }

    /// Returns the beginnings of one call of a tool.
    pub(super) fn of_call(&self, call: &ToolUse) -> IdBeginnings {
        self.of_tools()
            .with(&format!("{:08x}", self.mark_of(call).0))
    }

    /// Returns the beginnings of the ids of input that could not be read. It may be open beside the
    /// turn, since it is unknown what it is.
    pub(super) fn of_unreadable(&self) -> IdBeginnings {
        let any = self.of_unreadables();
        IdBeginnings {
            own: format!("{}{}", any.own, self.session.own),
            ..any
        }
    }

    /// Returns the beginnings of unreadable input of any session.
    pub(super) fn of_unreadables(&self) -> IdBeginnings {
        IdBeginnings {
            own: UNREADABLE.to_owned(),
            all: vec![UNREADABLE.to_owned()],
        }
    }

    /// Returns the beginnings of the ids of the forms of one MCP server, by its name as it is or as
    /// it is written in its tools' names.
    pub(super) fn of_server(&self, server: &str) -> IdBeginnings {
        let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
        let server: String = server.chars().map(plain).collect();
        self.thread
            .with("f")
            .with(&format!("{:08x}", short_hash(server)))
    }
}

/// Returns an id that begins so, for an ask of this process.
pub(super) fn id(beginnings: &IdBeginnings) -> String {
    format!("{}{}", beginnings.own, HookStamp::own().id_part())
}

/// Returns the first part of an id: the session, and which process goes on with it, if that is
/// known. Two processes of one session end nothing of each other.
fn session_part(session: &str, mark: Option<ProcessMark>) -> String {
    let plain = session.chars().filter(char::is_ascii_alphanumeric);
    let mark = mark.map(ProcessMark::id_part).unwrap_or_default();
    let session: String = plain.take(LONGEST_SESSION - mark.len()).collect();
    format!("cc.{session}{mark}.")
}

/// A mark that tells one process of Claude Code from others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ProcessMark(u64);

impl ProcessMark {
    /// Returns the mark of a process. Its number alone would be used again, so the mark has its birth too.
    pub(super) fn of(process: &Ancestor) -> Self {
        Self(short_hash((process.pid, process.born)) % MARKS)
    }

    fn id_part(self) -> String {
        base36(self.0, MARK_LENGTH)
    }
}

/// A hash of a call: equal for equal calls, whatever the order of their parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub(super) struct CallMark(u64);

impl CallMark {
    /// Returns the mark of a call whose paths start from there.
    pub(super) fn of(call: &ToolUse, origins: PathOrigins<'_>) -> Self {
        let stays = what_stays(call).map(|it| origins.whole(&call.tool_name, it).to_string());
        Self(short_hash((&call.tool_name, stays)))
    }
}

/// Returns the part of a tool's input that is the same before and after its human has answered:
/// answers are added to questions, and a plan is not told again.
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

    const SESSION: &str = "5b133fdc-0e5c-4a3c-bb72-232c4fbba385";

    fn process(pid: u32) -> Ancestor {
        Ancestor {
            pid,
            born: Some(4_711),
        }
    }

    fn ids(claude: &RunningClaude) -> ThreadIds {
        let thread = HookThread::Subagent("a6037cae7c2256174");
        ThreadIds::new(SESSION, thread, "/work", claude)
    }

    fn call() -> ToolUse {
        ToolUse {
            tool_name: "Bash".into(),
            tool_input: json!({ "command": "ls" }),
            id: None,
        }
    }

    #[test]
    fn an_id_is_as_short_as_it_has_to_be() {
        for claude in [
            RunningClaude::unknown(),
            RunningClaude::registered(process(7)),
        ] {
            let ids = ids(&claude);
            let id = id(&ids.of_call(&call()));
            assert!(id.len() <= 64, "{id}");
            assert!(ids.of_session().fit(&id), "{id}");
            assert!(ids.of_thread().fit(&id), "{id}");
            let parts: Vec<usize> = id.split('.').map(str::len).collect();
            assert_eq!(parts, [2, 32, 8, 1, 8, 8], "{id}");
        }
    }

    #[test]
    fn what_an_older_hook_or_one_without_a_register_asked_is_the_sessions() {
        let asked = id(&ids(&RunningClaude::unknown()).of_call(&call()));
        assert!(
            asked.starts_with("cc.5b133fdc0e5c4a3cbb72232c4fbba385."),
            "{asked}"
        );
        let registered = ids(&RunningClaude::registered(process(7)));
        assert!(registered.of_session().fit(&asked));
        assert!(registered.of_call(&call()).fit(&asked));
    }

    #[test]
    fn two_processes_of_one_session_end_nothing_of_each_other() {
        let one = ids(&RunningClaude::registered(process(7)));
        let again = Ancestor {
            born: Some(4_712),
            ..process(7)
        };
        for other in [process(8), again] {
            let asked = id(&ids(&RunningClaude::registered(other)).of_call(&call()));
            assert!(!one.of_session().fit(&asked), "{asked}");
            assert!(!one.of_thread().fit(&asked), "{asked}");
            assert!(!one.of_call(&call()).fit(&asked), "{asked}");
        }
    }

    #[test]
    fn a_process_that_has_left_the_register_still_ends_what_it_asked() {
        let asked = id(&ids(&RunningClaude::registered(process(7))).of_call(&call()));
        let leaving = RunningClaude::unregistered(vec![process(9), process(7), process(1)]);
        assert!(ids(&leaving).of_session().fit(&asked));
    }

    #[test]
    fn the_order_of_its_parts_makes_no_other_call() {
        let mark = |input: &str| {
            let call = ToolUse {
                tool_name: "Edit".into(),
                tool_input: serde_json::from_str(input).unwrap(),
                id: None,
            };
            CallMark::of(&call, PathOrigins::default())
        };
        let one = mark(r#"{"replace_all":false,"file_path":"/a","deep":{"x":1,"y":2}}"#);
        let same = mark(r#"{"deep":{"y":2,"x":1},"file_path":"/a","replace_all":false}"#);
        let other = mark(r#"{"deep":{"y":2,"x":1},"file_path":"/b","replace_all":false}"#);
        assert_eq!(one, same);
        assert_ne!(one, other);
    }
}
