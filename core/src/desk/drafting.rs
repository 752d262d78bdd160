//! Taps and texts on a card that shows one step at a time: they move the draft, or complete it.

use super::entry::GivenBy;
use super::{AnswerRefusal, Desk, Transition};
use crate::{
    Ask, AskId, ButtonTarget, CardPage, CardSight, CardTap, Draft, DraftMove, InvalidAnswer,
    SeenStep, WrittenText,
};

impl Transition<'_> {
    pub(super) fn on_tap(
        &mut self,
        target: ButtonTarget,
        tap: CardTap,
        sight: CardSight,
        by: GivenBy,
    ) {
        let edit = |draft: &mut Draft, ask: &Ask| {
            let moved = draft.tap(ask, tap)?;
            Ok(match (sight, tap) {
                (CardSight::Clear, _)
                | (CardSight::Obscured, CardTap::SureHidden | CardTap::Send { .. }) => moved,
                (CardSight::Obscured, _) => draft.ask_twice(ask, moved),
            })
        };
        self.draft(target, edit, by);
    }

    pub(super) fn on_text(
        &mut self,
        target: ButtonTarget,
        (seen, text): (SeenStep, WrittenText),
        sight: CardSight,
        by: GivenBy,
    ) {
        let edit = |draft: &mut Draft, ask: &Ask| {
            let before = draft.clone();
            let moved = draft.write_to(ask, seen, text)?;
            let moved = if sight == CardSight::Obscured {
                draft.ask_twice(ask, moved)
            } else {
                moved
            };
            // On a "sure?" page no text is awaited, so words that change nothing are refused: their
            // human would wait in vain.
            let is_sure = !matches!(before.page, CardPage::Question(_) | CardPage::Review);
            if is_sure && moved == DraftMove::Draft && *draft == before {
                return Err(InvalidAnswer::WrongKind);
            }
            Ok(moved)
        };
        self.draft(target, edit, by);
    }

    fn draft(
        &mut self,
        target: ButtonTarget,
        edit: impl FnOnce(&mut Draft, &Ask) -> Result<DraftMove, InvalidAnswer>,
        by: GivenBy,
    ) {
        match self.desk.moved(target, edit) {
            Ok((id, _, DraftMove::Answer(answer))) => {
                self.on_answer(id, answer, Some(target.fingerprint), by);
            }
            Ok((id, draft, DraftMove::Draft)) => {
                self.change(&id, |entry, _| entry.draft = Some(draft));
                self.step.verdict = Some(Ok(id));
            }
            Err(refusal) => self.step.verdict = Some(Err(refusal)),
        }
    }
}

impl Desk {
    fn moved(
        &self,
        target: ButtonTarget,
        edit: impl FnOnce(&mut Draft, &Ask) -> Result<DraftMove, InvalidAnswer>,
    ) -> Result<(AskId, Draft, DraftMove), AnswerRefusal> {
        let id = self.target(target)?;
        if let Some(refusal) = self.taken(&id) {
            return Err(refusal);
        }
        let entry = self.entries.get(&id).ok_or(AnswerRefusal::Unknown)?;
        let mut draft = entry
            .draft
            .clone()
            .unwrap_or_else(|| Draft::new(&entry.ask));
        let moved = edit(&mut draft, &entry.ask)?;
        Ok((id, draft, moved))
    }
}
