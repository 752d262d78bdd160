//! Stories of identity: an answer is for the ask that its human saw, and for no other, whatever
//! rows were lost, numbers were given twice, or old names were used again by a source.

use crate::common::*;
use beckon_core::{
    Answer, AnswerRefusal, Ask, AskContent, AskState, ButtonPress, ButtonTarget, CardSight,
    CardTap, Channel, Event, Grant, News, Outcome, Permission, PresenceOverride, ReturnReason,
    SeenStep, SourceListing, SourceReport, Step, Surface,
};

/// Returns an ask to run a shell command.
fn command(own: &str, command: &str) -> Ask {
    let permission = Permission {
        permission: "bash".into(),
        patterns: vec![command.into()],
        command: Some(command.into()),
        ..Permission::default()
    };
    ask(own, AskContent::Permission(permission))
}

/// Presses, taps and writes on the same old card.
fn on_an_old_card(story: &mut Story, target: ButtonTarget) -> Vec<Step> {
    let (press, by) = (ButtonPress::Once, Surface::Notification);
    let pressed = Event::Pressed { target, press, by };
    let tapped = Event::Tapped {
        target,
        tap: CardTap::Once,
        sight: CardSight::Clear,
        by: Surface::Telegram,
        responder: None,
    };
    let wrote = Event::Wrote {
        target,
        seen: SeenStep::Whole,
        text: "yes".into(),
        sight: CardSight::Clear,
        by: Surface::Telegram,
        responder: None,
    };
    [pressed, tapped, wrote]
        .map(|event| story.feed(event))
        .into()
}

#[test]
fn a_card_from_before_a_power_cut_allows_nothing_else() {
    let mut before = Story::new();
    before.ask(command("per_x", "ls build/"));
    let old = before.entry("per_x").target();
    // The row of the first ask never reached the disk, so its number is given again.
    let mut after = Story::new();
    after.ask(command("per_y", "rm -rf ~/work"));
    assert_eq!(after.entry("per_y").serial, old.serial);
    for step in on_an_old_card(&mut after, old) {
        assert_eq!(step.verdict, Some(Err(AnswerRefusal::Changed)));
        assert!(step.effects.is_empty() && step.save.is_empty(), "{step:?}");
    }
    assert!(after.is_open("per_y"));
}

/// The permission was decided once; the second ask of the same name and words is a new one.
#[test]
fn a_card_of_an_ask_that_ended_answers_no_later_one_of_the_same_name_and_words() {
    let mut story = Story::new();
    story.ask(command("per_1", "cargo publish"));
    let old = story.entry("per_1").target();
    story.report(SourceReport::Rejected {
        own: "per_1".into(),
    });
    story.ask(command("per_1", "cargo test"));
    story.report(SourceReport::Rejected {
        own: "per_1".into(),
    });
    story.ask(command("per_1", "cargo publish"));
    assert_eq!(story.entry("per_1").target().fingerprint, old.fingerprint);
    for step in on_an_old_card(&mut story, old) {
        assert_eq!(step.verdict, Some(Err(AnswerRefusal::Changed)));
    }
    assert!(story.is_open("per_1"));
}

#[test]
fn a_card_of_an_ask_that_ended_is_told_so_only_if_it_is_of_that_ask() {
    let mut story = Story::new();
    story.ask(command("per_y", "rm -rf ~/work"));
    let (own, other) = (
        story.entry("per_y").target(),
        command("per_x", "ls").fingerprint(),
    );
    story.report(SourceReport::Rejected {
        own: "per_y".into(),
    });
    for step in on_an_old_card(&mut story, own) {
        let outcome = Outcome::DismissedElsewhere;
        assert_eq!(step.verdict, Some(Err(AnswerRefusal::Settled { outcome })));
    }
    for step in on_an_old_card(
        &mut story,
        ButtonTarget {
            fingerprint: other,
            ..own
        },
    ) {
        assert_eq!(step.verdict, Some(Err(AnswerRefusal::Changed)));
    }
}

#[test]
fn a_request_that_changes_under_its_name_is_redrawn_and_the_old_card_is_refused() {
    let mut story = Story::new();
    story.feed(Event::Said {
        said: PresenceOverride::Away,
        until: None,
    });
    story.ask(command("per_1", "ls build/"));
    story.shown("per_1", "n1");
    story.sent_as("per_1", "m1");
    story.tap("per_1", CardTap::RejectWithReason);
    let old = story.entry("per_1").target();
    let step = story.report(SourceReport::Asked(command("per_1", "rm -rf ~/work")));
    assert!(
        step.news.contains(&News::Changed(id("per_1"))),
        "{:?}",
        step.news
    );
    assert_eq!(
        updates(&step),
        [(Channel::Desktop, "per_1"), (Channel::Telegram, "per_1")]
    );
    assert!(
        story.entry("per_1").draft.is_none(),
        "begun for something else"
    );
    for step in on_an_old_card(&mut story, old) {
        assert_eq!(step.verdict, Some(Err(AnswerRefusal::Changed)));
    }
    let step = story.tap("per_1", CardTap::Once);
    assert_eq!(deliveries(&step), [("per_1", &Answer::Grant(Grant::Once))]);
}

#[test]
fn a_list_that_says_the_same_changes_nothing() {
    let mut story = Story::new();
    story.ask(command("per_1", "ls build/"));
    let listing = SourceListing {
        asks: vec![(command("per_1", "ls build/"), true)],
        ..SourceListing::default()
    };
    let step = story.report(SourceReport::Listed(listing));
    assert_eq!((step.news, step.save), (vec![], vec![]));
}

#[test]
fn an_answer_whose_request_changed_on_the_way_comes_back() {
    let mut story = Story::new();
    story.ask(command("per_1", "ls build/"));
    story.answer("per_1", Answer::Grant(Grant::Once), Surface::Tray);
    story.fails("per_1");
    let listing = SourceListing {
        asks: vec![(command("per_1", "rm -rf ~/work"), true)],
        ..SourceListing::default()
    };
    let step = story.report(SourceReport::Listed(listing));
    assert_eq!(deliveries(&step), []);
    assert!(
        step.news.contains(&News::Returned(id("per_1"))),
        "{:?}",
        step.news
    );
    let entry = story.entry("per_1");
    assert_eq!(
        (&entry.state, &entry.returned),
        (&AskState::Open, &Some(ReturnReason::Changed))
    );
    assert_eq!(deliveries(&story.wait(beckon_core::Span::minutes(5))), []);
}

/// Returns an ask of another session under that name; Beckon missed the end of the first.
fn of_another_session(own: &str, words: &str) -> Ask {
    let mut ask = command(own, words);
    (ask.session.id, ask.session.directory) = ("ses_2".into(), "/home/me/blog".into());
    ask
}

#[test]
fn what_another_session_asks_under_a_name_is_shown_as_that_sessions() {
    for words in ["ls build/", "rm -rf ~/work"] {
        let mut story = Story::new();
        story.ask(command("per_1", "ls build/"));
        let old = story.entry("per_1").target();
        story.report(SourceReport::Asked(of_another_session("per_1", words)));
        let step = story.withdrawn(Channel::Desktop, "per_1");
        assert_eq!(story.entry("per_1").ask.session.directory, "/home/me/blog");
        assert_eq!(
            story.desk.of_session("ses_2").map(|e| &e.ask.id),
            Some(&id("per_1"))
        );
        assert!(story.desk.of_session("ses").is_none());
        assert_eq!(shows(&step), [(Channel::Desktop, "per_1", None)]);
        for step in on_an_old_card(&mut story, old) {
            assert_eq!(step.verdict, Some(Err(AnswerRefusal::Changed)));
        }
    }
}

/// An equal ask of another session that was stacked behind the first would have been hidden, and
/// one answer would have gone to two sessions.
#[test]
fn an_equal_of_another_session_is_not_put_behind_the_former_ones() {
    let mut story = Story::new();
    story.ask(command("per_1", "cargo test"));
    story.ask(command("per_2", "cargo publish"));
    let listing = SourceListing {
        asks: vec![
            (command("per_1", "cargo test"), true),
            (of_another_session("per_2", "cargo test"), true),
        ],
        ..SourceListing::default()
    };
    story.report(SourceReport::Listed(listing));
    assert_eq!(story.waiting().len(), 2);
}

#[test]
fn an_answer_to_one_session_comes_back_when_another_asks_under_its_name() {
    let mut story = Story::new();
    story.ask(command("per_1", "ls build/"));
    story.answer("per_1", Answer::Grant(Grant::Once), Surface::Tray);
    story.fails("per_1");
    let listing = SourceListing {
        asks: vec![(of_another_session("per_1", "ls build/"), true)],
        ..SourceListing::default()
    };
    let step = story.report(SourceReport::Listed(listing));
    assert_eq!(deliveries(&step), []);
    let entry = story.entry("per_1");
    assert_eq!(
        (&entry.state, &entry.returned),
        (&AskState::Open, &Some(ReturnReason::Changed))
    );
}

#[test]
fn an_answer_kept_for_a_request_that_was_gone_is_not_given_to_another_of_its_name() {
    let mut story = Story::new();
    story.ask(command("per_1", "ls build/"));
    story.answer("per_1", Answer::Grant(Grant::Once), Surface::Tray);
    story.fails("per_1");
    story.list(&[]);
    assert_eq!(story.outcome("per_1"), Outcome::Gone);
    let step = story.report(SourceReport::Asked(command("per_1", "rm -rf ~/work")));
    assert_eq!(deliveries(&step), []);
    let entry = story.entry("per_1");
    assert_eq!(
        (&entry.state, &entry.returned),
        (&AskState::Open, &Some(ReturnReason::Changed))
    );
}

#[test]
fn a_source_that_counts_anew_is_heard_under_a_name_that_was_answered() {
    let mut story = Story::new();
    story.ask(command("per_1", "ls build/"));
    let old = story.entry("per_1").target();
    story.answer("per_1", Answer::Grant(Grant::Once), Surface::Tray);
    story.replied("per_1", "once");
    story.ask(command("per_1", "rm -rf ~/work"));
    assert!(
        story.is_open("per_1"),
        "another request of that name is not the settled one"
    );
    assert_ne!(story.entry("per_1").serial, old.serial);
    for step in on_an_old_card(&mut story, old) {
        assert_eq!(step.verdict, Some(Err(AnswerRefusal::Changed)));
    }
}

#[test]
fn who_says_what_they_saw_answers_nothing_else() {
    let mut story = Story::new();
    story.ask(command("per_1", "ls build/"));
    let seen = Some(story.entry("per_1").target().fingerprint);
    story.report(SourceReport::Asked(command("per_1", "rm -rf ~/work")));
    let answer = Answer::Grant(Grant::Once);
    let event = |seen| Event::Answered {
        ask: id("per_1"),
        answer: answer.clone(),
        seen,
        by: Surface::Window,
        responder: None,
    };
    assert_eq!(
        story.feed(event(seen)).verdict,
        Some(Err(AnswerRefusal::Changed))
    );
    let seen = Some(story.entry("per_1").target().fingerprint);
    assert_eq!(story.feed(event(seen)).verdict, Some(Ok(id("per_1"))));
    assert_eq!(
        story.feed(event(seen)).verdict,
        Some(Err(AnswerRefusal::Answering {
            by: Surface::Window
        }))
    );
}

#[test]
fn a_beginning_that_fits_one_that_has_ended_too_is_no_name() {
    let mut story = Story::new();
    story.ask(command("per_12", "ls build/"));
    assert_eq!(story.desk.find("per_1"), [id("per_12")]);
    story.report(SourceReport::Rejected {
        own: "per_12".into(),
    });
    story.ask(command("per_13", "rm -rf ~/work"));
    assert_eq!(story.desk.find("per_1"), [id("per_13"), id("per_12")]);
    assert_eq!(story.desk.find("per_13"), [id("per_13")]);
}

/// The way (`session.api`) names what was seen, between Beckons: with the former way every answer
/// would come back.
#[test]
fn an_answer_goes_the_way_of_what_is_asked_by_now() {
    let mut story = Story::new();
    let by_way = |way: &str, wish: &str| {
        let mut ask = command("per_1", wish);
        ask.session.api = Some(way.into());
        ask
    };
    story.ask(by_way("seen:first", "ls"));
    for (way, wish) in [("seen:second", "rm -r ."), ("seen:third", "rm -r .")] {
        let step = story.ask(by_way(way, wish));
        assert_eq!(story.entry("per_1").ask.session.api.as_deref(), Some(way));
        assert!(!step.save.is_empty(), "it outlives a restart");
    }
    let before = story.entry("per_1").clone();
    story.ask(command("per_1", "rm -r ."));
    assert_eq!(
        story.entry("per_1").ask,
        before.ask,
        "who says no way changes none"
    );
}

/// Another Beckon may hold other values behind the same labels by now.
#[test]
fn what_another_beckon_holds_is_part_of_what_was_seen() {
    let mut story = Story::new();
    let held = |seen: &str| {
        let mut ask = single("que_1");
        (ask.session.via, ask.session.api) = (vec!["hub".into()], Some(seen.into()));
        ask
    };
    story.ask(held("seen:first"));
    let before = story.entry("que_1").target();
    story.answer("que_1", choose(0), Surface::Cli);
    let step = story.ask(held("seen:second"));
    assert!(step.news.contains(&News::Returned(id("que_1"))), "{step:?}");
    assert!(story.is_open("que_1"));
    let tap = Event::Tapped {
        target: before,
        tap: CardTap::Dismiss,
        sight: beckon_core::CardSight::Clear,
        by: Surface::Telegram,
        responder: None,
    };
    assert_eq!(story.feed(tap).verdict, Some(Err(AnswerRefusal::Changed)));
}

/// A button is made for what the other Beckon held when the button was drawn.
#[test]
fn a_card_of_what_another_beckon_holds_otherwise_by_now_is_drawn_anew() {
    let mut story = Story::new();
    let held = |seen: &str| {
        let mut ask = single("que_1");
        (ask.session.via, ask.session.api) = (vec!["hub".into()], Some(seen.into()));
        ask
    };
    story.ask(held("seen:first"));
    let before = story.entry("que_1").target();
    let step = story.ask(held("seen:second"));
    assert_ne!(story.entry("que_1").target(), before);
    assert_eq!(updates(&step), [(Channel::Desktop, "que_1")]);
}

/// A Beckon that lost sight of an ask reports it as rejected, and asks again when it is back.
#[test]
fn an_ask_that_another_beckon_calls_open_again_is_open() {
    let mut story = Story::new();
    let mut ask = single("que_1");
    ask.session.via = vec!["hub".into()];
    story.ask(ask.clone());
    story.report(SourceReport::Rejected {
        own: "que_1".into(),
    });
    story.ask(ask);
    assert!(story.is_open("que_1"));
}

/// The other Beckon reported as rejected what it only lost sight of, and our dismissal never
/// arrived there.
#[test]
fn a_dismissal_that_another_beckon_did_not_get_has_not_ended_what_it_calls_open() {
    let mut story = Story::new();
    let mut ask = single("que_1");
    ask.session.via = vec!["hub".into()];
    story.ask(ask.clone());
    story.answer("que_1", Answer::Dismiss, Surface::Window);
    story.fails("que_1");
    story.report(SourceReport::Rejected {
        own: "que_1".into(),
    });
    story.ask(ask);
    assert!(story.is_open("que_1"));
}

#[test]
fn the_same_asked_long_after_its_answer_was_taken_is_asked_anew() {
    let mut story = Story::new();
    story.ask(command("per_1", "ls"));
    let old = story.entry("per_1").target();
    story.answer("per_1", Answer::Grant(Grant::Once), Surface::Cli);
    story.report(SourceReport::Replied {
        own: "per_1".into(),
        answers: None,
    });
    story.ask(command("per_1", "ls"));
    assert!(
        story.desk.entry(&id("per_1")).is_none(),
        "said before the end, and late"
    );
    story.now = story.now + beckon_core::Span::minutes(5);
    story.ask(command("per_1", "ls"));
    assert!(story.is_open("per_1"));
    for step in on_an_old_card(&mut story, old) {
        assert_eq!(step.verdict, Some(Err(AnswerRefusal::Changed)));
    }
}

/// A list that arrives after the end may have been read before it; the next list was not.
#[test]
fn what_two_lists_have_after_its_end_is_open_whatever_was_said() {
    let mut story = Story::new();
    story.ask(command("per_1", "ls"));
    let old = story.entry("per_1").target();
    story.report(SourceReport::Replied {
        own: "per_1".into(),
        answers: None,
    });
    assert!(
        refreshes(&story.ask(command("per_1", "ls"))),
        "the list will tell"
    );
    let listing = || {
        SourceReport::Listed(SourceListing {
            asks: vec![(command("per_1", "ls"), true)],
            ..SourceListing::default()
        })
    };
    let step = story.report(listing());
    assert!(refreshes(&step) && story.desk.entry(&id("per_1")).is_none());
    let step = story.report(listing());
    assert!(story.is_open("per_1") && !refreshes(&step));
    for step in on_an_old_card(&mut story, old) {
        assert_eq!(step.verdict, Some(Err(AnswerRefusal::Changed)));
    }
}

#[test]
fn what_one_late_list_had_and_the_next_one_has_not_is_over() {
    let mut story = Story::new();
    story.ask(single("que_1"));
    story.replied("que_1", "Red");
    let listed = SourceListing {
        asks: vec![(single("que_1"), true)],
        ..SourceListing::default()
    };
    story.report(SourceReport::Listed(listed));
    assert!(!refreshes(&story.list(&[])) && story.desk.entry(&id("que_1")).is_none());
}

/// The partial reports of one list count as one list.
#[test]
fn a_list_that_is_still_being_read_opens_nothing_again() {
    let mut story = Story::new();
    story.ask(single("que_1"));
    story.replied("que_1", "Red");
    for partial in [true, true, false] {
        let asks = vec![(single("que_1"), true)];
        let listed = SourceListing {
            asks,
            partial,
            ..SourceListing::default()
        };
        story.report(SourceReport::Listed(listed));
        assert!(story.desk.entry(&id("que_1")).is_none());
    }
}

/// Another Beckon reports again and again what waits there.
#[test]
fn what_another_beckon_lists_again_unchanged_keeps_its_answer() {
    let mut story = Story::new();
    let mut far = single("que_1");
    far.session.via = vec!["far".into()];
    story.ask(far.clone());
    story.answer("que_1", choose(0), Surface::Cli);
    story.ask(far);
    assert!(matches!(
        story.entry("que_1").state,
        AskState::Answering { .. }
    ));
}

/// A report that an agent's own server sent a moment before the end may arrive a moment after it.
#[test]
fn what_was_rejected_elsewhere_is_not_open_again_by_a_late_word_of_it() {
    let mut story = Story::asked();
    story.report(SourceReport::Rejected { own: "q1".into() });
    let step = story.ask(single("q1"));
    assert!(!story.is_open("q1") && shows(&step).is_empty(), "{step:?}");
}
