//! The pauses between the connections to one server of a hub, which grow while it lets nobody stay.
//!
//! Not here: the connections (`connection.rs`).

use rand::Rng;
use std::io::ErrorKind;
use std::time::Duration;

/// The first pause before a broken connection is made again.
const SOONEST: Duration = Duration::from_millis(250);
/// The longest pause at first, and at any time while nobody is there: a hub that comes back is to be
/// found soon.
const SOON: Duration = Duration::from_secs(15);
/// The number of such pauses after which a server that is there, and ends each connection, is called
/// more seldom. Most outages of a hub behind a proxy or a tunnel are over by then.
const MOST_SOON: u32 = 10;
/// The longest pause of all.
const LATEST: Duration = Duration::from_secs(60);
/// The time that a connection must last so that the next pause is the shortest again.
const GOOD: Duration = Duration::from_secs(30);

/// The pauses between the connections to one server.
#[derive(Debug)]
pub(super) struct Pauses {
    next: Duration,
    /// The number of pauses of at least [`SOON`].
    long: u32,
}

impl Default for Pauses {
    fn default() -> Self {
        Self {
            next: SOONEST,
            long: 0,
        }
    }
}

impl Pauses {
    /// Returns how long to wait after a connection that has lasted for so long, and lengthens the
    /// pause after that.
    pub(super) fn after(&mut self, lasted: Duration, is_unreached: bool) -> Duration {
        if lasted > GOOD {
            *self = Self::default();
        }
        let is_soon = is_unreached || self.long < MOST_SOON;
        let latest = if is_soon { SOON } else { LATEST };
        let pause = self.next.min(latest);
        self.long += u32::from(pause >= SOON);
        self.next = (pause * 2).min(LATEST);

        // Those who lost the same server at once do not come back at once.
        pause.mul_f64(rand::rng().random_range(0.7..=1.0))
    }
}

/// Whether a connection was not even begun, since nobody listens there or there is no way.
pub(super) fn is_unreached(broken: &anyhow::Error) -> bool {
    let Some(error) = broken.downcast_ref::<std::io::Error>() else {
        return false;
    };
    // These come from somebody who was there.
    !matches!(
        error.kind(),
        ErrorKind::ConnectionReset
            | ErrorKind::ConnectionAborted
            | ErrorKind::BrokenPipe
            | ErrorKind::UnexpectedEof
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns how often a server is called in these minutes, if each connection ends at once.
    fn calls(is_unreached: bool, minutes: std::ops::Range<u64>) -> usize {
        let mut pauses = Pauses::default();
        let mut now = Duration::ZERO;
        let mut calls = Vec::new();
        while now < Duration::from_secs(minutes.end * 60) {
            calls.push(now);
            now += pauses.after(Duration::ZERO, is_unreached);
        }
        let from = Duration::from_secs(minutes.start * 60);
        calls.into_iter().filter(|at| *at >= from).count()
    }

    #[test]
    fn a_server_that_ends_each_connection_is_soon_called_once_a_minute() {
        let first = calls(false, 0..1);
        assert!((9..=13).contains(&first), "{first} in the first minute");
        let later = calls(false, 5..15);
        assert!((9..=15).contains(&later), "{later} in ten minutes");
    }

    #[test]
    fn a_server_that_is_there_again_soon_is_found_within_fifteen_seconds() {
        let mut pauses = Pauses::default();
        let mut now = Duration::ZERO;
        while now < Duration::from_secs(100) {
            let pause = pauses.after(Duration::ZERO, false);
            assert!(pause <= SOON, "{pause:?} after {now:?}");
            now += pause;
        }
    }

    #[test]
    fn where_nobody_is_there_whoever_comes_is_found_within_fifteen_seconds() {
        let mut pauses = Pauses::default();
        for _ in 0..20 {
            let pause = pauses.after(Duration::ZERO, true);
            assert!(pause <= SOON, "{pause:?}");
        }
        let later = calls(true, 5..15);
        assert!((40..=60).contains(&later), "{later} in ten minutes");
    }

    #[test]
    fn a_connection_that_has_lasted_is_made_again_at_once() {
        let mut pauses = Pauses::default();
        (0..20).for_each(|_| _ = pauses.after(Duration::ZERO, false));
        assert!(pauses.after(GOOD * 2, false) <= SOONEST);
    }

    #[test]
    fn pauses_differ_so_that_not_all_come_back_at_once() {
        let mut first = std::iter::repeat_with(|| {
            let mut pauses = Pauses::default();
            (0..20)
                .map(|_| pauses.after(Duration::ZERO, false))
                .sum::<Duration>()
        });
        let one = first.next();
        assert!(first.take(10).any(|other| Some(other) != one));
    }

    #[test]
    fn who_breaks_a_connection_was_there() {
        let broken = |kind: ErrorKind| is_unreached(&std::io::Error::from(kind).into());
        assert!(broken(ErrorKind::ConnectionRefused));
        assert!(broken(ErrorKind::NetworkUnreachable));
        assert!(!broken(ErrorKind::ConnectionReset));
        assert!(!is_unreached(&anyhow::anyhow!("the connection ended")));
    }
}
