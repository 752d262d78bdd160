//! Setting Telegram up. No token passes here: it goes to the keychain, and the room is told to look.

use super::error::Objection;
use super::local_asks::Wait;
use super::{Room, problem};
use crate::app::inbox::{Input, SetUp};
use crate::channels::telegram::TestCard;
use crate::wire;
use axum::Json;
use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use std::time::{Duration, Instant};
use tokio::sync::oneshot;
use tokio::time::timeout;

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

/// `POST /telegram/test[?wait=SECONDS]`: a card with a button; who waits learns who tapped it first.
pub(super) async fn test(
    State(room): State<Room>,
    Query(Wait { wait }): Query<Wait>,
) -> Json<wire::Tested> {
    let Some(TestCard { chats, back }) = ask(&room, SetUp::Test).await else {
        return Json(wire::Tested { chats: 0, back: None });
    };
    let (sent, within) = (Instant::now(), Duration::from_secs(wait.unwrap_or_default()));
    let by = timeout(within, back).await.ok().and_then(Result::ok);
    let after_ms = u64::try_from(sent.elapsed().as_millis()).unwrap_or(u64::MAX);
    Json(wire::Tested { chats, back: by.map(|by| wire::Back { by, after_ms }) })
}

/// Nothing when the program is about to end.
async fn ask<T>(room: &Room, wish: impl FnOnce(oneshot::Sender<T>) -> SetUp) -> Option<T> {
    let (reply, answer) = oneshot::channel();
    room.mailbox.input(Input::SetUp(wish(reply)));
    answer.await.ok()
}
