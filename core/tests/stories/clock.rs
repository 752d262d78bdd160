//! Stories of a wall clock that is set back or forth: durations stay what they were, and nothing
//! waits for the clock to catch up.

use crate::common::*;
use beckon_core::{
    AskState, Channel, Event, Policy, Presence, PresenceOverride, PresenceReading, PresenceSource,
    QuietHours, RowChange, SavedState, SourceReport, Span, Step, Surface, Timestamp,
};

const HOURS: fn(i64) -> Span = |n| Span::minutes(60 * n);

fn set_clock(story: &mut Story, by: Span) -> Step {
    story.now = story.now + by;
    story.feed(Event::ClockSet(by))
}

#[test]
fn an_answer_is_tried_on_after_the_clock_was_set_back() {
    let mut story = Story::asked();
    story.answer("q1", choose(0), Surface::Notification);
    story.fails("q1");
    set_clock(&mut story, HOURS(-2));
    assert_eq!(
        deliveries(&story.wait(Span::seconds(1))),
        [("q1", &choose(0))]
    );
}

#[test]
fn an_answer_is_tried_on_after_a_restart_with_a_clock_that_was_set_back() {
    let mut story = Story::asked();
    story.answer("q1", choose(0), Surface::Notification);
    story.fails("q1");
    let entry = stored(story.entry("q1"));
    story.now = story.now + HOURS(-2);
    story.restart(vec![entry]);
    assert_eq!(
        deliveries(&story.wait(Span::seconds(3))),
        [("q1", &choose(0))]
    );
}

/// After the clock was set back, it cannot tell how long ago the first ask ended. But no report
/// from before a restart can still be on its way after it.
#[test]
fn what_is_asked_again_after_a_restart_with_a_clock_that_was_set_back_is_heard_at_once() {
    let mut story = Story::asked();
    story.report(SourceReport::Rejected { own: "q1".into() });
    let memory = vec![(id("q1"), story.memory("q1").clone())];
    story.now = story.now + HOURS(-2);
    story.restart_with(SavedState {
        memory,
        ..SavedState::default()
    });
    story.report(SourceReport::Asked(single("q1")));
    assert!(story.is_open("q1"));
}

#[test]
fn a_two_hundred_without_proof_is_looked_into_after_the_clock_was_set_back() {
    let mut story = Story::asked();
    story.answer("q1", choose(0), Surface::Notification);
    story.sent("q1");
    set_clock(&mut story, HOURS(-2));
    assert!(refreshes(&story.wait(Span::seconds(2))));
}

#[test]
fn a_question_does_not_expire_because_the_clock_was_set_forth() {
    let mut story = Story::asked();
    story.set(|policy| policy.expire_after = Some(Span::minutes(30)));
    story.wait(Span::minutes(10));
    set_clock(&mut story, HOURS(5));
    assert!(
        story.is_open("q1"),
        "ten minutes have passed, not five hours"
    );
    story.wait(Span::minutes(19));
    assert!(story.is_open("q1"));
    story.wait(Span::minutes(1));
    assert!(matches!(
        story.entry("q1").state,
        AskState::Answering {
            by: Surface::Clock,
            ..
        }
    ));
}

#[test]
fn what_escalates_after_ten_minutes_does_so_whatever_the_clock_says() {
    for by in [HOURS(-2), HOURS(2)] {
        let mut story = Story::asked();
        story.wait(Span::minutes(5));
        let early = set_clock(&mut story, by);
        assert_eq!(shows(&early), [], "{by:?}");
        assert_eq!(shows(&story.wait(Span::minutes(4))), [], "{by:?}");
        let step = story.wait(Span::minutes(1));
        assert_eq!(shows(&step), [(Channel::Telegram, "q1", None)], "{by:?}");
    }
}

#[test]
fn a_pause_never_grows_by_the_clock() {
    for (by, left) in [(HOURS(-2), 1), (HOURS(0), 1), (HOURS(2), 0)] {
        let mut story = Story::new();
        let until = story.now + HOURS(1);
        story.feed(Event::Pause(Some(until)));
        story.feed(Event::Said {
            said: PresenceOverride::Away,
            until: Some(until),
        });
        set_clock(&mut story, by);
        story.wait(HOURS(left));
        let view = story.desk.outline(story.now);
        assert_eq!(
            (view.paused_until, view.presence.said_until),
            (None, None),
            "{by:?}"
        );
    }
}

#[test]
fn a_pause_never_grows_by_a_clock_that_is_set_back_while_beckon_is_off() {
    let mut story = Story::new();
    let (said_at, until) = (story.now, Some(story.now + HOURS(1)));
    let saved = SavedState {
        said: PresenceOverride::Away,
        said_until: until,
        paused_until: until,
        standing_at: Some(said_at),
        ..SavedState::default()
    };
    story.now = story.now + HOURS(-24 * 365);
    story.restart_with(saved);
    let view = story.desk.outline(story.now);
    let ends = Some(story.now + HOURS(1));
    assert_eq!((view.paused_until, view.presence.said_until), (ends, ends));
}

#[test]
fn a_pause_goes_on_after_a_restart_until_it_was_to_end() {
    let mut story = Story::new();
    let (said_at, until) = (story.now, Some(story.now + HOURS(1)));
    story.now = story.now + Span::minutes(20);
    let saved = SavedState {
        paused_until: until,
        standing_at: Some(said_at),
        ..SavedState::default()
    };
    story.restart_with(saved);
    assert_eq!(story.desk.outline(story.now).paused_until, until);
}

#[test]
fn what_was_noted_just_before_the_clock_was_set_back_is_not_to_come() {
    let mut story = Story::new();
    let ask = single("q1");
    set_clock(&mut story, HOURS(-2));
    story.report(SourceReport::Asked(ask));
    assert_eq!(story.entry("q1").ask.asked_at, story.now);
    story.feed(Event::Said {
        said: PresenceOverride::Auto,
        until: None,
    });
    let (presence, evidence) = (Presence::Idle, PresenceSource::X11);
    let last_input = Some(story.now + HOURS(2));
    story.feed(Event::Presence(PresenceReading {
        presence,
        evidence,
        last_input,
    }));
    story.wait(Span::minutes(3));
    assert!(story.desk.outline(story.now).presence.away);
}

#[test]
fn what_is_saved_shows_the_clock_as_it_is() {
    let mut story = Story::asked();
    let step = set_clock(&mut story, HOURS(-2));
    let asked = step.save.iter().find_map(|row| match row {
        RowChange::Ask(entry) => Some(entry.ask.asked_at),
        _ => None,
    });
    assert_eq!(asked, Some(Timestamp(START.0 + HOURS(-2).0)));
}

#[test]
fn a_card_that_is_to_go_is_not_given_up_because_the_clock_was_set_forth() {
    let mut story = Story::asked();
    story.replied("q1", "Red");
    set_clock(&mut story, HOURS(31 * 24));
    let given_up = |step: &Step| {
        step.save
            .iter()
            .any(|it| matches!(it, RowChange::NoCard { .. }))
    };
    assert!(!given_up(&story.wait(HOURS(1))));
    assert!(given_up(&story.wait(HOURS(31 * 24))));
}

#[test]
fn quiet_hours_follow_the_local_time() {
    let noon = 12 * 60 * 60 * 1_000;
    let policy = Policy {
        quiet: Some(QuietHours {
            from: 13 * 60,
            to: 14 * 60,
        }),
        ..Policy::default()
    };
    let mut story = Story::with(policy);
    story.now = Timestamp(noon + 30 * 60 * 1_000);
    story.feed(Event::ChannelUp(Channel::Telegram));
    story.feed(Event::Said {
        said: PresenceOverride::Away,
        until: None,
    });
    assert_eq!(rings_silently(&story.ask(single("winter"))), Some(false));
    story.feed(Event::UtcOffset(HOURS(1)));
    assert_eq!(rings_silently(&story.ask(single("summer"))), Some(true));
}

fn rings_silently(step: &Step) -> Option<bool> {
    step.effects.iter().find_map(|effect| match effect {
        beckon_core::Effect::Show {
            channel: Channel::Telegram,
            silent,
            ..
        } => Some(*silent),
        _ => None,
    })
}
