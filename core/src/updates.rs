//! The decision whether a newer Beckon is there, and when its project may be asked next. It goes by
//! what was heard, and nothing else: whether anybody wants to know is up to the settings, and
//! asking is up to the caller.

use crate::{Span, Timestamp};
use semver::Version;
use serde::{Deserialize, Serialize};

/// The usual pause between two attempts.
const ONCE_IN: Span = Span::minutes(24 * 60);
/// The longest wait, however the lots fall.
const LONGEST: Span = Span(2 * ONCE_IN.0);
/// The pause after an attempt that did not reach the server: the network may have come up
/// meanwhile.
const AGAIN_IN: Span = Span::minutes(60);
/// The divisor of a wait that gives the most by which a lot makes it longer, so that machines that
/// were switched on together do not ask together.
const LONGER_BY: i64 = 4;
/// The number of steps of the lot.
const LOTS: i64 = 1 << 16;
/// The time for which the result of the last attempt is told: through the longest wait of machines
/// with a network, and the hour after which it is looked at again. An older result was heard by a
/// Beckon that ran days ago.
const SAID_FOR: Span = Span::minutes(32 * 60);
/// The age up to which a feed is the project's last word. It is signed anew every month, with a
/// release or without (`.github/workflows/feed.yml`), and may come late once.
const CURRENT_FOR: Span = Span::minutes(62 * 24 * 60);
/// The largest difference between the clocks of the signer and of this machine.
const CLOCKS_DIFFER_BY: Span = Span::minutes(24 * 60);

/// The project's word on its releases, once its signature was found right.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReleaseFeed {
    /// The release that everybody should have.
    pub version: Version,
    /// The time when that was signed. A feed that is older than one that was heard before is a
    /// replay of a kept one; a feed that stays the same for too long may be all that an attacker
    /// lets through.
    pub issued: Timestamp,
}

impl ReleaseFeed {
    /// Whether there is no newer feed, as far as the dates say. Not if it was to be replaced long
    /// ago, and not if it is to be signed only in the days to come: then this machine's clock says
    /// nothing of its age.
    fn is_current(&self, now: Timestamp) -> bool {
        let age = now - self.issued;
        age >= Span(-CLOCKS_DIFFER_BY.0) && age <= CURRENT_FOR
    }
}

/// The reason for which nothing was heard.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FeedFault {
    /// No connection came about, or nothing came over it.
    Unreachable,
    /// An answer that was no feed: a refusal, a redirect, too much, too slowly.
    NoFeed,
    /// A feed that is not signed by the project.
    Unsigned,
    /// A feed that is signed, and says nothing that is understood.
    Strange,
    /// A feed that is older than one that was heard before.
    Replayed,
}

/// The news about updates for the user of a version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum UpdateNews {
    /// The project has not been asked yet, or not for days.
    NotAsked,
    /// The running version is the newest.
    Newest,
    /// The running version was the newest, by a feed whose date says that there should be a newer
    /// feed now.
    Outdated,
    /// The version that is newer than the running one.
    Newer(Version),
    /// Nothing was heard the last time.
    Unheard(FeedFault),
}

/// The memory of the update check, kept from one time to the next.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct UpdateMemory {
    /// The time before which the project is not asked.
    next_ask: Option<Timestamp>,
    /// The latest feed that was heard.
    feed: Option<ReleaseFeed>,
    /// The reason why the last attempt heard nothing; `None` if it heard a feed.
    fault: Option<FeedFault>,
    /// The time when that attempt was over.
    attempted: Option<Timestamp>,
    /// The version that made the last attempt.
    asked_by: Option<Version>,
}

impl UpdateMemory {
    /// Returns the memory as that version goes on with it. Another version's attempts are
    /// forgotten, except for the feed: what it could not read may be read by this one.
    #[must_use]
    pub fn continued_by(self, running: &Version) -> Self {
        match self.asked_by.as_ref() == Some(running) {
            true => self,
            false => Self {
                feed: self.feed,
                asked_by: Some(running.clone()),
                ..Self::default()
            },
        }
    }

    /// Notes that the project is asked now. If that is broken off, it is not begun again at once,
    /// however often Beckon is started or the switch is turned.
    pub fn begin(&mut self, now: Timestamp) {
        self.next_ask = Some(now + AGAIN_IN);
    }

    /// Returns the time for which the project is not asked from now on; zero: ask now. A wait that
    /// is longer than any wait can be was noted before the clock was set back, and would keep
    /// Beckon waiting for as long as that was.
    pub fn wait(&self, now: Timestamp) -> Span {
        let wait = self.next_ask.map_or(Span(0), |at| at - now);
        if wait > LONGEST {
            Span(0)
        } else {
            wait.max(Span(0))
        }
    }

    /// Notes the result of asking. `lot`: drawn at random, by which the next wait differs from
    /// everybody else's.
    pub fn take(&mut self, heard: Result<ReleaseFeed, FeedFault>, now: Timestamp, lot: u16) {
        self.fault = heard.and_then(|feed| self.keep(feed)).err();
        self.attempted = Some(now);
        let wait = match self.fault {
            Some(FeedFault::Unreachable) => AGAIN_IN,
            _ => ONCE_IN,
        };
        let longer = Span(wait.0 / LONGER_BY * i64::from(lot) / LOTS);
        self.next_ask = Some(now + wait + longer);
    }

    fn keep(&mut self, feed: ReleaseFeed) -> Result<(), FeedFault> {
        if self
            .feed
            .as_ref()
            .is_some_and(|known| feed.issued < known.issued)
        {
            return Err(FeedFault::Replayed);
        }
        self.feed = Some(feed);
        Ok(())
    }

    /// Returns the news for the user of that version. A newer version that was heard of is there
    /// also when the last attempt failed, or was made long ago. A version that is older, or is
    /// being tried out, is not offered to a user of a release.
    pub fn news(&self, running: &Version, now: Timestamp) -> UpdateNews {
        let newer = |feed: &&ReleaseFeed| {
            feed.version.cmp_precedence(running).is_gt()
                && (feed.version.pre.is_empty() || !running.pre.is_empty())
        };
        if let Some(feed) = self.feed.as_ref().filter(newer) {
            return UpdateNews::Newer(feed.version.clone());
        }
        match (self.fault, &self.feed) {
            _ if !self.was_asked_lately(now) => UpdateNews::NotAsked,
            (Some(fault), _) => UpdateNews::Unheard(fault),
            (None, Some(feed)) if feed.is_current(now) => UpdateNews::Newest,
            (None, Some(_)) => UpdateNews::Outdated,
            (None, None) => UpdateNews::NotAsked,
        }
    }

    /// Whether the last attempt was lately. An attempt far in the future does not count either: the
    /// clock was set back since.
    fn was_asked_lately(&self, now: Timestamp) -> bool {
        let is_late = |at: Timestamp| (now - at).0.saturating_abs() > SAID_FOR.0;
        self.attempted.is_some_and(|at| !is_late(at))
    }
}
