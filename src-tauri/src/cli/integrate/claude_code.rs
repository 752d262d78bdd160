//! `beckon integrate claude-code`: the hooks, which wait for a running Beckon.

use crate::cli::{CommandContext, CommandResult, say};
use crate::integrations::claude_code::{self, HookChange};
use beckon_client::text::Value;
use std::process::ExitCode;

pub(super) fn run(context: &CommandContext, remove: bool) -> CommandResult {
    let (file, change) = if remove {
        claude_code::remove()?
    } else {
        claude_code::install()?
    };
    let key = match change {
        HookChange::Added => "integrate-claude-installed",
        HookChange::Renewed => "integrate-claude-renewed",
        HookChange::Removed => "integrate-claude-removed",
        HookChange::None if remove => "integrate-claude-not-there",
        HookChange::None => "integrate-claude-there",
    };
    say(&context
        .texts
        .with(key, &[("file", Value::from(file.display().to_string()))]));
    Ok(ExitCode::SUCCESS)
}
