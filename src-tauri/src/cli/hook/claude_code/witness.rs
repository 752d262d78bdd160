//! Who looks what becomes of an answer that was handed to Claude Code. Claude Code reads a hook's
//! decision when the hook has ended, so that hook cannot see it taken: a process that it leaves
//! behind does, for as long as there is something to see, and says it to Beckon.
//!
//! Here: the looking. What follows from it is in `proof.rs`.

use super::asking::RunningHook;
use super::dialog;
use super::input::WITNESS;
use super::proof::{HandedAnswer, Observation, RecordedOutcome, TerminalSight, Verdict};
use super::transcript::{TranscriptPlace, TranscriptReader};
use crate::sources::local_asks::messages::AskerReceipt;
use beckon_client::platform::children::Program;
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const LOOK: Duration = Duration::from_millis(50);
/// Most is seen within seconds; whoever waits for a slow tool to end looks less often after that.
const OFTEN: Duration = Duration::from_secs(10);
const LATER_LOOK: Duration = Duration::from_secs(1);
/// So often it is looked whether other threads wait for something.
const LOOK_AT_OTHERS: Duration = Duration::from_secs(5);

/// What it is to look at.
#[derive(Debug, Deserialize, Serialize)]
pub(in super::super) struct AnswerWitness {
    /// The ask.
    pub(super) ask: String,
    pub(super) terminal: WitnessedTerminal,
    /// What the transcript should show; `None` if it has no line for what was asked.
    pub(super) record: Option<WitnessedRecord>,
}

/// What stood in the terminal when the answer was handed over.
#[derive(Debug, Deserialize, Serialize)]
pub(super) enum WitnessedTerminal {
    /// The dialog, by when it came.
    Dialog { register: PathBuf, since: i64 },
    /// Nothing: the dialog was held back, and the hook alone decides.
    Held { register: PathBuf },
    /// No register tells.
    Unknown,
}

/// An answer, and where it is recorded.
#[derive(Debug, Deserialize, Serialize)]
pub(super) struct WitnessedRecord {
    pub(super) place: TranscriptPlace,
    pub(super) answer: HandedAnswer,
}

impl AnswerWitness {
    /// Returns one, if there is anything to look at.
    pub(super) fn of(
        ask: &str,
        terminal: WitnessedTerminal,
        record: Option<WitnessedRecord>,
    ) -> Option<Self> {
        let is_blind = matches!(terminal, WitnessedTerminal::Unknown) && record.is_none();
        (!is_blind).then(|| Self {
            ask: ask.to_owned(),
            terminal,
            record,
        })
    }

    /// Starts it in a process of its own. Without it the session's next event tells.
    pub(in super::super) fn leave(self) {
        if let Err(error) = self.start() {
            tracing::debug!(%error, "nobody looks whether the answer is taken");
        }
    }

    fn start(self) -> std::io::Result<()> {
        let own = Program::at(&std::env::current_exe()?)?.args(["hook", "claude-code"]);
        let mut child = own.adjust(adjust).start()?;
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
        let verdict = self.verdict().await;
        let Some(receipt) = receipt_of(verdict) else {
            return;
        };

        // Somebody else may have said meanwhile what became of it.
        let is_news = hook.receipt(&self.ask, receipt).await;
        if is_news && verdict == Verdict::NotTaken {
            let words = hook.context.texts.get("hook-not-taken");
            hook.say(None, &words).await;
        }
    }

    async fn verdict(&self) -> Verdict {
        let began = Instant::now();
        let place = self.record.as_ref().map(|record| record.place.clone());
        let mut transcript = place.map(TranscriptReader::new);
        let answer = self.record.as_ref().map(|record| &record.answer);
        let mut others = OtherThreads::default();

        loop {
            let waited = began.elapsed();
            let observation = Observation {
                terminal: self.terminal.look(),
                outcome: outcome(answer, transcript.as_mut()),
                waited,
            };
            let verdict = match observation.verdict(answer) {
                Some(Verdict::NotTaken) if others.may_be_asked(self) => observation.in_doubt(),
                verdict => verdict,
            };
            if let Some(verdict) = verdict {
                return verdict;
            }
            let pause = if waited < OFTEN { LOOK } else { LATER_LOOK };
            tokio::time::sleep(pause).await;
        }
    }
}

/// Whether a dialog that stands may be another thread's.
#[derive(Debug, Default)]
struct OtherThreads {
    looked_at: Option<Instant>,
    wait: bool,
}

impl OtherThreads {
    fn may_be_asked(&mut self, witness: &AnswerWitness) -> bool {
        let is_fresh = |at: Instant| at.elapsed() < LOOK_AT_OTHERS;
        if !self.looked_at.is_some_and(is_fresh) {
            self.wait = witness.sees_others_wait();
            self.looked_at = Some(Instant::now());
        }
        self.wait
    }
}

impl AnswerWitness {
    fn sees_others_wait(&self) -> bool {
        let Some(WitnessedRecord { place, answer }) = &self.record else {
            return false;
        };
        let claude_began = self.terminal.register().and_then(dialog::claude_began);
        answer.may_go_on() && place.has_open_uses_elsewhere(claude_began)
    }
}

impl WitnessedTerminal {
    fn register(&self) -> Option<&Path> {
        match self {
            Self::Dialog { register, .. } | Self::Held { register } => Some(register),
            Self::Unknown => None,
        }
    }

    fn look(&self) -> TerminalSight {
        match self {
            Self::Dialog { register, since } if dialog::has_moved_on(register, *since) => {
                TerminalSight::MovedOn
            }
            Self::Dialog { .. } => TerminalSight::Stands,
            Self::Held { register } => dialog::look_after_held(register),
            Self::Unknown => TerminalSight::Unknown,
        }
    }
}

/// Returns what is said to Beckon, if anything is known.
fn receipt_of(verdict: Verdict) -> Option<AskerReceipt> {
    match verdict {
        Verdict::Taken => Some(AskerReceipt::Taken),
        Verdict::Elsewhere => Some(AskerReceipt::Elsewhere),
        Verdict::NotTaken | Verdict::Unread => Some(AskerReceipt::Lost),
        Verdict::Unclear => None,
    }
}

fn outcome(
    answer: Option<&HandedAnswer>,
    transcript: Option<&mut TranscriptReader>,
) -> RecordedOutcome {
    let tail = transcript.and_then(TranscriptReader::look);
    answer
        .zip(tail)
        .map_or(RecordedOutcome::Unreadable, |(answer, tail)| {
            answer.outcome(tail)
        })
}

/// It outlives its hook: what ends the hook's group does not end it, since it has one of its own.
#[cfg(unix)]
fn adjust(command: &mut Command) {
    command.stdin(Stdio::piped());
}

#[cfg(windows)]
fn adjust(command: &mut Command) {
    use std::os::windows::process::CommandExt;
    /// `DETACHED_PROCESS | CREATE_NEW_PROCESS_GROUP`
    const FLAGS: u32 = 0x0000_0008 | 0x0000_0200;
    command.stdin(Stdio::piped()).creation_flags(FLAGS);
}
