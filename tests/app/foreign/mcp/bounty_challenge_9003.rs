//! <https://github.com/BaseIntelligence/bounty-challenge/issues/9003> and
//! <https://github.com/Regsorm/code-index-mcp/issues/9>: something came before the handshake, or in
//! the middle of it, and the session was dead: a notification, an answer to nothing, a question of
//! a protocol to come.

use crate::common::counter::Scene;
use crate::common::mcp::Raw;

#[tokio::test(flavor = "multi_thread")]
async fn what_comes_before_the_handshake_does_not_end_the_session() {
    let scene = Scene::start().await;
    let mut raw = Raw::spawn(&scene.beckon);
    for told in [
        r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
        r#"{"jsonrpc":"2.0","method":"notifications/roots/list_changed"}"#,
        r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}"#,
        r#"{"jsonrpc":"2.0","method":"notifications/of/tomorrow","params":{}}"#,
        r#"{"jsonrpc":"2.0","id":9,"result":{}}"#,
        r#"{"jsonrpc":"2.0","id":9,"error":{"code":-1,"message":"no"}}"#,
    ] {
        raw.say(told).await;
    }
    let discover = r#"{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{}}"#;
    let told = raw.answer(discover).await;
    assert_eq!(told["id"], 1, "{told}");
    let about = r#"{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"raw","version":"1"}}"#;
    let begin = format!(r#"{{"jsonrpc":"2.0","id":2,"method":"initialize","params":{about}}}"#);
    let told = raw.answer(&begin).await;
    assert_eq!(told["result"]["serverInfo"]["name"], "beckon", "{told}");

    let told = raw.answer(&discover.replace(":1,", ":3,")).await;
    assert_eq!(told["id"], 3, "{told}");
    let list = r#"{"jsonrpc":"2.0","id":4,"method":"tools/list"}"#;
    let told = raw.answer(list).await;
    assert_eq!(told["result"]["tools"].as_array().map(Vec::len), Some(3));
}
