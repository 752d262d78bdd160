//! The queue of updates and the long poll: <https://core.telegram.org/bots/api#getupdates>.
//!
//! The contents of updates are made in `people.rs` and `shapes.rs`.

use std::collections::{BTreeMap, VecDeque};
use std::pin::pin;
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::params::Params;
use super::refusal::Refusal;
use super::{Data, World};

/// The longest poll; the official server cuts longer ones to this.
const LONGEST_POLL: Duration = Duration::from_secs(50);
/// The time within which a repeated request for the same offset gets one update only.
const HASTE: Duration = Duration::from_millis(500);
/// The time for which a poll that repeats the last one is held back, and likewise a 409 that
/// follows another within this time. It applies only while rates are enforced: the official server
/// always does so, but tests would wait.
const HOLD: Duration = Duration::from_secs(3);
/// The distance beyond the end from which an offset counts as none: "Specified from_id is in the
/// future" (`TQueue` of tdlib). The official server then begins at the head of its queue.
const FUTURE: i64 = 10;

/// The time for which the update of a tap waits to be fetched.
pub(super) const CALLBACK_AGE: Duration = Duration::from_secs(150);
/// The time for which any other update waits to be fetched:
/// <https://core.telegram.org/bots/api#getting-updates>, "not longer than 24 hours".
pub(super) const MESSAGE_AGE: Duration = Duration::from_secs(24 * 60 * 60);

/// The kinds of updates that come only when they are asked for by name.
const NOT_BY_DEFAULT: [&str; 3] = ["chat_member", "message_reaction", "message_reaction_count"];
/// The kinds of updates: <https://core.telegram.org/bots/api#update>.
const KINDS: [&str; 24] = [
    "message",
    "edited_message",
    "channel_post",
    "edited_channel_post",
    "business_connection",
    "business_message",
    "edited_business_message",
    "deleted_business_messages",
    "message_reaction",
    "message_reaction_count",
    "inline_query",
    "chosen_inline_result",
    "callback_query",
    "shipping_query",
    "pre_checkout_query",
    "purchased_paid_media",
    "poll",
    "poll_answer",
    "my_chat_member",
    "chat_member",
    "chat_join_request",
    "chat_boost",
    "removed_chat_boost",
    "stopped_message_generation",
];

struct Update {
    id: i64,
    /// The time at which the update expires, by the clock of the imitation, since 1970.
    expires: Duration,
    body: Value,
}

/// The updates that are not confirmed yet, and the poll that waits for more.
pub(super) struct Queue {
    waiting: VecDeque<Update>,
    last_id: i64,
    /// The highest number that any update has had.
    highest: i64,
    /// The kinds of updates that the client asked for; `None` means the default.
    pub(super) allowed: Option<Vec<String>>,
    pub(super) webhook: Option<String>,
    /// Whether another program polls with the same token without end.
    pub(super) rival: bool,
    /// The ticket of the waiting poll; an older poll that finds another number here is over.
    ticket: Option<u64>,
    last_ticket: u64,
    last_poll: Option<(i64, Instant)>,
    last_conflict: Option<Instant>,
    handed_out: BTreeMap<i64, Instant>,
}

impl Default for Queue {
    fn default() -> Queue {
        Queue {
            waiting: VecDeque::new(),
            // Real numbers begin at a random positive number.
            last_id: 481_000_000,
            highest: 481_000_000,
            allowed: None,
            webhook: None,
            rival: false,
            ticket: None,
            last_ticket: 0,
            last_poll: None,
            last_conflict: None,
            handed_out: BTreeMap::new(),
        }
    }
}

impl Queue {
    /// Adds an update, if the bot wants its kind; returns its number.
    pub(super) fn push(&mut self, kind: &str, body: &Value, expires: Duration) -> Option<i64> {
        let wanted = match &self.allowed {
            Some(kinds) => kinds.iter().any(|allowed| allowed == kind),
            None => !NOT_BY_DEFAULT.contains(&kind),
        };
        if !wanted {
            return None;
        }
        self.last_id += 1;
        self.highest = self.highest.max(self.last_id);
        let body = json!({ "update_id": self.last_id, kind: body });
        self.waiting.push_back(Update {
            id: self.last_id,
            expires,
            body,
        });
        Some(self.last_id)
    }

    /// Sets the number of the next update.
    pub(super) fn begin_at(&mut self, first: i64) {
        assert!(
            self.waiting.is_empty(),
            "the official server does so after a quiet week only"
        );
        self.last_id = first - 1;
    }

    pub(super) fn last_id(&self) -> i64 {
        self.last_id
    }

    /// Returns how many updates are neither confirmed nor too old.
    pub(super) fn pending(&self, now: Duration) -> usize {
        self.waiting
            .iter()
            .filter(|update| update.expires > now)
            .count()
    }

    pub(super) fn clear(&mut self) {
        self.waiting.clear();
    }

    pub(super) fn is_polled(&self) -> bool {
        self.ticket.is_some()
    }

    pub(super) fn handed_out(&self, update: i64) -> Option<Instant> {
        self.handed_out.get(&update).copied()
    }

    /// Ends the waiting poll, as another poller would.
    pub(super) fn interrupt(&mut self) {
        self.ticket = None;
    }

    /// Removes the confirmed updates: everything below `offset`, or all but the last `-offset`.
    fn confirm(&mut self, offset: i64) {
        if offset < 0 {
            let kept = usize::try_from(-offset).unwrap_or(usize::MAX);
            let over = self.waiting.len().saturating_sub(kept);
            self.waiting.drain(..over);
        } else if offset < self.last_id + FUTURE {
            self.waiting.retain(|update| update.id >= offset);
        }
    }

    fn take(&mut self, limit: usize, now: Duration) -> Vec<Value> {
        self.waiting.retain(|update| update.expires > now);
        let taken: Vec<&Update> = self.waiting.iter().take(limit).collect();
        for update in &taken {
            self.handed_out
                .entry(update.id)
                .or_insert_with(Instant::now);
        }
        taken
            .into_iter()
            .map(|update| update.body.clone())
            .collect()
    }

    fn begin_waiting(&mut self) -> u64 {
        self.last_ticket += 1;
        self.ticket = (!self.rival).then_some(self.last_ticket);
        self.last_ticket
    }

    /// Returns how long this 409 is held back.
    fn conflict_delay(&mut self) -> Duration {
        let now = Instant::now();
        let recent = self.last_conflict.is_some_and(|last| now < last + HOLD);
        if recent {
            return HOLD;
        }
        self.last_conflict = Some(now);
        Duration::ZERO
    }
}

/// The parameters of one call of getUpdates.
struct Poll {
    limit: usize,
    timeout: Duration,
    paced: bool,
}

/// Notes the wanted kinds and the confirmation; returns how long the call waits, and for how many
/// updates.
fn begin(world: &World, params: &Params) -> Result<Poll, Refusal> {
    let mut data = world.lock();
    if data.queue.webhook.is_some() {
        return Err(Refusal::conflict(
            "can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first",
        ));
    }
    let offset = params.integer("offset").unwrap_or(0);
    let limit = params.integer("limit").unwrap_or(100).clamp(1, 100);
    let timeout = params.integer("timeout").unwrap_or(0).max(0);
    let timeout = Duration::from_secs(timeout.unsigned_abs()).min(LONGEST_POLL);
    allow(&mut data, params)?;
    if offset >= data.queue.highest + FUTURE {
        data.complain(format!("getUpdates: offset {offset} is beyond all updates"));
    }
    let paced = data.rates.enforced;
    let queue = &mut data.queue;
    queue.confirm(offset);
    let repeated = queue
        .last_poll
        .filter(|(last, _)| *last == offset)
        .map(|(_, at)| at.elapsed());
    queue.last_poll = Some((offset, Instant::now()));
    let hasty = repeated.is_some_and(|since| since < HASTE);
    let held = paced && repeated.is_some_and(|since| since < HOLD);
    Ok(Poll {
        limit: if hasty {
            1
        } else {
            usize::try_from(limit).unwrap_or(1)
        },
        timeout: if held { timeout.max(HOLD) } else { timeout },
        paced,
    })
}

/// Sets the kinds that are wanted; an empty list means the default.
fn allow(data: &mut Data, params: &Params) -> Result<(), Refusal> {
    if let Some(kinds) = params.json::<Vec<String>>("allowed_updates", "allowed updates")? {
        for kind in kinds.iter().filter(|kind| !KINDS.contains(&kind.as_str())) {
            data.complain(format!(
                "getUpdates: there are no updates of the kind {kind:?}"
            ));
        }
        data.queue.allowed = (!kinds.is_empty()).then_some(kinds);
    }
    Ok(())
}

/// A waiting poll; it ends also when the client has gone and the call is dropped.
struct Waiting<'a> {
    world: &'a World,
    ticket: u64,
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        let queue = &mut self.world.lock().queue;
        if queue.ticket == Some(self.ticket) {
            queue.ticket = None;
        }
    }
}

/// Executes getUpdates: <https://core.telegram.org/bots/api#getupdates>.
///
/// A call that finds nothing waits, and thereby ends an older call that waits.
pub(super) async fn get_updates(world: &Arc<World>, params: &Params) -> Result<Value, Refusal> {
    let poll = begin(world, params)?;
    if let Some(updates) = attempt(world, poll.limit) {
        return Ok(updates);
    }
    if poll.timeout.is_zero() {
        return Ok(json!([]));
    }
    let ticket = world.lock().queue.begin_waiting();
    world.news.notify_waiters();
    let waiting = Waiting { world, ticket };
    let waited = tokio::time::timeout(poll.timeout, wait(&waiting, poll.limit)).await;
    drop(waiting);
    match waited {
        Ok(Some(updates)) => Ok(updates),
        Ok(None) => Err(ended(world, poll.paced).await),
        Err(_) => Ok(json!([])),
    }
}

fn attempt(world: &World, limit: usize) -> Option<Value> {
    let mut data = world.lock();
    let now = data.clock.now();
    let updates = data.queue.take(limit, now);
    (!updates.is_empty()).then_some(Value::Array(updates))
}

/// Waits for updates; returns `None` when another poll has taken over.
async fn wait(waiting: &Waiting<'_>, limit: usize) -> Option<Value> {
    let world = waiting.world;
    loop {
        // Subscribe before looking, or news in between would be missed.
        let mut news = pin!(world.news.notified());
        news.as_mut().enable();
        if world.lock().queue.ticket != Some(waiting.ticket) {
            return None;
        }
        if let Some(updates) = attempt(world, limit) {
            return Some(updates);
        }
        news.await;
    }
}

/// Returns the refusal of a waiting poll that was ended.
async fn ended(world: &World, paced: bool) -> Refusal {
    let (webhook, delay) = {
        let mut data = world.lock();
        (data.queue.webhook.is_some(), data.queue.conflict_delay())
    };
    if paced {
        tokio::time::sleep(delay).await;
    }
    Refusal::conflict(if webhook {
        "terminated by setWebhook request"
    } else {
        "terminated by other getUpdates request; make sure that only one bot instance is running"
    })
}
