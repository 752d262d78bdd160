//! One chat: its cards in the order in which they were asked, its notes, one call at a time. Beside
//! that a file, which may take long and is in nobody's way.
//!
//! Which call goes next is in `chat/next_call.rs`, when in `chat/due.rs`, what comes of it in
//! `chat/results.rs`.

mod bar;
mod deletions;
mod due;
mod list;
mod next_call;
mod results;
mod waiting;

use super::pace::SendPace;
use super::retry::RetryState;
use super::slot::{CardSlot, SlotPart};
use super::{
    CallOutcome, ChatId, ListUrgency, OutboxCall, OutgoingNote, PostedCard, Priority, WantedCard,
    WantedList,
};
use bar::WritingBar;
use beckon_core::AskId;
use deletions::DeletionTimer;
use list::ListSlot;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};
use std::time::{Duration, Instant};
use waiting::WaitingNote;

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
    list: ListSlot,
    busy: Option<(CallItem, OutboxCall)>,
    uploading: Option<(CallItem, OutboxCall)>,
    pace: SendPace,
    /// Where the bot may not write, nothing is kept for it.
    bar: WritingBar,
    timer: DeletionTimer,
    /// A card was refused with colours on its buttons and taken without: none has them any more.
    unstyled: bool,
    /// Projects for which no topic can be made.
    untopical: HashSet<String>,
    /// Projects whose topics are closed, and when they are tried again. The main chat serves meanwhile.
    closed_topics: HashMap<String, RetryState>,
    /// Projects for which one could not be made so far.
    topic_retries: HashMap<String, RetryState>,
}

/// What a call is for.
#[derive(Clone, Debug, PartialEq, Eq)]
enum CallItem {
    Part(u64, SlotPart),
    Note(WaitingNote<OutgoingNote>),
    Chore(RetryState),
    Topic(String),
    List,
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
            list: ListSlot::default(),
            busy: None,
            uploading: None,
            pace: SendPace::of_chat(id.0 < 0),
            bar: WritingBar::default(),
            timer: DeletionTimer::default(),
            unstyled: false,
            untopical: HashSet::new(),
            closed_topics: HashMap::new(),
            topic_retries: HashMap::new(),
        }
    }

    /// A card is to look like that; `posted` if it stands here already.
    pub(super) fn want(&mut self, wanted: &WantedCard, posted: Option<&PostedCard>, now: Instant) {
        let serial = wanted.serial;
        let known = posted.is_some() || self.cards.contains_key(&serial);
        if self.bar.is_up() || (wanted.last && !known) {
            return;
        }
        // Where a chat has parted from it, only another life of it there counts.
        if wanted.last && self.cards.get(&serial).is_some_and(CardSlot::has_parted) {
            return;
        }
        self.forget_comeback(serial);
        let slot = self
            .cards
            .entry(serial)
            .or_insert_with(|| CardSlot::new(wanted, posted, now));
        if let Some(posted) = posted.filter(|posted| slot.message != Some(posted.message)) {
            slot.stands_at(posted, now);
        }
        slot.want(wanted);
        self.files.insert(serial);
        self.enqueue(serial, wanted.priority, now);
        self.drop_if_over(serial);
    }

    /// The same for a chat that has no say any more: how the ask ends is not told there.
    pub(super) fn part(&mut self, wanted: &WantedCard, posted: &PostedCard, now: Instant) {
        self.want(wanted, Some(posted), now);
        if let Some(slot) = self.cards.get_mut(&wanted.serial) {
            slot.part();
        }
    }

    fn enqueue(&mut self, serial: u64, priority: Priority, now: Instant) {
        let new = self
            .cards
            .get(&serial)
            .is_none_or(|slot| slot.message.is_none());
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
        if self.bar.is_up() {
            return;
        }
        // Of what is said about one ask only the last holds.
        self.notes
            .retain(|said| said.what.about.is_none() || said.what.about != note.about);
        self.notes.push_back(WaitingNote::new(note));
        if self.notes.len() > MOST_NOTES {
            self.notes.pop_front();
        }
    }

    pub(super) fn list_changed(&mut self, urgency: ListUrgency, now: Instant) {
        if !self.bar.is_up() {
            self.list.changed(urgency, now);
        }
    }

    pub(super) fn list_to_draw(&mut self, now: Instant) -> Option<CallOutcome> {
        // Its lines lead to the cards that stand by then.
        let may = self.may_list(now) && self.list.take_changed(now);
        may.then_some(CallOutcome::DrawList(self.id))
    }

    /// Whether it is to be tried again to write here.
    pub(super) fn take_due_again(&mut self, now: Instant) -> Option<CallOutcome> {
        self.bar
            .take_due(now)
            .then_some(CallOutcome::TryAgain(self.id))
    }

    pub(super) fn want_list(&mut self, wanted: WantedList) {
        if !self.bar.is_up() {
            self.list.want(wanted);
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
        self.cards
            .values()
            .filter_map(|slot| slot.refusal().map(|why| (&slot.ask, why)))
    }

    /// Its cards are void; those whose ends will not be written any more.
    pub(super) fn forget_cards(&mut self) -> Vec<CallOutcome> {
        (self.queue, self.passing, self.dressing, self.list) = Default::default();
        self.files.clear();
        self.forget_comebacks();
        let held = std::mem::take(&mut self.cards).into_values();
        held.filter(CardSlot::is_last)
            .map(|slot| CallOutcome::Finished(slot.ask))
            .collect()
    }

    /// The same, but for what has parted from this chat.
    pub(super) fn forget_own_cards(&mut self) {
        let all = std::mem::take(&mut self.cards);
        let (parted, own) = all.into_iter().partition(|(_, slot)| slot.has_parted());
        self.cards = own;
        self.forget_cards();
        self.cards = parted;
        self.queue.extend(self.cards.keys());
    }

    /// Nothing that waits is to go out any more.
    pub(super) fn stand_by(&mut self) {
        self.notes.clear();
        self.forget_messages();
    }

    /// The messages that are known here are another bot's.
    pub(super) fn forget_messages(&mut self) {
        self.chores.clear();
        self.forget_cards();
    }

    /// Nothing more goes here but keyboards that are to go. How fast that may be still holds.
    pub(super) fn forget(&mut self) -> Vec<CallOutcome> {
        self.bar.lift();
        self.notes.clear();
        self.forget_cards()
    }

    /// Nothing is known of what is under way: it is found again.
    pub(super) fn abandon(&mut self) -> Vec<CallOutcome> {
        let lost = [self.busy.take(), self.uploading.take()];
        lost.into_iter()
            .flatten()
            .filter_map(|(item, call)| self.again(item, call))
            .collect()
    }

    /// The server answers again: whatever got no verdict is tried at once, in its order.
    pub(super) fn resume(&mut self) {
        self.cards.values_mut().for_each(CardSlot::resume);
        self.notes.iter_mut().for_each(|note| note.retry.reset());
        self.chores.iter_mut().for_each(|chore| chore.retry.reset());
        self.topic_retries.clear();
        self.list.resume();
    }

    pub(super) fn is_unstyled(&self) -> bool {
        self.unstyled
    }

    pub(super) fn set_unstyled(&mut self, unstyled: bool) {
        self.unstyled = unstyled;
    }

    pub(super) fn is_uploading(&self) -> bool {
        self.uploading.is_some()
    }

    fn is_busy_with(&self, serial: u64) -> bool {
        matches!(&self.busy, Some((CallItem::Part(of, _), _)) if *of == serial)
    }

    fn drop_if_over(&mut self, serial: u64) -> Option<CallOutcome> {
        let over =
            !self.is_busy_with(serial) && self.cards.get(&serial).is_some_and(CardSlot::is_over);
        if !over {
            return None;
        }
        self.remove(serial)
            .map(|slot| CallOutcome::Finished(slot.ask))
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
