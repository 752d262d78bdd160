//! How high the answer window is: as high as what it shows, unless somebody has dragged it.
//!
//! Not here: how windows are made, shown and hidden (`frame.rs`).

use super::shared::SharedWindows;
use std::collections::BTreeSet;
use tauri::{LogicalSize, Manager, WebviewWindow};

/// In which it is made.
pub(super) const ANSWER_SIZE: (u32, u32) = (420, 560);
/// A row of buttons and a title have room in that …
const LOWEST: u32 = 240;
/// … and what is higher scrolls: a window that covers the desktop helps nobody.
const HIGHEST: u32 = 640;

/// The heights that it was given by us, that with which it was made among them. One that it has
/// otherwise is its human's.
#[derive(Debug)]
pub(crate) struct GivenHeights {
    given: BTreeSet<u32>,
    is_dragged: bool,
}

impl Default for GivenHeights {
    fn default() -> Self {
        Self {
            given: BTreeSet::from([ANSWER_SIZE.1]),
            is_dragged: false,
        }
    }
}

impl GivenHeights {
    /// It has this height.
    fn saw(&mut self, has: u32) {
        self.is_dragged |= !self.given.iter().any(|given| given.abs_diff(has) <= 1);
    }

    /// The height to give it now, if it is still ours to give. `has`: as it stands there, if it does.
    /// The window manager takes its time, so that it may still have one that was given before.
    fn next(&mut self, has: Option<u32>, needed: u32) -> Option<u32> {
        has.into_iter().for_each(|has| self.saw(has));
        let height = needed.clamp(LOWEST, HIGHEST);
        (!self.is_dragged).then(|| {
            self.given.insert(height);
            height
        })
    }
}

/// The page says how high its content is.
pub(crate) fn fit(window: &WebviewWindow, needed: f64) -> tauri::Result<()> {
    if !has_own_size(window)? {
        return Ok(());
    }
    let shared = window.state::<SharedWindows>();
    let size = size(window)?;
    let has = window.is_visible()?.then_some(size.height);
    let Some(height) = shared.given_heights().next(has, pixels(needed)) else {
        return Ok(());
    };
    if has == Some(height) {
        return Ok(());
    }
    let width = if has.is_some() {
        size.width
    } else {
        ANSWER_SIZE.0.max(size.width)
    };
    window.set_size(LogicalSize::new(width, height))?;
    match has {
        Some(_) => Ok(()),
        None => lay_out(window, (width, height)),
    }
}

/// Not one that the desktop gives it for a while.
fn has_own_size(window: &WebviewWindow) -> tauri::Result<bool> {
    Ok(!window.is_minimized()? && !window.is_maximized()? && !window.is_fullscreen()?)
}

/// In what `set_size` takes. On Wayland the size that Tauri tells has the window's frame in it.
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

/// It is about to be hidden: one that was dragged since the last look is known to be.
pub(crate) fn look(window: &WebviewWindow) -> tauri::Result<()> {
    if window.is_visible()? && has_own_size(window)? {
        let height = size(window)?.height;
        window.state::<SharedWindows>().given_heights().saw(height);
    }
    Ok(())
}

/// What a page counts in, rounded up; 0 for what is negative or no number.
#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "it saturates"
)]
fn pixels(needed: f64) -> u32 {
    needed.ceil() as u32
}

/// GTK gives no size to what is hidden: the page would be laid out without any width, and once more
/// when it is seen.
#[cfg(target_os = "linux")]
pub(super) fn lay_out(window: &WebviewWindow, (width, height): (u32, u32)) -> tauri::Result<()> {
    use gtk::prelude::WidgetExt;
    let pixels = |size: u32| i32::try_from(size).unwrap_or(i32::MAX);
    window.with_webview(move |view| {
        let view = view.inner();
        view.show();
        view.preferred_size();
        view.size_allocate(&gtk::Allocation::new(0, 0, pixels(width), pixels(height)));
    })
}

#[cfg(not(target_os = "linux"))]
pub(super) fn lay_out(_window: &WebviewWindow, _size: (u32, u32)) -> tauri::Result<()> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_as_high_as_what_it_shows_within_what_is_sensible() {
        let mut heights = GivenHeights::default();
        assert_eq!(heights.next(None, 330), Some(330));
        assert_eq!(heights.next(Some(330), 90), Some(LOWEST));
        assert_eq!(
            heights.next(Some(331), 5_000),
            Some(HIGHEST),
            "scaled, it may be one off"
        );
    }

    #[test]
    fn a_window_that_has_not_changed_yet_was_not_dragged() {
        let mut heights = GivenHeights::default();
        assert_eq!(heights.next(None, 300), Some(300));
        assert_eq!(heights.next(Some(300), 400), Some(400));
        assert_eq!(heights.next(Some(300), 500), Some(500));
    }

    #[test]
    fn one_that_was_dragged_keeps_its_size_for_good() {
        let mut heights = GivenHeights::default();
        assert_eq!(heights.next(None, 300), Some(300));
        assert_eq!(heights.next(Some(512), 400), None);
        assert_eq!(heights.next(Some(300), 400), None);
    }
}
