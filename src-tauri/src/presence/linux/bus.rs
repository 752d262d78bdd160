//! A connection to a message bus, for one backend: calls with a time limit, signals in one queue.
//!
//! Not here: what is said on it.

use crate::platform::part;
use anyhow::{Context, Result, bail};
use futures_util::StreamExt;
use std::time::Duration;
use tokio::task::AbortHandle;
use zbus::fdo::DBusProxy;
use zbus::message::Type;
use zbus::names::{BusName, OwnedUniqueName};
use zbus::{Connection, MatchRule, Message, MessageStream};

/// The time after which a service that has not answered a call is taken to hang.
const ANSWER_WITHIN: Duration = Duration::from_secs(5);

/// The kind of bus.
#[derive(Clone, Copy, Debug)]
pub(super) enum BusKind {
    Session,
    System,
}

/// The connection.
pub(super) struct PresenceBus {
    connection: Connection,
    messages: MessageStream,
    work: AbortHandle,
}

impl PresenceBus {
    pub(super) async fn open(which: BusKind) -> Result<Self> {
        let builder = match which {
            BusKind::Session => zbus::connection::Builder::session()?,
            BusKind::System => zbus::connection::Builder::system()?,
        };
        // Our runtime does its work: a thread for each connection would cost memory all day long.
        let builder = builder
            .internal_executor(false)
            .method_timeout(ANSWER_WITHIN);
        let connecting = tokio::time::timeout(ANSWER_WITHIN, builder.build()).await;
        let connection = connecting
            .context("it does not answer")?
            .with_context(|| failed(which))?;
        let executor = connection.executor().clone();
        let work = part::spawn(async move {
            loop {
                executor.tick().await;
            }
        });
        let messages = MessageStream::from(&connection);
        Ok(Self {
            connection,
            messages,
            work: work.abort_handle(),
        })
    }

    /// Lets signals that match `rule` into the queue.
    pub(super) async fn listen(&self, rule: MatchRule<'_>) -> Result<()> {
        let bus = DBusProxy::new(&self.connection).await?;
        bus.add_match_rule(rule)
            .await
            .context("Failed to listen for signals")
    }

    /// Lets signals into the queue that tell when `name` gets another owner, or none.
    pub(super) async fn listen_for_owner(&self, name: &str) -> Result<()> {
        let rule = MatchRule::builder()
            .msg_type(Type::Signal)
            .sender("org.freedesktop.DBus")?
            .member("NameOwnerChanged")?
            .arg(0, name)?;
        self.listen(rule.build()).await
    }

    /// Returns the owner of `name`, if there is one. No service is started.
    pub(super) async fn owner(&self, name: &str) -> Result<Option<OwnedUniqueName>> {
        let bus = DBusProxy::new(&self.connection).await?;
        match bus.get_name_owner(BusName::try_from(name)?).await {
            Ok(owner) => Ok(Some(owner)),
            Err(zbus::fdo::Error::NameHasNoOwner(_)) => Ok(None),
            Err(error) => Err(error).with_context(|| format!("Failed to find {name}")),
        }
    }

    /// Calls a method.
    pub(super) async fn call<A, R>(
        &self,
        to: &OwnedUniqueName,
        path: &str,
        interface: &str,
        method: &str,
        args: &A,
    ) -> Result<R>
    where
        A: serde::Serialize + zbus::zvariant::DynamicType,
        R: serde::de::DeserializeOwned + zbus::zvariant::Type,
    {
        let call = self
            .connection
            .call_method(Some(to), path, Some(interface), method, args);
        let reply = call
            .await
            .with_context(|| format!("Failed to call {method}"))?;
        Ok(reply.body().deserialize()?)
    }

    /// Waits for the next signal.
    pub(super) async fn signal(&mut self) -> Result<Message> {
        loop {
            match self.messages.next().await {
                Some(Ok(message)) if message.message_type() == Type::Signal => return Ok(message),
                Some(Ok(_)) => {}
                Some(Err(error)) => return Err(error).context("Failed to listen"),
                None => bail!("Failed to listen: the bus is gone"),
            }
        }
    }
}

impl Drop for PresenceBus {
    fn drop(&mut self) {
        self.work.abort();
    }
}

/// Returns a signal's member, if `owner` sent it: any program on the bus could send a like one.
pub(super) fn member_from(message: &Message, owner: &OwnedUniqueName) -> Option<String> {
    let header = message.header();
    let sent = header
        .sender()
        .is_some_and(|sender| sender == owner.inner());
    header
        .member()
        .filter(|_| sent)
        .map(|member| member.to_string())
}

/// Reads a signal of the bus itself that a name has another owner. Returns the name, and whether it
/// has an owner now.
pub(super) fn new_owner(message: &Message) -> Option<(String, bool)> {
    let header = message.header();
    let from_bus = header
        .sender()
        .is_some_and(|sender| sender == "org.freedesktop.DBus");
    if !from_bus
        || header
            .member()
            .is_none_or(|member| member != "NameOwnerChanged")
    {
        return None;
    }
    let (name, _, owner): (String, String, String) = message.body().deserialize().ok()?;
    Some((name, !owner.is_empty()))
}

fn failed(which: BusKind) -> &'static str {
    match which {
        BusKind::Session => "Failed to reach the session bus",
        BusKind::System => "Failed to reach the system bus",
    }
}
