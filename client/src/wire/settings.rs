//! The settings as the windows see them: every key, its default, and whether it is in the file.

use crate::config::edit::Value;
use crate::wire::SourceKind;
use serde::{Deserialize, Serialize};

/// The response of `GET /settings`
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Settings {
    /// The path of `config.toml`.
    pub file: String,
    /// The reason why the file is not used now; the last good settings hold.
    pub error: Option<String>,
    /// The keys that hold one value.
    pub keys: Vec<Setting>,
    /// The servers and services; those that have registered themselves come last.
    pub servers: Vec<ServerSetting>,
    /// Whether Telegram's proxy wants a login, and its password is at hand.
    #[serde(default)]
    pub has_proxy_password: bool,
    /// Beckon's plugin for OpenCode.
    pub plugin: PluginSetting,
    /// Whether Beckon starts when its human logs in; missing where the system does not say.
    #[serde(default)]
    pub autostart: Option<bool>,
}

/// Beckon's plugin for OpenCode.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PluginSetting {
    /// Whether the plugin is among OpenCode's files.
    pub installed: Installed,
    /// The path of the plugin's file, also if it is not installed.
    pub file: String,
    /// The reason why that is unknown.
    pub error: Option<String>,
}

/// A key of the settings.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Setting {
    /// The key's name with its section: `presence.away_after`.
    pub key: String,
    /// The value that holds.
    pub value: Value,
    /// The value that would hold if the key were not in the file.
    pub default: Value,
    /// Whether the key is in the file.
    pub in_file: bool,
}

/// A server or service of the settings.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ServerSetting {
    /// The server's name.
    pub name: String,
    /// The protocol that the server speaks.
    pub kind: SourceKind,
    /// The server's address; of a service with interrupts that of its events.
    pub url: String,
    /// The address to which answers go, for a service with interrupts.
    pub resume: Option<String>,
    /// The user name for HTTP Basic; only an OpenCode has one.
    pub username: String,
    /// The name of the server's password or token in the keychain.
    pub secret: String,
    /// Whether the server is in the file; otherwise it is the default, or registered.
    pub in_file: bool,
    /// Whether the server has registered itself. It goes when it likes, and the settings have no
    /// say.
    pub registered: bool,
    /// Whether a password or token for the server is at hand.
    pub has_password: bool,
}

/// The body of `PATCH /settings`
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SettingChange {
    /// The key's name.
    pub key: String,
    /// The new value; `null` takes the key out of the file.
    pub value: Option<Value>,
}

/// The response of `POST /servers/test`
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ServerTested {
    /// Whether the server answers as its kind does, and lets us in.
    pub ok: bool,
    /// The protocol that the server speaks, if that is known. If it differs from the wanted one,
    /// `ok` is false.
    pub kind: Option<SourceKind>,
    /// Whether the server wants a password or token, or another one.
    pub unauthorized: bool,
    /// The server's version, if it tells.
    pub version: Option<String>,
    /// The result as a sentence for people.
    pub message: String,
}

/// An item of `GET /agents`: an OpenCode that runs on this computer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LocalAgent {
    /// The id of the agent's process.
    pub pid: u32,
    /// The directory in which the agent works, if the system tells.
    pub directory: Option<String>,
    /// Whether the agent's requests arrive.
    pub state: LocalAgentState,
    /// The source through which they arrive, if one does.
    pub source: Option<String>,
}

/// Whether the requests of an agent on this computer arrive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum LocalAgentState {
    /// The agent's requests arrive.
    Connected,
    /// The agent's requests do not arrive: it opens no port that is watched, and the plugin is not
    /// installed.
    Unconnected,
    /// The agent's requests will arrive once it is restarted: it started before the plugin was
    /// installed, or has not read it.
    Restart,
}

/// The response of `GET /integrations`: Beckon's integrations with other agents than OpenCode.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Integrations {
    /// The hooks of Claude Code.
    pub claude_code: HookSetting,
    /// The settings for an MCP client, as JSON; missing where they cannot be told.
    pub mcp: Option<String>,
}

/// Beckon's hooks in Claude Code's settings.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct HookSetting {
    /// Whether the hooks are in Claude Code's settings.
    pub state: HookState,
    /// The path of Claude Code's settings.
    pub file: String,
    /// The setting that keeps Claude Code from running hooks, and the file in which it is.
    pub switched_off: Option<String>,
    /// The reason why the state is unknown, or was not changed.
    pub error: Option<String>,
}

/// Whether the hooks are in Claude Code's settings.
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

/// Whether the plugin is installed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Installed {
    /// The plugin is not installed.
    No,
    /// The plugin is installed, in this Beckon's version.
    Yes,
    /// The plugin is installed, in another version.
    Outdated,
    /// A file of the plugin's name is there that is not Beckon's.
    Foreign,
}
