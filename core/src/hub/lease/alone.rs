//! A bot that is shared, and no hub to say who serves it. Whoever served it last goes on first, the
//! others only when nobody does: they look, by a poll that takes nothing, and who then polls and is
//! disturbed again and again steps back. So a human who is away is reached by a machine whose hub is
//! down for long, and no two of them take each other's updates for long.
//!
//! Who holds the lease of a hub minds it only where no other machine there has the bot: then it may be
//! another hub's, which has more of them.

use super::Permit;
use crate::Span;

/// Who served last goes on after so long without the hub: somebody who still has the hub would have
/// taken the lease by then, and be found polling.
const LAST_AFTER: Span = Span::seconds(45);
/// Who has left the hub gives those who haven't as long.
pub const AFTER_LEAVING: Span = LAST_AFTER;
/// The others wait for so long.
const OTHERS_AFTER: Span = Span::seconds(120);
/// Disturbed so often, one steps back …
const MOST_CONFLICTS: u32 = 3;
/// … and who holds a lease: whoever has none has stepped back by then …
const MOST_OF_HOLDER: u32 = 6;
/// … unless nobody disturbed for so long between: two who both pause when they are disturbed take turns
/// every ten seconds, and each has a poll that goes well in its turn.
const CALM: Span = Span::seconds(60);
/// … for so long at first, then for twice as long, …
const STEP_BACK: Span = Span::seconds(60);
/// … and at most for so long.
const LONGEST: Span = Span::seconds(600);

/// What was found of who else polls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Probe {
    /// Nobody does.
    Free,
    /// Somebody does.
    Served,
}

/// How it goes without the hub.
#[derive(Clone, Debug)]
pub(super) struct Alone {
    stage: Stage,
    /// How long the next step back is.
    pause: Span,
    /// How often one is disturbed before.
    most: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// From then on it is looked whether somebody polls.
    Waits(Span),
    /// Nobody else polls.
    Serves {
        /// So often somebody has disturbed,
        conflicts: u32,
        /// and nobody since then.
        since: Span,
    },
}

impl Alone {
    /// Nobody has reached the hub yet.
    pub(super) fn new(now: Span) -> Self {
        Self::waiting(after(now, OTHERS_AFTER))
    }

    /// Whoever gets the lease serves.
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

    /// The hub was left, and the bot with it: at that time it is looked whether somebody else polls.
    pub(super) fn after_leaving(from: Span) -> Self {
        Self::waiting(from)
    }

    /// The hub is there again.
    pub(super) fn end(&mut self) {
        *self = Self::waiting(Span(i64::MAX));
    }

    /// The hub is away; `last` is when the lease was last refreshed from here, if it was held.
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
