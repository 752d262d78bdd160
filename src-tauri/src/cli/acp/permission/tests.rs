//! Requests as agents have sent them (recorded, 28 November 2026), and odd ones.

use super::super::message;
use super::*;
use serde_json::json;

fn request(params: &Value) -> PermissionRequest {
    let line = json!({ "id": 0, "method": "session/request_permission", "params": params });
    read_request(&message::read(line.to_string().as_bytes())[0], None)
}

fn options() -> Value {
    json!([
        { "optionId": "proceed_always", "name": "Allow for this session", "kind": "allow_always" },
        { "optionId": "proceed_once", "name": "Allow", "kind": "allow_once" },
        { "optionId": "cancel", "name": "Reject", "kind": "reject_once" },
    ])
}

fn asked(call: &Value) -> PermissionBody {
    let request = request(&json!({ "sessionId": "s", "toolCall": call, "options": options() }));
    let ask = request.to_ask("agent", &Texts::load("en"));
    ask.permission.unwrap()
}

fn named(body: &PermissionBody) -> Vec<(&str, &str)> {
    let arguments = body.arguments.iter();
    arguments
        .map(|it| (it.name.as_str(), it.value.as_str()))
        .collect()
}

#[test]
fn a_command_of_opencode_is_shown_as_it_runs() {
    let body = asked(&json!({
        "toolCallId": "call_3", "title": "touch by-bash && echo made", "kind": "execute",
        "status": "pending", "locations": [],
        "rawInput": { "command": "touch by-bash && echo made", "timeout": 5 },
    }));
    assert_eq!(body.permission, "bash");
    assert_eq!(body.command.as_deref(), Some("touch by-bash && echo made"));
    assert_eq!(named(&body), [("timeout", "5")]);
    assert!(!body.is_partial);
    assert_eq!(body.always, ["Allow for this session"]);
}

#[test]
fn a_command_of_gemini_has_only_a_title_so_there_may_be_more() {
    let body = asked(&json!({
        "toolCallId": "run_1", "status": "pending", "title": "touch x && echo made",
        "content": [{ "type": "content", "content": { "type": "text", "text": "(Makes a file)" } }],
        "locations": [], "kind": "execute",
    }));
    assert_eq!(body.command.as_deref(), Some("touch x && echo made"));
    assert_eq!(named(&body), [("content", "(Makes a file)")]);
    assert!(body.is_partial);
}

#[test]
fn a_change_is_shown_with_its_file_and_without_doubles() {
    let body = asked(&json!({
        "toolCallId": "w", "kind": "edit", "title": "Write a.txt",
        "content": [{ "type": "diff", "path": "/p/a.txt", "oldText": "one\n", "newText": "two\n" }],
        "rawInput": { "file_path": "/p/a.txt", "content": "two\n", "mode": 7 },
    }));
    assert_eq!(body.permission, "edit");
    assert_eq!(body.patterns[0], "/p/a.txt");
    assert_eq!(
        body.diff.as_deref(),
        Some("--- /p/a.txt\n+++ /p/a.txt\n-one\n+two")
    );
    assert_eq!(named(&body), [("mode", "7")]);
    assert!(!body.is_partial);
}

#[test]
fn a_call_of_which_only_the_title_is_known_is_not_whole() {
    for call in [
        json!({ "toolCallId": "a", "title": "Ready to code?", "kind": "switch_mode" }),
        json!({ "toolCallId": "a", "title": "lookup", "kind": "other", "rawInput": {} }),
        json!({ "toolCallId": "a" }),
        json!("odd"),
        json!(null),
    ] {
        assert!(asked(&call).is_partial, "{call}");
    }
    let told = asked(&json!({ "title": "lookup", "kind": "other", "rawInput": { "n": 1 } }));
    assert!(!told.is_partial);
    assert_eq!(
        (told.permission.as_str(), told.patterns[0].as_str()),
        ("other", "lookup")
    );
}

#[test]
fn what_was_said_of_a_call_before_is_part_of_its_request() {
    let known = json!({ "kind": "execute", "rawInput": { "command": "rm -r build" } });
    let line = json!({ "id": 0, "method": "session/request_permission", "params":
        { "sessionId": "s", "toolCall": { "toolCallId": "a" }, "options": options() } });
    let message = &message::read(line.to_string().as_bytes())[0];
    let ask = read_request(message, Some(&known)).to_ask("agent", &Texts::load("en"));
    assert_eq!(
        ask.permission.unwrap().command.as_deref(),
        Some("rm -r build")
    );
}

#[test]
fn a_decision_is_an_option_of_its_kind_alone() {
    let all = request(&json!({ "options": options() }));
    assert_eq!(all.option(PermissionDecision::Once), Some("proceed_once"));
    assert_eq!(
        all.option(PermissionDecision::Always),
        Some("proceed_always")
    );
    assert_eq!(all.option(PermissionDecision::Reject), Some("cancel"));

    let of = |kinds: &[&str]| {
        let options = kinds.iter().enumerate();
        let options = options
            .map(|(n, kind)| json!({ "optionId": n.to_string(), "name": kind, "kind": kind }));
        request(&json!({ "options": options.collect::<Vec<_>>() }))
    };
    let twice = of(&["allow_once", "allow_always", "allow_always", "reject_once"]);
    assert_eq!(twice.option(PermissionDecision::Always), None);
    assert_eq!(twice.option(PermissionDecision::Once), Some("0"));
    for kinds in [
        &["allow_once", "allow_once", "reject_once"][..],
        &["allow_once", "reject_always"],
        &["allow_always", "reject_once"],
        &["allow_once"],
        &[],
    ] {
        let odd = of(kinds);
        let ask = odd.to_ask("agent", &Texts::load("en"));
        assert!(ask.permission.is_none(), "{kinds:?}");
        assert_eq!(odd.option(PermissionDecision::Reject), None, "{kinds:?}");
        assert!(
            ask.unreadable
                .raw
                .contains("only be answered in its editor")
        );
    }
}

#[test]
fn a_line_that_is_not_sure_is_not_shown_as_whole() {
    let line = b"{\"id\":0,\"method\":\"session/request_permission\",\"params\":{\"sessionId\":\"s\",\"toolCall\":{\"kind\":\"execute\",\"rawInput\":{\"command\":\"echo \xff\"}},\"options\":[{\"optionId\":\"a\",\"name\":\"A\",\"kind\":\"allow_once\"},{\"optionId\":\"r\",\"name\":\"R\",\"kind\":\"reject_once\"}]}}";
    let ask = read_request(&message::read(line)[0], None).to_ask("agent", &Texts::load("en"));
    assert!(ask.permission.unwrap().is_partial);
}
