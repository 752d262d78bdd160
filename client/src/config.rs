//! `config.toml`: its keys, their defaults, and what is wrong with a file that does not fit.

pub mod edit;
mod origin;
mod proxy;
mod time;
mod validate;

pub use origin::OriginTable;
pub use proxy::{ProxyAddress, ProxyMisfit, ProxyScheme};
pub use time::parse_span;
pub use validate::{ConfigError, UnusableConfig, ValueType};

use beckon_core::{BreakThrough, ForwardMode, OnePress, Policy, QuietHours, Span};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::path::Path;

/// The name of the source of what is asked through Beckon itself; no server may have it.
pub const LOCAL_ASKS: &str = "asks";

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
    /// The local API.
    pub api: ApiConfig,
}

/// An OpenCode server.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct OpenCodeServer {
    /// Unique; the password is the secret `opencode:<name>`.
    #[serde(default = "local")]
    pub name: String,
    /// Where it listens.
    #[serde(default = "usual_url")]
    pub url: String,
    /// For HTTP Basic.
    #[serde(default = "usual_username")]
    pub username: String,
    /// On this machine its listener may be another user's.
    #[serde(default)]
    pub any_user: bool,
    /// From a registration over the local API; never from the file, never written.
    #[serde(skip)]
    pub password: Option<crate::platform::secret::Secret>,
    /// It has registered itself; a change of the file does not remove it.
    #[serde(skip)]
    pub registered: Option<RegisteredProcess>,
}

/// What a server says of itself when it registers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RegisteredProcess {
    /// How it is reached.
    pub way: ServerTransport,
    /// Its process.
    pub pid: Option<u32>,
    /// Where it works.
    pub directory: Option<String>,
    /// The ports on which its process listens: it may be watched there already.
    pub ports: BTreeSet<u16>,
}

/// How a server is reached.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum ServerTransport {
    /// At a port of its own.
    #[default]
    Port,
    /// Through the plugin, which passes everything on to the server.
    Door,
    /// Through the plugin, which finds no way to the server and makes do with its events.
    Events,
}

impl OpenCodeServer {
    /// Its port, if it is on this machine.
    pub fn local_port(&self) -> Option<u16> {
        let url = url::Url::parse(&self.url).ok()?;
        let local = match url.host()? {
            url::Host::Domain(name) => name == "localhost",
            url::Host::Ipv4(address) => address.is_loopback(),
            url::Host::Ipv6(address) => address.is_loopback(),
        };
        url.port_or_known_default().filter(|_| local)
    }

    /// The process that has registered it.
    pub fn pid(&self) -> Option<u32> {
        self.registered.as_ref().and_then(|registered| registered.pid)
    }
}

/// A service with the ask_user / resume API.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct InterruptsService {
    /// Unique, also among the servers; the bearer token is the secret `interrupts:<name>`.
    pub name: String,
    /// What it speaks.
    pub kind: InterruptsKind,
    /// Where its events come from.
    pub stream: String,
    /// Where answers go, each with its thread's id behind a slash, or where `{thread}` stands.
    pub resume: String,
    /// The thread that the stream belongs to, where its events name none; stands in for `{thread}`
    /// in the stream's address.
    pub thread: Option<String>,
    /// Where a LangGraph server is, which has one address for both.
    pub url: String,
    /// On this machine its listener may be another user's.
    pub any_user: bool,
}

/// `interrupts.kind`
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum InterruptsKind {
    /// The ask_user / resume API.
    #[default]
    Resume,
    /// LangGraph's API.
    LangGraph,
}

/// `[telegram]`
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(default)]
pub struct TelegramConfig {
    /// When to forward.
    pub forward: ForwardWhen,
    /// Where the Bot API is.
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
            api: ApiConfig::default(),
        }
    }
}

impl Default for OpenCodeServer {
    fn default() -> Self {
        Self {
            name: local(),
            url: usual_url(),
            username: usual_username(),
            any_user: false,
            password: None,
            registered: None,
        }
    }
}

impl Default for InterruptsService {
    fn default() -> Self {
        Self {
            name: "interrupts".into(),
            kind: InterruptsKind::default(),
            stream: "http://127.0.0.1:8000/api/stream".into(),
            resume: "http://127.0.0.1:8000/api/resume".into(),
            thread: None,
            url: "http://127.0.0.1:2024".into(),
            any_user: false,
        }
    }
}

impl Default for PresenceConfig {
    fn default() -> Self {
        let policy = Policy::default();
        Self { away_after: policy.away_after, lock_is_away: policy.lock_is_away }
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
        Self { forward: ForwardWhen::default(), api_url, any_user: false, proxy: None }
    }
}

impl Default for WindowConfig {
    fn default() -> Self {
        Self { hotkey: String::new(), undo: None, keep_warm: Some(Span::minutes(5)) }
    }
}

impl Default for NotificationsConfig {
    fn default() -> Self {
        Self { sound: true, break_through: BreakThrough::default() }
    }
}

impl Default for TurnsConfig {
    fn default() -> Self {
        let policy = Policy::default();
        Self { desktop_after: policy.turns_here_after, telegram: policy.turns_away }
    }
}

impl Config {
    /// Reads the file; none is the same as an empty one. Returns the keys nobody knows beside it.
    ///
    /// # Errors
    /// Names the key, the value and what is allowed.
    pub fn read(path: &Path) -> Result<(Self, Vec<String>), UnusableConfig> {
        Ok(Self::parse(&text(path)?)?)
    }

    /// Reads the text of a file.
    ///
    /// # Errors
    /// Names the key, the value and what is allowed.
    pub fn parse(text: &str) -> Result<(Self, Vec<String>), ConfigError> {
        let mut unknown = Vec::new();
        let refused = |error| validate::diagnose(text, &error);
        let document = toml::Deserializer::parse(text).map_err(refused)?;
        let config: Self =
            serde_ignored::deserialize(document, |key| unknown.push(key.to_string()))
                .map_err(refused)?;
        config.check(text)?;
        Ok((config, unknown))
    }

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
        }
    }

    /// What the reader takes for any text.
    fn check(&self, text: &str) -> Result<(), ConfigError> {
        let file = text.parse().ok();
        match file.and_then(|file| validate::first(text, &file)) {
            Some(misfit) => Err(misfit),
            None => self.check_names(),
        }
    }

    /// Asks are known by the names of their sources.
    fn check_names(&self) -> Result<(), ConfigError> {
        let servers = self.opencode.iter().map(|server| ("opencode.name", &server.name));
        let services = self.interrupts.iter().map(|service| ("interrupts.name", &service.name));
        let mut taken = BTreeSet::from([crate::config::LOCAL_ASKS]);
        for (key, name) in servers.chain(services) {
            if name.trim().is_empty() {
                return Err(ConfigError::NoName { key });
            }
            if !taken.insert(name) {
                return Err(ConfigError::NameTaken { key, name: name.clone() });
            }
        }
        Ok(())
    }
}

/// The language that the file wishes for, even when the rest of it cannot be used.
pub fn language(path: &Path) -> String {
    let file = text(path).ok().and_then(|text| text.parse::<toml::Table>().ok());
    let wish = file.and_then(|file| Some(file.get("language")?.as_str()?.to_owned()));
    wish.unwrap_or_else(|| Config::default().language)
}

fn text(path: &Path) -> Result<String, UnusableConfig> {
    match std::fs::read_to_string(path) {
        Ok(text) => Ok(text),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(String::new()),
        Err(error) => Err(UnusableConfig::Unread { path: path.into(), reason: error.to_string() }),
    }
}

/// An address of a server: HTTP, and no password in it, since addresses are shown and logged.
pub fn is_address(text: &str) -> bool {
    url::Url::parse(text).is_ok_and(|url| {
        matches!(url.scheme(), "http" | "https")
            && url.username().is_empty()
            && url.password().is_none()
    })
}

fn local() -> String {
    "local".into()
}

fn usual_url() -> String {
    "http://127.0.0.1:4096".into()
}

fn usual_username() -> String {
    "opencode".into()
}

#[cfg(test)]
mod tests;
