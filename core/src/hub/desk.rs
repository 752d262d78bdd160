//! Who belongs to a desk: the record that its admin signs, and that everybody else believes.
//!
//! Not here: the admin's own file of it, and how one gets onto it (`hub/serving` of the program).

use super::RECORD_VERSION;
use alloc::collections::BTreeMap;
use alloc::string::String;
use serde::{Deserialize, Serialize};

/// The people and devices of a desk. What a later Beckon adds is passed over.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeskRecord {
    /// [`RECORD_VERSION`]
    pub v: u32,
    /// Higher with every change. What is lower than one that was seen is a replay.
    pub revision: u64,
    /// Does the server write to the disk before it acknowledges? As its admin has set it up.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub syncs: Option<bool>,
    /// The people, by name.
    #[serde(default)]
    pub people: BTreeMap<String, PersonEntry>,
    /// The devices, by name.
    #[serde(default)]
    pub devices: BTreeMap<String, DeviceEntry>,
}

/// A person of the desk.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PersonEntry {}

/// A device of the desk.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeviceEntry {
    /// The public key by which it signs.
    pub key: String,
    /// By which the server lets it in.
    #[serde(default)]
    pub login: String,
    /// Whose it is.
    #[serde(default)]
    pub person: Option<String>,
}

impl DeskRecord {
    /// Where it stands.
    pub fn subject() -> String {
        "bk.desk.own".into()
    }

    /// Does it count, where that one is known?
    pub fn supersedes(&self, known: Option<&Self>) -> bool {
        self.v == RECORD_VERSION && known.is_none_or(|known| self.revision > known.revision)
    }

    /// The device with that key.
    pub fn device_of(&self, key: &str) -> Option<(&str, &DeviceEntry)> {
        let mut devices = self.devices.iter();
        devices.find(|(_, it)| it.key == key).map(|(name, entry)| (name.as_str(), entry))
    }

    /// Is that device somebody else's than the one with this key? Where nobody says whose they are,
    /// they are one person's.
    pub fn is_somebody_elses(&self, device: &str, key: &str) -> bool {
        let ours = self.device_of(key).and_then(|(_, entry)| entry.person.as_ref());
        let theirs = self.devices.get(device).and_then(|entry| entry.person.as_ref());
        ours.is_some() && theirs.is_some() && ours != theirs
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_device_is_somebody_elses_only_where_both_are_somebodys() {
        let of = |key: &str, person: Option<&str>| DeviceEntry {
            key: key.into(),
            person: person.map(String::from),
            ..DeviceEntry::default()
        };
        let devices = [
            ("laptop", of("1", Some("Ada"))),
            ("tower", of("2", Some("Ada"))),
            ("desk", of("3", Some("Ben"))),
            ("server", of("4", None)),
        ];
        let devices = devices.map(|(name, entry)| (String::from(name), entry)).into();
        let desk = DeskRecord { devices, ..DeskRecord::default() };
        let others = |device| desk.is_somebody_elses(device, "1");
        assert_eq!(["tower", "desk", "server", "listed"].map(others), [false, true, false, false]);
        assert!(!desk.is_somebody_elses("desk", "4"));
    }

    #[test]
    fn a_revision_never_goes_back() {
        let of = |revision| DeskRecord { v: RECORD_VERSION, revision, ..DeskRecord::default() };
        assert!(of(1).supersedes(None));
        assert!(of(3).supersedes(Some(&of(2))));
        assert!(!of(2).supersedes(Some(&of(2))));
        assert!(!of(1).supersedes(Some(&of(2))));
        assert!(!DeskRecord { v: RECORD_VERSION + 1, ..of(9) }.supersedes(None));
    }

    #[test]
    fn what_a_later_beckon_adds_is_passed_over() {
        let text = r#"{"v":1,"revision":2,"rota":[],"people":{"Ada":{"role":"lead"}},
            "devices":{"laptop":{"key":"k","person":"Ada","seat":3}}}"#;
        let desk: DeskRecord = serde_json::from_str(text).unwrap();
        assert_eq!(desk.device_of("k").map(|(name, _)| name), Some("laptop"));
        assert_eq!(desk.device_of("other"), None);
    }
}
