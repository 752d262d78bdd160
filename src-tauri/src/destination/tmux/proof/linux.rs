//! The proof on Linux, by what the kernel tells: the process that listens on the socket (unix(7),
//! `SO_PEERCRED`), its program, and whether it is confined by the same namespaces and limits as
//! Beckon (proc(5), namespaces(7)).

use super::SocketDoubt;
use rustix::fs::{Mode, OFlags};
use rustix::net::{AddressFamily, SocketAddrUnix, SocketFlags, SocketType, connect, socket_with};
use std::fs::Metadata;
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};

/// The namespaces that confine a process by showing it another system.
const NAMESPACES: [&str; 3] = ["mnt", "pid", "user"];
/// The limits that confine a process by refusing it calls: Landlock needs the first (landlock(7)).
const LIMITS: [&str; 2] = ["NoNewPrivs", "Seccomp"];

/// The socket's file, held so that no other file can be put in its place.
#[derive(Debug)]
pub(in super::super) struct ProvenSocket {
    file: OwnedFd,
}

impl ProvenSocket {
    /// Returns the path by which this very socket is reached, also by a program that is started.
    pub(in super::super) fn path(&self) -> PathBuf {
        let number = self.file.as_raw_fd();
        PathBuf::from(format!("/proc/{}/fd/{number}", std::process::id()))
    }
}

pub(super) fn prove(
    socket: &Path,
    lineage: &[u32],
    program: &Path,
) -> Result<ProvenSocket, SocketDoubt> {
    let held = hold(socket).ok_or(SocketDoubt::False)?;
    let server = listener(&held).filter(|server| lineage.contains(server));
    let server = server.filter(|server| is_as_free_as_we(*server));
    let server = server.ok_or(SocketDoubt::False)?;

    let running = std::fs::metadata(of(server).join("exe"));
    let found = std::fs::metadata(program);
    let is_ours = running.is_ok_and(|running| found.is_ok_and(|found| is_same(&running, &found)));
    if is_ours {
        Ok(held)
    } else {
        Err(SocketDoubt::Unknown)
    }
}

/// Opens a socket of this user, and holds it.
fn hold(socket: &Path) -> Option<ProvenSocket> {
    let flags = OFlags::PATH | OFlags::CLOEXEC;
    let file = rustix::fs::open(socket, flags, Mode::empty()).ok()?;
    let held = ProvenSocket { file };
    let found = std::fs::metadata(held.path()).ok()?;
    let is_ours = found.uid() == rustix::process::geteuid().as_raw();
    (is_ours && found.file_type().is_socket()).then_some(held)
}

/// Returns the process that began to listen there. Nothing is sent to it, and this does not wait.
fn listener(held: &ProvenSocket) -> Option<u32> {
    let flags = SocketFlags::CLOEXEC | SocketFlags::NONBLOCK;
    let ours = socket_with(AddressFamily::UNIX, SocketType::STREAM, flags, None).ok()?;
    connect(&ours, &SocketAddrUnix::new(held.path()).ok()?).ok()?;
    let ours = tokio::net::UnixStream::from_std(UnixStream::from(ours)).ok()?;
    let peer = ours.peer_cred().ok()?;
    let is_ours = peer.uid() == rustix::process::geteuid().as_raw();
    // A process that is in no namespace that can be seen from here has the id 0.
    let pid = u32::try_from(peer.pid()?).ok()?;
    is_ours.then_some(pid)
}

/// Whether the process is confined by nothing that does not confine us as well.
fn is_as_free_as_we(pid: u32) -> bool {
    let (its, ours) = (of(pid), of(std::process::id()));
    let is_same_place = NAMESPACES.iter().all(|name| {
        let namespace = |of: &Path| std::fs::read_link(of.join("ns").join(name)).ok();
        let here = namespace(&ours);
        here.is_some() && namespace(&its) == here
    });
    let root = |of: &Path| std::fs::metadata(of.join("root")).ok();
    let is_same_root = root(&its)
        .zip(root(&ours))
        .is_some_and(|(its, ours)| is_same(&its, &ours));
    is_same_place && is_same_root && is_limited_no_more(&its, &ours)
}

fn is_limited_no_more(its: &Path, ours: &Path) -> bool {
    let status = |of: &Path| std::fs::read_to_string(of.join("status")).unwrap_or_default();
    let (its, ours) = (status(its), status(ours));
    LIMITS.iter().all(|name| {
        let limit = |status: &str| {
            let line = status.lines().find_map(|line| line.strip_prefix(name));
            line?.strip_prefix(':')?.trim().parse::<u32>().ok()
        };
        // A kernel without such a limit does not list it.
        limit(&its).unwrap_or(0) <= limit(&ours).unwrap_or(0)
    })
}

fn is_same(one: &Metadata, other: &Metadata) -> bool {
    (one.dev(), one.ino()) == (other.dev(), other.ino())
}

fn of(pid: u32) -> PathBuf {
    Path::new("/proc").join(pid.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::net::{UnixDatagram, UnixListener};

    #[tokio::test]
    async fn a_socket_is_known_by_who_listens_there_and_by_its_program() {
        let folder = tempfile::tempdir().unwrap();
        let socket = folder.path().join("tmux");
        let own = std::env::current_exe().unwrap();
        let proven = |pid, program: &Path| prove(&socket, &[pid], program).map(|_| ());
        let pid = std::process::id();
        assert_eq!(proven(pid, &own), Err(SocketDoubt::False), "no file");
        let _listener = UnixListener::bind(&socket).unwrap();
        assert_eq!(proven(pid, &own), Ok(()));
        let sh = Path::new("/bin/sh");
        assert_eq!(
            proven(pid, sh),
            Err(SocketDoubt::Unknown),
            "another program"
        );
        assert_eq!(proven(1, &own), Err(SocketDoubt::False), "another process");
        // Not by closing that one: what another test is just starting may still hold it.
        std::fs::remove_file(&socket).unwrap();
        let _datagrams = UnixDatagram::bind(&socket).unwrap();
        assert_eq!(proven(pid, &own), Err(SocketDoubt::False), "nobody listens");
        std::fs::remove_file(&socket).unwrap();
        std::fs::write(&socket, "").unwrap();
        assert_eq!(proven(pid, &own), Err(SocketDoubt::False), "no socket");
    }

    #[test]
    fn what_is_put_in_the_place_of_a_proven_socket_is_not_spoken_to() {
        let folder = tempfile::tempdir().unwrap();
        let socket = folder.path().join("tmux");
        let _listener = UnixListener::bind(&socket).unwrap();
        let held = hold(&socket).unwrap();
        std::fs::remove_file(&socket).unwrap();
        let _other = UnixListener::bind(&socket).unwrap();
        let inode = |path: &Path| std::fs::metadata(path).unwrap().ino();
        assert_ne!(inode(&held.path()), inode(&socket));
    }

    #[test]
    fn a_process_that_is_shut_in_is_less_free() {
        let mut free = std::process::Command::new("sleep")
            .arg("100")
            .spawn()
            .unwrap();
        assert!(is_as_free_as_we(free.id()));
        free.kill().unwrap();
        free.wait().unwrap();
        let mut held = std::process::Command::new("setpriv")
            .args(["--no-new-privs", "sleep", "100"])
            .spawn()
            .unwrap();
        let status = of(held.id()).join("exe");
        while !std::fs::read_link(&status).is_ok_and(|exe| exe.ends_with("sleep")) {
            std::thread::yield_now();
        }
        assert!(!is_as_free_as_we(held.id()));
        held.kill().unwrap();
        held.wait().unwrap();
    }
}
