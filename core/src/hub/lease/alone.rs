//! A shared bot while no hub says who serves it. The machine that served it last goes on first; the
//! others only when nobody does. They look by a poll that takes nothing, and one that then polls
//! and is disturbed again and again steps back. So a human who is away is reached by a machine
//! whose hub is down for long, and no two machines take each other's updates for long.
//!
//! A holder of a hub's lease minds other pollers only if no other machine of that hub has the bot:
//! then the bot may be another hub's, which has more of them.

use super::Permit;
use crate::Span;

/// The time after which the machine that served last goes on without the hub. A machine that still
/// has the hub would have taken the lease by then, and would be found polling.
const LAST_AFTER: Span = Span::seconds(45);
/// The time for which a machine that has left the hub waits for those that have not.
pub const AFTER_LEAVING: Span = LAST_AFTER;
/// The time for which the other machines wait.
const OTHERS_AFTER: Span = Span::seconds(120);
/// The number of disturbances after which a machine without a lease steps back.
const MOST_CONFLICTS: u32 = 3;
/// The number of disturbances after which the holder of a lease steps back: a machine without one
/// has stepped back by then.
const MOST_OF_HOLDER: u32 = 6;
/// The time without disturbance after which a machine's count starts anew. Two machines that both
/// pause when they are disturbed take turns every ten seconds, and each has a poll that goes well
/// in its turn.
const CALM: Span = Span::seconds(60);
/// The length of the first step back; each further one lasts twice as long as the one before.
const STEP_BACK: Span = Span::seconds(60);
/// The longest step back.
const LONGEST: Span = Span::seconds(600);

/// The finding of whether another machine polls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Probe {
    /// The bot is free: nobody else polls.
    Free,
    /// Another machine polls.
    Served,
}

/// The state of a bot without the hub.
#[derive(Clone, Debug)]
pub(super) struct Alone {
    stage: Stage,
    /// The length of the next step back.
    pause: Span,
    /// The number of disturbances after which it steps back.
    most: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// Waiting; from that time on it looks whether another machine polls.
    Waits(Span),
    /// Serving: nobody else polls.
    Serves {
        /// The number of disturbances that were counted.
        conflicts: u32,
        /// The time since which there was none.
        since: Span,
    },
}

impl Alone {
    /// Makes the state of a machine that has not reached the hub yet.
    pub(super) fn new(now: Span) -> Self {
        Self::waiting(after(now, OTHERS_AFTER))
    }

    /// Makes the state of a holder of a lease, which serves at once.
    pub(super) fn of_holder(now: Span) -> Self {
        let stage = Stage::Serves {
            conflicts: 0,
            since: now,
        };
        Self {
            stage,
            most: MOST_OF_HOLDER,
            ..Self::waiting(now)
        }
    }

    fn waiting(from: Span) -> Self {
        Self {
            stage: Stage::Waits(from),
            pause: STEP_BACK,
            most: MOST_CONFLICTS,
        }
    }

    /// Makes the state after the hub was left, and the bot with it: at that time it looks whether
    /// another machine polls.
    pub(super) fn after_leaving(from: Span) -> Self {
        Self::waiting(from)
    }

    /// Ends the time without the hub.
    pub(super) fn end(&mut self) {
        *self = Self::waiting(Span(i64::MAX));
    }

    /// Begins the time without the hub; `last` is when the lease was last refreshed from here, if
    /// it was held.
    pub(super) fn lose(&mut self, now: Span, last: Option<Span>) {
        let from = match last {
            Some(last) => after(last, LAST_AFTER),
            None => after(now, OTHERS_AFTER),
        };
        *self = Self::waiting(from);
    }

    pub(super) fn permit(&self, now: Span) -> Permit {
        match self.stage {
            Stage::Waits(from) if now < from => Permit::Never,
            Stage::Waits(_) => Permit::Probe,
            Stage::Serves { .. } => Permit::Alone,
        }
    }

    pub(super) fn due(&self, now: Span) -> Option<Span> {
        match self.stage {
            Stage::Waits(from) => (from > now && from.0 < i64::MAX).then_some(from),
            Stage::Serves { .. } => None,
        }
    }

    pub(super) fn end_probe(&mut self, found: Probe, now: Span) {
        match (self.stage, found) {
            (Stage::Waits(from), _) if now < from => {}
            (Stage::Waits(_), Probe::Free) => {
                self.stage = Stage::Serves {
                    conflicts: 0,
                    since: now,
                };
            }
            (_, Probe::Served) => self.step_back(now),
            (Stage::Serves { .. }, Probe::Free) => {}
        }
    }

    pub(super) fn conflict(&mut self, now: Span) {
        self.peace(now);
        let Stage::Serves { conflicts, .. } = self.stage else {
            return;
        };
        match conflicts + 1 < self.most {
            true => {
                self.stage = Stage::Serves {
                    conflicts: conflicts + 1,
                    since: now,
                }
            }
            false => self.step_back(now),
        }
    }

    pub(super) fn peace(&mut self, now: Span) {
        if let Stage::Serves { conflicts, since } = &mut self.stage
            && now.0.saturating_sub(since.0) >= CALM.0
        {
            (*conflicts, self.pause) = (0, STEP_BACK);
        }
    }

    fn step_back(&mut self, now: Span) {
        self.stage = Stage::Waits(after(now, self.pause));
        self.pause = Span((self.pause.0 * 2).min(LONGEST.0));
    }
}

fn after(from: Span, by: Span) -> Span {
    Span(from.0.saturating_add(by.0))
}
