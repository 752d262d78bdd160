//! `beckon hub key`: the public key of this device, to be listed where its answers are to count.

use super::keychain::out_of_reach;
use super::{CommandContext, CommandResult, say};
use crate::hub::key;
use clap::Subcommand;
use std::process::ExitCode;

#[derive(Clone, Copy, Debug, Subcommand)]
pub(super) enum HubAction {
    Key,
}

pub(super) async fn run(context: &CommandContext, action: HubAction) -> CommandResult {
    match action {
        HubAction::Key => {
            let key = key::public().await;
            say(&key.map_err(|trouble| out_of_reach(context, "hub", &trouble))?);
            Ok(ExitCode::SUCCESS)
        }
    }
}
