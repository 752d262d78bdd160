//! Desktop notifications: what one says (`Notice`, plain and tested), and the door to the system's
//! own way of showing it. One file per system below, with equal signatures.

#[cfg_attr(target_os = "linux", path = "desktop/linux.rs")]
#[cfg_attr(target_os = "macos", path = "desktop/macos.rs")]
#[cfg_attr(windows, path = "desktop/windows.rs")]
mod system;
mod notice;

pub use notice::notice;

use crate::mailbox::Mailbox;
use crate::texts::Texts;
use beckon_core::{AskId, Channel, Entry, Event, Press, Surface};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::mpsc;

/// One notification, in plain text; what markup a system knows is the system file's business.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    /// Who asks, and what.
    pub title: String,
    /// At most a few lines.
    pub body: String,
    /// In the order of the choices, the window last.
    pub buttons: Vec<Button>,
    /// An agent waits: it is to stay until it is answered.
    pub urgent: bool,
}

/// A button of a notification.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Button {
    /// What pressing it does.
    pub press: Act,
    /// What stands on it.
    pub label: String,
}

/// What a human did to a notification.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Act {
    /// Pressed an answering button.
    Press(Press),
    /// Pressed "Answer…" or the body.
    Open,
}

#[derive(Debug)]
pub(crate) enum Command {
    Show { ask: AskId, serial: u64, notice: Notice, replaces: Option<String> },
    Withdraw { ask: AskId, handle: Option<String> },
}

#[derive(Debug)]
pub(crate) enum Report {
    Up { name: String },
    Down { error: String },
    Shown { ask: AskId, handle: String },
    Acted { serial: u64, act: Act },
    Closed { ask: AskId },
}

/// The desktop channel.
pub struct Desktop {
    commands: mpsc::UnboundedSender<Command>,
    texts: Arc<Texts>,
    shown: HashMap<AskId, Notice>,
    state: Arc<Mutex<State>>,
}

/// Does the channel work, and through what?
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct State {
    /// The daemon's name, once it answers.
    pub daemon: Option<String>,
    /// Why it does not.
    pub error: Option<String>,
}

/// Starts the channel; `open` is called with an ask's serial when its answer window is wanted.
pub fn start(
    texts: Arc<Texts>,
    mailbox: Mailbox,
    open: impl Fn(u64) + Send + Sync + 'static,
) -> Desktop {
    let state = Arc::new(Mutex::new(State::default()));
    let seen = state.clone();
    let commands = system::start(Arc::new(move |report| {
        on_report(report, &mailbox, &seen, &open);
    }));
    Desktop { commands, texts, shown: HashMap::new(), state }
}

impl Desktop {
    /// Shows a card, in place of a former one if that still stands.
    pub fn show(&mut self, entry: &Entry, replaces: Option<String>) {
        let notice = notice(entry, &self.texts);
        self.shown.insert(entry.ask.id.clone(), notice.clone());
        self.send(entry, notice, replaces);
    }

    /// Redraws a card if it would look different now.
    pub fn update(&mut self, entry: &Entry) {
        let notice = notice(entry, &self.texts);
        let before = self.shown.insert(entry.ask.id.clone(), notice.clone());
        if before.as_ref() != Some(&notice) {
            self.send(entry, notice, None);
        }
    }

    /// Shows a few words that nobody has to answer.
    pub fn hint(&self, title: String, body: String) {
        let ask = AskId::new("beckon", "hint");
        let notice = Notice { title, body, buttons: Vec::new(), urgent: false };
        let _ = self.commands.send(Command::Show { ask, serial: 0, notice, replaces: None });
    }

    /// Takes a card away.
    pub fn withdraw(&mut self, ask: AskId, handle: Option<String>) {
        self.shown.remove(&ask);
        let _ = self.commands.send(Command::Withdraw { ask, handle });
    }

    /// Does it work?
    pub fn state(&self) -> State {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn send(&self, entry: &Entry, notice: Notice, replaces: Option<String>) {
        let ask = entry.ask.id.clone();
        let _ = self.commands.send(Command::Show { ask, serial: entry.serial, notice, replaces });
    }
}

fn on_report(report: Report, mailbox: &Mailbox, state: &Mutex<State>, open: &dyn Fn(u64)) {
    let channel = Channel::Desktop;
    match report {
        Report::Up { name } => {
            tracing::info!(daemon = name, "notifications work");
            set(state, State { daemon: Some(name), error: None });
            mailbox.post(Event::ChannelUp(channel));
        }
        Report::Down { error } => {
            tracing::info!(error, "no notifications: asks stay in the tray and the command line");
            set(state, State { daemon: None, error: Some(error) });
            mailbox.post(Event::ChannelDown(channel));
        }
        Report::Shown { ask, handle } => mailbox.post(Event::Shown { channel, ask, handle }),
        Report::Acted { serial, act: Act::Press(press) } => {
            mailbox.post(Event::Pressed { serial, press, by: Surface::Notification });
        }
        Report::Acted { serial, act: Act::Open } => open(serial),
        Report::Closed { ask } => mailbox.post(Event::Closed { channel, ask }),
    }
}

fn set(state: &Mutex<State>, new: State) {
    *state.lock().unwrap_or_else(PoisonError::into_inner) = new;
}
