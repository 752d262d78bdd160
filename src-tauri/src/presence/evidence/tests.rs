//! Tests of what the facts of all backends say together, in tables.

use super::*;

const NOON: Timestamp = Timestamp(1_800_000_000_000);
const LIMITS: SilenceLimits = SilenceLimits {
    idle_after: Span::seconds(30),
    away_after: Span::minutes(3),
};
const TYPING: PresenceFact = PresenceFact::Hands {
    idle: false,
    last_input: LastInput::Ago(Span(0)),
};
const RESTING: PresenceFact = PresenceFact::Hands {
    idle: true,
    last_input: LastInput::Ago(Span::seconds(30)),
};

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
    assert_eq!(
        PresenceEvidence::default().reading(LIMITS, NOON),
        PresenceReading::default()
    );
    let unlocked = known(&[(0, PresenceSource::Logind, PresenceFact::Locked(false))]);
    assert_eq!(
        read(&unlocked, 1),
        (Presence::Unknown, PresenceSource::None)
    );
}

#[test]
fn asleep_beats_locked_beats_idle_beats_here() {
    let mut known = known(&[(0, PresenceSource::X11, TYPING)]);
    assert_eq!(read(&known, 1), (Presence::Here, PresenceSource::X11));
    let more = [
        (PresenceSource::X11, RESTING, Presence::Idle),
        (
            PresenceSource::ScreenSaver,
            PresenceFact::Locked(true),
            Presence::Locked,
        ),
        (
            PresenceSource::Logind,
            PresenceFact::Asleep(true),
            Presence::Asleep,
        ),
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
    let hint = (
        1,
        PresenceSource::Logind,
        PresenceFact::Hands {
            idle: true,
            last_input: at,
        },
    );
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
    known.take(
        PresenceSource::Logind,
        PresenceFact::Locked(false),
        after(600),
    );
    assert_eq!(read(&known, 601), (Presence::Here, PresenceSource::Logind));
    assert_eq!(known.changes_at(LIMITS), Some(after(630)));
    assert_eq!(read(&known, 630), (Presence::Idle, PresenceSource::X11));
    assert_eq!(
        known.reading(LIMITS, after(630)).last_input,
        Some(after(600))
    );
}

#[test]
fn without_an_idle_source_an_unlocking_ages_into_not_knowing() {
    let locked = (0, PresenceSource::ScreenSaver, PresenceFact::Locked(true));
    let mut known = known(&[locked]);
    known.take(
        PresenceSource::ScreenSaver,
        PresenceFact::Locked(false),
        after(10),
    );
    assert_eq!(
        read(&known, 11),
        (Presence::Here, PresenceSource::ScreenSaver)
    );
    assert_eq!(known.changes_at(LIMITS), Some(after(190)));
    assert_eq!(read(&known, 190), (Presence::Unknown, PresenceSource::None));
}

#[test]
fn a_lock_holds_until_everybody_who_told_of_it_says_otherwise() {
    let logind = (0, PresenceSource::Logind, PresenceFact::Locked(true));
    let mut known = known(&[
        logind,
        (0, PresenceSource::ScreenSaver, PresenceFact::Locked(true)),
    ]);
    known.take(
        PresenceSource::Logind,
        PresenceFact::Locked(false),
        after(1),
    );
    assert_eq!(
        read(&known, 1),
        (Presence::Locked, PresenceSource::ScreenSaver)
    );
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
    assert_eq!(
        read(&known, 3).0,
        Presence::Locked,
        "the key is only let go"
    );
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
    let mut known = known(&[
        asked,
        (5, PresenceSource::Logind, PresenceFact::UnlockAsked),
    ]);
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
    assert_eq!(
        known.reading(LIMITS, after(hours + 20)).last_input,
        Some(NOON)
    );
    known.take(PresenceSource::X11, TYPING, after(hours + 25));
    assert_eq!(
        known.reading(LIMITS, after(hours + 25)).last_input,
        Some(after(hours + 25))
    );
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

/// Returns the legs: their kind, their backend, and whether they hold; `None` where no backend
/// tells.
fn legs(known: &PresenceEvidence) -> Vec<(LegKind, PresenceSource, Option<bool>)> {
    let legs = known.legs(|_| PresenceSource::None).into_iter();
    legs.map(|leg| (leg.what, leg.source, leg.works.then_some(leg.holds)))
        .collect()
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
    let hint = PresenceFact::Hands {
        idle: true,
        last_input: LastInput::At(NOON),
    };
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
    assert_eq!(
        known.legs(|_| PresenceSource::None)[0].last_input,
        Some(after(7))
    );
}

#[test]
fn who_has_ended_is_no_leg_any_more() {
    let asleep = (0, PresenceSource::Logind, PresenceFact::Asleep(true));
    let mut known = known(&[(0, PresenceSource::X11, RESTING), asleep]);
    assert_eq!(
        legs(&known)[2],
        (LegKind::Sleep, PresenceSource::Logind, Some(true))
    );
    known.take(PresenceSource::Logind, PresenceFact::Gone, after(1));
    assert_eq!(
        legs(&known)[0],
        (LegKind::Idle, PresenceSource::X11, Some(true))
    );
    assert_eq!(
        legs(&known)[2],
        (LegKind::Sleep, PresenceSource::None, None)
    );
}
