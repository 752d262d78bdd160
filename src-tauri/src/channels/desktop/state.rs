//! Whether notifications are shown, and why not.

use beckon_client::text::{Texts, Value};
use beckon_client::wire::Abilities;
use beckon_core::BreakThrough;

/// Does a channel work?
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum ChannelState {
    /// Not known yet.
    #[default]
    Starting,
    /// Notifications are shown.
    Works {
        /// The name of the service that shows what is sent.
        daemon: String,
        /// What that does.
        can: Abilities,
        /// Whether it is told not to disturb, where it says so.
        do_not_disturb: Option<bool>,
        /// Which asks come through then.
        break_through: BreakThrough,
    },
    /// Notifications are not shown, for that reason; the last in the words of the system.
    Down(DesktopFault, String),
}

/// Why there are no notifications.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DesktopFault {
    /// There is no session bus, or it has gone.
    #[error("Failed to reach the session bus")]
    NoBus,
    /// Nobody shows any here.
    #[error("Failed to find a notification service on this desktop")]
    NoService,
    /// The human has turned Beckon's off.
    #[error("Notifications are turned off for Beckon in the settings of the system")]
    OffForBeckon,
    /// The human has turned all off.
    #[error("Notifications are turned off in the settings of the system")]
    Off,
    /// Somebody else has turned them off.
    #[error("Notifications are turned off by a policy of this machine")]
    OffByPolicy,
    /// Faults of our own keep them out.
    #[error("Notifications are left out until Beckon is restarted")]
    LeftOut,
    /// Anything else.
    #[error("Failed to show notifications")]
    Other,
}

impl DesktopFault {
    /// A part of a sentence; where Beckon has none of its own, the system's.
    pub fn words(self, texts: &Texts, reason: &str) -> String {
        let key = match self {
            Self::NoBus => "mute-no-bus",
            Self::NoService => "mute-no-service",
            Self::OffForBeckon => "mute-off-for-beckon",
            Self::Off => "mute-off",
            Self::OffByPolicy => "mute-off-by-policy",
            Self::LeftOut => "mute-left-out",
            Self::Other => return reason.to_owned(),
        };
        texts.with(key, &[("reason", Value::from(reason))])
    }
}
