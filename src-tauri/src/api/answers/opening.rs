//! The handler of `POST /open/{id}`, which brings the place of an ask's session to the front.

use super::super::error::ApiError;
use super::super::{ApiState, problem};
use super::{one, refused_because_settled};
use crate::app::inbox::{LoopInput, SessionInput};
use crate::destination::Destination;
use axum::Json;
use axum::extract::{Path, State};
use axum::response::{IntoResponse, Response};
use beckon_client::wire::OpenedSession;
use tokio::sync::oneshot;

/// Says what came to the front, when it has.
pub(in super::super) async fn open(
    State(room): State<ApiState>,
    Path(id): Path<String>,
) -> Response {
    let found = match one(&room, &id).await {
        Ok(found) => found,
        Err(response) => return response,
    };
    let (reply, origin) = oneshot::channel();
    room.mailbox.input(LoopInput::Session(SessionInput::Origin(
        found.id.clone(),
        reply,
    )));
    let Ok(Some(origin)) = origin.await else {
        return refused_because_settled(&room, &found);
    };
    match origin.show().await {
        Ok(Destination::Terminal(_)) => Json(OpenedSession::Terminal).into_response(),
        Ok(Destination::Browser(url)) => Json(OpenedSession::Browser { url }).into_response(),
        Err(why) => problem(&room, &ApiError::NotShown(why)),
    }
}
