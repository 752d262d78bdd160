//! By `/proc`.

use super::Process;
use std::collections::{BTreeSet, HashSet};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// The state `LISTEN` in `/proc/net/tcp`.
const LISTENS: &str = "0A";

pub(super) fn named(programs: &[&str]) -> Vec<Process> {
    let Ok(entries) = std::fs::read_dir("/proc") else { return Vec::new() };
    let pids = entries.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok());
    pids.filter_map(|pid| process(pid, |program| programs.contains(&program))).collect()
}

pub(super) fn of(pid: u32) -> Option<Process> {
    process(pid, |_| true)
}

/// Of other users' processes the program cannot be read, so they are none of ours.
fn process(pid: u32, wanted: impl Fn(&str) -> bool) -> Option<Process> {
    let of = proc(pid);
    let program = std::fs::read_link(of.join("exe")).ok()?;
    let program = program.file_name()?.to_string_lossy();
    // Replaced by an update while it runs.
    let program = program.trim_end_matches(" (deleted)").to_owned();
    if !wanted(&program) {
        return None;
    }
    let line = std::fs::read(of.join("cmdline")).unwrap_or_default();
    let text = |part: &[u8]| String::from_utf8_lossy(part).into_owned();
    let mut arguments: Vec<String> = line.split(|byte| *byte == 0).skip(1).map(text).collect();
    // Each ends with a zero.
    arguments.pop();
    Some(Process {
        pid,
        parent: stat(pid).and_then(|stat| stat.get(1)?.parse().ok()),
        program,
        arguments,
        directory: std::fs::read_link(of.join("cwd")).ok(),
        started: std::fs::metadata(&of).and_then(|of| of.modified()).ok(),
    })
}

/// One that has ended but was not fetched by its parent runs no more.
pub(super) fn is_running(pid: u32) -> bool {
    stat(pid).is_some_and(|stat| stat.first().is_some_and(|state| state != "Z"))
}

/// The fields of `stat` behind the program's name, which may hold anything: state, parent, …
fn stat(pid: u32) -> Option<Vec<String>> {
    let stat = std::fs::read_to_string(proc(pid).join("stat")).ok()?;
    let (_, fields) = stat.rsplit_once(") ")?;
    Some(fields.split_whitespace().map(str::to_owned).collect())
}

pub(super) fn ports(pid: u32) -> BTreeSet<u16> {
    let sockets = sockets(pid);
    let tables = ["tcp", "tcp6"].map(|table| proc(pid).join("net").join(table));
    let lines = tables.iter().filter_map(|table| std::fs::read_to_string(table).ok());
    let listening = |line: &str| {
        let fields: Vec<&str> = line.split_whitespace().collect();
        let (_, port) = fields.get(1)?.rsplit_once(':')?;
        let inode = fields.get(9)?.parse().ok()?;
        let ours = fields.get(3) == Some(&LISTENS) && sockets.contains(&inode);
        ours.then(|| u16::from_str_radix(port, 16).ok()).flatten()
    };
    lines.flat_map(|lines| lines.lines().filter_map(listening).collect::<Vec<_>>()).collect()
}

/// The inodes of its open sockets. Those of another user's process cannot be seen.
fn sockets(pid: u32) -> HashSet<u64> {
    let Ok(files) = std::fs::read_dir(proc(pid).join("fd")) else { return HashSet::new() };
    let inode = |link: PathBuf| {
        let link = link.as_os_str().as_bytes().strip_prefix(b"socket:[")?.strip_suffix(b"]")?;
        str::from_utf8(link).ok()?.parse().ok()
    };
    files.filter_map(|file| inode(std::fs::read_link(file.ok()?.path()).ok()?)).collect()
}

fn proc(pid: u32) -> PathBuf {
    Path::new("/proc").join(pid.to_string())
}
