//! Linux: the variables of the environment name the bus and the screen, and sockets tell whether
//! somebody is there.

use beckon_client::platform::children::Program;
use beckon_core::{LoginReach, LoginSession};
use std::os::linux::net::SocketAddrExt;
use std::os::unix::net::{SocketAddr, UnixStream};
use std::path::Path;

const BUS: &str = "DBUS_SESSION_BUS_ADDRESS";
const DISPLAY: &str = "DISPLAY";
const AUTHORITY: &str = "XAUTHORITY";
const WAYLAND: &str = "WAYLAND_DISPLAY";
const RUNTIME: &str = "XDG_RUNTIME_DIR";

pub(super) fn own() -> LoginSession {
    let variable = |name| std::env::var(name).ok().filter(|value| !value.is_empty());
    let runtime = variable(RUNTIME);
    let usual = runtime
        .as_ref()
        .map(|folder| format!("unix:path={folder}/bus"));
    LoginSession {
        bus: variable(BUS).or(usual),
        display: variable(DISPLAY),
        authority: variable(AUTHORITY),
        wayland: variable(WAYLAND),
        runtime,
    }
}

pub(super) fn own_reach() -> LoginReach {
    let own = own();
    let screen = match &own.wayland {
        Some(_) => is_screen_there(&own),
        // A new X server under the same number does not accept the secret of the former one.
        None => own.display.is_some() && x11rb::connect(None).is_ok(),
    };
    LoginReach {
        bus: own.bus.as_deref().is_some_and(is_bus_there),
        screen,
    }
}

pub(super) fn is_screen_there(login: &LoginSession) -> bool {
    match (&login.wayland, &login.display) {
        (Some(wayland), _) => {
            // An absolute name is a path by itself.
            let folder = Path::new(login.runtime.as_deref().unwrap_or_default());
            UnixStream::connect(folder.join(wayland)).is_ok()
        }
        (None, Some(display)) => is_display_there(display),
        (None, None) => false,
    }
}

/// Tells whether an X display answers, such as `:0` or `:0.1`. One that is reached over a network
/// is taken to be there.
fn is_display_there(display: &str) -> bool {
    let Some(number) = display.strip_prefix(':') else {
        return true;
    };
    let number = number.split('.').next().unwrap_or_default();
    let path = format!("/tmp/.X11-unix/X{number}");
    let is_abstract = SocketAddr::from_abstract_name(&path)
        .is_ok_and(|address| UnixStream::connect_addr(&address).is_ok());
    is_abstract || UnixStream::connect(path).is_ok()
}

/// Tells whether the bus answers at an address as D-Bus writes it,
/// `unix:path=…,guid=…;unix:abstract=…`. An address of another kind is taken to answer.
fn is_bus_there(addresses: &str) -> bool {
    addresses.split(';').any(|address| {
        let Some(keys) = address.strip_prefix("unix:") else {
            return true;
        };
        let value = |key: &str| keys.split(',').find_map(|pair| pair.strip_prefix(key));
        let named = |name| SocketAddr::from_abstract_name(name);
        match (value("path="), value("abstract=")) {
            (Some(path), _) => UnixStream::connect(path).is_ok(),
            (None, Some(name)) => {
                named(name).is_ok_and(|address| UnixStream::connect_addr(&address).is_ok())
            }
            (None, None) => true,
        }
    })
}

pub(super) fn within(login: &LoginSession, program: Program) -> Program {
    let variables = [
        (BUS, &login.bus),
        (DISPLAY, &login.display),
        (AUTHORITY, &login.authority),
        (WAYLAND, &login.wayland),
        (RUNTIME, &login.runtime),
    ];
    variables
        .into_iter()
        .fold(program, |program, (name, value)| match value {
            Some(value) => program.env(name, value),
            None => program.env_remove(name),
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::net::UnixListener;

    #[test]
    fn a_bus_is_there_as_long_as_somebody_listens() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("bus");
        let address = format!("unix:path={},guid=0123", path.display());
        assert!(!is_bus_there(&address));
        let listener = UnixListener::bind(&path).unwrap();
        assert!(is_bus_there(&address));
        assert!(is_bus_there(&format!("unix:path=/nowhere;{address}")));
        drop(listener);
        assert!(
            !is_bus_there(&address),
            "the file is left, and nobody behind it"
        );
        assert!(is_bus_there("tcp:host=127.0.0.1,port=1"), "not looked for");
    }

    #[test]
    fn a_screen_that_nobody_serves_is_none() {
        let wayland = |name: &str, runtime: &str| LoginSession {
            wayland: Some(name.into()),
            runtime: Some(runtime.into()),
            ..LoginSession::default()
        };
        let folder = tempfile::tempdir().unwrap();
        let runtime = folder.path().to_str().unwrap();
        let _listener = UnixListener::bind(folder.path().join("wayland-7")).unwrap();
        assert!(is_screen_there(&wayland("wayland-7", runtime)));
        assert!(is_screen_there(&wayland(
            &format!("{runtime}/wayland-7"),
            ""
        )));
        assert!(!is_screen_there(&wayland("wayland-8", runtime)));
        assert!(!is_display_there(":4711.0"));
        assert!(!is_screen_there(&LoginSession::default()));
    }
}
