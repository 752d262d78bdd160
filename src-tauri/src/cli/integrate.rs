//! `beckon integrate`: puts Beckon's own part into an agent, and takes it out again.

use super::{Context, Done, fail, say};
use crate::integration::{Installed, Plugin};
use crate::texts::Value;
use clap::Subcommand;
use std::process::ExitCode;

/// Into which agent.
#[derive(Debug, Subcommand)]
pub(super) enum Agent {
    Opencode {
        #[arg(long)]
        remove: bool,
    },
}

/// Needs no running Beckon: the plugin waits for one.
pub(super) fn run(context: &Context, agent: &Agent) -> Done {
    let Agent::Opencode { remove } = *agent;
    let plugin = Plugin::from_env()?;
    let before = if remove { plugin.remove()? } else { plugin.install()? };
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
