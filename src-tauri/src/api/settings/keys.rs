//! The settings as the windows see them: the values of the file, and beside them the plugin, and
//! whether Beckon starts at login.

use crate::integrations::autostart;
use crate::sources::opencode::plugin::Plugin;
use crate::updates;
use beckon_client::config::edit;
use beckon_client::config::{Config, HubConfig, OriginTable, ProxyAddress};
use beckon_client::text::{Texts, words};
use beckon_client::wire::{Installed, PluginSetting, ServerSetting, Setting, Settings, SourceKind};
use std::path::Path;

/// Returns the part of `GET /settings` that comes from the file. Whether secrets are at hand is not
/// known here: of the proxy's only whether one would be used.
pub(super) fn settings(path: &Path, file: &str, texts: &Texts) -> Settings {
    let (config, error) = match Config::parse(file) {
        Ok((config, _)) => (config, None),
        Err(invalid) => (Config::default(), Some(words::config(texts, &invalid))),
    };
    let hub = config.hub.as_ref().map(|_| HubConfig::default());
    let defaults = Config {
        hub,
        ..Config::default()
    };
    let pairs = edit::values(&config).zip(edit::values(&defaults));
    let keys = pairs.map(|((key, value), (_, default))| Setting {
        key: key.into(),
        value,
        default,
        in_file: edit::stands(file, key),
    });
    // A switch that does nothing is left out.
    let keys = keys.filter(|setting| setting.key != "updates.check" || updates::can_ask());
    let keys = keys.collect();
    let has_proxy_password = config
        .telegram
        .proxy
        .as_ref()
        .is_some_and(ProxyAddress::has_user);
    let in_file = edit::stands(file, "opencode");
    let servers = config
        .opencode
        .into_iter()
        .map(|s| (OriginTable::OpenCode(s), in_file));
    let services = config
        .interrupts
        .into_iter()
        .map(|s| (OriginTable::Service(s), true));
    let origins = servers.chain(services);
    let servers = origins
        .map(|(origin, in_file)| server_setting(&origin, in_file))
        .collect();
    let (file, plugin) = (path.display().to_string(), plugin(texts));
    let autostart = autostart::is_on().ok();
    Settings {
        file,
        error,
        keys,
        servers,
        has_proxy_password,
        plugin,
        autostart,
    }
}

fn plugin(texts: &Texts) -> PluginSetting {
    let plugin = Plugin::from_env();
    let file = plugin
        .as_ref()
        .map(|plugin| plugin.file().display().to_string());
    let file = file.unwrap_or_default();
    match plugin.and_then(|plugin| plugin.installed()) {
        Ok(installed) => PluginSetting {
            installed,
            file,
            error: None,
        },
        Err(error) => {
            let error = Some(words::failure(texts, &error));
            PluginSetting {
                installed: Installed::No,
                file,
                error,
            }
        }
    }
}

/// Returns the setting of a server; whether its secret is at hand is not known here.
pub(super) fn server_setting(origin: &OriginTable, in_file: bool) -> ServerSetting {
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
