//! Tests of which servers are watched, as a user of several servers would put it.

use crate::app::servers::registry::*;
use RegistryNote::{Left, WatchedAtItsPort};
use SourceChange::{Note, Remove, WatchServer, WatchService};

/// The only process that runs.
const ALIVE: u32 = 1;

fn server(name: &str, port: u16) -> OpenCodeServer {
    let url = format!("http://127.0.0.1:{port}");
    OpenCodeServer {
        name: name.into(),
        url,
        ..OpenCodeServer::default()
    }
}

/// Makes a server that registered itself: with its process, and the ports at which that listens
/// besides.
fn door(name: &str, pid: u32, ports: &[u16]) -> OpenCodeServer {
    let ports = ports.iter().copied().collect();
    let registered = Some(RegisteredProcess {
        pid: Some(pid),
        ports,
        ..Default::default()
    });
    OpenCodeServer {
        registered,
        ..server(name, 9_000)
    }
}

fn service(name: &str) -> InterruptsService {
    InterruptsService {
        name: name.into(),
        ..InterruptsService::default()
    }
}

fn removed(name: &str) -> SourceChange {
    Remove(SourceId(name.into()))
}

/// Tells that every source is reached.
fn reached(_: &str) -> bool {
    true
}

fn unreached(_: &str) -> bool {
    false
}

/// Makes a registry with these in the settings.
fn registry<const N: usize, const M: usize>(
    servers: [OpenCodeServer; N],
    services: [InterruptsService; M],
) -> SourceRegistry {
    let mut registry = SourceRegistry::default();
    registry.configure(servers.into(), services.into(), reached);
    registry
}

impl SourceRegistry {
    fn comes(&mut self, server: &OpenCodeServer) -> Result<Vec<SourceChange>, NameTaken> {
        self.register(server.clone(), false, |pid| pid == ALIVE, reached)
    }

    fn settings<const N: usize>(&mut self, servers: [OpenCodeServer; N]) -> Vec<SourceChange> {
        self.configure(servers.into(), Vec::new(), reached)
    }

    /// Returns the names of the servers that registered themselves, and whether each is watched.
    fn doors(&self) -> Vec<(&str, bool)> {
        self.registered()
            .map(|(server, _, watched)| (server.name.as_str(), watched))
            .collect()
    }
}

#[test]
fn what_the_settings_name_is_watched_and_the_same_settings_again_change_nothing() {
    let (local, agents) = (server("local", 4_096), service("agents"));
    let mut registry = SourceRegistry::default();
    let mut configure = || registry.configure(vec![local.clone()], vec![agents.clone()], reached);
    assert_eq!(
        configure(),
        [WatchServer(local.clone()), WatchService(agents.clone())]
    );
    assert_eq!(configure(), []);
}

#[test]
fn what_the_settings_no_longer_name_goes_with_its_asks() {
    let mut registry = registry([server("local", 4_096)], [service("agents")]);
    assert_eq!(registry.settings([]), [removed("local"), removed("agents")]);
    assert_eq!(registry.servers().count(), 0);
}

#[test]
fn a_server_or_service_at_another_address_is_another_and_has_none_of_its_asks() {
    let (moved, mut agents) = (server("local", 5_000), service("agents"));
    let mut registry = registry([server("local", 4_096)], [agents.clone()]);
    agents.stream = "http://127.0.0.1:8001/api/stream".into();
    let changes = registry.configure(vec![moved.clone()], vec![agents.clone()], reached);
    let removed = [removed("local"), removed("agents")];
    assert_eq!(changes[..2], removed);
    assert_eq!(changes[2..], [WatchServer(moved), WatchService(agents)]);
}

#[test]
fn a_server_or_service_that_is_another_at_the_same_address_is_watched_anew_and_keeps_its_asks() {
    let (mut local, mut agents) = (server("local", 4_096), service("agents"));
    let mut registry = registry([local.clone()], [agents.clone()]);
    (local.username, agents.any_user) = ("somebody".into(), true);
    local.url += "/";
    let changes = registry.configure(vec![local.clone()], vec![agents.clone()], reached);
    assert_eq!(changes, [WatchServer(local), WatchService(agents)]);
}

#[test]
fn a_name_that_goes_from_a_server_to_a_service_takes_no_asks_along() {
    let mut registry = registry([server("agents", 4_096)], []);
    let changes = registry.configure(Vec::new(), vec![service("agents")], reached);
    assert_eq!(
        changes,
        [removed("agents"), WatchService(service("agents"))]
    );
    assert_eq!(
        registry.settings([server("agents", 4_096)]),
        [removed("agents"), WatchServer(server("agents", 4_096)),]
    );
}

#[test]
fn a_server_that_registers_itself_is_watched_until_it_leaves() {
    let mut registry = SourceRegistry::default();
    let guest = door("guest", ALIVE, &[]);
    assert_eq!(registry.comes(&guest), Ok(vec![WatchServer(guest.clone())]));
    assert_eq!(registry.comes(&guest), Ok(Vec::new()), "it says so again");
    assert_eq!(
        registry.leave(&guest),
        [Note(Left("guest".into())), removed("guest")]
    );
    assert_eq!(registry.leave(&guest), [], "it has gone already");
}

#[test]
fn a_change_of_the_settings_leaves_those_alone_that_registered_themselves() {
    let mut registry = SourceRegistry::default();
    registry.comes(&door("guest", ALIVE, &[])).unwrap();
    assert_eq!(registry.settings([]), []);
    assert_eq!(registry.doors(), [("guest", true)]);
}

#[test]
fn a_process_replaces_what_it_registered_before_under_another_name() {
    let mut registry = SourceRegistry::default();
    registry.comes(&door("old", ALIVE, &[])).unwrap();
    let new = door("new", ALIVE, &[]);
    let changes = registry.comes(&new).unwrap();
    assert_eq!(
        changes,
        [Note(Left("old".into())), removed("old"), WatchServer(new)]
    );
    assert_eq!(registry.doors(), [("new", true)]);
}

#[test]
fn another_process_takes_the_name_of_one_that_has_died_and_is_not_taken_along_by_its_end() {
    let mut registry = SourceRegistry::default();
    let (former, next) = (door("guest", 7, &[]), door("guest", ALIVE, &[]));
    registry.comes(&former).unwrap();
    assert_eq!(
        registry.comes(&next),
        Ok(vec![WatchServer(next)]),
        "its asks may be the same"
    );
    assert_eq!(registry.leave(&former), []);
    assert_eq!(registry.doors(), [("guest", true)]);
}

#[test]
fn a_name_of_the_settings_or_of_a_living_process_is_taken_and_nothing_changes() {
    let mut registry = registry([server("local", 4_096)], [service("agents")]);
    registry.comes(&door("guest", ALIVE, &[])).unwrap();
    for name in ["local", "agents", "guest", "asks"] {
        assert_eq!(
            registry.comes(&door(name, 8, &[])),
            Err(NameTaken(name.into())),
            "{name}"
        );
    }
    assert_eq!(registry.doors(), [("guest", true)]);
}

#[test]
fn the_settings_win_the_name_of_a_server_that_registered_itself() {
    let mut registry = SourceRegistry::default();
    let guest = door("guest", ALIVE, &[]);
    registry.comes(&guest).unwrap();
    let ours = server("guest", 4_096);
    assert_eq!(registry.settings([ours.clone()]), [WatchServer(ours)]);
    assert_eq!(
        registry.leave(&guest),
        [],
        "it is none of those that are watched"
    );
    assert_eq!(registry.doors(), []);
}

#[test]
fn a_service_that_gets_the_name_of_a_registered_server_has_none_of_its_asks_and_stays_when_it_leaves()
 {
    let mut registry = SourceRegistry::default();
    let guest = door("guest", ALIVE, &[]);
    registry.comes(&guest).unwrap();
    let changes = registry.configure(Vec::new(), vec![service("guest")], reached);
    assert_eq!(changes, [removed("guest"), WatchService(service("guest"))]);
    assert_eq!(registry.leave(&guest), []);
    assert_eq!(registry.services(), [service("guest")]);
}

#[test]
fn a_process_that_is_watched_at_its_port_is_not_watched_through_its_door() {
    let mut registry = registry([server("local", 4_096)], []);
    let guest = door("guest", ALIVE, &[4_096]);
    assert_eq!(
        registry.comes(&guest),
        Ok(vec![Note(WatchedAtItsPort("guest".into()))])
    );
    assert_eq!(
        registry.doors(),
        [("guest", false)],
        "it is known all the same"
    );
    assert_eq!(
        registry.leave(&guest),
        [Note(Left("guest".into()))],
        "nothing was watched"
    );
}

#[test]
fn while_the_port_lets_nobody_in_the_door_is_there() {
    let mut registry = registry([server("local", 4_096)], []);
    let guest = door("guest", ALIVE, &[4_096]);
    registry.comes(&guest).unwrap();
    assert_eq!(registry.settle_doubles(unreached), [WatchServer(guest)]);
    assert_eq!(registry.settle_doubles(unreached), []);
    assert_eq!(registry.settle_doubles(reached), [removed("guest")]);
    assert_eq!(registry.settle_doubles(reached), []);
}

#[test]
fn settings_that_come_to_name_the_port_of_a_door_end_its_watch_and_their_going_begins_it() {
    let mut registry = SourceRegistry::default();
    let guest = door("guest", ALIVE, &[4_096]);
    registry.comes(&guest).unwrap();
    let local = server("local", 4_096);
    assert_eq!(
        registry.settings([local.clone()]),
        [WatchServer(local), removed("guest")]
    );
    assert_eq!(
        registry.settings([]),
        [removed("local"), WatchServer(guest)]
    );
}

#[test]
fn a_door_that_registers_anew_with_the_watched_port_is_watched_no_more() {
    let mut registry = registry([server("local", 4_096)], []);
    registry.comes(&door("guest", ALIVE, &[])).unwrap();
    let changes = registry.comes(&door("guest", ALIVE, &[4_096])).unwrap();
    assert_eq!(
        changes,
        [Note(WatchedAtItsPort("guest".into())), removed("guest")]
    );
    assert_eq!(registry.doors(), [("guest", false)]);
}

#[test]
fn two_doors_to_one_process_port_are_no_doubles_of_each_other() {
    let mut registry = SourceRegistry::default();
    registry.comes(&door("one", ALIVE, &[9_000])).unwrap();
    registry.comes(&door("two", 8, &[9_000])).unwrap();
    assert_eq!(registry.settle_doubles(reached), []);
    assert_eq!(registry.doors(), [("one", true), ("two", true)]);
}

#[test]
fn a_server_on_another_machine_is_nobodys_port_here() {
    let far = OpenCodeServer {
        url: "http://build-box:4096".into(),
        ..server("far", 0)
    };
    let mut registry = registry([far], []);
    let guest = door("guest", ALIVE, &[4_096]);
    assert_eq!(registry.comes(&guest), Ok(vec![WatchServer(guest)]));
}

#[test]
fn another_password_has_what_is_watched_asked_anew_and_nothing_else() {
    let (local, agents) = (server("local", 4_096), service("agents"));
    let mut registry = registry([local.clone()], [agents.clone()]);
    registry.comes(&door("guest", ALIVE, &[4_096])).unwrap();
    assert_eq!(registry.reconnect("local"), [WatchServer(local)]);
    assert_eq!(registry.reconnect("agents"), [WatchService(agents)]);
    assert_eq!(registry.reconnect("guest"), [], "it is watched at its port");
    assert_eq!(registry.reconnect("nobody"), []);
}
