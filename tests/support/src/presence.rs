//! The services that tell a desktop program where its human is: small real services on private
//! buses, and a real Wayland compositor. An X display is in `desktop.rs`.

mod compositor;
mod logind;
mod mutter;
mod screensaver;

pub use compositor::Compositor;
pub use logind::Logind;
pub use mutter::IdleMonitor;
pub use screensaver::ScreenSaver;

use serde::Serialize;
use zbus::blocking::Connection;
use zbus::zvariant::DynamicType;

use crate::bus::Bus;

/// Sends a signal to everybody on the bus.
fn emit<B: Serialize + DynamicType>(
    connection: &Connection,
    path: &str,
    interface: &str,
    member: &str,
    body: &B,
) {
    connection
        .emit_signal(None::<&str>, path, interface, member, body)
        .unwrap();
}

fn builder(bus: &Bus) -> zbus::blocking::connection::Builder<'static> {
    zbus::blocking::connection::Builder::address(bus.address()).unwrap()
}
