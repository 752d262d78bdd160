//! What cards look like.

use super::*;
use beckon_core::{
    Ask, AskId, CardSight, CardTap, Choice, OnePress, Permission, Question, Session, UnknownAsk,
    UnknownShape,
};

static ZONE: TimeZone = TimeZone::UTC;

fn scene(texts: &Texts) -> CardContext<'_> {
    let zone = &ZONE;
    let (missed, one_press) = Default::default();
    CardContext { texts, seal: "Ab3dE6gH1J", now: Timestamp(0), zone, missed, one_press }
}

fn entry(kind: AskContent) -> Entry {
    let (id, session) = (AskId::new("local", "per_1"), Session::default());
    Entry::new(Ask { id, kind, session, call: None, asked_at: Timestamp(0) }, 1)
}

#[test]
fn a_card_says_when_its_ask_expires_since_that_was_warned_of() {
    let texts = Texts::load("en");
    let mut entry = entry(AskContent::Questions(vec![Question::default()]));
    assert!(!card(&entry, &scene(&texts)).html.contains("1:00"));
    entry.expires = Some(Timestamp(3_600_000));
    assert!(card(&entry, &scene(&texts)).html.contains("1:00"));
}

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
    let kind = AskContent::Questions(vec![question]);
    let entry = Entry::new(Ask { id, kind, session, call: None, asked_at: Timestamp(0) }, 1);
    let texts = Texts::load("en");
    let scene = scene(&texts);
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
    let kind = AskContent::Unknown(UnknownAsk { asked: UnknownShape::Permission, raw });
    let entry = entry(kind);
    let texts = Texts::load("en");
    let scene = scene(&texts);
    let card = card(&entry, &scene);
    assert!(card.keyboard.is_empty());
    assert!(card.html.contains("&lt;b&gt;") && card.html.contains("rm -rf ~"), "{}", card.html);
    assert!(card.html.ends_with("please answer it where the agent runs."), "{}", card.html);
}

fn bash(command: &str) -> Permission {
    let command = Some(command.to_owned());
    Permission { permission: "bash".into(), command, ..Permission::default() }
}

#[test]
fn one_tap_allows_what_the_card_shows_as_it_is_and_nothing_else() {
    let named = |name: &str| Permission { permission: name.into(), ..bash("make") };
    let edit = |diff: Option<&str>| Permission {
        permission: "edit".into(),
        patterns: vec!["a.rs".into()],
        diff: diff.map(str::to_owned),
        ..Permission::default()
    };
    let table = [
        (bash("make"), true),
        (bash("rm -rf dist"), false),
        (bash("curl x | sh"), false),
        (bash(&"x".repeat(3_900)), true),
        (bash(&"x".repeat(4_096)), false),
        (bash("make \u{202e}# x"), false),
        (bash(&format!("ls{}; rm -rf ~", " ".repeat(150))), false),
        (named("frobnicate"), true),
        (named(&"x".repeat(61)), false),
        (edit(Some("-a\n+b")), true),
        (edit(Some("-a\n+b\u{200b}")), false),
        (edit(Some(&"+b\n".repeat(3_000))), false),
        (edit(Some("")), false),
        (edit(None), false),
        (Permission { permission: "doom_loop".into(), ..Permission::default() }, false),
    ];
    let texts = Texts::load("en");
    let all = CardContext { one_press: OnePress::All, ..scene(&texts) };
    for (permission, clear) in table {
        let entry = entry(AskContent::Permission(permission.clone()));
        assert_eq!(sight(&entry, &scene(&texts)) == CardSight::Clear, clear, "{permission:?}");
        let once = card(&entry, &scene(&texts)).keyboard[0][0].label.clone();
        assert_eq!(once, if clear { "Once" } else { "Once…" }, "{permission:?}");
        assert_eq!(sight(&entry, &all), CardSight::Clear, "{permission:?}");
    }
}

#[test]
fn a_card_says_what_is_dangerous_also_where_one_tap_allows_everything() {
    let texts = Texts::load("en");
    for one_press in [OnePress::Unmarked, OnePress::All] {
        let scene = CardContext { one_press, ..scene(&texts) };
        let html = card(&entry(AskContent::Permission(bash("rm -rf dist"))), &scene).html;
        let told = html.matches("⚠️ Deletes files, and can't be undone.").count();
        assert_eq!(told, 1, "{html}");
    }
}

#[test]
fn one_tap_goes_on_only_beside_all_of_what_is_said() {
    let texts = Texts::load("zh-CN");
    for (info, clear) in
        [("Deploy?", true), ("Deploy\u{202e}?", false), (&"a story ".repeat(600), false)]
    {
        let mut entry = entry(AskContent::Confirm(info.into()));
        assert_eq!(sight(&entry, &scene(&texts)) == CardSight::Clear, clear, "{info}");
        let mut draft = beckon_core::Draft::new(&entry.ask);
        let moved = draft.tap(&entry.ask, CardTap::Continue).unwrap();
        draft.ask_twice(moved);
        entry.draft = Some(draft);
        let card = card(&entry, &scene(&texts));
        assert_eq!(card.keyboard[0][0].label, "确定继续");
        assert!(card.html.contains("确定吗？"), "{}", card.html);
    }
}

#[test]
fn what_always_would_allow_is_looked_at_too() {
    let texts = Texts::load("en");
    for (always, warned) in [("make *", false), ("make\u{200b} *", true)] {
        let always = vec![always.to_owned()];
        let mut entry = entry(AskContent::Permission(Permission { always, ..bash("make") }));
        assert_eq!(
            sight(&entry, &scene(&texts)),
            CardSight::Clear,
            "once allows the command alone"
        );
        let mut draft = beckon_core::Draft::new(&entry.ask);
        draft.tap(&entry.ask, CardTap::Always).unwrap();
        entry.draft = Some(draft);
        let html = card(&entry, &scene(&texts)).html;
        assert_eq!(html.contains("look like something else"), warned, "{html}");
    }
}
