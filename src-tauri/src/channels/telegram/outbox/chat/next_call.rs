//! The choice of the next call. In this order:
//!
//! 1. cards that are in the chat already: somebody is answering there,
//! 2. chores and notes,
//! 3. new cards, then cards that can wait,
//! 4. what has stepped aside,
//! 5. the list, and files when nothing else waits.

use super::super::slot::{CardSlot, SlotPart};
use super::super::{ABOUT_LIST, ChatTopics, OutboxCall, OutgoingNote};
use super::{CallItem, ChatQueue, WaitingNote};
use std::time::Instant;

/// A call that has stepped aside.
#[derive(Clone, Copy, Debug)]
enum SetAside {
    Card(u64),
    Chore,
    Note,
}

impl ChatQueue {
    /// Returns the next call, but for files; `topics` when this chat has some.
    pub(in super::super) fn next(
        &mut self,
        topics: Option<&ChatTopics>,
        now: Instant,
    ) -> Option<OutboxCall> {
        if self.busy.is_some() || self.pace.ready_at(now) > now {
            return None;
        }
        let stays = self.passing.extract_if(.., |_, at| *at <= now);
        self.queue.extend(stays.map(|(serial, _)| serial));
        self.look_for_expired(now);
        let first = self
            .urgent(topics, now)
            .or_else(|| self.new_card(topics, now));
        let first = first.or_else(|| self.aside(topics, now));
        let (item, call) = first.or_else(|| self.list_call(now))?;
        self.pace.take(now);
        self.busy = Some((item, call.clone()));
        Some(call)
    }

    /// Returns the first call of cards that are here already, where somebody is answering, or else
    /// of chores and notes.
    fn urgent(
        &mut self,
        topics: Option<&ChatTopics>,
        now: Instant,
    ) -> Option<(CallItem, OutboxCall)> {
        while let Some(serial) = self.standing(now) {
            match self.card_call(serial, topics, now) {
                Some(found) => return Some(found),
                None => _ = self.queue.remove(&serial),
            }
        }
        while let Some(chore) = WaitingNote::take(&mut self.chores) {
            if let Some(found) = self.chore_call(chore) {
                return Some(found);
            }
        }
        while let Some(note) = WaitingNote::take(&mut self.notes) {
            if let Some(found) = self.words_call(note, topics, now) {
                return Some(found);
            }
        }
        None
    }

    /// Returns the call that has waited longest among those that failed again and again. They have
    /// their turn when nothing else waits: a few messages that never get through must not take
    /// turns at keeping back all the others.
    fn aside(
        &mut self,
        topics: Option<&ChatTopics>,
        now: Instant,
    ) -> Option<(CallItem, OutboxCall)> {
        while !self.is_anything_first(now) {
            let (until, what) = self.first_aside(now)?;
            let found = match what {
                SetAside::Card(serial) => self.card_call(serial, topics, now),
                SetAside::Chore => {
                    let chore = WaitingNote::take_aside(&mut self.chores, until);
                    chore.and_then(|chore| self.chore_call(chore))
                }
                SetAside::Note => {
                    let note = WaitingNote::take_aside(&mut self.notes, until);
                    note.and_then(|note| self.words_call(note, topics, now))
                }
            };
            match (found, what) {
                (Some(found), _) => return Some(found),
                (None, SetAside::Card(serial)) => {
                    self.queue.remove(&serial);
                    self.dressing.remove(&serial);
                }
                (None, SetAside::Chore | SetAside::Note) => {}
            }
        }
        None
    }

    /// Returns the call for the list, when nothing else is to be sent and there is room for an
    /// answer beside it.
    fn list_call(&self, now: Instant) -> Option<(CallItem, OutboxCall)> {
        let due = self.list.due(now).is_some_and(|at| at <= now);
        let may = due && self.may_list(now);
        may.then(|| self.list.next().map(|call| (CallItem::List, call)))
            .flatten()
    }

    /// Whether nothing else waits, and there is room for the list.
    pub(super) fn may_list(&self, now: Instant) -> bool {
        self.busy.is_none() && self.pace.ready_for_new(now) <= now && !self.is_anything_first(now)
    }

    /// Returns the first of those that have stepped aside and may go now.
    fn first_aside(&self, now: Instant) -> Option<(Instant, SetAside)> {
        let may_be_new = self.pace.ready_for_new(now) <= now;
        let cards = self
            .queue
            .iter()
            .chain(&self.dressing)
            .filter_map(|serial| {
                let slot = self.cards.get(serial)?;
                let may = slot.due(now) <= now && (slot.message.is_some() || may_be_new);
                Some((slot.aside_until().filter(|_| may)?, SetAside::Card(*serial)))
            });
        let chores = WaitingNote::aside(&self.chores).map(|until| (until, SetAside::Chore));
        let notes = WaitingNote::aside(&self.notes).map(|until| (until, SetAside::Note));
        let first = cards
            .chain(chores)
            .chain(notes)
            .min_by_key(|(until, _)| *until);
        first.filter(|(until, _)| *until <= now)
    }

    /// Whether anything waits that has not stepped aside.
    pub(super) fn is_anything_first(&self, now: Instant) -> bool {
        let chore = self
            .chores
            .iter()
            .any(|chore| chore.retry.aside_until().is_none());
        let note = self
            .notes
            .iter()
            .any(|note| note.retry.aside_until().is_none());
        chore || note || self.waiting(now).is_some()
    }

    fn chore_call(&self, chore: WaitingNote<OutboxCall>) -> Option<(CallItem, OutboxCall)> {
        (!self.spares(&chore.what)).then_some((CallItem::Chore(chore.retry), chore.what))
    }

    fn words_call(
        &self,
        note: WaitingNote<OutgoingNote>,
        topics: Option<&ChatTopics>,
        now: Instant,
    ) -> Option<(CallItem, OutboxCall)> {
        let call = self.note_call(&note.what, topics, now)?;
        Some((CallItem::Note(note), call))
    }

    /// Whether a keyboard is not to be taken off after all. A tap can arrive before the answer that
    /// tells which message the card is: that card keeps its buttons.
    fn spares(&self, chore: &OutboxCall) -> bool {
        let OutboxCall::Strip { message } = chore else {
            return false;
        };
        self.cards
            .values()
            .any(|slot| slot.message == Some(*message))
    }

    /// Returns the first card that is here already and may need a call now.
    fn standing(&self, now: Instant) -> Option<u64> {
        let stands = |serial: &u64| {
            let slot = self.cards.get(serial);
            slot.is_some_and(|slot| slot.message.is_some() && slot.is_first(now))
        };
        self.queue.iter().copied().find(stands)
    }

    /// Returns the call of a new card, or else of a card that can wait.
    fn new_card(
        &mut self,
        topics: Option<&ChatTopics>,
        now: Instant,
    ) -> Option<(CallItem, OutboxCall)> {
        if self.pace.ready_for_new(now) > now {
            return None;
        }
        while let Some(serial) = self.waiting(now) {
            self.queue.remove(&serial);
            self.dressing.remove(&serial);
            if let Some(found) = self.card_call(serial, topics, now) {
                self.queue.insert(serial);
                return Some(found);
            }
        }
        None
    }

    fn waiting(&self, now: Instant) -> Option<u64> {
        let is_due = |serial: &&u64| self.cards.get(serial).is_none_or(|slot| slot.is_first(now));
        let mut waiting = self.queue.iter().chain(&self.dressing);
        waiting.find(is_due).copied()
    }

    fn card_call(
        &self,
        serial: u64,
        topics: Option<&ChatTopics>,
        now: Instant,
    ) -> Option<(CallItem, OutboxCall)> {
        let slot = self.cards.get(&serial)?;
        let thread = self.thread(slot, topics, now);
        let (part, call) = slot.next(thread)?;
        let call = if self.unstyled { call.unstyled() } else { call };
        let lacks_topic = topics.is_some_and(|topics| !topics.contains_key(&slot.project));
        let new = slot.message.is_none() && !slot.project.is_empty();
        if lacks_topic && new && self.may_have_topic(&slot.project, now) {
            let name = slot.project.clone();
            return Some((
                CallItem::Topic(name.clone()),
                OutboxCall::MakeTopic { name },
            ));
        }
        Some((CallItem::Part(serial, part), call))
    }

    /// Whether a topic can be made for a project now. Otherwise its cards go to the main chat.
    fn may_have_topic(&self, project: &str, now: Instant) -> bool {
        let retry = self.topic_retries.get(project);
        !self.untopical.contains(project) && retry.is_none_or(|retry| retry.is_due(now))
    }

    /// Returns the call for a note. There is none for a note about an ask whose card is over, or
    /// has not been sent: the card itself will ring.
    fn note_call(
        &self,
        note: &OutgoingNote,
        topics: Option<&ChatTopics>,
        now: Instant,
    ) -> Option<OutboxCall> {
        if note.about == Some(ABOUT_LIST) {
            // Before the list is sent there is nothing to be answered to; the note rings all the
            // same.
            let under = self.list.message;
            return Some(OutboxCall::Say {
                thread: None,
                note: note.clone(),
                under,
            });
        }
        let slot = note.about.map(|serial| self.cards.get(&serial));
        let slot = match slot {
            Some(slot) => Some(slot.filter(|s| s.message.is_some() && !s.is_last())?),
            None => None,
        };
        let of_project = note.project.as_ref();
        let of_asker = note.thread;
        let thread = of_asker.or_else(|| match (of_project, slot) {
            (Some(project), _) => self.thread_of(project, topics, now),
            (None, Some(slot)) => self.thread(slot, topics, now),
            (None, None) => None,
        });
        let under = slot.and_then(|slot| slot.message);
        Some(OutboxCall::Say {
            thread,
            note: note.clone(),
            under,
        })
    }

    /// Returns the next file, once nothing else is to be sent.
    pub(in super::super) fn next_file(
        &mut self,
        topics: Option<&ChatTopics>,
        now: Instant,
    ) -> Option<OutboxCall> {
        if self.is_anything_first(now) || self.pace.ready_for_new(now) > now {
            return None;
        }
        let cards = &self.cards;
        self.files
            .retain(|serial| cards.get(serial).is_some_and(|slot| slot.file().is_some()));
        let is_due = |serial: &&u64| self.cards[*serial].upload_due(now) <= now;
        let serial = self.files.iter().find(is_due).copied()?;
        let slot = &self.cards[&serial];
        let (under, document) = slot.file()?;
        let call = OutboxCall::Attach {
            thread: self.thread(slot, topics, now),
            document: document.clone(),
            under,
        };
        self.pace.take(now);
        self.uploading = Some((CallItem::Part(serial, SlotPart::Document), call.clone()));
        Some(call)
    }

    /// Returns the topic that a card is in, or is to be sent to.
    fn thread(&self, slot: &CardSlot, topics: Option<&ChatTopics>, now: Instant) -> Option<i32> {
        slot.thread()
            .unwrap_or_else(|| self.thread_of(&slot.project, topics, now))
    }

    /// Returns the topic of a project. `None` while it is closed: the main chat serves meanwhile.
    fn thread_of(&self, project: &str, topics: Option<&ChatTopics>, now: Instant) -> Option<i32> {
        let closed = self.closed_topics.get(project);
        let is_closed = closed.is_some_and(|retry| !retry.is_due(now));
        let thread = topics?.get(project).copied();
        thread.filter(|_| !is_closed)
    }
}
