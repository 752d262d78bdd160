//! The way to a window on X11, by the window manager's own protocol (Extended Window Manager Hints
//! 1.5: `_NET_CLIENT_LIST_STACKING`, `_NET_WM_PID`, `_NET_ACTIVE_WINDOW`). Windows of Wayland are
//! not among them: there no program may raise another's.

use crate::platform::processes;
use anyhow::{Context, Result, bail};
use std::time::{Duration, Instant};
use x11rb::connection::Connection;
use x11rb::protocol::xproto::{
    Atom, AtomEnum, ClientMessageEvent, ConnectionExt, EventMask, Window,
};
use x11rb::rust_connection::RustConnection;

/// The time within which a window manager that obeys has obeyed.
const RAISED_WITHIN: Duration = Duration::from_secs(1);
const LOOK: Duration = Duration::from_millis(20);
/// The number of windows that are read: no desktop has more.
const MOST_WINDOWS: u32 = 4096;
/// The source of the message: a program that acts for its human, as a panel does.
const FROM_HUMAN: u32 = 2;

pub(super) fn raise(lineage: &[u32]) -> Result<()> {
    let desktop = Desktop::connect()?;
    let window = desktop
        .window_of(lineage)?
        .context("none of its processes has a window")?;
    desktop.activate(window)?;
    let begun = Instant::now();
    while desktop.active()? != Some(window) {
        if begun.elapsed() > RAISED_WITHIN {
            bail!("the window manager does not raise it");
        }
        std::thread::sleep(LOOK);
    }
    Ok(())
}

fn beside_wayland() -> bool {
    std::env::var_os("WAYLAND_DISPLAY").is_some_and(|display| !display.is_empty())
}

struct Desktop {
    connection: RustConnection,
    root: Window,
}

impl Desktop {
    fn connect() -> Result<Self> {
        let (connection, screen) = x11rb::connect(None).context("Failed to reach the X server")?;
        let root = connection.setup().roots[screen].root;
        Ok(Self { connection, root })
    }

    /// Returns the window of the first process that has one. Of several windows of one process it
    /// is that in which ours was started, else the uppermost.
    fn window_of(&self, lineage: &[u32]) -> Result<Option<Window>> {
        let windows = self.windows()?;
        let started_in = lineage
            .iter()
            .find_map(|pid| processes::variable(*pid, "WINDOWID"));
        let started_in: Option<Window> = started_in.and_then(|id| id.parse().ok());
        let of = |pid: &u32| {
            let its = windows.iter().filter(|(_, owner)| owner == pid);
            let its: Vec<Window> = its.map(|(window, _)| *window).collect();
            let named = its.iter().find(|window| Some(**window) == started_in);
            // Beside Wayland only a window that `WINDOWID` names is known to be the terminal's: the
            // terminal may have none here, and the program that started it another.
            named.or(its.last().filter(|_| !beside_wayland())).copied()
        };
        Ok(lineage.iter().find_map(of))
    }

    /// Returns the windows of this machine's programs and their processes, the uppermost last; no
    /// panels.
    fn windows(&self) -> Result<Vec<(Window, u32)>> {
        let stacked = self.numbers(self.root, "_NET_CLIENT_LIST_STACKING", AtomEnum::WINDOW)?;
        let all = if stacked.is_empty() {
            self.numbers(self.root, "_NET_CLIENT_LIST", AtomEnum::WINDOW)?
        } else {
            stacked
        };
        let owner = |window: Window| {
            // A window that has closed meanwhile has none.
            let owner = self
                .numbers(window, "_NET_WM_PID", AtomEnum::CARDINAL)
                .ok()?;
            let mine = self.is_of_this_machine(window) && !self.is_of_the_desktop(window);
            Some((window, *owner.first().filter(|_| mine)?))
        };
        Ok(all.into_iter().filter_map(owner).collect())
    }

    /// Whether a window is of this machine: numbers of processes mean nothing across machines.
    fn is_of_this_machine(&self, window: Window) -> bool {
        let reply = self.connection.get_property(
            false,
            window,
            AtomEnum::WM_CLIENT_MACHINE,
            AtomEnum::STRING,
            0,
            256,
        );
        let machine = reply
            .ok()
            .and_then(|reply| reply.reply().ok())
            .map(|reply| reply.value);
        let here = rustix::system::uname();
        machine.is_none_or(|name| name.is_empty() || name == here.nodename().to_bytes())
    }

    /// Whether a window is a panel, or lies behind all windows.
    fn is_of_the_desktop(&self, window: Window) -> bool {
        let kinds = self
            .numbers(window, "_NET_WM_WINDOW_TYPE", AtomEnum::ATOM)
            .unwrap_or_default();
        let desktop = ["_NET_WM_WINDOW_TYPE_DOCK", "_NET_WM_WINDOW_TYPE_DESKTOP"];
        desktop
            .iter()
            .any(|kind| self.atom(kind).is_ok_and(|kind| kinds.contains(&kind)))
    }

    fn activate(&self, window: Window) -> Result<()> {
        let data = [FROM_HUMAN, x11rb::CURRENT_TIME, 0, 0, 0];
        let message = ClientMessageEvent::new(32, window, self.atom("_NET_ACTIVE_WINDOW")?, data);
        let mask = EventMask::SUBSTRUCTURE_REDIRECT | EventMask::SUBSTRUCTURE_NOTIFY;
        self.connection
            .send_event(false, self.root, mask, message)?
            .check()?;
        Ok(())
    }

    fn active(&self) -> Result<Option<Window>> {
        let active = self.numbers(self.root, "_NET_ACTIVE_WINDOW", AtomEnum::WINDOW)?;
        Ok(active.first().copied())
    }

    fn numbers(&self, of: Window, property: &str, kind: AtomEnum) -> Result<Vec<u32>> {
        let property = self.atom(property)?;
        let reply = self
            .connection
            .get_property(false, of, property, kind, 0, MOST_WINDOWS)?;
        Ok(reply.reply()?.value32().into_iter().flatten().collect())
    }

    fn atom(&self, name: &str) -> Result<Atom> {
        Ok(self
            .connection
            .intern_atom(false, name.as_bytes())?
            .reply()?
            .atom)
    }
}
