//! The lines of MCP on stdin and stdout, read leniently. The library skips a line that is broken
//! anywhere, half an emoji (`\ud83d`) included, knows no batch, and takes few of the ids that
//! JSON-RPC allows: a call in such a line is never answered, and its agent hangs. Here a line is
//! mended, a batch is taken apart, and what can't be read is answered with an error. A client that
//! writes frames is answered in frames.
//!
//! Not here: what the messages mean.

mod envelope;
mod frames;
mod handshake;
mod line;
mod open_requests;
#[cfg(test)]
mod tests;

use envelope::Envelope;
use frames::Frames;
use line::{Line, read_lines, read_overlong};
use open_requests::OpenRequests;
use rmcp::RoleServer;
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use std::collections::VecDeque;
use std::io;
use std::sync::Arc;
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncWrite, AsyncWriteExt, BufReader};
use tokio::sync::{Mutex, Notify};
use tokio::task::JoinSet;

/// The most bytes of a line that are kept in memory: more than any question has.
const LONGEST_LINE: usize = 16 * 1024 * 1024;

/// The most replies that are not written yet; while the client does not read them, nothing more of
/// it is read.
const MOST_UNREAD: usize = 64;

/// A client on the other end of two pipes.
pub(super) struct LineTransport<R, W> {
    input: BufReader<R>,
    /// The most bytes of a line.
    longest: usize,
    /// The line up to here: a read may be cancelled, and goes on here.
    line: PartialLine,
    frames: Frames,
    /// Whether the client reads frames in place of lines.
    is_framed: bool,
    open: OpenRequests,
    /// The messages that the library has yet to take.
    messages: VecDeque<RxJsonRpcMessage<RoleServer>>,
    output: Arc<Mutex<W>>,
    /// The replies that are being written and that the library knows nothing of.
    replies: JoinSet<io::Result<()>>,
    ended: Arc<Notify>,
}

/// A line that has not ended yet.
#[derive(Debug, Default)]
struct PartialLine {
    bytes: Vec<u8>,
    is_overlong: bool,
    envelope: Envelope,
}

impl PartialLine {
    fn take(&mut self, piece: &[u8], longest: usize) {
        self.envelope.take(piece);
        self.is_overlong |= self.bytes.len() + piece.len() > longest;
        if self.is_overlong {
            self.bytes = Vec::new();
        } else {
            self.bytes.extend_from_slice(piece);
        }
    }

    fn is_empty(&self) -> bool {
        self.bytes.is_empty() && !self.is_overlong
    }

    /// Returns the messages of the line; usually one.
    fn read(&self) -> Vec<Line> {
        if self.is_overlong {
            return vec![read_overlong(&self.envelope)];
        }
        read_lines(&self.bytes, &self.envelope)
    }
}

impl<R: AsyncRead + Unpin, W> LineTransport<R, W> {
    pub(super) fn new(input: R, output: W) -> Self {
        Self::limited(input, output, LONGEST_LINE)
    }

    /// Makes a transport with another length of the longest line.
    fn limited(input: R, output: W, longest: usize) -> Self {
        Self {
            input: BufReader::new(input),
            longest,
            line: PartialLine::default(),
            frames: Frames::default(),
            is_framed: false,
            open: OpenRequests::default(),
            messages: VecDeque::new(),
            output: Arc::new(Mutex::new(output)),
            replies: JoinSet::new(),
            ended: Arc::default(),
        }
    }

    /// Returns the signal that nothing more will be read: the client has gone, or is about to.
    pub(super) fn ended(&self) -> Arc<Notify> {
        self.ended.clone()
    }

    /// Reads up to the end of a line, or of the input; `None` where there is no more. The call may
    /// be cancelled and repeated.
    async fn next_line(&mut self) -> io::Result<Option<Vec<Line>>> {
        loop {
            let available = self.input.fill_buf().await?;
            if available.is_empty() {
                let rest = std::mem::take(&mut self.line);
                return Ok((!rest.is_empty()).then(|| rest.read()));
            }

            let piece = &available[..self.frames.piece(available)];
            let taken = piece.len();
            self.line.take(piece, self.longest);
            let is_whole = self.frames.ends_with(piece);
            self.input.consume(taken);

            if is_whole {
                let line = std::mem::take(&mut self.line);
                let kept = (!line.is_overlong).then_some(line.bytes.as_slice());
                if !self.frames.take_head(kept) {
                    return Ok(Some(line.read()));
                }
                self.is_framed |= self.frames.are_used();
            }
        }
    }
}

impl<R, W> LineTransport<R, W>
where
    R: AsyncRead + Send + Unpin,
    W: AsyncWrite + Send + Unpin + 'static,
{
    /// Takes what the next line says; `None` where there is none. The call may be cancelled and
    /// repeated.
    async fn take_line(&mut self) -> Option<()> {
        while self.replies.len() >= MOST_UNREAD {
            self.replies.join_next().await;
        }
        let line = self.next_line().await.unwrap_or_else(|error| {
            tracing::warn!(%error, "the client's input can't be read");
            None
        });

        for message in line? {
            let taken = self.open.take(message);
            self.messages.extend(taken.messages);
            for reply in taken.replies {
                // This read may be cancelled, and half a line must not be written.
                let written = write(self.output.clone(), Some(reply), self.is_framed);
                self.replies.spawn(written);
            }
        }
        Some(())
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
        write(self.output.clone(), self.open.tell(message), self.is_framed)
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        loop {
            if let Some(message) = self.messages.pop_front() {
                return Some(message);
            }
            if self.take_line().await.is_none() {
                self.ended.notify_one();
                while self.replies.join_next().await.is_some() {}
                return None;
            }
        }
    }

    async fn close(&mut self) -> io::Result<()> {
        self.output.lock().await.shutdown().await
    }
}

async fn write<W: AsyncWrite + Unpin>(
    output: Arc<Mutex<W>>,
    line: Option<String>,
    is_framed: bool,
) -> io::Result<()> {
    let Some(mut line) = line else {
        return Ok(());
    };
    if is_framed {
        line = frames::framed(&line);
    } else {
        line.push('\n');
    }

    let mut output = output.lock().await;
    output.write_all(line.as_bytes()).await?;
    output.flush().await
}
