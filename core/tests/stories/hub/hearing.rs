//! Stories of which records about the human's place a machine believes: new ones, signed for the
//! present, and heard of lately.

use super::home::{Home, node};
use super::seats::{NOBODY, sits_at_the_third};
use crate::common::*;
use beckon_core::hub::{Hands, HeardWhen, HereRecord, SeatNews};
use beckon_core::{Channel, Event, Presence, Span};

#[test]
fn a_machine_that_is_not_heard_of_for_45_seconds_is_not_known_and_the_others_ring() {
    let mut home = sits_at_the_third();
    home.ask(1, "q1");
    home.rang();
    for machine in [0, 1] {
        let step = home.desks[machine].wait(Span(44_999));
        assert!(shows(&step).is_empty());
    }
    home.tell_of(0);
    home.tell_of(1);
    let due: Vec<_> = [0, 1].map(|it| home.desks[it].next()).into();
    assert_eq!(
        due.iter().map(|(span, _)| *span).collect::<Vec<_>>(),
        [Span(1), Span(1)]
    );
    let shown: Vec<_> = due.iter().flat_map(|(_, step)| shows(step)).collect();
    assert_eq!(
        shown,
        [(Channel::Telegram, "q1", None)],
        "the phone is there: no empty desk rings"
    );
}

#[test]
fn clocks_an_hour_apart_change_nothing() {
    let mut home = Home::of(3);
    home.desks[1].now = home.desks[1].now + Span::minutes(60);
    home.desks[2].now = home.desks[2].now + Span::minutes(-60);
    let touched = home.desks[2].now;
    home.happens(2, reading(Presence::Here, Some(touched)));
    home.rang();
    home.ask(0, "q1");
    assert_eq!(home.rang(), ["2"]);
    let views = home.desks[1].desk.view(home.desks[1].now).seats;
    let there = views
        .iter()
        .find(|view| view.machine == "machine 2")
        .unwrap();
    assert_eq!(there.last_input, Some(home.desks[1].now));
}

#[test]
fn a_clock_that_is_set_makes_nobody_forgotten_and_keeps_nobody_known() {
    let mut home = sits_at_the_third();
    home.ask(0, "q1");
    home.rang();
    for by in [Span::minutes(60), Span::minutes(-60)] {
        home.desks[1].now = home.desks[1].now + by;
        home.feed(1, Event::ClockSet(by));
        assert_eq!(home.rang(), NOBODY);
    }
    home.desks[1].wait(Span::seconds(45));
    assert_eq!(home.desks[1].desk.view(home.desks[1].now).seats, []);
}

#[test]
fn an_old_word_that_comes_once_more_counts_for_nothing() {
    let mut home = sits_at_the_third();
    let here = home.record(2);
    for machine in [0, 1] {
        home.hear(machine, 2, here.clone());
    }
    home.reads(2, Presence::Locked);
    for machine in [0, 1] {
        home.hear(machine, 2, here.clone());
    }
    home.ask(1, "q1");
    assert_eq!(home.rang(), ["phone"]);
}

#[test]
fn a_word_that_is_repeated_keeps_nobody_alive() {
    let mut home = sits_at_the_third();
    let here = home.record(2);
    home.hear(1, 2, here.clone());
    for _ in 0..3 {
        home.desks[1].wait(Span::seconds(15));
        home.hear(1, 2, here.clone());
    }
    assert_eq!(home.desks[1].desk.view(home.desks[1].now).seats, []);
}

#[test]
fn what_an_earlier_run_of_a_machine_said_counts_for_nothing() {
    let mut home = sits_at_the_third();
    let former = home.record(2);
    home.hear(1, 2, former.clone());
    let seat = home.desks[0].desk.seat(START);
    home.hear(1, 2, HereRecord::new("machine 2", "another run", 1, seat));
    let later = HereRecord {
        count: former.count + 100,
        ..former
    };
    home.hear(1, 2, later);
    let views = home.desks[1].desk.view(START).seats;
    let there = views
        .iter()
        .find(|view| view.machine == "machine 2")
        .unwrap();
    assert_eq!(there.seat.hands, Hands::Away);
}

#[test]
fn what_the_hub_has_from_before_is_believed_until_the_next_word_is_overdue() {
    let mut home = Home::of(2);
    home.feed(1, Event::Seats(SeatNews::Left));
    home.feed(1, Event::Seats(SeatNews::Joined(node(1))));
    let record = home.record(0);
    let earlier = SeatNews::Heard(node(0), record, HeardWhen::Earlier);
    home.feed(1, Event::Seats(earlier));
    assert_eq!(home.desks[1].desk.view(START).seats.len(), 1);
    assert_eq!(
        home.desks[1].desk.next_deadline(),
        Some(START + Span::seconds(20))
    );
}

#[test]
fn a_record_of_another_version_says_nothing_and_unknown_words_in_one_silence_nobody() {
    let mut home = sits_at_the_third();
    let record = home.record(2);
    let mut later = serde_json::to_value(&record).unwrap();
    later["state"] = serde_json::json!("levitating");
    later["evidence"] = serde_json::json!({ "by": "camera" });
    later["mood"] = serde_json::json!("good");
    let read: HereRecord = serde_json::from_value(later).unwrap();
    assert_eq!(read.seat.hands, Hands::Unknown);
    home.hear(0, 2, read);
    home.hear(
        0,
        2,
        HereRecord {
            v: 2,
            count: 99,
            ..record
        },
    );
    home.ask(0, "q1");
    assert!(home.rang().contains(&"phone".to_owned()));
}

#[test]
fn a_machine_that_does_not_hear_another_spares_it_nothing() {
    let mut home = sits_at_the_third();
    let mut record = home.record(2);
    record.seat.hears.remove(&node(1));
    for machine in [0, 1] {
        home.hear(machine, 2, record.clone());
    }
    home.ask(1, "q1");
    assert!(
        home.rang().contains(&"phone".to_owned()),
        "nobody sees it where they sit"
    );
    home.ask(0, "q2");
    assert_eq!(home.rang(), ["2"]);
}
