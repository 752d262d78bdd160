//! The turns that are under way, and the end of each, by what the stream tells. This reads neither
//! a stream nor a clock: moments are given.
//!
//! A turn begins when a session becomes busy, and ends when neither it nor any session that it
//! started, at any depth, is busy. Only the turn of the outermost session is reported.
//!
//! Two things cannot be seen on the stream, because a session may be older than the connection:
//!
//! - When a turn began that was under way already. Its length is counted by the server's own stamps
//!   (see [`ClockAnchor`]).
//! - That a session was started by another one, if nothing is told of that session meanwhile. The
//!   code that reports the turn reads the session and finds out.

use std::collections::BTreeMap;
use std::time::Instant;

/// The longest chain of sessions; a longer one is a circle.
const DEEPEST: usize = 64;

/// An assistant's message, as the stream tells of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct AssistantMessage {
    /// The user's message that it answers.
    pub(super) prompt: String,
    /// The server's clock at this moment, in milliseconds, if the message says so.
    pub(super) stamp: Option<i64>,
    /// The progress of the message.
    pub(super) reply: MessageProgress,
}

/// The progress of an assistant's message.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum MessageProgress {
    /// The message is being written, or was broken off. On 1.1.53 this is the only trace of an
    /// abort; on 1.18.33 it is the only trace of an abort while the provider is being retried.
    #[default]
    Unfinished,
    /// The message ends with calls of tools. The next message responds to their results, unless the
    /// human rejected one.
    CallsTools,
    /// The message is complete.
    Finished,
}

/// A moment at which the server's clock is known. With the stamp of the prompt it tells how long
/// the turn had been under way, whenever this connection began.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ClockAnchor {
    /// The user's message that began the turn.
    pub(super) prompt: String,
    /// The server's clock at that moment, in milliseconds.
    pub(super) stamp: i64,
    /// The moment, by our own clock.
    pub(super) at: Instant,
}

/// A turn that has ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct EndedTurn {
    pub(super) session: String,
    pub(super) directory: String,
    pub(super) anchor: ClockAnchor,
    pub(super) at: Instant,
    /// The reason for which it failed, if it did.
    pub(super) failed: Option<String>,
}

#[derive(Default)]
struct SessionRun {
    directory: String,
    anchor: Option<ClockAnchor>,
    reply: MessageProgress,
    failed: Option<String>,
    aborted: bool,
    /// Whether the session itself is done, but waits for sessions that it started.
    idle: bool,
}

/// The turns under way on one connection.
#[derive(Default)]
pub(super) struct RunningTurns {
    runs: BTreeMap<String, SessionRun>,
    /// The session that started each session. Sessions that no other one started are not in it.
    starters: BTreeMap<String, String>,
}

impl RunningTurns {
    /// Notes that a session was created.
    pub(super) fn created(&mut self, session: &str, starter: Option<String>) {
        if let Some(starter) = starter {
            self.starters.insert(session.to_owned(), starter);
        }
    }

    /// Notes that a session was changed. The stream tells that also of an old session that is
    /// continued.
    pub(super) fn updated(&mut self, session: &str, starter: Option<String>) {
        if self.runs.contains_key(session) {
            self.created(session, starter);
        }
    }

    /// Notes that a session is busy. The stream says so at the beginning of a turn and at each step
    /// of it, so an error before was not the end.
    pub(super) fn busy(&mut self, session: String, directory: String) {
        let run = self.runs.entry(session).or_default();
        run.directory = directory;
        run.failed = None;
        run.idle = false;
        if run.reply == MessageProgress::CallsTools {
            run.reply = MessageProgress::Unfinished;
        }
    }

    pub(super) fn spoke(&mut self, session: &str, spoken: AssistantMessage, now: Instant) {
        let Some(run) = self.runs.get_mut(session) else {
            return;
        };
        run.reply = spoken.reply;
        if let (None, Some(stamp)) = (&run.anchor, spoken.stamp) {
            run.anchor = Some(ClockAnchor {
                prompt: spoken.prompt,
                stamp,
                at: now,
            });
        }
    }

    pub(super) fn failed(&mut self, session: &str, why: String) {
        if let Some(run) = self.runs.get_mut(session) {
            run.failed = Some(why);
        }
    }

    /// Notes that the human broke the turn off.
    pub(super) fn aborted(&mut self, session: &str) {
        if let Some(run) = self.runs.get_mut(session) {
            run.aborted = true;
        }
    }

    /// Notes that a session is idle, and returns the turn if it has ended. The stream says so one
    /// to three times at the end of a turn.
    #[must_use]
    pub(super) fn idle(&mut self, session: &str, now: Instant) -> Option<EndedTurn> {
        if let Some(run) = self.runs.get_mut(session) {
            run.idle = true;
        }
        self.end(self.outermost(session), now)
    }

    /// Forgets a deleted session. Its own end is not worth reporting, but another session may have
    /// waited for it.
    #[must_use]
    pub(super) fn deleted(&mut self, session: &str, now: Instant) -> Option<EndedTurn> {
        let outermost = self.outermost(session);
        self.runs.remove(session);
        self.starters.remove(session);
        self.end(outermost, now)
    }

    /// Forgets the turns of a directory whose instance has ended; nothing is left to report.
    pub(super) fn disposed(&mut self, directory: Option<&str>) {
        self.runs
            .retain(|_, run| directory.is_some_and(|directory| run.directory != directory));
        if self.runs.is_empty() {
            self.starters.clear();
        }
    }

    fn outermost(&self, session: &str) -> String {
        let mut outermost = session;
        for _ in 0..DEEPEST {
            let Some(starter) = self.starters.get(outermost) else {
                break;
            };
            outermost = starter;
        }
        outermost.to_owned()
    }

    /// Ends a turn once no session of its family is busy any more, and forgets all of them.
    fn end(&mut self, outermost: String, now: Instant) -> Option<EndedTurn> {
        let belongs = |session: &str| self.outermost(session) == outermost;
        if self
            .runs
            .iter()
            .any(|(session, run)| !run.idle && belongs(session))
        {
            return None;
        }
        let family = self.runs.keys().chain(self.starters.keys());
        let family: Vec<String> = family.filter(|session| belongs(session)).cloned().collect();
        let run = self.runs.remove(&outermost);
        for session in family {
            self.runs.remove(&session);
            self.starters.remove(&session);
        }
        run.and_then(|run| run.over(outermost, now))
    }
}

impl SessionRun {
    fn over(self, session: String, at: Instant) -> Option<EndedTurn> {
        let Self {
            directory,
            anchor,
            reply,
            failed,
            aborted,
            ..
        } = self;
        if aborted || (failed.is_none() && reply == MessageProgress::Unfinished) {
            return None;
        }
        // Without a trace of the answer, the length of the turn is unknown.
        Some(EndedTurn {
            session,
            directory,
            anchor: anchor?,
            at,
            failed,
        })
    }
}

#[cfg(test)]
mod tests;
