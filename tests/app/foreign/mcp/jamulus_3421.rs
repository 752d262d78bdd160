//! <https://github.com/jamulussoftware/jamulus/issues/3421>: some clients of JSON-RPC write their
//! messages without a line end between them. The server read whole lines, so the second message was
//! never answered.

use crate::common::counter::Scene;
use crate::common::mcp::Raw;
use serde_json::Value;

#[tokio::test(flavor = "multi_thread")]
async fn messages_without_a_lines_end_between_them_are_each_answered() {
    let scene = Scene::start().await;
    let mut raw = Raw::start(&scene.beckon).await;
    let told = r#"{"jsonrpc":"2.0","method":"notifications/roots/list_changed"}"#;
    let list = |id: &str| format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/list"}}"#);
    raw.say(&format!("{}{told}{}", list("1"), list("\"b\"")))
        .await;

    let mut ids = Vec::new();
    for _ in 0..2 {
        let answer: Value = serde_json::from_str(&raw.next_text().await).unwrap();
        assert!(answer["result"]["tools"].is_array(), "{answer}");
        ids.push(answer["id"].to_string());
    }
    ids.sort();
    assert_eq!(ids, [r#""b""#, "1"]);
}
