//! Reads processes and sockets from `/proc`; of one connection from `sock_diag.rs`.

mod sock_diag;

use super::{Ancestor, MOST_ANCESTORS, Process};
use std::collections::{BTreeSet, HashSet};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// The state `LISTEN` in `/proc/net/tcp`.
const LISTENS: &str = "0A";
const ROOT: u32 = 0;

pub(super) fn named(programs: &[&str]) -> Vec<Process> {
    let Ok(entries) = std::fs::read_dir("/proc") else {
        return Vec::new();
    };
    let pids = entries.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok());
    pids.filter_map(|pid| process(pid, |program| programs.contains(&program)))
        .collect()
}

pub(super) fn of(pid: u32) -> Option<Process> {
    process(pid, |_| true)
}

/// Reads a process. The program of another user's process cannot be read, so it is none of ours.
fn process(pid: u32, wanted: impl Fn(&str) -> bool) -> Option<Process> {
    let of = proc(pid);
    let program = std::fs::read_link(of.join("exe")).ok()?;
    let program = program.file_name()?.to_string_lossy();
    // Linux adds this mark if an update has replaced the program while it runs.
    let program = program.trim_end_matches(" (deleted)").to_owned();
    if !wanted(&program) {
        return None;
    }
    let line = std::fs::read(of.join("cmdline")).unwrap_or_default();
    let text = |part: &[u8]| String::from_utf8_lossy(part).into_owned();
    let mut arguments: Vec<String> = line.split(|byte| *byte == 0).skip(1).map(text).collect();
    // Each argument ends with a zero, so the last piece is empty.
    arguments.pop();
    Some(Process {
        pid,
        parent: parent(pid),
        program,
        arguments,
        directory: std::fs::read_link(of.join("cwd")).ok(),
        started: started(pid),
    })
}

/// Returns when the process started. The time of `/proc/PID` would be when somebody first looked at
/// it.
fn started(pid: u32) -> Option<SystemTime> {
    let born = Duration::from_millis(born(pid)? * 1_000 / rustix::param::clock_ticks_per_second());
    // `/proc/uptime` has hundredths of a second; `btime` of `/proc/stat` has whole ones.
    let running = std::fs::read_to_string("/proc/uptime").ok()?;
    let running = running.split_whitespace().next()?.parse().ok()?;
    let age = Duration::try_from_secs_f64(running)
        .ok()?
        .saturating_sub(born);
    SystemTime::now().checked_sub(age)
}

/// Reads field 4 of `stat` (proc_pid_stat(5)).
pub(super) fn parent(pid: u32) -> Option<u32> {
    stat(pid)?.get(1)?.parse().ok()
}

/// Reads field 22 of `stat`: ticks of the clock since the machine was started.
pub(super) fn born(pid: u32) -> Option<u64> {
    stat(pid)?.get(19)?.parse().ok()
}

pub(super) fn ancestors(pid: u32) -> Vec<Ancestor> {
    let up = |pid: &u32| parent(*pid).filter(|parent| *parent != 0);
    std::iter::successors(up(&pid), up)
        .take(MOST_ANCESTORS)
        .map(|pid| Ancestor {
            pid,
            born: born(pid),
        })
        .collect()
}

/// Tells whether the process runs. One that has ended but was not fetched by its parent (a zombie)
/// does not.
pub(super) fn is_running(pid: u32) -> bool {
    stat(pid).is_some_and(|stat| stat.first().is_some_and(|state| state != "Z"))
}

/// Returns the fields of `stat` behind the program's name, which may hold anything: state, parent,
/// …
fn stat(pid: u32) -> Option<Vec<String>> {
    let stat = std::fs::read_to_string(proc(pid).join("stat")).ok()?;
    let (_, fields) = stat.rsplit_once(") ")?;
    Some(fields.split_whitespace().map(str::to_owned).collect())
}

pub(super) fn variable(pid: u32, name: &str) -> Option<String> {
    let all = std::fs::read(proc(pid).join("environ")).ok()?;
    let mut lines = all.split(|byte| *byte == 0);
    let value = lines.find_map(|line| line.strip_prefix(name.as_bytes())?.strip_prefix(b"="))?;
    Some(str::from_utf8(value).ok()?.to_owned())
}

pub(super) fn ports(pid: u32) -> BTreeSet<u16> {
    let sockets = sockets(pid);
    let tables = ["tcp", "tcp6"].map(|table| proc(pid).join("net").join(table));
    let lines = tables
        .iter()
        .filter_map(|table| std::fs::read_to_string(table).ok());
    let listening = |line: &str| {
        let fields: Vec<&str> = line.split_whitespace().collect();
        let (_, port) = fields.get(1)?.rsplit_once(':')?;
        let inode = fields.get(9)?.parse().ok()?;
        let ours = fields.get(3) == Some(&LISTENS) && sockets.contains(&inode);
        ours.then(|| u16::from_str_radix(port, 16).ok()).flatten()
    };
    lines
        .flat_map(|lines| lines.lines().filter_map(listening).collect::<Vec<_>>())
        .collect()
}

/// Returns the inodes of the process's open sockets. Those of another user's process cannot be
/// seen.
fn sockets(pid: u32) -> HashSet<u64> {
    let Ok(files) = std::fs::read_dir(proc(pid).join("fd")) else {
        return HashSet::new();
    };
    let inode = |link: PathBuf| {
        let link = link
            .as_os_str()
            .as_bytes()
            .strip_prefix(b"socket:[")?
            .strip_suffix(b"]")?;
        str::from_utf8(link).ok()?.parse().ok()
    };
    files
        .filter_map(|file| inode(std::fs::read_link(file.ok()?.path()).ok()?))
        .collect()
}

fn proc(pid: u32) -> PathBuf {
    Path::new("/proc").join(pid.to_string())
}

/// Tells whether another user serves one connection, without the table; `None` where that doesn't
/// tell.
pub(super) fn is_served_by_another(there: SocketAddr, here: SocketAddr) -> Option<bool> {
    let users = sock_diag::users(plain(there), plain(here)).ok()?;
    (!users.is_empty()).then(|| users.into_iter().any(is_another))
}

/// Tells whether a user is another one. Root may do anything anyway, and does not count.
fn is_another(user: u32) -> bool {
    user != rustix::process::geteuid().as_raw() && user != ROOT
}

/// The sockets of which `/proc/net/tcp` and `tcp6` tell.
#[derive(Debug)]
pub(super) struct SocketTable(Vec<SocketLine>);

impl SocketTable {
    pub(super) fn look() -> Self {
        let tables = ["/proc/self/net/tcp", "/proc/self/net/tcp6"];
        let tables = tables
            .iter()
            .filter_map(|table| std::fs::read_to_string(table).ok());
        Self::read(&tables.collect::<String>())
    }

    fn read(lines: &str) -> Self {
        Self(lines.lines().filter_map(SocketLine::read).collect())
    }

    pub(super) fn is_anothers(&self, there: SocketAddr, here: SocketAddr) -> bool {
        self.users(there, here).into_iter().any(is_another)
    }

    /// Returns the users of those that listen there, and of the one that took this connection. Of
    /// several that listen the system takes the one that names the address most closely.
    fn users(&self, there: SocketAddr, here: SocketAddr) -> Vec<u32> {
        let (there, here) = (plain(there), plain(here));
        let taker = self
            .0
            .iter()
            .filter(|socket| (socket.local, socket.remote) == (there, here));
        let listening = self.0.iter().filter(|socket| socket.listens);
        let close = |socket: &&SocketLine| socket.closeness(there);
        let closest = listening.clone().filter_map(|socket| close(&socket)).min();
        let listeners = listening.filter(|it| closest.is_some() && close(it) == closest);
        taker.chain(listeners).map(|socket| socket.user).collect()
    }
}

/// A line of `/proc/net/tcp` or `tcp6`.
#[derive(Debug)]
struct SocketLine {
    local: SocketAddr,
    remote: SocketAddr,
    listens: bool,
    user: u32,
}

impl SocketLine {
    fn read(line: &str) -> Option<Self> {
        let fields: Vec<&str> = line.split_whitespace().collect();
        let address = |at: usize| end(fields.get(at)?);
        let listens = fields.get(3) == Some(&LISTENS);
        let user = fields.get(7)?.parse().ok()?;
        Some(Self {
            local: address(1)?,
            remote: address(2)?,
            listens,
            user,
        })
    }

    /// Returns how closely a listening socket names an address, where 0 is exactly; `None` when not
    /// at all.
    fn closeness(&self, address: SocketAddr) -> Option<u8> {
        if self.local.port() != address.port() {
            return None;
        }
        match (self.local.ip(), address.ip()) {
            (local, wanted) if local == wanted => Some(0),
            (local, wanted) if local.is_unspecified() && local.is_ipv4() == wanted.is_ipv4() => {
                Some(1)
            }
            // A socket for all of IPv6 mostly takes IPv4 as well.
            (IpAddr::V6(local), _) if local.is_unspecified() => Some(2),
            _ => None,
        }
    }
}

/// Writes an IPv4 address within IPv6 as IPv4.
fn plain(address: SocketAddr) -> SocketAddr {
    SocketAddr::new(address.ip().to_canonical(), address.port())
}

/// Reads an address such as `0100007F:1000`: each four bytes are one number of this machine.
fn end(text: &str) -> Option<SocketAddr> {
    let (address, port) = text.split_once(':')?;
    let words = address
        .as_bytes()
        .chunks(8)
        .map(|word| str::from_utf8(word).ok());
    let words = words.map(|word| u32::from_str_radix(word?, 16).ok().map(u32::to_ne_bytes));
    let bytes = words.collect::<Option<Vec<_>>>()?.concat();
    let address: IpAddr = match <[u8; 4]>::try_from(bytes.as_slice()) {
        Ok(four) => Ipv4Addr::from(four).into(),
        Err(_) => Ipv6Addr::from(<[u8; 16]>::try_from(bytes).ok()?).into(),
    };
    Some(plain(SocketAddr::new(
        address,
        u16::from_str_radix(port, 16).ok()?,
    )))
}

#[cfg(test)]
#[cfg(target_endian = "little")]
mod tests {
    use super::*;

    const HEAD: &str = "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n";

    /// Returns a line as the kernel writes it.
    fn line(local: &str, remote: &str, state: &str, user: u32) -> String {
        format!(
            "   0: {local} {remote} {state} 00000000:00000000 00:00000000 00000000 {user:5}        0 22145 1 0000000000000000 100 0 0 10 0\n"
        )
    }

    fn users_of(lines: &[String], there: &str) -> Vec<u32> {
        let (there, here) = (there.parse().unwrap(), "127.0.0.1:40000".parse().unwrap());
        SocketTable::read(&format!("{HEAD}{}", lines.concat())).users(there, here)
    }

    #[test]
    fn the_user_is_that_of_whoever_listens_most_closely() {
        let nobody = "00000000:0000";
        let exact = line("0100007F:1000", nobody, LISTENS, 1_000);
        let all = line("00000000:1000", nobody, LISTENS, 1_001);
        let all6 = line(
            "00000000000000000000000000000000:1000",
            nobody,
            LISTENS,
            1_002,
        );
        let other_port = line("0100007F:1001", nobody, LISTENS, 1_003);
        let own6 = line(
            "00000000000000000000000001000000:1000",
            nobody,
            LISTENS,
            1_004,
        );
        let there = "127.0.0.1:4096";
        let lines = [all6.clone(), other_port.clone(), all.clone(), exact, own6];
        assert_eq!(users_of(&lines, there), [1_000]);
        assert_eq!(users_of(&lines[..3], there), [1_001]);
        assert_eq!(users_of(&lines[..2], there), [1_002]);
        assert_eq!(users_of(&lines, "[::1]:4096"), [1_004]);
        assert_eq!(users_of(&[other_port], there), [0; 0]);
    }

    #[test]
    fn who_took_the_connection_counts_though_nobody_listens_any_more() {
        let taken = line("0100007F:1000", "0100007F:9C40", "01", 65_534);
        let anothers = line("0100007F:1000", "0100007F:9C41", "01", 65_533);
        assert_eq!(users_of(&[taken, anothers], "127.0.0.1:4096"), [65_534]);
        let mapped = "0000000000000000FFFF00000100007F";
        let taken = line(
            &format!("{mapped}:1000"),
            &format!("{mapped}:9C40"),
            "01",
            65_534,
        );
        assert_eq!(users_of(&[taken], "127.0.0.1:4096"), [65_534]);
    }

    #[test]
    fn an_own_listener_is_nobody_elses() {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let there = listener.local_addr().unwrap();
        let stream = std::net::TcpStream::connect(there).unwrap();
        let sockets = SocketTable::look();
        assert!(!sockets.is_anothers(there, stream.local_addr().unwrap()));
        // The kernel may tell a line twice if sockets come and go while its table is read.
        let users = sockets.users(there, stream.local_addr().unwrap());
        assert!(users.len() >= 2, "both ends of it: {users:?}");
    }
}
