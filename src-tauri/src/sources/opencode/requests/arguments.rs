//! The arguments of a call that its permission does not say: those of its tool part, the rest of
//! the permission's metadata, and what becomes of each file of a patch.
//!
//! Not here: when a tool part is read (`sessions/calls.rs`).

use crate::sources::opencode::wire::lenient;
use crate::sources::opencode::wire::sessions::ToolState;
use beckon_core::cut::cut_text;
use beckon_core::{Argument, CallInput, FileChange, MOST_ARGUMENTS, Permission};
use serde_json::Value;

/// The metadata that has a place of its own in a permission, or repeats what stands there.
const METADATA: [&str; 4] = ["command", "diff", "patch", "filediff"];
/// The most files that are read of a patch. The list of a larger one is shown as it came.
const MOST_FILES: usize = 1_000;
/// The arguments that a change shows, in the words of the tools that edit, write and patch.
const SHOWN_BY_A_CHANGE: [&str; 9] = [
    "content",
    "edits",
    "filePath",
    "filepath",
    "newString",
    "oldString",
    "patchText",
    "path",
    "replaceAll",
];
/// The permissions whose pattern is one of their arguments, in OpenCode 1.1.53 and 1.18.33. A tool
/// of an MCP server has its own arguments, whatever they are called.
const SHOWN_BY_A_PATTERN: [(&str, &str); 7] = [
    ("glob", "pattern"),
    ("grep", "pattern"),
    ("codesearch", "query"),
    ("webfetch", "url"),
    ("websearch", "query"),
    ("task", "subagent_type"),
    ("skill", "name"),
];

/// Returns the part of a permission's own metadata that nothing else shows. The call's arguments
/// are still to come.
pub(in crate::sources::opencode) fn of_metadata<'a>(
    permission: &Permission,
    metadata: impl Iterator<Item = (&'a String, &'a Value)>,
) -> CallInput {
    let is_more = |name: &str, value: &Value| match name {
        "files" => !is_known_change(value),
        name => !METADATA.contains(&name),
    };
    let more = metadata.filter(|(name, value)| is_more(name, value));
    CallInput {
        is_partial: true,
        ..CallInput::told(unsaid(permission, more))
    }
}

/// Tells whether it is known of each file of a patch what becomes of it.
fn is_known_change(files: &Value) -> bool {
    let Some(files) = files.as_array() else {
        return false;
    };
    files.len() <= MOST_FILES && files.iter().all(|file| known_change(file, &[]).is_some())
}

/// Returns what is known of a call by its tool part, and by the permission, whose long texts are
/// cut. Nothing while the agent is still writing the arguments.
pub(in crate::sources::opencode) fn of_state(
    permission: &Permission,
    state: &ToolState,
) -> Option<CallInput> {
    if state.status == "pending" || state.status == "streaming" {
        return None;
    }
    let input = state.input.as_ref()?;
    let mut arguments = match input {
        Value::Object(fields) => unsaid(permission, fields.iter()),
        Value::Null => Vec::new(),
        other => vec![argument("input", other)],
    };

    let first = permission.input.arguments.iter();
    let is_news = |known: &&Argument| !is_among(known, input, &arguments);
    let news: Vec<Argument> = first.filter(is_news).cloned().collect();
    arguments.extend(news);
    Some(CallInput::told(arguments))
}

/// Tells whether the call's arguments contain what is known already. The permission for a
/// repetition (`doom_loop`) names the call's arguments once more, as a whole.
fn is_among(known: &Argument, input: &Value, arguments: &[Argument]) -> bool {
    let is_whole = known.name == "input" && *known == argument("input", input);
    let is_field = |value: &Value| *known == argument(&known.name, value);
    is_whole || arguments.contains(known) || input.get(&known.name).is_some_and(is_field)
}

fn unsaid<'a>(
    permission: &Permission,
    fields: impl Iterator<Item = (&'a String, &'a Value)>,
) -> Vec<Argument> {
    let mut arguments = Vec::new();
    // One argument more than is kept shows that something is left out.
    for (name, value) in fields {
        if arguments.len() > MOST_ARGUMENTS {
            break;
        }
        if !is_said(permission, name, value) {
            arguments.push(argument(name, value));
        }
    }
    arguments
}

/// Tells whether the permission itself shows that argument.
fn is_said(permission: &Permission, name: &str, value: &Value) -> bool {
    let is_change = permission
        .diff
        .as_ref()
        .is_some_and(|diff| !diff.trim().is_empty());
    if is_change && SHOWN_BY_A_CHANGE.contains(&name) {
        return true;
    }
    let Value::String(text) = value else {
        return false;
    };
    let is_shown = |shown: &String| shown == text || *shown == kept(text.clone());
    let is_command = name == "command" && permission.command.as_ref().is_some_and(is_shown);
    is_command
        || (SHOWN_BY_A_PATTERN.contains(&(permission.permission.as_str(), name))
            && is_only_pattern(permission, is_shown))
}

/// Tells whether the permission's only pattern is that text. A star stands for any tool of a
/// server, and says nothing of its arguments.
fn is_only_pattern(permission: &Permission, is_shown: impl Fn(&String) -> bool) -> bool {
    match permission.patterns.as_slice() {
        [only] => only != "*" && is_shown(only),
        _ => false,
    }
}

/// Makes an argument as it is kept: cut, as whatever it is compared with.
fn argument(name: &str, value: &Value) -> Argument {
    let text = if value.is_null() {
        "null".to_owned()
    } else {
        lenient::text(value)
    };
    Argument {
        name: kept(name.to_owned()),
        value: kept(text),
    }
}

fn kept(mut text: String) -> String {
    cut_text(&mut text);
    text
}

/// Returns what becomes of the files of a patch, from `metadata.files` of `apply_patch`. Each is
/// `{filePath, relativePath, type, movePath?}`; for a move `relativePath` is the new place. The
/// names that the permission's patterns have for them are used, since these are what its human
/// knows.
pub(in crate::sources::opencode) fn files(
    metadata: Option<&Value>,
    patterns: &[String],
) -> Vec<FileChange> {
    let listed = metadata.and_then(Value::as_array);
    let files = listed.into_iter().flatten().take(MOST_FILES);
    files.filter_map(|file| change(file, patterns)).collect()
}

fn change(file: &Value, patterns: &[String]) -> Option<FileChange> {
    known_change(file, patterns).or_else(|| {
        let (whole, relative) = (text_of(file, "filePath"), text_of(file, "relativePath"));
        Some(FileChange::Update(relative.or(whole)?))
    })
}

/// Returns what becomes of a file, where the tool's words for it are known.
fn known_change(file: &Value, patterns: &[String]) -> Option<FileChange> {
    let whole = text_of(file, "filePath");
    let relative = text_of(file, "relativePath");
    let kind = text_of(file, "type")?;
    if kind == "move" {
        let from = named(whole.or_else(|| relative.clone())?, patterns);
        let to = relative.filter(|relative| *relative != from);
        let to = to.or_else(|| text_of(file, "movePath"));
        let to = to.unwrap_or_else(|| "?".to_owned());
        return Some(FileChange::Move { from, to });
    }

    let path = relative.or_else(|| whole.map(|path| named(path, patterns)))?;
    match kind.as_str() {
        "add" => Some(FileChange::Add(path)),
        "delete" => Some(FileChange::Delete(path)),
        "update" => Some(FileChange::Update(path)),
        _ => None,
    }
}

fn text_of(file: &Value, name: &str) -> Option<String> {
    let text = lenient::text(file.get(name)?);
    (!text.is_empty()).then_some(text)
}

/// Returns the pattern that a whole path ends with.
fn named(path: String, patterns: &[String]) -> String {
    let unified = path.replace('\\', "/");
    let is_it = |pattern: &&String| {
        let rest = unified.strip_suffix(&pattern.replace('\\', "/"));
        rest.is_some_and(|rest| rest.is_empty() || rest.ends_with('/'))
    };
    patterns.iter().find(is_it).cloned().unwrap_or(path)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn permission(kind: &str, patterns: &[&str]) -> Permission {
        Permission {
            permission: kind.into(),
            patterns: patterns.iter().map(|&pattern| pattern.into()).collect(),
            ..Permission::default()
        }
    }

    fn state(status: &str, input: Value) -> ToolState {
        serde_json::from_value(json!({ "status": status, "input": input })).unwrap()
    }

    fn lines(permission: &Permission, input: Value) -> Vec<String> {
        let told = of_state(permission, &state("running", input)).unwrap();
        assert!(!told.is_partial);
        told.arguments.iter().map(Argument::line).collect()
    }

    #[test]
    fn a_tools_arguments_stand_each_under_its_name() {
        let tool = permission("db_drop_table", &["*"]);
        let input = json!({ "table": "users", "cascade": true, "where": { "id": [1, null] }, "query": "*" });
        assert_eq!(
            lines(&tool, input),
            [
                "cascade: true",
                "query: *",
                "table: users",
                r#"where: {"id":[1,null]}"#
            ]
        );
    }

    #[test]
    fn what_the_command_a_pattern_or_the_change_shows_is_not_repeated() {
        let mut bash = permission("bash", &["ls"]);
        bash.command = Some("ls".into());
        assert_eq!(
            lines(&bash, json!({ "command": "ls", "workdir": "/etc" })),
            ["workdir: /etc"]
        );
        assert_eq!(
            lines(&bash, json!({ "command": "ls; rm x" })),
            ["command: ls; rm x"]
        );

        let search = permission("grep", &["a"]);
        let input = json!({ "pattern": "a", "path": "a" });
        assert_eq!(lines(&search, input), ["path: a"]);

        let mut edit = permission("edit", &["a.txt"]);
        edit.diff = Some("-a\n+b".into());
        let input = json!({ "filePath": "/p/a.txt", "oldString": "a", "newString": "b", "odd": 1 });
        assert_eq!(lines(&edit, input), ["odd: 1"]);
        edit.diff = None;
        assert_eq!(lines(&edit, json!({ "newString": "b" })), ["newString: b"]);
    }

    #[test]
    fn metadata_is_shown_at_once_and_once() {
        let metadata =
            json!({ "description": "Look", "subagent_type": "explore", "diff": "", "files": [] });
        let mut task = permission("task", &["explore"]);
        task.input = of_metadata(&task, metadata.as_object().unwrap().iter());
        assert!(task.input.is_partial);
        assert_eq!(task.input.arguments.len(), 1);

        let input =
            json!({ "description": "Look", "prompt": "Delete all", "subagent_type": "explore" });
        assert_eq!(
            lines(&task, input),
            ["description: Look", "prompt: Delete all"]
        );
        let other = json!({ "description": "Read", "prompt": "x" });
        assert_eq!(
            lines(&task, other),
            ["description: Read", "prompt: x", "description: Look"]
        );
    }

    #[test]
    fn files_of_which_not_each_is_understood_are_shown_as_they_came() {
        let shown = |files: Value| {
            let metadata = json!({ "files": files });
            let edit = permission("edit", &["a.txt"]);
            let told = of_metadata(&edit, metadata.as_object().unwrap().iter());
            told.arguments
                .iter()
                .map(Argument::line)
                .collect::<Vec<_>>()
        };
        let known = json!({ "filePath": "/p/a.txt", "type": "delete" });
        assert_eq!(shown(json!([known])), [""; 0]);
        for odd in [
            json!({ "filePath": "/p/b.txt", "type": "chmod" }),
            json!({ "filePath": "/p/b.txt" }),
            json!({ "type": "delete" }),
            json!("b.txt"),
            json!(null),
        ] {
            let files = json!([known, odd]);
            assert_eq!(shown(files.clone()), [format!("files: {files}")]);
        }
        let by_name = json!({ "b.txt": "delete" });
        assert_eq!(shown(by_name.clone()), [format!("files: {by_name}")]);
    }

    #[test]
    fn a_pattern_hides_no_argument_of_a_tool_that_has_other_ones() {
        let tool = permission("db_search", &["users"]);
        assert_eq!(lines(&tool, json!({ "query": "users" })), ["query: users"]);
        let fetch = permission("webfetch", &["https://a.example"]);
        let input = json!({ "url": "https://a.example", "format": "html" });
        assert_eq!(lines(&fetch, input), ["format: html"]);
    }

    #[test]
    fn a_repetition_says_its_tool_and_the_arguments_once() {
        let metadata = json!({ "tool": "read", "input": { "filePath": "/p/a" } });
        let mut again = permission("doom_loop", &["read"]);
        again.input = of_metadata(&again, metadata.as_object().unwrap().iter());
        assert_eq!(
            lines(&again, json!({ "filePath": "/p/a" })),
            ["filePath: /p/a", "tool: read"]
        );
    }

    #[test]
    fn a_call_that_is_still_written_tells_nothing() {
        let tool = permission("x", &["*"]);
        assert_eq!(of_state(&tool, &state("pending", json!({}))), None);
        let without: ToolState = serde_json::from_value(json!({ "status": "running" })).unwrap();
        assert_eq!(of_state(&tool, &without), None);
        assert_eq!(lines(&tool, json!("text")), ["input: text"]);
    }

    #[test]
    fn a_call_of_thousands_of_arguments_is_not_told_in_full() {
        let tool = permission("x", &["*"]);
        let many: serde_json::Map<String, Value> =
            (0..5_000).map(|n| (format!("a{n}"), json!(n))).collect();
        let told = of_state(&tool, &state("running", Value::Object(many))).unwrap();
        assert!(told.is_partial);
        assert_eq!(told.arguments.len(), MOST_ARGUMENTS);
    }

    #[test]
    fn a_patch_says_what_becomes_of_each_file() {
        let patterns = ["a.txt", "c.txt", "new/d.txt", "e.txt"].map(String::from);
        let listed = json!([
            { "filePath": "/p/a.txt", "relativePath": ".git/hooks/pre-commit", "type": "move", "movePath": "/p/.git/hooks/pre-commit" },
            { "filePath": "/p/c.txt", "relativePath": "c.txt", "type": "delete" },
            { "filePath": "/p/new/d.txt", "relativePath": "new/d.txt", "type": "add" },
            { "filePath": "/p/e.txt", "type": "update" },
        ]);
        assert_eq!(
            files(Some(&listed), &patterns),
            [
                FileChange::Move {
                    from: "a.txt".into(),
                    to: ".git/hooks/pre-commit".into()
                },
                FileChange::Delete("c.txt".into()),
                FileChange::Add("new/d.txt".into()),
                FileChange::Update("e.txt".into()),
            ]
        );
    }

    #[test]
    fn odd_files_are_passed_over_and_a_move_without_a_place_says_so() {
        assert_eq!(files(Some(&json!("x")), &[]), []);
        let listed =
            json!([null, 1, {}, { "type": "delete" }, { "filePath": "/p/a", "type": "move" }]);
        let moved = FileChange::Move {
            from: "/p/a".into(),
            to: "?".into(),
        };
        assert_eq!(files(Some(&listed), &[]), [moved]);
    }
}
