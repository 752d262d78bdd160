//! The size of the desktop's texts. WebKitGTK enlarges a page as a whole by it, so the windows are
//! enlarged, too. Otherwise a page would have two thirds of its width where the text has one and a
//! half times its size.
//!
//! Not here: how high a page is by itself (`fitting.rs`).

use tauri::AppHandle;

/// The resolution of a desktop on which nobody has changed it, in dots per inch.
#[cfg(target_os = "linux")]
const USUAL: f64 = 96.0;
/// The factors that are taken. A setting beyond them is a slip of the hand; GNOME's own goes from
/// 0.5 to 3.
const SENSIBLE: std::ops::RangeInclusive<f64> = 0.5..=4.0;

/// Returns the factor by which a page is enlarged. WebKitGTK computes the same
/// (`refreshInternalScaling` of 2.50.6). To be called on the main thread.
#[cfg(target_os = "linux")]
pub(super) fn scale() -> f64 {
    let screen = gtk::gdk::Screen::default();
    sensible(screen.map_or(USUAL, |screen| screen.resolution()) / USUAL)
}

/// Returns 1: the web views of the other systems enlarge nothing by themselves.
#[cfg(not(target_os = "linux"))]
pub(super) fn scale() -> f64 {
    sensible(1.0)
}

/// Returns the factor, or 1 where it is not sensible. A screen that says nothing has a resolution
/// of -1.
fn sensible(scale: f64) -> f64 {
    if SENSIBLE.contains(&scale) {
        scale
    } else {
        1.0
    }
}

/// Calls `changed` on the main thread whenever the size of the desktop's texts changes.
#[cfg(target_os = "linux")]
pub(super) fn follow(app: &AppHandle, changed: fn(&AppHandle)) {
    use gtk::prelude::GtkSettingsExt;

    let Some(settings) = gtk::Settings::default() else {
        return;
    };
    let app = app.clone();
    settings.connect_gtk_xft_dpi_notify(move |_| changed(&app));
}

/// Ignores the size of texts: nothing is enlarged, so nothing changes.
#[cfg(not(target_os = "linux"))]
pub(super) fn follow(_app: &AppHandle, _changed: fn(&AppHandle)) {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_size_that_nobody_can_mean_enlarges_nothing() {
        assert_eq!([0.75, 1.5, 4.0].map(sensible), [0.75, 1.5, 4.0]);
        let odd = [-1.0 / 96.0, 0.0, 40.0, f64::NAN, f64::INFINITY];
        assert_eq!(odd.map(sensible), [1.0; 5]);
    }
}
