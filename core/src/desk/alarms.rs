//! The alarms: each ask has one, set to the earliest thing that is due for it, so that a tick looks
//! at nothing that is not due.

use super::{Desk, Transition};
use crate::{AskId, Timestamp};

impl Transition<'_> {
    pub(super) fn ring_alarms(&mut self) {
        while let Some((at, id)) = self.desk.alarms.first().cloned() {
            if at > self.now {
                break;
            }
            self.on_alarm(&id);
            self.desk.schedule_after(&id, Some(self.now));
        }
    }

    /// Runs everything that is due for an ask.
    pub(super) fn on_alarm(&mut self, id: &AskId) {
        let now = self.now;
        self.change(id, |entry, _| {
            entry.hold_until = entry.hold_until.filter(|until| now < *until)
        });
        self.expire(id);
        self.retry(id);
        self.doubt(id);
        self.verify(id);
        self.wake(id);
        self.ring(id);
        self.remind_or_warn(id);
    }
}

impl Desk {
    /// Sets the ask's alarm to the earliest thing that is due for it.
    pub(super) fn schedule(&mut self, id: &AskId) {
        self.schedule_after(id, None);
    }

    /// Sets the alarm to the earliest thing that is due after that time: what was due until then
    /// was handled already.
    pub(super) fn schedule_after(&mut self, id: &AskId, after: Option<Timestamp>) {
        let refreshed = self
            .sources
            .get(&id.source)
            .and_then(|source| source.refreshed_at);
        let Some(entry) = self.entries.get(id) else {
            return;
        };
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
        self.entries.set_alarm(id, due);
    }
}
