//! Secrets on their way into the keychain, or to a hub: from a prompt without echo, or from stdin. None
//! goes into the keychain from the arguments.

#[cfg_attr(unix, path = "keychain/unix.rs")]
#[cfg_attr(not(unix), path = "keychain/windows.rs")]
mod terminal;

use super::{CommandContext, piped};
use crate::platform::secrets::{self, KeychainError, Secret};
use anyhow::Context as _;
use beckon_client::connection::ClientError;
use beckon_client::json;
use beckon_client::platform::failure::SystemFailure;
use beckon_client::text::Value;
use beckon_client::text::words;
use std::io::{self, IsTerminal};
use std::time::Duration;

/// How long to wait after a line for more lines.
const AFTER_LINE: Duration = Duration::from_millis(300);
/// How long to wait after a part of a line: a program that hands over a secret without a line's end
/// closes the pipe after it.
const SILENCE: Duration = Duration::from_secs(10);

/// Returns a secret from the user, or from stdin; `none` is the text if nothing comes.
pub(super) fn ask_for(
    context: &CommandContext,
    prompt: &str,
    none: &str,
) -> Result<Secret, ClientError> {
    let text = if std::io::stdin().is_terminal() {
        terminal::read(prompt).context(SystemFailure::Entry)?
    } else {
        piped_secret().context(SystemFailure::Entry)?
    };
    match text.trim_end_matches(['\r', '\n']) {
        "" => Err(ClientError::Said(context.texts.get(none))),
        text => Ok(Secret::new(text.to_owned())),
    }
}

/// Reads a secret that another program hands over. One that stops in the middle of a line is
/// refused: half a password in the keychain would look like a wrong one.
fn piped_secret() -> io::Result<String> {
    let message = piped::read_lines(AFTER_LINE, SILENCE)?;
    if message.unfinished {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }

    let text = json::decoded(&message.bytes);
    text.ok_or_else(|| io::ErrorKind::InvalidData.into())
}

/// Puts a secret into the keychain.
pub(super) async fn store(
    context: &CommandContext,
    name: &str,
    secret: Secret,
) -> Result<(), ClientError> {
    secrets::write(name, secret)
        .await
        .map_err(|trouble| out_of_reach(context, name, &trouble))
}

/// Returns the error for a person about a keychain that does not work.
pub(super) fn out_of_reach(
    context: &CommandContext,
    name: &str,
    trouble: &KeychainError,
) -> ClientError {
    let reason = Value::from(words::keychain(&context.texts, trouble, name));
    ClientError::Said(
        context
            .texts
            .with("secret-out-of-reach", &[("reason", reason)]),
    )
}
