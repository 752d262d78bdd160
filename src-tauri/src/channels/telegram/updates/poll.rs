//! The long poll: one request after another, and the next offset only after the loop has committed
//! what the last one brought. An offset is an acknowledgement: Telegram forgets what is below it
//! (<https://core.telegram.org/bots/api#getupdates>).

use crate::channels::telegram::BotIdentity;
use crate::channels::telegram::TelegramReport;
use crate::channels::telegram::UpdateBatch;
use crate::channels::telegram::api::{BotApi, CallError};
use crate::channels::telegram::pairing::pairings::{ReadOffset, UserId};
use crate::channels::telegram::updates::update::parse_update;
use crate::platform::sink::Sink;
use beckon_client::platform::clock;
use beckon_core::{Span, Timestamp};
use rand::Rng;
use serde_json::Value;
use std::time::Duration;
use teloxide::payloads::{GetUpdates, GetUpdatesSetters};
use teloxide::types::AllowedUpdate;
use tokio::sync::{Notify, oneshot};

/// A poll without news ends after so many seconds. Telegram allows 50; shorter, because a connection
/// that died while the machine slept is noticed only at its end.
const POLL: u32 = 30;
/// After a conflict: long enough to meet the other program, short enough to notice that it is gone.
const PROBE: u32 = 3;
/// Presses older than this never arrive (read in the server's source).
const PRESSES_LIVE: Span = Span::seconds(150);
/// Most often the next poll gets through.
const FIRST_PAUSE: Duration = Duration::from_millis(50);
/// Somebody may be waiting for their press to count.
const LONGEST_PAUSE: Duration = Duration::from_secs(10);
/// Two programs that poll at once take turns; knocking faster would not help.
const CONFLICT_PAUSE: Duration = Duration::from_secs(5);
/// What is not committed is read again.
const COMMIT_AGAIN: Duration = Duration::from_secs(2);

/// How far the updates were read. Outlives the connection.
#[derive(Debug)]
pub(in crate::channels::telegram) struct ReadPosition {
    read: Option<ReadOffset>,
    /// When the bot was last heard of, by the wall clock and by one that nobody sets.
    heard_at: Option<(UserId, Timestamp, Span)>,
}

/// One run of polls over one connection.
pub(in crate::channels::telegram) struct LongPoll<'a> {
    pub(in crate::channels::telegram) api: &'a BotApi,
    pub(in crate::channels::telegram) bot: &'a BotIdentity,
    pub(in crate::channels::telegram) reading: &'a mut ReadPosition,
    pub(in crate::channels::telegram) report: &'a Sink<TelegramReport>,
    /// To be told when the server answers again.
    pub(in crate::channels::telegram) recovered: &'a Notify,
}

impl ReadPosition {
    pub(in crate::channels::telegram) fn new(read: Option<ReadOffset>) -> Self {
        Self { read, heard_at: None }
    }

    fn offset(&self, bot: UserId, address: &str) -> i64 {
        self.read.as_ref().and_then(|read| read.offset(bot, address)).unwrap_or(0)
    }

    /// The bot is heard of: was it silent for so long that presses may be lost? Only the wall clock
    /// knows that a virtual machine was halted, and only the steady one what passed while that was
    /// set back.
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
            match self.updates(poll_seconds(trouble.as_ref())).await {
                Ok(updates) => {
                    pause = FIRST_PAUSE;
                    if trouble.take().is_some() {
                        self.recovered.notify_one();
                    }
                    self.take(updates).await;
                }
                Err(CallError::Unauthorized) => return,
                Err(again) => {
                    self.report.post(TelegramReport::Trouble(again.clone()));
                    tokio::time::sleep(wait(&again, &mut pause)).await;
                    trouble = Some(again);
                }
            }
        }
    }

    async fn updates(&self, seconds: u32) -> Result<Vec<Value>, CallError> {
        let allowed =
            [AllowedUpdate::Message, AllowedUpdate::CallbackQuery, AllowedUpdate::MyChatMember];
        let payload = GetUpdates::new().timeout(seconds).allowed_updates(allowed);
        let payload = match i32::try_from(self.asked()) {
            Ok(offset) if offset > 0 => payload.offset(offset),
            _ => payload,
        };
        self.api.call(&payload).await
    }

    fn asked(&self) -> i64 {
        self.reading.offset(self.bot.id, self.api.address())
    }

    /// Gives the updates to the loop, and goes on behind them once it has committed them.
    async fn take(&mut self, updates: Vec<Value>) {
        let bot = self.bot.id;
        self.report.post(TelegramReport::Works(self.bot.clone()));
        if self.reading.was_silent(bot, clock::now(), clock::steady()) {
            self.report.post(TelegramReport::Missed);
        }
        let none = updates.is_empty();
        let heard: Vec<_> = updates.into_iter().filter_map(|it| parse_update(it, bot)).collect();
        let Some(last) = heard.iter().map(|heard| heard.update).max() else {
            // What has no number is there again at once.
            if !none {
                tokio::time::sleep(COMMIT_AGAIN).await;
            }
            return;
        };
        let (committed, done) = oneshot::channel();
        let read = ReadOffset { bot, address: Some(self.api.address().to_owned()), next: last + 1 };
        let batch = UpdateBatch { heard, asked: self.asked(), read: read.clone(), committed };
        self.report.post(TelegramReport::Updates(batch));
        match done.await {
            Ok(()) => self.reading.read = Some(read),
            Err(_) => tokio::time::sleep(COMMIT_AGAIN).await,
        }
    }
}

/// For how many seconds a poll waits for news. After a trouble it is to be known soon whether that
/// is over.
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
mod tests {
    use super::*;

    const BOT: UserId = UserId(7);

    impl ReadPosition {
        fn hear_at(&mut self, bot: UserId, seconds: i64) -> bool {
            self.was_silent(bot, Timestamp(seconds * 1_000), Span::seconds(seconds))
        }
    }

    #[test]
    fn presses_are_lost_when_nobody_listened_for_longer_than_they_live() {
        let mut reading = ReadPosition::new(None);
        assert!(!reading.hear_at(BOT, 1_000), "the first time nothing is known");
        assert!(!reading.hear_at(BOT, 1_030));
        assert!(!reading.hear_at(BOT, 1_180));
        assert!(reading.hear_at(BOT, 1_331));
        assert!(!reading.hear_at(BOT, 1_332), "once");
        assert!(!reading.hear_at(UserId(8), 9_000), "another bot has other presses");
    }

    #[test]
    fn a_clock_that_is_set_back_loses_no_press() {
        let mut reading = ReadPosition::new(None);
        let at = |seconds: i64| Timestamp(seconds * 1_000);
        reading.was_silent(BOT, at(9_000), Span::seconds(0));
        assert!(!reading.was_silent(BOT, at(1_000), Span::seconds(10)));
        assert!(!reading.was_silent(BOT, at(1_030), Span::seconds(40)));
        assert!(
            reading.was_silent(BOT, at(1_000), Span::seconds(240)),
            "nor is a silence covered by it"
        );
    }

    #[test]
    fn updates_of_another_bot_or_another_server_are_read_from_their_beginning() {
        let read = |address: Option<&str>| {
            ReadPosition::new(Some(ReadOffset {
                bot: BOT,
                address: address.map(str::to_owned),
                next: 42,
            }))
        };
        let reading = read(Some("https://here"));
        assert_eq!(reading.offset(BOT, "https://here"), 42);
        assert_eq!(reading.offset(UserId(8), "https://here"), 0);
        assert_eq!(reading.offset(BOT, "https://there"), 0);
        assert_eq!(read(None).offset(BOT, "https://there"), 42, "noted by an older Beckon");
    }

    #[tokio::test]
    async fn updates_without_a_number_are_not_read_again_and_again() {
        use axum::{Json, Router};
        use std::sync::Arc;
        use std::sync::atomic::{AtomicUsize, Ordering};

        let (polls, listener) =
            (Arc::new(AtomicUsize::new(0)), tokio::net::TcpListener::bind("127.0.0.1:0").await);
        let (counted, listener) = (polls.clone(), listener.unwrap());
        let api_url = format!("http://{}", listener.local_addr().unwrap());
        let router = Router::new().fallback(async move || {
            counted.fetch_add(1, Ordering::Relaxed);
            Json(serde_json::json!({ "ok": true, "result": [{ "no": 1 }, 7] }))
        });
        tokio::spawn(async move { axum::serve(listener, router).await });
        let config = beckon_client::config::TelegramConfig {
            api_url,
            ..beckon_client::config::TelegramConfig::default()
        };
        let token = beckon_client::platform::secret::Secret::new("1:a".into());
        let api = BotApi::new(&(&config).into(), token, None).unwrap();
        let bot = BotIdentity { id: BOT, name: "bot".into(), reads_groups: false };
        let mut reading = ReadPosition::new(None);
        let report = Sink::new(|_| {});
        let (report, recovered) = (&report, &Notify::new());
        let poll = LongPoll { api: &api, bot: &bot, reading: &mut reading, report, recovered };
        let _ = tokio::time::timeout(COMMIT_AGAIN / 2, poll.run()).await;
        assert_eq!(polls.load(Ordering::Relaxed), 1);
    }

    #[test]
    fn it_knocks_ever_more_slowly_but_within_ten_seconds() {
        let mut pause = FIRST_PAUSE;
        let waits: Vec<Duration> =
            (0..12).map(|_| wait(&CallError::Server(502), &mut pause)).collect();
        assert!(
            waits[0] < Duration::from_millis(100) && waits[11] > Duration::from_secs(7),
            "{waits:?}"
        );
        assert!(waits.iter().all(|wait| *wait <= LONGEST_PAUSE.mul_f64(1.2)), "{waits:?}");
    }
}
