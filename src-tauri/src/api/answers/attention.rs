//! The handler of `POST /attention/{id}`: the human has seen a request, snoozes it, or wants it
//! again.

use super::super::error::ApiError;
use super::super::{ApiState, once_saved, presence, problem, reads};
use super::{one, refused};
use axum::Json;
use axum::extract::{Path, State};
use axum::response::Response;
use beckon_client::wire::{AttentionBody, AttentionWord};
use beckon_core::{Event, Timestamp};

/// Sets an ask's attention, and returns the ask as `GET /show/{id}` does.
pub(in super::super) async fn attend(
    State(room): State<ApiState>,
    Path(id): Path<String>,
    Json(said): Json<AttentionBody>,
) -> Response {
    let until = match until(&said) {
        Ok(until) => until,
        Err(objection) => return problem(&room, &objection),
    };
    let ask = match one(&room, &id).await {
        Ok(found) => found.id,
        Err(response) => return response,
    };
    let event = Event::Attend {
        ask,
        attention: said.is.at(until),
        seen: said.seen,
    };
    match room.mailbox.answer(event).await {
        Ok(_) => {
            let shown = reads::show(State(room.clone()), Path(id)).await;
            once_saved(&room, shown).await
        }
        Err(refusal) => refused(&room, refusal),
    }
}

/// Returns when the snooze ends; `None`: when the human is back.
fn until(said: &AttentionBody) -> Result<Option<Timestamp>, ApiError> {
    let until = presence::end(said.span.as_deref(), said.until)?;
    match (said.is, until) {
        (AttentionWord::Wanted | AttentionWord::Seen, Some(_)) => Err(ApiError::SnoozeTime),
        (_, until) => Ok(until),
    }
}
