//! A fake screen saver on the session bus. Only the test turns it on.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use zbus::blocking::Connection;
use zbus::interface;

use super::{builder, emit};
use crate::bus::Bus;

const NAME: &str = "org.gnome.ScreenSaver";
const PATH: &str = "/org/gnome/ScreenSaver";

/// The service. It leaves the bus on drop.
pub struct ScreenSaver {
    connection: Connection,
    active: Arc<AtomicBool>,
}

impl ScreenSaver {
    /// Starts the service on `bus`, turned on or off.
    pub fn start(bus: &Bus, active: bool) -> ScreenSaver {
        let active = Arc::new(AtomicBool::new(active));
        let builder = builder(bus)
            .serve_at(PATH, Service(active.clone()))
            .unwrap();
        let connection = builder
            .name(NAME)
            .unwrap()
            .build()
            .expect("failed to own its name");
        ScreenSaver { connection, active }
    }

    /// Turns the screen saver on or off.
    pub fn set(&self, active: bool) {
        self.active.store(active, Ordering::SeqCst);
        emit(&self.connection, PATH, NAME, "ActiveChanged", &active);
    }
}

struct Service(Arc<AtomicBool>);

#[interface(name = "org.gnome.ScreenSaver")]
impl Service {
    fn get_active(&self) -> bool {
        self.0.load(Ordering::SeqCst)
    }
}
