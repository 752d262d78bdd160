//! A strict fake notification daemon: it records what it is told, does what the test says, and
//! notes every breach of the specification.
//!
//! This file is the tests' side of it. The side on the bus is in `notifications/service.rs`, the
//! rules it checks are in `notifications/rules.rs`.

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

/// The well-known bus name that the daemon owns.
pub const NAME: &str = "org.freedesktop.Notifications";
/// The reason of a notification that the user dismissed, by hand or by pressing a button.
pub const DISMISSED: u32 = 2;
/// The reason of a notification that was closed by `CloseNotification`.
pub const CLOSED_BY_CALL: u32 = 3;

/// The capabilities that mako 1.7.1 returns from `GetCapabilities`, word for word.
const MAKO: [&str; 6] = [
    "body",
    "body-markup",
    "actions",
    "icon-static",
    "x-canonical-private-synchronous",
    "x-dunst-stack-tag",
];

/// The capabilities that Plasma 5.27 and 6 return.
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

/// The name that the daemon gives by default.
const STRICT: &str = "strict";

/// The contents of one `Notify` call.
#[derive(Clone, Debug)]
pub struct Shown {
    /// The id that the notification was given.
    pub id: u32,
    /// The name of the program that called.
    pub app_name: String,
    /// The id of the notification to replace, or 0.
    pub replaces_id: u32,
    /// The icon's name or path.
    pub icon: String,
    /// The title.
    pub summary: String,
    /// The text, with markup.
    pub body: String,
    /// The key and label of each action, in order.
    pub actions: Vec<(String, String)>,
    /// The hints of the call.
    pub hints: HashMap<String, OwnedValue>,
    /// The time until it expires, in milliseconds; -1 for the daemon's choice, 0 for never.
    pub timeout: i32,
    /// The caller's unique name on the bus.
    pub sender: String,
    /// The moment at which the call arrived.
    pub at: Instant,
}

impl Shown {
    /// Returns the key of the action with this label.
    pub fn action(&self, label: &str) -> Option<&str> {
        self.actions
            .iter()
            .find(|action| action.1 == label)
            .map(|action| action.0.as_str())
    }

    /// Returns the hint `urgency`: 0 low, 1 normal, 2 critical.
    pub fn urgency(&self) -> Option<u8> {
        self.hints
            .get("urgency")
            .and_then(|value| u8::try_from(value).ok())
    }
}

/// The daemon's state, shared by the test and the bus.
#[derive(Debug, Default)]
struct State {
    name: String,
    /// The value of the property `Inhibited`, where the daemon has that property.
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
    /// Starts a daemon on `bus` with the capabilities of one that draws buttons.
    pub fn start(bus: &Bus) -> Notifications {
        Notifications::start_as(bus, STRICT)
    }

    /// Starts a daemon that draws buttons under this name.
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

    /// Starts a daemon on `bus` like Plasma, whose notifications have a field for a reply.
    pub fn plasma(bus: &Bus) -> Notifications {
        Notifications::with(bus, "Plasma", &PLASMA)
    }

    /// Starts a daemon on `bus` like mako 1.7.1, which advertises actions and draws none.
    pub fn mako(bus: &Bus) -> Notifications {
        Notifications::with(bus, "mako", &MAKO)
    }

    /// Starts a daemon on `bus` with these capabilities.
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

    /// Leaves the bus, like a daemon that crashed or is being replaced. The record stays.
    pub fn stop(&mut self) {
        if let Some(connection) = self.connection.take() {
            let _ = connection.close();
        }
    }

    /// Starts again as a new process would: nothing is open, and ids begin at 1.
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

    /// Returns the daemon's unique name on the bus, which changes at each start.
    pub fn owner(&self) -> String {
        let connection = self.connection.as_ref();
        connection
            .and_then(Connection::unique_name)
            .map(ToString::to_string)
            .unwrap_or_default()
    }

    /// Switches hanging on or off: while it is on, `Notify` is recorded but never answered.
    pub fn hang(&self, hanging: bool) {
        self.state.lock().unwrap().hanging = hanging;
    }

    /// Switches lingering on or off: while it is on, a notification that a call closes stays open,
    /// as one that slides out, until the test closes it.
    pub fn linger(&self, lingering: bool) {
        self.state.lock().unwrap().lingering = lingering;
    }

    /// Lets the daemon know no `GetServerInformation` from now on.
    pub fn keep_its_name(&self) {
        self.state.lock().unwrap().nameless = true;
    }

    /// Gives each notification this number from now on, in place of the one that has it. Nobody is
    /// told that the other one has gone.
    pub fn give_everybody(&self, id: u32) {
        self.state.lock().unwrap().common_id = Some(id);
    }

    /// Gives the daemon Plasma's property that says whether notifications are inhibited, and
    /// signals it.
    pub fn inhibit(&self, inhibited: bool) {
        self.state.lock().unwrap().inhibited = Some(inhibited);
        let connection = self.connection.as_ref().expect("the daemon is running");
        let changed = HashMap::from([("Inhibited", Value::from(inhibited))]);
        let body = (INTERFACE, changed, Vec::<&str>::new());
        connection
            .emit_signal(None::<&str>, PATH, PROPERTIES, "PropertiesChanged", &body)
            .unwrap();
    }

    /// Presses an action's button: sends `ActionInvoked`, then `NotificationClosed` as dismissed.
    pub fn press(&self, id: u32, action: &str) {
        self.burst(&[(id, action)]);
    }

    /// Presses a button if the notification is still open and has it; returns whether it did. A
    /// notification may be closed just before a press.
    pub fn press_if_open(&self, id: u32, action: &str) -> bool {
        let open = self.shown(id);
        let has = open.is_some_and(|open| open.actions.iter().any(|(key, _)| key == action));
        if has {
            self.emit("ActionInvoked", &(id, action));
            self.close(id, DISMISSED);
        }
        has
    }

    /// Presses several buttons without a gap between the signals.
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

    /// Sends the text of an open notification's reply field, as Plasma does: `NotificationReplied`
    /// only to the program that showed it, with the text as it was typed, then
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

    /// Sends a `NotificationReplied` that is about another program's notification, or comes from a
    /// stranger.
    pub fn forged_reply(&self, id: u32, text: &str) {
        self.emit("NotificationReplied", &(id, text));
    }

    /// Sends `ActionInvoked` for an id that need not exist, like another program's or a stranger's
    /// signal.
    pub fn forged_press(&self, id: u32, action: &str) {
        self.emit("ActionInvoked", &(id, action));
    }

    /// Sends `ActivationToken`, as real daemons do before `ActionInvoked`.
    pub fn activation_token(&self, id: u32, token: &str) {
        self.emit("ActivationToken", &(id, token));
    }

    /// Closes a notification with a reason: 1 expired, 2 dismissed by the user, 3 closed by a call.
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

    /// Returns the open notifications, the oldest first.
    pub fn open(&self) -> Vec<Shown> {
        self.state.lock().unwrap().open.clone()
    }

    /// Returns the open notification with this id.
    pub fn shown(&self, id: u32) -> Option<Shown> {
        self.open().into_iter().find(|shown| shown.id == id)
    }

    /// Returns every `Notify` that ever arrived.
    pub fn all(&self) -> Vec<Shown> {
        self.state.lock().unwrap().all.clone()
    }

    /// Returns how many `Notify` calls ever arrived.
    pub fn count(&self) -> usize {
        self.state.lock().unwrap().all.len()
    }

    /// Returns the closed notifications with their reasons, in order.
    pub fn closed(&self) -> Vec<(u32, u32)> {
        self.state.lock().unwrap().closed.clone()
    }

    /// Returns the breaches of the specification so far; a test ends by asserting that there are
    /// none.
    pub fn violations(&self) -> Vec<String> {
        self.state.lock().unwrap().violations.clone()
    }

    /// Presses a button of the notification whose title ends with `title`, once it has that button.
    /// A permission gets the button that allows it only when its call is known.
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
