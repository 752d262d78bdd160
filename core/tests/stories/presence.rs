//! Stories of where it rings, and when that changes.

use crate::common::*;
use beckon_core::{
    Answer, Channel, Desk, Event, ForwardMode, Outcome, Policy, PolicyInput, Presence,
    PresenceOverride, PresenceReading, PresenceSource, PresenceState, RingTargets, SavedState,
    SourceReport, Span, Surface, Timestamp,
};

const TELEGRAM: Channel = Channel::Telegram;

#[test]
fn each_presence_rings_where_the_human_is() {
    let now = START + Span::minutes(4);
    let long_ago = Some(START + Span::minutes(1));
    let lately = Some(START + Span::minutes(2));
    let table = [
        (Presence::Here, None, false),
        (Presence::Here, long_ago, false),
        (Presence::Idle, lately, false),
        (Presence::Idle, long_ago, true),
        (Presence::Idle, None, true),
        (Presence::Locked, None, true),
        (Presence::Asleep, None, true),
        (Presence::Unknown, None, true),
    ];
    for (presence, last_input, away) in table {
        let ring = ring(Policy::default(), standing(presence, last_input), now);
        assert_eq!(
            ring,
            RingTargets {
                here: true,
                away,
                stays_here: true
            },
            "{presence:?} {last_input:?}"
        );
    }
}

#[test]
fn what_the_human_says_outweighs_every_reading() {
    for presence in [
        Presence::Here,
        Presence::Idle,
        Presence::Locked,
        Presence::Unknown,
    ] {
        for (said, forwarded) in [
            (PresenceOverride::Here, false),
            (PresenceOverride::Away, true),
        ] {
            let standing = PresenceState {
                said,
                ..standing(presence, None)
            };
            let ring = ring(Policy::default(), standing, START);
            assert_eq!(ring.away, forwarded, "{presence:?} {said:?}");
        }
    }
}

#[test]
fn a_locked_screen_is_not_away_when_the_settings_say_so() {
    let policy = Policy {
        lock_is_away: false,
        ..Policy::default()
    };
    assert!(!ring(policy, standing(Presence::Locked, None), START).away);
}

#[test]
fn whoever_locks_and_leaves_is_away_after_the_usual_time_where_a_lock_alone_means_nothing() {
    let mut story = at_the_desk();
    story.set(|policy| policy.lock_is_away = false);
    let left = story.now;
    let step = story.feed(reading(Presence::Locked, Some(left)));
    assert!(shows(&step).is_empty(), "a lock alone means nothing");
    let away_after = Policy::default().away_after;
    assert_eq!(story.desk.next_deadline(), Some(left + away_after));
    story.now = left + away_after;
    assert_eq!(shows(&story.feed(Event::Tick)), [(TELEGRAM, "q1", None)]);
}

#[test]
fn forwarding_can_be_always_or_never() {
    let away = PresenceState {
        said: PresenceOverride::Away,
        ..PresenceState::default()
    };
    let here = PresenceState {
        said: PresenceOverride::Here,
        ..PresenceState::default()
    };
    let with = |forward| Policy {
        forward,
        ..Policy::default()
    };
    assert!(ring(with(ForwardMode::Always), here, START).away);
    assert!(!ring(with(ForwardMode::Never), away, START + Span::minutes(60)).away);
}

#[test]
fn unknown_rings_everywhere_and_is_not_called_away() {
    let standing = standing(Presence::Unknown, None);
    assert!(!standing.away(START, Span::minutes(3), true));
    assert!(ring(Policy::default(), standing, START).away);
}

#[test]
fn asked_at_the_desk_and_then_left_is_forwarded_at_the_moment_of_leaving() {
    let mut story = at_the_desk();
    story.now = story.now + Span::minutes(1);
    let step = story.feed(reading(Presence::Locked, None));
    assert_eq!(shows(&step), [(TELEGRAM, "q1", None)]);
    assert!(withdraws(&step).is_empty(), "the notification stays");
}

#[test]
fn a_human_who_comes_back_finds_the_message_on_the_phone_and_new_asks_only_at_the_desk() {
    let mut story = at_the_desk();
    story.feed(reading(Presence::Locked, None));
    assert!(story.feed(reading(Presence::Here, None)).effects.is_empty());
    assert_eq!(
        shows(&story.ask(single("q2"))),
        [(Channel::Desktop, "q2", None)]
    );
}

#[test]
fn an_idle_human_is_away_when_the_time_is_up_and_a_deadline_says_when() {
    let mut story = at_the_desk();
    let last_input = story.now;
    story.now = story.now + Span::seconds(60);
    assert!(shows(&story.feed(reading(Presence::Idle, Some(last_input)))).is_empty());
    let (after, step) = story.next();
    assert_eq!(after, Span::minutes(2));
    assert_eq!(shows(&step), [(TELEGRAM, "q1", None)]);
    assert!(story.desk.view(story.now).presence.away);
}

#[test]
fn an_idle_human_who_returns_in_time_has_no_deadline_of_leaving() {
    let mut story = at_the_desk();
    story.feed(reading(Presence::Idle, Some(story.now)));
    story.feed(reading(Presence::Here, None));
    let (after, _) = story.next();
    assert_eq!(after, Span::minutes(10), "only the escalation is left");
}

#[test]
fn an_ask_unanswered_at_the_desk_climbs_to_telegram() {
    let mut story = at_the_desk();
    assert_eq!(story.desk.next_deadline(), Some(START + Span::minutes(10)));
    assert!(shows(&story.wait(Span::millis(599_999))).is_empty());
    let (after, step) = story.next();
    assert_eq!(after, Span::millis(1));
    assert_eq!(shows(&step), [(TELEGRAM, "q1", None)]);
    assert_eq!(story.desk.next_deadline(), None, "nothing more is due");
}

#[test]
fn an_escalated_ask_stays_on_the_phone_also_when_the_human_is_here() {
    let mut story = at_the_desk();
    story.next();
    assert!(withdraws(&story.feed(reading(Presence::Here, None))).is_empty());
}

#[test]
fn escalation_can_be_turned_off_at_any_time() {
    let mut story = at_the_desk();
    let policy = Policy {
        escalate_after: None,
        ..Policy::default()
    };
    story.feed(Event::Policy(policy));
    assert_eq!(story.desk.next_deadline(), None);
}

#[test]
fn a_setting_applies_at_once_to_what_is_open() {
    let mut story = at_the_desk();
    let step = story.feed(Event::Policy(Policy {
        forward: ForwardMode::Always,
        ..Policy::default()
    }));
    assert_eq!(shows(&step), [(TELEGRAM, "q1", None)]);
}

#[test]
fn silence_is_never_an_answer() {
    let mut story = at_the_desk();
    let step = story.wait(Span::minutes(60 * 24 * 30));
    assert!(deliveries(&step).is_empty() && story.is_open("q1"));
}

#[test]
fn an_expired_ask_is_rejected_at_its_source_and_ends_as_expired() {
    let mut story = expiring();
    story.next();
    let (_, step) = story.next();
    assert_eq!(story.now, START + Span::minutes(5));
    assert_eq!(deliveries(&step), [("q1", &Answer::Dismiss)]);
    assert_eq!(withdraws(&step).len(), 1);
    let late = story.answer("q1", choose(0), Surface::Telegram);
    let refused = beckon_core::AnswerRefusal::Answering { by: Surface::Clock };
    assert_eq!(late.verdict, Some(Err(refused)));
    story.report(SourceReport::Rejected { own: "q1".into() });
    assert_eq!(story.outcome("q1"), Outcome::Expired);
}

#[test]
fn an_answer_given_in_time_does_not_expire() {
    let mut story = expiring();
    story.answer("q1", choose(0), Surface::Cli);
    story.fails("q1");
    let step = story.wait(Span::minutes(60));
    assert_eq!(deliveries(&step), [("q1", &choose(0))]);
}

#[test]
fn permissions_and_confirms_do_not_expire() {
    let mut story = expiring();
    story.ask(permission("p1"));
    story.ask(confirm("c1"));
    story.wait(Span::minutes(60));
    assert!(story.is_open("p1") && story.is_open("c1"));
}

#[test]
fn an_expiry_that_came_while_beckon_was_down_is_made_up_for() {
    let mut story = expiring();
    let entry = stored(story.entry("q1"));
    story.now = story.now + Span::minutes(60);
    story.restart(vec![entry]);
    assert_eq!(
        deliveries(&story.feed(Event::Tick)),
        [("q1", &Answer::Dismiss)]
    );
}

#[test]
fn what_the_human_said_and_the_pause_are_saved_and_come_back() {
    let mut story = Story::asked();
    let until = Some(story.now + Span::minutes(5));
    let step = story.feed(Event::Said {
        said: PresenceOverride::Away,
        until: None,
    });
    let saved = beckon_core::RowChange::Standing {
        said: PresenceOverride::Away,
        said_until: None,
        paused_until: None,
    };
    assert!(step.save.contains(&saved));
    let saved = SavedState {
        said: PresenceOverride::Away,
        paused_until: until,
        ..SavedState::default()
    };
    story.restart_with(saved);
    let view = story.desk.view(story.now);
    assert!(view.presence.away);
    assert_eq!(
        (view.paused_until, story.desk.next_deadline()),
        (until, until)
    );
}

#[test]
fn an_empty_desk_wants_nothing() {
    let mut story = Story::new();
    assert_eq!(story.desk.next_deadline(), None);
    story.ask(single("q1"));
    story.replied("q1", "Red");
    assert_eq!(story.desk.next_deadline(), None);
}

fn at_the_desk() -> Story {
    let mut story = Story::asked();
    story.feed(reading(Presence::Here, None));
    story.feed(Event::Said {
        said: PresenceOverride::Auto,
        until: None,
    });
    story
}

fn expiring() -> Story {
    let mut story = Story::new();
    story.policy = Policy {
        expire_after: Some(Span::minutes(5)),
        ..Policy::default()
    };
    story.feed(Event::Policy(story.policy));
    story.ask(single("q1"));
    story
}

/// Returns where an ask of [`START`] rings.
fn ring(policy: Policy, standing: PresenceState, now: Timestamp) -> RingTargets {
    let away = standing.away(now, policy.away_after, policy.lock_is_away);
    let situation = PolicyInput {
        away,
        unknown: standing.unknown(),
        ..PolicyInput::default()
    };
    policy.ring(START, &situation, now)
}

fn standing(presence: Presence, last_input: Option<Timestamp>) -> PresenceState {
    let reading = PresenceReading {
        presence,
        evidence: PresenceSource::X11,
        last_input,
    };
    PresenceState {
        reading,
        said: PresenceOverride::Auto,
    }
}

fn reading(presence: Presence, last_input: Option<Timestamp>) -> Event {
    Event::Presence(standing(presence, last_input).reading)
}

#[test]
fn words_that_ask_nothing_are_told_where_the_human_is_and_nowhere_in_a_pause() {
    let mut desk = Desk::new(Policy::default());
    assert_eq!(desk.tells_on(START), None, "nothing works yet");
    desk.handle(Event::ChannelUp(TELEGRAM), START);
    assert_eq!(
        desk.tells_on(START),
        Some(TELEGRAM),
        "better there than nowhere"
    );
    desk.handle(Event::ChannelUp(Channel::Desktop), START);
    desk.handle(
        Event::Said {
            said: PresenceOverride::Here,
            until: None,
        },
        START,
    );
    assert_eq!(desk.tells_on(START), Some(Channel::Desktop));
    desk.handle(
        Event::Said {
            said: PresenceOverride::Away,
            until: None,
        },
        START,
    );
    assert_eq!(desk.tells_on(START), Some(TELEGRAM));
    desk.handle(
        Event::Policy(Policy {
            forward: ForwardMode::Never,
            ..Policy::default()
        }),
        START,
    );
    assert_eq!(desk.tells_on(START), Some(Channel::Desktop));
    desk.handle(Event::Pause(Some(START + Span::minutes(5))), START);
    assert_eq!(desk.tells_on(START), None);
}
