//! What is typed at a Windows console without being shown. A console shows what is typed only once it
//! is read, so a prompt before that shows nothing.

use std::io;

/// The line typed after the prompt.
pub(super) fn read(prompt: &str) -> io::Result<String> {
    rpassword::prompt_password(prompt)
}
