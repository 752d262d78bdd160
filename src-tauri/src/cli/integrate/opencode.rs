//! The command `beckon integrate opencode`: the plugin, which waits for a running Beckon.

use crate::cli::{CommandContext, CommandResult, fail, say};
use crate::sources::opencode::plugin::Plugin;
use beckon_client::text::Value;
use beckon_client::wire::Installed;
use std::process::ExitCode;

pub(super) fn run(context: &CommandContext, remove: bool) -> CommandResult {
    let plugin = Plugin::from_env()?;
    let before = if remove {
        plugin.remove()?
    } else {
        plugin.install()?
    };
    let key = match (remove, before) {
        (_, Installed::Foreign) => "integrate-foreign",
        (false, Installed::No) => "integrate-installed",
        (false, Installed::Yes) => "integrate-there",
        (false, Installed::Outdated) => "integrate-renewed",
        (true, Installed::No) => "integrate-not-there",
        (true, Installed::Yes | Installed::Outdated) => "integrate-removed",
    };
    let file = Value::from(plugin.file().display().to_string());
    let words = context.texts.with(key, &[("file", file)]);
    if before == Installed::Foreign {
        return Ok(fail(&words, 1));
    }
    say(&words);
    Ok(ExitCode::SUCCESS)
}
