//! The commands that the web view may call. Each is a line: the resident does the work. None
//! returns a secret, and no type here has a place for one.

mod answering;
mod setting_up;
mod telegram;
mod watching;

use super::fitting;
use super::frame;
use super::problem::{CommandResult, problem};
use super::shared::SharedWindows;
use super::view;
use beckon_client::wire::{Page, PageRequest, Tab, View};
use std::time::Duration;
use tauri::ipc::Invoke;
use tauri::{State, WebviewWindow, Window};

/// Returns the handler of all commands. Their names stand in build.rs too, and which page may call
/// which in `capabilities/`.
pub(crate) fn all() -> impl Fn(Invoke) -> bool + Send + Sync + 'static {
    tauri::generate_handler![
        open_view,
        drawn,
        fit,
        close_window,
        open_agents,
        resume,
        answering::answer,
        answering::grant,
        answering::deny,
        answering::dismiss,
        answering::go_on,
        answering::attend,
        answering::open_session,
        answering::keep_draft,
        answering::drafts,
        setting_up::settings,
        setting_up::save_setting,
        setting_up::add_server,
        setting_up::change_server,
        setting_up::remove_server,
        setting_up::test_server,
        setting_up::nearby,
        setting_up::set_secret,
        setting_up::remove_secret,
        setting_up::integrate_opencode,
        setting_up::integrate_claude_code,
        setting_up::integrations,
        setting_up::agents,
        setting_up::autostart,
        setting_up::presence,
        setting_up::pause,
        telegram::telegram_login,
        telegram::telegram_logout,
        telegram::telegram_pair,
        telegram::telegram_people,
        telegram::telegram_unpair,
        telegram::telegram_test,
        watching::history,
        watching::activity,
        watching::grants,
        watching::revoke,
        watching::export_history,
        watching::hub,
        watching::hub_join,
        watching::hub_leave,
        watching::hub_remove,
        watching::health,
        watching::self_test,
        watching::test_question,
        watching::open_link,
        watching::open_logs,
        watching::open_config,
    ]
}

#[tauri::command]
async fn open_view(window: WebviewWindow, shared: State<'_, SharedWindows>) -> CommandResult<View> {
    view::view(&shared, shared.page(window.label()))
        .await
        .map_err(problem)
}

#[tauri::command]
fn drawn(window: WebviewWindow) {
    frame::drawn(&window);
}

/// Fits the answer window to the height of its content.
#[tauri::command]
fn fit(window: WebviewWindow, height: f64) {
    if let Err(error) = fitting::fit(&window, height) {
        tracing::warn!(%error, "the window cannot take the height of its content");
    }
}

#[tauri::command]
fn close_window(window: Window) {
    frame::hide(&window);
}

/// Opens the agents' settings, the way out of a desk that nobody can reach. It opens that page and
/// no other, since the answer window may call it.
#[tauri::command]
async fn open_agents(shared: State<'_, SharedWindows>) -> CommandResult<bool> {
    let wish = PageRequest::here(Page::Settings { tab: Tab::Agents }, None);
    shared
        .client()
        .post("/windows/open", &wish, Duration::ZERO)
        .await
        .map_err(problem)
}

/// Ends a pause. It does that and nothing else, since the answer window may call it.
#[tauri::command]
async fn resume(shared: State<'_, SharedWindows>) -> CommandResult<bool> {
    let until = serde_json::json!({ "until": null });
    shared
        .client()
        .post("/pause", &until, Duration::ZERO)
        .await
        .map_err(problem)
}
