//! Tests of calls that fail, and of what goes on beside them.

use super::*;

fn with_file(n: u32, html: &str) -> WantedCard {
    let card = CardMessage {
        document: Some(document(html)),
        ..card(html)
    };
    WantedCard {
        card,
        ..wanted(n, html)
    }
}

fn out_of_order() -> CallError {
    CallError::Server(500)
}

fn no_right() -> CallError {
    CallError::NoRight("Bad Request: not enough rights to send text messages to the chat".into())
}

fn nonsense() -> CallError {
    CallError::Other("Bad Request: BUTTON_DATA_INVALID".into())
}

fn refusals(count: usize, trouble: &CallError) -> Option<CallOutcome> {
    let refused = (count > 0).then(|| RefusedCards {
        count,
        reason: trouble.to_string(),
    });
    Some(CallOutcome::Refused(refused))
}

#[test]
fn a_file_that_takes_its_time_holds_up_no_card() {
    let mut desk = Desk::new();
    desk.want(&with_file(1, "a"));
    desk.one(Ok(()));
    let (call, upload) = desk.begin();
    assert!(matches!(upload, OutboxCall::Attach { under: 1, .. }));
    desk.want(&wanted(2, "new"));
    desk.want(&with_file(1, "page 2"));
    assert_eq!(html(&desk.one(Ok(())).0), "page 2");
    assert_eq!(html(&desk.one(Ok(())).0), "new");
    desk.want(&last(1, "over"));
    let (over, outcomes) = desk.one(Ok(()));
    assert_eq!(
        (html(&over).as_str(), outcomes),
        ("over", vec![CallOutcome::Finished(ask(1))])
    );
    assert_eq!(
        desk.outbox.done(call, Lane::Files, Ok(Some(9)), desk.now),
        []
    );
    desk.quiet();
}

#[test]
fn cards_go_before_files_and_one_file_at_a_time() {
    let mut desk = Desk::new();
    (1..5).for_each(|n| _ = desk.want(&with_file(n, "a")));
    for _ in 1..5 {
        assert!(matches!(desk.one(Ok(())).0, OutboxCall::Send { .. }));
    }
    let (chat, _) = desk.begin();
    assert_eq!(
        desk.outbox.due(desk.now),
        None,
        "one upload makes the other slower"
    );
    assert_eq!(desk.outbox.next(desk.now + Duration::from_secs(60)), None);
    desk.outbox.done(chat, Lane::Files, Ok(Some(9)), desk.now);
    desk.all();
    let files = desk
        .calls()
        .iter()
        .filter(|call| call.lane() == Lane::Files)
        .count();
    assert_eq!(files, 4);
}

#[test]
fn a_file_that_never_arrives_is_left_after_a_few_tries_and_the_card_says_so() {
    let mut desk = Desk::new();
    desk.want(&with_file(1, "a"));
    desk.one(Ok(()));
    let begun = desk.now;
    for _ in 0..3 {
        let (call, _) = desk.one(Err(CallError::Network("too late".into())));
        assert!(matches!(call, OutboxCall::Attach { .. }));
        desk.want(&wanted(desk.last_id.unsigned_abs() + 9, "new"));
        let waited = desk.now;
        desk.one(Ok(()));
        assert!(
            desk.now - waited < Duration::from_secs(4),
            "a file that fails is nobody's pause"
        );
    }
    desk.all();
    let edits: Vec<_> = desk
        .calls()
        .into_iter()
        .filter(|c| html(c) == "a, unsent")
        .collect();
    assert!(
        matches!(edits[..], [OutboxCall::Edit { message: 1, .. }]),
        "{edits:?}"
    );
    assert!(desk.now - begun < Duration::from_secs(60), "and that is it");
    desk.want(&with_file(1, "b"));
    assert_eq!(html(&desk.one(Ok(())).0), "b, unsent");
}

#[test]
fn a_file_that_is_too_large_is_not_tried_again() {
    let mut desk = Desk::new();
    desk.want(&with_file(1, "a"));
    desk.one(Ok(()));
    assert!(matches!(
        desk.one(Err(CallError::TooLarge)).0,
        OutboxCall::Attach { .. }
    ));
    assert_eq!(html(&desk.one(Ok(())).0), "a, unsent");
    desk.quiet();
}

#[test]
fn one_message_that_always_fails_holds_up_no_other() {
    let mut desk = Desk::new();
    (1..6).for_each(|n| _ = desk.want(&wanted(n, &n.to_string())));
    let poisoned = |call: &OutboxCall| html(call) == "1";
    let mut arrived = 0;
    let begun = desk.now;
    while arrived < 4 {
        let (chat, call) = desk.begin();
        let result = if poisoned(&call) {
            Err(out_of_order())
        } else {
            Ok(Some(desk.last_id))
        };
        arrived += usize::from(result.is_ok());
        desk.outbox.done(chat, Lane::Calls, result, desk.now);
    }
    let took = desk.now - begun;
    assert!(took < Duration::from_secs(20), "{took:?}");
    let tries = desk
        .calls()
        .into_iter()
        .filter(|call| poisoned(call))
        .count();
    assert!((2..9).contains(&tries), "{tries}");
    assert!(desk.outbox.due(desk.now).is_some(), "it is tried again");
}

#[test]
fn when_nothing_gets_through_everybody_waits_longer_and_longer() {
    let mut desk = Desk::new();
    (1..100).for_each(|n| _ = desk.want(&wanted(n, &n.to_string())));
    let begun = desk.now;
    while desk.now < begun + Duration::from_secs(600) {
        desk.one(Err(CallError::Network("refused".into())));
    }
    assert!(
        desk.calls().len() < 60,
        "{} knocks in ten minutes",
        desk.calls().len()
    );
    desk.outbox.resume();
    let before = desk.sent.len();
    desk.all();
    let order: Vec<u32> = desk.calls()[before..]
        .iter()
        .map(|c| html(c).parse().unwrap())
        .collect();
    assert_eq!(order, (1..100).collect::<Vec<_>>());
}

#[test]
fn a_moment_in_which_nothing_gets_through_costs_little_and_changes_no_order() {
    for failures in 1..4 {
        let mut desk = Desk::new();
        (1..4).for_each(|n| _ = desk.want(&wanted(n, &format!("{n}"))));
        let asked = desk.now;
        for _ in 0..failures {
            desk.one(Err(CallError::Server(502)));
        }
        desk.one(Ok(()));
        assert!(
            desk.now - asked <= Duration::from_millis(350),
            "{:?}",
            desk.now - asked
        );
        desk.all();
        let order: Vec<String> = desk.calls()[failures..]
            .iter()
            .map(|call| html(call))
            .collect();
        assert_eq!(order, ["1", "2", "3"], "after {failures} failures");
    }
}

#[test]
fn what_is_refused_for_its_content_goes_with_less_of_it() {
    let mut desk = Desk::new();
    desk.want(&wanted(1, "a"));
    let mut forms = Vec::new();
    for result in [Err(nonsense()), Err(nonsense()), Err(nonsense()), Ok(())] {
        if let (OutboxCall::Send { form, .. }, _) = desk.one(result) {
            forms.push(form);
        }
    }
    use CardForm::{Bare, Marked, Plain, Unstyled};
    assert_eq!(forms, [Marked, Unstyled, Plain, Bare]);
    desk.quiet();
    desk.want(&wanted(1, "b"));
    assert!(matches!(
        desk.one(Ok(())).0,
        OutboxCall::Edit {
            form: CardForm::Marked,
            ..
        }
    ));
}

#[test]
fn a_server_that_takes_no_colours_on_buttons_is_asked_once_until_another_answers() {
    let mut desk = Desk::new();
    let form = |desk: &mut Desk, result| match desk.one(result).0 {
        OutboxCall::Send { form, .. } | OutboxCall::Edit { form, .. } => form,
        other => panic!("{other:?}"),
    };
    desk.outbox.want(&wanted(1, "a"), &[ME], &[], desk.now);
    assert_eq!(form(&mut desk, Err(nonsense())), CardForm::Marked);
    assert_eq!(form(&mut desk, Ok(())), CardForm::Unstyled);
    desk.outbox
        .want(&wanted(2, "b"), &[ME, GROUP], &[], desk.now);
    assert_eq!(form(&mut desk, Ok(())), CardForm::Unstyled);
    assert_eq!(
        form(&mut desk, Ok(())),
        CardForm::Unstyled,
        "in another chat, too"
    );
    desk.want(&wanted(1, "page 2"));
    assert_eq!(form(&mut desk, Err(nonsense())), CardForm::Unstyled);
    assert_eq!(
        form(&mut desk, Ok(())),
        CardForm::Plain,
        "no form is tried twice"
    );
    desk.outbox.abandon();
    desk.want(&wanted(3, "c"));
    assert_eq!(form(&mut desk, Ok(())), CardForm::Marked);
}

#[test]
fn a_card_that_may_not_be_sent_is_tried_later_and_later_until_it_may() {
    let mut desk = Desk::new();
    desk.want(&wanted(1, "a"));
    let mut waits = Vec::new();
    for _ in 0..20 {
        let before = desk.now;
        let (call, _) = desk.one(Err(no_right()));
        assert!(
            matches!(
                call,
                OutboxCall::Send {
                    form: CardForm::Marked,
                    ..
                }
            ),
            "it is not its content"
        );
        waits.push(desk.now - before);
    }
    assert!(waits.is_sorted(), "{waits:?}");
    assert_eq!(waits[1..4], [5, 10, 20].map(Duration::from_secs));
    assert_eq!(waits[19], Duration::from_secs(600));
    let waited = desk.now;
    desk.want(&wanted(2, "b"));
    assert_eq!(html(&desk.one(Ok(())).0), "b");
    assert!(
        desk.now - waited < Duration::from_secs(4),
        "the others go on"
    );
    assert_eq!(html(&desk.one(Ok(())).0), "a");
}

#[test]
fn refused_cards_are_told_once_with_their_number_and_again_when_they_are_none() {
    let mut desk = Desk::new();
    assert_eq!(desk.outbox.refusals(), None);
    desk.outbox
        .want(&wanted(1, "a"), &[ME, GROUP], &[], desk.now);
    desk.one(Err(no_right()));
    assert_eq!(desk.outbox.refusals(), refusals(1, &no_right()));
    desk.one(Err(no_right()));
    assert_eq!(
        desk.outbox.refusals(),
        None,
        "the same card in another chat"
    );
    desk.want(&wanted(2, "b"));
    desk.one(Err(no_right()));
    assert_eq!(desk.outbox.refusals(), refusals(2, &no_right()));
    desk.all();
    assert_eq!(desk.outbox.refusals(), refusals(0, &no_right()));
}

#[test]
fn the_end_of_a_card_that_is_always_refused_is_left_in_the_end() {
    let mut desk = Desk::new();
    desk.want(&wanted(1, "a"));
    desk.all();
    desk.want(&last(1, "over"));
    let finished = (0..100).find(|_| !desk.one(Err(nonsense())).1.is_empty());
    assert_eq!(finished, Some(4 * 5 - 1), "five rounds of four forms");
    desk.quiet();
}

/// Carries out one call: an edit fails in that way, and any other call works.
fn edits_fail(desk: &mut Desk, trouble: &CallError, takes: Duration) {
    let (chat, call) = desk.begin();
    let fails = matches!(call, OutboxCall::Edit { .. } | OutboxCall::Strip { .. });
    desk.now += if fails { takes } else { Duration::ZERO };
    let made = desk.made(&call);
    let result = if fails {
        Err(trouble.clone())
    } else {
        Ok(made)
    };
    desk.outbox.done(chat, call.lane(), result, desk.now);
}

#[test]
fn several_messages_that_always_fail_hold_up_no_new_card() {
    let hangs = (
        CallError::Network("too late".into()),
        Duration::from_secs(15),
    );
    for (trouble, takes) in [(out_of_order(), Duration::ZERO), hangs] {
        let mut desk = Desk::new();
        (1..6).for_each(|n| _ = desk.want(&wanted(n, "asked")));
        desk.all();
        (1..6).for_each(|n| _ = desk.want(&wanted(n, "answered")));
        (50..55).for_each(|message| desk.outbox.strip(ME, message));
        let begun = desk.now;
        while desk.now < begun + Duration::from_secs(600) {
            edits_fail(&mut desk, &trouble, takes);
        }
        desk.want(&wanted(9, "new"));
        let asked = desk.now;
        while !desk
            .sent
            .iter()
            .any(|(at, _, call)| *at >= asked && html(call) == "new")
        {
            edits_fail(&mut desk, &trouble, takes);
            let waited = desk.now - asked;
            assert!(
                waited < Duration::from_secs(60),
                "{waited:?} with {trouble}"
            );
        }
    }
}

#[test]
fn a_chat_that_is_said_to_have_moved_to_itself_is_not_begun_anew() {
    let mut desk = Desk::new();
    desk.want(&wanted(1, "a"));
    let begun = desk.now;
    for _ in 0..30 {
        let (_, outcomes) = desk.one(Err(CallError::Moved(ME.0)));
        assert!(
            outcomes
                .iter()
                .all(|it| !matches!(it, CallOutcome::Moved(..))),
            "{outcomes:?}"
        );
    }
    assert!(
        desk.now - begun > Duration::from_secs(60),
        "{:?}",
        desk.now - begun
    );
}

#[test]
fn another_look_of_a_refused_card_is_tried_at_once() {
    let mut desk = Desk::new();
    desk.want(&wanted(1, "a"));
    desk.one(Err(no_right()));
    desk.now += Duration::from_secs(1);
    let asked = desk.now;
    desk.want(&wanted(1, "b"));
    assert_eq!(html(&desk.one(Ok(())).0), "b");
    assert_eq!(desk.now, asked);
}

#[test]
fn a_keyboard_that_cannot_be_taken_off_is_tried_later_and_later_until_it_can() {
    let mut desk = Desk::new();
    desk.outbox.strip(ME, 50);
    for _ in 0..8 {
        desk.one(Err(out_of_order()));
        assert_eq!(desk.outbox.next(desk.now), None);
    }
    desk.one(Ok(()));
    desk.quiet();
}

#[test]
fn the_quick_repeats_are_few_for_one_call_and_for_all_calls_in_a_row() {
    let pause = |desk: &mut Desk| desk.outbox.due(desk.now).unwrap() - desk.now;
    let slow = Duration::from_millis(500);
    let mut desk = Desk::new();
    desk.outbox
        .want(&wanted(1, "a"), &[ME, GROUP], &[], desk.now);
    let mut quick = 0;
    for _ in 0..12 {
        desk.one(Err(out_of_order()));
        let pause = pause(&mut desk);
        quick += usize::from(pause > Duration::ZERO && pause < slow);
    }
    assert_eq!(quick, 3, "of all calls in a row");

    let mut desk = Desk::new();
    desk.want(&wanted(1, "a"));
    for n in 2..6 {
        desk.one(Err(out_of_order()));
        if n < 5 {
            assert!(pause(&mut desk) < slow);
            desk.now += slow;
            desk.outbox.want(&wanted(n, "b"), &[GROUP], &[], desk.now);
            assert_eq!(html(&desk.one(Ok(())).0), "b");
        }
    }
    assert_eq!(pause(&mut desk), slow, "of one, though others get through");
}

#[test]
fn what_has_stepped_aside_leaves_room_for_answers_when_its_time_comes() {
    let mut desk = Desk::new();
    desk.want(&wanted(1, "poisoned"));
    (0..8).for_each(|_| _ = desk.one(Err(out_of_order())));
    let due = desk.outbox.due(desk.now).unwrap();
    desk.now = due - Duration::from_millis(1);
    (2..8).for_each(|n| _ = desk.want(&wanted(n, "new")));
    (2..8).for_each(|_| assert_eq!(html(&desk.one(Ok(())).0), "new"));
    assert!(desk.now < due, "one burst");
    desk.now = due;
    assert_eq!(desk.outbox.next(desk.now), None);
    assert_eq!(html(&desk.begin().1), "poisoned");
}
