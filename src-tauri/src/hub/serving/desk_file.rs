//! The admin's own file of who belongs to the desk: the truth, of which the hub holds a mirror.
//! Whatever a person or a later Beckon has written into it stays.

use anyhow::{Context as _, Result};
use beckon_client::platform::paths::write_private;
use beckon_core::hub::team::Team;
use beckon_core::hub::{DeskRecord, DeviceEntry, RECORD_VERSION};
use serde_json::{Value, json};
use std::path::PathBuf;

/// The number of devices that were taken off and are remembered. What such a device has left on the
/// hub is gone after weeks.
const MOST_FORMER: usize = 64;

/// The file, as it was read last.
pub(super) struct DeskFile {
    path: PathBuf,
    value: Value,
}

impl DeskFile {
    /// Opens the file that is there, or begins a new one.
    ///
    /// # Errors
    /// When it is there and cannot be read: who belongs to the desk is not forgotten in silence.
    pub(super) fn open(path: PathBuf) -> Result<Self> {
        let mut file = Self {
            path,
            value: json!({ "v": RECORD_VERSION, "revision": 0 }),
        };
        file.read()?;
        Ok(file)
    }

    fn read(&mut self) -> Result<()> {
        let failed = || format!("Failed to read {}", self.path.display());
        let text = match std::fs::read_to_string(&self.path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(()),
            Err(error) => return Err(error).with_context(failed),
        };
        let value: Value = serde_json::from_str(&text).with_context(failed)?;
        let _: DeskRecord = DeskRecord::deserialize_from(&value).with_context(failed)?;
        self.value = value;
        Ok(())
    }

    /// Returns the part of it that every Beckon reads.
    pub(super) fn record(&self) -> DeskRecord {
        DeskRecord::deserialize_from(&self.value).unwrap_or_default()
    }

    /// Returns the text that is published, with how the server keeps what it is told.
    pub(super) fn text(&self, syncs: bool) -> String {
        let mut value = self.value.clone();
        value["syncs"] = json!(syncs);
        value.to_string()
    }

    /// Raises the revision above that of the mirror, which is later than the file's after a backup
    /// was played back: whatever is published from now on is later still.
    pub(super) fn raise_above(&mut self, revision: u64) -> Result<()> {
        self.change_from(revision, |_| ())
    }

    /// Puts a device there, or in the place of the one with its key, and returns its name there.
    pub(super) fn put(&mut self, wanted: &str, entry: &DeviceEntry) -> Result<String> {
        self.read()?;
        let record = self.record();
        let name = match record.device_of(&entry.key) {
            Some((name, _)) => name.to_owned(),
            None => free(wanted, &record),
        };
        let known = record.devices.get(&name);
        if known != Some(entry) {
            let written = serde_json::to_value(entry).context("Failed to write a device")?;
            let former = without(record.former.clone(), &entry.key);
            self.change_from(0, |desk| {
                desk["devices"][&name] = written;
                if desk.get("former").is_some() {
                    desk["former"] = json!(former);
                }
            })?;
        }
        Ok(name)
    }

    /// Puts the admin's own device there. All devices of its person get the person's present name:
    /// one who is named now, or renamed, is no second person.
    pub(super) fn put_own(&mut self, wanted: &str, entry: &DeviceEntry) -> Result<()> {
        self.read()?;
        let record = self.record();
        let former = record.device_of(&entry.key).map(|(_, it)| &it.person);
        let is_own =
            |device: &DeviceEntry| device.person.is_none() || Some(&device.person) == former;
        let mut own = record.devices.clone();
        own.retain(|_, device| is_own(device) && device.person != entry.person);
        if !own.is_empty() {
            self.change_from(0, |desk| {
                for name in own.keys() {
                    desk["devices"][name]["person"] = json!(entry.person);
                }
            })?;
        }

        self.put(wanted, entry).map(|_| ())
    }

    /// Publishes the same content as a later revision: requests for the former revision are void
    /// then.
    pub(super) fn renew(&mut self) -> Result<()> {
        self.change_from(0, |_| ())
    }

    /// Takes a device off, and returns whether it was there.
    pub(super) fn remove(&mut self, name: &str) -> Result<bool> {
        self.read()?;
        let record = self.record();
        let Some(device) = record.devices.get(name) else {
            return Ok(false);
        };
        let mut former = without(record.former, &device.key);
        former.push(device.key.clone());
        let former = former.split_off(former.len().saturating_sub(MOST_FORMER));
        self.change_from(0, |desk| {
            desk["former"] = json!(former);
            _ = desk["devices"]
                .as_object_mut()
                .and_then(|it| it.remove(name))
        })?;
        Ok(true)
    }

    /// Sets the rules.
    pub(super) fn set_team(&mut self, team: &Team) -> Result<()> {
        self.read()?;
        let Team {
            people,
            routes,
            rota,
        } = team;
        let (people, routes, rota) = (json!(people), json!(routes), json!(rota));
        self.change_from(0, |desk| {
            (desk["people"], desk["routes"], desk["rota"]) = (people, routes, rota);
        })
    }

    /// Changes it on the disk first: what was told to others is never forgotten here.
    fn change_from(&mut self, least: u64, change: impl FnOnce(&mut Value)) -> Result<()> {
        let mut value = self.value.clone();
        value["revision"] = json!(self.record().revision.max(least) + 1);
        if !value["devices"].is_object() {
            value["devices"] = json!({});
        }
        change(&mut value);
        let text = serde_json::to_vec_pretty(&value).context("Failed to write the desk")?;
        write_private(&self.path, &text)?;
        self.value = value;
        Ok(())
    }
}

fn without(mut former: Vec<String>, key: &str) -> Vec<String> {
    former.retain(|it| it != key);
    former
}

/// Returns a name that no other device has.
fn free(wanted: &str, record: &DeskRecord) -> String {
    let numbered = (2..).map(|number| format!("{wanted}-{number}"));
    let mut names = std::iter::once(wanted.to_owned()).chain(numbered);
    names
        .find(|name| !record.devices.contains_key(name))
        .unwrap_or_default()
}

trait FromValue: Sized {
    fn deserialize_from(value: &Value) -> serde_json::Result<Self>;
}

impl FromValue for DeskRecord {
    fn deserialize_from(value: &Value) -> serde_json::Result<Self> {
        serde_json::from_value(value.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn device(key: &str) -> DeviceEntry {
        DeviceEntry {
            key: key.into(),
            login: "U".into(),
            person: Some("Ada".into()),
        }
    }

    #[test]
    fn every_change_is_a_later_revision_and_is_there_after_a_restart() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("desk.json");
        let mut file = DeskFile::open(path.clone()).unwrap();
        assert_eq!(file.put("laptop", &device("k1")).unwrap(), "laptop");
        assert_eq!(file.put("laptop", &device("k1")).unwrap(), "laptop");
        assert_eq!(file.record().revision, 1, "nothing was another");
        assert_eq!(file.put("laptop", &device("k2")).unwrap(), "laptop-2");
        assert!(file.remove("laptop").unwrap());
        assert!(!file.remove("laptop").unwrap());
        let again = DeskFile::open(path).unwrap().record();
        assert_eq!((again.revision, again.devices.len()), (3, 1));
        assert_eq!(again.devices["laptop-2"], device("k2"));
    }

    #[test]
    fn the_admins_devices_are_one_persons_whatever_that_one_is_called_by_now() {
        let folder = tempfile::tempdir().unwrap();
        let of = |key: &str, person: Option<&str>| DeviceEntry {
            person: person.map(str::to_owned),
            ..device(key)
        };
        let mut file = DeskFile::open(folder.path().join("desk.json")).unwrap();
        file.put("laptop", &of("k1", None)).unwrap();
        file.put("tower", &of("k2", None)).unwrap();
        file.put("theirs", &of("k3", Some("Ben"))).unwrap();
        for name in ["laptop", "Ada"] {
            file.put_own("laptop", &of("k1", Some(name))).unwrap();
            let desk = file.record();
            for device in ["laptop", "tower"] {
                assert_eq!(desk.person_of(device), name);
            }
            assert_eq!(desk.person_of("theirs"), "Ben");
        }
        let revision = file.record().revision;
        file.put_own("laptop", &of("k1", Some("Ada"))).unwrap();
        assert_eq!(file.record().revision, revision, "nothing was another");
    }

    #[test]
    fn whoever_was_taken_off_is_remembered_until_they_are_back_and_the_oldest_are_forgotten() {
        let folder = tempfile::tempdir().unwrap();
        let mut file = DeskFile::open(folder.path().join("desk.json")).unwrap();
        for number in 0..=MOST_FORMER {
            let name = file.put("tower", &device(&format!("k{number}"))).unwrap();
            assert!(file.remove(&name).unwrap());
        }
        let former = file.record().former;
        let ends = (
            former.first().map(String::as_str),
            former.last().map(String::as_str),
        );
        assert_eq!(
            (former.len(), ends),
            (MOST_FORMER, (Some("k1"), Some("k64")))
        );
        file.put("tower", &device("k64")).unwrap();
        assert_eq!(file.record().former, former[..MOST_FORMER - 1]);
    }

    #[test]
    fn the_rules_are_replaced_as_a_whole_and_the_devices_stay() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("desk.json");
        let mut file = DeskFile::open(path.clone()).unwrap();
        file.put("laptop", &device("k1")).unwrap();
        let rules =
            r#"{"people":{"Ada":{"roles":["lead"]}},"routes":[{"answerers":["role:lead"]}]}"#;
        let team: Team = serde_json::from_str(rules).unwrap();
        file.set_team(&team).unwrap();
        let record = DeskFile::open(path).unwrap().record();
        assert_eq!((record.revision, record.devices.len()), (2, 1));
        assert_eq!(record.team, team);
        file.set_team(&Team::default()).unwrap();
        assert_eq!(file.record().team, Team::default());
    }

    #[test]
    fn what_somebody_else_has_written_stays_and_what_is_broken_is_not_overwritten() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("desk.json");
        let mut file = DeskFile::open(path.clone()).unwrap();
        std::fs::write(&path, r#"{"v":1,"revision":7,"later":["Ada"]}"#).unwrap();
        file.put("laptop", &device("k1")).unwrap();
        assert!(
            file.text(true).contains("\"later\":[\"Ada\"]"),
            "{}",
            file.text(true)
        );
        assert_eq!(file.record().revision, 8);
        file.raise_above(20).unwrap();
        assert_eq!(file.record().revision, 21);
        std::fs::write(&path, "{").unwrap();
        assert!(DeskFile::open(path.clone()).is_err());
        assert!(file.remove("laptop").is_err());
        assert_eq!(std::fs::read_to_string(path).unwrap(), "{");
    }
}
