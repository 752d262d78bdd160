//! Notifications on Linux: `org.freedesktop.Notifications` over one connection that lives as long
//! as the program.
//!
//! The signals are subscribed before the first `Notify`: a library that subscribes afterwards loses
//! clicks when a daemon broadcasts (measured: 45 of 50). Ids of other programs arrive too and are
//! passed over. See <https://specifications.freedesktop.org/notification-spec/latest/>.
//!
//! This file finds out which daemon shows notifications, and has the loop that serves it. The cards
//! on the daemon are in `cards`, the signals that it sends of them in `signals`.

#[path = "linux/cards.rs"]
mod cards;
#[path = "linux/daemon.rs"]
mod daemon;
#[path = "linux/disturb.rs"]
mod disturb;
#[path = "linux/request.rs"]
mod request;
#[path = "linux/signals.rs"]
mod signals;

use self::daemon::{Extras, NotificationDaemon, told};
use self::signals::{is_old_news, on_signal};
use super::{
    DesktopCommand, DesktopReport, NotificationAction, NotificationSound, NotificationText,
};
use crate::channels::desktop::DesktopFault;
use crate::platform::part::{self, Part};
use anyhow::{Context, Result};
use beckon_client::wire::Abilities;
use futures_util::StreamExt;
use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{mpsc as queue, watch};
use tokio::task::JoinSet;
use tokio::time::Instant;
use zbus::{Connection, MatchRule, MessageStream, message};

const NAME: &str = "org.freedesktop.Notifications";
const PATH: &str = "/org/freedesktop/Notifications";
/// The number of signals that may wait to be read. Clearing 50 notifications at once sends 100.
const BACKLOG: usize = 4_096;
/// The time after which a daemon that has not answered a call is taken to hang.
const ANSWER_WITHIN: Duration = Duration::from_secs(5);
/// The pause before the next try where there is no bus, or the daemon hangs.
const LOOK_AGAIN: Duration = Duration::from_secs(10);

type ReportSink = Arc<dyn Fn(DesktopReport) + Send + Sync>;

pub(crate) fn start(
    report: ReportSink,
    icon: Option<PathBuf>,
    seal: String,
    over: String,
) -> queue::UnboundedSender<DesktopCommand> {
    let (commands, inbox) = queue::unbounded_channel();
    let look = NotificationHints {
        icon: icon.unwrap_or_default().to_string_lossy().into_owned(),
        seal,
        over,
    };
    if Part::Notifications.is_left_out() {
        // The phone rings then, even if the human is here.
        report(DesktopReport::Down {
            why: DesktopFault::LeftOut,
            reason: String::new(),
        });
    }
    tokio::spawn(Part::Notifications.run(run(inbox, report, look)));
    commands
}

/// The details that every notification of this Beckon carries.
#[derive(Clone)]
struct NotificationHints {
    /// The path of Beckon's picture; daemons take a path.
    icon: String,
    /// The seal of the database, see `keys`.
    seal: String,
    /// The text that a request is over.
    over: String,
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
        // Shows are dropped meanwhile: the desk repeats them when the channel works.
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
    /// The `Notify` calls that a hung daemon has not answered yet. The desk has repeated them long
    /// ago, so a card that such a late call makes is closed.
    late: JoinSet<(String, Result<u32>)>,
}

impl NotificationBus {
    async fn open(look: NotificationHints) -> Result<Self> {
        let builder = zbus::connection::Builder::session()?.internal_executor(false);
        let connection = within(builder.build()).await.context(DesktopFault::NoBus)?;
        part::spawn(drive(connection.clone()));
        let signals = subscribe(
            &connection,
            MatchRule::builder().path(PATH)?.interface(NAME)?,
        )
        .await?;
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
        Ok(Self {
            connection,
            signals,
            owners,
            guid,
            look,
            late: JoinSet::new(),
        })
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
                    // Shows are dropped meanwhile: the desk repeats them when the channel works.
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
                    // The task that watches the former daemon would report about the new one.
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

    /// Finds out which daemon shows notifications; the bus starts it if it knows how. For a daemon
    /// that hangs `again` is set to the next try; the cards that it shows already still answer.
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
                daemon
                    .watch_disturb(self.connection.clone(), name.clone())
                    .await;
                report(DesktopReport::Up {
                    name,
                    can: daemon.can,
                });
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
        let capabilities: Vec<String> = self
            .call(NAME, "GetCapabilities", &())
            .await
            .context(DesktopFault::NoService)?;
        let name = self.name_of_daemon().await?;
        let dbus = zbus::fdo::DBusProxy::new(&self.connection).await?;
        let owner = within(dbus.get_name_owner(NAME.try_into()?))
            .await?
            .to_string();
        let has = |capability: &str| capabilities.iter().any(|c| c == capability);
        let daemon = NotificationDaemon {
            owner,
            can: Abilities {
                // Otherwise the text says how to answer.
                buttons: has("actions") && daemon::draws_buttons(&name),
                sound: has("sound"),
                keeps: has("persistence"),
            },
            extras: Extras {
                origin: has("x-kde-origin-name"),
                reply: has("inline-reply"),
            },
            draws_default: matches!(name.as_str(), "Xfce Notify Daemon" | "dunst"),
            has_history: name == "dunst",
            markup: has("body-markup"),
            fills_places: daemon::fills_places(&name),
            pressed: None,
            shown: HashMap::new(),
            ids: HashMap::new(),
            activation: None,
            do_not_disturb: None,
            told: watch::channel(None).1,
            disturb: JoinSet::new(),
        };
        Ok((daemon, name))
    }

    /// Returns what the daemon calls itself. One that does not say shows cards all the same
    /// (<https://github.com/puppylinux-woof-CE/woof-CE/pull/4072>).
    async fn name_of_daemon(&self) -> Result<String> {
        let told: Result<(String, String, String, String)> =
            self.call(NAME, "GetServerInformation", &()).await;
        match told {
            Ok((name, ..)) => Ok(name),
            Err(error) if hangs(&error) => Err(error),
            Err(error) => {
                tracing::debug!(error = format!("{error:#}"), "the daemon has no name");
                Ok(NAME.to_owned())
            }
        }
    }

    /// Calls a method of the daemon `to`. A call about a card goes to the daemon that shows it, by
    /// its unique name. Another daemon may have taken its place unnoticed, and there the same
    /// number is another program's card.
    async fn call<A, R>(&self, to: &str, method: &str, args: &A) -> Result<R>
    where
        A: serde::Serialize + zbus::zvariant::DynamicType,
        R: serde::de::DeserializeOwned + zbus::zvariant::Type,
    {
        let call = self
            .connection
            .call_method(Some(to), PATH, Some(NAME), method, args);
        let reply = within(call)
            .await
            .with_context(|| format!("Failed to call {method}"))?;
        Ok(reply.body().deserialize()?)
    }
}

async fn subscribe(
    connection: &Connection,
    rule: zbus::match_rule::Builder<'_>,
) -> Result<MessageStream> {
    let rule = rule.msg_type(message::Type::Signal).build();
    within(MessageStream::for_match_rule(
        rule,
        connection,
        Some(BACKLOG),
    ))
    .await
}

async fn within<T, E>(work: impl Future<Output = Result<T, E>>) -> Result<T>
where
    E: std::error::Error + Send + Sync + 'static,
{
    let timed = tokio::time::timeout(ANSWER_WITHIN, work).await;
    Ok(timed.context("it does not answer")??)
}

/// Whether the error is that no answer came in time. A refusal is an answer.
fn hangs(error: &anyhow::Error) -> bool {
    error.is::<tokio::time::error::Elapsed>()
}

async fn reached(at: Option<Instant>) {
    match at {
        Some(at) => tokio::time::sleep_until(at).await,
        None => std::future::pending().await,
    }
}

/// Reads the bus on our own thread: a thread of zbus's own would be woken for every message.
async fn drive(connection: Connection) {
    loop {
        connection.executor().tick().await;
    }
}
