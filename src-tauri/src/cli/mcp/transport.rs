//! The lines of MCP on stdin and stdout, read leniently. The library passes over a line that is broken
//! anywhere, half an emoji (`\ud83d`) included, and a call in it is never answered: here such a line is mended,
//! and one that can't be is answered with an error if it has an id.
//!
//! Not here: what the messages mean.

#[cfg(test)]
mod tests;

use beckon_client::json;
use rmcp::RoleServer;
use rmcp::model::{ErrorData, RequestId};
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use serde_json::Value;
use std::io;
use std::sync::Arc;
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncWrite, AsyncWriteExt, BufReader};
use tokio::sync::{Mutex, Notify};

/// More than any question has; what is longer is not kept in memory.
const LONGEST_LINE: usize = 16 * 1024 * 1024;

/// A client on the other end of two pipes.
pub(super) struct LineTransport<R, W> {
    input: BufReader<R>,
    /// The line so far: a read may be broken off, and goes on here.
    line: Vec<u8>,
    output: Arc<Mutex<W>>,
    ended: Arc<Notify>,
}

/// What a line says.
#[derive(Debug)]
pub(super) enum Line {
    /// A message.
    Message(Box<RxJsonRpcMessage<RoleServer>>),
    /// A request that can't be read; its sender waits for an answer to that id.
    Unreadable(RequestId),
    /// Nothing that waits for an answer.
    Nothing,
}

impl<R: AsyncRead + Unpin, W> LineTransport<R, W> {
    pub(super) fn new(input: R, output: W) -> Self {
        Self {
            input: BufReader::new(input),
            line: Vec::new(),
            output: Arc::new(Mutex::new(output)),
            ended: Arc::default(),
        }
    }

    /// Is notified once nothing more will be read: the client has gone, or is about to.
    pub(super) fn ended(&self) -> Arc<Notify> {
        self.ended.clone()
    }

    /// Reads up to the end of a line, or of the input; `None` where there is no more. May be broken off and
    /// called again.
    async fn next_line(&mut self) -> io::Result<Option<Vec<u8>>> {
        loop {
            let available = self.input.fill_buf().await?;
            if available.is_empty() {
                let rest = std::mem::take(&mut self.line);
                return Ok(Some(rest).filter(|rest| !rest.is_empty()));
            }

            let end = available.iter().position(|byte| *byte == b'\n');
            let taken = end.map_or(available.len(), |end| end + 1);
            let room = LONGEST_LINE.saturating_sub(self.line.len());
            self.line.extend_from_slice(&available[..taken.min(room)]);
            self.input.consume(taken);

            if end.is_some() {
                return Ok(Some(std::mem::take(&mut self.line)));
            }
        }
    }
}

impl<R, W> Transport<RoleServer> for LineTransport<R, W>
where
    R: AsyncRead + Send + Unpin,
    W: AsyncWrite + Send + Unpin + 'static,
{
    type Error = io::Error;

    fn send(
        &mut self,
        message: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = io::Result<()>> + Send + 'static {
        write(self.output.clone(), message)
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        loop {
            let line = self.next_line().await.unwrap_or_else(|error| {
                tracing::warn!(%error, "what the client says can't be read");
                None
            });
            let Some(line) = line else {
                self.ended.notify_one();
                return None;
            };
            match read_line(&line) {
                Line::Message(message) => return Some(*message),
                Line::Unreadable(id) => {
                    tracing::warn!(
                        "a call of the client can't be read, and is answered with an error"
                    );
                    let told = TxJsonRpcMessage::<RoleServer>::error(unreadable(), Some(id));
                    // This read may be broken off, and half a line must not be written.
                    tokio::spawn(write(self.output.clone(), told));
                }
                Line::Nothing => {}
            }
        }
    }

    async fn close(&mut self) -> io::Result<()> {
        self.output.lock().await.shutdown().await
    }
}

fn unreadable() -> ErrorData {
    ErrorData::parse_error(
        "This call can't be read: it is no whole JSON message.",
        None,
    )
}

async fn write<W: AsyncWrite + Unpin>(
    output: Arc<Mutex<W>>,
    message: TxJsonRpcMessage<RoleServer>,
) -> io::Result<()> {
    let mut line = serde_json::to_vec(&message)?;
    line.push(b'\n');

    let mut output = output.lock().await;
    output.write_all(&line).await?;
    output.flush().await
}

/// Reads a line. Pure.
pub(super) fn read_line(line: &[u8]) -> Line {
    let Some(mut read) = json::read(line) else {
        return Line::Nothing;
    };
    let id = id(&read.value);
    let message = if read.flaws.cut {
        None
    } else {
        mend_arguments(&mut read.value);
        serde_json::from_value(read.value).ok()
    };

    match (message, id) {
        (Some(message), _) => Line::Message(Box::new(message)),
        (None, Some(id)) => Line::Unreadable(id),
        (None, None) => Line::Nothing,
    }
}

/// The id of a request: only who asks for something waits for an answer.
fn id(message: &Value) -> Option<RequestId> {
    let is_answer = message.get("result").is_some() || message.get("error").is_some();
    let id = message.get("id").filter(|_| !is_answer)?;

    serde_json::from_value(id.clone()).ok()
}

/// Some clients hand the arguments of a call as JSON in a text.
fn mend_arguments(message: &mut Value) {
    let Some(arguments) = message.pointer_mut("/params/arguments") else {
        return;
    };
    let Value::String(text) = arguments else {
        return;
    };

    let read: Option<Value> = match text.trim() {
        "" => Some(Value::Null),
        text => serde_json::from_str(text).ok(),
    };
    if let Some(read) = read.filter(|read| read.is_object() || read.is_null()) {
        *arguments = read;
    }
}
