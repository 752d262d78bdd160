//! Tests of which answers are kept, and what of them.

use super::*;
use beckon_core::{AskContent, AskId, Choice, Permission, Question, Reply, Session};

fn ended(serial: u64, minute: i64, kind: AskContent, outcome: Outcome) -> Entry {
    let id = AskId::new("local", format!("que_{serial}"));
    let session = Session {
        directory: "/home/me/shop-api".into(),
        ..Session::default()
    };
    let at = Timestamp(minute * 60_000);
    let mut entry = Entry::new(
        Ask {
            id,
            kind,
            session,
            call: None,
            asked_at: Timestamp(0),
        },
        serial,
    );
    entry.state = AskState::Settled { outcome, at };
    entry
}

fn question() -> AskContent {
    let choice = |label: &str, value: &str| Choice {
        label: label.into(),
        value: Some(value.into()),
        ..Choice::default()
    };
    let choices = vec![choice("PostgreSQL", "pg"), choice("SQLite", "lite")];
    let question = Question {
        choices,
        custom: true,
        multiple: true,
        ..Question::default()
    };
    AskContent::Questions(vec![question])
}

fn set() -> AskContent {
    AskContent::Questions(vec![Question::default(), Question::default()])
}

fn permission() -> AskContent {
    AskContent::Permission(Permission {
        permission: "bash".into(),
        ..Permission::default()
    })
}

fn by_window(answer: Answer) -> Outcome {
    Outcome::Answered {
        answer,
        by: Surface::Window,
    }
}

fn elsewhere(answer: &[&str]) -> Outcome {
    let answer = answer.iter().map(|text| (*text).to_owned()).collect();
    Outcome::Elsewhere {
        answers: Some(vec![answer]),
    }
}

fn serials(latest: &LatestAnswers) -> Vec<u64> {
    latest.iter().map(|ended| ended.serial).collect()
}

fn what(kind: AskContent, outcome: Outcome) -> AskEnding {
    FinishedAsk::of(&ended(1, 30, kind, outcome))
        .expect("it was answered")
        .what
}

fn chosen(texts: &[&str]) -> AskEnding {
    AskEnding::Chosen(texts.iter().map(|text| (*text).to_owned()).collect())
}

#[test]
fn the_three_newest_are_kept_whatever_the_order_they_are_noted_in() {
    let mut latest = LatestAnswers::default();
    for (serial, minute) in [(1, 1), (4, 4), (2, 2), (5, 4), (3, 3)] {
        latest.note(&ended(
            serial,
            minute,
            permission(),
            by_window(Answer::Dismiss),
        ));
    }
    assert_eq!(serials(&latest), [5, 4, 3]);
}

#[test]
fn an_ask_that_was_given_up_is_no_answer_until_it_is_known_to_have_one() {
    let mut latest = LatestAnswers::default();
    latest.note(&ended(1, 5, question(), Outcome::Gone));
    assert!(serials(&latest).is_empty());
    latest.note(&ended(2, 6, question(), elsewhere(&["lite"])));
    latest.note(&ended(1, 5, question(), elsewhere(&["pg"])));
    assert_eq!(serials(&latest), [2, 1]);
}

#[test]
fn an_ask_that_is_noted_twice_stands_once() {
    let mut latest = LatestAnswers::default();
    latest.note(&ended(1, 5, question(), Outcome::DismissedElsewhere));
    latest.note(&ended(1, 5, question(), elsewhere(&["pg"])));
    assert_eq!(
        latest.iter().map(|ended| &ended.what).collect::<Vec<_>>(),
        [&chosen(&["PostgreSQL"])]
    );
}

#[test]
fn an_answer_is_kept_in_the_words_that_the_human_saw() {
    let reply = Reply {
        choices: vec![1],
        text: Some("and\na map".into()),
    };
    let given = what(question(), by_window(Answer::Replies(vec![reply])));
    assert_eq!(given, chosen(&["SQLite", "and a map"]));
    assert_eq!(
        what(question(), elsewhere(&["pg"])),
        chosen(&["PostgreSQL"])
    );
    assert_eq!(
        what(question(), elsewhere(&["own words"])),
        chosen(&["own words"])
    );
    let replies = vec![Reply::text("a"), Reply::text("b")];
    assert_eq!(
        what(set(), by_window(Answer::Replies(replies))),
        AskEnding::Answers(2)
    );
}

#[test]
fn what_a_source_tells_of_a_permission_is_understood_and_never_repeated() {
    assert_eq!(
        what(permission(), elsewhere(&["always"])),
        AskEnding::Always
    );
    assert_eq!(
        what(permission(), elsewhere(&["reject"])),
        AskEnding::Rejected
    );
    assert_eq!(
        what(permission(), elsewhere(&["perhaps"])),
        AskEnding::Answered
    );
    assert_eq!(
        what(AskContent::Confirm("Go?".into()), elsewhere(&["cancel"])),
        AskEnding::Cancelled
    );
    assert_eq!(
        what(question(), Outcome::Elsewhere { answers: None }),
        AskEnding::Answered
    );
}

#[test]
fn dismissed_means_what_that_is_for_its_kind() {
    assert_eq!(
        what(question(), Outcome::DismissedElsewhere),
        AskEnding::Dismissed
    );
    assert_eq!(
        what(permission(), Outcome::DismissedElsewhere),
        AskEnding::Rejected
    );
    assert_eq!(
        what(question(), Outcome::Expired),
        AskEnding::Expired(Span::minutes(30))
    );
}
