//! `beckon hub join CODE`: this machine comes onto a desk.

use super::{faults, settings};
use crate::cli::{CommandContext, CommandResult, say};
use crate::hub::invite::InviteCode;
use crate::hub::joining::{self, HubFault, Joined};
use beckon_client::config::edit::JoinedHub;
use beckon_client::config::{Config, HubConfig};
use beckon_client::connection::ClientError;
use beckon_client::platform::paths::write_private;
use beckon_client::platform::private;
use beckon_client::text::Value;
use std::path::PathBuf;
use std::process::ExitCode;

pub(super) async fn run(
    context: &CommandContext,
    code: &str,
    name: Option<String>,
) -> CommandResult {
    let said = |key: &str| ClientError::Said(context.texts.get(key));
    let code = InviteCode::parse(code).ok_or_else(|| said("hub-join-no-code"))?;
    let config = settings::read(context)?;
    look_at_former(context, &config, &code)?;
    let name = name.unwrap_or_else(|| settings::machine(context));
    let joined = joining::join(&code, name).await;
    let joined = joined.map_err(|fault| refused(context, fault))?;
    let ca = keep_ca(context, &joined)?;
    write(context, &joined, ca.as_ref())?;
    let args = [("url", Value::from(joined.url.clone())), ("device", joined.name.clone().into())];
    say(&context.texts.with("hub-join-done", &args));
    let hub = HubConfig { url: joined.url, admin: Some(joined.admin), ca, ..HubConfig::default() };
    match joining::is_let_in(&hub).await {
        Ok(()) => say(&context.texts.get("hub-join-next")),
        Err(fault) => say(&faults::words(&context.texts, &fault)),
    }
    Ok(ExitCode::SUCCESS)
}

/// One that was joined before is left first; by the same code it may be joined again, for whoever has
/// not seen the end of the first time.
fn look_at_former(
    context: &CommandContext,
    config: &Config,
    code: &InviteCode,
) -> Result<(), ClientError> {
    match &config.hub {
        Some(hub) if hub.url != code.url() => {
            let url = Value::from(hub.url.clone());
            Err(ClientError::Said(context.texts.with("hub-joined-already", &[("url", url)])))
        }
        _ => Ok(()),
    }
}

/// A code that is over has no login any more.
fn refused(context: &CommandContext, fault: HubFault) -> ClientError {
    match fault {
        HubFault::NotLetIn => ClientError::Said(context.texts.get("hub-refused-expired")),
        fault => faults::said(context, fault),
    }
}

fn keep_ca(context: &CommandContext, joined: &Joined) -> Result<Option<PathBuf>, ClientError> {
    let Some(text) = &joined.ca else { return Ok(None) };
    context.paths.create()?;
    let folder = settings::folder(context);
    private::create(&folder).map_err(anyhow::Error::from)?;
    let path = folder.join("ca.pem");
    write_private(&path, text.as_bytes())?;
    Ok(Some(path))
}

fn write(
    context: &CommandContext,
    joined: &Joined,
    ca: Option<&PathBuf>,
) -> Result<(), ClientError> {
    let ca = ca.map(|ca| ca.to_string_lossy());
    let hub = JoinedHub { url: &joined.url, admin: &joined.admin, ca: ca.as_deref() };
    settings::join(context, &hub)
}
