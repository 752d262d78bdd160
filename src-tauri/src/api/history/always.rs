//! The list of `GET /history/always`: what was granted for more than once, whether it still holds,
//! and the way to take it back where its agent has one.
//!
//! Not here: the rows (`store/history/grants.rs`), and what is said to the agent's server
//! (`sources/opencode/api/saved.rs`).

mod standing;

use super::super::error::ApiError;
use super::super::{ApiState, problem};
use super::read;
use crate::store::GrantRow;
use axum::Json;
use axum::extract::{Path, State};
use axum::response::{IntoResponse, Response};
use beckon_client::platform::clock;
use beckon_client::wire::{AlwaysGrant, AnswerPlace, GrantState, WireWord};
use beckon_core::{AlwaysUntil, Span, Timestamp};
use standing::GrantStandings;
use std::collections::BTreeSet;

/// The minutes of a day.
const DAY: i64 = 24 * 60;
/// The time for which the history is kept.
const KEPT: Span = Span::minutes(365 * DAY);
/// The time for which a grant is listed of which it is unknown whether it holds.
const UNSEEN: Span = Span::minutes(30 * DAY);
/// The time for which a grant is listed that is over.
const OVER: Span = Span::minutes(7 * DAY);

/// Handles `GET /history/always`.
pub(in super::super) async fn grants(State(room): State<ApiState>) -> Response {
    match told(&room).await {
        Ok(grants) => Json(grants).into_response(),
        Err(why) => problem(&room, &why),
    }
}

/// Takes a grant back at its agent's server (`DELETE /history/always/{serial}`), and returns the
/// list as it is then.
pub(in super::super) async fn revoke(
    State(room): State<ApiState>,
    Path(serial): Path<u64>,
) -> Response {
    let revoked = async {
        let granted = rows(&room)
            .await?
            .into_iter()
            .find(|row| row.serial == serial);
        revoked(&room, &granted.ok_or(ApiError::NoGrant)?).await?;
        told(&room).await
    };
    match revoked.await {
        Ok(grants) => Json(grants).into_response(),
        Err(why) => problem(&room, &why),
    }
}

async fn revoked(room: &ApiState, granted: &GrantRow) -> Result<(), ApiError> {
    if granted.permission.always_until != AlwaysUntil::TakenBack {
        return Err(ApiError::Irrevocable);
    }
    let server = room
        .mailbox
        .saved(&granted.ask.id.source)
        .await
        .ok_or(ApiError::Irrevocable)?;
    let saved = standing::saved(&server, granted)
        .await
        .map_err(ApiError::NotRevoked)?;
    for saved in saved {
        standing::in_time(server.revoke(&saved))
            .await
            .map_err(ApiError::NotRevoked)?;
    }
    Ok(())
}

async fn told(room: &ApiState) -> Result<Vec<AlwaysGrant>, ApiError> {
    let (rows, now) = (rows(room).await?, clock::now());
    let standings = GrantStandings::ask(room, &rows).await;
    let grants = rows.into_iter().map(|row| {
        let state = standings.of(&row);
        grant(row, state)
    });
    Ok(grants
        .filter(|grant| is_worth_telling(grant, now.0))
        .collect())
}

/// Returns the grants. One that was granted again and again is listed once, as it was granted last.
async fn rows(room: &ApiState) -> Result<Vec<GrantRow>, ApiError> {
    let since = Timestamp(clock::now().0 - KEPT.0);
    let rows = read(room, move |history| history.grants(since)).await;
    let mut rows = rows.map_err(ApiError::Database)?;
    let mut told = BTreeSet::new();
    rows.retain(|row| told.insert(scope(row)));
    Ok(rows)
}

fn scope(row: &GrantRow) -> (String, String, Option<String>, String, Vec<String>) {
    let session = &row.ask.session;
    let of_session = row.permission.always_until == AlwaysUntil::SessionEnds;
    (
        row.ask.id.source.0.clone(),
        session.directory.clone(),
        of_session.then(|| session.id.clone()),
        row.permission.permission.clone(),
        row.permission.always.clone(),
    )
}

fn is_worth_telling(grant: &AlwaysGrant, now: i64) -> bool {
    let most = match grant.state {
        GrantState::Holds => KEPT,
        GrantState::Unknown => UNSEEN,
        GrantState::Ended | GrantState::Unwatched => OVER,
    };
    now - grant.granted_at <= most.0
}

fn grant(row: GrantRow, state: GrantState) -> AlwaysGrant {
    let GrantRow {
        serial,
        ask,
        permission,
        by,
        at,
    } = row;
    let until = permission.always_until;
    AlwaysGrant {
        serial,
        source: ask.id.source.0,
        project: ask.session.project().to_owned(),
        agent: ask.session.who().map(str::to_owned),
        directory: ask.session.directory,
        session: ask.session.title,
        purpose: permission.purpose().into(),
        permission: permission.permission,
        patterns: permission.always,
        granted_at: at.0,
        by: Some(WireWord::Known(AnswerPlace::from(by))),
        until: until.into(),
        state,
        can_revoke: until == AlwaysUntil::TakenBack && state == GrantState::Holds,
    }
}
