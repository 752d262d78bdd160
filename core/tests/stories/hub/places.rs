//! Stories of the machines at which the human is said to sit: those that decide what is done here.

use super::home::Home;
use super::seats::sits_at_the_third;
use beckon_core::hub::Elsewhere;
use beckon_core::{Channel, Event, Presence, PresenceOverride};

/// Returns what the machine concludes from the others, and the machines at which the human is said
/// to sit.
fn seated(home: &Home, at: usize) -> (Elsewhere, Vec<String>) {
    let desk = &home.desks[at];
    let view = desk.desk.view(desk.now);
    let seated = view.seats.into_iter().filter(|view| view.seated);
    (
        view.presence.elsewhere,
        seated.map(|view| view.machine).collect(),
    )
}

fn deafen(home: &mut Home, machine: usize) {
    home.happens(machine, Event::ChannelDown(Channel::Desktop));
}

#[test]
fn the_machine_is_named_at_which_they_sit_and_at_that_one_no_other() {
    let mut home = sits_at_the_third();
    assert_eq!(
        seated(&home, 0),
        (Elsewhere::Seated, vec!["machine 2".into()])
    );
    assert_eq!(seated(&home, 2), (Elsewhere::Unheard, vec![]));
    home.reads(1, Presence::Here);
    let both = vec!["machine 1".into(), "machine 2".into()];
    assert_eq!(seated(&home, 0), (Elsewhere::Seated, both));
    home.reads(2, Presence::Locked);
    home.reads(1, Presence::Locked);
    assert_eq!(seated(&home, 0), (Elsewhere::Gone, vec![]));
}

#[test]
fn where_notifications_dont_work_is_named_and_not_where_they_do() {
    let mut home = sits_at_the_third();
    home.reads(1, Presence::Here);
    deafen(&mut home, 2);
    assert_eq!(
        seated(&home, 0),
        (Elsewhere::Deaf, vec!["machine 2".into()])
    );
    assert_eq!(
        seated(&home, 1),
        (Elsewhere::Deaf, vec!["machine 2".into()])
    );
}

#[test]
fn who_sits_here_without_notifications_is_told_of_no_other_machine_that_has_none() {
    let mut home = sits_at_the_third();
    deafen(&mut home, 0);
    deafen(&mut home, 2);
    let now = home.desks[0].now;
    home.happens(0, crate::common::reading(Presence::Idle, Some(now)));
    assert_eq!(
        seated(&home, 2),
        (Elsewhere::Deaf, vec![]),
        "the other one's hands rest"
    );
    assert_eq!(
        seated(&home, 0),
        (Elsewhere::Deaf, vec!["machine 2".into()])
    );
    home.reads(0, Presence::Here);
    assert_eq!(
        seated(&home, 0),
        (Elsewhere::Deaf, vec![]),
        "as surely here as there"
    );
}

#[test]
fn nobody_sits_where_they_said_that_they_are_away() {
    let mut home = sits_at_the_third();
    deafen(&mut home, 2);
    home.says(2, PresenceOverride::Away);
    assert_eq!(seated(&home, 0).1, Vec::<String>::new());
}

#[test]
fn a_machine_that_does_not_hear_this_one_is_not_where_its_asks_ring() {
    let mut home = sits_at_the_third();
    let mut strange = home.record(2);
    strange.seat.hears.clear();
    home.hear(0, 2, strange);
    assert_eq!(seated(&home, 0).1, Vec::<String>::new());
    assert_eq!(
        seated(&home, 1),
        (Elsewhere::Seated, vec!["machine 2".into()])
    );
}
