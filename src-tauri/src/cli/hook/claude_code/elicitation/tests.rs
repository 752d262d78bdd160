//! Forms by their schema, and what goes back.

use super::*;

fn elicitation(schema: Value) -> ElicitationInput {
    let event = json!({ "mcp_server_name": "lab", "message": "Which colour?", "mode": "form",
                        "requested_schema": schema });
    ElicitationInput::read(&event)
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

/// The schema that Claude Code 2.1.330 passed on.
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
    let page = ElicitationInput::read(&page);
    assert!(page.form(&texts).is_none());
}

#[test]
fn a_form_without_fields_asks_for_a_yes_or_a_no() {
    let accept = filled(json!({}), &[&["Accept"]]);
    assert_eq!(accept, accepted(json!({})));
    let decline = filled(json!({}), &[&["Decline"]]).unwrap();
    assert_eq!(decline["action"], "decline");
}
