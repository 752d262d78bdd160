//! The settings portal of a desktop, which tells programs whether the human prefers light or dark
//! colours
//! (<https://flatpak.github.io/xdg-desktop-portal/docs/doc-org.freedesktop.portal.Settings.html>).

use std::sync::{Arc, Mutex};

use zbus::blocking::Connection;
use zbus::blocking::connection::Builder;
use zbus::zvariant::Value;
use zbus::{fdo, interface};

use crate::bus::Bus;

const NAME: &str = "org.freedesktop.portal.Desktop";
const PATH: &str = "/org/freedesktop/portal/desktop";
const INTERFACE: &str = "org.freedesktop.portal.Settings";
const NAMESPACE: &str = "org.freedesktop.appearance";
const KEY: &str = "color-scheme";

/// The colours that the human prefers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ColourScheme {
    /// The human has no preference.
    None = 0,
    /// Dark colours.
    Dark = 1,
    /// Light colours.
    Light = 2,
}

/// The portal. It leaves the bus on drop.
pub struct Portal {
    connection: Connection,
    scheme: Arc<Mutex<ColourScheme>>,
}

impl Portal {
    /// Starts the portal on `bus`.
    pub fn start(bus: &Bus, scheme: ColourScheme) -> Portal {
        let scheme = Arc::new(Mutex::new(scheme));
        let builder = Builder::address(bus.address()).unwrap();
        let builder = builder
            .serve_at(PATH, Service(scheme.clone()))
            .unwrap()
            .name(NAME)
            .unwrap();
        Portal {
            connection: builder.build().expect("failed to own its name"),
            scheme,
        }
    }

    /// Changes the human's preference and signals it.
    pub fn prefer(&self, scheme: ColourScheme) {
        *self.scheme.lock().unwrap() = scheme;
        let body = (NAMESPACE, KEY, Value::from(scheme as u32));
        self.connection
            .emit_signal(None::<&str>, PATH, INTERFACE, "SettingChanged", &body)
            .unwrap();
    }
}

struct Service(Arc<Mutex<ColourScheme>>);

#[interface(name = "org.freedesktop.portal.Settings")]
impl Service {
    /// Returns the setting as a variant in a variant, as real portals still do.
    fn read(&self, namespace: &str, key: &str) -> fdo::Result<Value<'static>> {
        if (namespace, key) != (NAMESPACE, KEY) {
            return Err(fdo::Error::Failed("Requested setting not found".to_owned()));
        }
        let scheme = *self.0.lock().unwrap();
        Ok(Value::Value(Box::new(Value::from(scheme as u32))))
    }
}
