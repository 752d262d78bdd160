//! The source of everything that is asked through Beckon itself: by scripts, Python agents and MCP
//! clients, over the local API.
//!
//! These asks go the way of every ask, so the desk wants a proof that an answer was taken.
//!
//! - An asker that *waits* by a connection is delivered to by handing it the end. The proof is that
//!   the connection took it: the whole response was written to it. If the connection broke or
//!   Beckon was killed, an asker that comes back is handed the same end again.
//! - An asker with a *ticket* is delivered to by keeping the end where it can be fetched. The
//!   commit is the proof.
//!
//! An end stays for [`KEPT`] either way, so a response that was lost on its way is only fetched
//! again: what an asker reads never changes. The end is committed before it is handed over, and
//! counts as taken after a kill in between: the asker has it, or finds it when it comes back.
//!
//! An asker that only passes an answer on, as a hook does, knows more than its connection. It gives
//! a receipt of what became of the answer, and until then the answer is on its way. The receipt may
//! also say that somebody was faster in another place.
//!
//! An asker that waits and has no connection for [`MISSED_AFTER`] has gone, and its ask goes with
//! it. A time limit is the asker's own; when it is over, the ask is dismissed by the clock.
//!
//! This room belongs to the loop and does nothing by itself: requests and the time go in; changes
//! to commit, events for the desk and replies to the askers come out.

mod clock_set;
pub(crate) mod messages;
mod open;
mod receipts;
mod step;
#[cfg(test)]
mod tests;

pub(crate) use step::{AskerReply, LocalStep};

use crate::sources::{Report, ReportSink};
use beckon_client::config::LOCAL_ASKS;
use beckon_core::{
    Answer, Ask, AskContent, AskId, AskState, Entry, Event, Session, SourceId, SourceListing,
    SourceReport, SourceState, Span, Surface, Timestamp,
};
use messages::{
    AnsweredQuestions, AskEnd, AskProgress, AskRecord, AskedContent, AskerRequest, HandedEnd,
    IdClash, NewAsk, RecordChange,
};
use open::OpenLocalAsk;
use std::collections::{BTreeMap, BTreeSet};
use tokio::sync::oneshot;

/// How long a waiting asker may be without a connection, between two polls or after Beckon was
/// away. It is long compared with the time between polls, and short for a human who would answer
/// nobody.
pub(crate) const MISSED_AFTER: Span = Span::seconds(15);
/// How late an asker that passes answers on may give its receipt: a command that was allowed is
/// reported after it has run. An asker that gives none by then has gone.
pub(crate) const UNPROVEN: Span = Span::minutes(60);
/// How long until an answer that was passed on to an asker that has stopped waiting counts as
/// taken, unless the asker says otherwise. Claude Code writes the end of a tool up to four seconds
/// after its turn has ended.
pub(crate) const LAST_WORD: Span = Span::seconds(6);
/// How long ends can be fetched: as long as the desk remembers settled asks.
pub(crate) const KEPT: Span = Span::minutes(7 * 24 * 60);
/// The most ends that are kept, the latest ones. A sixth more may come before the oldest go.
pub(crate) const MOST_KEPT: usize = 4_096;

/// The source's handle for the loop, beside those of the other sources.
#[derive(Debug)]
pub struct LocalAsksHandle {
    reports: ReportSink,
}

impl LocalAsksHandle {
    /// Makes a handle that passes everything on to [`LocalAsks::take`].
    pub fn new(reports: ReportSink) -> Self {
        Self { reports }
    }

    /// Hands an answer to its asker, or keeps it.
    pub fn deliver(&self, entry: Box<Entry>, answer: Answer) {
        self.reports
            .post(Report::LocalAsk(AskerRequest::Deliver(entry, answer)));
    }

    /// Reports the whole open list.
    pub fn refresh(&self) {
        self.reports.post(Report::LocalAsk(AskerRequest::List));
    }
}

/// The open asks, and the ends of the others.
#[derive(Debug, Default)]
pub(crate) struct LocalAsks {
    open: BTreeMap<String, OpenLocalAsk>,
    ended: BTreeMap<String, EndedAsk>,
    /// The asks whose end was handed over in an earlier run that did not hear whether it was taken.
    handed: Vec<String>,
    alarms: BTreeSet<(Timestamp, String)>,
    forgot_at: Option<Timestamp>,
}

#[derive(Debug)]
struct EndedAsk {
    /// The hash of the content, by [`AskedContent::hash_of`]: thousands of ends are kept, and a
    /// content may be large.
    asked: String,
    end: AskEnd,
    at: Timestamp,
    /// See [`NewAsk::attended`].
    attended: bool,
    /// See [`AskRecord::proof`].
    proof: Option<String>,
}

impl EndedAsk {
    fn handed(&self) -> HandedEnd {
        HandedEnd {
            end: self.end.clone(),
            by_ticket: !self.attended,
        }
    }
}

impl LocalAsks {
    /// Restores the asks from their committed records. `entries` are the desk's. An asker that
    /// waited is expected to come back.
    pub(crate) fn restore(records: Vec<AskRecord>, entries: &[Entry], now: Timestamp) -> Self {
        let ours =
            |entry: &&Entry| entry.ask.id.source.0 == LOCAL_ASKS && !entry.state.is_settled();
        let ours = entries
            .iter()
            .filter(ours)
            .map(|entry| (entry.ask.id.own.clone(), &entry.ask));
        let asks: BTreeMap<String, &Ask> = ours.collect();
        let mut restored = Self::default();
        for record in records {
            let ask = asks.get(&record.own).copied();
            restored.restore_one(record, ask, now);
        }
        restored
    }

    /// Restores one ask. The clock may have been set back meanwhile, so an end is dated `now` at
    /// the latest, and no ask waits for longer than was requested.
    fn restore_one(&mut self, record: AskRecord, ask: Option<&Ask>, now: Timestamp) {
        let AskRecord {
            own,
            asked,
            attended,
            receipts,
            deadline,
            ended,
            proof,
            is_over,
        } = record;
        let ended = ended.map(|(end, at)| (end, at.min(now)));
        let longest = |at: Timestamp| ask.map_or(at, |ask| at.min(now + (at - ask.asked_at)));
        let deadline = deadline.map(longest);
        match (ended, ask) {
            (Some((end, at)), Some(ask)) if receipts => {
                let mut open = OpenLocalAsk::new(ask.clone(), attended, receipts, deadline, now);
                (open.end, open.handed_at) = (Some(end), Some(at));
                // The last word could not be said while Beckon was away.
                open.over_at = is_over.then_some(now);
                self.insert(open);
            }
            (Some((end, at)), ask) => {
                self.handed.extend(ask.map(|_| own.clone()));
                let asked = asked.into_hash();
                let ended = EndedAsk {
                    asked,
                    end,
                    at,
                    attended,
                    proof,
                };
                self.ended.insert(own, ended);
            }
            (None, Some(ask)) => {
                self.insert(OpenLocalAsk::new(
                    ask.clone(),
                    attended,
                    receipts,
                    deadline,
                    now,
                ));
            }
            (None, None) => {}
        }
    }

    /// Returns the events that the desk must get first.
    pub(crate) fn begin(&mut self) -> Vec<Event> {
        let handed = std::mem::take(&mut self.handed);
        let proven = |own: &String| Some(proof(own, &self.ended.get(own)?.end));
        let mut events: Vec<Event> = handed.iter().filter_map(proven).collect();
        events.push(report(SourceReport::State(SourceState::Live {
            version: None,
        })));
        events.push(report(SourceReport::Listed(self.list())));
        events
    }

    /// Takes a request.
    pub(crate) fn take(&mut self, wish: AskerRequest, now: Timestamp) -> LocalStep {
        let mut moved = LocalStep::default();
        match wish {
            AskerRequest::Ask(new, reply) => {
                let asked = self.ask(*new, now, &mut moved);
                moved.words.push(AskerReply::Asked(reply, asked));
            }
            AskerRequest::Look(own, seen) => {
                moved.words.push(AskerReply::Seen(seen, self.look(&own)))
            }
            AskerRequest::Attend { own, seen, end } => {
                moved.words.push(AskerReply::Seen(seen, self.look(&own)));
                self.attend(&own, end, now, &mut moved);
            }
            AskerRequest::Left(own) => self.leave(&own, now),
            AskerRequest::Taken(own) => self.taken(&own, now, &mut moved),
            AskerRequest::Withdraw(own, reply) => {
                let open = self.give_up(&own, now, &mut moved);
                moved.words.push(AskerReply::Ended(reply, open));
            }
            AskerRequest::Receipt(received, reply) => {
                let end = self.receive(received, now, &mut moved);
                moved.words.push(AskerReply::Received(reply, end));
            }
            AskerRequest::Deliver(entry, answer) => self.deliver(&entry, &answer, now, &mut moved),
            AskerRequest::List => moved.events.push(report(SourceReport::Listed(self.list()))),
        }
        moved
    }

    /// Returns when [`LocalAsks::tick`] has something to do.
    pub(crate) fn next_deadline(&self) -> Option<Timestamp> {
        self.alarms.first().map(|(at, _)| *at)
    }

    /// Carries out what is due: time limits, and the ends of asks whose asker has been gone for too
    /// long.
    pub(crate) fn tick(&mut self, now: Timestamp) -> LocalStep {
        let mut moved = LocalStep::default();
        while let Some((at, own)) = self.alarms.first().cloned() {
            if at > now {
                break;
            }
            self.on_alarm(&own, now, &mut moved);
        }
        moved
    }

    fn ask(
        &mut self,
        mut new: NewAsk,
        now: Timestamp,
        moved: &mut LocalStep,
    ) -> Result<(), IdClash> {
        new.kind = new.kind.cut();
        if let Some(is_same) = self.is_asked_again(&new) {
            if !is_same {
                return Err(IdClash);
            }
            self.note_process(&new, moved);
            return Ok(());
        }
        let deadline = new.timeout.map(|timeout| now + timeout);
        let (attended, receipts) = (new.attended, new.receipts);
        let open = OpenLocalAsk::new(into_ask(new, now), attended, receipts, deadline, now);
        moved.changes.push(RecordChange::Put(open.record(None)));
        moved
            .events
            .push(report(SourceReport::Asked(open.ask.clone())));
        self.insert(open);
        self.forget(now, moved);
        Ok(())
    }

    /// Tells whether the content under that id is the same as before; `None` if nothing was asked
    /// under it.
    fn is_asked_again(&self, new: &NewAsk) -> Option<bool> {
        if let Some(open) = self.open.get(&new.own) {
            return Some(open.ask.kind == new.kind);
        }
        let ended = self.ended.get(&new.own)?;
        Some(ended.asked == AskedContent::hash_of(&new.kind))
    }

    /// Notes the process of an asker that repeats its request, since it may have changed.
    fn note_process(&mut self, new: &NewAsk, moved: &mut LocalStep) {
        let Some(open) = self.open.get_mut(&new.own) else {
            return;
        };
        if new.process.is_none() || open.ask.session.process == new.process {
            return;
        }
        open.ask.session.process = new.process;
        moved.changes.push(RecordChange::Put(open.record(None)));
        moved
            .events
            .push(report(SourceReport::Described(open.ask.session.clone())));
    }

    fn insert(&mut self, open: OpenLocalAsk) {
        let own = open.ask.id.own.clone();
        self.open.insert(own.clone(), open);
        self.schedule(&own);
    }

    fn look(&self, own: &str) -> Option<AskProgress> {
        if let Some(ended) = self.ended.get(own) {
            return Some(AskProgress::Ended(ended.end.clone()));
        }
        let open = self.open.get(own)?;
        Some(match &open.end {
            Some(end) => AskProgress::Ended(end.clone()),
            None => AskProgress::Open(open.ask.kind.clone()),
        })
    }

    fn attend(
        &mut self,
        own: &str,
        to: oneshot::Sender<HandedEnd>,
        now: Timestamp,
        moved: &mut LocalStep,
    ) {
        let known = self.ended.get(own).map(EndedAsk::handed);
        let Some(open) = self.open.get_mut(own) else {
            moved
                .words
                .extend(known.map(|end| AskerReply::End(to, end)));
            return;
        };
        open.present += 1;
        match open.end.clone() {
            Some(end) => {
                moved
                    .changes
                    .push(RecordChange::Put(open.record(Some((end.clone(), now)))));
                moved.words.push(AskerReply::End(to, open.handed(end)));
            }
            None => open.waiting.push(to),
        }
        self.schedule(own);
    }

    fn leave(&mut self, own: &str, now: Timestamp) {
        let Some(open) = self.open.get_mut(own) else {
            return;
        };
        open.present = open.present.saturating_sub(1);
        open.absent_since = now;
        open.waiting.retain(|waiting| !waiting.is_closed());
        self.schedule(own);
    }

    fn deliver(&mut self, entry: &Entry, answer: &Answer, now: Timestamp, moved: &mut LocalStep) {
        let own = &entry.ask.id.own;
        let Some(open) = self.open.get_mut(own) else {
            return;
        };
        let end = end(entry, answer);
        open.end = Some(end.clone());
        let handed = open.hand_over(&end);
        if !handed.is_empty() {
            let ended = Some((end, now));
            moved.changes.push(RecordChange::Put(open.record(ended)));
        }
        moved.words.extend(handed);
        if open.attended {
            self.schedule(own);
        } else {
            self.taken(own, now, moved);
        }
    }

    /// Notes that the end is with its asker. That proves that it was taken, unless the asker gives
    /// receipts. An ask without an end, or whose end is proven already, stays as it is.
    fn taken(&mut self, own: &str, now: Timestamp, moved: &mut LocalStep) {
        let Some(open) = self.open.get_mut(own).filter(|open| open.end.is_some()) else {
            return;
        };
        if open.receipts {
            open.handed_at.get_or_insert(now);
            self.schedule(own);
        } else {
            self.prove(own, now, moved);
        }
    }

    fn prove(&mut self, own: &str, now: Timestamp, moved: &mut LocalStep) {
        let Some(end) = self.open.get(own).and_then(|open| open.end.clone()) else {
            return;
        };
        moved.events.push(proof(own, &end));
        self.end(own, end, now, moved);
    }

    /// Ends an ask that nobody needs any more. An answer that was on its way is kept for an asker
    /// that comes back after all.
    fn give_up(&mut self, own: &str, now: Timestamp, moved: &mut LocalStep) -> bool {
        let Some(open) = self.open.get_mut(own) else {
            return false;
        };
        let end = open.end.clone().unwrap_or(AskEnd::Gone);
        moved.words.extend(open.hand_over(&AskEnd::Gone));
        let session = own.to_owned();
        moved
            .events
            .push(report(SourceReport::SessionGone { session }));
        self.end(own, end, now, moved);
        true
    }

    fn end(&mut self, own: &str, end: AskEnd, now: Timestamp, moved: &mut LocalStep) {
        let Some(open) = self.open.remove(own) else {
            return;
        };
        if let Some(at) = open.alarm {
            self.alarms.remove(&(at, own.to_owned()));
        }
        moved
            .changes
            .push(RecordChange::Put(open.record(Some((end.clone(), now)))));
        self.ended.insert(
            own.to_owned(),
            EndedAsk {
                asked: AskedContent::hash_of(&open.ask.kind),
                end,
                at: now,
                attended: open.attended,
                proof: open.proof,
            },
        );
        self.forget_surplus(moved);
    }

    /// Forgets the oldest ends when there are too many.
    fn forget_surplus(&mut self, moved: &mut LocalStep) {
        if self.ended.len() <= MOST_KEPT + MOST_KEPT / 6 {
            return;
        }
        let mut ends: Vec<Timestamp> = self.ended.values().map(|ended| ended.at).collect();
        ends.sort_unstable();
        let oldest = ends[ends.len() - MOST_KEPT];
        self.ended.retain(|_, ended| ended.at >= oldest);
        moved.changes.push(RecordChange::Forget(oldest));
    }

    fn on_alarm(&mut self, own: &str, now: Timestamp, moved: &mut LocalStep) {
        let Some(open) = self.open.get_mut(own) else {
            return;
        };
        if open.proven_at().is_some_and(|at| now >= at) {
            return self.prove(own, now, moved);
        }
        let missed = [open.missed_at(), open.unproven_until()]
            .into_iter()
            .flatten();
        if missed.min().is_some_and(|at| now >= at) {
            tracing::info!(ask = own, "the asker of an ask has been gone for too long");
            self.give_up(own, now, moved);
            return;
        }
        let is_due = open.deadline.take_if(|at| now >= *at).is_some();
        if is_due && matches!(open.ask.kind, AskContent::Unknown(_)) {
            // An ask of unknown form has no answer that the time limit could give.
            self.give_up(own, now, moved);
            return;
        }
        if is_due {
            let (ask, answer) = (open.ask.id.clone(), open.ask.refusal());
            moved.events.push(Event::Answered {
                ask,
                answer,
                seen: None,
                by: Surface::Clock,
                responder: None,
            });
        }
        self.schedule(own);
    }

    fn schedule(&mut self, own: &str) {
        let Some(open) = self.open.get_mut(own) else {
            return;
        };
        let due = open.due();
        if open.alarm == due {
            return;
        }
        if let Some(at) = open.alarm {
            self.alarms.remove(&(at, own.to_owned()));
        }
        if let Some(at) = due {
            self.alarms.insert((at, own.to_owned()));
        }
        open.alarm = due;
    }

    /// Forgets the ends that are older than [`KEPT`]. Looks for them once an hour.
    fn forget(&mut self, now: Timestamp, moved: &mut LocalStep) {
        if self
            .forgot_at
            .is_some_and(|at| now - at < Span::minutes(60))
        {
            return;
        }
        self.forgot_at = Some(now);
        self.ended.retain(|_, ended| now - ended.at < KEPT);
        moved
            .changes
            .push(RecordChange::Forget(Timestamp(now.0 - KEPT.0)));
    }

    fn list(&self) -> SourceListing {
        let asks = self.open.values().map(|open| (open.ask.clone(), true));
        SourceListing {
            asks: asks.collect(),
            ..SourceListing::default()
        }
    }
}

fn report(report: SourceReport) -> Event {
    Event::Source(SourceId(LOCAL_ASKS.into()), report)
}

/// Makes the ask. Each ask is a session of its own, which ends with its asker.
fn into_ask(new: NewAsk, now: Timestamp) -> Ask {
    let session = Session {
        id: new.own.clone(),
        title: new.title,
        directory: new.directory,
        project_root: new.project_root,
        is_claimed: true,
        agent: new.agent,
        process: new.process,
        ..Session::default()
    };
    let id = AskId::new(LOCAL_ASKS, new.own);
    Ask {
        id,
        kind: new.kind,
        session,
        call: None,
        asked_at: now,
    }
}

fn end(entry: &Entry, answer: &Answer) -> AskEnd {
    if matches!(
        entry.state,
        AskState::Answering {
            by: Surface::Clock,
            ..
        }
    ) {
        return AskEnd::TimedOut;
    }
    match answer {
        Answer::Grant(grant) => AskEnd::Granted(grant.clone()),
        Answer::Replies(replies) => AskEnd::Answered(AnsweredQuestions {
            texts: entry.ask.replies_to_texts(replies),
            replies: Some(replies.clone()),
        }),
        // Local asks have no confirms.
        Answer::Dismiss | Answer::Continue | Answer::Cancel => AskEnd::Dismissed,
    }
}

/// Returns the event that the answer is with its asker.
fn proof(own: &str, end: &AskEnd) -> Event {
    let answers = end.answers().map(<[Vec<String>]>::to_vec);
    report(SourceReport::Replied {
        own: own.to_owned(),
        answers,
    })
}
