//! `beckon secret set NAME`: from a prompt without echo, or from stdin. Never from the arguments.

#[cfg_attr(unix, path = "secret/unix.rs")]
#[cfg_attr(not(unix), path = "secret/windows.rs")]
mod terminal;

use super::{Context, Done, say};
use crate::channels::telegram as channel;
use crate::client::Refused;
use crate::platform::failed::Failed;
use crate::platform::secrets::{self, Secret, Trouble};
use crate::text::Value;
use anyhow::Context as _;
use std::io::{IsTerminal, Read};
use std::process::ExitCode;

pub(super) async fn set(context: &Context, name: &str) -> Done {
    let args = [("name", Value::from(name.to_owned()))];
    let secret = ask_for(context, &context.texts.with("secret-prompt", &args))?;
    store(context, name, secret).await?;
    if name == channel::SECRET {
        super::telegram::tell_running(context, "login-hidden").await?;
    }
    say(&context.texts.with("secret-stored", &args));
    Ok(ExitCode::SUCCESS)
}

/// A secret from whoever sits here, or from stdin.
pub(super) fn ask_for(context: &Context, prompt: &str) -> Result<Secret, Refused> {
    let text = if std::io::stdin().is_terminal() {
        terminal::read(prompt).context(Failed::Entry)?
    } else {
        let mut text = String::new();
        std::io::stdin().read_to_string(&mut text).context(Failed::Entry)?;
        text
    };
    match text.trim_end_matches(['\r', '\n']) {
        "" => Err(Refused::Said(context.texts.get("secret-empty"))),
        text => Ok(Secret::new(text.to_owned())),
    }
}

/// Puts it into the keychain.
pub(super) async fn store(context: &Context, name: &str, secret: Secret) -> Result<(), Refused> {
    secrets::write(name, secret).await.map_err(|trouble| out_of_reach(context, name, &trouble))
}

/// What a person reads of a keychain that does not do it.
pub(super) fn out_of_reach(context: &Context, name: &str, trouble: &Trouble) -> Refused {
    let reason = Value::from(trouble.words(name, &context.texts));
    Refused::Said(context.texts.with("secret-out-of-reach", &[("reason", reason)]))
}
