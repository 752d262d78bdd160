//! While the human is away: what happens meanwhile is summed up once when they are back, instead of
//! ringing for each.

use super::super::Transition;
use crate::{AskId, Effect, Outcome, PolicyInput, Reach};
use alloc::vec::Vec;

/// What has happened since the human left. Not kept over a restart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in super::super) struct Absence {
    asked: usize,
    answered: usize,
}

/// Less is told by the notifications that stand.
const WORTH_A_DIGEST: usize = 2;

impl Transition<'_> {
    pub(in super::super) fn note_asked(&mut self) {
        if let Some(absence) = &mut self.desk.absence {
            absence.asked += 1;
        }
    }

    pub(in super::super) fn note_ended(&mut self, outcome: &Outcome) {
        let answered = matches!(outcome, Outcome::Answered { .. } | Outcome::Elsewhere { .. });
        if let Some(absence) = self.desk.absence.as_mut().filter(|_| answered) {
            absence.answered += 1;
        }
    }

    /// The human has left, or is back.
    pub(super) fn note_presence(&mut self, before: PolicyInput, now: PolicyInput) {
        match (before.away, now.away) {
            (false, true) => self.desk.absence = Some(Absence::default()),
            (true, false) => self.welcome_back(now),
            (true, true) | (false, false) => {}
        }
    }

    /// What the human had closed before they left comes back, unless the digest stands for it.
    fn welcome_back(&mut self, now: PolicyInput) {
        let absence = self.desk.absence.take().unwrap_or_default();
        if now.paused || !self.tell_absence(absence) {
            let ids: Vec<AskId> = self.desk.entries.keys().cloned().collect();
            ids.iter().for_each(|id| self.open_again(id));
        }
    }

    /// Is it told?
    fn tell_absence(&mut self, Absence { asked, answered }: Absence) -> bool {
        let waiting = self.desk.waiting();
        let happened = asked + answered > 0 && answered + waiting >= WORTH_A_DIGEST;
        let mut here = self.desk.channels.iter().filter(|(_, works)| **works).map(|(c, _)| *c);
        let channel = here.find(|channel| channel.reach() == Reach::Here);
        let digest = channel.filter(|_| happened);
        self.step.effects.extend(digest.map(|channel| Effect::Digest {
            channel,
            answered,
            waiting,
        }));
        digest.is_some()
    }
}
