//! The time while the human is away: what happens meanwhile is summed up once when they are back.

use super::super::Transition;
use crate::{AskId, Effect, Outcome, PolicyInput, Reach};
use alloc::vec::Vec;

/// The number of things that happened since the human left. Not kept over a restart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in super::super) struct Absence {
    asked: usize,
    answered: usize,
}

/// The fewest events and waiting asks for which a digest is shown; less is told by the
/// notifications themselves.
const WORTH_A_DIGEST: usize = 2;

impl Transition<'_> {
    pub(in super::super) fn note_asked(&mut self) {
        if let Some(absence) = &mut self.desk.absence {
            absence.asked += 1;
        }
    }

    pub(in super::super) fn note_ended(&mut self, outcome: &Outcome) {
        let answered = matches!(
            outcome,
            Outcome::Answered { .. } | Outcome::Elsewhere { .. }
        );
        if let Some(absence) = self.desk.absence.as_mut().filter(|_| answered) {
            absence.answered += 1;
        }
    }

    /// Notes that the human has left, or is known to be here again. The notifications that they had
    /// closed before come back.
    pub(super) fn note_presence(&mut self, before: PolicyInput, now: PolicyInput) {
        if before.away && !now.away {
            let ids: Vec<AskId> = self.desk.entries.keys().cloned().collect();
            ids.iter().for_each(|id| self.open_again(id));
        }
        if now.is_gone() {
            self.desk.absence.get_or_insert_default();
        } else if now.away {
            // The human is back at another machine, which shows its own digest.
            self.desk.absence = None;
        } else if !now.unknown && !now.paused {
            self.tell_absence();
        }
    }

    fn tell_absence(&mut self) {
        let Some(Absence { asked, answered }) = self.desk.absence.take() else {
            return;
        };
        let waiting = self.desk.waiting();
        let worth = asked + answered > 0 && answered + waiting >= WORTH_A_DIGEST;
        let mut working = self
            .desk
            .channels
            .iter()
            .filter(|(_, works)| **works)
            .map(|(c, _)| *c);
        let here = working
            .find(|channel| channel.reach() == Reach::Here)
            .filter(|_| worth);
        let digest = here.map(|channel| Effect::Digest {
            channel,
            answered,
            waiting,
        });
        self.desk.digest = here.filter(|_| waiting > 0);
        self.step.effects.extend(digest);
    }

    /// Takes the digest away once nothing waits any more.
    pub(in super::super) fn end_digest(&mut self) {
        if let Some(channel) = self.desk.digest.filter(|_| self.desk.waiting() == 0) {
            self.desk.digest = None;
            self.step.effects.push(Effect::EndDigest { channel });
        }
    }
}
