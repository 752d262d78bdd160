//! Secrets on their way into the keychain, or to a hub: from a prompt without echo, or from stdin. None
//! goes into the keychain from the arguments.

#[cfg_attr(unix, path = "keychain/unix.rs")]
#[cfg_attr(not(unix), path = "keychain/windows.rs")]
mod terminal;

use super::CommandContext;
use crate::platform::secrets::{self, KeychainError, Secret};
use anyhow::Context as _;
use beckon_client::connection::ClientError;
use beckon_client::platform::failure::SystemFailure;
use beckon_client::text::Value;
use beckon_client::text::words;
use std::io::{IsTerminal, Read};

/// A secret from whoever sits here, or from stdin; with what is said where nothing comes.
pub(super) fn ask_for(
    context: &CommandContext,
    prompt: &str,
    none: &str,
) -> Result<Secret, ClientError> {
    let text = if std::io::stdin().is_terminal() {
        terminal::read(prompt).context(SystemFailure::Entry)?
    } else {
        let mut text = String::new();
        std::io::stdin()
            .read_to_string(&mut text)
            .context(SystemFailure::Entry)?;
        text
    };
    match text.trim_end_matches(['\r', '\n']) {
        "" => Err(ClientError::Said(context.texts.get(none))),
        text => Ok(Secret::new(text.to_owned())),
    }
}

/// Puts it into the keychain.
pub(super) async fn store(
    context: &CommandContext,
    name: &str,
    secret: Secret,
) -> Result<(), ClientError> {
    secrets::write(name, secret)
        .await
        .map_err(|trouble| out_of_reach(context, name, &trouble))
}

/// What a person reads of a keychain that does not do it.
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
