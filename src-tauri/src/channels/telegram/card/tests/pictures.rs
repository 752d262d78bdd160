//! The messages that the pictures of Telegram are drawn from (`ui/pages/telegram.mjs`), as they are sent.
//! `BECKON_WRITE_PICTURES=1 cargo test --lib pictures` writes them; otherwise they must be the same.

use super::*;
use crate::channels::telegram::card::list::ListContent;
use crate::channels::telegram::updates::presence::SaidPresence;
use serde_json::{Value, json};
use std::path::PathBuf;

/// 14:02 of the first day.
const NOW: Timestamp = Timestamp((14 * 60 + 2) * 60_000);

fn file() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("ui/pages/telegram.json")
}

#[test]
fn the_pictures_of_telegram_are_drawn_from_what_is_sent() {
    let drawn: serde_json::Map<_, _> = ["en", "zh-CN"]
        .map(|language| (language.to_owned(), messages(language)))
        .into_iter()
        .collect();
    let drawn = serde_json::to_string_pretty(&drawn).unwrap() + "\n";
    if std::env::var_os("BECKON_WRITE_PICTURES").is_some() {
        std::fs::write(file(), &drawn).unwrap();
    }
    let kept = std::fs::read_to_string(file()).unwrap_or_default();
    assert!(
        kept == drawn,
        "the messages have changed: BECKON_WRITE_PICTURES=1 cargo test --lib pictures, and `cargo xtask shots`"
    );
}

fn messages(language: &str) -> Value {
    let texts = Texts::load(language);
    let scene = CardContext {
        now: NOW,
        ..scene(&texts)
    };
    let card = |entry: &Entry| picture(&card(entry, &scene));
    let [question, command, dangerous, sure] = [question(), command(), dangerous(), sure()];
    let waiting = [&dangerous, &command, &question];
    let list = ListContent {
        waiting: &waiting,
        page: 0,
        stands: true,
        standing: &SaidPresence::default(),
        scene: &scene,
    };
    json!({
        "question": card(&question),
        "command": card(&command),
        "dangerous": card(&dangerous),
        "sure": card(&sure),
        "settled": card(&answered()),
        "list": picture(&list.message(|_| None)),
    })
}

fn picture(card: &CardMessage) -> Value {
    let button = |button: &CardButton| json!({ "label": button.label, "style": button.style.map(|style| format!("{style:?}")) });
    let row = |row: &Vec<CardButton>| row.iter().map(button).collect::<Vec<_>>();
    json!({ "html": card.html, "rows": card.keyboard.iter().map(row).collect::<Vec<_>>() })
}

fn asked(number: u64, minutes: i64, kind: AskContent) -> Entry {
    let session = Session {
        directory: "/home/you/shop-api".into(),
        title: Some("Add invoices".into()),
        last_words: Some("The tables are ready. Before I write the queries:".into()),
        ..Session::default()
    };
    let id = AskId::new("local", format!("ask_{number}"));
    let asked_at = Timestamp(NOW.0 - minutes * 60_000);
    Entry::new(
        Ask {
            id,
            kind,
            session,
            call: None,
            asked_at,
        },
        number,
    )
}

fn question() -> Entry {
    let choice = |label: &str, description: &str| Choice {
        label: label.into(),
        description: description.into(),
        value: None,
    };
    let choices = vec![
        choice("PostgreSQL", "Handles concurrent writes"),
        choice("SQLite", "A single file, no server"),
    ];
    let question = "Which database should the invoices use?".into();
    let question = Question {
        question,
        choices,
        custom: true,
        ..Question::default()
    };
    asked(3, 2, AskContent::Questions(vec![question]))
}

fn command() -> Entry {
    let permission = Permission {
        always: vec!["npm test *".into()],
        ..bash("npm test -- --watch=false")
    };
    asked(2, 6, AskContent::Permission(permission))
}

fn dangerous() -> Entry {
    asked(
        1,
        9,
        AskContent::Permission(bash("rm -rf dist && git push --force")),
    )
}

/// Returns the second page of [`dangerous`]: its button was tapped once.
fn sure() -> Entry {
    let mut entry = dangerous();
    let mut draft = beckon_core::Draft::new(&entry.ask);
    let once = draft.tap(&entry.ask, CardTap::Once).unwrap();
    draft.ask_twice(&entry.ask, once);
    entry.draft = Some(draft);
    entry
}

fn answered() -> Entry {
    let mut entry = question();
    let answer = Answer::Replies(vec![Reply::choice(1)]);
    let outcome = Outcome::Answered {
        answer,
        by: Surface::Telegram,
    };
    entry.state = AskState::Settled { outcome, at: NOW };
    entry
}
