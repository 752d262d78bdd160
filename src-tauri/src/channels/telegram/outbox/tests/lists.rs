//! The list of all that waits: behind everything else, seldom, and never two.

use super::*;

pub(super) fn list(html: &str) -> WantedList {
    WantedList {
        card: card(html),
        serials: [1, 2].into(),
        known: None,
    }
}

/// Tells of a change, and draws the list when it is asked for; what goes before it gets through.
pub(super) fn changes(desk: &mut Desk, urgency: ListUrgency, html: &str) {
    desk.outbox.list_changed(&[ME], urgency, desk.now);
    loop {
        let drawn = desk.outbox.lists_to_draw(desk.now);
        if !drawn.is_empty() {
            assert_eq!(drawn, [CallOutcome::DrawList(ME)]);
            return desk.outbox.want_list(ME, list(html));
        }
        match desk.outbox.next(desk.now) {
            Some((chat, call)) => {
                desk.sent.push((desk.now, chat, call.clone()));
                let made = desk.made(&call);
                desk.outbox.done(chat, call.lane(), Ok(made), desk.now);
            }
            None => desk.now = desk.outbox.due(desk.now).expect("it is to be drawn"),
        }
    }
}

fn told(desk: &Desk) -> Vec<String> {
    desk.calls().into_iter().map(html).collect()
}

#[test]
fn a_list_is_sent_once_pinned_once_and_then_edited() {
    let mut desk = Desk::new();
    changes(&mut desk, ListUrgency::Whenever, "2 waiting");
    assert_eq!(desk.all(), [CallOutcome::List(ME, Some(1))]);
    assert!(matches!(
        desk.calls()[..],
        [
            OutboxCall::Send { silent: true, .. },
            OutboxCall::Pin { message: 1 }
        ]
    ));
    changes(&mut desk, ListUrgency::Whenever, "3 waiting");
    desk.all();
    assert!(matches!(
        desk.calls()[2..],
        [OutboxCall::Edit { message: 1, .. }]
    ));
}

#[test]
fn it_is_edited_once_a_minute_sooner_when_it_alone_tells_and_at_once_when_nothing_waits() {
    for (urgency, least, most) in [
        (ListUrgency::Whenever, 59, 61),
        (ListUrgency::Soon, 9, 11),
        (ListUrgency::Now, 0, 1),
    ] {
        let mut desk = Desk::new();
        changes(&mut desk, ListUrgency::Whenever, "2 waiting");
        desk.all();
        let before = desk.now;
        (0..1_000).for_each(|_| desk.outbox.list_changed(&[ME], urgency, desk.now));
        changes(&mut desk, urgency, "other");
        let waited = (desk.now - before).as_secs();
        assert!((least..=most).contains(&waited), "{urgency:?}: {waited} s");
        assert_eq!(
            desk.outbox.lists_to_draw(desk.now),
            [],
            "once for a thousand"
        );
    }
}

#[test]
fn cards_answers_and_words_go_before_it() {
    let mut desk = Desk::new();
    desk.want(&wanted(1, "stands"));
    desk.all();
    changes(&mut desk, ListUrgency::Soon, "list");
    (2..12).for_each(|n| _ = desk.want(&wanted(n, "new")));
    desk.want(&wanted(1, "answered"));
    desk.outbox.say(ME, note("words"));
    desk.all();
    let told = told(&desk);
    let at = |what: &str| told.iter().rposition(|it| it == what).unwrap();
    assert!(
        at("answered") < at("new") && at("new") < at("list"),
        "{told:?}"
    );
}

#[test]
fn a_list_that_stood_before_a_restart_is_edited_and_is_not_pinned_again() {
    let mut desk = Desk::new();
    desk.outbox.want_list(
        ME,
        WantedList {
            known: Some(7),
            ..list("2 waiting")
        },
    );
    desk.all();
    assert!(matches!(
        desk.calls()[..],
        [OutboxCall::Edit { message: 7, .. }]
    ));
}

#[test]
fn a_deleted_one_is_forgotten_and_one_that_may_not_be_pinned_stands() {
    let mut desk = Desk::new();
    changes(&mut desk, ListUrgency::Soon, "2 waiting");
    desk.one(Ok(()));
    desk.one(Err(CallError::NoRight(
        "not enough rights to manage pinned messages".into(),
    )));
    desk.quiet();
    changes(&mut desk, ListUrgency::Soon, "3 waiting");
    assert_eq!(
        desk.one(Err(CallError::MessageGone)).1,
        [CallOutcome::List(ME, None)]
    );
    desk.quiet();
    changes(&mut desk, ListUrgency::Soon, "2 waiting again");
    desk.quiet();
    desk.outbox.want_list(
        ME,
        WantedList {
            serials: [1, 2, 3].into(),
            ..list("4 waiting")
        },
    );
    assert!(matches!(desk.one(Ok(())).0, OutboxCall::Send { .. }));
}

#[test]
fn a_deleted_one_comes_back_at_once_with_what_it_was_to_tell_first() {
    let mut desk = Desk::new();
    changes(&mut desk, ListUrgency::Soon, "1 and 2");
    desk.all();
    desk.outbox.want_list(
        ME,
        WantedList {
            serials: [1, 2, 3].into(),
            ..list("1, 2 and 3")
        },
    );
    assert!(matches!(
        desk.one(Err(CallError::MessageGone)).0,
        OutboxCall::Edit { .. }
    ));
    let again = desk.one(Ok(())).0;
    assert!(matches!(&again, OutboxCall::Send { card, .. } if card.html == "1, 2 and 3"));
    desk.all();
    desk.outbox.want_list(
        ME,
        WantedList {
            serials: [1, 2].into(),
            ..list("1 and 2")
        },
    );
    assert_eq!(
        desk.one(Err(CallError::MessageGone)).1,
        [CallOutcome::List(ME, None)]
    );
    desk.quiet();
}

#[test]
fn what_comes_while_the_deletion_turns_out_is_told_on_another() {
    let mut desk = Desk::new();
    changes(&mut desk, ListUrgency::Soon, "1 and 2");
    desk.all();
    desk.outbox.want_list(ME, list("2"));
    let (chat, edit) = desk.begin();
    desk.outbox.want_list(
        ME,
        WantedList {
            serials: [2, 3].into(),
            ..list("2 and 3")
        },
    );
    let outcomes = desk
        .outbox
        .done(chat, edit.lane(), Err(CallError::MessageGone), desk.now);
    assert_eq!(outcomes, [CallOutcome::List(ME, None)]);
    let again = desk.one(Ok(())).0;
    assert!(matches!(again, OutboxCall::Send { card, .. } if card.html == "2 and 3"));
}

#[test]
fn a_list_without_an_answer_is_tried_later_and_later_and_holds_up_no_card() {
    let mut desk = Desk::new();
    changes(&mut desk, ListUrgency::Soon, "list");
    for n in 1..6 {
        desk.one(Err(CallError::Server(502)));
        desk.want(&wanted(n, "new"));
        let asked = desk.now;
        while !matches!(desk.one(Ok(())).0, OutboxCall::Send { card, .. } if card.html == "new") {}
        assert!(desk.now - asked < Duration::from_secs(4));
        changes(&mut desk, ListUrgency::Now, &format!("list {n}"));
    }
}

#[test]
fn words_about_the_list_go_beneath_it_and_ring_alone_before_it_stands() {
    let mut desk = Desk::new();
    let about = OutgoingNote {
        about: Some(ABOUT_LIST),
        ..note("more")
    };
    desk.outbox.say(ME, about.clone());
    desk.all();
    assert!(matches!(
        desk.calls()[..],
        [OutboxCall::Say { under: None, .. }]
    ));
    changes(&mut desk, ListUrgency::Soon, "list");
    desk.all();
    desk.outbox.say(ME, about);
    desk.all();
    assert!(matches!(
        desk.calls().last(),
        Some(OutboxCall::Say { under: Some(2), .. })
    ));
}
