//! The command `beckon integrate`, which puts Beckon's own part into an agent, and takes it out
//! again.

mod claude_code;
mod opencode;

use super::{CommandContext, CommandResult};
use clap::Subcommand;

/// Into which agent.
#[derive(Debug, Subcommand)]
pub(super) enum IntegrationAgent {
    ClaudeCode {
        #[arg(long)]
        remove: bool,
    },
    Opencode {
        #[arg(long)]
        remove: bool,
    },
}

/// Needs no running Beckon.
pub(super) fn run(context: &CommandContext, agent: &IntegrationAgent) -> CommandResult {
    match *agent {
        IntegrationAgent::ClaudeCode { remove } => claude_code::run(context, remove),
        IntegrationAgent::Opencode { remove } => opencode::run(context, remove),
    }
}
