//! The two windows themselves: how they are made, brought to the front, hidden and ended.

use super::fitting;
use super::font;
use super::forward;
use super::shared::SharedWindows;
use super::text_size;
use super::view;
use beckon_client::wire::{Page, PageRequest, Tab, View};
use std::time::Duration;
use tauri::webview::{Color, NewWindowResponse};
use tauri::{
    AppHandle, Emitter, Manager, Theme, Url, WebviewUrl, WebviewWindow, WebviewWindowBuilder,
    Window, WindowEvent,
};

pub(super) const ANSWER: &str = "answer";
const SETTINGS: &str = "settings";
/// The time after which a window is shown although its page has not been drawn.
const GIVE_UP: Duration = Duration::from_secs(3);
/// The size in which the answer window is made, with texts of the usual size.
const ANSWER_SIZE: (u32, u32) = (420, 560);
const SETTINGS_SIZE: (u32, u32) = (820, 620);
/// The colour of `--ground` in the pages' style.
const LIGHT: Color = Color(0xf6, 0xf6, 0xf4, 0xff);
const DARK: Color = Color(0x1b, 0x1b, 0x1a, 0xff);

/// Opens the window for which the program was started.
pub(crate) fn start(app: &AppHandle, page: Page, view: Option<&View>) -> tauri::Result<()> {
    let called = page.clone();
    app.state::<SharedWindows>().turn_to(label(&page), called);
    open(app, &page, None, view)
}

/// Makes a window for its requested page, or brings the existing one to the front. A new window is
/// drawn with `view`, before it requests anything.
fn open(
    app: &AppHandle,
    page: &Page,
    activation: Option<&str>,
    view: Option<&View>,
) -> tauri::Result<()> {
    let label = label(page);
    let by_itself = *page == Page::Settings { tab: Tab::Welcome };
    let seen = app.state::<SharedWindows>().may_be_seen(label, activation);
    match app.get_webview_window(label) {
        Some(window) if seen => {
            if window.is_minimized()? {
                window.unminimize()?;
            }
            forward::come(&window, activation)
        }
        Some(_) => Ok(()),
        None => build(app, label, !by_itself, view),
    }
}

/// Makes the answer window, hidden until it is wanted.
pub(crate) fn prepare(app: &AppHandle, view: Option<&View>) -> tauri::Result<()> {
    build(app, ANSWER, true, view)
}

/// Turns a window to the page that is wanted, with its content ready before it is shown.
pub(crate) async fn turn(app: &AppHandle, wish: PageRequest) {
    let label = label(&wish.page);
    let shared = app.state::<SharedWindows>();
    shared.turn_to(label, wish.page.clone());
    view::show(app).await;
    let view = match app.get_webview_window(label) {
        None => view::view(&shared, shared.page(label)).await.ok(),
        Some(_) => None,
    };
    let handle = app.clone();
    let PageRequest {
        page, activation, ..
    } = wish;
    let opened = app.run_on_main_thread(move || {
        if let Err(error) = open(&handle, &page, activation.as_deref(), view.as_ref()) {
            tracing::error!(%error, "the window cannot be opened");
        }
    });
    if let Err(error) = opened {
        tracing::error!(%error, "the window cannot be opened");
    }
}

/// Tells whether any window is visible.
pub(crate) fn any_visible(app: &AppHandle) -> bool {
    app.webview_windows()
        .values()
        .any(|window| window.is_visible().unwrap_or(true))
}

/// Handles the events of a window. Closing only hides it, so that it is back at once the next time,
/// with what was typed in the page.
pub(crate) fn on_event(window: &Window, event: &WindowEvent) {
    match event {
        WindowEvent::CloseRequested { api, .. } => {
            api.prevent_close();
            hide(window);
            // The page may have something to undo, as when it is closed by its own key.
            if let Err(error) = window.emit_to(window.label(), "closed", ()) {
                tracing::warn!(%error, "the page is not told that its window was closed");
            }
        }
        WindowEvent::Focused(focused) if window.label() == ANSWER => {
            window.state::<SharedWindows>().focus(*focused);
        }
        _ => {}
    }
}

/// Hides a window. If it was the last one, the time starts after which the program ends.
pub(crate) fn hide(window: &Window) {
    if let Some(answer) = window
        .get_webview_window(ANSWER)
        .filter(|_| window.label() == ANSWER)
        && let Err(error) = fitting::look(&answer)
    {
        tracing::warn!(%error, "the window's height cannot be told");
    }
    if window.label() == ANSWER {
        window.state::<SharedWindows>().focus(false);
    }
    if let Err(error) = window.hide() {
        tracing::warn!(%error, "the window cannot be hidden");
    }
    // Whether it was the last one is checked when the time is over.
    grow_cold(window.app_handle());
}

/// Ends the program after a while if no window is visible then, unless one is wanted before.
pub(crate) fn grow_cold(app: &AppHandle) {
    let shared = app.state::<SharedWindows>();
    let (turn, warm) = (shared.on_closed(), shared.keep_warm());
    let app = app.clone();
    tauri::async_runtime::spawn(async move {
        tokio::time::sleep(warm).await;
        let still = app.state::<SharedWindows>().is_latest_turn(turn);
        if still && !any_visible(&app) {
            app.exit(0);
        }
    });
}

/// Resizes the windows as the desktop's texts have another size.
pub(crate) fn on_text_size(app: &AppHandle) {
    let scale = text_size::scale();
    let Some(by) = app.state::<SharedWindows>().rescale_texts(scale) else {
        return;
    };
    for window in app.webview_windows().into_values() {
        if let Err(error) = fitting::rescale(&window, by) {
            tracing::warn!(%error, "the window keeps its size");
        }
    }
}

fn label(page: &Page) -> &'static str {
    match page {
        Page::Answer { .. } => ANSWER,
        Page::Settings { .. } => SETTINGS,
    }
}

/// Builds a hidden window. It is shown when its page is drawn: an empty window that fills later
/// jumps.
fn build(
    app: &AppHandle,
    label: &'static str,
    focused: bool,
    view: Option<&View>,
) -> tauri::Result<()> {
    let usual = if label == ANSWER {
        ANSWER_SIZE
    } else {
        SETTINGS_SIZE
    };
    let sizes = fitting::sizes(app, usual);
    if label == ANSWER {
        let shared = app.state::<SharedWindows>();
        shared.given_heights().give(sizes.first.height);
    }
    let window =
        WebviewWindowBuilder::new(app, label, WebviewUrl::App(format!("{label}.html").into()))
            .title("Beckon")
            .inner_size(sizes.first.width.into(), sizes.first.height.into())
            .min_inner_size(sizes.smallest.width.into(), sizes.smallest.height.into())
            .center()
            .visible(false)
            .initialization_script(view::known(view, font::family().as_deref())?)
            .focused(focused)
            // The page knows its language, and whether it shows one request or the inbox.
            .on_document_title_changed(|window, title| {
                if let Err(error) = window.set_title(&title) {
                    tracing::warn!(%error, "the window keeps its title");
                }
            })
            .on_navigation(is_ours)
            .on_new_window(|_, _| NewWindowResponse::Deny)
            .build()?;
    fitting::lay_out(&window, sizes.first)?;
    // The background is the page's own colour; at night white would flash until the page is drawn.
    let ground = if window.theme()? == Theme::Dark {
        DARK
    } else {
        LIGHT
    };
    window.set_background_color(Some(ground))?;
    tauri::async_runtime::spawn(async move {
        tokio::time::sleep(GIVE_UP).await;
        // Windows must be shown by the thread that draws them.
        let handle = window.app_handle().clone();
        let _ = handle.run_on_main_thread(move || drawn(&window));
    });
    Ok(())
}

/// Notes that the page is drawn, and shows its window if that is wanted.
pub(crate) fn drawn(window: &WebviewWindow) {
    let Some(activation) = window.state::<SharedWindows>().is_drawn(window.label()) else {
        return;
    };
    let shown = match activation {
        Some(token) => forward::come(window, Some(&token)),
        None => window.show(),
    };
    if let Err(error) = shown {
        tracing::error!(%error, "the window cannot be shown");
    }
}

/// Tells whether an address is one of Beckon's own pages. No other page is ever loaded.
fn is_ours(url: &Url) -> bool {
    url.scheme() == "tauri" || url.host_str() == Some("tauri.localhost")
}
