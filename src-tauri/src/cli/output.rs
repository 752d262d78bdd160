//! The output of commands, and whether it could be written: an answer that nobody could read is
//! none.
//!
//! Not here: the words.

use crate::platform::stdout;
use beckon_core::visible::{is_unprintable, prose};
use std::fmt::Write as _;
use std::process::ExitCode;
use std::sync::OnceLock;
use std::time::Duration;

/// The pause between two looks at who reads.
const LOOK_AGAIN: Duration = Duration::from_millis(500);

/// The first write to stdout that failed. A command has a process of its own, so one variable is
/// enough.
static FAILURE: OnceLock<std::io::Error> = OnceLock::new();

/// Prints a line for a person.
pub(super) fn say(line: &str) {
    say_raw(&harmless(line));
}

/// Returns a line that cannot steer the terminal with an agent's text: control characters are
/// named, and further lines are indented so that none can pose as one of ours.
pub(super) fn harmless(line: &str) -> String {
    prose(line)
        .text
        .replace("\r\n", "\n")
        .replace('\n', "\n      ")
}

/// Prints a value for a program.
pub(super) fn say_json<T: serde::Serialize>(value: &T) {
    say_json_text(&serde_json::to_string_pretty(value).unwrap_or_default());
}

/// Prints JSON. It escapes the control characters of ASCII by itself. The others are escaped too,
/// so that they cannot deceive a human who looks at it in a terminal; every reader makes the same
/// text of it.
pub(super) fn say_json_text(json: &str) {
    say_raw(&escaped(json));
}

pub(super) fn escaped(json: &str) -> String {
    let mut text = String::with_capacity(json.len());
    for c in json.chars() {
        let is_escaped = !c.is_ascii_control() && is_unprintable(c) || c == '\u{7f}';
        if !is_escaped {
            text.push(c);
            continue;
        }
        for unit in c.encode_utf16(&mut [0; 2]) {
            let _ = write!(text, "\\u{unit:04x}");
        }
    }
    text
}

/// Prints a line as it is.
pub(super) fn say_raw(line: &str) {
    use std::io::{self, Write};
    let mut output = io::stdout();
    let written = if stdout::was_closed() {
        Err(io::Error::new(
            io::ErrorKind::NotConnected,
            "stdout is closed",
        ))
    } else {
        writeln!(output, "{line}").and_then(|()| output.flush())
    };
    if let Err(error) = written {
        // Only the first error is of interest.
        let _ = FAILURE.set(error);
    }
}

/// Returns why something could not be written, if so: the reader is gone, or the disk is full.
pub(super) fn failure() -> Option<&'static std::io::Error> {
    FAILURE.get()
}

/// Whether nobody reads the output any more; then it counts as not written.
pub(super) fn has_lost_its_reader() -> bool {
    let is_lost = stdout::has_lost_its_reader();
    if is_lost {
        let _ = FAILURE.set(std::io::ErrorKind::BrokenPipe.into());
    }
    is_lost
}

/// Waits until the reader has gone, as with `beckon watch | head -1`: there may be nothing to print
/// for hours, and the shell waits.
pub(super) async fn reader_goes() {
    while !has_lost_its_reader() {
        tokio::time::sleep(LOOK_AGAIN).await;
    }
}

/// Waits until the client of a conversation has gone, which is its ordinary end: nothing counts as not
/// written.
pub(super) async fn client_goes() {
    while !stdout::has_lost_its_reader() {
        tokio::time::sleep(LOOK_AGAIN).await;
    }
}

/// Prints on stderr why something was not done.
pub(super) fn fail(line: &str, code: u8) -> ExitCode {
    use std::io::Write;
    let _ = writeln!(std::io::stderr(), "{}", harmless(line));
    ExitCode::from(code)
}
