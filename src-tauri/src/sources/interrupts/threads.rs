//! Which ask an interrupt is. The API gives interrupts no id, so what is known of its threads tells
//! them apart: a thread waits for one thing at a time.
//!
//! - What a thread already waits for, said again (after a reconnect, or on both streams), is the
//!   same ask.
//! - Anything else on that thread is a new ask, and the end of the one before.
//! - The same words after an answer was taken are a new ask: an agent may ask for leave twice.
//! - What was not heard on the stream that is open now may be over: whatever came after it went to
//!   nobody. So an answer goes only to what was heard there.

use super::wire::Interrupt;
use crate::sources::arrival::ClockMoment;
use beckon_core::{
    Answer, Ask, AskId, AskState, DeliveryFailure, Entry, ReturnReason, Session, SourceFault,
    SourceId, SourceReport, Surface, Timestamp,
};
use std::collections::BTreeMap;
use std::time::Duration;

/// A service that says at each connection what is open has said it after so long.
const SAID_WITHIN: Duration = Duration::from_millis(1_500);
/// A second press so soon after an answer came back was not made with its reason in sight.
const READ_WITHIN: Duration = Duration::from_secs(3);
/// So many interrupts of nobody knows which thread are kept: nothing ever tells their end.
const NAMELESS: usize = 20;

/// The stream that is open now.
#[derive(Clone, Copy, Debug)]
pub(super) struct OpenStream {
    /// Never used twice.
    pub(super) number: u64,
    /// Since when.
    pub(super) since: ClockMoment,
}

/// What each thread waits for.
pub(super) struct ThreadTable {
    source: SourceId,
    /// By thread; what names none, by its ask.
    waiting: BTreeMap<String, ThreadState>,
    /// Said on the stream while an answer to the very same was on its way: is it the former, or
    /// already the next? If the reply ends without a word of it, it is taken for the next: to ask
    /// once too often is better than to miss one.
    said_again: BTreeMap<String, (Interrupt, Option<u64>)>,
    last: Timestamp,
}

struct ThreadState {
    ask: Ask,
    /// The stream that was open when it was last heard.
    heard_on: Option<u64>,
    /// The answer that is on its way.
    answer: Option<Answer>,
    /// That answer is being sent, or was.
    posted: bool,
    /// When the human was told, and while which stream was open, that it may be over.
    doubted: Option<(u64, ClockMoment)>,
}

impl ThreadState {
    fn new(ask: Ask, heard_on: Option<u64>) -> Self {
        Self {
            ask,
            heard_on,
            answer: None,
            posted: false,
            doubted: None,
        }
    }

    /// Was it heard on that stream, or does a human answer who was told that it was not?
    fn is_good(&self, line: &OpenStream, by: Option<Surface>, now: ClockMoment) -> bool {
        let insisted = self.doubted.is_some_and(|(number, at)| {
            let read = now.steady.saturating_duration_since(at.steady) >= READ_WITHIN;
            number == line.number && read && by != Some(Surface::Clock)
        });
        self.heard_on == Some(line.number) || insisted
    }
}

impl ThreadTable {
    /// As it stood before Beckon, or the watch, was started anew. `ended` names the asks that are over.
    pub(super) fn restore(source: SourceId, known: &[Entry], ended: &[AskId]) -> Self {
        let open = |entry: &&Entry| !entry.state.is_settled();
        let waiting = known.iter().filter(open).map(|entry| {
            let ask = entry.ask.clone();
            (key(&ask).to_owned(), ThreadState::new(ask, None))
        });
        let (waiting, said_again) = (waiting.collect(), BTreeMap::new());
        // The clock may have been set back meanwhile: no name of theirs is given again. What is asked under
        // the name of one that is over would be taken for that one, and be shown to nobody.
        let names = known.iter().map(|entry| &entry.ask.id).chain(ended);
        let last = names.filter_map(named_at).max().unwrap_or(Timestamp(0));
        Self {
            source,
            waiting,
            said_again,
            last,
        }
    }

    /// Does that thread wait for somebody?
    pub(super) fn waits(&self, thread: &str) -> bool {
        self.waiting.contains_key(thread)
    }

    /// A thread is interrupted, or still is; heard while that stream was open.
    pub(super) fn interrupted(
        &mut self,
        thread: &str,
        interrupt: Interrupt,
        line: Option<u64>,
        now: Timestamp,
    ) -> Vec<SourceReport> {
        let before = self.waiting.get_mut(thread);
        match before.filter(|before| before.ask.kind == interrupt.kind) {
            Some(ThreadState {
                answer: Some(_),
                posted: true,
                ..
            }) => {
                self.said_again.insert(thread.to_owned(), (interrupt, line));
                Vec::new()
            }
            Some(before) => {
                before.heard_on = line;
                match before.answer {
                    Some(_) => Vec::new(),
                    None => vec![SourceReport::Asked(before.ask.clone())],
                }
            }
            None => {
                let before = self.waiting.remove(thread).map(replaced);
                before
                    .into_iter()
                    .chain([self.open(thread, interrupt, line, now)])
                    .collect()
            }
        }
    }

    /// Something waits, and nobody knows on which thread.
    pub(super) fn nameless(&mut self, interrupt: Interrupt, now: Timestamp) -> Vec<SourceReport> {
        let nameless = || {
            self.waiting
                .values()
                .filter(|waiting| is_nameless(&waiting.ask))
        };
        if let Some(same) = nameless().find(|waiting| waiting.ask.kind == interrupt.kind) {
            return vec![SourceReport::Asked(same.ask.clone()), no_thread(&same.ask)];
        }
        let oldest = nameless().min_by_key(|waiting| waiting.ask.asked_at);
        let oldest = oldest.filter(|_| nameless().count() >= NAMELESS);
        let oldest = oldest.map(|waiting| waiting.ask.id.own.clone());
        let gone = oldest
            .and_then(|own| self.waiting.remove(&own))
            .map(replaced);
        let ask = self.ask("", interrupt, now);
        let told = [SourceReport::Asked(ask.clone()), no_thread(&ask)];
        self.waiting
            .insert(key(&ask).to_owned(), ThreadState::new(ask, None));
        gone.into_iter().chain(told).collect()
    }

    fn open(
        &mut self,
        thread: &str,
        interrupt: Interrupt,
        line: Option<u64>,
        now: Timestamp,
    ) -> SourceReport {
        self.said_again.remove(thread);
        let ask = self.ask(thread, interrupt, now);
        self.waiting
            .insert(thread.to_owned(), ThreadState::new(ask.clone(), line));
        SourceReport::Asked(ask)
    }

    fn ask(&mut self, thread: &str, interrupt: Interrupt, now: Timestamp) -> Ask {
        self.last = now.max(Timestamp(self.last.0 + 1));
        // An id that begins with a dash would be an option on the command line.
        let named = if thread.is_empty() {
            "interrupt"
        } else {
            thread
        };
        let own = format!("{named}-{}", self.last.0);
        let session = Session {
            id: thread.to_owned(),
            title: interrupt.title,
            // A service has no directories; its name is what people call the project.
            directory: self.source.0.clone(),
            last_words: interrupt.words,
            api: interrupt.ordinary.then(|| ORDINARY.to_owned()),
            ..Session::default()
        };
        let id = AskId {
            source: self.source.clone(),
            own,
        };
        Ask {
            id,
            kind: interrupt.kind,
            session,
            call: None,
            asked_at: now,
        }
    }

    /// An answer is to be sent. Is what it answers still what its thread waits for?
    ///
    /// # Errors
    /// What comes of it instead; [`DeliveryFailure::Other`] when that is not known yet.
    pub(super) fn delivers(
        &mut self,
        entry: &Entry,
        answer: &Answer,
        line: Option<&OpenStream>,
        now: ClockMoment,
    ) -> Result<(), DeliveryFailure> {
        let by = match entry.state {
            AskState::Answering { by, .. } => Some(by),
            AskState::Open | AskState::Settled { .. } => None,
        };
        let Some(waiting) = self.of(&entry.ask) else {
            return Err(DeliveryFailure::NotFound);
        };
        if is_nameless(&entry.ask) {
            return Err(self.refuse_nameless(&entry.ask, answer));
        }
        waiting.answer = Some(answer.clone());
        let Some(line) = line else {
            return Err(DeliveryFailure::Other(SourceFault::Ended.to_string()));
        };
        if waiting.is_good(line, by, now) {
            waiting.posted = true;
            return Ok(());
        }
        if now.steady.saturating_duration_since(line.since.steady) < SAID_WITHIN {
            return Err(DeliveryFailure::Other(
                "it has not been heard of yet".into(),
            ));
        }
        waiting.answer = None;
        waiting.doubted = Some((line.number, now));
        Err(DeliveryFailure::Returned(ReturnReason::Unconfirmed))
    }

    /// Nothing can be sent; but whoever wants no more to do with it need not see it any longer.
    fn refuse_nameless(&mut self, ask: &Ask, answer: &Answer) -> DeliveryFailure {
        match answer {
            Answer::Cancel | Answer::Dismiss => {
                self.waiting.remove(key(ask));
                DeliveryFailure::NotFound
            }
            _ => DeliveryFailure::Returned(ReturnReason::NoThread),
        }
    }

    /// The thread went on with the answer.
    pub(super) fn proven(&mut self, ask: &Ask) -> Vec<SourceReport> {
        let Some(answer) = self.of(ask).and_then(|waiting| waiting.answer.take()) else {
            return Vec::new();
        };
        self.waiting.remove(key(ask));
        let own = ask.id.own.clone();
        vec![match ask.to_source_texts(&answer) {
            Some(answers) => SourceReport::Replied {
                own,
                answers: Some(answers),
            },
            None => SourceReport::Rejected { own },
        }]
    }

    /// The answer was not taken. Where nobody waits for it any more, what was said again meanwhile is
    /// the next.
    pub(super) fn failed(
        &mut self,
        ask: &Ask,
        failure: DeliveryFailure,
        now: Timestamp,
    ) -> Vec<SourceReport> {
        let Some(waiting) = self.of(ask) else {
            return Vec::new();
        };
        (waiting.answer, waiting.posted) = (None, false);
        let over = failure == DeliveryFailure::NotFound;
        let told = SourceReport::NotSent {
            own: ask.id.own.clone(),
            failure,
        };
        if !over {
            self.said_again.remove(key(ask));
            return vec![told];
        }
        self.waiting.remove(key(ask));
        std::iter::once(told)
            .chain(self.over(key(ask), now))
            .collect()
    }

    /// Is the answer being sent?
    pub(super) fn is_posted(&mut self, ask: &Ask) -> bool {
        self.of(ask).is_some_and(|waiting| waiting.posted)
    }

    /// The answer is not sent any more.
    pub(super) fn forsaken(&mut self, ask: &Ask) {
        if let Some(waiting) = self.of(ask) {
            (waiting.answer, waiting.posted) = (None, false);
        }
    }

    /// The reply to an answer has ended. If it did not tell of what was said again, that is new.
    pub(super) fn over(&mut self, thread: &str, now: Timestamp) -> Vec<SourceReport> {
        if self.waits(thread) {
            return Vec::new();
        }
        let again = self.said_again.remove(thread);
        again
            .into_iter()
            .map(|(said, line)| self.open(thread, said, line, now))
            .collect()
    }

    fn of(&mut self, ask: &Ask) -> Option<&mut ThreadState> {
        self.waiting
            .get_mut(key(ask))
            .filter(|waiting| waiting.ask.id == ask.id)
    }
}

/// In [`Session::api`]: the interrupt had no questions, so it takes the two actions and no answers.
pub(super) const ORDINARY: &str = "ordinary";

/// Under what it waits.
fn key(ask: &Ask) -> &str {
    if is_nameless(ask) {
        &ask.id.own
    } else {
        &ask.session.id
    }
}

/// The time in its name.
fn named_at(id: &AskId) -> Option<Timestamp> {
    let (_, at) = id.own.rsplit_once('-')?;
    at.parse().ok().map(Timestamp)
}

fn is_nameless(ask: &Ask) -> bool {
    ask.session.id.is_empty()
}

fn no_thread(ask: &Ask) -> SourceReport {
    let failure = DeliveryFailure::Returned(ReturnReason::NoThread);
    SourceReport::NotSent {
        own: ask.id.own.clone(),
        failure,
    }
}

/// Its thread waits for something else. Only an answer that is being sent may have done that.
fn replaced(before: ThreadState) -> SourceReport {
    let own = before.ask.id.own;
    match before.answer {
        Some(_) if before.posted => SourceReport::Replied { own, answers: None },
        Some(_) => SourceReport::NotSent {
            own,
            failure: DeliveryFailure::NotFound,
        },
        // The desk may be about to try one again that never arrived.
        None => SourceReport::Overtaken { own },
    }
}

/// What is known of asks from before Beckon, or the watch, was started anew: answers that were on
/// their way may have arrived, and no reply will tell; what names no thread still names none.
pub(super) fn unproven(known: &[Entry]) -> Vec<SourceReport> {
    let told = known.iter().filter_map(|entry| match entry.state {
        AskState::Answering { .. } => {
            let failure = DeliveryFailure::Returned(ReturnReason::Unproven);
            Some(SourceReport::NotSent {
                own: entry.ask.id.own.clone(),
                failure,
            })
        }
        AskState::Open if is_nameless(&entry.ask) => Some(no_thread(&entry.ask)),
        AskState::Open | AskState::Settled { .. } => None,
    });
    told.collect()
}

#[cfg(test)]
#[path = "threads/tests.rs"]
mod tests;
