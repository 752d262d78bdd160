//! The hub in the settings, for commands.

use super::faults;
use crate::cli::{CommandContext, fail};
use crate::hub::reaching::NewestDesk;
use crate::hub::{key, serving, settings};
use crate::platform::account;
use crate::store::Store;
use beckon_client::config::edit::JoinedHub;
use beckon_client::config::{Config, HubConfig};
use beckon_client::connection::ClientError;
use beckon_client::text::{Texts, Value};
use beckon_core::hub::DeskRecord;
use std::path::PathBuf;

/// Returns the folder of the hub's files.
pub(super) fn folder(context: &CommandContext) -> PathBuf {
    settings::folder(&context.paths)
}

pub(super) fn read(context: &CommandContext) -> Result<Config, ClientError> {
    settings::read(&context.paths).map_err(|why| faults::refused(context, why))
}

/// Returns the hub that this machine has joined.
pub(in crate::cli) fn joined(context: &CommandContext) -> Result<HubConfig, ClientError> {
    settings::joined(&context.paths).map_err(|why| faults::refused(context, why))
}

pub(super) fn join(context: &CommandContext, hub: &JoinedHub<'_>) -> Result<(), ClientError> {
    settings::join(&context.paths, hub).map_err(|why| faults::refused(context, why))
}

/// Returns the newest list of the desk that this machine knows: that of the Beckon that runs here,
/// or, where the hub is served here, that of the file that is its truth.
pub(in crate::cli) async fn known_desk(
    context: &CommandContext,
    hub: &HubConfig,
) -> Option<DeskRecord> {
    let admin = hub.admin.as_deref()?;
    let is_admin = key::public().await.is_ok_and(|own| own == admin);
    let kept = serving::kept_desk(&folder(context)).filter(|_| is_admin);
    let stored = Store::read_hub_desk(&context.paths.database, admin);
    let stored = stored.unwrap_or_else(|error| {
        tracing::debug!(
            error = format!("{error:#}"),
            "the desk's list can't be read from the database"
        );
        None
    });

    kept.into_iter()
        .chain(stored)
        .max_by_key(|desk| desk.revision)
}

/// Says that the hub shows an older list than the one that counts here, beside what the command says.
pub(in crate::cli) fn warn_of_older(context: &CommandContext, newest: &NewestDesk) {
    if let Some(line) = older_list(&context.texts, newest) {
        let _ = fail(&line, 0);
    }
}

/// Returns the line for a person about an older list.
pub(super) fn older_list(texts: &Texts, newest: &NewestDesk) -> Option<String> {
    let args = [
        ("shown", Value::from(newest.older?)),
        ("known", newest.desk.as_ref()?.revision.into()),
    ];
    Some(texts.with("hub-list-older", &args))
}

/// Returns the name of this machine on a desk.
pub(super) fn machine(context: &CommandContext) -> String {
    account::machine().unwrap_or_else(|| context.texts.get("hub-unnamed"))
}

/// Returns the person to whom it belongs, as the settings or the system say. A user whom the system
/// does not know, as in a container, is called like the machine: the machines of one person have
/// one name in common.
pub(super) fn person(context: &CommandContext, config: &Config) -> String {
    let said = config.person.name.trim();
    if !said.is_empty() {
        return said.to_owned();
    }
    account::person().unwrap_or_else(|| machine(context))
}
