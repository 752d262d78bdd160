//! The reader of a Windows console without echo. A console shows what is typed only when it is
//! read, so nothing is shown before the prompt.

use std::io;

/// Reads the line typed after the prompt.
pub(super) fn read(prompt: &str) -> io::Result<String> {
    rpassword::prompt_password(prompt)
}
