//! A thing that is sent once, while it waits for its turn.

use crate::channels::telegram::outbox::retry::RetryState;
use std::collections::VecDeque;
use std::time::Instant;

/// A thing that is sent once, and the state of its retries.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct WaitingNote<T> {
    pub(super) what: T,
    pub(super) retry: RetryState,
}

impl<T> WaitingNote<T> {
    pub(super) fn new(what: T) -> Self {
        Self {
            what,
            retry: RetryState::default(),
        }
    }

    /// Takes the first that has not stepped aside.
    pub(super) fn take(waiting: &mut VecDeque<Self>) -> Option<Self> {
        let first = waiting
            .iter()
            .position(|it| it.retry.aside_until().is_none())?;
        waiting.remove(first)
    }

    /// Takes the one that stepped aside until then.
    pub(super) fn take_aside(waiting: &mut VecDeque<Self>, until: Instant) -> Option<Self> {
        let first = waiting
            .iter()
            .position(|it| it.retry.aside_until() == Some(until))?;
        waiting.remove(first)
    }

    /// Returns the times until which those wait that have stepped aside.
    pub(super) fn aside(waiting: &VecDeque<Self>) -> impl Iterator<Item = Instant> {
        waiting.iter().filter_map(|it| it.retry.aside_until())
    }

    /// Returns when they may go. Those that have stepped aside do not count while they are `behind`
    /// others.
    pub(super) fn dues(
        waiting: &VecDeque<Self>,
        ready: Instant,
        behind: bool,
    ) -> impl Iterator<Item = Instant> {
        let in_turn = waiting
            .iter()
            .filter(move |it| !behind || it.retry.aside_until().is_none());
        in_turn.map(move |it| it.retry.due(ready))
    }
}
