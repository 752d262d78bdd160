//! The reader of what a NATS server sends, before the library sees it, which writes it anew in one
//! plain form. The library slices, adds and reserves by what it reads, so a hostile server could
//! end the program or fill its memory:
//! <https://docs.nats.io/reference/reference-protocols/nats-protocol>.
//!
//! Here is no IO: bytes go in, operations come out. Not here: the sockets (`relay.rs`).

use super::head;
use crate::hub::fault::OddServer;
use beckon_core::hub::LARGEST_RECORD;
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// The largest line in bytes. `nats-server` keeps control lines below 4 KiB (`max_control_line`); a
/// greeting that names a whole cluster is longer.
pub(super) const LARGEST_LINE: usize = 64 * 1024;

/// The largest message in bytes, head included. A stored record with its head has at most
/// [`LARGEST_RECORD`] (`max_message_size` of the streams), and takes a third more where it is read back
/// as base64 in JSON (`STREAM.MSG.GET`).
pub(in crate::hub) const LARGEST_MESSAGE: usize = 2 * LARGEST_RECORD;

/// The number of used bytes at the front after which the rest is moved there.
const COMPACT_AT: usize = 64 * 1024;

/// The beginning of the reply subject of a record that a stream delivers
/// (<https://github.com/nats-io/nats-architecture-and-design/blob/main/adr/ADR-15.md>).
const STORED: &str = "$JS.ACK.";

/// The beginning of the subject for answers to a question of the guard. It never reaches the
/// server, and no server may name it.
pub(super) const QUESTION: &str = "_BECKON.READ.";

/// The operation by which an end asks whether the other one is there.
pub(super) const PING: &[u8] = b"PING\r\n";
/// The answer to that.
pub(super) const PONG: &[u8] = b"PONG\r\n";

/// The most letters of a refusal that are handed on. It goes into the log and before a person.
const LONGEST_REFUSAL: usize = 1024;

/// An operation of the server.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Operation {
    /// The server's introduction, and what it wants of a client.
    Greeting(Greeting),
    /// A message.
    Message(ServerMessage),
    /// A question whether this end is there.
    Ping,
    /// The answer to such a question of this end.
    Pong,
    /// Anything else, in the plain form.
    Plain(Vec<u8>),
}

/// A message, in the plain form.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct ServerMessage {
    /// The subscription of this connection that gets it.
    pub(super) subscription: u64,
    /// Whether its reader follows a stream: such a reader answers when it is asked how far it has
    /// come.
    pub(super) is_of_stream: bool,
    /// The line and what follows it.
    pub(super) written: Vec<u8>,
}

/// The fields of an `INFO` that Beckon and the library need. Everything else is left out: among it
/// the addresses of other servers, to which the library would connect past this guard.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Greeting {
    pub(super) server_id: String,
    pub(super) server_name: String,
    pub(super) version: String,
    pub(super) nonce: String,
    pub(super) max_payload: u32,
    pub(super) client_id: u64,
    pub(super) headers: bool,
    pub(super) auth_required: bool,
    pub(super) jetstream: bool,
    /// Whether the server is about to end.
    #[serde(rename = "ldm")]
    pub(super) is_ending: bool,
    /// Whether the connection must be encrypted. For the guard alone: the library never speaks TLS.
    #[serde(skip_serializing)]
    pub(super) tls_required: bool,
}

impl Greeting {
    /// Returns the line for the library.
    pub(super) fn write(&self) -> Vec<u8> {
        let json = serde_json::to_string(self).unwrap_or_default();
        format!("INFO {json}\r\n").into_bytes()
    }
}

/// Reads operations from bytes as they come.
#[derive(Debug, Default)]
pub(super) struct OperationReader {
    bytes: Vec<u8>,
    /// The number of bytes at the front that are used.
    used: usize,
    /// The number of bytes after the used ones that were searched for the end of a line.
    searched: usize,
    /// The message whose body comes next.
    begun: Option<MessageLine>,
}

/// The line before a message.
#[derive(Debug)]
struct MessageLine {
    subject: String,
    subscription: u64,
    reply: Option<String>,
    head: usize,
    /// The size of head and body together.
    total: usize,
}

impl OperationReader {
    /// Takes in bytes that were read.
    pub(super) fn push(&mut self, bytes: &[u8]) {
        if self.used >= COMPACT_AT || self.used == self.bytes.len() {
            self.bytes.drain(..self.used);
            self.used = 0;
        }
        self.bytes.extend_from_slice(bytes);
    }

    /// Whether everything that was read was used.
    pub(super) fn is_empty(&self) -> bool {
        self.used == self.bytes.len() && self.begun.is_none()
    }

    /// Returns the next whole operation; `None` until more is read.
    ///
    /// # Errors
    /// When what comes is no NATS, or larger than anything that Beckon could be told.
    pub(super) fn next(&mut self) -> Result<Option<Operation>, OddServer> {
        if let Some(line) = self.begun.take() {
            return self.message(line);
        }
        let Some(line) = self.line()? else {
            return Ok(None);
        };
        let line = self.bytes[line].to_vec();
        let (verb, rest) = split_verb(&line);
        match verb.to_ascii_uppercase().as_slice() {
            b"INFO" => greeting(rest).map(|it| Some(Operation::Greeting(it))),
            b"MSG" => self.message(message_line(rest, false)?),
            b"HMSG" => self.message(message_line(rest, true)?),
            b"PING" => Ok(Some(Operation::Ping)),
            b"PONG" => Ok(Some(Operation::Pong)),
            b"+OK" => Ok(plain("+OK\r\n")),
            b"-ERR" => Ok(plain(&refusal(rest))),
            _ => Err(OddServer::NoNats),
        }
    }

    /// Returns the range of the next line, without its end.
    fn line(&mut self) -> Result<Option<Range<usize>>, OddServer> {
        let unread = &self.bytes[self.used..];
        // The first half of the end may have come already.
        let from = self.searched.saturating_sub(1);
        let Some(end) = memchr::memmem::find(&unread[from..], b"\r\n") else {
            self.searched = unread.len();
            if self.searched > LARGEST_LINE {
                return Err(OddServer::LongLine);
            }
            return Ok(None);
        };
        let line = self.used..self.used + from + end;
        self.used = line.end + 2;
        self.searched = 0;
        if line.len() > LARGEST_LINE {
            return Err(OddServer::LongLine);
        }
        Ok(Some(line))
    }

    fn message(&mut self, line: MessageLine) -> Result<Option<Operation>, OddServer> {
        let unread = &self.bytes[self.used..];
        let Some((body, rest)) = unread.split_at_checked(line.total) else {
            self.begun = Some(line);
            return Ok(None);
        };
        let Some((end, _)) = rest.split_at_checked(2) else {
            self.begun = Some(line);
            return Ok(None);
        };
        if end != b"\r\n" {
            return Err(OddServer::NoNats);
        }
        let message = line.write(body);
        self.used += line.total + 2;
        Ok(Some(Operation::Message(message)))
    }
}

impl MessageLine {
    /// Writes a message anew. A record of a stream is handed on without its head: Beckon's have
    /// none that counts, and the library takes one with a status for an operation of the server, so
    /// that the record would never be seen.
    fn write(&self, body: &[u8]) -> ServerMessage {
        let (head, payload) = body.split_at(self.head);
        let is_stored = self.is_stored();
        let head = head::plain(head).filter(|_| !is_stored);
        let is_of_stream = is_stored || head.as_deref().is_some_and(head::is_of_stream);
        let written = match head {
            Some(head) => self.write_with_head(&head, payload),
            None if is_stored => self.write_without_head(payload),
            None => self.write_without_head(&super::stored::without_head(payload)),
        };
        ServerMessage {
            subscription: self.subscription,
            is_of_stream,
            written,
        }
    }

    fn is_stored(&self) -> bool {
        self.reply.as_ref().is_some_and(|it| it.starts_with(STORED))
    }

    fn write_with_head(&self, head: &[u8], payload: &[u8]) -> Vec<u8> {
        let total = head.len() + payload.len();
        let sizes = format!("{} {total}", head.len());
        let line = self.line("HMSG", &sizes);
        [&line, head, payload, b"\r\n"].concat()
    }

    fn write_without_head(&self, payload: &[u8]) -> Vec<u8> {
        let line = self.line("MSG", &payload.len().to_string());
        [&line, payload, b"\r\n"].concat()
    }

    fn line(&self, verb: &str, sizes: &str) -> Vec<u8> {
        let Self {
            subject,
            subscription,
            reply,
            ..
        } = self;
        let reply = reply.as_ref().map(|it| format!(" {it}"));
        let reply = reply.unwrap_or_default();
        format!("{verb} {subject} {subscription}{reply} {sizes}\r\n").into_bytes()
    }
}

fn plain(text: &str) -> Option<Operation> {
    Some(Operation::Plain(text.as_bytes().to_vec()))
}

fn split_verb(line: &[u8]) -> (&[u8], &[u8]) {
    let end = line.iter().position(|it| is_blank(*it));
    line.split_at(end.unwrap_or(line.len()))
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t')
}

fn greeting(rest: &[u8]) -> Result<Greeting, OddServer> {
    // A JSON list would be read as the fields in their order, so only an object is accepted.
    let object = rest.trim_ascii().strip_prefix(b"{").map(|_| rest);
    let read = object.map(serde_json::from_slice).transpose();
    read.ok().flatten().ok_or(OddServer::NoNats)
}

/// Reads the line before a message: `MSG <subject> <sid> [reply-to] <#bytes>` or `HMSG <subject>
/// <sid> [reply-to] <#header> <#total>`.
fn message_line(rest: &[u8], has_head: bool) -> Result<MessageLine, OddServer> {
    let words: Vec<&[u8]> = rest
        .split(|it| is_blank(*it))
        .filter(|it| !it.is_empty())
        .collect();
    let (names, sizes) = words
        .len()
        .checked_sub(1 + usize::from(has_head))
        .and_then(|at| words.split_at_checked(at))
        .ok_or(OddServer::NoNats)?;
    let (subject, subscription, reply) = match names {
        [subject, subscription] => (subject, subscription, None),
        [subject, subscription, reply] => (subject, subscription, Some(reply)),
        _ => return Err(OddServer::NoNats),
    };
    let sizes: Vec<usize> = sizes.iter().map(|it| size(it)).collect::<Result<_, _>>()?;
    let (head, total) = match sizes[..] {
        [total] => (0, total),
        [head, total] if head <= total => (head, total),
        _ => return Err(OddServer::NoNats),
    };
    Ok(MessageLine {
        subject: name(subject),
        subscription: number(subscription).ok_or(OddServer::NoNats)?,
        reply: reply.and_then(|it| reply_name(it)),
        head,
        total,
    })
}

fn size(word: &[u8]) -> Result<usize, OddServer> {
    if word.is_empty() || !word.iter().all(u8::is_ascii_digit) {
        return Err(OddServer::NoNats);
    }
    // A size that is too large for a number is too large for a message, too.
    let size = number(word).and_then(|it| usize::try_from(it).ok());
    size.filter(|it| *it <= LARGEST_MESSAGE)
        .ok_or(OddServer::LargeMessage)
}

fn number(word: &[u8]) -> Option<u64> {
    std::str::from_utf8(word).ok()?.parse().ok()
}

/// Returns a subject as one word of text. Another device may write to subjects that are no text,
/// and the library takes such a line for a broken connection.
fn name(word: &[u8]) -> String {
    let odd = |it: char| it.is_whitespace() || it.is_control();
    String::from_utf8_lossy(word).replace(odd, "\u{fffd}")
}

/// Returns the reply subject of a message, if it can be used. The library calculates with the
/// numbers of a record, so they must stay below half of what a number holds. And a subject of the
/// guard's questions may come from the guard alone. Otherwise the message is kept without it:
/// another device may have chosen the subject, and must not end the connection by that.
fn reply_name(word: &[u8]) -> Option<String> {
    let reply = name(word);
    let is_number = |it: &&str| !it.is_empty() && it.bytes().all(|byte| byte.is_ascii_digit());
    let mut numbers = reply.split('.').filter(is_number);
    let is_counted = reply.starts_with(STORED);
    let is_beyond = is_counted && numbers.any(|it| it.parse::<i64>().is_err());
    let is_usable = !reply.starts_with(QUESTION) && !is_beyond;
    is_usable.then_some(reply)
}

/// Returns a refusal, `-ERR 'text'`, as one line of text that is not too long.
fn refusal(rest: &[u8]) -> String {
    let text = String::from_utf8_lossy(rest);
    let text = text.trim().trim_matches('\'');
    let text: String = text
        .chars()
        .take(LONGEST_REFUSAL)
        .map(|it| if it.is_control() { '\u{fffd}' } else { it })
        .collect();
    // Where it is cut there may be a quotation mark.
    let text = text.trim_end_matches('\'');
    format!("-ERR '{text}'\r\n")
}

#[cfg(test)]
mod tests;
