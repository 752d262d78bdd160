//! `beckon secret set NAME`: from a prompt without echo, or from stdin. Never from the arguments.

use super::{Context, Done, say};
use crate::secrets::{self, Secret};
use crate::texts::Value;
use anyhow::{Context as _, anyhow};
use std::io::{IsTerminal, Read};
use std::process::ExitCode;

pub(super) async fn set(context: &Context, name: &str) -> Done {
    let args = [("name", Value::from(name.to_owned()))];
    let text = if std::io::stdin().is_terminal() {
        rpassword::prompt_password(context.texts.with("secret-prompt", &args))
            .context("Failed to read the secret")?
    } else {
        let mut text = String::new();
        std::io::stdin().read_to_string(&mut text).context("Failed to read the secret")?;
        text.trim_end_matches(['\r', '\n']).to_owned()
    };
    if text.is_empty() {
        return Err(anyhow!(context.texts.get("secret-empty")).into());
    }
    secrets::write(name, Secret::new(text)).await?;
    say(&context.texts.with("secret-stored", &args));
    Ok(ExitCode::SUCCESS)
}
