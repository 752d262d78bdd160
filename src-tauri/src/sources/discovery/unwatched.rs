//! Tells which of the OpenCodes that run on this machine Beckon sees and how, and why it does not
//! see the others.

use crate::platform::processes::{self, Process};
use beckon_client::config::{OpenCodeServer, ServerTransport};
use beckon_client::wire::{RegisteredServer, Source, SourceStatus};
use beckon_core::Session;
use std::collections::{BTreeMap, BTreeSet};
use std::time::SystemTime;

/// The names of OpenCode's program: by itself, in the desktop app, and as some systems wrap it.
const PROGRAMS: &[&str] = &["opencode", "opencode-cli", ".opencode-wrapped"];

/// Commands that run no agent of their own: they use another process's agent, or do one thing and
/// end.
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

/// Options whose value stands in the next word (`opencode --help`, 1.18).
const WITH_VALUE: &[&str] = &[
    "--agent",
    "--cors",
    "--dir",
    "--hostname",
    "--log-level",
    "--mdns-domain",
    "--model",
    "--password",
    "--port",
    "--prompt",
    "--session",
    "-m",
    "-p",
    "-s",
];

/// Commands that serve clients elsewhere and show nothing in their own terminal.
const NO_TERMINAL: &[&str] = &["serve", "web"];

/// An OpenCode process that runs an agent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RunningAgent {
    /// The process.
    pub process: Process,
    /// The ports at which it listens.
    pub ports: BTreeSet<u16>,
}

/// The sources that Beckon watches, and whether the plugin is installed.
#[derive(Clone, Debug, Default)]
pub(crate) struct WatchedServers {
    /// The names of the sources by their port on this machine.
    pub ports: BTreeMap<u16, String>,
    /// The transport by which each process that has registered itself is reached, and the source's
    /// name, by process id.
    pub registered: BTreeMap<u32, (ServerTransport, String)>,
    /// The time since which the plugin is installed, if it is.
    pub plugin_since: Option<SystemTime>,
}

impl WatchedServers {
    /// Builds the table from what the running Beckon reports of its sources.
    pub(crate) fn of(
        sources: &[Source],
        registered: &[RegisteredServer],
        plugin_since: Option<SystemTime>,
    ) -> Self {
        let port = |source: &Source| {
            let server = OpenCodeServer {
                url: source.url.clone(),
                ..OpenCodeServer::default()
            };
            Some((server.local_port()?, source.name.clone()))
        };
        // The port of a door belongs to the plugin, not to OpenCode.
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

/// Whether a running OpenCode is seen, and if not, why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum WatchStatus {
    /// Beckon sees it by that transport, as the source of that name.
    Seen(ServerTransport, String),
    /// Neither a watched port nor a registration leads to it, and the plugin is not installed.
    NoPlugin,
    /// The process started before the plugin was installed.
    BeganBefore,
    /// The process has read the plugin, or could have, and has not registered itself.
    Silent,
}

/// Lists the OpenCodes that run here, and whether each is seen. The system is asked, which takes a
/// moment.
pub(crate) fn look(watching: &WatchedServers) -> Vec<(RunningAgent, WatchStatus)> {
    let running = agents(processes::named(PROGRAMS)).into_iter();
    let seen = running.map(|process| {
        let running = RunningAgent {
            ports: processes::ports(process.pid),
            process,
        };
        let status = coverage(&running, watching);
        (running, status)
    });
    seen.collect()
}

/// Returns the process whose terminal shows that session of the OpenCode at that address of this
/// machine: a process that is attached to the server, or else the server's own unless it only
/// serves. The system is asked, which takes a moment.
pub(crate) fn terminal_at(url: &str, session: &Session) -> Option<u32> {
    let server = OpenCodeServer {
        url: url.into(),
        ..OpenCodeServer::default()
    };
    let port = server.local_port()?;
    let all = processes::named(PROGRAMS);
    let attached = all
        .iter()
        .filter(|process| attaches_to(&process.arguments, port));
    let attached = closest(attached.collect(), session).cloned();
    let own = |process: &Process| {
        let serves = command(&process.arguments).is_some_and(|it| NO_TERMINAL.contains(&it));
        !serves && processes::ports(process.pid).contains(&port)
    };
    attached
        .or_else(|| agents(all).into_iter().find(own))
        .map(|process| process.pid)
}

/// Tells whether the command line attaches to a server at that port of this machine, as `opencode
/// attach http://127.0.0.1:4096` does.
fn attaches_to(arguments: &[String], port: u16) -> bool {
    let there = |argument: &String| {
        let server = OpenCodeServer {
            url: argument.clone(),
            ..OpenCodeServer::default()
        };
        server.local_port() == Some(port)
    };
    command(arguments) == Some("attach") && arguments.iter().any(there)
}

/// Picks the attached process that shows the session, as far as arguments tell: the one that was
/// given the session's id, or else the one that works in its directory. A process that is alone
/// needs to say neither; of several that say neither, none is taken.
fn closest<'a>(attached: Vec<&'a Process>, session: &Session) -> Option<&'a Process> {
    let says = |process: &Process, word: &str| process.arguments.iter().any(|it| it == word);
    let works_in = |process: &Process| {
        says(process, &session.directory)
            || process
                .directory
                .as_ref()
                .is_some_and(|it| it.as_os_str() == &*session.directory)
    };
    let given = attached.iter().find(|process| says(process, &session.id));
    let near = given.or_else(|| attached.iter().find(|process| works_in(process)));
    let alone = attached.first().filter(|_| attached.len() == 1);
    near.or(alone).copied()
}

/// Returns the first word that is neither an option nor the value of one.
fn command(arguments: &[String]) -> Option<&str> {
    let mut words = arguments.iter().map(String::as_str);
    while let Some(word) = words.next() {
        if WITH_VALUE.contains(&word) {
            words.next();
        } else if !word.starts_with('-') {
            return Some(word);
        }
    }
    None
}

/// Keeps the processes that are agents. The child of another OpenCode is that one's helper, and
/// some commands run no agent (see [`NO_AGENT`]).
fn agents(processes: Vec<Process>) -> Vec<Process> {
    let all: BTreeSet<u32> = processes.iter().map(|process| process.pid).collect();
    let is_helper = |process: &Process| process.parent.is_some_and(|parent| all.contains(&parent));
    processes
        .into_iter()
        .filter(|p| !is_helper(p) && runs_an_agent(&p.arguments))
        .collect()
}

fn runs_an_agent(arguments: &[String]) -> bool {
    let asked = |flag: &String| matches!(flag.as_str(), "--help" | "-h" | "--version" | "-v");
    !command(arguments).is_some_and(|command| NO_AGENT.contains(&command))
        && !arguments.iter().any(asked)
}

/// Returns whether Beckon sees this OpenCode, and if not, why.
fn coverage(running: &RunningAgent, watching: &WatchedServers) -> WatchStatus {
    if let Some(source) = running
        .ports
        .iter()
        .find_map(|port| watching.ports.get(port))
    {
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
            arguments: arguments
                .iter()
                .map(|argument| (*argument).to_owned())
                .collect(),
            directory: None,
            started: Some(SystemTime::UNIX_EPOCH + Duration::from_secs(100)),
        }
    }

    fn running(ports: &[u16]) -> RunningAgent {
        RunningAgent {
            process: process(7, 1, &[]),
            ports: ports.iter().copied().collect(),
        }
    }

    fn at(seconds: u64) -> Option<SystemTime> {
        Some(SystemTime::UNIX_EPOCH + Duration::from_secs(seconds))
    }

    #[test]
    fn helpers_and_short_errands_are_no_agents() {
        let processes = vec![
            process(1, 0, &[]),
            process(2, 1, &["install"]),
            process(3, 0, &["--port", "4096", "serve"]),
            process(9, 0, &["--log-level", "DEBUG", "auth", "login"]),
            process(4, 0, &["--port", "4097"]),
            process(5, 0, &["attach", "http://127.0.0.1:4096"]),
            process(6, 0, &["auth", "login"]),
            process(8, 0, &["--version"]),
        ];
        let agents: Vec<u32> = agents(processes)
            .iter()
            .map(|process| process.pid)
            .collect();
        assert_eq!(agents, [1, 3, 4]);
    }

    #[test]
    fn one_that_is_attached_is_known_by_the_address_it_was_given() {
        let attached = |words: &[&str]| attaches_to(&process(1, 0, words).arguments, 4096);
        assert!(attached(&["attach", "http://127.0.0.1:4096"]));
        assert!(attached(&[
            "attach",
            "--dir",
            "/a",
            "http://localhost:4096/"
        ]));
        assert!(attached(&[
            "--log-level",
            "DEBUG",
            "attach",
            "http://127.0.0.1:4096"
        ]));
        assert!(!attached(&["attach", "http://127.0.0.1:4097"]));
        assert!(!attached(&["attach", "http://example.org:4096"]));
        assert!(!attached(&["run", "http://127.0.0.1:4096"]));
    }

    #[test]
    fn of_several_that_are_attached_the_one_that_was_given_the_session_counts() {
        let attach = |pid, words: &[&str]| process(pid, 0, &[&["attach"], words].concat());
        let all = [
            attach(1, &["-s", "ses_1"]),
            attach(2, &["--dir", "/b"]),
            attach(3, &[]),
        ];
        let of = |id: &str, directory: &str, all: &[Process]| {
            let session = Session {
                id: id.into(),
                directory: directory.into(),
                ..Session::default()
            };
            closest(all.iter().collect(), &session).map(|process| process.pid)
        };
        assert_eq!(of("ses_1", "/b", &all), Some(1));
        assert_eq!(of("ses_2", "/b", &all), Some(2));
        assert_eq!(of("ses_2", "/c", &all), None);
        assert_eq!(of("ses_2", "/c", &all[2..]), Some(3));
    }

    #[test]
    fn a_port_counts_before_a_door() {
        let mut watching = WatchedServers::default();
        watching
            .registered
            .insert(7, (ServerTransport::Door, "project-7".into()));
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
        let with = |plugin_since| WatchedServers {
            plugin_since,
            ..WatchedServers::default()
        };
        assert_eq!(coverage(&running(&[]), &with(None)), WatchStatus::NoPlugin);
        assert_eq!(
            coverage(&running(&[]), &with(at(200))),
            WatchStatus::BeganBefore
        );
        assert_eq!(coverage(&running(&[]), &with(at(50))), WatchStatus::Silent);
        assert_eq!(coverage(&running(&[]), &with(at(100))), WatchStatus::Silent);
    }
}
