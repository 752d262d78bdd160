//! The OpenCode server: its asks, its reports, and what really happened.

use super::{Rng, SOURCE};
use beckon_core::{
    Answer, Ask, AskContent, AskId, Choice, DeliveryFailure, Grant, Permission, Question, Session,
    SourceListing, SourceReport, Timestamp,
};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// The real end of an ask.
#[derive(Clone, Debug, PartialEq)]
pub enum End {
    Ours(Answer),
    Others(Option<Vec<Vec<String>>>),
    /// Gone without a word, with the process or the directory's instance.
    Vanished,
}

#[derive(Debug)]
pub struct Held {
    pub ask: Ask,
    pub end: Option<End>,
    /// Whether it has asked something else under its name, or has used the name before.
    pub changed: bool,
    /// All contents that it has asked under that name.
    pub kinds: Vec<AskContent>,
    /// The number of these contents that have ended.
    over: usize,
    /// All answers that Beckon sent for it, while it was open or after.
    pub posts: Vec<Answer>,
}

#[derive(Debug)]
pub struct Server {
    /// Whether it says 200 to everything, like version 1.1.53.
    pub silent: bool,
    pub asks: BTreeMap<String, Held>,
    pub busy: BTreeSet<String>,
    /// The frames that are not read yet, while a client is subscribed.
    pub frames: Option<VecDeque<SourceReport>>,
    sessions: [u32; 3],
    count: u32,
}

impl Server {
    pub fn new(silent: bool) -> Self {
        let (asks, busy) = (BTreeMap::new(), BTreeSet::new());
        Self {
            silent,
            asks,
            busy,
            frames: None,
            sessions: [0; 3],
            count: 0,
        }
    }

    fn emit(&mut self, report: SourceReport) {
        if let Some(frames) = &mut self.frames {
            frames.push_back(report);
        }
    }

    fn session(&self, place: usize) -> (String, String) {
        let directory = if place == 2 { "/b" } else { "/a" };
        (
            format!("ses_{place}_{}", self.sessions[place]),
            directory.into(),
        )
    }

    pub fn ask(&mut self, rng: &mut Rng) {
        self.count += 1;
        let (id, directory) = self.session(rng.below(3));
        self.busy.insert(id.clone());
        let ask = Ask {
            id: AskId::new(SOURCE, format!("que_{}", self.count)),
            kind: kind(rng),
            session: Session {
                id,
                directory,
                ..Session::default()
            },
            call: None,
            asked_at: Timestamp(0),
        };
        self.hold(ask, Vec::new());
    }

    fn hold(&mut self, ask: Ask, mut kinds: Vec<AskContent>) {
        let (over, posts) = (kinds.len(), Vec::new());
        kinds.push(ask.kind.clone());
        let held = Held {
            ask: ask.clone(),
            end: None,
            changed: over > 0,
            kinds,
            over,
            posts,
        };
        self.asks.insert(ask.id.own.clone(), held);
        self.emit(SourceReport::Asked(ask));
    }

    /// Gives the name of an ended ask to a new one, as a server does that counts anew or was put
    /// back.
    pub fn ask_anew(&mut self, own: &str, kind: AskContent, rng: &mut Rng) {
        let Some(Held { mut ask, kinds, .. }) = self.asks.remove(own) else {
            return;
        };
        let (id, directory) = self.session(rng.below(3));
        self.busy.insert(id.clone());
        ask.session = Session {
            id,
            directory,
            ..Session::default()
        };
        ask.kind = kind;
        self.hold(ask, kinds);
    }

    /// Asks something else under the name of an open ask, but nothing that has ended under it.
    pub fn change(&mut self, own: &str, rng: &mut Rng) {
        let Some(held) = self.asks.get_mut(own) else {
            return;
        };
        let over = &held.kinds[..held.over];
        let other = |kind: &AskContent| *kind != held.ask.kind && !over.contains(kind);
        let Some(kind) = (0..8).map(|_| kind(rng)).find(other) else {
            return;
        };
        (held.ask.kind, held.changed) = (kind, true);
        held.kinds.push(held.ask.kind.clone());
        let ask = held.ask.clone();
        self.emit(SourceReport::Asked(ask));
    }

    pub fn ended(&self) -> impl Iterator<Item = &Held> {
        self.asks.values().filter(|held| held.end.is_some())
    }

    pub fn open(&self) -> impl Iterator<Item = &Held> {
        self.asks.values().filter(|held| held.end.is_none())
    }

    /// Tells whether a session really waits for the ask.
    pub fn waits(&self, own: &str) -> bool {
        let held = self.asks.get(own).filter(|held| held.end.is_none());
        held.is_some_and(|held| self.busy.contains(&held.ask.session.id))
    }

    fn end(&mut self, own: &str, end: End) {
        let Some(held) = self.asks.get_mut(own) else {
            return;
        };
        let answers = match &end {
            End::Ours(answer) => held.ask.to_source_texts(answer),
            End::Others(answers) => answers.clone(),
            End::Vanished => None,
        };
        held.end = Some(end.clone());
        let own = own.to_owned();
        match (end, answers) {
            (End::Vanished, _) => {}
            (_, None) => self.emit(SourceReport::Rejected { own }),
            (_, answers) => self.emit(SourceReport::Replied { own, answers }),
        }
    }

    /// Takes an answer of Beckon.
    pub fn post(&mut self, own: &str, answer: &Answer) -> SourceReport {
        let Some(held) = self.asks.get_mut(own) else {
            unreachable!("{own}")
        };
        held.posts.push(answer.clone());
        let own = own.to_owned();
        if held.end.is_some() {
            return if self.silent {
                SourceReport::Sent { own }
            } else {
                SourceReport::NotSent {
                    own,
                    failure: DeliveryFailure::NotFound,
                }
            };
        }
        let session = held.ask.session.id.clone();
        self.end(&own, End::Ours(answer.clone()));
        if matches!(answer, Answer::Grant(Grant::Reject { .. })) {
            self.reject_permissions(&session);
        }
        SourceReport::Sent { own }
    }

    /// Rejects the other permissions of the session together with a rejected one.
    fn reject_permissions(&mut self, session: &str) {
        let of_session = |held: &&Held| {
            held.ask.session.id == session && matches!(held.ask.kind, AskContent::Permission(_))
        };
        let others: Vec<String> = self
            .open()
            .filter(of_session)
            .map(|held| held.ask.id.own.clone())
            .collect();
        for own in others {
            self.end(&own, End::Others(Some(vec![vec!["reject".into()]])));
        }
    }

    /// Ends an ask by another client, which answers or dismisses it.
    pub fn others_answer(&mut self, own: &str, answer: &Answer) {
        let told = self.asks[own].ask.to_source_texts(answer);
        self.end(own, End::Others(told));
    }

    /// Makes a session quiet, aborted or idle for a moment: its asks stay in the lists.
    pub fn quiet(&mut self, place: usize) {
        let (session, _) = self.session(place);
        self.busy.remove(&session);
        self.emit(SourceReport::SessionQuiet { session });
    }

    pub fn busy_again(&mut self, place: usize) {
        let (session, _) = self.session(place);
        self.busy.insert(session);
    }

    pub fn delete(&mut self, place: usize) {
        let (session, _) = self.session(place);
        self.busy.remove(&session);
        self.sessions[place] += 1;
        self.emit(SourceReport::SessionGone { session });
    }

    pub fn dispose(&mut self, directory: Option<&str>) {
        let here = |held: &Held| directory.is_none_or(|dir| held.ask.session.directory == dir);
        let gone: Vec<String> = self
            .open()
            .filter(|h| here(h))
            .map(|held| held.ask.id.own.clone())
            .collect();
        for own in gone {
            self.end(&own, End::Vanished);
        }
        self.emit(SourceReport::Disposed {
            directory: directory.map(str::to_owned),
        });
    }

    pub fn restart(&mut self) {
        self.dispose(None);
        self.busy.clear();
    }

    pub fn list(&self, unread: BTreeSet<String>) -> SourceListing {
        let read = self
            .open()
            .filter(|held| !unread.contains(&held.ask.session.directory));
        let asks = read.map(|held| (held.ask.clone(), false)).collect();
        let mut listing = SourceListing {
            asks,
            unread,
            ..SourceListing::default()
        };
        self.read_status(&mut listing);
        listing
    }

    pub fn read_status(&self, listing: &mut SourceListing) {
        for (ask, busy) in &mut listing.asks {
            *busy = self.busy.contains(&ask.session.id);
        }
    }

    /// Returns the tool's result in the stored message; nothing is stored for permissions.
    pub fn explain(&self, own: &str) -> Option<Option<Vec<Vec<String>>>> {
        let held = &self.asks[own];
        match (&held.ask.kind, held.end.as_ref()?) {
            (AskContent::Questions(_), End::Ours(answer)) => Some(held.ask.to_source_texts(answer)),
            (AskContent::Questions(_), End::Others(answers)) => Some(answers.clone()),
            _ => None,
        }
    }
}

pub fn kind(rng: &mut Rng) -> AskContent {
    let choice = |label: &str| Choice {
        label: label.into(),
        ..Choice::default()
    };
    let question = |multiple| Question {
        question: "Which?".into(),
        multiple,
        custom: true,
        choices: vec![choice("Yes"), choice("No"), choice("No")],
        ..Question::default()
    };
    match rng.below(5) {
        0 => AskContent::Questions(vec![question(false), question(true)]),
        1 => AskContent::Permission(Permission {
            permission: "bash".into(),
            always: vec!["make *".into()],
            ..Permission::default()
        }),
        _ => AskContent::Questions(vec![question(false)]),
    }
}
