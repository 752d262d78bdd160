//! One chat: its cards in the order in which they were asked, its notes, one call at a time.

use super::super::api::Trouble;
use super::pace::Pace;
use super::slot::{Part, Slot};
use super::{Call, ChatId, Haste, Note, Outcome, Posted, Topics, Wanted};
use beckon_core::AskId;
use std::collections::{BTreeMap, BTreeSet, HashSet, VecDeque};
use std::time::{Duration, Instant};

/// Of the notes that wait, so many are kept: after an outage nobody reads hundreds.
const MOST_NOTES: usize = 20;
/// A look that will pass is shown only when it stays for so long; each edit counts for the limits.
const PASSES_WITHIN: Duration = Duration::from_millis(500);

#[derive(Debug)]
pub(super) struct Chat {
    id: ChatId,
    /// By the serial of their asks.
    cards: BTreeMap<u64, Slot>,
    /// The cards that may need a call.
    queue: BTreeSet<u64>,
    /// Those whose look will be another in a moment: not before that time.
    passing: BTreeMap<u64, Instant>,
    /// Those that can wait until nothing else does.
    dressing: BTreeSet<u64>,
    notes: VecDeque<Note>,
    /// Keyboards and prompts that are to go, and test cards that came back.
    chores: VecDeque<Call>,
    busy: Option<(Item, Call)>,
    pace: Pace,
    /// The bot may not write here: nothing is kept for it.
    blocked: bool,
    /// Projects for which no topic can be made.
    untopical: HashSet<String>,
}

/// What a call is for.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Item {
    Part(u64, Part),
    Note(Note),
    Chore,
    Topic(String),
}

impl Chat {
    pub(super) fn new(id: ChatId) -> Self {
        Self {
            id,
            cards: BTreeMap::new(),
            queue: BTreeSet::new(),
            passing: BTreeMap::new(),
            dressing: BTreeSet::new(),
            notes: VecDeque::new(),
            chores: VecDeque::new(),
            busy: None,
            pace: Pace::of_chat(id.0 < 0),
            blocked: false,
            untopical: HashSet::new(),
        }
    }

    /// A card is to look like that; `posted` if it stands here already.
    pub(super) fn want(&mut self, wanted: &Wanted, posted: Option<&Posted>, now: Instant) {
        let serial = wanted.serial;
        let known = posted.is_some() || self.cards.contains_key(&serial);
        if self.blocked || (wanted.last && !known) {
            return;
        }
        self.cards.entry(serial).or_insert_with(|| Slot::new(wanted, posted)).want(wanted);
        self.enqueue(serial, wanted.haste, now);
        self.drop_if_over(serial);
    }

    fn enqueue(&mut self, serial: u64, haste: Haste, now: Instant) {
        let new = self.cards.get(&serial).is_none_or(|slot| slot.message.is_none());
        match haste {
            _ if self.queue.contains(&serial) => {}
            Haste::Passing if !new => {
                self.passing.entry(serial).or_insert(now + PASSES_WITHIN);
            }
            Haste::Whenever if !new => _ = self.dressing.insert(serial),
            Haste::Now | Haste::Passing | Haste::Whenever => {
                self.passing.remove(&serial);
                self.dressing.remove(&serial);
                self.queue.insert(serial);
            }
        }
    }

    pub(super) fn say(&mut self, note: Note) {
        if self.blocked {
            return;
        }
        // Of what is said about one ask only the last holds.
        self.notes.retain(|said| said.about.is_none() || said.about != note.about);
        self.notes.push_back(note);
        if self.notes.len() > MOST_NOTES {
            self.notes.pop_front();
        }
    }

    pub(super) fn tidy(&mut self, chore: Call) {
        self.chores.push_back(chore);
    }

    pub(super) fn holds(&self, ask: &AskId) -> bool {
        self.cards.values().any(|slot| slot.ask == *ask)
    }

    /// Its cards are void; those whose ends will not be written any more.
    pub(super) fn forget_cards(&mut self) -> Vec<Outcome> {
        (self.queue, self.passing, self.dressing) = Default::default();
        let held = std::mem::take(&mut self.cards).into_values();
        held.filter(Slot::is_last).map(|slot| Outcome::Finished(slot.ask)).collect()
    }

    /// Nothing more goes here but keyboards that are to go. How fast that may be still holds.
    pub(super) fn forget(&mut self) -> Vec<Outcome> {
        self.blocked = false;
        self.notes.clear();
        self.forget_cards()
    }

    /// Nothing is known of what is under way: it is found again.
    pub(super) fn abandon(&mut self) -> Option<Outcome> {
        let (item, call) = self.busy.take()?;
        self.again(item, call)
    }

    /// The next call; `topics` when this chat has some.
    pub(super) fn next(&mut self, topics: Option<&Topics>, now: Instant) -> Option<Call> {
        if self.due(now)? > now {
            return None;
        }
        let stays = self.passing.extract_if(.., |_, at| *at <= now);
        self.queue.extend(stays.map(|(serial, _)| serial));
        let (item, call) = self.urgent(topics).or_else(|| self.new_card(topics, now))?;
        self.pace.take(now);
        self.busy = Some((item, call.clone()));
        Some(call)
    }

    /// Cards that stand come first: somebody is answering there. Then words; then new cards.
    fn urgent(&mut self, topics: Option<&Topics>) -> Option<(Item, Call)> {
        while let Some(serial) = self.standing() {
            match self.card_call(serial, topics) {
                Some(found) => return Some(found),
                None => _ = self.queue.remove(&serial),
            }
        }
        while let Some(chore) = self.chores.pop_front() {
            if !self.spares(&chore) {
                return Some((Item::Chore, chore));
            }
        }
        while let Some(note) = self.notes.pop_front() {
            if let Some(call) = self.note_call(&note, topics) {
                return Some((Item::Note(note), call));
            }
        }
        None
    }

    /// A tap can arrive before the answer that tells which message the card is: that one stays.
    fn spares(&self, chore: &Call) -> bool {
        let Call::Strip { message } = chore else { return false };
        self.cards.values().any(|slot| slot.message == Some(*message))
    }

    /// The first card that stands here and may need a call.
    fn standing(&self) -> Option<u64> {
        let stands = |serial: &u64| self.cards.get(serial).is_some_and(|s| s.message.is_some());
        self.queue.iter().copied().find(stands)
    }

    /// What nobody waits for: new cards, then what dresses up those that stand.
    fn new_card(&mut self, topics: Option<&Topics>, now: Instant) -> Option<(Item, Call)> {
        if self.pace.ready_for_new(now) > now {
            return None;
        }
        while let Some(serial) = self.queue.pop_first().or_else(|| self.dressing.pop_first()) {
            if let Some(found) = self.card_call(serial, topics) {
                self.queue.insert(serial);
                return Some(found);
            }
        }
        None
    }

    fn card_call(&self, serial: u64, topics: Option<&Topics>) -> Option<(Item, Call)> {
        let slot = self.cards.get(&serial)?;
        let thread = topics.and_then(|topics| topics.get(&slot.project)).copied();
        let (part, call) = slot.next(thread)?;
        let new = slot.message.is_none() && thread.is_none() && !slot.project.is_empty();
        if topics.is_some() && new && !self.untopical.contains(&slot.project) {
            let name = slot.project.clone();
            return Some((Item::Topic(name.clone()), Call::MakeTopic { name }));
        }
        Some((Item::Part(serial, part), call))
    }

    /// Nothing about an ask whose card is over, or has not been sent: the card itself will ring.
    fn note_call(&self, note: &Note, topics: Option<&Topics>) -> Option<Call> {
        let slot = note.about.map(|serial| self.cards.get(&serial));
        let slot = match slot {
            Some(slot) => Some(slot.filter(|s| s.message.is_some() && !s.is_last())?),
            None => None,
        };
        let project = note.project.as_ref().or(slot.map(|slot| &slot.project));
        let thread = project.and_then(|project| topics?.get(project)).copied();
        let under = slot.and_then(|slot| slot.message);
        Some(Call::Say { thread, note: note.clone(), under })
    }

    /// When the next call may go out; `None` when there is none to wait for.
    pub(super) fn due(&self, now: Instant) -> Option<Instant> {
        let urgent = !self.chores.is_empty() || !self.notes.is_empty() || self.standing().is_some();
        let passing = self.passing.values().min().copied();
        let next = match self.busy {
            Some(_) => return None,
            None if urgent => Some(self.pace.ready_at(now)),
            None if self.queue.is_empty() && self.dressing.is_empty() => None,
            None => Some(self.pace.ready_for_new(now)),
        };
        next.into_iter().chain(passing.map(|at| at.max(self.pace.ready_at(now)))).min()
    }

    pub(super) fn done(
        &mut self,
        result: Result<Option<i32>, Trouble>,
        now: Instant,
    ) -> Vec<Outcome> {
        let Some((item, call)) = self.busy.take() else { return Vec::new() };
        match result {
            Ok(made) => self.succeeded(item, &call, made),
            Err(trouble) => self.failed(item, call, &trouble, now),
        }
    }

    fn succeeded(&mut self, item: Item, call: &Call, made: Option<i32>) -> Vec<Outcome> {
        match item {
            Item::Part(serial, part) => self.card_sent(serial, part, call, made),
            Item::Topic(project) => {
                made.map(|id| Outcome::Topic(project, Some(id))).into_iter().collect()
            }
            Item::Note(_) | Item::Chore => Vec::new(),
        }
    }

    fn card_sent(
        &mut self,
        serial: u64,
        part: Part,
        call: &Call,
        made: Option<i32>,
    ) -> Vec<Outcome> {
        let Some(slot) = self.cards.get_mut(&serial) else {
            // It was forgotten while it was on its way.
            let sent = made.filter(|_| matches!(call, Call::Send { .. }));
            self.chores.extend(sent.map(|message| Call::Strip { message }));
            return Vec::new();
        };
        let before = slot.posted(self.id);
        slot.sent(part, call, made);
        let posted = slot.posted(self.id).filter(|posted| Some(posted) != before.as_ref());
        let posted = posted.map(|posted| Outcome::Posted(slot.ask.clone(), posted));
        self.queue.insert(serial);
        posted.into_iter().chain(self.drop_if_over(serial)).collect()
    }

    fn failed(&mut self, item: Item, call: Call, trouble: &Trouble, now: Instant) -> Vec<Outcome> {
        match trouble {
            // Found again when the server answers.
            Trouble::Network(_) | Trouble::Server(_) | Trouble::Unauthorized => {}
            Trouble::TooFast(wait) => self.pace.rest_until(now + *wait),
            Trouble::Blocked | Trouble::ChatGone => return self.block(),
            _ => return self.refused(item, &call, trouble),
        }
        self.again(item, call).into_iter().collect()
    }

    /// It is tried once more, unless a card has ended meanwhile that was never sent.
    fn again(&mut self, item: Item, call: Call) -> Option<Outcome> {
        match item {
            Item::Note(note) => self.notes.push_front(note),
            Item::Chore => self.chores.push_front(call),
            Item::Part(serial, _) => {
                self.queue.insert(serial);
                return self.drop_if_over(serial);
            }
            Item::Topic(_) => {}
        }
        None
    }

    fn refused(&mut self, item: Item, call: &Call, trouble: &Trouble) -> Vec<Outcome> {
        match (item, trouble) {
            (Item::Topic(project), _) => {
                tracing::info!(%trouble, "no topic can be made: the main chat is used");
                _ = self.untopical.insert(project);
                Vec::new()
            }
            (Item::Part(serial, Part::Card), Trouble::TopicGone) => {
                let project = self.cards.get(&serial).map(|slot| slot.project.clone());
                self.without_topic(project)
            }
            (Item::Note(note), Trouble::TopicGone) => self.note_without_topic(note),
            (Item::Part(serial, Part::Card), Trouble::MessageGone) => self.deleted(serial),
            (Item::Part(serial, part), trouble) => self.card_refused(serial, part, call, trouble),
            (Item::Note(_) | Item::Chore, trouble) => {
                tracing::debug!(%trouble, "a note was not sent");
                Vec::new()
            }
        }
    }

    fn without_topic(&mut self, project: Option<String>) -> Vec<Outcome> {
        self.untopical.extend(project.clone());
        project.map(|project| Outcome::Topic(project, None)).into_iter().collect()
    }

    fn note_without_topic(&mut self, note: Note) -> Vec<Outcome> {
        let slot = note.about.and_then(|serial| self.cards.get(&serial));
        let project = note.project.clone().or(slot.map(|slot| slot.project.clone()));
        if project.is_some() {
            self.notes.push_front(note);
        }
        self.without_topic(project)
    }

    /// The human deleted the card: waved away, unless it was over anyhow.
    fn deleted(&mut self, serial: u64) -> Vec<Outcome> {
        match self.remove(serial) {
            Some(slot) if slot.is_last() => vec![Outcome::Finished(slot.ask)],
            Some(slot) => vec![Outcome::Deleted(slot.ask, self.id)],
            None => Vec::new(),
        }
    }

    fn card_refused(
        &mut self,
        serial: u64,
        part: Part,
        call: &Call,
        trouble: &Trouble,
    ) -> Vec<Outcome> {
        let Some(slot) = self.cards.get_mut(&serial) else { return Vec::new() };
        if *trouble != Trouble::NotModified {
            tracing::warn!(ask = %slot.ask, %trouble, "Telegram refuses a card");
        }
        if slot.refused(part, call, trouble) {
            return self.drop_if_over(serial).into_iter().collect();
        }
        self.remove(serial).map(|slot| Outcome::Finished(slot.ask)).into_iter().collect()
    }

    /// What had ended but not been told so is told when the bot may write again.
    fn block(&mut self) -> Vec<Outcome> {
        self.forget();
        self.chores.clear();
        self.blocked = true;
        vec![Outcome::Blocked(self.id)]
    }

    fn drop_if_over(&mut self, serial: u64) -> Option<Outcome> {
        let busy = matches!(&self.busy, Some((Item::Part(of, _), _)) if *of == serial);
        let over = !busy && self.cards.get(&serial).is_some_and(Slot::is_over);
        if !over {
            return None;
        }
        self.remove(serial).map(|slot| Outcome::Finished(slot.ask))
    }

    fn remove(&mut self, serial: u64) -> Option<Slot> {
        self.queue.remove(&serial);
        self.passing.remove(&serial);
        self.dressing.remove(&serial);
        self.cards.remove(&serial)
    }

    /// Takes over what the same chat was to show under its former id, where nothing can be edited;
    /// the cards whose ends are not written any more.
    pub(super) fn take_over(&mut self, former: Self) -> Vec<Outcome> {
        let mut over = Vec::new();
        for (serial, slot) in former.cards {
            if slot.is_last() {
                over.push(Outcome::Finished(slot.ask));
            } else {
                self.cards.entry(serial).or_insert_with(|| slot.unposted());
                self.queue.insert(serial);
            }
        }
        self.notes.extend(former.notes);
        over
    }
}
