//! <https://github.com/modelcontextprotocol/typescript-sdk/issues/2433>: two calls that ran at the
//! same time had the same id. The second one replaced the first, which was never answered.

use crate::common::counter::Scene;
use crate::common::mcp::Raw;
use serde_json::{Value, json};
use std::collections::BTreeSet;

#[tokio::test(flavor = "multi_thread")]
async fn two_calls_with_one_id_are_both_answered() {
    let scene = Scene::start().await;
    let mut raw = Raw::start(&scene.beckon).await;
    for question in ["First?", "Second?"] {
        let arguments = json!({ "question": question, "wait_seconds": 1 });
        let params = json!({ "name": "ask_user", "arguments": arguments });
        let call = json!({ "jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": params });
        raw.say(&call.to_string()).await;
    }

    let mut tickets = BTreeSet::new();
    for _ in 0..2 {
        let told: Value = serde_json::from_str(&raw.next_text().await).unwrap();
        assert_eq!(told["id"], 7);
        let ticket = &told["result"]["structuredContent"]["ticket"];
        tickets.insert(ticket.as_str().unwrap().to_owned());
    }
    assert_eq!(tickets.len(), 2, "each has its own answer");
}
