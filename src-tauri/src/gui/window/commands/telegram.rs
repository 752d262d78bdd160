//! Commands for Telegram: the bot, and who is paired. The token goes in once and is never seen
//! again.

use crate::problem::{CommandResult, failed, problem};
use crate::shared::SharedWindows;
use beckon_client::platform::qr;
use beckon_client::wire::Paired;
use beckon_client::wire::{CardTested, PairingLink, TelegramInfo};
use serde::Serialize;
use serde_json::{Value, json};
use std::time::Duration;
use tauri::State;

/// The time limit for a login: Telegram is asked whose token it is, and the keychain to take it.
const LOGIN_WITHIN: Duration = Duration::from_secs(25);
/// The time limit for the keychain: somebody may have to unlock it first.
const KEYCHAIN_WITHIN: Duration = Duration::from_secs(15);

/// How long a tap is waited for. Whoever tests it has the phone at hand.
const TAPPED_WITHIN: Duration = Duration::from_secs(60);

/// A link that pairs, and its picture.
#[derive(Serialize)]
pub(super) struct DrawnLink {
    link: String,
    group_link: String,
    group_command: String,
    svg: String,
    expires_at: i64,
}

#[tauri::command]
pub(super) async fn telegram_login(
    shared: State<'_, SharedWindows>,
    token: String,
) -> CommandResult<Value> {
    let token = json!({ "token": token });
    shared
        .client()
        .post("/telegram/login", &token, LOGIN_WITHIN)
        .await
        .map_err(problem)
}

#[tauri::command]
pub(super) async fn telegram_logout(shared: State<'_, SharedWindows>) -> CommandResult<bool> {
    shared
        .client()
        .delete_within("/secrets/telegram", KEYCHAIN_WITHIN)
        .await
        .map_err(problem)
}

#[tauri::command]
pub(super) async fn telegram_pair(shared: State<'_, SharedWindows>) -> CommandResult<DrawnLink> {
    let link = shared
        .client()
        .post("/telegram/pair", &(), Duration::ZERO)
        .await;
    let PairingLink {
        link,
        group_link,
        group_command,
        expires_at,
        ..
    } = link.map_err(problem)?;
    Ok(DrawnLink {
        svg: qr::svg(&link).map_err(failed)?,
        link,
        group_link,
        group_command,
        expires_at,
    })
}

#[tauri::command]
pub(super) async fn telegram_people(
    shared: State<'_, SharedWindows>,
) -> CommandResult<Vec<Paired>> {
    let telegram = shared.client().get::<TelegramInfo>("/telegram").await;
    telegram.map(|telegram| telegram.people).map_err(problem)
}

#[tauri::command]
pub(super) async fn telegram_unpair(
    shared: State<'_, SharedWindows>,
    id: i64,
) -> CommandResult<bool> {
    shared
        .client()
        .delete(&format!("/telegram/people/{id}"))
        .await
        .map_err(problem)
}

#[tauri::command]
pub(super) async fn telegram_test(shared: State<'_, SharedWindows>) -> CommandResult<CardTested> {
    let path = format!("/telegram/test?wait={}", TAPPED_WITHIN.as_secs());
    shared
        .client()
        .post(&path, &(), TAPPED_WITHIN)
        .await
        .map_err(problem)
}
