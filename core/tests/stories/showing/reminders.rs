//! Stories of ringing once more: reminders, the warning before an expiry, and the hours in which it
//! is silent.

use crate::common::*;
use beckon_core::{
    Channel, Effect, Event, ForwardMode, Policy, Presence, PresenceOverride, QuietHours, Reminder,
    RowChange, SourceReport, Span, Surface, Timestamp,
};

const DESKTOP: Channel = Channel::Desktop;
const TELEGRAM: Channel = Channel::Telegram;
const OPEN: Reminder = Reminder::StillOpen;

#[test]
fn without_the_setting_nobody_is_reminded() {
    let mut story = Story::asked();
    assert!(reminders(&story.wait(Span::minutes(60 * 24))).is_empty());
}

#[test]
fn an_interval_of_nothing_reminds_nobody() {
    let mut story = Story::new();
    story.set(|policy| policy.remind_every = Some(Span::millis(0)));
    story.ask(single("q1"));
    assert!(reminders(&story.wait(Span::minutes(60))).is_empty());
}

#[test]
fn what_falls_due_in_a_pause_is_looked_at_once_and_waits_for_its_end() {
    let mut story = Story::new();
    let until = story.now + Span::minutes(60);
    story.feed(Event::Pause(Some(until)));
    story.ask(single("q1"));
    assert!(shows(&story.wait(Span::minutes(10))).is_empty());
    assert_eq!(story.desk.next_deadline(), Some(until));
}

#[test]
fn an_open_ask_rings_again_every_so_long_where_it_rings() {
    let mut story = reminding();
    for _ in 0..3 {
        let (after, step) = story.next();
        assert_eq!(after, Span::minutes(2));
        assert_eq!(reminders(&step), [(DESKTOP, "q1", OPEN, false)]);
        assert!(reminders(&story.feed(Event::Tick)).is_empty());
    }
}

#[test]
fn an_answered_ask_is_not_reminded_of() {
    let mut story = reminding();
    story.answer("q1", choose(0), Surface::Cli);
    story.sent("q1");
    story.replied("q1", "Red");
    assert_eq!(story.desk.next_deadline(), None);
}

#[test]
fn reminders_follow_the_human_to_the_phone_and_back() {
    let mut story = reminding();
    story.presence(Presence::Locked);
    let (_, step) = story.next();
    assert_eq!(
        reminders(&step),
        [(DESKTOP, "q1", OPEN, false), (TELEGRAM, "q1", OPEN, false)]
    );
    story.presence(Presence::Here);
    let (_, step) = story.next();
    assert_eq!(reminders(&step), [(DESKTOP, "q1", OPEN, false)]);
}

#[test]
fn an_escalated_ask_is_reminded_of_on_both() {
    let mut story = reminding();
    story.set(|policy| policy.escalate_after = Some(Span::minutes(3)));
    story.wait(Span::minutes(3));
    let (_, step) = story.next();
    assert_eq!(reminders(&step).len(), 2);
}

#[test]
fn never_holds_for_reminders_too() {
    let mut story = reminding();
    story.presence(Presence::Locked);
    story.set(|policy| policy.forward = ForwardMode::Never);
    let (_, step) = story.next();
    assert_eq!(reminders(&step), [(DESKTOP, "q1", OPEN, false)]);
}

#[test]
fn a_sleep_leaves_one_reminder_and_no_burst() {
    let mut story = reminding();
    let step = story.wait(Span::minutes(61));
    assert_eq!(reminders(&step), [(DESKTOP, "q1", OPEN, false)]);
    let (after, _) = story.next();
    assert_eq!(after, Span::minutes(1), "the next whole multiple");
}

#[test]
fn a_restart_leaves_one_reminder_at_most() {
    let mut story = reminding();
    story.next();
    let entry = stored(story.entry("q1"));
    story.restart(vec![entry]);
    story.feed(Event::ChannelUp(DESKTOP));
    story.list(&[("q1", true)]);
    assert!(
        reminders(&story.feed(Event::Tick)).is_empty(),
        "that one was given before"
    );
    let entry = stored(story.entry("q1"));
    story.now = story.now + Span::minutes(9);
    story.restart(vec![entry]);
    story.feed(Event::ChannelUp(DESKTOP));
    let step = story.list(&[("q1", true)]);
    assert_eq!(shows(&step).len(), 1);
    assert!(reminders(&step).is_empty(), "the card rings itself");
    let (after, step) = story.next();
    assert_eq!((after, reminders(&step).len()), (Span::minutes(1), 1));
}

#[test]
fn a_pause_holds_reminders_back_and_its_end_does_not_ring_twice() {
    let mut story = reminding();
    story.feed(Event::Pause(Some(story.now + Span::minutes(5))));
    assert!(reminders(&story.wait(Span::minutes(4))).is_empty());
    let step = story.wait(Span::minutes(1));
    assert_eq!(shows(&step).len(), 1);
    assert!(reminders(&step).is_empty());
    assert_eq!(story.next().0, Span::minutes(1));
}

#[test]
fn a_session_that_fell_silent_is_not_reminded_of() {
    let mut story = reminding();
    story.report(SourceReport::SessionQuiet {
        session: "ses".into(),
    });
    assert!(reminders(&story.wait(Span::minutes(2))).is_empty());
    let step = story.list(&[("q1", true)]);
    assert_eq!((shows(&step).len(), reminders(&step).len()), (1, 0));
}

#[test]
fn a_reminder_brings_a_closed_notification_back() {
    let mut story = reminding();
    story.closed("q1");
    let (_, step) = story.next();
    assert_eq!(shows(&step), [(DESKTOP, "q1", None)]);
    assert!(reminders(&step).is_empty());
}

#[test]
fn a_new_interval_applies_to_what_is_open() {
    let mut story = reminding();
    story.set(|policy| policy.remind_every = Some(Span::minutes(30)));
    assert_eq!(story.next().0, Span::minutes(30));
}

#[test]
fn an_expiry_is_warned_of_once_on_every_card() {
    let mut story = expiring(60);
    story.presence(Presence::Locked);
    story.presence(Presence::Here);
    let (_, step) = story.next();
    let expires = START + Span::minutes(60);
    assert_eq!(story.now, START + Span::minutes(55));
    let reminder = Reminder::ExpiresAt(expires);
    assert_eq!(
        reminders(&step),
        [
            (DESKTOP, "q1", reminder, false),
            (TELEGRAM, "q1", reminder, false)
        ]
    );
    let entry = stored(story.entry("q1"));
    story.restart(vec![entry]);
    story.feed(Event::ChannelUp(DESKTOP));
    let step = story.list(&[("q1", true)]);
    assert!(reminders(&step).is_empty());
    assert_eq!(story.desk.next_deadline(), Some(expires));
}

#[test]
fn a_short_expiry_is_warned_of_with_a_sixth_of_its_time_left() {
    let mut story = expiring(6);
    let (after, step) = story.next();
    assert_eq!((after, reminders(&step).len()), (Span::minutes(5), 1));
}

#[test]
fn an_expiry_that_is_over_is_not_warned_of() {
    let mut story = expiring(60);
    let step = story.wait(Span::minutes(61));
    assert_eq!((deliveries(&step).len(), reminders(&step).len()), (1, 0));
}

#[test]
fn a_warning_and_a_reminder_at_once_are_one() {
    let mut story = expiring(60);
    story.set(|policy| policy.remind_every = Some(Span::minutes(55)));
    let (_, step) = story.next();
    assert!(matches!(
        reminders(&step)[..],
        [(DESKTOP, "q1", Reminder::ExpiresAt(_), false)]
    ));
    assert!(reminders(&story.list(&[("q1", true)])).is_empty());
    assert_eq!(story.next().0, Span::minutes(5), "the expiry itself");
}

#[test]
fn only_questions_expire_and_are_warned_of() {
    let mut story = expiring(60);
    story.replied("q1", "Red");
    story.ask(permission("p1"));
    story.ask(confirm("c1"));
    assert_eq!(story.desk.next_deadline(), None);
    assert!(reminders(&story.wait(Span::minutes(120))).is_empty());
    assert!(story.is_open("p1") && story.is_open("c1"));
}

#[test]
fn in_quiet_hours_telegram_makes_no_sound_and_the_desktop_does_as_always() {
    let mut story = reminding();
    story.set(|policy| policy.quiet = Some(QuietHours { from: 0, to: 60 }));
    let step = story.presence(Presence::Locked);
    assert_eq!(sounds(&step), [(TELEGRAM, true)]);
    let (_, step) = story.next();
    assert_eq!(
        reminders(&step),
        [(DESKTOP, "q1", OPEN, false), (TELEGRAM, "q1", OPEN, true)]
    );
    let step = story.ask(single("q2"));
    assert_eq!(sounds(&step), [(DESKTOP, false), (TELEGRAM, true)]);
}

#[test]
fn quiet_hours_are_those_of_the_local_day_and_may_go_over_midnight() {
    let night = Some(QuietHours {
        from: 23 * 60,
        to: 7 * 60 + 30,
    });
    let east = Policy {
        quiet: night,
        utc_offset: Span::minutes(60),
        ..Policy::default()
    };
    let west = Policy {
        utc_offset: Span::minutes(-60),
        ..east
    };
    let at = |minute: i64| Timestamp(0) + Span::minutes(20_000 * 24 * 60 + minute);
    let table = [
        (east, 21 * 60 + 59, false),
        (east, 22 * 60, true),
        (east, 0, true),
        (east, 6 * 60 + 29, true),
        (east, 6 * 60 + 30, false),
        (west, 23 * 60 + 59, false),
        (west, 0, true),
        (west, 8 * 60 + 29, true),
        (west, 8 * 60 + 30, false),
        (Policy::default(), 0, false),
    ];
    for (policy, minute, quiet) in table {
        assert_eq!(
            policy.is_quiet(at(minute)),
            quiet,
            "{minute} {:?}",
            policy.utc_offset
        );
    }
}

#[test]
fn quiet_hours_within_a_day_end_with_their_last_minute_and_empty_ones_are_never() {
    let noon = QuietHours { from: 720, to: 780 };
    let contained: Vec<u16> = (0..1440).filter(|minute| noon.contains(*minute)).collect();
    assert_eq!(contained, (720..780).collect::<Vec<_>>());
    let empty = QuietHours { from: 720, to: 720 };
    assert!((0..1440).all(|minute| !empty.contains(minute)));
}

#[test]
fn the_times_without_a_sound_are_quiet_hours_and_a_pause() {
    let mut story = Story::asked();
    let hour = QuietHours { from: 0, to: 60 };
    story.set(|policy| policy.quiet = Some(hour));
    let at = |minute| Timestamp(0) + Span::minutes(minute);
    story.feed(Event::Pause(Some(at(90))));
    let times = story.desk.quiet_times();
    assert!(times.covers(at(59)) && times.covers(at(89)));
    assert!(!times.covers(at(90)));
    let next_day = 24 * 60;
    assert!(times.covers(at(next_day + 59)) && !times.covers(at(next_day + 60)));
    story.feed(Event::Pause(None));
    assert_eq!(story.desk.quiet_times().paused_until, None);
}

#[test]
fn the_end_of_quiet_hours_does_not_ring_again() {
    let mut story = Story::asked();
    story.set(|policy| policy.quiet = Some(QuietHours { from: 0, to: 60 }));
    story.feed(Event::Said {
        said: PresenceOverride::Away,
        until: None,
    });
    let step = story.wait(Span::minutes(60));
    assert!(shows(&step).is_empty() && reminders(&step).is_empty());
}

#[test]
fn a_reminder_is_saved_before_it_rings() {
    let saved = |step: &beckon_core::Step| {
        let entry = step.save.iter().find_map(|row| match row {
            RowChange::Ask(entry) => Some((entry.reminded_at, entry.warned_at)),
            _ => None,
        });
        entry.expect("it is saved")
    };
    let mut story = reminding();
    let (_, step) = story.next();
    assert_eq!(saved(&step), (Some(story.now), None));
    let mut story = expiring(60);
    let (_, step) = story.next();
    assert_eq!(saved(&step), (Some(story.now), Some(story.now)));
}

#[test]
fn a_message_that_is_sent_when_a_reminder_is_due_is_reminder_enough() {
    let mut story = reminding();
    story.set(|policy| policy.escalate_after = Some(Span::minutes(2)));
    let (_, step) = story.next();
    assert_eq!(shows(&step), [(TELEGRAM, "q1", None)]);
    assert_eq!(reminders(&step), [(DESKTOP, "q1", OPEN, false)]);
}

#[test]
fn what_was_missed_in_a_pause_or_while_beckon_was_down_is_made_up_for_on_the_phone() {
    let mut story = reminding();
    story.presence(Presence::Locked);
    story.sent_as("q1", "m1");
    story.feed(Event::Pause(Some(story.now + Span::minutes(5))));
    assert!(reminders(&story.wait(Span::minutes(4))).is_empty());
    assert_eq!(
        reminders(&story.wait(Span::minutes(1))),
        [(TELEGRAM, "q1", OPEN, false)]
    );
    let entries = vec![stored(story.entry("q1"))];
    story.now = story.now + Span::minutes(3);
    let said = PresenceOverride::Away;
    story.restart_with(beckon_core::SavedState {
        said,
        entries,
        ..Default::default()
    });
    story.feed(Event::ChannelUp(TELEGRAM));
    assert!(
        story.feed(Event::Tick).save.is_empty(),
        "its source has not confirmed it yet"
    );
    assert_eq!(
        reminders(&story.list(&[("q1", true)])),
        [(TELEGRAM, "q1", OPEN, false)]
    );
}

#[test]
fn only_channels_that_work_are_asked_to_ring_again() {
    let mut story = reminding();
    story.feed(Event::ChannelDown(DESKTOP));
    let (_, step) = story.next();
    assert_eq!(reminders(&step), [(TELEGRAM, "q1", OPEN, false)]);
}

#[test]
fn an_ask_that_is_open_after_all_has_just_rung() {
    let mut story = reminding();
    story.presence(Presence::Locked);
    story.sent_as("q1", "m1");
    assert_eq!(reminders(&story.next().1).len(), 2);
    story.list(&[]);
    story.now = story.now + Span::minutes(1);
    let step = story.list(&[("q1", true)]);
    assert_eq!((shows(&step).len(), reminders(&step).len()), (2, 0));
    assert_eq!(story.next().0, Span::minutes(1));
}

#[test]
fn a_warning_goes_to_a_message_also_after_an_outage_while_the_human_is_at_the_desk() {
    let mut story = warned();
    story.feed(Event::ChannelDown(TELEGRAM));
    story.feed(Event::ChannelUp(TELEGRAM));
    let (_, step) = story.next();
    assert_eq!(warnings(&step), [(DESKTOP, false), (TELEGRAM, false)]);
}

#[test]
fn a_warning_is_silent_in_a_pause_and_skips_what_the_human_closed_or_never_wants() {
    let mut story = warned();
    story.feed(Event::Pause(Some(story.now + Span::minutes(120))));
    assert_eq!(warnings(&story.next().1), [(TELEGRAM, true)]);
    let mut story = warned();
    story.closed("q1");
    assert_eq!(warnings(&story.next().1), [(TELEGRAM, false)]);
    let mut story = warned();
    story.set(|policy| policy.forward = ForwardMode::Never);
    assert_eq!(warnings(&story.next().1), [(DESKTOP, false)]);
}

#[test]
fn a_session_that_fell_silent_is_not_warned_of_before_it_is_busy_again() {
    let mut story = warned();
    story.report(SourceReport::SessionQuiet {
        session: "ses".into(),
    });
    assert!(warnings(&story.wait(Span::minutes(56))).is_empty());
    assert_eq!(
        warnings(&story.list(&[("q1", true)])),
        [(DESKTOP, false), (TELEGRAM, false)]
    );
}

/// Every card of an ask says the same about its expiry.
#[test]
fn a_card_that_comes_after_the_warning_says_when_its_ask_expires_too() {
    let mut story = expiring(60);
    story.set(|policy| policy.escalate_after = None);
    story.presence(Presence::Here);
    let step = story.wait(Span::minutes(55));
    assert_eq!(warnings(&step), [(DESKTOP, false)]);
    let step = story.presence(Presence::Locked);
    assert_eq!(
        expiries(&step),
        [(TELEGRAM, Some(START + Span::minutes(60)))]
    );
    let by = Span::minutes(120);
    story.now = story.now + by;
    let step = story.feed(Event::ClockSet(by));
    assert_eq!(
        expiries(&step),
        [(TELEGRAM, Some(START + Span::minutes(180)))]
    );
    let step = story.set(|policy| policy.expire_after = None);
    assert_eq!(expiries(&step), [(TELEGRAM, None)]);
}

#[test]
fn a_card_that_comes_before_the_warning_does_not_say_when_its_ask_expires() {
    let mut story = expiring(60);
    let step = story.presence(Presence::Locked);
    assert!(expiries(&step).iter().all(|(_, expires)| expires.is_none()));
}

fn reminding() -> Story {
    let mut story = Story::asked();
    story.presence(Presence::Here);
    story.feed(Event::Said {
        said: PresenceOverride::Auto,
        until: None,
    });
    story.set(|policy| {
        policy.remind_every = Some(Span::minutes(2));
        policy.escalate_after = None;
    });
    story
}

fn expiring(minutes: i64) -> Story {
    let mut story = reminding();
    story.set(|policy| {
        policy.remind_every = None;
        policy.expire_after = Some(Span::minutes(minutes));
    });
    story
}

/// Returns a desk with one question that expires in an hour, on both channels, with the human back
/// at the desk.
fn warned() -> Story {
    let mut story = expiring(60);
    story.presence(Presence::Locked);
    story.presence(Presence::Here);
    story.sent_as("q1", "m1");
    story
}

fn warnings(step: &beckon_core::Step) -> Vec<(Channel, bool)> {
    let reminders = reminders(step).into_iter();
    let warning = reminders.filter(|(.., reminder, _)| matches!(reminder, Reminder::ExpiresAt(_)));
    warning
        .map(|(channel, _, _, silent)| (channel, silent))
        .collect()
}

/// Returns the cards that are shown, and whether they are silent.
fn sounds(step: &beckon_core::Step) -> Vec<(Channel, bool)> {
    let show = step.effects.iter().filter_map(|effect| match effect {
        Effect::Show {
            channel, silent, ..
        } => Some((*channel, *silent)),
        _ => None,
    });
    show.collect()
}

/// Returns the expiry that each shown or redrawn card tells.
fn expiries(step: &beckon_core::Step) -> Vec<(Channel, Option<Timestamp>)> {
    let drawn = step.effects.iter().filter_map(|effect| match effect {
        Effect::Show { channel, entry, .. } | Effect::Update { channel, entry } => {
            Some((*channel, entry.expires))
        }
        _ => None,
    });
    drawn.collect()
}
