//! Presses and words that may come late: the desk forgets settled asks in time, the history knows
//! them longer, and words that are not taken are given back.

use super::*;
use beckon_client::wire::WindowDraft;
use beckon_core::{Answer, ButtonTarget, Reply, Surface};

impl App {
    /// Lets the desk handle an event. The verdict on a press on a card whose ask the desk has
    /// forgotten says how that ended, as long as the history knows.
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

    /// Takes the words of a reply to a notification. If they come to nothing they are given back:
    /// the notification is gone once it is replied to, so they are kept nowhere else.
    pub(super) fn on_reply(&mut self, target: ButtonTarget, text: String) {
        if let Err(refusal) = self.reply(target, &text) {
            self.channels.desktop.give_back(target, &refusal, &text);
        }
    }

    /// Submits words as the answer to what that card showed, and to nothing else. If the agent
    /// sends them back, they are kept in the window.
    fn reply(&mut self, target: ButtonTarget, text: &str) -> Result<(), AnswerRefusal> {
        let Some(ask) = self.numbered(target.serial) else {
            let known = self.store.outcome(target).ok().flatten();
            return Err(
                known.map_or(AnswerRefusal::Unknown, |outcome| AnswerRefusal::Settled {
                    outcome,
                }),
            );
        };
        let replies = vec![Reply::text(text)];
        let (answer, seen) = (Answer::Replies(replies.clone()), Some(target.fingerprint));
        let by = Surface::Notification;
        if let Some(Err(refusal)) = self.handle(Event::Answered {
            ask: ask.clone(),
            answer,
            seen,
            by,
            responder: None,
        }) {
            return Err(refusal);
        }
        self.tell_unless_saved(&ask);
        if self.numbered(target.serial).is_some() {
            self.keep_draft(
                &ask,
                &WindowDraft {
                    replies,
                    page: 0,
                    seen,
                },
            );
        }
        Ok(())
    }

    /// Returns the ask of that number, if it is not over.
    fn numbered(&self, serial: u64) -> Option<AskId> {
        let mut asks = self.desk.asks();
        asks.find(|(_, entry)| entry.serial == serial)
            .map(|(_, entry)| entry.ask.id.clone())
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
