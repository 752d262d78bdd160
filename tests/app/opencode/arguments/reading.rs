//! Tests of how the call of a permission is read: once for each permission, from the call that it
//! belongs to, and however long its arguments are. They use the source alone.

use crate::opencode::delivery::{DIRECTORY, SESSION, Watched};
use beckon_core::{Answer, Ask, AskContent, CallInput, Grant, SourceReport};
use beckon_support::replay::{Kind, Replay, call_of, permission};
use serde_json::{Value, json};

/// Returns a server at which a tool of an MCP server waits, whose permission says nothing of its
/// call.
fn drop_waits() -> Replay {
    let mut wish = permission("per_1", SESSION, "*");
    wish["permission"] = json!("db_drop");
    wish["metadata"] = json!({});
    waiting(wish)
}

fn waiting(wish: Value) -> Replay {
    let replay = Replay::start();
    replay.session(SESSION, DIRECTORY, "Shop");
    replay.open(Kind::Permission, DIRECTORY, wish);
    replay
}

/// Sets the parts of the message of that permission's call.
fn has_parts(replay: &Replay, states: &[Value]) {
    let part = |state: &Value| json!({ "type": "tool", "callID": call_of("per_1")["callID"], "state": state });
    let parts: Vec<Value> = states.iter().map(part).collect();
    let body = json!({ "info": { "id": "msg_per_1", "role": "assistant" }, "parts": parts });
    replay.message(SESSION, "msg_per_1", body);
}

fn running(input: &Value) -> Value {
    json!({ "status": "running", "input": input })
}

async fn told(watched: &mut Watched) -> CallInput {
    let told = |report| match report {
        SourceReport::CallTold { input, .. } => Some(input),
        _ => None,
    };
    watched.next("its call is told", told).await
}

fn values(input: &CallInput) -> Vec<(&str, &str)> {
    let arguments = input.arguments.iter();
    arguments
        .map(|argument| (argument.name.as_str(), argument.value.as_str()))
        .collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_known_of_a_call_is_told_with_each_list_and_read_once() {
    let replay = drop_waits();
    has_parts(&replay, &[running(&json!({ "table": "users" }))]);
    let mut watched = Watched::of(replay);
    let first = told(&mut watched).await;
    assert_eq!(values(&first), [("table", "users")]);

    // The desk may have taken the ask for ended since.
    for _ in 0..3 {
        watched.handle.refresh();
        assert_eq!(told(&mut watched).await, first);
    }
    let path = format!("/session/{SESSION}/message/msg_per_1");
    let reads = watched.replay.count(&path);
    assert!(
        reads <= 2,
        "once for its last words as well, not {reads} times"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn of_calls_under_one_id_the_one_that_runs_is_shown() {
    let replay = drop_waits();
    let done = json!({ "status": "completed", "input": { "table": "drafts" } });
    has_parts(&replay, &[done, running(&json!({ "table": "users" }))]);
    let mut watched = Watched::of(replay);
    assert_eq!(values(&told(&mut watched).await), [("table", "users")]);
}

#[tokio::test(flavor = "multi_thread")]
async fn of_two_running_calls_under_one_id_neither_is_shown_until_one_has_ended() {
    let replay = drop_waits();
    let users = running(&json!({ "table": "users" }));
    let drafts = running(&json!({ "table": "drafts" }));
    has_parts(&replay, &[drafts, users.clone()]);
    let path = format!("/session/{SESSION}/message/msg_per_1");
    let mut watched = Watched::of(replay);
    beckon_support::eventually("it was read twice", super::SOON, async || {
        (watched.replay.count(&path) >= 2).then_some(())
    })
    .await;

    let done = json!({ "status": "completed", "input": { "table": "drafts" } });
    has_parts(&watched.replay, &[done, users]);
    assert_eq!(values(&told(&mut watched).await), [("table", "users")]);
}

/// A tool that a script calls has arguments of its own, which nobody is told.
#[tokio::test(flavor = "multi_thread")]
async fn of_a_tool_that_a_script_calls_not_all_is_known() {
    for (tool, is_partial) in [("execute", true), ("db_drop", false)] {
        let replay = drop_waits();
        let state = running(&json!({ "code": "await tools.db.drop({ table })" }));
        let part = json!({ "type": "tool", "tool": tool, "state": state,
            "callID": call_of("per_1")["callID"] });
        let body = json!({ "info": { "id": "msg_per_1", "role": "assistant" }, "parts": [part] });
        replay.message(SESSION, "msg_per_1", body);

        let mut watched = Watched::of(replay);
        let known = told(&mut watched).await;
        assert_eq!(values(&known), [("code", "await tools.db.drop({ table })")]);
        assert_eq!(known.is_partial, is_partial, "{tool}");
    }
}

/// Delivers an answer that was given during an outage, to a server that asks the same as before;
/// returns the arguments as they were known.
async fn is_delivered_after_an_outage(wish: Value, input: &Value) -> CallInput {
    let replay = waiting(wish);
    has_parts(&replay, &[running(input)]);
    let mut watched = Watched::of(replay);
    let asks = watched.listed().await;
    let [ask] = asks.as_slice() else {
        panic!("{asks:?}")
    };
    let known = told(&mut watched).await;
    let mut ask: Ask = ask.clone();
    let AskContent::Permission(permission) = &mut ask.kind else {
        panic!("{ask:?}")
    };
    permission.input = known.clone();

    watched.cut_off(503).await;
    watched.give(&ask, Answer::Grant(Grant::Once));
    let verdict = |report| match report {
        SourceReport::Sent { .. } | SourceReport::Replied { .. } => Some(()),
        SourceReport::NotSent { failure, .. } => panic!("{failure:?}"),
        _ => None,
    };
    watched.next("the answer has arrived", verdict).await;
    known
}

#[tokio::test(flavor = "multi_thread")]
async fn a_long_command_and_long_arguments_are_no_others_after_an_outage() {
    let long = "true; ".repeat(40_000);
    let command = permission("per_1", SESSION, &long);
    let input = json!({ "command": long, "workdir": "/tmp" });
    let known = is_delivered_after_an_outage(command, &input).await;
    assert_eq!(values(&known), [("workdir", "/tmp")], "the command once");

    let mut tool = permission("per_1", SESSION, "*");
    tool["permission"] = json!("db_run");
    tool["metadata"] = json!({ "about": long });
    let input = json!({ "about": long, "script": long });
    let known = is_delivered_after_an_outage(tool, &input).await;
    let names: Vec<&str> = known
        .arguments
        .iter()
        .map(|given| given.name.as_str())
        .collect();
    assert_eq!(names, ["about", "script"]);
}
