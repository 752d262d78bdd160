//! Tests of every decision for each tool, and of none that is not allowed.

mod odd;

use super::*;
use beckon_core::{QuestionConsent, Reply};
use serde_json::json;

fn asked(calls: &[(&str, &[&str])]) -> Value {
    let requests: Vec<Value> = calls
        .iter()
        .map(|(name, _)| json!({ "name": name, "args": { "n": 1 } }))
        .collect();
    let configs: Vec<Value> = calls
        .iter()
        .map(|(name, allowed)| json!({ "action_name": name, "allowed_decisions": allowed }))
        .collect();
    json!({ "action_requests": requests, "review_configs": configs })
}

fn decided(value: &Value, answer: &Answer) -> Result<Value, String> {
    decisions(value, answer)
        .unwrap()
        .map(|sent| sent["decisions"].clone())
}

fn replies(replies: Vec<Reply>) -> Answer {
    Answer::Replies(replies)
}

#[test]
fn one_call_that_takes_a_plain_yes_or_no_is_a_permission() {
    let value = asked(&[("rm", &["approve", "reject"])]);
    let Some(AskContent::Permission(permission)) = of(&value) else {
        panic!("no permission")
    };
    assert_eq!(
        (permission.permission.as_str(), permission.patterns.len()),
        ("rm", 1)
    );
    let once = decided(&value, &Answer::Grant(Grant::Once));
    assert_eq!(once, Ok(json!([{ "type": "approve" }])));
    let reason = Some("not there".to_owned());
    let rejected = decided(&value, &Answer::Grant(Grant::Reject { reason }));
    assert_eq!(
        rejected,
        Ok(json!([{ "type": "reject", "message": "not there" }]))
    );
}

#[test]
fn each_of_several_calls_gets_its_own_decision() {
    let value = asked(&[
        ("ls", &["approve", "reject"]),
        ("rm", &["approve", "reject"]),
    ]);
    let answer = replies(vec![Reply::choice(0), Reply::text("never")]);
    let sent = json!([{ "type": "approve" }, { "type": "reject", "message": "never" }]);
    assert_eq!(decided(&value, &answer), Ok(sent));
}

#[test]
fn own_words_are_arguments_an_answer_or_a_no_as_it_is_allowed() {
    let said = |allowed: &[&str], text: &str| {
        decided(&asked(&[("t", allowed)]), &replies(vec![Reply::text(text)]))
    };
    let edited = json!({ "name": "t", "args": { "n": 2 } });
    let edit = json!([{ "type": "edit", "edited_action": edited }]);
    assert_eq!(said(&["approve", "edit", "reject"], r#"{"n":2}"#), Ok(edit));
    let no = json!([{ "type": "reject", "message": "no" }]);
    assert_eq!(said(&["approve", "edit", "reject"], "no"), Ok(no));
    let told = json!([{ "type": "respond", "message": "later" }]);
    assert_eq!(said(&["approve", "reject", "respond"], "later"), Ok(told));
    assert!(
        said(&["approve", "edit"], "no")
            .unwrap_err()
            .contains("approve, edit")
    );
}

#[test]
fn a_slip_in_an_edit_goes_as_nothing_else_and_a_bare_yes_is_no_no() {
    let said = |allowed: &[&str], text: &str| {
        decided(&asked(&[("t", allowed)]), &replies(vec![Reply::text(text)]))
    };
    for slip in [r#"{"n":2,}"#, "{“n”: 2}", "[2]", "“n”"] {
        for allowed in [&["edit", "respond"][..], &["edit", "reject"]] {
            let refused = said(allowed, slip).unwrap_err();
            assert!(refused.contains("no JSON object"), "{slip}: {refused}");
        }
    }
    let yes = json!([{ "type": "approve" }]);
    assert_eq!(said(&["approve", "edit", "reject"], " Yes "), Ok(yes));
    assert!(
        said(&["edit", "reject"], "yes").is_err(),
        "nobody may say it"
    );
}

#[test]
fn where_nothing_is_said_of_what_is_allowed_a_yes_and_a_no_are() {
    for config in [
        json!({ "action_name": "t" }),
        json!({ "action_name": "t", "allowed_decisions": null }),
        json!({ "action_name": "t", "allowed_decisions": ["approve", 5, "later", "reject"] }),
        json!({ "action_name": "t", "allowed_decisions": ["Approve", "REJECT"] }),
        json!({ "action_name": "t", "allowed_decisions": ["accept", "ignore"] }),
    ] {
        let value = json!({
            "action_requests": [{ "name": "t", "args": { "n": 1 } }],
            "review_configs": [config],
        });
        let Some(AskContent::Permission(permission)) = of(&value) else {
            panic!("{config}");
        };
        assert_eq!(permission.permission, "t");
    }
    let inbox = json!({ "action_request": { "action": "t", "args": {} } });
    assert!(of(&inbox).is_some_and(|kind| matches!(kind, AskContent::Permission(_))));
}

#[test]
fn what_is_not_allowed_is_never_sent() {
    let value = asked(&[
        ("pay", &["approve", "edit"]),
        ("ls", &["approve", "reject"]),
    ]);
    assert!(decided(&value, &Answer::Dismiss).is_err());
    let only_no = asked(&[("pay", &["reject"])]);
    assert!(decided(&only_no, &Answer::Grant(Grant::Once)).is_err());
    let Some(AskContent::Questions(questions)) = of(&only_no) else {
        panic!("no question")
    };
    let labels: Vec<&str> = questions[0]
        .choices
        .iter()
        .map(|it| it.label.as_str())
        .collect();
    assert_eq!(labels, ["reject"]);
}

#[test]
fn a_description_does_not_hide_what_will_run() {
    let request = json!({ "name": "rm", "args": { "path": "/" }, "description": "Tidies up" });
    let value = json!({ "action_requests": [request] });
    let Some(AskContent::Permission(permission)) = of(&value) else {
        panic!("no permission")
    };
    assert_eq!(permission.patterns, ["Tidies up\nrm {\"path\":\"/\"}"]);
}

#[test]
fn a_question_about_a_call_shows_it_with_all_that_may_be_decided() {
    let value = asked(&[("pay", &["approve", "edit"]), ("ls", &["approve"])]);
    let Some(AskContent::Questions(questions)) = of(&value) else {
        panic!("no questions")
    };
    let pay = &questions[0];
    assert_eq!(pay.header, "pay");
    assert_eq!(pay.question, "pay {\"n\":1}\n(approve / edit)");
    assert_eq!(pay.choices[0].value.as_deref(), Some("approve"));
    assert!(
        pay.custom && !questions[1].custom,
        "own words are no approval"
    );
}

#[test]
fn arguments_go_only_where_they_may_be_edited_and_to_every_call_belongs_a_decision() {
    let value = asked(&[("t", &["approve", "respond"])]);
    let told = decided(&value, &replies(vec![Reply::text(r#"{"n":2}"#)]));
    assert_eq!(
        told,
        Ok(json!([{ "type": "respond", "message": r#"{"n":2}"# }]))
    );
    let two = asked(&[
        ("ls", &["approve", "reject"]),
        ("rm", &["approve", "reject"]),
    ]);
    assert!(decided(&two, &replies(vec![Reply::choice(0)])).is_err());
    let dismissed = decided(&two, &Answer::Dismiss);
    assert_eq!(
        dismissed,
        Ok(json!([{ "type": "reject" }, { "type": "reject" }]))
    );
}

/// Returns a review as LangChain.js asks for it.
fn asked_in_js(name: &str, allowed: &[&str]) -> Value {
    let request = json!({ "name": name, "args": { "n": 1 }, "description": "Pays" });
    let config = json!({ "actionName": name, "allowedDecisions": allowed });
    json!({ "actionRequests": [request], "reviewConfigs": [config] })
}

/// Returns an interrupt as the Agent Inbox asks; `allowed` are some of accept, edit, respond and
/// ignore.
fn interrupt(allowed: &[&str]) -> Value {
    let allows = |word: &str| allowed.contains(&word);
    json!({
        "action_request": { "action": "run_command", "args": { "command": "ls" } },
        "config": {
            "allow_accept": allows("accept"), "allow_edit": allows("edit"),
            "allow_respond": allows("respond"), "allow_ignore": allows("ignore"),
        },
        "description": "Please review the command",
    })
}

fn sent(value: &Value, answer: &Answer) -> Result<Value, String> {
    decisions(value, answer).unwrap()
}

fn reject(reason: Option<&str>) -> Answer {
    let reason = reason.map(str::to_owned);
    Answer::Grant(Grant::Reject { reason })
}

#[test]
fn a_review_in_javascripts_spelling_is_answered_in_it() {
    let value = asked_in_js("pay", &["approve", "reject"]);
    let Some(AskContent::Permission(permission)) = of(&value) else {
        panic!("no permission")
    };
    assert_eq!(permission.patterns, ["Pays\npay {\"n\":1}"]);
    let yes = sent(&value, &Answer::Grant(Grant::Once));
    assert_eq!(yes, Ok(json!({ "decisions": [{ "type": "approve" }] })));

    let value = asked_in_js("pay", &["approve", "edit"]);
    let edited = sent(&value, &replies(vec![Reply::text(r#"{"n":2}"#)]));
    let call = json!({ "name": "pay", "args": { "n": 2 } });
    let decision = json!({ "type": "edit", "editedAction": call });
    assert_eq!(edited, Ok(json!({ "decisions": [decision] })));
    assert!(sent(&value, &reject(None)).is_err(), "only what is allowed");
}

#[test]
fn an_interrupt_of_the_inbox_is_answered_by_a_list_of_one() {
    let all = ["accept", "ignore", "respond"];
    for value in [interrupt(&all), json!([interrupt(&all)])] {
        let Some(AskContent::Permission(permission)) = of(&value) else {
            panic!("{value}")
        };
        let shown = "Please review the command\nrun_command {\"command\":\"ls\"}";
        assert_eq!(permission.patterns, [shown]);
        assert_eq!(permission.permission, "run_command");
        let call = json!({ "action": "run_command", "args": { "command": "ls" } });
        let yes = sent(&value, &Answer::Grant(Grant::Once));
        assert_eq!(yes, Ok(json!([{ "type": "accept", "args": call }])));
        let no = sent(&value, &reject(None));
        assert_eq!(no, Ok(json!([{ "type": "ignore", "args": null }])));
        let why = sent(&value, &reject(Some("not there")));
        assert_eq!(
            why,
            Ok(json!([{ "type": "response", "args": "not there" }]))
        );
    }
}

#[test]
fn an_interrupt_takes_what_its_config_allows_and_nothing_else() {
    let value = interrupt(&["accept", "edit", "respond"]);
    let Some(AskContent::Questions(questions)) = of(&value) else {
        panic!("no question")
    };
    assert!(
        questions[0]
            .question
            .ends_with("(accept / edit / response)")
    );
    let edited = sent(&value, &replies(vec![Reply::text(r#"{"command":"pwd"}"#)]));
    let call = json!({ "action": "run_command", "args": { "command": "pwd" } });
    assert_eq!(edited, Ok(json!([{ "type": "edit", "args": call }])));
    let told = sent(&value, &replies(vec![Reply::text("later")]));
    assert_eq!(told, Ok(json!([{ "type": "response", "args": "later" }])));
    assert!(sent(&value, &Answer::Dismiss).is_err());

    let plain = interrupt(&["accept", "ignore"]);
    assert!(
        sent(&plain, &reject(Some("why"))).is_err(),
        "no words are lost"
    );
    let Some(AskContent::Questions(questions)) = of(&interrupt(&["ignore"])) else {
        panic!("no question")
    };
    assert!(!questions[0].custom);
    let ignored = sent(&interrupt(&["ignore"]), &replies(vec![Reply::choice(0)]));
    assert_eq!(ignored, Ok(json!([{ "type": "ignore", "args": null }])));
}

#[test]
fn an_interrupt_may_have_javascripts_fields_or_stand_among_others() {
    let config = json!({ "allowAccept": true, "allowEdit": true, "allowRespond": true });
    let request = json!({ "action": "Approve XYZ", "args": {} });
    let value = json!([{ "actionRequest": request, "config": config }]);
    let yes = sent(&value, &replies(vec![Reply::choice(0)]));
    assert_eq!(yes, Ok(json!([{ "type": "accept", "args": request }])));

    let two = json!([
        interrupt(&["accept", "ignore"]),
        interrupt(&["accept", "ignore"])
    ]);
    let both = sent(&two, &replies(vec![Reply::choice(1), Reply::choice(0)])).unwrap();
    assert_eq!(
        (&both[0]["type"], &both[1]["type"]),
        (&json!("ignore"), &json!("accept"))
    );
    for other in [
        json!([]),
        json!(null),
        json!(["a"]),
        json!({ "action": "x" }),
    ] {
        assert!(of(&other).is_none(), "{other}");
    }
}

#[test]
fn a_command_among_the_arguments_is_known_as_one() {
    let review = |args: Value, allowed: &[&str]| {
        json!({ "action_requests": [{ "name": "shell", "args": args }],
            "review_configs": [{ "action_name": "shell", "allowed_decisions": allowed }] })
    };
    let plain = review(
        json!({ "cmd": "rm", "args": ["-rf", "~"] }),
        &["approve", "reject"],
    );
    let Some(AskContent::Permission(permission)) = of(&plain) else {
        panic!("no permission")
    };
    assert_eq!(permission.command.as_deref(), Some("rm -rf ~"));

    let with_edit = review(
        json!({ "command": "ls", "n": 1 }),
        &["approve", "edit", "reject"],
    );
    let Some(AskContent::Questions(questions)) = of(&with_edit) else {
        panic!("no question")
    };
    let consent = QuestionConsent {
        commands: vec!["ls".to_owned()],
        refusals: vec![1],
    };
    assert_eq!(questions[0].consent, Some(consent));
    assert_eq!(questions[0].choices[1].label, "reject");

    let without_a_no = review(json!({ "command": "ls" }), &["approve", "edit"]);
    let Some(AskContent::Questions(questions)) = of(&without_a_no) else {
        panic!("no question")
    };
    let refusals = questions[0].consent.as_ref().map(|it| it.refusals.clone());
    assert_eq!(refusals, Some(Vec::new()), "its only choice is a yes");

    let without_approval = review(json!({ "command": "ls" }), &["edit", "reject"]);
    let Some(AskContent::Questions(questions)) = of(&without_approval) else {
        panic!("no question")
    };
    assert_eq!(questions[0].consent, None);
}
