//! The choice of servers and services to watch: those of the settings, those that register
//! themselves, and which one is watched where two are the same. It does no IO: it returns what is
//! to be done, and the loop does it.
//!
//! Not here: the reserved names (`names`), and Beckon's own sources, which are always watched.

mod change;

pub(in crate::app) use change::{RegistryNote, SourceChange};

use crate::app::servers::names::{self, NameClaim, NameHolder, NameTaken};
use beckon_client::config::{InterruptsService, OpenCodeServer, OriginTable, RegisteredProcess};
use beckon_core::SourceId;

/// The servers and services that are known.
#[derive(Debug, Default)]
pub(in crate::app) struct SourceRegistry {
    servers: Vec<KnownServer>,
    /// The services, all of which are watched.
    services: Vec<InterruptsService>,
}

#[derive(Debug)]
struct KnownServer {
    server: OpenCodeServer,
    /// Whether the server is watched. It is not while its process is watched at its port.
    watched: bool,
}

impl KnownServer {
    fn is_registered(&self) -> bool {
        self.server.registered.is_some()
    }

    fn id(&self) -> SourceId {
        SourceId(self.server.name.clone())
    }
}

impl SourceRegistry {
    /// Registers a server that announces itself. It replaces what its process registered before.
    /// `ours` tells whether one of Beckon's own rooms found it, `is_running` whether a process
    /// runs, `is_reached` whether a source is reached.
    ///
    /// # Errors
    /// When its name belongs to another source.
    pub(in crate::app) fn register(
        &mut self,
        server: OpenCodeServer,
        ours: bool,
        is_running: impl Fn(u32) -> bool,
        is_reached: impl Fn(&str) -> bool,
    ) -> Result<Vec<SourceChange>, NameTaken> {
        let claim = NameClaim {
            name: &server.name,
            pid: server.pid(),
            ours,
        };
        names::admit(claim, self.name_holder(&server.name), is_running)?;
        let mut changes = self.remove_former(&server);
        if self.is_watched_at_its_port(&server, &is_reached) {
            changes.push(SourceChange::Note(RegistryNote::WatchedAtItsPort(
                server.name.clone(),
            )));
            changes.extend(self.keep_unwatched(server));
        } else {
            changes.extend(self.watch_server(server));
        }
        Ok(changes)
    }

    /// Removes a server that had registered itself and has gone, with its asks. If it was replaced
    /// meanwhile, the new one stays.
    pub(in crate::app) fn leave(&mut self, server: &OpenCodeServer) -> Vec<SourceChange> {
        if !self.servers().any(|known| known == server) {
            return Vec::new();
        }
        let note = SourceChange::Note(RegistryNote::Left(server.name.clone()));
        std::iter::once(note)
            .chain(self.forget_server(&server.name))
            .collect()
    }

    /// Applies new settings. Servers that registered themselves stay, unless the settings use their
    /// name.
    pub(in crate::app) fn configure(
        &mut self,
        servers: Vec<OpenCodeServer>,
        services: Vec<InterruptsService>,
        is_reached: impl Fn(&str) -> bool,
    ) -> Vec<SourceChange> {
        let mut changes = self.remove_servers_but(&servers);
        changes.extend(self.remove_services_but(&services));
        for server in servers {
            changes.extend(self.watch_server(server));
        }
        for service in services {
            changes.extend(self.watch_service(service));
        }
        changes.extend(self.settle_doubles(is_reached));
        changes
    }

    /// Returns the restart of the watch of a source whose password or token has changed.
    pub(in crate::app) fn reconnect(&self, name: &str) -> Vec<SourceChange> {
        let servers = self.servers.iter().filter(|known| known.watched);
        let server = servers
            .map(|known| &known.server)
            .find(|server| server.name == name);
        let service = self.services.iter().find(|service| service.name == name);
        let server = server.cloned().map(SourceChange::WatchServer);
        server
            .into_iter()
            .chain(service.cloned().map(SourceChange::WatchService))
            .collect()
    }

    /// Ends the watches that are duplicates, and starts those that are none any more. A process
    /// that is watched at its port is not watched through the plugin's door as well, or every ask
    /// would be there twice. While the port lets nobody in, the door is watched.
    pub(in crate::app) fn settle_doubles(
        &mut self,
        is_reached: impl Fn(&str) -> bool,
    ) -> Vec<SourceChange> {
        let doors = self.servers.iter().filter(|known| known.is_registered());
        let is_double = |door: &KnownServer| self.is_watched_at_its_port(&door.server, &is_reached);
        // A watch is wrong if it runs and is a duplicate, or does not run and is none.
        let unsettled = doors.filter(|door| door.watched == is_double(door));
        let unsettled: Vec<OpenCodeServer> = unsettled.map(|door| door.server.clone()).collect();
        let mut changes = Vec::new();
        for door in unsettled {
            if self.is_watched_at_its_port(&door, &is_reached) {
                changes.extend(self.stop_watching(&door))
            } else {
                changes.extend(self.watch_server(door))
            }
        }
        changes
    }

    /// Returns the servers that are known.
    pub(in crate::app) fn servers(&self) -> impl Iterator<Item = &OpenCodeServer> {
        self.servers.iter().map(|known| &known.server)
    }

    /// Returns the services.
    pub(in crate::app) fn services(&self) -> &[InterruptsService] {
        &self.services
    }

    /// Returns the servers that have registered themselves, and whether each is watched.
    pub(in crate::app) fn registered(
        &self,
    ) -> impl Iterator<Item = (&OpenCodeServer, &RegisteredProcess, bool)> {
        self.servers
            .iter()
            .filter_map(|KnownServer { server, watched }| {
                Some((server, server.registered.as_ref()?, *watched))
            })
    }

    fn name_holder(&self, name: &str) -> Option<NameHolder> {
        let server = self.servers().find(|server| server.name == name);
        let service = self.services.iter().any(|service| service.name == name);
        match server {
            Some(server) if server.registered.is_some() => {
                Some(NameHolder::Registered(server.pid()))
            }
            Some(_) => Some(NameHolder::Configured),
            None => service.then_some(NameHolder::Configured),
        }
    }

    /// Removes the server that the same process registered under another name.
    fn remove_former(&mut self, server: &OpenCodeServer) -> Vec<SourceChange> {
        let same_process =
            |known: &&OpenCodeServer| server.pid().is_some() && known.pid() == server.pid();
        let former = self
            .servers()
            .filter(same_process)
            .find(|it| it.name != server.name);
        former
            .cloned()
            .map(|former| self.leave(&former))
            .unwrap_or_default()
    }

    /// Whether that server is the door to a process that is reached at one of its ports.
    fn is_watched_at_its_port(
        &self,
        door: &OpenCodeServer,
        is_reached: impl Fn(&str) -> bool,
    ) -> bool {
        let Some(registered) = &door.registered else {
            return false;
        };
        let is_its_port = |server: &&OpenCodeServer| {
            server
                .local_port()
                .is_some_and(|port| registered.ports.contains(&port))
        };
        let mut ours = self.servers().filter(|server| server.registered.is_none());
        ours.any(|server| is_its_port(&server) && is_reached(&server.name))
    }

    /// Notes a server as known but not watched. Ends the watch of a server with its name.
    fn keep_unwatched(&mut self, server: OpenCodeServer) -> Option<SourceChange> {
        let stopped = self.stop_watching(&server);
        self.servers
            .retain(|known| known.server.name != server.name);
        self.servers.push(KnownServer {
            server,
            watched: false,
        });
        stopped
    }

    fn forget_server(&mut self, name: &str) -> Option<SourceChange> {
        let index = self
            .servers
            .iter()
            .position(|known| known.server.name == name)?;
        let known = self.servers.remove(index);
        known.watched.then(|| SourceChange::Remove(known.id()))
    }

    fn stop_watching(&mut self, server: &OpenCodeServer) -> Option<SourceChange> {
        let mut known = self.servers.iter_mut();
        let known = known.find(|known| known.server.name == server.name && known.watched)?;
        known.watched = false;
        Some(SourceChange::Remove(known.id()))
    }

    /// Watches a server in place of another of that name; `None` if the very same is watched
    /// already.
    fn watch_server(&mut self, server: OpenCodeServer) -> Option<SourceChange> {
        if self
            .servers
            .iter()
            .any(|known| known.watched && known.server == server)
        {
            return None;
        }
        self.servers
            .retain(|known| known.server.name != server.name);
        self.servers.push(KnownServer {
            server: server.clone(),
            watched: true,
        });
        Some(SourceChange::WatchServer(server))
    }

    /// Watches a service in place of a source of that name. The asks of a server that had
    /// registered itself by that name are removed, since they are not the service's.
    fn watch_service(&mut self, service: InterruptsService) -> Vec<SourceChange> {
        if self.services.contains(&service) {
            return Vec::new();
        }
        let mut changes: Vec<_> = self.forget_server(&service.name).into_iter().collect();
        self.services.retain(|known| known.name != service.name);
        self.services.push(service.clone());
        changes.push(SourceChange::WatchService(service));
        changes
    }

    /// Forgets the servers that the settings do not name any more. Returns the removals of those
    /// whose asks go with them. A server at another address is a different one, without the old
    /// one's asks. If only something else of it changed, it is watched anew and its asks stay.
    fn remove_servers_but(&mut self, kept: &[OpenCodeServer]) -> Vec<SourceChange> {
        let is_kept = |known: &KnownServer| known.is_registered() || kept.contains(&known.server);
        let gone = self.servers.extract_if(.., |known| !is_kept(known));
        let gone: Vec<OriginTable> = gone
            .map(|known| OriginTable::OpenCode(known.server))
            .collect();
        let kept: Vec<_> = kept.iter().cloned().map(OriginTable::OpenCode).collect();
        removed(&gone, &kept)
    }

    fn remove_services_but(&mut self, kept: &[InterruptsService]) -> Vec<SourceChange> {
        let gone = self
            .services
            .extract_if(.., |service| !kept.contains(service));
        let gone: Vec<OriginTable> = gone.map(OriginTable::Service).collect();
        let kept: Vec<_> = kept.iter().cloned().map(OriginTable::Service).collect();
        removed(&gone, &kept)
    }
}

/// Returns the removals of sources that have no successor of the same name at the same place.
fn removed(gone: &[OriginTable], kept: &[OriginTable]) -> Vec<SourceChange> {
    let is = |gone: &OriginTable, kept: &OriginTable| {
        gone.name() == kept.name() && gone.is_at_same_place(kept)
    };
    let gone = gone
        .iter()
        .filter(|gone| !kept.iter().any(|kept| is(gone, kept)));
    gone.map(|gone| SourceChange::Remove(SourceId(gone.name().to_owned())))
        .collect()
}

#[cfg(test)]
mod tests;
