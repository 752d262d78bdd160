//! The way to a pane of tmux. In a terminal that shows the pane's session already, the pane of a
//! process is selected. The environment of a process in a pane names the pane (`TMUX`, `TMUX_PANE`;
//! tmux(1), GLOBAL AND SESSION ENVIRONMENT). No terminal is switched to another session, and
//! nothing is sent to a server that has not proven itself (`proof.rs`).

mod command;
mod proof;

use super::terminal::lineage;
use crate::platform::processes;
use anyhow::{Context, Result};
use command::TmuxServer;
use proof::SocketDoubt;

/// The result of choosing a pane.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum PaneChoice {
    /// The process runs in no pane.
    NoPane,
    /// The pane is chosen in the terminal of this client's process.
    ShownBy(u32),
    /// No terminal shows the pane's session.
    Detached {
        /// The session's name.
        session: String,
        /// The command that a person types to see it.
        command: String,
    },
    /// The server may be another user's, so nothing was sent to it.
    Unproven {
        /// The command for a person who knows that the server is theirs.
        command: String,
    },
}

/// A pane, as the environment of a process in it names it.
#[derive(Clone, Debug, PartialEq, Eq)]
struct PaneName {
    socket: String,
    /// `%3`
    pane: String,
}

impl PaneName {
    fn of(process: u32) -> Option<Self> {
        let [server, pane] = ["TMUX", "TMUX_PANE"].map(|name| processes::variable(process, name));
        Self::read(&server?, &pane?)
    }

    /// Reads the name of a pane. `TMUX` is `<socket>,<pid of the server>,<session>`; only a socket
    /// may have commas.
    fn read(server: &str, pane: &str) -> Option<Self> {
        let socket = server
            .rsplitn(3, ',')
            .nth(2)
            .filter(|socket| socket.starts_with('/'))?;
        let number = pane.strip_prefix('%')?;
        let is_pane = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
        is_pane.then(|| Self {
            socket: socket.into(),
            pane: pane.into(),
        })
    }
}

/// A session that contains the pane. There may be several: grouped ones, and those to which its
/// window is linked.
#[derive(Debug, PartialEq, Eq)]
struct HoldingSession {
    id: String,
    window: String,
    name: String,
}

/// A terminal that is connected to a server.
#[derive(Debug, PartialEq, Eq)]
struct TmuxClient {
    /// The time at which a key was last pressed there.
    activity: u64,
    process: u32,
    session: String,
    /// Whether the client is a program's connection, or read-only. No person is led to such a
    /// client.
    passive: bool,
}

/// The format of a line of `list-panes`.
const PANES: &str = "#{pane_id} #{pane_pid} #{session_id} #{window_id} #{session_name}";
/// The format of a line of `list-clients`.
const CLIENTS: &str =
    "#{client_activity} #{client_pid} #{session_id} #{client_control_mode}#{client_readonly}";

/// Makes a terminal show the pane of that process, if one shows the pane's session.
///
/// # Errors
/// When the server does not answer or refuses, or the pane has gone.
pub(super) async fn choose(process: u32) -> Result<PaneChoice> {
    let looked = tokio::task::spawn_blocking(move || {
        let lineage = lineage(process);
        (server_of(&lineage), lineage)
    });
    let (server, lineage) = looked.await?;
    let (server, pane) = match server {
        Ok(Some(found)) => found,
        Ok(None) => return Ok(PaneChoice::NoPane),
        Err(PaneName { socket, .. }) => {
            let command = command::attach(&socket, None);
            return Ok(PaneChoice::Unproven { command });
        }
    };
    let panes = server.run(&["list-panes", "-a", "-F", PANES]).await?;
    let holding = holding(&panes, &pane, &lineage);
    let Some(first) = holding.first() else {
        return Ok(PaneChoice::NoPane);
    };
    let clients = server.run(&["list-clients", "-F", CLIENTS]).await?;
    let Some((client, session)) = showing(&clients, &holding) else {
        return Ok(PaneChoice::Detached {
            session: first.name.clone(),
            command: command::attach(&server.name, Some(&first.name)),
        });
    };
    let window = format!("{}:{}", session.id, session.window);
    server.run(&["select-window", "-t", &window]).await?;
    server
        .run(&["select-pane", "-t", &pane])
        .await
        .context("the pane has gone")?;
    Ok(PaneChoice::ShownBy(client.process))
}

/// Finds the server in whose pane these processes run, and the pane. Each process names one in its
/// environment. A confined process may name whatever it likes, so its ancestors outside are checked
/// as well.
///
/// # Errors
/// Names the pane of a server that may well be this user's, if none is proven.
fn server_of(lineage: &[u32]) -> Result<Option<(TmuxServer, String)>, PaneName> {
    let Some(program) = command::program() else {
        return Ok(None);
    };
    let mut doubted = None;
    for pane in lineage.iter().filter_map(|pid| PaneName::of(*pid)) {
        match proof::prove(&pane, lineage, &program) {
            Ok(socket) => {
                let name = pane.socket;
                return Ok(Some((TmuxServer { name, socket }, pane.pane)));
            }
            Err(SocketDoubt::Unknown) => doubted = doubted.or(Some(pane)),
            Err(SocketDoubt::False) => {
                tracing::debug!(
                    ?pane,
                    "a process names a tmux server that is not the user's"
                );
            }
        }
    }
    doubted.map_or(Ok(None), Err)
}

/// Returns the sessions that contain the pane. There are none if the process in it is not one of
/// `lineage`: a terminal that was opened from within tmux leaves the variables of that pane to its
/// own processes.
fn holding(panes: &str, pane: &str, lineage: &[u32]) -> Vec<HoldingSession> {
    let read = |line: &str| {
        let parts: Vec<&str> = line.splitn(5, ' ').collect();
        let [id, process, session, window, name] = parts.as_slice() else {
            return None;
        };
        let is_its = *id == pane && lineage.contains(&process.parse().ok()?);
        let held = || HoldingSession {
            id: (*session).into(),
            window: (*window).into(),
            name: (*name).into(),
        };
        is_its.then(held)
    };
    panes.lines().filter_map(read).collect()
}

/// Returns the client that was used last, among those that show one of the sessions.
fn showing<'a>(
    clients: &str,
    holding: &'a [HoldingSession],
) -> Option<(TmuxClient, &'a HoldingSession)> {
    let clients = clients
        .lines()
        .filter_map(TmuxClient::read)
        .filter(|client| !client.passive);
    let shown = clients.filter_map(|client| {
        let session = holding
            .iter()
            .find(|session| session.id == client.session)?;
        Some((client, session))
    });
    shown.max_by_key(|(client, _)| client.activity)
}

impl TmuxClient {
    /// Reads a line in the form of [`CLIENTS`].
    fn read(line: &str) -> Option<Self> {
        let mut parts = line.split(' ');
        let (activity, process) = (parts.next()?.parse().ok()?, parts.next()?.parse().ok()?);
        let session = parts.next()?.into();
        let passive = parts.next()?.contains('1');
        Some(Self {
            activity,
            process,
            session,
            passive,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pane_is_named_by_its_server_and_number() {
        let pane = |socket: &str| {
            Some(PaneName {
                socket: socket.into(),
                pane: "%12".into(),
            })
        };
        assert_eq!(
            PaneName::read("/tmp/tmux-0/default,71,0", "%12"),
            pane("/tmp/tmux-0/default")
        );
        assert_eq!(PaneName::read("/tmp/a,b,71,0", "%12"), pane("/tmp/a,b"));
    }

    #[test]
    fn what_is_no_pane_is_never_handed_to_tmux() {
        let odd = ["1", "%", "%1;kill-server", "%-1"].map(|pane| ("/s,1,0", pane));
        let servers = ["", ",1,0", "/s", "s,1,0"];
        for (server, pane) in servers.map(|server| (server, "%1")) {
            assert_eq!(PaneName::read(server, pane), None, "{server}");
        }
        for (server, pane) in odd {
            assert_eq!(PaneName::read(server, pane), None, "{pane}");
        }
    }

    #[test]
    fn the_terminal_that_was_used_last_counts_if_it_shows_one_of_the_panes_sessions() {
        let panes = "%1 40 $0 @0 base\n%1 40 $1 @0 a view of it\n%2 41 $2 @1 other\n";
        let held = holding(panes, "%1", &[77, 40]);
        assert_eq!(
            held.iter().map(|it| &*it.name).collect::<Vec<_>>(),
            ["base", "a view of it"]
        );
        assert_eq!(
            holding(panes, "%1", &[77, 41]),
            [],
            "something else runs in that pane"
        );
        let clients =
            |lines: &str| showing(lines, &held).map(|(it, session)| (it.process, &*session.id));
        assert_eq!(
            clients("10 5 $0 00\n30 6 $2 00\n20 7 $1 00\n"),
            Some((7, "$1"))
        );
        assert_eq!(
            clients("10 5 $0 00\n20 7 $1 10\n30 8 $1 01\n"),
            Some((5, "$0"))
        );
        assert_eq!(clients("30 6 $2 00\n"), None);
    }
}
