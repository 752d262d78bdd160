//! Tests of what a person stopped in OpenCode: it is over, also when its session goes on; it does
//! not come back, an answer to it is not reported as delivered, and what it would have allowed is
//! not done.

mod doubt;
mod heard;
mod without_call;

use crate::common::{SOON, Stage, asked_by, named};
use beckon_support::beckon::Beckon;
use beckon_support::eventually;
use beckon_support::model::{Step, ToolCall, script};
use beckon_support::opencode::Version;
use serde_json::{Value, json};
use std::path::Path;

const VERSIONS: [Version; 2] = [Version::V1_1_53, Version::V1_18_33];
/// The version that takes a prompt also right after an abort. 1.1.53 now and then swallows it, with
/// an idle session and without a call of the model.
const SAFE_AT_ONCE: Version = Version::V1_18_33;

fn question(text: &str) -> Step {
    asked_by(json!([named(text, &["Yes", "No"])]))
}

fn command(command: &str) -> Step {
    Step::Tools(vec![ToolCall::bash(command)])
}

fn write(stage: &Stage, file: &str) -> Step {
    let path = Path::new(&stage.directory()).join(file);
    let given = json!({ "filePath": path, "content": "x" });
    Step::Tools(vec![ToolCall::new("write", given)])
}

/// Makes a step with a subagent that plays these steps.
fn subagent(steps: &[Step]) -> Step {
    let prompt = script(steps);
    let given = json!({ "description": "ask", "prompt": prompt, "subagent_type": "asker" });
    Step::Tools(vec![ToolCall::new("task", given)])
}

fn done() -> Step {
    Step::Text("Done.".into())
}

/// Goes on in the same session.
async fn go_on(stage: &Stage, steps: &[Step]) {
    let session = stage.session();
    let prompt = script(steps);
    stage
        .opencode
        .prompt(&session, &stage.directory(), &prompt)
        .await;
}

/// Waits until the call has begun. 1.1.53 ends a turn twice that is stopped before its call has
/// begun, and the second end takes the next prompt along.
async fn call_has_begun(stage: &Stage) {
    eventually("the call runs", SOON, async || {
        let parts = stage.tool_parts().await;
        let newest = parts.as_array()?.last()?;
        (newest["state"]["status"] == "running").then_some(())
    })
    .await;
}

async fn stop(stage: &Stage) {
    call_has_begun(stage).await;
    let (status, _) = stage
        .opencode
        .abort(&stage.session(), &stage.directory())
        .await;
    assert_eq!(status, 200);
    stage
        .opencode
        .wait_idle(&stage.session(), &stage.directory())
        .await;
}

/// Waits until Beckon lists only an ask that contains the text; returns it.
async fn only(stage: &Stage, text: &str) -> Value {
    eventually(&format!("only {text:?} is listed"), SOON, async || {
        let list = stage.beckon.list().await;
        let [ask] = list.as_slice() else { return None };
        ask.to_string().contains(text).then(|| ask.clone())
    })
    .await
}

async fn restarts(stage: &Stage) {
    stage.beckon.kill9();
    stage.beckon.start();
    stage.beckon.wait_ready().await;
}

/// Starts a Beckon that knows nothing of what was before.
async fn begins_anew(stage: &Stage) {
    stage.beckon.terminate();
    std::fs::remove_file(stage.beckon.home().join("beckon.db")).unwrap();
    stage.beckon.start();
    stage.beckon.wait_ready().await;
}

async fn nothing(stage: &Stage) {
    nothing_in(&stage.beckon).await;
}

async fn nothing_in(beckon: &Beckon) {
    eventually("nothing is listed", SOON, async || {
        beckon.list().await.is_empty().then_some(())
    })
    .await;
}

/// Checks that both are on OpenCode's own list, where the stopped one stays for ever.
async fn both_are_kept(stage: &Stage, path: &str) {
    let list = match path {
        "question" => stage.opencode.questions(&stage.directory()).await,
        _ => stage.opencode.permissions(&stage.directory()).await,
    };
    assert_eq!(list.as_array().unwrap().len(), 2, "{list}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stopped_question_stays_over_when_its_session_goes_on_and_after_a_restart() {
    for version in VERSIONS {
        let stage = Stage::start(version).await;
        stage.ask(&[question("Stopped?"), done()]).await;
        stage.shown("Stopped?").await;
        stop(&stage).await;
        nothing(&stage).await;

        go_on(&stage, &[question("And now?"), done()]).await;
        stage.shown("And now?").await;
        both_are_kept(&stage, "question").await;
        only(&stage, "And now?").await;

        restarts(&stage).await;
        let now = only(&stage, "And now?").await;
        begins_anew(&stage).await;
        only(&stage, "And now?").await;

        let answered = stage
            .answer(now["id"].as_str().unwrap(), &["--choice", "1"])
            .await;
        assert_eq!(answered.json()["state"], "taken", "{answered:?}");
        stage.nothing_left().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_question_stopped_a_moment_before_the_next_prompt_is_over_as_well() {
    let stage = Stage::start(SAFE_AT_ONCE).await;
    stage.ask(&[question("Stopped?"), done()]).await;
    stage.shown("Stopped?").await;
    stop(&stage).await;
    go_on(&stage, &[question("And now?"), done()]).await;
    stage.shown("And now?").await;
    both_are_kept(&stage, "question").await;
    only(&stage, "And now?").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_to_what_was_stopped_a_moment_ago_is_not_called_delivered() {
    let stage = Stage::start(SAFE_AT_ONCE).await;
    stage.ask(&[question("Stopped?"), done()]).await;
    stage.shown("Stopped?").await;
    let id = stage.one_open().await;
    stop(&stage).await;
    go_on(&stage, &[question("And now?"), done()]).await;

    let answered = stage.answer(&id, &["--choice", "1"]).await;
    assert_ne!(answered.status, Some(0), "{answered:?}");
    only(&stage, "And now?").await;
    let told = stage.tool_parts().await.to_string();
    assert!(!told.contains("User has answered"), "{told}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_command_that_was_stopped_is_not_run_by_a_late_yes() {
    for version in VERSIONS {
        let stage = Stage::start(version).await;
        stage.ask(&[command("touch stopped"), done()]).await;
        let id = stage.one_open().await;
        stop(&stage).await;
        nothing(&stage).await;
        go_on(&stage, &[command("touch wanted"), done()]).await;
        only(&stage, "touch wanted").await;
        only_the_wanted_is_done(&stage, &id, "touch wanted").await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_command_that_was_stopped_a_moment_ago_is_not_run_by_a_yes() {
    let stage = Stage::start(SAFE_AT_ONCE).await;
    stage.ask(&[command("touch stopped"), done()]).await;
    let id = stage.one_open().await;
    stop(&stage).await;
    go_on(&stage, &[command("touch wanted"), done()]).await;
    only_the_wanted_is_done(&stage, &id, "touch wanted").await;
}

/// 1.1.53 reports of an abort only that its session is idle, and the call stays running.
#[tokio::test(flavor = "multi_thread")]
async fn a_yes_right_after_the_stop_runs_nothing() {
    for version in VERSIONS {
        let stage = Stage::start(version).await;
        stage.ask(&[command("touch stopped"), done()]).await;
        let id = stage.one_open().await;
        stop(&stage).await;

        let answered = stage.command(&["grant", &id]).await;
        assert_ne!(answered.status, Some(0), "{answered:?}");
        nothing(&stage).await;
        let stopped = Path::new(&stage.directory()).join("stopped");
        assert!(!stopped.exists(), "{version:?} has run it");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_edit_that_was_stopped_is_not_written_by_a_yes() {
    for version in VERSIONS {
        let stage = Stage::start(version).await;
        stage.ask(&[write(&stage, "stopped"), done()]).await;
        let id = stage.one_open().await;
        stop(&stage).await;
        nothing(&stage).await;
        go_on(&stage, &[write(&stage, "wanted"), done()]).await;
        only_the_wanted_is_done(&stage, &id, "wanted").await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_stopped_subagent_wanted_is_over_as_well() {
    for version in VERSIONS {
        let stage = Stage::start(version).await;
        let below = subagent(&[command("touch stopped"), done()]);
        stage.ask(&[below, done()]).await;
        let id = stage.one_open().await;
        stop(&stage).await;
        nothing(&stage).await;
        let below = subagent(&[command("touch wanted"), done()]);
        go_on(&stage, &[below, done()]).await;
        only_the_wanted_is_done(&stage, &id, "touch wanted").await;
    }
}

/// Allows the stopped request, and the waiting one that contains the text `wanted`; only the latter
/// is done.
async fn only_the_wanted_is_done(stage: &Stage, stopped: &str, wanted: &str) {
    let granted = stage.command(&["grant", stopped]).await;
    assert_ne!(granted.status, Some(0), "{granted:?}");
    let wanted = only(stage, wanted).await;
    both_are_kept(stage, "permission").await;

    let granted = stage
        .command(&["grant", wanted["id"].as_str().unwrap()])
        .await;
    assert_eq!(granted.status, Some(0), "{granted:?}");
    stage.idle().await;
    let project = stage.directory();
    assert!(Path::new(&project).join("wanted").exists());
    assert!(!Path::new(&project).join("stopped").exists());
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_asked_in_front_of_a_queued_prompt_still_waits() {
    for version in VERSIONS {
        let stage = Stage::start(version).await;
        stage.ask(&[question("First?"), done()]).await;
        stage.shown("First?").await;
        go_on(&stage, &[done()]).await;

        restarts(&stage).await;
        let ask = only(&stage, "First?").await;
        let answered = stage
            .answer(ask["id"].as_str().unwrap(), &["--choice", "1"])
            .await;
        assert_eq!(answered.json()["state"], "taken", "{answered:?}");
    }
}
