//! A fake systemd-logind with a session at a screen, and another over the network that clients are
//! to ignore. It belongs on a bus of its own that the test gives to Beckon as the system bus.

use std::collections::HashMap;
use std::os::unix::fs::MetadataExt;
use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime};

use zbus::blocking::Connection;
use zbus::interface;
use zbus::zvariant::{OwnedObjectPath, Value};

use super::{builder, emit};
use crate::bus::Bus;
use crate::eventually;

const SOON: Duration = Duration::from_secs(10);
const NAME: &str = "org.freedesktop.login1";
const PATH: &str = "/org/freedesktop/login1";
const MANAGER: &str = "org.freedesktop.login1.Manager";
const SESSION: &str = "org.freedesktop.login1.Session";
const AT_THE_SCREEN: &str = "/org/freedesktop/login1/session/c2";
const OVER_THE_NETWORK: &str = "/org/freedesktop/login1/session/_31";

/// The service. It leaves the bus on drop.
pub struct Logind {
    connection: Connection,
    hints: Arc<Mutex<Hints>>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Hints {
    locked: bool,
    idle: bool,
    /// The time since which the session is idle, in microseconds since 1970; 0 if the hint was
    /// never set.
    idle_since: u64,
    /// Whether a client has read the session's state.
    read: bool,
}

impl Logind {
    /// Starts the service on `bus`: unlocked, with an idle hint that was never set.
    pub fn start(bus: &Bus) -> Logind {
        let hints = Arc::<Mutex<Hints>>::default();
        let screen = Session {
            kind: "wayland",
            hints: hints.clone(),
        };
        let network = Session {
            kind: "tty",
            hints: Arc::default(),
        };
        let builder = builder(bus).serve_at(PATH, Manager).unwrap();
        let builder = builder.serve_at(AT_THE_SCREEN, screen).unwrap();
        let builder = builder.serve_at(OVER_THE_NETWORK, network).unwrap();
        let connection = builder
            .name(NAME)
            .unwrap()
            .build()
            .expect("failed to own logind's name");
        Logind { connection, hints }
    }

    /// Waits until a client has read the session's state. A client that does so correctly has
    /// subscribed to its signals before.
    pub async fn wait_watched(&self) {
        eventually("somebody watches logind", SOON, async || {
            self.hints.lock().unwrap().read.then_some(())
        })
        .await;
    }

    /// Sets the locked hint, as the screen locker does after it has locked or unlocked the screen.
    pub fn set_locked(&self, locked: bool) {
        self.hints.lock().unwrap().locked = locked;
        self.changed([("LockedHint", Value::from(locked))]);
    }

    /// Sets the idle hint, as the desktop does when nobody has touched it for a while, or somebody
    /// does again.
    pub fn set_idle(&self, idle: bool) {
        let since = SystemTime::UNIX_EPOCH.elapsed().unwrap().as_micros();
        let since = u64::try_from(since).unwrap();
        {
            let mut hints = self.hints.lock().unwrap();
            (hints.idle, hints.idle_since) = (idle, since);
        }
        let values = [
            ("IdleHint", Value::from(idle)),
            ("IdleSinceHint", Value::from(since)),
        ];
        self.changed(values);
    }

    /// Requests that the screen be locked or unlocked, like `loginctl lock-session`.
    pub fn ask_to_lock(&self, lock: bool) {
        let member = if lock { "Lock" } else { "Unlock" };
        emit(&self.connection, AT_THE_SCREEN, SESSION, member, &());
    }

    /// Signals that the machine is about to sleep, or has woken.
    pub fn prepare_for_sleep(&self, asleep: bool) {
        emit(&self.connection, PATH, MANAGER, "PrepareForSleep", &asleep);
    }

    fn changed<const N: usize>(&self, values: [(&str, Value<'_>); N]) {
        let body = (SESSION, HashMap::from(values), Vec::<&str>::new());
        let properties = "org.freedesktop.DBus.Properties";
        emit(
            &self.connection,
            AT_THE_SCREEN,
            properties,
            "PropertiesChanged",
            &body,
        );
    }
}

struct Manager;

#[interface(name = "org.freedesktop.login1.Manager")]
impl Manager {
    fn list_sessions(&self) -> Vec<(String, u32, String, String, OwnedObjectPath)> {
        let user = std::fs::metadata("/proc/self").unwrap().uid();
        let session = |id: &str, user: u32, seat: &str, path: &str| {
            let path = OwnedObjectPath::try_from(path).unwrap();
            (
                id.to_owned(),
                user,
                "tester".to_owned(),
                seat.to_owned(),
                path,
            )
        };
        vec![
            session("1", user, "", OVER_THE_NETWORK),
            session(
                "c1",
                user + 1,
                "seat0",
                "/org/freedesktop/login1/session/of_another_user",
            ),
            session("c2", user, "seat0", AT_THE_SCREEN),
        ]
    }
}

struct Session {
    kind: &'static str,
    hints: Arc<Mutex<Hints>>,
}

#[interface(name = "org.freedesktop.login1.Session")]
impl Session {
    #[zbus(property)]
    fn r#type(&self) -> &str {
        self.kind
    }

    #[zbus(property)]
    fn active(&self) -> bool {
        true
    }

    #[zbus(property)]
    fn locked_hint(&self) -> bool {
        let mut hints = self.hints.lock().unwrap();
        hints.read = true;
        hints.locked
    }

    #[zbus(property)]
    fn idle_hint(&self) -> bool {
        self.hints.lock().unwrap().idle
    }

    #[zbus(property)]
    fn idle_since_hint(&self) -> u64 {
        self.hints.lock().unwrap().idle_since
    }
}
