//! The backlog: steps that the disk refused, kept in order until they are saved. A disk that is
//! busy or full for a moment must not undo at the next start what a human was told as done.
//!
//! Which errors pass, and when the next attempt is due, is decided here too. The writing is in
//! `store.rs`.

use super::CommitRows;
use crate::channels::telegram::pairing::pairings::PairingChange;
use crate::sources::local_asks::messages::RecordChange;
use crate::store::hub_since::HubMove;
use crate::store::shared_chats::SharedChatRow;
use anyhow::Error;
use beckon_core::hub::DeskRecord;
use beckon_core::{AskId, Channel, News, RowChange, Timestamp};
use rusqlite::ErrorCode;
use std::collections::{BTreeMap, VecDeque};
use std::time::{Duration, Instant};

/// Pause before the first attempt to save again. A backup holds the database for seconds, another
/// program's write for milliseconds.
const FIRST_PAUSE: Duration = Duration::from_millis(50);
/// Longest pause between two attempts: a full disk stays full until somebody frees room.
const LONGEST_PAUSE: Duration = Duration::from_secs(2);
/// Steps are kept one by one up to this number, then their rows are merged by key. The loop sees a few
/// steps per request, so this is some hundred requests.
const MOST_STEPS: usize = 1_024;
/// Lines of the history that merged steps keep, the latest: some 20 MB.
const MOST_NEWS: usize = 100_000;

/// The rows that one commit would have written, owned.
#[derive(Clone, Debug)]
pub(super) struct KeptStep {
    /// The time at which its rows were due, in merged steps that of the last one.
    at: Timestamp,
    save: Vec<RowChange>,
    /// The news, each with the moment at which it happened.
    news: Vec<(Timestamp, News)>,
    pairings: Vec<PairingChange>,
    asking: Vec<RecordChange>,
    rounds: Vec<(u64, u32)>,
    chats: Vec<SharedChatRow>,
    drafts: Vec<(AskId, Option<String>)>,
    desks: Vec<(String, DeskRecord)>,
    moves: Vec<HubMove>,
}

/// Steps that are not saved, oldest first.
#[derive(Debug)]
pub(super) struct Backlog {
    steps: VecDeque<KeptStep>,
    /// Number of kept lines that were given up for want of room.
    given_up: usize,
    pause: Duration,
    next_attempt: Instant,
    /// The last refusal, in the database's words.
    refusal: String,
}

impl Default for Backlog {
    fn default() -> Self {
        Self {
            steps: VecDeque::new(),
            given_up: 0,
            pause: FIRST_PAUSE,
            next_attempt: Instant::now(),
            refusal: String::new(),
        }
    }
}

impl Backlog {
    pub(super) fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// Returns the steps, oldest first.
    pub(super) fn steps(&self) -> impl Iterator<Item = &KeptStep> {
        self.steps.iter()
    }

    /// Returns why the last attempt failed; `None` if nothing is unsaved.
    pub(super) fn refusal(&self) -> Option<&str> {
        (!self.is_empty()).then_some(self.refusal.as_str())
    }

    /// Returns when the next attempt is due; `None` if nothing is unsaved.
    pub(super) fn next_attempt(&self) -> Option<Instant> {
        (!self.is_empty()).then_some(self.next_attempt)
    }

    /// Keeps a step behind those that are kept already.
    pub(super) fn keep(&mut self, rows: &CommitRows<'_>, at: Timestamp) {
        self.steps.push_back(KeptStep::of(rows, at));

        if self.steps.len() > MOST_STEPS {
            self.merge();
        }
    }

    /// Notes that an attempt failed, and puts the next one off.
    pub(super) fn note_failure(&mut self, error: &Error) {
        self.refusal = format!("{error:#}");
        self.next_attempt = Instant::now() + self.pause;
        self.pause = (self.pause * 2).min(LONGEST_PAUSE);
    }

    /// Takes the steps together, so that a disk that is full for days does not fill the memory as well.
    fn merge(&mut self) {
        let Some(mut whole) = self.steps.pop_front() else {
            return;
        };
        for step in self.steps.drain(..) {
            whole.append(step);
        }

        whole.drop_overwritten();

        let surplus = whole.news.len().saturating_sub(MOST_NEWS);
        whole.news.drain(..surplus);
        self.given_up += surplus;
        if surplus > 0 {
            tracing::warn!(
                lines = self.given_up,
                "the disk has refused for so long that lines of the history are given up"
            );
        }

        self.steps.push_back(whole);
    }
}

impl KeptStep {
    fn of(rows: &CommitRows<'_>, at: Timestamp) -> Self {
        Self {
            at,
            save: rows.save.to_vec(),
            news: rows.news.iter().map(|news| (at, news.clone())).collect(),
            pairings: rows.pairings.to_vec(),
            asking: rows.asking.to_vec(),
            rounds: rows.rounds.to_vec(),
            chats: rows.chats.to_vec(),
            drafts: rows.drafts.to_vec(),
            desks: rows.desks.to_vec(),
            moves: rows.moves.to_vec(),
        }
    }

    /// Returns the moment of the step.
    pub(super) fn at(&self) -> Timestamp {
        self.at
    }

    /// Returns the rows but for the news, which have moments of their own.
    pub(super) fn rows(&self) -> CommitRows<'_> {
        CommitRows {
            save: &self.save,
            news: &[],
            pairings: &self.pairings,
            asking: &self.asking,
            rounds: &self.rounds,
            chats: &self.chats,
            drafts: &self.drafts,
            desks: &self.desks,
            moves: &self.moves,
        }
    }

    /// Returns the news, oldest first.
    pub(super) fn news(&self) -> &[(Timestamp, News)] {
        &self.news
    }

    /// Returns the drafts of windows, oldest first.
    pub(super) fn drafts(&self) -> &[(AskId, Option<String>)] {
        &self.drafts
    }

    fn append(&mut self, later: Self) {
        self.at = later.at;
        self.save.extend(later.save);
        self.news.extend(later.news);
        self.pairings.extend(later.pairings);
        self.asking.extend(later.asking);
        self.rounds.extend(later.rounds);
        self.chats.extend(later.chats);
        self.drafts.extend(later.drafts);
        self.desks.extend(later.desks);
        self.moves.extend(later.moves);
    }

    /// Drops each row that another one of the same key replaces: the last one is what the database would
    /// hold in the end, and of rounds the highest. Desks stay, since their order says nothing and an
    /// admin makes few.
    fn drop_overwritten(&mut self) {
        keep_last(&mut self.save, |row| Some(save_key(row)));
        keep_last(&mut self.pairings, pairing_key);
        keep_last(&mut self.asking, |change| Some(asking_key(change)));
        keep_last(&mut self.chats, |row| Some((row.bot, row.name.clone())));
        keep_last(&mut self.drafts, |(ask, _)| Some(ask.clone()));

        self.rounds.sort_unstable();
        keep_last(&mut self.rounds, |(serial, _)| Some(*serial));
    }
}

/// Keeps of equal keys the last row, in the order of these, and every row without a key.
fn keep_last<T, K: Ord>(rows: &mut Vec<T>, key: impl Fn(&T) -> Option<K>) {
    let keys = rows.iter().map(&key);
    let last: BTreeMap<K, usize> = keys
        .enumerate()
        .filter_map(|(index, key)| Some((key?, index)))
        .collect();

    let mut index = 0;
    rows.retain(|row| {
        let is_last = key(row).is_none_or(|key| last.get(&key) == Some(&index));
        index += 1;
        is_last
    });
}

/// Names the row of the database that a change writes. What is kept of a gone ask is no row of its own:
/// it follows its ask.
fn save_key(row: &RowChange) -> (u8, Option<AskId>, Option<Channel>) {
    match row {
        RowChange::Ask(entry) => (0, Some(entry.ask.id.clone()), None),
        RowChange::Gone { ask, .. } => (1, Some(ask.clone()), None),
        RowChange::Card { ask, channel, .. } | RowChange::NoCard { ask, channel } => {
            (2, Some(ask.clone()), Some(*channel))
        }
        RowChange::Standing { .. } => (3, None, None),
    }
}

/// Names the row that a change of the pairings writes. The group and its topics have no key: a new
/// group voids the topics of the former one, so each of these changes counts, in its order.
fn pairing_key(change: &PairingChange) -> Option<(u8, i64)> {
    match change {
        PairingChange::Read(_) => Some((0, 0)),
        PairingChange::Person(person) => Some((1, person.id.0)),
        PairingChange::NoPerson(id) => Some((1, id.0)),
        PairingChange::List(chat, _) => Some((2, chat.0)),
        PairingChange::Group(_) | PairingChange::Topic(..) => None,
    }
}

fn asking_key(change: &RecordChange) -> (u8, String) {
    match change {
        RecordChange::Put(record) => (0, record.own.clone()),
        RecordChange::Forget(_) => (1, String::new()),
    }
}

/// Whether an error is of the disk, or of another program that uses the file, and not of the
/// content of the rows: the same rows may be saved later. A row that SQLite or serde refuses for
/// its content never is, and must not hold up those behind it.
pub(super) fn may_pass(error: &Error) -> bool {
    let code = error.chain().find_map(|cause| {
        cause
            .downcast_ref::<rusqlite::Error>()
            .and_then(rusqlite::Error::sqlite_error_code)
    });
    let is_of_the_rows = |code| {
        matches!(
            code,
            ErrorCode::ConstraintViolation
                | ErrorCode::TypeMismatch
                | ErrorCode::TooBig
                | ErrorCode::ApiMisuse
                | ErrorCode::ParameterOutOfRange
        )
    };
    code.is_some_and(|code| !is_of_the_rows(code))
}

#[cfg(test)]
mod tests;
