//! The handler of `POST /notify`: a few words from an agent that need no answer.

use super::error::ApiError;
use super::lenient_body::Lenient;
use super::{ApiState, problem};
use crate::app::inbox::LoopInput;
use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use beckon_client::wire::NotifyResult;
use beckon_core::visible::is_blank;
use serde::{Deserialize, Serialize};
use tokio::sync::oneshot;

/// The body of `POST /notify`
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(extend("required" = ["message"])))]
#[serde(default)]
pub(crate) struct NotifyBody {
    /// A few words above it.
    pub title: String,
    /// The text of the message.
    #[cfg_attr(test, schemars(length(min = 1)))]
    pub message: String,
}

pub(super) async fn notify(
    State(room): State<ApiState>,
    Lenient(said): Lenient<NotifyBody>,
) -> Response {
    if is_blank(&said.message) {
        return problem(&room, &ApiError::EmptyNotice);
    }
    // A notification needs a title.
    let title = if is_blank(&said.title) {
        "Beckon".into()
    } else {
        said.title
    };
    let (reply, shown) = oneshot::channel();
    room.mailbox.input(LoopInput::Say {
        title,
        message: said.message,
        shown: reply,
    });
    Json(NotifyResult::on(shown.await.ok().flatten())).into_response()
}
