//! The command `beckon hook`, which an agent's own hooks run. One file per agent.
//!
//! A hook stands in its agent's way, so whatever goes wrong here is no opinion: no output, exit
//! code 0, and the agent goes on as if nobody had been asked.

mod claude_code;

#[cfg(any(test, fuzzing))]
pub(crate) use claude_code::fuzzing;

use super::{CommandContext, CommandResult, piped, say_json_text};
use beckon_client::json::exact;
use clap::Subcommand;
use std::io::IsTerminal;
use std::panic;
use std::process::ExitCode;
use std::time::Duration;

/// How long an agent may pause within its message, which it writes at once. One that pauses for
/// longer writes no more, and perhaps waits for this hook.
const SILENCE: Duration = Duration::from_secs(5);

#[derive(Debug, Subcommand)]
pub(super) enum HookAgent {
    ClaudeCode(claude_code::HookArguments),
}

/// Whether an agent has called us. A person who types the command is told what is wrong with it.
pub(super) fn is_called() -> bool {
    std::env::args_os()
        .nth(1)
        .is_some_and(|word| word == "hook")
        && !std::io::stdin().is_terminal()
}

/// Runs the work in silence. Whatever becomes of it is no concern of the agent's: a home that
/// cannot be found, an argument that only a newer Beckon knows, a fault of our own.
pub(super) fn silently<T>(work: impl FnOnce() -> T) -> ExitCode {
    panic::set_hook(Box::new(|_| std::process::exit(0)));
    work();
    ExitCode::SUCCESS
}

pub(super) async fn run(context: &CommandContext, agent: HookAgent) -> CommandResult {
    let began = claude_code::HookBeginning::now();
    // A message that could not be read to its end may have been an ask all the same. An empty one
    // is none.
    let bytes = match piped::read_value(SILENCE) {
        Ok(message) if !message.unfinished && is_empty(&message.bytes) => {
            return Ok(ExitCode::SUCCESS);
        }
        Ok(message) => message.bytes,
        Err(_) => Vec::new(),
    };
    let output = match agent {
        HookAgent::ClaudeCode(arguments) => {
            claude_code::decide(context, &arguments, began, &bytes).await
        }
    };
    if let Some(claude_code::HookOutput { decision, witness }) = output {
        say_json_text(&exact::written(&decision));
        // An agent reads a hook's output when the hook has ended, so another process looks whether
        // it was taken.
        if let Some(witness) = witness {
            witness.leave();
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Whether the message is empty, but for blanks and a byte order mark.
fn is_empty(message: &[u8]) -> bool {
    let text = String::from_utf8_lossy(message);
    text.chars().all(|c| c.is_whitespace() || c == '\u{feff}')
}
