//! What is rejected together is told beforehand.
#![allow(clippy::unwrap_used, clippy::expect_used, missing_docs, unreachable_pub)]

mod common;

use beckon_core::{
    Answer, Ask, Channel, Effect, Event, Grant, Kind, MOST_COUNTED, Permission, Reach, Span, Step,
    Surface,
};
use common::*;

fn reaching(own: &str, rejects: Reach) -> Ask {
    let permission = Permission { permission: "bash".into(), rejects, ..Permission::default() };
    ask(own, Kind::Permission(permission))
}

fn session(own: &str) -> Ask {
    reaching(own, Reach::Session)
}

/// The cards that are drawn or redrawn, with what they say is rejected together with them.
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
    assert_eq!(story.entry("a").rejects_beside(), Some((Reach::Session, 1)));
    let once = Answer::Grant(Grant::Once);
    let step = story.answer("b", once, Surface::Cli);
    assert!(drawn(&step).contains(&("a", 0)), "{step:?}");
}

#[test]
fn other_sessions_other_kinds_and_other_agents_are_not_counted() {
    let mut story = Story::new();
    let mut other = session("other");
    other.session.id = "another".into();
    for ask in [session("a"), other, single("q"), reaching("alone", Reach::Itself), confirm("c")] {
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
