//! Tests of which asks have a notification of their own.

use super::*;
use alloc::format;
use alloc::vec::Vec;

fn ask(serial: u64) -> AskId {
    AskId::new("local", format!("que_{serial}"))
}

fn admit(places: &mut NotificationPlaces, serial: u64) -> Placement {
    places.admit(serial, &ask(serial), false)
}

fn full(count: u64) -> NotificationPlaces {
    let mut places = NotificationPlaces::default();
    (1..=count).for_each(|serial| drop(admit(&mut places, serial)));
    places
}

#[test]
fn of_twenty_seven_the_first_five_stand_and_twenty_two_are_told_of_together() {
    let mut places = NotificationPlaces::default();
    let own: Vec<u64> = (1..=27)
        .filter(|serial| admit(&mut places, *serial) == Placement::Own)
        .collect();
    assert_eq!(own, [1, 2, 3, 4, 5]);
    assert_eq!(places.together().len(), 22);
    assert!(places.is_together(&ask(6)) && !places.is_together(&ask(5)));
}

#[test]
fn a_place_that_is_free_is_taken_by_who_has_waited_the_longest() {
    let mut places = full(8);
    assert_eq!(places.promote(), None, "no place yet");
    places.remove(&ask(3));
    places.remove(&ask(6));
    assert_eq!(places.promote(), Some(ask(7)), "what is over gets none");
    assert_eq!(places.promote(), None);
    places.remove(&ask(1));
    assert_eq!(
        admit(&mut places, 9),
        Placement::Together,
        "nobody jumps the queue"
    );
    assert_eq!(places.promote(), Some(ask(8)));
}

#[test]
fn what_stands_from_before_a_restart_keeps_its_place_in_whatever_order_it_is_told() {
    let mut places = NotificationPlaces::default();
    // Of twenty-seven the first five stood, and the others are told first.
    (6..=27).for_each(|serial| drop(admit(&mut places, serial)));
    let placed: Vec<Placement> = (1..=5)
        .map(|serial| places.admit(serial, &ask(serial), true))
        .collect();
    let in_place_of = |serial| Placement::InPlaceOf(ask(serial));
    let expected = [10, 9, 8, 7, 6].map(in_place_of);
    assert_eq!(placed, expected);
    assert_eq!(places.together().next(), Some(&ask(6)));
    assert_eq!(
        places.admit(40, &ask(40), true),
        Placement::Together,
        "the newest of six goes"
    );
}

#[test]
fn while_somebody_looks_at_the_window_nothing_new_comes_up() {
    let mut places = full(1);
    places.hold(true);
    assert_eq!(admit(&mut places, 2), Placement::Together);
    assert_eq!(admit(&mut places, 1), Placement::Own, "what stands stays");
    assert_eq!(places.promote(), None);
    places.hold(false);
    assert_eq!(places.promote(), Some(ask(2)));
}

#[test]
fn what_its_human_has_closed_makes_room_for_what_is_asked_next_and_for_nothing_else() {
    let mut places = full(5);
    (1..=5).for_each(|serial| places.close(&ask(serial)));
    assert_eq!(admit(&mut places, 6), Placement::Own);
    let mut places = full(8);
    (1..=5).for_each(|serial| places.close(&ask(serial)));
    assert_eq!(places.promote(), None);
    assert_eq!(admit(&mut places, 9), Placement::Together);
    places.remove(&ask(2));
    assert_eq!(places.promote(), Some(ask(6)), "one for one");
    assert_eq!(places.promote(), None);
    assert_eq!(admit(&mut places, 1), Placement::Own, "it rings once more");
}

#[test]
fn a_name_that_is_given_to_another_request_holds_one_place() {
    let mut places = full(5);
    assert_eq!(places.admit(6, &ask(2), false), Placement::Own);
    assert_eq!(places.together().len(), 0);
    places.remove(&ask(2));
    assert_eq!(admit(&mut places, 7), Placement::Own);
}
