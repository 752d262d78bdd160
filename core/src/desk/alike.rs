//! Equal permissions of one session: they have one card, and one answer goes to all of them. Agents
//! that call a tool twice at once ask twice for the same.
//!
//! Not here: how a card says so. How often it was asked is part of what its human saw, so a button
//! that says "once" cannot allow it twice ([`Entry::target`]).

use super::{Desk, Entry};
use crate::{AskId, Kind, Save, SourceId, State, Step, Timestamp};
use std::collections::{BTreeMap, BTreeSet};

/// An ask's source and session.
pub(super) type OfSession = (SourceId, String);

impl Desk {
    /// After a restart nothing is shown yet.
    pub(super) fn stack_all(&mut self) {
        let sessions: Vec<_> = self.by_session.keys().cloned().collect();
        for session in sessions {
            self.stack(&session);
        }
    }

    /// Whatever a step changes of an ask may concern the equals of its session. One that stands behind none any
    /// more comes forward, with all that was due for it; where more stand behind one, its card says
    /// so.
    pub(super) fn stack_changed(&mut self, now: Timestamp, step: &mut Step) {
        let mut looked_at = 0;
        while looked_at < step.save.len() {
            let changed = step.save[looked_at..].iter().filter_map(|save| match save {
                Save::Ask(entry) => Some(entry.of_session()),
                _ => None,
            });
            let sessions: BTreeSet<_> = changed.collect();
            looked_at = step.save.len();
            for id in sessions.iter().flat_map(|session| self.stack(session)).collect::<Vec<_>>() {
                self.on_alarm(&id, now, step);
                self.schedule_after(&id, Some(now));
                self.refresh_cards(&id, step);
            }
        }
    }

    /// A new permission stands behind an equal one from the start, so that it never rings.
    pub(super) fn stacks(&self, entry: &Entry) -> bool {
        let front = self.fronts.get(&(entry.of_session(), entry.content));
        let front = front.and_then(|id| self.entries.get(id)).filter(|_| is_permission(entry));
        front.is_some_and(|front| front.state == State::Open && front.ask.kind == entry.ask.kind)
    }

    /// The asks that are answered together with this one.
    pub(super) fn behind(&self, id: &AskId) -> Vec<AskId> {
        let Some(front) = self.entries.get(id).filter(|front| front.also_asked > 0) else {
            return Vec::new();
        };
        let equal = |id: &&AskId| {
            let entry = self.entries.get(*id);
            entry.is_some_and(|entry| entry.behind && entry.ask.kind == front.ask.kind)
        };
        let session = self.by_session.get(&front.of_session());
        session.into_iter().flatten().filter(equal).cloned().collect()
    }

    /// Puts the equal ones of a session behind the oldest that waits; the asks that changed by it.
    fn stack(&mut self, session: &OfSession) -> Vec<AskId> {
        let ids: Vec<AskId> = self.by_session.get(session).into_iter().flatten().cloned().collect();
        let mut stacks = BTreeMap::<_, Vec<_>>::new();
        for entry in ids.iter().filter_map(|id| self.entries.get(id)) {
            if is_permission(entry) && entry.state == State::Open {
                let order = (entry.quiet_since.is_some(), entry.serial);
                stacks.entry(entry.content).or_default().push((order, entry.ask.id.clone()));
            }
        }
        self.fronts.retain(|(of, _), _| of != session);
        let mut places = BTreeMap::new();
        for (content, mut stack) in stacks {
            stack.sort();
            let behind = stack.len() - 1;
            for (place, (_, id)) in stack.into_iter().enumerate() {
                if place == 0 {
                    self.fronts.insert((session.clone(), content), id.clone());
                }
                places.insert(id, (place > 0, if place == 0 { behind } else { 0 }));
            }
        }
        let mut moved = Vec::new();
        for id in ids {
            let Some(entry) = self.entries.get_mut(&id) else { continue };
            let place = places.get(&id).copied().unwrap_or_default();
            if (entry.behind, entry.also_asked) != place {
                (entry.behind, entry.also_asked) = place;
                moved.push(id);
            }
        }
        moved
    }
}

impl Entry {
    pub(super) fn of_session(&self) -> OfSession {
        (self.ask.id.source.clone(), self.ask.session.id.clone())
    }
}

fn is_permission(entry: &Entry) -> bool {
    matches!(entry.ask.kind, Kind::Permission(_))
}
