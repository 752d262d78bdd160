//! The connection in a program that was built without the hub: it says so, and does nothing.

use super::{HubCommand, HubReport, HubState};
use crate::platform::sink::Sink;
use beckon_client::config::HubConfig;
use beckon_core::hub::DeskRecord;
use tokio::sync::mpsc::UnboundedReceiver;

pub(super) async fn run(
    _place: (HubConfig, String),
    _desk: Option<DeskRecord>,
    reports: Sink<HubReport>,
    mut inbox: UnboundedReceiver<HubCommand>,
) {
    let why = "this program was built without the feature `hub`".to_owned();
    reports.post(HubReport::State(HubState::Down(why)));
    while inbox.recv().await.is_some() {}
}
