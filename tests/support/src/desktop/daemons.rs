//! Real notification daemons, and what a human does with their notifications: reads one, presses a
//! button, closes it. What differs between the daemons is in `dunst.rs` and `xfce.rs`.

use std::time::Duration;

use super::{Desktop, dunst, xfce};
use crate::eventually_blocking;
use crate::notifications::NAME;
use crate::process::Process;

/// The time limit for closing the last notification. It is shorter than the time after which
/// notifications leave by themselves, so that none of those is counted as closed by hand.
const READ: Duration = Duration::from_secs(5);

/// A real notification daemon.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Daemon {
    /// dunst: draws no buttons but offers a menu, and answers only the connection that sent last.
    Dunst,
    /// xfce4-notifyd: real buttons, signals for everybody.
    Xfce4Notifyd,
}

/// A notification as it stands in the daemon's own record, written when it was shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Received {
    /// The first line.
    pub title: String,
    /// The text, with the markup that was sent.
    pub body: String,
    /// The buttons in the order in which they were sent. dunst does not record that order; there
    /// they are ordered by their keys.
    pub buttons: Vec<Button>,
    /// The daemon's number for it, if its record says.
    pub(super) id: Option<u32>,
}

/// An action of a notification.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Button {
    /// The key that the sending program gave the action.
    pub key: String,
    /// The label that the human reads.
    pub label: String,
}

impl Received {
    /// Returns the `nth` of the buttons with this label, counted from 0.
    pub fn button(&self, label: &str, nth: usize) -> &Button {
        let mut equal = self.buttons.iter().filter(|button| button.label == label);
        equal
            .nth(nth)
            .unwrap_or_else(|| panic!("no button {label:?} ({nth}) in {self:?}"))
    }
}

impl Desktop {
    /// Starts a notification daemon and waits for its name; an earlier one is stopped first.
    pub fn start_daemon(&mut self, daemon: Daemon) {
        self.stop_daemon();
        let command = match daemon {
            Daemon::Dunst => dunst::prepare(self),
            Daemon::Xfce4Notifyd => xfce::prepare(self),
        };
        self.daemon = Some((daemon, Process::spawn(command)));
        self.bus().wait_for_name(NAME);
    }

    /// Stops the notification daemon.
    pub fn stop_daemon(&mut self) {
        self.daemon = None;
    }

    /// Returns what the running daemon has shown since it started, the oldest first.
    pub fn received(&self) -> Vec<Received> {
        match self.running() {
            Daemon::Dunst => dunst::received(self),
            Daemon::Xfce4Notifyd => xfce::received(self),
        }
    }

    /// Returns how many notifications are on the screen or wait for room on it.
    pub fn standing(&self) -> usize {
        match self.running() {
            Daemon::Dunst => dunst::standing(self),
            Daemon::Xfce4Notifyd => xfce::standing(self),
        }
    }

    /// Presses a button, or picks it where the daemon has a menu instead. The daemon's signal about
    /// it may still be on its way when this returns.
    pub fn press(&self, on: &Received, button: &Button) {
        match self.running() {
            Daemon::Dunst => dunst::press(self, on, button),
            Daemon::Xfce4Notifyd => xfce::press(self, on, button),
        }
    }

    /// Switches the daemon's "do not disturb" on or off.
    pub fn do_not_disturb(&self, on: bool) {
        match self.running() {
            Daemon::Dunst => dunst::do_not_disturb(self, on),
            Daemon::Xfce4Notifyd => xfce::do_not_disturb(self, on),
        }
    }

    /// Returns the daemon's history of what it has shown, in the daemon's own format. Empty for a
    /// daemon that keeps nothing that could be shown again.
    pub fn history(&self) -> String {
        match self.running() {
            Daemon::Dunst => dunst::history(self),
            Daemon::Xfce4Notifyd => String::new(),
        }
    }

    /// Waits until at most one notification is on the screen and closes it, as a human who has read
    /// it would.
    pub fn put_away_the_last(&self) {
        eventually_blocking("a last notification to put away", READ, || {
            match self.standing() {
                0 => Some(()),
                1 => {
                    match self.running() {
                        Daemon::Dunst => dunst::put_away(self),
                        Daemon::Xfce4Notifyd => xfce::put_away(self),
                    }
                    None
                }
                _ => None,
            }
        });
    }

    fn running(&self) -> Daemon {
        self.daemon
            .as_ref()
            .expect("a notification daemon was started")
            .0
    }
}
