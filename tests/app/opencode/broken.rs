//! Tests of an answer whose connection broke after it was written: the server may have got it and
//! acted on it. What is reported of it is what the server has stored.

use crate::common::{DIRECTORY, Rehearsal, SESSION, SOON};
use beckon_support::beckon::Output;
use beckon_support::eventually;
use beckon_support::replay::{Kind, OnReply, permission};
use serde_json::{Value, json};

const COMMAND: &str = "touch built";

/// Returns the message with the call of the permission in that state.
fn message(state: &Value) -> Value {
    let part = json!({ "type": "tool", "tool": "bash", "callID": "call_per_1", "state": state });
    json!({ "info": { "id": "msg_per_1", "role": "assistant" }, "parts": [part] })
}

fn running() -> Value {
    json!({ "status": "running", "input": { "command": COMMAND } })
}

/// Answers a permission; the server takes the answer without an event, and every connection breaks
/// before it has responded. By the time it is back, the call is stored in this state. Returns the
/// command's output.
async fn broken_after(version: &str, arguments: &[&str], state: Value) -> (Rehearsal, Output) {
    let mut stage = Rehearsal::start().await;
    stage.settle().await;
    stage.replay.version(version);
    stage
        .replay
        .message(SESSION, "msg_per_1", message(&running()));
    let request = permission("per_1", SESSION, COMMAND);
    stage.replay.ask(Kind::Permission, DIRECTORY, request).await;
    stage.shown("wants to run touch").await;
    stage.replay.on_reply(OnReply::TakeAndHang);

    let beckon = &stage.beckon;
    let replay = &mut stage.replay;
    let breaks = async {
        eventually("the answer is there", SOON, async || {
            (replay.replies().len() == 1).then_some(())
        })
        .await;
        replay.down();
        replay.message(SESSION, "msg_per_1", message(&state));
        replay.busy(SESSION, state["status"] == "running");
        let assents = version == "1.1.53";
        replay.on_reply(if assents {
            OnReply::Assent
        } else {
            OnReply::Confirm
        });
        replay.up();
    };
    let command = beckon.command(arguments);
    let (output, ()) = tokio::join!(command, breaks);
    (stage, output)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_permission_that_was_granted_and_carried_out_as_the_connection_broke_is_told_so() {
    for version in ["1.1.53", "1.18.33"] {
        let done = json!({ "status": "completed", "output": "" });
        let (stage, output) = broken_after(version, &["grant", "per_1", "--json"], done).await;
        assert_eq!(output.json()["state"], "taken", "{version}: {output:?}");
        assert_eq!(stage.replay.replies().len(), 1, "{version}");
        let audit = stage
            .beckon
            .command(&["audit", "--since", "1d", "--jsonl"])
            .await;
        assert!(audit.stdout.contains("taken"), "{version}: {audit:?}");
        assert!(!audit.stdout.contains("\"gone\""), "{version}: {audit:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_command_that_was_allowed_as_the_connection_broke_and_still_runs_is_taken() {
    let (_stage, output) = broken_after("1.18.33", &["grant", "per_1", "--json"], running()).await;
    assert_eq!(output.json()["state"], "taken", "{output:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_no_that_was_taken_as_the_connection_broke_is_told_so() {
    let error = "The user rejected permission to use this specific tool call.";
    let refused = json!({ "status": "error", "error": error });
    let arguments = ["deny", "per_1", "--json"];
    let (_stage, output) = broken_after("1.18.33", &arguments, refused).await;
    assert_eq!(output.json()["state"], "taken", "{output:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_nothing_explains_is_called_sent_and_unconfirmed() {
    let aborted = json!({ "status": "error", "error": "Tool execution aborted" });
    let (stage, output) = broken_after("1.18.33", &["grant", "per_1", "--json"], aborted).await;
    assert_eq!(output.json()["state"], "sent", "{output:?}");
    let audit = stage.beckon.command(&["audit", "--since", "1d"]).await;
    let unknown = "unknown whether it arrived";
    assert!(audit.stdout.contains(unknown), "{audit:?}");
}
