//! The reader of what the library sends to the server. It looks for four things: which questions
//! of the guard the library answers (`flow.rs`), which subscriptions it begins and ends, what it
//! asks (`unasked.rs`), and its answers to pings. The library is part of this program, so its bytes
//! are trusted.
//!
//! No IO happens here.

use super::operations::QUESTION;

/// An operation of the library that the guard looks for.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Said {
    /// The library has processed all messages up to the question of that number.
    Answered(u64),
    /// The subscription of that number begins.
    Subscribed(u64),
    /// The subscription of that number has ended.
    Unsubscribed(u64),
    /// The library asks something that the server answers.
    Asked,
    /// An answer to a ping.
    Pong,
}

/// A reader of the library's bytes, as they come.
#[derive(Debug, Default)]
pub(super) struct OutgoingReader {
    line: Vec<u8>,
    /// The number of bytes of the current message that are still to come.
    body: usize,
    /// Whether the message is an answer to the guard, and so not passed to the server.
    is_ours: bool,
}

impl OutgoingReader {
    /// Returns the operations in these bytes. Whatever goes on to the server is appended to
    /// `passed`, in whole lines.
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
        match verb {
            "PONG" => return Some(Said::Pong),
            "PING" => return Some(Said::Asked),
            _ => {}
        }
        let name = words.next()?;
        match verb {
            "PUB" | "HPUB" => {
                let size: usize = words.next_back()?.parse().ok()?;
                self.body = size + "\r\n".len();
                if let Some(number) = name.strip_prefix(QUESTION) {
                    self.is_ours = true;
                    return number.parse().ok().map(Said::Answered);
                }
                // Before the sizes there is the subject for the answer, if one is wanted.
                let sizes_left = usize::from(verb == "HPUB");
                (words.count() > sizes_left).then_some(Said::Asked)
            }
            "SUB" => words.next_back()?.parse().ok().map(Said::Subscribed),
            // A subscription with a maximum of messages is not over yet.
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
            "PING\r\nPUB a.b 5\r\nPUB x\r\nSUB x 7\r\nSUB y group 8\r\nPUB a reply 0\r\n\r\n",
            "PUB _BECKON.READ.7 0\r\n\r\nHPUB a.b 2 4\r\nab\r\n\r\n",
            "HPUB $JS.FC.x reply 2 4\r\nab\r\n\r\nUNSUB 7 3\r\nUNSUB 8\r\n",
            "HPUB _BECKON.READ.8 2 7\r\nab\r\ncd\n\r\nPONG\r\nPUB c 0\r\n\r\n",
        );
        let goes_on = concat!(
            "PING\r\nPUB a.b 5\r\nPUB x\r\nSUB x 7\r\nSUB y group 8\r\nPUB a reply 0\r\n\r\n",
            "HPUB a.b 2 4\r\nab\r\n\r\n",
            "HPUB $JS.FC.x reply 2 4\r\nab\r\n\r\nUNSUB 7 3\r\nUNSUB 8\r\n",
            "PONG\r\nPUB c 0\r\n\r\n",
        );
        let all = [
            Said::Asked,
            Said::Subscribed(7),
            Said::Subscribed(8),
            Said::Asked,
            Said::Answered(7),
            Said::Asked,
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
