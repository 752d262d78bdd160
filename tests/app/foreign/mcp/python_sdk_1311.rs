//! <https://github.com/modelcontextprotocol/python-sdk/issues/1311>: a client that asked whether the
//! server lives before it had introduced itself, as the specification allows, was refused.

use crate::common::counter::Scene;
use crate::common::mcp::Raw;

#[tokio::test(flavor = "multi_thread")]
async fn a_ping_before_the_handshake_is_answered() {
    let scene = Scene::start().await;
    let mut client = Raw::spawn(&scene.beckon);
    let pong = client
        .answer(r#"{"jsonrpc":"2.0","id":"before","method":"ping"}"#)
        .await;
    assert_eq!(pong["id"], "before", "{pong}");
    assert!(pong["result"].is_object(), "{pong}");
}
