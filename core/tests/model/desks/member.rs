//! A Beckon: a small version of its loop, which may die at any point. Re-enacts `app.rs` and its
//! rooms, which are not part of the core.

use super::agents::{AGENT, Post};
use super::hub::Line;
use super::{COUNT, Desks};
use crate::world::Disk;
use beckon_core::hub::{AskRecord, AskSubject, HUB_SOURCE, HubOwner, RemoteAsks, Renewal};
use beckon_core::{
    Answer, AnswerRefusal, AskId, Desk, Effect, Entry, Event, News, Policy, SourceId, SourceReport,
    Span, Step, Timestamp,
};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

pub struct Member {
    pub index: usize,
    pub desk: Desk,
    pub disk: Disk,
    pub owner: HubOwner,
    pub remote: RemoteAsks,
    pub inbox: VecDeque<Input>,
    pub posts: Vec<Post>,
    /// The connection to the hub, as long as it holds.
    pub line: Option<Line>,
    /// Whether it has read the hub's list.
    pub connected: bool,
    /// The span by which its clock is ahead.
    pub skew: Span,
    /// Whether its records are of a later version.
    pub newer: bool,
    pub sources: BTreeSet<SourceId>,
    /// The time at which it last published all that matters.
    pub renewal: Renewal,
}

/// An input of the loop.
#[derive(Clone, Debug)]
#[expect(clippy::large_enum_variant, reason = "a few wait at a time")]
pub enum Input {
    Report(SourceId, SourceReport),
    Deliver(Box<Entry>, Answer),
    List(SourceId),
    Published(
        AskId,
        beckon_core::hub::AnswerSubject,
        beckon_core::hub::Published,
    ),
}

/// Returns the name of a node; names differ in their first characters, which are shown.
pub fn node(index: usize) -> String {
    format!("{index}Node")
}

impl Member {
    pub fn new(index: usize, newer: bool) -> Self {
        let mut disk = Disk::default();
        disk.open();
        Self {
            index,
            desk: Desk::new(Policy::default()),
            disk,
            owner: owner(index, BTreeMap::new()),
            remote: RemoteAsks::default(),
            inbox: VecDeque::new(),
            posts: Vec::new(),
            line: None,
            connected: false,
            skew: Span(0),
            newer,
            sources: BTreeSet::new(),
            renewal: Renewal::begin(Span(0)),
        }
    }

    /// Tells whether its agent has sent a report that is not processed yet.
    pub fn has_unheard(&self) -> bool {
        let of_agent =
            |input: &Input| matches!(input, Input::Report(source, _) if source.0 == AGENT);
        self.inbox.iter().any(of_agent)
    }

    /// Returns the sources of other machines.
    pub fn hub_sources(&self) -> BTreeSet<SourceId> {
        let known = self
            .desk
            .outline(Timestamp(0))
            .sources
            .into_iter()
            .map(|source| source.id);
        known.filter(|id| id.0.starts_with(HUB_SOURCE)).collect()
    }
}

fn owner(index: usize, used: BTreeMap<u64, u32>) -> HubOwner {
    // Two machines share each name.
    HubOwner::new(node(index), format!("machine{}", index / 2), used)
}

impl Desks {
    /// Returns the time by the member's own clock.
    pub fn local(&self, member: usize) -> Timestamp {
        self.now + self.members[member].skew
    }

    pub fn post_input(&mut self, member: usize, input: Input) {
        self.members[member].inbox.push_back(input);
    }

    pub fn next_inputs(&mut self, member: usize) {
        for _ in 0..=self.rng.below(3) {
            self.next_input(member);
        }
    }

    pub fn next_published(&mut self, member: usize) -> bool {
        let inbox = &mut self.members[member].inbox;
        let first = inbox
            .iter()
            .position(|input| matches!(input, Input::Published(..)));
        let Some(input) = first.and_then(|index| inbox.remove(index)) else {
            return false;
        };
        self.on_input(member, input);
        true
    }

    pub fn next_input(&mut self, member: usize) -> bool {
        let Some(input) = self.members[member].inbox.pop_front() else {
            return false;
        };
        self.on_input(member, input);
        true
    }

    fn on_input(&mut self, member: usize, input: Input) {
        self.note(|| format!("{member}: {input:?}"));
        match input {
            Input::Report(source, report) => {
                drop(self.handle(member, Event::Source(source, report)))
            }
            Input::Deliver(entry, answer) => self.send_answer(member, &entry, &answer),
            Input::List(source) => self.list_machine(member, &source),
            Input::Published(ask, to, end) => {
                let report = self.members[member].remote.published(&ask, &to, end);
                if let Some(report) = report {
                    self.tell_desk(member, &ask.source, report);
                }
            }
        }
    }

    /// Runs one turn of the loop. `None` if the Beckon dies meanwhile.
    pub fn handle(&mut self, member: usize, event: Event) -> Option<Result<AskId, AnswerRefusal>> {
        let step = self.decide(member, event);
        self.commit(member, &step)?;
        self.carry_out(member, step)
    }

    pub fn decide(&mut self, member: usize, event: Event) -> Step {
        let now = self.local(member);
        self.members[member].desk.handle(event, now)
    }

    /// Commits a step together with the rounds that it uses up.
    pub fn commit(&mut self, member: usize, step: &Step) -> Option<()> {
        self.may_die(member)?;
        let Member {
            desk, owner, disk, ..
        } = &mut self.members[member];
        let used = step.news.iter().filter_map(|news| match news {
            News::Answered(ask, _) => desk.entry(ask).filter(|entry| entry.ask.is_own()),
            _ => None,
        });
        let used = used.map(|entry| entry.serial);
        let rounds: Vec<(u64, u32)> = used.map(|serial| (serial, owner.use_up(serial))).collect();
        disk.commit_rounds(&step.save, &rounds);
        self.may_die(member)
    }

    pub fn carry_out(&mut self, member: usize, step: Step) -> Option<Result<AskId, AnswerRefusal>> {
        for effect in step.effects.iter().cloned() {
            self.run(member, effect);
            self.may_die(member)?;
        }
        for news in &step.news {
            let id = subject(news);
            let entry = id.and_then(|id| self.members[member].desk.entry(id).cloned());
            let entry = entry.or_else(|| saved(id?, &step));
            self.hear_news(member, news, entry.as_ref());
            self.share_news(member, news, entry.as_ref());
            self.may_die(member)?;
        }
        Some(step.verdict.unwrap_or(Err(AnswerRefusal::Unknown)))
    }

    fn run(&mut self, member: usize, effect: Effect) {
        match effect {
            Effect::Deliver { entry, answer } if entry.ask.id.source.0 == AGENT => {
                self.members[member].posts.push(Post {
                    member,
                    entry,
                    answer,
                    orphan: false,
                });
            }
            Effect::Deliver { entry, answer } => {
                self.post_input(member, Input::Deliver(entry, answer));
            }
            Effect::Refresh(source) if source.0 == AGENT => {
                let listing = self.agents.list(member, self.local(member));
                self.post_input(member, Input::Report(source, SourceReport::Listed(listing)));
            }
            Effect::Refresh(source) => self.post_input(member, Input::List(source)),
            Effect::Inquire(entry) => {
                let AskId { source, own } = entry.ask.id;
                self.post_input(
                    member,
                    Input::Report(source, SourceReport::Unexplained { own }),
                );
            }
            _ => {}
        }
    }

    pub fn may_die(&mut self, member: usize) -> Option<()> {
        if !self.calm && self.rng.one_in(400) {
            self.crash(member);
            return None;
        }
        Some(())
    }

    pub fn next_deadline(&self) -> Option<Timestamp> {
        let due = |member: &Member| Some(member.desk.next_deadline()? + Span(-member.skew.0));
        self.members.iter().filter_map(due).min()
    }

    pub fn tick(&mut self, at: Timestamp) {
        self.now = self.now.max(at);
        for member in 0..COUNT {
            let due = self.members[member].desk.next_deadline();
            if due.is_some_and(|due| due <= self.local(member)) {
                self.handle(member, Event::Tick);
            }
        }
    }

    pub fn set_clock(&mut self, member: usize) {
        let by = [Span::minutes(-60), Span::minutes(60)][self.rng.below(2)];
        self.note(|| format!("{member}: the clock is set by {by:?}"));
        self.tally.clocks_set += 1;
        let skew = &mut self.members[member].skew;
        *skew = Span(skew.0 + by.0);
        self.handle(member, Event::ClockSet(by));
    }

    /// Kills the Beckon with SIGKILL, or cuts the power of its machine, and starts it again.
    pub fn crash(&mut self, member: usize) {
        let power = self.rng.one_in(3);
        self.note(|| format!("{member}: {}", if power { "POWER CUT" } else { "CRASH" }));
        self.tally.crashes += 1;
        self.tally.power_cuts += u64::from(power);
        self.leave_line(member);
        let keep = self.rng.below(2) == 0;
        let Self { members, rng, .. } = self;
        let it = &mut members[member];
        it.posts.retain(|_| keep);
        it.posts.iter_mut().for_each(|post| post.orphan = true);
        it.inbox.clear();
        if power {
            it.disk.lose_tail(rng);
        }
        // The clock may be set while the Beckon does not run.
        if rng.one_in(6) {
            it.skew = [Span::minutes(-60), Span(0), Span::minutes(60)][rng.below(3)];
        }
        self.start(member);
    }

    pub fn start(&mut self, member: usize) {
        let now = self.local(member);
        let listing = self.agents.list(member, now);
        let it = &mut self.members[member];
        let used = it.disk.open();
        it.desk = Desk::restore(Policy::default(), it.disk.rows.load(used), now);
        it.owner = owner(it.index, it.disk.rows.rounds.clone());
        (it.remote, it.sources) = (RemoteAsks::default(), it.hub_sources());
        let agents = SourceId(AGENT.into());
        self.post_input(member, Input::Report(agents, SourceReport::Listed(listing)));
        self.note_restart(member);
    }

    pub fn tell_desk(&mut self, member: usize, source: &SourceId, report: SourceReport) {
        self.note(|| format!("{member}: {source:?} {report:?}"));
        if self.members[member].sources.contains(source) {
            self.handle(member, Event::Source(source.clone(), report));
        }
    }
}

/// The records of the hub, by subject.
pub type Listing = BTreeMap<AskSubject, AskRecord>;

pub fn subject(news: &News) -> Option<&AskId> {
    match news {
        News::Asked(id)
        | News::Answered(id, _)
        | News::Returned(id)
        | News::Settled(id, _)
        | News::Reopened(id)
        | News::Changed(id) => Some(id),
        _ => None,
    }
}

fn saved(id: &AskId, step: &Step) -> Option<Entry> {
    step.save.iter().rev().find_map(|row| match row {
        beckon_core::RowChange::Ask(entry) if entry.ask.id == *id => Some((**entry).clone()),
        _ => None,
    })
}
