//! The looks of cards.

mod endings;
mod permissions;
mod pictures;
mod questions;

use super::*;
use beckon_core::hub::team::Agreement;
use beckon_core::{
    Answer, Ask, AskId, CardSight, CardTap, Choice, Grant, OnePress, Outcome, Permission, Question,
    QuestionConsent, Reply, Responder, Session, Surface, UndeliveredAnswer, UnknownAsk,
    UnknownShape, Voucher,
};

static ZONE: TimeZone = TimeZone::UTC;

fn scene(texts: &Texts) -> CardContext<'_> {
    let zone = &ZONE;
    let (missed, one_press, by) = Default::default();
    CardContext {
        texts,
        seal: "Ab3dE6gH1J",
        now: Timestamp(0),
        zone,
        missed,
        one_press,
        by,
    }
}

fn entry(kind: AskContent) -> Entry {
    let (id, session) = (AskId::new("local", "per_1"), Session::default());
    Entry::new(
        Ask {
            id,
            kind,
            session,
            call: None,
            asked_at: Timestamp(0),
        },
        1,
    )
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
fn a_card_says_who_has_agreed_already_where_two_must() {
    let texts = Texts::load("en");
    let mut entry = entry(AskContent::Confirm("Deploy?".into()));
    assert!(!card(&entry, &scene(&texts)).html.contains("Grace"));
    let (answer, by) = (Answer::Continue, Surface::Api);
    entry.agreed = vec![Agreement {
        person: "Grace".into(),
        answer,
        by,
        responder: None,
        key: None,
    }];
    let html = card(&entry, &scene(&texts)).html;
    assert!(
        html.contains("Grace said yes. If you do, too, it's decided."),
        "{html}"
    );
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
        consent: None,
    };
    let session = Session {
        directory: "/home/me/shop-api".into(),
        title: Some("Pick a storage engine".into()),
        last_words: Some("The schema is ready.".into()),
        ..Session::default()
    };
    let id = AskId::new("local", "que_1");
    let kind = AskContent::Questions(vec![question]);
    let entry = Entry::new(
        Ask {
            id,
            kind,
            session,
            call: None,
            asked_at: Timestamp(0),
        },
        1,
    );
    let texts = Texts::load("en");
    let scene = scene(&texts);
    let card = card(&entry, &scene);
    assert_eq!(
        card.html,
        "❓ <b>Which database should I use?</b>\n\
         shop-api · Pick a storage engine\n  \
         1  PostgreSQL: Robust relational store\n  \
         2  SQLite: One file, no server\n\
         <blockquote expandable>The schema is ready.</blockquote>\n\
         Or reply with 1, 2 or your own words."
    );
    let labels: Vec<Vec<&str>> = card
        .keyboard
        .iter()
        .map(|row| row.iter().map(|b| b.label.as_str()).collect())
        .collect();
    assert_eq!(
        labels,
        [["PostgreSQL", "SQLite"], ["✏️ Write my own", "🚫 Dismiss…"]]
    );
}

#[test]
fn a_request_of_unknown_form_is_shown_as_it_came_and_has_no_button() {
    let raw = r#"{"patterns":{"<b>":"rm -rf ~"}}"#.to_owned();
    let kind = AskContent::Unknown(UnknownAsk {
        asked: UnknownShape::Permission,
        raw,
    });
    let entry = entry(kind);
    let texts = Texts::load("en");
    let scene = scene(&texts);
    let card = card(&entry, &scene);
    assert!(card.keyboard.is_empty());
    assert!(
        card.html.contains("&lt;b&gt;") && card.html.contains("rm -rf ~"),
        "{}",
        card.html
    );
    assert!(
        card.html
            .ends_with("please answer it where the agent runs."),
        "{}",
        card.html
    );
}

fn bash(command: &str) -> Permission {
    let command = Some(command.to_owned());
    Permission {
        permission: "bash".into(),
        command,
        ..Permission::default()
    }
}

#[test]
fn one_tap_allows_what_the_card_shows_as_it_is_and_nothing_else() {
    let named = |name: &str| Permission {
        permission: name.into(),
        ..bash("make")
    };
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
        (
            Permission {
                permission: "doom_loop".into(),
                ..Permission::default()
            },
            false,
        ),
    ];
    let texts = Texts::load("en");
    let all = CardContext {
        one_press: OnePress::All,
        ..scene(&texts)
    };
    for (permission, clear) in table {
        let entry = entry(AskContent::Permission(permission.clone()));
        assert_eq!(
            sight(&entry, &scene(&texts)) == CardSight::Clear,
            clear,
            "{permission:?}"
        );
        let once = card(&entry, &scene(&texts)).keyboard[0][0].label.clone();
        let word = match permission.permission.as_str() {
            "plan" => "Start",
            "doom_loop" => "Keep going",
            _ => "Allow once",
        };
        let asks = if clear { "" } else { "…" };
        assert_eq!(once, format!("{word}{asks}"), "{permission:?}");
        assert_eq!(sight(&entry, &all), CardSight::Clear, "{permission:?}");
    }
}

#[test]
fn a_card_says_what_is_dangerous_also_where_one_tap_allows_everything() {
    let texts = Texts::load("en");
    for one_press in [OnePress::Unmarked, OnePress::All] {
        let scene = CardContext {
            one_press,
            ..scene(&texts)
        };
        let html = card(&entry(AskContent::Permission(bash("rm -rf dist"))), &scene).html;
        let told = html
            .matches("⚠️ Deletes files, and can't be undone.")
            .count();
        assert_eq!(told, 1, "{html}");
    }
}

#[test]
fn a_choice_that_lets_something_run_is_clear_only_beside_all_of_it() {
    let texts = Texts::load("en");
    let sight_of = |text: &str, consent: Option<&str>| {
        let commands = |command: &str| vec![command.to_owned()];
        let question = Question {
            question: text.into(),
            consent: consent.map(|command| QuestionConsent {
                commands: commands(command),
                refusals: Vec::new(),
            }),
            ..Question::default()
        };
        sight(
            &entry(AskContent::Questions(vec![question])),
            &scene(&texts),
        )
    };
    let long = "a story ".repeat(600);
    assert_eq!(sight_of("ls {}", Some("ls")), CardSight::Clear);
    assert_eq!(sight_of("rm {}", Some("rm -rf ~")), CardSight::Obscured);
    assert_eq!(sight_of("ls \u{202e}", Some("")), CardSight::Obscured);
    assert_eq!(sight_of(&long, Some("")), CardSight::Obscured);
    assert_eq!(sight_of(&long, None), CardSight::Clear);
}

#[test]
fn one_tap_goes_on_only_beside_all_of_what_is_said() {
    let texts = Texts::load("zh-CN");
    for (info, clear) in [
        ("Deploy?", true),
        ("Deploy\u{202e}?", false),
        (&"a story ".repeat(600), false),
    ] {
        let mut entry = entry(AskContent::Confirm(info.into()));
        assert_eq!(
            sight(&entry, &scene(&texts)) == CardSight::Clear,
            clear,
            "{info}"
        );
        let mut draft = beckon_core::Draft::new(&entry.ask);
        let moved = draft.tap(&entry.ask, CardTap::Continue).unwrap();
        draft.ask_twice(&entry.ask, moved);
        entry.draft = Some(draft);
        let card = card(&entry, &scene(&texts));
        assert_eq!(card.keyboard[0][1].label, "确定继续");
        assert!(card.html.contains("确定吗？"), "{}", card.html);
    }
}

#[test]
fn what_always_would_allow_is_looked_at_too() {
    let texts = Texts::load("en");
    for (always, warned) in [("make *", false), ("make\u{200b} *", true)] {
        let always = vec![always.to_owned()];
        let mut entry = entry(AskContent::Permission(Permission {
            always,
            ..bash("make")
        }));
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

fn settled(kind: AskContent, outcome: Outcome) -> Entry {
    let mut entry = entry(kind);
    entry.ask.session.directory = "/home/me/shop-api".into();
    let at = Timestamp((14 * 60 + 2) * 60_000);
    entry.ask.asked_at = Timestamp(at.0 - 30 * 60_000);
    entry.state = AskState::Settled { outcome, at };
    entry
}

fn database() -> AskContent {
    let choice = |label: &str| Choice {
        label: label.into(),
        ..Choice::default()
    };
    AskContent::Questions(vec![Question {
        question: "Which database should I use?".into(),
        choices: vec![choice("PostgreSQL"), choice("SQLite")],
        ..Question::default()
    }])
}

#[test]
fn a_settled_card_is_two_lines_and_the_rest_is_folded_away() {
    let answered = |answer| Outcome::Answered {
        answer,
        by: Surface::Telegram,
    };
    let sqlite = Answer::Replies(vec![Reply::choice(1)]);
    let reject = Grant::Reject {
        reason: Some("Not on a <Friday>".into()),
    };
    let fold = "<blockquote expandable>PostgreSQL\nSQLite</blockquote>";
    let table = [
        (
            settled(database(), answered(sqlite)),
            "✅ <b>SQLite</b> · Grace, 14:02",
            fold,
        ),
        (
            settled(database(), answered(Answer::Dismiss)),
            "🚫 <b>Dismissed</b> · Grace, 14:02",
            fold,
        ),
        (
            settled(database(), Outcome::Expired),
            "⌛ <b>Expired after 30 min</b> · 14:02",
            fold,
        ),
        (
            settled(database(), Outcome::Gone),
            "👻 <b>The agent has stopped waiting</b> · 14:02",
            fold,
        ),
        (
            settled(database(), Outcome::Elsewhere { answers: None }),
            "☑️ <b>Answered</b> · in the agent itself, 14:02",
            fold,
        ),
        (
            settled(
                AskContent::Permission(bash("git push --force")),
                answered(Answer::Grant(reject)),
            ),
            "🚫 <b>Rejected</b> · Grace, 14:02",
            "<blockquote expandable>Not on a &lt;Friday&gt;</blockquote>",
        ),
    ];
    let texts = Texts::load("en");
    let scene = CardContext {
        by: Answerer::Named("Grace"),
        ..scene(&texts)
    };
    for (entry, first, rest) in table {
        let card = card(&entry, &scene);
        let about = says::about(&entry, &scene);
        assert_eq!(card.html, format!("{first}\n{about}\n{rest}"));
        assert!(card.keyboard.is_empty());
    }
}

#[test]
fn whoever_answered_is_named_where_several_can_and_only_if_it_is_known() {
    let outcome = Outcome::Answered {
        answer: Answer::Dismiss,
        by: Surface::Telegram,
    };
    let entry = settled(database(), outcome);
    let texts = Texts::load("en");
    for (by, said) in [
        (Answerer::Reader, "· by you, 14:02"),
        (Answerer::Somebody, "· on Telegram, 14:02"),
        (
            Answerer::Named("Gr\u{202e}ace\n✅ x"),
            "· Gr⟨U+202E⟩ace ✅ x, 14:02",
        ),
    ] {
        let html = card(
            &entry,
            &CardContext {
                by,
                ..scene(&texts)
            },
        )
        .html;
        assert!(html.lines().next().unwrap().ends_with(said), "{html}");
    }
}

#[test]
fn after_a_restart_whoever_tapped_is_known_from_the_store() {
    let outcome = Outcome::Answered {
        answer: Answer::Dismiss,
        by: Surface::Telegram,
    };
    let bob = Responder::new(Some("Bob"), Some("Telegram"), Voucher::Telegram { user: 7 });
    let mut entry = settled(database(), outcome);
    entry.responder = Some(bob);
    let texts = Texts::load("en");
    for (by, said) in [
        (Answerer::Somebody, "· Bob, 14:02"),
        (Answerer::Reader, "· by you, 14:02"),
    ] {
        let html = card(
            &entry,
            &CardContext {
                by,
                ..scene(&texts)
            },
        )
        .html;
        assert!(html.lines().next().unwrap().ends_with(said), "{html}");
    }
}

#[test]
fn whoever_answered_at_another_machine_is_named_with_the_device() {
    let texts = Texts::load("en");
    let device = Voucher::Device {
        name: Some("laptop".into()),
    };
    let ada = Responder::new(Some("Ada"), Some("laptop"), device);
    let answers = Some(vec![vec!["SQLite".to_owned()]]);
    let api = Outcome::Answered {
        answer: Answer::Dismiss,
        by: Surface::Api,
    };
    for outcome in [
        Outcome::Elsewhere { answers },
        Outcome::DismissedElsewhere,
        api,
    ] {
        let mut entry = settled(database(), outcome);
        entry.responder = Some(ada.clone());
        let html = card(&entry, &scene(&texts)).html;
        assert!(
            html.lines()
                .next()
                .unwrap()
                .ends_with("· Ada · laptop, 14:02"),
            "{html}"
        );
    }
}

#[test]
fn an_answer_that_does_not_arrive_says_so_below_what_it_is_about() {
    let texts = Texts::load("en");
    let mut entry = settled(database(), Outcome::Gone);
    let (answer, by, at) = (
        Answer::Replies(vec![Reply::choice(1)]),
        Surface::Window,
        Timestamp(0),
    );
    entry.state = AskState::Answering {
        answer,
        by,
        at,
        attempts: 1,
        tried_at: None,
        sent_at: None,
        unanswered: false,
    };
    let lines = |entry: &Entry| -> Vec<String> {
        card(entry, &scene(&texts))
            .html
            .lines()
            .map(str::to_owned)
            .collect()
    };
    assert_eq!(lines(&entry)[0], "⏳ <b>SQLite</b> · sending");
    entry.undelivered = Some(UndeliveredAnswer {
        since: at,
        why: Some("refused".into()),
    });
    assert_eq!(lines(&entry)[1], "shop-api: Which database should I use?");
    assert!(lines(&entry)[2].starts_with("⚠️ The answer hasn't reached the agent yet: refused"));
}

/// Green is to allow once, red to reject, blue to send and for "always"; nothing else is coloured.
#[test]
fn a_permission_has_two_rows_and_the_colours_of_what_they_do() {
    let texts = Texts::load("en");
    let styles = |card: &CardMessage| -> Vec<Vec<(String, Option<ButtonStyle>)>> {
        let row = |row: &Vec<CardButton>| row.iter().map(|b| (b.label.clone(), b.style)).collect();
        card.keyboard.iter().map(row).collect()
    };
    let always = Permission {
        always: vec!["npm *".into()],
        ..bash("npm test")
    };
    let mut entry = entry(AskContent::Permission(always));
    let front = card(&entry, &scene(&texts));
    let (green, red) = (Some(ButtonStyle::Success), Some(ButtonStyle::Danger));
    assert_eq!(
        styles(&front),
        [
            [("Allow once".to_owned(), green), ("Reject".to_owned(), red)],
            [
                ("Always…".to_owned(), None),
                ("Reject and say why".to_owned(), None)
            ],
        ]
    );
    let mut draft = beckon_core::Draft::new(&entry.ask);
    draft.tap(&entry.ask, CardTap::RejectWithReason).unwrap();
    entry.draft = Some(draft.clone());
    assert_eq!(
        card(&entry, &scene(&texts)).keyboard.len(),
        2,
        "while words are awaited, too"
    );
    draft.tap(&entry.ask, CardTap::Always).unwrap();
    entry.draft = Some(draft);
    let sure = card(&entry, &scene(&texts));
    assert_eq!(
        styles(&sure),
        [
            vec![
                ("Go back".to_owned(), None),
                ("Yes, always allow".to_owned(), Some(ButtonStyle::Primary))
            ],
            vec![("📋 Copy the command".to_owned(), None)],
        ]
    );
    assert!(
        sure.html.starts_with("🔐 <b>Always allow this?</b>\n"),
        "{}",
        sure.html
    );
    assert_eq!(
        sure.keyboard[1][0].action,
        ButtonAction::Copy("npm test".into())
    );
}

#[test]
fn only_a_command_that_is_what_it_looks_like_and_short_enough_can_be_copied() {
    let texts = Texts::load("en");
    for (command, copied) in [
        ("make", true),
        (&"x".repeat(256), true),
        (&"x".repeat(257), false),
        (&"🦀".repeat(129), false),
        ("make \u{202e}# x", false),
        ("ls\u{200b}", false),
        ("  ", false),
    ] {
        let html = card(
            &entry(AskContent::Permission(bash(command))),
            &scene(&texts),
        );
        let copy = |button: &CardButton| matches!(button.action, ButtonAction::Copy(_));
        assert_eq!(
            html.keyboard.iter().flatten().any(copy),
            copied,
            "{command:?}"
        );
    }
}
