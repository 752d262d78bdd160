//! Which ask an interrupt is. The API gives interrupts no id, so what is known of its threads tells
//! them apart: a thread waits for one thing at a time.
//!
//! - What a thread already waits for, said again (after a reconnect, or on both streams), is the
//!   same ask.
//! - Anything else on that thread is a new ask, and the end of the one before.
//! - The same words after an answer was taken are a new ask: an agent may ask for leave twice.

use super::wire::Interrupt;
use beckon_core::{
    Answer, Ask, AskId, Entry, Failure, Returned, Session, SourceId, SourceReport, State, Timestamp,
};
use std::collections::BTreeMap;

/// What each thread waits for.
pub(super) struct Threads {
    source: SourceId,
    waiting: BTreeMap<String, Waiting>,
    /// Said on the stream while an answer to the very same was on its way: is it the former, or
    /// already the next? If the reply ends without a word of it, it is taken for the next: to ask
    /// once too often is better than to miss one.
    said_again: BTreeMap<String, Interrupt>,
    last: Timestamp,
}

struct Waiting {
    ask: Ask,
    /// The answer that is on its way.
    answer: Option<Answer>,
}

impl Threads {
    /// As it stood before Beckon, or the watch, was started anew.
    pub(super) fn restore(source: SourceId, known: &[Entry]) -> Self {
        let waiting = known.iter().map(|entry| {
            let ask = entry.ask.clone();
            (ask.session.id.clone(), Waiting { ask, answer: None })
        });
        let (waiting, said_again) = (waiting.collect(), BTreeMap::new());
        Self { source, waiting, said_again, last: Timestamp(0) }
    }

    /// Does that thread wait for somebody?
    pub(super) fn waits(&self, thread: &str) -> bool {
        self.waiting.contains_key(thread)
    }

    /// A thread is interrupted, or still is.
    pub(super) fn interrupted(
        &mut self,
        thread: &str,
        interrupt: Interrupt,
        now: Timestamp,
    ) -> Vec<SourceReport> {
        let before = self.waiting.get(thread);
        match before.filter(|before| before.ask.kind == interrupt.kind) {
            Some(Waiting { ask, answer: None }) => vec![SourceReport::Asked(ask.clone())],
            Some(Waiting { answer: Some(_), .. }) => {
                self.said_again.insert(thread.to_owned(), interrupt);
                Vec::new()
            }
            None => {
                let before = self
                    .waiting
                    .remove(thread)
                    .map(|before| SourceReport::Replied { own: before.ask.id.own, answers: None });
                before.into_iter().chain([self.open(thread, interrupt, now)]).collect()
            }
        }
    }

    fn open(&mut self, thread: &str, interrupt: Interrupt, now: Timestamp) -> SourceReport {
        self.last = now.max(Timestamp(self.last.0 + 1));
        self.said_again.remove(thread);
        let own = format!("{thread}-{}", self.last.0);
        let session = Session {
            id: thread.to_owned(),
            title: interrupt.title,
            // A service has no directories; its name is what people call the project.
            directory: self.source.0.clone(),
            last_words: interrupt.words,
            ..Session::default()
        };
        let id = AskId { source: self.source.clone(), own };
        let ask = Ask { id, kind: interrupt.kind, session, call: None, asked_at: now };
        self.waiting.insert(thread.to_owned(), Waiting { ask: ask.clone(), answer: None });
        SourceReport::Asked(ask)
    }

    /// An answer is on its way.
    pub(super) fn delivers(&mut self, ask: &Ask, answer: Answer) {
        if let Some(waiting) = self.of(ask) {
            waiting.answer = Some(answer);
        }
    }

    /// The thread went on with the answer.
    pub(super) fn proven(&mut self, ask: &Ask) -> Vec<SourceReport> {
        let Some(answer) = self.of(ask).and_then(|waiting| waiting.answer.take()) else {
            return Vec::new();
        };
        self.waiting.remove(&ask.session.id);
        let own = ask.id.own.clone();
        vec![match ask.told(&answer) {
            Some(answers) => SourceReport::Replied { own, answers: Some(answers) },
            None => SourceReport::Rejected { own },
        }]
    }

    /// The answer was not taken.
    pub(super) fn failed(&mut self, ask: &Ask, failure: Failure) -> Vec<SourceReport> {
        let Some(waiting) = self.of(ask) else { return Vec::new() };
        waiting.answer = None;
        self.said_again.remove(&ask.session.id);
        if failure == Failure::NotFound {
            self.waiting.remove(&ask.session.id);
        }
        vec![SourceReport::NotSent { own: ask.id.own.clone(), failure }]
    }

    /// The reply to an answer has ended. If it did not tell of what was said again, that is new.
    pub(super) fn over(&mut self, thread: &str, now: Timestamp) -> Vec<SourceReport> {
        let again = self.said_again.remove(thread).filter(|_| !self.waits(thread));
        again.into_iter().map(|interrupt| self.open(thread, interrupt, now)).collect()
    }

    fn of(&mut self, ask: &Ask) -> Option<&mut Waiting> {
        self.waiting.get_mut(&ask.session.id).filter(|waiting| waiting.ask.id == ask.id)
    }
}

/// Answers to which the service had said 200 when Beckon ended: the reply that would have proven
/// them is lost.
pub(super) fn unproven(known: &[Entry]) -> Vec<SourceReport> {
    let sent = |entry: &&Entry| matches!(entry.state, State::Answering { sent_at: Some(_), .. });
    let failure = Failure::Returned(Returned::Unproven);
    let lost = known.iter().filter(sent).map(|entry| SourceReport::NotSent {
        own: entry.ask.id.own.clone(),
        failure: failure.clone(),
    });
    lost.collect()
}

#[cfg(test)]
mod tests;
