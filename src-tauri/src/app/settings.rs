//! The loop's answer to other settings: servers come and go, the policy and the language change.

use super::*;
use crate::config::InterruptsKind;
use beckon_core::OnePress;

impl App {
    /// A server whose password is another is asked anew at once.
    pub(super) fn reconnect(&mut self, name: &str) {
        let server = self.servers.iter().find(|server| server.name == name).cloned();
        if let Some(server) = server {
            self.sources.remove(&SourceId(server.name.clone()));
            self.watch(server);
        }
        let service = self.services.iter().find(|service| service.name == name).cloned();
        if let Some(service) = service {
            self.listen(service);
        }
    }

    /// Watches a server; one of the same name and address is watched already.
    pub(super) fn watch(&mut self, server: OpenCodeServer) {
        if self.servers.contains(&server)
            && self.sources.contains_key(&SourceId(server.name.clone()))
        {
            return;
        }
        let id = SourceId(server.name.clone());
        if self.services.iter().any(|service| service.name == server.name) {
            tracing::warn!(source = %id, "a server has the name of a service and is not watched");
            return;
        }
        tracing::info!(source = %id, url = server.url, "watching an OpenCode server");
        self.servers.retain(|known| known.name != server.name);
        self.servers.push(server.clone());
        let beside = opencode::SourceContext {
            reports: self.mailbox.sink(LoopInput::Source),
            texts: self.texts.clone(),
            instance: self.instance.clone(),
        };
        let handle = opencode::start(server, beside, self.directories(&id));
        self.sources.insert(id, Source::OpenCode(handle));
    }

    /// The file changed: servers come and go, the policy applies at once.
    pub(super) fn configure(&mut self, config: Config, warning: Option<Warning>) {
        self.config_warning = warning;
        let one_press = config.permissions.one_press;
        self.channels.telegram.configure((&config.telegram).into(), one_press);
        let others = self.press_once(one_press);
        if self.texts.switch(&config.language) || others {
            self.redraw(&config.language);
        }
        self.channels.desktop.sound(config.notifications.sound);
        self.channels.desktop.break_through(config.notifications.break_through);
        self.presence.away_after(config.presence.away_after);
        self.take_hotkey(&config.window.hotkey);
        self.opener.keep_warm(config.window.keep_warm);
        self.handle(Event::Policy(config.policy()));
        let ours = self.servers.iter().filter(|server| server.registered.is_none());
        let gone: Vec<OpenCodeServer> = ours.cloned().collect();
        for server in gone.into_iter().filter(|server| !config.opencode.contains(server)) {
            let id = SourceId(server.name.clone());
            self.servers.retain(|known| *known != server);
            self.sources.remove(&id);
            if !config.opencode.iter().any(|kept| kept.name == server.name) {
                self.handle(Event::SourceRemoved(id));
            }
        }
        self.drop_services(&config);
        for server in config.opencode {
            self.watch(server);
        }
        for service in config.interrupts {
            if !self.services.contains(&service) {
                self.listen(service);
            }
        }
        self.settle_doubles();
        self.opener.changed();
    }

    /// Is what one press may allow another thing now?
    fn press_once(&mut self, one_press: OnePress) -> bool {
        if let Some(tray) = &self.tray {
            tray.one_press(one_press);
        }
        self.channels.desktop.one_press(one_press)
    }

    /// The file changed and cannot be used: the last settings stay.
    pub(super) fn warn(&mut self, warning: Warning) {
        self.config_warning = Some(warning);
        self.opener.changed();
    }

    fn drop_services(&mut self, config: &Config) {
        let (kept, gone): (Vec<_>, Vec<_>) =
            self.services.drain(..).partition(|service| config.interrupts.contains(service));
        self.services = kept;
        for InterruptsService { name, .. } in gone {
            self.sources.remove(&SourceId(name.clone()));
            if !config.interrupts.iter().any(|kept| kept.name == name) {
                self.handle(Event::SourceRemoved(SourceId(name)));
            }
        }
    }

    /// Listens to a service from now on, or anew.
    fn listen(&mut self, service: InterruptsService) {
        let id = SourceId(service.name.clone());
        tracing::info!(source = %id, kind = ?service.kind, "watching a service");
        self.services.retain(|known| known.name != service.name);
        self.services.push(service.clone());
        // The former one lets go first: it must not speak of what the new one takes over.
        self.sources.remove(&id);
        let reports = self.mailbox.sink(LoopInput::Source);
        let source = match service.kind {
            InterruptsKind::Resume => {
                Source::Interrupts(interrupts::start(service, reports, self.known(&id)))
            }
            InterruptsKind::LangGraph => {
                Source::LangGraph(langgraph::start(service, reports, &self.known(&id)))
            }
        };
        self.sources.insert(id, source);
    }

    /// What is to be seen is drawn once more: the language is another, or what its buttons may allow.
    pub(super) fn redraw(&mut self, language: &str) {
        tracing::info!(language, "what is to be seen is drawn once more");
        let view = self.desk.view(clock::now());
        let entries = view.asks.iter().map(|ask| &ask.entry);
        entries.for_each(|entry| self.channels.desktop.redraw(entry));
        self.channels.telegram.redraw();
        if let Some(tray) = &self.tray {
            tray.forget();
        }
        self.draw();
    }

    /// Asks of an earlier run whose source nobody watches any more can be neither answered nor
    /// proven over. One that registers itself again brings its own back.
    pub(super) fn drop_unwatched(&mut self) {
        for source in self.desk.view(clock::now()).sources {
            if !self.sources.contains_key(&source.id) {
                self.handle(Event::SourceRemoved(source.id));
            }
        }
    }

    /// The directories in which a source's asks stood, so that its first list looks there too.
    pub(super) fn directories(&self, source: &SourceId) -> BTreeSet<String> {
        self.known(source).into_iter().map(|entry| entry.ask.session.directory).collect()
    }

    /// The asks of a source that are not settled.
    fn known(&self, source: &SourceId) -> Vec<Entry> {
        let asks = self.desk.view(clock::now()).asks.into_iter().map(|ask| ask.entry);
        asks.filter(|entry| entry.ask.id.source == *source).collect()
    }
}
