//! "Do not disturb" on Linux: how each desktop tells whether it is on, and when that changes. The
//! notification specification has no word for it, so every desktop has a place of its own for it.
//!
//! Not here: what follows from it.
//!
//! Measured: dunst 1.9.0, xfce4-notifyd 0.7.3, GLib 2.74.6. For Plasma see
//! <https://github.com/canonical/snapd/pull/9840>; for GNOME and Xfce
//! <https://github.com/flatpak/xdg-desktop-portal/issues/1320>.

use super::{ANSWER_WITHIN, NAME, PATH, subscribe, within};
use anyhow::{Context, Result};
use beckon_client::platform::children::Program;
use futures_util::StreamExt;
use std::future::ready;
use std::pin::pin;
use tokio::sync::watch;
use zbus::zvariant::OwnedValue;
use zbus::{Connection, MatchRule, Message};

const PROPERTIES: &str = "org.freedesktop.DBus.Properties";
const XFCONF: &str = "org.xfce.Xfconf";
const XFCONF_PATH: &str = "/org/xfce/Xfconf";
const XFCE_CHANNEL: &str = "xfce4-notifyd";
const GNOME_SCHEMA: &str = "org.gnome.desktop.notifications";
const GNOME_KEY: &str = "show-banners";
/// The path of that key in dconf, which stores it.
const DCONF_KEY: &str = "/org/gnome/desktop/notifications/show-banners";

/// The place in which a desktop keeps its "do not disturb".
#[derive(Clone, Copy)]
enum DisturbSource {
    /// A property of the daemon itself.
    Property {
        interface: &'static str,
        name: &'static str,
    },
    /// A setting that xfconf keeps for the daemon.
    Xfconf,
    /// A setting of GNOME's, whose shell has no such property.
    Gsettings,
}

/// Reports whether the desktop must not disturb, at once and on each change, for as long as that
/// daemon runs. Reports nothing where the desktop does not tell.
pub(super) async fn watch(
    connection: Connection,
    daemon: String,
    tell: watch::Sender<Option<bool>>,
) {
    let teller = DisturbSource::of(&daemon);
    let Some(changes) = told(teller.changes(&connection).await) else {
        return;
    };
    let concerns =
        |change: &zbus::Result<Message>| ready(change.as_ref().is_ok_and(|it| teller.concerns(it)));
    let mut changes = pin!(changes.filter(concerns));
    loop {
        if tell.send(told(teller.ask(&connection).await)).is_err() {
            return;
        }
        if changes.next().await.is_none() {
            return;
        }
    }
}

/// Returns the answer, if there is one. Most daemons know no "do not disturb", which is no fault.
fn told<T>(answer: Result<T>) -> Option<T> {
    answer
        .inspect_err(|error| {
            tracing::debug!(
                error = format!("{error:#}"),
                "the state of \"do not disturb\" is unknown"
            );
        })
        .ok()
}

impl DisturbSource {
    fn of(daemon: &str) -> Self {
        match daemon {
            "dunst" => Self::Property {
                interface: "org.dunstproject.cmd0",
                name: "paused",
            },
            "Xfce Notify Daemon" => Self::Xfconf,
            "gnome-shell" => Self::Gsettings,
            // Plasma has it since 5.16. A daemon that has none answers with an error.
            _ => Self::Property {
                interface: NAME,
                name: "Inhibited",
            },
        }
    }

    /// Returns a stream of signals after which the state may have changed.
    async fn changes(self, connection: &Connection) -> Result<zbus::MessageStream> {
        let rule = MatchRule::builder();
        let rule = match self {
            Self::Property { interface, .. } => rule
                .sender(NAME)?
                .path(PATH)?
                .interface(PROPERTIES)?
                .member("PropertiesChanged")?
                .arg(0, interface)?,
            Self::Xfconf => rule
                .sender(XFCONF)?
                .path(XFCONF_PATH)?
                .interface(XFCONF)?
                .arg(0, XFCE_CHANNEL)?,
            Self::Gsettings => rule
                .path("/ca/desrt/dconf/Writer/user")?
                .interface("ca.desrt.dconf.Writer")?
                .member("Notify")?,
        };
        subscribe(connection, rule).await
    }

    /// Whether a signal is about Beckon's key. dconf reports every setting that is written, alone
    /// or by its folder.
    fn concerns(self, change: &Message) -> bool {
        let Self::Gsettings = self else { return true };
        let written = change.body().deserialize::<(String, Vec<String>, String)>();
        written.is_ok_and(|(key_or_folder, ..)| DCONF_KEY.starts_with(&key_or_folder))
    }

    async fn ask(self, connection: &Connection) -> Result<bool> {
        match self {
            Self::Property { interface, name } => {
                let args = (interface, name);
                let call = connection.call_method(Some(NAME), PATH, Some(PROPERTIES), "Get", &args);
                Ok(within(call)
                    .await?
                    .body()
                    .deserialize::<OwnedValue>()?
                    .try_into()?)
            }
            Self::Xfconf => {
                let args = (XFCE_CHANNEL, "/do-not-disturb");
                let (to, at) = (Some(XFCONF), XFCONF_PATH);
                let call = connection.call_method(to, at, Some(XFCONF), "GetProperty", &args);
                match within(call).await {
                    Ok(reply) => Ok(reply.body().deserialize::<OwnedValue>()?.try_into()?),
                    Err(error) if is_unset(&error) => Ok(false),
                    Err(error) => Err(error),
                }
            }
            Self::Gsettings => shows_banners().await.map(|shows| !shows),
        }
    }
}

/// Whether the setting was never written, because nobody has ever turned it on.
fn is_unset(error: &anyhow::Error) -> bool {
    matches!(error.downcast_ref(), Some(zbus::Error::MethodError(name, ..))
        if name.as_str() == "org.xfce.Xfconf.Error.PropertyNotFound")
}

/// Reads GNOME's setting with GLib's own tool, since only GLib knows the format of the files.
async fn shows_banners() -> Result<bool> {
    let asked = tokio::task::spawn_blocking(|| {
        let gsettings = Program::named("gsettings")?;
        gsettings
            .args(["get", GNOME_SCHEMA, GNOME_KEY])
            .ask(ANSWER_WITHIN)
    });
    let answer = asked.await?.context("Failed to run gsettings")?;
    match String::from_utf8_lossy(&answer.output).trim() {
        "true" => Ok(true),
        "false" => Ok(false),
        _ => anyhow::bail!("Failed to read {GNOME_SCHEMA}: gsettings gives no truth value"),
    }
}
