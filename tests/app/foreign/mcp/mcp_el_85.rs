//! <https://github.com/lizqwerscott/mcp.el/issues/85> and
//! <https://github.com/elgorro/aiquila/issues/442>: clients in Lisp and PHP write missing
//! parameters as `null` or as an empty list. Servers refused the call, and the agent had no tools.

use crate::common::counter::Scene;
use crate::common::mcp::Raw;

#[tokio::test(flavor = "multi_thread")]
async fn no_parameters_are_none_however_they_are_written() {
    let scene = Scene::start().await;
    let mut raw = Raw::start(&scene.beckon).await;
    for params in ["null", "[]", "{}"] {
        let list = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{params}}}"#);
        let told = raw.answer(&list).await;
        let tools = told["result"]["tools"].as_array();
        assert_eq!(tools.map(Vec::len), Some(3), "{params}: {told}");
    }
}
