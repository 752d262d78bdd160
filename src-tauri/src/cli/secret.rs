//! `beckon secret set NAME`: from a prompt without echo, or from stdin. Never from the arguments.

use super::{Context, Done, say};
use crate::client::Refused;
use crate::secrets::{self, Secret};
use crate::texts::Value;
use anyhow::{Context as _, anyhow};
use std::io::{IsTerminal, Read};
use std::process::ExitCode;

pub(super) async fn set(context: &Context, name: &str) -> Done {
    let args = [("name", Value::from(name.to_owned()))];
    let secret = ask_for(context, &context.texts.with("secret-prompt", &args))?;
    store(name, secret).await?;
    say(&context.texts.with("secret-stored", &args));
    Ok(ExitCode::SUCCESS)
}

/// A secret from whoever sits here, or from stdin.
pub(super) fn ask_for(context: &Context, prompt: &str) -> Result<Secret, Refused> {
    let text = if std::io::stdin().is_terminal() {
        rpassword::prompt_password(prompt).context("Failed to read the secret")?
    } else {
        let mut text = String::new();
        std::io::stdin().read_to_string(&mut text).context("Failed to read the secret")?;
        text
    };
    match text.trim_end_matches(['\r', '\n']) {
        "" => Err(anyhow!(context.texts.get("secret-empty")).into()),
        text => Ok(Secret::new(text.to_owned())),
    }
}

/// Puts it into the keychain.
pub(super) async fn store(name: &str, secret: Secret) -> Result<(), Refused> {
    Ok(secrets::write(name, secret).await?)
}
