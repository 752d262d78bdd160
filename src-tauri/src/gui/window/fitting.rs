//! How high the answer window is: as high as what it shows, unless somebody has dragged it.

use super::frame;
use super::shared::SharedWindows;
use std::collections::BTreeSet;
use tauri::{LogicalSize, Manager, WebviewWindow};

/// A row of buttons and a title have room in that …
const LOWEST: u32 = 240;
/// … and what is higher scrolls: a window that covers the desktop helps nobody.
const HIGHEST: u32 = 640;

/// The heights that it was given by us. One that it has otherwise is its human's.
#[derive(Debug, Default)]
pub(crate) struct GivenHeights {
    given: BTreeSet<u32>,
    is_dragged: bool,
}

impl GivenHeights {
    /// It has this height.
    fn saw(&mut self, has: u32) {
        let is_made = has.abs_diff(frame::ANSWER_SIZE.1) <= 1;
        self.is_dragged |= !is_made && !self.given.iter().any(|given| given.abs_diff(has) <= 1);
    }

    /// The height to give it now, if it is still ours to give. `has`: as it stands there, if it does.
    /// The window manager takes its time, so that it may still have one that was given before, or
    /// that with which it was made.
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
    if window.is_minimized()? || window.is_maximized()? || window.is_fullscreen()? {
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
    let width = if has.is_some() { size.width } else { frame::ANSWER_SIZE.0.max(size.width) };
    window.set_size(LogicalSize::new(width, height))?;
    match has {
        Some(_) => Ok(()),
        None => frame::lay_out(window, (width, height)),
    }
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
    if window.is_visible()? && !window.is_maximized()? && !window.is_minimized()? {
        let height = size(window)?.height;
        window.state::<SharedWindows>().given_heights().saw(height);
    }
    Ok(())
}

/// What a page counts in; nothing that is no number, or negative.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it saturates")]
fn pixels(needed: f64) -> u32 {
    needed.ceil() as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_as_high_as_what_it_shows_within_what_is_sensible() {
        let mut heights = GivenHeights::default();
        assert_eq!(heights.next(None, 330), Some(330));
        assert_eq!(heights.next(Some(330), 90), Some(LOWEST));
        assert_eq!(heights.next(Some(331), 5_000), Some(HIGHEST), "scaled, it may be one off");
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
