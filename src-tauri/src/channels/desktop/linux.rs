//! Linux: `org.freedesktop.Notifications` over one connection that lives as long as the program.
//!
//! The signals are subscribed before the first `Notify`: a library that subscribes afterwards
//! loses clicks when a daemon broadcasts (measured: 45 of 50). Ids of other programs arrive too and
//! are passed over. See <https://specifications.freedesktop.org/notification-spec/latest/>.

#[path = "linux/daemon.rs"]
mod daemon;
#[path = "linux/disturb.rs"]
mod disturb;
#[path = "linux/request.rs"]
mod request;

use self::daemon::{NotificationDaemon, SentNotification, told};
use super::keys::{self, PressedKey};
use super::{
    DesktopCommand, DesktopReport, NotificationAction, NotificationSound, NotificationText,
};
use crate::channels::desktop::DesktopFault;
use anyhow::{Context, Result};
use beckon_client::wire::Abilities;
use beckon_core::{AskId, ButtonTarget};
use futures_util::StreamExt;
use futures_util::future::BoxFuture;
use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{mpsc as queue, watch};
use tokio::task::JoinSet;
use tokio::time::Instant;
use zbus::{Connection, MatchRule, Message, MessageStream, message};

const NAME: &str = "org.freedesktop.Notifications";
const PATH: &str = "/org/freedesktop/Notifications";
/// Signals that wait to be read; 50 notifications cleared at once are 100 of them.
const BACKLOG: usize = 4_096;
/// A daemon that answers no call for so long hangs.
const ANSWER_WITHIN: Duration = Duration::from_secs(5);
/// With no bus at all, or a daemon that hangs, look again after so long.
const LOOK_AGAIN: Duration = Duration::from_secs(10);

type ReportSink = Arc<dyn Fn(DesktopReport) + Send + Sync>;

pub(crate) fn start(
    report: ReportSink,
    icon: Option<PathBuf>,
    seal: String,
) -> queue::UnboundedSender<DesktopCommand> {
    let (commands, inbox) = queue::unbounded_channel();
    let look =
        NotificationHints { icon: icon.unwrap_or_default().to_string_lossy().into_owned(), seal };
    tokio::spawn(run(inbox, report, look));
    commands
}

/// What every notification of this Beckon carries.
#[derive(Clone)]
struct NotificationHints {
    /// The file of our picture; daemons take a path.
    icon: String,
    /// The seal of the database.
    seal: String,
}

async fn run(
    mut queue: queue::UnboundedReceiver<DesktopCommand>,
    report: ReportSink,
    look: NotificationHints,
) {
    let mut said = None;
    loop {
        let error = match NotificationBus::open(look.clone()).await {
            Ok(bus) => {
                said = None;
                match bus.serve(&mut queue, &report).await {
                    Ok(()) => return report(DesktopReport::Ended),
                    Err(error) => error,
                }
            }
            Err(error) => error,
        };
        let text = format!("{error:#}");
        if said.as_ref() != Some(&text) {
            report(DesktopReport::down(&error));
            said = Some(text);
        }
        // Whatever is asked for meanwhile is asked for anew when the channel is up.
        let until = tokio::time::sleep(LOOK_AGAIN);
        tokio::pin!(until);
        loop {
            tokio::select! {
                () = &mut until => break,
                command = queue.recv() => if command.is_none() { return report(DesktopReport::Ended) },
            }
        }
    }
}

struct NotificationBus {
    connection: Connection,
    signals: MessageStream,
    owners: MessageStream,
    guid: String,
    look: NotificationHints,
    /// `Notify` calls that a hung daemon has not answered yet. The desk has long asked anew: what
    /// they show is closed.
    late: JoinSet<(String, Result<u32>)>,
}

impl NotificationBus {
    async fn open(look: NotificationHints) -> Result<Self> {
        let builder = zbus::connection::Builder::session()?.internal_executor(false);
        let connection = within(builder.build()).await.context(DesktopFault::NoBus)?;
        tokio::spawn(drive(connection.clone()));
        let signals =
            subscribe(&connection, MatchRule::builder().path(PATH)?.interface(NAME)?).await?;
        let owners = subscribe(
            &connection,
            MatchRule::builder()
                .sender("org.freedesktop.DBus")?
                .interface("org.freedesktop.DBus")?
                .member("NameOwnerChanged")?
                .arg(0, NAME)?,
        )
        .await?;
        let guid = connection.server_guid().to_string();
        Ok(Self { connection, signals, owners, guid, look, late: JoinSet::new() })
    }

    async fn serve(
        mut self,
        queue: &mut queue::UnboundedReceiver<DesktopCommand>,
        report: &ReportSink,
    ) -> Result<()> {
        let mut again = None;
        let mut daemon = self.meet(None, &mut again, report).await;
        loop {
            tokio::select! {
                command = queue.recv() => match (command, &mut daemon) {
                    (None, _) => return Ok(()),
                    // What is to be shown meanwhile is asked for anew when the channel is up.
                    (Some(DesktopCommand::Show { .. }), _) if again.is_some() => {}
                    (Some(command), Some(daemon)) => {
                        let done = self.carry_out(command, daemon, report).await;
                        if let Err(error) = done && again.is_none() {
                            report(DesktopReport::down(&error));
                            again = Some(Instant::now() + LOOK_AGAIN);
                        }
                    }
                    (Some(_), None) => {}
                },
                signal = self.signals.next() => {
                    let message = signal.context(DesktopFault::NoBus)??;
                    if let Some(daemon) = &mut daemon
                        && let Some(stray) = on_signal(&message, daemon, &self.look.seal, report)
                    {
                        self.close(stray, &daemon.owner).await;
                    }
                }
                change = self.owners.next() => {
                    let change = change.context(DesktopFault::NoBus)??;
                    if is_old_news(&change, daemon.as_ref()) {
                        continue;
                    }
                    again = None;
                    // What watches the former one would speak of the new one.
                    drop(daemon.take());
                    daemon = self.meet(None, &mut again, report).await;
                }
                Some(late) = self.late.join_next() => if let Ok((owner, Ok(id))) = late {
                    self.close(id, &owner).await;
                },
                on = told(&mut daemon) => {
                    let changed = self.on_disturb(on, daemon.as_mut(), report).await;
                    if let Err(error) = changed && again.is_none() {
                        report(DesktopReport::down(&error));
                        again = Some(Instant::now() + LOOK_AGAIN);
                    }
                }
                () = reached(again) => daemon = self.meet(daemon.take(), &mut again, report).await,
            }
        }
    }

    /// Finds out who shows notifications, starting it if the bus knows how. One that hangs is
    /// looked at `again` later; what it shows already still answers.
    async fn meet(
        &self,
        former: Option<NotificationDaemon>,
        again: &mut Option<Instant>,
        report: &ReportSink,
    ) -> Option<NotificationDaemon> {
        match self.introduce().await {
            Ok((mut daemon, name)) => {
                if let Some(former) = former.filter(|former| former.owner == daemon.owner) {
                    (daemon.shown, daemon.ids) = (former.shown, former.ids);
                }
                *again = None;
                daemon.watch_disturb(self.connection.clone(), name.clone()).await;
                report(DesktopReport::Up { name, can: daemon.can });
                if daemon.do_not_disturb.is_some() {
                    report(DesktopReport::DoNotDisturb(daemon.do_not_disturb));
                }
                Some(daemon)
            }
            Err(error) => {
                let hung = again.take().is_some();
                let hangs = hangs(&error);
                *again = hangs.then(|| Instant::now() + LOOK_AGAIN);
                if !(hung && hangs) {
                    report(DesktopReport::down(&error));
                }
                former.filter(|_| hangs)
            }
        }
    }

    async fn introduce(&self) -> Result<(NotificationDaemon, String)> {
        let capabilities: Vec<String> =
            self.call(NAME, "GetCapabilities", &()).await.context(DesktopFault::NoService)?;
        let (name, ..): (String, String, String, String) =
            self.call(NAME, "GetServerInformation", &()).await?;
        let dbus = zbus::fdo::DBusProxy::new(&self.connection).await?;
        let owner = within(dbus.get_name_owner(NAME.try_into()?)).await?.to_string();
        let has = |capability: &str| capabilities.iter().any(|c| c == capability);
        let daemon = NotificationDaemon {
            owner,
            can: Abilities {
                // dunst advertises actions and draws none: the body says how else to answer.
                buttons: has("actions") && name != "dunst",
                sound: has("sound"),
                keeps: has("persistence"),
            },
            draws_default: matches!(name.as_str(), "Xfce Notify Daemon" | "dunst"),
            markup: has("body-markup"),
            shown: HashMap::new(),
            ids: HashMap::new(),
            activation: None,
            do_not_disturb: None,
            told: watch::channel(None).1,
            disturb: JoinSet::new(),
        };
        Ok((daemon, name))
    }

    /// Fails when the daemon hangs.
    async fn carry_out(
        &mut self,
        command: DesktopCommand,
        daemon: &mut NotificationDaemon,
        report: &ReportSink,
    ) -> Result<()> {
        match command {
            DesktopCommand::Show { ask, target, notice, replaces, sound } => {
                let replaces = replaces.and_then(|handle| self.id_of(&handle, daemon));
                let former = daemon.ids.get(&ask).copied().or(replaces);
                self.show((ask, target), notice, former, sound, daemon, report).await?;
            }
            DesktopCommand::Withdraw { ask, handle } => {
                let of_handle = handle.and_then(|handle| self.id_of(&handle, daemon));
                if let Some(id) = daemon.ids.remove(&ask).or(of_handle) {
                    daemon.shown.remove(&id);
                    // It may have closed by itself: daemons answer that with an error.
                    let closed = self.call::<_, ()>(&daemon.owner, "CloseNotification", &id).await;
                    if let Err(error) = closed
                        && hangs(&error)
                    {
                        return Err(error);
                    }
                }
                report(DesktopReport::Withdrawn { ask });
            }
        }
        Ok(())
    }

    /// Fails when the daemon hangs.
    async fn show(
        &mut self,
        (ask, target): (AskId, ButtonTarget),
        notice: NotificationText,
        former: Option<u32>,
        sound: NotificationSound,
        daemon: &mut NotificationDaemon,
        report: &ReportSink,
    ) -> Result<()> {
        match self.notify(target, &notice, former, sound, daemon).await {
            Ok(id) => {
                let held = daemon.held(former, notice, sound);
                daemon.shown.insert(id, SentNotification { ask: ask.clone(), target, held });
                daemon.ids.insert(ask.clone(), id);
                let handle = format!("{}/{}/{id}", self.guid, daemon.owner);
                report(DesktopReport::Shown { ask, handle });
            }
            Err(error) if hangs(&error) => return Err(error),
            Err(error) => {
                tracing::warn!(%ask, error = format!("{error:#}"), "a notification was not shown");
            }
        }
        Ok(())
    }

    /// It is told something else: what came without a sign is shown again once it may disturb.
    async fn on_disturb(
        &mut self,
        on: Option<bool>,
        daemon: Option<&mut NotificationDaemon>,
        report: &ReportSink,
    ) -> Result<()> {
        let Some(daemon) = daemon.filter(|daemon| daemon.do_not_disturb != on) else {
            return Ok(());
        };
        daemon.do_not_disturb = on;
        report(DesktopReport::DoNotDisturb(on));
        if on == Some(true) {
            return Ok(());
        }
        for (id, ask, target, (notice, sound)) in daemon.take_held() {
            self.show((ask, target), notice, Some(id), sound, daemon, report).await?;
        }
        Ok(())
    }

    /// Closes a card that nothing here knows as its own any more.
    async fn close(&self, id: u32, owner: &str) {
        if let Err(error) = self.call::<_, ()>(owner, "CloseNotification", &id).await {
            tracing::debug!(error = format!("{error:#}"), "a stray card was closed already");
        }
    }

    /// An id from an earlier life, if the same daemon still runs on the same bus: another daemon
    /// may have given the same number to another program's notification.
    fn id_of(&self, handle: &str, daemon: &NotificationDaemon) -> Option<u32> {
        let id = handle.strip_prefix(&format!("{}/{}/", self.guid, daemon.owner))?;
        id.parse().ok()
    }

    async fn notify(
        &mut self,
        target: ButtonTarget,
        notice: &NotificationText,
        former: Option<u32>,
        sound: NotificationSound,
        daemon: &NotificationDaemon,
    ) -> Result<u32> {
        let critical = request::is_critical(notice, daemon.do_not_disturb);
        let args = (
            "Beckon",
            former.unwrap_or(0),
            self.look.icon.clone(),
            notice.title.clone(),
            request::body(notice, daemon.can.buttons, daemon.markup),
            request::actions(&self.look.seal, target, notice, daemon.draws_default),
            request::hints(target, critical, sound, daemon.can),
            request::stays_for(notice),
        );
        let (connection, owner) = (self.connection.clone(), daemon.owner.clone());
        let mut call: BoxFuture<'static, Result<u32>> = Box::pin(async move {
            let to = Some(owner.as_str());
            let call = connection.call_method(to, PATH, Some(NAME), "Notify", &args);
            Ok(call.await?.body().deserialize()?)
        });
        match tokio::time::timeout(ANSWER_WITHIN, &mut call).await {
            Ok(shown) => shown.context("Failed to call Notify"),
            Err(elapsed) => {
                let owner = daemon.owner.clone();
                self.late.spawn(async move { (owner, call.await) });
                Err(elapsed).context("Failed to call Notify: it does not answer")
            }
        }
    }

    /// What is about a card goes to the daemon that shows it, by its unique name: of one that has taken
    /// its place, and of which nothing was heard yet, the same number is another program's.
    async fn call<A, R>(&self, to: &str, method: &str, args: &A) -> Result<R>
    where
        A: serde::Serialize + zbus::zvariant::DynamicType,
        R: serde::de::DeserializeOwned + zbus::zvariant::Type,
    {
        let call = self.connection.call_method(Some(to), PATH, Some(NAME), method, args);
        let reply = within(call).await.with_context(|| format!("Failed to call {method}"))?;
        Ok(reply.body().deserialize()?)
    }
}

async fn subscribe(
    connection: &Connection,
    rule: zbus::match_rule::Builder<'_>,
) -> Result<MessageStream> {
    let rule = rule.msg_type(message::Type::Signal).build();
    within(MessageStream::for_match_rule(rule, connection, Some(BACKLOG))).await
}

async fn within<T, E>(work: impl Future<Output = Result<T, E>>) -> Result<T>
where
    E: std::error::Error + Send + Sync + 'static,
{
    let timed = tokio::time::timeout(ANSWER_WITHIN, work).await;
    Ok(timed.context("it does not answer")??)
}

/// No answer in time, where a refusal is an answer too.
fn hangs(error: &anyhow::Error) -> bool {
    error.is::<tokio::time::error::Elapsed>()
}

async fn reached(at: Option<Instant>) {
    match at {
        Some(at) => tokio::time::sleep_until(at).await,
        None => std::future::pending().await,
    }
}

/// Is it told of somebody who had gone before this daemon was met? Whoever stood still hears of all that
/// came and went meanwhile, and has met the last of them by then.
fn is_old_news(change: &Message, daemon: Option<&NotificationDaemon>) -> bool {
    let told: Result<(String, String, String), _> = change.body().deserialize();
    let left = told.map(|(_, left, _)| left).unwrap_or_default();
    daemon.is_some_and(|daemon| daemon.owner != left)
}

/// Tells what a signal means. A press on a card that is not known, because Beckon was killed before
/// it noted the card's id, counts by its key; that card is returned, to be closed.
fn on_signal(
    message: &Message,
    daemon: &mut NotificationDaemon,
    seal: &str,
    report: &ReportSink,
) -> Option<u32> {
    let header = message.header();
    // Ids and keys are small numbers: any program on the bus could guess them.
    if header.sender().is_none_or(|sender| *sender.as_str() != *daemon.owner) {
        return None;
    }
    match header.member().map(|member| member.as_str()) {
        Some("ActionInvoked") => {
            let (id, key) = message.body().deserialize::<(u32, String)>().ok()?;
            on_action(id, keys::pressed(&key, seal)?, daemon, report)
        }
        // Comes before the press that it is for.
        Some("ActivationToken") => {
            daemon.activation = message.body().deserialize().ok();
            None
        }
        Some("NotificationClosed") => {
            let (id, _reason) = message.body().deserialize::<(u32, u32)>().ok()?;
            let SentNotification { ask, .. } = daemon.shown.remove(&id)?;
            daemon.ids.remove(&ask);
            report(DesktopReport::Closed { ask });
            None
        }
        _ => None,
    }
}

fn on_action(
    id: u32,
    pressed: PressedKey,
    daemon: &mut NotificationDaemon,
    report: &ReportSink,
) -> Option<u32> {
    let token = daemon.activation.take().filter(|(of, _)| *of == id);
    let shown = daemon.shown.get(&id).map(|shown| shown.target.serial);
    match (pressed, shown) {
        (PressedKey::Open, Some(serial)) => {
            report(DesktopReport::Opened { serial, activation: token.map(|(_, token)| token) });
        }
        (PressedKey::Button(target, press), shown)
            if shown.is_none_or(|own| own == target.serial) =>
        {
            report(DesktopReport::Acted { target, act: NotificationAction::Press(press) });
        }
        _ => {}
    }
    let stray = shown.is_none() && matches!(pressed, PressedKey::Button(..));
    stray.then_some(id)
}

/// Reads the bus on our own thread: another one would be woken for every message.
async fn drive(connection: Connection) {
    loop {
        connection.executor().tick().await;
    }
}
