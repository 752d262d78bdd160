//! What Claude Code wants to do, as a permission of ours: the exact command, the exact change, and
//! what "always" would mean.

use super::{Call, Decision};
use crate::api::{Asker, Requesting};
use crate::wire::{Asked, AskedState};
use serde_json::{Value, json};

/// Read by the model.
const REJECTED: &str = "The user rejected this.";

pub(super) fn requesting(call: &Call, always: Option<&Value>, mut asker: Asker) -> Requesting {
    let text = |key: &str| call.tool_input.get(key).and_then(Value::as_str);
    let texts = |keys: &[&str]| -> Vec<String> {
        keys.iter().filter_map(|key| text(key)).map(str::to_owned).collect()
    };
    let (permission, patterns, diff) = match call.tool_name.as_str() {
        "Bash" | "PowerShell" => ("bash", Vec::new(), None),
        "Edit" => ("edit", texts(&["file_path"]), Some(replaced(&call.tool_input))),
        "Write" => ("write", texts(&["file_path"]), text("content").map(|text| lines('+', text))),
        "WebFetch" => ("webfetch", texts(&["url"]), None),
        "ExitPlanMode" => ("plan", texts(&["plan"]), None),
        name => (name, vec![whole(&call.tool_input)], None),
    };
    let command = text("command").filter(|_| permission == "bash").map(str::to_owned);
    // What a command is for, in Claude's own words.
    asker.title = text("description").filter(|_| command.is_some()).map(str::to_owned);
    let (permission, always) = (permission.to_owned(), always.map(means).unwrap_or_default());
    Requesting { permission, patterns, always, command, diff, asker }
}

/// Nobody's answer is no decision.
pub(super) fn decision(asked: &Asked, always: Option<Value>) -> Option<Decision> {
    let reply = asked.decision.as_ref().filter(|_| asked.state == AskedState::Answered)?;
    Some(match reply.reply.as_str() {
        "once" => Decision::Allow { input: None, always: None },
        "always" => Decision::Allow { input: None, always },
        "reject" => Decision::Deny(reply.message.clone().unwrap_or_else(|| REJECTED.into())),
        _ => return None,
    })
}

/// What "always" would be: the first rule or directory that Claude Code suggests, for this session
/// only. What it would write into a settings file holds for ever, which no card says; and a change
/// of the permission mode would allow far more than what is asked.
pub(super) fn for_this_session(suggestions: &[Value]) -> Option<Value> {
    let fits = |suggestion: &&Value| match suggestion["type"].as_str() {
        Some("addRules") => suggestion["behavior"] == "allow",
        Some("addDirectories") => true,
        _ => false,
    };
    let mut always = suggestions.iter().find(fits)?.clone();
    always["destination"] = json!("session");
    (!means(&always).is_empty()).then_some(always)
}

/// The rules as Claude Code writes them, `Bash(npm test:*)`, or the directories.
fn means(always: &Value) -> Vec<String> {
    let rule = |rule: &Value| {
        let tool = rule["toolName"].as_str()?;
        let content = rule["ruleContent"].as_str().map(|content| format!("({content})"));
        Some(format!("{tool}{}", content.unwrap_or_default()))
    };
    let directory = |directory: &Value| directory.as_str().map(str::to_owned);
    let all = |key: &str| always[key].as_array().into_iter().flatten();
    all("rules").filter_map(rule).chain(all("directories").filter_map(directory)).collect()
}

fn replaced(input: &Value) -> String {
    let text = |key: &str| input[key].as_str().unwrap_or_default();
    format!("{}\n{}", lines('-', text("old_string")), lines('+', text("new_string")))
}

fn lines(sign: char, text: &str) -> String {
    text.lines().map(|line| format!("{sign}{line}")).collect::<Vec<_>>().join("\n")
}

/// A tool that nobody knows here is shown with all that it is given.
fn whole(input: &Value) -> String {
    serde_json::to_string_pretty(input).unwrap_or_default()
}
