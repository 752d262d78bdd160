//! <https://github.com/paiml/paiml-mcp-agent-toolkit/issues/648>: one odd line (an unknown method,
//! no JSON, no parameters, a batch) ended the whole session without a message, with the exit code
//! of success.

use crate::common::counter::Scene;
use crate::common::mcp::Raw;
use serde_json::json;

#[tokio::test(flavor = "multi_thread")]
async fn every_odd_line_has_its_own_error_and_the_session_goes_on() {
    let scene = Scene::start().await;
    let mut raw = Raw::start(&scene.beckon).await;
    let id = json!(2);
    let none = json!(null);
    for (line, answered) in [
        (
            r#"{"jsonrpc":"2.0","id":2,"method":"no/such/method","params":{}}"#,
            &id,
        ),
        (
            r#"{"jsonrpc":"2.0","id":2,"method":"tools/call","params":null}"#,
            &id,
        ),
        (
            r#"{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"arguments":{}}}"#,
            &id,
        ),
        (
            r#"{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"none"}}"#,
            &id,
        ),
        (r#"{"id":2,"method":"tools/list"}"#, &id),
        ("{this is not json", &none),
    ] {
        let told = raw.answer(line).await;
        assert_eq!(told["id"], *answered, "{line}: {told}");
        assert!(told["error"]["code"].is_i64(), "{line}: {told}");
    }
    let list = r#"{"jsonrpc":"2.0","id":3,"method":"tools/list"}"#;
    let told = raw.answer(list).await;
    assert_eq!(told["result"]["tools"].as_array().map(Vec::len), Some(3));
}
