//! <https://github.com/modelcontextprotocol/python-sdk/issues/2546>: a client wrote its messages in
//! frames, as language servers want them, and heard nothing of a server that knows lines only.

use crate::common::SOON;
use crate::common::counter::Scene;
use serde_json::Value;
use std::process::Stdio;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::process::{ChildStdout, Command};

fn frame(message: &str) -> Vec<u8> {
    format!("Content-Length: {}\r\n\r\n{message}", message.len()).into_bytes()
}

/// Reads the next frame.
async fn next(output: &mut BufReader<ChildStdout>) -> Value {
    let mut length = None;
    loop {
        let mut line = String::new();
        output.read_line(&mut line).await.unwrap();
        match line.trim().split_once(':') {
            Some((_, number)) => length = number.trim().parse().ok(),
            None => break,
        }
    }
    let mut body = vec![0; length.expect("a head")];
    output.read_exact(&mut body).await.unwrap();
    serde_json::from_slice(&body).unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_that_writes_frames_is_answered_in_frames() {
    let scene = Scene::start().await;
    let mut command = scene.beckon.prepare(&["mcp"]);
    command.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut server = Command::from(command).kill_on_drop(true).spawn().unwrap();
    let mut input = server.stdin.take().unwrap();
    let mut output = BufReader::new(server.stdout.take().unwrap());

    let begin = r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{
        "protocolVersion":"2024-11-05","capabilities":{},"clientInfo":{"name":"é","version":"1"}}}"#;
    input.write_all(&frame(begin)).await.unwrap();
    let answer = tokio::time::timeout(SOON, next(&mut output)).await.unwrap();
    assert_eq!(answer["result"]["serverInfo"]["name"], "beckon", "{answer}");

    let told = frame(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#);
    let list = frame(r#"{"jsonrpc":"2.0","id":2,"method":"tools/list"}"#);
    // Two frames at once, and the end of the second one later.
    let both = [told, list].concat();
    let (beginning, end) = both.split_at(both.len() - 9);
    input.write_all(beginning).await.unwrap();
    input.flush().await.unwrap();
    input.write_all(end).await.unwrap();
    let answer = tokio::time::timeout(SOON, next(&mut output)).await.unwrap();
    assert_eq!(answer["id"], 2, "{answer}");
    assert!(answer["result"]["tools"].is_array(), "{answer}");
}
