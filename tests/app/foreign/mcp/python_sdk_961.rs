//! <https://github.com/modelcontextprotocol/python-sdk/issues/961>: the id `"1"` came back as the
//! number 1, and the client waited for ever for a response with the text as its id.

use crate::common::counter::Scene;
use crate::common::mcp::Raw;

#[tokio::test(flavor = "multi_thread")]
async fn an_id_of_digits_in_a_text_stays_a_text() {
    let scene = Scene::start().await;
    let mut raw = Raw::start(&scene.beckon).await;
    for id in [r#""1""#, r#""007""#, r#""1e3""#, r#""""#, "1"] {
        let list = format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/list"}}"#);
        let told = raw.answer_text(&list).await;
        assert!(
            told.contains(&format!(r#""id":{id},"result""#)),
            "{id}: {told:.200}"
        );
    }
}
