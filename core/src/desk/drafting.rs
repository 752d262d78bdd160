//! Taps and texts on a card that shows one step at a time: they move the draft, or complete it.

use super::{Channel, Desk, Refusal};
use crate::{Ask, AskId, Draft, Invalid, Moved, Step, Surface, Tap, Target, Timestamp};

impl Desk {
    pub(super) fn on_tap(
        &mut self,
        target: Target,
        tap: Tap,
        by: Surface,
        now: Timestamp,
        step: &mut Step,
    ) {
        self.draft(target, |draft, ask| draft.tap(ask, tap), by, now, step);
    }

    pub(super) fn on_text(
        &mut self,
        target: Target,
        text: &str,
        by: Surface,
        now: Timestamp,
        step: &mut Step,
    ) {
        self.draft(target, |draft, ask| draft.write(ask, text), by, now, step);
    }

    fn draft(
        &mut self,
        target: Target,
        transition: impl FnOnce(&mut Draft, &Ask) -> Result<Moved, Invalid>,
        by: Surface,
        now: Timestamp,
        step: &mut Step,
    ) {
        match self.moved(target, transition) {
            Ok((id, Moved::Answer(answer))) => {
                self.on_answer(id, answer, Some(target.fingerprint), by, now, step);
            }
            Ok((id, Moved::Draft)) => {
                self.save(&id, step);
                self.update(&id, Channel::Telegram, step);
                step.verdict = Some(Ok(id));
            }
            Err(refusal) => step.verdict = Some(Err(refusal)),
        }
    }

    fn moved(
        &mut self,
        target: Target,
        transition: impl FnOnce(&mut Draft, &Ask) -> Result<Moved, Invalid>,
    ) -> Result<(AskId, Moved), Refusal> {
        let id = self.target(target)?;
        if let Some(refusal) = self.taken(&id) {
            return Err(refusal);
        }
        let entry = self.entries.get_mut(&id).ok_or(Refusal::Unknown)?;
        let mut draft = entry.draft.clone().unwrap_or_else(|| Draft::new(&entry.ask));
        let moved = transition(&mut draft, &entry.ask)?;
        entry.draft = Some(draft);
        Ok((id, moved))
    }
}
