//! Stories of answers that come back from their source, so that the human decides anew.

use crate::common::*;
use beckon_core::{
    AskState, Channel, DeliveryFailure, Event, News, Policy, PresenceOverride, Reminder,
    ReturnReason, RowChange, SourceReport, Span, Step, Surface,
};

fn comes_back(story: &mut Story, own: &str) -> Step {
    let failure =
        DeliveryFailure::Returned(ReturnReason::Refused("answer at index 0 is empty".into()));
    story.report(SourceReport::NotSent {
        own: own.into(),
        failure,
    })
}

#[test]
fn an_answer_that_comes_back_opens_the_ask_again_and_rings_with_the_reason() {
    let mut story = Story::asked();
    story.answer("q1", choose(0), Surface::Notification);
    let step = comes_back(&mut story, "q1");
    assert_eq!(saved_state(&step, "q1"), Some(AskState::Open));
    assert!(step.news.contains(&News::Returned(id("q1"))));
    assert_eq!(shows(&step), [(Channel::Desktop, "q1", None)]);
    let why = story.desk.entry(&id("q1")).unwrap().returned.clone();
    assert_eq!(
        why,
        Some(ReturnReason::Refused("answer at index 0 is empty".into()))
    );
}

#[test]
fn a_message_that_comes_up_for_it_says_so_itself() {
    let mut story = Story::asked();
    story.answer("q1", choose(0), Surface::Notification);
    story.feed(Event::Said {
        said: PresenceOverride::Away,
        until: None,
    });
    let step = comes_back(&mut story, "q1");
    assert!(
        shows(&step).contains(&(Channel::Telegram, "q1", None)),
        "{step:?}"
    );
    assert_eq!(reminders(&step), []);
}

#[test]
fn why_it_came_back_is_known_also_after_a_restart() {
    let mut story = Story::asked();
    story.answer("q1", choose(0), Surface::Notification);
    let step = comes_back(&mut story, "q1");
    let kept = step.save.iter().find_map(|save| match save {
        RowChange::Ask(entry) => Some((**entry).clone()),
        _ => None,
    });
    story.restart(kept.into_iter().collect());
    assert!(story.is_open("q1"));
    let why = Some(ReturnReason::Refused("answer at index 0 is empty".into()));
    assert_eq!(story.entry("q1").returned, why);
}

/// Makes the source refuse the answer itself, this many times.
fn refused(story: &mut Story, tries: u32) {
    for _ in 0..tries {
        let failure = DeliveryFailure::Refused("it answers 400 Bad Request".into());
        story.report(SourceReport::NotSent {
            own: "q1".into(),
            failure,
        });
        while !story.is_open("q1") && deliveries(&story.feed(Event::Tick)).is_empty() {
            story.now = story.now + Span::millis(10);
        }
    }
}

#[test]
fn a_request_that_is_refused_at_every_quick_try_comes_back_in_its_servers_words() {
    let mut story = Story::asked();
    story.answer("q1", choose(0), Surface::Cli);
    refused(&mut story, 19);
    assert!(!story.is_open("q1"), "a busy server refuses for a moment");
    refused(&mut story, 1);
    assert!(story.is_open("q1"));
    let why = Some(ReturnReason::Refused("it answers 400 Bad Request".into()));
    assert_eq!(story.entry("q1").returned, why);
    story.now = story.now + Span::minutes(5);
    assert!(deliveries(&story.feed(Event::Tick)).is_empty());
}

#[test]
fn it_comes_back_also_after_the_source_said_200() {
    let mut story = Story::asked();
    story.answer("q1", choose(0), Surface::Cli);
    story.sent("q1");
    comes_back(&mut story, "q1");
    assert!(story.is_open("q1"));
}

#[test]
fn nothing_is_sent_again_by_itself() {
    let mut story = Story::asked();
    story.answer("q1", choose(0), Surface::Cli);
    comes_back(&mut story, "q1");
    story.now = story.now + Span::minutes(5);
    assert!(deliveries(&story.feed(Event::Tick)).is_empty());
}

#[test]
fn the_next_answer_is_delivered_and_the_reason_is_forgotten() {
    let mut story = Story::asked();
    story.answer("q1", choose(0), Surface::Cli);
    comes_back(&mut story, "q1");
    let step = story.answer("q1", choose(1), Surface::Tray);
    assert_eq!(deliveries(&step), [("q1", &choose(1))]);
    assert_eq!(story.desk.entry(&id("q1")).unwrap().returned, None);
}

#[test]
fn a_phone_that_has_the_card_rings_once_more_for_it() {
    let mut story = Story::new();
    story.feed(Event::Said {
        said: PresenceOverride::Away,
        until: None,
    });
    story.ask(single("q1"));
    let handle = "1/2".to_owned();
    story.feed(Event::Shown {
        channel: Channel::Telegram,
        ask: id("q1"),
        handle,
    });
    story.now = story.now + Span::seconds(5);
    story.answer("q1", choose(0), Surface::Telegram);
    let step = comes_back(&mut story, "q1");
    assert_eq!(updates(&step), [(Channel::Telegram, "q1")]);
    assert_eq!(
        reminders(&step),
        [(Channel::Telegram, "q1", Reminder::Returned, false)]
    );
}

#[test]
fn an_expiry_that_comes_back_is_tried_again_and_not_at_once() {
    let policy = Policy {
        expire_after: Some(Span::minutes(1)),
        ..Policy::default()
    };
    let mut story = Story::with(policy);
    story.ask(single("q1"));
    story.now = story.now + Span::minutes(1);
    assert_eq!(deliveries(&story.feed(Event::Tick)).len(), 1);
    story.sent("q1");
    assert!(deliveries(&comes_back(&mut story, "q1")).is_empty());
    assert!(!story.is_open("q1"));
    story.now = story.now + Span::seconds(1);
    assert_eq!(deliveries(&story.feed(Event::Tick)).len(), 1);
}

#[test]
fn what_comes_back_after_the_end_changes_nothing() {
    let mut story = Story::asked();
    story.answer("q1", choose(0), Surface::Cli);
    story.replied("q1", "Red");
    let step = comes_back(&mut story, "q1");
    assert!(step.save.is_empty() && step.effects.is_empty() && step.news.is_empty());
}

#[test]
fn what_can_take_no_answer_says_so_before_anybody_gives_one() {
    let mut story = Story::asked();
    story.shown("q1", "h1");
    let failure = || DeliveryFailure::Returned(ReturnReason::NoThread);
    let no_thread = || SourceReport::NotSent {
        own: "q1".into(),
        failure: failure(),
    };
    let step = story.report(no_thread());
    assert_eq!(
        story.desk.entry(&id("q1")).unwrap().returned,
        Some(ReturnReason::NoThread)
    );
    assert!(story.is_open("q1"));
    assert!(
        step.effects
            .iter()
            .any(|effect| matches!(effect, beckon_core::Effect::Update { .. }))
    );
    assert_eq!(
        story.report(no_thread()).effects,
        [],
        "said again it is nothing new"
    );
    story.answer("q1", choose(0), Surface::Cli);
    story.report(no_thread());
    assert!(story.is_open("q1"));
}
