//! Stories of cards: shown once, withdrawn always, and the effect of a restart or a crash on them.

use crate::common::*;
use beckon_core::{
    AskContent, AskState, Card, Channel, Entry, Event, Outcome, Permission, RejectionReach,
    RowChange, SavedState, SourceReport, Span, Surface,
};

const DESKTOP: Channel = Channel::Desktop;

#[test]
fn what_else_a_rejection_reaches_is_on_a_card_and_the_way_of_an_answer_is_not() {
    let mut story = Story::asked();
    let mut rerouted = single("q1");
    rerouted.session.api = Some("v2".into());
    assert_eq!(updates(&story.ask(rerouted)), []);
    let reaching = |rejects| {
        let permission = Permission {
            rejects,
            ..Permission::default()
        };
        ask("p1", AskContent::Permission(permission))
    };
    story.ask(reaching(RejectionReach::PerhapsSession));
    story.shown("p1", "h2");
    let step = story.ask(reaching(RejectionReach::Session));
    assert_eq!(updates(&step), [(DESKTOP, "p1")]);
}

#[test]
fn a_channel_that_comes_up_shows_what_is_open() {
    let mut story = Story::with(beckon_core::Policy::default());
    assert!(story.ask(single("q1")).effects.is_empty());
    let step = story.feed(Event::ChannelUp(DESKTOP));
    assert_eq!(shows(&step), [(DESKTOP, "q1", None)]);
    assert_eq!(story.desk.view(story.now).channels, [DESKTOP]);
}

#[test]
fn a_daemon_that_starts_again_shows_each_card_anew_in_place_of_the_old() {
    let mut story = Story::asked();
    story.feed(Event::ChannelDown(DESKTOP));
    let step = story.feed(Event::ChannelUp(DESKTOP));
    assert_eq!(shows(&step), [(DESKTOP, "q1", Some("h1"))]);
    assert!(shows(&story.wait(Span::seconds(1))).is_empty());
}

#[test]
fn a_card_is_shown_once() {
    let mut story = Story::asked();
    assert!(shows(&story.wait(Span::minutes(1))).is_empty());
    assert!(shows(&story.list(&[("q1", true)])).is_empty());
}

#[test]
fn an_answer_anywhere_withdraws_the_card_in_the_same_step() {
    let mut story = Story::asked();
    let step = story.answer("q1", choose(0), Surface::Telegram);
    assert_eq!(withdraws(&step), [(DESKTOP, "q1", Some("h1"))]);
}

#[test]
fn an_answer_elsewhere_withdraws_the_notification() {
    let mut story = Story::asked();
    let step = story.replied("q1", "Blue");
    assert_eq!(withdraws(&step), [(DESKTOP, "q1", Some("h1"))]);
}

#[test]
fn the_row_of_a_card_stays_until_the_channel_has_taken_the_card_away() {
    let mut story = Story::asked();
    let step = story.replied("q1", "Blue");
    let struck = RowChange::NoCard {
        ask: id("q1"),
        channel: DESKTOP,
    };
    assert!(!step.save.contains(&struck));
    assert!(story.wait(Span::minutes(1)).save.is_empty());
    assert_eq!(story.withdrawn(DESKTOP, "q1").save, [struck]);
    assert!(story.withdrawn(DESKTOP, "q1").save.is_empty());
}

#[test]
fn a_crash_between_the_end_of_an_ask_and_its_withdrawal_leaves_no_card() {
    let mut story = Story::asked();
    let mut entry = stored(story.entry("q1"));
    story.replied("q1", "Blue");
    let outcome = story.outcome("q1");
    entry.state = AskState::Settled {
        outcome: outcome.clone(),
        at: story.now,
    };
    let memory = vec![(id("q1"), story.memory("q1").clone())];
    story.restart_with(SavedState {
        entries: vec![entry],
        memory,
        ..SavedState::default()
    });
    assert!(story.desk.view(story.now).asks.is_empty());
    let step = story.feed(Event::ChannelUp(DESKTOP));
    assert_eq!(withdraws(&step), [(DESKTOP, "q1", Some("h1"))]);
    let step = story.withdrawn(DESKTOP, "q1");
    assert_eq!(
        step.save,
        [RowChange::NoCard {
            ask: id("q1"),
            channel: DESKTOP
        }]
    );
}

#[test]
fn a_card_on_a_channel_that_is_down_is_withdrawn_when_it_comes_up() {
    let mut story = Story::asked();
    story.feed(Event::ChannelDown(DESKTOP));
    let step = story.replied("q1", "Blue");
    assert!(
        withdraws(&step)
            .iter()
            .all(|(channel, ..)| *channel != DESKTOP)
    );
    assert!(
        story.withdrawn(DESKTOP, "q1").save.is_empty(),
        "it was told nothing"
    );
    let step = story.feed(Event::ChannelUp(DESKTOP));
    assert_eq!(withdraws(&step), [(DESKTOP, "q1", Some("h1"))]);
    assert!(shows(&step).is_empty());
}

#[test]
fn a_card_withdrawn_and_shown_again_keeps_its_row() {
    let mut story = Story::asked();
    story.feed(Event::Pause(Some(story.now + Span::minutes(1))));
    let step = story.feed(Event::Pause(None));
    assert_eq!(shows(&step), [(DESKTOP, "q1", None)]);
    let mut cards = step
        .save
        .iter()
        .filter(|row| matches!(row, RowChange::Card { .. } | RowChange::NoCard { .. }));
    let kept = RowChange::Card {
        ask: id("q1"),
        serial: Some(1),
        channel: DESKTOP,
        handle: None,
        closed: false,
    };
    assert_eq!(cards.next_back(), Some(&kept));
    assert!(story.withdrawn(DESKTOP, "q1").save.is_empty());
}

#[test]
fn a_card_withdrawn_late_and_shown_again_in_one_step_keeps_its_row() {
    let mut story = Story::asked();
    story.feed(Event::ChannelDown(DESKTOP));
    story.feed(Event::Pause(Some(story.now + Span::minutes(1))));
    story.feed(Event::Pause(None));
    let step = story.feed(Event::ChannelUp(DESKTOP));
    assert_eq!(withdraws(&step), [(DESKTOP, "q1", Some("h1"))]);
    assert_eq!(shows(&step), [(DESKTOP, "q1", None)]);
    assert!(story.withdrawn(DESKTOP, "q1").save.is_empty());
}

#[test]
fn the_handle_of_a_card_is_saved_once() {
    let mut story = Story::new();
    story.ask(single("q1"));
    let card = RowChange::Card {
        ask: id("q1"),
        serial: Some(1),
        channel: DESKTOP,
        handle: Some("h1".into()),
        closed: false,
    };
    assert_eq!(story.shown("q1", "h1").save, [card]);
    assert!(story.shown("q1", "h1").save.is_empty());
}

#[test]
fn a_card_that_comes_up_too_late_is_withdrawn() {
    let mut story = Story::new();
    story.ask(single("q1"));
    story.replied("q1", "Blue");
    let step = story.shown("q1", "h1");
    assert_eq!(withdraws(&step), [(DESKTOP, "q1", Some("h1"))]);
    assert!(step.news.is_empty());
}

#[test]
fn a_card_closed_by_the_human_stays_closed_and_its_ask_open() {
    let mut story = Story::asked();
    story.closed("q1");
    assert!(story.is_open("q1"));
    for event in [
        Event::ChannelUp(DESKTOP),
        Event::Tick,
        Event::Said {
            said: Default::default(),
            until: None,
        },
    ] {
        assert!(
            shows(&story.feed(event))
                .iter()
                .all(|(channel, ..)| *channel != DESKTOP)
        );
    }
    assert!(shows(&story.list(&[("q1", true)])).is_empty());
}

#[test]
fn a_card_closed_by_the_human_does_not_come_back_after_a_pause_or_a_silence() {
    let mut story = Story::asked();
    story.closed("q1");
    story.feed(Event::Pause(Some(story.now + Span::minutes(1))));
    assert!(shows(&story.wait(Span::minutes(1))).is_empty());
    story.report(SourceReport::SessionQuiet {
        session: "ses".into(),
    });
    story.next();
    assert!(shows(&story.list(&[("q1", true)])).is_empty());
    assert_eq!(story.waiting().len(), 1);
}

#[test]
fn a_pause_withdraws_every_card_and_its_end_brings_them_back() {
    let mut story = Story::asked();
    let until = story.now + Span::minutes(5);
    let step = story.feed(Event::Pause(Some(until)));
    assert_eq!(withdraws(&step), [(DESKTOP, "q1", Some("h1"))]);
    assert!(shows(&story.ask(single("q2"))).is_empty());
    assert_eq!(story.desk.next_deadline(), Some(until));
    let (_, step) = story.next();
    let shown: Vec<_> = shows(&step).into_iter().map(|(_, own, _)| own).collect();
    assert_eq!(shown, ["q1", "q2"]);
    assert_eq!(story.desk.view(story.now).paused_until, None);
}

#[test]
fn a_restart_holds_cards_back_until_the_source_confirms_their_asks() {
    let mut story = restarted();
    assert!(story.feed(Event::ChannelUp(DESKTOP)).effects.is_empty());
    let step = story.list(&[("q1", true)]);
    assert_eq!(shows(&step), [(DESKTOP, "q1", Some("h1"))]);
}

#[test]
fn a_restart_holds_cards_back_for_two_seconds_at_most() {
    let mut story = restarted();
    story.feed(Event::ChannelUp(DESKTOP));
    let (after, step) = story.next();
    assert_eq!(after, Span::seconds(2));
    assert_eq!(shows(&step), [(DESKTOP, "q1", Some("h1"))]);
}

#[test]
fn a_channel_that_is_slower_than_the_source_shows_the_card_when_it_comes() {
    let mut story = restarted();
    story.list(&[("q1", true)]);
    let step = story.feed(Event::ChannelUp(DESKTOP));
    assert_eq!(shows(&step), [(DESKTOP, "q1", Some("h1"))]);
}

#[test]
fn an_ask_that_ended_while_beckon_was_down_loses_its_card() {
    let mut story = restarted();
    story.list(&[]);
    let step = story.feed(Event::ChannelUp(DESKTOP));
    assert_eq!(withdraws(&step), [(DESKTOP, "q1", Some("h1"))]);
    assert_eq!(story.outcome("q1"), Outcome::Gone);
}

#[test]
fn buttons_from_before_a_restart_still_answer() {
    let mut story = restarted();
    let target = story.entry("q1").target();
    let press = beckon_core::ButtonPress::Choose {
        question: 0,
        choice: 1,
    };
    let step = story.feed(Event::Pressed {
        target,
        press,
        by: Surface::Notification,
    });
    assert_eq!(step.verdict, Some(Ok(id("q1"))));
    assert_eq!(deliveries(&step), [("q1", &choose(1))]);
}

#[test]
fn a_serial_is_never_given_twice_not_even_after_a_restart() {
    let mut story = Story::asked();
    let old = story.entry("q1").serial;
    story.restart_with(SavedState {
        last_serial: old,
        ..SavedState::default()
    });
    story.ask(single("q2"));
    assert!(story.entry("q2").serial > old);
}

#[test]
fn a_card_whose_handle_was_never_noted_is_shown_anew() {
    let mut story = Story::new();
    let mut entry = Entry::new(single("q1"), 1);
    entry.cards.insert(DESKTOP, Card::default());
    story.restart(vec![entry]);
    story.list(&[("q1", true)]);
    let step = story.feed(Event::ChannelUp(DESKTOP));
    assert_eq!(shows(&step), [(DESKTOP, "q1", None)]);
}

fn restarted() -> Story {
    let mut story = Story::asked();
    let entry = stored(story.entry("q1"));
    story.restart(vec![entry]);
    story
}
