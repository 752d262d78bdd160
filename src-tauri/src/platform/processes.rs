//! The processes of this user, as the system reports them: which there are, whether one still runs,
//! on which ports it listens. Not here: what they mean to Beckon.

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
    /// The process id.
    pub pid: u32,
    /// The id of the process that started it.
    pub parent: Option<u32>,
    /// The file name of its program, without the `.exe` of Windows.
    pub program: String,
    /// The arguments, without the program's name.
    pub arguments: Vec<String>,
    /// The working directory.
    pub directory: Option<PathBuf>,
    /// The time at which it started.
    pub started: Option<SystemTime>,
}

/// A process from which another one descends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ancestor {
    /// The process id.
    pub pid: u32,
    /// The time at which it started, as [`born`] has it.
    pub born: Option<u64>,
}

/// The most ancestors that are looked at. A terminal's shell has a handful.
const MOST_ANCESTORS: usize = 64;

/// Returns the processes of this user whose program has one of these names.
pub fn named(programs: &[&str]) -> Vec<Process> {
    platform::named(programs)
}

/// Returns the process of that number, if it is this user's.
pub fn of(pid: u32) -> Option<Process> {
    platform::of(pid)
}

/// Tells whether the process still runs. Where the system cannot be asked, it counts as running.
pub fn is_running(pid: u32) -> bool {
    platform::is_running(pid)
}

/// Returns the id of the process that started it. The system tells that also of processes of which
/// it tells nothing else.
pub fn parent(pid: u32) -> Option<u32> {
    platform::parent(pid)
}

/// Returns when the process started, in the system's own count. It tells two processes of one
/// number apart, whatever the clock says.
pub fn born(pid: u32) -> Option<u64> {
    platform::born(pid)
}

/// Returns the ancestors of a process, the nearest first, with the time at which each started.
pub fn ancestors(pid: u32) -> Vec<Ancestor> {
    platform::ancestors(pid)
}

/// Returns the value of an environment variable that the process was started with.
pub fn variable(pid: u32, name: &str) -> Option<String> {
    platform::variable(pid, name)
}

/// Returns the TCP ports that the process listens on, as far as this user may know.
pub fn ports(pid: u32) -> BTreeSet<u16> {
    platform::ports(pid)
}

/// Tells whether another user listens at the far end of a connection within this machine. The
/// system is asked about this one alone, which takes microseconds; `None` where only its whole
/// table tells ([`TcpListeners`]). Root does not count as another user.
pub fn is_served_by_another(there: SocketAddr, here: SocketAddr) -> Option<bool> {
    platform::is_served_by_another(there, here)
}

/// The TCP sockets of this machine at one moment, and their users.
#[derive(Debug)]
pub struct TcpListeners(platform::SocketTable);

impl TcpListeners {
    /// Reads the sockets as they are now. This takes milliseconds, so it is not for the loop's
    /// thread.
    pub fn look() -> Self {
        Self(platform::SocketTable::look())
    }

    /// Tells whether another user listens at the far end of a connection within this machine. In
    /// doubt nobody else does.
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
