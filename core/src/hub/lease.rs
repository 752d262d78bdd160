//! The lease that says which of several machines serves a bot: until when its holder may send, when
//! the holder refreshes it, and when another machine tries to take it.
//!
//! A lease lives on the hub for [`LEASE_LIVES`] after it was written. Its holder counts from before
//! it wrote, by its own steady clock, and only [`HOLDS_FOR`]: it has stopped by itself before the
//! hub lets another machine begin. The record's sequence is the token that grows with every holder.
//!
//! Not here: the hub and the clock (a time is a length since some beginning that nobody sets), what
//! is done without a hub (`lease/alone.rs`), and without Telegram (`lease/reach.rs`).

mod alone;
mod reach;

pub use alone::{AFTER_LEAVING, Probe};

use super::RECORD_VERSION;
use crate::Span;
use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use alone::Alone;
use reach::Reach;
use serde::{Deserialize, Serialize};

/// The time for which the hub keeps a lease that is not refreshed.
pub const LEASE_LIVES: Span = Span::seconds(30);
/// The time for which its holder relies on it. Calls that are under way then have the rest of the
/// lease's time to end.
pub const HOLDS_FOR: Span = Span::seconds(20);
/// The interval at which the holder refreshes the lease: it outlives two refreshes that fail.
const REFRESH_EVERY: Span = Span::seconds(6);
/// The silence after which a holder may be gone. Then this machine asks the hub for the lease,
/// which the hub gives once it has forgotten the former one.
const SILENT: Span = Span::seconds(15);
/// The interval between tries to get the lease.
const TRY_EVERY: Span = Span::seconds(1);

/// The record on the hub of who serves a bot.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LeaseRecord {
    /// [`RECORD_VERSION`]
    pub v: u32,
    /// The holder's name among Beckons.
    pub node: String,
    /// The holder's machine, for people.
    pub machine: String,
    /// The holder's run: a copy of its files on another machine is a different holder.
    pub run: String,
    /// Whether the holder has let go.
    #[serde(default)]
    pub released: bool,
}

/// Returns the subject of the lease of a bot.
pub fn lease_subject(bot: i64) -> String {
    format!("bk.lease.telegram.{bot}")
}

/// The permission to send and poll.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Permit {
    /// Always: nobody shares the bot.
    Always,
    /// Never, for now.
    Never,
    /// Allowed until that time of the steady clock.
    Until(Span),
    /// Allowed until another poller turns up.
    Alone,
    /// Forbidden until it is known whether another machine polls, which is to be found out now.
    Probe,
    /// Forbidden until Telegram answers again, which is to be found out now.
    Knock,
}

impl Permit {
    /// Whether a call may begin now.
    pub fn allows(self, now: Span) -> bool {
        match self {
            Self::Always | Self::Alone => true,
            Self::Never | Self::Probe | Self::Knock => false,
            Self::Until(until) => now < until,
        }
    }
}

/// The machine that serves the bot, as far as it is known here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LeaseHolder {
    /// No machine yet, or it is not known yet which.
    Nobody,
    /// The own Beckon, whose records carry that token.
    Own(u64),
    /// A machine with another Beckon.
    Other {
        /// The holder's name among Beckons.
        node: String,
        /// The holder's machine, for people.
        machine: String,
    },
    /// Unknown, since the hub is away.
    Unknown,
    /// The own Beckon without a hub, since nobody else polls.
    Alone,
    /// Machines of a hub that this Beckon has left: the bot is theirs as long as one of them polls.
    Left,
    /// A machine outside this hub, which polls although this Beckon holds the lease. It keeps the
    /// bot until it stops polling.
    Foreign,
}

/// A record that is to be written, provided that no newer one than the expected is there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeaseClaim {
    /// The record itself.
    pub record: LeaseRecord,
    /// The sequence of the last one; 0 for none.
    pub expects: u64,
    /// The time at which that was decided: the lease counts from then.
    pub at: Span,
}

/// The end of a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClaimEnd {
    /// The record is there, under that sequence.
    Written(u64),
    /// Another record was there.
    Refused,
    /// The record may have been written or not.
    Unknown,
}

/// The lease of one bot, as one Beckon sees it.
#[derive(Clone, Debug)]
pub struct Lease {
    own: LeaseRecord,
    /// The last record on the hub, as far as is known.
    there: Option<Standing>,
    /// The time until which this Beckon may send by what it wrote last.
    until: Option<Span>,
    /// Whether a claim is on its way.
    claiming: bool,
    /// The time of the last claim.
    claimed_at: Option<Span>,
    is_connected: bool,
    /// Whether this Beckon has left the hub.
    has_left: bool,
    alone: Alone,
    /// The contest with a poller outside the hub, while this Beckon holds the lease.
    contest: Alone,
    reach: Reach,
}

#[derive(Clone, Debug)]
struct Standing {
    record: LeaseRecord,
    sequence: u64,
    heard_at: Span,
}

impl Lease {
    /// Makes a lease of which nothing is known yet.
    pub fn new(node: &str, machine: &str, run: &str, now: Span) -> Self {
        let [node, machine, run] = [node, machine, run].map(ToOwned::to_owned);
        Self {
            own: LeaseRecord {
                v: RECORD_VERSION,
                node,
                machine,
                run,
                released: false,
            },
            there: None,
            until: None,
            claiming: false,
            claimed_at: None,
            is_connected: false,
            has_left: false,
            alone: Alone::new(now),
            contest: Alone::of_holder(now),
            reach: Reach::new(),
        }
    }

    /// Makes the lease of a machine that has left the hub, where others have the bot as well: from
    /// `from` on it looks whether any of them polls.
    pub fn after_leaving(node: &str, machine: &str, from: Span) -> Self {
        let alone = Alone::after_leaving(from);
        Self {
            has_left: true,
            alone,
            ..Self::new(node, machine, "", from)
        }
    }

    /// Makes it look first whether machines of another hub poll, since the bot stayed with that
    /// hub.
    #[must_use]
    pub fn looks_first(self, now: Span) -> Self {
        Self {
            contest: Alone::after_leaving(now),
            ..self
        }
    }

    /// Takes in that the hub is connected, with its last record. A record of an earlier run of this
    /// Beckon counts as its own.
    pub fn connect(&mut self, there: Option<(LeaseRecord, u64)>, now: Span) {
        (self.is_connected, self.claiming, self.claimed_at) = (true, false, None);
        self.alone.end();
        self.there = there.map(|(record, sequence)| {
            let is_own = record.node == self.own.node;
            let record = if is_own { self.own.clone() } else { record };
            Standing {
                record,
                sequence,
                heard_at: now,
            }
        });
        if !self.is_there() {
            self.until = None;
        }
    }

    /// Takes in that the connection to the hub is lost.
    pub fn disconnect(&mut self, now: Span) {
        if self.is_connected {
            let last = self.until.map(|until| Span(until.0 - HOLDS_FOR.0));
            self.alone.lose(now, last);
        }
        (self.is_connected, self.claiming) = (false, false);
    }

    /// Takes in a record.
    pub fn hear(&mut self, record: LeaseRecord, sequence: u64, now: Span) {
        if self
            .there
            .as_ref()
            .is_some_and(|there| there.sequence >= sequence)
        {
            return;
        }
        self.there = Some(Standing {
            record,
            sequence,
            heard_at: now,
        });
        if !self.is_there() {
            self.until = None;
        }
    }

    /// Returns the claim that is to be written now, if any.
    pub fn claim(&mut self, now: Span) -> Option<LeaseClaim> {
        if !self.may_claim() || self.claim_due() > now {
            return None;
        }
        (self.claiming, self.claimed_at) = (true, Some(now));
        Some(LeaseClaim {
            record: self.own.clone(),
            expects: self.expected(),
            at: now,
        })
    }

    /// Takes in the end of a claim.
    pub fn end_claim(&mut self, claim: &LeaseClaim, end: ClaimEnd) {
        self.claiming = false;
        match end {
            ClaimEnd::Written(sequence) => {
                if self
                    .there
                    .as_ref()
                    .is_none_or(|there| there.sequence <= sequence)
                {
                    let (record, heard_at) = (claim.record.clone(), claim.at);
                    self.there = Some(Standing {
                        record,
                        sequence,
                        heard_at,
                    });
                    self.until = Some(Span(claim.at.0 + HOLDS_FOR.0));
                }
            }
            // The new holder is heard of, or the claim is tried again.
            ClaimEnd::Refused => {
                self.until = None;
                self.there
                    .take_if(|there| is_same(&there.record, &self.own));
            }
            ClaimEnd::Unknown => {}
        }
    }

    /// Lets the lease go, and returns what is to be written for that.
    pub fn release(&mut self, now: Span) -> Option<LeaseClaim> {
        let is_own = self.is_there() && self.is_connected;
        self.until = None;
        let expects = self.expected();
        let record = LeaseRecord {
            released: true,
            ..self.own.clone()
        };
        is_own.then_some(LeaseClaim {
            record,
            expects,
            at: now,
        })
    }

    /// Returns whether anything may be sent, and on which condition.
    pub fn permit(&self, now: Span) -> Permit {
        match self.until {
            Some(until) if now < until => match self.contest.permit(now) {
                Permit::Alone => Permit::Until(until),
                steps_back => steps_back,
            },
            _ if self.is_connected => self.reach.permit(now),
            _ => self.alone.permit(now),
        }
    }

    /// Returns who serves the bot.
    pub fn holder(&self, now: Span) -> LeaseHolder {
        match (&self.there, self.permit(now)) {
            (Some(there), Permit::Until(_)) => LeaseHolder::Own(there.sequence),
            (_, Permit::Alone) => LeaseHolder::Alone,
            _ if self.has_left => LeaseHolder::Left,
            _ if !self.is_connected => LeaseHolder::Unknown,
            (Some(_), _) if self.is_held(now) => LeaseHolder::Foreign,
            (Some(there), _) if !self.is_there() && !there.record.released => {
                let LeaseRecord { node, machine, .. } = there.record.clone();
                LeaseHolder::Other { node, machine }
            }
            _ => LeaseHolder::Nobody,
        }
    }

    /// Returns when to look again.
    pub fn due(&self, now: Span) -> Option<Span> {
        let claim = self.may_claim().then(|| self.claim_due());
        let without = if self.is_connected {
            self.reach.due(now)
        } else {
            self.alone.due(now)
        };
        let contest = self.contest.due(now);
        let times: Vec<Span> = [claim, without, contest, self.until]
            .into_iter()
            .flatten()
            .collect();
        times.into_iter().filter(|at| *at > now).min().or(claim)
    }

    /// Takes in whether another machine was found polling.
    pub fn end_probe(&mut self, found: Probe, now: Span) {
        if self.is_held(now) {
            self.contest.end_probe(found, now)
        } else {
            self.alone.end_probe(found, now)
        }
    }

    /// Takes in that another machine has polled; `others` tells whether another machine of the hub
    /// that is online has the bot as well. If so, the holder of the lease does not mind: the
    /// machine outside the hub steps back.
    pub fn conflict(&mut self, others: bool, now: Span) {
        self.alone.conflict(now);
        if !others && self.is_held(now) {
            self.contest.conflict(now);
        }
    }

    /// Takes in that a poll was not disturbed.
    pub fn peace(&mut self, now: Span) {
        self.alone.peace(now);
        self.contest.peace(now);
    }

    fn may_claim(&self) -> bool {
        self.is_connected && !self.claiming && self.reach.claims()
    }

    /// Whether this run's own record is there, and can be relied on.
    fn is_held(&self, now: Span) -> bool {
        self.is_there() && self.until.is_some_and(|until| now < until)
    }

    /// Whether the record on the hub was written by this run.
    fn is_there(&self) -> bool {
        self.there
            .as_ref()
            .is_some_and(|there| is_same(&there.record, &self.own))
    }

    fn expected(&self) -> u64 {
        match &self.there {
            Some(there) if self.is_there() || there.record.released => there.sequence,
            // The hub has to forget the other's record first.
            _ => 0,
        }
    }

    fn claim_due(&self) -> Span {
        let again = self
            .claimed_at
            .map_or(Span(i64::MIN), |at| Span(at.0 + TRY_EVERY.0));
        match &self.there {
            Some(_) if self.is_there() => match (self.until, self.claimed_at) {
                (Some(until), Some(at)) if until.0 == at.0 + HOLDS_FOR.0 => {
                    Span(at.0 + REFRESH_EVERY.0)
                }
                _ => again,
            },
            Some(there) if !there.record.released => Span(again.0.max(there.heard_at.0 + SILENT.0)),
            _ => again,
        }
    }
}

fn is_same(one: &LeaseRecord, other: &LeaseRecord) -> bool {
    (&one.node, &one.run, one.released) == (&other.node, &other.run, other.released)
}
