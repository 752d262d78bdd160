//! What cards look like.

use super::*;
use beckon_core::{Ask, AskId, Choice, Question, Session};

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
