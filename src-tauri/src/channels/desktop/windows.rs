//! The notifications on Windows: toasts under an identity of Beckon's own, each with a tag by which
//! it is replaced and removed.
//!
//! A toast answers only as long as this program lives. So the toasts of an earlier run are cleared
//! at the start, and the desk shows again what is open: no button stays that Beckon does not hear.
//!
//! Not here: the text of a notification, and the calls to Windows (`windows_board.rs`).

#[path = "windows_board.rs"]
mod board;
#[path = "windows_identity.rs"]
mod identity;

use super::keys::{self, PressedKey};
use super::windows_xml;
use super::{
    DesktopCommand, DesktopReport, NotificationAction, NotificationSound, NotificationText,
};
use anyhow::{Result, anyhow};
use beckon_client::wire::Abilities;
use beckon_core::{AskId, ButtonTarget};
use board::{Board, Fate};
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::mpsc as queue;
use tokio::time::Instant;
use windows::UI::Notifications::ToastNotification;

type Tell = Arc<dyn Fn(DesktopReport) + Send + Sync>;
type Inbox = queue::UnboundedReceiver<DesktopCommand>;

/// The abilities of toasts. A toast that the human closes is also removed from the notification
/// centre, see `on_heard`.
const CAN: Abilities = Abilities {
    buttons: true,
    sound: true,
    keeps: false,
};
/// The pause after a failure before the next try.
const RETRY: Duration = Duration::from_secs(30);

/// Starts the channel on a thread of its own. The picture is part of the identity
/// (`windows_identity.rs`).
pub(crate) fn start(
    report: Tell,
    _icon: Option<std::path::PathBuf>,
    seal: String,
    _over: String,
) -> queue::UnboundedSender<DesktopCommand> {
    let (commands, inbox) = queue::unbounded_channel();
    let tell = report.clone();
    let run = move || {
        run(inbox, tell.clone(), seal);
        tell(DesktopReport::Ended);
    };
    if let Err(error) = std::thread::Builder::new()
        .name("notifications".into())
        .spawn(run)
    {
        report(DesktopReport::down(&error.into()));
    }
    commands
}

fn run(inbox: Inbox, tell: Tell, seal: String) {
    match tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .build()
    {
        Ok(runtime) => runtime.block_on(Toasts::new(tell, seal).run(inbox)),
        Err(error) => tell(DesktopReport::down(&error.into())),
    }
}

/// A report about a toast, with the number of the toast.
struct Heard {
    ask: AskId,
    target: ButtonTarget,
    /// [`Shown::number`] of the toast.
    number: u64,
    fate: Fate,
}

struct Shown {
    tag: String,
    /// The unique number of the toast: a report about a replaced toast must not count for the one
    /// in its place.
    number: u64,
    toast: ToastNotification,
}

/// The toasts that are shown.
struct Toasts {
    tell: Tell,
    seal: String,
    /// The access to Windows' toasts; `None` until Windows could be reached.
    board: Option<Board>,
    /// The time of the next try, while toasts do not work.
    again: Option<Instant>,
    error: Option<String>,
    shown: HashMap<AskId, Shown>,
    numbers: u64,
    hearing: queue::UnboundedSender<Heard>,
    heard: queue::UnboundedReceiver<Heard>,
}

impl Toasts {
    fn new(tell: Tell, seal: String) -> Self {
        let (hearing, heard) = queue::unbounded_channel();
        let (board, again, error, shown) = (None, None, None, HashMap::new());
        Self {
            tell,
            seal,
            board,
            again,
            error,
            shown,
            numbers: 0,
            hearing,
            heard,
        }
    }

    async fn run(mut self, mut inbox: Inbox) {
        self.begin();
        loop {
            tokio::select! {
                command = inbox.recv() => match command {
                    Some(command) => self.carry_out(command),
                    None => return,
                },
                Some(heard) = self.heard.recv() => self.on_heard(heard),
                () = reached(self.again) => self.begin(),
            }
        }
    }

    fn begin(&mut self) {
        match Board::open() {
            Ok(board) => {
                // Opening it has cleared the toasts of an earlier run.
                self.shown.clear();
                self.board = Some(board);
                (self.again, self.error) = (None, None);
                (self.tell)(DesktopReport::Up {
                    name: "Windows".into(),
                    can: CAN,
                });
            }
            Err(error) => self.fail(&error),
        }
    }

    fn fail(&mut self, error: &anyhow::Error) {
        let text = format!("{error:#}");
        if self.error.as_ref() != Some(&text) {
            (self.tell)(DesktopReport::down(error));
        }
        self.error = Some(text);
        self.again = Some(Instant::now() + RETRY);
    }

    fn carry_out(&mut self, command: DesktopCommand) {
        match command {
            // Shows are dropped meanwhile: the desk repeats them when the channel works.
            DesktopCommand::Show { .. } if self.again.is_some() => {}
            // A former card of the ask has the same tag, or was cleared at the start.
            DesktopCommand::Show {
                ask,
                target,
                notice,
                replaces,
                sound,
            } => {
                tracing::debug!(serial = target.serial, replaces, "showing a notification");
                if let Err(error) = self.show(ask, target, &notice, sound) {
                    self.fail(&error);
                }
            }
            DesktopCommand::Withdraw { ask, handle } => {
                self.remove(&ask, handle);
                (self.tell)(DesktopReport::Withdrawn { ask });
            }
        }
    }

    fn show(
        &mut self,
        ask: AskId,
        target: ButtonTarget,
        notice: &NotificationText,
        sound: NotificationSound,
    ) -> Result<()> {
        let Some(board) = &self.board else {
            return Ok(());
        };
        let xml = windows_xml::toast(&self.seal, target, notice, sound);
        self.numbers += 1;
        let (number, tag, hearing) = (
            self.numbers,
            format!("ask-{}", target.serial),
            self.hearing.clone(),
        );
        let of = ask.clone();
        let toast = board.show(&tag, &xml, move |fate| {
            let _ = hearing.send(Heard {
                ask: of.clone(),
                target,
                number,
                fate,
            });
        })?;
        self.shown.insert(
            ask.clone(),
            Shown {
                tag: tag.clone(),
                number,
                toast,
            },
        );
        (self.tell)(DesktopReport::Shown { ask, handle: tag });
        Ok(())
    }

    fn remove(&mut self, ask: &AskId, handle: Option<String>) {
        let shown = self.shown.remove(ask);
        let tag = shown.as_ref().map(|shown| shown.tag.clone()).or(handle);
        if let (Some(board), Some(tag)) = (&self.board, tag) {
            board.remove(&tag, shown.as_ref().map(|shown| &shown.toast));
        }
    }

    fn on_heard(&mut self, heard: Heard) {
        let Heard {
            ask,
            target,
            number,
            fate,
        } = heard;
        let stands = self
            .shown
            .get(&ask)
            .is_some_and(|shown| shown.number == number);
        match fate {
            Fate::Failed(code) if stands => {
                self.shown.remove(&ask);
                return self.fail(&anyhow!(
                    "Failed to show a notification: {}",
                    code.message()
                ));
            }
            Fate::Pressed(arguments) => self.on_pressed(target, &arguments),
            Fate::Dismissed | Fate::Failed(_) => {}
        }
        if stands {
            // Windows may keep the toast in the notification centre, where no withdrawal would find
            // it.
            self.remove(&ask, None);
            (self.tell)(DesktopReport::Closed { ask });
        }
    }

    fn on_pressed(&self, shown: ButtonTarget, arguments: &str) {
        let report = match keys::pressed(arguments, &self.seal) {
            Some(PressedKey::Open) => DesktopReport::Acted {
                target: shown,
                act: NotificationAction::Open,
            },
            Some(PressedKey::Button(target, press)) if target.serial == shown.serial => {
                DesktopReport::Acted {
                    target,
                    act: NotificationAction::Press(press),
                }
            }
            _ => return tracing::debug!(shown.serial, "an unknown action of a notification"),
        };
        (self.tell)(report);
    }
}

async fn reached(at: Option<Instant>) {
    match at {
        Some(at) => tokio::time::sleep_until(at).await,
        None => std::future::pending().await,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::channel;

    #[test]
    fn the_channel_says_whether_it_works_and_ends_with_its_commands() {
        let (sender, reports) = channel();
        let sender = std::sync::Mutex::new(sender);
        let tell = move |report| sender.lock().unwrap().send(report).unwrap();
        let commands = start(Arc::new(tell), None, "s".into(), String::new());
        let first = reports.recv_timeout(RETRY).unwrap();
        assert!(
            matches!(first, DesktopReport::Up { .. } | DesktopReport::Down { .. }),
            "{first:?}"
        );
        let ask = AskId::new("local", "que_1");
        commands
            .send(DesktopCommand::Withdraw {
                ask: ask.clone(),
                handle: None,
            })
            .unwrap();
        let next = reports.recv_timeout(RETRY).unwrap();
        assert!(matches!(next, DesktopReport::Withdrawn { ask: of } if of == ask));
        drop(commands);
        assert!(matches!(
            reports.recv_timeout(RETRY),
            Ok(DesktopReport::Ended)
        ));
    }
}
