//! <https://github.com/anthropics/claude-code/issues/95239>: where a model gave `null`, the client
//! sent the word "null", and a list containing that word where a list was wanted. Such calls could
//! not be made correctly.

use crate::common::counter::Scene;
use crate::common::mcp::Raw;
use serde_json::json;

#[tokio::test(flavor = "multi_thread")]
async fn the_word_null_says_nothing() {
    let scene = Scene::start().await;
    let mut raw = Raw::start(&scene.beckon).await;
    let arguments = json!({ "question": "Name?", "choices": ["null"], "multiple": "null",
        "free_text": "null", "wait_seconds": "0" });
    let told = raw.call(1, "ask_user", &arguments).await;
    assert_eq!(told["structuredContent"]["state"], "pending", "{told}");
    let id = scene.one_open().await;
    let card = scene.beckon.command(&["show", &id, "--json"]).await.json();
    assert_eq!(card["questions"][0]["choices"], json!([]), "{card}");

    let arguments = json!({ "ticket": id, "wait_seconds": "null" });
    let answer = async {
        scene
            .beckon
            .command(&["answer", &id, "--text", "Ada"])
            .await
    };
    let (told, _) = tokio::join!(raw.call(2, "check_answer", &arguments), answer);
    assert_eq!(told["structuredContent"]["answers"], json!(["Ada"]));
}
