//! Tests of what was always allowed: it is listed with how long it holds, and revoked where
//! OpenCode can do that.

use crate::common::http::call;
use crate::common::{DIRECTORY, Rehearsal, SESSION, SOON, Stage};
use beckon_support::beckon::Beckon;
use beckon_support::eventually;
use beckon_support::model::{Step, ToolCall};
use beckon_support::opencode::Version;
use beckon_support::replay::{Kind, permission};
use reqwest::Method;
use serde_json::{Value, json};

const NPM: &str = "npm test *";

async fn granted(beckon: &Beckon) -> Vec<Value> {
    let (status, grants) = call(beckon, Method::GET, "/history/always", &Value::Null).await;
    assert_eq!(status, 200, "{grants}");
    grants.as_array().unwrap().clone()
}

async fn revoke(beckon: &Beckon, grant: &Value) -> (u16, Value) {
    let path = format!("/history/always/{}", grant["serial"]);
    call(beckon, Method::DELETE, &path, &Value::Null).await
}

/// Waits for the only grant.
async fn only(beckon: &Beckon) -> Value {
    eventually("one grant", SOON, async || {
        match granted(beckon).await.as_slice() {
            [grant] => Some(grant.clone()),
            _ => None,
        }
    })
    .await
}

fn asked(id: &str) -> Value {
    let mut asked = permission(id, SESSION, "npm test -- cart");
    asked["always"] = json!([NPM]);
    asked
}

async fn always(beckon: &Beckon, id: &str) {
    let granted = beckon.command(&["grant", id, "--always", "--json"]).await;
    assert_eq!(granted.json()["state"], "taken", "{granted:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_always_allowed_is_told_once_with_its_patterns_and_cannot_be_revoked_in_memory() {
    let stage = Rehearsal::start().await;
    for id in ["per_1", "per_2"] {
        stage
            .replay
            .ask(Kind::Permission, DIRECTORY, asked(id))
            .await;
        stage.wait_state(id, "open").await;
        let listed = &stage.beckon.list().await[0];
        assert_eq!(listed["permission"]["always_until"], "server", "{listed}");
        always(&stage.beckon, id).await;
    }
    let grant = only(&stage.beckon).await;
    assert_eq!(
        (&grant["patterns"], &grant["permission"]),
        (&json!([NPM]), &json!("bash"))
    );
    assert_eq!(
        (&grant["directory"], &grant["by"]),
        (&json!(DIRECTORY), &json!("cli"))
    );
    // An imitation is not a process of OpenCode's, so nobody knows since when it has been running.
    assert_eq!(
        (&grant["until"], &grant["state"]),
        (&json!("server"), &json!("unknown"))
    );
    assert_eq!(grant["can_revoke"], false);
    let (status, told) = revoke(&stage.beckon, &grant).await;
    assert_eq!((status, &told["code"]), (409, &json!("refused")), "{told}");
    let (status, told) = revoke(&stage.beckon, &json!({ "serial": 999 })).await;
    assert_eq!((status, &told["code"]), (404, &json!("unknown")), "{told}");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_allowed_once_rejected_or_always_allowed_at_opencode_is_none_of_it() {
    let stage = Rehearsal::start().await;
    for (id, answer) in [("per_1", ["grant", "per_1"]), ("per_2", ["deny", "per_2"])] {
        stage
            .replay
            .ask(Kind::Permission, DIRECTORY, asked(id))
            .await;
        stage.wait_state(id, "open").await;
        let answered = stage
            .beckon
            .command(&[answer[0], answer[1], "--json"])
            .await;
        assert_eq!(answered.json()["state"], "taken", "{answered:?}");
    }
    stage
        .replay
        .ask(Kind::Permission, DIRECTORY, asked("per_3"))
        .await;
    stage.wait_state("per_3", "open").await;
    stage.replay.withdraw("per_3");
    let replied = json!({ "sessionID": SESSION, "requestID": "per_3", "reply": "always" });
    stage
        .replay
        .event(DIRECTORY, "permission.replied", replied)
        .await;
    stage.nothing_left().await;
    assert_eq!(granted(&stage.beckon).await, [] as [Value; 0]);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_program_asked_through_beckon_is_always_allowed_for_as_long_as_it_says() {
    for (says, until) in [
        (json!("session_ends"), "session"),
        (json!("unsaid"), "unsaid"),
    ] {
        always_allowed_until(says, until).await;
    }
}

async fn always_allowed_until(says: Value, until: &str) {
    let stage = Rehearsal::start().await;
    let body = json!({ "id": "ask_1", "permission": "Bash", "patterns": ["npm test"],
        "always": ["Bash(npm test:*)"], "always_until": says, "title": "A session",
        "agent": "Claude Code" });
    let waits = call(&stage.beckon, Method::POST, "/permission?wait=60", &body);
    let ((status, told), ()) = tokio::join!(waits, async {
        stage.wait_state("ask_1", "open").await;
        always(&stage.beckon, "ask_1").await;
    });
    assert_eq!((status, &told["reply"]), (200, &json!("always")), "{told}");
    let grant = only(&stage.beckon).await;
    assert_eq!(
        (&grant["until"], &grant["state"]),
        (&json!(until), &json!("unknown"))
    );
    assert_eq!(
        (&grant["agent"], &grant["can_revoke"]),
        (&json!("Claude Code"), &json!(false))
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn what_opencode_had_in_memory_has_ended_when_it_has_begun_anew() {
    let stage = Stage::start(Version::V1_18_33).await;
    stage
        .ask(&[Step::Tools(vec![ToolCall::bash("echo allowed")])])
        .await;
    always(&stage.beckon, &stage.one_open().await).await;
    let grant = only(&stage.beckon).await;
    assert_eq!(
        (&grant["patterns"], &grant["state"]),
        (&json!(["echo *"]), &json!("holds"))
    );
    stage.opencode.kill();
    stage.opencode.restart().await;
    eventually("the grant has ended", SOON, async || {
        (only(&stage.beckon).await["state"] == "ended").then_some(())
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_the_second_core_has_saved_is_revoked_there_and_asked_for_again() {
    let stage = Stage::with_both_cores().await;
    stage.beckon.start();
    stage.beckon.wait_ready().await;
    let runs = [Step::Tools(vec![ToolCall::bash("echo allowed")])];
    stage.second_ask(&runs).await;
    let id = stage.one_open().await;
    let listed = &stage.beckon.list().await[0];
    assert_eq!(listed["permission"]["always_until"], "revoked", "{listed}");
    always(&stage.beckon, &id).await;
    // A server that is slow to list what is saved is asked again.
    let holds = eventually("what is saved", SOON, async || {
        Some(only(&stage.beckon).await).filter(|grant| grant["state"] == "holds")
    });
    let grant = holds.await;
    assert_eq!(
        (&grant["patterns"], &grant["until"]),
        (&json!(["echo allowed"]), &json!("revoked"))
    );
    assert_eq!(grant["can_revoke"], true);

    let (status, left) = revoke(&stage.beckon, &grant).await;
    assert_eq!(status, 200, "{left}");
    eventually("it is revoked", SOON, async || {
        let grant = only(&stage.beckon).await;
        (grant["state"] == "ended" && grant["can_revoke"] == false).then_some(())
    })
    .await;
    stage.model_reads("allowed").await;
    stage.second_ask(&runs).await;
    let again = stage.one_open().await;
    assert_ne!(again, id);
}
