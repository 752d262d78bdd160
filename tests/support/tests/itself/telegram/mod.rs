//! Tests that the fake Telegram is understood by a real client, and is as strict as it says.

mod faults;
mod messages;
mod people;
mod polling;
mod teloxide;

use std::time::Duration;

use beckon_support::telegram::{ChatId, TOKEN, Telegram};
use serde_json::{Value, json};

const SOON: Duration = Duration::from_secs(5);

/// Calls a method with a JSON body; returns the whole answer.
async fn call(telegram: &Telegram, method: &str, params: Value) -> Value {
    let url = format!("{}/bot{TOKEN}/{method}", telegram.url());
    let response = reqwest::Client::new()
        .post(url)
        .json(&params)
        .send()
        .await
        .unwrap();
    let status = response.status().as_u16();
    let body: Value = response.json().await.unwrap();
    assert_eq!(
        body["error_code"].as_u64().unwrap_or(200),
        u64::from(status)
    );
    body
}

/// Calls a method that must succeed; returns the result.
async fn done(telegram: &Telegram, method: &str, params: Value) -> Value {
    let body = call(telegram, method, params).await;
    assert_eq!(body["ok"], true, "{body}");
    body["result"].clone()
}

/// Calls a method that must be refused; returns the description.
async fn refused(telegram: &Telegram, method: &str, params: Value) -> String {
    let body = call(telegram, method, params).await;
    assert_eq!(body["ok"], false, "{body}");
    body["description"].as_str().unwrap().to_owned()
}

/// Sends a text; returns the message's number.
async fn send(telegram: &Telegram, chat: ChatId, text: &str) -> i64 {
    let message = done(
        telegram,
        "sendMessage",
        json!({ "chat_id": chat.0, "text": text }),
    )
    .await;
    message["message_id"].as_i64().unwrap()
}

/// Sends a text with one row of buttons, whose data is their label.
async fn send_buttons(telegram: &Telegram, chat: ChatId, labels: &[&str]) -> i64 {
    let button = |label: &&str| json!({ "text": label, "callback_data": label });
    let row: Vec<Value> = labels.iter().map(button).collect();
    let params = json!({ "chat_id": chat.0, "text": "Which?",
        "reply_markup": { "inline_keyboard": [row] } });
    done(telegram, "sendMessage", params).await["message_id"]
        .as_i64()
        .unwrap()
}

/// Returns the updates from `offset` on that are there now.
async fn updates(telegram: &Telegram, offset: i64) -> Vec<Value> {
    let updates = done(telegram, "getUpdates", json!({ "offset": offset })).await;
    updates.as_array().unwrap().clone()
}
