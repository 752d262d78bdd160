//! Tests of a notification's text, and of its buttons.

use super::*;
use beckon_core::{
    Ask, AskId, Choice, MOST_COUNTED, QuestionConsent, RejectionReach, ReturnReason, Session, Span,
    Timestamp, UnknownAsk, UnknownShape,
};

fn entry(kind: AskContent) -> Entry {
    let session = Session {
        directory: "/home/me/shop-api/".into(),
        ..Session::default()
    };
    let id = AskId::new("local", "que_1");
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

fn question(labels: &[&str]) -> Question {
    let choice = |label: &&str| Choice {
        label: (*label).into(),
        ..Choice::default()
    };
    Question {
        header: "Database".into(),
        question: "Which database?".into(),
        choices: labels.iter().map(choice).collect(),
        ..Question::default()
    }
}

fn shown(kind: AskContent) -> NotificationText {
    notice(&entry(kind), &Texts::load("en"), OnePress::Unmarked)
}

#[test]
fn a_request_of_unknown_form_has_no_button_that_answers() {
    let raw = r#"{"id":"per_1","patterns":{"new":"form"}}"#.to_owned();
    let kind = AskContent::Unknown(UnknownAsk {
        asked: UnknownShape::Permission,
        raw: raw.clone(),
    });
    assert!(!answers_by_a_press(&entry(kind.clone()).ask, OnePress::All));
    let notice = shown(kind);
    assert_eq!(notice.body, raw);
    assert!(
        notice
            .buttons
            .iter()
            .all(|button| matches!(button.press, NotificationAction::Open))
    );
}

#[test]
fn a_single_choice_has_a_button_per_choice_and_the_window_last() {
    let notice = shown(AskContent::Questions(vec![question(&[
        "PostgreSQL",
        "SQLite",
    ])]));
    let labels: Vec<&str> = notice.buttons.iter().map(|b| b.label.as_str()).collect();
    assert_eq!(labels, ["PostgreSQL", "SQLite", "Answer…"]);
    assert_eq!(notice.title, "shop-api · Which database?");
}

#[test]
fn a_question_that_a_title_may_cut_stands_whole_above_the_rest() {
    let asks = |text: &str, description: &str| {
        let described = Choice {
            label: "A".into(),
            description: description.into(),
            value: None,
        };
        let (text, choices) = (text.to_owned(), vec![described]);
        shown(AskContent::Questions(vec![Question {
            question: text,
            choices,
            ..question(&[])
        }]))
        .body
    };
    assert_eq!(
        asks("Which database is it?", ""),
        "",
        "shop-api · … fills the title's line"
    );
    assert_eq!(asks("Which database is it??", ""), "Which database is it??");
    assert_eq!(
        asks("发票用哪一个数据库才好呢？", "好"),
        "发票用哪一个数据库才好呢？\nA: 好"
    );
    let long = "word ".repeat(100);
    assert_eq!(
        asks(&long, "").chars().count(),
        BODY + 1,
        "cut, with an ellipsis"
    );
}

#[test]
fn a_press_answers_what_fits_on_buttons_and_nothing_else() {
    let one = || question(&["PostgreSQL", "SQLite"]);
    let answers_by_a_press =
        |kind: &AskContent| answers_by_a_press(&entry(kind.clone()).ask, OnePress::Unmarked);
    assert!(answers_by_a_press(&AskContent::Questions(vec![one()])));
    assert!(!answers_by_a_press(&AskContent::Questions(vec![
        one(),
        one()
    ])));
    assert!(!answers_by_a_press(&AskContent::Questions(vec![question(
        &[]
    )])));
    assert!(answers_by_a_press(&AskContent::Confirm("Deploy?".into())));
    assert!(!answers_by_a_press(&AskContent::Confirm(
        "a long story ".repeat(40)
    )));
    let patterns = vec!["make".to_owned()];
    let permission = Permission {
        permission: "bash".into(),
        patterns,
        ..Permission::default()
    };
    assert!(answers_by_a_press(&AskContent::Permission(permission)));
}

#[test]
fn equal_labels_are_told_apart_by_their_index() {
    let notice = shown(AskContent::Questions(vec![question(&["Same", "Same"])]));
    let press = |choice| {
        NotificationAction::Press(ButtonPress::Choose {
            question: 0,
            choice,
        })
    };
    assert_eq!(
        [notice.buttons[0].press, notice.buttons[1].press],
        [press(0), press(1)]
    );
}

#[test]
fn many_choices_several_answers_and_sets_only_open_the_window() {
    let many = question(&["1", "2", "3", "4", "5"]);
    let multiple = Question {
        multiple: true,
        ..question(&["a", "b"])
    };
    let set = vec![question(&["a"]), question(&["b"])];
    for kind in [vec![many], vec![multiple], set, vec![]].map(AskContent::Questions) {
        assert_eq!(shown(kind).buttons.len(), 1);
    }
}

#[test]
fn a_set_says_how_many_questions_and_which() {
    let notice = shown(AskContent::Questions(vec![question(&[]), question(&[])]));
    assert_eq!(notice.title, "shop-api · 2 questions");
    assert_eq!(notice.body, "Database · Database");
}

#[test]
fn a_permission_shows_the_command_and_offers_no_always() {
    let permission = Permission {
        permission: "bash".into(),
        command: Some("npm test".into()),
        ..Permission::default()
    };
    let notice = shown(AskContent::Permission(permission));
    assert_eq!(notice.title, "shop-api wants to run npm");
    assert_eq!(notice.body, "npm test");
    let labels: Vec<&str> = notice.buttons.iter().map(|b| b.label.as_str()).collect();
    assert_eq!(labels, ["Allow once", "Reject", "Open…"]);
}

#[test]
fn a_command_that_is_not_shown_in_full_cannot_be_allowed_by_a_button() {
    for command in ["x".repeat(200), "a\n".repeat(9)] {
        let permission = Permission {
            command: Some(command),
            ..Permission::default()
        };
        let notice = shown(AskContent::Permission(permission));
        assert!(
            notice
                .buttons
                .iter()
                .all(|b| b.press != NotificationAction::Press(ButtonPress::Once))
        );
    }
}

#[test]
fn what_is_not_shown_in_full_cannot_be_continued_by_a_button() {
    let labels = |info: &str| -> Vec<String> {
        let notice = shown(AskContent::Confirm(info.into()));
        notice
            .buttons
            .into_iter()
            .map(|button| button.label)
            .collect()
    };
    assert_eq!(labels("Deploy?"), ["Continue", "Stop here", "Answer…"]);
    assert_eq!(labels(&"x".repeat(200)), ["Stop here", "Answer…"]);
}

#[test]
fn a_returned_answer_is_said_above_the_body() {
    let mut entry = entry(AskContent::Confirm("Deploy?".into()));
    entry.returned = Some(ReturnReason::Refused("answer at index 0 is empty".into()));
    let body = notice(&entry, &Texts::load("en"), OnePress::Unmarked).body;
    assert_eq!(
        body,
        "The agent rejected the answer: answer at index 0 is empty\nDeploy?"
    );
}

#[test]
fn long_texts_are_cut_and_control_characters_named() {
    let long = Question {
        question: "é".repeat(5_000) + "\u{7}",
        ..question(&[])
    };
    let notice = shown(AskContent::Questions(vec![long]));
    assert!(notice.title.chars().count() < 150 && notice.title.ends_with('…'));
    assert_eq!(cut("a\u{1b}[31mb", 20), "a⟨U+001B⟩[31mb");
    assert_eq!(line("one\n\ttwo \u{202e}", 20), "one two ⟨U+202E⟩");
}

fn wish(permission: Permission) -> Vec<String> {
    let notice = shown(AskContent::Permission(permission));
    notice
        .buttons
        .into_iter()
        .map(|button| button.label)
        .collect()
}

fn run(command: &str) -> Permission {
    let command = Some(command.to_owned());
    Permission {
        permission: "bash".into(),
        command,
        ..Permission::default()
    }
}

#[test]
fn a_command_that_hides_something_shows_it_and_has_no_button_that_allows_it() {
    let hiding = [
        (
            "rm -rf ~ # \u{202e}'sl' nur ylno\u{2066} \u{200b}",
            "⟨U+202E⟩",
        ),
        ("echo ok\rrm -rf ~", "echo ok⟨U+000D⟩rm -rf ~"),
        (
            &format!("ls{}; rm -rf ~/x", " ".repeat(150)),
            "; rm -rf ~/x",
        ),
        ("ls\u{a0}-a", "ls⟨U+00A0⟩-a"),
    ];
    for (command, seen) in hiding {
        let body = shown(AskContent::Permission(run(command))).body;
        assert!(body.contains(seen), "{body}");
        assert_eq!(wish(run(command)), ["Reject", "Open…"], "{body}");
    }
    assert_eq!(wish(run("cargo test"))[0], "Allow once");
}

#[test]
fn a_dangerous_command_says_so_and_has_no_button_that_allows_it() {
    let ask = AskContent::Permission(run("sudo rm -rf build && rm -rf dist"));
    let notice = shown(ask.clone());
    let risks = "Deletes files, and can't be undone. Runs with administrator rights.";
    assert_eq!(
        notice.body,
        format!("{risks}\nsudo rm -rf build && rm -rf dist")
    );
    assert_eq!(
        wish(run("sudo rm -rf build && rm -rf dist")),
        ["Reject", "Open…"]
    );
    assert!(!answers_by_a_press(
        &entry(ask.clone()).ask,
        OnePress::Unmarked
    ));
    assert!(answers_by_a_press(&entry(ask).ask, OnePress::All));
}

#[test]
fn what_is_no_part_of_the_command_is_shown_beside_it() {
    let patterns = vec![
        "cargo test".to_owned(),
        "run_in_background: true".to_owned(),
    ];
    let body = shown(AskContent::Permission(Permission {
        patterns,
        ..run("cargo test -q")
    }))
    .body;
    assert_eq!(body, "cargo test -q\nrun_in_background: true");
    let (flag, says_so) = ("sandbox: off", "make # sandbox: off");
    let patterns = vec![flag.to_owned()];
    let body = shown(AskContent::Permission(Permission {
        patterns,
        ..run(says_so)
    }))
    .body;
    assert_eq!(
        body, "make # sandbox: off\nsandbox: off",
        "a comment hides no flag"
    );
}

#[test]
fn an_edit_of_which_only_the_name_is_in_sight_cannot_be_allowed_by_a_button() {
    let patterns = vec!["src/main.rs".to_owned()];
    let diff = Some("-a\n+b".to_owned());
    let edit = |permission: &str, diff| {
        let (permission, patterns) = (permission.to_owned(), patterns.clone());
        Permission {
            permission,
            patterns,
            diff,
            ..Permission::default()
        }
    };
    for edit in [
        edit("edit", diff.clone()),
        edit("write", None),
        edit("other", diff),
    ] {
        assert!(!answers_by_a_press(
            &entry(AskContent::Permission(edit.clone())).ask,
            OnePress::Unmarked
        ));
        assert_eq!(wish(edit), ["Reject", "Open…"]);
    }
}

#[test]
fn a_permission_of_which_nothing_is_known_cannot_be_allowed_by_a_button() {
    assert_eq!(wish(Permission::default()), ["Reject", "Open…"]);
}

#[test]
fn whoever_wants_it_allows_everything_with_one_press() {
    let entry = entry(AskContent::Permission(run(&"x\u{202e}".repeat(500))));
    let notice = notice(&entry, &Texts::load("en"), OnePress::All);
    assert_eq!(
        notice.buttons[0].press,
        NotificationAction::Press(ButtonPress::Once)
    );
    assert!(answers_by_a_press(&entry.ask, OnePress::All));
}

#[test]
fn what_is_to_be_continued_must_not_hide_anything() {
    let notice = shown(AskContent::Confirm(format!(
        "Deploy?{}to production",
        " ".repeat(60)
    )));
    let labels: Vec<String> = notice.buttons.into_iter().map(|b| b.label).collect();
    assert_eq!(labels, ["Stop here", "Answer…"]);
}

#[test]
fn labels_and_the_place_that_asks_cannot_be_turned_round() {
    let mut entry = entry(AskContent::Questions(vec![question(&[
        "Yes\u{202e}",
        "No\r\n",
    ])]));
    entry.ask.session.directory = "/srv/sh\u{200b}op".into();
    let notice = notice(&entry, &Texts::load("en"), OnePress::Unmarked);
    assert_eq!(notice.title, "sh⟨U+200B⟩op · Which database?");
    let labels: Vec<String> = notice.buttons.into_iter().map(|b| b.label).collect();
    assert_eq!(labels, ["Yes⟨U+202E⟩", "No", "Answer…"]);
}

#[test]
fn what_a_rejection_takes_along_is_said_below() {
    let reaching = |rejects, count| {
        let mut entry = entry(AskContent::Permission(Permission {
            rejects,
            ..run("ls")
        }));
        entry.also_rejects = count;
        notice(&entry, &Texts::load("en"), OnePress::Unmarked).body
    };
    let body = reaching(RejectionReach::Session, 2);
    assert_eq!(
        body,
        "ls\nRejecting this also rejects 2 other requests of this session."
    );
    assert!(
        reaching(RejectionReach::PerhapsSession, 1).contains("may also reject 1 other request")
    );
    assert!(reaching(RejectionReach::Session, MOST_COUNTED).contains("9 or more"));
    assert_eq!(reaching(RejectionReach::Session, 0), "ls");
}

/// Returns the body of a permission whose agent has said that.
fn body_after(said: &str, permission: Permission) -> String {
    let mut entry = entry(AskContent::Permission(permission));
    entry.ask.session.last_words = Some(said.into());
    notice(&entry, &Texts::load("en"), OnePress::Unmarked).body
}

#[test]
fn the_agents_reason_stands_on_one_line_above_the_command() {
    let said = "The cart is done.\n\nI want to see its tests pass:\n```";
    assert_eq!(
        body_after(said, run("npm test")),
        "“I want to see its tests pass:”\nnpm test"
    );
    let long = "I want to see ".to_owned() + &"its many tests pass and ".repeat(40);
    let body = body_after(&long, run("npm test"));
    let (reason, command) = body.split_once('\n').expect("two lines");
    assert!(
        reason.chars().count() <= REASON + 3 && reason.ends_with("…”"),
        "{reason}"
    );
    assert!(!reason.trim_end_matches("…”").ends_with(' '), "{reason}");
    assert_eq!(command, "npm test");
    assert_eq!(body_after("```\n\n", run("npm test")), "npm test");
}

#[test]
fn chinese_has_no_blanks_to_cut_a_reason_at() {
    let body = body_after(&"我想确认购物车的测试全部通过".repeat(20), run("npm test"));
    let (reason, command) = body.split_once('\n').expect("two lines");
    assert_eq!((reason.chars().count(), command), (REASON + 3, "npm test"));
}

#[test]
fn a_reason_hides_no_line_of_what_is_asked_for_and_no_risk() {
    let four = "cd a\ncd b\ncd c\nmake";
    assert_eq!(body_after("Because.", run(four)), four);
    assert_eq!(
        body_after("Because.", run("cd a\nmake")),
        "“Because.”\ncd a\nmake"
    );
    let dangerous = body_after("It is safe.", run("sudo make"));
    assert_eq!(dangerous, "Runs with administrator rights.\nsudo make");
    let turned = body_after("Nothing\u{202e} bad", run("make"));
    assert_eq!(turned, "“Nothing⟨U+202E⟩ bad”\nmake");
}

#[test]
fn what_was_sent_back_takes_the_room_of_the_reason() {
    let mut entry = entry(AskContent::Permission(run("make")));
    entry.ask.session.last_words = Some("Because.".into());
    entry.returned = Some(ReturnReason::Refused("no".into()));
    let body = notice(&entry, &Texts::load("en"), OnePress::Unmarked).body;
    assert_eq!(body, "The agent rejected the answer: no\nmake");
}

#[test]
fn a_finished_turn_says_how_long_it_took_and_what_it_was() {
    let session = Session {
        directory: "/home/me/docs-site".into(),
        title: Some("Fix the links".into()),
        ..Session::default()
    };
    let of = |end| FinishedTurn {
        session: session.clone(),
        took: Span::minutes(6),
        end,
    };
    let told = |language, end| {
        let told = turn(&of(end), true, &Texts::load(language));
        assert_eq!(told.buttons.len(), 1, "the way to its session");
        (told.title, told.body)
    };
    assert!(
        turn(&of(TurnEnd::Done), false, &Texts::load("en"))
            .buttons
            .is_empty()
    );
    let pair = |title: &str, body: &str| (title.to_owned(), body.to_owned());
    let done = pair("docs-site · Done in 6 min", "Fix the links");
    assert_eq!(told("en", TurnEnd::Done), done);
    let failed = pair("docs-site · Failed after 6 min", "401, invalid key");
    assert_eq!(
        told("en", TurnEnd::Failed("401, invalid key".into())),
        failed
    );
    let done = pair("docs-site · 已完成，用时 6 分钟", "Fix the links");
    assert_eq!(told("zh-CN", TurnEnd::Done), done);
}

#[test]
fn a_choice_that_lets_something_run_has_a_button_only_beside_all_of_it() {
    let asking = |text: &str, commands: &[&str]| {
        let commands = commands.iter().map(|it| (*it).to_owned()).collect();
        let choice = |label: &str| Choice {
            label: label.into(),
            ..Choice::default()
        };
        AskContent::Questions(vec![Question {
            question: text.into(),
            choices: vec![choice("approve"), choice("reject")],
            consent: Some(QuestionConsent {
                commands,
                refusals: vec![1],
            }),
            ..Question::default()
        }])
    };
    let has_button = |kind: AskContent| answers_by_a_press(&entry(kind).ask, OnePress::Unmarked);
    assert!(has_button(asking("run_tests {\"path\":\"core\"}", &[])));
    let long = format!("say {}; rm -rf ~", "x".repeat(600));
    assert!(!has_button(asking(&long, &[])), "the end is not shown");
    assert!(
        !has_button(asking("pay \u{202e}001", &[])),
        "it hides something"
    );
    assert!(
        !has_button(asking("shell rm -rf ~", &["rm -rf ~"])),
        "it is dangerous"
    );

    let dangerous = entry(asking("shell rm -rf ~", &["rm -rf ~"]));
    let AskContent::Questions(questions) = &dangerous.ask.kind else {
        panic!("a question")
    };
    let offered = choices(&questions[0], &dangerous.ask, OnePress::Unmarked);
    let labels: Vec<_> = offered.iter().map(|button| button.label.as_str()).collect();
    assert_eq!(labels, ["reject"], "a no lets nothing run");

    let opinion = AskContent::Questions(vec![Question {
        question: long,
        choices: vec![Choice::default()],
        ..Question::default()
    }]);
    assert!(has_button(opinion), "nothing runs by an opinion");
}
