//! The input that comes through stdin from another program. The other end may stay open for as long
//! as that program lives, so the end of the stream is not waited for if a message says itself that
//! it is complete, and the rest of one that has stopped in the middle is not waited for hours.

use beckon_client::json::ValueEnd;
use std::io::{self, Read};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::Duration;

/// The largest message: more would only fill the memory.
const LARGEST: usize = 64 << 20;
const PIECE: usize = 64 << 10;
/// The number of pieces that wait to be looked at.
const PIECES_AHEAD: usize = 4;

/// A message, and whether something of it is missing.
#[derive(Debug)]
pub(super) struct PipedMessage {
    pub(super) bytes: Vec<u8>,
    /// Whether the other end fell silent, or went on beyond all bounds, before the message was
    /// complete.
    pub(super) unfinished: bool,
}

/// Reads one JSON value. Gives up when nothing has come for the given time.
pub(super) fn read_value(silence: Duration) -> io::Result<PipedMessage> {
    let mut end = ValueEnd::default();
    let pieces = pieces(io::stdin());
    collect(&pieces, |_| silence, |piece| end.is_reached(piece))
}

/// Reads what a person or a program hands over as a secret: all of it if the stream ends, and
/// otherwise what has come, once a line is complete and no more follows for `after_line`.
///
/// The first byte may take its time: it may come from a program that asks its human something.
pub(super) fn read_lines(after_line: Duration, silence: Duration) -> io::Result<PipedMessage> {
    const FOR_EVER: Duration = Duration::MAX;
    let pieces = pieces(io::stdin());
    let patience = |read: &[u8]| match read {
        [] => FOR_EVER,
        _ if ends_a_line(read) => after_line,
        _ => silence,
    };
    let mut message = collect(&pieces, patience, |_| false)?;

    let is_complete = ends_a_line(&message.bytes) && message.bytes.len() < LARGEST;
    message.unfinished &= !is_complete;
    Ok(message)
}

/// Whether the text ends a line, in UTF-8 or in UTF-16.
fn ends_a_line(read: &[u8]) -> bool {
    read.ends_with(b"\n") || read.ends_with(b"\n\0")
}

/// Puts pieces together until the message is complete, the stream ends, or nothing comes any more.
fn collect(
    pieces: &Receiver<io::Result<Vec<u8>>>,
    patience: impl Fn(&[u8]) -> Duration,
    mut is_complete: impl FnMut(&[u8]) -> bool,
) -> io::Result<PipedMessage> {
    let mut bytes = Vec::new();
    loop {
        let waited = pieces.recv_timeout(patience(&bytes));
        match waited {
            Ok(piece) => {
                let piece = piece?;
                bytes.extend_from_slice(&piece);

                if is_complete(&piece) {
                    return Ok(PipedMessage {
                        bytes,
                        unfinished: false,
                    });
                }
                if bytes.len() >= LARGEST {
                    return Ok(PipedMessage {
                        bytes,
                        unfinished: true,
                    });
                }
            }
            Err(end) => {
                let unfinished = end == RecvTimeoutError::Timeout;
                return Ok(PipedMessage { bytes, unfinished });
            }
        }
    }
}

/// Reads in a thread of its own, which ends with the process: no read from a pipe can be given up.
fn pieces(mut stream: impl Read + Send + 'static) -> Receiver<io::Result<Vec<u8>>> {
    let (to, pieces) = sync_channel(PIECES_AHEAD);
    std::thread::spawn(move || {
        let mut buffer = vec![0; PIECE];
        loop {
            let piece = match stream.read(&mut buffer) {
                Ok(0) => return,
                Ok(length) => Ok(buffer[..length].to_vec()),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => Err(error),
            };
            let is_over = piece.is_err();
            if to.send(piece).is_err() || is_over {
                return;
            }
        }
    });
    pieces
}
