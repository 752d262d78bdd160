//! <https://github.com/earendil-works/pi/issues/8943>: an agent's call named a row by 19 digits,
//! and what read the call made another row's number of it, without a word. What is allowed here is
//! what is shown, so a card shows the digits that were written.

use crate::common::counter::Scene;
use crate::common::elicitation::hook;

#[tokio::test(flavor = "multi_thread")]
async fn the_numbers_of_a_call_are_shown_in_the_digits_in_which_they_were_written() {
    let scene = Scene::start().await;
    let input = r#"{"row":2512292042121000001,"of":18446744073709551616,"least":1e400,
        "share":0.1000000000000000055511151231257827,"zero":-0,"in":{"deep":[1.10,1E5]}}"#;
    let event = format!(
        r#"{{"session_id":"36d61c13-9eed-4a3c-bb72-232c4fbba385",
        "transcript_path":"/tmp/none.jsonl","cwd":"/tmp","hook_event_name":"PermissionRequest",
        "tool_name":"mcp__db__drop_row","tool_input":{input}}}"#
    );
    let _hook = hook(&scene, &event).await;

    let id = scene.one_open().await;
    let said = scene.beckon.command(&["show", &id]).await.stdout;
    for line in [
        "row: 2512292042121000001",
        "of: 18446744073709551616",
        "least: 1e400",
        "share: 0.1000000000000000055511151231257827",
        "zero: -0",
        r#"in: {"deep":[1.10,1E5]}"#,
    ] {
        assert!(said.lines().any(|it| it.trim() == line), "{line} in {said}");
    }
}
