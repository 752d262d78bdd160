//! Tests of the readings that are posted, by three clocks: sleeps, clocks that are set, and a start
//! that is over.

use super::evidence::LastInput;
use super::*;

const TYPING: PresenceFact = PresenceFact::Hands {
    idle: false,
    last_input: LastInput::Ago(Span(0)),
};

fn room() -> PresenceTracker {
    PresenceTracker::new(SilenceLimits::until_away(Span::minutes(3)), at(0, 0))
}

/// Seconds of the wall clock, and of the one that stands still in sleep.
fn at(wall: i64, awake: i64) -> ClockPair {
    ClockPair {
        awake: Span::seconds(awake),
        ..set_to(wall, wall)
    }
}

/// Seconds of a wall clock that may have been set, and of those that never are.
fn set_to(wall: i64, steady: i64) -> ClockPair {
    let wall = Timestamp(1_800_000_000_000) + Span::seconds(wall);
    ClockPair {
        wall,
        steady: Span::seconds(steady),
        awake: Span::seconds(steady),
    }
}

fn posted(readings: &[PresenceReading]) -> Vec<(Presence, PresenceSource)> {
    readings
        .iter()
        .map(|reading| (reading.presence, reading.evidence))
        .collect()
}

#[test]
fn a_sleep_that_nobody_announced_is_told_and_then_the_truth() {
    let mut room = room();
    room.on_fact(Some((PresenceSource::X11, TYPING)), at(1, 1));
    let readings = room.on_fact(None, at(3_600, 10));
    let truth = (Presence::Here, PresenceSource::X11);
    assert_eq!(
        posted(&readings),
        [(Presence::Asleep, PresenceSource::ClockJump), truth]
    );
    assert!(room.on_fact(None, at(3_610, 20)).is_empty());
}

#[test]
fn a_clock_that_is_set_forth_is_no_sleep() {
    let mut room = room();
    room.on_fact(Some((PresenceSource::X11, TYPING)), set_to(1, 1));
    assert!(room.on_fact(None, set_to(86_400, 10)).is_empty());
}

#[test]
fn a_clock_that_is_set_makes_no_hands_rest_longer_or_less() {
    let resting = PresenceFact::Hands {
        idle: true,
        last_input: LastInput::Ago(Span::seconds(30)),
    };
    for wall in [-86_400, 86_400] {
        let mut room = room();
        room.on_fact(Some((PresenceSource::X11, resting)), set_to(100, 100));
        assert!(room.on_fact(None, set_to(wall + 110, 110)).is_empty());
        let last_input = room.reading(set_to(wall + 110, 110).wall).last_input;
        assert_eq!(last_input, Some(set_to(wall + 70, 70).wall));
    }
}

#[test]
fn an_unlocking_proves_nothing_for_longer_because_the_clock_was_set_back() {
    let mut room = room();
    let locked = |locked| Some((PresenceSource::Logind, PresenceFact::Locked(locked)));
    room.on_fact(locked(true), set_to(0, 0));
    let here = room.on_fact(locked(false), set_to(1, 1));
    assert_eq!(posted(&here), [(Presence::Here, PresenceSource::Logind)]);
    let later = room.on_fact(None, set_to(-86_000, 400));
    assert_eq!(posted(&later), [(Presence::Unknown, PresenceSource::None)]);
}

#[test]
fn a_sleep_that_was_announced_is_not_told_twice() {
    let mut room = room();
    let asleep = |asleep| Some((PresenceSource::Logind, PresenceFact::Asleep(asleep)));
    let told = room.on_fact(asleep(true), at(5, 5));
    assert_eq!(posted(&told), [(Presence::Asleep, PresenceSource::Logind)]);
    let woken = room.on_fact(asleep(false), at(3_600, 6));
    assert_eq!(posted(&woken), [(Presence::Unknown, PresenceSource::None)]);
}

#[test]
fn the_same_reading_is_posted_once() {
    let mut room = room();
    assert_eq!(
        room.on_fact(Some((PresenceSource::X11, TYPING)), at(1, 1))
            .len(),
        1
    );
    assert!(
        room.on_fact(Some((PresenceSource::X11, TYPING)), at(9, 9))
            .is_empty()
    );
    assert_eq!(room.reading(at(9, 9).wall).last_input, Some(at(9, 9).wall));
}

#[test]
fn a_locked_screen_has_the_time_of_the_last_input() {
    let mut room = room();
    room.on_fact(Some((PresenceSource::X11, TYPING)), at(1, 1));
    let locked = room.on_fact(
        Some((PresenceSource::Logind, PresenceFact::Locked(true))),
        at(2, 2),
    );
    let since =
        |readings: &[PresenceReading]| readings.iter().map(|r| r.last_input).collect::<Vec<_>>();
    assert_eq!(since(&locked), [None], "somebody still types");
    let last_input = LastInput::Ago(Span::seconds(87));
    let resting = PresenceFact::Hands {
        idle: true,
        last_input,
    };
    let left = room.on_fact(Some((PresenceSource::X11, resting)), at(90, 90));
    assert_eq!(since(&left), [Some(at(3, 3).wall)]);
    assert_eq!(posted(&left), [(Presence::Locked, PresenceSource::Logind)]);
}

#[test]
fn nothing_is_posted_where_nothing_is_known() {
    assert!(room().on_fact(None, at(10, 10)).is_empty());
}

#[test]
fn a_start_is_over_as_soon_as_one_knows_where_the_human_is() {
    let mut room = room();
    room.on_fact(
        Some((PresenceSource::Logind, PresenceFact::Locked(false))),
        at(0, 0),
    );
    assert!(!room.is_settled());
    room.on_fact(Some((PresenceSource::X11, TYPING)), at(0, 0));
    assert!(room.is_settled());
}

#[test]
fn a_start_is_not_over_with_a_machine_that_is_only_awake() {
    let mut room = room();
    room.on_fact(
        Some((PresenceSource::System, PresenceFact::Asleep(false))),
        at(0, 0),
    );
    assert!(room.heard.is_empty());
}

#[test]
fn a_shorter_patience_makes_idle_sooner_but_never_later_than_half_a_minute() {
    let idle_after = |away| SilenceLimits::until_away(Span::seconds(away)).idle_after;
    assert_eq!(
        [idle_after(1), idle_after(600)],
        [Span::seconds(1), Span::seconds(30)]
    );
}
