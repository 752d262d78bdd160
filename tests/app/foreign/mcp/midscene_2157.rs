//! <https://github.com/web-infra-dev/midscene/pull/2157>: the client had gone, but a wrapper kept
//! the server's stdin open. Each word that nobody read failed, and the server lived on, with a
//! whole processor.

use crate::common::SOON;
use crate::common::counter::Scene;
use crate::common::mcp::Raw;
use serde_json::json;

#[tokio::test(flavor = "multi_thread")]
async fn a_server_whose_words_nobody_reads_takes_its_questions_along_and_ends() {
    let scene = Scene::start().await;
    let mut raw = Raw::start(&scene.beckon).await;
    let params = json!({ "name": "ask_user", "arguments": { "question": "For whom?" } });
    let call = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params });
    raw.say(&call.to_string()).await;
    scene.one_open().await;

    let Raw {
        input,
        output,
        mut server,
    } = raw;
    drop(output);
    scene.nothing_left().await;
    let ended = tokio::time::timeout(SOON, server.wait()).await;
    assert!(ended.is_ok(), "it waits for a client that has gone");
    drop(input);
}
