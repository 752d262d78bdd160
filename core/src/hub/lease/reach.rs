//! A holder that reaches the hub and not Telegram serves nobody. Where another machine has the bot as
//! well, it lets its lease run out, and takes none until Telegram has answered it again: so machines
//! that all fail hand it round once, and then whoever gets through first takes it.
//!
//! Not here: what counts as reached, and who else has the bot.

use super::{HOLDS_FOR, LEASE_LIVES, Lease, Permit};
use crate::Span;

/// Whoever has not reached Telegram for so long gives up.
const GIVES_UP: Span = Span::seconds(60);
/// From then on it is found out whether Telegram answers again, after so long at first, …
const KNOCKS_AFTER: Span = Span::seconds(30);
/// … then after twice as long with each time that it was given up, and at most …
const LONGEST: Span = Span::seconds(600);
/// Whoever has served for so long was well.
const WELL: Span = Span::seconds(600);

// Another one has the lease by the time at which this one asks for it again.
const _: () = assert!(KNOCKS_AFTER.0 >= LEASE_LIVES.0 && LEASE_LIVES.0 > HOLDS_FOR.0);

/// Whether this machine reaches Telegram.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reach {
    state: State,
    /// How long it waits the next time.
    pause: Span,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// As far as is known, since then.
    Reaches(Option<Span>),
    /// Not since then.
    Fails(Span),
    /// It has given up, and finds out from then on whether it could again.
    GaveUp(Span),
}

impl Reach {
    pub(super) fn new() -> Self {
        Self {
            state: State::Reaches(None),
            pause: KNOCKS_AFTER,
        }
    }

    /// May the lease be asked for?
    pub(super) fn claims(self) -> bool {
        !matches!(self.state, State::GaveUp(_))
    }

    /// What may be done without the lease.
    pub(super) fn permit(self, now: Span) -> Permit {
        match self.state {
            State::GaveUp(from) if now >= from => Permit::Knock,
            State::Reaches(_) | State::Fails(_) | State::GaveUp(_) => Permit::Never,
        }
    }

    pub(super) fn due(self, now: Span) -> Option<Span> {
        match self.state {
            State::GaveUp(from) => (from > now).then_some(from),
            State::Reaches(_) | State::Fails(_) => None,
        }
    }

    fn reached(&mut self, now: Span) {
        match self.state {
            // It was under way when it was given up.
            State::GaveUp(from) if now < from => {}
            State::Reaches(Some(since)) => {
                if now.0 - since.0 >= WELL.0 {
                    self.pause = KNOCKS_AFTER;
                }
            }
            State::Reaches(None) | State::Fails(_) | State::GaveUp(_) => {
                self.state = State::Reaches(Some(now));
            }
        }
    }

    fn failed(&mut self, now: Span, may_give_up: bool) {
        match self.state {
            State::Reaches(_) => self.state = State::Fails(now),
            State::Fails(since) if may_give_up && now.0 - since.0 >= GIVES_UP.0 => {
                self.state = State::GaveUp(Span(now.0 + self.pause.0));
                self.pause = Span((self.pause.0 * 2).min(LONGEST.0));
            }
            State::Fails(_) | State::GaveUp(_) => {}
        }
    }
}

impl Lease {
    /// Telegram does not answer here; `others` tells whether another machine that is heard of has the
    /// bot as well. What is not held is not given up: whoever has it may be well.
    pub fn unreached(&mut self, others: bool, now: Span) {
        let may_give_up = others && self.is_connected && self.is_there();
        self.reach.failed(now, may_give_up);
    }

    /// Telegram has answered.
    pub fn reached(&mut self, now: Span) {
        self.reach.reached(now);
        self.peace(now);
    }
}
