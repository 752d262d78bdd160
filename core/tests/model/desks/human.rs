//! The human in front of each machine: their answers, and what they were told of them.

use super::Desks;
use super::agents::{AGENT, Post};
use super::member::node;
use super::near::is_far;
use beckon_core::hub::{AnswerRecord, AnswerSubject, AskSubject};
use beckon_core::{
    Answer, Ask, AskContent, AskId, AskState, Entry, Event, Grant, News, Outcome, Reply, Surface,
};

/// An answer that a Beckon has accepted.
#[derive(Clone, Debug)]
pub struct Given {
    /// The machine at which it was given.
    pub member: usize,
    pub ask: AskId,
    /// The content of the ask when it was answered.
    pub kind: AskContent,
    pub answer: Answer,
    /// The machine whose agent it is for.
    pub owner: usize,
    pub serial: u64,
    /// The owner's round in which it was given, for an ask of another machine.
    pub way: Option<String>,
    /// The last that the human was told of it.
    pub told: Word,
}

/// The state of an answer, as its human is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Word {
    /// On its way.
    Underway,
    /// Given back to the human.
    Returned,
    /// Taken by the agent.
    Taken,
    /// Ended otherwise, or with an unknown outcome.
    Otherwise,
}

impl Desks {
    /// Answers one of the open asks at a machine.
    pub fn human_answers(&mut self, member: usize) {
        let open = self.members[member].desk.asks().map(|(_, entry)| entry);
        let open = open.filter(|entry| entry.state == AskState::Open);
        let near_too = self.rng.one_in(3);
        let open = open.filter(|entry| near_too || is_far(&entry.ask.id.source));
        let open: Vec<Entry> = open.cloned().collect();
        let Some(entry) = self.rng.pick(&open) else {
            return;
        };
        let answer = self.any_answer(&entry.ask);
        let (ask, seen) = (entry.ask.id.clone(), Some(entry.target().fingerprint));
        let given = given(member, &entry, answer.clone());
        let event = Event::Answered {
            ask,
            answer,
            seen,
            by: Surface::Window,
            responder: None,
        };
        let step = self.decide(member, event);
        if !matches!(step.verdict, Some(Ok(_))) {
            assert!(
                matches!(entry.ask.kind, AskContent::Unknown(_)),
                "{entry:?}: {step:?}"
            );
            return;
        }
        self.note(|| format!("{member}: answers {:?} by {:?}", given.ask, given.answer));
        self.tally.answers += 1;
        self.tally.far_answers += u64::from(is_far(&given.ask.source));
        // A Beckon that dies before the commit has not accepted the answer.
        if self.commit(member, &step).is_some() {
            self.given.push(given);
            self.carry_out(member, step);
        } else {
            self.unsaid(given);
        }
    }

    /// Records an answer whose Beckon died, if it was committed before that.
    fn unsaid(&mut self, given: Given) {
        let entry = self.members[given.member].desk.entry(&given.ask);
        if entry.is_some_and(|entry| entry.state != AskState::Open) {
            self.given.push(given);
        }
    }

    fn any_answer(&mut self, ask: &Ask) -> Answer {
        let pick = self.rng.below(3);
        match (&ask.kind, self.rng.below(4)) {
            (AskContent::Permission(_), 0) => Answer::Grant(Grant::Reject { reason: None }),
            (AskContent::Permission(_), _) => Answer::Grant(Grant::Once),
            (_, 0) => Answer::Dismiss,
            _ => Answer::Replies(vec![Reply::choice(pick)]),
        }
    }

    /// Records what a surface says about an answer that was given there.
    pub fn hear_news(&mut self, member: usize, news: &News, entry: Option<&Entry>) {
        if let Some(entry) = entry.filter(|entry| entry.ask.is_own()) {
            self.names
                .insert((member, entry.serial), entry.ask.id.own.clone());
        }
        let (ask, word) = match news {
            News::Returned(ask) => (ask, Word::Returned),
            News::Settled(ask, Outcome::Answered { answer, .. }) => {
                self.is_true(member, ask, answer);
                (ask, Word::Taken)
            }
            News::Settled(ask, _) => (ask, Word::Otherwise),
            News::Reopened(ask) if entry.is_some_and(|it| it.state != AskState::Open) => {
                (ask, Word::Underway)
            }
            _ => return,
        };
        let given = self
            .given
            .iter_mut()
            .rev()
            .find(|it| it.member == member && it.ask == *ask);
        let Some(given) = given else { return };
        given.told = word;
        match word {
            Word::Returned => self.tally.returned += 1,
            Word::Otherwise => self.tally.overtaken += 1,
            Word::Taken => self.tally.far_taken += u64::from(is_far(&ask.source)),
            Word::Underway => {}
        }
    }

    /// Records what a Beckon that starts again reads about the answers from its disk.
    pub fn note_restart(&mut self, member: usize) {
        let desk = &self.members[member].desk;
        let own = desk
            .asks()
            .map(|(_, entry)| entry)
            .filter(|entry| entry.ask.is_own());
        let names = own.map(|entry| ((member, entry.serial), entry.ask.id.own.clone()));
        self.names.extend(names);
        for given in self.given.iter_mut().filter(|given| given.member == member) {
            let entry = desk.entry(&given.ask).map(|entry| &entry.state);
            let ended = desk.memory(&given.ask).map(|memory| &memory.outcome);
            given.told = match (entry, ended) {
                (Some(AskState::Open), _) => Word::Returned,
                (Some(_), _) => Word::Underway,
                (None, Some(Outcome::Answered { .. })) => Word::Taken,
                (None, _) => Word::Otherwise,
            };
        }
    }

    /// Checks that an answer which is reported as taken was taken by its agent.
    fn is_true(&self, member: usize, ask: &AskId, answer: &Answer) {
        let given = self
            .given
            .iter()
            .rev()
            .find(|it| it.member == member && it.ask == *ask);
        let far = given.and_then(|given| Some((given.owner, self.own_name(given)?)));
        let near = (ask.source.0 == AGENT).then(|| (member, ask.own.clone()));
        let Some(asked) = near.or(far) else {
            panic!("{member}: {ask} was answered by nobody")
        };
        let asked = &self.agents.asked[&asked];
        // A dismissal of an ask that the agent gave up has the same effect.
        let given_up = !asked.waits && asked.took.is_none() && is_refusal(answer);
        let is_taken = given_up || asked.took.as_ref() == Some(answer);
        assert!(
            is_taken,
            "{member}: {ask} is called taken by {answer:?}, and took {:?}",
            asked.took
        );
    }

    /// Returns the agent's own name for the answered ask.
    fn own_name(&self, given: &Given) -> Option<String> {
        if given.ask.source.0 == AGENT {
            return Some(given.ask.own.clone());
        }
        self.names.get(&(given.owner, given.serial)).cloned()
    }

    /// Checks that an answer delivered to an agent was given by a human who saw the very same
    /// content.
    pub fn was_given(&self, post: &Post) {
        let Post {
            member,
            entry,
            answer,
            ..
        } = post;
        let mut said = self.given.iter().filter(|given| given.answer == *answer);
        let is_it = |given: &Given| {
            let same = given.owner == *member && given.kind == entry.ask.kind;
            same && self.own_name(given).as_ref() == Some(&entry.ask.id.own)
        };
        assert!(said.any(is_it), "{}: nobody said {answer:?}", entry.ask.id);
    }

    /// Checks that an answer which an owner accepts was signed by a trusted device, for that round,
    /// and given by that device's human.
    pub fn was_signed(&self, to: &AnswerSubject, signer: usize, record: &AnswerRecord) {
        assert!(
            self.hub.trusted.contains(&signer),
            "{signer} is not believed"
        );
        let is_it = |given: &&Given| {
            let way = given.way.as_deref().unwrap_or_default();
            let of_round = way.starts_with(&format!("hub:{}:", to.round));
            let ask = AskSubject {
                node: node(given.owner),
                serial: given.serial,
            };
            given.member == signer && ask == to.ask && of_round
        };
        let mut said = self.given.iter().filter(is_it);
        let told = |given: &Given| super::near::told(&given.answer) == record.answer;
        assert!(said.any(told), "{to:?}: {signer} did not say {record:?}");
    }
}

fn is_refusal(answer: &Answer) -> bool {
    matches!(
        answer,
        Answer::Dismiss | Answer::Grant(Grant::Reject { .. })
    )
}

fn given(member: usize, entry: &Entry, answer: Answer) -> Given {
    let ask = &entry.ask;
    let subject = AskSubject::of(ask).filter(|_| is_far(&ask.id.source));
    let index = |node: &str| node[..1].parse().expect("a node");
    Given {
        member,
        ask: ask.id.clone(),
        kind: ask.kind.clone(),
        answer,
        owner: subject
            .as_ref()
            .map_or(member, |subject| index(&subject.node)),
        serial: subject.map_or(entry.serial, |subject| subject.serial),
        way: ask.session.api.clone().filter(|_| is_far(&ask.id.source)),
        told: Word::Underway,
    }
}
