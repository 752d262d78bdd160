//! Reads processes by the calls of Windows and macOS, which `sysinfo` and `listeners` make alike.

use super::{Ancestor, MOST_ANCESTORS, Process};
use listeners::Protocol;
use std::collections::BTreeSet;
use std::net::SocketAddr;
use std::time::{Duration, SystemTime};
use sysinfo::{Pid, ProcessRefreshKind, ProcessesToUpdate, System, Uid, UpdateKind};

pub(super) fn named(programs: &[&str]) -> Vec<Process> {
    let Some(system) = system(ProcessesToUpdate::All, everything()) else {
        return Vec::new();
    };
    let processes = system.processes().values().filter_map(told);
    processes
        .filter(|process| programs.contains(&process.program.as_str()))
        .collect()
}

pub(super) fn of(pid: u32) -> Option<Process> {
    let pid = Pid::from_u32(pid);
    told(system(ProcessesToUpdate::Some(&[pid]), everything())?.process(pid)?)
}

fn everything() -> ProcessRefreshKind {
    ProcessRefreshKind::nothing()
        .with_exe(UpdateKind::Always)
        .with_cmd(UpdateKind::Always)
        .with_cwd(UpdateKind::Always)
}

fn told(process: &sysinfo::Process) -> Option<Process> {
    let program = process.exe()?.file_name()?.to_string_lossy();
    let program = program.trim_end_matches(".exe").to_owned();
    let arguments = process.cmd().iter().skip(1);
    Some(Process {
        pid: process.pid().as_u32(),
        parent: process.parent().map(Pid::as_u32),
        program,
        arguments: arguments
            .map(|part| part.to_string_lossy().into_owned())
            .collect(),
        directory: process.cwd().map(std::path::Path::to_owned),
        started: SystemTime::UNIX_EPOCH.checked_add(Duration::from_secs(process.start_time())),
    })
}

pub(super) fn is_running(pid: u32) -> bool {
    let pid = Pid::from_u32(pid);
    let system = system(
        ProcessesToUpdate::Some(&[pid]),
        ProcessRefreshKind::nothing(),
    );
    system.is_none_or(|system| system.process(pid).is_some())
}

pub(super) fn parent(pid: u32) -> Option<u32> {
    let pid = Pid::from_u32(pid);
    let system = system(
        ProcessesToUpdate::Some(&[pid]),
        ProcessRefreshKind::nothing(),
    )?;
    system.process(pid)?.parent().map(Pid::as_u32)
}

/// Returns when the process started, in seconds since 1970, as the system noted them then.
pub(super) fn born(pid: u32) -> Option<u64> {
    let pid = Pid::from_u32(pid);
    let system = system(
        ProcessesToUpdate::Some(&[pid]),
        ProcessRefreshKind::nothing(),
    )?;
    Some(system.process(pid)?.start_time())
}

/// Returns the ancestors. A parent's number may belong to another process now, so one that started
/// later than its child is not taken.
pub(super) fn ancestors(pid: u32) -> Vec<Ancestor> {
    let Some(system) = system(ProcessesToUpdate::All, ProcessRefreshKind::nothing()) else {
        return Vec::new();
    };
    let up = |process: &&sysinfo::Process| {
        let parent = system.process(process.parent()?)?;
        (parent.start_time() <= process.start_time()).then_some(parent)
    };
    let own = system.process(Pid::from_u32(pid));
    std::iter::successors(own.as_ref().and_then(up), up)
        .take(MOST_ANCESTORS)
        .map(|process| Ancestor {
            pid: process.pid().as_u32(),
            born: Some(process.start_time()),
        })
        .collect()
}

pub(super) fn variable(pid: u32, name: &str) -> Option<String> {
    let pid = Pid::from_u32(pid);
    let wanted = ProcessRefreshKind::nothing().with_environ(UpdateKind::Always);
    let system = system(ProcessesToUpdate::Some(&[pid]), wanted)?;
    let mut lines = system
        .process(pid)?
        .environ()
        .iter()
        .filter_map(|line| line.to_str());
    Some(
        lines
            .find_map(|line| line.strip_prefix(name)?.strip_prefix('='))?
            .to_owned(),
    )
}

fn system(which: ProcessesToUpdate<'_>, wanted: ProcessRefreshKind) -> Option<System> {
    let mut system = System::new().ok()?;
    system.refresh_processes_specifics(which, true, wanted);
    Some(system)
}

pub(super) fn ports(pid: u32) -> BTreeSet<u16> {
    let all = listeners::get_all().unwrap_or_default().into_iter();
    let its = all.filter(|one| one.process.pid == pid && one.protocol == Protocol::TCP);
    its.map(|one| one.socket.port()).collect()
}

/// Returns nothing: only the table tells here.
pub(super) fn is_served_by_another(_: SocketAddr, _: SocketAddr) -> Option<bool> {
    None
}

/// The addresses at which processes listen, with their process ids.
#[derive(Debug)]
pub(super) struct SocketTable(Vec<(SocketAddr, u32)>);

impl SocketTable {
    pub(super) fn look() -> Self {
        let all = listeners::get_all().unwrap_or_default().into_iter();
        let tcp = all.filter(|one| one.protocol == Protocol::TCP);
        Self(tcp.map(|one| (one.socket, one.process.pid)).collect())
    }

    /// Tells whether a process of another user listens there, as far as this user is told whose it
    /// is.
    pub(super) fn is_anothers(&self, there: SocketAddr, _: SocketAddr) -> bool {
        let Some(ours) = user(std::process::id()) else {
            return false;
        };
        let is_there = |socket: &SocketAddr| {
            let ip = socket.ip();
            socket.port() == there.port() && (ip == there.ip() || ip.is_unspecified())
        };
        let its = self.0.iter().filter(|(socket, _)| is_there(socket));
        its.filter_map(|(_, pid)| user(*pid))
            .any(|user| user != ours)
    }
}

fn user(pid: u32) -> Option<Uid> {
    let pid = Pid::from_u32(pid);
    let wanted = ProcessRefreshKind::nothing().with_user(UpdateKind::Always);
    let system = system(ProcessesToUpdate::Some(&[pid]), wanted)?;
    system.process(pid)?.user_id().cloned()
}
