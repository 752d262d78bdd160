//! The hub by the rules of its streams, and the connections to it. It keeps the last record of each
//! ask and the first answer of each round; messages keep their order within a subject, and have
//! none between subjects.

use super::member::{Input, Member, node};
use super::{COUNT, Desks};
use beckon_core::hub::{
    AnswerRecord, AnswerSubject, AskRecord, AskSubject, Published, SharedState,
};
use beckon_core::{AskId, Timestamp};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// A record that a device has signed for a subject.
#[derive(Clone, Debug)]
pub struct Sealed<T> {
    /// The device whose key it is; `None` for a forgery.
    pub device: Option<usize>,
    pub subject: String,
    pub record: T,
}

pub struct Hub {
    pub asks: BTreeMap<AskSubject, Sealed<AskRecord>>,
    pub answers: BTreeMap<String, (AnswerSubject, Sealed<Option<AnswerRecord>>)>,
    pub up: bool,
    /// The devices that are trusted.
    pub trusted: BTreeSet<usize>,
    /// Messages of connections that broke, which still arrive.
    late: VecDeque<(usize, Up)>,
    /// The time at which each subject was last written.
    pub told_at: BTreeMap<String, Timestamp>,
    /// The last writes, which a power cut may lose.
    undo: Vec<Undo>,
    backup: Option<Backup>,
    /// All records of asks that were ever put there.
    pub ever: Vec<(AskSubject, Sealed<AskRecord>)>,
    /// The Beckons whose connection was lied over.
    pub deceived: BTreeSet<usize>,
}

type Backup = (
    BTreeMap<AskSubject, Sealed<AskRecord>>,
    BTreeMap<String, (AnswerSubject, Sealed<Option<AnswerRecord>>)>,
);

#[expect(clippy::large_enum_variant, reason = "few are kept, for one life")]
enum Undo {
    Ask(AskSubject, Option<Sealed<AskRecord>>),
    Answer(String),
}

/// A connection.
#[derive(Default)]
pub struct Line {
    up: VecDeque<Up>,
    down: VecDeque<Down>,
    /// The rounds whose answers were looked up, by the ask's number.
    places: BTreeMap<u64, u32>,
}

/// A message from a Beckon to the hub.
#[derive(Clone, Debug)]
pub enum Up {
    Share(AskSubject, AskRecord),
    Answer {
        ask: Option<AskId>,
        to: AnswerSubject,
        record: AnswerRecord,
        again: bool,
    },
}

/// A message from the hub to a Beckon.
#[derive(Clone, Debug)]
#[expect(clippy::large_enum_variant, reason = "few are on their way at a time")]
enum Down {
    Listed(BTreeMap<AskSubject, Sealed<AskRecord>>),
    Ask(AskSubject, Sealed<AskRecord>),
    Answer(AnswerSubject, Sealed<Option<AnswerRecord>>),
}

impl Line {
    /// Loses a message on its way down, if there is one besides the list.
    pub fn lose_one(&mut self, rng: &mut crate::world::Rng) -> bool {
        let is_list = |down: &Down| matches!(down, Down::Listed(_));
        let from = usize::from(self.down.front().is_some_and(is_list));
        let Some(most) = self.down.len().checked_sub(from + 1) else {
            return false;
        };
        self.down.remove(from + rng.below(most + 1)).is_some()
    }

    /// Sends a record of an ask, whether or not it is the newest one.
    pub fn show(&mut self, subject: AskSubject, sealed: Sealed<AskRecord>) {
        self.down.push_back(Down::Ask(subject, sealed));
    }
}

impl Down {
    fn subject(&self) -> String {
        match self {
            Down::Listed(_) => String::new(),
            Down::Ask(subject, _) => subject.subject(),
            Down::Answer(to, _) => to.subject(),
        }
    }
}

impl Hub {
    pub fn new(count: usize) -> Self {
        Self {
            asks: BTreeMap::new(),
            answers: BTreeMap::new(),
            up: true,
            trusted: (0..count).collect(),
            late: VecDeque::new(),
            told_at: BTreeMap::new(),
            undo: Vec::new(),
            backup: None,
            ever: Vec::new(),
            deceived: BTreeSet::new(),
        }
    }

    pub fn is_believed<T>(&self, sealed: &Sealed<T>, subject: &str) -> bool {
        sealed.subject == subject && sealed.device.is_some_and(|it| self.trusted.contains(&it))
    }

    fn answer_there(&self, to: &AnswerSubject) -> Option<&Sealed<Option<AnswerRecord>>> {
        self.answers.get(&to.subject()).map(|(_, sealed)| sealed)
    }

    fn published(&self, to: &AnswerSubject, record: &AnswerRecord) -> Option<Published> {
        let there = self.answer_there(to)?;
        let is_ours = there
            .record
            .as_ref()
            .is_some_and(|there| there.nonce == record.nonce);
        Some(if is_ours {
            Published::Kept
        } else {
            Published::Lost
        })
    }
}

impl Desks {
    /// Sends a message to the hub, if the member is connected.
    pub fn tell_hub(&mut self, member: usize, up: Up) {
        let it = &mut self.members[member];
        if let Some(line) = it.line.as_mut().filter(|_| it.connected) {
            line.up.push_back(up);
        }
    }

    pub fn next_ups(&mut self, member: usize) {
        for _ in 0..=self.rng.below(3) {
            self.next_up(member);
        }
    }

    pub fn next_up(&mut self, member: usize) -> bool {
        if !self.hub.up {
            return false;
        }
        let line = self.members[member].line.as_mut();
        let Some(up) = line.and_then(|line| line.up.pop_front()) else {
            return false;
        };
        self.take_up(member, up, true);
        true
    }

    /// Delivers a message of a connection that broke meanwhile.
    pub fn next_late(&mut self) -> bool {
        if !self.hub.up && !self.calm {
            return false;
        }
        let Some((member, up)) = self.hub.late.pop_front() else {
            return false;
        };
        self.tally.late += 1;
        self.take_up(member, up, false);
        true
    }

    fn take_up(&mut self, member: usize, up: Up, is_heard: bool) {
        self.note(|| format!("hub: of {member} {up:?}"));
        match up {
            Up::Share(subject, record) => {
                let (device, name) = (Some(member), subject.subject());
                let place = is_heard
                    .then(|| self.place_of(member, &subject, &record))
                    .flatten();
                self.put_ask(
                    subject,
                    Sealed {
                        device,
                        subject: name,
                        record,
                    },
                );
                if let Some(place) = place {
                    self.look_at(member, &place);
                }
            }
            Up::Answer {
                ask,
                to,
                record,
                again,
            } => {
                let end = self.take_answer(member, &to, record, again);
                if let Some(ask) = ask.filter(|_| is_heard) {
                    self.post_input(member, Input::Published(ask, to, end));
                }
            }
        }
    }

    /// Returns the subject of the answer to be looked up, when an ask has entered a new round.
    /// Re-enacts `hub/places.rs`.
    fn place_of(
        &mut self,
        member: usize,
        ask: &AskSubject,
        record: &AskRecord,
    ) -> Option<AnswerSubject> {
        let line = self.members[member].line.as_mut()?;
        if record.is_ended() {
            line.places.remove(&ask.serial);
        }
        if record.state != SharedState::Open {
            return None;
        }
        let former = line.places.insert(ask.serial, record.round);
        let to = AnswerSubject {
            ask: ask.clone(),
            round: record.round,
        };
        (former != Some(record.round)).then_some(to)
    }

    fn look_at(&mut self, member: usize, place: &AnswerSubject) {
        let there = self.hub.answer_there(place).cloned();
        let line = self.members[member].line.as_mut();
        if let Some((sealed, line)) = there.zip(line) {
            line.down.push_back(Down::Answer(place.clone(), sealed));
        }
    }

    pub fn put_ask(&mut self, subject: AskSubject, sealed: Sealed<AskRecord>) {
        self.hub.told_at.insert(subject.subject(), self.now);
        self.hub.ever.push((subject.clone(), sealed.clone()));
        let before = self.hub.asks.insert(subject.clone(), sealed.clone());
        self.hub.undo.push(Undo::Ask(subject.clone(), before));
        for line in self
            .members
            .iter_mut()
            .filter_map(|member| member.line.as_mut())
        {
            line.down
                .push_back(Down::Ask(subject.clone(), sealed.clone()));
        }
    }

    /// Takes an answer, as `publish_answer` does: an unclear publication is read back, or stays
    /// unclear.
    fn take_answer(
        &mut self,
        member: usize,
        to: &AnswerSubject,
        record: AnswerRecord,
        again: bool,
    ) -> Published {
        let unclear = !self.calm && self.rng.one_in(5);
        let read_back = again.then(|| self.hub.published(to, &record)).flatten();
        if let Some(known) = read_back {
            return known;
        }
        let sealed = Sealed {
            device: Some(member),
            subject: to.subject(),
            record: Some(record.clone()),
        };
        self.put_answer(to.clone(), sealed);
        if unclear {
            self.tally.unknown_acks += 1;
            return Published::Unknown("no acknowledgement".into());
        }
        self.hub.published(to, &record).expect("one is there")
    }

    /// Stores an answer, unless the subject has one already: the first one stays.
    pub fn put_answer(&mut self, to: AnswerSubject, sealed: Sealed<Option<AnswerRecord>>) -> bool {
        let subject = to.subject();
        if self.hub.answers.contains_key(&subject) {
            return false;
        }
        self.hub.told_at.insert(subject.clone(), self.now);
        self.hub
            .answers
            .insert(subject.clone(), (to.clone(), sealed.clone()));
        self.hub.undo.push(Undo::Answer(subject));
        let owner = self
            .members
            .iter_mut()
            .find(|it| node(it.index) == to.ask.node);
        if let Some(line) = owner.and_then(|owner| owner.line.as_mut()) {
            line.down.push_back(Down::Answer(to, sealed));
        }
        true
    }

    /// Connects a member: it subscribes first, then lists. Answers come from then on.
    pub fn connect(&mut self, member: usize) {
        let Self { hub, members, .. } = self;
        let it = &mut members[member];
        if !hub.up || it.line.is_some() {
            return;
        }
        let mut line = Line::default();
        line.down.push_back(Down::Listed(hub.asks.clone()));
        it.line = Some(line);
        self.note(|| format!("{member}: connects"));
    }

    pub fn next_downs(&mut self, member: usize) {
        for _ in 0..=self.rng.below(6) {
            self.next_down(member);
        }
    }

    /// Delivers the next message of any subject; the list comes before all others.
    pub fn next_down(&mut self, member: usize) -> bool {
        if !self.hub.up {
            return false;
        }
        let Self {
            members, rng, calm, ..
        } = self;
        let Some(line) = members[member].line.as_mut() else {
            return false;
        };
        let Some(Down::Listed(_)) = line.down.front() else {
            let Some(next) = any_subject(line, rng) else {
                return false;
            };
            let twice = !*calm && rng.one_in(12);
            self.tally.doubled += u64::from(twice);
            if twice {
                self.hear(member, next.clone());
            }
            self.hear(member, next);
            return true;
        };
        let Some(listed) = line.down.pop_front() else {
            return false;
        };
        self.hear(member, listed);
        true
    }

    fn hear(&mut self, member: usize, down: Down) {
        // The member may have died a moment ago, over the first copy of the same message.
        if self.members[member].line.is_none() {
            return;
        }
        self.note(|| format!("{member}: hears {down:?}"));
        match down {
            Down::Listed(there) => {
                // Messages of an earlier connection are processed before the list of this one.
                while self.next_published(member) {}
                let believed = there.into_iter().filter_map(|(subject, sealed)| {
                    let is_believed = self.hub.is_believed(&sealed, &subject.subject());
                    is_believed.then_some((subject, sealed.record))
                });
                let believed = believed.collect();
                self.members[member].connected = true;
                self.on_shared_list(member, believed);
            }
            Down::Ask(subject, sealed) => {
                if self.hub.is_believed(&sealed, &subject.subject()) {
                    self.on_shared(member, subject, sealed.record);
                }
            }
            Down::Answer(to, sealed) => {
                let signer = sealed
                    .device
                    .filter(|_| self.hub.is_believed(&sealed, &to.subject()));
                self.on_hub_answer(member, &to, sealed.record, signer);
            }
        }
    }

    pub fn line_trouble(&mut self, member: usize) {
        if self.members[member].line.is_some() {
            self.tally.cuts += 1;
            self.cut(member);
        }
    }

    /// Breaks a member's connection. Its Beckon is told, but not what became of its unacknowledged
    /// answers.
    fn cut(&mut self, member: usize) {
        self.note(|| format!("{member}: cut off"));
        for (ask, to) in self.leave_line(member) {
            let end = Published::Unknown("the connection ended".into());
            self.post_input(member, Input::Published(ask, to, end));
        }
    }

    /// Ends a member's connection and returns the answers that were on their way. They may arrive
    /// much later, or never.
    pub fn leave_line(&mut self, member: usize) -> Vec<(AskId, AnswerSubject)> {
        let Self {
            members, hub, rng, ..
        } = self;
        let Member {
            line, connected, ..
        } = &mut members[member];
        *connected = false;
        let Some(line) = line.take() else {
            return Vec::new();
        };
        let arrives = rng.below(line.up.len() + 1);
        hub.late
            .extend(line.up.iter().take(arrives).cloned().map(|up| (member, up)));
        let answers = line.up.into_iter().filter_map(|up| match up {
            Up::Answer { ask, to, .. } => Some((ask?, to)),
            Up::Share(..) => None,
        });
        answers.collect()
    }

    fn cut_all(&mut self) {
        (0..COUNT).for_each(|member| self.cut(member));
    }

    pub fn hub_trouble(&mut self) {
        match self.rng.below(8) {
            _ if !self.hub.up => self.hub.up = true,
            0..=1 => self.stop_hub(),
            2..=3 => self.lose_last_writes(),
            4..=6 => self.hub.backup = Some((self.hub.asks.clone(), self.hub.answers.clone())),
            _ => self.restore_backup(),
        }
    }

    fn stop_hub(&mut self) {
        self.note(|| "hub: stops".into());
        self.tally.hub_stops += 1;
        self.hub.up = false;
        self.cut_all();
    }

    /// Simulates a power failure of the hub: it loses its last writes, although it acknowledged
    /// them.
    fn lose_last_writes(&mut self) {
        self.tally.hub_power_cuts += 1;
        let lost = self.rng.below(self.hub.undo.len().min(12) + 1);
        self.note(|| format!("hub: loses its last {lost} writes"));
        for _ in 0..lost {
            match self.hub.undo.pop() {
                Some(Undo::Ask(subject, Some(before))) => {
                    self.hub.asks.insert(subject, before);
                }
                Some(Undo::Ask(subject, None)) => drop(self.hub.asks.remove(&subject)),
                Some(Undo::Answer(subject)) => drop(self.hub.answers.remove(&subject)),
                None => {}
            }
        }
        self.cut_all();
    }

    fn restore_backup(&mut self) {
        let Some((asks, answers)) = self.hub.backup.clone() else {
            return;
        };
        self.note(|| "hub: restored".into());
        self.tally.hub_restored += 1;
        (self.hub.asks, self.hub.answers) = (asks, answers);
        self.hub.undo.clear();
        self.cut_all();
    }

    /// Removes a device from the list of trusted ones, or puts it back; every Beckon connects anew
    /// after that.
    pub fn change_trust(&mut self) {
        if self.hub.trusted.len() < COUNT {
            return self.trust_all();
        }
        let device = self.rng.below(COUNT);
        self.note(|| format!("device {device} is believed no more"));
        self.tally.distrusted += 1;
        self.hub.trusted.remove(&device);
        self.cut_all();
    }

    pub fn trust_all(&mut self) {
        if self.hub.trusted.len() < COUNT {
            self.hub.trusted = (0..COUNT).collect();
            self.cut_all();
        }
    }
}

fn any_subject(line: &mut Line, rng: &mut crate::world::Rng) -> Option<Down> {
    if line.down.is_empty() {
        return None;
    }
    let subject = line.down[rng.below(line.down.len())].subject();
    let first = line
        .down
        .iter()
        .position(|down| down.subject() == subject)?;
    line.down.remove(first)
}
