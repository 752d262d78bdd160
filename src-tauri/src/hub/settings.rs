//! `[hub]` in `config.toml`: read, put there, taken out. A Beckon that runs sees it by itself.

use super::fault::MembershipFault;
use beckon_client::config::edit::{self, EditError, JoinedHub};
use beckon_client::config::{Config, HubConfig};
use beckon_client::platform::failure::SystemFailure;
use beckon_client::platform::paths::{Paths, write_private};
use std::io::ErrorKind;
use std::path::PathBuf;

/// Where the files of the hub lie.
pub(crate) fn folder(paths: &Paths) -> PathBuf {
    paths.home().join("hub")
}

/// All settings.
///
/// # Errors
/// When they can't be used.
pub(crate) fn read(paths: &Paths) -> Result<Config, MembershipFault> {
    Ok(Config::read(&paths.config)
        .map_err(MembershipFault::Unusable)?
        .0)
}

/// The hub that this machine has joined.
///
/// # Errors
/// When there is none, or the settings can't be used.
pub(crate) fn joined(paths: &Paths) -> Result<HubConfig, MembershipFault> {
    read(paths)?.hub.ok_or(MembershipFault::NotJoined)
}

/// That hub from now on.
///
/// # Errors
/// When the settings don't take it; then they are as they were.
pub(crate) fn join(paths: &Paths, hub: &JoinedHub<'_>) -> Result<(), MembershipFault> {
    change(paths, |file| edit::join_hub(file, hub))
}

/// Would [`join`] take it, as far as the file itself is concerned?
///
/// # Errors
/// As [`join`].
pub(super) fn takes(paths: &Paths, hub: &JoinedHub<'_>) -> Result<(), MembershipFault> {
    edit::join_hub(&text(paths)?, hub)
        .map_err(MembershipFault::Edit)
        .map(|_| ())
}

/// None from now on.
///
/// # Errors
/// As [`join`].
pub(super) fn leave(paths: &Paths) -> Result<(), MembershipFault> {
    change(paths, edit::leave_hub)
}

fn text(paths: &Paths) -> Result<String, MembershipFault> {
    match std::fs::read_to_string(&paths.config) {
        Ok(file) => Ok(file),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(String::new()),
        Err(error) => {
            let failed = anyhow::Error::from(error);
            Err(MembershipFault::File(
                failed.context(SystemFailure::Read(paths.config.clone())),
            ))
        }
    }
}

fn change(
    paths: &Paths,
    edited: impl FnOnce(&str) -> Result<String, EditError>,
) -> Result<(), MembershipFault> {
    paths.create().map_err(MembershipFault::File)?;
    let file = text(paths)?;
    let edited = edited(&file).map_err(MembershipFault::Edit)?;
    if edited == file {
        return Ok(());
    }
    // Behind a link lies somebody's own collection of settings: the link stays one.
    let path = dunce::canonicalize(&paths.config).unwrap_or_else(|_| paths.config.clone());
    write_private(&path, edited.as_bytes()).map_err(MembershipFault::File)
}
