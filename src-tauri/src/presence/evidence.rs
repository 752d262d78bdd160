//! What every backend knows now, and the one reading that follows from it all.
//!
//! Pure: the time is given. Not here: how anything is found out.

use beckon_client::wire::Leg;
use beckon_client::wire::LegKind;
use beckon_core::{Presence, PresenceReading, PresenceSource, Span, Timestamp};
use std::collections::BTreeMap;

/// Inputs so soon after a request to lock belong to the locking itself: the key is let go, the
/// mouse comes to rest.
const SETTLING: Span = Span::seconds(5);
/// So many sleeps in a row without a touch are remembered.
const SLEEPS: usize = 16;

/// What a backend tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PresenceFact {
    /// Keyboard and mouse are in use, or have not been touched for a while.
    Hands {
        /// Not touched for at least [`SilenceLimits::idle_after`].
        idle: bool,
        /// When they were last.
        last_input: LastInput,
    },
    /// The screen is locked, or is not.
    Locked(bool),
    /// Somebody asks for the screen to be locked. Most lockers confirm that; some do not.
    #[cfg_attr(not(target_os = "linux"), allow(dead_code, reason = "logind only"))]
    LockAsked,
    /// Somebody asks for it to be unlocked.
    #[cfg_attr(not(target_os = "linux"), allow(dead_code, reason = "logind only"))]
    UnlockAsked,
    /// The machine is about to sleep, or is awake: who says so will say the other too.
    Asleep(bool),
    /// The backend has ended: what it told is void.
    #[cfg_attr(not(target_os = "linux"), allow(dead_code, reason = "the system does not end"))]
    Gone,
}

/// When the last input was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LastInput {
    /// So long ago by a clock that stands still while the machine sleeps.
    Ago(Span),
    /// By the wall clock as it was then.
    #[cfg_attr(not(target_os = "linux"), allow(dead_code, reason = "logind only"))]
    At(Timestamp),
}

/// How long which silence is borne.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SilenceLimits {
    /// Untouched for so long is idle.
    pub(crate) idle_after: Span,
    /// Idle for so long is away.
    pub(crate) away_after: Span,
}

/// Idle is worth telling after so long, long before it counts as away.
const IDLE_AFTER: Span = Span::seconds(30);

impl SilenceLimits {
    /// The limits that fit a setting.
    pub(crate) fn until_away(away_after: Span) -> Self {
        Self { idle_after: away_after.min(IDLE_AFTER), away_after }
    }
}

/// All that is known.
#[derive(Debug, Default)]
pub(crate) struct PresenceEvidence {
    /// In the order of [`PresenceSource`]: those that see the hands come before logind's hint.
    backends: BTreeMap<PresenceSource, BackendFacts>,
    /// The last time that somebody unlocked the screen.
    unlocked: Option<LifeSign>,
    /// When the machine woke, and how long it had slept; oldest first.
    sleeps: Vec<(Timestamp, Span)>,
}

/// What one backend knows.
#[derive(Clone, Copy, Debug, Default)]
struct BackendFacts {
    hands: Option<InputState>,
    locked: Option<bool>,
    lock_asked: Option<Timestamp>,
    asleep: Option<bool>,
}

#[derive(Clone, Copy, Debug)]
struct InputState {
    idle: bool,
    last_input: Timestamp,
}

/// A sign of life.
#[derive(Clone, Copy, Debug)]
struct LifeSign {
    by: PresenceSource,
    at: Timestamp,
}

impl PresenceEvidence {
    /// A backend tells something new.
    pub(crate) fn take(&mut self, by: PresenceSource, fact: PresenceFact, now: Timestamp) {
        let was_locked = self.backends.get(&by).is_some_and(BackendFacts::seems_locked);
        let hands = match fact {
            PresenceFact::Hands { idle, last_input } => {
                Some(InputState { idle, last_input: self.wall(last_input, now) })
            }
            _ => None,
        };
        let facts = self.backends.entry(by).or_default();
        match fact {
            PresenceFact::Hands { .. } => facts.hands = hands,
            PresenceFact::Locked(locked) => {
                facts.locked = Some(locked);
                facts.lock_asked = None;
            }
            PresenceFact::LockAsked => facts.lock_asked = Some(now),
            PresenceFact::UnlockAsked => facts.lock_asked = None,
            PresenceFact::Asleep(asleep) => facts.asleep = Some(asleep),
            PresenceFact::Gone => {
                self.backends.remove(&by);
                return;
            }
        }
        match (was_locked, facts.seems_locked()) {
            (true, false) => self.unlocked = Some(LifeSign { by, at: now }),
            (false, true) => self.unlocked = None,
            _ => {}
        }
    }

    /// The machine woke at `woke` after having slept for `span`.
    pub(crate) fn slept(&mut self, span: Span, woke: Timestamp) {
        if self.sleeps.len() == SLEEPS {
            self.sleeps.remove(0);
        }
        self.sleeps.push((woke, span));
    }

    /// Somebody set the wall clock: what was a minute ago still was.
    pub(crate) fn set_clock(&mut self, by: Span) {
        for facts in self.backends.values_mut() {
            if let Some(hands) = &mut facts.hands {
                hands.last_input = hands.last_input + by;
            }
            facts.lock_asked = facts.lock_asked.map(|at| at + by);
        }
        if let Some(sign) = &mut self.unlocked {
            sign.at = sign.at + by;
        }
        self.sleeps.iter_mut().for_each(|(woke, _)| *woke = *woke + by);
    }

    /// Does a backend say that the machine sleeps?
    pub(crate) fn is_asleep(&self) -> bool {
        self.backends.values().any(BackendFacts::is_asleep)
    }

    /// What it all comes to: asleep before locked, locked before idle, idle before here.
    pub(crate) fn reading(&self, limits: SilenceLimits, now: Timestamp) -> PresenceReading {
        let by = |test: &dyn Fn(&BackendFacts) -> bool| {
            self.backends.iter().find(|(_, facts)| test(facts)).map(|(by, _)| *by)
        };
        let asleep = by(&BackendFacts::is_asleep).map(|by| (Presence::Asleep, by));
        let locked = || by(&|facts| self.is_locked(facts)).map(|by| (Presence::Locked, by));
        let told = asleep.or_else(locked).or_else(|| self.hands_or_sign(limits, now));
        let Some((presence, evidence)) = told else { return PresenceReading::default() };
        PresenceReading { presence, evidence, last_input: self.last_input() }
    }

    /// Who tells of what, and what they say. Of what nobody tells `missing` would have to.
    pub(crate) fn legs(&self, missing: impl Fn(LegKind) -> PresenceSource) -> Vec<Leg> {
        let legs = [LegKind::Idle, LegKind::Lock, LegKind::Sleep].map(|what| {
            let told = self.told(what);
            if !told.is_empty() {
                return told;
            }
            let source = missing(what);
            vec![Leg { what, source, works: false, holds: false, last_input: None }]
        });
        legs.concat()
    }

    /// Of the hands the best that is known, as it alone counts; of all else whatever is told.
    fn told(&self, what: LegKind) -> Vec<Leg> {
        let leg = |source, holds, last_input| Leg { what, source, works: true, holds, last_input };
        if what == LegKind::Idle {
            let hands = self.hands().map(|(by, it)| leg(by, it.idle, Some(it.last_input)));
            return hands.into_iter().collect();
        }
        let told = self.backends.iter().filter_map(|(by, facts)| {
            let holds = match what {
                LegKind::Lock => facts.locked.map(|_| self.is_locked(facts)),
                LegKind::Sleep | LegKind::Idle => facts.asleep,
            };
            Some(leg(*by, holds?, None))
        });
        told.collect()
    }

    /// When the reading changes by mere waiting.
    pub(crate) fn changes_at(&self, limits: SilenceLimits) -> Option<Timestamp> {
        let sign = self.unlocked?;
        Some(sign.at + self.credit(limits))
    }

    fn hands_or_sign(
        &self,
        limits: SilenceLimits,
        now: Timestamp,
    ) -> Option<(Presence, PresenceSource)> {
        let hands = self.hands();
        if let Some((by, hands)) = hands
            && !hands.idle
        {
            return Some((Presence::Here, by));
        }
        let credit = self.credit(limits);
        let sign = self.unlocked.filter(|sign| now < sign.at + credit);
        match (hands, sign) {
            (Some((_, hands)), Some(sign)) if sign.at > hands.last_input => {
                Some((Presence::Here, sign.by))
            }
            (Some((by, _)), _) => Some((Presence::Idle, by)),
            (None, sign) => sign.map(|sign| (Presence::Here, sign.by)),
        }
    }

    /// How long an unlocking proves somebody's presence. Where nothing sees the hands it is all
    /// there is, so it is good for as long as hands that rest are.
    fn credit(&self, limits: SilenceLimits) -> Span {
        if self.hands().is_some() { limits.idle_after } else { limits.away_after }
    }

    /// The best that is known of the hands.
    fn hands(&self) -> Option<(PresenceSource, InputState)> {
        self.backends.iter().find_map(|(by, facts)| facts.hands.map(|hands| (*by, hands)))
    }

    fn last_input(&self) -> Option<Timestamp> {
        let touched = self.hands().map(|(_, hands)| hands.last_input);
        touched.max(self.unlocked.map(|sign| sign.at))
    }

    /// A request that nobody has confirmed holds until the next input: whoever types is there.
    fn is_locked(&self, facts: &BackendFacts) -> bool {
        let typed = |asked| self.last_input().is_some_and(|input| input > asked + SETTLING);
        facts.locked == Some(true) || facts.lock_asked.is_some_and(|asked| !typed(asked))
    }

    /// What counts from the last touch stands still in sleep: an input from before the machine woke
    /// is older than it looks by what the machine slept.
    fn wall(&self, input: LastInput, now: Timestamp) -> Timestamp {
        let ago = match input {
            // Noted, perhaps, before the clock was set back.
            LastInput::At(at) => return at.min(now),
            LastInput::Ago(ago) => ago,
        };
        let seems = Timestamp(now.0 - ago.0);
        let shifted = |at: Timestamp, (woke, span): &(Timestamp, Span)| {
            if at < *woke { Timestamp(at.0 - span.0) } else { at }
        };
        self.sleeps.iter().rev().fold(seems, shifted)
    }
}

impl BackendFacts {
    fn is_asleep(&self) -> bool {
        self.asleep == Some(true)
    }

    fn seems_locked(&self) -> bool {
        self.locked == Some(true) || self.lock_asked.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOON: Timestamp = Timestamp(1_800_000_000_000);
    const LIMITS: SilenceLimits =
        SilenceLimits { idle_after: Span::seconds(30), away_after: Span::minutes(3) };
    const TYPING: PresenceFact =
        PresenceFact::Hands { idle: false, last_input: LastInput::Ago(Span(0)) };
    const RESTING: PresenceFact =
        PresenceFact::Hands { idle: true, last_input: LastInput::Ago(Span::seconds(30)) };

    /// Facts and the seconds after noon at which they were told.
    fn known(told: &[(i64, PresenceSource, PresenceFact)]) -> PresenceEvidence {
        let mut known = PresenceEvidence::default();
        for (seconds, by, fact) in told {
            known.take(*by, *fact, after(*seconds));
        }
        known
    }

    fn after(seconds: i64) -> Timestamp {
        NOON + Span::seconds(seconds)
    }

    fn read(known: &PresenceEvidence, seconds: i64) -> (Presence, PresenceSource) {
        let reading = known.reading(LIMITS, after(seconds));
        (reading.presence, reading.evidence)
    }

    #[test]
    fn who_knows_nothing_says_so() {
        assert_eq!(PresenceEvidence::default().reading(LIMITS, NOON), PresenceReading::default());
        let unlocked = known(&[(0, PresenceSource::Logind, PresenceFact::Locked(false))]);
        assert_eq!(read(&unlocked, 1), (Presence::Unknown, PresenceSource::None));
    }

    #[test]
    fn asleep_beats_locked_beats_idle_beats_here() {
        let mut known = known(&[(0, PresenceSource::X11, TYPING)]);
        assert_eq!(read(&known, 1), (Presence::Here, PresenceSource::X11));
        let more = [
            (PresenceSource::X11, RESTING, Presence::Idle),
            (PresenceSource::ScreenSaver, PresenceFact::Locked(true), Presence::Locked),
            (PresenceSource::Logind, PresenceFact::Asleep(true), Presence::Asleep),
        ];
        for (by, fact, presence) in more {
            known.take(by, fact, after(2));
            assert_eq!(read(&known, 2), (presence, by));
        }
    }

    #[test]
    fn the_last_input_of_an_idle_human_is_when_the_hands_came_to_rest() {
        let known = known(&[(40, PresenceSource::Wayland, RESTING)]);
        assert_eq!(known.reading(LIMITS, after(90)).last_input, Some(after(10)));
    }

    #[test]
    fn loginds_hint_counts_only_where_nothing_sees_the_hands() {
        let at = LastInput::At(NOON);
        let hint = (1, PresenceSource::Logind, PresenceFact::Hands { idle: true, last_input: at });
        let mut known = known(&[hint, (1, PresenceSource::X11, TYPING)]);
        assert_eq!(read(&known, 2), (Presence::Here, PresenceSource::X11));
        known.take(PresenceSource::X11, PresenceFact::Gone, after(2));
        assert_eq!(read(&known, 3), (Presence::Idle, PresenceSource::Logind));
        assert_eq!(known.reading(LIMITS, after(3)).last_input, Some(NOON));
    }

    #[test]
    fn unlocking_means_here_for_as_long_as_it_proves_anything() {
        let locked = (0, PresenceSource::Logind, PresenceFact::Locked(true));
        let mut known = known(&[(0, PresenceSource::X11, RESTING), locked]);
        known.take(PresenceSource::Logind, PresenceFact::Locked(false), after(600));
        assert_eq!(read(&known, 601), (Presence::Here, PresenceSource::Logind));
        assert_eq!(known.changes_at(LIMITS), Some(after(630)));
        assert_eq!(read(&known, 630), (Presence::Idle, PresenceSource::X11));
        assert_eq!(known.reading(LIMITS, after(630)).last_input, Some(after(600)));
    }

    #[test]
    fn without_an_idle_source_an_unlocking_ages_into_not_knowing() {
        let locked = (0, PresenceSource::ScreenSaver, PresenceFact::Locked(true));
        let mut known = known(&[locked]);
        known.take(PresenceSource::ScreenSaver, PresenceFact::Locked(false), after(10));
        assert_eq!(read(&known, 11), (Presence::Here, PresenceSource::ScreenSaver));
        assert_eq!(known.changes_at(LIMITS), Some(after(190)));
        assert_eq!(read(&known, 190), (Presence::Unknown, PresenceSource::None));
    }

    #[test]
    fn a_lock_holds_until_everybody_who_told_of_it_says_otherwise() {
        let logind = (0, PresenceSource::Logind, PresenceFact::Locked(true));
        let mut known =
            known(&[logind, (0, PresenceSource::ScreenSaver, PresenceFact::Locked(true))]);
        known.take(PresenceSource::Logind, PresenceFact::Locked(false), after(1));
        assert_eq!(read(&known, 1), (Presence::Locked, PresenceSource::ScreenSaver));
        known.take(PresenceSource::ScreenSaver, PresenceFact::Gone, after(2));
        assert_eq!(read(&known, 2), (Presence::Here, PresenceSource::Logind));
    }

    #[test]
    fn a_locker_that_ends_has_unlocked_nothing() {
        let saver = |fact| (0, PresenceSource::ScreenSaver, fact);
        let told = [
            PresenceFact::Locked(true),
            PresenceFact::Locked(false),
            PresenceFact::Locked(true),
            PresenceFact::Gone,
        ];
        let known = known(&told.map(saver));
        assert_eq!(read(&known, 1), (Presence::Unknown, PresenceSource::None));
    }

    #[test]
    fn a_request_to_lock_that_nobody_confirms_ends_with_the_next_input() {
        let asked = (0, PresenceSource::Logind, PresenceFact::LockAsked);
        let mut known = known(&[(0, PresenceSource::X11, TYPING), asked]);
        assert_eq!(read(&known, 1), (Presence::Locked, PresenceSource::Logind));
        known.take(PresenceSource::X11, TYPING, after(3));
        assert_eq!(read(&known, 3).0, Presence::Locked, "the key is only let go");
        known.take(PresenceSource::X11, TYPING, after(60));
        assert_eq!(read(&known, 60), (Presence::Here, PresenceSource::X11));
    }

    #[test]
    fn a_confirmed_lock_holds_also_while_somebody_types() {
        let asked = (0, PresenceSource::Logind, PresenceFact::LockAsked);
        let confirmed = (1, PresenceSource::Logind, PresenceFact::Locked(true));
        let known = known(&[asked, confirmed, (60, PresenceSource::X11, TYPING)]);
        assert_eq!(read(&known, 61).0, Presence::Locked);
    }

    #[test]
    fn a_request_to_unlock_ends_a_request_to_lock_and_no_more() {
        let asked = (0, PresenceSource::Logind, PresenceFact::LockAsked);
        let mut known = known(&[asked, (5, PresenceSource::Logind, PresenceFact::UnlockAsked)]);
        assert_eq!(read(&known, 6).0, Presence::Here);
        known.take(PresenceSource::Logind, PresenceFact::Locked(true), after(7));
        known.take(PresenceSource::Logind, PresenceFact::UnlockAsked, after(8));
        assert_eq!(read(&known, 8).0, Presence::Locked);
    }

    #[test]
    fn an_input_from_before_a_sleep_is_as_old_as_it_is() {
        let mut known = PresenceEvidence::default();
        // Typed at 0 s, slept from 10 s to 8 h, told at 8 h 20 s by a clock that stood still.
        let hours = 8 * 3_600;
        known.slept(Span::seconds(hours - 10), after(hours));
        known.take(PresenceSource::X11, RESTING, after(hours + 20));
        assert_eq!(known.reading(LIMITS, after(hours + 20)).last_input, Some(NOON));
        known.take(PresenceSource::X11, TYPING, after(hours + 25));
        assert_eq!(known.reading(LIMITS, after(hours + 25)).last_input, Some(after(hours + 25)));
    }

    #[test]
    fn an_untouched_machine_that_slept_twice_was_left_before_the_first_sleep() {
        let mut known = PresenceEvidence::default();
        let ago = |seconds| PresenceFact::Hands {
            idle: true,
            last_input: LastInput::Ago(Span::seconds(seconds)),
        };
        // Left at 0 s; slept 100..200 s and 300..400 s.
        known.slept(Span::seconds(100), after(200));
        known.slept(Span::seconds(100), after(400));
        known.take(PresenceSource::Mutter, ago(250), after(450));
        assert_eq!(known.reading(LIMITS, after(450)).last_input, Some(NOON));
    }

    /// What it tells of, by whom, and whether that holds; nothing where nobody tells.
    fn legs(known: &PresenceEvidence) -> Vec<(LegKind, PresenceSource, Option<bool>)> {
        let legs = known.legs(|_| PresenceSource::None).into_iter();
        legs.map(|leg| (leg.what, leg.source, leg.works.then_some(leg.holds))).collect()
    }

    #[test]
    fn where_nobody_tells_every_leg_is_missing() {
        let missing = [LegKind::Idle, LegKind::Lock, LegKind::Sleep];
        assert_eq!(
            legs(&PresenceEvidence::default()),
            missing.map(|what| (what, PresenceSource::None, None))
        );
    }

    #[test]
    fn everybody_who_tells_is_a_leg_and_of_the_hands_only_who_counts() {
        let hint = PresenceFact::Hands { idle: true, last_input: LastInput::At(NOON) };
        let known = known(&[
            (0, PresenceSource::Logind, PresenceFact::Asleep(false)),
            (0, PresenceSource::Logind, PresenceFact::Locked(false)),
            (0, PresenceSource::Logind, hint),
            (0, PresenceSource::ScreenSaver, PresenceFact::Locked(true)),
            (7, PresenceSource::X11, TYPING),
        ]);
        let told = [
            (LegKind::Idle, PresenceSource::X11, Some(false)),
            (LegKind::Lock, PresenceSource::Logind, Some(false)),
            (LegKind::Lock, PresenceSource::ScreenSaver, Some(true)),
            (LegKind::Sleep, PresenceSource::Logind, Some(false)),
        ];
        assert_eq!(legs(&known), told);
        assert_eq!(known.legs(|_| PresenceSource::None)[0].last_input, Some(after(7)));
    }

    #[test]
    fn who_has_ended_is_no_leg_any_more() {
        let asleep = (0, PresenceSource::Logind, PresenceFact::Asleep(true));
        let mut known = known(&[(0, PresenceSource::X11, RESTING), asleep]);
        assert_eq!(legs(&known)[2], (LegKind::Sleep, PresenceSource::Logind, Some(true)));
        known.take(PresenceSource::Logind, PresenceFact::Gone, after(1));
        assert_eq!(legs(&known)[0], (LegKind::Idle, PresenceSource::X11, Some(true)));
        assert_eq!(legs(&known)[2], (LegKind::Sleep, PresenceSource::None, None));
    }
}
