//! The settings as the windows see them: every key, its default, and whether it is in the file.

use crate::config::edit::Value;
use crate::wire::SourceKind;
use serde::{Deserialize, Serialize};

/// The answer to `GET /settings`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Settings {
    /// The path of `config.toml`.
    pub file: String,
    /// The reason why the file is not used now, so that the last good settings hold.
    pub error: Option<String>,
    /// The keys that hold a single value.
    pub keys: Vec<Setting>,
    /// The servers and services; those that have registered themselves come last.
    pub servers: Vec<ServerSetting>,
    /// Whether Telegram's proxy wants a login, and its password is at hand.
    #[serde(default)]
    pub has_proxy_password: bool,
    /// The state of Beckon's plugin for OpenCode.
    pub plugin: PluginSetting,
    /// Whether Beckon starts when its user logs in; absent if the system does not say.
    #[serde(default)]
    pub autostart: Option<bool>,
}

/// Beckon's plugin for OpenCode.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PluginSetting {
    /// The state of the plugin among OpenCode's files.
    pub installed: Installed,
    /// The path where it is, or would be.
    pub file: String,
    /// The reason why the state cannot be told.
    pub error: Option<String>,
}

/// A key of the settings.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Setting {
    /// The key with its section, such as `presence.away_after`.
    pub key: String,
    /// The value that holds.
    pub value: Value,
    /// The value that would hold if the file had none.
    pub default: Value,
    /// Whether the key is in the file.
    pub in_file: bool,
}

/// A server or service of the settings.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ServerSetting {
    /// The name of the server or service.
    pub name: String,
    /// The API that it speaks.
    pub kind: SourceKind,
    /// The address; of a service with interrupts, the address of its events.
    pub url: String,
    /// The address for answers, of a service with interrupts.
    pub resume: Option<String>,
    /// The user name for HTTP Basic; only an OpenCode has one.
    pub username: String,
    /// The name of its password or token in the keychain.
    pub secret: String,
    /// Whether it is in the file; if not, it is the default, or registered.
    pub in_file: bool,
    /// Whether it has registered itself. It then disappears by itself, and the settings have no say
    /// in it.
    pub registered: bool,
    /// Whether a password or token for it is at hand.
    pub has_password: bool,
}

/// The body of `PATCH /settings`.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SettingChange {
    /// The key that is changed.
    pub key: String,
    /// The new value; `null` takes the key out of the file.
    pub value: Option<Value>,
}

/// The answer to `POST /servers/test`.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ServerTested {
    /// Whether it answers as its kind does, and lets us in.
    pub ok: bool,
    /// The kind of server that answers, if that is known. If it is another kind than was asked for,
    /// `ok` is false.
    pub kind: Option<SourceKind>,
    /// Whether it wants a password or token, or a different one.
    pub unauthorized: bool,
    /// The version of the server, if it tells it.
    pub version: Option<String>,
    /// The result in words.
    pub message: String,
}

/// An OpenCode that runs on this computer; an item of `GET /agents`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LocalAgent {
    /// The id of its process.
    pub pid: u32,
    /// The directory in which it works, if the system tells it.
    pub directory: Option<String>,
    /// The state: whether what it asks arrives here.
    pub state: LocalAgentState,
    /// The source through which it is watched, if there is one.
    pub source: Option<String>,
}

/// The state of an agent on this computer: whether what it asks arrives here.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum LocalAgentState {
    /// The agent's asks arrive.
    Connected,
    /// The agent's asks do not arrive: it opens no port that is watched, and the plugin is not
    /// installed.
    Unconnected,
    /// The agent's asks arrive once it is started again: it began before the plugin was installed,
    /// or has not read it.
    Restart,
}

/// The answer to `GET /integrations`: what Beckon has for other agents than OpenCode.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Integrations {
    /// The hooks of Claude Code.
    pub claude_code: HookSetting,
    /// The text that an MCP client's settings are to have, as JSON; absent if it cannot be told.
    pub mcp: Option<String>,
}

/// The state of Beckon's hooks in Claude Code's settings.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct HookSetting {
    /// The state of the hooks there.
    pub state: HookState,
    /// The path of Claude Code's settings.
    pub file: String,
    /// The setting that keeps Claude Code from running hooks, and the file in which it is.
    pub switched_off: Option<String>,
    /// The reason why the state cannot be told, or was not changed.
    pub error: Option<String>,
}

/// The state of the hooks in Claude Code's settings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum HookState {
    /// There is no Claude Code here.
    NotFound,
    /// The hooks are not there.
    No,
    /// The hooks are there as this Beckon writes them.
    Yes,
    /// The hooks are there as another version of Beckon wrote them, or for another Claude Code.
    Outdated,
    /// The hooks are there, but Claude Code runs no hooks.
    Off,
}

/// The state of the plugin among OpenCode's files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Installed {
    /// The plugin is not there.
    No,
    /// The plugin is there as this Beckon has it.
    Yes,
    /// The plugin is there as another version of Beckon had it.
    Outdated,
    /// Another program's file has its name.
    Foreign,
}
