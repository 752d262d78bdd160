//! How fast a bot may write: <https://core.telegram.org/bots/faq#my-bot-is-hitting-limits-how-do-i-avoid-this>.
//!
//! Whether edits count is not documented; here they do, so that a client which is good here is good
//! there as well.

use std::collections::{BTreeMap, VecDeque};
use std::time::Duration;

use super::chats::{ChatId, Kind};
use super::refusal::Refusal;

const SECOND: Duration = Duration::from_secs(1);
const MINUTE: Duration = Duration::from_secs(60);
/// "avoid sending more than one message per second" in a chat; a short burst passes, says the page.
/// How short, it does not say: a test may set a shorter one.
const BURST: u32 = 8;
/// "not be able to send more than 20 messages per minute" in a group.
const GROUP_PER_MINUTE: usize = 20;
/// "about 30 messages per second" in all.
const ALL_PER_SECOND: usize = 30;
/// Edits of one message within a second that are still taken for sense. Our own choice.
const EDITS_PER_SECOND: usize = 3;

/// What was written lately, by the clock of the imitation.
#[derive(Debug)]
pub(super) struct Rates {
    pub(super) enforced: bool,
    /// How many times faster than by the clock the limits pass.
    pub(super) times: u32,
    /// So many messages to one chat pass at once.
    pub(super) burst: u32,
    all: VecDeque<Duration>,
    chats: BTreeMap<ChatId, ChatRates>,
    edits: BTreeMap<(ChatId, i64), VecDeque<Duration>>,
    /// Until when a 429 asked to wait, by chat or method.
    patience: BTreeMap<String, Duration>,
}

/// What was written to one chat.
#[derive(Debug, Default)]
struct ChatRates {
    minute: VecDeque<Duration>,
    /// When a whole burst passes again: each message takes a second of it.
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

    /// Notes an edit; `true` when one message is edited faster than anybody can read.
    pub(super) fn is_edit_storm(&mut self, chat: ChatId, message: i64, now: Duration) -> bool {
        let edits = self.edits.entry((chat, message)).or_default();
        forget(edits, now, SECOND);
        edits.push_back(now);
        self.enforced && edits.len() > EDITS_PER_SECOND
    }

    /// Notes that whoever writes to `key` was told to wait.
    pub(super) fn ask_for_patience(&mut self, key: &str, until: Duration) {
        self.patience.insert(key.to_owned(), until);
    }

    /// How much too early a call to `key` comes.
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

/// How long until one more is within `limit` per `period`.
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
