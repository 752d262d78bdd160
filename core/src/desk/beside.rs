//! Permissions that are rejected together: some sources reject every permission of a session with
//! one of them, and the human is told before they press.

use super::alike::OfSession;
use super::{Desk, Entry, MOST_COUNTED, Transition};
use crate::{AskContent, AskId, AskState, Channel, Effect, RejectionReach, RowChange};
use alloc::collections::BTreeSet;
use alloc::vec::Vec;

impl Transition<'_> {
    /// Counts anew how many permissions are rejected together, in each session of which the step
    /// has changed such a permission.
    pub(super) fn count_beside(&mut self) {
        let changed = self.step.save.iter().filter_map(|save| match save {
            RowChange::Ask(entry) if reaches(entry) => Some(entry.of_session()),
            _ => None,
        });
        let sessions: BTreeSet<_> = changed.collect();
        for session in sessions {
            for id in self.desk.count_session(&session) {
                self.refresh_cards(&id);
            }
        }
    }

    /// Updates the cards of an ask after its count has changed: a card that is on its way says the
    /// new count at once, one that is shown is redrawn.
    pub(super) fn refresh_cards(&mut self, id: &AskId) {
        let Some(counted) = self.desk.entries.get(id) else {
            return;
        };
        let mut shown = BTreeSet::new();
        for effect in &mut self.step.effects {
            if let Effect::Show { channel, entry, .. } | Effect::Update { channel, entry } = effect
                && entry.ask.id == *id
            {
                entry.also_rejects = counted.also_rejects;
                (entry.also_asked, entry.behind) = (counted.also_asked, counted.behind);
                shown.insert(*channel);
            }
        }
        for channel in Channel::ALL
            .into_iter()
            .filter(|channel| !shown.contains(channel))
        {
            self.update(id, channel);
        }
    }
}

impl Desk {
    /// Counts for all sessions, after a restart. The cards are drawn anew then in any case.
    pub(super) fn count_all_beside(&mut self) {
        let sessions: Vec<_> = self.by_session.keys().cloned().collect();
        for session in sessions {
            self.count_session(&session);
        }
    }

    /// Counts a session, and returns the asks whose count has changed.
    fn count_session(&mut self, session: &OfSession) -> Vec<AskId> {
        let ids = self.by_session.get(session).into_iter().flatten();
        let entry = |id: &&AskId| self.entries.get(*id);
        let open = |id: &&AskId| entry(id).is_some_and(|e| reaches(e) && e.state == AskState::Open);
        let open: Vec<AskId> = ids.filter(open).cloned().collect();
        let others = open.len().saturating_sub(1).min(MOST_COUNTED);
        open.into_iter()
            .filter(|id| self.entries.set_also_rejects(id, others))
            .collect()
    }
}

fn reaches(entry: &Entry) -> bool {
    matches!(&entry.ask.kind, AskContent::Permission(wish) if wish.rejects != RejectionReach::Itself)
}
