//! `[hub]` in `config.toml`: read, put there, taken out. A Beckon that runs sees it by itself.

use crate::cli::CommandContext;
use crate::platform::account;
use anyhow::Context as _;
use beckon_client::config::edit::{self, EditError, JoinedHub};
use beckon_client::config::{Config, HubConfig};
use beckon_client::connection::ClientError;
use beckon_client::platform::failure::SystemFailure;
use beckon_client::platform::paths::write_private;
use beckon_client::text::words;
use std::io::ErrorKind;
use std::path::PathBuf;

/// Where the files of the hub lie.
pub(super) fn folder(context: &CommandContext) -> PathBuf {
    context.paths.home().join("hub")
}

pub(super) fn read(context: &CommandContext) -> Result<Config, ClientError> {
    let read = Config::read(&context.paths.config);
    let read = read.map_err(|why| ClientError::Said(words::unusable(&context.texts, &why)));
    Ok(read?.0)
}

/// The hub that this machine has joined.
pub(in crate::cli) fn joined(context: &CommandContext) -> Result<HubConfig, ClientError> {
    let hub = read(context)?.hub;
    hub.ok_or_else(|| ClientError::Said(context.texts.get("hub-not-joined")))
}

pub(super) fn join(context: &CommandContext, hub: &JoinedHub<'_>) -> Result<(), ClientError> {
    change(context, |file| edit::join_hub(file, hub))
}

pub(super) fn leave(context: &CommandContext) -> Result<(), ClientError> {
    change(context, edit::leave_hub)
}

fn change(
    context: &CommandContext,
    edited: impl FnOnce(&str) -> Result<String, EditError>,
) -> Result<(), ClientError> {
    context.paths.create()?;
    let path = &context.paths.config;
    let file = match std::fs::read_to_string(path) {
        Ok(file) => file,
        Err(error) if error.kind() == ErrorKind::NotFound => String::new(),
        Err(error) => Err(error).with_context(|| SystemFailure::Read(path.clone()))?,
    };
    let edited = edited(&file);
    let text = edited.map_err(|why| ClientError::Said(words::setting(&context.texts, &why)))?;
    if text != file {
        write_private(path, text.as_bytes())?;
    }
    Ok(())
}

/// What this machine is called on a desk.
pub(super) fn machine(context: &CommandContext) -> String {
    account::machine().unwrap_or_else(|| context.texts.get("hub-unnamed"))
}

/// Whose it is, as the settings or the system say.
pub(super) fn person(config: &Config) -> Option<String> {
    let said = config.person.name.trim();
    if said.is_empty() { account::person() } else { Some(said.to_owned()) }
}
