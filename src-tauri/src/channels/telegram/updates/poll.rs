//! The long poll: one request after another, and the next offset only after the loop has committed
//! what the last one brought. An offset is an acknowledgement: Telegram forgets what is below it
//! (<https://core.telegram.org/bots/api#getupdates>).

mod albums;

use crate::channels::telegram::BotIdentity;
use crate::channels::telegram::TelegramReport;
use crate::channels::telegram::UpdateBatch;
use crate::channels::telegram::api::{BotApi, CallError};
use crate::channels::telegram::pairing::pairings::{ReadOffset, UserId};
use crate::channels::telegram::updates::long_texts::{held_back, join_parts};
use crate::channels::telegram::updates::parsing::parse_update;
use crate::channels::telegram::updates::update::IncomingUpdate;
use crate::channels::telegram::worker::permit::SendPermit;
use crate::platform::sink::Sink;
use albums::join_albums;
use beckon_client::platform::clock;
use beckon_core::{Span, Timestamp};
use rand::Rng;
use serde_json::Value;
use std::collections::BTreeSet;
use std::time::Duration;
use teloxide::payloads::{GetUpdates, GetUpdatesSetters};
use teloxide::types::AllowedUpdate;
use tokio::sync::{Notify, oneshot};

/// The time after which a poll without news ends, in seconds. Telegram allows 50; it is shorter,
/// because a connection that died while the machine slept is noticed only at its end.
const POLL: u32 = 30;
/// The time of a poll after a conflict, in seconds: long enough to meet the other program, short
/// enough to notice that it is gone.
const PROBE: u32 = 3;
/// The age beyond which a press never arrives (read in the server's source).
pub(in crate::channels::telegram) const PRESSES_LIVE: Span = Span::seconds(150);
/// The first pause after a failure: most often the next poll gets through.
const FIRST_PAUSE: Duration = Duration::from_millis(50);
/// The longest pause after a failure: a person may be waiting for their press to count.
const LONGEST_PAUSE: Duration = Duration::from_secs(10);
/// The pause after a conflict. Two programs that poll at once take turns; knocking faster would not
/// help.
const CONFLICT_PAUSE: Duration = Duration::from_secs(5);
/// The pause between two looks at what comes while a text may go on: others press meanwhile. The
/// official server hands out only a single update to a program that asks from the same one on again
/// within half a second (`Client.cpp`), and then no next part would ever be seen.
const LOOK_EVERY: Duration = Duration::from_millis(600);
/// The number of looks without a new part after which a long text is complete. The parts come
/// within some 50 ms of each other, over a slow line within a second.
const LOOKS_WITHOUT_A_PART: usize = 2;
/// The number of looks after which a text that goes on and on is taken as it is.
const MOST_LOOKS: usize = 10;
/// The most updates that Telegram hands out at once
/// (<https://core.telegram.org/bots/api#getupdates>).
const MOST_UPDATES: usize = 100;
/// The pause before updates are read again that were not committed.
const COMMIT_AGAIN: Duration = Duration::from_secs(2);

/// The place up to which the updates were read. It outlives the connection.
#[derive(Debug)]
pub(in crate::channels::telegram) struct ReadPosition {
    read: Option<ReadOffset>,
    /// The bot that was heard of last, and when: by the wall clock and by one that cannot be set.
    heard_at: Option<(UserId, Timestamp, Span)>,
}

/// A run of polls over one connection.
pub(in crate::channels::telegram) struct LongPoll<'a> {
    pub(in crate::channels::telegram) api: &'a BotApi,
    pub(in crate::channels::telegram) bot: &'a BotIdentity,
    pub(in crate::channels::telegram) reading: &'a mut ReadPosition,
    pub(in crate::channels::telegram) report: &'a Sink<TelegramReport>,
    /// The permit, without which nothing is asked and nothing taken.
    pub(in crate::channels::telegram) permit: SendPermit,
    /// The signal that the server answers again.
    pub(in crate::channels::telegram) recovered: &'a Notify,
}

impl ReadPosition {
    pub(in crate::channels::telegram) fn new(read: Option<ReadOffset>) -> Self {
        Self {
            read,
            heard_at: None,
        }
    }

    /// Notes that another machine has polled meanwhile: nothing was lost.
    pub(in crate::channels::telegram) fn others_heard(&mut self) {
        self.heard_at = None;
    }

    fn offset(&self, bot: UserId, address: &str) -> i64 {
        self.read
            .as_ref()
            .and_then(|read| read.offset(bot, address))
            .unwrap_or(0)
    }

    /// Notes that the bot was heard of. Returns true if it was silent for so long that presses may
    /// be lost. Only the wall clock knows that a virtual machine was halted, and only the steady
    /// one what passed while the wall clock was set back.
    fn was_silent(&mut self, bot: UserId, now: Timestamp, steady: Span) -> bool {
        let last = self.heard_at.replace((bot, now, steady));
        last.is_some_and(|(of, at, then)| {
            let passed = (now - at).max(Span(steady.0 - then.0));
            of == bot && passed > PRESSES_LIVE
        })
    }
}

impl LongPoll<'_> {
    /// Polls until the token is refused.
    pub(in crate::channels::telegram) async fn run(mut self) {
        let mut pause = FIRST_PAUSE;
        let mut trouble = None;
        loop {
            let updates = self.updates(poll_seconds(trouble.as_ref())).await;
            // The machine that serves the bot by now gets them, too: they are not acknowledged.
            if !self.permit.allows() {
                return std::future::pending().await;
            }
            let taken = match updates {
                Ok(updates) => {
                    pause = FIRST_PAUSE;
                    if trouble.take().is_some() {
                        self.recovered.notify_one();
                    }
                    self.take(updates).await
                }
                Err(error) => Err(error),
            };
            match taken {
                Ok(()) => {}
                Err(CallError::Unauthorized) => return,
                Err(again) => {
                    self.report.post(TelegramReport::Trouble(again.clone()));
                    tokio::time::sleep(wait(&again, &mut pause)).await;
                    trouble = Some(again);
                }
            }
        }
    }

    /// Reads updates, each once and in their order.
    fn parsed(&self, updates: Vec<Value>) -> Vec<IncomingUpdate> {
        let read = updates
            .into_iter()
            .filter_map(|update| parse_update(update, self.bot.id));
        let mut parsed: Vec<IncomingUpdate> = read.collect();
        parsed.sort_by_key(|update| update.update);
        parsed.dedup_by_key(|update| update.update);
        parsed
    }

    /// Reads on as long as a text may be the first part of a longer one, and an album may have
    /// another picture. Nothing is acknowledged meanwhile, so neither a crash nor a line that
    /// breaks loses a part: all of it is read again. Updates that do not wait are given to the loop
    /// at once, which knows them when they are read again.
    async fn read_to_the_end(
        &self,
        mut heard: Vec<IncomingUpdate>,
    ) -> Result<Vec<IncomingUpdate>, CallError> {
        let mut held = waiting(&heard);
        let mut looks_without = 0;
        let mut given = BTreeSet::new();
        for _ in 0..MOST_LOOKS {
            if held.is_empty() || looks_without >= LOOKS_WITHOUT_A_PART {
                return Ok(heard);
            }
            self.give_others(&heard, &held, &mut given).await;
            tokio::time::sleep(LOOK_EVERY).await;

            let again = self.updates(0).await?;
            let known: BTreeSet<i64> = heard.iter().map(|it| it.update).collect();
            let mut more = self.parsed(again);
            more.retain(|update| !known.contains(&update.update));
            heard.extend(more);

            let before = std::mem::replace(&mut held, waiting(&heard));
            looks_without = if held == before { looks_without + 1 } else { 0 };
        }
        Ok(heard)
    }

    /// Gives the loop the updates that don't wait, without acknowledging them.
    async fn give_others(
        &self,
        heard: &[IncomingUpdate],
        held: &BTreeSet<i64>,
        given: &mut BTreeSet<i64>,
    ) {
        let others = heard.iter().filter(|it| !held.contains(&it.update));
        let others: Vec<IncomingUpdate> = others
            .filter(|it| given.insert(it.update))
            .cloned()
            .collect();
        if others.is_empty() {
            return;
        }

        // If they are not committed now, the store keeps them.
        let _ = self.give(others, self.asked()).await;
    }

    /// Gives the loop updates. Once they are committed, all below the offset `next` is read.
    fn give(&self, heard: Vec<IncomingUpdate>, next: i64) -> oneshot::Receiver<()> {
        let (committed, done) = oneshot::channel();
        let batch = UpdateBatch {
            heard,
            asked: self.asked(),
            read: self.read_up_to(next),
            committed,
        };
        self.report.post(TelegramReport::Updates(batch));
        done
    }

    fn read_up_to(&self, next: i64) -> ReadOffset {
        ReadOffset {
            bot: self.bot.id,
            address: Some(self.api.address().to_owned()),
            next,
        }
    }

    async fn updates(&self, seconds: u32) -> Result<Vec<Value>, CallError> {
        let payload = GetUpdates::new().timeout(seconds).allowed_updates(kinds());
        let payload = match i32::try_from(self.asked()) {
            Ok(offset) if offset > 0 => payload.offset(offset),
            _ => payload,
        };
        self.api.call(&payload).await
    }

    fn asked(&self) -> i64 {
        self.reading.offset(self.bot.id, self.api.address())
    }

    /// Gives the updates to the loop, and goes on behind them once it has committed them. If the
    /// disk goes on refusing, they are read again later, so that a crash loses none of them. As
    /// many as Telegram hands out at once are not: it would hand out the same ones each time, and
    /// nobody would hear a press that came after them.
    async fn take(&mut self, updates: Vec<Value>) -> Result<(), CallError> {
        let bot = self.bot.id;
        self.report.post(TelegramReport::Works(self.bot.clone()));
        if self.reading.was_silent(bot, clock::now(), clock::steady()) {
            self.report.post(TelegramReport::Missed);
        }
        let count = updates.len();
        let mut heard = self.parsed(updates);
        if count >= MOST_UPDATES
            && let Some(before) = before_the_first_held(&heard)
        {
            // What a text goes on with is behind a full response. It is in the next one.
            heard.truncate(before);
        } else {
            heard = self.read_to_the_end(heard).await?;
        }
        let count = count.max(heard.len());
        let Some(last) = heard.iter().map(|heard| heard.update).max() else {
            // An update without a number is there again at once.
            if count > 0 {
                tokio::time::sleep(COMMIT_AGAIN).await;
            }
            return Ok(());
        };
        let done = self.give(join_albums(join_parts(heard)), last + 1);
        let is_committed = done.await.is_ok();
        if !is_committed {
            tokio::time::sleep(COMMIT_AGAIN).await;
        }
        if is_committed || count >= MOST_UPDATES {
            self.reading.read = Some(self.read_up_to(last + 1));
        }
        Ok(())
    }
}

/// Returns the numbers of the updates that wait for the rest of a text or of an album.
fn waiting(heard: &[IncomingUpdate]) -> BTreeSet<i64> {
    let mut held = held_back(heard);
    held.extend(albums::held_back(heard));
    held
}

/// Returns how many updates come before the first that waits; `None` where none does, or nothing comes
/// before.
fn before_the_first_held(heard: &[IncomingUpdate]) -> Option<usize> {
    let held = waiting(heard);
    let first = heard
        .iter()
        .position(|update| held.contains(&update.update));
    first.filter(|before| *before > 0)
}

/// Returns the kinds of updates that are listened to.
pub(super) fn kinds() -> [AllowedUpdate; 5] {
    [
        AllowedUpdate::Message,
        AllowedUpdate::EditedMessage,
        AllowedUpdate::CallbackQuery,
        AllowedUpdate::MyChatMember,
        AllowedUpdate::MessageReaction,
    ]
}

/// Returns for how many seconds a poll waits for news. After a trouble it is to be known soon
/// whether that is over.
fn poll_seconds(trouble: Option<&CallError>) -> u32 {
    match trouble {
        None => POLL,
        Some(CallError::OtherPoller) => PROBE,
        Some(_) => 0,
    }
}

fn wait(trouble: &CallError, pause: &mut Duration) -> Duration {
    match trouble {
        CallError::TooFast(wait) => *wait,
        CallError::OtherPoller | CallError::Webhook => CONFLICT_PAUSE,
        _ => {
            let wait = pause.mul_f64(rand::rng().random_range(0.8..1.2));
            *pause = (*pause * 2).min(LONGEST_PAUSE);
            wait
        }
    }
}

#[cfg(test)]
mod tests;
