//! Tests of the answers to lines that no library of MCP writes.

use crate::common::counter::Scene;
use crate::common::mcp::Raw;
use serde_json::{Value, json};

#[tokio::test(flavor = "multi_thread")]
async fn a_call_with_half_an_emoji_is_asked_and_one_that_is_cut_is_answered() {
    let scene = Scene::start().await;
    let mut raw = Raw::start(&scene.beckon).await;
    let params =
        r#"{"name":"ask_user","arguments":{"question":"Ship it \ud83d?","wait_seconds":0}}"#;
    let call = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{params}}}"#);
    let told = raw.answer(&call).await;
    assert_eq!(told["id"], 1);
    assert_eq!(told["result"]["structuredContent"]["state"], "pending");
    let id = scene.one_open().await;
    let card = scene.beckon.command(&["show", &id, "--json"]).await.json();
    assert_eq!(card["questions"][0]["question"], "Ship it \u{fffd}?");

    let told = raw.answer(&call[..call.len() - 9]).await;
    assert_eq!(
        (&told["id"], &told["error"]["code"]),
        (&json!(1), &json!(-32_700))
    );
    let told = raw
        .answer(r#"{"jsonrpc":"2.0","id":2,"method":"ping"}"#)
        .await;
    assert_eq!(told["id"], 2, "the connection goes on");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_batch_is_answered_by_a_list_and_ids_come_back_digit_by_digit() {
    let scene = Scene::start().await;
    let mut raw = Raw::start(&scene.beckon).await;
    for id in [
        "1.5",
        "123456789012345678901234567890",
        "9007199254740993",
        r#""\u0061""#,
    ] {
        let ping = format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"ping"}}"#);
        let told = raw.answer_text(&ping).await;
        assert!(told.contains(&format!(r#""id":{id}"#)), "{id}: {told}");
    }

    let asked = r#"{"name":"ask_user","arguments":{"question":"Which?","wait_seconds":0}}"#;
    let batch = format!(
        r#"[{{"jsonrpc":"2.0","id":1.5,"method":"ping"}},{{"jsonrpc":"2.0","id":"b","method":"tools/call","params":{asked}}}]"#
    );
    let told = raw.answer(&batch).await;
    let mut ids: Vec<String> = told
        .as_array()
        .unwrap()
        .iter()
        .map(|told| told["id"].to_string())
        .collect();
    ids.sort();
    assert_eq!(ids, [r#""b""#, "1.5"]);
    scene.one_open().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_line_beyond_all_bounds_is_answered_by_the_id_at_its_end() {
    let scene = Scene::start().await;
    let mut raw = Raw::start(&scene.beckon).await;
    let long = "x".repeat(17 * 1024 * 1024);
    let line = format!(r#"{{"jsonrpc":"2.0","method":"tools/call","params":"{long}","id":12}}"#);
    let told = raw.answer(&line).await;
    assert_eq!(
        (&told["id"], &told["error"]["code"]),
        (&json!(12), &json!(-32_600))
    );
    let ping: Value = raw
        .answer(r#"{"jsonrpc":"2.0","id":2,"method":"ping"}"#)
        .await;
    assert_eq!(ping["id"], 2);
}

/// JSON-RPC 2.0: a line with an id is a request, whatever its method is called; a line that is no
/// message is answered by an error without an id.
#[tokio::test(flavor = "multi_thread")]
async fn nothing_that_waits_for_an_answer_waits_for_ever() {
    let scene = Scene::start().await;
    let mut raw = Raw::start(&scene.beckon).await;
    for (line, id, code) in [
        (
            r#"{"jsonrpc":"2.0","id":5,"method":"notifications/initialized"}"#,
            json!(5),
            json!(-32_601),
        ),
        (
            r#"{"jsonrpc":"2.0","id":"c","method":"notifications/cancelled","params":{"requestId":5}}"#,
            json!("c"),
            json!(-32_601),
        ),
        (
            r#"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":null}"#,
            json!(7),
            json!(-32_602),
        ),
        (r#"{"jsonrpc":"2.0","id":8}"#, json!(8), json!(-32_600)),
        ("{}", json!(null), json!(-32_600)),
        ("null", json!(null), json!(-32_600)),
        ("tools/list", json!(null), json!(-32_700)),
    ] {
        let told = raw.answer(line).await;
        let error = (&told["id"], &told["error"]["code"]);
        assert_eq!(error, (&id, &code), "{line}: {told}");
    }
    for params in ["null", "[]", "{}"] {
        let ping = format!(r#"{{"jsonrpc":"2.0","id":9,"method":"ping","params":{params}}}"#);
        let told = raw.answer(&ping).await;
        assert_eq!(told["result"], json!({}), "{params}: {told}");
    }
}
