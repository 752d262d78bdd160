//! The handler of `POST /presence`: the human says where they are.

use super::error::ApiError;
use super::{ApiState, once_saved, problem};
use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use beckon_client::config::parse_span;
use beckon_client::platform::clock;
use beckon_client::wire;
use beckon_core::{Event, PresenceOverride, Timestamp};
use serde::Deserialize;

/// The body of `POST /presence`
#[derive(Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct PresenceBody {
    /// The human's word on where they are.
    presence: PresenceOverride,
    /// Milliseconds since 1970.
    until: Option<i64>,
    /// `1h` and the like, from now.
    #[serde(rename = "for")]
    span: Option<String>,
}

/// The end of the year 9999, in milliseconds since 1970: a later time has no date that a person
/// could read.
const LATEST: i64 = 253_402_300_799_000;

/// Returns the end of what is said with `for` or `until`; `None` if it has neither.
pub(super) fn end(span: Option<&str>, until: Option<i64>) -> Result<Option<Timestamp>, ApiError> {
    match (span, until) {
        (None, Some(until)) if until > LATEST => Err(ApiError::For),
        (None, until) => Ok(until.map(Timestamp)),
        (Some(_), Some(_)) => Err(ApiError::UntilAndFor),
        (Some(span), None) => Ok(Some(clock::now() + parse_span(span).ok_or(ApiError::For)?)),
    }
}

impl PresenceBody {
    /// Returns how long it holds; `None`: until further notice.
    fn until(&self) -> Result<Option<Timestamp>, ApiError> {
        let until = end(self.span.as_deref(), self.until)?;
        if until.is_some() && self.presence == PresenceOverride::Auto {
            return Err(ApiError::Auto);
        }
        Ok(until)
    }
}

/// Handles `POST /presence`.
pub(super) async fn presence(
    State(room): State<ApiState>,
    Json(said): Json<PresenceBody>,
) -> Response {
    let until = match said.until() {
        Ok(until) => until,
        Err(objection) => return problem(&room, &objection),
    };
    room.mailbox.post(Event::Said {
        said: said.presence,
        until,
    });
    let presence = room.mailbox.glance().await.view.presence;
    let said = Json(wire::PresenceStatus::from(presence)).into_response();
    once_saved(&room, said).await
}
