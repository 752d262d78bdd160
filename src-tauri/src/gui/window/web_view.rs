//! The web view that draws the pages, which a system may be without: Windows 10 may lack WebView2,
//! and nobody would learn why no window comes.

#[cfg_attr(windows, path = "web_view/windows.rs")]
#[cfg_attr(not(windows), path = "web_view/linked.rs")]
mod platform;

use beckon_client::config;
use beckon_client::platform::paths::Paths;
use beckon_client::text::Texts;

/// Tells whether pages can be drawn.
pub(super) fn is_here() -> bool {
    tauri::webview_version().is_ok()
}

/// Says what to install, in a window of the system's own; returns when it is closed.
pub(super) fn tell_it_is_missing(paths: &Paths) {
    let texts = Texts::load(&config::language(&paths.config));
    platform::tell("Beckon", &texts.get("window-no-web-view"));
}
