//! Tests of what passes through `beckon acp` with agents that know no protocol: every byte, the
//! error stream, signals, and the end.

use crate::common::SOON;
use beckon_support::beckon::Beckon;
use std::process::{Command, Output, Stdio};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::process::Child;

/// Starts the command with a shell as its agent; no Beckon runs.
fn started(beckon: &Beckon, agent: &str) -> Child {
    let mut command = beckon.prepare(&["acp", "--", "sh", "-c", agent]);
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    tokio::process::Command::from(command)
        .kill_on_drop(true)
        .spawn()
        .unwrap()
}

fn absent() -> Beckon {
    Beckon::builder(env!("CARGO_BIN_EXE_beckon")).build()
}

/// Writes the input, and waits for the end.
async fn ended(mut child: Child, input: Vec<u8>) -> Output {
    let mut stdin = child.stdin.take().unwrap();
    let written = async move {
        // An agent may end without having read its input.
        let _ = stdin.write_all(&input).await;
    };
    let (output, ()) = tokio::join!(
        tokio::time::timeout(SOON, child.wait_with_output()),
        written
    );
    output.expect("the agent ends").unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn every_byte_passes_in_both_directions() {
    let beckon = absent();
    let permission = r#"{"jsonrpc":"2.0","id":0,"method":"session/request_permission","params":{"sessionId":"s","toolCall":{"toolCallId":"c"},"options":[]}}"#;
    let mut input = b"{ \"id\" : 1e3,\r\n\n\0\xff\xfe no json \xed\xa0\xbd\n".to_vec();
    input.extend_from_slice(permission.as_bytes());
    input.extend_from_slice(b"\n[]\n");
    // Longer than any line that is looked at.
    input.extend(std::iter::repeat_n(b'x', 17 * 1024 * 1024));
    input.extend_from_slice(b"\nan end without a line's end");
    let output = ended(started(&beckon, "exec cat"), input.clone()).await;
    assert!(output.status.success(), "{:?}", output.status);
    assert_eq!(output.stdout.len(), input.len());
    assert!(output.stdout == input, "the bytes differ");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_end_of_the_agent_is_the_end_of_the_command() {
    let beckon = absent();
    let table = [
        ("exit 0", 0),
        ("exit 7", 7),
        ("kill -KILL $$", 137),
        ("cat >/dev/null; exit 3", 3),
    ];
    for (agent, code) in table {
        let output = ended(started(&beckon, agent), Vec::new()).await;
        assert_eq!(output.status.code(), Some(code), "{agent}: {output:?}");
    }
    let said = ended(started(&beckon, "echo words >&2; echo line"), Vec::new()).await;
    assert_eq!(
        (&said.stdout[..], &said.stderr[..]),
        (&b"line\n"[..], &b"words\n"[..])
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_signal_reaches_the_agent() {
    let beckon = absent();
    for name in ["TERM", "HUP", "INT"] {
        let wait = "while :; do read line || sleep 1; done";
        let agent = format!("trap 'exit 9' {name}; echo ready; {wait}");
        let mut child = started(&beckon, &agent);
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        assert_eq!(lines.next_line().await.unwrap().as_deref(), Some("ready"));
        let pid = child.id().unwrap().to_string();
        let sent = Command::new("kill").args(["-s", name, &pid]).status();
        assert!(sent.unwrap().success());
        let status = tokio::time::timeout(SOON, child.wait()).await.unwrap();
        assert_eq!(status.unwrap().code(), Some(9), "{name}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_agent_that_is_not_there_is_said_so() {
    let beckon = absent();
    for agent in ["no-such-agent", "./no/such/agent"] {
        let output = beckon.command(&["acp", "--", agent]).await;
        assert_eq!(output.status, Some(127), "{output:?}");
        assert!(output.stderr.contains(agent), "{output:?}");
        assert_eq!(output.stdout, "");
    }
}
