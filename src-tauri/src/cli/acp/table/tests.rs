//! Conversations of an editor and an agent, with answers of ours in between.

use super::Passage::{Nothing, Rest, Whole};
use super::*;
use serde_json::json;

/// A conversation under way.
#[derive(Default)]
struct Talk {
    table: PermissionTable,
}

/// What an act does, in short.
fn short(acts: Vec<Act>) -> Vec<String> {
    let words = acts.into_iter().map(|act| match act {
        Act::Ask(number, request) => {
            let can = request.option(PermissionDecision::Once).is_some();
            format!("ask {number}{}", if can { "" } else { " in the editor" })
        }
        Act::End(number, receipt) => format!("{receipt:?} {number}"),
    });
    words.collect()
}

impl Talk {
    fn agent(&mut self, message: &Value) -> Vec<String> {
        short(self.table.hear_agent(message.to_string().as_bytes()))
    }

    fn editor(&mut self, message: &Value) -> (Passage, Vec<String>) {
        let (passage, acts) = self.table.hear_editor(message.to_string().as_bytes());
        (passage, short(acts))
    }

    fn requests(&mut self, id: &Value, session: &str, call: &str) -> Vec<String> {
        self.agent(&request(id, session, call))
    }

    fn updates(&mut self, session: &str, call: &str, status: &str) -> Vec<String> {
        let update =
            json!({ "sessionUpdate": "tool_call_update", "toolCallId": call, "status": status });
        let params = json!({ "sessionId": session, "update": update });
        self.agent(&json!({ "method": "session/update", "params": params }))
    }

    fn allows(&mut self, number: AskNumber) -> Option<String> {
        let answer = self.table.answer(number, PermissionDecision::Once)?;
        Some(String::from_utf8(answer.to_agent).unwrap())
    }
}

fn request(id: &Value, session: &str, call: &str) -> Value {
    let options = json!([
        { "optionId": "yes", "name": "Yes", "kind": "allow_once" },
        { "optionId": "no", "name": "No", "kind": "reject_once" },
    ]);
    let params =
        json!({ "sessionId": session, "toolCall": { "toolCallId": call }, "options": options });
    json!({ "jsonrpc": "2.0", "id": id, "method": "session/request_permission", "params": params })
}

fn selected(id: &Value) -> Value {
    json!({ "id": id, "result": { "outcome": { "outcome": "selected", "optionId": "yes" } } })
}

fn cancelled(id: &Value) -> Value {
    json!({ "id": id, "error": { "code": -32800, "message": "Request cancelled" } })
}

#[test]
fn an_answer_of_ours_goes_to_the_agent_and_takes_the_editors_dialog_back() {
    for id in [json!(0), json!("0"), json!("a b")] {
        let mut talk = Talk::default();
        assert_eq!(talk.requests(&id, "s", "c"), ["ask 0"]);
        let answer = talk.table.answer(0, PermissionDecision::Reject).unwrap();
        let to_agent: Value =
            serde_json::from_str(std::str::from_utf8(&answer.to_agent).unwrap()).unwrap();
        let outcome = json!({ "outcome": { "outcome": "selected", "optionId": "no" } });
        assert_eq!(
            to_agent,
            json!({ "jsonrpc": "2.0", "id": id, "result": outcome })
        );
        let to_editor: Value =
            serde_json::from_str(std::str::from_utf8(&answer.to_editor).unwrap()).unwrap();
        assert_eq!(to_editor["method"], "$/cancel_request");
        assert_eq!(to_editor["params"], json!({ "requestId": id }));

        assert_eq!(talk.allows(0), None, "once");
        assert_eq!(talk.editor(&cancelled(&id)), (Nothing, vec![]));
        assert_eq!(
            talk.editor(&cancelled(&id)).0,
            Whole,
            "what is the agent's to judge"
        );
        assert_eq!(talk.updates("s", "c", "failed"), ["Taken 0"]);
    }
}

#[test]
fn the_editors_answer_is_passed_on_and_ends_ours() {
    let mut talk = Talk::default();
    talk.requests(&json!(7), "s", "c");
    assert_eq!(
        talk.editor(&selected(&json!("7"))),
        (Whole, vec![]),
        "another id"
    );
    assert_eq!(
        talk.editor(&selected(&json!(7))),
        (Whole, vec!["Elsewhere 0".to_owned()])
    );
    assert_eq!(talk.allows(0), None);

    talk.requests(&json!(8), "s", "d");
    let outcome = json!({ "id": 8, "result": { "outcome": { "outcome": "cancelled" } } });
    assert_eq!(talk.editor(&outcome), (Whole, vec!["Over 1".to_owned()]));
}

#[test]
fn only_the_agents_own_word_of_the_call_proves_an_answer() {
    let table: [(PermissionDecision, &[&str], &str); 7] = [
        (PermissionDecision::Once, &["in_progress"], "Taken 0"),
        (PermissionDecision::Once, &["completed"], "Taken 0"),
        (PermissionDecision::Once, &["pending", "failed"], "Lost 0"),
        (PermissionDecision::Once, &[], "Lost 0"),
        (
            PermissionDecision::Reject,
            &["in_progress", "failed"],
            "Taken 0",
        ),
        (PermissionDecision::Reject, &["completed"], "Elsewhere 0"),
        (PermissionDecision::Reject, &["pending"], "Lost 0"),
    ];
    for (decision, said, end) in table {
        let mut talk = Talk::default();
        let prompt = json!({ "id": 3, "method": "session/prompt", "params": { "sessionId": "s" } });
        assert_eq!(talk.editor(&prompt).0, Whole);
        talk.requests(&json!(0), "s", "c");
        talk.table.answer(0, decision).unwrap();
        assert!(talk.updates("s", "another", "completed").is_empty());
        assert!(talk.updates("another", "c", "completed").is_empty());

        let mut ends: Vec<String> = Vec::new();
        for status in said {
            ends.extend(talk.updates("s", "c", status));
        }
        let turn = json!({ "id": 3, "result": { "stopReason": "end_turn" } });
        ends.extend(talk.agent(&turn));
        assert_eq!(ends, [end], "{decision:?} {said:?}");
    }
}

#[test]
fn what_nobody_waits_for_any_more_goes() {
    let id = json!(0);
    let cancel = json!({ "method": "session/cancel", "params": { "sessionId": "s" } });
    let mut talk = Talk::default();
    talk.requests(&id, "s", "c");
    talk.requests(&json!(1), "t", "c");
    assert_eq!(talk.editor(&cancel), (Whole, vec!["Over 0".to_owned()]));
    assert_eq!(talk.allows(0), None);
    assert_eq!(
        talk.editor(&cancelled(&id)).0,
        Whole,
        "the agent waits for it"
    );

    let taken_back = json!({ "method": "$/cancel_request", "params": { "requestId": 1 } });
    assert_eq!(talk.agent(&taken_back), ["Over 1"]);
    assert_eq!(talk.editor(&cancelled(&json!(1))).0, Whole);

    talk.requests(&json!(2), "s", "d");
    assert_eq!(talk.updates("s", "d", "in_progress"), Vec::<String>::new());
    assert_eq!(talk.updates("s", "d", "completed"), ["Elsewhere 2"]);
    talk.requests(&json!(3), "s", "e");
    talk.requests(&json!(4), "s", "f");
    talk.allows(4).unwrap();
    assert_eq!(short(talk.table.end()), ["Over 3", "Lost 4"]);
    assert_eq!(short(talk.table.end()), Vec::<String>::new());
}

#[test]
fn of_two_requests_with_one_id_none_is_answered_from_here() {
    let id = json!(0);
    let mut talk = Talk::default();
    talk.requests(&id, "s", "c");
    assert_eq!(
        talk.requests(&id, "s", "d"),
        ["Over 0", "ask 1 in the editor"]
    );
    assert_eq!((talk.allows(0), talk.allows(1)), (None, None));
    assert_eq!(
        talk.editor(&selected(&id)),
        (Whole, vec!["Elsewhere 1".to_owned()])
    );

    // The editor still owes its word of the first one.
    talk.requests(&id, "s", "e");
    talk.allows(2).unwrap();
    assert_eq!(talk.requests(&id, "s", "f"), ["ask 3 in the editor"]);
    assert_eq!(
        talk.editor(&selected(&id)),
        (Nothing, vec![]),
        "a late yes to another call"
    );
    assert_eq!(
        talk.editor(&selected(&id)),
        (Whole, vec!["Elsewhere 3".to_owned()])
    );
}

#[test]
fn a_request_without_an_id_or_in_a_batch_is_answered_in_the_editor() {
    let mut talk = Talk::default();
    assert_eq!(
        talk.requests(&json!(null), "s", "c"),
        ["ask 0 in the editor"]
    );
    let both = json!([request(&json!(1), "s", "d"), request(&json!(2), "s", "e")]);
    assert_eq!(
        talk.agent(&both),
        ["ask 1 in the editor", "ask 2 in the editor"]
    );
    assert_eq!(
        talk.editor(&json!([selected(&json!(1)), cancelled(&json!(2))])),
        (Whole, vec!["Elsewhere 1".to_owned(), "Over 2".to_owned()])
    );
}

#[test]
fn a_batch_of_the_editor_keeps_what_is_for_the_agent() {
    let mut talk = Talk::default();
    talk.requests(&json!(1), "s", "c");
    talk.requests(&json!(2), "s", "d");
    talk.allows(0).unwrap();
    let (passage, acts) = talk.editor(&json!([cancelled(&json!(1)), selected(&json!(2))]));
    assert_eq!(acts, ["Elsewhere 1"]);
    let Rest(rest) = passage else {
        panic!("{passage:?}")
    };
    let rest: Value = serde_json::from_str(std::str::from_utf8(&rest).unwrap()).unwrap();
    assert_eq!(rest, json!([selected(&json!(2))]));
}

#[test]
fn a_card_names_the_agent_and_the_directory_of_its_session() {
    let mut talk = Talk::default();
    let about = json!({ "agentInfo": { "name": "gemini-cli", "title": "Gemini CLI" } });
    talk.editor(&json!({ "id": 0, "method": "initialize", "params": {} }));
    talk.agent(&json!({ "id": 0, "result": about }));
    talk.editor(&json!({ "id": 1, "method": "session/new", "params": { "cwd": "/a" } }));
    talk.agent(&json!({ "id": 1, "result": { "sessionId": "s" } }));
    let load = json!({ "sessionId": "t", "cwd": "/b" });
    talk.editor(&json!({ "id": 2, "method": "session/load", "params": load }));
    for (session, directory) in [("s", Some("/a")), ("t", Some("/b")), ("u", None)] {
        let line = request(&json!(session), session, "c").to_string();
        let acts = talk.table.hear_agent(line.as_bytes());
        let [Act::Ask(_, request)] = &acts[..] else {
            panic!("{acts:?}")
        };
        assert_eq!(request.agent.as_deref(), Some("Gemini CLI"));
        assert_eq!(request.directory.as_deref(), directory);
    }
}

#[test]
fn lines_that_are_no_messages_are_passed_on() {
    let mut talk = Talk::default();
    talk.requests(&json!(0), "s", "c");
    for odd in [
        &b"\n"[..],
        b"hello\n",
        b"\xff\xfe\0\n",
        b"[]\n",
        b"{}\n",
        b"[[{}]]\n",
        b"7\n",
    ] {
        let (passage, acts) = talk.table.hear_editor(odd);
        assert_eq!((passage, short(acts)), (Whole, vec![]), "{odd:?}");
        assert!(talk.table.hear_agent(odd).is_empty(), "{odd:?}");
    }
    assert!(talk.allows(0).is_some());
}
