//! The limits of how fast a bot may write:
//! <https://core.telegram.org/bots/faq#my-bot-is-hitting-limits-how-do-i-avoid-this>.
//!
//! Whether edits count is not documented. They count here, so that a client that keeps these limits
//! keeps the real ones as well.

use std::collections::{BTreeMap, VecDeque};
use std::time::Duration;

use super::chats::{ChatId, Kind};
use super::refusal::Refusal;

const SECOND: Duration = Duration::from_secs(1);
const MINUTE: Duration = Duration::from_secs(60);
/// The number of messages to one chat that pass at once. The page says: "avoid sending more than
/// one message per second" in a chat, and that a short burst passes, but not how short; a test may
/// set a shorter one.
const BURST: u32 = 8;
/// The limit in a group: "not be able to send more than 20 messages per minute".
const GROUP_PER_MINUTE: usize = 20;
/// The limit over all chats: "about 30 messages per second".
const ALL_PER_SECOND: usize = 30;
/// The number of edits of one message within a second that still make sense. Our own choice.
const EDITS_PER_SECOND: usize = 3;

/// The recent messages and edits, by the clock of the imitation.
#[derive(Debug)]
pub(super) struct Rates {
    pub(super) enforced: bool,
    /// The factor by which the limits pass faster than by the clock.
    pub(super) times: u32,
    /// The number of messages to one chat that pass at once.
    pub(super) burst: u32,
    all: VecDeque<Duration>,
    chats: BTreeMap<ChatId, ChatRates>,
    edits: BTreeMap<(ChatId, i64), VecDeque<Duration>>,
    /// The time until which a 429 asked to wait, by chat or method.
    patience: BTreeMap<String, Duration>,
}

/// The recent messages to one chat.
#[derive(Debug, Default)]
struct ChatRates {
    minute: VecDeque<Duration>,
    /// The time at which a whole burst passes again; each message takes a second of it.
    full_at: Duration,
}

impl Default for Rates {
    fn default() -> Rates {
        Rates {
            enforced: false,
            times: 1,
            burst: BURST,
            all: VecDeque::new(),
            chats: BTreeMap::new(),
            edits: BTreeMap::new(),
            patience: BTreeMap::new(),
        }
    }
}

impl Rates {
    /// Counts a message to `chat`, or refuses it.
    pub(super) fn admit(&mut self, chat: ChatId, kind: Kind, now: Duration) -> Result<(), Refusal> {
        let now = now * self.times;
        let sent = self.chats.entry(chat).or_default();
        forget(&mut self.all, now, SECOND);
        forget(&mut sent.minute, now, MINUTE);
        let in_group = if kind == Kind::Private {
            usize::MAX
        } else {
            GROUP_PER_MINUTE
        };
        let waits = [
            wait(&self.all, ALL_PER_SECOND, SECOND, now),
            wait(&sent.minute, in_group, MINUTE, now),
            sent.full_at
                .checked_sub(now + SECOND * (self.burst - 1))
                .filter(|wait| !wait.is_zero()),
        ];
        if let Some(wait) = waits.into_iter().flatten().max().filter(|_| self.enforced) {
            let seconds = wait.as_millis().div_ceil(1000);
            return Err(Refusal::too_many_requests(u64::try_from(seconds).unwrap()));
        }
        self.all.push_back(now);
        sent.minute.push_back(now);
        sent.full_at = sent.full_at.max(now) + SECOND;
        Ok(())
    }

    /// Notes an edit; returns `true` when one message is edited faster than anybody can read.
    pub(super) fn is_edit_storm(&mut self, chat: ChatId, message: i64, now: Duration) -> bool {
        let edits = self.edits.entry((chat, message)).or_default();
        forget(edits, now, SECOND);
        edits.push_back(now);
        self.enforced && edits.len() > EDITS_PER_SECOND
    }

    /// Notes that calls to `key` were told to wait.
    pub(super) fn ask_for_patience(&mut self, key: &str, until: Duration) {
        self.patience.insert(key.to_owned(), until);
    }

    /// Returns how much too early a call to `key` comes.
    pub(super) fn impatience(&self, key: &str, now: Duration) -> Option<Duration> {
        let early = self.patience.get(key)?.checked_sub(now)?;
        (!early.is_zero()).then_some(early)
    }
}

fn forget(sent: &mut VecDeque<Duration>, now: Duration, age: Duration) {
    while sent.front().is_some_and(|first| *first + age <= now) {
        sent.pop_front();
    }
}

/// Returns the time until one more message is within `limit` per `period`.
fn wait(
    sent: &VecDeque<Duration>,
    limit: usize,
    period: Duration,
    now: Duration,
) -> Option<Duration> {
    let oldest = sent.iter().rev().nth(limit.checked_sub(1)?)?;
    (*oldest + period)
        .checked_sub(now)
        .filter(|wait| !wait.is_zero())
}
