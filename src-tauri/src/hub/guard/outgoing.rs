//! The reader of what the library sends to the server, for a few things only: which of the guard's
//! questions it answers (`flow.rs`), which subscriptions it ends, and that it is there. The library
//! is part of this program, so its bytes are trusted.
//!
//! Here is no IO.

use super::operations::QUESTION;

/// An operation of the library that the guard looks for.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Said {
    /// A reader has come to that question.
    Answered(u64),
    /// A subscription has ended.
    Unsubscribed(u64),
    /// The library is there: it answers a ping.
    Pong,
}

/// Reads what the library says, as it comes.
#[derive(Debug, Default)]
pub(super) struct OutgoingReader {
    line: Vec<u8>,
    /// The number of bytes of a message that still come.
    body: usize,
    /// Whether the message is for the guard, and not passed to the server.
    is_ours: bool,
}

impl OutgoingReader {
    /// Returns the operations in these bytes. What goes on to the server is appended to `passed`,
    /// in whole lines.
    pub(super) fn read(&mut self, mut bytes: &[u8], passed: &mut Vec<u8>) -> Vec<Said> {
        let mut said = Vec::new();
        while !bytes.is_empty() {
            bytes = self.skip_body(bytes, passed);
            let Some(end) = memchr::memchr(b'\n', bytes) else {
                self.line.extend_from_slice(bytes);
                break;
            };
            let (line, rest) = bytes.split_at(end + 1);
            self.line.extend_from_slice(line);
            bytes = rest;
            said.extend(self.read_line());
            if !self.is_ours {
                passed.extend_from_slice(&self.line);
            }
            self.line.clear();
        }
        said
    }

    fn skip_body<'a>(&mut self, bytes: &'a [u8], passed: &mut Vec<u8>) -> &'a [u8] {
        let (body, rest) = bytes.split_at(self.body.min(bytes.len()));
        self.body -= body.len();
        if !self.is_ours {
            passed.extend_from_slice(body);
        }
        rest
    }

    fn read_line(&mut self) -> Option<Said> {
        self.is_ours = false;
        let line = std::str::from_utf8(&self.line).ok()?.trim_end();
        let mut words = line.split(' ');
        let verb = words.next()?;
        if verb == "PONG" {
            return Some(Said::Pong);
        }
        let name = words.next()?;
        match verb {
            "PUB" | "HPUB" => {
                let size: usize = words.next_back()?.parse().ok()?;
                self.body = size + "\r\n".len();
                let number = name.strip_prefix(QUESTION)?;
                self.is_ours = true;
                number.parse().ok().map(Said::Answered)
            }
            // A subscription that is to end after a number of messages is not over yet.
            "UNSUB" if words.next().is_none() => name.parse().ok().map(Said::Unsubscribed),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_read_alike_wherever_it_is_cut_and_answers_to_the_guard_stay_here() {
        let text = concat!(
            "PING\r\nPUB a.b 5\r\nPUB x\r\n",
            "PUB _BECKON.READ.7 0\r\n\r\n",
            "HPUB $JS.FC.x reply 2 4\r\nab\r\n\r\nUNSUB 7 3\r\nUNSUB 8\r\n",
            "HPUB _BECKON.READ.8 2 7\r\nab\r\ncd\n\r\nPONG\r\nPUB c 0\r\n\r\n",
        );
        let goes_on = concat!(
            "PING\r\nPUB a.b 5\r\nPUB x\r\n",
            "HPUB $JS.FC.x reply 2 4\r\nab\r\n\r\nUNSUB 7 3\r\nUNSUB 8\r\n",
            "PONG\r\nPUB c 0\r\n\r\n",
        );
        let all = [
            Said::Answered(7),
            Said::Unsubscribed(8),
            Said::Answered(8),
            Said::Pong,
        ];
        for piece in 1..=text.len() {
            let mut reader = OutgoingReader::default();
            let mut passed = Vec::new();
            let said: Vec<Said> = text
                .as_bytes()
                .chunks(piece)
                .flat_map(|it| reader.read(it, &mut passed))
                .collect();
            assert_eq!(said, all, "in pieces of {piece}");
            assert_eq!(
                String::from_utf8_lossy(&passed),
                goes_on,
                "in pieces of {piece}"
            );
        }
    }
}
