//! Which of the OpenCodes that run Beckon sees, how, and why not the others.

use crate::platform::processes::{self, Process};
use beckon_client::config::{OpenCodeServer, ServerTransport};
use beckon_client::wire::{RegisteredServer, Source, SourceStatus};
use std::collections::{BTreeMap, BTreeSet};
use std::time::SystemTime;

/// What OpenCode's program is called: by itself, in the desktop app, and as some systems wrap it.
const PROGRAMS: &[&str] = &["opencode", "opencode-cli", ".opencode-wrapped"];

/// Commands that run no agent of their own: they use another's, or do one thing and end.
const NO_AGENT: &[&str] = &[
    "agent",
    "attach",
    "auth",
    "completion",
    "db",
    "debug",
    "export",
    "github",
    "import",
    "mcp",
    "models",
    "plugin",
    "pr",
    "providers",
    "session",
    "stats",
    "uninstall",
    "upgrade",
];

/// An OpenCode that runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RunningAgent {
    /// Its process.
    pub process: Process,
    /// Where it listens.
    pub ports: BTreeSet<u16>,
}

/// Whom Beckon watches, and whether the plugin is there.
#[derive(Clone, Debug, Default)]
pub(crate) struct WatchedServers {
    /// The names of the sources by their port on this machine.
    pub ports: BTreeMap<u16, String>,
    /// How a process that has registered itself is reached, and the source's name.
    pub registered: BTreeMap<u32, (ServerTransport, String)>,
    /// Since when the plugin is installed, if it is.
    pub plugin_since: Option<SystemTime>,
}

impl WatchedServers {
    /// By what the running Beckon says of its sources.
    pub(crate) fn of(
        sources: &[Source],
        registered: &[RegisteredServer],
        plugin_since: Option<SystemTime>,
    ) -> Self {
        let port = |source: &Source| {
            let server = OpenCodeServer { url: source.url.clone(), ..OpenCodeServer::default() };
            Some((server.local_port()?, source.name.clone()))
        };
        // The port of a door is the plugin's, not OpenCode's.
        let is_door = |source: &Source| registered.iter().any(|door| door.name == source.name);
        let reached = sources
            .iter()
            .filter(|source| source.state != SourceStatus::Unreachable && !is_door(source));
        let registered = registered.iter().filter(|server| server.watched);
        Self {
            ports: reached.filter_map(port).collect(),
            registered: registered
                .filter_map(|server| Some((server.pid?, (server.kind, server.name.clone()))))
                .collect(),
            plugin_since,
        }
    }
}

/// Is it seen?
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum WatchStatus {
    /// So, as the source of that name.
    Seen(ServerTransport, String),
    /// It shows itself nowhere, and the plugin is not installed.
    NoPlugin,
    /// It began before the plugin was installed.
    BeganBefore,
    /// It has read the plugin, or could have, and has not registered itself.
    Silent,
}

/// The OpenCodes that run here, and how each stands. The system is asked, which takes a moment.
pub(crate) fn look(watching: &WatchedServers) -> Vec<(RunningAgent, WatchStatus)> {
    let running = agents(processes::named(PROGRAMS)).into_iter();
    let seen = running.map(|process| {
        let running = RunningAgent { ports: processes::ports(process.pid), process };
        let status = coverage(&running, watching);
        (running, status)
    });
    seen.collect()
}

/// Those of the processes that are agents: neither somebody else's helpers nor short errands.
fn agents(processes: Vec<Process>) -> Vec<Process> {
    let all: BTreeSet<u32> = processes.iter().map(|process| process.pid).collect();
    let is_helper = |process: &Process| process.parent.is_some_and(|parent| all.contains(&parent));
    processes.into_iter().filter(|p| !is_helper(p) && runs_an_agent(&p.arguments)).collect()
}

fn runs_an_agent(arguments: &[String]) -> bool {
    let command = arguments.iter().find(|argument| !argument.starts_with('-'));
    let asked = |flag: &String| matches!(flag.as_str(), "--help" | "-h" | "--version" | "-v");
    !command.is_some_and(|command| NO_AGENT.contains(&command.as_str()))
        && !arguments.iter().any(asked)
}

/// Is this one seen?
fn coverage(running: &RunningAgent, watching: &WatchedServers) -> WatchStatus {
    if let Some(source) = running.ports.iter().find_map(|port| watching.ports.get(port)) {
        return WatchStatus::Seen(ServerTransport::Port, source.clone());
    }
    if let Some((way, source)) = watching.registered.get(&running.process.pid) {
        return WatchStatus::Seen(*way, source.clone());
    }
    match (watching.plugin_since, running.process.started) {
        (None, _) => WatchStatus::NoPlugin,
        (Some(since), Some(started)) if started < since => WatchStatus::BeganBefore,
        (Some(_), _) => WatchStatus::Silent,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn process(pid: u32, parent: u32, arguments: &[&str]) -> Process {
        Process {
            pid,
            parent: Some(parent),
            program: "opencode".into(),
            arguments: arguments.iter().map(|argument| (*argument).to_owned()).collect(),
            directory: None,
            started: Some(SystemTime::UNIX_EPOCH + Duration::from_secs(100)),
        }
    }

    fn running(ports: &[u16]) -> RunningAgent {
        RunningAgent { process: process(7, 1, &[]), ports: ports.iter().copied().collect() }
    }

    fn at(seconds: u64) -> Option<SystemTime> {
        Some(SystemTime::UNIX_EPOCH + Duration::from_secs(seconds))
    }

    #[test]
    fn helpers_and_short_errands_are_no_agents() {
        let processes = vec![
            process(1, 0, &[]),
            process(2, 1, &["install"]),
            process(3, 0, &["serve", "--port", "4096"]),
            process(4, 0, &["--port", "4097"]),
            process(5, 0, &["attach", "http://127.0.0.1:4096"]),
            process(6, 0, &["auth", "login"]),
            process(8, 0, &["--version"]),
        ];
        let agents: Vec<u32> = agents(processes).iter().map(|process| process.pid).collect();
        assert_eq!(agents, [1, 3, 4]);
    }

    #[test]
    fn a_port_counts_before_a_door() {
        let mut watching = WatchedServers::default();
        watching.registered.insert(7, (ServerTransport::Door, "project-7".into()));
        assert_eq!(
            coverage(&running(&[4096]), &watching),
            WatchStatus::Seen(ServerTransport::Door, "project-7".into())
        );
        watching.ports.insert(4096, "local".into());
        assert_eq!(
            coverage(&running(&[4096]), &watching),
            WatchStatus::Seen(ServerTransport::Port, "local".into())
        );
    }

    #[test]
    fn one_that_is_not_seen_lacks_the_plugin_or_a_restart() {
        let with = |plugin_since| WatchedServers { plugin_since, ..WatchedServers::default() };
        assert_eq!(coverage(&running(&[]), &with(None)), WatchStatus::NoPlugin);
        assert_eq!(coverage(&running(&[]), &with(at(200))), WatchStatus::BeganBefore);
        assert_eq!(coverage(&running(&[]), &with(at(50))), WatchStatus::Silent);
    }
}
