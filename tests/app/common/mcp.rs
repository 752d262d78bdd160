//! A client of MCP that writes its lines by hand.

use crate::common::SOON;
use beckon_support::beckon::Beckon;
use serde_json::{Value, json};
use std::process::Stdio;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt};
use tokio::process::Child;

/// The client, with the running server.
pub(crate) struct Raw {
    pub(crate) input: tokio::process::ChildStdin,
    pub(crate) output: tokio::io::Lines<tokio::io::BufReader<tokio::process::ChildStdout>>,
    pub(crate) server: Child,
}

impl Raw {
    /// One that has said nothing yet.
    pub(crate) fn spawn(beckon: &Beckon) -> Self {
        let mut command = beckon.prepare(&["mcp"]);
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut server = tokio::process::Command::from(command)
            .kill_on_drop(true)
            .spawn()
            .unwrap();
        let output = tokio::io::BufReader::new(server.stdout.take().unwrap());
        Self {
            input: server.stdin.take().unwrap(),
            output: output.lines(),
            server,
        }
    }

    /// One that has begun as the protocol says.
    pub(crate) async fn start(beckon: &Beckon) -> Self {
        let mut raw = Self::spawn(beckon);
        let about = json!({ "protocolVersion": "2025-06-18", "capabilities": {},
            "clientInfo": { "name": "raw", "version": "1" } });
        let begin = json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": about });
        assert_eq!(raw.answer(&begin.to_string()).await["id"], 0);
        let ready = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
        raw.say(&ready.to_string()).await;
        raw
    }

    pub(crate) async fn say(&mut self, line: &str) {
        let line = format!("{line}\n");
        self.input.write_all(line.as_bytes()).await.unwrap();
    }

    pub(crate) async fn answer(&mut self, line: &str) -> Value {
        serde_json::from_str(&self.answer_text(line).await).unwrap()
    }

    /// Sends a line; returns the text of the next line from the server.
    pub(crate) async fn answer_text(&mut self, line: &str) -> String {
        self.say(line).await;
        self.next_text().await
    }

    pub(crate) async fn next_text(&mut self) -> String {
        let told = tokio::time::timeout(SOON, self.output.next_line()).await;
        told.unwrap().unwrap().unwrap()
    }

    /// Calls a tool; returns its result.
    pub(crate) async fn call(&mut self, id: u64, tool: &str, arguments: &Value) -> Value {
        let params = json!({ "name": tool, "arguments": arguments });
        let call = json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params });
        let told = self.answer(&call.to_string()).await;
        assert_eq!(told["id"], id);
        told["result"].clone()
    }
}
