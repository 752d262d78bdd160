//! The proof that Claude Code took an answer of ours. The transcript proves it: a use that was
//! refused ends with our reason, one that was allowed with what the tool returned, and each is
//! recorded with who decided. If the transcript says nothing, the register of sessions has to do:
//! the dialog has made way for something else.
//!
//! That proves less. Of several dialogs in a row the register tells only the first and the last,
//! and a dialog that has gone was answered, but not by whom: a yes in the terminal and a no from
//! here look alike.
//!
//! Here: what follows from what was seen. Looking is up to `witness.rs`.

use super::ids::CallMark;
use super::transcript::{Decider, KEPT, LineStamp, RecordedResult, RecordedUse, TranscriptTail};
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// A decision is taken within a moment of its hook's end; a busy machine may need longer. What ends
/// with the decision is in the transcript two seconds after it (measured with 2.1.332).
const TAKEN_WITHIN: Duration = Duration::from_secs(10);
/// The time within which a refusal is in the transcript, also that of another hook or of the terminal. The
/// register tells up to two seconds earlier that a dialog has gone (measured with 2.1.330 and 2.1.332).
const REFUSED_WITHIN: Duration = Duration::from_secs(3);
/// The time after which a no counts where nothing is recorded, unless its tool has ended by then.
const DISPROVED_WITHIN: Duration = Duration::from_secs(5);
/// The time within which Claude Code has read what a hook had to say.
const READ_WITHIN: Duration = Duration::from_millis(500);
/// The time within which a use is in the transcript: Claude Code may write it a moment after it asks.
const WRITTEN_WITHIN: Duration = Duration::from_secs(1);
/// The longest time for which it is looked whether a tool ends that was allowed. Beckon keeps an
/// answer without a proof no longer.
const RUNS_WITHIN: Duration = Duration::from_secs(3_600);
/// Ids of uses have some 30 characters, and other services' up to 64.
const LONGEST_ID: usize = 64;
/// The number of characters of a reason that are compared.
pub(super) const COMPARED: usize = 800;

/// An answer that was handed to Claude Code.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub(super) struct HandedAnswer {
    pub(super) call: CallMark,
    #[serde(default)]
    pub(super) tool: String,
    /// Claude Code's name for the use, if it told.
    pub(super) use_id: Option<String>,
    /// The beginning of what the model reads, if the answer is a no.
    pub(super) refusal: Option<String>,
    /// What was answered to each question, as newer and older versions tell it to the model:
    /// `"question"="answer"`, each no longer than is compared.
    #[serde(default)]
    pub(super) given: Vec<String>,
    /// The use ends with the answer: it is a no, or nothing is left to be done.
    pub(super) ends_the_use: bool,
    /// The time of the request, in milliseconds since 1970.
    pub(super) asked_at: i64,
    pub(super) decided_at: i64,
    /// The length of the transcript when the answer was handed over: everything up to there was
    /// written before. Times would not do: clocks are set, and two things may happen within one
    /// millisecond.
    pub(super) recorded: Option<u64>,
}

/// A use, as a proof names it: ids alone may be used again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct UseMark {
    id: String,
    message: MessageMark,
}

/// The message of a use.
#[derive(Clone, Debug, PartialEq, Eq)]
enum MessageMark {
    Id(String),
    /// The offset in bytes at which the line of the use begins, where its message has no id.
    Offset(u64),
}

impl UseMark {
    /// Returns it in words, for those that look at one transcript.
    pub(super) fn in_words(&self) -> String {
        let short = |id: &str| id.chars().take(LONGEST_ID).collect::<String>();
        let message = match &self.message {
            MessageMark::Id(id) => short(id),
            MessageMark::Offset(offset) => offset.to_string(),
        };
        format!("{}@{message}", short(&self.id))
    }
}

/// The fate of an answer, as the transcript tells it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum RecordedOutcome {
    /// No transcript is written for the session.
    NoTranscript,
    /// The transcript can't be read.
    Unreadable,
    /// The use is not in it.
    NotFound,
    /// The named use has not ended; `alone` if nothing else is under way beside it.
    Pending { of: UseMark, alone: bool },
    /// The use ended before the answer was handed over.
    EndedBefore,
    /// The named use ended as the answer wanted it.
    Taken(UseMark),
    /// The use ended otherwise.
    Elsewhere,
}

impl RecordedOutcome {
    /// Whether nothing that comes later changes it.
    fn is_final(&self) -> bool {
        match self {
            Self::EndedBefore | Self::Taken(_) | Self::Elsewhere => true,
            Self::NoTranscript | Self::Unreadable | Self::NotFound | Self::Pending { .. } => false,
        }
    }
}

/// The view of the terminal after an answer was handed over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TerminalSight {
    /// No register tells.
    Unknown,
    /// The dialog that was answered, or another one that followed it without a pause.
    Stands,
    /// The dialog that was answered has gone or made way for another.
    MovedOn,
    /// The dialog was held back, and none is shown.
    Held,
    /// The dialog was held back, and now there is one: its own, or another thread's.
    StandsAfterHeld,
    /// Claude Code has ended before its dialog came.
    Ended,
}

/// An observation made after an answer was handed over.
#[derive(Clone, Debug)]
pub(super) struct Observation {
    pub(super) outcome: RecordedOutcome,
    pub(super) terminal: TerminalSight,
    pub(super) waited: Duration,
}

/// The fate of an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// The answer decided; the use that proves it, if one does.
    Taken(Option<UseMark>),
    /// A person was faster in the terminal.
    Elsewhere,
    /// The dialog is still shown.
    NotTaken,
    /// Claude Code has ended, and does not ask any more.
    Unread,
    /// The facts don't tell; the session's next event may.
    Unclear,
}

impl HandedAnswer {
    /// Goes by the clocks alone if the transcript is shorter than it was: then it was written anew,
    /// and the place of a line says nothing of what was there before.
    pub(super) fn compare_length(&mut self, length: u64) {
        if self.recorded.is_some_and(|recorded| length < recorded) {
            self.recorded = None;
        }
    }

    fn is_no(&self) -> bool {
        self.refusal.is_some()
    }

    /// Whether a use that goes on says nothing of the answer: then a dialog that is shown tells
    /// something only if it can't be another use's.
    pub(super) fn may_go_on(&self) -> bool {
        !self.ends_the_use || self.is_no()
    }

    /// Returns what the transcript says of it. `others` are the uses that prove another answer.
    pub(super) fn outcome(&self, tail: &TranscriptTail, others: &[UseMark]) -> RecordedOutcome {
        if tail.uses.is_empty() {
            return RecordedOutcome::Unreadable;
        }
        let candidates = self.candidates(tail);
        if candidates.uses.is_empty() {
            return RecordedOutcome::NotFound;
        }

        let mut its = candidates.uses;
        its.retain(|it| !self.ended_before(it, tail));
        if its.is_empty() {
            return RecordedOutcome::EndedBefore;
        }

        its.retain(|it| !others.contains(&it.mark()));
        let is_pending = |it: &&RecordedUse| tail.result_of(it).is_none();
        if let Some(taken) = self.first_taken(&its, tail) {
            RecordedOutcome::Taken(taken.mark())
        } else if let Some(first) = its.iter().copied().find(is_pending) {
            let pending = candidates.together.into_iter().filter(is_pending);
            let alone = pending.count() <= 1;
            let of = first.mark();
            RecordedOutcome::Pending { of, alone }
        } else {
            RecordedOutcome::Elsewhere
        }
    }

    /// Returns the use that ended first as the answer wanted it. An answer that was handed over later has
    /// no claim to that one.
    fn first_taken<'a>(
        &self,
        its: &[&'a RecordedUse],
        tail: &TranscriptTail,
    ) -> Option<&'a RecordedUse> {
        let taken = its.iter().copied().filter(|it| self.is_taken(it, tail));
        let ended_at = |it: &&RecordedUse| {
            let result = tail.result_of(it);
            result.map_or(u64::MAX, |result| result.written.offset)
        };
        taken.min_by_key(ended_at)
    }

    fn ended_before(&self, it: &RecordedUse, tail: &TranscriptTail) -> bool {
        let result = tail.result_of(it);
        result.is_some_and(|result| self.is_later_than(result.written))
    }

    /// Whether it was handed over when that line was there already.
    fn is_later_than(&self, line: LineStamp) -> bool {
        match self.recorded {
            Some(length) => line.offset < length,
            None => line.at.is_some_and(|at| at < self.decided_at),
        }
    }

    /// Whether that use was there to be asked for.
    fn may_ask_for(&self, it: &RecordedUse) -> bool {
        let LineStamp { offset, at } = it.written;
        match self.recorded {
            Some(length) => offset < length || at.is_some_and(|at| at <= self.asked_at),
            None => at.is_none_or(|at| at <= self.asked_at),
        }
    }

    /// Returns the uses that it may be about. In this order:
    ///
    /// 1. those of the last message, which are under way, that are word for word what was asked;
    /// 2. such a one of an earlier message that has not ended: two Claude Codes may go on with one
    ///    session, each with messages of its own;
    /// 3. the only one of the last message that uses the tool: another hook may have changed its input.
    fn candidates<'a>(&self, tail: &'a TranscriptTail) -> CandidateUses<'a> {
        if let Some(id) = &self.use_id {
            // Some services begin their ids anew with each turn.
            let mut named = tail.uses.iter().rev().filter(|it| it.id == *id);
            let asked_for = named.clone().find(|it| self.may_ask_for(it));
            let named = asked_for.or_else(|| named.next());
            return CandidateUses::of(tail, named, |it| it.id == *id);
        }

        let mut asked = tail.uses.iter().rev().filter(|it| self.may_ask_for(it));
        let is_equal = |it: &RecordedUse| it.call == self.call;
        let under_way = |it: &RecordedUse| !self.ended_before(it, tail);
        let of_last = CandidateUses::of(tail, asked.clone().next(), is_equal);
        if !of_last.uses.is_empty() {
            return of_last;
        }

        let earlier = asked.find(|it| is_equal(it) && under_way(it));
        if earlier.is_some() {
            return CandidateUses::of(tail, earlier, is_equal);
        }

        let is_alike = |it: &RecordedUse| it.tool == self.tool && under_way(it);
        let together = of_last.together;
        let mut changed = together.clone();
        changed.retain(|it| is_alike(it));
        let uses = if changed.len() == 1 {
            changed
        } else {
            Vec::new()
        };
        CandidateUses { together, uses }
    }

    fn is_taken(&self, it: &RecordedUse, tail: &TranscriptTail) -> bool {
        let Some(result) = tail.result_of(it) else {
            let mut allowed = tail.allowed_by_hook.iter();
            return self.refusal.is_none()
                && allowed
                    .any(|allowed| allowed.of == it.id && !self.is_later_than(allowed.written));
        };
        match &self.refusal {
            Some(reason) => is_refused_with(result, reason),
            None => result.has_run && self.may_have_allowed(result),
        }
    }

    /// Whether the tool may have been let run by this answer. Where the line does not say who decided,
    /// the model may still have read other answers, given in the terminal.
    fn may_have_allowed(&self, result: &RecordedResult) -> bool {
        match result.decider {
            Decider::Hook => true,
            Decider::Unsaid => self.is_given_in(&result.text),
            Decider::User | Decider::Other => false,
        }
    }

    /// Whether the model reads the answers that were given here, as far as the text is kept.
    fn is_given_in(&self, text: &str) -> bool {
        let tells_answers = text.contains("\"=\"");
        let is_cut = text.chars().count() >= KEPT;
        !tells_answers || is_cut || self.given.iter().all(|given| text.contains(given))
    }
}

/// The uses that an answer may be about. Equal ones cannot be told apart.
struct CandidateUses<'a> {
    uses: Vec<&'a RecordedUse>,
    /// The uses of their message: those that are under way at the same time.
    together: Vec<&'a RecordedUse>,
}

impl<'a> CandidateUses<'a> {
    /// Returns those of one message that fit.
    fn of(
        tail: &'a TranscriptTail,
        one: Option<&'a RecordedUse>,
        fits: impl Fn(&RecordedUse) -> bool,
    ) -> Self {
        let together = one.map_or_else(Vec::new, |one| tail.called_with(one));
        let mut uses = together.clone();
        uses.retain(|it| fits(it));
        Self { uses, together }
    }
}

impl RecordedUse {
    fn mark(&self) -> UseMark {
        let at = || MessageMark::Offset(self.written.offset);
        UseMark {
            id: self.id.clone(),
            message: self.message.clone().map_or_else(at, MessageMark::Id),
        }
    }
}

/// Whether the model reads our reason, and nothing else: of a short one ("no") Claude Code's own
/// sentence about a refusal in the terminal is full.
fn is_refused_with(result: &RecordedResult, reason: &str) -> bool {
    let has_run = result.is_accepted == Some(true);
    let is_refused = result.is_error && !has_run && result.decider.may_be_ours();
    // A reason that was cut may end in a blank.
    let is_cut = reason.chars().count() >= COMPARED;
    let reason = reason.trim();
    let is_it = |given: &str| given == reason || (is_cut && given.starts_with(reason));
    is_refused && (is_it(result.text.trim()) || is_it(without_frame(&result.text)))
}

/// Returns the text in the frame that Claude Code puts around some reasons: 2.1.330 does so where a
/// hook refuses before the tool, and nowhere else.
fn without_frame(text: &str) -> &str {
    const FRAME: (&str, &str) = ("<tool_use_error>", "</tool_use_error>");
    let text = text.trim();
    let inner = text.strip_prefix(FRAME.0).unwrap_or(text);
    let inner = inner.strip_suffix(FRAME.1).unwrap_or(inner).trim();
    let inner = inner.strip_prefix("Error:").map_or(inner, str::trim);

    match inner.split_once(" hook error:") {
        Some((hook, reason)) if is_named_hook(hook) => reason.trim(),
        _ => inner,
    }
}

/// Whether a hook is named like `PreToolUse:AskUserQuestion`.
fn is_named_hook(name: &str) -> bool {
    name.starts_with("PreToolUse:") && !name.contains(char::is_whitespace)
}

impl TranscriptTail {
    /// Returns how that use has ended, if it has. The end may be told twice. An end before the use
    /// is of an earlier one with that id.
    pub(super) fn result_of(&self, it: &RecordedUse) -> Option<&RecordedResult> {
        let begins = it.written.offset;
        let ends_it =
            |result: &&RecordedResult| result.of == it.id && result.written.offset >= begins;
        self.results.iter().find(ends_it)
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
    /// Returns what became of the answer, once it is known. Without `answer` only the terminal tells.
    pub(super) fn verdict(&self, answer: Option<&HandedAnswer>) -> Option<Verdict> {
        if self.terminal == TerminalSight::Ended && !self.outcome.is_final() {
            return self.after(READ_WITHIN, Verdict::Unread);
        }
        let ends_the_use = answer.is_some_and(|answer| answer.ends_the_use);
        let is_no = answer.is_some_and(HandedAnswer::is_no);
        match &self.outcome {
            RecordedOutcome::Taken(proof) => Some(Verdict::Taken(Some(proof.clone()))),
            RecordedOutcome::Elsewhere => Some(Verdict::Elsewhere),
            RecordedOutcome::EndedBefore => self.after(WRITTEN_WITHIN, Verdict::Elsewhere),
            RecordedOutcome::NoTranscript | RecordedOutcome::Unreadable if ends_the_use => {
                self.of_an_end_without_a_record()
            }
            RecordedOutcome::Unreadable if self.terminal == TerminalSight::MovedOn => {
                self.after(REFUSED_WITHIN, Verdict::Taken(None))
            }
            RecordedOutcome::NoTranscript | RecordedOutcome::Unreadable => {
                self.of_what_is_not_recorded()
            }
            RecordedOutcome::NotFound if ends_the_use && self.waited < WRITTEN_WITHIN => None,
            RecordedOutcome::NotFound if is_no => self.of_an_unknown_no(),
            RecordedOutcome::NotFound => self.of_an_unknown_use(),
            RecordedOutcome::Pending { alone, .. } if is_no => self.of_a_pending_no(*alone),
            RecordedOutcome::Pending { .. } if ends_the_use => self.of_a_pending_question(),
            RecordedOutcome::Pending { of, alone } => self.of_a_pending_yes(of, *alone),
        }
    }

    fn of_what_is_not_recorded(&self) -> Option<Verdict> {
        match self.terminal {
            TerminalSight::MovedOn => Some(Verdict::Taken(None)),
            TerminalSight::Stands => self.after(TAKEN_WITHIN, Verdict::NotTaken),
            TerminalSight::Held | TerminalSight::StandsAfterHeld => {
                self.after(READ_WITHIN, Verdict::Taken(None))
            }
            TerminalSight::Unknown | TerminalSight::Ended => {
                self.after(TAKEN_WITHIN, Verdict::Unclear)
            }
        }
    }

    /// Judges an answer with which its use ends, and that no transcript can prove. A dialog that has gone may
    /// have been answered otherwise in the terminal. What that allowed has most often ended within seconds,
    /// and so has a question; an event tells of it.
    fn of_an_end_without_a_record(&self) -> Option<Verdict> {
        match self.terminal {
            TerminalSight::MovedOn => self.after(DISPROVED_WITHIN, Verdict::Taken(None)),
            TerminalSight::Stands
            | TerminalSight::Held
            | TerminalSight::StandsAfterHeld
            | TerminalSight::Unknown
            | TerminalSight::Ended => self.of_what_is_not_recorded(),
        }
    }

    /// Judges a use that the transcript does not name. It may be recorded in other words, since
    /// another hook has changed its input, so a dialog that is shown need not be its own.
    fn of_an_unknown_use(&self) -> Option<Verdict> {
        match self.terminal {
            TerminalSight::Stands => self.after(RUNS_WITHIN, Verdict::Unclear),
            TerminalSight::Held | TerminalSight::StandsAfterHeld => {
                self.after(WRITTEN_WITHIN, Verdict::Taken(None))
            }
            TerminalSight::MovedOn | TerminalSight::Unknown | TerminalSight::Ended => {
                self.of_what_is_not_recorded()
            }
        }
    }

    /// Judges a no that should be recorded and is not. A dialog that has gone says nothing of it: its user
    /// may have allowed the use in the terminal.
    fn of_an_unknown_no(&self) -> Option<Verdict> {
        match self.terminal {
            TerminalSight::MovedOn | TerminalSight::Held | TerminalSight::StandsAfterHeld => {
                self.after(TAKEN_WITHIN, Verdict::Unclear)
            }
            TerminalSight::Stands | TerminalSight::Unknown | TerminalSight::Ended => {
                self.of_an_unknown_use()
            }
        }
    }

    /// Judges a no whose use goes on, and so was not refused yet. The dialog that is shown may be
    /// of something else.
    fn of_a_pending_no(&self, alone: bool) -> Option<Verdict> {
        match self.terminal {
            TerminalSight::Stands | TerminalSight::StandsAfterHeld if alone => {
                self.after(TAKEN_WITHIN, Verdict::NotTaken)
            }
            TerminalSight::Stands | TerminalSight::MovedOn | TerminalSight::Held => {
                self.after(TAKEN_WITHIN, Verdict::Elsewhere)
            }
            TerminalSight::StandsAfterHeld | TerminalSight::Unknown | TerminalSight::Ended => {
                self.after(RUNS_WITHIN, Verdict::Unclear)
            }
        }
    }

    /// Judges an answer to a question. Its use ends with the answer, whatever else is shown in the
    /// terminal.
    fn of_a_pending_question(&self) -> Option<Verdict> {
        match self.terminal {
            TerminalSight::MovedOn => self.after(TAKEN_WITHIN, Verdict::Taken(None)),
            TerminalSight::Stands | TerminalSight::StandsAfterHeld => {
                self.after(TAKEN_WITHIN, Verdict::NotTaken)
            }
            TerminalSight::Held => self.after(RUNS_WITHIN, Verdict::Unclear),
            TerminalSight::Unknown | TerminalSight::Ended => {
                self.after(TAKEN_WITHIN, Verdict::Unclear)
            }
        }
    }

    /// Judges a yes whose use goes on. A no in the terminal ends the dialog as well, and is
    /// recorded a moment later. Here, too, the dialog that is shown may be of something else.
    fn of_a_pending_yes(&self, of: &UseMark, alone: bool) -> Option<Verdict> {
        match self.terminal {
            TerminalSight::MovedOn | TerminalSight::Held => {
                self.after(REFUSED_WITHIN, Verdict::Taken(Some(of.clone())))
            }
            TerminalSight::Stands | TerminalSight::StandsAfterHeld if alone => {
                self.after(TAKEN_WITHIN, Verdict::NotTaken)
            }
            TerminalSight::Stands
            | TerminalSight::StandsAfterHeld
            | TerminalSight::Unknown
            | TerminalSight::Ended => self.after(RUNS_WITHIN, Verdict::Unclear),
        }
    }

    /// Returns what is known if a dialog is shown that may be another thread's.
    pub(super) fn in_doubt(&self) -> Option<Verdict> {
        self.after(RUNS_WITHIN, Verdict::Unclear)
    }

    fn after(&self, time: Duration, verdict: Verdict) -> Option<Verdict> {
        (self.waited >= time).then_some(verdict)
    }
}

#[cfg(test)]
mod tests;
