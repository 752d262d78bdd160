//! One chat: its cards in the order in which they were asked, its notes, one call at a time. Beside
//! that a file, which may take long and is in nobody's way.
//!
//! What comes of a call is in `chat/results.rs`.

mod results;

use super::pace::SendPace;
use super::retry::RetryState;
use super::slot::{CardSlot, SlotPart};
use super::{
    CallOutcome, ChatId, ChatTopics, OutboxCall, OutgoingNote, PostedCard, Priority, WantedCard,
};
use beckon_core::AskId;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};
use std::time::{Duration, Instant};

/// Of the notes that wait, so many are kept: after an outage nobody reads hundreds.
const MOST_NOTES: usize = 20;
/// A look that will pass is shown only when it stays for so long; each edit counts for the limits.
const PASSES_WITHIN: Duration = Duration::from_millis(500);

#[derive(Debug)]
pub(super) struct ChatQueue {
    id: ChatId,
    /// By the serial of their asks.
    cards: BTreeMap<u64, CardSlot>,
    /// The cards that may need a call.
    queue: BTreeSet<u64>,
    /// Those whose look will be another in a moment: not before that time.
    passing: BTreeMap<u64, Instant>,
    /// Those that can wait until nothing else does.
    dressing: BTreeSet<u64>,
    /// Those that may need a file below them.
    files: BTreeSet<u64>,
    notes: VecDeque<WaitingNote<OutgoingNote>>,
    /// Keyboards and prompts that are to go, and test cards that came back.
    chores: VecDeque<WaitingNote<OutboxCall>>,
    busy: Option<(CallItem, OutboxCall)>,
    uploading: Option<(CallItem, OutboxCall)>,
    pace: SendPace,
    /// The bot may not write here: nothing is kept for it.
    blocked: bool,
    /// Projects for which no topic can be made.
    untopical: HashSet<String>,
    /// Projects for which one could not be made so far.
    topic_retries: HashMap<String, RetryState>,
}

/// Something that is sent once.
#[derive(Clone, Debug, PartialEq, Eq)]
struct WaitingNote<T> {
    what: T,
    retry: RetryState,
}

/// Something that has stepped aside.
#[derive(Clone, Copy, Debug)]
enum SetAside {
    Card(u64),
    Chore,
    Note,
}

/// What a call is for.
#[derive(Clone, Debug, PartialEq, Eq)]
enum CallItem {
    Part(u64, SlotPart),
    Note(WaitingNote<OutgoingNote>),
    Chore(RetryState),
    Topic(String),
}

impl<T> WaitingNote<T> {
    fn new(what: T) -> Self {
        Self { what, retry: RetryState::default() }
    }

    /// The first that has not stepped aside.
    fn take(waiting: &mut VecDeque<Self>) -> Option<Self> {
        let first = waiting.iter().position(|it| it.retry.aside_until().is_none())?;
        waiting.remove(first)
    }

    /// The one that stepped aside until then.
    fn take_aside(waiting: &mut VecDeque<Self>, until: Instant) -> Option<Self> {
        let first = waiting.iter().position(|it| it.retry.aside_until() == Some(until))?;
        waiting.remove(first)
    }

    /// Until when those wait that have stepped aside.
    fn aside(waiting: &VecDeque<Self>) -> impl Iterator<Item = Instant> {
        waiting.iter().filter_map(|it| it.retry.aside_until())
    }

    /// When they may go; those that have stepped aside not while they are `behind` others.
    fn dues(
        waiting: &VecDeque<Self>,
        ready: Instant,
        behind: bool,
    ) -> impl Iterator<Item = Instant> {
        let in_turn = waiting.iter().filter(move |it| !behind || it.retry.aside_until().is_none());
        in_turn.map(move |it| it.retry.due(ready))
    }
}

impl ChatQueue {
    pub(super) fn new(id: ChatId) -> Self {
        Self {
            id,
            cards: BTreeMap::new(),
            queue: BTreeSet::new(),
            passing: BTreeMap::new(),
            dressing: BTreeSet::new(),
            files: BTreeSet::new(),
            notes: VecDeque::new(),
            chores: VecDeque::new(),
            busy: None,
            uploading: None,
            pace: SendPace::of_chat(id.0 < 0),
            blocked: false,
            untopical: HashSet::new(),
            topic_retries: HashMap::new(),
        }
    }

    /// A card is to look like that; `posted` if it stands here already.
    pub(super) fn want(&mut self, wanted: &WantedCard, posted: Option<&PostedCard>, now: Instant) {
        let serial = wanted.serial;
        let known = posted.is_some() || self.cards.contains_key(&serial);
        if self.blocked || (wanted.last && !known) {
            return;
        }
        self.cards.entry(serial).or_insert_with(|| CardSlot::new(wanted, posted)).want(wanted);
        self.files.insert(serial);
        self.enqueue(serial, wanted.priority, now);
        self.drop_if_over(serial);
    }

    fn enqueue(&mut self, serial: u64, priority: Priority, now: Instant) {
        let new = self.cards.get(&serial).is_none_or(|slot| slot.message.is_none());
        match priority {
            _ if self.queue.contains(&serial) => {}
            Priority::Passing if !new => {
                self.passing.entry(serial).or_insert(now + PASSES_WITHIN);
            }
            Priority::Whenever if !new => _ = self.dressing.insert(serial),
            Priority::Now | Priority::Passing | Priority::Whenever => {
                self.passing.remove(&serial);
                self.dressing.remove(&serial);
                self.queue.insert(serial);
            }
        }
    }

    pub(super) fn say(&mut self, note: OutgoingNote) {
        if self.blocked {
            return;
        }
        // Of what is said about one ask only the last holds.
        self.notes.retain(|said| said.what.about.is_none() || said.what.about != note.about);
        self.notes.push_back(WaitingNote::new(note));
        if self.notes.len() > MOST_NOTES {
            self.notes.pop_front();
        }
    }

    pub(super) fn tidy(&mut self, chore: OutboxCall) {
        self.chores.push_back(WaitingNote::new(chore));
    }

    pub(super) fn holds(&self, ask: &AskId) -> bool {
        self.cards.values().any(|slot| slot.ask == *ask)
    }

    /// The cards that are refused, and why.
    pub(super) fn refusals(&self) -> impl Iterator<Item = (&AskId, &str)> {
        self.cards.values().filter_map(|slot| slot.refusal().map(|why| (&slot.ask, why)))
    }

    /// Its cards are void; those whose ends will not be written any more.
    pub(super) fn forget_cards(&mut self) -> Vec<CallOutcome> {
        (self.queue, self.passing, self.dressing) = Default::default();
        self.files.clear();
        let held = std::mem::take(&mut self.cards).into_values();
        held.filter(CardSlot::is_last).map(|slot| CallOutcome::Finished(slot.ask)).collect()
    }

    /// Nothing more goes here but keyboards that are to go. How fast that may be still holds.
    pub(super) fn forget(&mut self) -> Vec<CallOutcome> {
        self.blocked = false;
        self.notes.clear();
        self.forget_cards()
    }

    /// Nothing is known of what is under way: it is found again.
    pub(super) fn abandon(&mut self) -> Vec<CallOutcome> {
        let lost = [self.busy.take(), self.uploading.take()];
        lost.into_iter().flatten().filter_map(|(item, call)| self.again(item, call)).collect()
    }

    /// The server answers again: whatever got no verdict is tried at once, in its order.
    pub(super) fn resume(&mut self) {
        self.cards.values_mut().for_each(CardSlot::resume);
        self.notes.iter_mut().for_each(|note| note.retry.reset());
        self.chores.iter_mut().for_each(|chore| chore.retry.reset());
        self.topic_retries.clear();
    }

    /// The next call, but for files; `topics` when this chat has some.
    pub(super) fn next(&mut self, topics: Option<&ChatTopics>, now: Instant) -> Option<OutboxCall> {
        if self.busy.is_some() || self.pace.ready_at(now) > now {
            return None;
        }
        let stays = self.passing.extract_if(.., |_, at| *at <= now);
        self.queue.extend(stays.map(|(serial, _)| serial));
        let first = self.urgent(topics, now).or_else(|| self.new_card(topics, now));
        let (item, call) = first.or_else(|| self.aside(topics, now))?;
        self.pace.take(now);
        self.busy = Some((item, call.clone()));
        Some(call)
    }

    /// Cards that stand come first: somebody is answering there. Then words; then new cards.
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
            if let Some(found) = self.words_call(note, topics) {
                return Some(found);
            }
        }
        None
    }

    /// What has failed again and again has its turn when nothing else waits, the one first that has
    /// waited longest: a few messages that never get through must not take turns at keeping back all
    /// the others.
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
                    note.and_then(|note| self.words_call(note, topics))
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

    /// Whose time has come.
    fn first_aside(&self, now: Instant) -> Option<(Instant, SetAside)> {
        let may_be_new = self.pace.ready_for_new(now) <= now;
        let cards = self.queue.iter().chain(&self.dressing).filter_map(|serial| {
            let slot = self.cards.get(serial)?;
            let may = slot.due(now) <= now && (slot.message.is_some() || may_be_new);
            Some((slot.aside_until().filter(|_| may)?, SetAside::Card(*serial)))
        });
        let chores = WaitingNote::aside(&self.chores).map(|until| (until, SetAside::Chore));
        let notes = WaitingNote::aside(&self.notes).map(|until| (until, SetAside::Note));
        let first = cards.chain(chores).chain(notes).min_by_key(|(until, _)| *until);
        first.filter(|(until, _)| *until <= now)
    }

    /// Does anything wait that has not stepped aside?
    fn is_anything_first(&self, now: Instant) -> bool {
        let chore = self.chores.iter().any(|chore| chore.retry.aside_until().is_none());
        let note = self.notes.iter().any(|note| note.retry.aside_until().is_none());
        chore || note || self.waiting(now).is_some()
    }

    fn chore_call(&self, chore: WaitingNote<OutboxCall>) -> Option<(CallItem, OutboxCall)> {
        (!self.spares(&chore.what)).then_some((CallItem::Chore(chore.retry), chore.what))
    }

    fn words_call(
        &self,
        note: WaitingNote<OutgoingNote>,
        topics: Option<&ChatTopics>,
    ) -> Option<(CallItem, OutboxCall)> {
        let call = self.note_call(&note.what, topics)?;
        Some((CallItem::Note(note), call))
    }

    /// A tap can arrive before the answer that tells which message the card is: that one stays.
    fn spares(&self, chore: &OutboxCall) -> bool {
        let OutboxCall::Strip { message } = chore else { return false };
        self.cards.values().any(|slot| slot.message == Some(*message))
    }

    /// The first card that stands here and may need a call now.
    fn standing(&self, now: Instant) -> Option<u64> {
        let stands = |serial: &u64| {
            let slot = self.cards.get(serial);
            slot.is_some_and(|slot| slot.message.is_some() && slot.is_first(now))
        };
        self.queue.iter().copied().find(stands)
    }

    /// What nobody waits for: new cards, then what dresses up those that stand.
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
        let thread = thread(slot, topics);
        let (part, call) = slot.next(thread)?;
        let new = slot.message.is_none() && thread.is_none() && !slot.project.is_empty();
        if topics.is_some() && new && self.may_have_topic(&slot.project, now) {
            let name = slot.project.clone();
            return Some((CallItem::Topic(name.clone()), OutboxCall::MakeTopic { name }));
        }
        Some((CallItem::Part(serial, part), call))
    }

    /// Where no topic can be made, or not now, the main chat serves.
    fn may_have_topic(&self, project: &str, now: Instant) -> bool {
        let retry = self.topic_retries.get(project);
        !self.untopical.contains(project) && retry.is_none_or(|retry| retry.is_due(now))
    }

    /// Nothing about an ask whose card is over, or has not been sent: the card itself will ring.
    fn note_call(&self, note: &OutgoingNote, topics: Option<&ChatTopics>) -> Option<OutboxCall> {
        let slot = note.about.map(|serial| self.cards.get(&serial));
        let slot = match slot {
            Some(slot) => Some(slot.filter(|s| s.message.is_some() && !s.is_last())?),
            None => None,
        };
        let project = note.project.as_ref().or(slot.map(|slot| &slot.project));
        let thread = project.and_then(|project| topics?.get(project)).copied();
        let under = slot.and_then(|slot| slot.message);
        Some(OutboxCall::Say { thread, note: note.clone(), under })
    }

    pub(super) fn is_uploading(&self) -> bool {
        self.uploading.is_some()
    }

    /// The next file, once nothing else is to be sent.
    pub(super) fn next_file(
        &mut self,
        topics: Option<&ChatTopics>,
        now: Instant,
    ) -> Option<OutboxCall> {
        if self.is_anything_first(now) || self.pace.ready_for_new(now) > now {
            return None;
        }
        let cards = &self.cards;
        self.files.retain(|serial| cards.get(serial).is_some_and(|slot| slot.file().is_some()));
        let is_due = |serial: &&u64| self.cards[*serial].upload_due(now) <= now;
        let serial = self.files.iter().find(is_due).copied()?;
        let slot = &self.cards[&serial];
        let (under, document) = slot.file()?;
        let call =
            OutboxCall::Attach { thread: thread(slot, topics), document: document.clone(), under };
        self.pace.take(now);
        self.uploading = Some((CallItem::Part(serial, SlotPart::Document), call.clone()));
        Some(call)
    }

    /// When the next call may go out, a file among them or not; `None` when there is none to wait
    /// for.
    pub(super) fn due(&self, now: Instant, with_file: bool) -> Option<Instant> {
        let calls = if self.busy.is_none() { self.calls_due(now) } else { None };
        let file = if with_file { self.file_due(now) } else { None };
        calls.into_iter().chain(file).min()
    }

    fn calls_due(&self, now: Instant) -> Option<Instant> {
        let (ready, new) = (self.pace.ready_at(now), self.pace.ready_for_new(now));
        let (behind, cards) = (self.is_anything_first(now), &self.cards);
        let in_turn = |slot: &&CardSlot| !behind || slot.aside_until().is_none();
        let of = |serials: &BTreeSet<u64>| {
            let slots = serials.iter().filter_map(|serial| cards.get(serial));
            slots.filter(in_turn).collect::<Vec<_>>()
        };
        let queued = of(&self.queue).into_iter();
        let queued = queued.map(|slot| slot.due(if slot.message.is_some() { ready } else { new }));
        let dressing = of(&self.dressing).into_iter().map(|slot| slot.due(new));
        let passing = self.passing.values().map(|at| (*at).max(ready));
        let words = WaitingNote::dues(&self.chores, ready, behind);
        let words = words.chain(WaitingNote::dues(&self.notes, ready, behind));
        queued.chain(dressing).chain(passing).chain(words).min()
    }

    /// While something else waits, that is due first.
    fn file_due(&self, now: Instant) -> Option<Instant> {
        if self.is_anything_first(now) {
            return None;
        }
        let new = self.pace.ready_for_new(now);
        let slots = self.files.iter().filter_map(|serial| self.cards.get(serial));
        slots.filter(|slot| slot.file().is_some()).map(|slot| slot.upload_due(new)).min()
    }

    fn drop_if_over(&mut self, serial: u64) -> Option<CallOutcome> {
        let busy = matches!(&self.busy, Some((CallItem::Part(of, _), _)) if *of == serial);
        let over = !busy && self.cards.get(&serial).is_some_and(CardSlot::is_over);
        if !over {
            return None;
        }
        self.remove(serial).map(|slot| CallOutcome::Finished(slot.ask))
    }

    fn remove(&mut self, serial: u64) -> Option<CardSlot> {
        self.queue.remove(&serial);
        self.passing.remove(&serial);
        self.dressing.remove(&serial);
        self.files.remove(&serial);
        self.cards.remove(&serial)
    }

    /// Takes over what the same chat was to show under its former id, where nothing can be edited;
    /// the cards whose ends are not written any more.
    pub(super) fn take_over(&mut self, former: Self) -> Vec<CallOutcome> {
        let mut over = Vec::new();
        for (serial, slot) in former.cards {
            if slot.is_last() {
                over.push(CallOutcome::Finished(slot.ask));
            } else {
                self.cards.entry(serial).or_insert_with(|| slot.unposted());
                self.queue.insert(serial);
                self.files.insert(serial);
            }
        }
        self.notes.extend(former.notes);
        over
    }
}

fn thread(slot: &CardSlot, topics: Option<&ChatTopics>) -> Option<i32> {
    topics.and_then(|topics| topics.get(&slot.project)).copied()
}
