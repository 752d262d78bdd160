//! What the library says to the server, read for two things only: to which subjects it publishes, and
//! which subscriptions it ends. It is our own, so nothing of it is doubted.
//!
//! Here is no IO.

/// What was said.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Said {
    /// Something was published to that subject.
    Published(String),
    /// That subscription is over.
    Unsubscribed(u64),
}

/// Reads what the library says, as it comes.
#[derive(Debug, Default)]
pub(super) struct OutgoingReader {
    line: Vec<u8>,
    /// So many bytes of a message still come.
    body: usize,
}

impl OutgoingReader {
    /// Everything that was said in these bytes.
    pub(super) fn read(&mut self, mut bytes: &[u8]) -> Vec<Said> {
        let mut said = Vec::new();
        while !bytes.is_empty() {
            let skipped = self.body.min(bytes.len());
            self.body -= skipped;
            bytes = &bytes[skipped..];
            let Some(end) = memchr::memchr(b'\n', bytes) else {
                self.line.extend_from_slice(bytes);
                break;
            };
            self.line.extend_from_slice(&bytes[..end]);
            bytes = &bytes[end + 1..];
            said.extend(self.read_line());
            self.line.clear();
        }
        said
    }

    fn read_line(&mut self) -> Option<Said> {
        let line = std::str::from_utf8(&self.line).ok()?.trim_end();
        let mut words = line.split(' ');
        let verb = words.next()?;
        let name = words.next()?;
        match verb {
            "PUB" | "HPUB" => {
                let size: usize = words.next_back()?.parse().ok()?;
                self.body = size + "\r\n".len();
                Some(Said::Published(name.to_owned()))
            }
            // One that is to end after so many more is not over yet.
            "UNSUB" if words.next().is_none() => name.parse().ok().map(Said::Unsubscribed),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_read_alike_wherever_it_is_cut() {
        let text = b"PING\r\nPUB a.b 5\r\nPUB x\r\nHPUB $JS.FC.x reply 2 4\r\nab\r\n\r\nUNSUB 7 3\r\nUNSUB 8\r\nPUB c 0\r\n\r\n";
        let published = |subject: &str| Said::Published(subject.into());
        let all = [
            published("a.b"),
            published("$JS.FC.x"),
            Said::Unsubscribed(8),
            published("c"),
        ];
        for piece in 1..=text.len() {
            let mut reader = OutgoingReader::default();
            let said: Vec<Said> = text.chunks(piece).flat_map(|it| reader.read(it)).collect();
            assert_eq!(said, all, "in pieces of {piece}");
        }
    }
}
