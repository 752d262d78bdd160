//! Arguments as other people's clients and models have written them.

use super::{Given, ToolArguments};
use crate::cli::mcp::{AskUser, CheckAnswer, NotifyUser};
use serde_json::{Value, json};

fn read<T: ToolArguments>(fields: Value) -> Result<T, String> {
    let given: Given<T> = serde_json::from_value(fields).unwrap();
    given.read().map_err(|unclear| unclear.to_string())
}

/// Returns the labels and descriptions that a human would see.
fn choices(given: Value) -> Result<Vec<(String, String)>, String> {
    let asked: AskUser = read(json!({ "question": "Deploy?", "choices": given }))?;
    let shown = asked.choices.into_iter();
    Ok(shown
        .map(|choice| (choice.label, choice.description))
        .collect())
}

#[track_caller]
fn shows(given: Value, labels: &[&str]) {
    let read = choices(given.clone()).unwrap();
    let shown: Vec<&str> = read.iter().map(|(label, _)| label.as_str()).collect();
    assert_eq!(shown, labels, "{given}");
}

#[test]
fn choices_are_read_however_they_are_written() {
    let both = ["Yes", "No"];
    shows(json!([{ "label": "Yes" }, { "label": "No" }]), &both);
    shows(json!(["Yes", "No"]), &both);
    shows(json!(r#"["Yes", "No"]"#), &both);
    shows(
        json!(" [{\"label\": \"Yes\"},\n{\"label\": \"No\"}] "),
        &both,
    );
    shows(json!([r#"{"label": "Yes"}"#, "No"]), &both);
    shows(
        json!([{ "title": "Yes" }, { "value": "No", "description": null }]),
        &both,
    );
    shows(json!({ "label": "Yes" }), &["Yes"]);
    shows(json!(r#"{"label": "Yes"}"#), &["Yes"]);
    shows(
        json!([1, 2.5, true, null, { "label": 3 }]),
        &["1", "2.5", "true", "3"],
    );
    for none in [
        json!(null),
        json!([]),
        json!(""),
        json!(" [] "),
        json!("null"),
        json!(["null"]),
        json!([null, null]),
    ] {
        shows(none, &[]);
    }
    // A label may look like JSON and be none.
    shows(
        json!(["{x}", "[a]", "\"quoted\"", "12"]),
        &["{x}", "[a]", "\"quoted\"", "12"],
    );
    let described = json!([{ "label": "Yes", "description": "at once" }]);
    assert_eq!(
        choices(described).unwrap(),
        [("Yes".to_owned(), "at once".to_owned())]
    );
}

#[test]
fn choices_that_are_not_clear_are_an_error_with_a_right_call() {
    for unclear in [
        json!("Yes"),
        json!("Yes, No"),
        json!("[\"Yes\", \"No\""),
        json!("['Yes', 'No']"),
        json!("7"),
        json!(true),
        json!(3),
        json!([["Yes", "No"]]),
        json!([{ "description": "no label" }]),
        json!([""]),
        json!(["Yes", " \u{200b}\u{2800}"]),
        json!([{ "label": "\u{3164}" }]),
        json!({ "Yes": "at once", "No": "later" }),
    ] {
        let told = choices(unclear.clone()).unwrap_err();
        assert!(
            told.contains("\"choices\" has to be a list"),
            "{unclear}: {told}"
        );
        let example = told.split_once("A right call: ").unwrap().1;
        let example: Value = serde_json::from_str(example).unwrap();
        assert!(read::<AskUser>(example).is_ok());
    }
}

#[test]
fn other_arguments_are_read_as_they_are_meant() {
    let asked = |field: &str, value: Value| {
        let mut fields = json!({ "question": "Deploy?" });
        fields[field] = value;
        read::<AskUser>(fields)
    };
    for yes in [
        json!(true),
        json!("true"),
        json!("True"),
        json!(1),
        json!("yes"),
    ] {
        assert!(asked("multiple", yes.clone()).unwrap().multiple, "{yes}");
    }
    for no in [json!(false), json!("false"), json!("FALSE "), json!(0)] {
        assert!(!asked("free_text", no.clone()).unwrap().free_text, "{no}");
    }
    for absent in [json!(null), json!(""), json!("null"), json!(" null ")] {
        assert!(!asked("multiple", absent.clone()).unwrap().multiple);
        assert!(asked("free_text", absent.clone()).unwrap().free_text);
        assert_eq!(asked("wait_seconds", absent).unwrap().wait_seconds, None);
    }
    let waits = |value: Value| asked("wait_seconds", value).unwrap().wait_seconds;
    assert_eq!(waits(json!("5")), Some(5));
    assert_eq!(waits(json!(5.0)), Some(5));
    assert_eq!(waits(json!("4.2")), Some(5));
    assert_eq!(waits(json!(0)), Some(0));
    assert_eq!(waits(json!(-1)), None, "no limit");
    assert_eq!(waits(json!(1e300)), Some(u64::MAX));
    for odd in [
        json!("soon"),
        json!("5s"),
        json!([5]),
        json!({}),
        json!("inf"),
        json!("NaN"),
        json!(true),
    ] {
        assert!(asked("wait_seconds", odd.clone()).is_err(), "{odd}");
    }
    for odd in [json!("maybe"), json!(7), json!([true]), json!({})] {
        assert!(asked("multiple", odd.clone()).is_err(), "{odd}");
        assert!(asked("free_text", odd.clone()).is_err(), "{odd}");
    }
    assert!(asked("multiSelect", json!(true)).unwrap().multiple);
    assert!(!asked("freeText", json!(false)).unwrap().free_text);
    assert!(asked("multiSelect", json!("maybe")).is_err());
    let options = read::<AskUser>(json!({ "question": "Which?", "options": ["A"] })).unwrap();
    assert_eq!(
        options.choices.len(),
        1,
        "choices by another name are not lost"
    );
}

#[test]
fn what_has_to_be_there_is_asked_for() {
    for nothing in [
        json!({}),
        json!({ "question": null }),
        json!({ "question": ["a"] }),
    ] {
        let told = read::<AskUser>(nothing).unwrap_err();
        assert!(told.contains("\"question\" has to be a text"), "{told}");
    }
    assert!(read::<CheckAnswer>(json!({ "wait_seconds": "5" })).is_err());
    let check: CheckAnswer = read(json!({ "ticket": "ask_1", "wait_seconds": "5" })).unwrap();
    assert_eq!(
        (check.ticket.as_str(), check.wait_seconds),
        ("ask_1", Some(5))
    );
    let said: NotifyUser = read(json!({ "message": 312, "title": null })).unwrap();
    assert_eq!((said.message.as_str(), said.title), ("312", None));
}

#[test]
fn choices_by_two_names_are_one_list_or_an_error() {
    let labels = |fields: Value| {
        let asked: AskUser = read(fields)?;
        let labels = asked.choices.into_iter().map(|choice| choice.label);
        Ok::<_, String>(labels.collect::<Vec<_>>())
    };
    let both = |choices: Value, options: Value| {
        labels(json!({ "question": "Which?", "choices": choices, "options": options }))
    };
    let shown = || Ok(vec!["A".to_owned()]);
    assert_eq!(both(json!([]), json!(["A"])), shown());
    assert_eq!(both(json!(["A"]), json!([])), shown());
    assert_eq!(both(json!(""), json!(["A"])), shown());
    assert_eq!(both(json!(["A"]), json!([{ "label": "A" }])), shown());
    let unclear = both(json!(["A"]), json!(["B"])).unwrap_err();
    assert!(unclear.contains("\"choices\""), "{unclear}");
    let label = json!([{ "label": "", "value": "A" }]);
    assert_eq!(both(label, json!(null)), shown());
}

#[test]
fn an_argument_that_the_tool_does_not_have_is_refused_by_its_name() {
    let with = |name: &str, value: Value| {
        let mut fields = json!({ "question": "How many?" });
        fields[name] = value;
        read::<AskUser>(fields)
    };
    for (name, value) in [
        ("fields", json!([{ "name": "n", "type": "integer" }])),
        ("schema", json!({ "type": "integer", "minimum": 1 })),
        ("choice", json!(["A", "B"])),
        ("Question", json!("Really?")),
        ("", json!(1)),
    ] {
        let told = with(name, value).unwrap_err();
        let expected = format!("there is no argument \"{name}\". A right call: {{");
        assert!(told.contains(&expected), "{told}");
    }
    let long = "x".repeat(5_000);
    assert!(with(&long, json!(true)).unwrap_err().len() < 500);
    assert!(read::<CheckAnswer>(json!({ "ticket": "a", "question": "?" })).is_err());
    assert!(read::<NotifyUser>(json!({ "message": "Done", "choices": ["A"] })).is_err());
}

#[test]
fn an_argument_that_says_nothing_or_is_its_clients_own_is_passed_over() {
    let own = json!({
        "question": "Deploy?", "schema": null, "_meta": { "progressToken": 1 },
        "wait_for_previous": true, "task_progress": "- [ ] deploy",
        "toolCallId": "call_1", "sessionId": "s", "action": "sendMessage",
        "chatInput": "hi", "tool": "ask_user",
    });
    assert_eq!(read::<AskUser>(own).unwrap().question, "Deploy?");
}
