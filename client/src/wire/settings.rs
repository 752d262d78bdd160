//! The settings as the windows see them: every key, its default, and whether it stands in the file.

use crate::config::edit::Value;
use crate::wire::SourceKind;
use serde::{Deserialize, Serialize};

/// `GET /settings`
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Settings {
    /// Where `config.toml` lies.
    pub file: String,
    /// Why the file is not used now; the last good settings hold.
    pub error: Option<String>,
    /// Every key that holds one value.
    pub keys: Vec<Setting>,
    /// The servers and services, those that have registered themselves last.
    pub servers: Vec<ServerSetting>,
    /// Telegram's proxy wants to know who asks, and its password is at hand.
    #[serde(default)]
    pub has_proxy_password: bool,
    /// Beckon's plugin for OpenCode.
    pub plugin: PluginSetting,
    /// Beckon starts when its human logs in; nothing where the system does not say.
    #[serde(default)]
    pub autostart: Option<bool>,
}

/// Beckon's plugin for OpenCode.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PluginSetting {
    /// How it stands among OpenCode's files.
    pub installed: Installed,
    /// Where it lies, or would lie.
    pub file: String,
    /// Why that cannot be told.
    pub error: Option<String>,
}

/// One key.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Setting {
    /// With its section: `presence.away_after`.
    pub key: String,
    /// What holds.
    pub value: Value,
    /// What would hold if it stood nowhere.
    pub default: Value,
    /// It stands in the file.
    pub in_file: bool,
}

/// A server or service of the settings.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ServerSetting {
    /// Its name.
    pub name: String,
    /// What it speaks.
    pub kind: SourceKind,
    /// Its address; of a service with interrupts that of its events.
    pub url: String,
    /// Of a service with interrupts: where answers go.
    pub resume: Option<String>,
    /// For HTTP Basic; only an OpenCode has one.
    pub username: String,
    /// What its password or token is called in the keychain.
    pub secret: String,
    /// It stands in the file; otherwise it is the default, or registered.
    pub in_file: bool,
    /// It has registered itself and goes by itself; the settings have no say.
    pub registered: bool,
    /// A password or token for it is at hand.
    pub has_password: bool,
}

/// `PATCH /settings`
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SettingChange {
    /// Which key.
    pub key: String,
    /// Its value; `null` takes it out of the file.
    pub value: Option<Value>,
}

/// `POST /servers/test`
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ServerTested {
    /// It answers as its kind does, and lets us in.
    pub ok: bool,
    /// What answers, if that is known; where it is another kind, `ok` is not.
    pub kind: Option<SourceKind>,
    /// It wants a password or token, or another one.
    pub unauthorized: bool,
    /// Its version, if it tells.
    pub version: Option<String>,
    /// In words.
    pub message: String,
}

/// `GET /agents`: an OpenCode that runs on this computer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LocalAgent {
    /// Its process.
    pub pid: u32,
    /// Where it works, if the system says.
    pub directory: Option<String>,
    /// Does what it asks arrive?
    pub state: LocalAgentState,
    /// The source that brings it, if one does.
    pub source: Option<String>,
}

/// Does what an agent on this computer asks arrive?
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum LocalAgentState {
    /// Yes.
    Connected,
    /// No: it opens no port that is watched, and the plugin is not installed.
    Unconnected,
    /// Once it is started again: it began before the plugin was installed, or has not read it.
    Restart,
}

/// `GET /integrations`: what Beckon has for other agents than OpenCode.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Integrations {
    /// The hooks of Claude Code.
    pub claude_code: HookSetting,
    /// What an MCP client's settings are to say, as JSON; nothing where it cannot be told.
    pub mcp: Option<String>,
}

/// Beckon's hooks in Claude Code's settings.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct HookSetting {
    /// How they stand there.
    pub state: HookState,
    /// Claude Code's settings.
    pub file: String,
    /// What keeps Claude Code from running hooks: the setting, and the file in which it stands.
    pub switched_off: Option<String>,
    /// Why that cannot be told, or was not changed.
    pub error: Option<String>,
}

/// How the hooks stand there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum HookState {
    /// There is no Claude Code here.
    NotFound,
    /// No.
    No,
    /// As this Beckon writes them.
    Yes,
    /// As another version of Beckon wrote them, or for another Claude Code.
    Outdated,
    /// They are there, and Claude Code runs no hooks.
    Off,
}

/// How it stands there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Installed {
    /// No.
    No,
    /// As this Beckon has it.
    Yes,
    /// As another version of Beckon had it.
    Outdated,
    /// Somebody else's file has its name.
    Foreign,
}
