//! The choice of the ask that an event ends, if several asks are word for word the same. Claude
//! Code gives a permission no id of its own, so two equal calls of one thread have one name here;
//! the event about one of them ends one ask, and no more.

use super::input::ToolUse;
use super::stamps::HookStamp;
use super::transcript::{RecordedUse, TranscriptTail};

/// An ask that has not ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct WaitingAsk {
    pub(super) id: String,
    /// An answer to it is on its way.
    pub(super) is_answered: bool,
}

impl WaitingAsk {
    /// Whether it was asked before the hook of that stamp began. An id without a stamp is older.
    pub(super) fn is_before(&self, event: HookStamp) -> bool {
        HookStamp::in_id(&self.id).is_none_or(|asked| asked.is_before(event))
    }

    /// Whether it is likelier to have ended: an answered ask before an open one, and of two alike the one
    /// that was asked first.
    fn goes_before(&self, other: &Self) -> bool {
        if self.is_answered != other.is_answered {
            return self.is_answered;
        }
        let stamps = HookStamp::in_id(&self.id).zip(HookStamp::in_id(&other.id));
        stamps.is_some_and(|(own, others)| own.is_before(others))
    }
}

/// Returns the ask that an event ends which fits them all.
pub(super) fn first_to_end(asks: &[WaitingAsk]) -> Option<&WaitingAsk> {
    asks.iter()
        .reduce(|first, ask| if ask.goes_before(first) { ask } else { first })
}

/// The uses of one message that are word for word the same, as the transcript names them.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct EqualUses {
    pub(super) count: usize,
    /// The number of uses that have ended, the one of the event among them.
    pub(super) ended: usize,
    /// The time at which Claude wanted the first of them, in milliseconds since 1970.
    pub(super) since: Option<i64>,
}

impl EqualUses {
    /// Returns those that equal a call whose end is told. `None` if the transcript doesn't know it.
    pub(super) fn of(call: &ToolUse, tail: &TranscriptTail) -> Option<Self> {
        let id = call.id.as_ref()?;
        let told = tail.uses.iter().rev().find(|it| it.id == *id)?;
        let mark = told.call;
        let together = tail.called_with(told).into_iter();
        let equal: Vec<&RecordedUse> = together.filter(|it| it.call == mark).collect();

        let has_ended = |it: &&&RecordedUse| it.id == *id || tail.result_of(it).is_some();
        Some(Self {
            count: equal.len(),
            ended: equal.iter().filter(has_ended).count(),
            since: equal.iter().filter_map(|it| it.written.at).min(),
        })
    }

    /// Returns the open asks that none of the uses can wait for any more, the oldest ones: there are more
    /// than uses that have yet to end. An end may be that of a use which was never asked for, or one that
    /// was told before. An ask that is answered stays: its witness finds its end in the transcript.
    pub(super) fn surplus(&self, asks: &[WaitingAsk]) -> Vec<WaitingAsk> {
        let mut open = asks.to_vec();
        open.retain(|ask| !ask.is_answered);
        let mut surplus = Vec::new();
        while open.len() > self.count.saturating_sub(self.ended)
            && let Some(first) = first_to_end(&open).cloned()
        {
            open.retain(|ask| *ask != first);
            surplus.push(first);
        }
        surplus
    }

    /// Whether that many asks that have ended, or are answered, account for all uses that have
    /// ended: then the event tells nothing new, and an ask that still waits belongs to another use.
    pub(super) fn are_accounted_for(&self, asks: usize) -> bool {
        self.count > 1 && asks >= self.ended
    }
}

#[cfg(test)]
mod tests;
