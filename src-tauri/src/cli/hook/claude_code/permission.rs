//! A wish of Claude Code as a permission of ours: the exact command, the exact change, and whatever
//! else the tool is given.

use super::overwriting::{ExistingFile, LineEnds};
use super::suggestions::AlwaysRules;
use super::{HookDecision, ToolUse};
use crate::api::{AskerBody, PermissionBody};
use beckon_client::json::exact;
use beckon_client::text::{Texts, Value as TextValue};
use beckon_client::wire::{AskedState, LocalAskStatus, NamedArgument, PermissionDecision};
use beckon_core::AlwaysUntil;
use serde_json::Value;

/// Read by the model.
const REJECTED: &str = "The user rejected this.";

/// The way in which a tool is shown.
struct ShownTool<'a> {
    /// The tool's name on cards.
    permission: &'a str,
    /// The keys of the tool's object: a file, an address, the plan.
    patterns: &'a [&'a str],
    /// The texts of its input that the card has elsewhere.
    elsewhere: &'a [&'a str],
}

impl ShownTool<'_> {
    fn has_a_place_for(&self, key: &str) -> bool {
        self.patterns.contains(&key) || self.elsewhere.contains(&key)
    }

    /// Whether the call lacks what the tool is for: then there is more to it than anybody is shown.
    fn is_left_unsaid(&self, input: &Value) -> bool {
        let is_said = |key: &&str| input.get(*key).is_some_and(Value::is_string);
        !self.patterns.iter().all(is_said)
    }
}

/// Returns how a tool is shown. One that is unknown here is shown with all that it is given.
fn shown<'a>(tool: &'a str, input: &Value) -> ShownTool<'a> {
    const NOTHING: &[&str] = &[];
    let runs_a_command = input.get("command").and_then(command_line).is_some();
    let (permission, patterns, elsewhere): (&str, &[&str], &[&str]) = match tool {
        // Monitor runs a command in the background, or listens to a socket.
        "Bash" | "PowerShell" | "Monitor" if runs_a_command => {
            ("bash", NOTHING, &["command", "description"])
        }
        "Edit" => ("edit", &["file_path"], &["old_string", "new_string"]),
        "NotebookEdit" => ("edit", &["notebook_path"], &["new_source"]),
        "Write" => ("write", &["file_path"], &["content"]),
        "Read" => ("read", &["file_path"], NOTHING),
        "WebFetch" => ("webfetch", &["url"], NOTHING),
        "WebSearch" => ("websearch", &["query"], NOTHING),
        "Glob" => ("glob", &["pattern"], NOTHING),
        "Grep" => ("grep", &["pattern"], NOTHING),
        "Skill" => ("skill", &["skill"], NOTHING),
        "Agent" | "Task" => ("task", &["prompt"], NOTHING),
        "ExitPlanMode" => ("plan", &["plan"], NOTHING),
        name if runs_a_command => (name, NOTHING, &["command"]),
        name => (name, NOTHING, NOTHING),
    };
    ShownTool {
        permission,
        patterns,
        elsewhere,
    }
}

/// The facts that are known besides the call itself.
pub(super) struct PermissionContext<'a> {
    /// The rules that "always" would add.
    pub(super) always: Option<&'a AlwaysRules>,
    /// The file that lies where the call would write.
    pub(super) existing: Option<&'a ExistingFile>,
    pub(super) texts: &'a Texts,
}

pub(super) fn requesting(
    call: &ToolUse,
    context: &PermissionContext<'_>,
    mut asker: AskerBody,
) -> PermissionBody {
    let input = &call.tool_input;
    let shown = shown(&call.tool_name, input);
    let text = |key: &str| input.get(key).and_then(Value::as_str);
    let has_command = shown.elsewhere.contains(&"command");
    let command = input.get("command").filter(|_| has_command);

    // The title is the purpose of a command, in Claude's own words.
    asker.title = text("description")
        .filter(|_| shown.has_a_place_for("description"))
        .map(str::to_owned);
    PermissionBody {
        permission: shown.permission.to_owned(),
        patterns: patterns(input, &shown)
            .chain(losses(call, context))
            .collect(),
        always: context
            .always
            .map(|always| always.means.clone())
            .unwrap_or_default(),
        // The answer names the session as the place where the rules go.
        always_until: AlwaysUntil::SessionEnds,
        command: command.and_then(command_line),
        diff: change(call, context),
        arguments: arguments(input, &shown),
        is_partial: shown.is_left_unsaid(input),
        asker,
    }
}

/// Returns the change that a tool makes to a file, if it makes one.
fn change(call: &ToolUse, context: &PermissionContext<'_>) -> Option<String> {
    let input = &call.tool_input;
    let content = || input.get("content").and_then(Value::as_str);
    match call.tool_name.as_str() {
        "Edit" => Some(replaced(input)),
        "NotebookEdit" => Some(replaced_cell(input, context.existing)),
        "Write" => content().map(|text| written(text, context.existing)),
        _ => None,
    }
}

/// Returns the command line of that argument. It is looked at like any other command; one that comes in
/// words is shown as it came as well.
fn command_line(command: &Value) -> Option<String> {
    match command {
        Value::String(command) => Some(command.clone()),
        Value::Array(words) => {
            let words: Option<Vec<String>> = words.iter().map(quoted).collect();
            words.map(|words| words.join(" "))
        }
        _ => None,
    }
    .filter(|command| !command.trim().is_empty())
}

/// Returns a word as a shell reads it, with the quotes that it needs (POSIX, 2.2.2).
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

/// Returns the cell that goes away, and what takes its place.
fn replaced_cell(input: &Value, existing: Option<&ExistingFile>) -> String {
    let before = existing.and_then(ExistingFile::text).unwrap_or_default();
    let added = input["new_source"].as_str().filter(|_| !is_deleted(input));
    let change = [lines('-', before), lines('+', added.unwrap_or_default())];
    let change = change.into_iter().filter(|lines| !lines.is_empty());
    change.collect::<Vec<_>>().join("\n")
}

/// Whether a cell of a notebook goes away and nothing takes its place.
fn is_deleted(input: &Value) -> bool {
    input["edit_mode"] == "delete"
}

/// Says what the change on the card doesn't show: what goes away unseen, or how much does.
fn losses(call: &ToolUse, context: &PermissionContext<'_>) -> Vec<String> {
    let Some(existing) = context.existing else {
        return Vec::new();
    };
    let argument = |key: &str| call.tool_input.get(key).and_then(Value::as_str);
    match call.tool_name.as_str() {
        "NotebookEdit" if existing.text().is_none() => {
            vec![context.texts.get("hook-cell-unseen")]
        }
        "Edit" => {
            let replaced = argument("old_string").filter(|text| !text.is_empty());
            let places = replaced.map(|text| places_replaced(existing, text, context.texts));
            places.into_iter().collect()
        }
        "Write" => argument("content").map_or_else(Vec::new, |content| {
            lines_overwritten(existing, content, context.texts)
        }),
        _ => Vec::new(),
    }
}

/// Says how often an edit that goes for all places changes the file.
fn places_replaced(existing: &ExistingFile, text: &str, texts: &Texts) -> String {
    match existing.count(text) {
        Some(count) => texts.with("hook-replaces", &[("count", TextValue::from(count))]),
        None => texts.get("hook-replaces-unseen"),
    }
}

fn lines_overwritten(existing: &ExistingFile, content: &str, texts: &Texts) -> Vec<String> {
    let lines = match existing.lines_lost(content) {
        Some(0) => texts.get("hook-overwrites-nothing"),
        Some(lost) => texts.with("hook-overwrites", &[("count", TextValue::from(lost))]),
        None => texts.get("hook-overwrites-unseen"),
    };

    let ends = existing.other_line_ends(content).map(|(before, after)| {
        let name = |ends: LineEnds| {
            let mixed = || texts.get("hook-line-ends-mixed");
            TextValue::from(ends.name().map_or_else(mixed, str::to_owned))
        };
        texts.with(
            "hook-line-ends",
            &[("from", name(before)), ("to", name(after))],
        )
    });
    [Some(lines), ends].into_iter().flatten().collect()
}

/// Returns what the tool is for, as the card names it.
fn patterns<'a>(input: &'a Value, shown: &ShownTool<'a>) -> impl Iterator<Item = String> + use<'a> {
    let keys = shown.patterns.iter();
    let texts = keys.filter_map(move |key| input.get(*key)?.as_str());
    texts.map(str::to_owned)
}

/// Returns each part of the tool's input that the card would not show otherwise: nobody allows what
/// they have not seen.
fn arguments(input: &Value, shown: &ShownTool<'_>) -> Vec<NamedArgument> {
    let fields = match input {
        Value::Null => return Vec::new(),
        Value::Object(fields) => fields,
        other => return vec![argument("input", other)],
    };
    let is_shown = |key: &str, value: &Value| {
        value.is_string() && shown.has_a_place_for(key) || is_usual(key, value)
    };
    let further = fields.iter().filter(|(key, value)| !is_shown(key, value));
    further.map(|(key, value)| argument(key, value)).collect()
}

fn argument(name: &str, value: &Value) -> NamedArgument {
    let value = match value {
        Value::String(text) => exact::plain(text),
        other => exact::written(other),
    };
    NamedArgument {
        name: name.to_owned(),
        value,
    }
}

/// Whether an argument goes without saying: these are off unless the agent wants them.
fn is_usual(key: &str, value: &Value) -> bool {
    let off = [
        "dangerouslyDisableSandbox",
        "replace_all",
        "run_in_background",
    ];
    *value == Value::Bool(false) && off.contains(&key)
}

/// Returns the decision, if somebody has answered.
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
