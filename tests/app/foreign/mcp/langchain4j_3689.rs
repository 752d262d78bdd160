//! <https://github.com/langchain4j/langchain4j/issues/3689>: the client's ids were numbers, and a
//! call that it gave up was named by a text. The server did not know which, and went on.

use crate::common::counter::Scene;
use crate::common::mcp::Raw;
use serde_json::json;

#[tokio::test(flavor = "multi_thread")]
async fn a_call_that_is_given_up_by_its_id_in_quotes_takes_its_question_along() {
    let scene = Scene::start().await;
    let mut raw = Raw::start(&scene.beckon).await;
    for (id, given_up) in [(json!(7), json!("7")), (json!("8"), json!(8))] {
        let arguments = json!({ "question": "Still wanted?" });
        let params = json!({ "name": "ask_user", "arguments": arguments });
        let call = json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params });
        raw.say(&call.to_string()).await;
        scene.one_open().await;
        let params = json!({ "requestId": given_up, "reason": "it took too long" });
        let told =
            json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": params });
        raw.say(&told.to_string()).await;
        scene.nothing_left().await;
    }
}
