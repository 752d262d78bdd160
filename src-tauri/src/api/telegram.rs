//! The requests to set Telegram up. No token passes here: it goes to the keychain, and the room is
//! told to look.

use super::error::ApiError;
use super::local_asks::WaitQuery;
use super::status::telegram_status;
use super::{ApiState, once_saved, problem};
use crate::app::inbox::{LoopInput, SetUp};
use crate::channels::telegram::{TelegramView, TestCard};
use axum::Json;
use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use beckon_client::wire::{self, TelegramInfo};
use std::time::{Duration, Instant};
use tokio::sync::oneshot;
use tokio::time::timeout;

/// Handles `GET /telegram`.
pub(super) async fn look(State(room): State<ApiState>) -> Json<wire::TelegramInfo> {
    Json(telegram_info(&room.mailbox.glance().await.telegram))
}

/// Takes in that the token was changed or removed (`POST /telegram/reload`).
pub(super) async fn reload(State(room): State<ApiState>) -> Response {
    room.mailbox.input(LoopInput::SetUp(SetUp::Reload));
    once_saved(&room, Json(true).into_response()).await
}

/// Returns a link that pairs the first who opens it (`POST /telegram/pair`).
pub(super) async fn pair(State(room): State<ApiState>) -> Response {
    let Some(offer) = ask(&room, SetUp::Pair).await.flatten() else {
        let why = room.mailbox.glance().await.telegram.error;
        return problem(&room, &ApiError::NoBot(why));
    };
    let link = wire::PairingLink {
        link: offer.link,
        group_link: offer.group_link,
        group_command: offer.group_command,
        code: offer.code.text,
        expires_at: offer.code.expires_at.0,
    };
    (StatusCode::CREATED, Json(link)).into_response()
}

/// Handles `DELETE /telegram/people/{id}`.
pub(super) async fn unpair(State(room): State<ApiState>, Path(id): Path<i64>) -> Response {
    match ask(&room, |reply| SetUp::Unpair(id, reply)).await {
        Some(true) => once_saved(&room, Json(true).into_response()).await,
        _ => problem(&room, &ApiError::NotPaired),
    }
}

/// Handles `POST /telegram/test[?wait=SECONDS]`: a card with a button; a client that waits learns
/// who tapped it first.
pub(super) async fn test(
    State(room): State<ApiState>,
    Query(WaitQuery { wait }): Query<WaitQuery>,
) -> Json<wire::CardTested> {
    let Some(TestCard { chats, back }) = ask(&room, SetUp::Test).await else {
        return Json(wire::CardTested {
            chats: 0,
            back: None,
        });
    };
    let (sent, within) = (
        Instant::now(),
        Duration::from_secs(wait.unwrap_or_default()),
    );
    let by = timeout(within, back).await.ok().and_then(Result::ok);
    let after_ms = u64::try_from(sent.elapsed().as_millis()).unwrap_or(u64::MAX);
    Json(wire::CardTested {
        chats,
        back: by.map(|by| wire::Back { by, after_ms }),
    })
}

/// Asks the loop; `None` when the program is about to end.
async fn ask<T>(room: &ApiState, wish: impl FnOnce(oneshot::Sender<T>) -> SetUp) -> Option<T> {
    let (reply, answer) = oneshot::channel();
    room.mailbox.input(LoopInput::SetUp(wish(reply)));
    answer.await.ok()
}

/// Returns the response of `GET /telegram`.
fn telegram_info(view: &TelegramView) -> TelegramInfo {
    TelegramInfo {
        status: telegram_status(view),
        reads_groups: view.reads_groups,
        people: view.paired.clone(),
        pairing_until: view.pairing_until.map(|at| at.0),
    }
}
