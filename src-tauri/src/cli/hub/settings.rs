//! What the settings say of the hub, for commands.

use super::faults;
use crate::cli::CommandContext;
use crate::hub::settings;
use crate::platform::account;
use beckon_client::config::edit::JoinedHub;
use beckon_client::config::{Config, HubConfig};
use beckon_client::connection::ClientError;
use std::path::PathBuf;

/// Where the files of the hub lie.
pub(super) fn folder(context: &CommandContext) -> PathBuf {
    settings::folder(&context.paths)
}

pub(super) fn read(context: &CommandContext) -> Result<Config, ClientError> {
    settings::read(&context.paths).map_err(|why| faults::refused(context, why))
}

/// The hub that this machine has joined.
pub(in crate::cli) fn joined(context: &CommandContext) -> Result<HubConfig, ClientError> {
    settings::joined(&context.paths).map_err(|why| faults::refused(context, why))
}

pub(super) fn join(context: &CommandContext, hub: &JoinedHub<'_>) -> Result<(), ClientError> {
    settings::join(&context.paths, hub).map_err(|why| faults::refused(context, why))
}

/// What this machine is called on a desk.
pub(super) fn machine(context: &CommandContext) -> String {
    account::machine().unwrap_or_else(|| context.texts.get("hub-unnamed"))
}

/// Whose it is, as the settings or the system say.
pub(super) fn person(config: &Config) -> Option<String> {
    let said = config.person.name.trim();
    if said.is_empty() {
        account::person()
    } else {
        Some(said.to_owned())
    }
}
