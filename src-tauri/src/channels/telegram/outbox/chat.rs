//! The queue of one chat: its cards in the order in which they were asked, its notes, one call at a
//! time. Beside that a file may be under way, which may take long and holds nothing up.
//!
//! The choice of the next call is in `chat/next_call.rs`, its time in `chat/due.rs`, and what comes
//! of it in `chat/results.rs`.

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

/// The number of waiting notes that are kept: after an outage nobody reads hundreds.
const MOST_NOTES: usize = 20;
/// The time that a passing look has to last before it is shown; each edit counts for the limits.
const PASSES_WITHIN: Duration = Duration::from_millis(500);

#[derive(Debug)]
pub(super) struct ChatQueue {
    id: ChatId,
    /// The cards, by the serials of their asks.
    cards: BTreeMap<u64, CardSlot>,
    /// The cards that may need a call.
    queue: BTreeSet<u64>,
    /// The cards whose look will change again in a moment, with the time before which it is not
    /// shown.
    passing: BTreeMap<u64, Instant>,
    /// The cards that can wait until nothing else does.
    dressing: BTreeSet<u64>,
    /// The cards that may need a file below them.
    files: BTreeSet<u64>,
    notes: VecDeque<WaitingNote<OutgoingNote>>,
    /// Keyboards and prompts that are to go, and test cards that came back.
    chores: VecDeque<WaitingNote<OutboxCall>>,
    list: ListSlot,
    busy: Option<(CallItem, OutboxCall)>,
    uploading: Option<(CallItem, OutboxCall)>,
    pace: SendPace,
    /// The state of whether the bot may write here. While it may not, nothing is kept for the chat.
    bar: WritingBar,
    timer: DeletionTimer,
    /// Whether a card was refused with colours on its buttons and taken without: no card has
    /// colours any more.
    unstyled: bool,
    /// Projects for which no topic can be made.
    untopical: HashSet<String>,
    /// The projects whose topics are closed, and when they are tried again. Meanwhile their cards
    /// go to the main chat.
    closed_topics: HashMap<String, RetryState>,
    /// The projects for which a topic could not be made so far.
    topic_retries: HashMap<String, RetryState>,
}

/// The purpose of a call.
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

    /// Sets how a card is to look; `posted` if it is here already.
    pub(super) fn want(&mut self, wanted: &WantedCard, posted: Option<&PostedCard>, now: Instant) {
        let serial = wanted.serial;
        let known = posted.is_some() || self.cards.contains_key(&serial);
        if self.bar.is_up() || (wanted.last && !known) {
            return;
        }
        // In a chat that is no longer paired the card has its last look already. It is drawn again
        // only if the chat is paired again.
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

    /// Sets the last look of a card in a chat that is no longer paired: how the ask ends is not
    /// told there.
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
        // Of several notes about one ask only the last holds.
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
        // The lines of the list lead to the cards that are there by the time it is drawn.
        let may = self.may_list(now) && self.list.take_changed(now);
        may.then_some(CallOutcome::DrawList(self.id))
    }

    /// Returns that writing here is to be tried again, when that is due.
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

    /// Returns the cards that are refused, and why.
    pub(super) fn refusals(&self) -> impl Iterator<Item = (&AskId, &str)> {
        self.cards
            .values()
            .filter_map(|slot| slot.refusal().map(|why| (&slot.ask, why)))
    }

    /// Forgets all cards. Returns those whose ends will not be written any more.
    pub(super) fn forget_cards(&mut self) -> Vec<CallOutcome> {
        (self.queue, self.passing, self.dressing, self.list) = Default::default();
        self.files.clear();
        self.forget_comebacks();
        let held = std::mem::take(&mut self.cards).into_values();
        held.filter(CardSlot::is_last)
            .map(|slot| CallOutcome::Finished(slot.ask))
            .collect()
    }

    /// Forgets all cards but those for which the chat is no longer paired: their last looks are
    /// still to be written.
    pub(super) fn forget_own_cards(&mut self) {
        let all = std::mem::take(&mut self.cards);
        let (parted, own) = all.into_iter().partition(|(_, slot)| slot.has_parted());
        self.cards = own;
        self.forget_cards();
        self.cards = parted;
        self.queue.extend(self.cards.keys());
    }

    /// Drops all that waits to go out.
    pub(super) fn stand_by(&mut self) {
        self.notes.clear();
        self.forget_messages();
    }

    /// Forgets the messages that are known here, which are another bot's.
    pub(super) fn forget_messages(&mut self) {
        self.chores.clear();
        self.forget_cards();
    }

    /// Drops all that is to go here but keyboards that are to be taken off. The limits for the pace
    /// still hold. Returns the cards whose ends are not written any more.
    pub(super) fn forget(&mut self) -> Vec<CallOutcome> {
        self.bar.lift();
        self.notes.clear();
        self.forget_cards()
    }

    /// Forgets the calls under way, of which nothing is known. They are found again.
    pub(super) fn abandon(&mut self) -> Vec<CallOutcome> {
        let lost = [self.busy.take(), self.uploading.take()];
        lost.into_iter()
            .flatten()
            .filter_map(|(item, call)| self.again(item, call))
            .collect()
    }

    /// Lets whatever got no verdict be tried at once, in its order, after the server has answered
    /// again.
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

    /// Takes over what the same chat was to show under its former id, where nothing can be edited.
    /// Returns the cards whose ends are not written any more.
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
