//! Stories of asks that end together: what is rejected together is told beforehand, and equal asks
//! are shown once.

use crate::common::*;
use beckon_core::{
    Answer, AnswerRefusal, Ask, AskContent, AskState, ButtonPress, ButtonTarget, Channel, Effect,
    Event, Grant, MOST_COUNTED, Outcome, Permission, RejectionReach, Span, Step, Surface,
};

fn reaching(own: &str, rejects: RejectionReach) -> Ask {
    running(own, own, rejects)
}

fn running(own: &str, command: &str, rejects: RejectionReach) -> Ask {
    let (permission, command) = ("bash".into(), Some(command.into()));
    let permission = Permission {
        permission,
        command,
        rejects,
        ..Permission::default()
    };
    ask(own, AskContent::Permission(permission))
}

fn session(own: &str) -> Ask {
    reaching(own, RejectionReach::Session)
}

/// Returns the cards that are drawn or redrawn, with how many other asks they say are rejected
/// together with them.
fn drawn(step: &Step) -> Vec<(&str, usize)> {
    let drawn = step.effects.iter().filter_map(|effect| match effect {
        Effect::Show { entry, .. } | Effect::Update { entry, .. } => {
            Some((entry.ask.id.own.as_str(), entry.also_rejects))
        }
        _ => None,
    });
    drawn.collect()
}

#[test]
fn the_first_card_is_told_of_the_second_and_of_its_end() {
    let mut story = Story::new();
    story.feed(Event::ChannelUp(Channel::Desktop));
    story.ask(session("a"));
    assert_eq!(story.entry("a").rejects_beside(), None);
    let step = story.ask(session("b"));
    assert_eq!(drawn(&step), [("b", 1), ("a", 1)]);
    assert_eq!(
        story.entry("a").rejects_beside(),
        Some((RejectionReach::Session, 1))
    );
    let once = Answer::Grant(Grant::Once);
    let step = story.answer("b", once, Surface::Cli);
    assert!(drawn(&step).contains(&("a", 0)), "{step:?}");
}

#[test]
fn other_sessions_other_kinds_and_other_agents_are_not_counted() {
    let mut story = Story::new();
    let mut other = session("other");
    other.session.id = "another".into();
    for ask in [
        session("a"),
        other,
        single("q"),
        reaching("alone", RejectionReach::Itself),
        confirm("c"),
    ] {
        story.ask(ask);
    }
    for own in ["a", "other", "q", "alone", "c"] {
        assert_eq!(story.entry(own).rejects_beside(), None, "{own}");
    }
}

#[test]
fn more_than_can_be_read_are_not_counted_so_that_a_flood_redraws_nothing() {
    let mut story = Story::new();
    story.feed(Event::ChannelUp(Channel::Desktop));
    for number in 0..50 {
        story.ask(session(&number.to_string()));
    }
    assert_eq!(story.entry("0").also_rejects, MOST_COUNTED);
    assert_eq!(drawn(&story.ask(session("last"))), [("last", MOST_COUNTED)]);
}

#[test]
fn after_a_restart_the_count_is_the_same() {
    let mut story = Story::new();
    story.ask(session("a"));
    story.ask(session("b"));
    let entries = ["a", "b"].map(|own| story.entry(own).clone()).to_vec();
    let unsaid = |mut entry: beckon_core::Entry| {
        entry.also_rejects = 0;
        entry
    };
    story.restart(entries.into_iter().map(unsaid).collect());
    story.wait(Span::seconds(5));
    assert_eq!(story.entry("a").also_rejects, 1);
}

/// Returns a desk with two equal asks, from two simultaneous calls of one tool.
fn twice() -> Story {
    let mut story = Story::new();
    story.feed(Event::ChannelUp(Channel::Desktop));
    story.ask(equal("a"));
    story.shown("a", "h1");
    story.ask(equal("b"));
    story
}

fn equal(own: &str) -> Ask {
    running(own, "cargo test", RejectionReach::Itself)
}

fn press(story: &mut Story, target: ButtonTarget) -> Step {
    story.feed(Event::Pressed {
        target,
        press: ButtonPress::Once,
        by: Surface::Notification,
    })
}

#[test]
fn equal_permissions_of_a_session_have_one_card_and_one_answer() {
    let mut story = twice();
    let (front, behind) = (story.entry("a"), story.entry("b"));
    assert_eq!(
        (front.also_asked, behind.behind, behind.cards.len()),
        (1, true, 0)
    );
    assert_eq!(story.desk.waiting(), 1);
    let target = front.target();
    let step = press(&mut story, target);
    let once = Answer::Grant(Grant::Once);
    assert_eq!(deliveries(&step), [("a", &once), ("b", &once)]);
    for own in ["a", "b"] {
        story.replied(own, "once");
        let by = Surface::Notification;
        assert_eq!(
            story.outcome(own),
            Outcome::Answered {
                answer: once.clone(),
                by
            }
        );
    }
    let late = press(&mut story, target).verdict;
    assert!(
        matches!(late, Some(Err(AnswerRefusal::Settled { .. }))),
        "{late:?}"
    );
}

#[test]
fn an_answer_goes_to_the_equals_of_one_command_and_not_to_those_of_another() {
    let mut story = Story::new();
    for (own, command) in [
        ("a", "ls"),
        ("b", "ls"),
        ("c", "cargo test"),
        ("d", "cargo test"),
    ] {
        story.ask(running(own, command, RejectionReach::Itself));
    }
    assert_eq!(
        (story.entry("a").also_asked, story.entry("c").also_asked),
        (1, 1)
    );
    let target = story.entry("a").target();
    let once = Answer::Grant(Grant::Once);
    assert_eq!(
        deliveries(&press(&mut story, target)),
        [("a", &once), ("b", &once)]
    );
    assert!(story.is_open("c") && story.is_open("d"));
}

#[test]
fn the_one_that_is_shown_stays_in_front_whatever_is_told_of_the_others() {
    let mut story = twice();
    story.ask(equal("c"));
    story.ask(equal("d"));
    story.replied("d", "once");
    let front = story.entry("a");
    assert_eq!((front.behind, front.also_asked), (false, 2));
    assert!(["b", "c"].iter().all(|own| story.entry(own).behind));
}

#[test]
fn the_card_is_redrawn_for_the_second_and_nothing_rings() {
    let mut story = Story::new();
    story.feed(Event::ChannelUp(Channel::Desktop));
    story.ask(equal("a"));
    story.shown("a", "h1");
    let step = story.ask(equal("b"));
    let [
        Effect::Update {
            channel: Channel::Desktop,
            entry,
        },
    ] = &step.effects[..]
    else {
        panic!("{step:?}");
    };
    assert_eq!((entry.ask.id.own.as_str(), entry.also_asked), ("a", 1));
}

#[test]
fn a_button_from_before_the_second_was_asked_answers_the_first_alone() {
    let mut story = Story::new();
    story.ask(equal("a"));
    let once = story.entry("a").target();
    story.ask(equal("b"));
    let twice = story.entry("a").target();
    let step = press(&mut story, once);
    assert_eq!(deliveries(&step), [("a", &Answer::Grant(Grant::Once))]);
    assert_eq!(
        shows(&step),
        [(Channel::Desktop, "b", None)],
        "the second one rings for itself"
    );
    story.ask(equal("c"));
    let both = story.entry("b").target();
    assert_ne!(both, twice);
    story.replied("c", "once");
    assert_eq!(
        press(&mut story, both).verdict,
        Some(Err(AnswerRefusal::Changed)),
        "nobody saw one"
    );
}

#[test]
fn when_the_one_in_front_has_ended_elsewhere_the_next_comes_forward() {
    let mut story = twice();
    let step = story.replied("a", "once");
    assert_eq!(shows(&step), [(Channel::Desktop, "b", None)]);
    assert!(story.entry("b").waits());
}

#[test]
fn what_differs_in_anything_has_a_card_of_its_own() {
    let mut story = Story::new();
    let mut elsewhere = equal("c");
    elsewhere.session.id = "another".into();
    for ask in [
        equal("a"),
        running("b", "cargo test ", RejectionReach::Itself),
        elsewhere,
    ] {
        story.ask(ask);
    }
    for own in ["a", "b", "c"] {
        assert!(story.entry(own).waits(), "{own}");
        assert_eq!(story.entry(own).also_asked, 0, "{own}");
    }
}

#[test]
fn after_a_restart_equal_ones_are_one_card_again() {
    let mut story = twice();
    let target = story.entry("a").target();
    let entries = ["a", "b"].map(|own| stored(story.entry(own))).to_vec();
    story.restart(entries);
    story.feed(Event::ChannelUp(Channel::Desktop));
    let step = story.wait(Span::seconds(5));
    assert_eq!(shows(&step).len(), 1, "{step:?}");
    assert_eq!(deliveries(&press(&mut story, target)).len(), 2);
}

#[test]
fn an_answer_that_comes_back_for_one_of_them_comes_back_for_that_one() {
    let mut story = twice();
    let target = story.entry("a").target();
    press(&mut story, target);
    story.replied("a", "once");
    story.not_found("b");
    assert_eq!(story.outcome("b"), Outcome::Gone);
    let mut story = twice();
    let target = story.entry("a").target();
    press(&mut story, target);
    story.fails("b");
    assert!(matches!(story.entry("b").state, AskState::Answering { .. }));
}

/// The count on a button, of the asks that it answers, is part of what its human saw.
#[test]
fn a_button_that_counted_three_answers_no_two() {
    let mut story = twice();
    story.ask(equal("c"));
    let three = story.entry("a").target();
    story.replied("c", "once");
    assert_eq!(story.entry("a").also_asked, 1);
    let step = press(&mut story, three);
    assert_eq!(step.verdict, Some(Err(AnswerRefusal::Changed)));
    let two = story.entry("a").target();
    press(&mut story, two);
    // A press on the old card now gets the reply that the ask is answered, and not that it has
    // changed.
    let step = press(&mut story, three);
    assert!(
        matches!(step.verdict, Some(Err(AnswerRefusal::Answering { .. }))),
        "{step:?}"
    );
}
