//! Equal permissions of one session: they have one card, and one answer goes to all of them. Agents
//! that call a tool twice at once ask twice for the same.
//!
//! Not here: how a card says so. How often it was asked is part of what its human saw, so a button
//! that was made for one ask alone answers only that one ([`Entry::target`]).

use super::{Desk, Entry, Transition};
use crate::{AskId, AskState, Fingerprint, RowChange, SourceId};
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::string::String;
use alloc::vec::Vec;

/// An ask's source and session.
pub(super) type OfSession = (SourceId, String);

impl Transition<'_> {
    /// Groups equal permissions anew, in each session of which the step has changed an ask. An ask
    /// that is not behind another any more comes forward, and all that was due for it is done. If
    /// the number of asks behind one has changed, its card is redrawn.
    pub(super) fn stack_changed(&mut self) {
        let mut looked_at = 0;
        while looked_at < self.step.save.len() {
            let changed = self.step.save[looked_at..]
                .iter()
                .filter_map(|save| match save {
                    RowChange::Ask(entry) => Some(entry.of_session()),
                    _ => None,
                });
            let sessions: BTreeSet<_> = changed.collect();
            looked_at = self.step.save.len();
            for id in sessions
                .iter()
                .flat_map(|session| self.desk.stack(session))
                .collect::<Vec<_>>()
            {
                self.on_alarm(&id);
                self.desk.schedule_after(&id, Some(self.now));
                self.refresh_cards(&id);
            }
        }
    }
}

impl Desk {
    /// Groups the permissions of all sessions, after a restart, while nothing is shown yet.
    pub(super) fn stack_all(&mut self) {
        let sessions: Vec<_> = self.by_session.keys().cloned().collect();
        for session in sessions {
            self.stack(&session);
        }
    }

    /// Puts an ask behind an equal one that is shown, before it can ring.
    pub(super) fn step_behind(&mut self, id: &AskId) {
        let asks = |entry: &&Entry| may_stand_behind(entry) && entry.waits();
        let Some(entry) = self.entries.get(id).filter(asks) else {
            return;
        };
        let stack = (entry.of_session(), entry.content);
        let front = self.fronts.get(&stack).filter(|front| *front != id);
        let front = front.and_then(|front| self.entries.get(front));
        if !front.is_some_and(|front| front.waits() && front.ask.kind == entry.ask.kind) {
            self.fronts.insert(stack, id.clone());
        } else {
            let also_asked = entry.also_asked;
            self.entries.set_place(id, true, also_asked);
        }
    }

    /// Returns the ask that is shown for it: itself, or the equal one that it is behind.
    pub(super) fn front_of(&self, id: &AskId) -> AskId {
        let entry = self.entries.get(id).filter(|entry| entry.behind);
        let front = entry.and_then(|it| self.fronts.get(&(it.of_session(), it.content)));
        front.unwrap_or(id).clone()
    }

    /// Returns the asks that are answered together with this one.
    pub(super) fn behind(&self, id: &AskId) -> Vec<AskId> {
        let Some(front) = self.entries.get(id).filter(|front| front.also_asked > 0) else {
            return Vec::new();
        };
        let equal = |id: &&AskId| {
            let entry = self.entries.get(*id);
            entry.is_some_and(|entry| entry.behind && entry.ask.kind == front.ask.kind)
        };
        let session = self.by_session.get(&front.of_session());
        session
            .into_iter()
            .flatten()
            .filter(equal)
            .cloned()
            .collect()
    }

    /// Puts the equal permissions of a session behind the one that is shown, or will be; returns
    /// those that moved.
    fn stack(&mut self, session: &OfSession) -> Vec<AskId> {
        let mut places = BTreeMap::new();
        for (content, stack) in self.stacks(session) {
            let count = stack.len();
            for (place, id) in stack.into_iter().enumerate() {
                if place == 0 {
                    self.fronts.insert((session.clone(), content), id.clone());
                }
                places.insert(
                    id,
                    if place == 0 {
                        (false, count - 1)
                    } else {
                        (true, 0)
                    },
                );
            }
        }
        let mut moved = Vec::new();
        for id in self.by_session.get(session).into_iter().flatten() {
            let (behind, also_asked) = places.get(id).copied().unwrap_or_default();
            if self.entries.set_place(id, behind, also_asked) {
                moved.push(id.clone());
            }
        }
        moved
    }

    /// Returns the open permissions of a session by their content, first the one that is shown: it
    /// stays in front as long as it waits.
    fn stacks(&self, session: &OfSession) -> BTreeMap<Fingerprint, Vec<AskId>> {
        let mut stacks = BTreeMap::<_, Vec<_>>::new();
        let ids = self.by_session.get(session).into_iter().flatten();
        for entry in ids.filter_map(|id| self.entries.get(id)) {
            if may_stand_behind(entry) && entry.state == AskState::Open {
                let front = self.fronts.get(&(session.clone(), entry.content));
                let is_front = front == Some(&entry.ask.id);
                let order = (entry.quiet_since.is_some(), !is_front, entry.serial);
                stacks
                    .entry(entry.content)
                    .or_default()
                    .push((order, entry.ask.id.clone()));
            }
        }
        let sorted = stacks.into_iter().map(|(content, mut stack)| {
            stack.sort();
            (content, stack.into_iter().map(|(_, id)| id).collect())
        });
        sorted.collect()
    }
}

impl Entry {
    pub(super) fn of_session(&self) -> OfSession {
        (self.ask.id.source.clone(), self.ask.session.id.clone())
    }
}

/// Whether it is a permission of which everything is known: calls whose arguments are still to come
/// may only look equal.
fn may_stand_behind(entry: &Entry) -> bool {
    let input = entry.ask.kind.input();
    input.is_some_and(|input| !input.is_partial)
}
