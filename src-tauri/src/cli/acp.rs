//! The command `beckon acp -- AGENT…`: the agent as its editor would start it, speaking the Agent
//! Client Protocol (<https://agentclientprotocol.com>), with its requests for permissions also in
//! Beckon. The first answer counts, and the other side's dialog goes.
//!
//! An editor and its agent must not notice that anybody is between them: every byte is passed on as
//! it came, the agent has the editor's error stream, signals reach it, and its end is this
//! command's end. The one thing that is kept from the agent is the editor's answer to what was
//! answered here before.
//!
//! Here: the agent's process. The streams are in `acp/relay.rs`, what is open in `acp/table.rs`.

mod asking;
mod ending;
mod lines;
mod message;
mod permission;
mod relay;
mod table;

use super::{CommandContext, CommandResult, fail};
use asking::{Asker, Ended};
use beckon_client::platform::children::Program;
use beckon_client::text::Texts;
use clap::Args;
use relay::Relay;
use std::convert::Infallible;
use std::ffi::{OsStr, OsString};
use std::io::{Error, ErrorKind, Result};
use std::path::Path;
use std::process::{ExitCode, Stdio};
use std::time::Duration;
use tokio::process::{Child, Command};
use tokio::sync::Notify;
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

/// The exit codes of a shell for a program that is not there, or does not start (POSIX, 2.8.2).
const NOT_FOUND: u8 = 127;
const NOT_STARTED: u8 = 126;
/// How long the agent's output is read after its end: what it has started may keep the pipe open.
const DRAINED_WITHIN: Duration = Duration::from_secs(1);

#[derive(Debug, Args)]
pub(super) struct AcpArguments {
    #[arg(last = true, required = true, value_name = "AGENT")]
    agent: Vec<OsString>,
}

pub(super) async fn run(context: &CommandContext, arguments: AcpArguments) -> CommandResult {
    match start(&arguments.agent) {
        Ok(agent) => Ok(accompany(context, agent, &arguments.agent[0]).await),
        Err(error) => Ok(not_started(&context.texts, &arguments.agent[0], &error)),
    }
}

fn start(agent: &[OsString]) -> Result<Child> {
    let (program, arguments) = agent.split_first().ok_or(ErrorKind::NotFound)?;
    let program = program_of(program)?.args(arguments);
    // Ctrl-C in a terminal reaches both, as it would without this command.
    let mut command = program.beside_us().into_command();
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::inherit());
    Command::from(command).spawn()
}

/// Finds the agent as a shell does: a name in `PATH`, a path from the current folder.
fn program_of(program: &OsStr) -> Result<Program> {
    let path = Path::new(program);
    if path.components().count() > 1 {
        return Program::at(&std::path::absolute(path)?);
    }
    Program::named(&program.to_string_lossy())
}

fn not_started(texts: &Texts, agent: &OsStr, error: &Error) -> ExitCode {
    let agent = agent.to_string_lossy().into_owned();
    let why = [("agent", agent.into()), ("why", error.to_string().into())];
    let code = if error.kind() == ErrorKind::NotFound {
        NOT_FOUND
    } else {
        NOT_STARTED
    };
    fail(&texts.with("acp-not-started", &why), code)
}

/// Stands between editor and agent until the agent ends; returns its exit code.
async fn accompany(context: &CommandContext, mut agent: Child, program: &OsStr) -> ExitCode {
    let (Some(input), Some(output)) = (agent.stdin.take(), agent.stdout.take()) else {
        return ExitCode::from(NOT_STARTED);
    };
    let (tell_ended, ended) = unbounded_channel();
    let (to_agent, for_agent) = unbounded_channel();
    let (to_editor, for_editor) = unbounded_channel();
    let asker = Asker::new(context.paths.clone(), tell_ended);
    let name = Path::new(program).file_stem().unwrap_or(program);
    let name = name.to_string_lossy().into_owned();
    let relay = Relay::new(asker, to_agent, to_editor, name, &context.texts);

    let drained = Notify::new();
    let from_agent = async {
        // An editor that reads no more is no reason to end: the agent is to notice it by itself.
        let _ = relay
            .pass_to_editor(output, tokio::io::stdout(), for_editor)
            .await;
        drained.notify_one();
    };
    let from_editor = async {
        // Likewise an agent that reads no more.
        let _ = relay
            .pass_to_agent(tokio::io::stdin(), input, for_agent)
            .await;
        relay.end();
    };
    let code = {
        let streams = async { tokio::join!(from_agent, from_editor, hear(&relay, ended)) };
        let mut streams = std::pin::pin!(streams);
        let code = tokio::select! {
            code = ending::of(&mut agent) => code,
            (_, _, never) = &mut streams => match never {},
        };
        tokio::select! {
            () = drained.notified() => {}
            () = tokio::time::sleep(DRAINED_WITHIN) => {}
            (_, _, never) = &mut streams => match never {},
        }
        code
    };
    relay.end();
    relay.into_asker().finish().await;
    code
}

/// Takes what is decided in Beckon, for as long as this process lives.
async fn hear(relay: &Relay<'_>, mut ended: UnboundedReceiver<Ended>) -> Infallible {
    loop {
        match ended.recv().await {
            Some(asked) => relay.on_ended(asked),
            None => std::future::pending().await,
        }
    }
}
