//! `beckon secret set NAME`.

use super::keychain::{ask_for, store};
use super::{CommandContext, CommandResult, say};
use crate::channels::telegram as channel;
use beckon_client::text::Value;
use std::process::ExitCode;

pub(super) async fn set(context: &CommandContext, name: &str) -> CommandResult {
    let args = [("name", Value::from(name.to_owned()))];
    let secret = ask_for(context, &context.texts.with("secret-prompt", &args))?;
    store(context, name, secret).await?;
    if name == channel::SECRET {
        super::telegram::tell_running(context, "login-hidden").await?;
    }
    say(&context.texts.with("secret-stored", &args));
    Ok(ExitCode::SUCCESS)
}
