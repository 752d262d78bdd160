//! Stories from an accepted answer to the proof that it was taken.

use crate::common::*;
use beckon_core::{
    Answer, AnswerRefusal, AskContent, AskState, ButtonPress, ButtonTarget, Channel, DecisionKind,
    Effect, Event, Grant, News, Outcome, Reply, Responder, RowChange, SourceReport, Span, Step,
    Surface, ToldDecision, Voucher,
};

#[test]
fn the_first_answer_wins_and_the_second_is_told_where_it_was_given() {
    let mut story = Story::asked();
    assert_eq!(
        story.answer("q1", choose(0), Surface::Notification).verdict,
        Some(Ok(id("q1")))
    );
    let second = story.answer("q1", choose(1), Surface::Telegram);
    assert_eq!(
        second.verdict,
        Some(Err(AnswerRefusal::Answering {
            by: Surface::Notification
        }))
    );
    assert!(
        second.effects.is_empty()
            && second
                .save
                .iter()
                .all(|row| !matches!(row, RowChange::Ask(_)))
    );
    story.replied("q1", "Red");
    let third = story.answer("q1", choose(2), Surface::Cli).verdict;
    let outcome = Outcome::Answered {
        answer: choose(0),
        by: Surface::Notification,
    };
    assert_eq!(third, Some(Err(AnswerRefusal::Settled { outcome })));
}

#[test]
fn a_late_press_on_any_button_is_told_that_it_was_answered() {
    let mut story = Story::new();
    story.ask(ask(
        "q1",
        AskContent::Questions(vec![question(&["Red"]), question(&["Round"])]),
    ));
    story.answer("q1", Answer::Dismiss, Surface::Window);
    let press = ButtonPress::Choose {
        question: 1,
        choice: 0,
    };
    let target = story.entry("q1").target();
    let late = Event::Pressed {
        target,
        press,
        by: Surface::Telegram,
    };
    let refused = AnswerRefusal::Answering {
        by: Surface::Window,
    };
    assert_eq!(story.feed(late.clone()).verdict, Some(Err(refused)));
    story.report(SourceReport::Rejected { own: "q1".into() });
    let outcome = Outcome::Answered {
        answer: Answer::Dismiss,
        by: Surface::Window,
    };
    assert_eq!(
        story.feed(late).verdict,
        Some(Err(AnswerRefusal::Settled { outcome }))
    );
}

#[test]
fn an_answer_to_something_never_asked_is_unknown() {
    let mut story = Story::asked();
    let step = story.answer("q9", choose(0), Surface::Cli);
    assert_eq!(step.verdict, Some(Err(AnswerRefusal::Unknown)));
    let target = ButtonTarget {
        serial: 99,
        ..story.entry("q1").target()
    };
    let press = Event::Pressed {
        target,
        press: ButtonPress::Once,
        by: Surface::Notification,
    };
    assert_eq!(story.feed(press).verdict, Some(Err(AnswerRefusal::Unknown)));
}

#[test]
fn an_answer_is_saved_in_the_step_that_delivers_it_with_its_try_counted() {
    let mut story = Story::asked();
    let step = story.answer("q1", choose(0), Surface::Window);
    assert_eq!(deliveries(&step), [("q1", &choose(0))]);
    let saved = AskState::Answering {
        answer: choose(0),
        by: Surface::Window,
        at: story.now,
        attempts: 1,
        tried_at: Some(story.now),
        sent_at: None,
        unanswered: false,
    };
    assert_eq!(saved_state(&step, "q1"), Some(saved));
    assert!(
        step.news
            .contains(&News::Answered(id("q1"), Surface::Window))
    );
}

#[test]
fn an_ask_and_its_card_are_saved_in_the_step_that_shows_it() {
    let mut story = Story::new();
    let step = story.ask(single("q1"));
    assert_eq!(shows(&step), [(Channel::Desktop, "q1", None)]);
    assert_eq!(saved_state(&step, "q1"), Some(AskState::Open));
    let card = RowChange::Card {
        ask: id("q1"),
        serial: Some(1),
        channel: Channel::Desktop,
        handle: None,
        closed: false,
    };
    assert!(step.save.contains(&card));
}

#[test]
fn two_hundred_is_a_receipt_for_sent_and_not_for_taken() {
    let mut story = answered();
    let step = story.sent("q1");
    assert_eq!(step.news, [News::Sent(id("q1"))]);
    assert!(matches!(
        story.entry("q1").state,
        AskState::Answering {
            sent_at: Some(_),
            ..
        }
    ));
    assert_eq!(settled(&story.replied("q1", "Red")), [&ours()]);
}

#[test]
fn another_answer_on_the_stream_means_that_somebody_else_was_first() {
    let mut story = answered();
    story.sent("q1");
    let step = story.replied("q1", "Green");
    let answers = Some(vec![vec!["Green".into()]]);
    assert_eq!(settled(&step), [&Outcome::Elsewhere { answers }]);
}

#[test]
fn a_reply_without_a_word_about_the_answer_proves_the_one_on_its_way() {
    let mut story = answered();
    story.report(SourceReport::Replied {
        own: "q1".into(),
        answers: None,
    });
    assert_eq!(story.outcome("q1"), ours());
}

#[test]
fn a_rejection_at_the_source_is_ours_only_if_we_dismissed() {
    let rejected = || SourceReport::Rejected { own: "q1".into() };
    let mut story = answered();
    story.report(rejected());
    assert_eq!(story.outcome("q1"), Outcome::DismissedElsewhere);
    let mut story = Story::asked();
    story.answer("q1", Answer::Dismiss, Surface::Tray);
    story.report(rejected());
    let outcome = Outcome::Answered {
        answer: Answer::Dismiss,
        by: Surface::Tray,
    };
    assert_eq!(story.outcome("q1"), outcome);
}

#[test]
fn a_rejected_permission_with_a_reason_is_proven_by_the_word_reject() {
    let mut story = Story::new();
    story.ask(permission("p1"));
    let answer = Answer::Grant(Grant::Reject {
        reason: Some("no".into()),
    });
    let step = story.answer("p1", answer.clone(), Surface::Telegram);
    assert_eq!(deliveries(&step), [("p1", &answer)]);
    story.replied("p1", "reject");
    assert_eq!(
        story.outcome("p1"),
        Outcome::Answered {
            answer,
            by: Surface::Telegram
        }
    );
}

#[test]
fn not_found_after_two_hundred_proves_that_it_was_taken() {
    let mut story = answered();
    story.sent("q1");
    let step = story.not_found("q1");
    assert_eq!(settled(&step), [&ours()]);
    assert!(!inquires(&step));
}

#[test]
fn not_found_at_once_means_gone_and_the_source_is_asked_what_happened() {
    let mut story = answered();
    let step = story.not_found("q1");
    assert_eq!(settled(&step), [&Outcome::Gone]);
    assert!(inquires(&step));
}

#[test]
fn what_the_source_explains_corrects_what_is_remembered() {
    let told = |text: &str| Some(vec![vec![text.to_owned()]]);
    let cases = [
        (told("Red"), ours()),
        (
            told("Blue"),
            Outcome::Elsewhere {
                answers: told("Blue"),
            },
        ),
        (None, Outcome::DismissedElsewhere),
    ];
    for (answers, outcome) in cases {
        let mut story = answered();
        story.not_found("q1");
        let step = story.report(SourceReport::Explained {
            own: "q1".into(),
            answers,
        });
        assert_eq!(settled(&step), [&outcome]);
        assert_eq!(story.outcome("q1"), outcome);
        assert!(matches!(
            saved_state(&step, "q1"),
            Some(AskState::Settled { .. })
        ));
    }
}

#[test]
fn a_reply_that_comes_after_the_list_still_tells_who_answered() {
    let mut story = answered();
    story.fails("q1");
    story.list(&[]);
    assert_eq!(story.outcome("q1"), Outcome::Gone);
    story.replied("q1", "Red");
    assert_eq!(story.outcome("q1"), ours());
    let mut story = Story::asked();
    story.list(&[]);
    story.report(SourceReport::Rejected { own: "q1".into() });
    assert_eq!(story.outcome("q1"), Outcome::DismissedElsewhere);
}

#[test]
fn an_explanation_is_taken_once_and_only_for_what_vanished() {
    let mut story = answered();
    story.replied("q1", "Red");
    story.report(SourceReport::Explained {
        own: "q1".into(),
        answers: None,
    });
    assert_eq!(story.outcome("q1"), ours());
    let mut story = answered();
    story.not_found("q1");
    story.replied("q1", "Blue");
    let step = story.replied("q1", "Red");
    assert!(step.news.is_empty() && step.save.is_empty());
}

#[test]
fn a_failed_delivery_is_tried_twenty_times_within_six_seconds() {
    let mut story = answered();
    for try_ in 1..20 {
        story.fails("q1");
        let (after, step) = story.next_try();
        let expected = [50, 100, 200].get(try_ - 1).copied().unwrap_or(300);
        assert_eq!(after, Span::millis(expected));
        assert_eq!(deliveries(&step), [("q1", &choose(0))]);
    }
    assert!(matches!(
        story.entry("q1").state,
        AskState::Answering { attempts: 20, .. }
    ));
}

#[test]
fn then_it_is_tried_ever_more_slowly_but_each_minute_and_for_ever() {
    let mut story = answered();
    for _ in 1..20 {
        story.fails("q1");
        story.next_try();
    }
    for seconds in [1, 2, 4, 8, 16, 32, 60, 60, 60] {
        story.fails("q1");
        assert_eq!(story.next_try().0, Span::seconds(seconds));
    }
    for _ in 0..1_000 {
        story.fails("q1");
        let (after, step) = story.next_try();
        assert_eq!((after, deliveries(&step).len()), (Span::seconds(60), 1));
    }
}

#[test]
fn a_delivery_under_way_is_not_sent_a_second_time() {
    let mut story = answered();
    assert!(deliveries(&story.wait(Span::seconds(5))).is_empty());
    assert!(deliveries(&story.list(&[("q1", true)])).is_empty());
}

#[test]
fn a_delivery_of_which_nothing_is_heard_counts_as_lost_after_30_s() {
    let mut story = answered();
    assert!(deliveries(&story.wait(Span::millis(29_999))).is_empty());
    assert_eq!(
        deliveries(&story.wait(Span::millis(1))),
        [("q1", &choose(0))]
    );
}

#[test]
fn two_hundred_without_proof_is_looked_into_and_sent_again_if_it_is_still_open() {
    let mut story = answered();
    story.sent("q1");
    let (after, step) = story.next();
    assert_eq!(after, Span::millis(1_500));
    assert!(refreshes(&step) && deliveries(&step).is_empty());
    let step = story.list(&[("q1", true)]);
    assert_eq!(deliveries(&step), [("q1", &choose(0))]);
}

#[test]
fn two_hundred_and_gone_from_a_fresh_list_means_taken() {
    let mut story = answered();
    story.sent("q1");
    story.next();
    assert_eq!(settled(&story.list(&[])), [&ours()]);
}

#[test]
fn a_list_read_right_after_the_reply_proves_nothing() {
    let mut story = answered();
    story.sent("q1");
    story.now = story.now + Span::millis(200);
    assert!(deliveries(&story.list(&[("q1", true)])).is_empty());
    assert!(matches!(
        story.entry("q1").state,
        AskState::Answering { attempts: 1, .. }
    ));
}

#[test]
fn an_answer_waits_out_a_source_that_is_down_and_goes_with_its_first_list() {
    let mut story = answered();
    for _ in 0..25 {
        story.fails("q1");
        story.next();
    }
    story.fails("q1");
    assert_eq!(
        deliveries(&story.list(&[("q1", true)])),
        [("q1", &choose(0))]
    );
}

#[test]
fn a_restart_delivers_an_accepted_answer_when_the_list_confirms_its_ask() {
    let mut story = answered();
    story.restart(vec![stored(story.entry("q1"))]);
    let step = story.list(&[("q1", true)]);
    assert_eq!(deliveries(&step), [("q1", &choose(0))]);
    assert!(matches!(
        story.entry("q1").state,
        AskState::Answering { attempts: 2, .. }
    ));
}

#[test]
fn a_restart_delivers_an_accepted_answer_also_when_no_list_comes() {
    let mut story = answered();
    story.now = story.now + Span::minutes(60);
    story.restart(vec![stored(story.entry("q1"))]);
    let (after, step) = story.next();
    assert_eq!(after, Span::seconds(2));
    assert_eq!(deliveries(&step), [("q1", &choose(0))]);
}

#[test]
fn an_answer_taken_just_before_a_crash_is_found_out_after_it() {
    let mut story = answered();
    story.restart(vec![stored(story.entry("q1"))]);
    assert!(inquires(&story.list(&[])));
    let answers = Some(vec![vec!["Red".into()]]);
    story.report(SourceReport::Explained {
        own: "q1".into(),
        answers,
    });
    assert_eq!(story.outcome("q1"), ours());
}

fn answered() -> Story {
    let mut story = Story::asked();
    story.answer("q1", choose(0), Surface::Window);
    story
}

fn ours() -> Outcome {
    Outcome::Answered {
        answer: choose(0),
        by: Surface::Window,
    }
}

#[test]
fn a_list_of_a_second_after_an_answer_was_sent_counts_and_an_earlier_one_does_not() {
    for (late, again) in [(Span(999), 0), (Span(1_000), 1)] {
        let mut story = Story::asked();
        story.answer("q1", choose(0), Surface::Cli);
        story.sent("q1");
        story.now = story.now + late;
        let step = story.list(&[("q1", true)]);
        assert_eq!(deliveries(&step).len(), again, "{late:?}");
    }
}

/// The source knows that another answer was taken, but not which.
#[test]
fn an_ask_that_was_overtaken_was_answered_elsewhere() {
    let mut story = Story::asked();
    story.answer("q1", choose(0), Surface::Cli);
    let step = story.report(SourceReport::Overtaken { own: "q1".into() });
    assert_eq!(settled(&step), [&Outcome::Elsewhere { answers: None }]);
    assert_eq!(story.outcome("q1"), Outcome::Elsewhere { answers: None });
}

/// Returns the answers that come back, each with the surface on which it was given.
fn given_back(step: &Step) -> Vec<(Answer, Surface)> {
    let back = |effect: &Effect| match effect {
        Effect::GiveBack { entry, late } => {
            assert!(entry.state.is_settled());
            assert_eq!(entry.late.as_ref(), Some(late));
            Some((late.answer.clone(), late.by))
        }
        _ => None,
    };
    step.effects.iter().filter_map(back).collect()
}

/// Returns the answers that the history notes as too late.
fn kept(step: &Step) -> Vec<Answer> {
    let late = |row: &RowChange| match row {
        RowChange::Ask(entry) => entry.late.clone().map(|late| late.answer),
        _ => None,
    };
    step.save.iter().filter_map(late).collect()
}

#[test]
fn an_answer_that_came_too_late_comes_back_to_whoever_gave_it() {
    for surface in [Surface::Notification, Surface::Tray, Surface::Telegram] {
        let given = Answer::Replies(vec![Reply::text("neither of them")]);
        let mut story = Story::asked();
        story.answer("q1", given.clone(), surface);
        story.sent("q1");
        let step = story.replied("q1", "Green");
        assert_eq!(given_back(&step), [(given, surface)]);
    }
    for report in [
        SourceReport::Rejected { own: "q1".into() },
        SourceReport::Overtaken { own: "q1".into() },
    ] {
        let mut story = pressed();
        assert_eq!(
            given_back(&story.report(report)),
            [(choose(0), Surface::Notification)]
        );
    }
}

#[test]
fn a_command_or_a_window_that_waits_for_the_verdict_hears_it_by_that() {
    for surface in [Surface::Window, Surface::Cli] {
        let mut story = Story::asked();
        story.answer("q1", choose(0), surface);
        let step = story.replied("q1", "Green");
        assert_eq!(given_back(&step), []);
        assert_eq!(kept(&step), [choose(0)], "the history has it all the same");
        let mut story = Story::asked();
        story.answer("q1", choose(0), surface);
        for _ in 0..10 {
            story.fails("q1");
            story.wait(Span::seconds(1));
        }
        // The command has already been told that nobody has taken the answer.
        assert_eq!(
            given_back(&story.replied("q1", "Green")),
            [(choose(0), surface)]
        );
    }
}

fn pressed() -> Story {
    let mut story = Story::asked();
    story.answer("q1", choose(0), Surface::Notification);
    story
}

#[test]
fn an_answer_that_turns_out_to_have_been_too_late_comes_back_then() {
    for (answers, back) in [
        (Some(vec![vec!["Blue".into()]]), 1),
        (None, 1),
        (Some(red()), 0),
    ] {
        let mut story = pressed();
        assert_eq!(given_back(&story.not_found("q1")), [], "nobody knows yet");
        let step = story.report(SourceReport::Explained {
            own: "q1".into(),
            answers,
        });
        assert_eq!(given_back(&step).len(), back);
    }
}

#[test]
fn who_was_first_or_said_the_same_gets_nothing_back() {
    let mut story = pressed();
    assert_eq!(given_back(&story.replied("q1", "Red")), []);
    // Another Beckon reports that somebody else answered first, with the same answer.
    let mut story = pressed();
    let how = DecisionKind::Answered(Some(red()));
    let told = ToldDecision {
        own: "q1".into(),
        how,
        by: None,
        is_anothers: true,
    };
    let step = story.report(SourceReport::Decided(told));
    assert_eq!(
        settled(&step),
        [&Outcome::Elsewhere {
            answers: Some(red())
        }]
    );
    assert_eq!(given_back(&step), []);
    let mut story = Story::asked();
    assert_eq!(
        given_back(&story.replied("q1", "Green")),
        [],
        "nothing was given here"
    );
}

#[test]
fn what_was_given_on_another_machine_comes_back_there() {
    let mut story = Story::asked();
    let vouched = Voucher::Device {
        name: Some("laptop".into()),
    };
    let responder = Some(Responder::new(Some("Ada"), Some("laptop"), vouched));
    let (ask, answer, by) = (id("q1"), choose(0), Surface::Notification);
    story.feed(Event::Answered {
        ask,
        answer,
        seen: None,
        by,
        responder,
    });
    assert_eq!(given_back(&story.replied("q1", "Green")), []);
}

/// Undelivered means that an answer is still on its way, which is not the case any more.
#[test]
fn what_was_decided_elsewhere_is_no_longer_called_undelivered() {
    let mut story = answered();
    for _ in 0..10 {
        story.fails("q1");
        story.wait(Span::seconds(1));
    }
    assert!(story.entry("q1").undelivered.is_some());
    let step = story.replied("q1", "Green");
    let RowChange::Ask(ended) = &step.save[0] else {
        panic!("{step:?}")
    };
    assert_eq!(ended.undelivered, None);
}

fn red() -> Vec<Vec<String>> {
    vec![vec!["Red".into()]]
}
