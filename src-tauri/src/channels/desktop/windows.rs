//! Notifications on Windows: toasts by notify-rust, under an identity of our own.
//!
//! What the system's interface cannot do through it: replace one toast or take one away. When the
//! last ask goes all toasts are cleared; before that a toast that has been answered elsewhere stays,
//! and a press on it meets the desk's memory. A toast that has slipped into the Action Center is
//! no longer heard.
//!
//! Not here: what a notification says.

#[path = "codes.rs"]
mod codes;
#[path = "windows_identity.rs"]
mod identity;

use super::{Act, Button, Command, Notice, Report};
use anyhow::{Context, Result};
use beckon_core::AskId;
use notify_rust::{CloseReason, Notification, NotificationResponse, Timeout, Urgency};
use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::mpsc as queue;

type Tell = Arc<dyn Fn(Report) + Send + Sync>;
type Inbox = queue::UnboundedReceiver<Command>;

/// A toast has room for so many.
const BUTTONS: usize = 5;

/// After a failure it is tried again so often.
const RETRY: Duration = Duration::from_secs(30);

/// Starts the channel on a thread of its own. The picture is the bundle's.
pub(crate) fn start(
    report: Tell,
    _icon: Option<std::path::PathBuf>,
    _seal: String,
) -> queue::UnboundedSender<Command> {
    let (commands, inbox) = queue::unbounded_channel();
    let tell = report.clone();
    let run = move || {
        run(inbox, tell.clone());
        tell(Report::Ended);
    };
    if let Err(error) = std::thread::Builder::new().name("notifications".into()).spawn(run) {
        report(Report::Down { error: error.to_string() });
    }
    commands
}

fn run(inbox: Inbox, tell: Tell) {
    let toasts = Toasts { tell: tell.clone(), shown: HashSet::new(), error: None };
    match tokio::runtime::Builder::new_current_thread().enable_time().build() {
        Ok(runtime) => runtime.block_on(toasts.run(inbox)),
        Err(error) => tell(Report::Down { error: error.to_string() }),
    }
}

/// The toasts that are up, and why there can be none.
struct Toasts {
    tell: Tell,
    shown: HashSet<AskId>,
    error: Option<String>,
}

impl Toasts {
    async fn run(mut self, mut inbox: Inbox) {
        self.begin();
        loop {
            let next = match &self.error {
                None => Ok(inbox.recv().await),
                Some(_) => tokio::time::timeout(RETRY, inbox.recv()).await,
            };
            match next {
                Ok(None) => return,
                Err(_) => self.begin(),
                Ok(Some(Command::Withdraw { ask, handle })) => {
                    tracing::debug!(handle, "withdrawing a notification");
                    self.withdraw(&ask);
                    (self.tell)(Report::Withdrawn { ask });
                }
                Ok(Some(Command::Show { ask, serial, notice, replaces })) => {
                    tracing::debug!(serial, replaces, "showing a notification");
                    self.show(ask, serial, &notice);
                }
            }
        }
    }

    fn begin(&mut self) {
        match identity::register() {
            Ok(()) => {
                self.error = None;
                // What an earlier life left there is not heard any more.
                clear();
                self.shown.clear();
                (self.tell)(Report::Up { name: "Windows".into() });
            }
            Err(error) => self.fail(&error),
        }
    }

    fn fail(&mut self, error: &anyhow::Error) {
        let error = format!("{error:#}");
        if self.error.as_ref() != Some(&error) {
            (self.tell)(Report::Down { error: error.clone() });
        }
        self.error = Some(error);
    }

    /// A toast that is up stays as it is: a second one for the same ask would ring again.
    fn show(&mut self, ask: AskId, serial: u64, notice: &Notice) {
        if self.shown.contains(&ask) {
            return;
        }
        match show(&ask, serial, notice, &self.tell) {
            Ok(()) => _ = self.shown.insert(ask),
            Err(error) => self.fail(&error),
        }
    }

    fn withdraw(&mut self, ask: &AskId) {
        self.shown.remove(ask);
        if self.shown.is_empty() {
            clear();
        }
    }
}

fn show(ask: &AskId, serial: u64, notice: &Notice, tell: &Tell) -> Result<()> {
    let toast = describe(serial, notice).show().context("Failed to show a notification")?;
    tell(Report::Shown { ask: ask.clone(), handle: format!("ask-{serial}") });
    let (ask, tell) = (ask.clone(), tell.clone());
    let wait = move || {
        let told = toast.wait_for_response(|response: &NotificationResponse| {
            heard(ask, serial, response, &tell);
        });
        if let Err(error) = told {
            tracing::debug!(serial, %error, "a notification is no longer heard");
        }
    };
    let thread = std::thread::Builder::new().name("notification".into()).spawn(wait);
    thread.map(drop).context("Failed to wait for a notification")
}

fn heard(ask: AskId, serial: u64, response: &NotificationResponse, tell: &Tell) {
    match response {
        NotificationResponse::Default | NotificationResponse::Reply(_) => {
            tell(Report::Acted { serial, act: Act::Open });
        }
        NotificationResponse::Action(id) => match codes::decode(id) {
            Some((serial, act)) => tell(Report::Acted { serial, act }),
            None => tracing::debug!(serial, "an unknown action of a notification"),
        },
        // The human put it away.
        NotificationResponse::Closed(CloseReason::Dismissed) => tell(Report::Closed { ask }),
        // It has moved into the Action Center, or we cleared it.
        NotificationResponse::Closed(reason) => {
            tracing::debug!(serial, ?reason, "a notification left the screen");
        }
    }
}

fn describe(serial: u64, notice: &Notice) -> Notification {
    let mut toast = Notification::new();
    toast.app_id(identity::ID).summary(&notice.title).body(&notice.body).timeout(Timeout::Never);
    // Critical stays on the screen until it is dealt with; nothing else does.
    toast.urgency(if notice.urgent { Urgency::Critical } else { Urgency::Normal });
    for button in fitting(&notice.buttons) {
        toast.action(&codes::encode(serial, button.press), &button.label);
    }
    toast
}

/// As many buttons as there is room for; the one that opens the window is never left out.
fn fitting(buttons: &[Button]) -> impl Iterator<Item = &Button> {
    let open = buttons.iter().filter(|button| button.press == Act::Open).take(1);
    let room = BUTTONS - usize::from(open.clone().next().is_some());
    buttons.iter().filter(|button| button.press != Act::Open).take(room).chain(open)
}

fn clear() {
    use windows::UI::Notifications::ToastNotificationManager;
    use windows::core::HSTRING;
    let cleared = ToastNotificationManager::History()
        .and_then(|history| history.ClearWithId(&HSTRING::from(identity::ID)));
    if let Err(error) = cleared {
        tracing::debug!(%error, "the notifications could not be cleared");
    }
}
