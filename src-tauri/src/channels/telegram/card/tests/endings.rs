//! Tests of the ending of an ask, on its card and in what a late press is told.

use super::*;
use crate::channels::telegram::words;
use beckon_core::ReturnReason;

fn set() -> AskContent {
    let AskContent::Questions(mut asked) = database() else {
        unreachable!()
    };
    asked[0].header = "Database".into();
    asked.push(Question {
        question: "Which name?".into(),
        ..Question::default()
    });
    AskContent::Questions(asked)
}

fn html(entry: &Entry) -> String {
    card(entry, &scene(&Texts::load("en"))).html
}

fn late(entry: &Entry) -> String {
    words::late(entry, &scene(&Texts::load("en")))
}

fn answered(answer: Answer) -> Outcome {
    Outcome::Answered {
        answer,
        by: Surface::Window,
    }
}

fn elsewhere(answers: &[&[&str]]) -> Outcome {
    let texts = |texts: &&[&str]| texts.iter().map(|&text| text.to_owned()).collect();
    Outcome::Elsewhere {
        answers: Some(answers.iter().map(texts).collect()),
    }
}

#[test]
fn a_set_that_was_answered_is_counted_and_its_answers_are_folded_away() {
    let replies = Answer::Replies(vec![Reply::choice(1), Reply::text("Beckon")]);
    let fold = "<blockquote expandable>Database: SQLite\nWhich name?: “Beckon”</blockquote>";
    let entry = settled(set(), answered(replies));
    let lines =
        format!("✅ <b>2 answers</b> · in the window, 14:02\nshop-api: 2 questions\n{fold}");
    assert_eq!(html(&entry), lines);
    let there = settled(set(), elsewhere(&[&["SQLite"], &[" ", ""]]));
    assert_eq!(
        html(&there),
        "☑️ <b>2 answers</b> · in the agent itself, 14:02\nshop-api: 2 questions\n\
         <blockquote expandable>Database: SQLite\nWhich name?: no answer</blockquote>"
    );
}

#[test]
fn a_long_answer_is_cut_above_and_stands_whole_below() {
    for (length, whole) in [(198, false), (199, true)] {
        let text = "x".repeat(length);
        let entry = settled(
            database(),
            answered(Answer::Replies(vec![Reply::text(text.clone())])),
        );
        let html = html(&entry);
        let below = format!("<blockquote expandable>✏️ “{text}”\nPostgreSQL\nSQLite</blockquote>");
        assert_eq!(html.ends_with(&below), whole, "{html}");
    }
}

#[test]
fn what_was_answered_in_the_agent_itself_is_said_in_the_words_of_its_kind() {
    let go_on = || AskContent::Confirm("Deploy?".into());
    for (kind, told, said) in [
        (
            database(),
            &[&["SQLite", "PostgreSQL"][..]][..],
            "SQLite, PostgreSQL",
        ),
        (
            AskContent::Permission(bash("make")),
            &[&["always"]],
            "Always allowed",
        ),
        (go_on(), &[&["cancel"]], "Stopped"),
        (go_on(), &[&["as you\nlike"]], "as you like"),
        (go_on(), &[&[" "]], "Answered"),
        (go_on(), &[&[]], "Answered"),
        (go_on(), &[], "Answered"),
    ] {
        let entry = settled(kind, elsewhere(told));
        assert_eq!(
            late(&entry),
            format!("☑️ {said} · in the agent itself, 14:02")
        );
    }
    let mut own = settled(go_on(), elsewhere(&[&["continue"]]));
    own.ask.id = AskId::new("asks", "que_1");
    assert_eq!(late(&own), "☑️ Continued · in the agent's terminal, 14:02");
}

#[test]
fn a_late_press_is_told_what_was_answered_where_and_when() {
    let mut entry = settled(
        database(),
        answered(Answer::Replies(vec![Reply::choice(1)])),
    );
    assert_eq!(
        late(&entry),
        "Already answered: SQLite, in the window at 14:02"
    );
    let texts = Texts::load("en");
    let tomorrow = CardContext {
        now: Timestamp(86_400_000),
        ..scene(&texts)
    };
    assert!(words::late(&entry, &tomorrow).ends_with("in the window yesterday 14:02"));
    entry.state = AskState::Settled {
        outcome: Outcome::Expired,
        at: Timestamp(60_000),
    };
    entry.ask.asked_at = Timestamp(0);
    assert_eq!(late(&entry), "⌛ Expired after 1 min · 00:01");
    entry.state = AskState::Open;
    assert_eq!(late(&entry).trim(), "");
}

#[test]
fn an_answer_of_the_clock_is_an_expiry_also_on_its_way() {
    let mut entry = settled(database(), Outcome::Gone);
    let (answer, by, at) = (Answer::Dismiss, Surface::Clock, Timestamp(0));
    entry.state = AskState::Answering {
        answer,
        by,
        at,
        attempts: 1,
        tried_at: None,
        sent_at: None,
        unanswered: false,
    };
    let texts = Texts::load("en");
    let now = Timestamp(entry.ask.asked_at.0 + 120_000);
    let html = card(
        &entry,
        &CardContext {
            now,
            ..scene(&texts)
        },
    )
    .html;
    assert!(
        html.starts_with("⏳ <b>Expired after 2 min</b> · sending\n"),
        "{html}"
    );
}

#[test]
fn a_set_without_questions_and_a_confirm_without_words_have_words_of_ours() {
    let none = || AskContent::Questions(Vec::new());
    let entry = settled(none(), answered(Answer::Replies(Vec::new())));
    assert!(
        html(&entry).starts_with("✅ <b>Continued</b> · "),
        "{}",
        html(&entry)
    );
    let mut under_way = entry.clone();
    let (answer, by, at) = (Answer::Replies(Vec::new()), Surface::Window, Timestamp(0));
    under_way.state = AskState::Answering {
        answer,
        by,
        at,
        attempts: 1,
        tried_at: None,
        sent_at: None,
        unanswered: false,
    };
    assert!(html(&under_way).starts_with("⏳ <b>Continue</b> · sending\n"));
    let silent = settled(AskContent::Confirm(" ".into()), Outcome::Expired);
    assert!(
        html(&silent).contains("\nshop-api: Continue?"),
        "{}",
        html(&silent)
    );
}

#[test]
fn an_answer_that_came_back_says_why_above_the_hint() {
    let mut entry = entry(database());
    entry.returned = Some(ReturnReason::Refused("no\nsuch <answer>".into()));
    let html = html(&entry);
    let why = "\n⚠️ The agent rejected the answer: no such &lt;answer&gt;\nOr reply with 1 or 2.";
    assert!(html.ends_with(why), "{html}");
}

#[test]
fn who_asks_is_said_where_that_says_something() {
    for (agent, parent, line) in [
        (None, None, "shop-api"),
        (Some("build"), None, "shop-api"),
        (Some(" "), None, "shop-api"),
        (Some("plan"), None, "shop-api · plan"),
        (Some("build"), Some("ses_1"), "shop-api · subagent"),
        (Some("plan"), Some("ses_1"), "shop-api · plan · subagent"),
    ] {
        let mut entry = entry(database());
        let session = &mut entry.ask.session;
        session.directory = "/home/me/shop-api".into();
        (session.agent, session.parent) = (agent.map(Into::into), parent.map(Into::into));
        assert_eq!(html(&entry).lines().nth(1), Some(line));
    }
}
