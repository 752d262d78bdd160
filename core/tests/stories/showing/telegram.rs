//! Stories of messages on Telegram: sent once, changed by taps and words, and told in the end how
//! their ask ended.

use crate::common::*;
use beckon_core::{
    Answer, AnswerRefusal, AskContent, AskState, ButtonTarget, CardPage, CardSight, CardTap,
    Channel, Draft, Effect, Event, ForwardMode, Grant, InvalidAnswer, News, Outcome, Policy,
    PresenceOverride, Reply, RowChange, SavedState, SeenStep, SourceReport, Span, Surface,
};

const DESKTOP: Channel = Channel::Desktop;
const TELEGRAM: Channel = Channel::Telegram;

#[test]
fn a_tap_moves_the_draft_which_is_saved_and_drawn_on_telegram_alone() {
    let mut story = away();
    let step = story.tap("q1", CardTap::Own { question: 0 });
    assert_eq!(step.verdict, Some(Ok(id("q1"))));
    assert_eq!(updates(&step), [(TELEGRAM, "q1")]);
    assert!(matches!(&step.save[..], [RowChange::Ask(entry)] if entry.draft.is_some()));
    assert!(story.is_open("q1"));
}

#[test]
fn a_tap_that_completes_the_answer_sends_it() {
    let mut story = away();
    let step = story.tap(
        "q1",
        CardTap::Choose {
            question: 0,
            choice: 1,
        },
    );
    assert_eq!(step.verdict, Some(Ok(id("q1"))));
    assert_eq!(deliveries(&step), [("q1", &choose(1))]);
    assert_eq!(
        updates(&step),
        [(TELEGRAM, "q1")],
        "the card says that it is being sent"
    );
    assert_eq!(withdraws(&step), [(DESKTOP, "q1", Some("h1"))]);
    assert!(story.entry("q1").draft.is_none());
}

#[test]
fn written_words_are_taken_like_taps() {
    let mut story = away();
    story.tap("q1", CardTap::Own { question: 0 });
    let step = story.write("q1", "a darker one");
    let answer = Answer::Replies(vec![Reply::text("a darker one")]);
    assert_eq!(deliveries(&step), [("q1", &answer)]);
}

#[test]
fn what_hides_something_is_allowed_by_the_second_tap_only() {
    let mut story = away();
    story.ask(permission("p1"));
    let step = story.tap_obscured("p1", CardTap::Once);
    assert_eq!(step.verdict, Some(Ok(id("p1"))));
    assert!(deliveries(&step).is_empty());
    let step = story.write_obscured("p1", "1");
    let refused = AnswerRefusal::Invalid(InvalidAnswer::WrongKind);
    assert_eq!(step.verdict, Some(Err(refused)), "it is told so");
    assert!(deliveries(&step).is_empty());
    assert!(
        deliveries(&story.tap_obscured("p1", CardTap::Once)).is_empty(),
        "a double tap is one"
    );
    let step = story.tap_obscured("p1", CardTap::SureHidden);
    assert_eq!(deliveries(&step), [("p1", &Answer::Grant(Grant::Once))]);
}

#[test]
fn a_refused_tap_says_why_and_changes_nothing() {
    let mut story = away();
    let shown = Draft::new(&story.entry("q1").ask).shown();
    let step = story.tap("q1", CardTap::Done { question: 0, shown });
    let refused = AnswerRefusal::Invalid(InvalidAnswer::Empty { question: 1 });
    assert_eq!(step.verdict, Some(Err(refused)));
    assert!(step.save.is_empty() && step.effects.is_empty());
    assert!(story.entry("q1").draft.is_none());
}

#[test]
fn a_late_tap_is_told_what_became_of_the_ask() {
    let mut story = away();
    let target = story.entry("q1").target();
    let late = |story: &mut Story, target| {
        let (tap, by) = (
            CardTap::Choose {
                question: 0,
                choice: 0,
            },
            Surface::Telegram,
        );
        let tapped = story
            .feed(Event::Tapped {
                target,
                tap,
                sight: CardSight::Clear,
                by,
                responder: None,
            })
            .verdict;
        let wrote = story
            .feed(Event::Wrote {
                target,
                seen: SeenStep::Whole,
                text: "1".into(),
                sight: CardSight::Clear,
                by,
                responder: None,
            })
            .verdict;
        assert_eq!(tapped, wrote);
        tapped
    };
    story.answer("q1", choose(2), Surface::Cli);
    let answering = AnswerRefusal::Answering { by: Surface::Cli };
    assert_eq!(late(&mut story, target), Some(Err(answering)));
    story.replied("q1", "Blue");
    let outcome = Outcome::Answered {
        answer: choose(2),
        by: Surface::Cli,
    };
    assert_eq!(
        late(&mut story, target),
        Some(Err(AnswerRefusal::Settled { outcome }))
    );
    assert_eq!(
        late(
            &mut story,
            ButtonTarget {
                serial: 999,
                ..target
            }
        ),
        Some(Err(AnswerRefusal::Unknown))
    );
}

#[test]
fn a_draft_outlives_a_restart() {
    let mut story = away();
    story.tap("q1", CardTap::Dismiss);
    let entry = stored(story.entry("q1"));
    story.restart(vec![entry]);
    let step = story.tap("q1", CardTap::Sure);
    assert_eq!(deliveries(&step), [("q1", &Answer::Dismiss)]);
}

#[test]
fn a_draft_ends_with_its_ask() {
    let mut story = away();
    story.tap("q1", CardTap::Dismiss);
    let step = story.replied("q1", "Blue");
    let drafts = step.save.iter().filter_map(|row| match row {
        RowChange::Ask(entry) => Some(entry.draft.clone()),
        _ => None,
    });
    assert_eq!(drafts.collect::<Vec<_>>(), [None]);
}

#[test]
fn drafts_of_two_asks_are_kept_apart() {
    let mut story = away();
    story.ask(set("q2"));
    story.tap("q1", CardTap::Dismiss);
    story.tap(
        "q2",
        CardTap::Choose {
            question: 0,
            choice: 2,
        },
    );
    assert_eq!(
        story.entry("q1").draft.as_ref().map(|draft| draft.page),
        Some(CardPage::SureDismiss)
    );
    assert_eq!(
        story.entry("q2").draft.as_ref().map(|draft| draft.page),
        Some(CardPage::Question(1))
    );
}

#[test]
fn a_tap_while_the_chat_cannot_be_reached_is_drawn_when_it_can() {
    let mut story = away();
    story.feed(Event::ChannelDown(TELEGRAM));
    assert!(updates(&story.tap("q1", CardTap::Dismiss)).is_empty());
    let step = story.feed(Event::ChannelUp(TELEGRAM));
    assert_eq!(
        drawn(&step).and_then(|draft| draft.map(|d| d.page)),
        Some(CardPage::SureDismiss)
    );
}

#[test]
fn a_message_stays_until_its_ask_is_over() {
    let mut story = away();
    let quiet = SourceReport::SessionQuiet {
        session: "ses".into(),
    };
    let pause = Event::Pause(Some(story.now + Span::minutes(5)));
    let here = Event::Said {
        said: PresenceOverride::Here,
        until: None,
    };
    for event in [Event::Source(id("q1").source, quiet), pause, here] {
        let step = story.feed(event);
        assert!(
            withdraws(&step)
                .iter()
                .all(|(channel, ..)| *channel == DESKTOP),
            "{step:?}"
        );
    }
}

#[test]
fn nothing_new_is_sent_in_a_pause_or_for_a_session_that_fell_silent() {
    let mut story = away();
    story.feed(Event::Pause(Some(story.now + Span::minutes(5))));
    assert!(shows(&story.ask(single("q2"))).is_empty());
    story.feed(Event::Pause(None));
    assert!(shows(&story.list(&[("q1", true), ("q2", true), ("q3", false)])).is_empty());
}

#[test]
fn the_last_line_tells_how_the_ask_ended() {
    let mut story = away();
    story.tap(
        "q1",
        CardTap::Choose {
            question: 0,
            choice: 1,
        },
    );
    let step = story.replied("q1", "Green");
    let outcome = Outcome::Answered {
        answer: choose(1),
        by: Surface::Telegram,
    };
    let settled = AskState::Settled {
        outcome,
        at: story.now,
    };
    assert_eq!(endings(&step), [(TELEGRAM, Some(&settled))]);
}

#[test]
fn an_answer_elsewhere_is_told_on_the_message() {
    let mut story = away();
    let step = story.replied("q1", "Blue");
    let answers = Some(vec![vec!["Blue".into()]]);
    let settled = AskState::Settled {
        outcome: Outcome::Elsewhere { answers },
        at: story.now,
    };
    assert!(endings(&step).contains(&(TELEGRAM, Some(&settled))));
}

#[test]
fn a_notification_that_goes_while_its_ask_is_open_has_no_ending() {
    let mut story = away();
    let step = story.feed(Event::Pause(Some(story.now + Span::minutes(5))));
    assert_eq!(endings(&step), [(DESKTOP, None)]);
}

#[test]
fn what_ended_while_the_chat_could_not_be_reached_is_told_when_it_can() {
    let mut story = away();
    story.feed(Event::ChannelDown(TELEGRAM));
    let step = story.replied("q1", "Blue");
    assert_eq!(withdraws(&step), [(DESKTOP, "q1", Some("h1"))]);
    let step = story.feed(Event::ChannelUp(TELEGRAM));
    assert_eq!(withdraws(&step), [(TELEGRAM, "q1", Some("m1"))]);
    assert!(matches!(
        endings(&step)[..],
        [(_, Some(AskState::Settled { .. }))]
    ));
}

#[test]
fn an_ending_told_to_a_chat_that_then_fails_is_told_again() {
    let mut story = away();
    story.replied("q1", "Blue");
    story.feed(Event::ChannelDown(TELEGRAM));
    let step = story.feed(Event::ChannelUp(TELEGRAM));
    assert_eq!(withdraws(&step), [(TELEGRAM, "q1", Some("m1"))]);
    let struck = RowChange::NoCard {
        ask: id("q1"),
        channel: TELEGRAM,
    };
    assert_eq!(story.withdrawn(TELEGRAM, "q1").save, [struck]);
}

#[test]
fn an_ending_that_a_crash_left_untold_is_told_after_the_restart() {
    let mut story = away();
    let mut entry = stored(story.entry("q1"));
    story.replied("q1", "Blue");
    let outcome = story.outcome("q1");
    entry.state = AskState::Settled {
        outcome,
        at: story.now,
    };
    let memory = vec![(id("q1"), story.memory("q1").clone())];
    story.restart_with(SavedState {
        entries: vec![entry.clone()],
        memory,
        ..SavedState::default()
    });
    let step = story.feed(Event::ChannelUp(TELEGRAM));
    assert_eq!(endings(&step), [(TELEGRAM, Some(&entry.state))]);
}

#[test]
fn a_card_shown_again_before_its_withdrawal_is_confirmed_keeps_its_row() {
    let mut story = away();
    let pause = Event::Pause(Some(story.now + Span::minutes(5)));
    story.feed(pause.clone());
    story.feed(Event::Pause(None));
    story.feed(pause);
    assert!(
        story.withdrawn(DESKTOP, "q1").save.is_empty(),
        "that was the first of two"
    );
    let struck = RowChange::NoCard {
        ask: id("q1"),
        channel: DESKTOP,
    };
    assert_eq!(story.withdrawn(DESKTOP, "q1").save, [struck]);
}

#[test]
fn what_is_found_out_late_corrects_a_last_line_that_is_not_written_yet() {
    let mut story = away();
    let step = story.list(&[]);
    assert!(inquires(&step));
    told_that_it_was_dismissed(story);
}

#[test]
fn what_is_found_out_after_the_last_line_was_written_corrects_that() {
    let mut story = away();
    story.list(&[]);
    story.withdrawn(TELEGRAM, "q1");
    told_that_it_was_dismissed(story);
}

/// Checks that the message is told of the dismissal, and only once.
fn told_that_it_was_dismissed(mut story: Story) {
    let explained = SourceReport::Explained {
        own: "q1".into(),
        answers: None,
    };
    let step = story.report(explained.clone());
    let settled = AskState::Settled {
        outcome: Outcome::DismissedElsewhere,
        at: story.now,
    };
    assert_eq!(endings(&step), [(TELEGRAM, Some(&settled))]);
    assert!(story.report(explained).effects.is_empty());
}

#[test]
fn what_is_found_out_late_of_an_ask_without_a_message_is_told_nowhere() {
    let mut story = Story::new();
    story.ask(single("q1"));
    assert!(inquires(&story.list(&[])));
    let explained = SourceReport::Explained {
        own: "q1".into(),
        answers: None,
    };
    assert_eq!(endings(&story.report(explained)), []);
}

#[test]
fn an_ask_that_is_open_after_all_takes_its_message_back_without_a_second_ring() {
    let mut story = away();
    story.list(&[]);
    story.now = story.now + Span::minutes(1);
    let step = story.list(&[("q1", true)]);
    assert!(shows(&step).contains(&(TELEGRAM, "q1", Some("m1"))));
    assert!(story.withdrawn(TELEGRAM, "q1").save.is_empty());
}

#[test]
fn a_message_of_which_a_power_cut_left_nothing_is_taken_up_where_it_turns_up() {
    let mut story = Story::new();
    story.feed(Event::Said {
        said: PresenceOverride::Here,
        until: None,
    });
    story.ask(single("q1"));
    let shown = story.sent_as("q1", "m1");
    assert_eq!(
        shows(&shown),
        [(TELEGRAM, "q1", Some("m1"))],
        "drawn as it is by now"
    );
    let ended = story.replied("q1", "Red");
    assert!(
        endings(&ended)
            .iter()
            .any(|(channel, _)| *channel == TELEGRAM)
    );
}

#[test]
fn a_message_that_was_closed_is_drawn_anew_where_it_turns_up() {
    let mut story = away();
    story.feed(Event::Closed {
        channel: TELEGRAM,
        ask: id("q1"),
    });
    let shown = story.sent_as("q1", "m2");
    assert_eq!(shows(&shown), [(TELEGRAM, "q1", Some("m2"))]);
}

#[test]
fn messages_are_redrawn_in_place_when_the_chat_can_be_reached_again() {
    let mut story = away();
    story.feed(Event::ChannelDown(TELEGRAM));
    story.feed(Event::Said {
        said: PresenceOverride::Here,
        until: None,
    });
    let step = story.feed(Event::ChannelUp(TELEGRAM));
    assert_eq!(shows(&step), [(TELEGRAM, "q1", Some("m1"))]);
    let silent = |e: &Effect| {
        matches!(
            e,
            Effect::Show {
                channel: TELEGRAM,
                silent: true,
                ..
            }
        )
    };
    assert!(
        step.effects.iter().any(silent),
        "should it have to be sent anew"
    );
    story.answer("q1", choose(0), Surface::Cli);
    story.feed(Event::ChannelDown(TELEGRAM));
    let step = story.feed(Event::ChannelUp(TELEGRAM));
    assert_eq!(shows(&step), [(TELEGRAM, "q1", Some("m1"))]);
}

/// A room that has just started knows only those cards that it was told to show.
#[test]
fn a_message_of_an_answer_under_way_is_found_again_after_a_restart() {
    let mut story = away();
    story.answer("q1", choose(0), Surface::Cli);
    story.restart(vec![stored(story.entry("q1"))]);
    let step = story.feed(Event::ChannelUp(TELEGRAM));
    assert_eq!(shows(&step), [(TELEGRAM, "q1", Some("m1"))]);
    let silent = |e: &Effect| {
        matches!(
            e,
            Effect::Show {
                channel: TELEGRAM,
                silent: true,
                ..
            }
        )
    };
    assert!(
        step.effects.iter().any(silent),
        "nobody is rung for what was answered"
    );
}

#[test]
fn a_message_that_nobody_noted_is_sent_again_only_where_it_is_to_ring() {
    let mut story = Story::new();
    story.feed(Event::Said {
        said: PresenceOverride::Away,
        until: None,
    });
    story.ask(single("q1"));
    let entry = stored(story.entry("q1"));
    for (said, sent) in [(PresenceOverride::Here, 0), (PresenceOverride::Away, 1)] {
        story.restart_with(SavedState {
            said,
            entries: vec![entry.clone()],
            ..SavedState::default()
        });
        story.list(&[("q1", true)]);
        let step = story.feed(Event::ChannelUp(TELEGRAM));
        assert_eq!(shows(&step).len(), sent, "{said:?}");
    }
}

#[test]
fn a_message_that_nobody_noted_is_redrawn_all_the_same_if_it_is_there() {
    let mut story = Story::new();
    story.feed(Event::Said {
        said: PresenceOverride::Away,
        until: None,
    });
    story.ask(single("q1"));
    let entries = vec![stored(story.entry("q1"))];
    story.restart_with(SavedState {
        said: PresenceOverride::Here,
        entries,
        ..SavedState::default()
    });
    story.list(&[("q1", true)]);
    let step = story.feed(Event::ChannelUp(TELEGRAM));
    assert_eq!(
        (shows(&step).len(), updates(&step)),
        (0, vec![(TELEGRAM, "q1")])
    );
    assert_eq!(
        updates(&story.tap("q1", CardTap::Dismiss)),
        [(TELEGRAM, "q1")]
    );
}

/// Returns a desk with one question that was asked while the human is away: it is on both channels.
fn away() -> Story {
    let mut story = Story::new();
    story.feed(Event::Said {
        said: PresenceOverride::Away,
        until: None,
    });
    story.ask(single("q1"));
    story.shown("q1", "h1");
    story.sent_as("q1", "m1");
    story
}

fn set(own: &str) -> beckon_core::Ask {
    let colours = || question(&["Red", "Green", "Blue"]);
    ask(own, AskContent::Questions(vec![colours(), colours()]))
}

/// Returns the draft of the card that is drawn on Telegram.
fn drawn(step: &beckon_core::Step) -> Option<Option<&Draft>> {
    step.effects.iter().find_map(|effect| match effect {
        Effect::Show {
            channel: TELEGRAM,
            entry,
            ..
        } => Some(entry.draft.as_ref()),
        _ => None,
    })
}

#[test]
fn a_message_is_told_of_once_however_often_it_is_noted_anew() {
    let mut story = away();
    let shown = |story: &mut Story, handle: &str| {
        let handle = handle.to_owned();
        let told = story
            .feed(Event::Shown {
                channel: TELEGRAM,
                ask: id("q2"),
                handle,
            })
            .news;
        told.iter()
            .filter(|news| matches!(news, News::Shown(..)))
            .count()
    };
    story.ask(single("q2"));
    assert_eq!(shown(&mut story, "m2"), 1);
    assert_eq!(shown(&mut story, "m2 and its prompt"), 0);
}

#[test]
fn a_message_that_is_called_for_comes_in_silence_though_its_human_is_here() {
    let mut story = Story::new();
    story.feed(Event::ChannelUp(TELEGRAM));
    story.feed(Event::Said {
        said: PresenceOverride::Here,
        until: None,
    });
    story.ask(single("q1"));
    let called = Event::CalledFor {
        channel: TELEGRAM,
        ask: id("q1"),
    };
    let step = story.feed(called.clone());
    assert_eq!(shows(&step), [(TELEGRAM, "q1", None)]);
    assert!(matches!(
        step.effects[..],
        [Effect::Show { silent: true, .. }]
    ));
    assert_eq!(shows(&story.feed(called)), [], "it is on its way");
}

#[test]
fn nothing_that_is_called_for_goes_where_nothing_may_go() {
    let mut story = away();
    let never = Policy {
        forward: ForwardMode::Never,
        ..Policy::default()
    };
    story.feed(Event::Policy(never));
    story.ask(single("q2"));
    for own in ["q2", "unknown"] {
        let called = Event::CalledFor {
            channel: TELEGRAM,
            ask: id(own),
        };
        assert!(story.feed(called).effects.is_empty(), "{own}");
    }
}
