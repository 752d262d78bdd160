//! What the web view may ask for. Each command is a line: the resident does the work. None gives a
//! secret, and no type here has a place for one.

mod answering;

use super::frame;
use super::problem::{Done, problem};
use super::shared::Shared;
use super::sight;
use beckon::wire::View;
use tauri::ipc::Invoke;
use tauri::{State, WebviewWindow, Window};

/// Their names stand in build.rs too, and who may call which in `capabilities/`.
pub(crate) fn all() -> impl Fn(Invoke) -> bool + Send + Sync + 'static {
    tauri::generate_handler![
        open_view,
        close_window,
        answering::answer,
        answering::grant,
        answering::deny,
        answering::dismiss,
        answering::go_on,
        answering::keep_draft,
        answering::drafts,
    ]
}

#[tauri::command]
async fn open_view(window: WebviewWindow, shared: State<'_, Shared>) -> Done<View> {
    sight::view(&shared, window.label()).await.map_err(problem)
}

#[tauri::command]
fn close_window(window: Window) {
    frame::hide(&window);
}
