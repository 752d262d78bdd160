//! The command `beckon hub join`: this machine comes onto a desk.

use super::{faults, settings};
use crate::cli::keychain::ask_for;
use crate::cli::{CommandContext, CommandResult, say};
use crate::hub::joining;
use crate::hub::membership::{self, JoinedMachine};
use crate::platform::secrets::Secret;
use beckon_client::connection::ClientError;
use beckon_client::text::Value;
use std::process::ExitCode;

pub(super) async fn run(
    context: &CommandContext,
    code: Option<String>,
    name: Option<String>,
) -> CommandResult {
    let name = name.unwrap_or_else(|| settings::machine(context));
    let code = given(context, code)?;
    let joined = membership::join(&context.paths, code.expose(), name).await;
    let joined = joined.map_err(|why| faults::refused(context, why))?;
    let JoinedMachine {
        hub,
        device,
        person,
    } = joined;
    let args = [
        ("url", Value::from(hub.url.clone())),
        ("device", device.into()),
    ];
    say(&context.texts.with("hub-join-done", &args));
    if let Some(person) = person {
        say(&context
            .texts
            .with("hub-join-person", &[("person", Value::from(person))]));
    }
    match joining::is_let_in(&hub).await {
        Ok(()) => say(&context.texts.get("hub-join-next")),
        Err(fault) => say(&fault.words(&context.texts)),
    }
    Ok(ExitCode::SUCCESS)
}

/// Returns the code. It need not be an argument: other users can list the arguments of running
/// programs, and a code lets in the first that brings it.
fn given(context: &CommandContext, code: Option<String>) -> Result<Secret, ClientError> {
    match code.filter(|code| code != "-") {
        Some(code) => Ok(Secret::new(code)),
        None => ask_for(
            context,
            &context.texts.get("hub-join-prompt"),
            "hub-join-no-code",
        ),
    }
}
