//! The picture that a window is to draw: what the resident sees, with the words and the window's
//! own page.

use super::shared::{PageCall, SharedWindows};
use beckon_client::config::{self, Config};
use beckon_client::connection::{Client, ClientError};
use beckon_client::text::words::other_version;
use beckon_client::text::{self, Texts};
use beckon_client::wire::{UiTexts, View, WindowSnapshot};
use std::path::Path;
use tauri::{AppHandle, Emitter, Manager};

/// Sends every window what is to be seen now. That a resident is gone is told by the next command.
pub(crate) async fn show(app: &AppHandle) {
    let shared = app.state::<SharedWindows>();
    for label in app.webview_windows().into_keys() {
        match view(&shared, shared.page(&label)).await {
            Ok(view) => {
                if let Err(error) = app.emit_to(label.as_str(), "view", &view) {
                    tracing::warn!(%error, "a window can't be sent its new content");
                }
            }
            Err(error) => tracing::debug!(%error, "nothing to show"),
        }
    }
}

/// Tells every window that the resident is gone; the next view says that it is back.
pub(crate) fn tell_gone(app: &AppHandle) {
    if let Err(error) = app.emit("gone", ()) {
        tracing::warn!(%error, "the windows cannot be told that Beckon is gone");
    }
}

/// Returns the view that a new page draws at once, and its font, as a script that runs before the
/// page's own. The page's first question would only be answered when the window is made, too.
///
/// # Errors
/// When the view cannot be written as JSON.
pub(crate) fn known(view: Option<&View>, font: Option<&str>) -> serde_json::Result<String> {
    // The view is a string to the script, so an agent's words are read, never run.
    let json = serde_json::to_string(&serde_json::to_string(&view)?)?;
    let font = serde_json::to_string(&font)?;
    Ok(format!(
        "window.known = JSON.parse({json}); window.font = {font};"
    ))
}

/// Returns what a window that shows that page is to draw.
pub(crate) async fn view(shared: &SharedWindows, call: PageCall) -> Result<View, ClientError> {
    seen_by(&shared.client(), &shared.paths.config, call).await
}

/// Returns the same, before there is an app.
pub(crate) async fn seen_by(
    client: &Client,
    config_file: &Path,
    call: PageCall,
) -> Result<View, ClientError> {
    let WindowSnapshot {
        mut status,
        asks,
        today,
    } = client.get("/windows/view").await?;
    // The resident reports a file that does not fit; here it has no say.
    let config = Config::read(config_file).map(|(config, _)| config);
    let language = match &config {
        Ok(config) => config.language.clone(),
        Err(_) => config::language(config_file),
    };
    if status.version != env!("CARGO_PKG_VERSION") {
        let texts = Texts::load(text::language(&language));
        let other = other_version(&texts, &status.version, env!("CARGO_PKG_VERSION"));
        status.warnings.extend(other);
    }
    let undo = config
        .unwrap_or_default()
        .window
        .undo
        .map_or(0, |span| span.0);
    Ok(View {
        status,
        asks,
        texts: words(&language),
        page: call.page,
        call: call.number,
        today,
        undo_ms: u32::try_from(undo).unwrap_or(0),
    })
}

fn words(wish: &str) -> UiTexts {
    let language = text::language(wish);
    UiTexts {
        ftl: text::ui(language),
        language: language.into(),
        languages: text::languages().into_iter().map(str::to_owned).collect(),
    }
}
