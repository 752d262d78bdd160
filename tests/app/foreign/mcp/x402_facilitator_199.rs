//! <https://github.com/accensa/x402-facilitator-stellar/issues/199>: a batch was read as one
//! request without a method. Nothing was answered, and the client waited until it gave up.

use crate::common::counter::Scene;
use crate::common::mcp::Raw;
use serde_json::json;

#[tokio::test(flavor = "multi_thread")]
async fn a_batch_is_answered_as_one_and_an_empty_one_is_refused() {
    let scene = Scene::start().await;
    let mut raw = Raw::start(&scene.beckon).await;
    let list = |id: u64| json!({ "jsonrpc": "2.0", "id": id, "method": "tools/list" });
    for ids in [&[1][..], &[1, 2, 3]] {
        let batch: Vec<_> = ids.iter().map(|id| list(*id)).collect();
        let told = raw.answer(&json!(batch).to_string()).await;
        assert_eq!(told.as_array().map(Vec::len), Some(ids.len()), "{told}");
    }
    let refused = raw.answer("[]").await;
    assert_eq!(
        (&refused["id"], &refused["error"]["code"]),
        (&json!(null), &json!(-32_600))
    );
}
