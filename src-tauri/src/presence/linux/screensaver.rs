//! The backend for screen savers and lockers that say on the session bus when they become active.
//!
//! A saver that only darkens the screen looks the same as one that locks it, and means the same:
//! nobody is looking.

use super::FactSink;
use super::bus::{BusKind, PresenceBus, new_owner};
use crate::presence::evidence::PresenceFact;
use anyhow::Result;
use beckon_core::PresenceSource;
use std::collections::BTreeMap;
use std::convert::Infallible;
use zbus::message::Type;
use zbus::{MatchRule, Message};

/// The screen savers: each name is that of a service, of its interface, and of its object when
/// written as a path.
const NAMES: [&str; 5] = [
    "org.freedesktop.ScreenSaver",
    "org.gnome.ScreenSaver",
    "org.cinnamon.ScreenSaver",
    "org.mate.ScreenSaver",
    "org.xfce.ScreenSaver",
];

pub(super) async fn run(sink: &FactSink) -> Result<Infallible> {
    let mut bus = PresenceBus::open(BusKind::Session).await?;
    for name in NAMES {
        let rule = MatchRule::builder()
            .msg_type(Type::Signal)
            .sender(name)?
            .interface(name)?;
        bus.listen(rule.member("ActiveChanged")?.build()).await?;
        bus.listen_for_owner(name).await?;
    }
    let mut savers = ScreenSavers::default();
    for name in NAMES {
        savers.ask(&bus, name).await?;
    }
    sink.post((PresenceSource::ScreenSaver, savers.fact()));
    loop {
        let signal = bus.signal().await?;
        let before = savers.fact();
        match new_owner(&signal).map(|(name, owned)| (known(&name), owned)) {
            Some((Some(name), true)) => savers.ask(&bus, name).await?,
            Some((Some(name), false)) if savers.active.remove(name) == Some(true) => {
                // The saver ended; the screen was not unlocked.
                sink.post((PresenceSource::ScreenSaver, PresenceFact::Gone));
            }
            Some(_) => {}
            None => savers.on_signal(&bus, &signal).await?,
        }
        if savers.fact() != before {
            sink.post((PresenceSource::ScreenSaver, savers.fact()));
        }
    }
}

/// The screen savers that have said whether they are active.
#[derive(Default)]
struct ScreenSavers {
    active: BTreeMap<&'static str, bool>,
}

impl ScreenSavers {
    /// Returns the fact that follows. Where there is no saver, it is not known whether the screen
    /// is locked.
    fn fact(&self) -> PresenceFact {
        if self.active.is_empty() {
            PresenceFact::Gone
        } else {
            PresenceFact::Locked(self.active.values().any(|active| *active))
        }
    }

    /// Asks a saver that is running whether it is active; some cannot say.
    async fn ask(&mut self, bus: &PresenceBus, name: &'static str) -> Result<()> {
        if let Some(owner) = bus.owner(name).await? {
            let path = format!("/{}", name.replace('.', "/"));
            match bus.call(&owner, &path, name, "GetActive", &()).await {
                Ok(active) => self.active.insert(name, active),
                Err(_) => self.active.remove(name),
            };
        }
        Ok(())
    }

    async fn on_signal(&mut self, bus: &PresenceBus, signal: &Message) -> Result<()> {
        let header = signal.header();
        let Some(name) = header.interface().and_then(|interface| known(interface)) else {
            return Ok(());
        };
        let Ok(active) = signal.body().deserialize() else {
            return Ok(());
        };
        // Any program can send a like signal to us alone.
        let owner = bus.owner(name).await?;
        let sent = owner.is_some_and(|owner| header.sender() == Some(owner.inner()));
        if sent
            && header
                .member()
                .is_some_and(|member| member == "ActiveChanged")
        {
            self.active.insert(name, active);
        }
        Ok(())
    }
}

fn known(name: &str) -> Option<&'static str> {
    NAMES.into_iter().find(|known| *known == name)
}
