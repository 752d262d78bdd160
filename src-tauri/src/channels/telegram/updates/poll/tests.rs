//! Updates that were not read while Beckon did not listen, and the pace at which it tries again.

use super::*;
use axum::{Json, Router};
use serde_json::json;
use std::time::Instant;
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};

const BOT: UserId = UserId(7);

impl ReadPosition {
    fn hear_at(&mut self, bot: UserId, seconds: i64) -> bool {
        self.was_silent(bot, Timestamp(seconds * 1_000), Span::seconds(seconds))
    }
}

#[test]
fn presses_are_lost_when_nobody_listened_for_longer_than_they_live() {
    let mut reading = ReadPosition::new(None);
    assert!(
        !reading.hear_at(BOT, 1_000),
        "the first time nothing is known"
    );
    assert!(!reading.hear_at(BOT, 1_030));
    assert!(!reading.hear_at(BOT, 1_180));
    assert!(reading.hear_at(BOT, 1_331));
    assert!(!reading.hear_at(BOT, 1_332), "once");
    assert!(
        !reading.hear_at(UserId(8), 9_000),
        "another bot has other presses"
    );
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
    assert_eq!(
        read(None).offset(BOT, "https://there"),
        42,
        "noted by an older Beckon"
    );
}

/// Starts a server that answers each poll so, and tells of it.
async fn serve(result: Value, polled: UnboundedSender<Instant>) -> String {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let router = Router::new().fallback(async move || {
        let _ = polled.send(Instant::now());
        Json(json!({ "ok": true, "result": result }))
    });
    tokio::spawn(async move { axum::serve(listener, router).await });
    address
}

/// Polls there until that comes.
async fn poll_until<T>(
    api_url: String,
    report: &Sink<TelegramReport>,
    end: impl Future<Output = T>,
) -> T {
    let config = beckon_client::config::TelegramConfig {
        api_url,
        ..beckon_client::config::TelegramConfig::default()
    };
    let token = beckon_client::platform::secret::Secret::new("1:a".into());
    let api = BotApi::new(&(&config).into(), token, None).unwrap();
    let bot = BotIdentity {
        id: BOT,
        name: "bot".into(),
        reads_groups: false,
    };
    let mut reading = ReadPosition::new(None);
    let recovered = Notify::new();
    let (_told, permit) = tokio::sync::watch::channel(beckon_core::hub::Permit::Always);
    let poll = LongPoll {
        api: &api,
        bot: &bot,
        reading: &mut reading,
        report,
        permit: SendPermit::new(permit),
        recovered: &recovered,
    };
    tokio::select! {
        () = poll.run() => panic!("it polls no longer"),
        end = end => end,
    }
}

#[tokio::test]
async fn updates_without_a_number_are_not_read_again_and_again() {
    let (polled, mut polls) = unbounded_channel();
    let address = serve(json!([{ "no": 1 }, 7]), polled).await;
    let both = async { (polls.recv().await.unwrap(), polls.recv().await.unwrap()) };
    let (first, second) = poll_until(address, &Sink::new(|_| {}), both).await;
    assert!(second - first >= COMMIT_AGAIN, "{:?}", second - first);
}

#[tokio::test]
async fn a_tap_is_given_at_once_while_somebody_else_s_text_may_go_on() {
    let person = |id: i64| json!({ "id": id, "is_bot": false, "first_name": "A" });
    let chat = |id: i64| json!({ "id": id, "type": "private", "first_name": "A" });
    let long = json!({ "message_id": 5, "date": 1_700_000_000, "chat": chat(8), "from": person(8),
        "text": "x".repeat(4_096) });
    let card = json!({ "message_id": 6, "date": 1_700_000_000, "chat": chat(9), "text": "?" });
    let tap = json!({ "id": "1", "from": person(9), "message": card, "chat_instance": "1",
        "data": "odd" });
    let updates = json!([{ "update_id": 10, "message": long },
        { "update_id": 11, "callback_query": tap }]);

    let address = serve(updates, unbounded_channel().0).await;
    let (tell, mut told) = unbounded_channel();
    let report = Sink::new(move |report| {
        if let TelegramReport::Updates(batch) = report {
            let numbers: Vec<i64> = batch.heard.iter().map(|heard| heard.update).collect();
            let _ = tell.send((numbers, batch.read.next));
            let _ = batch.committed.send(());
        }
    });
    let both = async { (told.recv().await.unwrap(), told.recv().await.unwrap()) };
    let (first, second) = poll_until(address, &report, both).await;
    assert_eq!(first, (vec![11], 0), "nothing is acknowledged by it");
    assert_eq!(second, (vec![10, 11], 12));
}

#[test]
fn it_knocks_ever_more_slowly_but_within_ten_seconds() {
    let mut pause = FIRST_PAUSE;
    let waits: Vec<Duration> = (0..12)
        .map(|_| wait(&CallError::Server(502), &mut pause))
        .collect();
    assert!(
        waits[0] < Duration::from_millis(100) && waits[11] > Duration::from_secs(7),
        "{waits:?}"
    );
    assert!(
        waits.iter().all(|wait| *wait <= LONGEST_PAUSE.mul_f64(1.2)),
        "{waits:?}"
    );
}
