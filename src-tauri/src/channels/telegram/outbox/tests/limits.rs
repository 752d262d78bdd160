//! Tests of the pace and the order of calls, and of what gives way.

use super::*;

#[test]
fn only_the_newest_of_many_looks_is_sent() {
    let mut desk = Desk::new();
    for look in ["a", "b", "c"] {
        desk.want(&wanted(1, look));
    }
    desk.all();
    assert!(matches!(desk.calls()[..], [OutboxCall::Send { card, .. }] if card.html == "c"));
}

#[test]
fn a_call_without_an_answer_is_found_again_later_and_later() {
    let mut desk = Desk::new();
    desk.want(&wanted(1, "a"));
    let mut waits = Vec::new();
    for _ in 0..8 {
        desk.one(Err(CallError::Network("refused".into())));
        assert_eq!(
            desk.outbox.next(desk.now),
            None,
            "it does not knock again at once"
        );
        let due = desk.outbox.due(desk.now).unwrap();
        waits.push(due - desk.now);
        desk.now = due;
    }
    let millis = waits.iter().map(Duration::as_millis).collect::<Vec<_>>();
    assert_eq!(millis[..3], [50, 100, 200]);
    assert!((500..=1_000).contains(&millis[3]), "{millis:?}");
    assert_eq!(millis[4..], [500, 1_000, 2_000, 4_000]);
    assert!(matches!(desk.one(Ok(())).0, OutboxCall::Send { .. }));
    desk.want(&wanted(1, "b"));
    let asked = desk.now;
    assert!(matches!(desk.one(Ok(())).0, OutboxCall::Edit { .. }));
    assert_eq!(
        desk.now, asked,
        "it got through, and nothing is held against it"
    );
}

#[test]
fn a_chat_that_is_told_to_wait_waits_and_the_others_do_not() {
    let mut desk = Desk::new();
    desk.outbox
        .want(&wanted(1, "a"), &[ME, GROUP], &[], desk.now);
    let (_, first) = (
        desk.one(Err(CallError::TooFast(Duration::from_secs(7)))),
        desk.sent[0].1,
    );
    let (_, second) = (desk.one(Ok(())), desk.sent[1].1);
    assert_ne!(first, second);
    assert_eq!(desk.outbox.next(desk.now), None);
    assert!(desk.outbox.due(desk.now).unwrap() >= desk.now + Duration::from_secs(7));
}

#[test]
fn a_hundred_cards_in_a_second_arrive_in_order_and_within_the_limits() {
    for (chat, limits) in [(ME, &[(8, 1), (68, 60)][..]), (GROUP, &[(8, 1), (20, 60)])] {
        let mut desk = Desk::new();
        for n in (0..100).rev() {
            desk.outbox
                .want(&wanted(n, &format!("{n}")), &[chat], &[], desk.now);
        }
        desk.all();
        let order: Vec<String> = desk.calls().iter().map(|call| html(call)).collect();
        assert_eq!(order, (0..100).map(|n| n.to_string()).collect::<Vec<_>>());
        for (most, seconds) in limits {
            assert!(
                desk.most_within(Duration::from_secs(*seconds)) <= *most,
                "{chat:?}"
            );
        }
    }
}

#[test]
fn a_hundred_cards_take_a_minute_and_a_half() {
    let mut desk = Desk::new();
    let asked = desk.now;
    (0..100).for_each(|n| _ = desk.want(&wanted(n, "new")));
    desk.all();
    assert!(
        desk.now - asked < Duration::from_secs(100),
        "{:?}",
        desk.now - asked
    );
}

#[test]
fn after_a_burst_that_was_too_long_there_is_a_shorter_one_for_a_while() {
    let mut desk = Desk::new();
    let rests = |desk: &mut Desk| {
        desk.now += Duration::from_secs(60);
        let before = desk.sent.len();
        (0..20).for_each(|_| _ = desk.one(Ok(())));
        let first = desk.sent[before].0;
        desk.sent[before..]
            .iter()
            .filter(|(at, ..)| *at == first)
            .count()
    };
    (0..200).for_each(|n| _ = desk.want(&wanted(n, "new")));
    assert_eq!(rests(&mut desk), 6);
    desk.one(Err(CallError::TooFast(Duration::from_secs(2))));
    assert_eq!(rests(&mut desk), 1);
    desk.now += Duration::from_secs(600);
    assert_eq!(rests(&mut desk), 6);
}

#[test]
fn what_waits_behind_new_cards_goes_out_between_them() {
    for (chat, patience) in [(ME, 50), (GROUP, 3_200)] {
        let mut desk = Desk::new();
        desk.outbox
            .want(&wanted(0, "first"), &[chat], &[], desk.now);
        desk.one(Ok(()));
        (1..60).for_each(|n| _ = desk.outbox.want(&wanted(n, "new"), &[chat], &[], desk.now));
        for n in 0..5 {
            (0..6).for_each(|_| _ = desk.one(Ok(())));
            let asked = desk.now;
            desk.outbox
                .want(&wanted(0, &format!("page {n}")), &[chat], &[], desk.now);
            assert!(
                matches!(desk.one(Ok(())).0, OutboxCall::Edit { .. }),
                "before any new one"
            );
            let waited = desk.now - asked;
            assert!(
                waited <= Duration::from_millis(patience),
                "{waited:?} in {chat:?}"
            );
        }
    }
}

#[test]
fn the_card_that_somebody_answers_goes_before_new_ones() {
    let mut desk = Desk::new();
    desk.want(&wanted(1, "a"));
    desk.all();
    (2..20).for_each(|n| _ = desk.want(&wanted(n, "new")));
    desk.want(&wanted(1, "answered"));
    assert!(matches!(desk.one(Ok(())).0, OutboxCall::Edit { card, .. } if card.html == "answered"));
}

#[test]
fn cards_that_come_and_go_while_nothing_can_be_sent_leave_nothing() {
    let mut desk = Desk::new();
    desk.want(&wanted(0, "a"));
    desk.one(Err(CallError::Network("refused".into())));
    for n in 0..1_000 {
        desk.want(&wanted(n, "a"));
        desk.outbox.say(
            ME,
            OutgoingNote {
                about: Some(n.into()),
                ..note("still open")
            },
        );
        desk.outbox.say(ME, note("a turn is over"));
        assert_eq!(desk.want(&last(n, "over")), [CallOutcome::Finished(ask(n))]);
    }
    desk.all();
    assert!(desk.calls().len() < 30, "{}", desk.calls().len());
    let said =
        |call: &&&OutboxCall| matches!(call, OutboxCall::Say { note, .. } if note.about.is_some());
    assert_eq!(
        desk.calls().iter().filter(said).count(),
        0,
        "nothing of what is over"
    );
}

#[test]
fn of_the_reminders_of_one_card_the_last_is_sent_and_beneath_it() {
    let mut desk = Desk::new();
    desk.want(&wanted(1, "a"));
    desk.all();
    for said in ["one", "two", "three"] {
        desk.outbox.say(
            ME,
            OutgoingNote {
                about: Some(1),
                ..note(said)
            },
        );
    }
    desk.all();
    assert!(
        matches!(desk.calls()[1..], [OutboxCall::Say { under: Some(1), note, .. }] if note.html == "three")
    );
}

#[test]
fn a_note_goes_to_the_main_chat_when_its_topic_was_deleted() {
    let mut desk = Desk::new();
    desk.outbox.topics(Some(GROUP), [("shop".into(), 44)]);
    desk.outbox.say(
        GROUP,
        OutgoingNote {
            project: Some("shop".into()),
            ..note("over")
        },
    );
    let (_, outcomes) = desk.one(Err(CallError::TopicGone));
    assert_eq!(outcomes, [CallOutcome::Topic("shop".into(), None)]);
    assert!(matches!(
        desk.one(Ok(())).0,
        OutboxCall::Say { thread: None, .. }
    ));
}

#[test]
fn a_look_that_passes_is_shown_only_when_it_stays() {
    let mut desk = Desk::new();
    desk.want(&wanted(1, "a"));
    desk.all();
    let passing = WantedCard {
        priority: Priority::Passing,
        ..wanted(1, "sending")
    };
    desk.want(&passing);
    assert_eq!(desk.outbox.next(desk.now), None);
    desk.want(&wanted(1, "taken"));
    desk.all();
    assert_eq!(
        desk.calls()
            .iter()
            .map(|call| html(call))
            .collect::<Vec<_>>(),
        ["a", "taken"]
    );
    desk.want(&passing);
    let asked = desk.now;
    assert!(matches!(desk.one(Ok(())).0, OutboxCall::Edit { card, .. } if card.html == "sending"));
    assert!(desk.now - asked <= Duration::from_secs(1));
}

#[test]
fn what_only_dresses_a_card_up_waits_for_new_cards_and_joins_what_matters() {
    let mut desk = Desk::new();
    desk.want(&wanted(1, "a"));
    desk.all();
    desk.want(&WantedCard {
        priority: Priority::Whenever,
        ..wanted(1, "dressed")
    });
    desk.want(&wanted(2, "new"));
    assert_eq!(html(&desk.one(Ok(())).0), "new");
    assert_eq!(html(&desk.one(Ok(())).0), "dressed");
    desk.want(&WantedCard {
        priority: Priority::Whenever,
        ..wanted(1, "once more")
    });
    desk.want(&wanted(1, "page 2"));
    desk.want(&wanted(3, "newer"));
    assert_eq!(html(&desk.one(Ok(())).0), "page 2");
    desk.all();
    assert_eq!(desk.calls().len(), 5);
}

#[test]
fn what_was_said_about_nothing_is_all_said_but_no_more_than_twenty() {
    let mut desk = Desk::new();
    (0..25).for_each(|n| desk.outbox.say(ME, note(&n.to_string())));
    desk.all();
    let said = |call: &&OutboxCall| match call {
        OutboxCall::Say { note, .. } => note.html.parse().ok(),
        _ => None,
    };
    let said: Vec<u32> = desk.calls().iter().filter_map(said).collect();
    assert_eq!(said, (5..25).collect::<Vec<_>>());
}

#[test]
fn words_about_a_card_that_has_not_been_sent_are_not_said() {
    let mut desk = Desk::new();
    desk.want(&wanted(1, "a"));
    desk.outbox.say(
        ME,
        OutgoingNote {
            about: Some(1),
            ..note("still open")
        },
    );
    desk.all();
    assert!(
        matches!(desk.calls()[..], [OutboxCall::Send { .. }]),
        "{:?}",
        desk.calls()
    );
}

#[test]
fn edits_keep_within_the_limits_too() {
    for (chat, limits) in [(ME, &[(8, 1)][..]), (GROUP, &[(8, 1), (20, 60)])] {
        let mut desk = Desk::new();
        for n in 0..40 {
            desk.outbox
                .want(&wanted(1, &format!("{n}")), &[chat], &[], desk.now);
            desk.one(Ok(()));
        }
        for (most, seconds) in limits {
            let sent = desk.most_within(Duration::from_secs(*seconds));
            assert!(sent <= *most, "{sent} in {chat:?}");
        }
    }
}

#[test]
fn a_bot_with_many_chats_keeps_within_the_limit_for_all_of_them() {
    let mut desk = Desk::new();
    let chats: Vec<ChatId> = (1..60).map(ChatId).collect();
    desk.outbox.want(&wanted(1, "a"), &chats, &[], desk.now);
    desk.all();
    assert_eq!(
        (desk.calls().len(), desk.most_within(Duration::from_secs(1))),
        (59, 25)
    );
}

#[test]
fn after_a_wait_that_was_asked_for_one_call_goes_and_then_one_after_the_other() {
    let mut desk = Desk::new();
    desk.want(&wanted(1, "a"));
    desk.all();
    desk.now += Duration::from_secs(60);
    let told = desk.now;
    desk.want(&wanted(1, "b"));
    desk.one(Err(CallError::TooFast(Duration::from_secs(7))));
    let mut at = Vec::new();
    for look in ["c", "d", "e"] {
        desk.want(&wanted(1, look));
        desk.one(Ok(()));
        at.push((desk.now - told).as_millis());
    }
    assert_eq!(at, [7_000, 8_050, 9_100]);
}

#[test]
fn a_file_leaves_room_for_answers_as_new_cards_do() {
    let mut desk = Desk::new();
    let with_file = CardMessage {
        document: Some(document("a")),
        ..card("a")
    };
    desk.want(&WantedCard {
        card: with_file,
        ..wanted(1, "a")
    });
    (2..7).for_each(|n| _ = desk.want(&wanted(n, "new")));
    (1..7).for_each(|_| _ = desk.one(Ok(())));
    assert_eq!(desk.outbox.next(desk.now), None);
    assert_eq!(desk.begin().1.lane(), Lane::Files);
}

#[test]
fn a_new_card_that_will_soon_look_different_is_sent_at_once_and_in_its_order() {
    let mut desk = Desk::new();
    let asked = desk.now;
    desk.want(&WantedCard {
        priority: Priority::Whenever,
        ..wanted(1, "a")
    });
    desk.want(&WantedCard {
        priority: Priority::Passing,
        ..wanted(2, "b")
    });
    desk.want(&wanted(3, "c"));
    (0..3).for_each(|_| _ = desk.one(Ok(())));
    assert_eq!(
        desk.calls().into_iter().map(html).collect::<Vec<_>>(),
        ["a", "b", "c"]
    );
    assert_eq!(desk.now, asked);
}

#[test]
fn not_all_beckons_knock_in_step() {
    let mut desk = Desk::new();
    desk.outbox = Outbox::new().jittered(1.5);
    desk.want(&wanted(1, "a"));
    desk.one(Err(CallError::Server(502)));
    assert_eq!(
        desk.outbox.due(desk.now),
        Some(desk.now + Duration::from_millis(75))
    );
}
