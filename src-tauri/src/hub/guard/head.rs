//! The head of a message, in a plain form. Only messages that servers answer themselves are handed
//! on with a head: a record of a stream has none that counts.

use std::fmt::Write as _;

const VERSION: &str = "NATS/1.0";

/// Returns that head with every line that the library can read; `None` if it is no head
/// (<https://github.com/nats-io/nats-architecture-and-design/blob/main/adr/ADR-4.md>).
pub(super) fn plain(head: &[u8]) -> Option<Vec<u8>> {
    let text = String::from_utf8_lossy(head);
    let mut lines = text.lines();
    let first = first_line(lines.next()?)?;
    let mut written = format!("{VERSION}{first}\r\n");
    for (name, value) in lines.filter_map(field) {
        _ = write!(written, "{name}: {value}\r\n");
    }
    written.push_str("\r\n");
    Some(written.into_bytes())
}

/// Whether a stream says by that head that it is there, or asks how far its reader has come.
pub(super) fn is_of_stream(plain: &[u8]) -> bool {
    plain.starts_with(b"NATS/1.0 100")
}

/// Returns what comes after the version: nothing, or a status and perhaps its meaning.
fn first_line(line: &str) -> Option<String> {
    let rest = line.strip_prefix(VERSION)?.trim();
    if rest.is_empty() {
        return Some(String::new());
    }
    let (status, meaning) = rest.split_once(' ').unwrap_or((rest, ""));
    let is_status = status.len() == 3 && status.bytes().all(|it| it.is_ascii_digit());
    let is_status = is_status && !status.starts_with('0');
    is_status.then(|| {
        format!(" {status} {}", clean(meaning))
            .trim_end()
            .to_owned()
    })
}

fn field(line: &str) -> Option<(&str, String)> {
    let (name, value) = line.split_once(':')?;
    let is_name = !name.is_empty() && name.bytes().all(|it| it.is_ascii_graphic());
    is_name.then(|| (name, clean(value)))
}

fn clean(text: &str) -> String {
    let clean: String = text.chars().filter(|it| !it.is_control()).collect();
    clean.trim().to_owned()
}
