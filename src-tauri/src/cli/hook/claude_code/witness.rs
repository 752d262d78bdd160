//! The witness: a process that finds out whether Claude Code took an answer. Claude Code reads a
//! hook's decision when the hook has ended, so the hook itself cannot see that. It leaves a process
//! behind, which looks for as long as there is something to see, and reports to Beckon.
//!
//! Here: the looking. What follows from it is in `proof.rs`.

use super::asking::RunningHook;
use super::dialog;
use super::input::WITNESS;
use super::proof::{HandedAnswer, Observation, RecordedOutcome, TerminalSight, UseMark, Verdict};
use super::transcript::{TranscriptPlace, TranscriptReader};
use crate::api::ReceiptBody;
use crate::cli::ask::receipts::ReceiptFate;
use crate::platform::program;
use crate::sources::local_asks::messages::AskerReceipt;
use beckon_client::platform::children::Program;
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const LOOK: Duration = Duration::from_millis(50);
/// The time for which the witness looks often. Most is seen within seconds; for a slow tool it
/// looks less often after that.
const OFTEN: Duration = Duration::from_secs(10);
const LATER_LOOK: Duration = Duration::from_secs(1);
/// The time for which the report is repeated. A Beckon that does not run by then was ended by its
/// user; the session's next event tells the next Beckon.
pub(super) const SAYS_WITHIN: Duration = Duration::from_secs(600);
/// The pause between two checks whether other threads wait for something.
const LOOK_AT_OTHERS: Duration = Duration::from_secs(5);

/// The facts with which a witness starts.
#[derive(Debug, Deserialize, Serialize)]
pub(in super::super) struct AnswerWitness {
    /// The id of the ask.
    pub(super) ask: String,
    pub(super) terminal: WitnessedTerminal,
    /// The answer, if it is one to a call of a tool; a form has no line in the transcript.
    pub(super) answer: Option<HandedAnswer>,
    /// The place where the use is recorded, if it is.
    pub(super) transcript: Option<TranscriptPlace>,
}

/// The view of the terminal when the answer was handed over.
#[derive(Debug, Deserialize, Serialize)]
pub(super) enum WitnessedTerminal {
    /// The dialog that was shown, by the time at which it appeared.
    Dialog { register: PathBuf, since: i64 },
    /// No dialog: it was held back, and the hook alone decides.
    Held { register: PathBuf },
    /// No register of sessions tells.
    Unknown,
}

impl AnswerWitness {
    /// Returns a witness, if there is anything to look at.
    pub(super) fn of(
        ask: &str,
        terminal: WitnessedTerminal,
        answer: Option<HandedAnswer>,
        transcript: Option<TranscriptPlace>,
    ) -> Option<Self> {
        let is_blind = matches!(terminal, WitnessedTerminal::Unknown) && transcript.is_none();
        (!is_blind).then(|| Self {
            ask: ask.to_owned(),
            terminal,
            answer,
            transcript,
        })
    }

    /// Starts the witness in a process of its own. If that fails, the session's next event tells.
    pub(in super::super) fn leave(self) {
        if let Err(error) = self.start() {
            tracing::debug!(%error, "the witness of an answer could not be started");
        }
    }

    fn start(self) -> std::io::Result<()> {
        let own = Program::at(&program::path().map_err(std::io::Error::other)?)?
            .args(["hook", "claude-code"]);
        let mut child = own.adjust(adjust).start()?;
        let mut order = serde_json::to_value(self)?;
        order["hook_event_name"] = json!(WITNESS);
        order["session_id"] = json!("");
        let stdin = child.stdin.take();
        stdin.map_or(Ok(()), |mut stdin| {
            stdin.write_all(order.to_string().as_bytes())
        })
    }

    /// Looks until the fate of the answer is known, and reports it.
    pub(super) async fn look(self, hook: &RunningHook<'_>) {
        let mut looking = Looking::at(&self);
        loop {
            let verdict = looking.until_known(&self).await;
            let Some(said) = self.receipt_of(&verdict) else {
                return;
            };

            let fate = self.say(hook, &said, &looking).await;
            match (fate, verdict) {
                // The call's end has proven the answer to an equal call already.
                (ReceiptFate::ProofUsed, Verdict::Taken(Some(proof))) => {
                    looking.others.push(proof);
                }
                (ReceiptFate::Counted, Verdict::NotTaken) => {
                    let words = hook.context.texts.get("hook-not-taken");
                    return hook.say(None, &words).await;
                }
                // Another process may have reported the fate meanwhile.
                _ => return,
            }
        }
    }

    /// Repeats the report until Beckon hears it: a Beckon that was killed is back within a moment.
    async fn say(
        &self,
        hook: &RunningHook<'_>,
        said: &ReceiptBody,
        looking: &Looking,
    ) -> ReceiptFate {
        loop {
            let fate = hook.receipt_with(&self.ask, said).await;
            if fate != ReceiptFate::Unheard || looking.began.elapsed() > SAYS_WITHIN {
                return fate;
            }
            tokio::time::sleep(LATER_LOOK).await;
        }
    }

    /// Returns the receipt for a verdict, if that says anything.
    fn receipt_of(&self, verdict: &Verdict) -> Option<ReceiptBody> {
        let receipt = match verdict {
            Verdict::Taken(_) => AskerReceipt::Taken,
            Verdict::Elsewhere => AskerReceipt::Elsewhere,
            Verdict::NotTaken | Verdict::Unread => AskerReceipt::Lost,
            Verdict::Unclear => return None,
        };
        let proof = match verdict {
            Verdict::Taken(Some(proof)) => Some(self.proof(proof)),
            _ => None,
        };
        Some(ReceiptBody { receipt, proof })
    }

    /// Returns the name of a use in a receipt. It includes all of the ask's id but the last part,
    /// since asks that are word for word the same differ only there.
    fn proof(&self, of: &UseMark) -> String {
        let equals = self.ask.rsplit_once('.');
        let equals = equals.map_or(self.ask.as_str(), |(beginning, _)| beginning);
        format!("{equals} {}", of.in_words())
    }
}

/// The state of a witness while it looks.
struct Looking {
    began: Instant,
    transcript: Option<TranscriptReader>,
    answer: Option<HandedAnswer>,
    /// The uses that prove other answers.
    others: Vec<UseMark>,
    threads: OtherThreads,
}

impl Looking {
    fn at(witness: &AnswerWitness) -> Self {
        Self {
            began: Instant::now(),
            transcript: witness.transcript.clone().map(TranscriptReader::new),
            answer: witness.answer.clone(),
            others: Vec::new(),
            threads: OtherThreads::default(),
        }
    }

    async fn until_known(&mut self, witness: &AnswerWitness) -> Verdict {
        loop {
            let waited = self.began.elapsed();
            let observation = Observation {
                terminal: witness.terminal.look(),
                outcome: self.outcome(),
                waited,
            };
            let verdict = match observation.verdict(self.answer.as_ref()) {
                Some(Verdict::NotTaken) if self.threads.may_be_asked(witness) => {
                    observation.in_doubt()
                }
                verdict => verdict,
            };
            if let Some(verdict) = verdict {
                return verdict;
            }
            let pause = if waited < OFTEN { LOOK } else { LATER_LOOK };
            tokio::time::sleep(pause).await;
        }
    }

    fn outcome(&mut self) -> RecordedOutcome {
        let Some((answer, transcript)) = self.answer.as_mut().zip(self.transcript.as_mut()) else {
            return RecordedOutcome::NoTranscript;
        };
        if let Some(length) = transcript.length() {
            answer.compare_length(length);
        }
        let tail = transcript.look();
        tail.map_or(RecordedOutcome::Unreadable, |tail| {
            answer.outcome(tail, &self.others)
        })
    }
}

/// The check whether a dialog that is shown may be another thread's.
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
        let Some((place, answer)) = self.transcript.as_ref().zip(self.answer.as_ref()) else {
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

/// Prepares the witness's process to outlive its hook. It has a process group of its own, so what
/// ends the hook's group does not end it.
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
