//! Stories of leaving the desk and coming back, the human's own word about that, and the messages
//! about finished turns.

use crate::common::*;
use beckon_core::{
    AskState, Channel, Effect, Event, FinishedTurn, ForwardMode, News, Presence, PresenceOverride,
    RowChange, SavedState, Session, SourceReport, Span, Step, Surface, TurnEnd,
};

const DESKTOP: Channel = Channel::Desktop;
const TELEGRAM: Channel = Channel::Telegram;

#[test]
fn a_closed_notification_is_shown_again_on_return() {
    let mut story = at_the_desk();
    story.closed("q1");
    story.presence(Presence::Locked);
    let step = story.presence(Presence::Here);
    assert_eq!(shows(&step), [(DESKTOP, "q1", None)]);
    let row = RowChange::Card {
        ask: id("q1"),
        serial: Some(1),
        channel: DESKTOP,
        handle: None,
        closed: false,
    };
    assert!(step.save.contains(&row));
    assert!(shows(&story.presence(Presence::Here)).is_empty());
}

#[test]
fn a_return_rings_for_nothing_that_still_stands() {
    let mut story = at_the_desk();
    story.presence(Presence::Locked);
    assert!(story.presence(Presence::Here).effects.is_empty());
    story.presence(Presence::Locked);
    assert!(
        story.presence(Presence::Here).effects.is_empty(),
        "nor a second time on the phone"
    );
}

#[test]
fn a_return_in_a_pause_shows_the_closed_notification_when_the_pause_is_over() {
    let mut story = at_the_desk();
    story.closed("q1");
    story.presence(Presence::Locked);
    story.feed(Event::Pause(Some(story.now + Span::minutes(5))));
    let step = story.presence(Presence::Here);
    assert!(shows(&step).is_empty());
    assert!(step.save.contains(&RowChange::NoCard {
        ask: id("q1"),
        channel: DESKTOP
    }));
    assert_eq!(
        shows(&story.wait(Span::minutes(5))),
        [(DESKTOP, "q1", None)]
    );
}

#[test]
fn an_idle_human_who_was_not_yet_away_has_not_returned() {
    let mut story = at_the_desk();
    story.closed("q1");
    story.feed(reading(Presence::Idle, Some(story.now)));
    story.now = story.now + Span::minutes(1);
    assert!(shows(&story.presence(Presence::Here)).is_empty());
}

#[test]
fn a_closed_notification_stays_closed_after_a_restart_of_beckon_or_of_the_daemon() {
    let mut story = at_the_desk();
    let step = story.closed("q1");
    let row = RowChange::Card {
        ask: id("q1"),
        serial: Some(1),
        channel: DESKTOP,
        handle: None,
        closed: true,
    };
    assert_eq!(step.save, [row]);
    story.feed(Event::ChannelDown(DESKTOP));
    assert!(shows(&story.feed(Event::ChannelUp(DESKTOP))).is_empty());
    let entry = stored(story.entry("q1"));
    story.restart(vec![entry]);
    story.list(&[("q1", true)]);
    assert!(shows(&story.feed(Event::ChannelUp(DESKTOP))).is_empty());
    story.presence(Presence::Locked);
    assert_eq!(
        shows(&story.presence(Presence::Here)),
        [(DESKTOP, "q1", None)]
    );
}

#[test]
fn a_return_is_noticed_although_beckon_was_started_again_in_between() {
    let mut story = at_the_desk();
    story.closed("q1");
    let entries = vec![stored(story.entry("q1"))];
    story.restart_with(SavedState {
        entries,
        said: PresenceOverride::Away,
        ..SavedState::default()
    });
    story.list(&[("q1", true)]);
    story.feed(Event::Said {
        said: PresenceOverride::Here,
        until: None,
    });
    assert_eq!(
        shows(&story.feed(Event::ChannelUp(DESKTOP))),
        [(DESKTOP, "q1", None)]
    );
}

#[test]
fn a_closed_notification_needs_no_withdrawal() {
    let mut story = at_the_desk();
    story.closed("q1");
    let step = story.replied("q1", "Red");
    assert!(withdraws(&step).is_empty());
    assert!(step.save.contains(&RowChange::NoCard {
        ask: id("q1"),
        channel: DESKTOP
    }));
}

#[test]
fn a_card_that_comes_up_after_another_was_closed_is_not_closed() {
    let mut paused = at_the_desk();
    paused.closed("q1");
    paused.feed(Event::Pause(Some(paused.now + Span::minutes(5))));
    assert_eq!(
        withdraws(&paused.shown("q1", "h2")),
        [(DESKTOP, "q1", Some("h2"))]
    );
    let mut story = at_the_desk();
    story.closed("q1");
    story.shown("q1", "h2");
    let step = story.replied("q1", "Red");
    assert_eq!(withdraws(&step), [(DESKTOP, "q1", Some("h2"))]);
}

#[test]
fn when_notifications_are_known_not_to_work_telegram_rings() {
    let mut story = at_the_desk();
    let step = story.feed(Event::ChannelDown(DESKTOP));
    assert_eq!(shows(&step), [(TELEGRAM, "q1", None)]);
    assert_eq!(shows(&story.ask(single("q2"))), [(TELEGRAM, "q2", None)]);
    let step = story.feed(Event::ChannelUp(DESKTOP));
    assert!(shows(&step).iter().all(|(channel, ..)| *channel == DESKTOP));
    assert_eq!(shows(&story.ask(single("q3"))), [(DESKTOP, "q3", None)]);
}

#[test]
fn notifications_that_were_not_heard_of_yet_are_not_known_to_fail() {
    let mut story = Story::with(beckon_core::Policy::default());
    story.presence(Presence::Here);
    story.feed(Event::ChannelUp(TELEGRAM));
    assert!(shows(&story.ask(single("q1"))).is_empty());
}

#[test]
fn a_policy_of_never_holds_also_without_notifications() {
    let mut story = at_the_desk();
    story.set(|policy| policy.forward = ForwardMode::Never);
    assert!(shows(&story.feed(Event::ChannelDown(DESKTOP))).is_empty());
}

#[test]
fn what_the_human_said_for_a_while_ends_by_itself_and_is_saved_with_its_end() {
    let mut story = at_the_desk();
    let until = story.now + Span::minutes(60);
    let step = story.feed(Event::Said {
        said: PresenceOverride::Away,
        until: Some(until),
    });
    assert_eq!(standing(&step), Some((PresenceOverride::Away, Some(until))));
    assert_eq!(shows(&step), [(TELEGRAM, "q1", None)]);
    let view = story.desk.view(story.now).presence;
    assert_eq!((view.away, view.said_until), (true, Some(until)));
    let step = story.wait(Span::minutes(60));
    assert_eq!(standing(&step), Some((PresenceOverride::Auto, None)));
    assert!(step.news.contains(&News::Standing));
    let view = story.desk.view(story.now).presence;
    assert_eq!(
        (view.away, view.said_until, view.standing.said),
        (false, None, PresenceOverride::Auto)
    );
    assert_eq!(shows(&story.ask(single("q2"))), [(DESKTOP, "q2", None)]);
}

#[test]
fn what_the_human_said_for_a_while_survives_a_restart_and_not_its_end() {
    let mut story = at_the_desk();
    let until = Some(story.now + Span::minutes(60));
    let saved = SavedState {
        said: PresenceOverride::Away,
        said_until: until,
        ..SavedState::default()
    };
    story.restart_with(saved.clone());
    assert!(story.desk.view(story.now).presence.away);
    assert_eq!(story.desk.next_deadline(), until);
    story.now = story.now + Span::minutes(61);
    story.restart_with(saved);
    assert!(!story.desk.view(story.now).presence.away);
    assert_eq!(
        standing(&story.feed(Event::Tick)),
        Some((PresenceOverride::Auto, None))
    );
}

#[test]
fn an_hour_away_that_ends_while_an_ask_is_open_is_a_return_to_the_desk() {
    let mut story = at_the_desk();
    story.closed("q1");
    let until = Some(story.now + Span::minutes(60));
    story.feed(Event::Said {
        said: PresenceOverride::Away,
        until,
    });
    story.sent_as("q1", "m1");
    let (span, step) = story.next();
    assert_eq!(
        (span, standing(&step)),
        (Span::minutes(60), Some((PresenceOverride::Auto, None)))
    );
    assert_eq!(shows(&step), [(DESKTOP, "q1", None)]);
}

#[test]
fn an_hour_here_that_ends_at_a_locked_screen_is_a_leaving() {
    let mut story = at_the_desk();
    story.set(|policy| policy.escalate_after = None);
    let until = Some(story.now + Span::minutes(60));
    story.feed(Event::Said {
        said: PresenceOverride::Here,
        until,
    });
    assert!(shows(&story.presence(Presence::Locked)).is_empty());
    let (span, step) = story.next();
    assert_eq!(
        (span, shows(&step)),
        (Span::minutes(60), vec![(TELEGRAM, "q1", None)])
    );
}

#[test]
fn an_hour_away_goes_on_over_a_restart_and_ends_for_the_asks_that_were_open() {
    let mut story = at_the_desk();
    story.closed("q1");
    let until = Some(story.now + Span::minutes(60));
    let entries = vec![story.entry("q1").clone()];
    story.now = story.now + Span::minutes(20);
    story.restart_with(SavedState {
        entries,
        said: PresenceOverride::Away,
        said_until: until,
        ..SavedState::default()
    });
    story.feed(Event::ChannelUp(DESKTOP));
    story.feed(Event::ChannelUp(TELEGRAM));
    assert_eq!(
        shows(&story.list(&[("q1", true)])),
        [(TELEGRAM, "q1", None)]
    );
    story.sent_as("q1", "m1");
    let (span, step) = story.next();
    assert_eq!(
        (span, shows(&step)),
        (Span::minutes(40), vec![(DESKTOP, "q1", None)])
    );
    assert!(!story.desk.view(story.now).presence.away);
}

#[test]
fn a_new_word_replaces_the_end_of_the_old_one() {
    let mut story = at_the_desk();
    let until = Some(story.now + Span::minutes(60));
    story.feed(Event::Said {
        said: PresenceOverride::Away,
        until,
    });
    story.feed(Event::Said {
        said: PresenceOverride::Away,
        until: None,
    });
    story.wait(Span::minutes(120));
    assert!(story.desk.view(story.now).presence.away);
    let until = Some(story.now + Span::minutes(60));
    let step = story.feed(Event::Said {
        said: PresenceOverride::Auto,
        until,
    });
    assert_eq!(
        standing(&step),
        Some((PresenceOverride::Auto, None)),
        "nothing was said that could end"
    );
}

#[test]
fn a_reading_that_changes_nothing_touches_no_ask_and_no_row() {
    let mut story = at_the_desk();
    story.presence(Presence::Locked);
    let step = story.presence(Presence::Asleep);
    assert!(step.save.is_empty() && step.effects.is_empty());
    assert_eq!(step.news, [News::Standing]);
}

#[test]
fn a_long_turn_is_told_at_the_desk() {
    let mut story = at_the_desk();
    assert_eq!(tells(&turn(&mut story, 60)), [DESKTOP]);
    assert!(tells(&turn(&mut story, 59)).is_empty());
    story.set(|policy| policy.turns_here_after = None);
    assert!(tells(&turn(&mut story, 3_600)).is_empty());
}

#[test]
fn a_turn_is_told_on_the_phone_only_when_that_is_wanted_and_the_human_is_away() {
    let mut story = at_the_desk();
    story.presence(Presence::Locked);
    assert!(tells(&turn(&mut story, 3_600)).is_empty());
    story.set(|policy| policy.turns_away = true);
    assert_eq!(tells(&turn(&mut story, 3_600)), [TELEGRAM]);
    story.set(|policy| policy.forward = ForwardMode::Never);
    assert!(tells(&turn(&mut story, 3_600)).is_empty());
    story.presence(Presence::Here);
    assert_eq!(tells(&turn(&mut story, 3_600)), [DESKTOP]);
    story.presence(Presence::Unknown);
    assert_eq!(
        tells(&turn(&mut story, 3_600)),
        [DESKTOP],
        "nobody can tell: not the phone"
    );
}

#[test]
fn no_turn_is_told_in_a_pause_or_on_a_channel_that_does_not_work() {
    let mut story = at_the_desk();
    story.feed(Event::ChannelDown(DESKTOP));
    assert!(tells(&turn(&mut story, 3_600)).is_empty());
    story.feed(Event::ChannelUp(DESKTOP));
    story.feed(Event::Pause(Some(story.now + Span::minutes(5))));
    assert!(tells(&turn(&mut story, 3_600)).is_empty());
}

#[test]
fn a_turn_asks_nothing_and_leaves_nothing() {
    let mut story = Story::new();
    let step = turn(&mut story, 3_600);
    assert!(step.save.is_empty() && story.desk.view(story.now).asks.is_empty());
    assert_eq!(story.desk.next_deadline(), None);
}

#[test]
fn an_accepted_answer_outlives_a_false_end_and_a_crash_after_it() {
    let mut story = at_the_desk();
    story.answer("q1", choose(1), Surface::Cli);
    story.fails("q1");
    let step = story.list(&[]);
    let given = Some((choose(1), Surface::Cli));
    let gone = RowChange::Gone {
        ask: id("q1"),
        given: given.clone(),
        inquired: true,
    };
    assert_eq!(step.save.iter().filter(|row| **row == gone).count(), 1);
    let memory = story.memory("q1").clone();
    assert_eq!((&memory.given, memory.ask.is_some()), (&given, true));
    story.restart_with(SavedState {
        memory: vec![(id("q1"), memory)],
        ..SavedState::default()
    });
    let step = story.list(&[("q1", true)]);
    assert_eq!(deliveries(&step), [("q1", &choose(1))]);
    assert!(matches!(
        saved_state(&step, "q1"),
        Some(AskState::Answering { .. })
    ));
}

#[test]
fn what_is_kept_of_an_ask_that_is_gone_is_what_may_be_needed_of_it() {
    let gone = |step: &Step| {
        let rows = step.save.iter().filter_map(|row| match row {
            RowChange::Gone {
                given, inquired, ..
            } => Some((given.is_some(), *inquired)),
            _ => None,
        });
        rows.collect::<Vec<_>>()
    };
    assert_eq!(gone(&at_the_desk().list(&[])), [(false, true)]);
    let deleted = SourceReport::SessionGone {
        session: "ses".into(),
    };
    assert!(gone(&at_the_desk().report(deleted.clone())).is_empty());
    let mut answered = at_the_desk();
    answered.answer("q1", choose(1), Surface::Cli);
    assert_eq!(gone(&answered.report(deleted)), [(true, false)]);
}

#[test]
fn an_end_that_was_to_be_explained_is_explained_also_after_a_crash() {
    let mut story = at_the_desk();
    story.list(&[]);
    let memory = story.memory("q1").clone();
    story.restart_with(SavedState {
        memory: vec![(id("q1"), memory)],
        ..SavedState::default()
    });
    let answers = Some(vec![vec!["Blue".into()]]);
    let step = story.report(SourceReport::Explained {
        own: "q1".into(),
        answers,
    });
    assert_eq!(settled(&step).len(), 1);
}

#[test]
fn an_ask_that_ends_for_good_keeps_no_answer_for_later() {
    let mut story = at_the_desk();
    story.answer("q1", choose(1), Surface::Cli);
    let step = story.replied("q1", "Green");
    assert!(
        step.save
            .iter()
            .all(|row| !matches!(row, RowChange::Gone { .. }))
    );
    assert_eq!(story.memory("q1").given, None);
}

/// Returns a desk whose human left a moment ago; `before` was asked before that.
fn away(before: &[&str]) -> Story {
    let mut story = at_the_desk();
    for own in before {
        story.ask(single(own));
    }
    story.presence(Presence::Locked);
    story
}

fn digests(step: &Step) -> Vec<(usize, usize)> {
    let digest = step.effects.iter().filter_map(|effect| match effect {
        Effect::Digest {
            channel: Channel::Desktop,
            answered,
            waiting,
        } => Some((*answered, *waiting)),
        _ => None,
    });
    digest.collect()
}

#[test]
fn who_comes_back_is_told_once_what_happened_meanwhile() {
    let mut story = away(&[]);
    story.ask(single("q2"));
    story.ask(single("q3"));
    story.answer("q2", choose(0), Surface::Telegram);
    story.sent("q2");
    story.replied("q2", "Red");
    let step = story.presence(Presence::Here);
    assert_eq!((digests(&step), shows(&step)), (vec![(1, 2)], vec![]));
    assert!(digests(&story.presence(Presence::Here)).is_empty(), "once");
}

#[test]
fn what_was_answered_elsewhere_counts_and_what_was_given_up_does_not() {
    let mut story = away(&["q2", "q3"]);
    story.replied("q2", "Red");
    story.report(SourceReport::SessionGone {
        session: "ses".into(),
    });
    assert!(
        digests(&story.presence(Presence::Here)).is_empty(),
        "one answer, and nothing waits"
    );
    let mut story = away(&["q2", "q3"]);
    story.replied("q2", "Red");
    assert_eq!(digests(&story.presence(Presence::Here)), [(1, 2)]);
}

#[test]
fn an_absence_in_which_nothing_happened_is_not_told_of() {
    let mut story = away(&["q2", "q3"]);
    assert!(digests(&story.presence(Presence::Here)).is_empty());
}

#[test]
fn what_was_closed_before_comes_back_also_beside_the_digest() {
    let mut story = at_the_desk();
    story.closed("q1");
    story.presence(Presence::Locked);
    let step = story.presence(Presence::Here);
    assert_eq!((shows(&step).len(), digests(&step).len()), (1, 0));
    story.shown("q1", "h2");
    story.closed("q1");
    story.presence(Presence::Locked);
    story.ask(single("q2"));
    let step = story.presence(Presence::Here);
    assert_eq!((shows(&step).len(), digests(&step)), (1, vec![(0, 2)]));
}

#[test]
fn an_absence_is_told_when_they_are_known_to_be_here_and_not_paused() {
    let mut story = away(&["q2"]);
    story.ask(single("q3"));
    assert!(
        digests(&story.presence(Presence::Unknown)).is_empty(),
        "nobody can tell"
    );
    story.presence(Presence::Locked);
    story.feed(Event::Pause(Some(story.now + Span::minutes(5))));
    assert!(
        digests(&story.presence(Presence::Here)).is_empty(),
        "in a pause"
    );
    assert_eq!(digests(&story.wait(Span::minutes(5))), [(0, 3)]);
}

#[test]
fn who_is_back_by_a_setting_is_back() {
    let mut story = away(&["q2"]);
    story.ask(single("q3"));
    assert_eq!(
        digests(&story.set(|policy| policy.lock_is_away = false)),
        [(0, 3)]
    );
}

#[test]
fn a_digest_goes_when_nothing_of_it_waits_any_more() {
    let mut story = away(&["q2"]);
    story.ask(single("q3"));
    story.presence(Presence::Here);
    let ends = |step: &Step| {
        step.effects
            .iter()
            .any(|it| matches!(it, Effect::EndDigest { .. }))
    };
    assert!(!ends(&story.replied("q1", "Red")) && !ends(&story.replied("q2", "Red")));
    assert!(ends(&story.replied("q3", "Red")));
    assert!(!ends(&story.feed(Event::Tick)), "once");
}

#[test]
fn a_digest_of_what_was_answered_alone_is_not_taken_away() {
    let mut story = away(&[]);
    for own in ["q2", "q3"] {
        story.ask(single(own));
    }
    for own in ["q1", "q2", "q3"] {
        story.answer(own, choose(0), Surface::Telegram);
        story.sent(own);
        story.replied(own, "Red");
    }
    let back = story.presence(Presence::Here);
    assert_eq!(digests(&back), [(3, 0)]);
    let ends = |step: &Step| {
        step.effects
            .iter()
            .any(|it| matches!(it, Effect::EndDigest { .. }))
    };
    assert!(!ends(&back) && !ends(&story.feed(Event::Tick)));
}

#[test]
fn without_a_desktop_there_is_no_digest() {
    let mut story = away(&["q2"]);
    story.ask(single("q3"));
    story.feed(Event::ChannelDown(Channel::Desktop));
    assert!(digests(&story.presence(Presence::Here)).is_empty());
}

fn at_the_desk() -> Story {
    let mut story = Story::asked();
    story.presence(Presence::Here);
    story.feed(Event::Said {
        said: PresenceOverride::Auto,
        until: None,
    });
    story
}

fn turn(story: &mut Story, seconds: i64) -> Step {
    let (session, took) = (Session::default(), Span::seconds(seconds));
    let turn = FinishedTurn {
        session,
        took,
        end: TurnEnd::Done,
    };
    story.report(SourceReport::Turn(turn))
}

fn tells(step: &Step) -> Vec<Channel> {
    let tell = step.effects.iter().filter_map(|effect| match effect {
        Effect::Tell { channel, .. } => Some(*channel),
        _ => None,
    });
    tell.collect()
}

fn standing(step: &Step) -> Option<(PresenceOverride, Option<beckon_core::Timestamp>)> {
    step.save.iter().find_map(|row| match row {
        RowChange::Standing {
            said, said_until, ..
        } => Some((*said, *said_until)),
        _ => None,
    })
}
