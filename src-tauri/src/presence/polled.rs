//! Where a system has no event for hands that rest or move: looks as seldom as it can.
//!
//! Not here: how a system is asked.

use super::evidence::{Fact, LastInput};
use super::{Tell, Wish};
use beckon_core::{Evidence, Span};
use std::time::Duration;
use tokio::sync::watch;

/// Who has come back is seen within this.
const RETURN_WITHIN: Duration = Duration::from_secs(5);
/// No look sooner than this after the last.
const PAUSE: Duration = Duration::from_secs(1);

/// Tells how long ago the last input was, at the moments that can matter. `untouched` gives
/// nothing where the system does not say.
#[cfg_attr(
    target_os = "linux",
    expect(dead_code, reason = "Linux has events; tests look at the rest")
)]
pub(super) async fn run(
    tell: Tell,
    mut wish: watch::Receiver<Wish>,
    untouched: impl Fn() -> Option<Span> + Send,
) {
    loop {
        let idle_after = wish.borrow_and_update().idle_after;
        let found = untouched();
        if let Some(untouched) = found {
            let (idle, last_input) = (untouched >= idle_after, LastInput::Ago(untouched));
            tell.tell(Evidence::System, Fact::Hands { idle, last_input });
        }
        let pause = found.map_or(RETURN_WITHIN, |untouched| next_look(untouched, idle_after));
        tokio::select! {
            () = tokio::time::sleep(pause) => {}
            changed = wish.changed() => if changed.is_err() { return },
        }
    }
}

/// Hands in use are looked at again when they could have come to rest at the soonest.
fn next_look(untouched: Span, idle_after: Span) -> Duration {
    match u64::try_from(idle_after.0 - untouched.0) {
        Ok(left) if left > 0 => Duration::from_millis(left).max(PAUSE),
        _ => RETURN_WITHIN,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_next_look_is_when_something_can_have_changed() {
        let look = |untouched| next_look(Span::seconds(untouched), Span::seconds(30));
        assert_eq!(look(0), Duration::from_secs(30));
        assert_eq!(look(12), Duration::from_secs(18));
        assert_eq!(look(30), RETURN_WITHIN);
        let nearly = next_look(Span::millis(29_999), Span::seconds(30));
        assert_eq!(nearly, PAUSE);
    }
}
