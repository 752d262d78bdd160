//! Linux: `org.freedesktop.Notifications` over one connection that lives as long as the program.
//!
//! The signals are subscribed before the first `Notify`: a library that subscribes afterwards
//! loses clicks when a daemon broadcasts (measured: 45 of 50). Ids of other programs arrive too and
//! are passed over. See <https://specifications.freedesktop.org/notification-spec/latest/>.

use super::{Act, Command, Notice, Report};
use anyhow::{Context, Result};
use beckon_core::{AskId, Press};
use futures_util::StreamExt;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::mpsc as queue;
use tokio::time::Instant;
use zbus::zvariant::Value;
use zbus::{Connection, MatchRule, Message, MessageStream, message};

const NAME: &str = "org.freedesktop.Notifications";
const PATH: &str = "/org/freedesktop/Notifications";
/// Signals that wait to be read; 50 notifications cleared at once are 100 of them.
const BACKLOG: usize = 4_096;
/// A daemon that answers no call for so long hangs.
const ANSWER_WITHIN: Duration = Duration::from_secs(5);
/// With no bus at all, or a daemon that hangs, look again after so long.
const LOOK_AGAIN: Duration = Duration::from_secs(10);

type Reporter = Arc<dyn Fn(Report) + Send + Sync>;

pub(crate) fn start(report: Reporter, icon: Option<PathBuf>) -> queue::UnboundedSender<Command> {
    let (commands, inbox) = queue::unbounded_channel();
    tokio::spawn(run(inbox, report, icon.unwrap_or_default()));
    commands
}

async fn run(mut queue: queue::UnboundedReceiver<Command>, report: Reporter, icon: PathBuf) {
    let mut said = None;
    loop {
        let error = match Bus::open(&icon).await {
            Ok(bus) => {
                said = None;
                match bus.serve(&mut queue, &report).await {
                    Ok(()) => return report(Report::Ended),
                    Err(error) => error,
                }
            }
            Err(error) => error,
        };
        let text = format!("{error:#}");
        if said.as_ref() != Some(&text) {
            report(Report::Down { error: text.clone() });
            said = Some(text);
        }
        // Whatever is asked for meanwhile is asked for anew when the channel is up.
        let until = tokio::time::sleep(LOOK_AGAIN);
        tokio::pin!(until);
        loop {
            tokio::select! {
                () = &mut until => break,
                command = queue.recv() => if command.is_none() { return report(Report::Ended) },
            }
        }
    }
}

struct Bus {
    connection: Connection,
    signals: MessageStream,
    owners: MessageStream,
    guid: String,
    /// The file of our picture; daemons take a path.
    icon: String,
}

/// The daemon as it is now, and what we show on it.
struct Daemon {
    owner: String,
    buttons: bool,
    draws_default: bool,
    markup: bool,
    shown: HashMap<u32, (AskId, u64)>,
    ids: HashMap<AskId, u32>,
}

impl Bus {
    async fn open(icon: &Path) -> Result<Self> {
        let connection = within(zbus::connection::Builder::session()?.build())
            .await
            .context("Failed to reach the session bus")?;
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
        let icon = icon.to_string_lossy().into_owned();
        Ok(Self { connection, signals, owners, guid, icon })
    }

    async fn serve(
        mut self,
        queue: &mut queue::UnboundedReceiver<Command>,
        report: &Reporter,
    ) -> Result<()> {
        let mut again = None;
        let mut daemon = self.meet(None, &mut again, report).await;
        loop {
            tokio::select! {
                command = queue.recv() => match (command, &mut daemon) {
                    (None, _) => return Ok(()),
                    // What is to be shown meanwhile is asked for anew when the channel is up.
                    (Some(Command::Show { .. }), _) if again.is_some() => {}
                    (Some(command), Some(daemon)) => {
                        let done = self.carry_out(command, daemon, report).await;
                        if let Err(error) = done && again.is_none() {
                            report(Report::Down { error: format!("{error:#}") });
                            again = Some(Instant::now() + LOOK_AGAIN);
                        }
                    }
                    (Some(_), None) => {}
                },
                signal = self.signals.next() => {
                    let message = signal.context("Failed to listen: the session bus is gone")??;
                    if let Some(daemon) = &mut daemon {
                        on_signal(&message, daemon, report);
                    }
                }
                change = self.owners.next() => {
                    change.context("Failed to listen: the session bus is gone")??;
                    again = None;
                    daemon = self.meet(None, &mut again, report).await;
                }
                () = reached(again) => daemon = self.meet(daemon.take(), &mut again, report).await,
            }
        }
    }

    /// Finds out who shows notifications, starting it if the bus knows how. One that hangs is
    /// looked at `again` later; what it shows already still answers.
    async fn meet(
        &self,
        former: Option<Daemon>,
        again: &mut Option<Instant>,
        report: &Reporter,
    ) -> Option<Daemon> {
        match self.introduce().await {
            Ok((mut daemon, name)) => {
                if let Some(former) = former.filter(|former| former.owner == daemon.owner) {
                    (daemon.shown, daemon.ids) = (former.shown, former.ids);
                }
                *again = None;
                report(Report::Up { name });
                Some(daemon)
            }
            Err(error) => {
                let hung = again.take().is_some();
                let hangs = hangs(&error);
                *again = hangs.then(|| Instant::now() + LOOK_AGAIN);
                if !(hung && hangs) {
                    report(Report::Down { error: format!("{error:#}") });
                }
                former.filter(|_| hangs)
            }
        }
    }

    async fn introduce(&self) -> Result<(Daemon, String)> {
        let capabilities: Vec<String> = self
            .call("GetCapabilities", &())
            .await
            .context("Failed to find a notification service on this desktop")?;
        let (name, ..): (String, String, String, String) =
            self.call("GetServerInformation", &()).await?;
        let dbus = zbus::fdo::DBusProxy::new(&self.connection).await?;
        let owner = within(dbus.get_name_owner(NAME.try_into()?)).await?.to_string();
        let has = |capability: &str| capabilities.iter().any(|c| c == capability);
        let daemon = Daemon {
            owner,
            // dunst advertises actions and draws none: the body says how else to answer.
            buttons: has("actions") && name != "dunst",
            draws_default: matches!(name.as_str(), "Xfce Notify Daemon" | "dunst"),
            markup: has("body-markup"),
            shown: HashMap::new(),
            ids: HashMap::new(),
        };
        Ok((daemon, name))
    }

    /// Fails when the daemon hangs.
    async fn carry_out(
        &self,
        command: Command,
        daemon: &mut Daemon,
        report: &Reporter,
    ) -> Result<()> {
        match command {
            Command::Show { ask, serial, notice, replaces } => {
                let former = daemon
                    .ids
                    .get(&ask)
                    .copied()
                    .or_else(|| replaces.and_then(|handle| self.id_of(&handle, daemon)));
                match self.notify(serial, &notice, former, daemon).await {
                    Ok(id) => {
                        daemon.shown.insert(id, (ask.clone(), serial));
                        daemon.ids.insert(ask.clone(), id);
                        let handle = format!("{}/{}/{id}", self.guid, daemon.owner);
                        report(Report::Shown { ask, handle });
                    }
                    Err(error) if hangs(&error) => return Err(error),
                    Err(error) => {
                        tracing::warn!(%ask, error = format!("{error:#}"), "a notification was not shown");
                    }
                }
            }
            Command::Withdraw { ask, handle } => {
                let of_handle = handle.and_then(|handle| self.id_of(&handle, daemon));
                let Some(id) = daemon.ids.remove(&ask).or(of_handle) else { return Ok(()) };
                daemon.shown.remove(&id);
                // It may have closed by itself: daemons answer that with an error.
                if let Err(error) = self.call::<_, ()>("CloseNotification", &id).await
                    && hangs(&error)
                {
                    return Err(error);
                }
            }
        }
        Ok(())
    }

    /// An id from an earlier life, if the same daemon still runs on the same bus: another daemon
    /// may have given the same number to another program's notification.
    fn id_of(&self, handle: &str, daemon: &Daemon) -> Option<u32> {
        let id = handle.strip_prefix(&format!("{}/{}/", self.guid, daemon.owner))?;
        id.parse().ok()
    }

    async fn notify(
        &self,
        serial: u64,
        notice: &Notice,
        former: Option<u32>,
        daemon: &Daemon,
    ) -> Result<u32> {
        let body = body(notice, daemon);
        let actions = actions(serial, notice, daemon.draws_default);
        let hints = hints(serial, notice);
        let args = (
            "Beckon",
            former.unwrap_or(0),
            self.icon.as_str(),
            notice.title.as_str(),
            body,
            actions,
            hints,
            stays_for(notice),
        );
        self.call("Notify", &args).await
    }

    async fn call<A, R>(&self, method: &str, args: &A) -> Result<R>
    where
        A: serde::Serialize + zbus::zvariant::DynamicType,
        R: serde::de::DeserializeOwned + zbus::zvariant::Type,
    {
        let call = self.connection.call_method(Some(NAME), PATH, Some(NAME), method, args);
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

fn on_signal(message: &Message, daemon: &mut Daemon, report: &Reporter) {
    let header = message.header();
    // Ids and keys are small numbers: any program on the bus could guess them.
    if header.sender().is_none_or(|sender| *sender.as_str() != *daemon.owner) {
        return;
    }
    match header.member().map(|member| member.as_str()) {
        Some("ActionInvoked") => {
            let Ok((id, key)) = message.body().deserialize::<(u32, String)>() else { return };
            let Some((_, serial)) = daemon.shown.get(&id) else { return };
            if let Some(act) = act(&key, *serial) {
                report(Report::Acted { serial: *serial, act });
            }
        }
        Some("NotificationClosed") => {
            let Ok((id, _reason)) = message.body().deserialize::<(u32, u32)>() else { return };
            if let Some((ask, _)) = daemon.shown.remove(&id) {
                daemon.ids.remove(&ask);
                report(Report::Closed { ask });
            }
        }
        _ => {}
    }
}

/// Keys carry the ask's serial, which is never used twice: a press on a card of an earlier life
/// finds its ask or nothing.
fn key(serial: u64, act: Act) -> String {
    let what = match act {
        // The name that daemons give to a click on the body.
        Act::Open => return "default".into(),
        Act::Press(Press::Choose { question, choice }) => format!("{question}.{choice}"),
        Act::Press(Press::Once) => "once".into(),
        Act::Press(Press::Reject) => "reject".into(),
        Act::Press(Press::Continue) => "continue".into(),
        Act::Press(Press::Cancel) => "cancel".into(),
        Act::Press(Press::Dismiss) => "dismiss".into(),
    };
    format!("{serial}:{what}")
}

fn act(key: &str, serial: u64) -> Option<Act> {
    if key == "default" || key == "open" {
        return Some(Act::Open);
    }
    let what = key.strip_prefix(&format!("{serial}:"))?;
    let press = match what {
        "once" => Press::Once,
        "reject" => Press::Reject,
        "continue" => Press::Continue,
        "cancel" => Press::Cancel,
        "dismiss" => Press::Dismiss,
        indices => {
            let (question, choice) = indices.split_once('.')?;
            Press::Choose { question: question.parse().ok()?, choice: choice.parse().ok()? }
        }
    };
    Some(Act::Press(press))
}

/// A click on the body is the action `default`; where the daemon draws that as a button too, it
/// serves as the "Answer…" button.
fn actions(serial: u64, notice: &Notice, draws_default: bool) -> Vec<String> {
    let mut actions = Vec::new();
    for button in &notice.buttons {
        let key = match button.press {
            Act::Open if draws_default => continue,
            Act::Open => "open".to_owned(),
            press => key(serial, press),
        };
        actions.extend([key, button.label.clone()]);
    }
    let open = notice.buttons.iter().find(|button| button.press == Act::Open);
    actions.extend(open.into_iter().flat_map(|open| [key(serial, Act::Open), open.label.clone()]));
    actions
}

fn body(notice: &Notice, daemon: &Daemon) -> String {
    let mut text = notice.body.clone();
    let answers: Vec<&str> = notice
        .buttons
        .iter()
        .filter(|button| button.press != Act::Open)
        .map(|button| button.label.as_str())
        .collect();
    if !daemon.buttons && !notice.elsewhere.is_empty() {
        text = format!("{text}\n[{}]\n{}", answers.join("] ["), notice.elsewhere);
        text = text.replace("\n[]", "");
    }
    if daemon.markup { escape(&text) } else { text }
}

/// Milliseconds; 0 is until it is closed.
fn stays_for(notice: &Notice) -> i32 {
    if notice.urgent { 0 } else { 8_000 }
}

/// The specification's markup is XML: <https://specifications.freedesktop.org/notification-spec/latest/markup.html>
fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

fn hints(serial: u64, notice: &Notice) -> HashMap<&'static str, Value<'static>> {
    let urgency: u8 = if notice.urgent { 2 } else { 1 };
    HashMap::from([
        ("urgency", Value::from(urgency)),
        ("category", Value::from("im.received")),
        ("desktop-entry", Value::from("beckon")),
        ("sound-name", Value::from("message-new-instant")),
        // Should Beckon die between showing and noting the id, dunst replaces instead of doubling.
        ("x-dunst-stack-tag", Value::from(format!("beckon-{serial}"))),
    ])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_button_comes_back_as_what_it_was() {
        let presses = [
            Press::Choose { question: 0, choice: 3 },
            Press::Once,
            Press::Reject,
            Press::Continue,
            Press::Cancel,
            Press::Dismiss,
        ];
        for act_sent in presses.map(Act::Press).into_iter().chain([Act::Open]) {
            assert_eq!(act(&key(7, act_sent), 7), Some(act_sent));
        }
    }

    #[test]
    fn a_key_of_another_ask_or_another_program_is_nothing() {
        for strange in ["8:once", "once", "7:", "7:0", "7:a.b", "inline-reply"] {
            assert_eq!(act(strange, 7), None, "{strange}");
        }
    }

    #[test]
    fn markup_in_an_agents_text_is_shown_not_obeyed() {
        assert_eq!(escape("<b>a & b</b>"), "&lt;b&gt;a &amp; b&lt;/b&gt;");
    }
}
