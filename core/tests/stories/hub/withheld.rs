//! Stories of a machine that does not tell the others whether its human is there: for the others
//! they are away from it, and it still hears where they sit instead.

use super::home::{Home, node};
use super::seats::{NOBODY, sits_at_the_third};
use crate::common::*;
use beckon_core::hub::{Hands, Seat};
use beckon_core::{Channel, Event, Presence, PresenceOverride, PresenceSource, Span};

/// Sets whether the machine tells the others about its human.
fn shares(home: &mut Home, machine: usize, shares_presence: bool) {
    home.desks[machine].policy.shares_presence = shares_presence;
    let policy = home.desks[machine].policy;
    home.happens(machine, Event::Policy(policy));
}

#[test]
fn nothing_is_told_but_what_the_machine_can_do_for_those_who_sit_elsewhere() {
    let mut home = sits_at_the_third();
    home.says(2, PresenceOverride::Here);
    let now = home.desks[2].now;
    home.happens(2, reading(Presence::Here, Some(now)));
    let before = home.record(2).seat;
    assert_eq!((before.hands, before.idle_ms), (Hands::Here, Some(0)));
    shares(&mut home, 2, false);
    home.happens(2, Event::Pause(Some(now + Span::minutes(5))));
    let told = home.record(2).seat;
    assert_eq!((told.hands, told.idle_ms), (Hands::Unknown, None));
    assert_eq!(
        (told.word, told.evidence),
        (PresenceOverride::Auto, PresenceSource::default())
    );
    assert_eq!((told.rings, told.paused, told.phone), (true, true, false));
    assert_eq!(told.hears, before.hears);
    assert_eq!(
        told,
        Seat {
            rings: true,
            paused: true,
            hears: before.hears,
            ..Seat::default()
        }
    );
    // The phone is served by the first machine, and its record must say so even now.
    shares(&mut home, 0, false);
    assert!(home.record(0).seat.phone);
    assert!(home.desks[2].desk.presence(now).withheld);
    assert!(!home.desks[1].desk.presence(now).withheld);
}

#[test]
fn once_it_is_withheld_the_phone_rings_and_so_does_the_machine_at_which_they_sit() {
    let mut home = sits_at_the_third();
    home.ask(1, "before");
    assert_eq!(home.rang(), ["2"]);
    shares(&mut home, 2, false);
    assert_eq!(
        home.rang(),
        ["phone"],
        "to the others they have left, with the next word"
    );
    for owner in 0..3 {
        home.ask(owner, &format!("q{owner}"));
        assert_eq!(home.rang(), ["2", "phone"], "asked at {owner}");
    }
    shares(&mut home, 2, true);
    home.ask(1, "after");
    assert_eq!(home.rang(), ["2"]);
}

#[test]
fn without_a_phone_the_others_ring_as_well() {
    let mut home = sits_at_the_third();
    home.happens(0, Event::ChannelDown(Channel::Telegram));
    shares(&mut home, 2, false);
    home.ask(1, "q1");
    assert_eq!(home.rang(), ["0", "1", "2"]);
}

#[test]
fn it_still_hears_that_they_sit_elsewhere_and_is_silent() {
    let mut home = sits_at_the_third();
    shares(&mut home, 2, false);
    home.reads(2, Presence::Locked);
    home.reads(1, Presence::Here);
    for owner in 0..3 {
        home.ask(owner, &format!("q{owner}"));
        assert_eq!(home.rang(), ["1"], "asked at {owner}");
    }
    // A human who is at two machines that do not know of each other is rung at both.
    home.reads(2, Presence::Here);
    home.rang();
    home.ask(0, "q3");
    assert_eq!(home.rang(), ["1", "2"]);
}

#[test]
fn who_is_at_none_is_reached_once_also_by_the_phone_of_one_that_tells_nothing() {
    let mut home = Home::of(3);
    shares(&mut home, 0, false);
    home.ask(1, "q1");
    assert_eq!(home.rang(), ["phone"]);
    home.reads(0, Presence::Here);
    assert_eq!(home.rang(), ["0"], "what waits is found where they come to");
    home.ask(1, "q2");
    assert_eq!(
        home.rang(),
        ["0"],
        "who has the phone knows that they are there"
    );
}

#[test]
fn what_they_say_of_themselves_there_holds_there_alone() {
    let mut home = sits_at_the_third();
    shares(&mut home, 1, false);
    home.says(1, PresenceOverride::Away);
    home.ask(0, "q1");
    assert_eq!(
        home.rang(),
        ["2"],
        "said where all are told, the phone would ring as well"
    );
    home.says(1, PresenceOverride::Here);
    home.reads(2, Presence::Locked);
    home.rang();
    home.ask(0, "q2");
    assert_eq!(home.rang(), ["1", "phone"]);
}

#[test]
fn a_machine_without_notifications_that_tells_nothing_is_nobodys_seat() {
    let mut home = sits_at_the_third();
    shares(&mut home, 2, false);
    home.happens(2, Event::ChannelDown(Channel::Desktop));
    home.rang();
    home.ask(0, "q1");
    assert_eq!(home.rang(), ["phone"]);
    let views = home.desks[1].desk.view(home.desks[1].now).seats;
    let there = views.iter().find(|view| view.node == node(2)).unwrap();
    assert_eq!(
        (there.seat.hands, there.last_input, there.seated),
        (Hands::Unknown, None, false)
    );
    home.wait(Span::seconds(30), true);
    assert_eq!(home.rang(), NOBODY);
}
