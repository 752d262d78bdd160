//! <https://github.com/GopherSecurity/gopher-mcp/issues/183> and
//! <https://github.com/php-mcp/schema/issues/2>: clients begin with flat names, without
//! capabilities, or with empty lists where objects belong. Servers refused them, and the agent had
//! no tools.

use crate::common::counter::Scene;
use crate::common::mcp::Raw;

#[tokio::test(flavor = "multi_thread")]
async fn whoever_begins_in_an_odd_way_has_the_tools_all_the_same() {
    let scene = Scene::start().await;
    for params in [
        r#"{"protocolVersion":"2024-11-05","clientName":"gopher-mcp","clientVersion":"1.0.0"}"#,
        r#"{"protocolVersion":"1.0","capabilities":[],"clientInfo":{"name":"old"}}"#,
        r#"{"protocolVersion":"2025-06-18","capabilities":{"experimental":[],"sampling":true,"roots":[]},"clientInfo":{"name":"php","version":2}}"#,
        r#"{"protocolVersion":"2099-01-01","capabilities":null,"clientInfo":null,"_meta":[]}"#,
        "{}",
        "null",
    ] {
        let mut raw = Raw::spawn(&scene.beckon);
        let begin =
            format!(r#"{{"jsonrpc":"2.0","id":1,"method":"initialize","params":{params}}}"#);
        let told = raw.answer(&begin).await;
        assert_eq!(
            told["result"]["serverInfo"]["name"], "beckon",
            "{params}: {told}"
        );
        let list = r#"{"jsonrpc":"2.0","id":2,"method":"tools/list","params":{"_meta":[]}}"#;
        let told = raw.answer(list).await;
        let tools = told["result"]["tools"].as_array();
        assert_eq!(tools.map(Vec::len), Some(3), "{params}: {told}");
    }
}
