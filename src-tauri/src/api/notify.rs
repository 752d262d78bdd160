//! `POST /notify`: a few words from an agent that nobody has to answer.

use super::error::Objection;
use super::{Room, problem};
use crate::app::inbox::Input;
use crate::wire::Noted;
use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use tokio::sync::oneshot;

/// The body of `POST /notify`
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(default)]
pub struct Said {
    /// A few words above it.
    pub title: String,
    /// What is said.
    pub message: String,
}

pub(super) async fn notify(State(room): State<Room>, Json(said): Json<Said>) -> Response {
    if said.message.trim().is_empty() {
        return problem(&room, &Objection::EmptyNotice);
    }
    // A notification needs a title.
    let title = if said.title.trim().is_empty() { "Beckon".into() } else { said.title };
    let (reply, shown) = oneshot::channel();
    room.mailbox.input(Input::Say { title, message: said.message, shown: reply });
    Json(Noted::on(shown.await.ok().flatten())).into_response()
}
