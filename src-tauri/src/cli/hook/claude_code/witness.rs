//! Who looks what becomes of an answer that was handed to Claude Code. Claude Code reads a hook's
//! decision when the hook has ended, so that hook cannot see it taken: a process that it leaves
//! behind does, for a few seconds, and says it to Beckon.

use super::asking::RunningHook;
use super::dialog;
use super::input::WITNESS;
use crate::sources::local_asks::messages::AskerReceipt;
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// A decision is taken within a moment of its hook's end; a busy machine may need longer.
const TAKEN_WITHIN: Duration = Duration::from_secs(10);
const LOOK: Duration = Duration::from_millis(50);
/// By then Claude Code has read what a hook had to say.
const READ_WITHIN: Duration = Duration::from_millis(500);

/// What it is to look at.
#[derive(Debug, Deserialize, Serialize)]
pub(in super::super) struct TranscriptWitness {
    /// The ask.
    pub(super) ask: String,
    /// The session's entry in the register.
    pub(super) register: PathBuf,
    /// The dialog, by when it came; `None` where it was held back, and the hook alone decides.
    pub(super) since: Option<i64>,
}

impl TranscriptWitness {
    /// Starts it in a process of its own. Without it the session's next event tells.
    pub(in super::super) fn leave(self) {
        if let Err(error) = self.start() {
            tracing::debug!(%error, "nobody looks whether the answer is taken");
        }
    }

    fn start(self) -> std::io::Result<()> {
        let mut command = Command::new(std::env::current_exe()?);
        command.args(["hook", "claude-code"]).stdin(Stdio::piped());
        command.stdout(Stdio::null()).stderr(Stdio::null());
        detach(&mut command);
        let mut child = command.spawn()?;
        let mut order = serde_json::to_value(self)?;
        order["hook_event_name"] = json!(WITNESS);
        order["session_id"] = json!("");
        let stdin = child.stdin.take();
        stdin.map_or(Ok(()), |mut stdin| {
            stdin.write_all(order.to_string().as_bytes())
        })
    }

    /// Looks, and says what it saw.
    pub(super) async fn look(self, hook: &RunningHook<'_>) {
        let began = Instant::now();
        let Some(since) = self.since else {
            return self.look_for_claude(hook).await;
        };
        while began.elapsed() < TAKEN_WITHIN {
            if dialog::has_moved_on(&self.register, since) {
                return hook.receipt(&self.ask, AskerReceipt::Taken).await;
            }
            tokio::time::sleep(LOOK).await;
        }
        hook.receipt(&self.ask, AskerReceipt::Lost).await;
        hook.say(None, &hook.context.texts.get("hook-not-taken"))
            .await;
    }

    /// Nobody else could answer, so it is read if somebody is there to read it.
    async fn look_for_claude(self, hook: &RunningHook<'_>) {
        tokio::time::sleep(READ_WITHIN).await;
        let lives = dialog::lives(&self.register);
        hook.receipt(
            &self.ask,
            if lives {
                AskerReceipt::Taken
            } else {
                AskerReceipt::Lost
            },
        )
        .await;
    }
}

/// It outlives its hook, and what ends the hook's group does not end it.
#[cfg(unix)]
fn detach(command: &mut Command) {
    use std::os::unix::process::CommandExt;
    command.process_group(0);
}

#[cfg(windows)]
fn detach(command: &mut Command) {
    use std::os::windows::process::CommandExt;
    /// `DETACHED_PROCESS | CREATE_NEW_PROCESS_GROUP`
    const FLAGS: u32 = 0x0000_0008 | 0x0000_0200;
    command.creation_flags(FLAGS);
}
