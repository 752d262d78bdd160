//! The table `[hub]` in `config.toml`: read, put there, taken out. A running Beckon sees the change
//! by itself.

use super::fault::MembershipFault;
use beckon_client::config::edit::{self, EditError, JoinedHub};
use beckon_client::config::{self, Config, HubConfig};
use beckon_client::platform::paths::Paths;
use std::path::PathBuf;

/// Returns the folder of the hub's files.
pub(crate) fn folder(paths: &Paths) -> PathBuf {
    paths.home().join("hub")
}

/// Reads all settings.
///
/// # Errors
/// When they can't be used.
pub(crate) fn read(paths: &Paths) -> Result<Config, MembershipFault> {
    Ok(Config::read(&paths.config)
        .map_err(MembershipFault::Unusable)?
        .0)
}

/// Returns the hub that this machine has joined.
///
/// # Errors
/// When there is none, or the settings can't be used.
pub(crate) fn joined(paths: &Paths) -> Result<HubConfig, MembershipFault> {
    read(paths)?.hub.ok_or(MembershipFault::NotJoined)
}

/// Puts that hub into the settings.
///
/// # Errors
/// When the settings don't take it; then they are as they were.
pub(crate) fn join(paths: &Paths, hub: &JoinedHub<'_>) -> Result<(), MembershipFault> {
    change(paths, |file| edit::join_hub(file, hub))
}

/// Returns that hub as [`join`] would leave it in the settings, with what stands in `[hub]` already.
/// Changes nothing.
///
/// # Errors
/// As [`join`], as far as the file itself is concerned.
pub(super) fn preview(paths: &Paths, hub: &JoinedHub<'_>) -> Result<HubConfig, MembershipFault> {
    let edited = edit::join_hub(&text(paths)?, hub).map_err(MembershipFault::Edit)?;
    let (config, _) =
        Config::parse(&edited).map_err(|why| MembershipFault::Unusable(why.into()))?;

    config.hub.ok_or(MembershipFault::NotJoined)
}

/// Takes the hub out of the settings.
///
/// # Errors
/// As [`join`].
pub(super) fn leave(paths: &Paths) -> Result<(), MembershipFault> {
    change(paths, edit::leave_hub)
}

fn text(paths: &Paths) -> Result<String, MembershipFault> {
    config::file::text(&paths.config).map_err(MembershipFault::Unusable)
}

fn change(
    paths: &Paths,
    edited: impl Fn(&str) -> Result<String, EditError>,
) -> Result<(), MembershipFault> {
    paths.create().map_err(MembershipFault::File)?;
    let changed = config::file::change(&paths.config, edited);
    changed.map(|_| ()).map_err(fault_of)
}

fn fault_of(error: anyhow::Error) -> MembershipFault {
    let known = error
        .downcast::<EditError>()
        .map(MembershipFault::Edit)
        .or_else(|error| error.downcast().map(MembershipFault::Unusable));
    known.unwrap_or_else(MembershipFault::File)
}
