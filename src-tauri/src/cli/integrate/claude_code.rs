//! The command `beckon integrate claude-code`: the hooks, which wait for a running Beckon.

use crate::cli::{CommandContext, CommandResult, say};
use crate::integrations::claude_code::{self, HookChange, HookReport};
use beckon_client::text::Value;
use std::process::ExitCode;

pub(super) fn run(context: &CommandContext, remove: bool) -> CommandResult {
    if remove {
        say_change(
            context,
            &claude_code::remove()?,
            "integrate-claude-not-there",
        );
        return Ok(ExitCode::SUCCESS);
    }

    let report = claude_code::install()?;
    let Some(switch) = &report.switched_off else {
        say_change(context, &report, "integrate-claude-there");
        return Ok(ExitCode::SUCCESS);
    };
    // Hooks in a file have no effect while they are switched off.
    let args = [
        ("file", Value::from(report.file.display().to_string())),
        ("key", Value::from(switch.key)),
        ("by", Value::from(switch.file.display().to_string())),
    ];
    say(&context.texts.with("integrate-claude-off", &args));
    Ok(ExitCode::FAILURE)
}

fn say_change(context: &CommandContext, report: &HookReport, unchanged: &str) {
    let key = match report.change {
        HookChange::Added => "integrate-claude-installed",
        HookChange::Renewed => "integrate-claude-renewed",
        HookChange::Removed => "integrate-claude-removed",
        HookChange::None => unchanged,
    };
    let file = Value::from(report.file.display().to_string());
    say(&context.texts.with(key, &[("file", file)]));
}
