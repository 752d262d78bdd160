//! Brings a window that somebody has called to where they are: to the desktop that they look at, in
//! front, with the keyboard. A window that stands open on another desktop comes, too.
//!
//! Not here: when one is called (`frame.rs`).

use tauri::WebviewWindow;

/// Shows a window and brings it forward. `activation` is the token of the click that has called it,
/// if it was a click.
#[cfg(target_os = "linux")]
pub(super) fn come(window: &WebviewWindow, activation: Option<&str>) -> tauri::Result<()> {
    use gtk::glib::Cast;
    use gtk::prelude::{GtkWindowExt, WidgetExt};

    let window = window.gtk_window()?;
    let surface = window.window();
    let surface = surface.and_then(|surface| surface.downcast::<gdkx11::X11Window>().ok());
    // Wayland tells no program on which desktop its window is, and lets none move it. A window that
    // is shown anew is where its human is.
    if surface.is_none() && !window.is_active() {
        window.hide();
    }
    if let Some(token) = activation {
        window.set_startup_id(token);
    }
    // Everything in the window is shown: what holds the page is first shown when the window is.
    window.show_all();
    match surface {
        Some(surface) => focus_on_x11(&window, &surface),
        None => window.present(),
    }
    Ok(())
}

/// Moves a window to the desktop in use, and gives it the keyboard. Openbox and Metacity leave a
/// window on its desktop unless it is moved. The time is that of the call: a token's, or none, may
/// be older than the last key elsewhere, and then the keyboard stays there.
#[cfg(target_os = "linux")]
fn focus_on_x11(window: &gtk::ApplicationWindow, surface: &gdkx11::X11Window) {
    use gtk::prelude::GtkWindowExt;

    surface.move_to_current_desktop();
    window.present_with_time(gdkx11::functions::x11_get_server_time(surface));
}

/// Shows a window and brings it forward.
#[cfg(not(target_os = "linux"))]
pub(super) fn come(window: &WebviewWindow, _activation: Option<&str>) -> tauri::Result<()> {
    window.show()?;
    window.set_focus()
}
