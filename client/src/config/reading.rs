//! The reading of the file, all of it or nothing, and of the keys in it that nobody knows.
//!
//! Not here: the check of the values (`validate`).

use super::file::text;
use super::{Config, ConfigError, LOCAL_ASKS, UnusableConfig, ValueType, hub, validate};
use beckon_core::hub::HUB_SOURCE;
use std::collections::BTreeSet;
use std::path::Path;

impl Config {
    /// Reads the file; a missing one is the same as an empty one. Also returns the keys in it that
    /// nobody knows.
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
            serde_ignored::deserialize(document, |key| unknown.push(named(&key.to_string())))
                .map_err(refused)?;
        config.check(text)?;
        Ok((config, unknown))
    }

    /// Checks values that the reader takes as any text.
    fn check(&self, text: &str) -> Result<(), ConfigError> {
        let file = text.parse().ok();
        match file.and_then(|file| validate::first(text, &file)) {
            Some(invalid) => Err(invalid),
            None => self.check_hub().and_then(|()| self.check_names()),
        }
    }

    fn check_hub(&self) -> Result<(), ConfigError> {
        let Some(hub) = &self.hub else { return Ok(()) };
        if !hub::is_usable(&hub.url, hub.insecure) {
            let (value, takes) = (format!("{:?}", hub.url), ValueType::HubAddress);
            return Err(ConfigError::Value {
                key: "hub.url",
                value,
                takes,
            });
        }
        match hub.devices.iter().find(|(_, key)| !hub::is_key(key)) {
            None => Ok(()),
            Some((name, key)) => {
                let (value, takes) = (format!("{name} = {key:?}"), ValueType::DeviceKey);
                Err(ConfigError::Value {
                    key: "hub.devices",
                    value,
                    takes,
                })
            }
        }
    }

    /// Checks that each source has a name of its own: asks are known by the names of their sources.
    fn check_names(&self) -> Result<(), ConfigError> {
        let servers = self
            .opencode
            .iter()
            .map(|server| ("opencode.name", &server.name));
        let services = self
            .interrupts
            .iter()
            .map(|service| ("interrupts.name", &service.name));
        let mut taken = BTreeSet::from([LOCAL_ASKS]);
        for (key, name) in servers.chain(services) {
            if name.trim().is_empty() {
                return Err(ConfigError::NoName { key });
            }
            if !taken.insert(name) || name.starts_with(HUB_SOURCE) {
                return Err(ConfigError::NameTaken {
                    key,
                    name: name.clone(),
                });
            }
        }
        Ok(())
    }
}

/// Returns the language that the file asks for, even when the rest of it cannot be used.
pub fn language(path: &Path) -> String {
    let file = text(path)
        .ok()
        .and_then(|text| text.parse::<toml::Table>().ok());
    let wish = file.and_then(|file| Some(file.get("language")?.as_str()?.to_owned()));
    wish.unwrap_or_else(|| Config::default().language)
}

/// Returns a key as it is in the file, without the `?` that the reader puts into the paths of
/// optional values.
fn named(path: &str) -> String {
    path.split('.')
        .filter(|part| *part != "?")
        .collect::<Vec<_>>()
        .join(".")
}
