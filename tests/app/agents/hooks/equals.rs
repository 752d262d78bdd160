//! Tests of two calls of one session that are word for word the same: an event of one changes
//! nothing of the other.

use super::transcript::{Transcript, two_commands};
use super::*;

/// Returns the event that reports the end of one call.
fn ran(asking: &Value, id: Option<&str>) -> String {
    let mut event = asking.clone();
    event["hook_event_name"] = json!("PostToolUse");
    event["tool_response"] = json!({});
    if let Some(id) = id {
        event["tool_use_id"] = json!(id);
    }
    event.to_string()
}

/// Waits until this many asks are open; returns their ids.
async fn open(scene: &Scene, count: usize) -> Vec<String> {
    eventually("the open asks", SOON, async || {
        let list = scene.beckon.list().await;
        let ids = list
            .iter()
            .map(|ask| ask["id"].as_str().unwrap().to_owned());
        (list.len() == count).then(|| ids.collect())
    })
    .await
}

/// Starts two hooks that ask for the same, and returns them with their asks, the older one first.
async fn two_alike(scene: &Scene, asking: &Value) -> [(Child, String); 2] {
    let first = start(scene, &[], &asking.to_string()).await;
    let first_id = scene.one_open().await;
    let second = start(scene, &[], &asking.to_string()).await;
    let ids = open(scene, 2).await;
    let second_id = ids.into_iter().find(|id| *id != first_id).unwrap();
    [(first, first_id), (second, second_id)]
}

#[tokio::test(flavor = "multi_thread")]
async fn of_two_open_asks_one_end_takes_away_the_older_one_alone() {
    let scene = Scene::start().await;
    let [asking, _] = two_commands();
    let [(first, _), (second, second_id)] = two_alike(&scene, &asking).await;
    no_opinion(start(&scene, &[], &ran(&asking, None)).await).await;
    no_opinion(first).await;
    assert_eq!(scene.one_open().await, second_id);
    let next = serde_json::from_str(&ran(&asking, None)).unwrap();
    let given = proven(&scene, &["grant", &second_id], second, next).await;
    assert_eq!(given["decision"]["behavior"], "allow");
    scene.nothing_left().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_end_is_that_of_the_ask_whose_answer_is_on_its_way() {
    let scene = Scene::start().await;
    let [asking, _] = two_commands();
    let [(first, first_id), (second, second_id)] = two_alike(&scene, &asking).await;
    let next = serde_json::from_str(&ran(&asking, None)).unwrap();
    proven(&scene, &["grant", &second_id], second, next).await;
    assert_eq!(scene.one_open().await, first_id);
    no_opinion(start(&scene, &[], &ran(&asking, None)).await).await;
    no_opinion(first).await;
    scene.nothing_left().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_event_that_began_before_an_ask_takes_nothing_of_it_away() {
    let scene = Scene::start().await;
    let [asking, _] = two_commands();
    let ends = with("stop", json!({ "session_id": asking["session_id"] })).to_string();
    for told in [ran(&asking, None), ends] {
        let slow = start_slow(&scene).await;
        let hook = start(&scene, &[], &asking.to_string()).await;
        let id = scene.one_open().await;
        no_opinion(slow.told(&told).await).await;
        assert_eq!(scene.one_open().await, id, "{told}");
        no_opinion(start(&scene, &[], &ran(&asking, None)).await).await;
        no_opinion(hook).await;
        scene.nothing_left().await;
    }
}

/// A hook that runs and has not been sent its event yet.
struct SlowHook(Child, tokio::process::ChildStdin);

async fn start_slow(scene: &Scene) -> SlowHook {
    let mut command = scene.beckon.prepare(&["hook", "claude-code"]);
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut hook = tokio::process::Command::from(command)
        .kill_on_drop(true)
        .spawn()
        .unwrap();
    let stdin = hook.stdin.take().unwrap();
    SlowHook(hook, stdin)
}

impl SlowHook {
    async fn told(self, input: &str) -> Child {
        let Self(hook, mut stdin) = self;
        stdin.write_all(input.as_bytes()).await.unwrap();
        hook
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_end_of_a_call_that_was_allowed_here_leaves_its_equal_alone() {
    let scene = Scene::start().await;
    let transcript = Transcript::new(&scene);
    let [asking, _] = two_commands();
    let asking = transcript.event(asking);
    transcript.used("toolu_1", &asking);
    let (hook, id) = asked(&scene, asking.clone()).await;
    answered(&scene, &["grant", &id], hook).await;
    scene.nothing_left().await;

    // The first command runs, and the second one is asked for.
    transcript.used("toolu_2", &asking);
    registered(&scene, "waiting", 3_000);
    let second = start(&scene, &[], &asking.to_string()).await;
    let second_id = scene.one_open().await;
    no_opinion(start(&scene, &[], &ran(&asking, Some("toolu_1"))).await).await;
    assert_eq!(scene.one_open().await, second_id);
    transcript.run("toolu_1");
    no_opinion(start(&scene, &[], &ran(&asking, Some("toolu_2"))).await).await;
    no_opinion(second).await;
    scene.nothing_left().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn equal_calls_of_a_subagent_are_told_apart_by_its_own_transcript() {
    let scene = Scene::start().await;
    let transcript = Transcript::new(&scene);
    let asking = transcript.event(event("recorded/permission_request_subagent"));
    let own = transcript.of_subagent(asking["agent_id"].as_str().unwrap());
    own.used("toolu_1", &asking);
    own.used("toolu_2", &asking);
    let [(first, first_id), (second, second_id)] = two_alike(&scene, &asking).await;
    let words = ["grant", &first_id];
    let (output, _) = tokio::join!(scene.beckon.command(&words), async {
        decision(first).await;
        no_opinion(start(&scene, &[], &ran(&asking, Some("toolu_1"))).await).await;
        own.run("toolu_1");
    });
    assert_eq!(output.stdout.trim(), "Delivered.", "{output:?}");
    assert_eq!(scene.one_open().await, second_id);
    // The event is sent twice, and is still about the same end.
    no_opinion(start(&scene, &[], &ran(&asking, Some("toolu_1"))).await).await;
    assert_eq!(scene.one_open().await, second_id);
    no_opinion(start(&scene, &[], &ran(&asking, Some("toolu_2"))).await).await;
    no_opinion(second).await;
    scene.nothing_left().await;
}

/// Answers both asks at the same time; returns the output of the two commands.
async fn both_answered(
    scene: &Scene,
    words: &[&str],
    alike: [(Child, String); 2],
    then: impl FnOnce(),
) -> [Output; 2] {
    let [(first, first_id), (second, second_id)] = alike;
    let of = |id: &str| {
        let (word, rest) = words.split_first().unwrap();
        [&[*word, id], rest].concat().join("\n")
    };
    let commands = [of(&first_id), of(&second_id)];
    let run = async |command: &str| {
        let words: Vec<&str> = command.split('\n').collect();
        scene.beckon.command(&words).await
    };
    let (one, other, ()) = tokio::join!(run(&commands[0]), run(&commands[1]), async {
        decision(first).await;
        decision(second).await;
        then();
    });
    [one, other]
}

/// Returns how many of the answers were delivered; the others were given in the terminal.
fn delivered(outputs: &[Output]) -> usize {
    let is_delivered = |output: &&Output| output.stdout.trim() == "Delivered.";
    let is_late = |output: &&Output| output.stderr.contains("Already answered");
    let delivered = outputs.iter().filter(is_delivered).count();
    let late = outputs.iter().filter(is_late).count();
    assert_eq!(delivered + late, outputs.len(), "{outputs:?}");
    delivered
}

#[tokio::test(flavor = "multi_thread")]
async fn of_two_noes_to_equal_calls_one_refusal_delivers_one() {
    for is_allowed_first in [true, false] {
        let scene = Scene::start().await;
        let transcript = Transcript::new(&scene);
        let [asking, _] = two_commands();
        let asking = transcript.event(asking);
        transcript.used("toolu_1", &asking);
        transcript.used("toolu_2", &asking);
        register(&scene, "waiting");
        let alike = two_alike(&scene, &asking).await;
        let words = ["deny", "--reason", "not now"];
        let outputs = both_answered(&scene, &words, alike, || {
            // One of them was allowed in the terminal just before.
            if is_allowed_first {
                transcript.run_by_user("toolu_1");
                transcript.refused("toolu_2", "not now");
            } else {
                transcript.refused("toolu_1", "not now");
                transcript.run_by_user("toolu_2");
            }
            register(&scene, "busy");
        });
        assert_eq!(delivered(&outputs.await), 1);
        scene.nothing_left().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn of_two_yeses_to_equal_calls_one_run_delivers_one() {
    let scene = Scene::start().await;
    let transcript = Transcript::new(&scene);
    let [asking, _] = two_commands();
    let asking = transcript.event(asking);
    transcript.used("toolu_1", &asking);
    transcript.used("toolu_2", &asking);
    register(&scene, "waiting");
    let alike = two_alike(&scene, &asking).await;
    let outputs = both_answered(&scene, &["grant"], alike, || {
        transcript.refused_by_user("toolu_1");
        transcript.run("toolu_2");
    });
    assert_eq!(delivered(&outputs.await), 1);
    scene.nothing_left().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn two_noes_that_both_count_are_both_delivered() {
    let scene = Scene::start().await;
    let transcript = Transcript::new(&scene);
    let [asking, _] = two_commands();
    let asking = transcript.event(asking);
    transcript.used("toolu_1", &asking);
    transcript.used("toolu_2", &asking);
    register(&scene, "waiting");
    let alike = two_alike(&scene, &asking).await;
    let words = ["deny", "--reason", "not now"];
    let outputs = both_answered(&scene, &words, alike, || {
        transcript.refused("toolu_2", "not now");
        transcript.refused("toolu_1", "not now");
    });
    assert_eq!(delivered(&outputs.await), 2);
    scene.nothing_left().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_end_of_an_equal_call_that_was_never_asked_for_leaves_the_card_of_the_other() {
    let scene = Scene::start().await;
    let transcript = Transcript::new(&scene);
    let [asking, _] = two_commands();
    let asking = transcript.event(asking);
    transcript.used("toolu_1", &asking);
    transcript.used("toolu_2", &asking);
    let (hook, id) = asked(&scene, asking.clone()).await;
    for told in ["once", "twice"] {
        no_opinion(start(&scene, &[], &ran(&asking, Some("toolu_1"))).await).await;
        assert_eq!(scene.one_open().await, id, "{told}");
    }
    let words = ["grant", &id];
    let (output, ()) = tokio::join!(scene.beckon.command(&words), async {
        decision(hook).await;
        transcript.run("toolu_2");
    });
    assert_eq!(output.stdout.trim(), "Delivered.", "{output:?}");
    scene.nothing_left().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_end_of_an_equal_call_does_not_end_a_no_that_is_on_its_way() {
    let scene = Scene::start().await;
    let transcript = Transcript::new(&scene);
    let [asking, _] = two_commands();
    let asking = transcript.event(asking);
    transcript.used("toolu_1", &asking);
    transcript.used("toolu_2", &asking);
    register(&scene, "waiting");
    let [(first, _), (second, second_id)] = two_alike(&scene, &asking).await;
    let words = ["deny", &second_id, "--reason", "not now"];
    let (output, ()) = tokio::join!(scene.beckon.command(&words), async {
        decision(second).await;
        // The other call was allowed in the terminal, and its end is reported first.
        no_opinion(start(&scene, &[], &ran(&asking, Some("toolu_1"))).await).await;
        transcript.run_by_user("toolu_1");
        transcript.refused("toolu_2", "not now");
        register(&scene, "busy");
    });
    assert_eq!(output.stdout.trim(), "Delivered.", "{output:?}");
    no_opinion(first).await;
    scene.nothing_left().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_no_on_its_way_outlives_the_end_of_an_equal_call_without_a_register_too() {
    let scene = Scene::start().await;
    let transcript = Transcript::new(&scene);
    let [asking, _] = two_commands();
    let asking = transcript.event(asking);
    transcript.used("toolu_1", &asking);
    transcript.used("toolu_2", &asking);
    let [(first, _), (second, second_id)] = two_alike(&scene, &asking).await;
    let words = ["deny", &second_id, "--reason", "not now"];
    let (output, ()) = tokio::join!(scene.beckon.command(&words), async {
        decision(second).await;
        no_opinion(start(&scene, &[], &ran(&asking, Some("toolu_1"))).await).await;
        transcript.run_by_user("toolu_1");
        transcript.refused("toolu_2", "not now");
    });
    assert_eq!(output.stdout.trim(), "Delivered.", "{output:?}");
    // Nobody can tell whose end that was, so the other card stays until the turn ends.
    let ends = with("stop", json!({ "session_id": asking["session_id"] })).to_string();
    no_opinion(start(&scene, &[], &ends).await).await;
    no_opinion(first).await;
    scene.nothing_left().await;
}
