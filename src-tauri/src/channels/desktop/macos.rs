//! Notifications on macOS. In a signed bundle: described by notify-rust, delivered through the
//! library beneath it, which can wait for a click without racing the main run loop. Without a
//! bundle (`cargo run`): the old notification centre, in `macos_plain.rs`.
//!
//! The main thread has to run its event loop (`tray::run_main_loop`), else no click arrives.
//!
//! Not here: what a notification says.

#[path = "codes.rs"]
mod codes;
#[path = "macos_plain.rs"]
mod plain;

use super::{Act, Command, Notice, Report};
use anyhow::{Context, Result, ensure};
use beckon_core::AskId;
use futures_util::future::{Either, select};
use mac_usernotifications::{NotificationHandle, block_on};
use notify_rust::{Notification, Timeout};
use std::collections::HashMap;
use std::pin::pin;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};
use tokio::sync::oneshot;

type Tell = Arc<dyn Fn(Report) + Send + Sync>;

/// "Clear all" is told to nobody, so what is up is looked at so often while something is.
const LOOK: Duration = Duration::from_secs(15);
/// A notification younger than this may not be listed yet.
const FRESH: Duration = Duration::from_secs(5);

/// Starts the channel on a thread of its own.
pub(crate) fn start(report: Tell) -> Sender<Command> {
    let (commands, inbox) = channel();
    let tell = report.clone();
    let run = move || match mac_usernotifications::check_bundle() {
        Ok(()) => Centre { tell, shown: HashMap::new(), allowed: None }.run(&inbox),
        Err(error) => {
            tracing::info!(%error, "no application bundle: plain notifications");
            plain::run(&inbox, &tell);
        }
    };
    if let Err(error) = std::thread::Builder::new().name("notifications".into()).spawn(run) {
        report(Report::Down { error: error.to_string() });
    }
    commands
}

/// The user notification centre.
struct Centre {
    tell: Tell,
    shown: HashMap<AskId, Shown>,
    /// What the human said when the system asked them; `None` before.
    allowed: Option<bool>,
}

struct Shown {
    id: String,
    since: Instant,
    /// Dropped to end the wait for a click.
    _waiting: oneshot::Sender<()>,
}

impl Centre {
    fn run(mut self, inbox: &Receiver<Command>) {
        (self.tell)(Report::Up { name: "macOS".into() });
        loop {
            let next = match self.shown.is_empty() {
                true => inbox.recv().map_err(|_| RecvTimeoutError::Disconnected),
                false => inbox.recv_timeout(LOOK),
            };
            match next {
                Ok(Command::Show { ask, serial, notice, replaces }) => {
                    if let Err(error) = self.show(&ask, serial, &notice, replaces) {
                        tracing::warn!(serial, error = format!("{error:#}"), "no notification");
                        (self.tell)(Report::Down { error: format!("{error:#}") });
                    }
                }
                Ok(Command::Withdraw { ask, handle }) => self.withdraw(&ask, handle),
                Err(RecvTimeoutError::Timeout) => self.look(),
                Err(RecvTimeoutError::Disconnected) => return,
            }
        }
    }

    /// Asks for leave when the first notification is due: then the human sees what it is for.
    fn ask_leave(&mut self) -> Result<()> {
        if self.allowed != Some(true) {
            let asked = mac_usernotifications::blocking::request_auth();
            self.allowed = Some(asked.context("Failed to ask for leave to notify")?);
        }
        let denied = "Notifications are turned off for Beckon in the system settings";
        ensure!(self.allowed == Some(true), denied);
        Ok(())
    }

    fn show(
        &mut self,
        ask: &AskId,
        serial: u64,
        notice: &Notice,
        replaces: Option<String>,
    ) -> Result<()> {
        self.ask_leave()?;
        // Also in a later life the same ask has the same id, so a former card is replaced.
        let id = format!("ask-{serial}");
        if let Some(former) = replaces.filter(|former| *former != id) {
            mac_usernotifications::blocking::close_delivered(&former);
        }
        self.shown.remove(ask);
        let described = describe(&id, serial, notice);
        let sent = block_on(mac_usernotifications::Notification::from(&described).send());
        let handle = sent.context("Failed to show a notification")?;
        let waiting = self.wait(ask.clone(), serial, handle)?;
        let shown = Shown { id: id.clone(), since: Instant::now(), _waiting: waiting };
        self.shown.insert(ask.clone(), shown);
        (self.tell)(Report::Shown { ask: ask.clone(), handle: id });
        Ok(())
    }

    /// Waits for a click on a thread, until the sender that comes back is dropped.
    fn wait(
        &self,
        ask: AskId,
        serial: u64,
        handle: NotificationHandle,
    ) -> Result<oneshot::Sender<()>> {
        let (waiting, given_up) = oneshot::channel();
        let tell = self.tell.clone();
        let wait = move || {
            let response = pin!(handle.response());
            let Either::Left((Ok(response), _)) = block_on(select(response, given_up)) else {
                return;
            };
            tell(match codes::decode(&response.action_identifier) {
                Some((serial, act)) => Report::Acted { serial, act },
                None if response.is_default_action() => Report::Acted { serial, act: Act::Open },
                None => Report::Closed { ask },
            });
        };
        let thread = std::thread::Builder::new().name("notification".into()).spawn(wait);
        thread.context("Failed to wait for a notification")?;
        Ok(waiting)
    }

    fn withdraw(&mut self, ask: &AskId, handle: Option<String>) {
        let id = self.shown.remove(ask).map(|shown| shown.id).or(handle);
        if let Some(id) = id {
            mac_usernotifications::blocking::close_delivered(&id);
        }
    }

    /// Finds what was cleared away together with all others.
    fn look(&mut self) {
        let there = block_on(mac_usernotifications::get_delivered_notification_ids());
        let tell = self.tell.clone();
        self.shown.retain(|ask, shown| {
            let stays = shown.since.elapsed() < FRESH || there.contains(&shown.id);
            if !stays {
                tell(Report::Closed { ask: ask.clone() });
            }
            stays
        });
    }
}

fn describe(id: &str, serial: u64, notice: &Notice) -> Notification {
    let mut described = Notification::new();
    described.summary(&notice.title).body(&notice.body).id(id).timeout(Timeout::Never);
    described.sound_name("default");
    for button in &notice.buttons {
        described.action(&codes::encode(serial, button.press), &button.label);
    }
    described
}
