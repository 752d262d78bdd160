//! Tests of the long poll: offsets, ages, kinds, and one poller at a time.

use std::time::{Duration, Instant};

use beckon_support::eventually;
use beckon_support::telegram::{ChatId, Method, Outcome, Telegram, UserId};
use serde_json::{Value, json};

use super::{SOON, call, done, refused, send, send_buttons, updates};

fn start() -> (Telegram, UserId, ChatId) {
    let telegram = Telegram::start();
    let anna = telegram.user("Anna");
    let chat = telegram.private(anna);
    (telegram, anna, chat)
}

fn ids(updates: &[Value]) -> Vec<i64> {
    updates
        .iter()
        .map(|update| update["update_id"].as_i64().unwrap())
        .collect()
}

#[tokio::test]
async fn an_update_comes_again_until_an_offset_confirms_it() {
    let (telegram, anna, chat) = start();
    telegram.text(anna, chat, "one");
    let first = telegram.last_update();
    assert_eq!(telegram.handed_out(first), None);
    assert_eq!(ids(&updates(&telegram, 0).await), [first]);
    let handed_out = telegram.handed_out(first);
    assert!(handed_out.is_some());
    telegram.text(anna, chat, "two");
    assert_eq!(ids(&updates(&telegram, first).await), [first, first + 1]);
    assert_eq!(telegram.handed_out(first), handed_out);
    assert_eq!(ids(&updates(&telegram, first + 1).await), [first + 1]);
    assert_eq!(telegram.pending(), 1);
    assert_eq!(updates(&telegram, first + 2).await, Vec::<Value>::new());
    telegram.wait_confirmed(SOON).await;
    assert_eq!(telegram.complaints(), Vec::<String>::new());
}

#[tokio::test]
async fn a_negative_offset_keeps_the_last_ones() {
    let (telegram, anna, chat) = start();
    for text in ["one", "two", "three"] {
        telegram.text(anna, chat, text);
    }
    let last = telegram.last_update();
    assert_eq!(ids(&updates(&telegram, -1).await), [last]);
    assert_eq!(telegram.pending(), 1);
}

#[tokio::test]
async fn an_offset_from_the_future_confirms_nothing() {
    let (telegram, anna, chat) = start();
    telegram.text(anna, chat, "one");
    assert_eq!(
        updates(&telegram, telegram.last_update() + 10).await.len(),
        1
    );
    assert_eq!(telegram.complaints().len(), 1);
}

#[tokio::test]
async fn numbers_that_begin_anew_lower_are_handed_out_whatever_the_offset_was() {
    let (telegram, anna, chat) = start();
    telegram.text(anna, chat, "one");
    let offset = telegram.last_update() + 1;
    assert_eq!(updates(&telegram, offset).await, Vec::<Value>::new());
    telegram.renumber(300_000_000);
    telegram.text(anna, chat, "two");
    for _ in 0..2 {
        assert_eq!(
            ids(&updates(&telegram, offset).await),
            [300_000_000],
            "it confirms nothing"
        );
    }
    assert_eq!(updates(&telegram, 300_000_001).await, Vec::<Value>::new());
    assert_eq!((telegram.pending(), telegram.complaints()), (0, Vec::new()));
}

#[tokio::test]
async fn at_most_the_limit_is_handed_out_and_one_in_haste() {
    let (telegram, anna, chat) = start();
    for text in ["one", "two", "three"] {
        telegram.text(anna, chat, text);
    }
    let first = telegram.last_update() - 2;
    let params = json!({ "offset": first, "limit": 2 });
    let two = done(&telegram, "getUpdates", params.clone()).await;
    assert_eq!(two.as_array().unwrap().len(), 2);
    let again = done(&telegram, "getUpdates", params).await;
    let calls = telegram.calls();
    let hasty = calls[1].answered < Some(calls[0].at + Duration::from_millis(500));
    assert_eq!(again.as_array().unwrap().len(), if hasty { 1 } else { 2 });
}

#[tokio::test]
async fn a_poll_waits_until_something_comes() {
    let (telegram, anna, chat) = start();
    let poll = call(&telegram, "getUpdates", json!({ "timeout": 50 }));
    let act = async {
        telegram.wait_polled(SOON).await;
        telegram.text(anna, chat, "one");
        Instant::now()
    };
    let (answer, written) = tokio::join!(poll, act);
    assert_eq!(answer["result"][0]["message"]["text"], "one");
    assert!(written.elapsed() < Duration::from_secs(1));
}

#[tokio::test]
async fn a_poll_that_nothing_comes_for_ends_after_its_timeout() {
    let (telegram, ..) = start();
    let begun = Instant::now();
    assert_eq!(
        done(&telegram, "getUpdates", json!({ "timeout": 1 })).await,
        json!([])
    );
    assert!(
        (0.9..2.0).contains(&begun.elapsed().as_secs_f64()),
        "{:?}",
        begun.elapsed()
    );
}

#[tokio::test]
async fn a_poll_whose_client_has_gone_waits_no_longer() {
    let (telegram, ..) = start();
    let poll = call(&telegram, "getUpdates", json!({ "timeout": 50 }));
    let polled = telegram.wait_polled(SOON);
    tokio::select! { _ = poll => panic!("nothing came"), () = polled => {} }
    let what = "the end of the poll";
    eventually(what, SOON, async || (!telegram.is_polled()).then_some(())).await;
    assert_eq!(telegram.calls()[0].outcome, Outcome::Open);
}

#[tokio::test]
async fn a_second_poll_ends_the_first() {
    let (telegram, anna, chat) = start();
    let first = refused(&telegram, "getUpdates", json!({ "timeout": 50 }));
    let second = async {
        telegram.wait_polled(SOON).await;
        done(&telegram, "getUpdates", json!({ "timeout": 50 })).await
    };
    let act = async {
        telegram
            .wait_call(
                |call| matches!(call.outcome, Outcome::Refused(409, _)),
                SOON,
            )
            .await;
        telegram.text(anna, chat, "one");
    };
    let (why, updates, ()) = tokio::join!(first, second, act);
    assert_eq!(
        why,
        "Conflict: terminated by other getUpdates request; make sure that only one bot instance is running"
    );
    assert_eq!(updates.as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn another_program_steals_one_poll_or_all() {
    let (telegram, ..) = start();
    let poll = || refused(&telegram, "getUpdates", json!({ "timeout": 50 }));
    let (why, ()) = tokio::join!(poll(), telegram.steal_poll(SOON));
    assert!(
        why.starts_with("Conflict: terminated by other getUpdates"),
        "{why}"
    );
    telegram.rival(true);
    assert_eq!(poll().await, why);
    assert_eq!(poll().await, why);
    telegram.rival(false);
    let (told, ()) = tokio::join!(poll(), async {
        telegram.wait_polled(SOON).await;
        telegram.set_webhook(Some("https://elsewhere.example/hook"));
    });
    assert_eq!(told, "Conflict: terminated by setWebhook request");
}

#[tokio::test]
async fn a_webhook_ends_polls_and_forbids_them() {
    let (telegram, ..) = start();
    let act = async {
        telegram.wait_polled(SOON).await;
        telegram.set_webhook(Some("https://elsewhere.example/hook"));
    };
    let poll = refused(&telegram, "getUpdates", json!({ "timeout": 50 }));
    assert_eq!(
        tokio::join!(poll, act).0,
        "Conflict: terminated by setWebhook request"
    );
    let why = refused(&telegram, "getUpdates", json!({})).await;
    assert!(why.starts_with("Conflict: can't use getUpdates method while webhook is active"));
    done(&telegram, "deleteWebhook", json!({})).await;
    assert_eq!(updates(&telegram, 0).await, Vec::<Value>::new());
}

#[tokio::test]
async fn taps_are_forgotten_after_150_s_and_messages_after_a_day() {
    let (telegram, anna, chat) = start();
    telegram.stop_clock();
    let card = send_buttons(&telegram, chat, &["Yes"]).await;
    telegram.tap(anna, chat, card, "Yes");
    telegram.text(anna, chat, "one");
    telegram.advance(Duration::from_secs(149));
    assert_eq!(updates(&telegram, 0).await.len(), 2);
    telegram.advance(Duration::from_secs(1));
    let left = updates(&telegram, -2).await;
    assert_eq!(left[0]["message"]["text"], "one");
    telegram.advance(Duration::from_secs(24 * 3600));
    assert_eq!(telegram.pending(), 0);
    assert_eq!(updates(&telegram, 0).await, Vec::<Value>::new());
}

#[tokio::test]
async fn a_tap_is_answered_once_and_within_15_s() {
    let (telegram, anna, chat) = start();
    let card = send_buttons(&telegram, chat, &["Yes"]).await;
    let tap = telegram.tap(anna, chat, card, "Yes");
    let answer = |id: &str| json!({ "callback_query_id": id, "text": "Taken", "show_alert": true });
    done(&telegram, "answerCallbackQuery", answer(&tap)).await;
    let why = "Bad Request: query is too old and response timeout expired or query ID is invalid";
    assert_eq!(
        refused(&telegram, "answerCallbackQuery", answer(&tap)).await,
        why
    );
    let late = telegram.tap(anna, chat, card, "Yes");
    telegram.advance(Duration::from_secs(15));
    assert_eq!(
        refused(&telegram, "answerCallbackQuery", answer(&late)).await,
        why
    );
    assert_eq!(telegram.unanswered_taps(), [late]);
    let alerts = telegram.alerts();
    assert_eq!(
        (alerts.len(), alerts[0].in_a_box, &alerts[0].callback),
        (1, true, &tap)
    );
}

#[tokio::test]
async fn allowed_kinds_are_remembered_and_reactions_are_none_by_default() {
    let (telegram, anna, chat) = start();
    let card = send(&telegram, chat, "x").await;
    telegram.react(anna, chat, card, Some("👍"));
    assert_eq!(telegram.pending(), 0);
    let kinds = ["message_reaction"];
    done(&telegram, "getUpdates", json!({ "allowed_updates": kinds })).await;
    telegram.react(anna, chat, card, Some("👀"));
    telegram.text(anna, chat, "one");
    let come = updates(&telegram, 0).await;
    assert_eq!(come.len(), 1);
    let reaction = &come[0]["message_reaction"];
    assert_eq!(reaction["new_reaction"][0]["emoji"], "👀");
    assert_eq!(
        reaction["old_reaction"][0]["emoji"], "👍",
        "whether the bot heard of it or not"
    );
    done(&telegram, "getUpdates", json!({ "allowed_updates": [] })).await;
    telegram.text(anna, chat, "two");
    assert_eq!(telegram.pending(), 2);
    done(
        &telegram,
        "getUpdates",
        json!({ "allowed_updates": ["mesage"] }),
    )
    .await;
    assert_eq!(telegram.complaints().len(), 1);
}

#[tokio::test]
async fn the_record_tells_when_and_what() {
    let (telegram, _, chat) = start();
    let before = Instant::now();
    send(&telegram, chat, "x").await;
    let sent = telegram.calls_of(Method::SendMessage).remove(0);
    assert_eq!(
        (sent.param("text"), sent.json("chat_id")),
        ("x", json!(chat.0))
    );
    assert!(sent.is_done() && sent.at > before && sent.answered > Some(sent.at));
}
