//! Linux: the Secret Service, as GNOME Keyring, `KWallet` and `KeePassXC` offer it
//! (<https://specifications.freedesktop.org/secret-service-spec/latest/>).

use futures_util::StreamExt;
use keyring_core::api::CredentialStoreApi;
use std::sync::Arc;
use zbus::names::BusName;
use zbus::zvariant::OwnedObjectPath;
use zbus::{Connection, MatchRule, MessageStream, blocking};

const NAME: &str = "org.freedesktop.secrets";
const SERVICE: &str = "/org/freedesktop/secrets";
/// The collection of secrets that name no other place.
const COLLECTION: &str = "/org/freedesktop/secrets/aliases/default";

pub(super) fn open() -> keyring_core::Result<Arc<dyn CredentialStoreApi + Send + Sync>> {
    Ok(zbus_secret_service_keyring_store::Store::new()?)
}

/// Tells whether the collection is locked now. Asks nobody to unlock it.
pub(super) fn is_locked() -> bool {
    let look = || -> zbus::Result<bool> {
        let bus = blocking::Connection::session()?;
        let interface = "org.freedesktop.Secret.Collection";
        blocking::Proxy::new(&bus, NAME, COLLECTION, interface)?.get_property("Locked")
    };
    look().unwrap_or(false)
}

/// Whether the service has no collection for new entries. That is not a locked one: there is
/// nothing to unlock (<https://github.com/juliansteenbakker/flutter_secure_storage/pull/1177>).
pub(super) fn has_no_place() -> bool {
    let look = || -> zbus::Result<OwnedObjectPath> {
        let bus = blocking::Connection::session()?;
        let service = blocking::Proxy::new(&bus, NAME, SERVICE, "org.freedesktop.Secret.Service")?;
        service.call("ReadAlias", &"default")
    };
    look().is_ok_and(|collection| collection.as_str() == "/")
}

/// Waits until the service is on the bus.
pub(super) async fn appeared() -> zbus::Result<()> {
    let bus = connect().await?;
    tokio::select! {
        appeared = has_owner(&bus) => appeared,
        () = drive(&bus) => Ok(()),
    }
}

/// Waits until something of the service has changed; most likely it was locked or unlocked.
pub(super) async fn unlocked() -> zbus::Result<()> {
    let bus = connect().await?;
    tokio::select! {
        unlocked = has_changed(&bus) => unlocked,
        () = drive(&bus) => Ok(()),
    }
}

async fn connect() -> zbus::Result<Connection> {
    zbus::connection::Builder::session()?
        .internal_executor(false)
        .build()
        .await
}

async fn has_changed(bus: &Connection) -> zbus::Result<()> {
    let changes = MatchRule::builder()
        .msg_type(zbus::message::Type::Signal)
        .sender(NAME)?
        .interface("org.freedesktop.DBus.Properties")?
        .build();
    let mut changes = MessageStream::for_match_rule(changes, bus, None).await?;
    changes
        .next()
        .await
        .ok_or(zbus::Error::InvalidReply)?
        .map(drop)
}

/// Waits until the service has an owner. The signal is awaited before the first look, so that
/// nothing between the two is missed.
async fn has_owner(bus: &Connection) -> zbus::Result<()> {
    let daemon = zbus::fdo::DBusProxy::new(bus).await?;
    let mut changes = daemon
        .receive_name_owner_changed_with_args(&[(0, NAME)])
        .await?;
    if daemon.name_has_owner(BusName::try_from(NAME)?).await? {
        return Ok(());
    }
    while let Some(change) = changes.next().await {
        if change.args()?.new_owner().is_some() {
            return Ok(());
        }
    }
    Err(zbus::Error::InvalidReply)
}

/// Drives the connection, on this thread instead of one of its own.
async fn drive(bus: &Connection) {
    loop {
        bus.executor().tick().await;
    }
}
