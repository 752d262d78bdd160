//! One alarm per ask, set to the earliest thing that is due for it, so that a tick looks at nothing
//! that is not due.

use super::Desk;
use crate::{AskId, Step, Timestamp};

impl Desk {
    /// Sets the ask's alarm to the earliest thing that is due for it.
    pub(super) fn schedule(&mut self, id: &AskId) {
        self.schedule_after(id, None);
    }

    /// The same, looking only at what comes after a time: what was due then has had its chance.
    pub(super) fn schedule_after(&mut self, id: &AskId, after: Option<Timestamp>) {
        let refreshed = self.sources.get(&id.source).and_then(|source| source.refreshed_at);
        let Some(entry) = self.entries.get_mut(id) else { return };
        let due = entry.due(&self.policy, refreshed, after);
        if entry.alarm == due {
            return;
        }
        if let Some(at) = entry.alarm {
            self.alarms.remove(&(at, id.clone()));
        }
        if let Some(at) = due {
            self.alarms.insert((at, id.clone()));
        }
        entry.alarm = due;
    }

    pub(super) fn ring_alarms(&mut self, now: Timestamp, step: &mut Step) {
        while let Some((at, id)) = self.alarms.first().cloned() {
            if at > now {
                break;
            }
            self.on_alarm(&id, now, step);
            self.schedule_after(&id, Some(now));
        }
    }

    /// Does all that is due for an ask.
    pub(super) fn on_alarm(&mut self, id: &AskId, now: Timestamp, step: &mut Step) {
        let Some(entry) = self.entries.get_mut(id) else { return };
        if entry.hold_until.is_some_and(|until| now >= until) {
            entry.hold_until = None;
        }
        self.expire(id, now, step);
        self.retry(id, now, step);
        self.doubt(id, now, step);
        self.verify(id, now, step);
        self.ring(id, now, step);
        self.nudge(id, now, step);
    }
}
