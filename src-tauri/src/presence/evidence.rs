//! The facts that all backends know now, and the one reading that follows from them. Nothing here
//! reads a clock: the time is given.
//!
//! Not here: how the facts are found out.

mod fact;
#[cfg(test)]
mod tests;

pub(crate) use fact::{LastInput, PresenceFact, SilenceLimits};

use beckon_client::wire::Leg;
use beckon_client::wire::LegKind;
use beckon_core::{Presence, PresenceReading, PresenceSource, Span, Timestamp};
use std::collections::BTreeMap;

/// The time after a request to lock in which inputs belong to the locking itself: the key is let
/// go, the mouse comes to rest.
const SETTLING: Span = Span::seconds(5);
/// The number of sleeps that are remembered.
const SLEEPS: usize = 16;

/// The facts of all backends.
#[derive(Debug, Default)]
pub(crate) struct PresenceEvidence {
    /// The backends in the order of [`PresenceSource`]: those that see keyboard and mouse come
    /// before logind's hint.
    backends: BTreeMap<PresenceSource, BackendFacts>,
    /// The last time that the screen was unlocked.
    unlocked: Option<LifeSign>,
    /// The times at which the machine woke, and how long it had slept; oldest first.
    sleeps: Vec<(Timestamp, Span)>,
}

/// The facts that one backend knows.
#[derive(Clone, Copy, Debug, Default)]
struct BackendFacts {
    hands: Option<InputState>,
    locked: Option<bool>,
    lock_asked: Option<Timestamp>,
    asleep: Option<bool>,
}

#[derive(Clone, Copy, Debug)]
struct InputState {
    idle: bool,
    last_input: Timestamp,
}

/// A sign of life.
#[derive(Clone, Copy, Debug)]
struct LifeSign {
    by: PresenceSource,
    at: Timestamp,
}

impl PresenceEvidence {
    /// Takes a new fact of a backend.
    pub(crate) fn take(&mut self, by: PresenceSource, fact: PresenceFact, now: Timestamp) {
        let was_locked = self
            .backends
            .get(&by)
            .is_some_and(BackendFacts::seems_locked);
        let hands = match fact {
            PresenceFact::Hands { idle, last_input } => Some(InputState {
                idle,
                last_input: self.wall(last_input, now),
            }),
            _ => None,
        };
        let facts = self.backends.entry(by).or_default();
        match fact {
            PresenceFact::Hands { .. } => facts.hands = hands,
            PresenceFact::Locked(locked) => {
                facts.locked = Some(locked);
                facts.lock_asked = None;
            }
            PresenceFact::LockAsked => facts.lock_asked = Some(now),
            PresenceFact::UnlockAsked => facts.lock_asked = None,
            PresenceFact::Asleep(asleep) => facts.asleep = Some(asleep),
            PresenceFact::Gone => {
                self.backends.remove(&by);
                return;
            }
        }
        match (was_locked, facts.seems_locked()) {
            (true, false) => self.unlocked = Some(LifeSign { by, at: now }),
            (false, true) => self.unlocked = None,
            _ => {}
        }
    }

    /// Notes that the machine woke at `woke` after having slept for `span`.
    pub(crate) fn slept(&mut self, span: Span, woke: Timestamp) {
        if self.sleeps.len() == SLEEPS {
            self.sleeps.remove(0);
        }
        self.sleeps.push((woke, span));
    }

    /// Moves all times after the wall clock was set: what was a minute ago still was.
    pub(crate) fn set_clock(&mut self, by: Span) {
        for facts in self.backends.values_mut() {
            if let Some(hands) = &mut facts.hands {
                hands.last_input = hands.last_input + by;
            }
            facts.lock_asked = facts.lock_asked.map(|at| at + by);
        }
        if let Some(sign) = &mut self.unlocked {
            sign.at = sign.at + by;
        }
        self.sleeps
            .iter_mut()
            .for_each(|(woke, _)| *woke = *woke + by);
    }

    /// Whether a backend says that the machine sleeps.
    pub(crate) fn is_asleep(&self) -> bool {
        self.backends.values().any(BackendFacts::is_asleep)
    }

    /// Returns the reading that follows from all facts. In this order:
    ///
    /// 1. asleep,
    /// 2. locked,
    /// 3. keyboard or mouse in use: here,
    /// 4. unlocked a short while ago, after the last input: here,
    /// 5. keyboard and mouse at rest: idle.
    pub(crate) fn reading(&self, limits: SilenceLimits, now: Timestamp) -> PresenceReading {
        let by = |test: &dyn Fn(&BackendFacts) -> bool| {
            self.backends
                .iter()
                .find(|(_, facts)| test(facts))
                .map(|(by, _)| *by)
        };
        let asleep = by(&BackendFacts::is_asleep).map(|by| (Presence::Asleep, by));
        let locked = || by(&|facts| self.is_locked(facts)).map(|by| (Presence::Locked, by));
        let told = asleep
            .or_else(locked)
            .or_else(|| self.hands_or_sign(limits, now));
        let Some((presence, evidence)) = told else {
            return PresenceReading::default();
        };
        let last_input = match presence {
            Presence::Locked => self.untouched_since(),
            _ => self.last_input(),
        };
        PresenceReading {
            presence,
            evidence,
            last_input,
        }
    }

    /// Returns which backends tell of what, and what they say. For a kind that no backend tells of,
    /// `missing` returns the one that would have to.
    pub(crate) fn legs(&self, missing: impl Fn(LegKind) -> PresenceSource) -> Vec<Leg> {
        let legs = [LegKind::Idle, LegKind::Lock, LegKind::Sleep].map(|what| {
            let told = self.told(what);
            if !told.is_empty() {
                return told;
            }
            let source = missing(what);
            vec![Leg {
                what,
                source,
                works: false,
                holds: false,
                last_input: None,
            }]
        });
        legs.concat()
    }

    /// Returns the legs of one kind. Of keyboard and mouse only the best backend is told, as it
    /// alone counts; of all else every backend.
    fn told(&self, what: LegKind) -> Vec<Leg> {
        let leg = |source, holds, last_input| Leg {
            what,
            source,
            works: true,
            holds,
            last_input,
        };
        if what == LegKind::Idle {
            let hands = self
                .hands()
                .map(|(by, it)| leg(by, it.idle, Some(it.last_input)));
            return hands.into_iter().collect();
        }
        let told = self.backends.iter().filter_map(|(by, facts)| {
            let holds = match what {
                LegKind::Lock => facts.locked.map(|_| self.is_locked(facts)),
                LegKind::Sleep | LegKind::Idle => facts.asleep,
            };
            Some(leg(*by, holds?, None))
        });
        told.collect()
    }

    /// Returns when the reading changes by mere waiting.
    pub(crate) fn changes_at(&self, limits: SilenceLimits) -> Option<Timestamp> {
        let sign = self.unlocked?;
        Some(sign.at + self.credit(limits))
    }

    fn hands_or_sign(
        &self,
        limits: SilenceLimits,
        now: Timestamp,
    ) -> Option<(Presence, PresenceSource)> {
        let hands = self.hands();
        if let Some((by, hands)) = hands
            && !hands.idle
        {
            return Some((Presence::Here, by));
        }
        let credit = self.credit(limits);
        let sign = self.unlocked.filter(|sign| now < sign.at + credit);
        match (hands, sign) {
            (Some((_, hands)), Some(sign)) if sign.at > hands.last_input => {
                Some((Presence::Here, sign.by))
            }
            (Some((by, _)), _) => Some((Presence::Idle, by)),
            (None, sign) => sign.map(|sign| (Presence::Here, sign.by)),
        }
    }

    /// Returns how long an unlocking proves that a human is here. Where no backend sees keyboard
    /// and mouse it is all there is, so it counts until the human is away; otherwise for as long as
    /// until they are idle.
    fn credit(&self, limits: SilenceLimits) -> Span {
        if self.hands().is_some() {
            limits.idle_after
        } else {
            limits.away_after
        }
    }

    /// Returns the best that is known of keyboard and mouse.
    fn hands(&self) -> Option<(PresenceSource, InputState)> {
        self.backends
            .iter()
            .find_map(|(by, facts)| facts.hands.map(|hands| (*by, hands)))
    }

    /// Returns since when keyboard and mouse rest, where a backend sees them.
    fn untouched_since(&self) -> Option<Timestamp> {
        self.hands()
            .filter(|(_, hands)| hands.idle)
            .and_then(|_| self.last_input())
    }

    fn last_input(&self) -> Option<Timestamp> {
        let touched = self.hands().map(|(_, hands)| hands.last_input);
        touched.max(self.unlocked.map(|sign| sign.at))
    }

    /// Whether a backend says that the screen is locked. A request to lock that was not confirmed
    /// holds until the next input: a human who types is there.
    fn is_locked(&self, facts: &BackendFacts) -> bool {
        let typed = |asked| {
            self.last_input()
                .is_some_and(|input| input > asked + SETTLING)
        };
        facts.locked == Some(true) || facts.lock_asked.is_some_and(|asked| !typed(asked))
    }

    /// Returns the wall clock's time of an input. A span since the last input does not count sleep:
    /// an input from before the machine woke is older than it looks by what the machine slept.
    fn wall(&self, input: LastInput, now: Timestamp) -> Timestamp {
        let ago = match input {
            // It was noted, perhaps, before the clock was set back.
            LastInput::At(at) => return at.min(now),
            LastInput::Ago(ago) => ago,
        };
        let seems = Timestamp(now.0 - ago.0);
        let shifted = |at: Timestamp, (woke, span): &(Timestamp, Span)| {
            if at < *woke {
                Timestamp(at.0 - span.0)
            } else {
                at
            }
        };
        self.sleeps.iter().rev().fold(seems, shifted)
    }
}

impl BackendFacts {
    fn is_asleep(&self) -> bool {
        self.asleep == Some(true)
    }

    fn seems_locked(&self) -> bool {
        self.locked == Some(true) || self.lock_asked.is_some()
    }
}
