//! Who belongs to a desk: the record that its admin signs, and that everybody else believes.
//!
//! Not here: the admin's own file of it, and how one gets onto it (`hub/serving` of the program).

use super::RECORD_VERSION;
use super::team::{Team, TeamDevice, TeamSeat};
use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;
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
    /// The people, and the rules among them.
    #[serde(flatten)]
    pub team: Team,
    /// The devices, by name.
    #[serde(default)]
    pub devices: BTreeMap<String, DeviceEntry>,
    /// The keys of those that were taken off, the last one at the end. What they have left on the hub is
    /// no stranger's, also to whoever joins later.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub former: Vec<String>,
}

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
    /// With no other devices than those of the person whose that one is.
    #[must_use]
    pub fn only_person_of(&self, key: &str) -> Self {
        let person = self.device_of(key).map(|(name, _)| self.person_of(name));
        let mut own = self.clone();
        own.devices
            .retain(|name, _| Some(self.person_of(name)) == person);
        own
    }

    /// Where it stands.
    pub fn subject() -> String {
        "bk.desk.own".into()
    }

    /// Does it count, where that one is known?
    pub fn supersedes(&self, known: Option<&Self>) -> bool {
        self.v == RECORD_VERSION && known.is_none_or(|known| self.revision > known.revision)
    }

    /// Whose device that is; one of nobody stands for itself.
    pub fn person_of(&self, device: &str) -> String {
        let person = self
            .devices
            .get(device)
            .and_then(|entry| entry.person.clone());
        person.unwrap_or_else(|| device.into())
    }

    /// The team as whoever has the device with that key sees it.
    pub fn seat_of(&self, key: &str) -> Option<TeamSeat> {
        let (device, _) = self.device_of(key)?;
        let (person, key) = (self.person_of(device), Some(key.into()));
        Some(TeamSeat {
            person,
            key,
            ..self.seat_of_nobody()
        })
    }

    /// As long as nobody can tell which device this is.
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

    /// Everybody who has a device belongs to it, also where nothing more is said of them.
    fn whole_team(&self) -> Team {
        let mut team = self.team.clone();
        for name in self.devices.keys() {
            team.people.entry(self.person_of(name)).or_default();
        }
        team
    }

    /// The device with that key.
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
