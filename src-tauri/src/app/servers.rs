//! Servers that register themselves: they come, replace what their process registered before, and
//! leave. What the settings say of servers is in `app/settings.rs`.

use super::names::{self, NameClaim, NameHolder, NameTaken};
use super::*;
use crate::platform::processes;
use crate::wire::RegisteredServer;
use beckon_core::SourceState;

impl App {
    /// One that registers itself comes, if its name is free for it. `ours`: a room of Beckon's own
    /// found it.
    pub(super) fn register(&mut self, server: OpenCodeServer, ours: bool) -> Result<(), NameTaken> {
        let comer = NameClaim { name: &server.name, pid: server.pid(), ours };
        let holder = self.holder(&server.name);
        names::admit(comer, holder, processes::is_running)
            .inspect_err(|_| tracing::info!(source = server.name, "its name is taken"))?;
        self.take_in(server);
        Ok(())
    }

    /// Who has that name.
    fn holder(&self, name: &str) -> Option<NameHolder> {
        let server = self.servers.iter().find(|server| server.name == name);
        let service = self.services.iter().any(|service| service.name == name);
        match server {
            Some(server) if server.registered.is_some() => {
                Some(NameHolder::Registered(server.pid()))
            }
            Some(_) => Some(NameHolder::Configured),
            None => service.then_some(NameHolder::Configured),
        }
    }

    /// The same process replaces what it registered before.
    fn take_in(&mut self, server: OpenCodeServer) {
        let same_process =
            |known: &&OpenCodeServer| server.pid().is_some() && known.pid() == server.pid();
        let before = self.servers.iter().filter(same_process).find(|s| s.name != server.name);
        if let Some(before) = before.cloned() {
            self.leave(&before);
        }
        if self.is_double(&server) {
            tracing::info!(source = server.name, "registered, and watched at its port already");
            self.servers.retain(|known| known.name != server.name);
            self.servers.push(server);
            self.settle_doubles();
        } else {
            self.watch(server);
        }
        self.opener.changed();
    }

    /// It has gone, and so have its asks. One that was replaced meanwhile is another.
    pub(super) fn leave(&mut self, server: &OpenCodeServer) {
        if self.servers.contains(server) {
            tracing::info!(source = server.name, "a server that had registered itself has gone");
            self.servers.retain(|known| known != server);
            self.unwatch(SourceId(server.name.clone()));
            self.opener.changed();
        }
    }

    fn unwatch(&mut self, source: SourceId) {
        if self.sources.remove(&source).is_some() {
            self.handle(Event::SourceRemoved(source));
        }
    }

    /// A process that is watched at its port is not watched through its door as well: every ask
    /// would be there twice. While the port lets nobody in, the door is there.
    pub(super) fn settle_doubles(&mut self) {
        let registered = self.servers.iter().filter(|server| server.registered.is_some());
        for door in registered.cloned().collect::<Vec<_>>() {
            let id = SourceId(door.name.clone());
            match (self.is_double(&door), self.sources.contains_key(&id)) {
                (true, true) => self.unwatch(id),
                (false, false) => self.watch(door),
                (true, false) | (false, true) => {}
            }
        }
    }

    fn is_double(&self, door: &OpenCodeServer) -> bool {
        let Some(registered) = &door.registered else { return false };
        let at_its_port = |server: &OpenCodeServer| {
            server.local_port().is_some_and(|p| registered.ports.contains(&p))
        };
        let mut ours = self.servers.iter().filter(|server| server.registered.is_none());
        ours.any(|server| at_its_port(server) && self.is_reached(server))
    }

    fn is_reached(&self, server: &OpenCodeServer) -> bool {
        let sources = self.desk.view(clock::now()).sources;
        let source = sources.into_iter().find(|source| source.id.0 == server.name);
        source.is_some_and(|source| match source.state {
            SourceState::Live { .. } | SourceState::Connecting { error: None } => true,
            SourceState::Connecting { error: Some(_) } | SourceState::Unauthorized => false,
        })
    }

    /// Those that have registered themselves, as they are shown.
    pub(super) fn registered(&self) -> Vec<RegisteredServer> {
        let shown = |server: &OpenCodeServer| {
            let registered = server.registered.clone()?;
            Some(RegisteredServer {
                name: server.name.clone(),
                url: server.url.clone(),
                kind: registered.way,
                pid: registered.pid,
                directory: registered.directory,
                watched: self.sources.contains_key(&SourceId(server.name.clone())),
            })
        };
        self.servers.iter().filter_map(shown).collect()
    }
}
