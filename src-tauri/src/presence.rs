//! The presence of the human at the desk. Backends tell what they see; the reading that follows
//! from all facts is posted when it changes.
//!
//! This file has the room: its handle, and when which reading is posted. What follows from which
//! fact is in `evidence.rs`. How facts are found out is in one file per system, with equal
//! signatures.
//!
//! Not here: when idle counts as away, which is decided in the core.

mod clocks;
mod evidence;
mod marker;
#[cfg(any(not(target_os = "linux"), test))]
mod polled;
#[cfg_attr(target_os = "linux", path = "presence/linux.rs")]
#[cfg_attr(target_os = "macos", path = "presence/macos.rs")]
#[cfg_attr(windows, path = "presence/windows.rs")]
mod system;

use crate::platform::part::Part;
use crate::platform::sink::Sink;
use beckon_client::platform::clock;
use beckon_client::wire::Leg;
use beckon_core::{
    Event, Presence, PresenceReading, PresenceSource, PresenceView, Span, Timestamp,
};
use clocks::{ClockPair, Passed, SleepGap};
use evidence::{PresenceEvidence, PresenceFact, SilenceLimits};
pub(crate) use marker::PresenceMarker;
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::{mpsc, oneshot, watch};

/// The interval at which the clocks are compared, and so the delay with which a sleep is noticed
/// that no backend announced.
const LOOK: Duration = Duration::from_secs(10);
/// The longest wait for a backend when the last input is asked for.
const FRESH_WITHIN: Duration = Duration::from_millis(150);

/// The longest wait at the start for backends that have not reported yet.
const SETTLES_WITHIN: Duration = Duration::from_millis(500);
/// The largest difference of two times of the last input that count as equal.
const NEAR: Span = Span::seconds(1);

/// The handle of the room.
#[derive(Clone, Debug)]
pub(crate) struct PresenceHandle {
    commands: mpsc::UnboundedSender<PresenceCommand>,
    latest: Arc<Mutex<LatestReading>>,
    settled: watch::Receiver<bool>,
}

/// The latest reading; it may not have been posted.
#[derive(Debug)]
struct LatestReading {
    reading: PresenceReading,
    legs: Vec<Leg>,
}

#[derive(Debug)]
enum PresenceCommand {
    AwayAfter(Span),
    Freshen(oneshot::Sender<()>),
}

/// Starts the room on the current runtime. A human who is idle for `away_after` will count as away.
pub(crate) fn start(events: Sink<Event>, away_after: Span) -> PresenceHandle {
    let (commands, inbox) = mpsc::unbounded_channel();
    let legs = PresenceEvidence::default().legs(system::witness);
    let latest = Arc::new(Mutex::new(LatestReading {
        reading: PresenceReading::default(),
        legs,
    }));
    let (told, facts) = mpsc::unbounded_channel();
    let limits = SilenceLimits::until_away(away_after);
    let (wish, wishes) = watch::channel(BackendRequest {
        idle_after: limits.idle_after,
        looks: 0,
    });
    let sink = Sink::new(move |fact| _ = told.send(fact));
    let (settled, settles) = watch::channel(false);
    system::start(sink.clone(), wishes);
    let began = Instant::now();
    let task = PresenceTask {
        room: PresenceTracker::new(limits, now(began)),
        began,
        events,
        latest: latest.clone(),
        wish,
        waiting: Vec::new(),
        fresh_by: None,
        settled,
        _sink: sink,
    };
    tokio::spawn(Part::Presence.run(task.run(facts, inbox)));
    PresenceHandle {
        commands,
        latest,
        settled: settles,
    }
}

impl PresenceHandle {
    /// Sets the time without input after which the human counts as away.
    pub(crate) fn away_after(&self, away_after: Span) {
        let _ = self.commands.send(PresenceCommand::AwayAfter(away_after));
    }

    /// Requests the time of the last input, which [`PresenceHandle::sharpen`] then uses. `done` is
    /// told when it is known, or after 150 ms (`FRESH_WITHIN`).
    pub(crate) fn freshen(&self, done: oneshot::Sender<()>) {
        // A room that has ended drops the sender, which counts as done.
        let _ = self.commands.send(PresenceCommand::Freshen(done));
    }

    /// Waits until it is known where the human is, or that no backend can tell. Until then nothing
    /// may ring elsewhere: at a start "not known" only means "not yet".
    pub(crate) fn settled(&self) -> impl Future<Output = ()> + Send + use<> {
        let mut settled = self.settled.clone();
        async move {
            let _ = tokio::time::timeout(SETTLES_WITHIN, settled.wait_for(|it| *it)).await;
        }
    }

    /// Sets the time of the last input to the latest known. While a human types, new times are not
    /// posted.
    pub(crate) fn sharpen(&self, view: &mut PresenceView) {
        let latest = self
            .latest
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .reading;
        let reading = &mut view.standing.reading;
        if (reading.presence, reading.evidence) == (latest.presence, latest.evidence) {
            reading.last_input = latest.last_input;
        }
    }

    /// Returns the backends with what each tells about, and what it tells now.
    pub(crate) fn legs(&self) -> Vec<Leg> {
        self.latest
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .legs
            .clone()
    }
}

/// The sink to which backends report facts.
pub(crate) type FactSink = Sink<(PresenceSource, PresenceFact)>;

/// The requests of the room to the backends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct BackendRequest {
    /// The time without input from which on the human counts as idle.
    pub(crate) idle_after: Span,
    /// A counter that goes up whenever the time of the last input is requested.
    pub(crate) looks: u64,
}

/// Returns the clocks now.
fn now(began: Instant) -> ClockPair {
    let awake = i64::try_from(began.elapsed().as_millis()).unwrap_or(i64::MAX);
    ClockPair {
        wall: clock::now(),
        steady: clock::steady(),
        awake: Span(awake),
    }
}

/// The room, with its inputs and outputs.
struct PresenceTask {
    room: PresenceTracker,
    began: Instant,
    events: Sink<Event>,
    latest: Arc<Mutex<LatestReading>>,
    wish: watch::Sender<BackendRequest>,
    /// The callers that wait for a fresh last input.
    waiting: Vec<oneshot::Sender<()>>,
    fresh_by: Option<Instant>,
    settled: watch::Sender<bool>,
    /// A sender that keeps the queue of facts open when every backend has ended.
    _sink: FactSink,
}

impl PresenceTask {
    async fn run(
        mut self,
        mut facts: mpsc::UnboundedReceiver<(PresenceSource, PresenceFact)>,
        mut inbox: mpsc::UnboundedReceiver<PresenceCommand>,
    ) {
        loop {
            let wait = self.until_next_look();
            let fact = tokio::select! {
                fact = facts.recv() => fact,
                command = inbox.recv() => match command {
                    None => return,
                    Some(PresenceCommand::AwayAfter(away_after)) => {
                        self.set_away_after(away_after);
                        None
                    }
                    Some(PresenceCommand::Freshen(done)) => {
                        self.freshen(done);
                        continue;
                    }
                },
                () = passed(self.fresh_by) => None,
                () = tokio::time::sleep(wait) => None,
            };
            self.post(fact);
            if fact.is_some() || self.fresh_by.is_some_and(|at| Instant::now() >= at) {
                self.fresh_by = None;
                self.waiting.drain(..).for_each(|done| _ = done.send(()));
            }
        }
    }

    /// Returns the time until the room has to check something by itself.
    fn until_next_look(&self) -> Duration {
        let change = self
            .room
            .changes_at()
            .map(clock::until)
            .filter(|until| !until.is_zero());
        change.map_or(LOOK, |until| until.min(LOOK))
    }

    fn set_away_after(&mut self, away_after: Span) {
        self.room.limits = SilenceLimits::until_away(away_after);
        let idle_after = self.room.limits.idle_after;
        self.wish.send_if_modified(|wish| {
            std::mem::replace(&mut wish.idle_after, idle_after) != idle_after
        });
    }

    /// Asks the backends, if the one that counts can know.
    fn freshen(&mut self, done: oneshot::Sender<()>) {
        let PresenceReading {
            presence, evidence, ..
        } = self.room.posted;
        let knows = matches!(
            evidence,
            PresenceSource::X11 | PresenceSource::Mutter | PresenceSource::System
        );
        if presence != Presence::Here || !knows {
            let _ = done.send(());
            return;
        }
        self.waiting.push(done);
        self.fresh_by
            .get_or_insert_with(|| Instant::now() + FRESH_WITHIN);
        self.wish.send_modify(|wish| wish.looks += 1);
    }

    fn post(&mut self, fact: Option<(PresenceSource, PresenceFact)>) {
        let now = now(self.began);
        for reading in self.room.on_fact(fact, now) {
            let PresenceReading {
                presence, evidence, ..
            } = reading;
            tracing::info!(?presence, ?evidence, "presence");
            self.events.post(Event::Presence(reading));
        }
        let legs = self.room.known.legs(system::witness);
        let latest = LatestReading {
            reading: self.room.reading(now.wall),
            legs,
        };
        *self.latest.lock().unwrap_or_else(PoisonError::into_inner) = latest;
        if !*self.settled.borrow() && self.room.is_settled() {
            self.settled.send_replace(true);
        }
    }
}

async fn passed(at: Option<Instant>) {
    match at {
        Some(at) => tokio::time::sleep_until(at.into()).await,
        None => std::future::pending().await,
    }
}

/// The known facts, and the reading that was posted. This reads no clock: times are given.
struct PresenceTracker {
    known: PresenceEvidence,
    clocks: ClockPair,
    limits: SilenceLimits,
    posted: PresenceReading,
    /// The backends that have reported anything yet.
    heard: BTreeSet<PresenceSource>,
}

impl PresenceTracker {
    fn new(limits: SilenceLimits, clocks: ClockPair) -> Self {
        let (known, heard, posted) = (
            PresenceEvidence::default(),
            BTreeSet::new(),
            PresenceReading::default(),
        );
        Self {
            known,
            clocks,
            limits,
            posted,
            heard,
        }
    }

    /// Takes in a fact, or only the new times. Returns the readings to post.
    fn on_fact(
        &mut self,
        fact: Option<(PresenceSource, PresenceFact)>,
        now: ClockPair,
    ) -> Vec<PresenceReading> {
        let mut readings = Vec::new();
        let Passed { set, slept } = self.clocks.advance(now);
        if let Some(by) = set {
            self.known.set_clock(by);
            self.posted.last_input = self.posted.last_input.map(|at| at + by);
        }
        if let Some(SleepGap { span, woke }) = slept {
            // A backend that reported the sleep reports the waking too.
            if !self.known.is_asleep() {
                let last_input = self.reading(woke).last_input;
                let evidence = PresenceSource::ClockJump;
                let asleep = PresenceReading {
                    presence: Presence::Asleep,
                    evidence,
                    last_input,
                };
                readings.extend(self.news(asleep));
            }
            self.known.slept(span, woke);
        }
        if let Some((by, fact)) = fact {
            // That the machine is awake says nothing about the human, so the room goes on waiting.
            if fact != PresenceFact::Asleep(false) {
                self.heard.insert(by);
            }
            self.known.take(by, fact, now.wall);
        }
        readings.extend(self.news(self.reading(now.wall)));
        readings
    }

    fn reading(&self, now: Timestamp) -> PresenceReading {
        self.known.reading(self.limits, now)
    }

    fn changes_at(&self) -> Option<Timestamp> {
        self.known.changes_at(self.limits)
    }

    /// Whether one backend has reported enough, or all have reported and none knows.
    fn is_settled(&self) -> bool {
        self.posted.presence != Presence::Unknown || system::is_all(&self.heard)
    }

    /// Returns the reading, if it is worth posting. A new time of the last input is not, while the
    /// human is here: it would be posted without end.
    fn news(&mut self, reading: PresenceReading) -> Option<PresenceReading> {
        let before = self.posted;
        let counts_from = |reading: PresenceReading| {
            let counts = matches!(reading.presence, Presence::Idle | Presence::Locked);
            counts.then_some(reading.last_input).flatten()
        };
        let same = (reading.presence, reading.evidence) == (before.presence, before.evidence)
            && is_near(counts_from(reading), counts_from(before));
        self.posted = reading;
        (!same).then_some(reading)
    }
}

/// Whether two times are the same within the accuracy of a backend that counts back from now at
/// each look.
fn is_near(one: Option<Timestamp>, other: Option<Timestamp>) -> bool {
    match (one, other) {
        (Some(one), Some(other)) => (one - other).0.abs() <= NEAR.0,
        (one, other) => one == other,
    }
}

#[cfg(test)]
mod tests;
