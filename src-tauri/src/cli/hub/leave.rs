//! The command `beckon hub leave`: this machine goes off the desk, and the hub out of its settings.
//! A running Beckon does it itself, as it may serve the bot; if none runs, this command does.

use super::faults;
use crate::api::hub_left;
use crate::cli::{CommandContext, CommandResult, say};
use crate::hub::membership;
use beckon_client::connection::ClientError;
use beckon_client::text::Value;
use beckon_client::wire::{HUB_WITHIN, HubLeft};
use std::process::ExitCode;

pub(super) async fn run(context: &CommandContext) -> CommandResult {
    let left = match context.client() {
        Ok(client) => client.post("/hub/leave", &(), HUB_WITHIN).await,
        Err(refused) => Err(refused),
    };
    let left: HubLeft = match left {
        Err(refused @ (ClientError::Problem(..) | ClientError::Exposed(_))) => return Err(refused),
        // No Beckon runs, or one that does not know the request, or no longer answers.
        Err(_) => by_itself(context).await?,
        Ok(left) => left,
    };
    say(&context
        .texts
        .with("hub-left", &[("url", Value::from(left.url))]));
    if left.serves {
        say(&context.texts.get("hub-left-admin"));
    }
    if let Some(reason) = left.untold {
        say(&context
            .texts
            .with("hub-left-untold", &[("reason", Value::from(reason))]));
    }
    if let Some(bot) = left.bot {
        say(&context
            .texts
            .with("hub-left-bot", &[("bot", Value::from(bot))]));
    }
    Ok(ExitCode::SUCCESS)
}

async fn by_itself(context: &CommandContext) -> Result<HubLeft, ClientError> {
    let left = membership::leave(&context.paths);
    let hub = left.map_err(|why| faults::refused(context, why))?;
    let told = membership::tell(&hub).await;
    Ok(hub_left(&context.texts, hub.url, told))
}
