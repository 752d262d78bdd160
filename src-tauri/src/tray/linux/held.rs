//! The menu as a panel shows it. While somebody may be looking at it, no line takes the place of another
//! one: what has changed meanwhile is shown when the menu is opened again. Pure: moments are given.
//!
//! Not here: what the lines say (`menu.rs`), and how a panel gets them (`lines.rs`).

use crate::tray::menu::Menu;
use std::time::{Duration, Instant};

/// How long the lines stay where they are after the menu was opened, unless one of them is pressed. A panel
/// asks before it opens the menu; of its closing ksni 0.3.7 passes nothing on. That is longer than it takes
/// to find a line. It is no longer, since GTK opens a menu in the size of its former lines: one that changes
/// as it is opened again gets arrows to scroll by (seen with xfce4-panel 4.18).
const OPEN: Duration = Duration::from_secs(20);

/// A click that comes sooner after lines have moved was aimed before that, as in the windows
/// (`ui/src/answer/looking.ts`).
const AIMED: Duration = Duration::from_millis(400);

/// The menu that is shown, and the one that is to follow.
#[derive(Debug, Default)]
pub(super) struct HeldMenu {
    shown: Menu,
    /// The menu that is shown once nobody looks any more.
    next: Option<Menu>,
    opened: Option<Instant>,
    moved: Option<Instant>,
    is_odd: bool,
}

impl HeldMenu {
    pub(super) fn new(menu: Menu) -> Self {
        Self {
            shown: menu,
            ..Self::default()
        }
    }

    /// Returns the menu that is shown.
    pub(super) fn shown(&self) -> &Menu {
        &self.shown
    }

    /// Returns a sign that changes whenever some line means something else than before.
    pub(super) fn is_odd(&self) -> bool {
        self.is_odd
    }

    /// Takes in the menu as it is now. Changed words are shown at once, changed lines when nobody looks.
    pub(super) fn draw(&mut self, menu: Menu, now: Instant) {
        if menu.has_shape_of(&self.shown) {
            self.shown = menu;
            self.next = None;
        } else if self.is_open(now) {
            self.next = Some(menu);
        } else {
            self.replace(menu, now);
        }
    }

    /// Notes that a panel is about to show the menu, and takes in how that is now.
    pub(super) fn open(&mut self, menu: Menu, now: Instant) {
        self.opened = None;
        self.moved = None;
        self.draw(menu, now);
        self.opened = Some(now);
    }

    /// Notes that a line was pressed, which closes the menu; returns whether the press counts.
    pub(super) fn press(&mut self, now: Instant) -> bool {
        let counts = self.moved.is_none_or(|moved| now - moved >= AIMED);
        self.opened = None;
        if let Some(menu) = self.next.take() {
            self.replace(menu, now);
        }
        counts
    }

    /// Returns how long changed lines still wait to be shown; `None` where none have changed.
    pub(super) fn waits(&self, now: Instant) -> Option<Duration> {
        let until = self.opened? + OPEN;
        self.next
            .as_ref()
            .map(|_| until.saturating_duration_since(now))
    }

    fn is_open(&self, now: Instant) -> bool {
        self.opened.is_some_and(|opened| now - opened < OPEN)
    }

    fn replace(&mut self, menu: Menu, now: Instant) {
        self.shown = menu;
        self.next = None;
        self.moved = Some(now);
        self.is_odd = !self.is_odd;
    }
}

#[cfg(test)]
#[path = "held/tests.rs"]
mod tests;
