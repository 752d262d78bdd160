//! The daemon's side on the bus: the methods of org.freedesktop.Notifications. The tests' side is
//! in `notifications.rs`.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::Instant;

use zbus::fdo;
use zbus::message::Header;
use zbus::object_server::SignalEmitter;
use zbus::zvariant::OwnedValue;

use super::{CLOSED_BY_CALL, Shown, State, rules};

pub(super) const PATH: &str = "/org/freedesktop/Notifications";
pub(super) const INTERFACE: &str = "org.freedesktop.Notifications";
pub(super) const PROPERTIES: &str = "org.freedesktop.DBus.Properties";

pub(super) struct Service {
    state: Arc<Mutex<State>>,
}

impl Service {
    pub(super) fn new(state: Arc<Mutex<State>>) -> Service {
        Service { state }
    }

    /// Records a notification and returns its id; `None` means that the caller shall wait for ever.
    fn show(&self, mut shown: Shown) -> Option<u32> {
        let mut state = self.state.lock().unwrap();
        let taken = state.common_id.unwrap_or(shown.replaces_id);
        let known = state.open.iter().position(|open| open.id == taken);
        shown.id = match (known, state.common_id) {
            (Some(_), _) | (None, Some(_)) => taken,
            (None, None) => state.take_id(),
        };
        let breaches = rules::breaches(&shown, &state.capabilities);
        state.violations.extend(breaches);
        state.all.push(shown.clone());
        if state.hanging {
            return None;
        }
        let id = shown.id;
        match known {
            Some(at) => state.open[at] = shown,
            None => state.open.push(shown),
        }
        Some(id)
    }
}

impl State {
    /// Tells whether a closed notification stays open until the test closes it.
    fn lingers(&self, id: u32) -> bool {
        self.lingering && self.open.iter().any(|open| open.id == id)
    }

    fn take_id(&mut self) -> u32 {
        let id = self.next_id;
        self.next_id += 1;
        id
    }
}

#[zbus::interface(name = "org.freedesktop.Notifications")]
impl Service {
    #[allow(clippy::too_many_arguments, reason = "the specification's signature")]
    async fn notify(
        &self,
        #[zbus(header)] header: Header<'_>,
        app_name: String,
        replaces_id: u32,
        icon: String,
        summary: String,
        body: String,
        actions: Vec<String>,
        hints: HashMap<String, OwnedValue>,
        timeout: i32,
    ) -> fdo::Result<u32> {
        let at = Instant::now();
        let actions = pairs(actions)?;
        let sender = header.sender().map(ToString::to_string).unwrap_or_default();
        let shown = Shown {
            id: 0,
            app_name,
            replaces_id,
            icon,
            summary,
            body,
            actions,
            hints,
            timeout,
            sender,
            at,
        };
        match self.show(shown) {
            Some(id) => Ok(id),
            None => std::future::pending().await,
        }
    }

    async fn close_notification(
        &self,
        #[zbus(signal_emitter)] emitter: SignalEmitter<'_>,
        id: u32,
    ) -> fdo::Result<()> {
        if self.state.lock().unwrap().lingers(id) {
            return Ok(());
        }
        // The specification wants an empty error if the notification no longer exists.
        if !self.state.lock().unwrap().close(id, CLOSED_BY_CALL) {
            return Err(fdo::Error::Failed(String::new()));
        }
        Ok(Self::notification_closed(&emitter, id, CLOSED_BY_CALL).await?)
    }

    fn get_capabilities(&self) -> Vec<String> {
        self.state.lock().unwrap().capabilities.clone()
    }

    fn get_server_information(&self) -> fdo::Result<(String, &str, &str, &str)> {
        let state = self.state.lock().unwrap();
        if state.nameless {
            let unknown = "there is no such method".to_owned();
            return Err(fdo::Error::UnknownMethod(unknown));
        }
        Ok((state.name.clone(), "beckon-support", "1.0", "1.2"))
    }

    #[zbus(property)]
    fn inhibited(&self) -> fdo::Result<bool> {
        let inhibited = self.state.lock().unwrap().inhibited;
        inhibited.ok_or_else(|| fdo::Error::UnknownProperty("Inhibited".to_owned()))
    }

    #[zbus(signal)]
    async fn notification_closed(
        emitter: &SignalEmitter<'_>,
        id: u32,
        reason: u32,
    ) -> zbus::Result<()>;

    #[zbus(signal)]
    async fn action_invoked(emitter: &SignalEmitter<'_>, id: u32, action: &str)
    -> zbus::Result<()>;

    #[zbus(signal)]
    async fn notification_replied(
        emitter: &SignalEmitter<'_>,
        id: u32,
        text: &str,
    ) -> zbus::Result<()>;

    #[zbus(signal)]
    async fn activation_token(
        emitter: &SignalEmitter<'_>,
        id: u32,
        token: &str,
    ) -> zbus::Result<()>;
}

fn pairs(actions: Vec<String>) -> fdo::Result<Vec<(String, String)>> {
    if !actions.len().is_multiple_of(2) {
        return Err(fdo::Error::InvalidArgs("actions come in pairs".to_owned()));
    }
    Ok(actions
        .chunks(2)
        .map(|pair| (pair[0].clone(), pair[1].clone()))
        .collect())
}
