//! The checks at the end of a life, when all Beckons are connected and nothing is under way.

use super::agents::AGENT;
use super::human::{Given, Word};
use super::member::{Member, node};
use super::near::is_far;
use super::{COUNT, Desks};
use beckon_core::{AskContent, AskId, AskState, Entry};

impl Desks {
    pub fn check(&self) {
        (0..COUNT).for_each(|member| self.every_open_ask_is_on(&self.members[member]));
        self.every_answer_arrived_or_came_back();
    }

    fn every_open_ask_is_on(&self, member: &Member) {
        let waits = self.agents.asked.iter().filter(|(_, asked)| asked.waits);
        let mut expected = 0;
        for ((owner, own), asked) in waits {
            expected += 1;
            let id = AskId::new(AGENT, own.clone());
            let entry = if *owner == member.index {
                member.desk.entry(&id)
            } else {
                self.far_entry(member, *owner, &id)
            };
            let Some(entry) = entry else {
                panic!("{}: {own} of {owner} is missing", member.index)
            };
            assert_eq!(
                entry.state,
                AskState::Open,
                "{}: {own} of {owner}",
                member.index
            );
            let newer =
                matches!(entry.ask.kind, AskContent::Unknown(_)) && self.members[*owner].newer;
            assert!(
                newer || entry.ask.kind == asked.kind,
                "{}: {own} of {owner}",
                member.index
            );
        }
        let there: Vec<_> = member.desk.asks().map(|(_, entry)| &entry.ask.id).collect();
        assert_eq!(there.len(), expected, "{}: {there:?}", member.index);
    }

    fn far_entry<'a>(&self, member: &'a Member, owner: usize, id: &AskId) -> Option<&'a Entry> {
        let serial = self.members[owner].desk.entry(id)?.serial;
        let mut far = member.desk.asks().map(|(_, entry)| entry);
        let own = format!("{owner}Nod-{serial}");
        far.find(|entry| {
            let ask = &entry.ask;
            is_far(&ask.id.source) && ask.session.via == [node(owner)] && ask.id.own == own
        })
    }

    /// Checks, for each ask and the machine where it was answered, the last answer given there.
    fn every_answer_arrived_or_came_back(&self) {
        for (index, given) in self.given.iter().enumerate() {
            let later = |it: &&Given| it.member == given.member && it.ask == given.ask;
            if self.given.iter().skip(index + 1).find(later).is_some() {
                continue;
            }
            assert_ne!(
                given.told,
                Word::Underway,
                "it is gone without a word: {given:?}"
            );
        }
    }
}
