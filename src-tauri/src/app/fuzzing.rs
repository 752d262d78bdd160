//! The loop's part for fuzzing the API with strange requests: the desk, the asks that are made here
//! and the registry, without any room. Their invariants are checked after each input.

use super::inbox::LoopInput;
use super::servers::registry::{SourceChange, SourceRegistry};
use super::snapshot::Snapshot;
use super::views;
use crate::sources::local_asks::messages::AskerRequest;
use crate::sources::local_asks::{AskerReply, LocalAsks};
use beckon_client::config::{LOCAL_ASKS, OpenCodeServer, is_address};
use beckon_client::platform::clock;
use beckon_core::{
    AnswerRefusal, Ask, AskContent, AskId, Choice, Desk, Event, Permission, Question, Session,
    SourceId, SourceListing, SourceReport,
};
use std::collections::BTreeSet;

/// The name of the one server in the settings.
const CONFIGURED: &str = "mine";

/// Desk, local asks and registry.
pub(crate) struct FuzzedLoop {
    desk: Desk,
    asks: LocalAsks,
    registry: SourceRegistry,
    watched: BTreeSet<SourceId>,
}

impl FuzzedLoop {
    /// Makes a loop with one configured server, an open question and an open permission.
    pub(crate) fn new() -> Self {
        let (desk, registry) = (open_desk(), SourceRegistry::default());
        let asks = LocalAsks::default();
        let mut fuzzed = Self {
            desk,
            asks,
            registry,
            watched: BTreeSet::new(),
        };
        let mine = OpenCodeServer {
            name: CONFIGURED.into(),
            ..OpenCodeServer::default()
        };
        let changes = fuzzed.registry.configure(vec![mine], Vec::new(), |_| true);
        fuzzed.follow(changes);
        fuzzed
    }

    /// Takes an input as the loop does. A caller who asks for something of a room gets no reply.
    pub(crate) fn take(&mut self, input: LoopInput) {
        let now = clock::now();
        match input {
            LoopInput::Event(event) => _ = self.desk.handle(event, now),
            LoopInput::Answer(event, reply) => {
                let verdict = self.desk.handle(event, now).verdict;
                let _ = reply.send(verdict.unwrap_or(Err(AnswerRefusal::Unknown)));
            }
            LoopInput::Look(reply) | LoopInput::Glance(reply) => {
                let _ = reply.send(Snapshot {
                    view: self.desk.view(now),
                    ..Snapshot::default()
                });
            }
            LoopInput::AwaitSaved(saved) => _ = saved.send(()),
            LoopInput::Read(part) => views::read(&self.desk, part),
            LoopInput::Find(name, reply) => {
                let found = self.desk.find(&name).into_iter();
                let _ = reply.send(found.map(|id| views::found(&self.desk, id)).collect());
            }
            LoopInput::Named(name, reply) => {
                let found = self.desk.named(&name);
                let _ = reply.send(found.map(|id| views::found(&self.desk, id)));
            }
            LoopInput::Asking(request) => self.ask(request),
            LoopInput::Register(server, reply) => {
                let lives = |pid| pid == 1;
                let changes = self.registry.register(server, false, lives, |_| true);
                let _ = reply.send(changes.map(|changes| self.follow(changes)));
            }
            _ => {}
        }
        self.holds();
    }

    fn ask(&mut self, request: AskerRequest) {
        let now = clock::now();
        let step = self.asks.take(request, now);
        for event in step.events {
            self.desk.handle(event, now);
        }
        step.words.into_iter().for_each(AskerReply::say);
    }

    /// Applies changes of the watched sources, and asserts that only a watched one is let go.
    fn follow(&mut self, changes: Vec<SourceChange>) {
        for change in changes {
            match change {
                SourceChange::WatchServer(server) => {
                    self.watched.insert(SourceId(server.name));
                }
                SourceChange::WatchService(service) => {
                    self.watched.insert(SourceId(service.name));
                }
                SourceChange::Remove(source) => {
                    assert!(self.watched.remove(&source), "{source:?} was not watched");
                }
                SourceChange::Note(_) => {}
            }
        }
    }

    /// Asserts the invariants of the registry: names are unique, what is watched is registered, and
    /// addresses are valid.
    fn holds(&self) {
        let mut names = BTreeSet::new();
        for server in self.registry.servers() {
            assert!(
                names.insert(&server.name),
                "{:?} is there twice",
                server.name
            );
            assert!(is_address(&server.url), "{:?}", server.url);
            assert!(!server.name.trim().is_empty() && server.name != LOCAL_ASKS);
        }
        let registered = self
            .registry
            .registered()
            .filter(|(_, _, watched)| *watched);
        let mut known: BTreeSet<SourceId> = registered
            .map(|(server, ..)| SourceId(server.name.clone()))
            .collect();
        known.insert(SourceId(CONFIGURED.into()));
        assert_eq!(self.watched, known);
        let mine = self
            .registry
            .servers()
            .find(|server| server.name == CONFIGURED);
        assert_eq!(
            mine.map(|mine| mine.registered.is_none()),
            Some(true),
            "the settings' own"
        );
    }
}

/// Makes a desk with a question (`que_1`) and a permission (`per_1`) of the source `local`.
pub(crate) fn open_desk() -> Desk {
    let choice = |label: &str| Choice {
        label: label.into(),
        ..Choice::default()
    };
    let question = Question {
        question: "Which one?".into(),
        choices: vec![choice("Red"), choice("Blue")],
        custom: true,
        ..Question::default()
    };
    let command = Some("cargo test".into());
    let permission = Permission {
        permission: "bash".into(),
        command,
        ..Permission::default()
    };
    let ask = |own: &str, kind| Ask {
        id: AskId::new("local", own),
        kind,
        session: Session {
            id: own.into(),
            title: Some("Lab".into()),
            ..Session::default()
        },
        call: None,
        asked_at: clock::now(),
    };
    let asks = vec![
        (ask("que_1", AskContent::Questions(vec![question])), true),
        (ask("per_1", AskContent::Permission(permission)), true),
    ];
    let listing = SourceListing {
        asks,
        ..SourceListing::default()
    };
    let mut desk = Desk::default();
    let listed = SourceReport::Listed(listing);
    desk.handle(
        Event::Source(SourceId("local".into()), listed),
        clock::now(),
    );
    desk
}
