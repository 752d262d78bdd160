//! The desk: the only stateful thing. It dispatches; the decisions are made in the files below.

mod alarms;
mod alike;
mod answering;
mod assessment;
mod beside;
mod cards;
mod changes;
mod clock;
mod drafting;
mod ending;
mod entry;
mod holds;
mod naming;
mod presence;
mod reminders;
mod reports;
mod transition;
mod undelivered;

pub use ending::{MOST_REMEMBERED, REMEMBERED};
pub use entry::{
    AnswerRefusal, CALL_LISTED_WITHIN, Card, Entry, LateAnswer, LeftoverCard, MOST_COUNTED,
    SettledAsk, UndeliveredAnswer,
};

use crate::hub::Seats;
use crate::hub::team::TeamSeat;
use crate::{
    AskId, AskState, AskView, ButtonTarget, Channel, DeskView, Event, Fingerprint, Policy,
    PolicyInput, PresenceState, PresenceView, QuietTimes, Responder, SourceId, SourceState,
    SourceView, Span, Step, Timestamp,
};
use alloc::borrow::{Cow, ToOwned};
use alloc::collections::{BTreeMap, BTreeSet, VecDeque};
use alloc::string::String;
use alloc::vec::Vec;
use cards::withdrawals::PendingWithdrawal;
use transition::Transition;

/// The time after a restart in which an ask is not shown anew until its source confirms it.
const CONFIRM_WITHIN: Span = Span::seconds(2);

/// The open asks, what is remembered of the settled ones, and what is known of sources, channels
/// and people.
#[derive(Debug, Default)]
pub struct Desk {
    policy: Policy,
    /// The person who sits at this machine, once that is known.
    user: Option<Responder>,
    /// The team that they belong to, if any.
    team: Option<TeamSeat>,
    standing: PresenceState,
    /// The time until which the human's word on their presence holds.
    said_until: Option<Timestamp>,
    paused_until: Option<Timestamp>,
    entries: changes::OpenAsks,
    memory: BTreeMap<AskId, SettledAsk>,
    /// The asks that were settled, in that order and with the time; also those that are open again.
    settled: VecDeque<(Timestamp, AskId)>,
    sources: BTreeMap<SourceId, SourceRecord>,
    /// The channels that were heard of, each with whether it works.
    channels: BTreeMap<Channel, bool>,
    by_serial: BTreeMap<u64, AskId>,
    by_session: BTreeMap<alike::OfSession, BTreeSet<AskId>>,
    /// The permission that is shown for all equal ones of a session.
    fronts: BTreeMap<(alike::OfSession, Fingerprint), AskId>,
    alarms: BTreeSet<(Timestamp, AskId)>,
    leaving: BTreeMap<(Channel, AskId), PendingWithdrawal>,
    /// The number of withdrawals that a channel was told of and has not confirmed.
    unconfirmed: BTreeMap<(Channel, AskId), u32>,
    /// The situation by which all cards were last shown or withdrawn.
    situation: Option<PolicyInput>,
    /// The events since the human left, for the digest.
    absence: Option<presence::Absence>,
    /// The channel that shows a digest about waiting asks.
    digest: Option<Channel>,
    /// The time when an idle human will count as away.
    leaves_at: Option<Timestamp>,
    /// What the human's other machines say about where the human is.
    seats: Seats,
    owners: naming::Owners,
    last_serial: u64,
    forgot_at: Option<Timestamp>,
}

#[derive(Debug, Default)]
struct SourceRecord {
    state: Option<SourceState>,
    /// The time when its list was last read or asked for.
    refreshed_at: Option<Timestamp>,
}

impl Desk {
    /// Makes a desk with nothing on it.
    pub fn new(policy: Policy) -> Self {
        Self {
            policy,
            ..Self::default()
        }
    }

    /// Makes the desk from its committed state, at `now`. Asks that were open are held back until
    /// their source confirms them.
    pub fn restore(policy: Policy, saved: SavedState, now: Timestamp) -> Self {
        let saved = saved.until(now);
        let mut desk = Self::new(policy);
        desk.standing.said = saved.said;
        desk.said_until = saved.said_until;
        desk.paused_until = saved.paused_until;
        desk.last_serial = saved.last_serial;
        desk.restore_memory(saved.memory);
        for entry in saved.entries {
            desk.last_serial = desk.last_serial.max(entry.serial);
            match entry.state {
                AskState::Settled { at, .. } => desk.restore_leaving(entry, at),
                AskState::Open | AskState::Answering { .. } => desk.restore_open(entry, now),
            }
        }
        for card in saved.leftover {
            desk.restore_leftover(card, now);
        }
        desk.restore_names();
        desk.situation = Some(desk.situation(now));
        desk.stack_all();
        desk.count_all_beside();
        desk
    }

    fn restore_open(&mut self, mut entry: Entry, now: Timestamp) {
        entry.hold_until = Some(now + CONFIRM_WITHIN);
        entry.in_flight = false;
        entry.note_interrupted();
        entry.cards.values_mut().for_each(|card| card.stale = true);
        self.insert(entry);
    }

    /// Returns the person who sits at this machine, as last reported.
    pub fn user(&self) -> Option<&Responder> {
        self.user.as_ref()
    }

    /// Handles one event, and returns what follows from it.
    pub fn handle(&mut self, event: Event, now: Timestamp) -> Step {
        Transition {
            desk: self,
            now,
            step: Step::default(),
        }
        .complete(event)
    }

    /// Returns the time when [`Event::Tick`] is due.
    pub fn next_deadline(&self) -> Option<Timestamp> {
        let alarm = self.alarms.first().map(|(at, _)| *at);
        let seats = self.seats.expires_at();
        [
            alarm,
            self.paused_until,
            self.said_until,
            self.leaves_at,
            seats,
        ]
        .into_iter()
        .flatten()
        .min()
    }

    /// Returns the snapshot at `now`.
    pub fn view(&self, now: Timestamp) -> DeskView {
        let view = |(name, entry): (Cow<'_, str>, &Entry)| {
            let (name, entry) = (name.into_owned(), entry.clone());
            AskView { name, entry }
        };
        let mut asks: Vec<AskView> = self.asks().map(view).collect();
        asks.sort_by_key(|ask| ask.entry.serial);
        DeskView {
            asks,
            ..self.outline(now)
        }
    }

    /// Returns when channels that can be silent make no sound.
    pub fn quiet_times(&self) -> QuietTimes {
        QuietTimes {
            hours: self.policy.quiet,
            utc_offset: self.policy.utc_offset,
            paused_until: self.paused_until,
        }
    }

    /// Returns the snapshot without the asks, of which there may be thousands.
    pub fn outline(&self, now: Timestamp) -> DeskView {
        let sources = self.sources.iter().map(|(id, source)| SourceView {
            id: id.clone(),
            state: source
                .state
                .clone()
                .unwrap_or(SourceState::Connecting { error: None }),
        });
        DeskView {
            asks: Vec::new(),
            sources: sources.collect(),
            presence: self.presence(now),
            seats: self.seat_views(now),
            channels: self
                .channels
                .iter()
                .filter(|(_, works)| **works)
                .map(|(c, _)| *c)
                .collect(),
            paused_until: self.paused_until,
            forward: self.policy.forward,
        }
    }

    /// Returns the number of asks that need a human: those that wait for an answer, and those whose
    /// agent still waits although there is one.
    pub fn waiting(&self) -> usize {
        self.entries
            .values()
            .filter(|entry| entry.wants_a_human())
            .count()
    }

    /// Returns the number of asks that came in an unknown form, by source.
    pub fn unknown_forms(&self) -> BTreeMap<SourceId, usize> {
        let mut counts = BTreeMap::new();
        let unknown = |entry: &&Entry| matches!(entry.ask.kind, crate::AskContent::Unknown(_));
        for entry in self.entries.values().filter(unknown) {
            *counts.entry(entry.ask.id.source.clone()).or_default() += 1;
        }
        counts
    }

    /// Returns the human's presence at `now`.
    pub fn presence(&self, now: Timestamp) -> PresenceView {
        let PolicyInput {
            away, elsewhere, ..
        } = self.situation(now);
        PresenceView {
            standing: self.standing_at(now),
            away,
            elsewhere,
            withheld: !self.policy.shares_presence,
            said_until: self.said_until.filter(|until| now < *until),
        }
    }

    /// Returns an ask that is not settled.
    pub fn entry(&self, id: &AskId) -> Option<&Entry> {
        self.entries.get(id)
    }

    /// Returns the ask with that number, if it is not settled.
    pub fn entry_numbered(&self, serial: u64) -> Option<&Entry> {
        let entry = self.entries.get(self.by_serial.get(&serial)?);
        entry.filter(|entry| entry.serial == serial)
    }

    /// Returns the asks of a source that are not settled, in the order of their own ids.
    pub fn entries_of<'a>(&'a self, source: &'a SourceId) -> impl Iterator<Item = &'a Entry> {
        let first = AskId {
            source: source.clone(),
            own: String::new(),
        };
        let of_source = |(id, _): &(&AskId, &Entry)| id.source == *source;
        self.entries
            .range(first..)
            .take_while(of_source)
            .map(|(_, entry)| entry)
    }

    /// Returns the ask for which a button was made, if that button can still answer it: exactly
    /// those asks for which a tap would count.
    pub fn entry_of(&self, target: ButtonTarget) -> Option<&Entry> {
        self.entries.get(&self.target(target).ok()?)
    }

    /// Returns the memory of a settled ask.
    pub fn memory(&self, id: &AskId) -> Option<&SettledAsk> {
        self.memory.get(id)
    }

    /// Returns the names of the asks of a source that have ended, as far as they are remembered.
    pub fn ended_of(&self, source: &SourceId) -> Vec<AskId> {
        let ended = self.memory.keys();
        ended.filter(|id| id.source == *source).cloned().collect()
    }

    /// Returns the button target that a settled ask had at its end, for the first ask that fits.
    pub(crate) fn settled_target(&self, is_it: impl Fn(&AskId) -> bool) -> Option<ButtonTarget> {
        let (_, settled) = self.memory.iter().find(|(id, _)| is_it(id))?;
        Some(ButtonTarget {
            serial: settled.serial,
            fingerprint: settled.fingerprint,
        })
    }

    /// Returns the ask of that number, open or remembered.
    pub fn id_of(&self, serial: u64) -> Option<&AskId> {
        self.by_serial.get(&serial)
    }

    /// Returns an open ask of that session, of whatever source.
    pub fn of_session(&self, session: &str) -> Option<&Entry> {
        let mut found = self.sources.keys().filter_map(|source| {
            self.by_session
                .get(&(source.clone(), session.to_owned()))?
                .first()
        });
        self.entries.get(found.next()?)
    }

    /// Returns the open asks, in no particular order, each with its unique name.
    pub fn asks(&self) -> impl Iterator<Item = (Cow<'_, str>, &Entry)> {
        self.entries
            .values()
            .map(|entry| (self.name(&entry.ask.id), entry))
    }

    fn insert(&mut self, entry: Entry) {
        let id = entry.ask.id.clone();
        self.by_serial.insert(entry.serial, id.clone());
        self.owners.note(&id);
        self.by_session
            .entry(entry.of_session())
            .or_default()
            .insert(id.clone());
        self.sources.entry(id.source.clone()).or_default();
        self.entries.insert(entry);
        self.schedule(&id);
    }

    fn remove(&mut self, id: &AskId) -> Option<Entry> {
        let entry = self.entries.remove(id)?;
        let session = entry.of_session();
        if let Some(asks) = self.by_session.get_mut(&session) {
            asks.remove(id);
            if asks.is_empty() {
                self.by_session.remove(&session);
            }
        }
        let stack = (session, entry.content);
        if self.fronts.get(&stack) == Some(id) {
            self.fronts.remove(&stack);
        }
        if let Some(at) = entry.alarm {
            self.alarms.remove(&(at, id.clone()));
        }
        Some(entry)
    }

    fn ids_of(&self, is_meant: impl Fn(&Entry) -> bool) -> Vec<AskId> {
        let meant = self.entries.iter().filter(|(_, entry)| is_meant(entry));
        meant.map(|(id, _)| id.clone()).collect()
    }

    fn ids_of_source(&self, source: &SourceId) -> Vec<AskId> {
        self.entries_of(source)
            .map(|entry| entry.ask.id.clone())
            .collect()
    }
}

/// The committed state of a desk, as the store reads it.
#[derive(Clone, Debug, Default)]
pub struct SavedState {
    /// Asks that are not settled, with their cards; and settled ones that still have a card.
    pub entries: Vec<Entry>,
    /// The cards of asks whose names are other asks' now.
    pub leftover: Vec<LeftoverCard>,
    /// Asks that settled lately.
    pub memory: Vec<(AskId, SettledAsk)>,
    /// The highest serial ever given.
    pub last_serial: u64,
    /// The presence that the human set.
    pub said: crate::PresenceOverride,
    /// The time until which that presence holds.
    pub said_until: Option<Timestamp>,
    /// The pause.
    pub paused_until: Option<Timestamp>,
    /// The time of the clock when the human's word and the pause were saved.
    pub standing_at: Option<Timestamp>,
}
