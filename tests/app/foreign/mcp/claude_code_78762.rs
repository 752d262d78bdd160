//! <https://github.com/anthropics/claude-code/issues/78762>: a number of more digits than a double
//! keeps came out of Claude Code as another number, and nobody was told. Such numbers are names of
//! things. What is typed here goes through Claude Code, so it is refused in words if it would be
//! changed there; what a form says of its numbers is said in its own digits.

use crate::common::counter::Scene;
use crate::common::elicitation::{answered, fill_in, shown};
use serde_json::json;

#[tokio::test(flavor = "multi_thread")]
async fn a_number_that_claude_code_would_change_is_refused_in_words_and_bounds_keep_their_digits() {
    let scene = Scene::start().await;
    let hook = fill_in(
        &scene,
        r#"{"type":"object","required":["id","share"],"properties":{
            "id":{"type":"integer","minimum":-9223372036854775808,
                "maximum":18446744073709551615},
            "share":{"type":"number","maximum":1e400}}}"#,
    )
    .await;

    let id = scene.one_open().await;
    let said = shown(&scene, &id).await["questions"].to_string();
    assert!(said.contains("-9223372036854775808"), "{said}");
    assert!(said.contains("18446744073709551615"), "{said}");
    assert!(said.contains("1e400"), "{said}");

    for (number, share, why) in [
        ("9007199254740993", "1", "9007199254740992"),
        ("18446744073709551616", "1", "18446744073709552000"),
        ("1", "0.1000000000000000055511151231257827", "0.1"),
        ("1", "1e400", "too large"),
    ] {
        let words = ["answer", &id, "--text", number, "--text", share];
        let refused = scene.beckon.command(&words).await;
        assert!(
            refused.status != Some(0) && refused.stderr.contains(why),
            "{refused:?}"
        );
    }

    let words = [
        "answer",
        &id,
        "--text",
        "9007199254740991",
        "--text",
        "0,10",
    ];
    let said = answered(&scene, hook, &words).await;
    let content = json!({ "id": 9_007_199_254_740_991_i64, "share": 0.1 });
    assert_eq!(said["content"], content, "{said}");
}
