//! The settings file `config.toml`: its keys and their defaults.
//!
//! The servers to watch are in `servers`, the reading of the file is in `reading`, and the reasons
//! for which a file does not fit are in `validate`.

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

/// The name of the source of what is asked through Beckon itself; no server may have it.
pub const LOCAL_ASKS: &str = "asks";

/// The name of the pretend agent's source, beside which no other runs.
pub const DEMO: &str = "demo";
/// The beginning of the ids of its sessions. A real server that has the same name has other ids.
pub const DEMO_SESSION: &str = "ses_demo_";

/// The settings. Every key is optional.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(default)]
pub struct Config {
    /// The language: `auto`, or one of the languages there are.
    pub language: String,
    /// The OpenCode servers to watch.
    pub opencode: Vec<OpenCodeServer>,
    /// The services with interrupts to watch.
    pub interrupts: Vec<InterruptsService>,
    /// The settings of Telegram: when asks are forwarded there, and how it is reached.
    pub telegram: TelegramConfig,
    /// The settings of when the human counts as away.
    pub presence: PresenceConfig,
    /// The settings of what happens to an unanswered ask.
    pub escalation: EscalationConfig,
    /// The settings of questions only.
    pub questions: QuestionsConfig,
    /// The settings of permissions only.
    pub permissions: PermissionsConfig,
    /// The settings of what rings at the desk.
    pub notifications: NotificationsConfig,
    /// The settings of finished turns.
    pub turns: TurnsConfig,
    /// The settings of the windows.
    pub window: WindowConfig,
    /// The settings of the person who sits at this machine.
    pub person: PersonConfig,
    /// The settings of newer versions.
    pub updates: UpdatesConfig,
    /// The settings of the local API.
    pub api: ApiConfig,
    /// The hub on which the Beckons of one person share what they ask, if there is one.
    #[serde(deserialize_with = "hub::joined")]
    pub hub: Option<HubConfig>,
}

/// The section `[telegram]`.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(default)]
pub struct TelegramConfig {
    /// The condition under which asks are forwarded.
    pub forward: ForwardWhen,
    /// The address of the Bot API.
    #[serde(deserialize_with = "address::typed")]
    pub api_url: String,
    /// Whether a Bot API on this machine may be another user's.
    pub any_user: bool,
    /// The proxy through which the Bot API is reached; its password is the secret `telegram:proxy`.
    #[serde(deserialize_with = "proxy::address")]
    pub proxy: Option<ProxyAddress>,
}

/// The values of `telegram.forward`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum ForwardWhen {
    /// Forwards when the human is away.
    #[default]
    Away,
    /// Forwards always.
    Always,
    /// Forwards never.
    Never,
}

/// The section `[presence]`.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(default)]
pub struct PresenceConfig {
    /// The idle time after which the human counts as away.
    #[serde(deserialize_with = "time::span")]
    pub away_after: Span,
    /// Whether a locked screen counts as away.
    pub lock_is_away: bool,
}

/// The section `[escalation]`.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(default)]
pub struct EscalationConfig {
    /// The time after which an unanswered ask goes to Telegram as well, although the human is here.
    #[serde(deserialize_with = "time::span_or_never")]
    pub after: Option<Span>,
    /// The interval at which an unanswered ask rings again.
    #[serde(deserialize_with = "time::span_or_never")]
    pub remind: Option<Span>,
    /// The hours in which Telegram cards come silently.
    #[serde(deserialize_with = "time::hours")]
    pub quiet_hours: Option<QuietHours>,
}

/// The section `[notifications]`.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct NotificationsConfig {
    /// Whether an ask is heard, if the desktop makes sounds.
    pub sound: bool,
    /// The asks that come through while the desktop is told not to disturb.
    pub break_through: BreakThrough,
}

/// The section `[turns]`.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(default)]
pub struct TurnsConfig {
    /// The length of a turn from which on its end is told on the desktop.
    #[serde(deserialize_with = "time::span_or_never")]
    pub desktop_after: Option<Span>,
    /// Whether it is told on Telegram as well, when the human is away.
    pub telegram: bool,
}

/// The section `[window]`.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(default)]
pub struct WindowConfig {
    /// The hot key that opens the answer window from everywhere, e.g. `Ctrl+Alt+B`; empty if there
    /// is none.
    pub hotkey: String,
    /// The time for which an answer can be taken back before it is sent.
    #[serde(deserialize_with = "time::span_or_never")]
    pub undo: Option<Span>,
    /// The time for which a window that nobody sees stays ready; after that its memory is given
    /// back.
    #[serde(deserialize_with = "time::span_or_never")]
    pub keep_warm: Option<Span>,
}

/// The section `[person]`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct PersonConfig {
    /// The person's name in the history; if empty, the name of their account on this machine.
    pub name: String,
}

/// The section `[updates]`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct UpdatesConfig {
    /// Whether Beckon's project is asked once a day for a newer version.
    pub check: bool,
}

/// The section `[api]`, which is read at the start only.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct ApiConfig {
    /// The port on the loopback; 0 is any free port.
    pub port: u16,
}

/// The section `[questions]`.
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

/// The section `[permissions]`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct PermissionsConfig {
    /// The permissions that may be allowed with a single press.
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
    /// Returns the policy by which the desk decides.
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
