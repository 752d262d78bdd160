//! Which of several machines serves a bot: who holds the lease of it, until when it may send by that,
//! when it refreshes it, and when another one tries to take it.
//!
//! A lease lives on the hub for [`LEASE_LIVES`] after it was written. Its holder counts from before it
//! wrote, by its own steady clock, and only [`HOLDS_FOR`]: it has stopped by itself before the hub lets
//! anybody else begin. The record's sequence is the token that grows with every holder.
//!
//! Not here: the hub and the clock (a time is a length since some beginning that nobody sets), what is
//! done without a hub (`lease/alone.rs`), and without Telegram (`lease/reach.rs`).

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

/// The hub forgets a lease that was not refreshed for so long.
pub const LEASE_LIVES: Span = Span::seconds(30);
/// Its holder relies on it for so long. What was under way by then has the rest of the time to end.
pub const HOLDS_FOR: Span = Span::seconds(20);
/// Refreshed so often, it outlives two refreshes that fail.
const REFRESH_EVERY: Span = Span::seconds(6);
/// A holder that was not heard of for so long is perhaps gone: the hub is asked for its lease, which
/// it gives when it has forgotten the former one.
const SILENT: Span = Span::seconds(15);
/// So often.
const TRY_EVERY: Span = Span::seconds(1);

/// Who serves a bot, as it stands on the hub.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LeaseRecord {
    /// [`RECORD_VERSION`]
    pub v: u32,
    /// The holder's name among Beckons.
    pub node: String,
    /// Its machine, for people.
    pub machine: String,
    /// This run of it: a copy of its files on another machine is somebody else.
    pub run: String,
    /// It has let go.
    #[serde(default)]
    pub released: bool,
}

/// Where the lease of a bot stands.
pub fn lease_subject(bot: i64) -> String {
    format!("bk.lease.telegram.{bot}")
}

/// May anything be sent, and polled?
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Permit {
    /// Whenever: nobody shares the bot.
    Always,
    /// No.
    Never,
    /// As long as the steady clock is before that.
    Until(Span),
    /// Until somebody else turns out to poll.
    Alone,
    /// Not yet: it is to be found out whether anybody else polls.
    Probe,
    /// No, and it is to be found out whether Telegram answers again.
    Knock,
}

impl Permit {
    /// May a call begin now?
    pub fn allows(self, now: Span) -> bool {
        match self {
            Self::Always | Self::Alone => true,
            Self::Never | Self::Probe | Self::Knock => false,
            Self::Until(until) => now < until,
        }
    }
}

/// Who serves the bot, as far as it is known here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LeaseHolder {
    /// Nobody yet, or it isn't known yet who.
    Nobody,
    /// This Beckon. With that token it writes what others are to believe.
    Own(u64),
    /// Another one.
    Other {
        /// Its name among Beckons.
        node: String,
        /// Its machine, for people.
        machine: String,
    },
    /// The hub is away, and nobody knows.
    Unknown,
    /// There is no hub, and nobody else polls: this Beckon goes on by itself.
    Alone,
    /// This Beckon has left the hub: the bot is theirs who have not, as long as one of them polls.
    Left,
    /// This Beckon has the lease, and somebody polls all the same, who isn't on this hub: it's theirs as
    /// long.
    Foreign,
}

/// A record that is to be written, if that is still the last one there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeaseClaim {
    /// What it says.
    pub record: LeaseRecord,
    /// The sequence of the last one; 0 for none.
    pub expects: u64,
    /// When that was decided: the lease counts from then.
    pub at: Span,
}

/// What became of a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClaimEnd {
    /// It stands there, under that sequence.
    Written(u64),
    /// Something else was there.
    Refused,
    /// Nobody knows.
    Unknown,
}

/// The lease of one bot, as one Beckon sees it.
#[derive(Clone, Debug)]
pub struct Lease {
    own: LeaseRecord,
    /// The last record that is known to stand there.
    there: Option<Standing>,
    /// By what was written from here, sending is allowed until then.
    until: Option<Span>,
    /// A claim is on its way.
    claiming: bool,
    /// When the last claim went out.
    claimed_at: Option<Span>,
    is_connected: bool,
    /// There is no hub for it any more.
    has_left: bool,
    alone: Alone,
    /// Who polls besides the holder.
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
    /// Nothing is known yet.
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

    /// That of who has left the hub, where others have the bot as well: from then on it is looked
    /// whether any of them polls.
    pub fn after_leaving(node: &str, machine: &str, from: Span) -> Self {
        let alone = Alone::after_leaving(from);
        Self {
            has_left: true,
            alone,
            ..Self::new(node, machine, "", from)
        }
    }

    /// The bot stays with another hub: whether anybody there polls is looked at before it is served here.
    #[must_use]
    pub fn looks_first(self, now: Span) -> Self {
        Self {
            contest: Alone::after_leaving(now),
            ..self
        }
    }

    /// The hub is there, with that as its last record. What an earlier run of this Beckon has written is
    /// its own.
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

    /// The hub is not there any more.
    pub fn disconnect(&mut self, now: Span) {
        if self.is_connected {
            let last = self.until.map(|until| Span(until.0 - HOLDS_FOR.0));
            self.alone.lose(now, last);
        }
        (self.is_connected, self.claiming) = (false, false);
    }

    /// A record has come.
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

    /// What is to be written now, if anything.
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

    /// What became of it.
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
            // Whose it is now is heard, or it is tried anew.
            ClaimEnd::Refused => {
                self.until = None;
                self.there
                    .take_if(|there| is_same(&there.record, &self.own));
            }
            ClaimEnd::Unknown => {}
        }
    }

    /// Nobody here wants it any more: what is to be written for that.
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

    /// May anything be sent?
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

    /// Who serves the bot?
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

    /// When to look again.
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

    /// What was found out of who else polls.
    pub fn end_probe(&mut self, found: Probe, now: Span) {
        if self.is_held(now) {
            self.contest.end_probe(found, now)
        } else {
            self.alone.end_probe(found, now)
        }
    }

    /// Somebody else has polled; `others` tells whether another machine that is heard of has the bot as
    /// well. Where it has, who holds the lease doesn't mind: whoever isn't on the hub steps back.
    pub fn conflict(&mut self, others: bool, now: Span) {
        self.alone.conflict(now);
        if !others && self.is_held(now) {
            self.contest.conflict(now);
        }
    }

    /// A poll was not disturbed.
    pub fn peace(&mut self, now: Span) {
        self.alone.peace(now);
        self.contest.peace(now);
    }

    fn may_claim(&self) -> bool {
        self.is_connected && !self.claiming && self.reach.claims()
    }

    /// May what stands there be relied on?
    fn is_held(&self, now: Span) -> bool {
        self.is_there() && self.until.is_some_and(|until| now < until)
    }

    /// Is what stands there written by this run?
    fn is_there(&self) -> bool {
        self.there
            .as_ref()
            .is_some_and(|there| is_same(&there.record, &self.own))
    }

    fn expected(&self) -> u64 {
        match &self.there {
            Some(there) if self.is_there() || there.record.released => there.sequence,
            // It has to be forgotten first.
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
