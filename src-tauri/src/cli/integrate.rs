//! `beckon integrate`: puts Beckon's own part into an agent, and takes it out again.

pub(super) mod claude_code;
mod opencode;
mod program;

use super::{Context, Done};
use clap::Subcommand;

/// Into which agent.
#[derive(Debug, Subcommand)]
pub(super) enum Agent {
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
pub(super) fn run(context: &Context, agent: &Agent) -> Done {
    match *agent {
        Agent::ClaudeCode { remove } => claude_code::run(context, remove),
        Agent::Opencode { remove } => opencode::run(context, remove),
    }
}
