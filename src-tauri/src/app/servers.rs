//! The watches of servers and services: starts and ends them as the registry decides.

pub(super) mod names;
mod origin;
pub(super) mod registry;
pub(super) mod told_turns;

use super::*;
use crate::app::servers::registry::{RegistryNote, SourceChange};
use crate::platform::part::Part;
use crate::platform::processes;
use crate::sources::left_out;
use crate::sources::opencode::service;
use beckon_client::config::InterruptsKind;
use beckon_client::wire::RegisteredServer;
use beckon_core::SourceState;

impl App {
    /// Registers a server that announces itself, if its name is free for it. `ours`: it was found
    /// by one of Beckon's own rooms.
    pub(super) fn register(&mut self, server: OpenCodeServer, ours: bool) -> Result<(), NameTaken> {
        let (desk, name) = (&self.desk, server.name.clone());
        let is_reached = |name: &str| is_reached(desk, name);
        let changes = self
            .registry
            .register(server, ours, processes::is_running, is_reached);
        let changes =
            changes.inspect_err(|_| tracing::info!(source = name, "its name is taken"))?;
        self.change_sources(changes);
        self.opener.changed();
        Ok(())
    }

    /// Removes a server that had registered itself and has gone.
    pub(super) fn leave(&mut self, server: &OpenCodeServer) {
        let changes = self.registry.leave(server);
        if !changes.is_empty() {
            self.change_sources(changes);
            self.opener.changed();
        }
    }

    /// Decides anew which servers are watched twice: whether a process is reached at its port may
    /// have changed.
    pub(super) fn settle_doubles(&mut self) {
        let desk = &self.desk;
        let changes = self.registry.settle_doubles(|name| is_reached(desk, name));
        self.change_sources(changes);
    }

    /// Applies the servers and services that the settings name now.
    pub(super) fn configure_sources(
        &mut self,
        servers: Vec<OpenCodeServer>,
        services: Vec<InterruptsService>,
    ) {
        let desk = &self.desk;
        let is_reached = |name: &str| is_reached(desk, name);
        let changes = self.registry.configure(servers, services, is_reached);
        self.change_sources(changes);
    }

    /// Connects to a source again at once, after its password or token changed.
    pub(super) fn reconnect(&mut self, name: &str) {
        let changes = self.registry.reconnect(name);
        self.change_sources(changes);
    }

    fn change_sources(&mut self, changes: Vec<SourceChange>) {
        for change in changes {
            match change {
                SourceChange::WatchServer(server) => self.watch_server(server),
                SourceChange::WatchService(service) => self.watch_service(service),
                SourceChange::Remove(source) => {
                    self.sources.remove(&source);
                    self.handle(Event::SourceRemoved(source));
                }
                SourceChange::Note(RegistryNote::WatchedAtItsPort(source)) => {
                    tracing::info!(source, "registered, and watched at its port already");
                }
                SourceChange::Note(RegistryNote::Left(source)) => {
                    tracing::info!(source, "a server that had registered itself has gone");
                }
            }
        }
    }

    fn watch_server(&mut self, server: OpenCodeServer) {
        let id = SourceId(server.name.clone());
        if is_left_out(&id) {
            return self.leave_out(id);
        }
        tracing::info!(source = %id, url = server.url, "watching an OpenCode server");
        // The former watch ends first: it must not report what the new one takes over.
        self.sources.remove(&id);
        let context = opencode::SourceContext {
            reports: self.mailbox.sink(LoopInput::Source),
            texts: self.texts.clone(),
            instance: self.instance.clone(),
        };
        let directories = self.directories(&id);
        let part = Part::Source(id.0.clone());
        let handle = part.during(|| opencode::start(server, context, directories));
        self.sources.insert(id, Source::OpenCode(handle));
    }

    fn watch_service(&mut self, service: InterruptsService) {
        let id = SourceId(service.name.clone());
        if is_left_out(&id) {
            return self.leave_out(id);
        }
        tracing::info!(source = %id, kind = ?service.kind, "watching a service");
        // The former watch ends first here, too.
        self.sources.remove(&id);
        let reports = self.mailbox.sink(LoopInput::Source);
        let known = self.known(&id);
        let source = Part::Source(id.0.clone()).during(|| match service.kind {
            InterruptsKind::Resume => {
                let ended = self.desk.ended_of(&id);
                Source::Interrupts(interrupts::start(service, reports, known, &ended))
            }
            InterruptsKind::LangGraph => {
                Source::LangGraph(langgraph::start(service, reports, &known))
            }
        });
        self.sources.insert(id, source);
    }

    fn leave_out(&mut self, id: SourceId) {
        tracing::warn!(source = %id, "left out until the next start, after faults of Beckon's own");
        let handle = left_out::start(
            &id.0,
            self.mailbox.sink(LoopInput::Source),
            &self.known(&id),
        );
        self.sources.insert(id, Source::LeftOut(handle));
    }

    /// Returns the directories of a source's asks, so that its first list looks there too.
    fn directories(&self, source: &SourceId) -> BTreeSet<String> {
        self.known(source)
            .into_iter()
            .map(|entry| entry.ask.session.directory)
            .collect()
    }

    /// Returns the asks of a source that are not settled.
    fn known(&self, source: &SourceId) -> Vec<Entry> {
        let asks = self
            .desk
            .view(clock::now())
            .asks
            .into_iter()
            .map(|ask| ask.entry);
        asks.filter(|entry| entry.ask.id.source == *source)
            .collect()
    }

    /// Drops the sources of an earlier run that nobody watches any more: their asks can be neither
    /// answered nor proven over. A source that registers itself again brings its asks back.
    pub(super) fn drop_unwatched(&mut self) {
        for source in self.desk.outline(clock::now()).sources {
            if self.sources.contains_key(&source.id) {
                continue;
            }
            if is_found_by_nobody(&source.id) {
                self.leave_out(source.id)
            } else {
                _ = self.handle(Event::SourceRemoved(source.id))
            }
        }
    }

    /// Returns the servers that have registered themselves, as they are shown.
    pub(super) fn registered(&self) -> Vec<RegisteredServer> {
        let registered = self.registry.registered();
        let shown = registered.map(|(server, process, watched)| RegisteredServer {
            name: server.name.clone(),
            url: server.url.clone(),
            kind: process.way,
            pid: process.pid,
            directory: process.directory.clone(),
            watched: watched && !is_left_out(&SourceId(server.name.clone())),
        });
        shown.collect()
    }
}

/// Whether that source is reached, as far as is known.
pub(super) fn is_reached(desk: &Desk, name: &str) -> bool {
    let sources = desk.outline(clock::now()).sources;
    let source = sources.into_iter().find(|source| source.id.0 == name);
    source.is_some_and(|source| match source.state {
        SourceState::Live { .. } | SourceState::Connecting { error: None } => true,
        SourceState::Connecting { error: Some(_) } | SourceState::Unauthorized => false,
    })
}

/// Whether faults of our own keep a source out: those of its watch, or of the room that would find
/// it.
fn is_left_out(source: &SourceId) -> bool {
    is_found_by_nobody(source) || Part::Source(source.0.clone()).is_left_out()
}

fn is_found_by_nobody(source: &SourceId) -> bool {
    source.0 == service::NAME && Part::Discovery.is_left_out()
}
