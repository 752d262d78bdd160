//! The commands `beckon secret set NAME` and `remove NAME`.

use super::keychain::{ask_for, out_of_reach, store};
use super::{CommandContext, CommandResult, say};
use crate::channels::telegram as channel;
use crate::platform::secrets;
use beckon_client::config::Config;
use beckon_client::connection::ClientError;
use beckon_client::platform::secret::TELEGRAM_PROXY;
use beckon_client::text::Value;
use std::process::ExitCode;

pub(super) async fn set(context: &CommandContext, name: &str) -> CommandResult {
    let args = [("name", Value::from(name.to_owned()))];
    let secret = ask_for(
        context,
        &context.texts.with("secret-prompt", &args),
        "secret-empty",
    )?;
    store(context, name, secret).await?;
    tell_running(context, name, "login-hidden").await?;
    say(&context.texts.with("secret-stored", &args));
    if name == TELEGRAM_PROXY && !is_used(context) {
        say(&context.texts.get("secret-proxy-unused"));
    }
    Ok(ExitCode::SUCCESS)
}

pub(super) async fn remove(context: &CommandContext, name: &str) -> CommandResult {
    let removed = secrets::remove(name).await;
    let removed = removed.map_err(|trouble| out_of_reach(context, name, &trouble))?;
    tell_running(context, name, "logout-hidden").await?;
    let key = if removed {
        "secret-removed"
    } else {
        "secret-none"
    };
    say(&context
        .texts
        .with(key, &[("name", Value::from(name.to_owned()))]));
    Ok(ExitCode::SUCCESS)
}

/// Tells a running Beckon of a changed secret. Secrets of Telegram are read anew at once; servers
/// are asked again by themselves.
async fn tell_running(
    context: &CommandContext,
    name: &str,
    hidden: &str,
) -> Result<(), ClientError> {
    match name {
        channel::SECRET => super::telegram::tell_running(context, hidden).await,
        TELEGRAM_PROXY => match super::telegram::reload(context).await {
            Ok(_) | Err(ClientError::NotRunning) => Ok(()),
            Err(refused) => Err(refused),
        },
        _ => Ok(()),
    }
}

/// Whether the proxy's password is used: only a proxy with a user name is told one.
fn is_used(context: &CommandContext) -> bool {
    let config = Config::read(&context.paths.config)
        .map(|(config, _)| config)
        .unwrap_or_default();
    config.telegram.proxy.is_some_and(|proxy| proxy.has_user())
}
