//! The state of the notifications: whether they are shown, and why not.

use beckon_client::text::{Texts, Value};
use beckon_client::wire::Abilities;
use beckon_core::BreakThrough;

/// The state of the notifications.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum ChannelState {
    /// Not known yet.
    #[default]
    Starting,
    /// Notifications are shown.
    Works {
        /// The name of the service that shows what is sent.
        daemon: String,
        /// The abilities of that service.
        can: Abilities,
        /// Whether the service is told not to disturb; `None` where it does not say.
        do_not_disturb: Option<bool>,
        /// The asks that come through while it is told so.
        break_through: BreakThrough,
    },
    /// Notifications are not shown, for that reason; the text is the system's own.
    Down(DesktopFault, String),
}

/// A reason why there are no notifications.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DesktopFault {
    /// There is no session bus, or it has gone.
    #[error("Failed to reach the session bus")]
    NoBus,
    /// No service on this desktop shows notifications.
    #[error("Failed to find a notification service on this desktop")]
    NoService,
    /// The human has turned Beckon's off.
    #[error("Notifications are turned off for Beckon in the settings of the system")]
    OffForBeckon,
    /// The human has turned all off.
    #[error("Notifications are turned off in the settings of the system")]
    Off,
    /// A policy of this machine has turned them off, not the human.
    #[error("Notifications are turned off by a policy of this machine")]
    OffByPolicy,
    /// Beckon leaves them out, because of faults of its own.
    #[error("Notifications are left out until Beckon is restarted")]
    LeftOut,
    /// Anything else.
    #[error("Failed to show notifications")]
    Other,
}

impl DesktopFault {
    /// Returns the reason as a part of a sentence; in the system's words where Beckon has none.
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
