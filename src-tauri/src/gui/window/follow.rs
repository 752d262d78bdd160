//! Follows the resident: which pages it wants shown, and what changes on the desk.

use super::shared::SharedWindows;
use super::{frame, view};
use anyhow::anyhow;
use beckon_client::connection::{Client, ClientError};
use beckon_client::wire::{Problem, WindowMessage};
use futures_util::StreamExt;
use futures_util::stream::BoxStream;
use sse_stream::SseStream;
use std::time::Duration;
use tauri::{AppHandle, Manager};

/// How long news is collected, so that a burst is drawn once.
const DRAW_AFTER: Duration = Duration::from_millis(30);
/// The pause between looks for a resident that is gone.
const LOOK_AGAIN: Duration = Duration::from_millis(500);
/// The number of these looks, unless a window is to be seen.
const LOOKS: u32 = 20;
/// The look at which the windows are told that the resident is gone. One that starts anew after a
/// fault of its own is back by then, and nobody is told.
const TOLD_AFTER: u32 = 3;

/// The frames of a stream, as text.
pub(crate) type FrameTexts = BoxStream<'static, String>;

/// Makes this the program that is told which pages are wanted.
///
/// # Errors
/// When nobody is there.
pub(crate) async fn attach(client: &Client) -> Result<FrameTexts, ClientError> {
    frames(client, "/windows/wish").await
}

/// Follows until the program ends.
pub(crate) fn start(app: AppHandle, wishes: FrameTexts) {
    tauri::async_runtime::spawn(watch(app.clone()));
    tauri::async_runtime::spawn(tell_focus(app.clone()));
    tauri::async_runtime::spawn(async move {
        let mut next = Some(wishes);
        while let Some(wishes) = next {
            obey(&app, wishes).await;
            next = find_again(&app).await;
        }
        app.exit(0);
    });
}

/// Carries out what the resident wants until it is gone. A program that is told to end does not
/// look for another resident meanwhile.
async fn obey(app: &AppHandle, mut wishes: FrameTexts) {
    while let Some(text) = wishes.next().await {
        match serde_json::from_str(&text) {
            Ok(WindowMessage::Wish(wish)) => frame::turn(app, wish).await,
            Ok(WindowMessage::Prepare) => frame::grow_cold(app),
            Ok(WindowMessage::Changed) => view::show(app).await,
            Ok(WindowMessage::Bye) => {
                app.exit(0);
                return std::future::pending().await;
            }
            Err(error) => tracing::warn!(%error, "a message of the resident was not understood"),
        }
    }
}

/// Looks for the resident after it has died: perhaps somebody starts it anew. What is typed
/// meanwhile stays on the screen.
async fn find_again(app: &AppHandle) -> Option<FrameTexts> {
    let shared = app.state::<SharedWindows>();
    for look in 0.. {
        if look > LOOKS && !frame::any_visible(app) {
            break;
        }
        if look == TOLD_AFTER {
            view::tell_gone(app);
        }
        if let Ok(client) = shared.find_again()
            && let Ok(wishes) = attach(&client).await
        {
            view::show(app).await;
            return Some(wishes);
        }
        tokio::time::sleep(LOOK_AGAIN).await;
    }
    None
}

async fn watch(app: AppHandle) {
    loop {
        let client = app.state::<SharedWindows>().client();
        if let Ok(mut news) = frames(&client, "/watch").await {
            // This picture holds whatever happened before the stream was open.
            view::show(&app).await;
            while news.next().await.is_some() {
                let burst = async { while news.next().await.is_some() {} };
                let _ = tokio::time::timeout(DRAW_AFTER, burst).await;
                view::show(&app).await;
            }
        }
        tokio::time::sleep(LOOK_AGAIN).await;
    }
}

/// Tells the resident whether somebody looks into the answer window, so that it lets no new
/// notification cover it meanwhile.
async fn tell_focus(app: AppHandle) {
    let shared = app.state::<SharedWindows>();
    let mut focused = shared.watch_focus();
    while focused.changed().await.is_ok() {
        let body = serde_json::json!({ "focused": *focused.borrow_and_update() });
        let client = shared.client();
        let told = client.post::<_, bool>("/windows/focus", &body, Duration::ZERO);
        if let Err(error) = told.await {
            tracing::debug!(%error, "the keyboard focus could not be reported");
        }
    }
}

async fn frames(client: &Client, path: &str) -> Result<FrameTexts, ClientError> {
    let response = client.stream(path).await?;
    let status = response.status();
    if !status.is_success() {
        let text = response.text().await.map_err(|error| anyhow!(error))?;
        let problem: Problem = serde_json::from_str(&text).map_err(|error| anyhow!(error))?;
        return Err(ClientError::Problem(status, problem));
    }
    let frames = SseStream::from_bytes_stream(response.bytes_stream());
    let frames = frames.take_while(|frame| std::future::ready(frame.is_ok()));
    let texts = frames.filter_map(|frame| std::future::ready(frame.ok().and_then(|f| f.data)));
    Ok(texts.boxed())
}
