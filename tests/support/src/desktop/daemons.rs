//! Real notification daemons, and what a human does to what they show: reads it, presses a button,
//! puts it away. Each daemon's own way is in its file, `dunst.rs` or `xfce.rs`.

use std::time::Duration;

use super::{Desktop, dunst, xfce};
use crate::eventually_blocking;
use crate::notifications::NAME;
use crate::process::Process;

/// Shorter than notifications that leave by themselves stand, so that none of them is counted as
/// put away while another one stays.
const READ: Duration = Duration::from_secs(5);

/// A real notification daemon.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Daemon {
    /// dunst: draws no buttons but offers a menu, and answers only the connection that sent last.
    Dunst,
    /// xfce4-notifyd: real buttons, signals for everybody.
    Xfce4Notifyd,
}

/// A notification as the daemon's own record has it, written when it was shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Received {
    /// The first line.
    pub title: String,
    /// The text, with the markup that was sent.
    pub body: String,
    /// In the order in which they were sent; dunst forgets that, so there by their keys.
    pub buttons: Vec<Button>,
    /// The daemon's number for it, if its record says.
    pub(super) id: Option<u32>,
}

/// An action of a notification.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Button {
    /// What the program that sent it calls it.
    pub key: String,
    /// What the human reads.
    pub label: String,
}

impl Received {
    /// The `nth` of the buttons with this label, from 0.
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

    /// What the running daemon has shown since it started, the oldest first.
    pub fn received(&self) -> Vec<Received> {
        match self.running() {
            Daemon::Dunst => dunst::received(self),
            Daemon::Xfce4Notifyd => xfce::received(self),
        }
    }

    /// How many notifications stand on the screen or wait for room on it.
    pub fn standing(&self) -> usize {
        match self.running() {
            Daemon::Dunst => dunst::standing(self),
            Daemon::Xfce4Notifyd => xfce::standing(self),
        }
    }

    /// Presses a button, or picks it where the daemon has a menu instead. The daemon's word of it
    /// is on its way when this returns.
    pub fn press(&self, on: &Received, button: &Button) {
        match self.running() {
            Daemon::Dunst => dunst::press(self, on, button),
            Daemon::Xfce4Notifyd => xfce::press(self, on, button),
        }
    }

    /// The human wants quiet, or no longer.
    pub fn do_not_disturb(&self, on: bool) {
        match self.running() {
            Daemon::Dunst => dunst::do_not_disturb(self, on),
            Daemon::Xfce4Notifyd => xfce::do_not_disturb(self, on),
        }
    }

    /// What the daemon keeps of what it has shown, in its own words; nothing where it keeps nothing that
    /// could come up again.
    pub fn history(&self) -> String {
        match self.running() {
            Daemon::Dunst => dunst::history(self),
            Daemon::Xfce4Notifyd => String::new(),
        }
    }

    /// Waits until at most one notification stands and closes that, as one who has read it.
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
