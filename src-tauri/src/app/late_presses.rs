//! Presses and words that may come late: the desk forgets settled asks in time, the history knows
//! them longer, and words that are not taken are given back.

use super::*;
use beckon_core::{Answer, ButtonTarget, Reply, Surface};

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

    /// A notification is gone once it is replied to: words that come to nothing stand nowhere else.
    pub(super) fn on_reply(&mut self, target: ButtonTarget, text: String) {
        if let Err(refusal) = self.reply(target, &text) {
            self.channels.desktop.give_back(target, &refusal, &text);
        }
    }

    /// They are an answer to what that card showed, and to nothing else.
    fn reply(&mut self, target: ButtonTarget, text: &str) -> Result<(), AnswerRefusal> {
        let mut asks = self.desk.asks();
        let found = asks.find(|(_, entry)| entry.serial == target.serial);
        let Some(ask) = found.map(|(_, entry)| entry.ask.id.clone()) else {
            drop(asks);
            let known = self.store.outcome(target).ok().flatten();
            return Err(
                known.map_or(AnswerRefusal::Unknown, |outcome| AnswerRefusal::Settled { outcome })
            );
        };
        drop(asks);
        let answer = Answer::Replies(vec![Reply::text(text)]);
        let (seen, by) = (Some(target.fingerprint), Surface::Notification);
        match self.handle(Event::Answered { ask, answer, seen, by }) {
            Some(Err(refusal)) => Err(refusal),
            Some(Ok(_)) | None => Ok(()),
        }
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
