//! The long poll: one request after another, and the next offset only after the loop has committed
//! what the last one brought. An offset is an acknowledgement: Telegram forgets what is below it
//! (<https://core.telegram.org/bots/api#getupdates>).

use super::api::{Api, Trouble};
use super::heard::heard;
use super::{Batch, Bot, Report, Reporter};
use crate::book::UserId;
use crate::clock;
use beckon_core::{Span, Timestamp};
use rand::Rng;
use std::time::Duration;
use teloxide::payloads::{GetUpdates, GetUpdatesSetters};
use teloxide::types::{AllowedUpdate, Update};
use tokio::sync::oneshot;

/// A poll without news ends after so long. Telegram allows 50 s; shorter, because a connection that
/// died while the machine slept is noticed only at its end.
const POLL: u32 = 30;
/// Presses older than this never arrive (read in the server's source).
const PRESSES_LIVE: Span = Span::seconds(150);
const FIRST_PAUSE: Duration = Duration::from_millis(500);
const LONGEST_PAUSE: Duration = Duration::from_secs(30);
/// Two programs that poll at once take turns; knocking faster would not help.
const CONFLICT_PAUSE: Duration = Duration::from_secs(10);
/// What is not committed is read again.
const COMMIT_AGAIN: Duration = Duration::from_secs(2);

/// Where the updates of which bot were read to.
pub(super) type Read = Option<(UserId, i64)>;

/// Polls until the token is refused.
pub(super) async fn run(api: &Api, bot: &Bot, read: &mut Read, report: &Reporter) -> Trouble {
    let mut offset = read.filter(|(of, _)| *of == bot.id).map_or(0, |(_, offset)| offset);
    let mut pause = FIRST_PAUSE;
    let mut heard_at = None;
    let mut patience = POLL;
    loop {
        match updates(api, offset, patience).await {
            Ok(updates) => {
                (pause, patience) = (FIRST_PAUSE, POLL);
                report(Report::Works(bot.clone()));
                if gap(heard_at.replace(clock::now())) {
                    report(Report::Missed);
                }
                if let Some(next) = hand_over(bot, updates, report).await {
                    offset = next;
                    *read = Some((bot.id, next));
                }
            }
            Err(Trouble::Unauthorized) => return Trouble::Unauthorized,
            Err(trouble) => {
                report(Report::Trouble(trouble.clone()));
                // That it is over shows in an answer, not in a poll that waits for news.
                patience = 0;
                tokio::time::sleep(wait(&trouble, &mut pause)).await;
            }
        }
    }
}

async fn updates(api: &Api, offset: i64, patience: u32) -> Result<Vec<Update>, Trouble> {
    let allowed =
        [AllowedUpdate::Message, AllowedUpdate::CallbackQuery, AllowedUpdate::MyChatMember];
    let payload = GetUpdates::new().timeout(patience).allowed_updates(allowed);
    let payload = match i32::try_from(offset) {
        Ok(offset) if offset > 0 => payload.offset(offset),
        _ => payload,
    };
    api.call(&payload).await
}

fn gap(last: Option<Timestamp>) -> bool {
    last.is_some_and(|last| clock::now() - last > PRESSES_LIVE)
}

/// Gives the updates to the loop; the offset to go on with, once it has committed them.
async fn hand_over(bot: &Bot, updates: Vec<Update>, report: &Reporter) -> Option<i64> {
    let next = updates.iter().map(|update| i64::from(update.id.0)).max()? + 1;
    let (committed, done) = oneshot::channel();
    let heard = updates.into_iter().map(heard).collect();
    report(Report::Updates(Batch { bot: bot.id, heard, next, committed }));
    match done.await {
        Ok(()) => Some(next),
        Err(_) => {
            tokio::time::sleep(COMMIT_AGAIN).await;
            None
        }
    }
}

fn wait(trouble: &Trouble, pause: &mut Duration) -> Duration {
    match trouble {
        Trouble::TooFast(wait) => *wait,
        Trouble::OtherPoller | Trouble::Webhook => CONFLICT_PAUSE,
        _ => {
            let wait = pause.mul_f64(rand::rng().random_range(0.8..1.2));
            *pause = (*pause * 2).min(LONGEST_PAUSE);
            wait
        }
    }
}
