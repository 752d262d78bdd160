//! `beckon hub join CODE`: this machine comes onto a desk.

use super::{faults, settings};
use crate::cli::{CommandContext, CommandResult, say};
use crate::hub::joining;
use crate::hub::membership::{self, JoinedMachine};
use beckon_client::text::Value;
use std::process::ExitCode;

pub(super) async fn run(
    context: &CommandContext,
    code: &str,
    name: Option<String>,
) -> CommandResult {
    let name = name.unwrap_or_else(|| settings::machine(context));
    let joined = membership::join(&context.paths, code, name).await;
    let joined = joined.map_err(|why| faults::refused(context, why))?;
    let JoinedMachine { hub, device, person } = joined;
    let args = [("url", Value::from(hub.url.clone())), ("device", device.into())];
    say(&context.texts.with("hub-join-done", &args));
    if let Some(person) = person {
        say(&context.texts.with("hub-join-person", &[("person", Value::from(person))]));
    }
    match joining::is_let_in(&hub).await {
        Ok(()) => say(&context.texts.get("hub-join-next")),
        Err(fault) => say(&fault.words(&context.texts)),
    }
    Ok(ExitCode::SUCCESS)
}
