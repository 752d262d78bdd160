//! The human's acts in the chat, as Telegram hands them over: updates with numbers, kept until a
//! later offset acknowledges them. The room takes each update once, and words for the card that
//! they answer. Re-enacts `channels/telegram/updates/poll.rs` and `dispatch.rs`, which are not part
//! of the core.

use super::{Rng, World};
use beckon_core::{
    AskState, ButtonTarget, CardSight, CardTap, Entry, Event, SeenStep, Step, Surface,
};
use std::collections::{BTreeSet, VecDeque};

/// The number of updates that come at once, always the first ones there are.
const LIMIT: usize = 3;

#[derive(Clone, Debug)]
pub struct Update {
    number: i64,
    pub what: What,
    /// The cards that the human had in mind.
    meant: BTreeSet<ButtonTarget>,
    /// The cards that had waited for words by then.
    awaited: BTreeSet<ButtonTarget>,
    /// The number of starts, by then, after which Beckon knew less than before.
    losses: u64,
    /// Whether it was processed and the step is on the disk.
    saved: bool,
}

#[derive(Clone, Debug)]
pub enum What {
    Tap(ButtonTarget, CardTap),
    Words(Relation, String),
}

/// The message that a message answers.
#[derive(Clone, Copy, Debug)]
pub enum Relation {
    Alone,
    /// A card, or a card's prompt.
    ToCard(ButtonTarget),
    Elsewhere,
}

#[derive(Debug)]
pub struct Phone {
    /// The updates that Telegram keeps.
    queue: VecDeque<Update>,
    next: i64,
    /// The offset with which Beckon asks.
    offset: i64,
    /// The numbers that Beckon has taken since it last saved all that it had read.
    taken: BTreeSet<i64>,
    read: Option<i64>,
    /// The numbers that were processed since Beckon started.
    heard: BTreeSet<i64>,
}

impl Default for Phone {
    fn default() -> Self {
        let (queue, taken, heard) = Default::default();
        Self {
            queue,
            next: 900_000_000,
            offset: 0,
            taken,
            read: None,
            heard,
        }
    }
}

impl Phone {
    /// Returns the cards for which the human is about to be asked for words.
    pub fn will_await(&self) -> impl Iterator<Item = ButtonTarget> + '_ {
        self.queue.iter().filter_map(|update| match update.what {
            What::Tap(target, CardTap::Own { .. } | CardTap::RejectWithReason) => Some(target),
            _ => None,
        })
    }

    /// Renumbers the updates after a quiet week, when the next number may be any; returns whether
    /// the queue was empty.
    pub fn renumber(&mut self, rng: &mut Rng) -> bool {
        self.acknowledge();
        let quiet = self.queue.is_empty();
        if quiet {
            let far = 1_000_000 + rng.below(1_000_000) as i64;
            self.next = if rng.one_in(3) {
                self.next + far
            } else {
                self.next - far
            };
        }
        quiet
    }

    /// Removes the updates below the offset; an offset beyond all of them begins at the head.
    fn acknowledge(&mut self) {
        let (first, last) = (self.queue.front(), self.queue.back());
        let Some((first, last)) = first.zip(last).map(|(f, l)| (f.number, l.number)) else {
            return;
        };
        if (first..=last + 1).contains(&self.offset) {
            let known = self
                .queue
                .iter()
                .filter(|update| update.number < self.offset)
                .count();
            for update in self.queue.drain(..known) {
                assert!(update.saved, "{update:?} was swallowed");
            }
        }
    }

    /// Returns some updates that were not taken before, and the offset behind all that were read.
    fn poll(&mut self) -> Option<(Vec<Update>, i64)> {
        self.acknowledge();
        let batch: Vec<Update> = self.queue.iter().take(LIMIT).cloned().collect();
        let next = batch.last()?.number + 1;
        if self.read == Some(self.offset) {
            self.taken.clear();
        }
        self.read = Some(next);
        let fresh = batch
            .into_iter()
            .filter(|update| self.taken.insert(update.number));
        Some((fresh.collect(), next))
    }

    /// Notes that the step which took them is on the disk.
    pub fn saved_up_to(&mut self, next: i64) {
        self.offset = next;
        let read = self
            .queue
            .iter()
            .position(|update| update.number == next - 1);
        let read = read.map_or(0, |last| last + 1);
        let heard = |update: &mut Update| update.saved = self.heard.contains(&update.number);
        self.queue.iter_mut().take(read).for_each(heard);
    }

    /// Restarts Beckon with the offset that it had noted.
    pub fn restart(&mut self, offset: i64) {
        (self.offset, self.read) = (offset, None);
        self.taken.clear();
        self.heard.clear();
    }
}

impl World {
    pub fn put(&mut self, what: What, meant: BTreeSet<ButtonTarget>) {
        let (awaited, losses, number) = (self.awaited.clone(), self.losses, self.phone.next);
        let update = Update {
            number,
            what,
            meant,
            awaited,
            losses,
            saved: false,
        };
        self.phone.queue.push_back(update);
        self.phone.next += 1;
    }

    /// Processes the next updates. What they do is committed together with the offset that
    /// acknowledges them.
    pub fn next_updates(&mut self) -> bool {
        let batch = if self.chat.up {
            self.phone.poll()
        } else {
            None
        };
        let Some((fresh, next)) = batch else {
            return false;
        };
        self.tally.read_again += u64::from(fresh.is_empty());
        let mut whole = Step::default();
        for update in fresh {
            self.note(|| format!("update {update:?}"));
            assert!(
                self.phone.heard.insert(update.number),
                "{update:?} is heard twice"
            );
            if let Some(event) = self.meaning(&update.what) {
                let step = self.decide(event);
                self.judge_verdict(&step, &update);
                whole.append(step);
            }
        }
        self.conclude(whole, Some(next));
        true
    }

    fn meaning(&mut self, what: &What) -> Option<Event> {
        let by = Surface::Telegram;
        let sight = [CardSight::Clear, CardSight::Obscured][self.rng.below(2)];
        match what {
            What::Tap(target, tap) => Some(Event::Tapped {
                target: *target,
                tap: *tap,
                sight,
                by,
                responder: None,
            }),
            What::Words(relation, text) => {
                let target = match relation {
                    Relation::ToCard(target) => Some(*target),
                    Relation::Alone => self.only_awaiting(),
                    Relation::Elsewhere => None,
                };
                let text = text.clone();
                target.map(|target| Event::Wrote {
                    target,
                    seen: SeenStep::Whole,
                    text: text.into(),
                    sight,
                    by,
                    responder: None,
                })
            }
        }
    }

    /// Returns the card that words without a relation are for: the only one that waits for words.
    fn only_awaiting(&self) -> Option<ButtonTarget> {
        let mut awaiting = self.awaiting();
        awaiting
            .next()
            .filter(|_| awaiting.next().is_none())
            .map(Entry::target)
    }

    pub fn awaiting(&self) -> impl Iterator<Item = &Entry> {
        let entries = self
            .chat
            .known
            .keys()
            .filter_map(|ask| self.desk.entry(ask));
        entries.filter(|entry| awaits_words(entry))
    }

    /// Tells whether words that answer nothing may reach a card that waited for words before: the
    /// human wrote them when no card waited, and Beckon has lost the end of that card's wait since.
    fn is_forgotten(&self, update: &Update) -> bool {
        let alone = matches!(update.what, What::Words(Relation::Alone, _));
        alone && update.meant.is_empty() && update.losses < self.losses
    }

    /// Checks that a tap or words changed the card that their human had in mind, or nothing.
    fn judge_verdict(&mut self, step: &Step, update: &Update) {
        let Some(Ok(id)) = &step.verdict else {
            self.tally.refused_taps += 1;
            return;
        };
        let entry = self.desk.entry(id).expect("it is on the desk");
        // Equal asks are shown and answered together, or each alone.
        let content = entry.ask.fingerprint();
        let is_it = |target: &ButtonTarget| target.was_made_for(entry.serial, content);
        let forgotten = self.is_forgotten(update) && update.awaited.iter().any(is_it);
        let meant = &update.meant;
        let is_meant = meant.iter().any(is_it) || forgotten;
        assert!(
            is_meant,
            "{id}: {:?} moved, and {meant:?} was meant",
            entry.target()
        );
        if entry
            .draft
            .as_ref()
            .is_some_and(|draft| draft.awaits.is_some())
        {
            self.awaited.insert(ButtonTarget {
                serial: entry.serial,
                fingerprint: content,
            });
        }
        let count = entry.draft.as_ref().map(|draft| draft.replies.len());
        let open = entry.state == AskState::Open;
        assert_eq!(
            count == Some(entry.ask.questions().len()),
            open,
            "{id}: {:?}",
            entry.draft
        );
        self.tally.moves += u64::from(open);
        self.tally.completed += u64::from(!open);
    }
}

pub fn awaits_words(entry: &Entry) -> bool {
    let awaits = entry
        .draft
        .as_ref()
        .is_some_and(|draft| draft.awaits.is_some());
    awaits && entry.state == AskState::Open
}
