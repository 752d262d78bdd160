//! What Claude Code wants to do, as a permission of ours: the exact command, the exact change, and
//! whatever else the tool is given.

use super::overwriting::ExistingFile;
use super::suggestions::AlwaysRules;
use super::{HookDecision, ToolUse};
use crate::api::{AskerBody, PermissionBody};
use beckon_client::text::{Texts, Value as TextValue};
use beckon_client::wire::{AskedState, LocalAskStatus, PermissionDecision};
use beckon_core::AlwaysUntil;
use serde_json::{Map, Value};

/// Read by the model.
const REJECTED: &str = "The user rejected this.";

/// How a tool is shown.
struct ShownTool<'a> {
    /// As it is called on cards.
    permission: &'a str,
    /// What it is for: a file, an address, the plan.
    patterns: &'a [&'a str],
    /// The parts of its input that the card has elsewhere.
    elsewhere: &'a [&'a str],
}

impl ShownTool<'_> {
    fn is_unknown(&self) -> bool {
        self.patterns.is_empty() && self.elsewhere.is_empty()
    }
}

/// A tool that nobody knows here is shown with all that it is given.
fn shown(tool: &str) -> ShownTool<'_> {
    let (permission, patterns, elsewhere): (&str, &[&str], &[&str]) = match tool {
        // Monitor runs a command in the background.
        "Bash" | "PowerShell" | "Monitor" => ("bash", &[], &["command", "description"]),
        "Edit" => ("edit", &["file_path"], &["old_string", "new_string"]),
        "Write" => ("write", &["file_path"], &["content"]),
        "Read" => ("read", &["file_path"], &[]),
        "WebFetch" => ("webfetch", &["url"], &[]),
        "WebSearch" => ("websearch", &["query"], &[]),
        "Glob" => ("glob", &["pattern"], &[]),
        "Grep" => ("grep", &["pattern"], &[]),
        "Skill" => ("skill", &["skill"], &[]),
        "Agent" | "Task" => ("task", &["prompt"], &[]),
        "ExitPlanMode" => ("plan", &["plan"], &[]),
        name => (name, &[], &[]),
    };
    ShownTool {
        permission,
        patterns,
        elsewhere,
    }
}

/// What is known besides the call itself.
pub(super) struct PermissionContext<'a> {
    /// What "always" would be.
    pub(super) always: Option<&'a AlwaysRules>,
    /// What lies where the call would write.
    pub(super) existing: Option<&'a ExistingFile>,
    pub(super) texts: &'a Texts,
}

pub(super) fn requesting(
    call: &ToolUse,
    context: &PermissionContext<'_>,
    mut asker: AskerBody,
) -> PermissionBody {
    let mut shown = shown(&call.tool_name);
    let text = |key: &str| call.tool_input.get(key).and_then(Value::as_str);
    let mut command = None;
    let mut diff = None;
    match shown.permission {
        "bash" => command = text("command").map(str::to_owned),
        "edit" => diff = Some(replaced(&call.tool_input)),
        "write" => diff = text("content").map(|text| written(text, context.existing)),
        _ if shown.is_unknown() => {
            command = command_of_unknown(&call.tool_input);
            if text("command").is_some() {
                shown.elsewhere = &["command"];
            }
        }
        _ => {}
    }
    // What a command is for, in Claude's own words.
    asker.title = text("description")
        .filter(|_| command.is_some())
        .map(str::to_owned);
    PermissionBody {
        permission: shown.permission.to_owned(),
        patterns: patterns(call, &shown)
            .into_iter()
            .chain(loss(call, context))
            .collect(),
        always: context
            .always
            .map(|always| always.means.clone())
            .unwrap_or_default(),
        // The answer names the session as the place where the rules go.
        always_until: AlwaysUntil::SessionEnds,
        command,
        diff,
        asker,
    }
}

/// Returns the command of a tool that nobody knows here. It is looked at like any other command; one
/// that comes in words is shown as it came as well.
fn command_of_unknown(input: &Value) -> Option<String> {
    match input.get("command")? {
        Value::String(command) => Some(command.clone()),
        Value::Array(words) => {
            let words: Option<Vec<String>> = words.iter().map(quoted).collect();
            words.map(|words| words.join(" "))
        }
        _ => None,
    }
    .filter(|command| !command.trim().is_empty())
}

/// A word as a shell reads it, with the quotes that it needs (POSIX, 2.2.2).
fn quoted(word: &Value) -> Option<String> {
    let word = word.as_str()?;
    let is_plain = |c: char| c.is_alphanumeric() || "_-./=:,@%+".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        return Some(word.to_owned());
    }
    Some(format!("'{}'", word.replace('\'', r"'\''")))
}

fn written(content: &str, existing: Option<&ExistingFile>) -> String {
    existing.map_or_else(|| lines('+', content), |existing| existing.change(content))
}

/// Says that a file is there already, and how much of it goes away.
fn loss(call: &ToolUse, context: &PermissionContext<'_>) -> Option<String> {
    let content = call.tool_input.get("content").and_then(Value::as_str)?;
    match context.existing?.lines_lost(content) {
        Some(0) => Some(context.texts.get("hook-overwrites-nothing")),
        Some(lost) => {
            let lost = [("count", TextValue::from(lost))];
            Some(context.texts.with("hook-overwrites", &lost))
        }
        None => Some(context.texts.get("hook-overwrites-unseen")),
    }
}

/// What the tool is for, and then each part of its input that the card would not show otherwise:
/// nobody allows what they have not seen.
fn patterns(call: &ToolUse, shown: &ShownTool<'_>) -> Vec<String> {
    let is_unknown = shown.is_unknown();
    let Some(input) = call.tool_input.as_object().filter(|_| !is_unknown) else {
        return whole(&call.tool_input).into_iter().collect();
    };
    let texts = shown
        .patterns
        .iter()
        .filter_map(|key| input.get(*key)?.as_str());
    let known = |key: &str, value: &Value| {
        let has_its_place = shown.patterns.contains(&key) || shown.elsewhere.contains(&key);
        (has_its_place && value.is_string()) || is_usual(key, value)
    };
    let further = input.iter().filter(|(key, value)| !known(key, value));
    texts
        .map(str::to_owned)
        .chain(further.map(|(key, value)| named(key, value)))
        .collect()
}

/// What goes without saying: these are off unless somebody wants them.
fn is_usual(key: &str, value: &Value) -> bool {
    let off = [
        "dangerouslyDisableSandbox",
        "replace_all",
        "run_in_background",
    ];
    *value == Value::Bool(false) && off.contains(&key)
}

fn named(key: &str, value: &Value) -> String {
    match value {
        Value::String(text) => format!("{key}: {text}"),
        other => format!("{key}: {other}"),
    }
}

/// Nobody's answer is no decision.
pub(super) fn decision(
    asked: &LocalAskStatus,
    always: Option<AlwaysRules>,
) -> Option<HookDecision> {
    let reply = asked
        .decision
        .as_ref()
        .filter(|_| asked.state == AskedState::Answered)?;
    let changes = || always.map(|always| always.changes).unwrap_or_default();
    Some(match reply.reply.known()? {
        PermissionDecision::Once => HookDecision::Allow {
            input: None,
            always: Vec::new(),
        },
        PermissionDecision::Always => HookDecision::Allow {
            input: None,
            always: changes(),
        },
        PermissionDecision::Reject => {
            HookDecision::Deny(reply.message.clone().unwrap_or_else(|| REJECTED.into()))
        }
    })
}

fn replaced(input: &Value) -> String {
    let text = |key: &str| input[key].as_str().unwrap_or_default();
    format!(
        "{}\n{}",
        lines('-', text("old_string")),
        lines('+', text("new_string"))
    )
}

fn lines(sign: char, text: &str) -> String {
    text.lines()
        .map(|line| format!("{sign}{line}"))
        .collect::<Vec<_>>()
        .join("\n")
}

fn whole(input: &Value) -> Option<String> {
    let nothing = input.is_null() || input.as_object().is_some_and(Map::is_empty);
    if nothing {
        None
    } else {
        serde_json::to_string_pretty(input).ok()
    }
}
