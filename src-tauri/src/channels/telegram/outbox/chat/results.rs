//! The results of the calls of a chat.

use super::super::super::api::CallError;
use super::super::retry::{FailureScope, FailureTime};
use super::super::{CallOutcome, CardForm, Lane, OutboxCall, OutgoingNote};
use super::{CallItem, ChatQueue, SlotPart, WaitingNote};
use std::time::{Duration, Instant};

/// The shortest wait that is told to the human: a phone that is to ring does not.
const LONG_WAIT: Duration = Duration::from_secs(30);

/// The outcomes of a call, and what it says of the server.
type CallVerdict = (Vec<CallOutcome>, FailureScope);

impl ChatQueue {
    /// Takes the result of the call under way on that lane.
    pub(in super::super) fn done(
        &mut self,
        lane: Lane,
        result: Result<Option<i32>, CallError>,
        at: FailureTime,
    ) -> CallVerdict {
        let ended = match lane {
            Lane::Calls => self.busy.take(),
            Lane::Files => self.uploading.take(),
        };
        let Some((item, call)) = ended else {
            return (Vec::new(), FailureScope::Nobody);
        };
        match result {
            Ok(made) => {
                self.bar.forget();
                (
                    self.succeeded(item, &call, made, at.now),
                    FailureScope::Nobody,
                )
            }
            Err(trouble) => self.failed(item, call, &trouble, at),
        }
    }

    fn succeeded(
        &mut self,
        item: CallItem,
        call: &OutboxCall,
        made: Option<i32>,
        now: Instant,
    ) -> Vec<CallOutcome> {
        match item {
            CallItem::Part(serial, part) => {
                if let Some(slot) = self.cards.get_mut(&serial) {
                    slot.seen(call, now);
                    if call.thread().is_some() {
                        self.closed_topics.remove(&slot.project);
                    }
                }
                self.card_sent(serial, part, call, made)
            }
            CallItem::Topic(project) => {
                self.topic_retries.remove(&project);
                made.map(|id| CallOutcome::Topic(project, Some(id)))
                    .into_iter()
                    .collect()
            }
            CallItem::List => {
                let made = self.list.sent(call, made);
                made.map(|id| CallOutcome::List(self.id, Some(id)))
                    .into_iter()
                    .collect()
            }
            CallItem::Chore(_) if *call == OutboxCall::LookUpTimer => {
                let seconds = made.and_then(|seconds| u64::try_from(seconds).ok());
                let after = seconds.filter(|seconds| *seconds > 0);
                self.set_timer(after.map(Duration::from_secs));
                Vec::new()
            }
            CallItem::Note(note) => {
                let of_card = note.what.about.filter(|_| call.under().is_some());
                of_card
                    .and_then(|serial| self.note_sent(serial, made))
                    .into_iter()
                    .collect()
            }
            CallItem::Chore(_) => Vec::new(),
        }
    }

    /// Notes the message of a note beneath a card: a reply to that note answers the card.
    fn note_sent(&mut self, serial: u64, made: Option<i32>) -> Option<CallOutcome> {
        let slot = self.cards.get_mut(&serial)?;
        slot.noted(made);
        let posted = slot.posted(self.id)?;
        Some(CallOutcome::Posted(slot.ask.clone(), posted))
    }

    fn card_sent(
        &mut self,
        serial: u64,
        part: SlotPart,
        call: &OutboxCall,
        made: Option<i32>,
    ) -> Vec<CallOutcome> {
        let Some(slot) = self.cards.get_mut(&serial) else {
            // The card was forgotten while it was on its way.
            let sent = made.filter(|_| matches!(call, OutboxCall::Send { .. }));
            sent.into_iter()
                .for_each(|message| self.tidy(OutboxCall::Strip { message }));
            return Vec::new();
        };
        if !slot.is_of_its_message(call) {
            // The card turned out meanwhile to be in another message.
            let second = made.filter(|_| matches!(call, OutboxCall::Send { .. }));
            second
                .into_iter()
                .for_each(|message| self.tidy(OutboxCall::Strip { message }));
            self.queue.insert(serial);
            return self.drop_if_over(serial).into_iter().collect();
        }
        // A card goes out in this form only after the form with colours was refused.
        self.unstyled |= call.form() == Some(CardForm::Unstyled);
        let before = slot.posted(self.id);
        slot.sent(part, call, made);
        let posted = slot
            .posted(self.id)
            .filter(|posted| Some(posted) != before.as_ref());
        let posted = posted.map(|posted| CallOutcome::Posted(slot.ask.clone(), posted));
        self.queue.insert(serial);
        posted
            .into_iter()
            .chain(self.drop_if_over(serial))
            .collect()
    }

    fn failed(
        &mut self,
        item: CallItem,
        call: OutboxCall,
        trouble: &CallError,
        at: FailureTime,
    ) -> CallVerdict {
        match trouble {
            CallError::Network(_)
            | CallError::Proxy(..)
            | CallError::AnotherUser
            | CallError::Server(_) => self.unanswered(item, call, at),
            // The call is found again with another token.
            CallError::Unauthorized => (
                self.again(item, call).into_iter().collect(),
                FailureScope::Unclear(None),
            ),
            CallError::TooFast(wait) => {
                self.pace.rest_until(at.now + *wait);
                let mut outcomes: Vec<_> = self.again(item, call).into_iter().collect();
                if *wait >= LONG_WAIT {
                    outcomes.push(CallOutcome::HeldBack(self.id, *wait));
                }
                (outcomes, FailureScope::Call)
            }
            CallError::Blocked | CallError::ChatGone => (self.block(at.now), FailureScope::Nobody),
            _ => (
                self.refused(item, &call, trouble, at.now),
                FailureScope::Nobody,
            ),
        }
    }

    /// Deals with a call that got no verdict: it is not known whether it was done.
    fn unanswered(&mut self, item: CallItem, call: OutboxCall, at: FailureTime) -> CallVerdict {
        let blame = match &item {
            CallItem::Part(_, SlotPart::Document) => FailureScope::Call,
            CallItem::Part(serial, _) => FailureScope::Unclear(Some(*serial)),
            CallItem::Note(_) | CallItem::Chore(_) | CallItem::Topic(_) | CallItem::List => {
                FailureScope::Unclear(None)
            }
        };
        let mut item = item;
        let soon = match &mut item {
            CallItem::Part(serial, part) => self
                .cards
                .get_mut(serial)
                .and_then(|slot| slot.unanswered(*part, at)),
            CallItem::Note(note) => note.retry.unanswered(at),
            CallItem::Chore(retry) => retry.unanswered(at),
            CallItem::Topic(project) => self
                .topic_retries
                .entry(project.clone())
                .or_default()
                .unanswered(at),
            CallItem::List => self.list.unanswered(at),
        };
        let blame = soon.map_or(blame, FailureScope::Moment);
        (self.again(item, call).into_iter().collect(), blame)
    }

    /// Queues a call once more. A card that was never sent and has ended meanwhile is finished
    /// instead.
    pub(super) fn again(&mut self, item: CallItem, call: OutboxCall) -> Option<CallOutcome> {
        match item {
            CallItem::Note(note) => self.notes.push_front(note),
            CallItem::Chore(retry) => self.chores.push_front(WaitingNote { what: call, retry }),
            CallItem::Part(serial, _) => {
                self.queue.insert(serial);
                self.files.insert(serial);
                return self.drop_if_over(serial);
            }
            CallItem::Topic(_) | CallItem::List => {}
        }
        None
    }

    fn refused(
        &mut self,
        item: CallItem,
        call: &OutboxCall,
        trouble: &CallError,
        now: Instant,
    ) -> Vec<CallOutcome> {
        match (item, trouble) {
            (CallItem::Topic(project), _) => {
                tracing::info!(%trouble, "no topic can be made: the main chat is used");
                _ = self.untopical.insert(project);
                Vec::new()
            }
            (
                CallItem::Part(serial, SlotPart::Card | SlotPart::Document),
                CallError::TopicGone | CallError::TopicClosed,
            ) if call.thread().is_some() => {
                let slot = self.cards.get_mut(&serial);
                slot.map(|slot| {
                    slot.forget_thread();
                    slot.project.clone()
                })
                .map(|project| self.without_topic(project, trouble, now))
                .unwrap_or_default()
            }
            (CallItem::List, trouble) => {
                tracing::debug!(%trouble, "Telegram refuses the list");
                let gone = self.list.refused(call, trouble, self.timer.is_set());
                gone.then_some(CallOutcome::List(self.id, None))
                    .into_iter()
                    .collect()
            }
            (CallItem::Note(note), CallError::TopicGone | CallError::TopicClosed)
                if call.thread().is_some() =>
            {
                self.note_without_topic(note, trouble, now)
            }
            // The message that it was to answer is in a closed topic; the note is sent all the
            // same.
            (CallItem::Note(mut note), CallError::TopicClosed) if call.under().is_some() => {
                note.what.about = None;
                self.notes.push_front(note);
                Vec::new()
            }
            (CallItem::Note(note), CallError::MessageGone) => {
                self.note_orphaned(note, call.under())
            }
            (CallItem::Part(serial, SlotPart::Card), CallError::MessageGone)
                if self
                    .cards
                    .get(&serial)
                    .is_none_or(|slot| slot.is_of_its_message(call)) =>
            {
                self.deleted(serial, now)
            }
            (CallItem::Part(serial, part), trouble) => {
                self.card_refused(serial, part, call, trouble, now)
            }
            (CallItem::Note(_) | CallItem::Chore(_), trouble) => {
                tracing::debug!(%trouble, "a note was not sent");
                Vec::new()
            }
        }
    }

    /// Lets the main chat serve a project: for good, or as long as the topic is closed.
    fn without_topic(
        &mut self,
        project: String,
        trouble: &CallError,
        now: Instant,
    ) -> Vec<CallOutcome> {
        if *trouble == CallError::TopicClosed {
            self.closed_topics.entry(project).or_default().put_off(now);
            return Vec::new();
        }
        self.untopical.insert(project.clone());
        vec![CallOutcome::Topic(project, None)]
    }

    fn note_without_topic(
        &mut self,
        mut note: WaitingNote<OutgoingNote>,
        trouble: &CallError,
        now: Instant,
    ) -> Vec<CallOutcome> {
        if note.what.thread.take().is_some() {
            self.notes.push_front(note);
            return Vec::new();
        }
        let about = note.what.about;
        let slot = about.and_then(|serial| self.cards.get_mut(&serial));
        let of_slot = slot.map(|slot| {
            slot.forget_thread();
            slot.project.clone()
        });
        let project = note.what.project.clone().or(of_slot);
        self.notes.push_front(note);
        project
            .map(|project| self.without_topic(project, trouble, now))
            .unwrap_or_default()
    }

    fn card_refused(
        &mut self,
        serial: u64,
        part: SlotPart,
        call: &OutboxCall,
        trouble: &CallError,
        now: Instant,
    ) -> Vec<CallOutcome> {
        let Some(slot) = self.cards.get_mut(&serial) else {
            return Vec::new();
        };
        if *trouble == CallError::NotModified {
            slot.seen(call, now);
        } else {
            tracing::debug!(ask = %slot.ask, ?part, %trouble, "Telegram refuses a message");
        }
        let kept = !slot.is_of_its_message(call) || slot.refused(part, call, trouble, now);
        self.queue.insert(serial);
        if kept {
            return self.drop_if_over(serial).into_iter().collect();
        }
        self.remove(serial)
            .map(|slot| CallOutcome::Finished(slot.ask))
            .into_iter()
            .collect()
    }

    /// Notes that the bot may not write here, and drops all that was to go here. A card whose end
    /// is not written yet is not reported as finished, so that its end is written when the bot may
    /// write again; one of a chat that is no longer paired is.
    fn block(&mut self, now: Instant) -> Vec<CallOutcome> {
        let parted = self.cards.values().filter(|slot| slot.has_parted());
        let parted: Vec<_> = parted
            .map(|slot| CallOutcome::Finished(slot.ask.clone()))
            .collect();
        self.forget();
        self.chores.clear();
        self.bar.set(now);
        let blocked = [CallOutcome::Blocked(self.id)];
        blocked.into_iter().chain(parted).collect()
    }
}
