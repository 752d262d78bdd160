//! The people who have asked to write their own words, to which card, and where. Words that answer
//! no message count only from that person, in that chat, for some minutes, and as long as nothing
//! else was said there: hours later, or after another card, people write about something else. A
//! reply names its card itself.
//!
//! Nothing of it outlives a restart.

use crate::channels::telegram::pairing::pairings::{ChatId, UserId};
use beckon_core::{AwaitedText, ButtonTarget, Span, Timestamp};
use std::collections::BTreeMap;

/// The time for which words count after "Write my own" was tapped: long enough to write a page.
const COUNTS_FOR: Span = Span::minutes(10);

#[derive(Clone, Copy, Debug)]
struct Writing {
    target: ButtonTarget,
    awaited: AwaitedText,
    since: Timestamp,
}

/// The people who are writing.
#[derive(Debug, Default)]
pub(in crate::channels::telegram) struct Writers {
    writing: BTreeMap<(ChatId, UserId), Vec<Writing>>,
}

impl Writers {
    /// Notes that a person has asked to write to a card.
    pub(in crate::channels::telegram) fn begin(
        &mut self,
        chat: ChatId,
        user: UserId,
        (target, awaited): (ButtonTarget, AwaitedText),
        now: Timestamp,
    ) {
        let writing = self.writing.entry((chat, user)).or_default();
        writing.retain(|it| it.target.serial != target.serial);
        writing.push(Writing {
            target,
            awaited,
            since: now,
        });
    }

    /// Notes that a person will not write to a card after all.
    pub(in crate::channels::telegram) fn end(&mut self, chat: ChatId, user: UserId, serial: u64) {
        if let Some(writing) = self.writing.get_mut(&(chat, user)) {
            writing.retain(|it| it.target.serial != serial);
        }
    }

    /// Returns what a person has asked to write to a card, however long ago.
    pub(in crate::channels::telegram) fn awaited(
        &self,
        chat: ChatId,
        user: UserId,
        serial: u64,
    ) -> Option<AwaitedText> {
        let writing = self.writing.get(&(chat, user))?;
        let its = writing.iter().find(|it| it.target.serial == serial);
        its.map(|it| it.awaited)
    }

    /// Whether anybody has asked to write that to a card.
    pub(in crate::channels::telegram) fn is_awaited(&self, serial: u64, what: AwaitedText) -> bool {
        let is_it = |it: &Writing| it.target.serial == serial && it.awaited == what;
        self.writing.values().flatten().any(is_it)
    }

    /// Returns the cards to which a person's words in that chat may be meant.
    pub(in crate::channels::telegram) fn targets(
        &self,
        chat: ChatId,
        user: UserId,
        now: Timestamp,
    ) -> Vec<ButtonTarget> {
        let writing = self.writing.get(&(chat, user));
        let counts = |it: &&Writing| now >= it.since && now - it.since < COUNTS_FOR;
        writing
            .into_iter()
            .flatten()
            .filter(counts)
            .map(|it| it.target)
            .collect()
    }

    /// Whether any person in that chat has asked to write to that card.
    pub(in crate::channels::telegram) fn writes_in(&self, chat: ChatId, serial: u64) -> bool {
        self.writing
            .iter()
            .filter(|((at, _), _)| *at == chat)
            .any(|(_, writing)| writing.iter().any(|it| it.target.serial == serial))
    }

    /// Forgets all writers, because something else was said in all chats: what is written there
    /// from now on may be about that.
    pub(in crate::channels::telegram) fn interrupt(&mut self) {
        self.writing.clear();
    }

    /// Forgets the writers of a chat, because something else was said there.
    pub(in crate::channels::telegram) fn interrupt_in(&mut self, chat: ChatId) {
        self.writing.retain(|(there, _), _| *there != chat);
    }

    /// Forgets what a person wanted to write in a chat, because they did something else there.
    pub(in crate::channels::telegram) fn interrupt_by(&mut self, chat: ChatId, user: UserId) {
        self.writing.remove(&(chat, user));
    }

    /// Moves every noted moment, after the clock was set.
    pub(in crate::channels::telegram) fn set_clock(&mut self, by: Span) {
        for writing in self.writing.values_mut().flatten() {
            writing.since = writing.since + by;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    const OLGA: UserId = UserId(1);
    const BOB: UserId = UserId(2);
    const HERE: ChatId = ChatId(1);
    const NOW: Timestamp = Timestamp(1_000_000);

    const OWN: AwaitedText = AwaitedText::Text { question: 0 };

    fn target(serial: u64) -> ButtonTarget {
        ButtonTarget {
            serial,
            fingerprint: "PVyd-Cxxh8".parse().unwrap(),
        }
    }

    #[test]
    fn words_count_from_who_asked_to_write_where_they_asked_and_for_some_minutes() {
        let mut writers = Writers::default();
        writers.begin(HERE, OLGA, (target(7), OWN), NOW);
        assert_eq!(writers.targets(HERE, OLGA, NOW), [target(7)]);
        assert_eq!(writers.targets(HERE, BOB, NOW), []);
        assert_eq!(writers.targets(ChatId(2), OLGA, NOW), []);
        let later = Timestamp(NOW.0 + COUNTS_FOR.0);
        assert_eq!(writers.targets(HERE, OLGA, later), []);
        let before = Timestamp(NOW.0 - 1);
        assert_eq!(
            writers.targets(HERE, OLGA, before),
            [],
            "the clock was set back"
        );
    }

    #[test]
    fn what_one_takes_back_another_still_writes() {
        let mut writers = Writers::default();
        writers.begin(HERE, OLGA, (target(7), OWN), NOW);
        writers.begin(HERE, BOB, (target(7), OWN), NOW);
        writers.end(HERE, OLGA, 7);
        assert_eq!(writers.awaited(HERE, OLGA, 7), None);
        assert_eq!(writers.awaited(HERE, BOB, 7), Some(OWN));
        assert!(writers.is_awaited(7, OWN));
        writers.end(HERE, BOB, 7);
        assert!(!writers.is_awaited(7, OWN));
    }

    #[test]
    fn what_else_is_said_there_ends_it() {
        let mut writers = Writers::default();
        writers.begin(HERE, OLGA, (target(7), OWN), NOW);
        writers.interrupt_by(ChatId(2), OLGA);
        writers.interrupt_by(HERE, BOB);
        assert!(writers.writes_in(HERE, 7));
        writers.interrupt_by(HERE, OLGA);
        assert!(!writers.writes_in(HERE, 7));
        writers.begin(HERE, OLGA, (target(7), OWN), NOW);
        writers.interrupt();
        assert_eq!(writers.targets(HERE, OLGA, NOW), []);
    }
}
