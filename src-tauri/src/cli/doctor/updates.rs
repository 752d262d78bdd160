//! The running Beckon's report of newer versions: one line, and none if they are not looked for.

use super::super::CommandContext;
use super::{CheckHealth, Finding, finding};
use beckon_client::text::Value;
use beckon_client::wire::{Status, UpdateState};

pub(super) fn leg(context: &CommandContext, status: &Status) -> Option<Finding> {
    let key = match status.updates.state.known()? {
        UpdateState::Off | UpdateState::Waiting => return None,
        UpdateState::Newest => {
            return Some(finding(
                context,
                "updates",
                CheckHealth::Well(status.version.clone()),
            ));
        }
        UpdateState::Newer => "doctor-updates-newer",
        UpdateState::Unavailable => "doctor-updates-unavailable",
        UpdateState::Unreachable => "doctor-updates-unreachable",
        UpdateState::NoFeed => "doctor-updates-no-feed",
        UpdateState::Unsigned => "doctor-updates-unsigned",
        UpdateState::Strange => "doctor-updates-strange",
        UpdateState::Replayed => "doctor-updates-replayed",
        UpdateState::Outdated => "doctor-updates-outdated",
    };
    let args = [
        (
            "version",
            Value::from(status.updates.version.clone().unwrap_or_default()),
        ),
        ("running", Value::from(status.version.clone())),
    ];
    let text = context.texts.with(key, &args);
    Some(finding(context, "updates", CheckHealth::Note(text)))
}
