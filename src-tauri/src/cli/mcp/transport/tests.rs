//! Lines as other people's clients have written them.

use super::{Line, LineTransport, read_line};
use rmcp::model::{ClientRequest, JsonRpcMessage, RequestId};
use rmcp::transport::Transport;
use serde_json::{Value, json};
use std::sync::Arc;
use tokio::io::{AsyncReadExt, AsyncWriteExt};

/// The arguments of a call.
fn called(line: &[u8]) -> Value {
    let Line::Message(message) = read_line(line) else {
        panic!("{:?}", read_line(line))
    };
    let JsonRpcMessage::Request(request) = *message else {
        panic!("{message:?}")
    };
    let ClientRequest::CallToolRequest(call) = request.request else {
        panic!("{request:?}")
    };
    json!(call.params.arguments)
}

fn call(arguments: &str) -> Vec<u8> {
    let params = format!(r#"{{"name":"ask_user","arguments":{arguments}}}"#);
    format!(r#"{{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{params}}}"#).into_bytes()
}

#[test]
fn a_broken_character_takes_no_call_along() {
    let half = call(r#"{"question":"Ship it \ud83d?"}"#);
    assert_eq!(called(&half), json!({ "question": "Ship it \u{fffd}?" }));
    let raw = call("{\"question\":\"a\tb\u{1}c\"}");
    assert_eq!(called(&raw)["question"], "a\tb\u{1}c");
    let mut latin = call(r#"{"question":"Gr*n?"}"#);
    let at = latin.iter().position(|byte| *byte == b'*').unwrap();
    latin[at] = 0xFC;
    assert!(
        called(&latin)["question"]
            .as_str()
            .unwrap()
            .starts_with("Gr")
    );
    let marked = [&b"\xEF\xBB\xBF"[..], &call(r#"{"question":"a"}"#), b"\r"].concat();
    assert_eq!(called(&marked), json!({ "question": "a" }));
}

#[test]
fn arguments_may_be_json_in_a_text() {
    let text = call(r#""{\"question\": \"a\"}""#);
    assert_eq!(called(&text), json!({ "question": "a" }));
    assert_eq!(called(&call(r#""""#)), json!(null));
    assert_eq!(called(&call("null")), json!(null));
}

#[test]
fn a_call_that_cannot_be_read_is_told_from_what_nobody_waits_for() {
    let unreadable = |line: &[u8]| match read_line(line) {
        Line::Unreadable(id) => Some(id),
        Line::Message(_) | Line::Nothing => None,
    };
    let whole = call(r#"{"question":"a"}"#);
    assert_eq!(
        unreadable(&whole[..whole.len() - 5]),
        Some(RequestId::Number(7))
    );
    let named = br#"{"jsonrpc":"2.0","id":"x","method":"tools/call","params":7}"#;
    assert_eq!(unreadable(named), Some(RequestId::String(Arc::from("x"))));
    for nothing in [
        &b""[..],
        b"\n",
        b"hello",
        br#"{"jsonrpc":"2.0","id":7,"#,
        br#"{"jsonrpc":"2.0","method":"notifications/initialized","params":7}"#,
        br#"{"jsonrpc":"2.0","id":7,"result":{},"error":3}"#,
    ] {
        let read = read_line(nothing);
        let cut = nothing.ends_with(b",");
        assert!(cut || matches!(read, Line::Nothing), "{read:?}");
    }
}

#[tokio::test]
async fn what_cannot_be_read_is_answered_and_the_rest_goes_on() {
    let (mut client, server) = tokio::io::duplex(1_024);
    let (input, output) = tokio::io::split(server);
    let mut transport = LineTransport::new(input, output);
    let whole = call(r#"{"question":"a"}"#);
    let lines = [&whole[..whole.len() - 5], b"\n", &whole, b"\n"].concat();
    client.write_all(&lines).await.unwrap();

    let received = transport.receive().await.unwrap();
    assert!(
        matches!(received, JsonRpcMessage::Request(_)),
        "{received:?}"
    );
    let mut told = vec![0; 1_024];
    let length = client.read(&mut told).await.unwrap();
    let told: Value = serde_json::from_slice(&told[..length]).unwrap();
    assert_eq!(
        (&told["id"], &told["error"]["code"]),
        (&json!(7), &json!(-32_700))
    );
}
