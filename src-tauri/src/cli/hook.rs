//! `beckon hook`: what an agent's own hooks run. One file per agent.
//!
//! A hook stands in its agent's way, so whatever goes wrong here is no opinion: no output, exit
//! code 0, and the agent goes on as if nobody had been asked.

mod claude_code;

use super::{Context, Done, say_raw};
use clap::Subcommand;
use std::process::ExitCode;

#[derive(Debug, Subcommand)]
pub(super) enum Agent {
    ClaudeCode(claude_code::Arguments),
}

pub(super) async fn run(context: &Context, agent: Agent) -> Done {
    let Ok(input) = std::io::read_to_string(std::io::stdin()) else { return Ok(ExitCode::SUCCESS) };
    let output = match agent {
        Agent::ClaudeCode(arguments) => claude_code::decide(context, &arguments, &input).await,
    };
    if let Some(claude_code::Output { decision, witness }) = output {
        say_raw(&decision.to_string());
        // An agent reads what a hook says when the hook has ended, so another process looks.
        if let Some(witness) = witness {
            witness.leave();
        }
    }
    Ok(ExitCode::SUCCESS)
}
