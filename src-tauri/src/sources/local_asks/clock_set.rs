//! Moves the stored times when the wall clock was set.

use super::LocalAsks;
use super::messages::RecordChange;
use beckon_core::Span;

impl LocalAsks {
    /// Moves all times by the span by which the clock was set, since time limits are lengths of
    /// time. Returns the changes to commit.
    pub(crate) fn set_clock(&mut self, by: Span) -> Vec<RecordChange> {
        for open in self.open.values_mut() {
            open.deadline = open.deadline.map(|at| at + by);
            open.handed_at = open.handed_at.map(|at| at + by);
            open.over_at = open.over_at.map(|at| at + by);
            open.absent_since = open.absent_since + by;
        }
        self.ended
            .values_mut()
            .for_each(|ended| ended.at = ended.at + by);
        let names: Vec<String> = self.open.keys().cloned().collect();
        names.iter().for_each(|own| self.schedule(own));
        let limited = self.open.values().filter(|open| open.deadline.is_some());
        let waiting = limited.filter(|open| open.end.is_none());
        waiting
            .map(|open| RecordChange::Put(open.record(None)))
            .collect()
    }
}
