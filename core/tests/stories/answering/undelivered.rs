//! Stories of an answer that its agent does not take. Every surface shows that as a trouble until
//! it is over.

use crate::common::*;
use beckon_core::{
    Channel, Event, ForwardMode, News, Outcome, QuietHours, Reminder, Span, Surface,
    UndeliveredAnswer,
};

const SECONDS: fn(i64) -> Span = Span::seconds;

/// Returns a desk with an answer that the source refuses at every try.
fn stuck() -> Story {
    let mut story = Story::asked();
    story.answer("q1", choose(0), Surface::Notification);
    story.fails("q1");
    story
}

fn undelivered(story: &Story) -> Option<UndeliveredAnswer> {
    story.entry("q1").undelivered.clone()
}

#[test]
fn an_answer_that_is_not_taken_within_seconds_is_told_once_and_counts_as_waiting() {
    let mut story = stuck();
    let given = story.now;
    assert_eq!((undelivered(&story), story.desk.waiting()), (None, 0));
    let mut told = 0;
    for _ in 0..40 {
        let step = story.wait(SECONDS(1));
        told += step
            .news
            .iter()
            .filter(|news| **news == News::Undelivered(id("q1")))
            .count();
        let rung = reminders(&step);
        assert!(
            rung.is_empty() || rung == [(Channel::Desktop, "q1", Reminder::Undelivered, false)]
        );
        if !deliveries(&step).is_empty() {
            story.fails("q1");
        }
    }
    let trouble = UndeliveredAnswer {
        since: given,
        why: Some("no route".into()),
    };
    assert_eq!(
        (told, undelivered(&story), story.desk.waiting()),
        (1, Some(trouble), 1)
    );
}

#[test]
fn an_answer_that_seemed_to_arrive_and_is_not_taken_is_told_too() {
    let mut story = Story::asked();
    story.answer("q1", choose(0), Surface::Notification);
    story.sent("q1");
    for _ in 0..6 {
        story.wait(SECONDS(1));
    }
    assert_eq!(undelivered(&story).expect("it is told").why, None);
}

#[test]
fn it_is_over_when_the_answer_is_taken() {
    let mut story = stuck();
    story.wait(SECONDS(6));
    assert!(undelivered(&story).is_some());
    let step = story.replied("q1", "Red");
    assert_eq!(settled(&step).len(), 1);
    assert_eq!(story.desk.waiting(), 0);
    assert!(matches!(story.outcome("q1"), Outcome::Answered { .. }));
}

#[test]
fn an_answer_that_is_taken_at_once_is_no_trouble() {
    let mut story = Story::asked();
    story.answer("q1", choose(0), Surface::Notification);
    story.sent("q1");
    story.replied("q1", "Red");
    let step = story.wait(SECONDS(10));
    assert_eq!((reminders(&step), &step.news[..]), (vec![], &[][..]));
}

#[test]
fn away_it_is_told_beneath_the_card() {
    let mut story = Story::new();
    story.feed(Event::Said {
        said: beckon_core::PresenceOverride::Away,
        until: None,
    });
    story.ask(single("q1"));
    story.sent_as("q1", "m1");
    story.answer("q1", choose(0), Surface::Telegram);
    story.fails("q1");
    let step = story.wait(SECONDS(5));
    assert!(reminders(&step).contains(&(Channel::Telegram, "q1", Reminder::Undelivered, false)));
    assert!(updates(&step).contains(&(Channel::Telegram, "q1")));
    assert_eq!(
        story
            .entry("q1")
            .undelivered
            .as_ref()
            .map(|u| u.why.as_deref()),
        Some(Some("no route"))
    );
}

#[test]
fn it_is_told_without_a_sound_in_quiet_hours() {
    let mut story = Story::new();
    story.set(|policy| policy.quiet = Some(QuietHours { from: 0, to: 1439 }));
    story.feed(Event::Said {
        said: beckon_core::PresenceOverride::Away,
        until: None,
    });
    story.ask(single("q1"));
    story.sent_as("q1", "m1");
    story.answer("q1", choose(0), Surface::Telegram);
    story.fails("q1");
    let told = reminders(&story.wait(SECONDS(5))).contains(&(
        Channel::Telegram,
        "q1",
        Reminder::Undelivered,
        true,
    ));
    assert!(told);
}

#[test]
fn it_is_told_only_where_its_human_is_rung_and_a_channel_works() {
    let mut story = stuck();
    story.feed(Event::ChannelDown(Channel::Desktop));
    story.set(|policy| policy.forward = ForwardMode::Never);
    assert_eq!(reminders(&story.wait(SECONDS(5))), []);
    assert!(undelivered(&story).is_some());
}

#[test]
fn in_a_pause_it_is_told_to_nobody() {
    let mut story = stuck();
    story.feed(Event::Pause(Some(story.now + SECONDS(60))));
    assert_eq!(reminders(&story.wait(SECONDS(5))), []);
    assert!(undelivered(&story).is_some());
}

#[test]
fn after_a_restart_the_source_is_awaited_before_it_is_told() {
    let mut story = stuck();
    let entry = stored(story.entry("q1"));
    story.wait(SECONDS(60));
    story.restart(vec![entry]);
    assert_eq!(reminders(&story.wait(SECONDS(1))), []);
    story.wait(SECONDS(1));
    assert_eq!(
        undelivered(&story),
        None,
        "the first try of this life is not back"
    );
    let step = story.fails("q1");
    let trouble = undelivered(&story).expect("it is told");
    assert_eq!(trouble.why.as_deref(), Some("no route"));
    assert!(step.news.contains(&News::Undelivered(id("q1"))));
}

#[test]
fn after_a_restart_the_first_try_that_stays_away_is_told() {
    let mut story = stuck();
    let entry = stored(story.entry("q1"));
    story.wait(SECONDS(60));
    story.restart(vec![entry]);
    story.wait(SECONDS(2));
    story.wait(SECONDS(5));
    assert!(undelivered(&story).is_some());
}

#[test]
fn what_was_told_before_a_restart_is_not_told_anew_and_has_its_last_reason() {
    let mut story = stuck();
    story.wait(SECONDS(6));
    let told = undelivered(&story).expect("it is told");
    assert_eq!(told.why.as_deref(), Some("no route"));
    story.restart(vec![stored(story.entry("q1"))]);
    assert_eq!(undelivered(&story), Some(told.clone()));
    for _ in 0..20 {
        let step = story.wait(SECONDS(1));
        assert_eq!(reminders(&step), []);
        if !deliveries(&step).is_empty() {
            assert_eq!(reminders(&story.fails("q1")), []);
        }
        assert_eq!(undelivered(&story), Some(told.clone()));
    }
}
