//! One chat: its cards and notes in the order in which they came, one call at a time.

use super::super::api::Trouble;
use super::pace::Pace;
use super::slot::{Part, Slot};
use super::{Call, ChatId, Note, Outcome, Posted, Wanted};
use beckon_core::AskId;
use std::collections::{BTreeSet, HashMap, HashSet, VecDeque};
use std::time::Instant;

#[derive(Debug)]
pub(super) struct Chat {
    id: ChatId,
    queue: VecDeque<Item>,
    slots: HashMap<AskId, Slot>,
    busy: Option<(Item, Call)>,
    pace: Pace,
    /// The bot may not write here: nothing is kept for it.
    blocked: bool,
    /// Projects for which no topic can be made.
    untopical: HashSet<String>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Item {
    Card(AskId),
    Part(AskId, Part),
    Note(Box<Note>),
    Strip(i32),
    Topic(String),
}

impl Chat {
    pub(super) fn new(id: ChatId, now: Instant) -> Self {
        Self {
            id,
            queue: VecDeque::new(),
            slots: HashMap::new(),
            busy: None,
            pace: Pace::of_chat(id.0 < 0, now),
            blocked: false,
            untopical: HashSet::new(),
        }
    }

    pub(super) fn know(&mut self, ask: &AskId, posted: Posted) {
        self.slots.entry(ask.clone()).or_insert_with(|| Slot::at(posted));
    }

    pub(super) fn want(&mut self, wanted: &Wanted) {
        if self.blocked || (wanted.last && !self.holds(&wanted.ask)) {
            return;
        }
        self.slots.entry(wanted.ask.clone()).or_insert_with(|| Slot::new(wanted)).want(wanted);
        self.queue_card(&wanted.ask);
    }

    /// The last look, if the card stands here; otherwise there is nothing to do.
    pub(super) fn end(&mut self, wanted: &Wanted) {
        self.want(wanted);
        self.drop_if_over(&wanted.ask);
    }

    pub(super) fn say(&mut self, note: Note) {
        if !self.blocked {
            self.queue.push_back(Item::Note(Box::new(note)));
        }
    }

    pub(super) fn strip(&mut self, message: i32) {
        self.queue.push_back(Item::Strip(message));
    }

    pub(super) fn holds(&self, ask: &AskId) -> bool {
        self.slots.contains_key(ask)
    }

    /// The next call; `topics` when this chat has some.
    pub(super) fn next(
        &mut self,
        topics: Option<&HashMap<String, i32>>,
        now: Instant,
    ) -> Option<Call> {
        if self.busy.is_some() || !self.pace.allows(now) {
            return None;
        }
        let (item, call) = self.find(topics)?;
        self.pace.take(now);
        self.busy = Some((item, call.clone()));
        Some(call)
    }

    /// Cards that stand come first: somebody is answering there. New ones and words follow.
    fn find(&mut self, topics: Option<&HashMap<String, i32>>) -> Option<(Item, Call)> {
        loop {
            let stands = |item: &Item| match item {
                Item::Card(ask) => self.slots.get(ask).is_some_and(|slot| slot.message.is_some()),
                _ => false,
            };
            let place = self.queue.iter().position(stands).unwrap_or(0);
            let found = match self.queue.get(place)? {
                Item::Card(ask) => self.card_call(ask, topics),
                Item::Note(note) => Some(self.note_call(note, topics)),
                Item::Strip(message) => {
                    Some((Item::Strip(*message), Call::Strip { message: *message }))
                }
                Item::Part(..) | Item::Topic(_) => None,
            };
            let stays = found.is_some() && matches!(self.queue[place], Item::Card(_));
            if !stays {
                self.queue.remove(place);
            }
            if found.is_some() {
                return found;
            }
        }
    }

    fn card_call(
        &self,
        ask: &AskId,
        topics: Option<&HashMap<String, i32>>,
    ) -> Option<(Item, Call)> {
        let slot = self.slots.get(ask)?;
        let thread = topics.and_then(|topics| topics.get(&slot.project)).copied();
        let (part, call) = slot.next(thread)?;
        let new = slot.message.is_none() && thread.is_none() && !slot.project.is_empty();
        if topics.is_some() && new && !self.untopical.contains(&slot.project) {
            let name = slot.project.clone();
            return Some((Item::Topic(name.clone()), Call::MakeTopic { name }));
        }
        Some((Item::Part(ask.clone(), part), call))
    }

    fn note_call(&self, note: &Note, topics: Option<&HashMap<String, i32>>) -> (Item, Call) {
        let slot = note.about.as_ref().and_then(|ask| self.slots.get(ask));
        let project = note.project.as_ref().or(slot.map(|slot| &slot.project));
        let thread = project.and_then(|project| topics?.get(project)).copied();
        let under = slot.and_then(|slot| slot.message);
        let call = Call::Say { thread, note: note.clone(), under };
        (Item::Note(Box::new(note.clone())), call)
    }

    pub(super) fn due(&self, now: Instant) -> Option<Instant> {
        let waits = self.busy.is_none() && !self.queue.is_empty();
        waits.then(|| self.pace.ready_at(now))
    }

    pub(super) fn done(
        &mut self,
        id: ChatId,
        result: Result<Option<i32>, Trouble>,
        now: Instant,
    ) -> Vec<Outcome> {
        debug_assert_eq!(self.id, id);
        let Some((item, call)) = self.busy.take() else { return Vec::new() };
        match result {
            Ok(made) => self.succeeded(item, &call, made),
            Err(trouble) => self.failed(item, &call, &trouble, now),
        }
    }

    fn succeeded(&mut self, item: Item, call: &Call, made: Option<i32>) -> Vec<Outcome> {
        match item {
            Item::Part(ask, part) => self.card_sent(&ask, part, call, made),
            Item::Topic(project) => {
                made.map(|id| Outcome::Topic(project, Some(id))).into_iter().collect()
            }
            Item::Card(_) | Item::Note(_) | Item::Strip(_) => Vec::new(),
        }
    }

    fn card_sent(
        &mut self,
        ask: &AskId,
        part: Part,
        call: &Call,
        made: Option<i32>,
    ) -> Vec<Outcome> {
        let Some(slot) = self.slots.get_mut(ask) else { return Vec::new() };
        let before = slot.posted(self.id);
        slot.sent(part, call, made);
        let posted = slot.posted(self.id).filter(|posted| Some(*posted) != before);
        let mut outcomes: Vec<Outcome> =
            posted.map(|posted| Outcome::Posted(ask.clone(), posted)).into_iter().collect();
        self.queue_card(ask);
        outcomes.extend(self.drop_if_over(ask));
        outcomes
    }

    fn failed(&mut self, item: Item, call: &Call, trouble: &Trouble, now: Instant) -> Vec<Outcome> {
        match trouble {
            // Found again when the server answers.
            Trouble::Network(_) | Trouble::Server(_) | Trouble::Unauthorized => self.again(item),
            Trouble::TooFast(wait) => {
                self.pace.rest_until(now + *wait);
                self.again(item)
            }
            Trouble::Blocked | Trouble::ChatGone => return self.block(),
            _ => return self.refused(item, call, trouble),
        }
        Vec::new()
    }

    fn again(&mut self, item: Item) {
        if matches!(item, Item::Note(_) | Item::Strip(_)) {
            self.queue.push_front(item);
        }
    }

    fn refused(&mut self, item: Item, call: &Call, trouble: &Trouble) -> Vec<Outcome> {
        match (item, trouble) {
            (Item::Topic(project), _) => {
                tracing::info!(%trouble, "no topic can be made: the main chat is used");
                _ = self.untopical.insert(project);
                Vec::new()
            }
            (Item::Part(ask, Part::Card), Trouble::TopicGone) => self.without_topic(&ask),
            (Item::Part(ask, Part::Card), Trouble::MessageGone) => self.deleted(&ask),
            (Item::Part(ask, part), trouble) => self.card_refused(&ask, part, call, trouble),
            (_, trouble) => {
                tracing::debug!(%trouble, "a note was not sent");
                Vec::new()
            }
        }
    }

    fn without_topic(&mut self, ask: &AskId) -> Vec<Outcome> {
        let Some(slot) = self.slots.get(ask) else { return Vec::new() };
        self.untopical.insert(slot.project.clone());
        vec![Outcome::Topic(slot.project.clone(), None)]
    }

    /// The human deleted the card: waved away, unless it was over anyhow.
    fn deleted(&mut self, ask: &AskId) -> Vec<Outcome> {
        match self.slots.remove(ask) {
            Some(slot) if slot.is_last() => vec![Outcome::Finished(ask.clone())],
            Some(_) => vec![Outcome::Closed(ask.clone())],
            None => Vec::new(),
        }
    }

    fn card_refused(
        &mut self,
        ask: &AskId,
        part: Part,
        call: &Call,
        trouble: &Trouble,
    ) -> Vec<Outcome> {
        let Some(slot) = self.slots.get_mut(ask) else { return Vec::new() };
        if *trouble != Trouble::NotModified {
            tracing::warn!(%ask, %trouble, "Telegram refuses a card");
        }
        if slot.refused(part, call, trouble) {
            return self.drop_if_over(ask).into_iter().collect();
        }
        self.slots.remove(ask);
        self.queue.retain(|item| *item != Item::Card(ask.clone()));
        vec![Outcome::Finished(ask.clone())]
    }

    fn block(&mut self) -> Vec<Outcome> {
        self.blocked = true;
        self.queue.clear();
        let held = std::mem::take(&mut self.slots).into_iter();
        let over = held.filter(|(_, slot)| slot.is_last()).map(|(ask, _)| Outcome::Finished(ask));
        over.chain([Outcome::Blocked(self.id)]).collect()
    }

    fn drop_if_over(&mut self, ask: &AskId) -> Option<Outcome> {
        let busy = matches!(&self.busy, Some((Item::Part(of, _), _)) if of == ask);
        let over = !busy && self.slots.get(ask).is_some_and(Slot::is_over);
        over.then(|| {
            self.slots.remove(ask);
            Outcome::Finished(ask.clone())
        })
    }

    fn queue_card(&mut self, ask: &AskId) {
        let item = Item::Card(ask.clone());
        if !self.queue.contains(&item) {
            self.queue.push_back(item);
        }
    }

    /// The same chat under another id, where nothing stands yet.
    pub(super) fn moved(self, to: ChatId, now: Instant) -> Self {
        let mut moved = Self::new(to, now);
        let slots = self.slots.into_iter().filter(|(_, slot)| !slot.is_last());
        moved.slots = slots.map(|(ask, slot)| (ask, slot.unposted())).collect();
        let asks: BTreeSet<AskId> = moved.slots.keys().cloned().collect();
        asks.iter().for_each(|ask| moved.queue_card(ask));
        moved
    }
}
