//! Stories of asks that were seen or snoozed: what the human leaves open does not ring again, or
//! not before its time.

use crate::common::*;
use beckon_core::{
    AnswerRefusal, Attention, Channel, Event, Presence, PresenceOverride, Reminder, SavedState,
    SourceReport, Span, Step, Surface, Timestamp,
};

const DESKTOP: Channel = Channel::Desktop;
const TELEGRAM: Channel = Channel::Telegram;
const UNTIL_BACK: Attention = Attention::Snoozed { until: None };

fn attend(story: &mut Story, own: &str, attention: Attention) -> Step {
    let seen = Some(story.entry(own).target().fingerprint);
    story.feed(Event::Attend {
        ask: id(own),
        attention,
        seen,
    })
}

fn snoozed_for(story: &mut Story, minutes: i64) -> Timestamp {
    let until = story.now + Span::minutes(minutes);
    attend(story, "q1", Attention::Snoozed { until: Some(until) });
    until
}

fn reminding() -> Story {
    let mut story = Story::asked();
    story.set(|policy| policy.remind_every = Some(Span::minutes(2)));
    story
}

#[test]
fn what_was_seen_rings_no_more_and_stays_on_the_list() {
    let mut story = reminding();
    let step = attend(&mut story, "q1", Attention::Seen);
    assert_eq!(withdraws(&step), [(DESKTOP, "q1", Some("h1"))]);
    assert_eq!((story.desk.waiting(), story.waiting().len()), (1, 1));
    story.withdrawn(DESKTOP, "q1");
    assert_eq!(story.desk.next_deadline(), None, "no reminder, no phone");
    let step = story.presence(Presence::Locked);
    assert_eq!((shows(&step), reminders(&step)), (vec![], vec![]));
}

#[test]
fn a_message_that_was_seen_stays_and_says_so() {
    let mut story = Story::new();
    story.feed(Event::Said {
        said: PresenceOverride::Away,
        until: None,
    });
    story.ask(single("q1"));
    story.sent_as("q1", "7");
    let step = attend(&mut story, "q1", Attention::Seen);
    assert!(
        withdraws(&step)
            .iter()
            .all(|(channel, ..)| *channel == DESKTOP)
    );
    assert_eq!(updates(&step), [(TELEGRAM, "q1")]);
}

#[test]
fn what_was_seen_by_mistake_rings_again() {
    let mut story = reminding();
    attend(&mut story, "q1", Attention::Seen);
    story.withdrawn(DESKTOP, "q1");
    story.wait(Span::minutes(9));
    let step = attend(&mut story, "q1", Attention::default());
    assert_eq!(shows(&step), [(DESKTOP, "q1", None)]);
    assert_eq!(story.next().0, Span::minutes(2), "from now on");
}

#[test]
fn a_snooze_is_silent_and_rings_at_its_end() {
    let mut story = reminding();
    let until = snoozed_for(&mut story, 15);
    story.withdrawn(DESKTOP, "q1");
    assert_eq!(
        (story.desk.waiting(), story.waiting().len()),
        (0, 1),
        "not counted, and listed"
    );
    let (after, step) = story.next();
    assert_eq!((after, story.now), (Span::minutes(15), until));
    assert_eq!(shows(&step), [(DESKTOP, "q1", None)]);
    assert!(reminders(&step).is_empty(), "the card rings itself");
    assert_eq!(story.desk.waiting(), 1);
    assert_eq!(
        story.next().0,
        Span::minutes(2),
        "reminders count from its end"
    );
}

#[test]
fn a_snooze_that_is_over_before_it_begins_is_none() {
    let mut story = Story::asked();
    let now = Some(story.now);
    let step = attend(&mut story, "q1", Attention::Snoozed { until: now });
    assert_eq!(withdraws(&step), []);
    assert_eq!(
        story.entry("q1").attention,
        Attention::Wanted { since: now }
    );
}

#[test]
fn a_snooze_until_the_human_is_back_outlasts_a_pause() {
    for presence in [Presence::Here, Presence::Locked] {
        let mut story = Story::asked();
        story.feed(Event::Said {
            said: PresenceOverride::Auto,
            until: None,
        });
        story.presence(Presence::Here);
        attend(&mut story, "q1", UNTIL_BACK);
        story.presence(presence);
        story.feed(Event::Pause(Some(story.now + Span::minutes(5))));
        story.feed(Event::ChannelDown(DESKTOP));
        story.wait(Span::minutes(5));
        assert_eq!(story.entry("q1").attention, UNTIL_BACK, "{presence:?}");
    }
}

#[test]
fn a_snooze_puts_off_the_phone_as_well() {
    let mut story = Story::asked();
    story.wait(Span::minutes(9));
    snoozed_for(&mut story, 15);
    let (_, step) = story.next();
    assert_eq!(shows(&step), [(DESKTOP, "q1", None)]);
    story.shown("q1", "h2");
    let (after, step) = story.next();
    assert_eq!(
        (after, shows(&step)),
        (Span::minutes(10), vec![(TELEGRAM, "q1", None)])
    );
}

#[test]
fn the_end_of_a_snooze_rings_the_phone_where_a_message_stands() {
    let mut story = Story::new();
    story.feed(Event::Said {
        said: PresenceOverride::Away,
        until: None,
    });
    story.ask(single("q1"));
    story.sent_as("q1", "7");
    snoozed_for(&mut story, 15);
    let (_, step) = story.next();
    assert_eq!(
        reminders(&step),
        [(TELEGRAM, "q1", Reminder::StillOpen, false)]
    );
}

#[test]
fn a_snooze_until_the_human_is_back_ends_when_they_come_back() {
    let mut story = Story::asked();
    story.feed(Event::Said {
        said: PresenceOverride::Auto,
        until: None,
    });
    story.presence(Presence::Here);
    attend(&mut story, "q1", UNTIL_BACK);
    story.withdrawn(DESKTOP, "q1");
    assert!(
        shows(&story.wait(Span::minutes(60))).is_empty(),
        "they have not left yet"
    );
    assert!(shows(&story.presence(Presence::Locked)).is_empty());
    assert!(shows(&story.wait(Span::minutes(60))).is_empty());
    let step = story.presence(Presence::Here);
    assert_eq!(shows(&step), [(DESKTOP, "q1", None)]);
    assert_eq!(
        story.entry("q1").attention,
        Attention::Wanted {
            since: Some(story.now)
        }
    );
}

#[test]
fn where_nobody_can_tell_that_they_are_back_it_rings_after_an_hour() {
    let mut story = Story::asked();
    story.feed(Event::Said {
        said: PresenceOverride::Auto,
        until: None,
    });
    story.presence(Presence::Here);
    attend(&mut story, "q1", UNTIL_BACK);
    story.withdrawn(DESKTOP, "q1");
    story.wait(Span::minutes(5));
    assert!(shows(&story.presence(Presence::Unknown)).is_empty());
    assert_eq!(story.next().0, Span::minutes(60));
    assert!(story.entry("q1").attention.is_wanted());
    attend(&mut story, "q1", UNTIL_BACK);
    assert_eq!(
        story.entry("q1").attention.wakes_at(),
        Some(story.now + Span::minutes(60))
    );
}

#[test]
fn who_says_that_they_are_here_is_not_waited_for_to_come_back() {
    let mut story = Story::asked();
    attend(&mut story, "q1", UNTIL_BACK);
    assert_eq!(
        story.entry("q1").attention.wakes_at(),
        Some(story.now + Span::minutes(60))
    );
}

#[test]
fn a_return_by_a_setting_ends_a_snooze_until_then() {
    let mut story = Story::asked();
    story.feed(Event::Said {
        said: PresenceOverride::Auto,
        until: None,
    });
    story.presence(Presence::Here);
    attend(&mut story, "q1", UNTIL_BACK);
    story.withdrawn(DESKTOP, "q1");
    story.presence(Presence::Locked);
    let step = story.set(|policy| policy.lock_is_away = false);
    assert_eq!(shows(&step), [(DESKTOP, "q1", None)]);
}

/// Returns a desk whose human is away, with a snoozed message on the phone.
fn snoozed_on_the_phone() -> (Story, Timestamp) {
    let mut story = Story::new();
    story.feed(Event::Said {
        said: PresenceOverride::Away,
        until: None,
    });
    story.ask(single("q1"));
    story.sent_as("q1", "7");
    let until = snoozed_for(&mut story, 15);
    (story, until)
}

#[test]
fn a_snooze_that_ends_in_a_pause_rings_the_phone_after_it() {
    let (mut story, _) = snoozed_on_the_phone();
    story.feed(Event::Pause(Some(story.now + Span::minutes(20))));
    assert!(reminders(&story.wait(Span::minutes(15))).is_empty());
    let step = story.wait(Span::minutes(5));
    assert_eq!(
        reminders(&step),
        [(TELEGRAM, "q1", Reminder::StillOpen, false)]
    );
    assert!(reminders(&story.feed(Event::Tick)).is_empty(), "once");
}

#[test]
fn a_snooze_that_ends_while_telegram_is_away_rings_when_it_is_back() {
    let (mut story, _) = snoozed_on_the_phone();
    story.feed(Event::ChannelDown(TELEGRAM));
    assert!(reminders(&story.wait(Span::minutes(15))).is_empty());
    let step = story.feed(Event::ChannelUp(TELEGRAM));
    assert_eq!(
        reminders(&step),
        [(TELEGRAM, "q1", Reminder::StillOpen, false)]
    );
}

#[test]
fn what_woke_at_the_desk_climbs_to_the_message_that_stood_silent() {
    let (mut story, _) = snoozed_on_the_phone();
    story.feed(Event::Said {
        said: PresenceOverride::Here,
        until: None,
    });
    let (_, step) = story.next();
    assert!(reminders(&step).is_empty() && !shows(&step).is_empty());
    story.shown("q1", "h9");
    let (after, step) = story.next();
    assert_eq!(after, Span::minutes(10));
    assert_eq!(
        reminders(&step),
        [(TELEGRAM, "q1", Reminder::StillOpen, false)]
    );
}

#[test]
fn one_more_that_asks_the_same_was_not_seen() {
    let mut story = Story::new();
    story.ask(permission("a"));
    story.shown("a", "h1");
    attend(&mut story, "a", Attention::Seen);
    story.withdrawn(DESKTOP, "a");
    let step = story.ask(permission("b"));
    assert_eq!(shows(&step), [(DESKTOP, "a", None)]);
    assert_eq!(story.entry("a").also_asked, 1);
}

#[test]
fn one_more_that_asks_the_same_puts_nothing_off() {
    let mut story = Story::new();
    story.ask(permission("a"));
    story.shown("a", "h1");
    story.wait(Span::minutes(9));
    story.ask(permission("b"));
    assert_eq!(story.next().0, Span::minutes(1), "to the phone, as before");
}

#[test]
fn what_is_said_of_one_that_stands_behind_holds_for_its_card() {
    let mut story = Story::new();
    story.ask(permission("a"));
    story.ask(permission("b"));
    story.feed(Event::Attend {
        ask: id("b"),
        attention: Attention::Seen,
        seen: None,
    });
    assert_eq!(story.entry("a").attention, Attention::Seen);
}

#[test]
fn a_message_says_which_of_the_two_it_is() {
    let (mut story, _) = snoozed_on_the_phone();
    attend(&mut story, "q1", Attention::Seen);
    let away = Attention::Snoozed { until: None };
    assert_eq!(updates(&attend(&mut story, "q1", away)), [(TELEGRAM, "q1")]);
}

#[test]
fn what_rings_already_is_not_put_off_by_saying_so() {
    let mut story = Story::asked();
    story.wait(Span::minutes(9));
    attend(&mut story, "q1", Attention::default());
    assert_eq!(story.next().0, Span::minutes(1), "to the phone, as before");
}

#[test]
fn a_snooze_survives_a_restart() {
    let mut story = Story::asked();
    let until = snoozed_for(&mut story, 15);
    let saved_at = story.now;
    story.now = story.now + Span::minutes(5);
    let saved = SavedState {
        entries: vec![stored(story.entry("q1"))],
        standing_at: Some(saved_at),
        ..SavedState::default()
    };
    story.restart_with(saved);
    story.feed(Event::ChannelUp(DESKTOP));
    let step = story.list(&[("q1", true)]);
    assert!(shows(&step).is_empty());
    let (_, step) = story.next();
    assert_eq!((story.now, shows(&step).len()), (until, 1));
}

#[test]
fn a_snooze_that_ended_while_beckon_was_off_rings_when_its_source_confirms_it() {
    let mut story = Story::asked();
    snoozed_for(&mut story, 15);
    let entry = stored(story.entry("q1"));
    story.now = story.now + Span::minutes(60);
    story.restart(vec![entry]);
    story.feed(Event::ChannelUp(DESKTOP));
    let step = story.list(&[("q1", true)]);
    assert_eq!(shows(&step).len(), 1);
    assert!(story.entry("q1").attention.is_wanted());
}

#[test]
fn a_clock_that_is_set_makes_a_snooze_neither_longer_nor_shorter() {
    for by in [Span::minutes(24 * 60), Span::minutes(-24 * 60)] {
        let mut story = Story::asked();
        snoozed_for(&mut story, 15);
        story.now = story.now + by;
        let step = story.feed(Event::ClockSet(by));
        assert!(shows(&step).is_empty());
        assert_eq!(story.next().0, Span::minutes(15));
    }
}

#[test]
fn a_snooze_that_was_saved_before_the_clock_was_set_back_is_as_long_as_it_was() {
    let mut story = Story::asked();
    snoozed_for(&mut story, 15);
    let (entries, saved_at) = (vec![stored(story.entry("q1"))], story.now);
    story.now = Timestamp(story.now.0 - Span::minutes(10).0);
    let standing_at = Some(saved_at);
    story.restart_with(SavedState {
        entries,
        standing_at,
        ..SavedState::default()
    });
    story.list(&[("q1", true)]);
    assert_eq!(story.next().0, Span::minutes(15));
}

#[test]
fn a_pause_holds_the_end_of_a_snooze_back() {
    let mut story = Story::asked();
    snoozed_for(&mut story, 15);
    story.feed(Event::Pause(Some(story.now + Span::minutes(20))));
    assert!(shows(&story.wait(Span::minutes(15))).is_empty());
    assert_eq!(
        shows(&story.wait(Span::minutes(5))),
        [(DESKTOP, "q1", None)]
    );
}

#[test]
fn the_warning_before_an_expiry_goes_before_what_was_said() {
    for attention in [Attention::Seen, UNTIL_BACK] {
        let mut story = Story::asked();
        story.set(|policy| policy.expire_after = Some(Span::minutes(30)));
        attend(&mut story, "q1", attention);
        story.withdrawn(DESKTOP, "q1");
        let (after, step) = story.next();
        assert_eq!(after, Span::minutes(25));
        assert_eq!(shows(&step)[0], (DESKTOP, "q1", None));
        assert!(story.entry("q1").attention.is_wanted());
    }
}

#[test]
fn an_answer_that_comes_back_rings_whatever_was_said_before() {
    let mut story = Story::asked();
    attend(&mut story, "q1", Attention::Seen);
    story.withdrawn(DESKTOP, "q1");
    story.answer("q1", choose(0), Surface::Window);
    let why = beckon_core::ReturnReason::Unauthorized;
    let failure = beckon_core::DeliveryFailure::Returned(why);
    let step = story.report(SourceReport::NotSent {
        own: "q1".into(),
        failure,
    });
    assert_eq!(shows(&step), [(DESKTOP, "q1", None)]);
}

#[test]
fn something_else_under_the_same_name_has_not_been_seen() {
    let mut story = Story::asked();
    attend(&mut story, "q1", Attention::Seen);
    story.withdrawn(DESKTOP, "q1");
    let step = story.ask(ask("q1", confirm("q1").kind));
    assert_eq!(shows(&step), [(DESKTOP, "q1", None)]);
}

#[test]
fn what_was_not_seen_is_not_set_aside() {
    let mut story = Story::asked();
    let seen = Some(confirm("q1").fingerprint());
    let attention = Attention::Seen;
    let step = story.feed(Event::Attend {
        ask: id("q1"),
        attention,
        seen,
    });
    assert_eq!(step.verdict, Some(Err(AnswerRefusal::Changed)));
    assert!(story.entry("q1").attention.is_wanted());
    story.answer("q1", choose(0), Surface::Window);
    let step = story.feed(Event::Attend {
        ask: id("q1"),
        attention,
        seen: None,
    });
    let by = Surface::Window;
    assert_eq!(step.verdict, Some(Err(AnswerRefusal::Answering { by })));
    let step = story.feed(Event::Attend {
        ask: id("q2"),
        attention,
        seen: None,
    });
    assert_eq!(step.verdict, Some(Err(AnswerRefusal::Unknown)));
}

#[test]
fn equal_permissions_are_set_aside_and_wake_together() {
    let mut story = Story::new();
    for own in ["a", "b"] {
        story.ask(permission(own));
    }
    story.shown("a", "h1");
    let until = story.now + Span::minutes(15);
    attend(&mut story, "a", Attention::Snoozed { until: Some(until) });
    story.withdrawn(DESKTOP, "a");
    assert_eq!(story.entry("b").attention, story.entry("a").attention);
    story.report(SourceReport::Rejected { own: "a".into() });
    assert_eq!(story.desk.waiting(), 0);
    let (_, step) = story.next();
    assert_eq!(
        (story.now, shows(&step)),
        (until, vec![(DESKTOP, "b", None)])
    );
}
