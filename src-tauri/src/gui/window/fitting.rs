//! The sizes of the windows. The answer window is as high as its content, unless somebody has
//! dragged it, and both windows grow with the desktop's text size.
//!
//! Not here: how windows are made, shown and hidden (`frame.rs`).

use super::frame::ANSWER;
use super::shared::SharedWindows;
use super::text_size;
use std::collections::BTreeSet;
use tauri::{AppHandle, LogicalSize, Manager, Monitor, WebviewWindow};

/// The smallest size, below which a page has no room for its buttons. All sizes here are for the
/// usual text size.
const SMALLEST: (u32, u32) = (320, 240);
/// The greatest height of the answer window. Higher content scrolls, since a window that covers the
/// desktop helps nobody.
const HIGHEST: u32 = 640;

/// The sizes that a window may have, in logical pixels.
#[derive(Clone, Copy, Debug)]
pub(super) struct WindowSizes {
    /// The size with which the window is made.
    pub(super) first: LogicalSize<u32>,
    pub(super) smallest: LogicalSize<u32>,
}

/// Returns the sizes of a window whose first size is `first` at the usual text size. Must be called
/// on the main thread.
pub(super) fn sizes(app: &AppHandle, first: (u32, u32)) -> WindowSizes {
    let scale = text_size::scale();
    let screen = app.primary_monitor().ok().flatten();
    let room = screen.as_ref().map(room_on);
    WindowSizes {
        first: within(scaled(first, scale), room),
        smallest: within(scaled(SMALLEST, scale), room),
    }
}

/// Returns the room that panels leave of a screen.
fn room_on(screen: &Monitor) -> LogicalSize<u32> {
    screen.work_area().size.to_logical(screen.scale_factor())
}

fn within(size: LogicalSize<u32>, room: Option<LogicalSize<u32>>) -> LogicalSize<u32> {
    let room = room.unwrap_or(size);
    LogicalSize::new(size.width.min(room.width), size.height.min(room.height))
}

fn scaled((width, height): (u32, u32), scale: f64) -> LogicalSize<u32> {
    LogicalSize::new(times(width, scale), times(height, scale))
}

fn times(length: u32, scale: f64) -> u32 {
    pixels(f64::from(length) * scale)
}

/// The heights that Beckon gave the answer window, including the first. If the window has another
/// height, its human has dragged it.
#[derive(Debug, Default)]
pub(crate) struct GivenHeights {
    given: BTreeSet<u32>,
    is_dragged: bool,
}

impl GivenHeights {
    /// Notes the height with which the window is made.
    pub(super) fn give(&mut self, height: u32) {
        self.given.insert(height);
    }

    /// Notes the height that the window has.
    fn saw(&mut self, has: u32) {
        // A scaled height may be one off.
        self.is_dragged |= !self.given.iter().any(|given| given.abs_diff(has) <= 1);
    }

    /// Returns the height to give the window now; `None` if the human has dragged it. `has` is its
    /// present height, if it is shown. The window manager takes its time, so the window may still
    /// have a height that was given before.
    fn next(&mut self, has: Option<u32>, wanted: u32) -> Option<u32> {
        has.into_iter().for_each(|has| self.saw(has));
        (!self.is_dragged).then(|| {
            self.given.insert(wanted);
            wanted
        })
    }

    /// Notes that the window gets another height because of another text size. A height of Beckon's
    /// stays Beckon's, and a dragged one stays the human's.
    fn rescale(&mut self, has: u32, height: u32) {
        self.saw(has);
        self.given.insert(height);
    }
}

/// Returns the height for a page that needs that much at the usual text size, limited by the room
/// on the screen.
fn height_for(needed: f64, scale: f64, room: Option<u32>) -> u32 {
    let lowest = times(SMALLEST.1, scale);
    let highest = times(HIGHEST, scale).min(room.unwrap_or(u32::MAX));
    pixels(needed * scale).clamp(lowest, highest.max(lowest))
}

/// Fits the window to its page, which reports the height of its content.
pub(crate) fn fit(window: &WebviewWindow, needed: f64) -> tauri::Result<()> {
    if !has_own_size(window)? {
        return Ok(());
    }
    let shared = window.state::<SharedWindows>();
    let size = size(window)?;
    let has = window.is_visible()?.then_some(size.height);
    let wanted = height_for(needed, text_size::scale(), room_for(window)?);
    let Some(height) = shared.given_heights().next(has, wanted) else {
        return Ok(());
    };
    if has == Some(height) {
        return Ok(());
    }
    window.set_size(LogicalSize::new(size.width, height))?;
    match has {
        Some(_) => Ok(()),
        None => lay_out(window, LogicalSize::new(size.width, height)),
    }
}

/// Returns the height that panels leave of the window's screen.
fn room_for(window: &WebviewWindow) -> tauri::Result<Option<u32>> {
    let screen = window.current_monitor()?;
    Ok(screen.as_ref().map(|screen| room_on(screen).height))
}

/// Resizes a window for another text size, so that it shows as much as before.
pub(crate) fn rescale(window: &WebviewWindow, by: f64) -> tauri::Result<()> {
    if !has_own_size(window)? {
        return Ok(());
    }
    let has = size(window)?;
    let screen = window.current_monitor()?;
    let wanted = scaled((has.width, has.height), by);
    let size = within(wanted, screen.as_ref().map(room_on));
    if window.label() == ANSWER {
        let shared = window.state::<SharedWindows>();
        shared.given_heights().rescale(has.height, size.height);
    }
    window.set_size(size)
}

/// Tells whether the window has its own size, and not one that the desktop gives it for a while
/// (maximized, say).
fn has_own_size(window: &WebviewWindow) -> tauri::Result<bool> {
    Ok(!window.is_minimized()? && !window.is_maximized()? && !window.is_fullscreen()?)
}

/// Returns the size in the units of `set_size`. On Wayland the size from Tauri includes the
/// window's frame.
#[cfg(target_os = "linux")]
fn size(window: &WebviewWindow) -> tauri::Result<LogicalSize<u32>> {
    use gtk::prelude::GtkWindowExt;
    let (width, height) = window.gtk_window()?.size();
    let pixels = |size: i32| u32::try_from(size).unwrap_or(0);
    Ok(LogicalSize::new(pixels(width), pixels(height)))
}

#[cfg(not(target_os = "linux"))]
fn size(window: &WebviewWindow) -> tauri::Result<LogicalSize<u32>> {
    Ok(window.inner_size()?.to_logical(window.scale_factor()?))
}

/// Notes the height of a window that is about to be hidden, so that a drag since the last call is
/// known.
pub(crate) fn look(window: &WebviewWindow) -> tauri::Result<()> {
    if window.is_visible()? && has_own_size(window)? {
        let height = size(window)?.height;
        window.state::<SharedWindows>().given_heights().saw(height);
    }
    Ok(())
}

/// Rounds up to whole pixels, as a page counts them; 0 for a negative value or no number.
#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "it saturates"
)]
fn pixels(needed: f64) -> u32 {
    needed.ceil() as u32
}

/// Lays out the page of a hidden window. GTK gives hidden windows no size, so the page would be
/// laid out without any width, and once more when it is shown.
#[cfg(target_os = "linux")]
pub(super) fn lay_out(window: &WebviewWindow, size: LogicalSize<u32>) -> tauri::Result<()> {
    use gtk::prelude::WidgetExt;
    let LogicalSize { width, height } = size;
    let pixels = |size: u32| i32::try_from(size).unwrap_or(i32::MAX);
    window.with_webview(move |view| {
        let view = view.inner();
        view.show();
        view.preferred_size();
        view.size_allocate(&gtk::Allocation::new(0, 0, pixels(width), pixels(height)));
    })
}

#[cfg(not(target_os = "linux"))]
pub(super) fn lay_out(_window: &WebviewWindow, _size: LogicalSize<u32>) -> tauri::Result<()> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn made() -> GivenHeights {
        let mut heights = GivenHeights::default();
        heights.give(560);
        heights
    }

    #[test]
    fn it_is_as_high_as_what_it_shows_within_what_is_sensible() {
        assert_eq!(height_for(329.2, 1.0, Some(800)), 330);
        assert_eq!(height_for(90.0, 1.0, Some(800)), 240);
        assert_eq!(height_for(5_000.0, 1.0, Some(800)), 640);
        assert_eq!(height_for(5_000.0, 1.0, Some(500)), 500);
        assert_eq!(height_for(f64::NAN, 1.0, None), 240);
    }

    #[test]
    fn with_larger_texts_it_is_higher_and_never_higher_than_the_screen() {
        assert_eq!(height_for(300.0, 1.5, Some(800)), 450);
        assert_eq!(height_for(90.0, 1.5, Some(800)), 360);
        assert_eq!(height_for(600.0, 1.5, Some(800)), 800);
        assert_eq!(height_for(600.0, 1.5, None), 900);
        let lowest = height_for(90.0, 2.0, Some(200));
        assert_eq!(lowest, 480, "its buttons have room");
    }

    #[test]
    fn a_window_that_has_not_changed_yet_was_not_dragged() {
        let mut heights = made();
        assert_eq!(heights.next(None, 300), Some(300));
        assert_eq!(heights.next(Some(300), 400), Some(400));
        assert_eq!(heights.next(Some(301), 500), Some(500), "one off");
    }

    #[test]
    fn one_that_was_dragged_keeps_its_size_for_good() {
        let mut heights = made();
        assert_eq!(heights.next(None, 300), Some(300));
        assert_eq!(heights.next(Some(512), 400), None);
        assert_eq!(heights.next(Some(300), 400), None);
    }

    #[test]
    fn another_size_of_text_drags_nothing() {
        let mut heights = made();
        heights.rescale(560, 800);
        assert_eq!(heights.next(Some(800), 450), Some(450));
        heights.rescale(700, 467);
        assert_eq!(heights.next(Some(467), 450), None, "its human's, as before");
    }
}
