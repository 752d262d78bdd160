//! Tells whether the panel is light, which the tray's protocol does not say. Panels go by the
//! colours of the desktop where those are said to be light (Plasma), and are dark where nothing is
//! said (GNOME, Xfce). The portal of the desktop tells:
//! <https://flatpak.github.io/xdg-desktop-portal/docs/doc-org.freedesktop.portal.Settings.html>.
//!
//! Not here: what is drawn for it.

use crate::tray::icon::Panel;
use anyhow::{Context, Result};
use futures_util::StreamExt;
use std::time::Duration;
use zbus::zvariant::OwnedValue;
use zbus::{Connection, MatchRule, MessageStream, message};

const PORTAL: &str = "org.freedesktop.portal.Desktop";
const PATH: &str = "/org/freedesktop/portal/desktop";
const SETTINGS: &str = "org.freedesktop.portal.Settings";
const APPEARANCE: &str = "org.freedesktop.appearance";
const SCHEME: &str = "color-scheme";
/// The value for "prefer light appearance"; 1 is dark, 0 is no preference.
const LIGHT: u32 = 2;
/// How long the portal may take. One that is started for this question may take a while, and nobody
/// waits for it.
const ANSWER_WITHIN: Duration = Duration::from_secs(30);

/// Reports the tone once it is known and whenever it changes, on a thread of its own; never where
/// nobody tells.
pub(super) fn watch(tell: impl Fn(Panel) + Send + 'static) {
    let run = move || {
        let said = tokio::runtime::Builder::new_current_thread()
            .enable_time()
            .build();
        let said = said
            .map_err(anyhow::Error::from)
            .and_then(|it| it.block_on(follow(&tell)));
        if let Err(error) = said {
            tracing::debug!(
                error = format!("{error:#}"),
                "it is unknown whether the panel is light"
            );
        }
    };
    if let Err(error) = std::thread::Builder::new().name("panel".into()).spawn(run) {
        tracing::debug!(%error, "whether the panel is light is not watched");
    }
}

async fn follow(tell: &impl Fn(Panel)) -> Result<()> {
    let builder = zbus::connection::Builder::session()?.internal_executor(false);
    let connection = builder
        .build()
        .await
        .context("Failed to reach the session bus")?;
    let driven = async {
        loop {
            connection.executor().tick().await;
        }
    };
    tokio::select! {
        () = driven => Ok(()),
        said = listen(&connection, tell) => said,
    }
}

async fn listen(connection: &Connection, tell: &impl Fn(Panel)) -> Result<()> {
    let rule = MatchRule::builder()
        .msg_type(message::Type::Signal)
        .sender(PORTAL)?
        .path(PATH)?
        .interface(SETTINGS)?
        .member("SettingChanged")?
        .arg(0, APPEARANCE)?
        .arg(1, SCHEME)?
        .build();
    let mut changes = MessageStream::for_match_rule(rule, connection, None).await?;
    tell(panel(&read(connection).await?));
    while let Some(change) = changes.next().await {
        let (_, _, scheme): (String, String, OwnedValue) = change?.body().deserialize()?;
        tell(panel(&scheme));
    }
    Ok(())
}

/// Reads the setting by `Read`, not the newer `ReadOne`: it is in every portal, and wraps the value
/// once more.
async fn read(connection: &Connection) -> Result<OwnedValue> {
    let args = (APPEARANCE, SCHEME);
    let call = connection.call_method(Some(PORTAL), PATH, Some(SETTINGS), "Read", &args);
    let reply = tokio::time::timeout(ANSWER_WITHIN, call).await??;
    Ok(reply.body().deserialize()?)
}

fn panel(scheme: &OwnedValue) -> Panel {
    match innermost(scheme) {
        Some(LIGHT) => Panel::Light,
        _ => Panel::Dark,
    }
}

fn innermost(value: &zbus::zvariant::Value<'_>) -> Option<u32> {
    match value {
        zbus::zvariant::Value::U32(scheme) => Some(*scheme),
        zbus::zvariant::Value::Value(inner) => innermost(inner),
        _ => None,
    }
}
