//! The settings as the windows see them: every key, its default, and whether it stands in the file.

use crate::config::edit::{self, Value};
use crate::config::{Config, OriginTable};
use crate::sources::opencode::plugin::{Installed, Plugin};
use crate::text::Texts;
use crate::text::words;
use crate::wire::SourceKind;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// `GET /settings`
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Settings {
    /// Where `config.toml` lies.
    pub file: String,
    /// Why the file is not used now; the last good settings hold.
    pub error: Option<String>,
    /// Every key that holds one value.
    pub keys: Vec<Setting>,
    /// The servers and services, those that have registered themselves last.
    pub servers: Vec<ServerSetting>,
    /// Beckon's plugin for OpenCode.
    pub plugin: PluginSetting,
}

/// Beckon's plugin for OpenCode.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
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
pub struct SettingChange {
    /// Which key.
    pub key: String,
    /// Its value; `null` takes it out of the file.
    pub value: Option<Value>,
}

/// `POST /servers/test`
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
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

/// The part of `GET /settings` that is the file's.
pub fn settings(path: &Path, file: &str, texts: &Texts) -> Settings {
    let (config, error) = match Config::parse(file) {
        Ok((config, _)) => (config, None),
        Err(misfit) => (Config::default(), Some(words::config(texts, &misfit))),
    };
    let defaults = Config::default();
    let pairs = edit::values(&config).zip(edit::values(&defaults));
    let keys = pairs.map(|((key, value), (_, default))| Setting {
        key: key.into(),
        value,
        default,
        in_file: edit::stands(file, key),
    });
    let keys = keys.collect();
    let in_file = edit::stands(file, "opencode");
    let servers = config.opencode.into_iter().map(|s| (OriginTable::OpenCode(s), in_file));
    let services = config.interrupts.into_iter().map(|s| (OriginTable::Service(s), true));
    let origins = servers.chain(services);
    let servers = origins.map(|(origin, in_file)| server_setting(&origin, in_file)).collect();
    Settings { file: path.display().to_string(), error, keys, servers, plugin: plugin(texts) }
}

fn plugin(texts: &Texts) -> PluginSetting {
    let plugin = Plugin::from_env();
    let file = plugin.as_ref().map(|plugin| plugin.file().display().to_string());
    let file = file.unwrap_or_default();
    match plugin.and_then(|plugin| plugin.installed()) {
        Ok(installed) => PluginSetting { installed, file, error: None },
        Err(error) => {
            let error = Some(words::failure(texts, &error));
            PluginSetting { installed: Installed::No, file, error }
        }
    }
}

/// One of them; whether its secret is at hand is not known here.
pub fn server_setting(origin: &OriginTable, in_file: bool) -> ServerSetting {
    let (kind, username) = match origin {
        OriginTable::OpenCode(server) => (SourceKind::OpenCode, server.username.clone()),
        OriginTable::Service(service) => (service.kind.into(), String::new()),
    };
    let mut addresses = origin.addresses().into_iter().map(str::to_owned);
    ServerSetting {
        name: origin.name().to_owned(),
        kind,
        url: addresses.next().unwrap_or_default(),
        resume: addresses.next(),
        username,
        secret: origin.secret(),
        in_file,
        registered: false,
        has_password: false,
    }
}
