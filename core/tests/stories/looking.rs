//! Stories of what channels, menus and windows look up, and what an ask says of itself.

use crate::common::*;
use beckon_core::{
    AlwaysUntil, Answer, Ask, AskContent, AskState, BreakThrough, ButtonTarget, ChannelView, Event,
    Grant, Outcome, Permission, PresenceOverride, RejectionReach, Session, SourceId, SourceReport,
    SourceState, Span, Step, Surface, UnknownAsk, UnknownShape,
};

#[test]
fn a_channel_looks_up_an_ask_by_its_name_and_by_its_button() {
    let story = Story::asked();
    let view = ChannelView::of(&story.desk, story.now);
    let target = story.entry("q1").target();
    assert_eq!(view.entry(&id("q1")), Some(story.entry("q1")));
    assert_eq!(view.entry_of(target), Some(story.entry("q1")));
    assert_eq!(view.entry(&id("q2")), None);
    let another = ButtonTarget {
        fingerprint: single("q2").fingerprint(),
        ..target
    };
    assert_eq!(
        view.entry_of(another),
        None,
        "that number, but another content"
    );
    assert_eq!(
        view.entry_of(ButtonTarget {
            serial: 9,
            ..target
        }),
        None
    );
    assert_eq!(view.overview().asks.len(), 1);
}

#[test]
fn a_channel_is_told_of_a_pause_as_long_as_there_is_one() {
    let mut story = Story::new();
    let until = story.now + Span::minutes(5);
    let of = |story: &Story| ChannelView::of(&story.desk, story.now).paused_until();
    assert_eq!(of(&story), None);
    story.feed(Event::Pause(Some(until)));
    assert_eq!(of(&story), Some(until));
    story.wait(Span::minutes(5));
    assert_eq!(of(&story), None);
}

#[test]
fn what_the_human_said_for_a_while_is_over_at_its_end_even_before_the_tick() {
    let mut story = Story::new();
    let until = story.now + Span::minutes(60);
    story.feed(Event::Said {
        said: PresenceOverride::Away,
        until: Some(until),
    });
    assert_eq!(story.desk.presence(until).said_until, None);
}

#[test]
fn a_desk_is_deaf_when_it_has_sources_and_none_is_live() {
    let mut story = Story::new();
    let deaf = |story: &Story| story.desk.view(story.now).is_deaf();
    assert!(!deaf(&story), "nothing is watched");
    let state = |live| {
        if live {
            SourceState::Live { version: None }
        } else {
            SourceState::Unauthorized
        }
    };
    for (first, second, is_deaf) in [
        (false, false, true),
        (true, false, false),
        (true, true, false),
    ] {
        story.report(SourceReport::State(state(first)));
        story.report_of("other", SourceReport::State(state(second)));
        assert_eq!(deaf(&story), is_deaf, "{first} {second}");
    }
}

#[test]
fn what_came_in_an_unknown_form_is_counted_by_source() {
    let mut story = Story::new();
    let unknown = UnknownAsk {
        asked: UnknownShape::Question,
        raw: "{}".into(),
    };
    for own in ["u1", "u2"] {
        story.ask(ask(own, AskContent::Unknown(unknown.clone())));
    }
    story.ask(single("q1"));
    assert_eq!(
        story.desk.unknown_forms(),
        [(SourceId("local".into()), 2)].into()
    );
}

#[test]
fn whoever_asks_is_named_unless_the_name_says_nothing() {
    let who = |agent: Option<&str>| {
        let session = Session {
            agent: agent.map(Into::into),
            ..Session::default()
        };
        session.who().map(ToOwned::to_owned)
    };
    assert_eq!(who(Some(" reviewer ")).as_deref(), Some("reviewer"));
    for nothing in [None, Some(""), Some("  "), Some("build")] {
        assert_eq!(who(nothing), None, "{nothing:?}");
    }
}

#[test]
fn a_project_is_called_by_the_last_part_of_its_directory() {
    for (directory, project) in [
        ("/home/me/shop/", "shop"),
        ("C:\\Me\\shop\\", "shop"),
        ("shop", "shop"),
        ("/", "/"),
        ("", ""),
    ] {
        let session = Session {
            directory: directory.into(),
            ..Session::default()
        };
        assert_eq!(session.project(), project);
    }
}

#[test]
fn the_answer_that_counted_is_known_wherever_it_was_given() {
    let (question, by) = (single("q1"), Surface::Cli);
    let texts = Some(vec![vec!["Green".to_owned()]]);
    for (outcome, answer) in [
        (
            Outcome::Answered {
                answer: choose(2),
                by,
            },
            Some(choose(2)),
        ),
        (Outcome::Elsewhere { answers: texts }, Some(choose(1))),
        (Outcome::Elsewhere { answers: None }, None),
        (Outcome::DismissedElsewhere, Some(Answer::Dismiss)),
        (Outcome::Expired, None),
        (Outcome::Gone, None),
    ] {
        assert_eq!(question.final_answer(&outcome), answer, "{outcome:?}");
    }
    let refused = permission("p1").final_answer(&Outcome::DismissedElsewhere);
    assert_eq!(refused, Some(Answer::Grant(Grant::Reject { reason: None })));
}

#[test]
fn only_what_has_ended_is_settled() {
    let story = Story::asked();
    assert!(!AskState::Open.is_settled());
    assert!(
        AskState::Settled {
            outcome: Outcome::Gone,
            at: story.now
        }
        .is_settled()
    );
}

/// Rows and peers of earlier versions have neither of these fields.
#[test]
fn what_nobody_has_said_of_a_permission_is_not_written() {
    let written = |permission: &Permission| serde_json::to_value(permission).unwrap();
    let silent = written(&Permission::default());
    assert_eq!(
        (silent.get("rejects"), silent.get("always_until")),
        (None, None)
    );
    let said = written(&Permission {
        rejects: RejectionReach::Session,
        always_until: AlwaysUntil::TakenBack,
        ..Permission::default()
    });
    assert_eq!(
        (&said["rejects"], &said["always_until"]),
        (&"session".into(), &"taken_back".into())
    );
}

#[test]
fn what_comes_through_while_nothing_is_to_disturb_goes_by_its_kind() {
    let kinds: [Ask; 3] = [permission("p"), single("q"), confirm("c")];
    let lets = |which: BreakThrough| kinds.clone().map(|ask| which.lets(&ask.kind));
    assert_eq!(lets(BreakThrough::Never), [false; 3]);
    assert_eq!(lets(BreakThrough::Permissions), [true, false, false]);
    assert_eq!(lets(BreakThrough::Always), [true; 3]);
}

#[test]
fn what_follows_from_another_event_is_committed_and_run_after_the_first() {
    let (mut first, mut second) = (Story::new(), Story::new());
    let mut both = first.ask(single("q1"));
    let next = second.ask(single("q2"));
    let of = |step: &Step| (step.save.clone(), step.effects.clone(), step.news.clone());
    let (before, after) = (of(&both), of(&next));
    let answer = second.answer("q2", choose(0), Surface::Cli);
    both.append(next);
    assert_eq!(both.save, [before.0, after.0].concat());
    assert_eq!(both.effects, [before.1, after.1].concat());
    assert_eq!(both.news, [before.2, after.2].concat());
    both.append(answer);
    assert_eq!(both.verdict, Some(Ok(id("q2"))));
}
