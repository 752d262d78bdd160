//! The parts of the sources that are not known although the sources answer, and asks in an unknown
//! form: a person is told, since they might wait for a question that never comes.

use super::*;

impl App {
    /// Notes which parts of a source could not be read.
    pub(super) fn note_gaps(&mut self, source: SourceId, gaps: UnreadParts) {
        let before = if gaps.is_empty() {
            self.gaps.remove(&source)
        } else {
            self.gaps.insert(source.clone(), gaps.clone())
        };
        if before.unwrap_or_default() != gaps {
            let UnreadParts {
                directories,
                projects,
                ..
            } = gaps;
            tracing::debug!(%source, directories, projects, "not known of it");
            self.opener.changed();
        }
    }

    /// Counts something that was asked through Beckon itself and could not be read. Its card, if it
    /// has one, goes with its agent's dialog; the count stays.
    pub(super) fn note_unreadable(&mut self, agent: &str, reason: &str) {
        tracing::warn!(agent, reason, "what an agent said could not be read");
        self.unreadable = self.unreadable.saturating_add(1);
        self.opener.changed();
    }

    /// Returns the unread parts of the watched sources, by name.
    pub(super) fn known_gaps(&self) -> BTreeMap<String, UnreadParts> {
        let watched = self
            .gaps
            .iter()
            .filter(|(source, _)| self.sources.contains_key(*source));
        watched
            .map(|(source, gaps)| (source.0.clone(), gaps.clone()))
            .collect()
    }

    /// Returns the warnings about unread parts, unknown forms and asks that could not be read.
    pub(super) fn unseen(&self) -> Vec<Warning> {
        let unread = self.known_gaps().into_iter();
        let unread = unread.map(|(source, gaps)| Warning::Unread { source, gaps });
        let unreadable = Some(Warning::Unreadable(self.unreadable));
        let unreadable = unreadable.filter(|_| self.unreadable > 0);
        let strange = self.desk.unknown_forms().into_iter();
        // Those asked through Beckon itself are counted in `unreadable`, which keeps them after
        // their cards have gone.
        let strange = strange.filter(|(source, _)| source.0 != config::LOCAL_ASKS);
        let strange = strange.map(|(source, count)| Warning::Strange {
            source: source.0,
            count,
        });
        unread.chain(strange).chain(unreadable).collect()
    }
}
