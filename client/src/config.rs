//! `config.toml`: its keys and their defaults.
//!
//! Not here: the servers to watch (`servers`), reading the file (`reading`), and what is wrong with
//! a file that does not fit (`validate`).

mod address;
pub mod edit;
mod error;
pub mod file;
mod hub;
mod origin;
mod proxy;
mod reading;
mod servers;
mod time;
mod validate;

pub use address::{AddressFault, AddressUse, check_address, is_address, trim_address};
pub use error::{ConfigError, UnusableConfig, ValueType};
pub use hub::HubConfig;
pub use origin::OriginTable;
pub use proxy::{ProxyAddress, ProxyError, ProxyScheme};
pub use reading::language;
pub use servers::{
    InterruptsKind, InterruptsService, OpenCodeServer, RegisteredProcess, ServerTransport,
};
pub use time::parse_span;

use beckon_core::{BreakThrough, ForwardMode, OnePress, Policy, QuietHours, Span};
use serde::Deserialize;

/// The name of the source of asks that are made through Beckon itself; no server may have it.
pub const LOCAL_ASKS: &str = "asks";

/// The name of the demo's source. No other source runs beside it.
pub const DEMO: &str = "demo";
/// The beginning of the ids of the demo's sessions. A server that is called like the demo has other
/// ids.
pub const DEMO_SESSION: &str = "ses_demo_";

/// The settings. Every key is optional.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(default)]
pub struct Config {
    /// The language: `auto`, or one that exists.
    pub language: String,
    /// The OpenCode servers to watch.
    pub opencode: Vec<OpenCodeServer>,
    /// The services with interrupts to watch.
    pub interrupts: Vec<InterruptsService>,
    /// The settings of Telegram.
    pub telegram: TelegramConfig,
    /// The rules for when the human counts as away.
    pub presence: PresenceConfig,
    /// The rules for an unanswered ask.
    pub escalation: EscalationConfig,
    /// The rules for questions.
    pub questions: QuestionsConfig,
    /// The rules for permissions.
    pub permissions: PermissionsConfig,
    /// The settings of desktop notifications.
    pub notifications: NotificationsConfig,
    /// The rules for finished turns.
    pub turns: TurnsConfig,
    /// The settings of the windows.
    pub window: WindowConfig,
    /// The person who sits at this machine.
    pub person: PersonConfig,
    /// The search for newer versions.
    pub updates: UpdatesConfig,
    /// The settings of the local API.
    pub api: ApiConfig,
    /// The hub on which the Beckons of one person share their asks, if there is one.
    #[serde(deserialize_with = "hub::joined")]
    pub hub: Option<HubConfig>,
}

/// `[telegram]`
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(default)]
pub struct TelegramConfig {
    /// The condition under which asks are forwarded to Telegram.
    pub forward: ForwardWhen,
    /// The address of the Bot API.
    #[serde(deserialize_with = "address::typed")]
    pub api_url: String,
    /// Whether the Bot API on this machine may be served by another user.
    pub any_user: bool,
    /// The proxy through which the Bot API is reached; its password is the secret `telegram:proxy`.
    #[serde(deserialize_with = "proxy::address")]
    pub proxy: Option<ProxyAddress>,
}

/// `telegram.forward`
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum ForwardWhen {
    /// Asks are forwarded when the human is away.
    #[default]
    Away,
    /// Asks are always forwarded.
    Always,
    /// Asks are never forwarded.
    Never,
}

/// `[presence]`
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(default)]
pub struct PresenceConfig {
    /// The time without input after which the human counts as away.
    #[serde(deserialize_with = "time::span")]
    pub away_after: Span,
    /// Whether a locked screen counts as away.
    pub lock_is_away: bool,
}

/// `[escalation]`
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(default)]
pub struct EscalationConfig {
    /// The time after which an unanswered ask goes to Telegram as well although the human is here.
    #[serde(deserialize_with = "time::span_or_never")]
    pub after: Option<Span>,
    /// The interval at which an unanswered ask rings again.
    #[serde(deserialize_with = "time::span_or_never")]
    pub remind: Option<Span>,
    /// The hours in which Telegram cards come silently.
    #[serde(deserialize_with = "time::hours")]
    pub quiet_hours: Option<QuietHours>,
}

/// `[notifications]`
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct NotificationsConfig {
    /// Whether a notification makes a sound, where the desktop plays sounds.
    pub sound: bool,
    /// The asks that come through while the desktop is told not to disturb.
    pub break_through: BreakThrough,
}

/// `[turns]`
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(default)]
pub struct TurnsConfig {
    /// The least length of a finished turn that is told on the desktop.
    #[serde(deserialize_with = "time::span_or_never")]
    pub desktop_after: Option<Span>,
    /// Whether finished turns are told on Telegram when the human is away.
    pub telegram: bool,
}

/// `[window]`
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(default)]
pub struct WindowConfig {
    /// The hot key that opens the answer window from everywhere, for example `Ctrl+Alt+B`; empty
    /// for none.
    pub hotkey: String,
    /// The time for which an answer can be taken back before it is sent.
    #[serde(deserialize_with = "time::span_or_never")]
    pub undo: Option<Span>,
    /// The time for which a closed window stays ready; after that its memory is given back.
    #[serde(deserialize_with = "time::span_or_never")]
    pub keep_warm: Option<Span>,
}

/// `[person]`
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct PersonConfig {
    /// The person's name in the history; empty for that of their account on this machine.
    pub name: String,
}

/// `[updates]`
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct UpdatesConfig {
    /// Whether Beckon's project is asked once a day for a newer version.
    pub check: bool,
}

/// `[api]`, which is read only at the start.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct ApiConfig {
    /// The port on the loopback; 0 is any free port.
    pub port: u16,
}

/// `[questions]`
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct QuestionsConfig {
    /// The time after which a question is rejected at its source.
    #[serde(deserialize_with = "time::span_or_never")]
    pub expire_after: Option<Span>,
    /// The time for which an OpenCode with the plugin asks Beckon before its own dialog appears.
    #[serde(deserialize_with = "time::span_or_never")]
    pub before_dialog: Option<Span>,
}

/// `[permissions]`
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct PermissionsConfig {
    /// The asks that may be allowed with a single press.
    pub one_press: OnePress,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            language: "auto".into(),
            opencode: vec![OpenCodeServer::default()],
            interrupts: Vec::new(),
            telegram: TelegramConfig::default(),
            presence: PresenceConfig::default(),
            escalation: EscalationConfig::default(),
            questions: QuestionsConfig::default(),
            permissions: PermissionsConfig::default(),
            notifications: NotificationsConfig::default(),
            turns: TurnsConfig::default(),
            window: WindowConfig::default(),
            person: PersonConfig::default(),
            updates: UpdatesConfig::default(),
            api: ApiConfig::default(),
            hub: None,
        }
    }
}

impl Default for PresenceConfig {
    fn default() -> Self {
        let policy = Policy::default();
        Self {
            away_after: policy.away_after,
            lock_is_away: policy.lock_is_away,
        }
    }
}

impl Default for EscalationConfig {
    fn default() -> Self {
        let policy = Policy::default();
        Self {
            after: policy.escalate_after,
            remind: policy.remind_every,
            quiet_hours: policy.quiet,
        }
    }
}

impl Default for TelegramConfig {
    fn default() -> Self {
        let api_url = "https://api.telegram.org".into();
        Self {
            forward: ForwardWhen::default(),
            api_url,
            any_user: false,
            proxy: None,
        }
    }
}

impl Default for WindowConfig {
    fn default() -> Self {
        Self {
            hotkey: String::new(),
            undo: None,
            keep_warm: Some(Span::minutes(5)),
        }
    }
}

impl Default for NotificationsConfig {
    fn default() -> Self {
        Self {
            sound: true,
            break_through: BreakThrough::default(),
        }
    }
}

impl Default for TurnsConfig {
    fn default() -> Self {
        let policy = Policy::default();
        Self {
            desktop_after: policy.turns_here_after,
            telegram: policy.turns_away,
        }
    }
}

impl Config {
    /// Returns the settings by which the desk decides.
    pub fn policy(&self) -> Policy {
        Policy {
            forward: match self.telegram.forward {
                ForwardWhen::Away => ForwardMode::Away,
                ForwardWhen::Always => ForwardMode::Always,
                ForwardWhen::Never => ForwardMode::Never,
            },
            away_after: self.presence.away_after,
            lock_is_away: self.presence.lock_is_away,
            escalate_after: self.escalation.after,
            expire_after: self.questions.expire_after,
            remind_every: self.escalation.remind,
            quiet: self.escalation.quiet_hours,
            utc_offset: crate::platform::clock::utc_offset(),
            turns_here_after: self.turns.desktop_after,
            turns_away: self.turns.telegram,
            shares_presence: self.hub.as_ref().is_none_or(|hub| hub.share_presence),
        }
    }
}

#[cfg(test)]
mod tests;
