//! What proves that Claude Code took an answer of ours. Its transcript does: a use that was refused
//! ends with our reason, one that was allowed with what the tool returned, and beside either stands
//! who decided. Where the transcript says nothing, the register of sessions has to do: the dialog has
//! made way for something else.
//!
//! That is less. Of several dialogs in a row the register tells only the first and the last, and a
//! dialog that has gone was answered, but not by whom: a yes in the terminal and a no from here look
//! alike.
//!
//! Here: what follows from what was seen. Looking is up to `witness.rs`.

use super::ids::CallMark;
use super::transcript::{Decider, RecordedResult, RecordedUse, TranscriptTail};
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// A decision is taken within a moment of its hook's end; a busy machine may need longer. What ends
/// with the decision is in the transcript two seconds after it (measured with 2.1.332).
const TAKEN_WITHIN: Duration = Duration::from_secs(10);
/// What is asked is in the transcript by then: Claude Code may write it a moment after it asks.
const WRITTEN_WITHIN: Duration = Duration::from_secs(1);
/// A tool that was allowed may run for so long before nobody looks any more; its end tells as well.
const RUNS_WITHIN: Duration = Duration::from_secs(600);
/// So many characters of a reason are compared.
pub(super) const COMPARED: usize = 200;

/// An answer that was handed to Claude Code.
#[derive(Debug, Deserialize, Serialize)]
pub(super) struct HandedAnswer {
    pub(super) call: CallMark,
    /// Claude Code's name for the use, if it told.
    pub(super) use_id: Option<String>,
    /// Of a no: what the model reads, its beginning.
    pub(super) refusal: Option<String>,
    /// The use ends with the answer: it is a no, or nothing is left to be done.
    pub(super) ends_the_use: bool,
    /// In milliseconds since 1970.
    pub(super) asked_at: i64,
    pub(super) decided_at: i64,
}

/// What the transcript says of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RecordedOutcome {
    /// It can't be read.
    Unreadable,
    /// The use is not in it.
    NotFound,
    /// The use has not ended; `alone` if nothing else is under way beside it.
    Pending { alone: bool },
    /// The use ended before the answer was handed over.
    EndedBefore,
    /// The use ended as the answer wanted it.
    Taken,
    /// The use ended otherwise.
    Elsewhere,
}

/// What was seen since an answer was handed over.
#[derive(Clone, Copy, Debug)]
pub(super) struct Observation {
    pub(super) outcome: RecordedOutcome,
    /// Whether the dialog has gone or made way for another; `None` where no register tells.
    pub(super) dialog_moved_on: Option<bool>,
    pub(super) waited: Duration,
}

/// What became of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    Taken,
    /// Somebody was faster in the terminal.
    Elsewhere,
    /// The dialog still stands.
    NotTaken,
    /// Claude Code has ended, and nobody asks any more.
    Unread,
    /// Nobody can tell; the session's next event may.
    Unclear,
}

impl HandedAnswer {
    /// Returns what the transcript says of it.
    pub(super) fn outcome(&self, tail: &TranscriptTail) -> RecordedOutcome {
        let beside = self.called_together(tail);
        let mut equal = beside.clone();
        equal.retain(|it| self.may_be(it));
        if equal.is_empty() {
            return RecordedOutcome::NotFound;
        }

        equal.retain(|it| !self.ended_before(it, tail));
        if equal.is_empty() {
            return RecordedOutcome::EndedBefore;
        }

        let is_pending = |it: &&RecordedUse| tail.result_of(it).is_none();
        if equal.iter().any(|it| self.is_taken(it, tail)) {
            RecordedOutcome::Taken
        } else if equal.iter().any(is_pending) {
            let pending = beside.iter().copied().filter(is_pending);
            let alone = pending.count() <= 1;
            RecordedOutcome::Pending { alone }
        } else {
            RecordedOutcome::Elsewhere
        }
    }

    fn ended_before(&self, it: &RecordedUse, tail: &TranscriptTail) -> bool {
        let ended_at = tail.result_of(it).and_then(|result| result.at);
        ended_at.is_some_and(|at| at < self.decided_at)
    }

    /// Returns the uses of one message: those that were under way when this one was asked for.
    fn called_together<'a>(&self, tail: &'a TranscriptTail) -> Vec<&'a RecordedUse> {
        let is_it = |it: &&RecordedUse| match &self.use_id {
            Some(id) => it.id == *id,
            None => it.at.is_none_or(|at| at <= self.asked_at),
        };
        let last = tail.uses.iter().rev().find(is_it);
        last.map_or_else(Vec::new, |last| tail.called_with(last))
    }

    /// Whether the answer may be about that use. Of equal ones nobody can tell them apart.
    fn may_be(&self, it: &RecordedUse) -> bool {
        match &self.use_id {
            Some(id) => it.id == *id,
            None => it.call == self.call,
        }
    }

    fn is_taken(&self, it: &RecordedUse, tail: &TranscriptTail) -> bool {
        let Some(result) = tail.result_of(it) else {
            let mut allowed = tail.allowed_by_hook.iter();
            let since = |at: Option<i64>| at.is_none_or(|at| at >= self.decided_at);
            return self.refusal.is_none()
                && allowed.any(|allowed| allowed.of == it.id && since(allowed.at));
        };
        match &self.refusal {
            Some(reason) => is_refused_with(result, reason),
            None => result.has_run && result.decider != Decider::User,
        }
    }
}

fn is_refused_with(result: &RecordedResult, reason: &str) -> bool {
    let is_refused = result.is_error && result.decider != Decider::User;
    is_refused && result.text.contains(reason.trim())
}

impl TranscriptTail {
    /// Returns how that use has ended, if it has. It may be told twice.
    pub(super) fn result_of(&self, it: &RecordedUse) -> Option<&RecordedResult> {
        self.results.iter().find(|result| result.of == it.id)
    }

    /// Returns the uses of the same message, each once.
    pub(super) fn called_with<'a>(&'a self, one: &'a RecordedUse) -> Vec<&'a RecordedUse> {
        if one.message.is_none() {
            return vec![one];
        }
        let mut together: Vec<&RecordedUse> = Vec::new();
        for it in self.uses.iter().filter(|it| it.message == one.message) {
            if together.iter().all(|known| known.id != it.id) {
                together.push(it);
            }
        }
        together
    }
}

impl Observation {
    /// Returns what became of the answer, once it is known. Without `answer` only the register tells.
    pub(super) fn verdict(self, answer: Option<&HandedAnswer>) -> Option<Verdict> {
        let is_no = answer.is_some_and(|answer| answer.refusal.is_some());
        let ends_the_use = answer.is_some_and(|answer| answer.ends_the_use);
        match self.outcome {
            RecordedOutcome::Taken => Some(Verdict::Taken),
            RecordedOutcome::Elsewhere => Some(Verdict::Elsewhere),
            RecordedOutcome::EndedBefore => self.after(WRITTEN_WITHIN, Verdict::Elsewhere),
            RecordedOutcome::Unreadable => self.by_the_register(),
            RecordedOutcome::NotFound if ends_the_use && self.waited < WRITTEN_WITHIN => None,
            RecordedOutcome::NotFound => self.by_the_register(),
            RecordedOutcome::Pending { alone } if is_no => self.of_a_pending_no(alone),
            RecordedOutcome::Pending { .. } if ends_the_use => match self.dialog_moved_on {
                Some(true) => self.after(TAKEN_WITHIN, Verdict::Taken),
                Some(false) | None => self.by_the_register(),
            },
            RecordedOutcome::Pending { alone } => self.of_a_pending_yes(alone),
        }
    }

    /// A use that goes on was not refused. What stands may be the dialog of something else.
    fn of_a_pending_no(self, alone: bool) -> Option<Verdict> {
        let verdict = match self.dialog_moved_on {
            Some(false) if alone => Verdict::NotTaken,
            Some(true | false) => Verdict::Elsewhere,
            None => return self.after(RUNS_WITHIN, Verdict::Unclear),
        };
        self.after(TAKEN_WITHIN, verdict)
    }

    /// What stands may be the dialog of something else, here too.
    fn of_a_pending_yes(self, alone: bool) -> Option<Verdict> {
        match self.dialog_moved_on {
            Some(true) => Some(Verdict::Taken),
            Some(false) if alone => self.after(TAKEN_WITHIN, Verdict::NotTaken),
            Some(false) | None => self.after(RUNS_WITHIN, Verdict::Unclear),
        }
    }

    fn by_the_register(self) -> Option<Verdict> {
        match self.dialog_moved_on {
            Some(true) => Some(Verdict::Taken),
            Some(false) => self.after(TAKEN_WITHIN, Verdict::NotTaken),
            None => self.after(TAKEN_WITHIN, Verdict::Unclear),
        }
    }

    fn after(self, time: Duration, verdict: Verdict) -> Option<Verdict> {
        (self.waited >= time).then_some(verdict)
    }
}

#[cfg(test)]
mod tests;
