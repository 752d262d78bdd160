//! The few values of a message that have to be known exactly as they came: its id, its progress
//! token, and the id of a request that it gives up. JSON-RPC lets an id be any number, and most
//! readers keep neither `1.5e3` nor 30 digits.
//!
//! They are looked for while the bytes come in, so that a line that is too long to be kept is
//! answered by its id all the same, even if that is at its end.
//!
//! Not here: what the message means, and whether it is JSON at all.

use serde_json::value::RawValue;

/// The longest id that is sent back.
const LONGEST_VALUE: usize = 64 * 1024;
/// The mark for a value that is longer; no JSON begins with it.
const TOO_LONG: &[u8] = b"?";
/// The depth of the progress token: `params._meta.progressToken`.
const DEEPEST: usize = 3;

/// A reader of brackets, strings and names, which keeps the values that are looked for.
#[derive(Debug, Default)]
pub(super) struct Envelope {
    depth: usize,
    in_string: bool,
    escaped: bool,
    has_ended: bool,
    /// The string or word that is being read, or was read last.
    word: Vec<u8>,
    /// The name of the field that is being read, by depth.
    names: [String; DEEPEST],
    id: Option<Vec<u8>>,
    progress_token: Option<Vec<u8>>,
    given_up: Option<Vec<u8>>,
    is_request: bool,
    is_answer: bool,
}

impl Envelope {
    /// Reads a whole message.
    pub(super) fn of(message: &[u8]) -> Self {
        let mut envelope = Self::default();
        envelope.take(message);
        envelope
    }

    /// Takes the next piece of the message.
    pub(super) fn take(&mut self, piece: &[u8]) {
        for byte in piece {
            if self.has_ended {
                return;
            }
            if self.in_string {
                self.take_in_string(*byte);
            } else {
                self.take_outside(*byte);
            }
        }
    }

    /// Returns the id as it is written, if it may be one: a number or a text.
    pub(super) fn id(&self) -> Option<Box<RawValue>> {
        as_written(self.id.as_deref()?)
    }

    /// Returns the progress token as it is written.
    pub(super) fn progress_token(&self) -> Option<Box<RawValue>> {
        as_written(self.progress_token.as_deref()?)
    }

    /// Returns the id of the request that is given up, as it is written.
    pub(super) fn given_up(&self) -> Option<Box<RawValue>> {
        as_written(self.given_up.as_deref()?)
    }

    /// Whether it has an id that means something: `null` is as good as none.
    pub(super) fn has_id(&self) -> bool {
        self.id.as_deref().is_some_and(|id| id != b"null")
    }

    /// Whether its sender answers, and so waits for nothing.
    pub(super) fn is_answer(&self) -> bool {
        self.is_answer && !self.is_request
    }

    fn take_in_string(&mut self, byte: u8) {
        self.keep(byte);
        if self.escaped {
            self.escaped = false;
            return;
        }
        match byte {
            b'\\' => self.escaped = true,
            b'"' => self.in_string = false,
            _ => {}
        }
    }

    fn take_outside(&mut self, byte: u8) {
        match byte {
            b'"' => {
                self.word.clear();
                self.keep(byte);
                self.in_string = true;
            }
            b'{' | b'[' => self.open(byte),
            b'}' | b']' => self.close(byte),
            b':' => self.end_name(),
            b',' => self.end_value(),
            _ if byte.is_ascii_whitespace() => {}
            _ => self.keep(byte),
        }
    }

    fn keep(&mut self, byte: u8) {
        let is_looked_at = (1..=DEEPEST).contains(&self.depth);
        if is_looked_at && self.word.len() <= LONGEST_VALUE {
            self.word.push(byte);
        }
    }

    fn open(&mut self, bracket: u8) {
        self.depth += 1;
        // A bracket is no id: it is kept as a word of its own, so that the word before it does not
        // count.
        self.word = vec![bracket];
        if let Some(name) = self.names.get_mut(self.depth - 1) {
            name.clear();
        }
        if self.depth == 1 {
            self.word.clear();
        }
    }

    fn close(&mut self, bracket: u8) {
        self.end_value();
        if let Some(name) = self.names.get_mut(self.depth.saturating_sub(1)) {
            name.clear();
        }
        self.depth = self.depth.saturating_sub(1);
        self.has_ended = self.depth == 0;
        self.word = vec![bracket];
    }

    fn end_name(&mut self) {
        let word = std::mem::take(&mut self.word);
        let Some(name) = self.names.get_mut(self.depth.wrapping_sub(1)) else {
            return;
        };
        *name = serde_json::from_slice(&word)
            .unwrap_or_else(|_| String::from_utf8_lossy(&word).into_owned());

        if self.depth == 1 {
            self.is_request |= name == "method";
            self.is_answer |= name == "result" || name == "error";
        }
    }

    fn end_value(&mut self) {
        let mut word = std::mem::take(&mut self.word);
        if word.is_empty() {
            return;
        }
        if word.len() > LONGEST_VALUE {
            // A part of an id would be another id.
            word = TOO_LONG.to_vec();
        }

        let names = self.names.each_ref().map(String::as_str);
        match (self.depth, names) {
            (1, ["id", ..]) => self.id = Some(word),
            (2, ["params", "requestId", ..]) => self.given_up = Some(word),
            (3, ["params", "_meta", "progressToken"]) => self.progress_token = Some(word),
            _ => {}
        }
    }
}

fn as_written(word: &[u8]) -> Option<Box<RawValue>> {
    let begins_as_one = word
        .first()
        .is_some_and(|byte| matches!(byte, b'"' | b'-' | b'0'..=b'9'));
    if !begins_as_one {
        return None;
    }

    let text = str::from_utf8(word).ok()?;
    RawValue::from_string(text.to_owned()).ok()
}
