//! Two Beckons in a chain. One of them watches a server whose choices have equal labels; the other
//! watches the first one, and its human answers there. Either may die, the server forgets its asks
//! and asks them again under other names, and messages between the two Beckons are lost, late, or
//! sent twice.

mod crossing;
mod far;

use crate::lives::Life;
use crate::world::{Disk, Rng, tally};
use beckon_core::{
    Answer, Ask, AskId, AskState, DeliveryFailure, Desk, Effect, Entry, Event, Fingerprint, News,
    Outcome, Policy, Reply, SourceId, SourceListing, SourceReport, SourceState, Span, Step,
    Surface, Timestamp,
};
use crossing::{Request, seen};
use far::Server;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// The watcher's name for the hub, and the hub's name for the server.
const HUB: &str = "hub";
const SERVER: &str = "server";

tally! {
    crashes,
    hub_crashes,
    power_cuts,
    /// Times at which the server's list was empty although asks were open.
    out_of_sight,
    /// Asks that the server forgot and asked again under other names.
    renamed,
    answers,
    /// Answers that crossed from the watcher to the hub.
    crossed,
    /// Answers that crossed once more, since no confirmation had come.
    crossed_again,
    /// Answers that crossed and stood for the second or third of equal labels.
    second_of_equals,
    /// Answers that came back to their human.
    returned,
    /// Answers to asks that had changed, or whose name had been given to another ask.
    refused,
    taken,
}

/// A Beckon with its disk.
struct Beckon {
    desk: Desk,
    disk: Disk,
}

pub struct Chain {
    rng: Rng,
    now: Timestamp,
    server: Server,
    hub: Beckon,
    hub_inbox: VecDeque<SourceReport>,
    watcher: Beckon,
    /// The reports of the hub that the watcher has not read, while they are connected.
    line: Option<VecDeque<SourceReport>>,
    requests: Vec<Request>,
    window: Option<Ask>,
    /// The ask of the hub that each fingerprint stands for.
    shown: BTreeMap<Fingerprint, Ask>,
    /// The choices that humans picked, in the server's words.
    picked: BTreeMap<AskId, BTreeSet<String>>,
    /// Asks whose last answer came back; such an answer counts as not given.
    came_back: BTreeSet<AskId>,
    given: BTreeSet<AskId>,
    tally: Tally,
    calm: bool,
    log: Option<Vec<String>>,
}

impl Beckon {
    fn new() -> Self {
        let mut disk = Disk::default();
        disk.open();
        Self {
            desk: Desk::new(Policy::default()),
            disk,
        }
    }

    fn handle(&mut self, source: &str, report: SourceReport, now: Timestamp) -> Step {
        self.take(Event::Source(SourceId(source.into()), report), now)
    }

    fn take(&mut self, event: Event, now: Timestamp) -> Step {
        let step = self.desk.handle(event, now);
        self.disk.commit(&step.save, None);
        step
    }

    /// Kills the Beckon and starts it again; returns whether the power failed.
    fn restart(&mut self, rng: &mut Rng, now: Timestamp) -> bool {
        let power = rng.one_in(3);
        if power {
            self.disk.lose_tail(rng);
        }
        let used = self.disk.open();
        self.desk = Desk::restore(Policy::default(), self.disk.rows.load(used), now);
        power
    }
}

impl Life for Chain {
    type Tally = Tally;

    fn new(seed: u64, log: bool) -> Self {
        Self {
            rng: Rng::new(seed),
            now: Timestamp(1_700_000_000_000),
            server: Server::default(),
            hub: Beckon::new(),
            hub_inbox: VecDeque::new(),
            watcher: Beckon::new(),
            line: None,
            requests: Vec::new(),
            window: None,
            shown: BTreeMap::new(),
            picked: BTreeMap::new(),
            came_back: BTreeSet::new(),
            given: BTreeSet::new(),
            tally: Tally::default(),
            calm: false,
            log: log.then(Vec::new),
        }
    }

    fn live(&mut self) {
        self.connect();
        for _ in 0..20 + self.rng.below(40) {
            self.act();
        }
        self.settle();
        self.check();
    }

    fn tally(&self) -> Tally {
        self.tally
    }

    fn log(&mut self) -> Vec<String> {
        self.log.take().unwrap_or_default()
    }
}

impl Chain {
    fn note(&mut self, what: impl FnOnce() -> String) {
        if let Some(log) = &mut self.log {
            log.push(format!("{:>8} {}", self.now.0 - 1_700_000_000_000, what()));
        }
    }

    fn act(&mut self) {
        match self.rng.below(40) {
            0..=3 => self.server_asks(),
            4 => self.server_ends(),
            5 if self.rng.one_in(3) => self.server_restarts(),
            5 => self.lose_sight(),
            6..=11 => while self.next_of_hub() {},
            12..=17 => drop(self.next_of_line()),
            18..=23 => self.answer(),
            24..=27 => drop(self.next_request()),
            28 if self.line.is_some() => self.line = None,
            28..=29 if self.line.is_none() => self.connect(),
            30 if self.rng.one_in(3) => self.crash_hub(),
            31 if self.rng.one_in(3) => self.crash_watcher(),
            32 => self.some_time(40_000),
            _ => self.some_time(900),
        }
    }

    fn server_asks(&mut self) {
        let ask = self.server.ask(&mut self.rng, self.now);
        self.hub_inbox.push_back(SourceReport::Asked(ask));
    }

    /// Answers an ask at the server itself, as another of its clients.
    fn server_ends(&mut self) {
        let open: Vec<AskId> = self.server.open.keys().cloned().collect();
        let Some(id) = self.rng.pick(&open) else {
            return;
        };
        self.server.open.remove(&id);
        self.hub_inbox
            .push_back(SourceReport::Rejected { own: id.own });
    }

    fn server_restarts(&mut self) {
        self.tally.renamed += u64::from(!self.server.open.is_empty());
        self.hub_inbox
            .push_back(SourceReport::Disposed { directory: None });
        let anew = self.server.rename(self.now);
        self.note(|| format!("the server asks under other names: {}", anew.len()));
        self.hub_inbox
            .extend(anew.into_iter().map(SourceReport::Asked));
    }

    /// Makes the server list nothing, as while it loads, and then everything.
    fn lose_sight(&mut self) {
        self.note(|| "the server lists nothing".into());
        self.tally.out_of_sight += u64::from(!self.server.open.is_empty());
        for listing in [SourceListing::default(), self.server.list()] {
            self.hub_inbox.push_back(SourceReport::Listed(listing));
        }
    }

    fn next_of_hub(&mut self) -> bool {
        let Some(report) = self.hub_inbox.pop_front() else {
            return false;
        };
        self.note(|| format!("hub: {report:?}"));
        let step = self.hub.handle(SERVER, report, self.now);
        self.run_hub(step);
        true
    }

    fn next_of_line(&mut self) -> bool {
        let Some(report) = self.line.as_mut().and_then(VecDeque::pop_front) else {
            return false;
        };
        self.tell_watcher(report);
        true
    }

    fn tell_watcher(&mut self, report: SourceReport) {
        self.note(|| format!("watcher: {report:?}"));
        let step = self.watcher.handle(HUB, report, self.now);
        self.run_watcher(step);
    }

    /// Connects the watcher, which subscribes first and then lists.
    fn connect(&mut self) {
        self.note(|| "the watcher connects".into());
        self.line = Some(VecDeque::new());
        self.list();
    }

    fn list(&mut self) {
        let asks: Vec<Entry> = self
            .hub
            .desk
            .asks()
            .map(|(_, entry)| entry.clone())
            .collect();
        let open = asks.iter().filter(|entry| entry.state == AskState::Open);
        let asks = open
            .map(|entry| (self.crossing(entry), true))
            .collect::<Vec<_>>();
        if let Some(line) = &mut self.line {
            line.push_back(SourceReport::Listed(SourceListing {
                asks,
                ..SourceListing::default()
            }));
            line.push_back(SourceReport::State(SourceState::Live { version: None }));
        }
    }

    fn some_time(&mut self, most: usize) {
        let until = self.now + Span::millis(self.rng.below(most) as i64);
        while let Some(at) = self.next_deadline().filter(|at| *at <= until) {
            self.tick(at);
        }
        self.now = until;
    }

    fn next_deadline(&self) -> Option<Timestamp> {
        [&self.hub, &self.watcher]
            .iter()
            .filter_map(|beckon| beckon.desk.next_deadline())
            .min()
    }

    fn tick(&mut self, at: Timestamp) {
        self.now = self.now.max(at);
        let step = self.hub.take(Event::Tick, self.now);
        self.run_hub(step);
        let step = self.watcher.take(Event::Tick, self.now);
        self.run_watcher(step);
    }

    /// Answers the ask that the watcher's human looked at, or makes them look at one.
    fn answer(&mut self) {
        let Some(ask) = self.window.take() else {
            let asks: Vec<Ask> = self
                .watcher
                .desk
                .asks()
                .map(|(_, entry)| entry.ask.clone())
                .collect();
            self.window = self.rng.pick(&asks);
            return;
        };
        let answer = match self.rng.below(6) {
            0 => Answer::Dismiss,
            _ => Answer::Replies(vec![Reply::choice(
                self.rng.below(ask.questions()[0].choices.len()),
            )]),
        };
        let (seen, by) = (Some(ask.fingerprint()), Surface::Window);
        let event = Event::Answered {
            ask: ask.id.clone(),
            answer: answer.clone(),
            seen,
            by,
            responder: None,
        };
        self.note(|| format!("watcher: {event:?}"));
        let step = self.watcher.take(event, self.now);
        if matches!(step.verdict, Some(Ok(_))) {
            self.note_pick(&ask, &answer);
        }
        self.run_watcher(step);
    }

    /// Notes which choice was picked, found by the words that the human read and not by their
    /// place.
    fn note_pick(&mut self, ask: &Ask, answer: &Answer) {
        let original = &self.shown[&seen(ask)];
        let read = ask.to_labels(answer).map(|lists| lists.concat());
        let means = read.map_or("dismiss".to_owned(), |read| far::value(original, &read[0]));
        self.tally.answers += 1;
        self.given.insert(ask.id.clone());
        self.came_back.remove(&ask.id);
        self.picked
            .entry(original.id.clone())
            .or_default()
            .insert(means);
    }

    fn crash_hub(&mut self) {
        self.note(|| "the hub dies".into());
        self.tally.hub_crashes += 1;
        self.tally.power_cuts += u64::from(self.hub.restart(&mut self.rng, self.now));
        self.line = None;
        self.hub_inbox = [SourceReport::Listed(self.server.list())].into();
    }

    fn crash_watcher(&mut self) {
        self.note(|| "the watcher dies".into());
        self.tally.crashes += 1;
        self.watcher.restart(&mut self.rng, self.now);
        (self.line, self.window) = (None, None);
        self.requests
            .iter_mut()
            .for_each(|request| request.orphan = true);
    }
}

impl Chain {
    fn run_hub(&mut self, step: Step) {
        for news in step.news {
            let report = match &news {
                News::Asked(id) | News::Reopened(id) | News::Changed(id) => {
                    let entry = self.hub.desk.entry(id).cloned();
                    entry.map(|entry| SourceReport::Asked(self.crossing(&entry)))
                }
                News::Settled(id, outcome) => Some(self.ending(id, outcome)),
                _ => None,
            };
            if let (Some(line), Some(report)) = (&mut self.line, report) {
                line.push_back(report);
            }
        }
        for effect in step.effects {
            match effect {
                Effect::Deliver { entry, answer } => self.deliver_to_server(&entry, &answer),
                Effect::Refresh(_) => {
                    self.hub_inbox
                        .push_back(SourceReport::Listed(self.server.list()));
                }
                Effect::Inquire(entry) => {
                    let own = entry.ask.id.own;
                    self.hub_inbox.push_back(SourceReport::Unexplained { own });
                }
                _ => {}
            }
        }
    }

    fn ending(&self, id: &AskId, outcome: &Outcome) -> SourceReport {
        let own = id.own.clone();
        let ask = self.shown.values().find(|ask| ask.id == *id);
        let answer = ask.and_then(|ask| ask.to_labels(&ask.final_answer(outcome)?));
        match answer {
            Some(answers) => SourceReport::Replied {
                own,
                answers: Some(answers),
            },
            None => SourceReport::Rejected { own },
        }
    }

    fn deliver_to_server(&mut self, entry: &Entry, answer: &Answer) {
        let own = entry.ask.id.own.clone();
        // A hub that has not yet read the server's list, or not heard that it started anew, does
        // not reach it.
        let unheard = |it: &SourceReport| {
            matches!(it, SourceReport::Disposed { .. } | SourceReport::Listed(_))
        };
        let down = self.hub_inbox.iter().any(unheard);
        if down || (!self.calm && self.rng.one_in(4)) {
            let failure = DeliveryFailure::Other("no route".into());
            return self
                .hub_inbox
                .push_back(SourceReport::NotSent { own, failure });
        }
        let Some(asked) = self.server.open.remove(&entry.ask.id) else {
            let failure = DeliveryFailure::NotFound;
            return self
                .hub_inbox
                .push_back(SourceReport::NotSent { own, failure });
        };
        let got = asked
            .to_source_texts(answer)
            .map_or("dismiss".to_owned(), |told| told.concat().concat());
        let picked = &self.picked[&asked.id];
        assert!(
            picked.contains(&got),
            "{}: got {got:?}, and {picked:?} was picked",
            asked.id
        );
        self.tally.taken += 1;
        self.hub_inbox
            .push_back(SourceReport::Sent { own: own.clone() });
        self.hub_inbox
            .push_back(match asked.to_source_texts(answer) {
                Some(answers) => SourceReport::Replied {
                    own,
                    answers: Some(answers),
                },
                None => SourceReport::Rejected { own },
            });
    }

    fn run_watcher(&mut self, step: Step) {
        for news in step.news {
            match news {
                News::Returned(id) => {
                    self.tally.returned += 1;
                    self.came_back.insert(id);
                }
                // A hub that was killed does not report the end of an ask that it has forgotten.
                News::Settled(id, _) => drop(self.given.remove(&id)),
                _ => {}
            }
        }
        for effect in step.effects {
            match effect {
                Effect::Deliver { entry, answer } => self.request(&entry, answer),
                Effect::Refresh(_) => self.list(),
                Effect::Inquire(entry) => {
                    let own = entry.ask.id.own;
                    let told = SourceReport::Unexplained { own };
                    self.line
                        .iter_mut()
                        .for_each(|line| line.push_back(told.clone()));
                }
                _ => {}
            }
        }
    }

    /// Ends the life without further faults: everything arrives, and time passes until nothing is
    /// due.
    fn settle(&mut self) {
        self.calm = true;
        self.hub_inbox
            .push_back(SourceReport::Listed(self.server.list()));
        while self.next_of_hub() {}
        self.connect();
        for _ in 0..400 {
            if self.next_of_hub() || self.next_of_line() || self.next_request() {
                continue;
            }
            let Some(at) = self.next_deadline() else {
                return;
            };
            self.tick(at);
        }
        panic!("it never comes to rest");
    }

    fn check(&self) {
        for id in &self.given {
            let entry = self.watcher.desk.entry(id);
            let open = entry.is_some_and(|entry| entry.state == AskState::Open);
            let back = self.came_back.contains(id) && open;
            assert!(back, "{id}: what a human said is gone without a word");
        }
        for ask in self.server.open.values() {
            let hub = AskId::new(HUB, ask.id.own.clone());
            let waits = |entry: &Entry| entry.waits() && seen(&entry.ask) == ask.fingerprint();
            let seen = self.watcher.desk.entry(&hub).is_some_and(waits);
            assert!(seen, "{} waits, and the watcher does not know", ask.id);
        }
        let known = self.watcher.desk.asks().count();
        assert_eq!(
            known,
            self.server.open.len(),
            "the watcher knows more than there is"
        );
    }
}
