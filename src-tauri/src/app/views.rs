//! The views that are handed out: snapshots for API and windows, parts of them, the tray's menu.
//! Nothing here changes anything but what the tray shows.

use super::App;
use crate::app::inbox::{AskQuery, FoundAsk};
use crate::app::snapshot::Snapshot;
use crate::app::snapshot::SourcePlace;
use crate::app::warning::Warning;
use crate::tray::Tray;
use beckon_client::config;
use beckon_client::config::InterruptsKind;
use beckon_client::platform::clock;
use beckon_client::wire::SourceKind;
use beckon_core::{AskId, AskView, Desk, DeskView, Entry, Outcome, SourceId};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// Replies to a query for a part of the asks. Copies no more than what is wanted: there may be
/// thousands, asked for one by one.
pub(super) fn read(desk: &Desk, part: AskQuery) {
    match part {
        AskQuery::OfSession(session, reply) => {
            let _ = reply.send(desk.of_session(&session).cloned());
        }
        AskQuery::Within(directory, reply) => {
            let is_in = |entry: &Entry| {
                directory
                    .as_ref()
                    .is_none_or(|dir| *dir == entry.ask.session.directory)
            };
            let asks = desk.asks().filter(|(_, entry)| is_in(entry));
            let view = asks.map(|(name, entry)| {
                let (name, entry) = (name.into_owned(), entry.clone());
                AskView { name, entry }
            });
            let _ = reply.send(view.collect());
        }
        AskQuery::Sessions(reply) => {
            let sessions = desk.asks().map(|(_, entry)| entry.ask.session.clone());
            let _ = reply.send(sessions.collect());
        }
    }
}

/// Returns the asks that a person may mean by a name.
pub(super) fn find(desk: &Desk, name: &str) -> Vec<FoundAsk> {
    desk.find(name)
        .into_iter()
        .map(|id| found(desk, id))
        .collect()
}

pub(super) fn found(desk: &Desk, id: AskId) -> FoundAsk {
    let (entry, memory) = (desk.entry(&id).cloned(), desk.memory(&id));
    let given = entry.as_ref().and_then(|entry| entry.responder.as_ref());
    let responder = given
        .or_else(|| memory.and_then(|memory| memory.responder.as_ref()))
        .cloned();
    FoundAsk {
        entry,
        outcome: memory.map(|memory| memory.outcome.clone()),
        responder,
        name: desk.name(&id).into_owned(),
        id,
    }
}

impl App {
    /// Returns all asks that a person may mean by that name, with who answered them.
    pub(super) fn find(&self, name: &str) -> Vec<FoundAsk> {
        find(&self.desk, name)
            .into_iter()
            .map(|it| self.with_responder(it))
            .collect()
    }

    /// Returns the ask that alone has that name.
    pub(super) fn named(&self, name: &str) -> Option<FoundAsk> {
        let id = self.desk.named(name)?;
        Some(self.with_responder(found(&self.desk, id)))
    }

    /// Adds who answered in an earlier run, which the store knows and the desk does not.
    fn with_responder(&self, found: FoundAsk) -> FoundAsk {
        let is_decided = found.outcome.as_ref().is_some_and(Outcome::is_decided);
        if found.responder.is_some() || !is_decided {
            return found;
        }
        let responder = self.store.responder(&found.id).unwrap_or_else(|error| {
            tracing::warn!(
                error = format!("{error:#}"),
                "the person who answered can't be read from the database"
            );
            None
        });
        FoundAsk { responder, ..found }
    }

    pub(super) fn snapshot(&self, view: DeskView) -> Snapshot {
        let mut view = self.watched_only(view);
        self.presence.sharpen(&mut view.presence);
        Snapshot {
            view,
            open: self.desk.waiting(),
            places: self.places(),
            beckons: self.beckons(),
            gaps: self.known_gaps(),
            unreadable: self.unreadable,
            registered: self.registered(),
            legs: self.presence.legs(),
            desktop: self.channels.desktop.state(),
            telegram: self.channels.telegram.view(clock::now()),
            tray: self.tray.as_ref().map(Tray::state),
            updates: self.updates.status(),
            warnings: self
                .warnings()
                .map(|warning| warning.words(&self.texts))
                .collect(),
            hotkey_error: self.hotkey_warning.as_ref().map(|it| it.words(&self.texts)),
        }
    }

    fn places(&self) -> BTreeMap<String, SourcePlace> {
        let place = |name: &str, kind, url: &str| {
            (
                name.to_owned(),
                SourcePlace {
                    kind,
                    url: url.into(),
                },
            )
        };
        let servers = self
            .registry
            .servers()
            .map(|s| place(&s.name, SourceKind::OpenCode, &s.url));
        let services = self.registry.services().iter().map(|s| match s.kind {
            InterruptsKind::Resume => place(&s.name, SourceKind::Interrupts, &s.stream),
            InterruptsKind::LangGraph => place(&s.name, SourceKind::LangGraph, &s.url),
        });
        servers.chain(services).collect()
    }

    /// Returns the view with only the watched sources. Beckon's own asks are shown, but no source
    /// of them: it has no address, and nothing that could fail. Sources of an earlier run that
    /// nobody watches (yet) are left out as well.
    pub(super) fn watched_only(&self, mut view: DeskView) -> DeskView {
        let watched = |id: &SourceId| id.0 != config::LOCAL_ASKS && self.sources.contains_key(id);
        view.sources.retain(|source| watched(&source.id));
        view
    }

    pub(super) fn warnings(&self) -> impl Iterator<Item = Cow<'_, Warning>> {
        let kept = self
            .warnings
            .iter()
            .chain(self.unsaved.warning())
            .chain(&self.config_warning)
            .chain(&self.hotkey_warning);
        let telegram = self.channels.telegram.view(clock::now());
        let unread = Some(telegram.unread_updates).filter(|unread| *unread > 0);
        let found = telegram
            .troubles
            .into_iter()
            .map(Warning::Telegram)
            .chain(unread.map(Warning::UnreadUpdates))
            .chain(self.unseen())
            .chain(self.hub_warnings());
        kept.map(Cow::Borrowed).chain(found.map(Cow::Owned))
    }

    pub(super) fn draw(&mut self) {
        self.draw_at = None;
        let now = clock::now();
        let view = self
            .tray
            .is_some()
            .then(|| self.watched_only(self.desk.view(now)));
        if let (Some(tray), Some(view)) = (&mut self.tray, view) {
            tray.tell(self.channels.telegram.view(now).troubles);
            tray.draw(&view, now);
        }
    }
}
