//! <https://github.com/esengine/DeepSeek-Reasonix/pull/2429>: a choice with a blank label became a
//! row without text, and picking it told the agent nothing.

use crate::common::counter::Scene;
use crate::common::mcp::Raw;
use serde_json::json;

#[tokio::test(flavor = "multi_thread")]
async fn a_choice_that_nobody_can_see_is_refused_with_a_right_call() {
    let scene = Scene::start().await;
    let mut raw = Raw::start(&scene.beckon).await;
    for (id, label) in (1..).zip(["", "   ", "\u{200b}", "\u{3164}\u{feff}", "\u{2800}"]) {
        let arguments = json!({ "question": "Which?", "choices": ["A", { "label": label }] });
        let told = raw.call(id, "ask_user", &arguments).await;
        assert_eq!(told["isError"], true, "{told}");
        assert!(told.to_string().contains("A right call"), "{told}");
    }
    assert!(scene.beckon.list().await.is_empty());
}
