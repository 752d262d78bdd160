//! Tests of answers where Claude Code holds its dialog back until the hook has ended: for
//! subagents, and before a tool. The hook alone decides there, unless something else was faster,
//! which the transcript shows.

use super::transcript::{Transcript, two_commands};
use super::*;

const AGENT: &str = "acb5c163214b34c44";

/// A subagent that wants to run a command, in a session that is in Claude Code's register.
struct HeldScene {
    scene: Scene,
    transcript: Transcript,
    hook: Child,
    id: String,
}

impl HeldScene {
    async fn start() -> Self {
        let scene = Scene::start().await;
        let main = Transcript::new(&scene);
        let [command, _] = two_commands();
        let mut asking = main.event(command);
        asking["agent_id"] = json!(AGENT);
        let transcript = main.of_subagent(AGENT);
        transcript.used("toolu_1", &asking);

        register(&scene, "busy");
        let hook = start(&scene, &[], &asking.to_string()).await;
        let id = scene.one_open().await;
        Self {
            scene,
            transcript,
            hook,
            id,
        }
    }

    /// Gives this answer, and lets Claude Code go on with it.
    async fn answer(
        self,
        words: &[&str],
        goes_on: impl AsyncFnOnce(&Scene, &Transcript),
    ) -> Output {
        let Self {
            scene,
            transcript,
            hook,
            id,
        } = self;
        let words = [&words[..1], &[id.as_str()], &words[1..]].concat();
        let (output, _) = tokio::join!(scene.beckon.command(&words), async {
            decision(hook).await;
            goes_on(&scene, &transcript).await;
        });
        // Lost answers are reported too, and those notices stay on the screen.
        eventually("the ask is gone", SOON, async || {
            scene.beckon.list().await.is_empty().then_some(())
        })
        .await;
        output
    }
}

fn is_delivered(output: &Output) {
    let said = (output.status, output.stdout.trim());
    assert_eq!(said, (Some(0), "Delivered."), "{output:?}");
}

fn is_too_late(output: &Output) {
    assert_eq!(output.status, Some(1), "{output:?}");
    assert!(output.stderr.contains("Already answered"), "{output:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_no_to_a_subagent_whose_command_ran_was_too_late() {
    let held = HeldScene::start().await;
    let output = held
        .answer(&["deny"], async |_, transcript| {
            transcript.run_by_user("toolu_1");
        })
        .await;
    is_too_late(&output);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_no_to_a_subagent_that_nothing_follows_is_not_called_delivered() {
    let held = HeldScene::start().await;
    let output = held.answer(&["deny"], async |_, _| {}).await;
    is_too_late(&output);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_yes_to_a_subagent_that_another_hook_refused_was_too_late() {
    let held = HeldScene::start().await;
    let output = held
        .answer(&["grant"], async |_, transcript| {
            let the_other_hook_takes_its_time = Duration::from_millis(1_200);
            tokio::time::sleep(the_other_hook_takes_its_time).await;
            transcript.refused("toolu_1", "a policy forbids it");
        })
        .await;
    is_too_late(&output);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_to_a_subagent_is_delivered_when_its_transcript_shows_it() {
    let held = HeldScene::start().await;
    let words = ["deny", "--reason", "not now"];
    let refused = held
        .answer(&words, async |_, transcript| {
            transcript.refused("toolu_1", "not now");
        })
        .await;
    is_delivered(&refused);

    let held = HeldScene::start().await;
    let ran = held
        .answer(&["grant"], async |_, transcript| transcript.run("toolu_1"))
        .await;
    is_delivered(&ran);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_yes_to_a_subagents_slow_command_is_delivered_while_it_runs() {
    let held = HeldScene::start().await;
    is_delivered(&held.answer(&["grant"], async |_, _| {}).await);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_subagents_dialog_that_comes_all_the_same_has_not_taken_the_answer() {
    let held = HeldScene::start().await;
    let output = held
        .answer(&["grant"], async |scene, _| {
            register(scene, "waiting");
            let is_told = |shown: &Shown| shown.body.contains("didn't take the answer");
            scene.daemon.wait_for(is_told, SOON).await;
        })
        .await;
    assert_eq!(output.status, Some(1), "{output:?}");
    assert!(output.stderr.contains("stopped waiting"), "{output:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_question_before_its_tool_that_the_terminal_answered_was_not_answered_here() {
    let scene = Scene::start().await;
    let transcript = Transcript::new(&scene);
    let session = event("permission_request")["session_id"].clone();
    let asking = with("pre_tool_use_question", json!({ "session_id": session }));
    let asking = transcript.event(asking);
    transcript.used("toolu_01ABC", &asking);
    register(&scene, "busy");
    let hook = start(&scene, &[], &asking.to_string()).await;
    let id = scene.one_open().await;
    let words = ["answer", &id, "--choice", "1"];
    let (output, _) = tokio::join!(scene.beckon.command(&words), async {
        decision(hook).await;
        transcript.run_by_user("toolu_01ABC");
    });
    is_too_late(&output);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_question_that_is_dismissed_before_its_tool_is_delivered() {
    let scene = Scene::start().await;
    let transcript = Transcript::new(&scene);
    let session = event("permission_request")["session_id"].clone();
    let asking = with("pre_tool_use_question", json!({ "session_id": session }));
    let asking = transcript.event(asking);
    transcript.used("toolu_01ABC", &asking);
    register(&scene, "busy");
    let hook = start(&scene, &[], &asking.to_string()).await;
    let id = scene.one_open().await;
    let words = ["dismiss", &id];
    let (output, _) = tokio::join!(scene.beckon.command(&words), async {
        let given = decision(hook).await;
        let reason = given["permissionDecisionReason"].as_str().unwrap();
        transcript.refused_before_tool("toolu_01ABC", reason);
    });
    is_delivered(&output);
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_readable_transcript_it_is_enough_that_claude_code_goes_on() {
    let scene = Scene::start().await;
    let [command, _] = two_commands();
    let mut asking = Transcript::new(&scene).event(command);
    asking["agent_id"] = json!(AGENT);
    register(&scene, "busy");
    let hook = start(&scene, &[], &asking.to_string()).await;
    let id = scene.one_open().await;
    let words = ["deny", &id];
    let (output, _) = tokio::join!(scene.beckon.command(&words), decision(hook));
    is_delivered(&output);
}
