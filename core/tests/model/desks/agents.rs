//! The agents of all machines: their asks, and the answers that reached them.

use super::Desks;
use crate::world::Rng;
use beckon_core::{
    Answer, Ask, AskContent, AskId, Choice, DeliveryFailure, Entry, Permission, Question,
    ReturnReason, Session, SourceId, SourceListing, SourceReport, Timestamp,
};
use std::collections::BTreeMap;

/// The source of each machine's own agents.
pub const AGENT: &str = "agent";

/// The asks of the agents, by machine and name.
#[derive(Debug, Default)]
pub struct Agents {
    pub asked: BTreeMap<(usize, String), Asked>,
    count: u32,
}

#[derive(Debug)]
pub struct Asked {
    pub kind: AskContent,
    pub waits: bool,
    /// The answer that the agent took.
    pub took: Option<Answer>,
}

/// An answer on its way to an agent.
#[derive(Clone, Debug)]
pub struct Post {
    pub member: usize,
    pub entry: Box<Entry>,
    pub answer: Answer,
    /// Whether its sender died, so that nobody hears the outcome.
    pub orphan: bool,
}

impl Agents {
    pub fn list(&self, member: usize, now: Timestamp) -> SourceListing {
        let waits = self
            .asked
            .iter()
            .filter(|((of, _), asked)| *of == member && asked.waits);
        let asks = waits.map(|((_, own), asked)| (ask(own, &asked.kind, now), true));
        SourceListing {
            asks: asks.collect(),
            ..SourceListing::default()
        }
    }

    fn waiting(&self, member: usize) -> Vec<String> {
        let waits = self
            .asked
            .iter()
            .filter(|((of, _), asked)| *of == member && asked.waits);
        waits.map(|((_, own), _)| own.clone()).collect()
    }
}

fn ask(own: &str, kind: &AskContent, now: Timestamp) -> Ask {
    let session = Session {
        id: format!("ses_{own}"),
        directory: "/a".into(),
        ..Session::default()
    };
    Ask {
        id: AskId::new(AGENT, own),
        kind: kind.clone(),
        session,
        call: None,
        asked_at: now,
    }
}

/// Makes a question with equal labels and different values, or a command.
fn any_kind(rng: &mut Rng) -> AskContent {
    if rng.one_in(3) {
        let command = Some(format!("make {}", rng.below(3)));
        let permission = "bash".into();
        return AskContent::Permission(Permission {
            permission,
            command,
            always: vec!["make *".into()],
            ..Permission::default()
        });
    }
    let choice = |value: usize| Choice {
        label: ["Drop", "Drop", "Keep"][value].into(),
        value: Some(value.to_string()),
        ..Choice::default()
    };
    let mut choices: Vec<Choice> = (0..3).map(choice).collect();
    choices.rotate_left(rng.below(3));
    AskContent::Questions(vec![Question {
        question: "Which?".into(),
        choices,
        ..Question::default()
    }])
}

impl Desks {
    pub fn agent_asks(&mut self, member: usize) {
        self.agents.count += 1;
        let (own, kind) = (
            format!("que_{}", self.agents.count),
            any_kind(&mut self.rng),
        );
        let asked = Asked {
            kind: kind.clone(),
            waits: true,
            took: None,
        };
        self.agents.asked.insert((member, own.clone()), asked);
        self.says(
            member,
            SourceReport::Asked(ask(&own, &kind, self.local(member))),
        );
    }

    pub fn agent_gives_up(&mut self, member: usize) {
        let waiting = self.agents.waiting(member);
        let Some(own) = self.rng.pick(&waiting) else {
            return;
        };
        self.asked_mut(member, &own).waits = false;
        let report = if self.rng.one_in(2) {
            SourceReport::Rejected { own }
        } else {
            SourceReport::Listed(self.agents.list(member, self.local(member)))
        };
        self.says(member, report);
    }

    /// Asks something else under the name of an open ask, which is thereby given up.
    pub fn agent_asks_another(&mut self, member: usize) {
        let waiting = self.agents.waiting(member);
        let Some(own) = self.rng.pick(&waiting) else {
            return;
        };
        let kind = any_kind(&mut self.rng);
        self.tally.changed += 1;
        self.asked_mut(member, &own).kind = kind.clone();
        self.says(
            member,
            SourceReport::Asked(ask(&own, &kind, self.local(member))),
        );
    }

    /// Makes the agents' list empty for a while.
    pub fn lose_sight(&mut self, member: usize) {
        self.tally.out_of_sight += u64::from(!self.agents.waiting(member).is_empty());
        self.says(member, SourceReport::Listed(SourceListing::default()));
        let again = self.rng.below(3);
        (0..again).for_each(|_| _ = self.next_input(member));
        self.says(
            member,
            SourceReport::Listed(self.agents.list(member, self.local(member))),
        );
    }

    fn asked_mut(&mut self, member: usize, own: &str) -> &mut Asked {
        self.agents
            .asked
            .get_mut(&(member, own.to_owned()))
            .expect("it was asked")
    }

    /// Delivers an answer to an agent, or loses it; the outcome is reported, or is lost.
    pub fn next_post(&mut self) -> bool {
        let posts: Vec<usize> = (0..self.members.len())
            .filter(|member| !self.members[*member].posts.is_empty())
            .collect();
        let Some(member) = self.rng.pick(&posts) else {
            return false;
        };
        let post = self.members[member].posts.remove(0);
        let fate = if self.calm { 9 } else { self.rng.below(10) };
        let own = post.entry.ask.id.own.clone();
        self.note(|| format!("{member}: post {own} {:?} fate {fate}", post.answer));
        // The agent's earlier reports have to be processed first.
        let failed = DeliveryFailure::Other("no route".into());
        let end = match fate {
            0 => Err(failed),
            1 => Err(DeliveryFailure::Returned(ReturnReason::Unauthorized)),
            2 => self.reaches_agent(&post).and(Err(failed)),
            _ if self.members[member].has_unheard() => Err(failed),
            _ => self.reaches_agent(&post),
        };
        if !post.orphan {
            self.tell_of_post(member, own, end);
        }
        true
    }

    fn tell_of_post(&mut self, member: usize, own: String, end: Result<(), DeliveryFailure>) {
        match end {
            Ok(()) => self.says(member, SourceReport::Sent { own }),
            Err(failure) => self.says(member, SourceReport::NotSent { own, failure }),
        }
    }

    fn reaches_agent(&mut self, post: &Post) -> Result<(), DeliveryFailure> {
        let Post {
            member,
            entry,
            answer,
            ..
        } = post;
        let own = entry.ask.id.own.clone();
        let asked = self.asked_mut(*member, &own);
        if !asked.waits {
            return Err(DeliveryFailure::NotFound);
        }
        // The answer was for an earlier ask of that name.
        if asked.kind != entry.ask.kind {
            return Err(DeliveryFailure::Other("it asks something else".into()));
        }
        (asked.waits, asked.took) = (false, Some(answer.clone()));
        self.was_given(post);
        let report = match entry.ask.to_source_texts(answer) {
            Some(texts) => SourceReport::Replied {
                own,
                answers: Some(texts),
            },
            None => SourceReport::Rejected { own },
        };
        self.says(*member, report);
        Ok(())
    }

    fn says(&mut self, member: usize, report: SourceReport) {
        self.post_input(member, near_input(report));
    }
}

fn near_input(report: SourceReport) -> super::member::Input {
    super::member::Input::Report(SourceId(AGENT.into()), report)
}
