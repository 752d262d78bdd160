//! systemd-logind: the screen lock and the idle hint of the human's session, and sleep.
//!
//! The session is not the one Beckon runs in, which may be none: a service of the user's belongs to
//! no session, one started over SSH to another. It is the user's session that has a screen.
//!
//! See `org.freedesktop.login1(5)`.

use super::FactSink;
use super::bus::{BusKind, PresenceBus, member_from, new_owner};
use crate::presence::evidence::{LastInput, PresenceFact};
use anyhow::{Context, Result, bail};
use beckon_core::{PresenceSource, Timestamp};
use std::collections::HashMap;
use std::convert::Infallible;
use std::os::unix::fs::MetadataExt;
use zbus::message::Type;
use zbus::names::OwnedUniqueName;
use zbus::zvariant::{OwnedObjectPath, OwnedValue};
use zbus::{MatchRule, Message};

const NAME: &str = "org.freedesktop.login1";
const PATH: &str = "/org/freedesktop/login1";
const MANAGER: &str = "org.freedesktop.login1.Manager";
const SESSION: &str = "org.freedesktop.login1.Session";
const PROPERTIES: &str = "org.freedesktop.DBus.Properties";

type SessionProperties = HashMap<String, OwnedValue>;
/// Id, user, user's name, seat, object: an entry of `ListSessions`.
type ListedSession = (String, u32, String, String, OwnedObjectPath);

pub(super) async fn run(sink: &FactSink) -> Result<Infallible> {
    let mut logind = Logind::open().await?;
    logind.choose(sink).await?;
    loop {
        let signal = logind.bus.signal().await?;
        if new_owner(&signal).is_some() {
            bail!("Failed to go on: logind was restarted");
        }
        logind.on_signal(&signal, sink).await?;
    }
}

struct Logind {
    bus: PresenceBus,
    owner: OwnedUniqueName,
    user: u32,
    session: Option<OwnedObjectPath>,
}

impl Logind {
    async fn open() -> Result<Self> {
        let bus = PresenceBus::open(BusKind::System).await?;
        bus.listen_for_owner(NAME).await?;
        let owner = bus.owner(NAME).await?.context("Failed to find logind")?;
        let rule = MatchRule::builder()
            .msg_type(Type::Signal)
            .sender(owner.clone())?
            .path_namespace(PATH)?
            .build();
        bus.listen(rule).await?;
        let user = std::fs::metadata("/proc/self")
            .context("Failed to learn our user")?
            .uid();
        Ok(Self {
            bus,
            owner,
            user,
            session: None,
        })
    }

    async fn on_signal(&mut self, signal: &Message, sink: &FactSink) -> Result<()> {
        let Some(member) = member_from(signal, &self.owner) else {
            return Ok(());
        };
        let ours = self
            .session
            .as_ref()
            .is_some_and(|it| signal.header().path() == Some(it));
        match (member.as_str(), ours) {
            ("PrepareForSleep", _) => {
                let asleep = signal.body().deserialize()?;
                sink.post((PresenceSource::Logind, PresenceFact::Asleep(asleep)));
                if !asleep {
                    self.choose(sink).await?;
                }
            }
            ("SessionNew" | "SessionRemoved", _) => self.choose(sink).await?,
            ("Lock", true) => sink.post((PresenceSource::Logind, PresenceFact::LockAsked)),
            ("Unlock", true) => sink.post((PresenceSource::Logind, PresenceFact::UnlockAsked)),
            ("PropertiesChanged", true) => self.on_change(signal, sink).await?,
            _ => {}
        }
        Ok(())
    }

    async fn on_change(&self, signal: &Message, sink: &FactSink) -> Result<()> {
        let body = signal.body();
        let (interface, changed, invalidated): (String, SessionProperties, Vec<String>) =
            body.deserialize()?;
        if interface != SESSION {
            return Ok(());
        }
        // The hint and its time belong together, and not every logind sends them so.
        if changed.contains_key("IdleHint") || !invalidated.is_empty() {
            let Some(session) = &self.session else {
                return Ok(());
            };
            say(&self.properties(session).await?, sink);
        } else {
            say_locked(&changed, sink);
        }
        Ok(())
    }

    /// Finds the human's session and says how it stands.
    async fn choose(&mut self, sink: &FactSink) -> Result<()> {
        let (session, properties) = self.best_session().await?.unzip();
        if self.session != session || session.is_none() {
            tracing::debug!(session = ?session.as_ref().map(|it| it.as_str()), "logind's session");
            sink.post((PresenceSource::Logind, PresenceFact::Gone));
            // Logind tells of sleep also where there is no session with a screen.
            sink.post((PresenceSource::Logind, PresenceFact::Asleep(false)));
        }
        self.session = session;
        if let Some(properties) = properties {
            say(&properties, sink);
        }
        Ok(())
    }

    async fn best_session(&self) -> Result<Option<(OwnedObjectPath, SessionProperties)>> {
        let listed: Vec<ListedSession> = self.call(PATH, MANAGER, "ListSessions", &()).await?;
        let mut fit = Vec::new();
        for (_, user, _, seat, path) in listed {
            // The session may have ended since.
            if user == self.user
                && let Ok(properties) = self.properties(&path).await
            {
                fit.push((fitness(&properties, &seat), path, properties));
            }
        }
        let best = fit
            .into_iter()
            .filter(|(fitness, ..)| *fitness > 0)
            .max_by_key(|it| it.0);
        Ok(best.map(|(_, path, properties)| (path, properties)))
    }

    async fn properties(&self, session: &OwnedObjectPath) -> Result<SessionProperties> {
        self.call(session.as_str(), PROPERTIES, "GetAll", &SESSION)
            .await
    }

    async fn call<A, R>(&self, path: &str, interface: &str, method: &str, args: &A) -> Result<R>
    where
        A: serde::Serialize + zbus::zvariant::DynamicType,
        R: serde::de::DeserializeOwned + zbus::zvariant::Type,
    {
        self.bus
            .call(&self.owner, path, interface, method, args)
            .await
    }
}

/// Returns how likely it is the session that the human uses; 0 when it has no screen.
fn fitness(session: &SessionProperties, seat: &str) -> u8 {
    let graphical = is_graphical(session);
    if !graphical && seat.is_empty() {
        return 0;
    }
    1 + 2 * u8::from(graphical) + u8::from(truth(session, "Active") == Some(true))
}

fn is_graphical(session: &SessionProperties) -> bool {
    let kind = session
        .get("Type")
        .and_then(|kind| <&str>::try_from(kind).ok());
    matches!(kind, Some("x11" | "wayland" | "mir"))
}

fn say(session: &SessionProperties, sink: &FactSink) {
    say_locked(session, sink);
    if let Some(hands) = hands(session) {
        sink.post((PresenceSource::Logind, hands));
    }
}

fn say_locked(session: &SessionProperties, sink: &FactSink) {
    if let Some(locked) = truth(session, "LockedHint") {
        sink.post((PresenceSource::Logind, PresenceFact::Locked(locked)));
    }
}

/// Returns the idle hint, if it was ever set: a desktop that never sets it (KDE) always looks busy.
fn hands(session: &SessionProperties) -> Option<PresenceFact> {
    let idle = truth(session, "IdleHint")?;
    let since = session
        .get("IdleSinceHint")
        .and_then(|since| u64::try_from(since).ok())?;
    let since = i64::try_from(since / 1_000)
        .ok()
        .filter(|since| *since > 0)?;
    let last_input = LastInput::At(Timestamp(since));
    is_graphical(session).then_some(PresenceFact::Hands { idle, last_input })
}

fn truth(session: &SessionProperties, name: &str) -> Option<bool> {
    session
        .get(name)
        .and_then(|value| bool::try_from(value).ok())
}

#[cfg(test)]
mod tests {
    use super::*;
    use zbus::zvariant::Value;

    fn session(kind: &str, active: bool, idle_since: u64) -> SessionProperties {
        let own = |value: Value<'_>| value.try_to_owned().unwrap();
        HashMap::from([
            ("Type".to_owned(), own(Value::from(kind))),
            ("Active".to_owned(), own(Value::from(active))),
            ("IdleHint".to_owned(), own(Value::from(true))),
            ("IdleSinceHint".to_owned(), own(Value::from(idle_since))),
        ])
    }

    #[test]
    fn the_humans_session_is_the_one_with_a_screen() {
        let fit = |kind, active, seat| fitness(&session(kind, active, 0), seat);
        assert_eq!(fit("tty", true, ""), 0, "a login over the network");
        assert!(fit("wayland", false, "seat0") > fit("tty", true, "seat0"));
        assert!(fit("x11", true, "seat0") > fit("x11", false, "seat0"));
        assert!(fit("x11", true, "") > 0, "a remote desktop has no seat");
    }

    #[test]
    fn an_idle_hint_that_nobody_ever_set_tells_nothing() {
        assert_eq!(hands(&session("wayland", true, 0)), None);
        assert_eq!(hands(&session("tty", true, 1_000_000)), None);
        let last_input = LastInput::At(Timestamp(1_000));
        let told = Some(PresenceFact::Hands {
            idle: true,
            last_input,
        });
        assert_eq!(hands(&session("x11", true, 1_000_000)), told);
    }
}
