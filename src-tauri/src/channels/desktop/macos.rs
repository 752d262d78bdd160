//! Notifications on macOS. In a signed bundle: described by notify-rust, delivered through the
//! library beneath it, which can wait for a click without racing the main run loop. Without a
//! bundle (`cargo run`): the old notification centre, in `macos_plain.rs`.
//!
//! The main thread has to run its event loop (`tray::run_main_loop`), else no click arrives.
//!
//! Not here: what a notification says.

#[path = "macos_plain.rs"]
mod plain;

use super::keys::{self, PressedKey};
use super::{
    DesktopCommand, DesktopReport, NotificationAction, NotificationSound, NotificationText,
};
use crate::channels::desktop::DesktopFault;
use anyhow::{Context, Result, ensure};
use beckon_client::wire::Abilities;
use beckon_core::{AskId, ButtonTarget};
use futures_util::future::{Either, select};
use mac_usernotifications::{AuthorizationStatus, NotificationHandle};
use notify_rust::{Notification, Timeout};
use std::collections::HashMap;
use std::pin::pin;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::{mpsc as queue, oneshot};

type Tell = Arc<dyn Fn(DesktopReport) + Send + Sync>;
type Inbox = queue::UnboundedReceiver<DesktopCommand>;

/// The abilities with a bundle and without one; a card that is not dealt with stays in the
/// notification centre.
const CAN: Abilities = Abilities {
    buttons: true,
    sound: true,
    keeps: true,
};
/// The time between two looks at what is up, while something is: "Clear all" is told to nobody.
/// After a failure, also the time until the next try.
const LOOK: Duration = Duration::from_secs(15);
/// The time after which a card that was taken away is looked for again: one that is taken away
/// right after it came may not have been listed yet.
const LISTED: Duration = Duration::from_secs(1);
/// The age below which a notification may not be listed yet.
const FRESH: Duration = Duration::from_secs(5);

/// Starts the channel on a thread of its own. The picture is the bundle's.
pub(crate) fn start(
    report: Tell,
    _icon: Option<std::path::PathBuf>,
    seal: String,
    _over: String,
) -> queue::UnboundedSender<DesktopCommand> {
    let (commands, inbox) = queue::unbounded_channel();
    let tell = report.clone();
    let run = move || {
        match mac_usernotifications::check_bundle() {
            Ok(()) => run(inbox, tell.clone(), seal),
            Err(error) => {
                tracing::info!(%error, "no application bundle: plain notifications");
                plain::run(inbox, &tell);
            }
        }
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
        Ok(runtime) => runtime.block_on(Centre::new(tell, seal).run(inbox)),
        Err(error) => tell(DesktopReport::down(&error.into())),
    }
}

/// The user notification centre.
struct Centre {
    tell: Tell,
    seal: String,
    shown: HashMap<AskId, Shown>,
    /// Whether the centre may hold one of our cards that is not wanted any more.
    untidy: bool,
    /// Whether the human has given leave.
    allowed: bool,
    /// Whether it works, as last reported.
    works: bool,
    error: Option<String>,
}

struct Shown {
    id: String,
    since: Instant,
    /// The sender that is dropped to end the wait for a click.
    _waiting: oneshot::Sender<()>,
}

impl Centre {
    fn new(tell: Tell, seal: String) -> Self {
        let (shown, untidy, error) = (HashMap::new(), false, None);
        Self {
            tell,
            seal,
            shown,
            untidy,
            allowed: false,
            works: false,
            error,
        }
    }

    async fn run(mut self, mut inbox: Inbox) {
        self.look().await;
        loop {
            let calm = self.works && self.shown.is_empty() && !self.untidy;
            let wait = if self.works && self.untidy {
                LISTED
            } else {
                LOOK
            };
            let next = if calm {
                Ok(inbox.recv().await)
            } else {
                tokio::time::timeout(wait, inbox.recv()).await
            };
            match next {
                Ok(None) => return,
                Err(_) => self.look().await,
                Ok(Some(DesktopCommand::Withdraw { ask, handle })) => {
                    self.withdraw(&ask, handle).await;
                    (self.tell)(DesktopReport::Withdrawn { ask });
                }
                Ok(Some(DesktopCommand::Show {
                    ask,
                    target,
                    notice,
                    replaces,
                    sound,
                })) => {
                    let described = describe(&self.id(target), &self.seal, target, &notice, sound);
                    if let Err(error) = self.show(&ask, target, described, replaces).await {
                        self.fail(&error);
                    }
                }
            }
        }
    }

    fn fail(&mut self, error: &anyhow::Error) {
        self.works = false;
        self.shown.clear();
        let text = format!("{error:#}");
        if self.error.as_ref() != Some(&text) {
            (self.tell)(DesktopReport::down(error));
            self.error = Some(text);
        }
    }

    /// Asks for leave when the first notification is due: then the human sees what it is for.
    async fn ask_leave(&mut self) -> Result<()> {
        if !self.allowed {
            let asked = mac_usernotifications::request_auth().await;
            self.allowed = asked.context("Failed to ask for leave to notify")?;
        }
        ensure!(self.allowed, DesktopFault::OffForBeckon);
        Ok(())
    }

    async fn show(
        &mut self,
        ask: &AskId,
        target: ButtonTarget,
        described: mac_usernotifications::Notification,
        replaces: Option<String>,
    ) -> Result<()> {
        self.ask_leave().await?;
        let id = self.id(target);
        if let Some(former) = replaces.filter(|former| *former != id) {
            mac_usernotifications::close_delivered(&former).await;
        }
        self.shown.remove(ask);
        let sent = described.send().await;
        let handle = sent.context("Failed to show a notification")?;
        let waiting = self.wait(ask.clone(), target, handle);
        let shown = Shown {
            id: id.clone(),
            since: Instant::now(),
            _waiting: waiting,
        };
        self.shown.insert(ask.clone(), shown);
        (self.tell)(DesktopReport::Shown {
            ask: ask.clone(),
            handle: id,
        });
        Ok(())
    }

    /// Returns the id of an ask's notification. Also in a later life the same ask has the same id,
    /// so a former card is replaced.
    fn id(&self, target: ButtonTarget) -> String {
        format!("{}:{}", self.seal, target.serial)
    }

    /// Waits for a click, until the returned sender is dropped.
    fn wait(
        &self,
        ask: AskId,
        target: ButtonTarget,
        handle: NotificationHandle,
    ) -> oneshot::Sender<()> {
        let (waiting, given_up) = oneshot::channel();
        let (tell, seal) = (self.tell.clone(), self.seal.clone());
        tokio::spawn(async move {
            let response = pin!(handle.response());
            let Either::Left((Ok(response), _)) = select(response, given_up).await else {
                return;
            };
            tell(match keys::pressed(&response.action_identifier, &seal) {
                Some(PressedKey::Button(target, press)) => DesktopReport::Acted {
                    target,
                    act: NotificationAction::Press(press),
                },
                Some(PressedKey::Open) => DesktopReport::Acted {
                    target,
                    act: NotificationAction::Open,
                },
                None if response.is_default_action() => DesktopReport::Acted {
                    target,
                    act: NotificationAction::Open,
                },
                None => DesktopReport::Closed { ask },
            });
        });
        waiting
    }

    async fn withdraw(&mut self, ask: &AskId, handle: Option<String>) {
        let id = self.shown.remove(ask).map(|shown| shown.id).or(handle);
        if let Some(id) = id {
            mac_usernotifications::close_delivered(&id).await;
            self.untidy = true;
        }
    }

    /// Finds out whether we may notify, and which cards were cleared away together with all others.
    async fn look(&mut self) {
        if !self.works {
            return self.recover().await;
        }
        let there = self.tidy().await;
        let tell = self.tell.clone();
        self.shown.retain(|ask, shown| {
            let stays = shown.since.elapsed() < FRESH || there.contains(&shown.id);
            if !stays {
                tell(DesktopReport::Closed { ask: ask.clone() });
            }
            stays
        });
    }

    /// Takes away those of our cards that are not wanted any more: cards of an earlier life, or
    /// ones that were withdrawn before they were listed. Another Beckon's cards have another seal.
    /// Returns the ids of all cards that are listed.
    async fn tidy(&mut self) -> Vec<String> {
        self.untidy = false;
        let there = mac_usernotifications::get_delivered_notification_ids().await;
        let ours = format!("{}:", self.seal);
        for id in there.iter().filter(|id| id.starts_with(&ours)) {
            if !self.shown.values().any(|shown| shown.id == *id) {
                mac_usernotifications::close_delivered(id).await;
            }
        }
        there
    }

    /// Reports that notifications work (again), unless the human has turned them off.
    async fn recover(&mut self) {
        let settings = mac_usernotifications::get_notification_settings().await;
        let status = settings.map(|settings| settings.authorization_status);
        if matches!(status, Ok(AuthorizationStatus::Denied)) {
            return self.fail(&DesktopFault::OffForBeckon.into());
        }
        self.tidy().await;
        self.works = true;
        self.error = None;
        (self.tell)(DesktopReport::Up {
            name: "macOS".into(),
            can: CAN,
        });
    }
}

fn describe(
    id: &str,
    seal: &str,
    target: ButtonTarget,
    notice: &NotificationText,
    sound: NotificationSound,
) -> mac_usernotifications::Notification {
    let mut described = Notification::new();
    described
        .summary(&notice.title)
        .body(&notice.body)
        .id(id)
        .timeout(Timeout::Never);
    if sound == NotificationSound::Rings {
        described.sound_name("default");
    }
    for button in &notice.buttons {
        described.action(&keys::key(seal, target, button.press), &button.label);
    }
    // In the notification centre the cards of one project are one stack.
    match mac_usernotifications::Notification::from(&described) {
        described if notice.group.is_empty() => described,
        described => described.thread_id(&notice.group),
    }
}
