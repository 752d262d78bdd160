//! Tests of failures on demand: scripted faults, the network, and rates.

use std::time::Duration;

use beckon_support::telegram::{Call, Fault, Group, Method, Outcome, TOKEN, Telegram};
use serde_json::json;

use super::{SOON, call, done, refused, send};

async fn try_send(telegram: &Telegram, chat: i64) -> reqwest::Result<String> {
    let url = format!("{}/bot{TOKEN}/sendMessage", telegram.url());
    let params = json!({ "chat_id": chat, "text": "x" });
    let request = reqwest::Client::new().post(url).json(&params);
    request.send().await?.text().await
}

/// Sends a message that is never answered, and returns once the record says that it is spoilt.
async fn send_in_vain(telegram: &Telegram, chat: i64, fault: Fault) {
    let spoilt = |call: &Call| call.outcome == Outcome::Spoilt(fault);
    tokio::select! {
        answer = try_send(telegram, chat) => panic!("answered: {answer:?}"),
        _ = telegram.wait_call(spoilt, SOON) => {}
    }
}

#[tokio::test]
async fn scripted_faults_come_in_order_and_to_their_method() {
    let telegram = Telegram::start();
    let chat = telegram.private(telegram.user("Anna"));
    telegram.fail(Method::SendMessage, 2, Fault::ServerError(502));
    telegram.fail(Method::SendMessage, 1, Fault::Cut);
    telegram.fail(Method::SendMessage, 1, Fault::DoneThenHang);
    telegram.fail(Method::SendMessage, 1, Fault::Hang);
    done(&telegram, "getMe", json!({})).await;
    for _ in 0..2 {
        assert!(
            try_send(&telegram, chat.0)
                .await
                .unwrap()
                .contains("<h1>502 Bad Gateway</h1>")
        );
    }
    assert_eq!(telegram.messages(chat).len(), 0);
    try_send(&telegram, chat.0).await.unwrap_err();
    assert_eq!(telegram.messages(chat).len(), 1);
    send_in_vain(&telegram, chat.0, Fault::DoneThenHang).await;
    assert_eq!(telegram.messages(chat).len(), 2);
    send_in_vain(&telegram, chat.0, Fault::Hang).await;
    assert_eq!(telegram.messages(chat).len(), 2);
    assert!(
        try_send(&telegram, chat.0)
            .await
            .unwrap()
            .contains("\"ok\":true")
    );
    let spoilt = Outcome::Spoilt(Fault::Cut);
    assert_eq!(telegram.calls_of(Method::SendMessage)[2].outcome, spoilt);
    telegram.fail_next(5, Fault::Hang);
    telegram.heal();
    send(&telegram, chat, "healed").await;
}

#[tokio::test]
async fn a_server_that_is_down_refuses_connections_and_comes_back_with_its_memory() {
    let mut telegram = Telegram::start();
    let anna = telegram.user("Anna");
    let chat = telegram.private(anna);
    let url = telegram.url();
    telegram.text(anna, chat, "before");
    telegram.down();
    assert!(try_send(&telegram, chat.0).await.unwrap_err().is_connect());
    telegram.text(anna, chat, "meanwhile");
    telegram.up();
    assert_eq!(telegram.url(), url);
    assert_eq!(super::updates(&telegram, 0).await.len(), 2);
}

#[tokio::test]
async fn a_call_before_the_end_of_a_pause_is_complained_of() {
    let telegram = Telegram::start();
    let chat = telegram.private(telegram.user("Anna"));
    let params = json!({ "chat_id": chat.0, "text": "x" });
    telegram.fail_next(1, Fault::TooManyRequests(2));
    let answer = call(&telegram, "sendMessage", params).await;
    assert_eq!(answer["parameters"]["retry_after"], 2);
    telegram.advance(Duration::from_secs(2));
    send(&telegram, chat, "in time").await;
    assert_eq!(telegram.complaints(), Vec::<String>::new());
    telegram.fail_next(1, Fault::TooManyRequests(2));
    refused(
        &telegram,
        "sendMessage",
        json!({ "chat_id": chat.0, "text": "x" }),
    )
    .await;
    send(&telegram, chat, "too early").await;
    assert!(telegram.complaints()[0].contains("before the end of retry_after"));
}

#[tokio::test]
async fn a_chat_takes_one_message_per_second_after_a_short_burst() {
    let telegram = Telegram::start();
    let chat = telegram.private(telegram.user("Anna"));
    let params = json!({ "chat_id": chat.0, "text": "x" });
    for _ in 0..9 {
        send(&telegram, chat, "as fast as you like").await;
    }
    telegram.advance(Duration::from_secs(60));
    telegram.stop_clock();
    telegram.enforce_rates(true);
    for _ in 0..8 {
        send(&telegram, chat, "a burst").await;
    }
    let answer = call(&telegram, "sendMessage", params.clone()).await;
    assert_eq!(
        (&answer["error_code"], &answer["parameters"]),
        (&json!(429), &json!({ "retry_after": 1 }))
    );
    telegram.advance(Duration::from_secs(1));
    send(&telegram, chat, "in time").await;
    assert_eq!(telegram.complaints(), Vec::<String>::new());
}

#[tokio::test]
async fn a_group_takes_20_messages_per_minute() {
    let telegram = Telegram::start();
    let group = telegram.group(&[telegram.user("Anna")], Group::default());
    telegram.stop_clock();
    telegram.enforce_rates(true);
    for _ in 0..20 {
        send(&telegram, group, "x").await;
        telegram.advance(Duration::from_secs(1));
    }
    let why = refused(
        &telegram,
        "sendMessage",
        json!({ "chat_id": group.0, "text": "x" }),
    )
    .await;
    assert!(why.starts_with("Too Many Requests: retry after "), "{why}");
    telegram.advance(Duration::from_secs(41));
    send(&telegram, group, "x").await;
}

#[tokio::test]
async fn the_bot_sends_30_messages_per_second_in_all() {
    let telegram = Telegram::start();
    telegram.stop_clock();
    telegram.enforce_rates(true);
    let chats: Vec<_> = (0..31)
        .map(|_| telegram.private(telegram.user("Anna")))
        .collect();
    for chat in &chats[..30] {
        send(&telegram, *chat, "x").await;
    }
    let last = json!({ "chat_id": chats[30].0, "text": "x" });
    let answer = call(&telegram, "sendMessage", last).await;
    assert_eq!(answer["parameters"]["retry_after"], 1);
}

#[tokio::test]
async fn edits_without_a_pause_are_complained_of() {
    let telegram = Telegram::start();
    let chat = telegram.private(telegram.user("Anna"));
    let card = send(&telegram, chat, "0").await;
    telegram.stop_clock();
    telegram.enforce_rates(true);
    for count in 1..=4 {
        let edit = json!({ "chat_id": chat.0, "message_id": card, "text": count.to_string() });
        call(&telegram, "editMessageText", edit).await;
    }
    let complaints = telegram.complaints().join("\n");
    assert!(
        complaints.contains("is edited too often in a second"),
        "{complaints}"
    );
}

#[tokio::test]
async fn with_rates_enforced_a_second_conflict_is_held_back() {
    let telegram = Telegram::start();
    telegram.enforce_rates(true);
    telegram.rival(true);
    let poll = || refused(&telegram, "getUpdates", json!({ "timeout": 50 }));
    poll().await;
    let held = tokio::time::timeout(Duration::from_secs(1), poll()).await;
    assert!(held.is_err(), "{held:?}");
    let open = telegram
        .wait_call(|call| call.outcome == Outcome::Open, SOON)
        .await;
    assert_eq!(open.method, Method::GetUpdates);
}
