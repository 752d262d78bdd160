//! What a window is to draw: what the resident sees, with the words and the window's own page.

use super::shared::Shared;
use beckon::client::Refused;
use beckon::config::{self, Config};
use beckon::texts;
use beckon::wire::{Sight, UiTexts, View};
use tauri::{AppHandle, Emitter, Manager};

/// Tells every window what is to be seen now. A resident that is gone is told by the next command.
pub(crate) async fn show(app: &AppHandle) {
    for label in app.webview_windows().into_keys() {
        match view(app.state::<Shared>().inner(), &label).await {
            Ok(view) => {
                if let Err(error) = app.emit_to(label.as_str(), "view", &view) {
                    tracing::warn!(%error, "a window cannot be told");
                }
            }
            Err(error) => tracing::debug!(%error, "nothing to show"),
        }
    }
}

/// What that window is to draw.
pub(crate) async fn view(shared: &Shared, label: &str) -> Result<View, Refused> {
    let Sight { status, asks, today } = shared.client().get("/windows/view").await?;
    // A file that does not fit is told of by the resident; here it has no say.
    let config = Config::read(&shared.paths.config).map(|(config, _)| config);
    let language = match &config {
        Ok(config) => config.language.clone(),
        Err(_) => config::language(&shared.paths.config),
    };
    let undo = config.unwrap_or_default().window.undo.map_or(0, |span| span.0);
    Ok(View {
        status,
        asks,
        texts: words(&language),
        page: shared.page(label),
        today,
        undo_ms: u32::try_from(undo).unwrap_or(0),
    })
}

fn words(wish: &str) -> UiTexts {
    let language = texts::language(wish);
    UiTexts {
        ftl: texts::ui(language),
        language: language.into(),
        languages: texts::languages().into_iter().map(str::to_owned).collect(),
    }
}
