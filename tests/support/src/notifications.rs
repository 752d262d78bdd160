//! A strict fake notification daemon: it records what it is told, does what the test says, and
//! notes every breach of the specification.
//!
//! Here lives the test's side of it; the side on the bus is in `notifications/service.rs`, the
//! rules it checks in `notifications/rules.rs`.

mod rules;
mod service;

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use zbus::blocking::Connection;
use zbus::blocking::connection::Builder;
use zbus::zvariant::{OwnedValue, Value};

use crate::bus::Bus;
use crate::eventually;
use service::{INTERFACE, PATH, PROPERTIES, Service};

/// The well-known name it owns.
pub const NAME: &str = "org.freedesktop.Notifications";
/// The user dismissed it, by hand or by pressing a button.
pub const DISMISSED: u32 = 2;
/// It was closed by `CloseNotification`.
pub const CLOSED_BY_CALL: u32 = 3;

/// What mako 1.7.1 answers to `GetCapabilities`, word for word.
const MAKO: [&str; 6] = [
    "body",
    "body-markup",
    "actions",
    "icon-static",
    "x-canonical-private-synchronous",
    "x-dunst-stack-tag",
];

/// What Plasma 5.27 and 6 tell of themselves.
const PLASMA: [&str; 12] = [
    "body",
    "body-hyperlinks",
    "body-markup",
    "body-images",
    "icon-static",
    "actions",
    "persistence",
    "inline-reply",
    "x-kde-urls",
    "x-kde-origin-name",
    "x-kde-display-appname",
    "inhibitions",
];

/// What it calls itself.
const STRICT: &str = "strict";

/// What one `Notify` asked for.
#[derive(Clone, Debug)]
pub struct Shown {
    /// The id it was given.
    pub id: u32,
    /// The program that asked.
    pub app_name: String,
    /// The id it was to replace, or 0.
    pub replaces_id: u32,
    /// The icon's name or path.
    pub icon: String,
    /// The title.
    pub summary: String,
    /// The text, with markup.
    pub body: String,
    /// Key and label of each action, in order.
    pub actions: Vec<(String, String)>,
    /// All hints.
    pub hints: HashMap<String, OwnedValue>,
    /// Milliseconds until it expires, -1 for the daemon's choice, 0 for never.
    pub timeout: i32,
    /// The caller's unique name on the bus.
    pub sender: String,
    /// When the call arrived.
    pub at: Instant,
}

impl Shown {
    /// The key of the action labelled `label`.
    pub fn action(&self, label: &str) -> Option<&str> {
        self.actions
            .iter()
            .find(|action| action.1 == label)
            .map(|action| action.0.as_str())
    }

    /// The hint `urgency`: 0 low, 1 normal, 2 critical.
    pub fn urgency(&self) -> Option<u8> {
        self.hints
            .get("urgency")
            .and_then(|value| u8::try_from(value).ok())
    }
}

/// What the daemon knows; shared by the test and the bus.
#[derive(Debug, Default)]
struct State {
    name: String,
    /// `Inhibited`, where the daemon has that property.
    inhibited: Option<bool>,
    capabilities: Vec<String>,
    next_id: u32,
    hanging: bool,
    lingering: bool,
    /// Who asks for its name is told that it knows no such call.
    nameless: bool,
    /// The number that every notification gets, in place of the one that has it.
    common_id: Option<u32>,
    open: Vec<Shown>,
    all: Vec<Shown>,
    closed: Vec<(u32, u32)>,
    violations: Vec<String>,
}

impl State {
    fn close(&mut self, id: u32, reason: u32) -> bool {
        let before = self.open.len();
        self.open.retain(|shown| shown.id != id);
        let was_open = self.open.len() < before;
        if was_open {
            self.closed.push((id, reason));
        }
        was_open
    }
}

/// The daemon. It leaves the bus on drop.
pub struct Notifications {
    address: String,
    state: Arc<Mutex<State>>,
    connection: Option<Connection>,
}

impl Notifications {
    /// Starts on `bus` with the capabilities of a daemon that draws buttons.
    pub fn start(bus: &Bus) -> Notifications {
        Notifications::start_as(bus, STRICT)
    }

    /// The same, calling itself so.
    pub fn start_as(bus: &Bus, name: &str) -> Notifications {
        let capabilities = [
            "actions",
            "body",
            "body-markup",
            "icon-static",
            "persistence",
            "sound",
        ];
        Notifications::with(bus, name, &capabilities)
    }

    /// Starts on `bus` as Plasma, which has a field for a reply.
    pub fn plasma(bus: &Bus) -> Notifications {
        Notifications::with(bus, "Plasma", &PLASMA)
    }

    /// Starts on `bus` as mako 1.7.1, which advertises actions and draws none.
    pub fn mako(bus: &Bus) -> Notifications {
        Notifications::with(bus, "mako", &MAKO)
    }

    /// Starts on `bus` with these capabilities.
    pub fn with_capabilities(bus: &Bus, capabilities: &[&str]) -> Notifications {
        Notifications::with(bus, STRICT, capabilities)
    }

    fn with(bus: &Bus, name: &str, capabilities: &[&str]) -> Notifications {
        let capabilities = capabilities.iter().map(|name| (*name).to_owned()).collect();
        let state = State {
            name: name.to_owned(),
            capabilities,
            ..State::default()
        };
        let mut daemon = Notifications {
            address: bus.address().to_owned(),
            state: Arc::new(Mutex::new(state)),
            connection: None,
        };
        daemon.start_again();
        daemon
    }

    /// Leaves the bus, as a daemon that crashed or is being replaced. The record stays.
    pub fn stop(&mut self) {
        if let Some(connection) = self.connection.take() {
            let _ = connection.close();
        }
    }

    /// Comes back as a new process would: nothing is open, and ids begin at 1 again.
    pub fn start_again(&mut self) {
        self.stop();
        {
            let mut state = self.state.lock().unwrap();
            state.open.clear();
            state.next_id = 1;
        }
        let service = Service::new(Arc::clone(&self.state));
        let builder = Builder::address(self.address.as_str()).unwrap();
        let builder = builder.serve_at(PATH, service).unwrap().name(NAME).unwrap();
        self.connection = Some(
            builder
                .build()
                .expect("failed to own org.freedesktop.Notifications"),
        );
    }

    /// Its unique name on the bus: another one each time it starts.
    pub fn owner(&self) -> String {
        let connection = self.connection.as_ref();
        connection
            .and_then(Connection::unique_name)
            .map(ToString::to_string)
            .unwrap_or_default()
    }

    /// While `true`, `Notify` is recorded but never answered.
    pub fn hang(&self, hanging: bool) {
        self.state.lock().unwrap().hanging = hanging;
    }

    /// While `true`, what is closed by a call stays for a while, as one that slides out: it is gone when
    /// the test closes it.
    pub fn linger(&self, lingering: bool) {
        self.state.lock().unwrap().lingering = lingering;
    }

    /// From now on it knows no `GetServerInformation`.
    pub fn keep_its_name(&self) {
        self.state.lock().unwrap().nameless = true;
    }

    /// From now on each notification gets this number, and takes the place of the one that has it. Nobody is
    /// told that the other is gone.
    pub fn give_everybody(&self, id: u32) {
        self.state.lock().unwrap().common_id = Some(id);
    }

    /// From now on it has Plasma's property that says whether it is told not to disturb.
    pub fn inhibit(&self, inhibited: bool) {
        self.state.lock().unwrap().inhibited = Some(inhibited);
        let connection = self.connection.as_ref().expect("the daemon is running");
        let changed = HashMap::from([("Inhibited", Value::from(inhibited))]);
        let body = (INTERFACE, changed, Vec::<&str>::new());
        connection
            .emit_signal(None::<&str>, PATH, PROPERTIES, "PropertiesChanged", &body)
            .unwrap();
    }

    /// Presses an action's button: `ActionInvoked`, then `NotificationClosed` as dismissed.
    pub fn press(&self, id: u32, action: &str) {
        self.burst(&[(id, action)]);
    }

    /// The same, if it is open still and has such a button: a card may go under somebody's hand.
    pub fn press_if_open(&self, id: u32, action: &str) -> bool {
        let open = self.shown(id);
        let has = open.is_some_and(|open| open.actions.iter().any(|(key, _)| key == action));
        if has {
            self.emit("ActionInvoked", &(id, action));
            self.close(id, DISMISSED);
        }
        has
    }

    /// Presses several buttons with no gap between the signals.
    pub fn burst(&self, presses: &[(u32, &str)]) {
        for (id, action) in presses {
            let open = self
                .shown(*id)
                .unwrap_or_else(|| panic!("notification {id} is not open"));
            let known = open.actions.iter().any(|(key, _)| key == action) || *action == "default";
            assert!(
                known,
                "notification {id} has no action {action}: {:?}",
                open.actions
            );
        }
        for (id, action) in presses {
            self.emit("ActionInvoked", &(*id, *action));
            self.close(*id, DISMISSED);
        }
    }

    /// Sends what was written into an open notification's field, as Plasma does: `NotificationReplied`
    /// to nobody but the program that showed it, with the text as it was typed, then
    /// `NotificationClosed`.
    pub fn reply(&self, id: u32, text: &str) {
        let open = self
            .shown(id)
            .unwrap_or_else(|| panic!("notification {id} is not open"));
        let has_field = open.actions.iter().any(|(key, _)| key == "inline-reply");
        assert!(
            has_field,
            "notification {id} has no field: {:?}",
            open.actions
        );
        let connection = self.connection.as_ref().expect("the daemon is running");
        let to = Some(open.sender.as_str());
        connection
            .emit_signal(to, PATH, INTERFACE, "NotificationReplied", &(id, text))
            .unwrap();
        self.close(id, DISMISSED);
    }

    /// `NotificationReplied` that is about somebody else's notification, or comes from a stranger.
    pub fn forged_reply(&self, id: u32, text: &str) {
        self.emit("NotificationReplied", &(id, text));
    }

    /// `ActionInvoked` for an id that need not exist: another program's, or a stranger's signal.
    pub fn forged_press(&self, id: u32, action: &str) {
        self.emit("ActionInvoked", &(id, action));
    }

    /// `ActivationToken`, which real daemons send before `ActionInvoked`.
    pub fn activation_token(&self, id: u32, token: &str) {
        self.emit("ActivationToken", &(id, token));
    }

    /// Closes it: 1 expired, 2 dismissed by the user, 3 closed by a call.
    pub fn close(&self, id: u32, reason: u32) {
        self.state.lock().unwrap().close(id, reason);
        self.emit("NotificationClosed", &(id, reason));
    }

    /// The same, with other arguments of the signal than the specification's.
    pub fn close_as(
        &self,
        id: u32,
        arguments: &(impl serde::Serialize + zbus::zvariant::DynamicType),
    ) {
        self.state.lock().unwrap().close(id, DISMISSED);
        self.emit("NotificationClosed", arguments);
    }

    fn emit(&self, signal: &str, body: &(impl serde::Serialize + zbus::zvariant::DynamicType)) {
        let connection = self.connection.as_ref().expect("the daemon is running");
        connection
            .emit_signal(None::<&str>, PATH, INTERFACE, signal, body)
            .unwrap();
    }

    /// What is on the screen now, the oldest first.
    pub fn open(&self) -> Vec<Shown> {
        self.state.lock().unwrap().open.clone()
    }

    /// The open notification `id`.
    pub fn shown(&self, id: u32) -> Option<Shown> {
        self.open().into_iter().find(|shown| shown.id == id)
    }

    /// Every `Notify` that ever arrived.
    pub fn all(&self) -> Vec<Shown> {
        self.state.lock().unwrap().all.clone()
    }

    /// How many those are.
    pub fn count(&self) -> usize {
        self.state.lock().unwrap().all.len()
    }

    /// What was closed, with the reason, in order.
    pub fn closed(&self) -> Vec<(u32, u32)> {
        self.state.lock().unwrap().closed.clone()
    }

    /// Breaches of the specification so far; a test ends by asserting that there are none.
    pub fn violations(&self) -> Vec<String> {
        self.state.lock().unwrap().violations.clone()
    }

    /// Presses a button of the notification whose title ends so, once it has that button: that of a
    /// permission has one that allows it when its call is known.
    pub async fn press_titled(&self, title: &str, label: &str, timeout: Duration) {
        let has_it =
            |shown: &Shown| shown.summary.ends_with(title) && shown.action(label).is_some();
        let shown = self.wait_for(has_it, timeout).await;
        let action = shown.action(label).unwrap_or_default();
        self.press(shown.id, action);
    }

    /// Waits for an open notification that `wanted` accepts.
    pub async fn wait_for(&self, wanted: impl Fn(&Shown) -> bool, timeout: Duration) -> Shown {
        eventually("a notification", timeout, async || {
            self.open().into_iter().find(&wanted)
        })
        .await
    }

    /// Waits until no notification is open.
    pub async fn wait_empty(&self, timeout: Duration) {
        let what = "all notifications are closed";
        eventually(what, timeout, async || self.open().is_empty().then_some(())).await;
    }
}

impl Drop for Notifications {
    fn drop(&mut self) {
        self.stop();
    }
}
