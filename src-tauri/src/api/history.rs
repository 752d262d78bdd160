//! The requests for the history, and for the figures of the day. The history is read on another
//! thread, since a long one takes its time.

mod activity;
mod always;

pub(super) use activity::{activity, blocked_minutes};
pub(super) use always::{grants, revoke};

use super::error::ApiError;
use super::{ApiState, problem};
use crate::store::{HistoryFilter as Search, HistoryReader};
use axum::Json;
use axum::extract::{Query, State};
use axum::response::{IntoResponse, Response};
use beckon_client::platform::clock;
use beckon_client::text::Texts;
use beckon_client::wire::{self, AnswerPlace, Ending, HistoryPage, OutcomeKind, Today, WireWord};
use beckon_core::Timestamp;
use serde::Deserialize;

/// The most entries of one reply. More than a window shows at once is requested in pages.
const MOST: usize = 500;
/// The limit of an export, which takes all entries.
const ALL: usize = 1_000_000;

/// `?text=…&outcome=…&ending=…&by=…&before=…&limit=…`
#[derive(Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct HistoryQuery {
    /// The text that an entry must contain somewhere.
    text: Option<String>,
    /// The way in which the ask ended.
    outcome: Option<WireWord<OutcomeKind>>,
    /// The decision.
    ending: Option<Ending>,
    /// The place where it was answered.
    by: Option<WireWord<AnswerPlace>>,
    /// The time before which the ask must have ended, in milliseconds since 1970.
    before: Option<i64>,
    /// The most entries; never more than 500.
    limit: Option<usize>,
}

/// Handles `GET /history`.
pub(super) async fn search(
    State(room): State<ApiState>,
    Query(asked): Query<HistoryQuery>,
) -> Response {
    let query = Search {
        named: asked
            .text
            .iter()
            .flat_map(|text| named(text, &room.texts))
            .collect(),
        text: asked.text,
        outcome: asked.outcome,
        ending: asked.ending,
        by: asked.by,
        before: asked.before.map(Timestamp),
        limit: asked.limit.unwrap_or(MOST).min(MOST),
    };
    match read(&room, move |history| history.search(&query)).await {
        Ok((entries, more)) => Json(HistoryPage { entries, more }).into_response(),
        Err(error) => problem(&room, &ApiError::Database(error)),
    }
}

/// Returns the endings whose name in the window contains the text: what the window shows is found,
/// too.
fn named(text: &str, texts: &Texts) -> Vec<Ending> {
    let wanted = text.trim().to_lowercase();
    let called = |ending: &Ending| texts.get(&format!("ui-ending-{}", ending.word()));
    let named = |ending: &Ending| called(ending).to_lowercase().contains(&wanted);
    Ending::ALL.into_iter().filter(named).collect()
}

/// `?format=json|csv`
#[derive(Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct ExportQuery {
    /// The format of the file.
    format: ExportFormat,
}

/// A format of the history as a file.
#[derive(Clone, Copy, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
enum ExportFormat {
    /// A list of entries, as `GET /history` has them.
    Json,
    /// A table for a spreadsheet.
    Csv,
}

/// Handles `GET /history/export`: the text of a file.
pub(super) async fn export(
    State(room): State<ApiState>,
    Query(export): Query<ExportQuery>,
) -> Response {
    let all = Search {
        limit: ALL,
        ..Search::default()
    };
    let (entries, _) = match read(&room, move |history| history.search(&all)).await {
        Ok(found) => found,
        Err(error) => return problem(&room, &ApiError::Database(error)),
    };
    Json(match export.format {
        ExportFormat::Csv => wire::csv(&entries),
        ExportFormat::Json => serde_json::to_string_pretty(&entries).unwrap_or_default(),
    })
    .into_response()
}

/// Returns the figures of today, by the clock of this machine. Empty if the database is broken: the
/// status says so.
pub(super) async fn today(room: &ApiState) -> Today {
    let now = jiff::Timestamp::from_millisecond(clock::now().0).unwrap_or_default();
    let midnight = now.to_zoned(clock::zone()).start_of_day();
    let midnight = midnight.map_or(now, |start| start.timestamp());
    let midnight = Timestamp(midnight.as_millisecond());
    read(room, move |history| history.since(midnight))
        .await
        .unwrap_or_default()
}

async fn read<T: Send + 'static>(
    room: &ApiState,
    work: impl FnOnce(&HistoryReader) -> anyhow::Result<T> + Send + 'static,
) -> anyhow::Result<T> {
    let history = room.history.clone();
    tokio::task::spawn_blocking(move || work(&history)).await?
}
