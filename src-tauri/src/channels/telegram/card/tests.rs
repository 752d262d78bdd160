//! What cards look like.

use super::*;
use beckon_core::{Ask, AskId, Asked, Choice, Question, Session, Unknown};

#[test]
fn a_single_question_shows_its_choices_twice_to_read_and_to_press() {
    let choice = |label: &str, description: &str| Choice {
        label: label.into(),
        description: description.into(),
        value: None,
    };
    let question = Question {
        header: "Database".into(),
        question: "Which database should I use?".into(),
        multiple: false,
        custom: true,
        choices: vec![
            choice("PostgreSQL", "Robust relational store"),
            choice("SQLite", "One file, no server"),
        ],
        limits: None,
    };
    let session = Session {
        directory: "/home/me/shop-api".into(),
        title: Some("Pick a storage engine".into()),
        last_words: Some("The schema is ready.".into()),
        ..Session::default()
    };
    let id = AskId::new("local", "que_1");
    let kind = Kind::Questions(vec![question]);
    let entry = Entry::new(Ask { id, kind, session, call: None, asked_at: Timestamp(0) }, 1);
    let texts = Texts::load("en");
    let (now, zone) = (Timestamp(0), &TimeZone::UTC);
    let scene =
        Scene { texts: &texts, seal: "Ab3dE6gH1J", now, zone, missed: false, expires: None };
    let card = card(&entry, &scene);
    assert_eq!(
        card.html,
        "❓ <b>shop-api · Pick a storage engine</b>\n\
         Which database should I use?\n  \
         1  PostgreSQL: Robust relational store\n  \
         2  SQLite: One file, no server\n\
         <i>“The schema is ready.”</i>\n\
         Or reply with 1, 2 or your own words."
    );
    let labels: Vec<Vec<&str>> =
        card.keyboard.iter().map(|row| row.iter().map(|b| b.label.as_str()).collect()).collect();
    assert_eq!(labels, [["PostgreSQL", "SQLite"], ["✏️ Own answer", "🚫 Dismiss"]]);
}

#[test]
fn a_request_of_unknown_form_is_shown_as_it_came_and_has_no_button() {
    let raw = r#"{"patterns":{"<b>":"rm -rf ~"}}"#.to_owned();
    let kind = Kind::Unknown(Unknown { asked: Asked::Permission, raw });
    let (id, session) = (AskId::new("local", "per_1"), Session::default());
    let entry = Entry::new(Ask { id, kind, session, call: None, asked_at: Timestamp(0) }, 1);
    let texts = Texts::load("en");
    let (now, zone) = (Timestamp(0), &TimeZone::UTC);
    let scene =
        Scene { texts: &texts, seal: "Ab3dE6gH1J", now, zone, missed: false, expires: None };
    let card = card(&entry, &scene);
    assert!(card.keyboard.is_empty());
    assert!(card.html.contains("&lt;b&gt;") && card.html.contains("rm -rf ~"), "{}", card.html);
    assert!(card.html.ends_with("please answer it where the agent runs."), "{}", card.html);
}
