//! Commands for settings and secrets, presence and pause. Secrets go in, and none comes out.

use crate::problem::{CommandResult, problem};
use crate::shared::SharedWindows;
use beckon_client::config::edit::{OriginChange, Value};
use beckon_client::connection::encode;
use beckon_client::platform::clock;
use beckon_client::wire::{Integrations, LocalAgent, Nearby, PauseFor, SourceKind};
use beckon_client::wire::{PresenceStatus, ServerTested, SettingChange, Settings};
use beckon_core::{PresenceOverride, Span};
use serde_json::json;
use std::time::Duration;
use tauri::State;

/// The time limit for the keychain: somebody may have to unlock it first.
const KEYCHAIN_WITHIN: Duration = Duration::from_secs(15);

/// The time limit for a test: the keychain, and then a stranger at the address who is asked what it
/// is.
const TESTED_WITHIN: Duration = Duration::from_secs(40);

/// The time limit for Claude Code's hooks: it may be asked for its version first.
const CLAUDE_CODE_WITHIN: Duration = Duration::from_secs(10);

#[tauri::command]
pub(super) async fn settings(shared: State<'_, SharedWindows>) -> CommandResult<Settings> {
    shared.client().get("/settings").await.map_err(problem)
}

#[tauri::command]
pub(super) async fn save_setting(
    shared: State<'_, SharedWindows>,
    key: String,
    value: Option<Value>,
) -> CommandResult<Settings> {
    shared
        .client()
        .patch("/settings", &SettingChange { key, value })
        .await
        .map_err(problem)
}

#[tauri::command]
pub(super) async fn add_server(
    shared: State<'_, SharedWindows>,
    kind: Option<SourceKind>,
    name: String,
    url: String,
    resume: Option<String>,
    username: Option<String>,
    password: Option<String>,
) -> CommandResult<Settings> {
    let server = json!({
        "kind": kind.unwrap_or_default(),
        "name": name,
        "url": url,
        "resume": resume,
        "username": username,
        "password": password,
    });
    shared
        .client()
        .post("/settings/servers", &server, Duration::ZERO)
        .await
        .map_err(problem)
}

#[tauri::command]
pub(super) async fn change_server(
    shared: State<'_, SharedWindows>,
    name: String,
    change: OriginChange,
) -> CommandResult<Settings> {
    let path = format!("/settings/servers/{}", encode(&name));
    shared.client().patch(&path, &change).await.map_err(problem)
}

#[tauri::command]
pub(super) async fn remove_server(
    shared: State<'_, SharedWindows>,
    name: String,
) -> CommandResult<Settings> {
    let path = format!("/settings/servers/{}", encode(&name));
    shared.client().delete(&path).await.map_err(problem)
}

#[tauri::command]
pub(super) async fn test_server(
    shared: State<'_, SharedWindows>,
    kind: Option<SourceKind>,
    url: String,
    resume: Option<String>,
    username: Option<String>,
    password: Option<String>,
    name: Option<String>,
) -> CommandResult<ServerTested> {
    let kind = kind.unwrap_or_default();
    let server = json!({ "kind": kind, "url": url, "resume": resume, "username": username,
        "password": password, "name": name });
    shared
        .client()
        .post("/servers/test", &server, TESTED_WITHIN)
        .await
        .map_err(problem)
}

#[tauri::command]
pub(super) async fn nearby(shared: State<'_, SharedWindows>) -> CommandResult<Vec<Nearby>> {
    shared.client().get("/nearby").await.map_err(problem)
}

#[tauri::command]
pub(super) async fn set_secret(
    shared: State<'_, SharedWindows>,
    name: String,
    value: String,
) -> CommandResult<bool> {
    let (path, secret) = (
        format!("/secrets/{}", encode(&name)),
        json!({ "value": value }),
    );
    shared
        .client()
        .post(&path, &secret, KEYCHAIN_WITHIN)
        .await
        .map_err(problem)
}

#[tauri::command]
pub(super) async fn remove_secret(
    shared: State<'_, SharedWindows>,
    name: String,
) -> CommandResult<bool> {
    let path = format!("/secrets/{}", encode(&name));
    shared
        .client()
        .delete_within(&path, KEYCHAIN_WITHIN)
        .await
        .map_err(problem)
}

#[tauri::command]
pub(super) async fn integrate_opencode(
    shared: State<'_, SharedWindows>,
    install: bool,
) -> CommandResult<Settings> {
    let wanted = json!({ "install": install });
    shared
        .client()
        .post("/integrations/opencode", &wanted, Duration::ZERO)
        .await
        .map_err(problem)
}

#[tauri::command]
pub(super) async fn autostart(
    shared: State<'_, SharedWindows>,
    on: bool,
) -> CommandResult<Settings> {
    let wanted = json!({ "on": on });
    shared
        .client()
        .post("/settings/autostart", &wanted, Duration::ZERO)
        .await
        .map_err(problem)
}

#[tauri::command]
pub(super) async fn agents(shared: State<'_, SharedWindows>) -> CommandResult<Vec<LocalAgent>> {
    shared.client().get("/agents").await.map_err(problem)
}

#[tauri::command]
pub(super) async fn integrations(shared: State<'_, SharedWindows>) -> CommandResult<Integrations> {
    shared
        .client()
        .get_within("/integrations", CLAUDE_CODE_WITHIN)
        .await
        .map_err(problem)
}

#[tauri::command]
pub(super) async fn integrate_claude_code(
    shared: State<'_, SharedWindows>,
    install: bool,
) -> CommandResult<Integrations> {
    let (path, wanted) = ("/integrations/claude-code", json!({ "install": install }));
    shared
        .client()
        .post(path, &wanted, CLAUDE_CODE_WITHIN)
        .await
        .map_err(problem)
}

#[tauri::command]
pub(super) async fn presence(
    shared: State<'_, SharedWindows>,
    said: PresenceOverride,
    r#for: Option<String>,
) -> CommandResult<PresenceStatus> {
    let said = json!({ "presence": said, "for": r#for });
    shared
        .client()
        .post("/presence", &said, Duration::ZERO)
        .await
        .map_err(problem)
}

/// A word for a pause whose end has to be found by the clock.
#[derive(serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum PauseEnd {
    Tomorrow,
}

#[tauri::command]
pub(super) async fn pause(
    shared: State<'_, SharedWindows>,
    minutes: Option<u32>,
    until: Option<PauseEnd>,
    off: Option<bool>,
) -> CommandResult<bool> {
    let now = clock::now();
    let until = match (off, until, minutes) {
        (Some(true), ..) => None,
        (_, Some(PauseEnd::Tomorrow), _) => PauseFor::UntilTomorrow.until(now),
        (.., Some(minutes)) => Some(now + Span::minutes(i64::from(minutes))),
        _ => PauseFor::HalfHour.until(now),
    };
    let until = json!({ "until": until.map(|at| at.0) });
    shared
        .client()
        .post("/pause", &until, Duration::ZERO)
        .await
        .map_err(problem)
}
