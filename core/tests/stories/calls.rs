//! Stories of a tool call whose arguments arrive after its permission: it is the same request, and
//! a human's answer is for what they saw of it.

use crate::common::*;
use beckon_core::risk::Risk;
use beckon_core::{
    Answer, Argument, Ask, AskContent, AskState, CALL_LISTED_WITHIN, CallInput, CallRef, Channel,
    Event, FileChange, Grant, MOST_ARGUMENTS, News, Outcome, Permission, PermissionVerb,
    SourceListing, SourceReport, Span, Surface,
};

fn tool(own: &str) -> Ask {
    let permission = Permission {
        permission: "db_drop".into(),
        patterns: vec!["*".into()],
        input: CallInput::untold(),
        ..Permission::default()
    };
    Ask {
        call: Some(CallRef {
            message: "msg_1".into(),
            call: own.into(),
        }),
        ..ask(own, AskContent::Permission(permission))
    }
}

fn given(name: &str, value: &str) -> CallInput {
    CallInput::told(vec![Argument {
        name: name.into(),
        value: value.into(),
    }])
}

fn told(own: &str, input: CallInput) -> SourceReport {
    let own = own.into();
    SourceReport::CallTold { own, input }
}

fn input(story: &Story, own: &str) -> CallInput {
    story.entry(own).ask.kind.input().cloned().unwrap()
}

fn listed(asks: &[Ask]) -> SourceReport {
    SourceReport::Listed(SourceListing {
        asks: asks.iter().map(|ask| (ask.clone(), true)).collect(),
        ..SourceListing::default()
    })
}

#[test]
fn the_card_is_shown_once_as_soon_as_the_call_is_known() {
    let mut story = Story::new();
    let step = story.ask(tool("p1"));
    assert!(shows(&step).is_empty());

    let step = story.report(told("p1", given("table", "users")));
    assert_eq!(shows(&step), [(Channel::Desktop, "p1", None)]);
    assert!(step.news.contains(&News::CallTold(id("p1"))));
    assert_eq!(input(&story, "p1"), given("table", "users"));
    assert!(!story.entry("p1").changed, "its source asks the same");
}

#[test]
fn a_call_that_nobody_tells_keeps_its_card_for_a_moment_only() {
    let mut story = Story::new();
    story.ask(tool("p1"));
    assert!(shows(&story.wait(Span(99))).is_empty());
    assert_eq!(
        shows(&story.wait(Span(1))),
        [(Channel::Desktop, "p1", None)]
    );
    story.shown("p1", "7");

    let step = story.report(told("p1", given("table", "users")));
    assert_eq!(updates(&step), [(Channel::Desktop, "p1")]);
}

#[test]
fn an_id_that_was_listed_without_its_call_says_so_once_more_is_known() {
    let mut story = Story::new();
    story.ask(tool("p1"));
    story.ask(tool("p2"));
    story.wait(CALL_LISTED_WITHIN);
    story.report(told("p1", given("table", "users")));
    assert!(
        !story.entry("p1").changed,
        "no list has gone out without it"
    );

    story.wait(Span(1));
    story.report(told("p2", given("table", "users")));
    assert!(story.entry("p2").changed, "who types its id saw less of it");
}

#[test]
fn one_that_comes_back_takes_what_its_source_tells_of_its_call_once_more() {
    let mut story = Story::new();
    story.ask(tool("p1"));
    story.report(told("p1", given("table", "users")));
    story.report(SourceReport::Disposed { directory: None });
    assert!(!story.is_open("p1"));

    story.ask(tool("p1"));
    story.report(listed(&[tool("p1")]));
    story.report(listed(&[tool("p1")]));
    assert!(story.is_open("p1"));
    story.report(told("p1", given("table", "users")));
    assert_eq!(input(&story, "p1"), given("table", "users"));
}

#[test]
fn a_call_of_too_many_arguments_is_no_other_request_in_the_next_list() {
    let many = (0..MOST_ARGUMENTS + 1).map(|number| Argument {
        name: format!("a{number}"),
        value: "x".into(),
    });
    let many = CallInput::told(many.collect());
    assert!(many.is_partial);
    let mut story = Story::new();
    story.ask(tool("p1"));
    story.report(told("p1", many.clone()));
    let before = story.entry("p1").target().fingerprint;

    story.report(listed(&[tool("p1")]));
    assert_eq!(input(&story, "p1"), many);
    assert_eq!(story.entry("p1").target().fingerprint, before);
    assert!(!story.entry("p1").changed);
}

#[test]
fn a_list_does_not_make_it_wait_longer_nor_show_it_sooner() {
    let mut story = Story::new();
    story.ask(tool("p1"));
    story.wait(Span(60));
    assert!(shows(&story.report(listed(&[tool("p1")]))).is_empty());
    assert_eq!(
        shows(&story.wait(Span(40))),
        [(Channel::Desktop, "p1", None)]
    );
}

#[test]
fn where_no_call_is_named_nothing_is_waited_for() {
    let mut story = Story::new();
    let step = story.ask(Ask {
        call: None,
        ..tool("p1")
    });
    assert_eq!(shows(&step), [(Channel::Desktop, "p1", None)]);
}

#[test]
fn the_equal_of_a_call_that_is_shown_does_not_ring() {
    let mut story = Story::new();
    for own in ["p1", "p2"] {
        story.ask(tool(own));
    }
    let first = story.report(told("p1", given("table", "users")));
    assert_eq!(shows(&first), [(Channel::Desktop, "p1", None)]);
    let second = story.report(told("p2", given("table", "users")));
    let rung = shows(&second);
    assert!(rung.iter().all(|(_, own, _)| *own == "p1"), "{rung:?}");
}

#[test]
fn a_yes_to_what_showed_no_arguments_comes_back_once_they_are_known() {
    let mut story = Story::new();
    story.ask(tool("p1"));
    let before = story.entry("p1").target();
    story.report(told("p1", given("table", "users")));
    assert_ne!(story.entry("p1").target(), before);

    story.feed(Event::Answered {
        ask: id("p1"),
        seen: Some(before.fingerprint),
        answer: Answer::Grant(Grant::Once),
        by: Surface::Notification,
        responder: None,
    });
    assert_eq!(story.entry("p1").state, AskState::Open);
}

#[test]
fn a_list_that_names_no_arguments_is_no_other_request() {
    let mut story = Story::new();
    story.ask(tool("p1"));
    story.report(told("p1", given("table", "users")));
    story.wait(Span::seconds(5));
    story.report(listed(&[tool("p1")]));
    assert_eq!(input(&story, "p1"), given("table", "users"));
    assert!(!story.entry("p1").changed);
}

#[test]
fn one_that_has_ended_does_not_come_back_as_another_because_a_list_knows_less() {
    let mut story = Story::new();
    story.ask(tool("p1"));
    story.report(told("p1", given("table", "users")));
    story.answer("p1", Answer::Grant(Grant::Once), Surface::Cli);
    story.replied("p1", "once");
    assert!(matches!(story.outcome("p1"), Outcome::Answered { .. }));

    story.report(listed(&[tool("p1")]));
    assert!(!story.is_open("p1"), "that list may be from before");
}

#[test]
fn calls_whose_arguments_are_not_known_only_look_equal() {
    let mut story = Story::new();
    story.ask(tool("p1"));
    story.ask(tool("p2"));
    assert_eq!(story.waiting().len(), 2);
    assert!(!story.entry("p2").behind);

    story.report(told("p1", given("table", "users")));
    story.report(told("p2", given("table", "orders")));
    assert!(!story.entry("p2").behind);

    story.ask(tool("p3"));
    story.report(told("p3", given("table", "users")));
    assert!(story.entry("p3").behind, "the very same call");
}

#[test]
fn what_was_told_is_kept_over_a_restart_and_a_list() {
    let mut story = Story::new();
    story.ask(tool("p1"));
    story.report(told("p1", given("table", "users")));
    let kept = stored(story.entry("p1"));
    story.restart(vec![kept]);
    story.report(listed(&[tool("p1")]));
    assert_eq!(input(&story, "p1"), given("table", "users"));
    assert!(!story.entry("p1").changed);
}

#[test]
fn other_arguments_under_the_same_name_are_seen_before_a_yes_counts() {
    let mut story = Story::new();
    story.ask(tool("p1"));
    story.report(told("p1", given("table", "users")));
    let before = story.entry("p1").target().fingerprint;
    story.report(told("p1", given("table", "everything")));
    assert_ne!(story.entry("p1").target().fingerprint, before);
}

#[test]
fn a_call_of_an_ask_that_is_over_is_told_to_nobody() {
    let mut story = Story::new();
    let step = story.report_of("local", told("p1", given("table", "users")));
    assert!(step.news.is_empty() && step.save.is_empty());
}

#[test]
fn what_becomes_of_files_is_in_the_title_and_marked() {
    let change = |files: Vec<FileChange>| Permission {
        permission: "edit".into(),
        patterns: vec!["a.txt".into(), "c.txt".into()],
        diff: Some("-a\n+b".into()),
        files,
        ..Permission::default()
    };
    let moved = FileChange::Move {
        from: "a.txt".into(),
        to: "../../etc/cron.d/x".into(),
    };
    let deleted = FileChange::Delete("docs/c.txt".into());

    let both = change(vec![moved.clone(), deleted.clone()]);
    assert_eq!(both.purpose().verb, PermissionVerb::Change);
    assert_eq!(
        both.purpose().objects,
        ["c.txt", "a.txt → ../../etc/cron.d/x"]
    );
    let risks: Vec<Risk> = both.risks("/p").into_iter().map(|mark| mark.risk).collect();
    assert_eq!(risks, [Risk::Outside, Risk::Deletes]);

    assert_eq!(change(vec![deleted]).purpose().verb, PermissionVerb::Delete);
    assert_eq!(change(vec![moved]).purpose().verb, PermissionVerb::Move);
    let added = FileChange::Add("new.txt".into());
    assert_eq!(change(vec![added]).purpose().verb, PermissionVerb::Write);
    let updated = change(vec![FileChange::Update("a.txt".into())]);
    assert_eq!(updated.purpose().objects, ["a.txt", "c.txt"], "as ever");
    assert_eq!(updated.wants(), ["a.txt", "c.txt"]);
    let unseen = Permission {
        diff: Some(" ".into()),
        ..updated
    };
    assert_eq!(unseen.wants(), ["a.txt", "c.txt", "update: a.txt"]);
}

#[test]
fn an_argument_of_several_lines_looks_like_no_other_argument() {
    let argument = Argument {
        name: "note".into(),
        value: "x\ncascade: false".into(),
    };
    assert_eq!(argument.line(), "note: x\n  cascade: false");
}
