//! `beckon hub leave`: this machine goes off the desk, and the hub out of its settings. The settings
//! follow whether or not anybody was told: whoever leaves is not kept by a hub that is away.

use super::{faults, settings};
use crate::cli::{CommandContext, CommandResult, say};
use crate::hub::joining::{self, DeskRefusal, HubFault};
use crate::hub::key;
use beckon_client::text::Value;
use std::process::ExitCode;

pub(super) async fn run(context: &CommandContext) -> CommandResult {
    let hub = settings::joined(context)?;
    let own = key::public().await.ok();
    let left = match &hub.admin {
        // Nobody else could take it off.
        Some(admin) if own.as_ref() == Some(admin) => Err(HubFault::Refused(DeskRefusal::Admin)),
        Some(_) => joining::leave(&hub).await,
        None => Ok(()),
    };
    settings::leave(context)?;
    say(&context.texts.with("hub-left", &[("url", Value::from(hub.url.clone()))]));
    match left {
        Ok(()) => {}
        Err(HubFault::Refused(DeskRefusal::Admin)) => say(&context.texts.get("hub-left-admin")),
        Err(fault) => {
            let reason = Value::from(faults::words(&context.texts, &fault));
            say(&context.texts.with("hub-left-untold", &[("reason", reason)]));
        }
    }
    Ok(ExitCode::SUCCESS)
}
