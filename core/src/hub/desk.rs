//! The record of who belongs to a desk, which its admin signs, and which everybody else believes.
//!
//! Not here: the admin's own file of it, and how a device gets onto it (`hub/serving` of the
//! program).

use super::RECORD_VERSION;
use super::team::{Team, TeamDevice, TeamSeat};
use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;
use serde::{Deserialize, Serialize};

/// The people and devices of a desk. Fields that a later Beckon adds are ignored.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeskRecord {
    /// [`RECORD_VERSION`]
    pub v: u32,
    /// The revision, higher with every change. A record with a lower one than one that was seen is
    /// a replay.
    pub revision: u64,
    /// Whether the server writes to the disk before it acknowledges, as its admin has set it up.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub syncs: Option<bool>,
    /// The people, and the rules among them.
    #[serde(flatten)]
    pub team: Team,
    /// The devices, by name.
    #[serde(default)]
    pub devices: BTreeMap<String, DeviceEntry>,
    /// The keys of devices that were taken off, the last one at the end. With them, records that
    /// such a device has left on the hub do not count as a stranger's, also for machines that join
    /// later.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub former: Vec<String>,
}

/// A device of the desk.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeviceEntry {
    /// The public key by which it signs.
    pub key: String,
    /// The login by which the server lets it in.
    #[serde(default)]
    pub login: String,
    /// The person to whom it belongs.
    #[serde(default)]
    pub person: Option<String>,
}

impl DeskRecord {
    /// Returns the record with only the devices of one person: the owner of the device with that
    /// key.
    #[must_use]
    pub fn only_person_of(&self, key: &str) -> Self {
        let person = self.device_of(key).map(|(name, _)| self.person_of(name));
        let mut own = self.clone();
        own.devices
            .retain(|name, _| Some(self.person_of(name)) == person);
        own
    }

    /// Returns the subject of the record.
    pub fn subject() -> String {
        "bk.desk.own".into()
    }

    /// Whether the record replaces the known one.
    pub fn supersedes(&self, known: Option<&Self>) -> bool {
        self.v == RECORD_VERSION && known.is_none_or(|known| self.revision > known.revision)
    }

    /// Returns the person to whom that device belongs; a device that has none counts as its own
    /// person.
    pub fn person_of(&self, device: &str) -> String {
        let person = self
            .devices
            .get(device)
            .and_then(|entry| entry.person.clone());
        person.unwrap_or_else(|| device.into())
    }

    /// Returns the team as the owner of the device with that key sees it.
    pub fn seat_of(&self, key: &str) -> Option<TeamSeat> {
        let (device, _) = self.device_of(key)?;
        let (person, key) = (self.person_of(device), Some(key.into()));
        Some(TeamSeat {
            person,
            key,
            ..self.seat_of_nobody()
        })
    }

    /// Returns the team as it is seen while it is unknown which device this is.
    pub fn seat_of_nobody(&self) -> TeamSeat {
        let devices = self.devices.iter().map(|(name, entry)| {
            let (key, person) = (entry.key.clone(), self.person_of(name));
            (name.clone(), TeamDevice { key, person })
        });
        TeamSeat {
            devices: devices.collect(),
            ..TeamSeat::of_nobody(self.whole_team())
        }
    }

    /// Returns the team with everybody who has a device, also those of whom nothing more is said.
    fn whole_team(&self) -> Team {
        let mut team = self.team.clone();
        for name in self.devices.keys() {
            team.people.entry(self.person_of(name)).or_default();
        }
        team
    }

    /// Returns the device with that key.
    pub fn device_of(&self, key: &str) -> Option<(&str, &DeviceEntry)> {
        let mut devices = self.devices.iter();
        devices
            .find(|(_, it)| it.key == key)
            .map(|(name, entry)| (name.as_str(), entry))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_revision_never_goes_back() {
        let of = |revision| DeskRecord {
            v: RECORD_VERSION,
            revision,
            ..DeskRecord::default()
        };
        assert!(of(1).supersedes(None));
        assert!(of(3).supersedes(Some(&of(2))));
        assert!(!of(2).supersedes(Some(&of(2))));
        assert!(!of(1).supersedes(Some(&of(2))));
        assert!(
            !DeskRecord {
                v: RECORD_VERSION + 1,
                ..of(9)
            }
            .supersedes(None)
        );
    }

    #[test]
    fn a_device_of_nobody_stands_for_itself_wherever_it_is_asked_whose_it_is() {
        let text = r#"{"v":1,"revision":2,"devices":{"laptop":{"key":"k1"},"phone":{"key":"k2"},
            "tower":{"key":"k3","person":"Ada"},"desk":{"key":"k4","person":"Ada"}}}"#;
        let desk: DeskRecord = serde_json::from_str(text).unwrap();
        let own = |key| desk.only_person_of(key).devices.into_keys();
        assert!(own("k1").eq(["laptop"]));
        assert!(own("k3").eq(["desk", "tower"]));
        assert!(own("stranger").eq([""; 0]));
        assert_eq!(desk.person_of("laptop"), "laptop");
    }

    #[test]
    fn what_a_later_beckon_adds_is_passed_over() {
        let text = r#"{"v":1,"revision":2,"later":[],"people":{"Ada":{"role":"lead"}},
            "devices":{"laptop":{"key":"k","person":"Ada","seat":3}}}"#;
        let desk: DeskRecord = serde_json::from_str(text).unwrap();
        assert_eq!(desk.device_of("k").map(|(name, _)| name), Some("laptop"));
        assert_eq!(desk.device_of("other"), None);
    }
}
