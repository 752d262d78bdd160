//! The processes of this user, as the system tells of them: which there are, whether one still
//! runs, on which ports it listens. What they mean to Beckon is not known here.

#[cfg_attr(target_os = "linux", path = "processes/linux.rs")]
#[cfg_attr(not(target_os = "linux"), path = "processes/native.rs")]
mod platform;

use std::collections::BTreeSet;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::SystemTime;

/// A running process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Process {
    /// Its number.
    pub pid: u32,
    /// Who started it.
    pub parent: Option<u32>,
    /// The file name of its program, without the `.exe` of Windows.
    pub program: String,
    /// Its arguments, without the program's name.
    pub arguments: Vec<String>,
    /// Where it works.
    pub directory: Option<PathBuf>,
    /// When it began.
    pub started: Option<SystemTime>,
}

/// A process from which another one descends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ancestor {
    /// Its number.
    pub pid: u32,
    /// As [`born`] has it.
    pub born: Option<u64>,
}

/// So many ancestors are looked at. A terminal's shell has a handful.
const MOST_ANCESTORS: usize = 64;

/// The processes of this user whose program has one of these names.
pub fn named(programs: &[&str]) -> Vec<Process> {
    platform::named(programs)
}

/// The process of that number, if it is this user's.
pub fn of(pid: u32) -> Option<Process> {
    platform::of(pid)
}

/// Does it still run? In doubt it does.
pub fn is_running(pid: u32) -> bool {
    platform::is_running(pid)
}

/// Who started it; also told of processes of which nothing else is.
pub fn parent(pid: u32) -> Option<u32> {
    platform::parent(pid)
}

/// When it began, in the system's own count: of two processes of one number it tells which is which,
/// whatever the clock says.
pub fn born(pid: u32) -> Option<u64> {
    platform::born(pid)
}

/// Who started it, who started that one, and so on, the nearest first, with when each began.
pub fn ancestors(pid: u32) -> Vec<Ancestor> {
    platform::ancestors(pid)
}

/// What that variable of its environment was when it began.
pub fn variable(pid: u32, name: &str) -> Option<String> {
    platform::variable(pid, name)
}

/// The TCP ports that it listens on, as far as this user may know.
pub fn ports(pid: u32) -> BTreeSet<u16> {
    platform::ports(pid)
}

/// Of a connection within this machine: does another user listen at its far end? Asked of the system
/// about this one alone, which takes microseconds; `None` where only its whole table tells
/// ([`TcpListeners`]). Root counts as nobody else.
pub fn is_served_by_another(there: SocketAddr, here: SocketAddr) -> Option<bool> {
    platform::is_served_by_another(there, here)
}

/// The TCP sockets of this machine at one moment, and whose they are.
#[derive(Debug)]
pub struct TcpListeners(platform::SocketTable);

impl TcpListeners {
    /// As they are now. This takes milliseconds: not for the loop's thread.
    pub fn look() -> Self {
        Self(platform::SocketTable::look())
    }

    /// Of a connection within this machine: does another user listen at its far end? Root may do
    /// anything anyway, and counts as none. In doubt nobody else does.
    pub fn is_anothers(&self, there: SocketAddr, here: SocketAddr) -> bool {
        self.0.is_anothers(there, here)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_is_found_with_all_that_is_told_of_it() {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let own = std::env::current_exe().unwrap();
        let program = own.file_stem().unwrap().to_string_lossy().into_owned();
        let found = named(&[&program])
            .into_iter()
            .find(|p| p.pid == std::process::id())
            .unwrap();
        assert_eq!(found.directory, Some(std::env::current_dir().unwrap()));
        assert_eq!(
            found.arguments,
            std::env::args().skip(1).collect::<Vec<_>>()
        );
        assert!(found.started.unwrap() <= SystemTime::now());
        assert!(ports(found.pid).contains(&port));
        assert_eq!(
            variable(found.pid, "CARGO_PKG_NAME").as_deref(),
            Some("beckon")
        );
        assert_eq!(parent(found.pid), found.parent);
        assert_eq!(variable(found.pid, "CARGO_PKG"), None);
        let again = of(found.pid).unwrap();
        assert_eq!(
            Process {
                started: found.started,
                ..again
            },
            found,
            "all but the time"
        );
        drop(listener);
        assert!(!ports(found.pid).contains(&port));
    }

    #[test]
    fn a_process_descends_from_who_started_it() {
        let own = std::process::id();
        let all = ancestors(own);
        assert_eq!(all.first().map(|it| it.pid), parent(own), "{all:?}");
        assert_eq!(all[0].born, born(all[0].pid));
        assert!(all.iter().all(|it| it.pid != own && it.pid != 0), "{all:?}");
        assert!(ancestors(u32::MAX).is_empty());
    }

    /// The first look at a process may come long after it began, and must not be taken for that.
    #[test]
    #[cfg(unix)]
    fn a_process_began_when_it_was_started_and_not_when_it_was_looked_at() {
        use std::time::{Duration, Instant};
        let begun = (SystemTime::now(), Instant::now());
        let mut child = std::process::Command::new("sleep")
            .arg("100")
            .spawn()
            .unwrap();
        std::thread::sleep(Duration::from_secs(4));
        let started = of(child.id()).unwrap().started.unwrap();
        child.kill().unwrap();
        child.wait().unwrap();
        let apart = started
            .duration_since(begun.0)
            .unwrap_or_else(|early| early.duration());
        assert!(
            apart < Duration::from_secs(1),
            "{apart:?} of {:?}",
            begun.1.elapsed()
        );
    }

    #[test]
    fn one_that_has_ended_does_not_run() {
        let mut child = std::process::Command::new(std::env::current_exe().unwrap())
            .arg("--list")
            .stdout(std::process::Stdio::null())
            .spawn()
            .unwrap();
        child.wait().unwrap();
        assert!(!is_running(child.id()));
        assert!(is_running(std::process::id()));
    }
}
