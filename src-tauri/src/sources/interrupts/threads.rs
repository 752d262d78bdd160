//! The table of which ask an interrupt is. The API gives interrupts no id, so they are told apart
//! by their thread, which waits for one thing at a time:
//!
//! - What a thread already waits for, repeated (after a reconnect, or on both streams), is the same
//!   ask.
//! - Anything else on that thread is a new ask, and the end of the one before.
//! - The same words after an answer was taken are a new ask: an agent may ask for the same leave
//!   twice.
//! - An ask that was not heard on the stream that is open now may be over, since its end may have
//!   been missed. So an answer is sent only to an ask that was heard on this stream.

use super::wire::Interrupt;
use crate::sources::arrival::ClockMoment;
use beckon_core::{
    Answer, Ask, AskId, AskState, DeliveryFailure, Entry, ReturnReason, Session, SourceFault,
    SourceId, SourceReport, Surface, Timestamp,
};
use std::collections::BTreeMap;
use std::time::Duration;

/// The time within which a service that repeats its open asks at each connection does so.
const SAID_WITHIN: Duration = Duration::from_millis(1_500);
/// The time after an answer came back in which a second press does not count: the human cannot have
/// read yet why it came back.
const READ_WITHIN: Duration = Duration::from_secs(3);
/// The most interrupts without a thread that are kept: nothing ever tells their end.
const NAMELESS: usize = 20;

/// The stream that is open now.
#[derive(Clone, Copy, Debug)]
pub(super) struct OpenStream {
    /// The stream's number, which is never used twice.
    pub(super) number: u64,
    /// The moment at which it was opened.
    pub(super) since: ClockMoment,
}

/// The ask that each thread waits for.
pub(super) struct ThreadTable {
    source: SourceId,
    /// The state of each thread, by its id. An ask without a thread has its own name as the key.
    waiting: BTreeMap<String, ThreadState>,
    /// The interrupts that were repeated while an answer to the very same was on its way. Each may
    /// be the former one or already the next. If the reply to the answer ends without mentioning
    /// it, it is taken for the next: to ask once too often is better than to miss one.
    said_again: BTreeMap<String, (Interrupt, Option<u64>)>,
    last: Timestamp,
}

struct ThreadState {
    ask: Ask,
    /// The number of the stream that was open when it was last heard.
    heard_on: Option<u64>,
    /// The answer that is to be sent, or is being sent.
    answer: Option<Answer>,
    /// Whether the sending of that answer has begun.
    posted: bool,
    /// The stream's number and the moment at which the human was told that the ask may be over.
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

    /// Whether an answer may be sent: the ask was heard on that stream, or the human answers again
    /// after being told that it was not.
    fn is_good(&self, line: &OpenStream, by: Option<Surface>, now: ClockMoment) -> bool {
        let insisted = self.doubted.is_some_and(|(number, at)| {
            let read = now.steady.saturating_duration_since(at.steady) >= READ_WITHIN;
            number == line.number && read && by != Some(Surface::Clock)
        });
        self.heard_on == Some(line.number) || insisted
    }
}

impl ThreadTable {
    /// Restores the table after Beckon, or only the watch, was restarted. `ended` names the asks
    /// that are over.
    pub(super) fn restore(source: SourceId, known: &[Entry], ended: &[AskId]) -> Self {
        let open = |entry: &&Entry| !entry.state.is_settled();
        let waiting = known.iter().filter(open).map(|entry| {
            let ask = entry.ask.clone();
            (key(&ask).to_owned(), ThreadState::new(ask, None))
        });
        let (waiting, said_again) = (waiting.collect(), BTreeMap::new());
        // The clock may have been set back meanwhile, and no name may be given twice: an ask under
        // the name of one that is over would be taken for that one, and shown to nobody.
        let names = known.iter().map(|entry| &entry.ask.id).chain(ended);
        let last = names.filter_map(named_at).max().unwrap_or(Timestamp(0));
        Self {
            source,
            waiting,
            said_again,
            last,
        }
    }

    /// Tells whether that thread waits for a human.
    pub(super) fn waits(&self, thread: &str) -> bool {
        self.waiting.contains_key(thread)
    }

    /// Takes an interrupt of a thread, new or repeated, that was heard on that stream.
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

    /// Takes an interrupt that names no thread.
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

    /// Prepares an answer for sending, and checks that its ask is still what the thread waits for.
    ///
    /// # Errors
    /// What comes of the answer instead; [`DeliveryFailure::Other`] when that is not known yet.
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

    /// Refuses the answer to an ask without a thread. Nothing can be sent, but a human who
    /// dismisses it need not see it any longer.
    fn refuse_nameless(&mut self, ask: &Ask, answer: &Answer) -> DeliveryFailure {
        match answer {
            Answer::Cancel | Answer::Dismiss => {
                self.waiting.remove(key(ask));
                DeliveryFailure::NotFound
            }
            _ => DeliveryFailure::Returned(ReturnReason::NoThread),
        }
    }

    /// Notes that the thread continued with the answer.
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

    /// Notes that the answer was not taken. If the thread no longer waits for the ask, an interrupt
    /// that was repeated meanwhile is the next ask.
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

    /// Tells whether the sending of the answer has begun.
    pub(super) fn is_posted(&mut self, ask: &Ask) -> bool {
        self.of(ask).is_some_and(|waiting| waiting.posted)
    }

    /// Forgets an answer that is not sent any more.
    pub(super) fn forsaken(&mut self, ask: &Ask) {
        if let Some(waiting) = self.of(ask) {
            (waiting.answer, waiting.posted) = (None, false);
        }
    }

    /// Notes that the reply to an answer has ended. An interrupt that was repeated meanwhile, and
    /// that the reply did not mention, is a new ask.
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

/// The value of [`Session::api`] for an interrupt without questions, which takes the two actions
/// and no answers.
pub(super) const ORDINARY: &str = "ordinary";

/// Returns the key of an ask in the table.
fn key(ask: &Ask) -> &str {
    if is_nameless(ask) {
        &ask.id.own
    } else {
        &ask.session.id
    }
}

/// Reads the time out of an ask's name.
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

/// Reports the end of an ask whose thread waits for something else. Only an answer that was being
/// sent can be the cause of that.
fn replaced(before: ThreadState) -> SourceReport {
    let own = before.ask.id.own;
    match before.answer {
        Some(_) if before.posted => SourceReport::Replied { own, answers: None },
        Some(_) => SourceReport::NotSent {
            own,
            failure: DeliveryFailure::NotFound,
        },
        // The desk may be about to send an answer again that never arrived.
        None => SourceReport::Overtaken { own },
    }
}

/// Reports the doubts about asks from before Beckon, or only the watch, was restarted. Answers that
/// were being sent may have arrived, and no reply will tell. Asks that named no thread still name
/// none.
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
