//! Reviews in other forms than the official ones: wrapped, as a text, in other words, with what is
//! missing or has another type. Each is answered in its own form, or is shown as it is and takes no
//! answer.

use super::*;

fn is_shown_only(value: &Value) -> bool {
    matches!(of(value), Some(AskContent::Unknown(_)))
}

fn permission(value: &Value) -> Permission {
    match of(value) {
        Some(AskContent::Permission(permission)) => permission,
        other => panic!("no permission: {other:?} of {value}"),
    }
}

fn once(value: &Value) -> Value {
    sent(value, &Answer::Grant(Grant::Once)).unwrap()
}

fn plain_interrupt() -> Value {
    interrupt(&["accept", "ignore"])
}

#[test]
fn a_wrapped_interrupt_is_answered_as_a_bare_one_and_what_is_around_it_is_shown() {
    let inner = plain_interrupt();
    let accepted = once(&inner);
    for value in [
        json!({ "interrupt": inner }),
        json!([[inner]]),
        json!([[[inner]]]),
        json!([{ "id": "4f", "value": [inner] }]),
        json!({ "type": "approval", "payload": { "request": inner } }),
        json!(inner.to_string()),
        json!(json!([inner]).to_string()),
        json!({ "value": inner.to_string() }),
    ] {
        assert_eq!(once(&value), accepted, "{value}");
        assert!(permission(&value).patterns[0].contains("run_command"));
    }

    let noted = json!({ "note": "On the production server", "interrupt": inner });
    let shown = &permission(&noted).patterns[0];
    assert!(shown.contains("On the production server"), "{shown}");
}

#[test]
fn a_wrapped_review_of_the_middleware_gets_its_decisions() {
    let review = asked(&[("rm", &["approve", "reject"])]);
    let approved = json!({ "decisions": [{ "type": "approve" }] });
    for value in [
        json!([review]),
        json!({ "hitl": review }),
        json!(review.to_string()),
        json!({ "action_requests": review["action_requests"].to_string(),
            "review_configs": review["review_configs"] }),
    ] {
        assert_eq!(once(&value), approved, "{value}");
    }
}

#[test]
fn a_question_that_only_mentions_a_review_stays_a_question() {
    let mentions = json!({ "question": "Was that right?", "before": plain_interrupt() });
    assert_eq!(of(&mentions), None);
    for text in ["[sic] Ada", "{name}", "{'action_request': {}}"] {
        assert_eq!(of(&json!(text)), None, "{text}");
    }
}

#[test]
fn a_review_that_has_no_answer_is_shown_and_takes_none() {
    let mixed = json!([plain_interrupt(), { "question": "And?" }]);
    let two = json!([asked(&[("a", &["approve"])]), asked(&[("b", &["approve"])])]);
    let beside = json!({ "a": plain_interrupt(), "b": plain_interrupt() });
    for value in [
        interrupt(&[]),
        asked(&[("pay", &[])]),
        asked(&[("pay", &["later"])]),
        json!({ "action_requests": [{ "name": "t" }],
            "review_configs": [{ "action_name": "t", "allowed_decisions": ["later", 5] }] }),
        json!({ "action_request": "x", "config": {} }),
        json!({ "action_request": null, "config": { "allow_accept": true } }),
        json!({ "action_request": {}, "config": { "allow_accept": true } }),
        json!({ "action_request": { "action": "t" }, "config": "all" }),
        json!({ "action_requests": ["rm -rf /"], "review_configs": [] }),
        json!({ "action_requests": [null, { "name": "t" }] }),
        json!({ "action_requests": [] }),
        json!({ "action_requests": 7 }),
        mixed,
        two,
        beside,
    ] {
        assert!(is_shown_only(&value), "{value}: {:?}", of(&value));
        let told = decisions(&value, &Answer::Dismiss);
        assert!(matches!(told, Some(Err(_))), "{value}: {told:?}");
    }
}

#[test]
fn a_review_that_takes_no_answer_shows_all_that_it_asks() {
    let Some(AskContent::Unknown(unknown)) = of(&interrupt(&[])) else {
        panic!("it can be answered")
    };
    assert!(
        unknown.raw.contains("\"allow_accept\": false"),
        "{}",
        unknown.raw
    );
    assert!(unknown.raw.contains("run_command"), "{}", unknown.raw);
}

#[test]
fn what_is_allowed_goes_by_the_name_of_the_call_wherever_its_config_stands() {
    let value = json!({
        "action_requests": [{ "name": "ls", "args": {} }, { "name": "rm", "args": {} }],
        "review_configs": [
            { "action_name": "rm", "allowed_decisions": ["reject"] },
            { "action_name": "ls", "allowed_decisions": ["approve"] },
        ],
    });
    let both = sent(&value, &replies(vec![Reply::choice(0), Reply::choice(0)]));
    let told = json!({ "decisions": [{ "type": "approve" }, { "type": "reject" }] });
    assert_eq!(both, Ok(told));
}

#[test]
fn a_config_without_a_name_is_that_of_the_call_at_its_place() {
    let value = json!({
        "action_requests": [{ "name": "ls", "args": {} }, { "name": "rm", "args": {} }],
        "review_configs": [
            { "allowed_decisions": ["approve"] },
            { "action_name": null, "allowed_decisions": ["reject"] },
        ],
    });
    let both = sent(&value, &replies(vec![Reply::choice(0), Reply::choice(0)]));
    let told = json!({ "decisions": [{ "type": "approve" }, { "type": "reject" }] });
    assert_eq!(both, Ok(told));

    let named_otherwise = json!({
        "action_requests": [{ "action": "pay", "args": {} }],
        "review_configs": [{ "action": "pay", "allowed_decisions": "approve, edit" }],
    });
    let Some(AskContent::Questions(questions)) = of(&named_otherwise) else {
        panic!("no question")
    };
    assert!(questions[0].question.ends_with("(approve / edit)"));
}

#[test]
fn a_call_is_answered_in_the_words_that_it_was_asked_in() {
    let older = json!({
        "action_requests": [{ "action": "pay", "arguments": { "n": 1 } }],
        "review_configs": [{ "action_name": "pay", "allowed_decisions": ["Accept", "edit"] }],
    });
    let edited = sent(&older, &replies(vec![Reply::text(r#"{"n":2}"#)]));
    let call = json!({ "action": "pay", "arguments": { "n": 2 } });
    let told = json!({ "decisions": [{ "type": "edit", "edited_action": call }] });
    assert_eq!(edited, Ok(told));
    let yes = sent(&older, &replies(vec![Reply::choice(0)]));
    assert_eq!(yes, Ok(json!({ "decisions": [{ "type": "Accept" }] })));

    let config = json!({ "allow_accept": true, "allow_edit": true });
    let named =
        json!({ "action_request": { "name": "pay", "args": "{\"n\":1}" }, "config": config });
    let edited = sent(&named, &replies(vec![Reply::text(r#"{"n":2}"#)]));
    let call = json!({ "name": "pay", "args": "{\"n\":2}" });
    assert_eq!(edited, Ok(json!([{ "type": "edit", "args": call }])));
}

#[test]
fn a_command_among_arguments_in_a_text_is_known_as_one() {
    let request = json!({ "name": "shell", "arguments": "{\"command\":\"rm -rf ~\"}" });
    let value = json!({ "action_requests": [request] });
    assert_eq!(permission(&value).command.as_deref(), Some("rm -rf ~"));
}

#[test]
fn no_field_of_a_call_is_left_out_whatever_its_type() {
    let request =
        json!({ "name": 7, "args": ["-rf", "/"], "cwd": "/srv", "description": { "why": "x" } });
    let value = json!({ "action_requests": [request], "description": "The outer one" });
    let permission = permission(&value);
    assert_eq!(permission.permission, "7");
    for part in [r#"["-rf","/"]"#, "/srv", "why", "The outer one"] {
        assert!(
            permission.patterns[0].contains(part),
            "{part}: {permission:?}"
        );
    }

    let nameless = json!({ "action_requests": [{ "tool_input": { "path": "/" } }] });
    assert!(self::permission(&nameless).patterns[0].contains("tool_input"));

    let described = json!({
        "action_requests": [{ "name": "t", "args": {} }],
        "review_configs": [{ "action_name": "t", "description": "Look twice" }],
    });
    assert_eq!(self::permission(&described).patterns, ["Look twice\nt {}"]);
}

#[test]
fn nulls_are_as_good_as_absent() {
    for value in [
        json!({ "action_requests": [{ "name": "t", "args": null, "description": null }],
            "review_configs": null }),
        json!({ "action_requests": [{ "name": "t" }],
            "review_configs": [{ "action_name": "t", "allowed_decisions": null }, null] }),
        json!({ "action_request": { "action": "t", "args": null }, "config": null }),
        json!({ "action_request": { "action": "t" }, "config": { "allow_accept": null } }),
        json!({ "action_request": { "action": "t" }, "question": null, "config": {} }),
    ] {
        assert_eq!(permission(&value).permission, "t", "{value}");
    }
}
