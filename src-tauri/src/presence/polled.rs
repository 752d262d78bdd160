//! The backend for a system that has no event for hands that rest or move: it looks as seldom as it
//! can.
//!
//! Not here: how a system is asked.

use super::evidence::{LastInput, PresenceFact};
use super::{BackendRequest, FactSink};
use beckon_core::{PresenceSource, Span};
use std::time::Duration;
use tokio::sync::watch;

/// The time within which a human is seen who has come back.
const RETURN_WITHIN: Duration = Duration::from_secs(5);
/// The shortest time between two looks.
const PAUSE: Duration = Duration::from_secs(1);

/// The answer of a system that is asked; `None` where it does not know.
#[derive(Clone, Copy, Debug)]
pub(super) struct PolledState {
    /// The time for which keyboard and mouse were not touched.
    pub(super) untouched: Option<Span>,
    /// Whether the screen is locked. Systems tell that by themselves as well; this makes up for a
    /// message of theirs that was missed.
    pub(super) locked: Option<bool>,
}

/// Looks at the moments that can matter.
#[cfg_attr(
    target_os = "linux",
    expect(dead_code, reason = "Linux has events for it")
)]
pub(super) async fn run(
    sink: FactSink,
    mut wish: watch::Receiver<BackendRequest>,
    look: impl Fn() -> PolledState + Send,
) {
    loop {
        let idle_after = wish.borrow_and_update().idle_after;
        let seen = look();
        facts(seen, idle_after).for_each(|fact| sink.post((PresenceSource::System, fact)));
        tokio::select! {
            () = tokio::time::sleep(next_look(seen.untouched, idle_after)) => {}
            changed = wish.changed() => if changed.is_err() { return },
        }
    }
}

fn facts(seen: PolledState, idle_after: Span) -> impl Iterator<Item = PresenceFact> {
    let hands = seen.untouched.map(|untouched| PresenceFact::Hands {
        idle: untouched >= idle_after,
        last_input: LastInput::Ago(untouched),
    });
    hands
        .into_iter()
        .chain(seen.locked.map(PresenceFact::Locked))
}

/// Returns the time until the next look: while the human is not idle yet, that is when they can be
/// idle at the soonest.
fn next_look(untouched: Option<Span>, idle_after: Span) -> Duration {
    let left = untouched.map(|untouched| u64::try_from(idle_after.0 - untouched.0));
    match left {
        Some(Ok(left)) if left > 0 => Duration::from_millis(left).max(PAUSE),
        _ => RETURN_WITHIN,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const IDLE_AFTER: Span = Span::seconds(30);

    #[test]
    fn the_next_look_is_when_something_can_have_changed() {
        let look = |untouched| next_look(Some(Span::millis(untouched)), IDLE_AFTER);
        assert_eq!(look(0), Duration::from_secs(30));
        assert_eq!(look(12_000), Duration::from_secs(18));
        assert_eq!(look(29_999), PAUSE);
        assert_eq!([look(30_000), look(900_000)], [RETURN_WITHIN; 2]);
        assert_eq!(next_look(None, IDLE_AFTER), RETURN_WITHIN);
    }

    #[test]
    fn only_what_the_system_knows_is_told() {
        let told = |look| facts(look, IDLE_AFTER).collect::<Vec<PresenceFact>>();
        assert!(
            told(PolledState {
                untouched: None,
                locked: None
            })
            .is_empty()
        );
        let untouched = Span::seconds(31);
        let seen = PolledState {
            untouched: Some(untouched),
            locked: Some(true),
        };
        let hands = PresenceFact::Hands {
            idle: true,
            last_input: LastInput::Ago(untouched),
        };
        assert_eq!(told(seen), [hands, PresenceFact::Locked(true)]);
    }
}
