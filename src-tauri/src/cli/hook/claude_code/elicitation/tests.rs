//! Tests of forms by their schema, and of what goes back.

use super::*;
use beckon_core::{Answer, Ask, AskContent, AskId, Reply, Session, SourceId, Timestamp};

fn elicitation(schema: Value) -> ElicitationInput {
    let event = json!({ "mcp_server_name": "lab", "message": "Which colour?", "mode": "form",
                        "requested_schema": schema });
    ElicitationInput::read(&event, event.to_string().as_bytes())
}

fn filled(schema: Value, answers: &[&[&str]]) -> Option<Value> {
    let form = elicitation(schema).form(&Texts::load("en"))?;
    let texts = |texts: &&[&str]| texts.iter().map(|text| (*text).to_owned()).collect();
    let texts = answers.iter().map(texts).collect();
    let answered = crate::sources::local_asks::messages::AnsweredQuestions {
        texts,
        replies: None,
    };
    let asked = crate::sources::local_asks::messages::AskEnd::Answered(answered);
    let decision = form.decision(&crate::api::local_ask_ended("id".into(), asked))?;
    Some(decision["hookSpecificOutput"].clone())
}

fn accepted(content: Value) -> Option<Value> {
    Some(json!({ "hookEventName": "Elicitation", "action": "accept", "content": content }))
}

/// Returns the schema that Claude Code 2.1.330 passed on.
fn recorded() -> Value {
    json!({ "type": "object", "properties": {
        "colour": { "type": "string", "title": "Colour", "enum": ["red", "blue"] },
        "sure": { "type": "boolean", "title": "Sure" } }, "required": ["colour"] })
}

#[test]
fn a_form_is_answered_by_its_schema() {
    let content = json!({ "colour": "blue", "sure": true });
    assert_eq!(
        filled(recorded(), &[&["blue"], &["Yes"]]),
        accepted(content)
    );
    let left_out = filled(recorded(), &[&["red"], &["Leave it empty"]]);
    assert_eq!(left_out, accepted(json!({ "colour": "red" })));
    assert_eq!(filled(recorded(), &[&["green"], &["Yes"]]), None);
    assert_eq!(filled(recorded(), &[&["red"]]), None);
}

#[test]
fn every_kind_of_field_takes_its_own_kind_of_value() {
    let field = |schema: Value, texts: &[&str]| {
        let schema = json!({ "properties": { "it": schema }, "required": ["it"] });
        filled(schema, &[texts]).map(|output| output["content"]["it"].clone())
    };
    let titled = json!([{ "const": "#f00", "title": "Red" }, { "const": "#00f", "title": "Blue" }]);
    let several = json!({ "type": "array", "items": { "anyOf": titled } });
    assert_eq!(
        field(json!({ "type": "string" }), &["two words"]),
        Some(json!("two words"))
    );
    assert_eq!(
        field(json!({ "type": "string", "oneOf": titled }), &["Red"]),
        Some(json!("#f00"))
    );
    assert_eq!(
        field(several.clone(), &["Red", "Blue"]),
        Some(json!(["#f00", "#00f"]))
    );
    assert_eq!(
        field(json!({ "type": "integer" }), &[" 42 "]),
        Some(json!(42))
    );
    assert_eq!(field(json!({ "type": "integer" }), &["4.5"]), None);
    assert_eq!(
        field(json!({ "type": "number" }), &["4.5"]),
        Some(json!(4.5))
    );
    assert_eq!(field(json!({ "type": "number" }), &["many"]), None);
    let names = json!({ "type": "string", "enum": ["r"], "enumNames": ["Red"] });
    assert_eq!(field(names, &["Red"]), Some(json!("r")));
}

#[test]
fn what_cannot_be_asked_here_is_left_to_the_terminal() {
    let texts = Texts::load("en");
    for strange in [
        json!({ "properties": { "it": { "type": "object" } } }),
        json!({ "properties": { "it": { "type": "array", "items": { "type": "string" } } } }),
        json!({ "properties": { "it": { "type": "string", "enum": ["same", "same"] } } }),
        json!({ "properties": { "it": 7 } }),
    ] {
        assert!(
            elicitation(strange.clone()).form(&texts).is_none(),
            "{strange}"
        );
    }
    let page = json!({ "mcp_server_name": "lab", "message": "Sign in", "mode": "url" });
    let page = ElicitationInput::read(&page, b"");
    assert!(page.form(&texts).is_none());
}

#[test]
fn a_form_without_fields_asks_for_a_yes_or_a_no() {
    let accept = filled(json!({}), &[&["Accept"]]);
    assert_eq!(accept, accepted(json!({})));
    let decline = filled(json!({}), &[&["Decline"]]).unwrap();
    assert_eq!(decline["action"], "decline");
}

/// Returns the one question of a form with that field.
fn asked(schema: Value, required: bool) -> (String, beckon_core::Question) {
    let required = if required { json!(["it"]) } else { json!([]) };
    let form = json!({ "properties": { "it": schema }, "required": required });
    let (asked, texts) = (elicitation(form), Texts::load("en"));
    let form = asked.form(&texts).unwrap();
    let body = form.asking(&asked, AskerBody::default(), &texts);
    let asked = crate::api::fuzzing::question(&body).unwrap();
    let beckon_core::AskContent::Questions(mut questions) = asked.kind else {
        panic!("{asked:?}")
    };
    let question = questions.remove(0);
    (question.question.clone(), question)
}

#[test]
fn a_field_says_what_it_takes_and_takes_nothing_else() {
    let port = json!({ "type": "integer", "title": "Port", "minimum": 1, "maximum": 10 });
    let (said, question) = asked(port, true);
    assert!(
        said.ends_with("Port\nA whole number from 1 to 10"),
        "{said}"
    );
    let limits = question.limits.unwrap();
    assert_eq!(limits.format, beckon_core::TextFormat::Integer);
    assert_eq!(limits.least.unwrap().to_string(), "1");
    assert_eq!(limits.none, None);

    let address = json!({ "type": "string", "format": "email", "maxLength": 80 });
    let (said, _) = asked(address, false);
    assert!(
        said.ends_with("An e-mail address of at most 80 characters"),
        "{said}"
    );
    let (_, question) = asked(json!({ "type": "number" }), false);
    assert_eq!(
        question.limits.unwrap().none,
        Some(0),
        "it may be left empty"
    );
    let several = json!({ "type": "array", "minItems": 2,
        "items": { "type": "string", "enum": ["a", "b", "c"] } });
    let (said, _) = asked(several, true);
    assert!(said.ends_with("At least 2 choices"), "{said}");
}

#[test]
fn numbers_are_read_as_people_write_them() {
    let field = |kind: &str, text: &str| {
        let form = json!({ "properties": { "it": { "type": kind } }, "required": ["it"] });
        filled(form, &[&[text]]).map(|output| output["content"]["it"].clone())
    };
    assert_eq!(field("number", "4,5"), Some(json!(4.5)));
    assert_eq!(field("integer", "1e3"), Some(json!(1_000)));
    assert_eq!(field("integer", "\u{FF15}"), Some(json!(5)));
    assert_eq!(field("number", "1,000"), None);
}

#[test]
fn what_may_be_null_may_be_left_empty() {
    let number = json!({ "type": "integer", "minimum": 1 });
    for optional in [
        json!({ "anyOf": [number, { "type": "null" }], "title": "Seed", "default": null }),
        json!({ "oneOf": [{ "type": "null" }, number], "title": "Seed" }),
        json!({ "type": ["integer", "null"], "minimum": 1, "title": "Seed" }),
    ] {
        let (said, question) = asked(optional.clone(), true);
        assert!(
            said.contains("Seed\nA whole number of at least 1"),
            "{said}"
        );
        assert_eq!(question.choices[0].label, "Leave it empty");
        let form = json!({ "properties": { "it": optional }, "required": ["it"] });
        for empty in [&["Leave it empty"][..], &[]] {
            assert_eq!(filled(form.clone(), &[empty]), accepted(json!({})));
        }
        assert_eq!(filled(form, &[&["3"]]), accepted(json!({ "it": 3 })));
    }
    let choices = json!({ "anyOf": [{ "type": "string", "enum": ["a"] }, { "type": "null" }] });
    assert_eq!(asked(choices, true).1.choices.len(), 2);
}

/// Returns the labels of a field's choices.
fn labels(schema: Value, required: bool) -> Vec<String> {
    let choices = asked(schema, required).1.choices.into_iter();
    choices.map(|choice| choice.label).collect()
}

#[test]
fn a_choice_may_be_any_value_and_comes_back_as_it() {
    let mixed = json!(["fast", 2, 2.5, true, null, "2", { "deep": [1] }]);
    for schema in [
        json!({ "type": "string", "enum": mixed }),
        json!({ "enum": mixed }),
        json!({ "type": "number", "enum": mixed }),
    ] {
        let shown = labels(schema.clone(), true);
        let expected = [
            "fast",
            "2 (2)",
            "2.5",
            "true",
            "null",
            "2 (\"2\")",
            "{\"deep\":[1]}",
        ];
        assert_eq!(shown, expected);
        let form = json!({ "properties": { "it": schema }, "required": ["it"] });
        for (label, value) in shown.iter().zip(mixed.as_array().unwrap()) {
            let content = json!({ "it": value });
            assert_eq!(
                filled(form.clone(), &[&[label]]),
                accepted(content),
                "{label}"
            );
        }
    }
    let several = json!({ "type": "array", "items": { "enum": [1, "two", null] } });
    let form = json!({ "properties": { "it": several }, "required": ["it"] });
    let content = json!({ "it": [null, 1] });
    assert_eq!(filled(form, &[&["null", "1"]]), accepted(content));
    let titled = json!({ "oneOf": [{ "const": 80, "title": "HTTP" }, { "const": null }] });
    assert_eq!(labels(titled, true), ["HTTP", "null"]);
    let alike = json!({ "enum": ["#f00", "#e00"], "enumNames": ["Red", "Red"] });
    assert_eq!(labels(alike, true), ["Red (\"#f00\")", "Red (\"#e00\")"]);
    assert_eq!(
        labels(json!({ "const": "MIT", "title": "Licence" }), true),
        ["MIT"]
    );
}

#[test]
fn a_list_that_has_null_needs_no_other_word_for_it() {
    let schema = json!({ "type": ["string", "null"], "enum": ["a", null] });
    assert_eq!(labels(schema.clone(), true), ["a", "null"]);
    assert_eq!(labels(schema, false), ["a", "null", "Leave it empty"]);
}

#[test]
fn every_bound_of_a_schema_is_said_and_kept_to() {
    let check = |schema: &Value, text: &str| {
        let (_, question) = asked(schema.clone(), true);
        let asked = Ask {
            id: AskId {
                source: SourceId("local".into()),
                own: "1".into(),
            },
            kind: AskContent::Questions(vec![question]),
            session: Session::default(),
            call: None,
            asked_at: Timestamp(0),
        };
        asked.check(&Answer::Replies(vec![Reply::text(text)]))
    };
    for (schema, said, right, wrong) in [
        (
            json!({ "type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1 }),
            "A number, above 0, below 1",
            "0.5",
            ["0", "1"],
        ),
        (
            json!({ "type": "integer", "minimum": 0, "exclusiveMinimum": true, "multipleOf": 5 }),
            "A whole number, above 0, a multiple of 5",
            "10",
            ["0", "7"],
        ),
        (
            json!({ "type": "number", "multipleOf": 0.1 }),
            "A number, a multiple of 0.1",
            "0.3",
            ["0.35", "x"],
        ),
        (
            json!({ "type": "string", "pattern": "^[a-z]{2,3}$", "maxLength": 9 }),
            "A text of at most 9 characters, matching ^[a-z]{2,3}$",
            "abc",
            ["ABC", "abcd"],
        ),
    ] {
        assert!(asked(schema.clone(), true).0.ends_with(said), "{schema}");
        assert_eq!(check(&schema, right), Ok(()), "{schema}");
        for wrong in wrong {
            assert!(check(&schema, wrong).is_err(), "{schema} {wrong}");
        }
    }
}

/// Reads a schema as it is written.
fn written(schema: &str) -> ElicitationInput {
    let event = format!(r#"{{"mode":"form","requested_schema":{schema}}}"#);
    let read = beckon_client::json::read_exact(event.as_bytes()).unwrap();
    ElicitationInput::read(&read.value, event.as_bytes())
}

#[test]
fn fields_are_asked_in_the_order_in_which_the_server_wrote_them() {
    let schema = r#"{"properties":{"zip":{"type":"string"},"name":{"type":"string"},
        "age":{"type":"integer"}}}"#;
    let form = written(schema).form(&Texts::load("en")).unwrap();
    let names = form.fields.iter().filter_map(|field| field.name.as_deref());
    assert_eq!(names.collect::<Vec<_>>(), ["zip", "name", "age"]);
}

#[test]
fn numbers_of_a_schema_keep_their_digits() {
    let schema = r#"{"required":["it","which"],"properties":{
        "it":{"type":"integer","default":18446744073709551616,"maximum":18446744073709551617},
        "which":{"enum":[9007199254740993,1e400]}}}"#;
    let asked = written(schema);
    let form = asked.form(&Texts::load("en")).unwrap();
    let body = form.asking(&asked, AskerBody::default(), &Texts::load("en"));
    let labels = |at: usize| {
        let options = body.questions[at].options.iter();
        options
            .map(|option| option.label.clone())
            .collect::<Vec<_>>()
    };
    assert_eq!(labels(0), ["18446744073709551616"]);
    assert_eq!(labels(1), ["9007199254740993", "1e400"]);
    let said = &body.questions[0].question;
    assert!(said.contains("at most 18446744073709551617"), "{said}");

    let texts = [
        vec!["18446744073709551616".to_owned()],
        vec!["1e400".to_owned()],
    ];
    let content = form.content(&texts).unwrap().unwrap();
    let sent = beckon_client::json::exact::written(&Value::Object(content));
    assert_eq!(sent, r#"{"it":18446744073709551616,"which":1e400}"#);
}
