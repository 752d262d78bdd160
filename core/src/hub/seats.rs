//! The seats of one person's machines: what each says of its human, and what follows from that for
//! one of them. If a machine is no longer heard of, its presence is unknown, and unknown presence
//! silences no machine.
//!
//! Not here: where it rings then (`policy.rs`), and the clock.

use super::elsewhere::{Elsewhere, merge, place};
use super::{HereRecord, RECORD_VERSION, Seat};
use crate::{PresenceOverride, Span, Timestamp};
use alloc::borrow::ToOwned;
use alloc::collections::{BTreeMap, BTreeSet, VecDeque};
use alloc::string::String;
use alloc::vec::Vec;

/// The time without a word after which it is unknown whether the human is at a machine. Each
/// machine speaks every 15 seconds.
pub const UNHEARD_AFTER: Span = Span::seconds(45);
/// The time for which a record that was already on the hub is believed. It may be of any age, so it
/// only counts until the next record of its machine is overdue.
const FIRST_HEARD: Span = Span::seconds(20);
/// The number of former runs of a machine that are remembered, so that an old record of one of them
/// is recognized.
const FORMER_RUNS: usize = 8;
/// The most machines that are kept; no person has that many.
const MOST_MACHINES: usize = 1_024;

/// News about the other machines.
#[derive(Clone, Debug, PartialEq)]
pub enum SeatNews {
    /// The hub is connected; its records are told next. Holds this Beckon's name among Beckons.
    Joined(String),
    /// A machine has told its state, or the hub has told an `Earlier` state of it.
    Heard(String, HereRecord, HeardWhen),
    /// The hub is out of reach. What was heard holds until it is too old, for the asks that were
    /// shared by then.
    Lost,
    /// The hub was left, or is not in the settings any more.
    Left,
}

/// The time at which a machine told its state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HeardWhen {
    /// Now.
    Now,
    /// Some time ago: the hub already had it when it was joined.
    Earlier,
}

/// The seats of all machines that were heard of.
#[derive(Clone, Debug, Default)]
pub struct Seats {
    node: String,
    machines: BTreeMap<String, Machine>,
    /// The number of the last ask that others were told of; set while the hub is out of reach.
    told_until: Option<u64>,
}

#[derive(Clone, Debug)]
struct Machine {
    name: String,
    seat: Seat,
    /// The time of its last word; `None` if that is too long ago.
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
    /// The seat, as the machine tells it.
    pub seat: Seat,
    /// The time of the last input there, by the clock here.
    pub last_input: Option<Timestamp>,
    /// Whether it is one of the machines that `elsewhere` is about: the human sits there, and so it
    /// rings, or they sit there and it can't ring.
    pub seated: bool,
}

impl Seats {
    /// Takes in the news; `last_serial` is the number of the last ask. Returns whether anything
    /// changed.
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

    /// Marks the machines that were not heard of for too long as unheard. Returns whether there
    /// were any.
    pub fn expire(&mut self, now: Timestamp) -> bool {
        let mut changed = false;
        for machine in self.machines.values_mut() {
            let over = machine.heard_at.is_some_and(|at| now >= at + UNHEARD_AFTER);
            machine.heard_at = machine.heard_at.filter(|_| !over);
            changed |= over;
        }
        changed
    }

    /// Returns when the next machine will have been silent for too long.
    pub fn expires_at(&self) -> Option<Timestamp> {
        self.heard()
            .filter_map(|(_, machine)| machine.heard_at)
            .min()
            .map(|at| at + UNHEARD_AFTER)
    }

    /// Shifts the times after the clock was set, so that a word of a minute ago is still a minute
    /// old.
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

    /// Returns the machines that were heard of, by their names among Beckons. Machines that are
    /// away now are among them, as their asks are still shown.
    pub fn nodes(&self) -> impl Iterator<Item = &str> {
        self.machines.keys().map(String::as_str)
    }

    fn seats(&self) -> impl Iterator<Item = (&str, &Seat)> {
        self.heard().map(|(node, machine)| (node, &machine.seat))
    }

    /// Whether the human has said at any other machine that they are away.
    pub fn is_said_away(&self) -> bool {
        self.seats()
            .any(|(_, seat)| seat.word == PresenceOverride::Away)
    }

    /// Whether the human has paused another machine.
    pub fn is_paused(&self) -> bool {
        self.seats().any(|(_, seat)| seat.paused)
    }

    /// Returns what the others say, for an ask of that owner and number; `own` is what this machine
    /// says. Only machines that show the same ask count.
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

    /// Whether that machine shares its own asks over the hub.
    pub fn is_member(&self, node: &str) -> bool {
        self.machines.contains_key(node)
    }

    /// Returns what is known of each machine, and whether `elsewhere` is about it for an ask of
    /// this machine.
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
    /// Whether that word is newer than the last. A repeated or older one does not count.
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
    /// Whether both are equal except for the idle time.
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
    /// Makes the record of what this machine says now.
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
