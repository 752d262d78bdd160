//! Threads that move on. The API of the service names a thread and not what it waits for, so an
//! answer that comes late, or twice, meets whatever the thread waits for by then.

use crate::lives::Life;
use crate::sources::interrupts::{Clocks, Progress, Watch};
use crate::world::{Disk, Rng, tally};
use beckon_core::{
    Answer, Ask, AskContent, AskId, AskState, DeliveryFailure, Desk, Effect, Entry, Event,
    Fingerprint, News, Outcome, Policy, ReturnReason, SourceId, SourceReport, Span, Step, Surface,
    Timestamp,
};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::time::{Duration, Instant};

const SOURCE: &str = "service";
/// The first moment of a life, in our time: asks are named by it.
const START: Timestamp = Timestamp(1_700_000_000_000);
/// The age up to which an answer of a human may be sent for the first time.
const GOOD_FOR: Span = Span::seconds(4);
const UNPROVEN: DeliveryFailure = DeliveryFailure::Returned(ReturnReason::Unproven);

tally! {
    crashes,
    power_cuts,
    answers,
    /// Answers that came back to their human.
    returned,
    /// Answers whose thread waited for something else by the time they were to be sent.
    moved_on,
    /// Answers whose thread waited for the very same words again.
    same_words_again,
    /// Answers that arrived.
    taken,
    /// Answers that arrived without a confirmation.
    unproven,
    clocks_set,
    /// Answers that were on their way while the machine slept.
    slept_over,
    /// Answers that were sent for the first time with a delay.
    sent_late,
}

/// The content that a thread waits for.
#[derive(Clone, Debug)]
struct Stand {
    number: u32,
    kind: AskContent,
}

/// The service, which may or may not tell each new stream what is open.
#[derive(Debug, Default)]
struct Service {
    tells: bool,
    stands: BTreeMap<&'static str, Stand>,
    /// The frames of the stream that are not read yet, while there is a stream.
    frames: Option<VecDeque<(&'static str, AskContent)>>,
    count: u32,
}

pub struct Threads {
    rng: Rng,
    now: Timestamp,
    steady: Instant,
    /// The duration of this life, independent of all clocks.
    lasted: Span,
    service: Service,
    watch: Watch,
    desk: Desk,
    disk: Disk,
    policy: Policy,
    reports: VecDeque<SourceReport>,
    progress: VecDeque<(Ask, Progress)>,
    /// The ask in an open window, as its thread had it when the window was opened.
    window: Option<Ask>,
    /// The number of accepted answers to each ask.
    given: BTreeMap<AskId, u32>,
    /// The moment of the last accepted answer to each ask.
    given_at: BTreeMap<AskId, Span>,
    /// The accepted answers that arrived, by ask and number.
    arrived: BTreeSet<(AskId, u32)>,
    /// Asks whose answer may or may not have arrived.
    in_doubt: BTreeSet<AskId>,
    /// Asks whose answer is never confirmed, since the thread waits for something else already.
    presumed: BTreeSet<AskId>,
    /// Asks that have ended, as their human was told.
    ended: BTreeSet<AskId>,
    /// Asks that their human answered although they were told that the ask may be over.
    insisted: BTreeSet<AskId>,
    /// The answers that came back, by ask and number.
    returned: BTreeSet<(AskId, u32)>,
    tally: Tally,
    calm: bool,
    log: Option<Vec<String>>,
}

impl Life for Threads {
    type Tally = Tally;

    fn new(seed: u64, log: bool) -> Self {
        let mut rng = Rng::new(seed);
        let policy = Policy {
            expire_after: rng.one_in(8).then(|| Span::seconds(20)),
            ..Policy::default()
        };
        let service = Service {
            tells: rng.one_in(2),
            ..Service::default()
        };
        let (watch, _) = Watch::new(SOURCE, &[], &[]);
        let mut disk = Disk::default();
        disk.open();
        Self {
            now: START,
            steady: start(),
            lasted: Span(0),
            service,
            watch,
            desk: Desk::new(policy),
            disk,
            policy,
            reports: VecDeque::new(),
            progress: VecDeque::new(),
            window: None,
            given: BTreeMap::new(),
            given_at: BTreeMap::new(),
            arrived: BTreeSet::new(),
            in_doubt: BTreeSet::new(),
            presumed: BTreeSet::new(),
            insisted: BTreeSet::new(),
            ended: BTreeSet::new(),
            returned: BTreeSet::new(),
            tally: Tally::default(),
            calm: false,
            log: log.then(Vec::new),
            rng,
        }
    }

    fn live(&mut self) {
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

/// Returns the start of the steady clock, of which only differences are used.
#[allow(clippy::disallowed_methods)]
fn start() -> Instant {
    Instant::now()
}

/// Returns a content. There are few, so that the same comes again.
fn kind(rng: &mut Rng) -> AskContent {
    AskContent::Confirm(["run the tests?", "delete the database?"][rng.below(2)].into())
}

impl Service {
    fn interrupt(&mut self, thread: &'static str, kind: AskContent) {
        self.count += 1;
        self.stands.insert(
            thread,
            Stand {
                number: self.count,
                kind: kind.clone(),
            },
        );
        if let Some(frames) = &mut self.frames {
            frames.push_back((thread, kind));
        }
    }

    fn connect(&mut self) {
        let open = self.stands.iter().filter(|_| self.tells);
        self.frames = Some(
            open.map(|(thread, stand)| (*thread, stand.kind.clone()))
                .collect(),
        );
    }
}

impl Threads {
    fn note(&mut self, what: impl FnOnce() -> String) {
        if let Some(log) = &mut self.log {
            log.push(format!("{:>8} {}", (self.now - START).0, what()));
        }
    }

    fn clocks(&self) -> Clocks {
        (self.now, self.steady)
    }

    fn act(&mut self) {
        let thread = ["t1", "t2"][self.rng.below(2)];
        match self.rng.below(40) {
            0..=4 => self.agent_asks(thread),
            5 => self.somebody_else_ends(thread),
            6..=9 => drop(self.next_frame()),
            10..=16 => while self.next_report() {},
            17..=24 => self.answer(),
            25..=28 => drop(self.next_progress()),
            29 if self.rng.one_in(3) => self.crash("by chance"),
            29 if self.rng.one_in(3) => self.set_clock(),
            30 => self.some_time(40_000),
            32 if self.rng.one_in(2) => self.sleep(),
            31 if self.service.frames.is_none() || self.rng.one_in(2) => self.line_changes(),
            _ => self.some_time(900),
        }
    }

    fn some_time(&mut self, most: usize) {
        let span = Span::millis(self.rng.below(most) as i64);
        self.pass(span);
    }

    fn agent_asks(&mut self, thread: &'static str) {
        self.read_replies();
        if !self.service.stands.contains_key(thread) {
            let kind = kind(&mut self.rng);
            self.note(|| format!("{thread} asks {kind:?}"));
            self.service.interrupt(thread, kind);
        }
    }

    /// Ends what a thread asks without a report; the agent may go on to its next ask.
    fn somebody_else_ends(&mut self, thread: &'static str) {
        self.read_replies();
        self.note(|| format!("somebody else ends what {thread} asks"));
        if self.service.stands.remove(thread).is_some() && self.rng.one_in(2) {
            self.agent_asks(thread);
        }
    }

    fn line_changes(&mut self) {
        if self.service.frames.is_some() {
            self.note(|| "the stream breaks".into());
            self.service.frames = None;
            let down = self.watch.down();
            self.reports.push_back(down);
        } else {
            self.connect();
        }
    }

    fn connect(&mut self) {
        self.note(|| "the stream is open".into());
        self.service.connect();
        let up = self.watch.up(self.clocks());
        self.reports.push_back(up);
    }

    fn set_clock(&mut self) {
        let by = [Span::seconds(-7_200), Span::seconds(7_200)][self.rng.below(2)];
        self.tally.clocks_set += 1;
        self.now = self.now + by;
        self.feed(Event::ClockSet(by));
    }

    fn pass(&mut self, span: Span) {
        let mut left = span;
        while let Some(at) = self
            .desk
            .next_deadline()
            .filter(|at| *at <= self.now + left)
        {
            let step = Span((at - self.now).0.max(0));
            self.go_on(step);
            left = Span(left.0 - step.0);
            self.feed(Event::Tick);
        }
        self.go_on(left);
    }

    /// Puts the machine to sleep, during which the steady clock stands still.
    fn sleep(&mut self) {
        let span = Span::millis(self.rng.below(40_000) as i64);
        self.note(|| format!("sleep {span:?}"));
        let underway = |entry: &Entry| matches!(entry.state, AskState::Answering { .. });
        let slept_over = self
            .desk
            .asks()
            .filter(|(_, entry)| underway(entry))
            .count();
        self.tally.slept_over += slept_over as u64;
        (self.now, self.lasted) = (self.now + span, Span(self.lasted.0 + span.0));
        self.feed(Event::Tick);
    }

    fn go_on(&mut self, span: Span) {
        self.now = self.now + span;
        self.lasted = Span(self.lasted.0 + span.0);
        self.steady += Duration::from_millis(span.0 as u64);
    }

    fn next_frame(&mut self) -> bool {
        let Some((thread, kind)) = self.service.frames.as_mut().and_then(VecDeque::pop_front)
        else {
            return false;
        };
        self.note(|| format!("the stream says {thread} {kind:?}"));
        let reports = self.watch.interrupted(thread, kind, self.now);
        for report in &reports {
            if let SourceReport::Replied { own, .. } = report {
                let id = AskId::new(SOURCE, own);
                self.presumed.extend(self.in_doubt.take(&id));
            }
        }
        self.reports.extend(reports);
        true
    }

    /// Reads the replies in step with the stream: nobody can tell which of the two sent its message
    /// first.
    fn read_replies(&mut self) {
        let interrupts = |(_, told): &(Ask, Progress)| matches!(told, Progress::Interrupted(_));
        while self.progress.iter().any(interrupts) {
            self.next_progress();
        }
    }

    fn next_report(&mut self) -> bool {
        let Some(report) = self.reports.pop_front() else {
            return false;
        };
        self.feed(Event::Source(SourceId(SOURCE.into()), report));
        true
    }

    fn next_progress(&mut self) -> bool {
        let Some((ask, progress)) = self.progress.pop_front() else {
            return false;
        };
        self.note(|| format!("of the answer to {}: {progress:?}", ask.id.own));
        self.in_doubt.remove(&ask.id);
        let reports = self.watch.on_progress(&ask, progress, self.now);
        self.reports.extend(reports);
        true
    }

    /// Answers the ask in the window, or opens a window.
    fn answer(&mut self) {
        let Some(ask) = self.window.take() else {
            let asks: Vec<Ask> = self
                .desk
                .asks()
                .map(|(_, entry)| entry.ask.clone())
                .collect();
            self.window = self.rng.pick(&asks);
            return;
        };
        let answer = if self.rng.one_in(4) {
            Answer::Cancel
        } else {
            Answer::Continue
        };
        let (seen, by): (Option<Fingerprint>, _) = (Some(ask.fingerprint()), Surface::Window);
        let returned = self
            .desk
            .entry(&ask.id)
            .and_then(|entry| entry.returned.clone());
        if returned == Some(ReturnReason::Unconfirmed) {
            self.insisted.insert(ask.id.clone());
        }
        self.feed(Event::Answered {
            ask: ask.id,
            answer,
            seen,
            by,
            responder: None,
        });
    }

    fn feed(&mut self, event: Event) {
        self.note(|| format!("event {event:?}"));
        let step = self.desk.handle(event, self.now);
        if self.dies() {
            return self.crash("before the commit");
        }
        self.disk.commit(&step.save, None);
        self.count(&step);
        for effect in step.effects {
            if self.dies() {
                return self.crash("before an effect");
            }
            if let Effect::Deliver { entry, answer } = effect {
                self.deliver(&entry, &answer);
            }
        }
    }

    fn dies(&mut self) -> bool {
        !self.calm && self.rng.one_in(150)
    }

    fn count(&mut self, step: &Step) {
        for news in &step.news {
            if let News::Settled(id, _) = news {
                self.ended.insert(id.clone());
            }
            match news {
                News::Answered(id, by) => {
                    if *by != Surface::Clock {
                        self.given_at.insert(id.clone(), self.lasted);
                    }
                    *self.given.entry(id.clone()).or_default() += 1;
                    self.tally.answers += 1;
                }
                News::Returned(id) => {
                    self.returned.insert((id.clone(), self.given[id]));
                    self.tally.returned += 1;
                }
                News::Settled(id, Outcome::Answered { .. }) => {
                    let given = (id.clone(), self.given[id]);
                    let taken = self.arrived.contains(&given) || self.presumed.contains(id);
                    assert!(taken, "{id}: called taken, and never arrived");
                }
                _ => {}
            }
        }
    }

    fn crash(&mut self, when: &str) {
        let power = self.rng.one_in(3);
        self.note(|| format!("{} {when}", if power { "POWER CUT" } else { "CRASH" }));
        self.tally.crashes += 1;
        if power {
            self.tally.power_cuts += 1;
            self.disk.lose_tail(&mut self.rng);
        }
        let used = self.disk.open();
        self.desk = Desk::restore(self.policy, self.disk.rows.load(used), self.now);
        let known: Vec<_> = self.desk.asks().map(|(_, entry)| entry.clone()).collect();
        let ended = self.desk.ended_of(&SourceId(SOURCE.into()));
        let (watch, reports) = Watch::new(SOURCE, &known, &ended);
        (self.watch, self.reports) = (watch, reports.into());
        (self.service.frames, self.window) = (None, None);
        self.progress.clear();
    }
}

impl Threads {
    /// Delivers an answer: the watch sends it or refuses to, it arrives or is lost, and its outcome
    /// is reported or is lost.
    fn deliver(&mut self, entry: &Entry, answer: &Answer) {
        // Earlier frames of the stream are read first.
        while self.next_frame() {}
        let (ask, now) = (&entry.ask, self.clocks());
        self.count_moves(ask);
        if let Err(failure) = self.watch.may_deliver(entry, answer, now) {
            self.note(|| format!("    {} is not sent: {failure:?}", ask.id.own));
            let own = ask.id.own.clone();
            return self
                .reports
                .push_back(SourceReport::NotSent { own, failure });
        }
        self.is_sent_in_time(entry);
        let fate = if self.calm { 9 } else { self.rng.below(10) };
        self.note(|| format!("    {} is sent, fate {fate}", ask.id.own));
        self.in_doubt.insert(ask.id.clone());
        let told = match fate {
            0..=1 => vec![Progress::NotArrived],
            2 => vec![Progress::Failed(UNPROVEN)],
            3..=4 => {
                self.tally.unproven += u64::from(self.resume(ask));
                vec![Progress::Failed(UNPROVEN)]
            }
            _ if !self.resume(ask) => vec![Progress::Failed(DeliveryFailure::NotFound)],
            5..=6 => self.goes_on_to_the_next(ask),
            _ => vec![Progress::Sent, Progress::WentOn, Progress::Over],
        };
        self.progress
            .extend(told.into_iter().map(|progress| (ask.clone(), progress)));
    }

    /// Checks the age of an answer when it is sent. An answer that the clock gave, to an ask that
    /// expired, has no limit.
    fn is_sent_in_time(&mut self, entry: &Entry) {
        let AskState::Answering { by, .. } = entry.state else {
            return;
        };
        let given_at = self
            .given_at
            .get(&entry.ask.id)
            .filter(|_| by != Surface::Clock);
        let late = Span(given_at.map_or(0, |at| self.lasted.0 - at.0));
        assert!(
            late <= GOOD_FOR,
            "{}: what was said {late:?} ago is sent",
            entry.ask.id
        );
        self.tally.sent_late += u64::from(late.0 > 0);
    }

    fn count_moves(&mut self, ask: &Ask) {
        let Some(stand) = self.service.stands.get(ask.session.id.as_str()) else {
            return;
        };
        self.tally.moved_on += u64::from(stand.kind != ask.kind);
        let seen = self.service.count > stand.number;
        self.tally.same_words_again += u64::from(stand.kind == ask.kind && seen);
    }

    /// Resumes the thread with an answer, whatever it waits for.
    fn resume(&mut self, ask: &Ask) -> bool {
        let Some(stand) = self.service.stands.remove(ask.session.id.as_str()) else {
            return false;
        };
        let meant = stand.kind == ask.kind || self.insisted.contains(&ask.id);
        assert!(
            meant,
            "{}: {:?} was answered, and {:?} asked",
            ask.id, ask.kind, stand.kind
        );
        let given = (ask.id.clone(), self.given[&ask.id]);
        assert!(
            self.arrived.insert(given),
            "{}: one word of a human counts twice",
            ask.id
        );
        self.tally.taken += 1;
        true
    }

    fn goes_on_to_the_next(&mut self, ask: &Ask) -> Vec<Progress> {
        let thread = if ask.session.id == "t1" { "t1" } else { "t2" };
        let kind = kind(&mut self.rng);
        self.service.interrupt(thread, kind.clone());
        vec![
            Progress::Sent,
            Progress::WentOn,
            Progress::Interrupted(kind),
            Progress::Over,
        ]
    }

    /// Ends the life without further faults: everything arrives, and time passes until nothing is
    /// due.
    fn settle(&mut self) {
        self.calm = true;
        self.service.frames = None;
        let down = self.watch.down();
        self.reports.push_back(down);
        self.connect();
        for _ in 0..400 {
            if self.next_frame() || self.next_report() || self.next_progress() {
                continue;
            }
            let Some(at) = self.desk.next_deadline() else {
                return;
            };
            let span = Span((at - self.now).0.max(1));
            self.pass(span);
        }
        panic!("it never comes to rest");
    }

    fn check(&self) {
        self.every_word_counts_once_or_comes_back();
        self.nothing_open_is_unseen();
    }

    fn every_word_counts_once_or_comes_back(&self) {
        for (id, given) in &self.given {
            for nth in 1..=*given {
                let key = (id.clone(), nth);
                let ended = self.ended.contains(id) || self.desk.memory(id).is_some();
                let known = self.arrived.contains(&key) || self.returned.contains(&key) || ended;
                assert!(known, "{id}: what a human said is gone without a word");
            }
            let open = self
                .desk
                .entry(id)
                .is_none_or(|entry| entry.state == AskState::Open);
            assert!(open, "{id}: on its way for ever");
        }
    }

    /// Checks that all open asks are known, if the service tells what is open.
    fn nothing_open_is_unseen(&self) {
        for (thread, stand) in self.service.stands.iter().filter(|_| self.service.tells) {
            let same = |ask: &Ask| ask.session.id == **thread && ask.kind == stand.kind;
            let seen = self
                .desk
                .asks()
                .filter(|(_, entry)| same(&entry.ask))
                .count();
            assert_eq!(seen, 1, "{thread} waits");
        }
    }
}
