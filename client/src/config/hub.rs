//! The section `[hub]`: the server on which the Beckons of one person share what they ask, and the
//! devices whose answers count.

use super::address;
use serde::{Deserialize, Deserializer};
use std::collections::BTreeMap;
use std::net::IpAddr;
use std::path::PathBuf;
use url::Url;

/// The section `[hub]`.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct HubConfig {
    /// The address of the NATS server.
    #[serde(default, deserialize_with = "address::typed")]
    pub url: String,
    /// Whether another machine may be reached without TLS as well.
    #[serde(default)]
    pub insecure: bool,
    /// Whether the server on this machine may be another local user's.
    #[serde(default)]
    pub any_user: bool,
    /// The public key of the device that says who belongs to the desk, if there is such a device.
    #[serde(default)]
    pub admin: Option<String>,
    /// The certificate that has signed the server's, if the system does not know it.
    #[serde(default)]
    pub ca: Option<PathBuf>,
    /// The public keys of the devices whose records count here, by name, in addition to those of
    /// the desk.
    #[serde(default)]
    pub devices: BTreeMap<String, String>,
    /// Whether the other machines are told whether the human is here.
    #[serde(default = "told")]
    pub share_presence: bool,
}

/// Reads the table. `None` if it names no server: then no hub was joined, and the rest of the table
/// waits for one.
pub(super) fn joined<'de, D: Deserializer<'de>>(table: D) -> Result<Option<HubConfig>, D::Error> {
    let hub = HubConfig::deserialize(table)?;
    Ok(Some(hub).filter(|hub| !hub.url.is_empty()))
}

fn told() -> bool {
    true
}

impl Default for HubConfig {
    fn default() -> Self {
        Self {
            url: String::new(),
            insecure: false,
            any_user: false,
            admin: None,
            ca: None,
            devices: BTreeMap::new(),
            share_presence: told(),
        }
    }
}

impl HubConfig {
    /// Whether it is the same hub, reached in the same way, with the same devices. Whether presence
    /// is shared on it does not matter.
    pub fn is_same_hub(&self, other: &Self) -> bool {
        let share_presence = other.share_presence;
        Self {
            share_presence,
            ..self.clone()
        } == *other
    }
}

/// Whether a hub at that address may be used. Without TLS it has to be on this machine, unless the
/// user insists.
pub(super) fn is_usable(url: &str, insecure: bool) -> bool {
    let Ok(url) = Url::parse(address::trim_address(url)) else {
        return false;
    };
    let is_plain = url.password().is_none()
        && matches!(url.path(), "" | "/")
        && url.query().is_none()
        && url.fragment().is_none();
    let Some(host) = url.host_str().filter(|host| !host.is_empty()) else {
        return false;
    };
    // For schemes that it does not know, the library takes every address for a name.
    let address = host
        .trim_start_matches('[')
        .trim_end_matches(']')
        .parse::<IpAddr>();
    let is_here = host == "localhost" || address.is_ok_and(|address| address.is_loopback());
    match url.scheme() {
        "tls" => is_plain,
        "nats" => is_plain && (is_here || insecure),
        _ => false,
    }
}

/// Whether the text is a public key, as devices print theirs. Ed25519 keys have 32 bytes (RFC 8032,
/// 5.1.5), here in base64 for addresses and without padding (RFC 4648, 5).
pub(super) fn is_key(key: &str) -> bool {
    key.len() == 43
        && key
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Config;

    const KEY: &str = "o4Bv2gqY1u6vZ0mS3xWkE8rT5nQdLwJfHcPbAiUyG7M";

    #[test]
    fn without_tls_a_hub_is_on_this_machine_or_its_human_insists() {
        for url in [
            "nats://127.0.0.1:4222",
            "nats://[::1]:4222",
            "nats://localhost",
            "tls://hub.example",
            "\u{feff} tls://hub.example:4222\u{200b}\n",
        ] {
            assert!(is_usable(url, false), "{url}");
        }
        for url in [
            "nats://10.0.0.1:4222",
            "nats://hub.example:4222",
            "nats://127.0.0.1.example:4222",
        ] {
            assert!(!is_usable(url, false), "{url}");
            assert!(is_usable(url, true), "{url}");
        }
        for url in [
            "",
            "127.0.0.1:4222",
            "http://127.0.0.1:4222",
            "nats://",
            "tls://me:secret@hub.example",
            "tls://hub.example?x=1",
            "nats://127.0.0.1:4222/#a",
        ] {
            assert!(!is_usable(url, true), "{url}");
        }
    }

    #[test]
    fn a_hub_is_read_with_its_devices_and_one_that_is_not_usable_is_named() {
        let text = "[hub]\nurl = \"nats://127.0.0.1:4222\"\nadmin = \"KEY\"\nca = \"/ca.pem\"\ndevices = { laptop = \"KEY\" }\n".replace("KEY", KEY);
        let (config, unknown) = Config::parse(&text).unwrap();
        let hub = config.hub.unwrap();
        assert_eq!(unknown, Vec::<String>::new());
        assert_eq!(hub.devices["laptop"], KEY);
        assert_eq!(
            (hub.admin.as_deref(), &hub.ca),
            (Some(KEY), &Some("/ca.pem".into()))
        );
        assert!(hub.share_presence && Config::parse("").unwrap().0.policy().shares_presence);
        let withheld = Config::parse(&format!("{text}share_presence = false\n"))
            .unwrap()
            .0;
        assert!(!withheld.policy().shares_presence);
        assert!(withheld.hub.unwrap().is_same_hub(&hub));
        assert!(
            !HubConfig {
                devices: BTreeMap::new(),
                ..hub.clone()
            }
            .is_same_hub(&hub)
        );
        assert!(Config::parse(&format!("{text}share_presence = 'no'\n")).is_err());
        assert_eq!(Config::parse("").unwrap().0.hub, None);
        let refused = Config::parse("[hub]\nurl = \"nats://10.0.0.1:4222\"\n").unwrap_err();
        assert!(
            refused
                .to_string()
                .starts_with("hub.url is \"nats://10.0.0.1:4222\""),
            "{refused}"
        );
        // Cut off while it was copied.
        for (cut, key) in [
            ("admin = \"V79fn\"", "hub.admin"),
            ("devices = { laptop = \"V79fn\" }", "hub.devices"),
        ] {
            let text = format!("[hub]\nurl = \"nats://127.0.0.1:4222\"\n{cut}\n");
            let refused = Config::parse(&text).unwrap_err().to_string();
            assert!(
                refused.starts_with(key) && refused.contains("beckon hub key"),
                "{refused}"
            );
        }
        let insists = "[hub]\nurl = \"nats://10.0.0.1:4222\"\ninsecure = true\n";
        assert!(Config::parse(insists).is_ok());
    }
}
