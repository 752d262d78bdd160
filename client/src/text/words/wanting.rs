//! What an agent wants leave for, in the same words on every surface: the one table of the names
//! that agents give to their permissions. `ui/src/answer/names.ts` reads the same texts.

use crate::text::{Texts, Value};
use beckon_core::{AskContent, Entry};

/// The names that have words of their own: OpenCode's, and the hook's for Claude Code's tools.
const NAMES: [&str; 14] = [
    "bash",
    "edit",
    "write",
    "read",
    "webfetch",
    "websearch",
    "external_directory",
    "plan",
    "doom_loop",
    "task",
    "skill",
    "glob",
    "grep",
    "list",
];

/// What an ask is about in a line; of leave to do something no agent's own name.
pub fn topic(texts: &Texts, entry: &Entry) -> String {
    match &entry.ask.kind {
        AskContent::Permission(permission) => wish(texts, &permission.permission),
        AskContent::Questions(_) | AskContent::Confirm(_) | AskContent::Unknown(_) => {
            entry.topic().to_owned()
        }
    }
}

/// As a question: `Run a command?`. The name is cut by the caller.
pub fn wish(texts: &Texts, name: &str) -> String {
    said(texts, "ui-wants", name)
}

/// As a part of a sentence, behind the agent's name: `wants to run`.
pub fn wants(texts: &Texts, name: &str) -> String {
    said(texts, "telegram-wants", name)
}

fn said(texts: &Texts, table: &str, name: &str) -> String {
    if NAMES.contains(&name) {
        return texts.get(&format!("{table}-{name}"));
    }
    match of_mcp(name) {
        Some((server, tool)) => {
            let args = [("server", Value::from(server)), ("tool", Value::from(tool))];
            texts.with(&format!("{table}-mcp"), &args)
        }
        None => texts.with(table, &[("name", Value::from(name))]),
    }
}

/// `mcp__SERVER__TOOL`, as Claude Code calls the tools of an MCP server.
fn of_mcp(name: &str) -> Option<(&str, &str)> {
    let (server, tool) = name.strip_prefix("mcp__")?.split_once("__")?;
    (!server.is_empty() && !tool.is_empty()).then_some((server, tool))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_said_by_every_surface_in_every_language() {
        let window = include_str!("../../../../ui/src/answer/names.ts");
        for texts in ["en", "zh-CN"].map(Texts::load) {
            let listed = window.split("KNOWN = [").nth(1).and_then(|rest| rest.split(']').next());
            assert_eq!(listed.unwrap().matches(',').count(), NAMES.len(), "the window has others");
            for name in NAMES {
                assert!(texts.has(&format!("ui-wants-{name}")), "{name}");
                assert!(texts.has(&format!("telegram-wants-{name}")), "{name}");
                assert!(window.contains(&format!("\"{name}\"")), "the window lacks {name}");
            }
        }
    }

    #[test]
    fn what_nobody_knows_keeps_its_own_name() {
        let texts = Texts::load("en");
        assert_eq!(wish(&texts, "plan"), "Go ahead with this plan?");
        assert_eq!(wish(&texts, "mcp__mail__send_all"), "Use “send_all” of mail?");
        // Texts of that name are about something else.
        for name in ["confirm", "mcp", "mcp__", "mcp____", "of_tomorrow", ""] {
            assert_eq!(wish(&texts, name), format!("Allow “{name}”?"));
        }
        assert_eq!(wants(&texts, "doom_loop"), "repeats itself and wants to go on");
    }
}
