//! `beckon hook`: what an agent's own hooks run. One file per agent.
//!
//! A hook stands in its agent's way, so whatever goes wrong here is no opinion: no output, exit
//! code 0, and the agent goes on as if nobody had been asked.

mod claude_code;

use super::{Context, Done, say_json_text};
use clap::Subcommand;
use std::process::ExitCode;

#[derive(Debug, Subcommand)]
pub(super) enum Agent {
    ClaudeCode(claude_code::Arguments),
}

pub(super) async fn run(context: &Context, agent: Agent) -> Done {
    let Ok(input) = std::io::read_to_string(std::io::stdin()) else { return Ok(ExitCode::SUCCESS) };
    let decision = match agent {
        Agent::ClaudeCode(arguments) => claude_code::decide(context, &arguments, &input).await,
    };
    if let Some(decision) = decision {
        say_json_text(&decision.to_string());
    }
    Ok(ExitCode::SUCCESS)
}
