//! `config.toml`: its keys and their defaults.
//!
//! Who is watched is in `servers`, how the file is read in `reading`, and what is wrong with one that
//! does not fit in `validate`.

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
/// What the ids of its sessions begin with: a server of that name has others.
pub const DEMO_SESSION: &str = "ses_demo_";

/// The settings. Every key is optional.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(default)]
pub struct Config {
    /// `auto`, or a language there is.
    pub language: String,
    /// The OpenCode servers to watch.
    pub opencode: Vec<OpenCodeServer>,
    /// The services with interrupts to watch.
    pub interrupts: Vec<InterruptsService>,
    /// When to forward to Telegram.
    pub telegram: TelegramConfig,
    /// When the human counts as away.
    pub presence: PresenceConfig,
    /// What happens to an unanswered ask.
    pub escalation: EscalationConfig,
    /// Questions only.
    pub questions: QuestionsConfig,
    /// Permissions only.
    pub permissions: PermissionsConfig,
    /// What rings at the desk.
    pub notifications: NotificationsConfig,
    /// Finished turns.
    pub turns: TurnsConfig,
    /// The windows.
    pub window: WindowConfig,
    /// Who sits at this machine.
    pub person: PersonConfig,
    /// Newer versions.
    pub updates: UpdatesConfig,
    /// The local API.
    pub api: ApiConfig,
    /// Where the Beckons of one person share what they ask, if anywhere.
    #[serde(deserialize_with = "hub::joined")]
    pub hub: Option<HubConfig>,
}

/// `[telegram]`
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(default)]
pub struct TelegramConfig {
    /// When to forward.
    pub forward: ForwardWhen,
    /// Where the Bot API is.
    #[serde(deserialize_with = "address::typed")]
    pub api_url: String,
    /// On this machine it may be another user's.
    pub any_user: bool,
    /// The Bot API is reached through it; its password is the secret `telegram:proxy`.
    #[serde(deserialize_with = "proxy::address")]
    pub proxy: Option<ProxyAddress>,
}

/// `telegram.forward`
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum ForwardWhen {
    /// When the human is away.
    #[default]
    Away,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// `[presence]`
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(default)]
pub struct PresenceConfig {
    /// Idle for so long counts as away.
    #[serde(deserialize_with = "time::span")]
    pub away_after: Span,
    /// A locked screen counts as away.
    pub lock_is_away: bool,
}

/// `[escalation]`
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(default)]
pub struct EscalationConfig {
    /// Unanswered for so long although here: Telegram as well.
    #[serde(deserialize_with = "time::span_or_never")]
    pub after: Option<Span>,
    /// Unanswered: ring again every so often.
    #[serde(deserialize_with = "time::span_or_never")]
    pub remind: Option<Span>,
    /// Telegram cards come silently then.
    #[serde(deserialize_with = "time::hours")]
    pub quiet_hours: Option<QuietHours>,
}

/// `[notifications]`
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct NotificationsConfig {
    /// An ask is heard, where the desktop makes sounds.
    pub sound: bool,
    /// Which asks come through while the desktop is told not to disturb.
    pub break_through: BreakThrough,
}

/// `[turns]`
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(default)]
pub struct TurnsConfig {
    /// A finished turn is told on the desktop when it took so long.
    #[serde(deserialize_with = "time::span_or_never")]
    pub desktop_after: Option<Span>,
    /// And on Telegram, when the human is away.
    pub telegram: bool,
}

/// `[window]`
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(default)]
pub struct WindowConfig {
    /// Opens the answer window from everywhere, e.g. `Ctrl+Alt+B`; empty: none does.
    pub hotkey: String,
    /// An answer can be taken back for so long before it is sent.
    #[serde(deserialize_with = "time::span_or_never")]
    pub undo: Option<Span>,
    /// A window that nobody sees stays ready for so long; after that its memory is given back.
    #[serde(deserialize_with = "time::span_or_never")]
    pub keep_warm: Option<Span>,
}

/// `[person]`
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct PersonConfig {
    /// What they are called in the history; empty: as their account on this machine is.
    pub name: String,
}

/// `[updates]`
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct UpdatesConfig {
    /// Beckon's project is asked once a day whether there is a newer version.
    pub check: bool,
}

/// `[api]`; read at the start only.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct ApiConfig {
    /// Where it listens on the loopback; 0 is any free port.
    pub port: u16,
}

/// `[questions]`
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct QuestionsConfig {
    /// Rejected at the source after so long.
    #[serde(deserialize_with = "time::span_or_never")]
    pub expire_after: Option<Span>,
    /// An OpenCode with the plugin asks Beckon before its dialog appears, for so long.
    #[serde(deserialize_with = "time::span_or_never")]
    pub before_dialog: Option<Span>,
}

/// `[permissions]`
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct PermissionsConfig {
    /// What may be allowed with a single press.
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
    /// What the desk decides by.
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
