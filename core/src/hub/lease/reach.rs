//! A holder's reach of Telegram: one that reaches the hub and not Telegram serves nobody. If
//! another machine has the bot as well, the holder lets its lease run out, and takes none until
//! Telegram has answered it again. So machines that all fail hand the lease round once, and then
//! the first that gets through takes it.
//!
//! Not here: what counts as reached, and who else has the bot.

use super::{HOLDS_FOR, LEASE_LIVES, Lease, Permit};
use crate::Span;

/// The time for which a holder that does not reach Telegram keeps the lease.
const GIVES_UP: Span = Span::seconds(60);
/// The time for which it waits, after it gave up the first time, until it looks whether Telegram
/// answers again. It doubles with each further time that it gives up.
const KNOCKS_AFTER: Span = Span::seconds(30);
/// The longest of these waits.
const LONGEST: Span = Span::seconds(600);
/// The time for which a machine must reach Telegram until its next wait is short again.
const WELL: Span = Span::seconds(600);

// By the time at which this machine asks for the lease again, another one has it.
const _: () = assert!(KNOCKS_AFTER.0 >= LEASE_LIVES.0 && LEASE_LIVES.0 > HOLDS_FOR.0);

/// Whether this machine reaches Telegram.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reach {
    state: State,
    /// The length of the next wait.
    pause: Span,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// Telegram is reached as far as is known, since that time.
    Reaches(Option<Span>),
    /// Telegram is not reached since that time.
    Fails(Span),
    /// The lease was given up; from that time on it looks whether Telegram answers again.
    GaveUp(Span),
}

impl Reach {
    pub(super) fn new() -> Self {
        Self {
            state: State::Reaches(None),
            pause: KNOCKS_AFTER,
        }
    }

    /// Whether the lease may be claimed.
    pub(super) fn claims(self) -> bool {
        !matches!(self.state, State::GaveUp(_))
    }

    /// Returns what may be done without the lease.
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
            // The call was under way when it gave up.
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
    /// Takes in that Telegram does not answer here; `others` tells whether another machine that is
    /// online has the bot as well. A lease that is not held is not given up: its holder may be
    /// well.
    pub fn unreached(&mut self, others: bool, now: Span) {
        let may_give_up = others && self.is_connected && self.is_there();
        self.reach.failed(now, may_give_up);
    }

    /// Takes in that Telegram has answered.
    pub fn reached(&mut self, now: Span) {
        self.reach.reached(now);
        self.peace(now);
    }
}
