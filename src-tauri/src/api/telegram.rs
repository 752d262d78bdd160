//! Setting Telegram up. No token passes here: it goes to the keychain, and the room is told to look.

use super::objection::Objection;
use super::{Room, problem};
use crate::mailbox::{Input, SetUp};
use crate::wire;
use axum::Json;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use tokio::sync::oneshot;

/// `GET /telegram`
pub(super) async fn look(State(room): State<Room>) -> Json<wire::Telegram> {
    Json(wire::telegram(&room.mailbox.glance().await.telegram))
}

/// `POST /telegram/reload`: the token is another, or gone.
pub(super) async fn reload(State(room): State<Room>) -> Json<bool> {
    room.mailbox.input(Input::SetUp(SetUp::Reload));
    Json(true)
}

/// `POST /telegram/pair`: a link that pairs whoever opens it first.
pub(super) async fn pair(State(room): State<Room>) -> Response {
    let Some((link, code)) = ask(&room, SetUp::Pair).await.flatten() else {
        let why = room.mailbox.glance().await.telegram.error;
        return problem(&room, &Objection::NoBot(why));
    };
    let link = wire::Link { link, code: code.text, expires_at: code.expires_at.0 };
    (StatusCode::CREATED, Json(link)).into_response()
}

/// `DELETE /telegram/people/{id}`
pub(super) async fn unpair(State(room): State<Room>, Path(id): Path<i64>) -> Response {
    match ask(&room, |reply| SetUp::Unpair(id, reply)).await {
        Some(true) => Json(true).into_response(),
        _ => problem(&room, &Objection::NotPaired),
    }
}

/// `POST /telegram/test`
pub(super) async fn test(State(room): State<Room>) -> Json<wire::Tested> {
    Json(wire::Tested { chats: ask(&room, SetUp::Test).await.unwrap_or_default() })
}

/// Nothing when the program is about to end.
async fn ask<T>(room: &Room, wish: impl FnOnce(oneshot::Sender<T>) -> SetUp) -> Option<T> {
    let (reply, answer) = oneshot::channel();
    room.mailbox.input(Input::SetUp(wish(reply)));
    answer.await.ok()
}
