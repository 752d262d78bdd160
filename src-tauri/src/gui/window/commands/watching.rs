//! Commands for the history, the hub and health, and for what other programs open.

use crate::doctor;
use crate::problem::{CommandResult, failed, problem};
use crate::shared::SharedWindows;
use anyhow::Context;
use beckon_client::platform::clock;
use beckon_client::platform::external;
use beckon_client::platform::failure::SystemFailure;
use beckon_client::wire::{
    Activity, AlwaysGrant, Ending, Finding, HUB_WITHIN, HistoryPage, HubJoined, HubLeft, HubView,
    JoinBody, LocalAskStatus, RemoveBody, TEST_QUESTION_WITHIN,
};
use serde::Deserialize;
use std::path::PathBuf;
use std::time::Duration;
use tauri::{AppHandle, Manager, State};

/// The time limit for a self-test, in which a leg that does not answer is waited for.
const SELF_TEST_WITHIN: Duration = Duration::from_secs(30);

/// The time limit for grants. Agents' servers are asked what they have saved, and one of them may
/// hang.
const GRANTS_WITHIN: Duration = Duration::from_secs(10);

#[tauri::command]
pub(super) async fn history(
    shared: State<'_, SharedWindows>,
    text: Option<String>,
    ending: Option<Ending>,
    by: Option<String>,
    before: Option<i64>,
    limit: Option<u32>,
) -> CommandResult<HistoryPage> {
    let before = before.map(|at| at.to_string());
    let limit = limit.map(|count| count.to_string());
    let ending = ending.map(Ending::word);
    let asked = [
        ("text", text),
        ("ending", ending),
        ("by", by),
        ("before", before),
        ("limit", limit),
    ];
    shared
        .client()
        .get(&format!("/history?{}", query(asked)))
        .await
        .map_err(problem)
}

#[tauri::command]
pub(super) async fn activity(shared: State<'_, SharedWindows>) -> CommandResult<Activity> {
    shared
        .client()
        .get("/history/activity")
        .await
        .map_err(problem)
}

#[tauri::command]
pub(super) async fn grants(shared: State<'_, SharedWindows>) -> CommandResult<Vec<AlwaysGrant>> {
    shared
        .client()
        .get_within("/history/always", GRANTS_WITHIN)
        .await
        .map_err(problem)
}

#[tauri::command]
pub(super) async fn revoke(
    shared: State<'_, SharedWindows>,
    serial: u64,
) -> CommandResult<Vec<AlwaysGrant>> {
    let path = format!("/history/always/{serial}");
    shared
        .client()
        .delete_within(&path, GRANTS_WITHIN)
        .await
        .map_err(problem)
}

/// Writes the query of a search. An empty field means that nothing is searched for.
fn query(asked: [(&str, Option<String>); 5]) -> String {
    let given = asked
        .into_iter()
        .filter_map(|(name, value)| Some((name, value?)));
    let given = given.filter(|(_, value)| !value.is_empty());
    url::form_urlencoded::Serializer::new(String::new())
        .extend_pairs(given)
        .finish()
}

/// The format of an exported file.
#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum ExportFormat {
    Json,
    Csv,
}

/// Exports the history, and returns the path of the file.
#[tauri::command]
pub(super) async fn export_history(
    app: AppHandle,
    shared: State<'_, SharedWindows>,
    format: ExportFormat,
) -> CommandResult<String> {
    let word = match format {
        ExportFormat::Json => "json",
        ExportFormat::Csv => "csv",
    };
    let path = format!("/history/export?format={word}");
    let text: String = shared.client().get(&path).await.map_err(problem)?;
    let folder = app
        .path()
        .download_dir()
        .ok()
        .filter(|folder| folder.is_dir());
    let folder = folder.unwrap_or_else(|| shared.paths.logs.with_file_name("exports"));
    save(folder, word, &text).map_err(failed)
}

fn save(folder: PathBuf, word: &str, text: &str) -> anyhow::Result<String> {
    std::fs::create_dir_all(&folder).with_context(|| SystemFailure::Create(folder.clone()))?;
    let now = jiff::Timestamp::from_millisecond(clock::now().0).unwrap_or_default();
    let date = now
        .to_zoned(clock::zone())
        .strftime("%Y-%m-%d-%H%M%S")
        .to_string();
    let file = folder.join(format!("beckon-history-{date}.{word}"));
    beckon_client::platform::paths::write_private(&file, text.as_bytes())?;
    Ok(file.display().to_string())
}

#[tauri::command]
pub(super) async fn health() -> CommandResult<Vec<Finding>> {
    doctor::findings().await.map_err(failed)
}

#[tauri::command]
pub(super) async fn hub(shared: State<'_, SharedWindows>) -> CommandResult<HubView> {
    shared.client().get("/hub").await.map_err(problem)
}

#[tauri::command]
pub(super) async fn hub_join(
    shared: State<'_, SharedWindows>,
    code: String,
) -> CommandResult<HubJoined> {
    let wish = JoinBody { code, name: None };
    shared
        .client()
        .post("/hub/join", &wish, HUB_WITHIN)
        .await
        .map_err(problem)
}

#[tauri::command]
pub(super) async fn hub_leave(shared: State<'_, SharedWindows>) -> CommandResult<HubLeft> {
    shared
        .client()
        .post("/hub/leave", &(), HUB_WITHIN)
        .await
        .map_err(problem)
}

#[tauri::command]
pub(super) async fn hub_remove(
    shared: State<'_, SharedWindows>,
    device: String,
) -> CommandResult<bool> {
    let wish = RemoveBody { device };
    shared
        .client()
        .post("/hub/remove", &wish, HUB_WITHIN)
        .await
        .map_err(problem)
}

#[tauri::command]
pub(super) async fn self_test(shared: State<'_, SharedWindows>) -> CommandResult<Vec<Finding>> {
    shared
        .client()
        .post("/selftest", &(), SELF_TEST_WITHIN)
        .await
        .map_err(problem)
}

/// Asks a test question. Returns the answer, if somebody gave one.
#[tauri::command]
pub(super) async fn test_question(
    shared: State<'_, SharedWindows>,
) -> CommandResult<Option<String>> {
    let asked = shared
        .client()
        .post("/selftest/question", &(), TEST_QUESTION_WITHIN)
        .await;
    let asked: LocalAskStatus = asked.map_err(problem)?;
    Ok(asked.answers.into_iter().flatten().flatten().next())
}

/// The page has shown the address and asked; what is no web page is refused here all the same.
// It waits for another program: not on the thread that draws.
#[tauri::command(async)]
pub(super) fn open_link(url: String) -> CommandResult<()> {
    external::open_link(&url).map_err(failed)
}

// It waits for another program: not on the thread that draws.
#[tauri::command(async)]
pub(super) fn open_logs(shared: State<'_, SharedWindows>) -> CommandResult<()> {
    external::open_folder(&shared.paths.logs).map_err(failed)
}

// It waits for another program: not on the thread that draws.
#[tauri::command(async)]
pub(super) fn open_config(shared: State<'_, SharedWindows>) -> CommandResult<()> {
    external::open_file(&shared.paths.config).map_err(failed)
}
