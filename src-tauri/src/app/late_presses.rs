//! Late presses: the desk forgets settled asks in time, the history knows them longer.

use super::*;
use beckon_core::ButtonTarget;

impl App {
    /// What follows from an event. A press on a card whose ask the desk has forgotten is told how
    /// that ended, as long as the history knows.
    pub(super) fn decide(&mut self, event: Event, now: Timestamp) -> Step {
        let target = target(&event);
        let mut step = self.desk.handle(event, now);
        if let (Some(Err(AnswerRefusal::Unknown)), Some(target)) = (&step.verdict, target)
            && let Ok(Some(outcome)) = self.store.outcome(target)
        {
            step.verdict = Some(Err(AnswerRefusal::Settled { outcome }));
        }
        step
    }
}

fn target(event: &Event) -> Option<ButtonTarget> {
    match event {
        Event::Pressed { target, .. }
        | Event::Tapped { target, .. }
        | Event::Wrote { target, .. } => Some(*target),
        _ => None,
    }
}
