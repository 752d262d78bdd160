//! Tests on forms made up from the published contract: how they are asked, and what goes back.

use super::*;
use beckon_core::{Answer as Given, NumberBound, TextFormat};
use beckon_core::{Ask, InvalidAnswer, LimitMeasure, SourceId, Timestamp};
use serde_json::json;

fn form(fields: Value) -> Form {
    serde_json::from_value(
        json!({ "id": "frm_1", "sessionID": "ses_1", "title": "Set up",
        "metadata": { "kind": "setup" }, "fields": fields }),
    )
    .unwrap()
}

fn ask(form: &Form) -> Ask {
    form.ask(
        &SourceId("local".into()),
        "/a",
        &Texts::load("en"),
        Timestamp(0),
    )
}

/// The answer of a human that the core let through.
fn answered(form: &Form, replies: &[Reply]) -> Value {
    ask(form).check(&Given::Replies(replies.to_vec())).unwrap();
    Value::Object(form.answer(replies).unwrap())
}

fn refused(form: &Form, reply: Reply) -> InvalidAnswer {
    ask(form).check(&Given::Replies(vec![reply])).unwrap_err()
}

fn labels(form: &Form, question: usize) -> Vec<String> {
    ask(form).questions()[question]
        .choices
        .iter()
        .map(|choice| choice.label.clone())
        .collect()
}

#[test]
fn a_question_of_the_tool_looks_as_it_always_did() {
    let form: Form = serde_json::from_value(json!({ "id": "frm_1", "sessionID": "ses_1",
        "title": "Questions", "metadata": { "kind": "question", "tool": { "messageID": "msg_1",
        "id": "call_1" } }, "fields": [{ "key": "q0", "type": "string", "title": "Database",
        "description": "Which database?", "required": true, "custom": true, "options": [
        { "value": "SQLite", "label": "SQLite", "description": "One file" },
        { "value": "PostgreSQL", "label": "PostgreSQL" }] }] }))
    .unwrap();
    let asked = ask(&form);
    let [question] = asked.questions() else {
        panic!("{asked:?}")
    };
    assert_eq!(
        (question.header.as_str(), question.question.as_str()),
        ("Database", "Which database?")
    );
    assert!(question.custom && !question.multiple && question.limits.is_none());
    assert_eq!(labels(&form, 0), ["SQLite", "PostgreSQL"]);
    assert_eq!(asked.call.unwrap().call, "call_1");
    assert_eq!(
        answered(&form, &[Reply::choice(0)]),
        json!({ "q0": "SQLite" })
    );
    assert_eq!(
        answered(&form, &[Reply::text("DuckDB")]),
        json!({ "q0": "DuckDB" })
    );
}

#[test]
fn every_type_goes_back_as_its_own() {
    let form = form(json!([
        { "key": "name", "type": "string", "required": true },
        { "key": "size", "type": "integer", "required": true },
        { "key": "share", "type": "number", "required": true },
        { "key": "sure", "type": "boolean", "required": true },
        { "key": "tags", "type": "multiselect", "required": true, "custom": true, "options": [
            { "value": "a", "label": "Tag A" }, { "value": "b", "label": "Tag B" }] },
        { "key": "page", "type": "external", "url": "https://example.org/device" },
    ]));
    let replies = [
        Reply::text("Ada"),
        Reply::text("7"),
        Reply::text("0.5"),
        Reply::choice(1),
        Reply {
            choices: vec![1, 0],
            text: Some("mine".into()),
        },
        Reply::choice(0),
    ];
    let expected = json!({ "name": "Ada", "size": 7, "share": 0.5, "sure": false,
        "tags": ["b", "a", "mine"], "page": true });
    assert_eq!(answered(&form, &replies), expected);
    assert_eq!(labels(&form, 3), ["Yes", "No"]);
    assert!(
        ask(&form).questions()[5]
            .question
            .contains("https://example.org/device")
    );
}

#[test]
fn what_breaks_a_rule_of_its_field_is_refused_with_that_rule() {
    let one = |field: Value| form(json!([field]));
    let email = one(json!({ "key": "k", "type": "string", "format": "email", "required": true }));
    let wrong = InvalidAnswer::WrongFormat {
        question: 1,
        format: TextFormat::Email,
    };
    assert_eq!(refused(&email, Reply::text("ada")), wrong);
    assert_eq!(wrong.to_string(), "question 1 takes an e-mail address");

    let port = one(
        json!({ "key": "k", "type": "integer", "required": true, "minimum": 1,
        "maximum": 65535 }),
    );
    let (least, most) = (
        Some(NumberBound::from(1.0)),
        Some(NumberBound::from(65535.0)),
    );
    let range = InvalidAnswer::OutOfRange {
        question: 1,
        measure: LimitMeasure::Value,
        least,
        most,
    };
    assert_eq!(refused(&port, Reply::text("0")), range);
    assert_eq!(range.to_string(), "question 1 takes a number, 1 to 65535");
    assert_eq!(
        refused(&port, Reply::text("1.5")),
        InvalidAnswer::WrongFormat {
            question: 1,
            format: TextFormat::Integer
        }
    );

    let name = one(json!({ "key": "k", "type": "string", "required": true, "minLength": 3 }));
    assert_eq!(
        refused(&name, Reply::text("ab")).to_string(),
        "question 1 takes at least 3 characters"
    );

    let options = json!([{ "value": "a", "label": "A" }, { "value": "b", "label": "B" },
        { "value": "c", "label": "C" }]);
    let two = one(
        json!({ "key": "k", "type": "multiselect", "required": true, "minItems": 2,
        "maxItems": 2, "options": options }),
    );
    assert_eq!(
        refused(&two, Reply::choice(0)).to_string(),
        "question 1 takes 2 answers"
    );
    let all = Reply {
        choices: vec![0, 1, 2],
        text: None,
    };
    assert_eq!(refused(&two, all).to_string(), "question 1 takes 2 answers");
    assert_eq!(
        refused(&two, Reply::text("own")),
        InvalidAnswer::NoOwnText { question: 1 }
    );
}

#[test]
fn what_need_not_be_answered_can_be_left_out_but_not_answered_as_well() {
    let options = json!([{ "value": "a", "label": "A" }, { "value": "b", "label": "B" }]);
    let form =
        form(json!([{ "key": "k", "type": "multiselect", "minItems": 2, "options": options }]));
    assert_eq!(labels(&form, 0), ["A", "B", "No answer"]);
    assert_eq!(answered(&form, &[Reply::choice(2)]), json!({}));
    let both = Reply {
        choices: vec![0, 2],
        text: None,
    };
    assert_eq!(
        refused(&form, both),
        InvalidAnswer::NoneAndSome { question: 1 }
    );
}

#[test]
fn a_default_is_a_choice_and_a_hidden_field_goes_by_it() {
    let form = form(json!([
        { "key": "port", "type": "integer", "default": 8080, "required": true },
        { "key": "scope", "type": "string", "hidden": true, "default": "user" },
        { "key": "note", "type": "string", "hidden": true },
        { "key": "why", "type": "string", "hidden": true, "required": true },
    ]));
    assert_eq!(ask(&form).questions().len(), 2);
    assert_eq!(labels(&form, 0), ["8080"]);
    let replies = [Reply::choice(0), Reply::text("because")];
    let expected = json!({ "port": 8080, "scope": "user", "why": "because" });
    assert_eq!(answered(&form, &replies), expected);
}

#[test]
fn a_field_whose_condition_fails_is_left_out_with_all_that_hangs_on_it() {
    let form = form(json!([
        { "key": "deploy", "type": "boolean", "required": true },
        { "key": "where", "type": "string", "required": true, "options": [
            { "value": "cloud", "label": "Cloud" }, { "value": "here", "label": "Here" }],
          "when": [{ "key": "deploy", "op": "eq", "value": true }] },
        { "key": "region", "type": "string", "required": true,
          "when": [{ "key": "where", "op": "neq", "value": "here" }] },
    ]));
    assert_eq!(labels(&form, 1), ["Cloud", "Here", "No answer"]);
    let replies = [Reply::choice(1), Reply::choice(0), Reply::text("eu")];
    assert_eq!(answered(&form, &replies), json!({ "deploy": false }));
    let replies = [Reply::choice(0), Reply::choice(1), Reply::text("eu")];
    assert_eq!(
        answered(&form, &replies),
        json!({ "deploy": true, "where": "here" })
    );
    let replies = [Reply::choice(0), Reply::choice(0), Reply::text("eu")];
    let whole = json!({ "deploy": true, "where": "cloud", "region": "eu" });
    assert_eq!(answered(&form, &replies), whole);
    let missing = form.answer(&[Reply::choice(0), Reply::choice(2), Reply::text("eu")]);
    assert_eq!(missing, Err(UnfitReply::Missing("where".into())));
}

#[test]
fn among_several_chosen_one_fulfils_a_condition() {
    let form = form(json!([
        { "key": "tags", "type": "multiselect", "required": true, "options": [
            { "value": "a", "label": "A" }, { "value": "b", "label": "B" }] },
        { "key": "more", "type": "string", "when": { "key": "tags", "op": "eq", "value": "b" } },
    ]));
    let more = |choices: &[usize]| {
        let reply = Reply {
            choices: choices.to_vec(),
            text: None,
        };
        answered(&form, &[reply, Reply::text("x")])["more"].clone()
    };
    assert_eq!((more(&[0, 1]), more(&[0])), (json!("x"), Value::Null));
}

#[test]
fn an_answer_of_somebody_else_is_told_question_by_question() {
    let form = form(json!([
        { "key": "sure", "type": "boolean" },
        { "key": "size", "type": "integer" },
        { "key": "tags", "type": "multiselect", "options": [] },
        { "key": "note", "type": "string" },
    ]));
    let answer = json!({ "tags": ["a", "b"], "size": 7, "sure": true });
    let told = form.to_texts(answer.as_object().unwrap());
    assert_eq!(told, [vec!["true"], vec!["7"], vec!["a", "b"], vec![]]);
}

#[test]
fn what_is_newer_than_the_contract_is_asked_as_a_text() {
    let form = form(
        json!([{ "key": "k", "type": "colour", "required": true, "palette": 3,
        "minimum": "-Infinity" }]),
    );
    assert_eq!(
        answered(&form, &[Reply::text("red")]),
        json!({ "k": "red" })
    );
}

#[test]
fn a_form_is_of_its_session_and_of_the_place_where_it_was_found() {
    let asked = ask(&form(json!([])));
    assert_eq!(asked.session.id, "ses_1");
    assert_eq!(asked.session.directory, "/a");
}

#[test]
fn a_question_has_the_title_of_its_form_unless_that_is_the_tools_or_none() {
    let asked = |title: &str, kind: &str, description: &str| {
        let form: Form = serde_json::from_value(json!({ "id": "frm_1", "sessionID": "ses_1",
            "title": title, "metadata": { "kind": kind }, "fields": [{ "key": "q0",
            "type": "string", "title": "Database", "description": description }] }))
        .unwrap();
        let question = ask(&form).questions()[0].clone();
        (question.header, question.question)
    };
    let is = |header: &str, question: &str| (header.to_owned(), question.to_owned());
    assert_eq!(
        asked("Set up", "setup", "Which?"),
        is("Set up", "Database\nWhich?")
    );
    assert_eq!(asked("Set up", "setup", ""), is("Set up", "Database"));
    assert_eq!(asked("", "setup", "Which?"), is("Database", "Which?"));
    assert_eq!(asked("Questions", "question", ""), is("", "Database"));
}

#[test]
fn a_choice_says_what_it_stands_for_and_its_value_where_that_is_another_word() {
    let form = form(
        json!([{ "key": "q0", "type": "string", "required": true, "options": [
        { "value": "sqlite", "label": "SQLite", "description": "One file" },
        { "value": "other", "label": "other" }] }]),
    );
    let question = ask(&form).questions()[0].clone();
    let choices = question.choices.iter();
    let told: Vec<_> = choices
        .map(|it| (it.description.as_str(), it.value.as_deref()))
        .collect();
    assert_eq!(told, [("One file", Some("sqlite")), ("", None)]);
}

#[test]
fn the_formats_that_can_be_checked_are_known_and_a_pattern_is_left_to_the_server() {
    for (format, known) in [
        ("email", TextFormat::Email),
        ("uri", TextFormat::Uri),
        ("date", TextFormat::Date),
        ("date-time", TextFormat::DateTime),
        ("phone", TextFormat::Text),
    ] {
        let field = json!([{ "key": "q0", "type": "string", "format": format, "required": true }]);
        let limits = ask(&form(field)).questions()[0]
            .limits
            .clone()
            .unwrap_or_default();
        assert_eq!(limits.format, known, "{format}");
    }
}

#[test]
fn a_default_that_is_no_choice_is_offered_and_one_that_is_is_offered_once() {
    let offered = |default: &str| {
        labels(
            &form(
                json!([{ "key": "q0", "type": "string", "required": true, "default": default,
                "options": [{ "value": "a", "label": "A" }] }]),
            ),
            0,
        )
    };
    assert_eq!(offered("a"), ["A"]);
    assert_eq!(offered("b"), ["A", "b"]);
}

#[test]
fn a_condition_takes_one_number_in_either_spelling() {
    let form = form(json!([
        { "key": "size", "type": "number", "required": true },
        { "key": "why", "type": "string", "required": true,
          "when": [{ "key": "size", "op": "eq", "value": 5.0 }] },
    ]));
    let said = |size: &str| {
        form.answer(&[Reply::text(size), Reply::text("large")])
            .unwrap()
    };
    assert_eq!(
        Value::Object(said("5")),
        json!({ "size": 5, "why": "large" })
    );
    assert_eq!(Value::Object(said("4")), json!({ "size": 4 }));
}

#[test]
fn what_does_not_fit_is_said_with_the_name_of_its_field() {
    let texts = Texts::load("en");
    for unfit in [
        UnfitReply::Missing("size".into()),
        UnfitReply::NoNumber("size".into()),
    ] {
        assert!(unfit.words(&texts).contains("size"), "{unfit:?}");
    }
}

#[test]
fn a_choice_may_be_a_number_or_null_and_comes_back_as_it() {
    let options = json!([{ "value": 80, "label": "HTTP" }, { "value": null, "label": "None" },
        { "value": "80", "label": 8 }, 443, "ssh", { "value": 1.5 }]);
    for kind in ["string", "multiselect"] {
        let field = json!({ "key": "k", "type": kind, "required": true, "options": options });
        let form = form(json!([field]));
        assert_eq!(labels(&form, 0), ["HTTP", "None", "8", "443", "ssh", "1.5"]);
        let values = [
            json!(80),
            json!(null),
            json!("80"),
            json!(443),
            json!("ssh"),
            json!(1.5),
        ];
        for (index, value) in values.into_iter().enumerate() {
            let answer = answered(&form, &[Reply::choice(index)]);
            let given = match kind {
                "multiselect" => &answer["k"][0],
                _ => &answer["k"],
            };
            assert_eq!(
                (given, given.is_null()),
                (&value, value.is_null()),
                "{answer}"
            );
        }
    }
}

#[test]
fn patterns_steps_and_open_bounds_are_said_and_kept_to() {
    let one = |mut field: Value| {
        field["key"] = json!("k");
        field["required"] = json!(true);
        form(json!([field]))
    };
    for (field, said, right, wrong) in [
        (
            json!({ "type": "string", "pattern": "^[a-z]+$" }),
            "A text, matching ^[a-z]+$",
            "abc",
            "ABC",
        ),
        (
            json!({ "type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1 }),
            "A number, above 0, below 1",
            "0.5",
            "1",
        ),
        (
            json!({ "type": "integer", "multipleOf": 5, "maximum": 50 }),
            "A whole number of at most 50, a multiple of 5",
            "10",
            "12",
        ),
    ] {
        let form = one(field);
        let asked = ask(&form);
        assert!(asked.questions()[0].question.ends_with(said), "{asked:?}");
        answered(&form, &[Reply::text(right)]);
        refused(&form, Reply::text(wrong));
    }
}
