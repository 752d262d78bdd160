//! The membership in a program that was built without the hub: no machine joins one by it. A hub
//! can be taken out of the settings all the same.

use super::fault::{HubFault, MembershipFault};
use super::settings;
use beckon_client::config::HubConfig;
use beckon_client::platform::paths::Paths;

#[derive(Debug)]
pub(crate) struct JoinedMachine {
    pub(crate) hub: HubConfig,
    pub(crate) device: String,
    pub(crate) person: Option<String>,
}

pub(crate) async fn join(
    _paths: &Paths,
    _code: &str,
    _name: String,
) -> Result<JoinedMachine, MembershipFault> {
    Err(MembershipFault::NotBuilt)
}

pub(crate) fn leave(paths: &Paths) -> Result<HubConfig, MembershipFault> {
    let hub = settings::joined(paths)?;
    settings::leave(paths)?;
    Ok(hub)
}

pub(crate) async fn remove(paths: &Paths, _device: String) -> Result<(), MembershipFault> {
    settings::joined(paths)?;
    Err(MembershipFault::NotBuilt)
}

pub(crate) async fn tell(_hub: &HubConfig) -> Result<(), HubFault> {
    Err(HubFault::Failed(
        "this program was built without the feature `hub`".into(),
    ))
}
