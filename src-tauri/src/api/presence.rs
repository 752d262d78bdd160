//! `POST /presence`: the human says where they are.

use super::error::ApiError;
use super::{ApiState, problem};
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
pub(super) struct PresenceBody {
    presence: PresenceOverride,
    /// Milliseconds since 1970.
    until: Option<i64>,
    /// `1h` and the like, from now.
    #[serde(rename = "for")]
    span: Option<String>,
}

impl PresenceBody {
    /// How long it holds; `None`: until further notice.
    fn until(&self) -> Result<Option<Timestamp>, ApiError> {
        let until = match (&self.span, self.until) {
            (None, until) => until.map(Timestamp),
            (Some(_), Some(_)) => return Err(ApiError::UntilAndFor),
            (Some(span), None) => {
                let span = parse_span(span).ok_or(ApiError::For)?;
                Some(clock::now() + span)
            }
        };
        if until.is_some() && self.presence == PresenceOverride::Auto {
            return Err(ApiError::Auto);
        }
        Ok(until)
    }
}

/// `POST /presence`
pub(super) async fn presence(
    State(room): State<ApiState>,
    Json(said): Json<PresenceBody>,
) -> Response {
    let until = match said.until() {
        Ok(until) => until,
        Err(objection) => return problem(&room, &objection),
    };
    room.mailbox.post(Event::Said { said: said.presence, until });
    Json(wire::PresenceStatus::from(room.mailbox.glance().await.view.presence)).into_response()
}
