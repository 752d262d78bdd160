//! Tells from when on a stream reports everything. OpenCode 1.18 greets before it subscribes to its
//! own events, and what happens in between is on no stream.

use crate::sources::opencode::events::StreamEvent;
use std::time::Duration;

/// The pauses between readings of the list while the server may not have subscribed yet.
///
/// Subscribing takes it 10 to 200 ms, longer while it is busy (`docs/measured.md`), and nothing
/// shows that it is over but the first frame, which may be a heartbeat 10 s later. The list is read
/// again after each pause, so that an ask from in between is seen at once.
const LOOKS: [Duration; 4] = [
    Duration::from_millis(100),
    Duration::from_millis(300),
    Duration::from_millis(1_000),
    Duration::from_millis(4_000),
];

/// The state of one connection's subscription.
#[derive(Debug, Default)]
pub(super) struct Subscription {
    proven: bool,
    looks: usize,
}

impl Subscription {
    /// Tells whether this frame shows that the server has subscribed. Then a list that is begun now
    /// has all that the stream has not told.
    pub(super) fn is_proven_by(&mut self, told: &StreamEvent) -> bool {
        if matches!(told, StreamEvent::Connected) {
            *self = Self::default();
            return false;
        }
        !std::mem::replace(&mut self.proven, true)
    }

    /// Tells whether another look is to come.
    pub(super) fn is_looked_at(&self) -> bool {
        !self.proven && self.looks < LOOKS.len()
    }

    /// Returns the pause before the list is read again, while the subscription is not shown.
    pub(super) fn next_look(&mut self) -> Option<Duration> {
        let look = LOOKS.get(self.looks).copied().filter(|_| !self.proven);
        self.looks += 1;
        look
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_frame_after_the_greeting_proves_it_and_no_other() {
        let mut subscription = Subscription::default();
        assert!(!subscription.is_proven_by(&StreamEvent::Connected));
        assert!(subscription.is_proven_by(&StreamEvent::Heartbeat));
        assert!(!subscription.is_proven_by(&StreamEvent::Heartbeat));
        assert_eq!(subscription.next_look(), None);
        assert!(!subscription.is_proven_by(&StreamEvent::Connected));
        assert!(subscription.is_proven_by(&StreamEvent::Nothing));
    }

    #[test]
    fn until_then_the_list_is_looked_at_a_few_times() {
        let mut subscription = Subscription::default();
        let looks: Vec<Duration> = std::iter::from_fn(|| subscription.next_look())
            .take(100)
            .collect();
        assert_eq!(looks, LOOKS);
    }

    #[test]
    fn another_look_is_to_come_until_it_is_proven_or_they_are_over() {
        let mut subscription = Subscription::default();
        for _ in LOOKS {
            assert!(subscription.is_looked_at());
            subscription.next_look();
        }
        assert!(!subscription.is_looked_at());
        let mut proven = Subscription::default();
        assert!(proven.is_proven_by(&StreamEvent::Heartbeat));
        assert!(!proven.is_looked_at());
    }
}
