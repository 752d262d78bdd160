//! The requests of the window program: which page is wanted, what is to be seen, what somebody has
//! typed.

use super::answers::one;
use super::error::ApiError;
use super::{ApiState, once_saved, problem};
use crate::app::inbox::LoopInput;
use crate::platform::login;
use axum::Json;
use axum::extract::{Path, State};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use beckon_client::platform::clock;
use beckon_client::wire::{self, Page, PageRequest, WindowDraft, WindowMessage, WindowSnapshot};
use beckon_core::Timestamp;
use futures_util::stream;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::convert::Infallible;
use tokio::sync::oneshot;

/// Handles `GET /windows/wish`: the window program attaches, and hears which pages are wanted.
pub(super) async fn wish(State(room): State<ApiState>) -> Response {
    let (reply, answer) = oneshot::channel();
    room.mailbox.input(LoopInput::Attach(reply));
    let Ok(told) = answer.await else {
        return problem(&room, &ApiError::Ending);
    };
    let frames = stream::unfold(told, |mut told| async {
        let next: WindowMessage = told.recv().await?;
        let frame = Event::default().json_data(&next).unwrap_or_default();
        Some((Ok::<_, Infallible>(frame), told))
    });
    Sse::new(frames)
        .keep_alive(KeepAlive::default())
        .into_response()
}

/// Handles `POST /windows/open`: `true` when a window comes.
pub(super) async fn open(State(room): State<ApiState>, Json(wish): Json<PageRequest>) -> Response {
    let wish = match named(&room, wish).await {
        Ok(wish) => wish,
        Err(response) => return response,
    };
    let screen = wish.login.clone().unwrap_or_else(login::own);
    if !login::is_screen_there(screen).await {
        return Json(false).into_response();
    }
    let (reply, answer) = oneshot::channel();
    room.mailbox.input(LoopInput::Window(wish, Some(reply)));
    Json(answer.await.unwrap_or_default()).into_response()
}

/// The body of `POST /windows/focus`
#[derive(Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct FocusBody {
    /// Whether the answer window has the keyboard.
    focused: bool,
}

/// Handles `POST /windows/focus`: while the answer window has it, no new notification covers it.
pub(super) async fn focus(State(room): State<ApiState>, Json(body): Json<FocusBody>) -> Json<bool> {
    room.mailbox.input(LoopInput::WindowFocus(body.focused));
    Json(true)
}

/// Completes a part of an id, as people give it.
async fn named(room: &ApiState, mut wish: PageRequest) -> Result<PageRequest, Response> {
    if let Page::Answer {
        ask: Some(name), ..
    } = &mut wish.page
    {
        *name = one(room, name).await?.id.to_string();
    }
    Ok(wish)
}

/// Handles `GET /windows/view`.
pub(super) async fn view(State(room): State<ApiState>) -> Json<WindowSnapshot> {
    let drafts = room.mailbox.drafts().await;
    let snapshot = room.mailbox.look_fresh().await;
    let now = clock::now();
    let asks = snapshot.view.asks.iter().filter(|ask| !ask.entry.behind);
    let asks = asks.map(|ask| wire::waiting(ask, drafts.get(&ask.entry.ask.id).cloned(), now));
    let asks = asks.collect();
    let today = super::history::today(&room).await;
    Json(WindowSnapshot {
        status: super::status::status(&snapshot, &room.texts),
        asks,
        today,
    })
}

/// Handles `GET /windows/drafts`.
pub(super) async fn drafts(State(room): State<ApiState>) -> Json<BTreeMap<String, WindowDraft>> {
    let drafts = room.mailbox.drafts().await;
    let view = room.mailbox.look().await.view;
    let named = view.asks.into_iter().filter_map(|ask| {
        let draft = drafts.get(&ask.entry.ask.id)?.clone();
        Some((ask.name, draft))
    });
    Json(named.collect())
}

/// Handles `POST /windows/drafts/{id}`: kept before this returns, so that a window may be killed
/// after it.
pub(super) async fn keep_draft(
    State(room): State<ApiState>,
    Path(id): Path<String>,
    Json(draft): Json<WindowDraft>,
) -> Response {
    let found = match one(&room, &id).await {
        Ok(found) => found,
        Err(response) => return response,
    };
    if found.entry.is_none_or(|entry| entry.state.is_settled()) {
        return problem(&room, &ApiError::Settled);
    }
    let (reply, kept) = oneshot::channel();
    room.mailbox
        .input(LoopInput::KeepDraft(found.id, draft, reply));
    let is_kept = kept.await.unwrap_or(false) && room.mailbox.is_saved().await;
    if is_kept {
        Json(true).into_response()
    } else {
        problem(&room, &ApiError::NotKept)
    }
}

/// The body of `POST /pause`
#[derive(Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct PauseBody {
    /// Milliseconds since 1970; absent: ring again.
    until: Option<i64>,
}

/// Handles `POST /pause`.
pub(super) async fn pause(State(room): State<ApiState>, Json(pause): Json<PauseBody>) -> Response {
    room.mailbox
        .post(beckon_core::Event::Pause(pause.until.map(Timestamp)));
    once_saved(&room, Json(true).into_response()).await
}
