//! The command `beckon hub …`: several machines over a hub. The work is done by the room `hub`;
//! here is what a person reads of it, and what becomes of `config.toml`.

#[cfg(feature = "hub")]
mod doctor;
#[cfg(feature = "hub")]
pub(super) mod faults;
#[cfg(feature = "hub")]
mod invite;
#[cfg(feature = "hub")]
mod join;
#[cfg(feature = "hub")]
mod leave;
#[cfg(feature = "hub")]
mod people;
#[cfg(feature = "hub")]
mod routes;
#[cfg(feature = "hub")]
mod serve;
#[cfg(feature = "hub")]
pub(super) mod settings;

use super::keychain::out_of_reach;
use super::{CommandContext, CommandResult, say};
use crate::hub::key;
use clap::Subcommand;
#[cfg(feature = "hub")]
use std::path::PathBuf;
use std::process::ExitCode;

#[derive(Clone, Debug, Subcommand)]
pub(super) enum HubAction {
    #[cfg(feature = "hub")]
    Serve(serve::ServeArguments),
    #[cfg(feature = "hub")]
    Invite {
        #[arg(long, value_name = "NAME")]
        person: Option<String>,
        #[arg(long)]
        json: bool,
    },
    #[cfg(feature = "hub")]
    Join {
        code: Option<String>,
        #[arg(long, value_name = "NAME")]
        name: Option<String>,
    },
    #[cfg(feature = "hub")]
    Leave,
    #[cfg(feature = "hub")]
    People {
        #[arg(long, value_name = "DEVICE", conflicts_with = "json")]
        remove: Option<String>,
        #[arg(long)]
        json: bool,
    },
    #[cfg(feature = "hub")]
    Routes {
        #[arg(long, value_name = "FILE", conflicts_with = "json")]
        set: Option<PathBuf>,
        #[arg(long)]
        json: bool,
    },
    #[cfg(feature = "hub")]
    Doctor {
        #[arg(long)]
        json: bool,
    },
    Key,
}

pub(super) async fn run(context: &CommandContext, action: HubAction) -> CommandResult {
    match action {
        #[cfg(feature = "hub")]
        HubAction::Serve(arguments) => serve::run(context, arguments).await,
        #[cfg(feature = "hub")]
        HubAction::Invite { person, json } => invite::run(context, person, json).await,
        #[cfg(feature = "hub")]
        HubAction::Join { code, name } => join::run(context, code, name).await,
        #[cfg(feature = "hub")]
        HubAction::Leave => leave::run(context).await,
        #[cfg(feature = "hub")]
        HubAction::People {
            remove: Some(device),
            ..
        } => people::remove(context, device).await,
        #[cfg(feature = "hub")]
        HubAction::People { json, .. } => people::run(context, json).await,
        #[cfg(feature = "hub")]
        HubAction::Routes {
            set: Some(file), ..
        } => routes::set(context, &file).await,
        #[cfg(feature = "hub")]
        HubAction::Routes { json, .. } => routes::run(context, json).await,
        #[cfg(feature = "hub")]
        HubAction::Doctor { json } => doctor::run(context, json).await,
        HubAction::Key => {
            let key = key::public().await;
            say(&key.map_err(|trouble| out_of_reach(context, "hub", &trouble))?);
            Ok(ExitCode::SUCCESS)
        }
    }
}
