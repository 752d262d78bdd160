//! A tiny world around one desk: an OpenCode server, a lossy stream, two channels, a store, humans,
//! and a Beckon that dies at any instant.

mod beckon;
mod chat;
mod disk;
mod human;
mod phone;
mod restart;
mod rows;
mod server;
mod surface;
mod tally;

pub use chat::{Chat, Message};
pub use disk::Disk;
pub use human::Human;
pub use phone::{Phone, Relation, What, awaits_words};
pub use rows::Rows;
pub use server::{End, Server, kind};
pub use surface::Surface;
pub use tally::Tally;
pub(crate) use tally::tally;

use beckon_core::{
    Answer, Ask, AskId, AskState, ButtonTarget, Channel, DeliveryFailure, Desk, Entry, Event,
    ForwardMode, Policy, QuietHours, SourceId, SourceListing, SourceReport, SourceState, Span,
    Timestamp,
};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

pub const SOURCE: &str = "local";

/// A random number generator, xorshift64*: small, and the same on every machine.
#[derive(Clone, Debug)]
pub struct Rng(u64);

impl Rng {
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    pub fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33) as usize % end
    }

    pub fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    pub fn pick<T: Clone>(&mut self, of: &[T]) -> Option<T> {
        if of.is_empty() {
            None
        } else {
            Some(of[self.below(of.len())].clone())
        }
    }
}

/// The time within which an answer on its way is sent and looked into, when everything works.
const TRIED_WITHIN: Span = Span::minutes(5);

/// An ask, with its number and content when its human saw it.
pub type Seen = (AskId, ButtonTarget);

pub fn seen(entry: &Entry) -> Seen {
    let fingerprint = entry.ask.fingerprint();
    (
        entry.ask.id.clone(),
        ButtonTarget {
            serial: entry.serial,
            fingerprint,
        },
    )
}

/// A request on its way to the server.
#[derive(Clone, Debug)]
pub struct Post {
    pub own: String,
    pub answer: Answer,
    /// Whether its sender died, so that nobody reads the response.
    pub orphan: bool,
}

/// A list that is being read, with the reports that the stream brought meanwhile (the rules of the
/// real source).
#[derive(Debug, Default)]
pub struct Reading {
    listing: SourceListing,
    asked: BTreeMap<String, Ask>,
    ended: BTreeSet<String>,
}

pub struct World {
    pub rng: Rng,
    pub now: Timestamp,
    pub policy: Policy,
    pub server: Server,
    pub desk: Desk,
    pub disk: Disk,
    pub desktop: Surface,
    pub chat: Chat,
    pub phone: Phone,
    /// The ask in an open window.
    pub window: Option<Ask>,
    pub human: Human,
    /// Whether the human was away when Beckon last looked.
    pub away: bool,
    /// Whether the human came back in the step that is being decided.
    pub returned_now: bool,
    /// The channels that last reported that they work.
    pub heard: BTreeSet<Channel>,
    pub inbox: VecDeque<Event>,
    pub posts: Vec<Post>,
    pub inquiries: Vec<AskId>,
    pub reading: Option<Reading>,
    pub wants_list: bool,
    /// The first committed answer to each ask, by what its human saw.
    pub accepted: BTreeMap<Seen, Answer>,
    /// The accepted answers that the disk has refused.
    pub at_risk: BTreeSet<Seen>,
    /// The accepted answers that were lost because the disk had refused them.
    pub forgotten: BTreeMap<AskId, Vec<Answer>>,
    /// Asks of which the disk has refused a row.
    pub unsaved: BTreeSet<AskId>,
    /// The ask that each number belongs to.
    pub serials: BTreeMap<u64, AskId>,
    /// The number of the ask whose card was last shown under a name.
    pub shown: BTreeMap<(AskId, Channel), u64>,
    /// The number of unanswered withdrawals of a card, and the number of the ask that it showed
    /// last.
    pub going: BTreeMap<(AskId, Channel), (u32, Option<u64>)>,
    /// The number of messages that no row names any more.
    pub strays: BTreeMap<AskId, u32>,
    /// Accepted answers that came back since.
    pub returned: BTreeSet<Seen>,
    /// Vanished asks whose answers are sent again if the asks come back.
    pub kept: BTreeSet<AskId>,
    /// The asks that have waited for words.
    pub awaited: BTreeSet<ButtonTarget>,
    /// The number of starts that read less than had happened.
    pub losses: u64,
    /// Notifications that the human closed, as far as Beckon knows.
    pub closed: BTreeSet<AskId>,
    pub reopened: BTreeMap<AskId, u32>,
    /// The time of the last reminder, by the number of the ask and the channel.
    pub reminders: BTreeMap<(u64, Channel), Timestamp>,
    pub warnings: BTreeMap<(u64, Channel), u32>,
    pub tally: Tally,
    pub turns: u32,
    /// Whether faults have ended.
    pub calm: bool,
    /// The story of this life, if it is wanted.
    pub log: Option<Vec<String>>,
}

impl World {
    pub fn new(seed: u64) -> Self {
        let mut world = Self::asleep(seed);
        world.disk.open();
        world
    }

    fn asleep(seed: u64) -> Self {
        let mut rng = Rng::new(seed);
        let policy = any_policy(&mut rng);
        Self {
            now: Timestamp(1_000_000),
            policy,
            server: Server::new(rng.one_in(2)),
            desk: Desk::new(policy),
            disk: Disk::default(),
            desktop: Surface::default(),
            chat: Chat::default(),
            phone: Phone::default(),
            window: None,
            human: Human::default(),
            away: false,
            returned_now: false,
            heard: BTreeSet::new(),
            inbox: [Channel::Desktop, Channel::Telegram]
                .map(Event::ChannelUp)
                .into(),
            posts: Vec::new(),
            inquiries: Vec::new(),
            reading: None,
            wants_list: false,
            accepted: BTreeMap::new(),
            at_risk: BTreeSet::new(),
            forgotten: BTreeMap::new(),
            unsaved: BTreeSet::new(),
            serials: BTreeMap::new(),
            shown: BTreeMap::new(),
            going: BTreeMap::new(),
            strays: BTreeMap::new(),
            returned: BTreeSet::new(),
            kept: BTreeSet::new(),
            awaited: BTreeSet::new(),
            losses: 0,
            closed: BTreeSet::new(),
            reopened: BTreeMap::new(),
            reminders: BTreeMap::new(),
            warnings: BTreeMap::new(),
            tally: Tally::default(),
            turns: 0,
            calm: false,
            log: None,
            rng,
        }
    }

    pub fn note(&mut self, what: impl FnOnce() -> String) {
        if let Some(log) = &mut self.log {
            log.push(format!("{:>8} {}", self.now.0 - 1_000_000, what()));
        }
    }

    /// Lets time pass; deadlines on the way get their tick.
    pub fn pass(&mut self, span: Span) {
        let (until, clocks) = (self.now + span, self.tally.clocks_set_unseen);
        while let Some(at) = self.desk.next_deadline().filter(|at| *at <= until) {
            self.now = self.now.max(at);
            self.feed(Event::Tick);
            if self.tally.clocks_set_unseen != clocks {
                return;
            }
        }
        self.now = until;
    }

    /// Sets the clock without any time passing.
    pub fn set_clock(&mut self, by: Span) {
        self.note(|| format!("the clock is set by {by:?}"));
        self.tally.clocks_set += 1;
        self.now = self.now + by;
        self.human.set_clock(by);
        self.reminders.values_mut().for_each(|at| *at = *at + by);
        self.feed(Event::ClockSet(by));
    }

    /// Puts the machine to sleep: time passes, and the first tick comes at the end.
    pub fn sleep(&mut self, span: Span) {
        self.note(|| format!("sleep {span:?}"));
        self.now = self.now + span;
        self.feed(Event::Tick);
    }

    /// Reports to the desk. An ask is as old as its source's knowledge of it.
    pub fn report(&mut self, mut report: SourceReport) {
        match &mut report {
            SourceReport::Asked(ask) => ask.asked_at = self.now,
            SourceReport::Listed(listing) => {
                listing
                    .asks
                    .iter_mut()
                    .for_each(|(ask, _)| ask.asked_at = self.now);
            }
            _ => {}
        }
        self.feed(Event::Source(SourceId(SOURCE.into()), report));
    }

    /// Connects to the server: subscribes, then begins to list.
    pub fn connect(&mut self) {
        self.note(|| "connect".into());
        self.server.frames = Some(VecDeque::new());
        self.begin_list();
    }

    pub fn cut(&mut self) {
        self.note(|| "cut".into());
        (self.server.frames, self.reading) = (None, None);
        self.report(SourceReport::State(SourceState::Connecting { error: None }));
    }

    pub fn begin_list(&mut self) {
        if self.server.frames.is_none() {
            self.wants_list = false;
        } else if self.reading.is_some() {
            self.wants_list = true;
        } else {
            self.wants_list = false;
            let unread = (!self.calm && self.rng.one_in(5)).then(|| "/b".to_owned());
            let listing = self.server.list(unread.into_iter().collect());
            self.reading = Some(Reading {
                listing,
                ..Reading::default()
            });
        }
    }

    /// Ends the list. The status of the sessions is read last, but maybe some time before the list
    /// is reported.
    pub fn end_list(&mut self) {
        let Some(mut reading) = self.reading.take() else {
            return;
        };
        if self.calm || self.rng.one_in(2) {
            self.server.read_status(&mut reading.listing);
        }
        let Reading {
            mut listing,
            asked,
            ended,
        } = reading;
        listing
            .asks
            .retain(|(ask, _)| !ended.contains(&ask.id.own) && !asked.contains_key(&ask.id.own));
        listing
            .asks
            .extend(asked.into_values().map(|ask| (ask, true)));
        self.report(SourceReport::Listed(listing));
        self.report(SourceReport::State(SourceState::Live { version: None }));
        if self.wants_list {
            self.begin_list();
        }
    }

    /// Processes the next frame of the stream.
    pub fn next_frame(&mut self) -> bool {
        let Some(frame) = self.server.frames.as_mut().and_then(VecDeque::pop_front) else {
            return false;
        };
        if let Some(reading) = &mut self.reading {
            reading.write(&frame);
        }
        self.report(frame);
        true
    }

    /// Delivers a request to the server, or loses it; its response comes back, or is lost.
    pub fn next_post(&mut self) -> bool {
        if self.posts.is_empty() {
            return false;
        }
        let index = if self.calm {
            0
        } else {
            self.rng.below(self.posts.len())
        };
        let Post {
            own,
            answer,
            orphan,
        } = self.posts.remove(index);
        let fate = if self.calm { 9 } else { self.rng.below(10) };
        self.note(|| format!("post {own} {answer:?} fate {fate} orphan {orphan}"));
        let silent = self.server.silent;
        let mut post = || self.server.post(&own, &answer);
        let failed = |failure: DeliveryFailure| SourceReport::NotSent {
            own: own.clone(),
            failure,
        };
        let not_arrived = DeliveryFailure::Other("it never arrived".into());
        let unanswered = DeliveryFailure::Unanswered("the response never came".into());
        let told = match fate {
            0 => vec![failed(not_arrived)],
            1 => vec![],
            2 => {
                post();
                vec![]
            }
            3 => {
                post();
                vec![failed(unanswered)]
            }
            4 => vec![post(), post()],
            // The request names the wrong directory: an old server says 200 and does nothing.
            5 if silent => vec![SourceReport::Sent { own: own.clone() }],
            _ => vec![post()],
        };
        if !orphan {
            let source = SourceId(SOURCE.into());
            self.inbox.extend(
                told.into_iter()
                    .map(|report| Event::Source(source.clone(), report)),
            );
        }
        true
    }

    pub fn next_inquiry(&mut self) -> bool {
        let Some(id) = self.inquiries.pop() else {
            return false;
        };
        let known = self.server.explain(&id.own);
        let own = id.own;
        let report = match known.filter(|_| self.calm || !self.rng.one_in(4)) {
            Some(answers) => SourceReport::Explained { own, answers },
            None => SourceReport::Unexplained { own },
        };
        self.report(report);
        true
    }

    /// Lets the chat execute some orders.
    pub fn next_orders(&mut self) {
        for _ in 0..=self.rng.below(4) {
            self.next_order();
        }
    }

    /// Lets the chat execute one order; now and then its confirmation is lost.
    pub fn next_order(&mut self) -> bool {
        let busy = self.chat.up && !self.chat.orders.is_empty();
        let report = self.chat.work();
        let lost = !self.calm && self.rng.one_in(12);
        match report {
            Some(Event::Withdrawn { .. }) if lost => self.tally.lost_acks += 1,
            report => self.inbox.extend(report),
        }
        busy
    }

    pub fn next_events(&mut self) {
        for _ in 0..=self.rng.below(4) {
            self.next_event();
        }
    }

    pub fn next_event(&mut self) -> bool {
        let Some(event) = self.inbox.pop_front() else {
            return false;
        };
        self.feed(event);
        true
    }

    /// Ends the life without further faults: everything under way arrives, and time passes until
    /// nothing is due.
    pub fn settle(&mut self) {
        self.calm = true;
        self.disk.full = false;
        self.cut();
        self.connect();
        self.calm_down();
        let well_since = self.now;
        for _ in 0..800 {
            let busy = self.next_event() || self.next_frame() || self.next_post();
            if busy || self.next_updates() || self.next_inquiry() || self.next_order() {
                continue;
            }
            if self.reading.is_some() {
                self.end_list();
            } else if self.wants_list {
                self.begin_list();
            } else if let Some(at) = self.desk.next_deadline() {
                self.now = self.now.max(at);
                self.nothing_waits_for_the_clock(well_since);
                self.feed(Event::Tick);
            } else {
                return;
            }
        }
        panic!("it never comes to rest");
    }
}

impl World {
    fn nothing_waits_for_the_clock(&self, well_since: Timestamp) {
        if self.now - well_since < TRIED_WITHIN {
            return;
        }
        let answering = |entry: &Entry| matches!(entry.state, AskState::Answering { .. });
        let waits = self.desk.asks().find(|(_, entry)| answering(entry));
        assert!(waits.is_none(), "an answer waits for the clock: {waits:?}");
    }

    /// Ends the reminders, which would go on for ever, and restarts a chat that has lost a
    /// confirmation.
    fn calm_down(&mut self) {
        if self.policy.remind_every.take().is_some() {
            self.feed(Event::Policy(self.policy));
        }
        if self.tally.lost_acks > 0 && self.chat.up {
            while self.next_event() || self.next_order() {}
            self.feed(Event::ChannelDown(Channel::Telegram));
            self.feed(Event::ChannelUp(Channel::Telegram));
        }
    }
}

fn any_policy(rng: &mut Rng) -> Policy {
    let (some, usual) = (Span::seconds(8), Policy::default());
    let quiet = [
        QuietHours { from: 17, to: 19 },
        QuietHours { from: 18, to: 17 },
    ];
    Policy {
        forward: [ForwardMode::Always, ForwardMode::Never]
            .get(rng.below(16))
            .copied()
            .unwrap_or_default(),
        away_after: if rng.one_in(2) {
            Span::seconds(3)
        } else {
            usual.away_after
        },
        lock_is_away: !rng.one_in(6),
        escalate_after: [None, Some(some)]
            .get(rng.below(4))
            .copied()
            .unwrap_or(usual.escalate_after),
        expire_after: rng.one_in(6).then(|| Span::seconds(20)),
        remind_every: rng.one_in(3).then(|| Span::seconds(7)),
        quiet: quiet.get(rng.below(5)).copied(),
        utc_offset: Span::minutes(rng.below(3) as i64),
        turns_away: rng.one_in(2),
        ..usual
    }
}

impl Reading {
    fn write(&mut self, frame: &SourceReport) {
        match frame {
            SourceReport::Asked(ask) => {
                self.asked.insert(ask.id.own.clone(), ask.clone());
            }
            SourceReport::Replied { own, .. } | SourceReport::Rejected { own } => {
                self.asked.remove(own);
                self.ended.insert(own.clone());
            }
            _ => {}
        }
    }
}
