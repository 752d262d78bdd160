//! The frames of clients that write as to a language server: a head with the length of the body, a
//! blank line, the body (<https://microsoft.github.io/language-server-protocol/specifications/lsp/3.17/specification/#baseProtocol>).
//! MCP has lines instead, but such clients are in use
//! (<https://github.com/modelcontextprotocol/python-sdk/issues/2546>), and want frames back.
//!
//! Not here: what the bodies mean.

/// The beginning of each line of a head.
const HEAD: &[u8] = b"content-";
/// The line of the head that tells the body's length.
const LENGTH: &[u8] = b"content-length:";

/// The place in what a client writes.
#[derive(Debug, Default)]
pub(super) struct Frames {
    /// The length of which the head has told.
    told: Option<usize>,
    /// The bytes of the body that are still to come, if a body has begun.
    rest: Option<usize>,
}

impl Frames {
    /// Returns the length of the next piece of those bytes: up to a line's end, or to the body's.
    pub(super) fn piece(&self, available: &[u8]) -> usize {
        match self.rest {
            Some(rest) => rest.min(available.len()),
            None => available
                .iter()
                .position(|byte| *byte == b'\n')
                .map_or(available.len(), |end| end + 1),
        }
    }

    /// Takes a piece. Returns true if a line, or a body, ends with it.
    pub(super) fn ends_with(&mut self, piece: &[u8]) -> bool {
        match &mut self.rest {
            Some(rest) => {
                *rest -= piece.len().min(*rest);
                *rest == 0
            }
            None => piece.ends_with(b"\n"),
        }
    }

    /// Takes a whole line, or body; `None` if it was too long to be kept. Returns true if it belongs
    /// to a head, and is no message.
    pub(super) fn take_head(&mut self, line: Option<&[u8]>) -> bool {
        let is_body = self.rest.take().is_some();
        let Some(line) = line.filter(|_| !is_body).map(<[u8]>::trim_ascii) else {
            return false;
        };
        if line.is_empty() {
            self.rest = self.told.take().filter(|length| *length > 0);
            return true;
        }

        let begins = |word: &[u8]| {
            let beginning = line.get(..word.len());
            beginning.is_some_and(|it| it.eq_ignore_ascii_case(word))
        };
        if begins(LENGTH) {
            let number = str::from_utf8(&line[LENGTH.len()..]).ok();
            self.told = number.and_then(|number| number.trim().parse().ok());
        } else if !begins(HEAD) {
            // A client that writes heads and lines as well.
            self.told = None;
        }
        begins(HEAD)
    }

    /// Whether a body has begun, so that this client reads frames as well.
    pub(super) fn are_used(&self) -> bool {
        self.rest.is_some()
    }
}

/// Returns a message as a frame.
pub(super) fn framed(message: &str) -> String {
    format!("Content-Length: {}\r\n\r\n{message}", message.len())
}
