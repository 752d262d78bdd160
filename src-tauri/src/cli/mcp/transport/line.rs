//! The content of a client's line. Pure.
//!
//! Not here: which requests are under way.

use super::envelope::Envelope;
use super::handshake;
use beckon_client::json;
use serde_json::value::RawValue;
use serde_json::{Value, json};

/// The most messages of a batch; a longer one is refused as a whole.
const LARGEST_BATCH: usize = 1_000;

/// The content of a line, or one message of a batch.
#[derive(Debug)]
pub(super) enum Line {
    /// A message whose sender waits for an answer.
    Request(Box<Request>),
    /// A message whose sender waits for no answer.
    Told(Told),
    /// Something that may be a request and can't be read: its sender is told so.
    Unreadable(UnreadableCall),
    /// Several messages that are answered together (JSON-RPC 2.0, section 6).
    Batch(Vec<Self>),
    /// Nothing that waits for an answer.
    Nothing,
}

/// A request.
#[derive(Debug)]
pub(super) struct Request {
    pub(super) message: Value,
    /// The id exactly as its sender wrote it.
    pub(super) id: Box<RawValue>,
    /// The token by which its sender wants to be told that it goes on, as written.
    pub(super) progress_token: Option<Box<RawValue>>,
}

/// A notification, or an answer.
#[derive(Debug)]
pub(super) struct Told {
    pub(super) message: Value,
    /// The id of the request that is given up by it, as written.
    pub(super) given_up: Option<Box<RawValue>>,
}

/// The facts about a call that gets an error in place of an answer.
#[derive(Clone, Debug)]
pub(super) struct UnreadableCall {
    /// The id; `None` if none could be found.
    pub(super) id: Option<Box<RawValue>>,
    pub(super) reason: Unreadable,
}

/// The fault of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unreadable {
    /// The text is no whole JSON.
    Broken,
    /// The line is longer than is kept.
    TooLong,
    /// JSON, but no message.
    NoMessage,
    /// A call of a tool that it doesn't name.
    NoTool,
}

/// Reads a line of which the envelope of the first message is known. Some clients write two
/// messages without a line's end between them: each is read by itself.
pub(super) fn read_lines(line: &[u8], first: &Envelope) -> Vec<Line> {
    let messages = messages_of(line);
    let read = |(place, message): (usize, &&[u8])| match place {
        0 => read_line(message, first),
        _ => read_line(message, &Envelope::of(message)),
    };
    messages.iter().enumerate().map(read).collect()
}

/// Returns the messages of which a line consists. A message ends before another one only if it is
/// whole JSON by itself: of a text with an unescaped quote it is unknown where it ends.
fn messages_of(line: &[u8]) -> Vec<&[u8]> {
    let mut messages = Vec::new();
    let mut rest = line;
    while let Some((message, more)) = whole_message(rest) {
        messages.push(message);
        rest = more;
    }
    messages.push(rest);
    messages
}

/// Splits off the first message, if another one follows it.
fn whole_message(line: &[u8]) -> Option<(&[u8], &[u8])> {
    let begins = |part: &[u8]| matches!(part.first(), Some(b'{' | b'['));
    if !begins(line.trim_ascii_start()) {
        return None;
    }

    let mut values = serde_json::Deserializer::from_slice(line).into_iter::<&RawValue>();
    values.next()?.ok()?;
    let (message, rest) = line.split_at(values.byte_offset());
    let rest = rest.trim_ascii_start();
    begins(rest).then_some((message, rest))
}

fn read_line(line: &[u8], envelope: &Envelope) -> Line {
    let Some(read) = json::read(line) else {
        return no_json(line);
    };
    match read.value {
        Value::Array(_) if read.flaws.hide_something() => unreadable(None, Unreadable::Broken),
        Value::Array(items) => read_batch(line, &items),
        Value::Object(_) => {
            let is_broken = read.flaws.hide_something();
            read_message(line, envelope, read.value, is_broken)
        }
        _ if is_json(line) => unreadable(None, Unreadable::NoMessage),
        _ => no_json(line),
    }
}

fn is_json(line: &[u8]) -> bool {
    serde_json::from_slice::<&RawValue>(line).is_ok()
}

/// Returns what follows from words that are no JSON: they may be a message that went wrong, so
/// their sender is told (JSON-RPC 2.0, section 5). The heads of a language server's messages are
/// ignored.
fn no_json(line: &[u8]) -> Line {
    let text = line.trim_ascii();
    let is_head = text.len() > 8 && text[..8].eq_ignore_ascii_case(b"content-");
    if text.is_empty() || is_head {
        return Line::Nothing;
    }
    unreadable(None, Unreadable::Broken)
}

/// Returns what follows from a line that was too long to be kept.
pub(super) fn read_overlong(envelope: &Envelope) -> Line {
    if envelope.is_answer() {
        return Line::Nothing;
    }
    unreadable(envelope.id(), Unreadable::TooLong)
}

fn read_message(line: &[u8], envelope: &Envelope, mut message: Value, is_broken: bool) -> Line {
    if envelope.is_answer() {
        return told(message, envelope);
    }
    if is_broken {
        // An id at the very end may be half of one, so only one that was ended counts.
        return unreadable(envelope.id(), Unreadable::Broken);
    }

    mend_params(&mut message);
    handshake::mend(&mut message);
    mend_arguments(&mut message, line);
    mend_call(&mut message);
    let id = envelope.id().or_else(|| read_id(&message));
    let Some(id) = id else {
        return read_without_id(message, envelope);
    };
    if message["method"] == "tools/call" && !message["params"]["name"].is_string() {
        return unreadable(Some(id), Unreadable::NoTool);
    }
    Line::Request(Box::new(Request {
        message,
        id,
        progress_token: envelope.progress_token(),
    }))
}

/// Reads a message without an id that could be sent back. Some clients write `"id": null` into a
/// notification.
fn read_without_id(mut message: Value, envelope: &Envelope) -> Line {
    let Some(method) = message["method"].as_str() else {
        return unreadable(None, Unreadable::NoMessage);
    };
    let is_call = !method.starts_with("notifications/");
    let wants_answer = envelope.has_id() || message.get("id").is_some() && is_call;
    if wants_answer {
        return unreadable(None, Unreadable::NoMessage);
    }

    if let Some(fields) = message.as_object_mut() {
        fields.remove("id");
    }
    told(message, envelope)
}

fn told(message: Value, envelope: &Envelope) -> Line {
    Line::Told(Told {
        message,
        given_up: envelope.given_up(),
    })
}

/// Returns the id as the JSON reader understood it, if it could not be found as written.
fn read_id(message: &Value) -> Option<Box<RawValue>> {
    let id = message.get("id")?;
    let may_be_one = id.is_number() || id.is_string();
    may_be_one.then(|| RawValue::from_string(id.to_string()).ok())?
}

fn read_batch(line: &[u8], items: &[Value]) -> Line {
    if items.is_empty() {
        return unreadable(None, Unreadable::NoMessage);
    }
    if items.len() > LARGEST_BATCH {
        return unreadable(None, Unreadable::TooLong);
    }

    // Each message is read as it is written; in a batch that had to be mended, as it was
    // understood.
    let texts = match serde_json::from_slice::<Vec<&RawValue>>(line) {
        Ok(written) => written.iter().map(|item| item.get().to_owned()).collect(),
        Err(_) => items.iter().map(Value::to_string).collect::<Vec<_>>(),
    };
    Line::Batch(texts.iter().map(|text| read_of_batch(text)).collect())
}

fn read_of_batch(text: &str) -> Line {
    let is_message = text.starts_with('{');
    if !is_message {
        return unreadable(None, Unreadable::NoMessage);
    }
    read_line(text.as_bytes(), &Envelope::of(text.as_bytes()))
}

fn unreadable(id: Option<Box<RawValue>>, reason: Unreadable) -> Line {
    Line::Unreadable(UnreadableCall { id, reason })
}

/// Removes empty parameters: they may be written as `null`, and by PHP as an empty list
/// (<https://github.com/lizqwerscott/mcp.el/issues/85>,
/// <https://github.com/elgorro/aiquila/issues/442>). So may what is said about them in `_meta`.
fn mend_params(message: &mut Value) {
    leave_out_empty(message, "params");
    if let Some(params) = message.get_mut("params") {
        leave_out_empty(params, "_meta");
    }
}

fn leave_out_empty(fields: &mut Value, name: &str) {
    let field = fields.get(name);
    let is_empty = field.is_some_and(|field| field.is_null() || *field == json!([]));
    if let Some(fields) = fields.as_object_mut().filter(|_| is_empty) {
        fields.remove(name);
    }
}

/// Reads the arguments of a call with the digits that their writer used, since a number may be a
/// label. Some clients send them as JSON in a text.
fn mend_arguments(message: &mut Value, line: &[u8]) {
    let as_written = json::read_verbatim(line);
    let written = as_written
        .as_ref()
        .and_then(|read| read.value.pointer("/params/arguments"));
    let Some(arguments) = message.pointer_mut("/params/arguments") else {
        return;
    };
    if let Some(written) = written {
        *arguments = written.clone();
    }

    let Value::String(text) = arguments else {
        return;
    };
    let read = match text.trim() {
        "" | "null" => Some(Value::Null),
        text => json::read_verbatim(text.as_bytes())
            .filter(|read| read.flaws == json::Flaws::default())
            .map(|read| read.value),
    };
    if let Some(read) = read.filter(|read| read.is_object() || read.is_null()) {
        *arguments = read;
    }
}

/// Makes a call of a tool one that the library accepts: arguments that are no object become an
/// empty one, so that the tool itself says what is missing and shows a right call. A single object
/// in a list is meant itself.
fn mend_call(message: &mut Value) {
    if message["method"] != "tools/call" {
        return;
    }
    let Some(arguments) = message["params"].get_mut("arguments") else {
        return;
    };
    let meant = match arguments.take() {
        Value::Array(mut items) if items.len() == 1 && items[0].is_object() => items.remove(0),
        given @ (Value::Object(_) | Value::Null) => given,
        _ => json!({}),
    };
    *arguments = meant;
}
