//! Requests as servers of this and of other versions write them, read one by one.

use super::*;
use beckon_core::{Answer, Grant, InvalidAnswer, Question};
use serde_json::json;

fn found<T>(dialect: ApiDialect, read: impl FnOnce(&RequestContext<'_>) -> T) -> T {
    let source = SourceId("local".into());
    read(&RequestContext {
        source: &source,
        directory: "/a",
        dialect,
    })
}

fn question(item: Value) -> Ask {
    found(ApiDialect::First, |found| found.question(&item.to_string()))
}

fn permission(item: Value) -> Ask {
    found(ApiDialect::First, |found| {
        found.permission(&item.to_string())
    })
}

fn only_question(ask: &Ask) -> &Question {
    let [question] = ask.questions() else {
        panic!("{ask:?}")
    };
    question
}

fn with(field: &str, value: Value) -> Value {
    let mut item = json!({ "id": "que_1", "sessionID": "ses_1", "questions": [{
        "question": "Which?", "header": "H", "options": [{ "label": "A", "description": "" }] }] });
    item[field] = value;
    item
}

fn with_in_question(field: &str, value: Value) -> Value {
    let mut item = with("id", json!("que_1"));
    item["questions"][0][field] = value;
    item
}

#[test]
fn an_odd_field_degrades_a_question_and_it_can_still_be_answered() {
    let odd = [
        with("tool", json!({ "messageID": "msg_1" })),
        with("tool", json!("a text")),
        with("sessionID", Value::Null),
        with("sessionID", json!(7)),
        with("via", json!("a text")),
        with_in_question("multiple", json!(2)),
        with_in_question("custom", json!("perhaps")),
        with_in_question("header", json!(["H"])),
    ];
    for item in odd {
        let ask = question(item.clone());
        assert_eq!(ask.id.own, "que_1", "{item}");
        assert_eq!(only_question(&ask).question, "Which?", "{item}");
        assert_eq!(only_question(&ask).choices[0].label, "A", "{item}");
        assert_eq!(ask.call, None, "{item}");
    }
}

#[test]
fn options_that_are_texts_or_numbers_are_their_own_labels() {
    let ask = question(with_in_question(
        "options",
        json!(["Red", 5, { "label": 6 }]),
    ));
    let choices = only_question(&ask).choices.iter();
    assert_eq!(
        choices
            .map(|choice| choice.label.as_str())
            .collect::<Vec<_>>(),
        ["Red", "5", "6"]
    );
}

#[test]
fn what_cannot_be_understood_is_shown_and_takes_no_answer() {
    let odd = [
        json!({ "id": "que_1", "sessionID": "ses_1", "questions": { "first": "Which?" } }),
        with_in_question("options", json!({ "a": "Which?" })),
    ];
    for item in odd {
        let ask = question(item);
        let AskContent::Unknown(unknown) = &ask.kind else {
            panic!("{ask:?}")
        };
        assert_eq!(
            (ask.id.own.as_str(), ask.session.id.as_str()),
            ("que_1", "ses_1")
        );
        assert_eq!(unknown.asked, UnknownShape::Question);
        assert!(unknown.raw.contains("Which?"), "{}", unknown.raw);
        for answer in [
            Answer::Replies(Vec::new()),
            Answer::Dismiss,
            Answer::Continue,
        ] {
            assert_eq!(ask.check(&answer), Err(InvalidAnswer::WrongKind));
        }
    }
}

#[test]
fn nobody_is_to_allow_what_was_not_understood() {
    let item = |field: &str, value: Value| {
        let mut item = json!({ "id": "per_1", "sessionID": "ses_1", "permission": "bash",
            "patterns": ["rm -rf ~"], "metadata": {}, "always": [] });
        item[field] = value;
        item
    };
    let odd = [
        item("permission", json!({ "name": "bash" })),
        item("patterns", json!("rm -rf ~")),
        item("patterns", json!([{ "command": "rm -rf ~" }])),
        item("metadata", json!(["rm -rf ~"])),
        item("always", json!("rm *")),
    ];
    for odd in odd {
        let ask = permission(odd.clone());
        let AskContent::Unknown(unknown) = &ask.kind else {
            panic!("{odd}: {ask:?}")
        };
        assert_eq!(unknown.asked, UnknownShape::Permission);
        assert!(ask.check(&Answer::Grant(Grant::Once)).is_err(), "{odd}");
    }
    let ask = permission(item("metadata", json!({ "command": ["rm", "-rf"] })));
    let AskContent::Permission(permission) = &ask.kind else {
        panic!("{ask:?}")
    };
    assert_eq!(
        permission.command.as_deref(),
        Some(r#"["rm","-rf"]"#),
        "it is shown as it came"
    );
}

#[test]
fn one_without_an_id_keeps_its_name_from_list_to_list() {
    let named = |item: Value| question(item).id.own;
    let item = || json!({ "questions": [] });
    assert_eq!(named(item()), named(item()));
    assert_ne!(named(item()), named(json!({ "questions": [], "more": 1 })));
    assert_ne!(named(json!(7)), named(json!("seven")));
}

#[test]
fn below_api_an_ask_without_a_session_takes_no_answer() {
    let item = json!({ "id": "que_1", "questions": [] }).to_string();
    let ask = found(ApiDialect::Second, |found| found.question(&item));
    assert!(matches!(ask.kind, AskContent::Unknown(_)), "{ask:?}");
    assert_eq!(ApiDialect::of(&ask.session), ApiDialect::Second);
}

#[test]
fn a_request_of_unknown_form_cannot_disguise_itself() {
    let odd = "\u{202e}\u{200b}\u{9b}\u{feff}\u{7}";
    let ask = question(json!({ "id": "que_1", "questions": odd }));
    let AskContent::Unknown(unknown) = &ask.kind else {
        panic!("{ask:?}")
    };
    assert!(
        !unknown.raw.chars().any(|letter| odd.contains(letter)),
        "{:?}",
        unknown.raw
    );
    assert!(unknown.raw.contains("\\u{202e}"), "{}", unknown.raw);
    let ask = question(json!({ "id": "que_1", "questions": "x".repeat(1 << 20) }));
    let AskContent::Unknown(unknown) = &ask.kind else {
        panic!("{ask:?}")
    };
    assert_eq!(unknown.raw.chars().count(), unknown_form::LONGEST + 1);
}

#[test]
fn what_another_beckon_has_seen_of_an_ask_goes_back_to_it_with_the_answer() {
    let mut item = with("via", json!(["them"]));
    item["beckon"] = json!({ "seen": "0123456789", "title": "Fix the build" });
    let ask = question(item);
    assert_eq!(ask.session.api.as_deref(), Some("seen:0123456789"));
    assert_eq!(ask.session.title.as_deref(), Some("Fix the build"));
}

#[test]
fn what_another_beckon_asks_in_an_odd_form_is_shown_and_takes_no_answer() {
    let asked = |item: Value| found(ApiDialect::First, |found| found.other(&item.to_string()));
    let item = |field: &str, value: Value| {
        let mut item = json!({ "id": "c_1", "sessionID": "ses_1", "directory": "/b",
            "kind": { "confirm": "Deploy?" }, "text": "Deploy?", "via": ["them"],
            "beckon": { "seen": "0123456789", "title": "Fix the build" } });
        item[field] = value;
        item
    };
    let known = asked(item("text", json!("Deploy?")));
    assert_eq!(known.kind, AskContent::Confirm("Deploy?".into()));
    for odd in [item("kind", json!({ "newer": 1 })), item("text", json!(7))] {
        let ask = asked(odd);
        assert!(matches!(ask.kind, AskContent::Unknown(_)), "{ask:?}");
        assert_eq!(
            (ask.id.own.as_str(), ask.session.title.as_deref()),
            ("c_1", Some("Fix the build"))
        );
        assert_eq!(ask.session.via, ["them"]);
    }
}

#[test]
fn what_no_reader_takes_keeps_its_name_and_is_told_from_its_like() {
    let deep = |id: &str, depth: usize| {
        format!(
            r#"{{"id":{id},"questions":{}{}}}"#,
            "[".repeat(depth),
            "]".repeat(depth)
        )
    };
    let read = |item: &str| found(ApiDialect::First, |found| found.question(item));
    let named = read(&deep("\"que_1\"", 200));
    assert_eq!(named.id.own, "que_1");
    let AskContent::Unknown(unknown) = &named.kind else {
        panic!("{named:?}")
    };
    assert!(unknown.raw.contains("[[[["), "{}", unknown.raw);
    assert_ne!(read(&deep("7", 200)).id, read(&deep("7", 201)).id);
}

#[test]
fn a_request_is_of_the_place_where_it_was_found_or_else_of_the_one_that_it_names() {
    let shown = question(json!({ "id": "que_1", "sessionID": "ses_1", "questions": 7 }));
    assert_eq!(
        (shown.session.id.as_str(), shown.session.directory.as_str()),
        ("ses_1", "/a")
    );
    let read = question(with("via", json!([])));
    assert_eq!(
        (read.session.id.as_str(), read.session.directory.as_str()),
        ("ses_1", "/a")
    );
    let source = SourceId("local".into());
    let found = RequestContext {
        source: &source,
        directory: "",
        dialect: ApiDialect::First,
    };
    let item = json!({ "id": "c_1", "sessionID": "ses_1", "directory": "/b", "kind": 7 });
    assert_eq!(found.other(&item.to_string()).session.directory, "/b");
    let known = json!({ "id": "c_1", "sessionID": "ses_1", "directory": "/b",
        "kind": { "confirm": "Deploy?" }, "via": ["them"] });
    let session = found.other(&known.to_string()).session;
    assert_eq!(
        (session.id.as_str(), session.directory.as_str()),
        ("ses_1", "/b")
    );
}

#[test]
fn what_a_server_that_is_no_beckon_says_of_itself_is_not_believed() {
    let mut item = with("via", json!([]));
    item["beckon"] = json!({ "seen": "0123456789", "title": "Fix the build" });
    assert_eq!(question(item).session.title, None);
    let mut odd = with("questions", json!(7));
    odd["beckon"] = json!({ "seen": "0123456789", "title": "Fix the build" });
    assert_eq!(question(odd).session.title, None);
}

#[test]
fn behind_another_beckon_nobody_knows_what_a_rejection_reaches_or_how_long_always_holds() {
    use beckon_core::{AlwaysUntil, RejectionReach};
    let asked = |via: Value, beckon: Value| {
        let item = json!({ "id": "per_1", "sessionID": "ses_1", "permission": "bash",
            "patterns": ["ls", "pwd"], "metadata": {}, "always": [], "via": via,
            "beckon": beckon });
        match permission(item).kind {
            AskContent::Permission(asked) => {
                assert_eq!(asked.command.as_deref(), Some("ls\npwd"));
                (asked.rejects, asked.always_until)
            }
            other => panic!("{other:?}"),
        }
    };
    let seen = |until: Value| json!({ "seen": "0123456789", "always_until": until });
    let here = (RejectionReach::Session, AlwaysUntil::ServerStops);
    assert_eq!(asked(json!([]), Value::Null), here);
    let there = |until| (RejectionReach::PerhapsSession, until);
    assert_eq!(
        asked(json!(["them"]), Value::Null),
        there(AlwaysUntil::Unsaid)
    );
    let session = serde_json::to_value(AlwaysUntil::SessionEnds).unwrap();
    assert_eq!(
        asked(json!(["them"]), seen(session)),
        there(AlwaysUntil::SessionEnds)
    );
    let saved = serde_json::to_value(AlwaysUntil::TakenBack).unwrap();
    assert_eq!(
        asked(json!(["them"]), seen(saved)),
        there(AlwaysUntil::Unsaid)
    );
}

#[test]
fn only_a_shell_has_its_command_in_the_patterns() {
    let command = |name: &str, patterns: Value| {
        let item = json!({ "id": "per_1", "sessionID": "ses_1", "permission": name,
            "patterns": patterns, "metadata": {}, "always": [] });
        match permission(item).kind {
            AskContent::Permission(asked) => asked.command,
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(command("bash", json!(["ls"])).as_deref(), Some("ls"));
    assert_eq!(command("bash", json!([])), None);
    assert_eq!(command("edit", json!(["a.rs"])), None);
}

#[test]
fn a_request_that_says_nothing_is_shown_as_it_came() {
    let item = json!({ "id": "c_1", "sessionID": "ses_1", "kind": { "newer": 1 }, "text": " " });
    let ask = found(ApiDialect::First, |found| found.other(&item.to_string()));
    let AskContent::Unknown(unknown) = &ask.kind else {
        panic!("{ask:?}")
    };
    assert!(unknown.raw.contains("newer"), "{}", unknown.raw);
}

#[test]
fn a_question_that_is_a_text_or_has_no_options_is_asked_as_it_is() {
    let ask = question(with("questions", json!(["Which?", { "question": "Why?" }])));
    let asked: Vec<_> = ask
        .questions()
        .iter()
        .map(|it| it.question.as_str())
        .collect();
    assert_eq!(asked, ["Which?", "Why?"]);
    assert!(ask.questions().iter().all(|it| it.choices.is_empty()));
}

#[test]
fn what_is_told_to_another_beckon_is_what_it_reads() {
    use crate::sources::opencode::wire::QuestionInfo;
    use crate::sources::opencode::wire::peer::PeerDetails;
    use beckon_core::{AlwaysUntil, Permission};
    let mut ask = question(with("via", json!([])));
    ask.session.title = Some("Fix the build".into());
    let told = serde_json::to_value(PeerDetails::of(&ask)).unwrap();
    assert_eq!(told["title"], "Fix the build");
    assert_eq!(told["seen"], ask.fingerprint().to_string());
    assert_eq!(
        told.get("always_until"),
        None,
        "of a question there is none"
    );
    let always_until = AlwaysUntil::SessionEnds;
    ask.kind = AskContent::Permission(Permission {
        always_until,
        ..Permission::default()
    });
    let told: PeerDetails =
        serde_json::from_value(serde_json::to_value(PeerDetails::of(&ask)).unwrap()).unwrap();
    assert_eq!(told.always_until, always_until);

    let asked = only_question(&question(with("via", json!([])))).clone();
    assert_eq!(Question::from(QuestionInfo::from(&asked)), asked);
}
