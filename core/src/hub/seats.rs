//! The seats of one person's machines: what they say of their human, and what follows from it for
//! one of them. The presence of a machine that is no longer heard of is unknown, and unknown
//! presence silences no machine.
//!
//! Not here: where it rings then (`policy.rs`), and the clock.

use super::elsewhere::{Elsewhere, merge, place};
use super::{HereRecord, RECORD_VERSION, Seat};
use crate::{PresenceOverride, Span, Timestamp};
use alloc::borrow::ToOwned;
use alloc::collections::{BTreeMap, BTreeSet, VecDeque};
use alloc::string::String;
use alloc::vec::Vec;

/// The time after which a machine that was not heard of is not known to be there. Each says it
/// every 15 seconds.
pub const UNHEARD_AFTER: Span = Span::seconds(45);
/// The time for which the hub's older word is believed, which may be as old as it gets: until the
/// next word of its machine is overdue.
const FIRST_HEARD: Span = Span::seconds(20);
/// The number of former runs of a machine that are known again.
const FORMER_RUNS: usize = 8;
/// The largest number of machines that are kept: more than anybody has.
const MOST_MACHINES: usize = 1_024;

/// News of the other machines.
#[derive(Clone, Debug, PartialEq)]
pub enum SeatNews {
    /// The hub is there; what it has is told next. This Beckon's name among Beckons.
    Joined(String),
    /// A machine tells its state, or the hub tells what it had told `Earlier`.
    Heard(String, HereRecord, HeardWhen),
    /// The hub is away. What was heard holds until it is too old, for what was shared by then.
    Lost,
    /// The hub was left, or is in the settings no more.
    Left,
}

/// The time at which a machine said something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HeardWhen {
    /// Now.
    Now,
    /// Some time ago: the hub had it when it was joined.
    Earlier,
}

/// The seats of all machines that are heard of.
#[derive(Clone, Debug, Default)]
pub struct Seats {
    node: String,
    machines: BTreeMap<String, Machine>,
    /// The number of the last ask that others were told of, while the hub is away.
    told_until: Option<u64>,
}

#[derive(Clone, Debug)]
struct Machine {
    name: String,
    seat: Seat,
    /// The time of its last word; `None`: it has not been heard of for too long.
    heard_at: Option<Timestamp>,
    run: String,
    count: u64,
    former: VecDeque<String>,
}

/// A machine of which something is known.
#[derive(Clone, Debug, PartialEq)]
pub struct SeatView {
    /// The machine's name among Beckons.
    pub node: String,
    /// The machine's name, for people.
    pub machine: String,
    /// The seat that the machine tells.
    pub seat: Seat,
    /// The time of the last touch there, by the clock here.
    pub last_input: Option<Timestamp>,
    /// Whether it is one of those that `elsewhere` is about: the human sits there, and so it rings,
    /// or they sit there and it can't.
    pub seated: bool,
}

impl Seats {
    /// Takes in what is heard; `last_serial` is the number of the last ask. Returns whether
    /// anything changed.
    pub fn take(&mut self, news: SeatNews, last_serial: u64, now: Timestamp) -> bool {
        match news {
            SeatNews::Joined(node) => {
                let changed = self.node != node || self.told_until.is_some();
                (self.node, self.told_until) = (node, None);
                changed
            }
            SeatNews::Heard(node, record, when) => self.hear(node, record, when, now),
            SeatNews::Lost => {
                let changed = self.told_until.is_none() && !self.machines.is_empty();
                self.told_until.get_or_insert(last_serial);
                changed
            }
            SeatNews::Left => {
                let changed = !self.machines.is_empty();
                *self = Self::default();
                changed
            }
        }
    }

    fn hear(&mut self, node: String, record: HereRecord, when: HeardWhen, now: Timestamp) -> bool {
        let HereRecord {
            v,
            machine: name,
            run,
            count,
            seat,
            ..
        } = record;
        let room = self.machines.len() < MOST_MACHINES || self.machines.contains_key(&node);
        if v != RECORD_VERSION || node == self.node || !room {
            return false;
        }
        let heard_at = Some(match when {
            HeardWhen::Now => now,
            HeardWhen::Earlier => now + Span(FIRST_HEARD.0 - UNHEARD_AFTER.0),
        });
        let Some(known) = self.machines.get_mut(&node) else {
            let former = VecDeque::new();
            let machine = Machine {
                name,
                seat,
                heard_at,
                run,
                count,
                former,
            };
            self.machines.insert(node, machine);
            return true;
        };
        if !known.is_newer(&run, count) {
            return false;
        }
        known.begin(run);
        let is_same = known.heard_at.is_some() && known.seat.is_like(&seat) && known.name == name;
        *known = Machine {
            name,
            seat,
            heard_at,
            count,
            ..known.clone()
        };
        !is_same
    }

    /// Forgets the machines that were not heard of for too long. Returns whether there were any.
    pub fn expire(&mut self, now: Timestamp) -> bool {
        let mut changed = false;
        for machine in self.machines.values_mut() {
            let over = machine.heard_at.is_some_and(|at| now >= at + UNHEARD_AFTER);
            machine.heard_at = machine.heard_at.filter(|_| !over);
            changed |= over;
        }
        changed
    }

    /// Returns the time when a machine will not have been heard of for too long.
    pub fn expires_at(&self) -> Option<Timestamp> {
        self.heard()
            .filter_map(|(_, machine)| machine.heard_at)
            .min()
            .map(|at| at + UNHEARD_AFTER)
    }

    /// Shifts the times after the clock was set: what was a minute ago still was.
    pub(crate) fn shift(&mut self, by: Span) {
        for machine in self.machines.values_mut() {
            machine.heard_at = machine.heard_at.map(|at| at + by);
        }
    }

    fn heard(&self) -> impl Iterator<Item = (&str, &Machine)> {
        let heard = self
            .machines
            .iter()
            .filter(|(_, machine)| machine.heard_at.is_some());
        heard.map(|(node, machine)| (node.as_str(), machine))
    }

    /// Returns the machines that were heard of, by their names among Beckons; also those that are
    /// away now: what they ask is still shown.
    pub fn nodes(&self) -> impl Iterator<Item = &str> {
        self.machines.keys().map(String::as_str)
    }

    fn seats(&self) -> impl Iterator<Item = (&str, &Seat)> {
        self.heard().map(|(node, machine)| (node, &machine.seat))
    }

    /// Whether the human has said anywhere else that they are away.
    pub fn is_said_away(&self) -> bool {
        self.seats()
            .any(|(_, seat)| seat.word == PresenceOverride::Away)
    }

    /// Whether the human has paused another machine.
    pub fn is_paused(&self) -> bool {
        self.seats().any(|(_, seat)| seat.paused)
    }

    /// Returns what the others say, for an ask of that owner and number; `own` is what this machine
    /// says. Only those count that show the same ask.
    pub fn elsewhere(&self, own: &Seat, owner: Option<&str>, serial: u64) -> Elsewhere {
        merge(own, &|| self.showing(owner, serial).map(|(_, seat)| seat))
    }

    /// Returns the machines that show an ask of that owner and number.
    fn showing<'a>(
        &'a self,
        owner: Option<&'a str>,
        serial: u64,
    ) -> impl Iterator<Item = (&'a str, &'a Seat)> {
        let told = self.told_until.is_none_or(|last| serial <= last);
        let owner = owner.unwrap_or(&self.node);
        let shows = move |node: &str, seat: &Seat| node == owner || seat.hears.contains(owner);
        self.seats()
            .filter(move |(node, seat)| told && shows(node, seat))
    }

    /// Whether no machine was ever heard of.
    pub fn is_empty(&self) -> bool {
        self.machines.is_empty()
    }

    /// Whether another machine shares what it asks by itself.
    pub fn is_member(&self, node: &str) -> bool {
        self.machines.contains_key(node)
    }

    /// Returns what is known of each, and which of them `elsewhere` is about for what is asked
    /// here.
    pub fn views(&self, own: &Seat, serial: u64, now: Timestamp) -> Vec<SeatView> {
        let others = || self.showing(None, serial).map(|(_, seat)| seat);
        let is_seated = place(merge(own, &others), own, &others);
        let shown: BTreeSet<&str> = self.showing(None, serial).map(|(node, _)| node).collect();
        let view = |(node, machine): (&str, &Machine)| SeatView {
            node: node.to_owned(),
            machine: machine.name.clone(),
            seat: machine.seat.clone(),
            last_input: machine.last_input().map(|at| at.min(now)),
            seated: shown.contains(node) && is_seated(&machine.seat),
        };
        self.heard().map(view).collect()
    }
}

impl Machine {
    /// Whether the word is newer than the last: a repeated or older one counts for nothing.
    fn is_newer(&self, run: &str, count: u64) -> bool {
        match self.run == run {
            true => count > self.count,
            false => !self.former.iter().any(|former| former == run),
        }
    }

    fn begin(&mut self, run: String) {
        if self.run == run {
            return;
        }
        if self.former.len() == FORMER_RUNS {
            self.former.pop_front();
        }
        self.former
            .push_back(core::mem::replace(&mut self.run, run));
    }

    fn last_input(&self) -> Option<Timestamp> {
        let ago = i64::try_from(self.seat.idle_ms?).unwrap_or(i64::MAX);
        Some(Timestamp(self.heard_at?.0.saturating_sub(ago)))
    }
}

impl Seat {
    /// Whether nothing differs but the time.
    pub fn is_like(&self, other: &Self) -> bool {
        Self {
            idle_ms: None,
            ..self.clone()
        } == Self {
            idle_ms: None,
            ..other.clone()
        }
    }
}

impl HereRecord {
    /// Makes a record of what this machine says now.
    pub fn new(machine: &str, run: &str, count: u64, seat: Seat) -> Self {
        let (v, machine, run) = (RECORD_VERSION, machine.to_owned(), run.to_owned());
        Self {
            v,
            machine,
            run,
            count,
            version: None,
            seat,
        }
    }
}
