//! History, health, and what other programs open.

use crate::problem::{Done, failed, problem};
use crate::shared::Shared;
use anyhow::Context;
use beckon::cli;
use beckon::config;
use beckon::platform::clock;
use beckon::platform::external;
use beckon::platform::failed::Failed;
use beckon::sources::selftest::QUESTION_WITHIN;
use beckon::text::Texts;
use beckon::wire::{Asked, Ending, Finding, HistoryPage};
use serde::Deserialize;
use std::path::PathBuf;
use std::time::Duration;
use tauri::{AppHandle, Manager, State};

/// A leg that does not answer is waited for.
const SELF_TEST_WITHIN: Duration = Duration::from_secs(30);

#[tauri::command]
pub(super) async fn history(
    shared: State<'_, Shared>,
    text: Option<String>,
    ending: Option<Ending>,
    by: Option<String>,
    before: Option<i64>,
    limit: Option<u32>,
) -> Done<HistoryPage> {
    let before = before.map(|at| at.to_string());
    let limit = limit.map(|count| count.to_string());
    let ending = ending.map(Ending::word);
    let asked =
        [("text", text), ("ending", ending), ("by", by), ("before", before), ("limit", limit)];
    shared.client().get(&format!("/history?{}", query(asked))).await.map_err(problem)
}

/// An empty field of a search means that nothing is searched for.
fn query(asked: [(&str, Option<String>); 5]) -> String {
    let given = asked.into_iter().filter_map(|(name, value)| Some((name, value?)));
    let given = given.filter(|(_, value)| !value.is_empty());
    url::form_urlencoded::Serializer::new(String::new()).extend_pairs(given).finish()
}

/// What a file can be.
#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Format {
    Json,
    Csv,
}

/// Gives the path of the file.
#[tauri::command]
pub(super) async fn export_history(
    app: AppHandle,
    shared: State<'_, Shared>,
    format: Format,
) -> Done<String> {
    let word = match format {
        Format::Json => "json",
        Format::Csv => "csv",
    };
    let path = format!("/history/export?format={word}");
    let text: String = shared.client().get(&path).await.map_err(problem)?;
    let folder = app.path().download_dir().ok().filter(|folder| folder.is_dir());
    let folder = folder.unwrap_or_else(|| shared.paths.logs.with_file_name("exports"));
    save(folder, word, &text).map_err(failed)
}

fn save(folder: PathBuf, word: &str, text: &str) -> anyhow::Result<String> {
    std::fs::create_dir_all(&folder).with_context(|| Failed::Create(folder.clone()))?;
    let now = jiff::Timestamp::from_millisecond(clock::now().0).unwrap_or_default();
    let date = now.to_zoned(clock::zone()).strftime("%Y-%m-%d-%H%M%S").to_string();
    let file = folder.join(format!("beckon-history-{date}.{word}"));
    beckon::platform::paths::write_private(&file, text.as_bytes())?;
    Ok(file.display().to_string())
}

#[tauri::command]
pub(super) async fn health(shared: State<'_, Shared>) -> Done<Vec<Finding>> {
    let texts = Texts::load(&config::language(&shared.paths.config));
    Ok(cli::health(shared.paths.clone(), texts).await)
}

#[tauri::command]
pub(super) async fn self_test(shared: State<'_, Shared>) -> Done<Vec<Finding>> {
    shared.client().post("/selftest", &(), SELF_TEST_WITHIN).await.map_err(problem)
}

/// The answer, if somebody gave one.
#[tauri::command]
pub(super) async fn test_question(shared: State<'_, Shared>) -> Done<Option<String>> {
    let asked = shared.client().post("/selftest/question", &(), QUESTION_WITHIN).await;
    let asked: Asked = asked.map_err(problem)?;
    Ok(asked.answers.into_iter().flatten().flatten().next())
}

/// The page has shown the address and asked; what is no web page is refused here all the same.
#[tauri::command]
pub(super) fn open_link(url: String) -> Done<()> {
    external::open_link(&url).map_err(failed)
}

#[tauri::command]
pub(super) fn open_logs(shared: State<'_, Shared>) -> Done<()> {
    external::open_folder(&shared.paths.logs).map_err(failed)
}
