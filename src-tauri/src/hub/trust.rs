//! The devices whose records are believed here: the listed ones, those of the desk, and this one.
//! Only its admin says who is on the desk.

use super::key::is_signed;
use beckon_core::hub::{DeskRecord, Envelope, RecordFault, Signed};
use serde::de::DeserializeOwned;
use std::collections::{BTreeMap, BTreeSet};

/// The devices whose records are believed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Trust {
    /// The names of the devices, by their public keys.
    devices: BTreeMap<String, String>,
    /// The keys of devices that were taken off the desk.
    former: BTreeSet<String>,
}

impl Trust {
    /// Trusts the listed devices, by name. Of two names for one key the first counts.
    pub(super) fn of(listed: &BTreeMap<String, String>) -> Self {
        let mut trust = Self::default();
        for (name, key) in listed {
            trust.add(name, key);
        }
        trust
    }

    /// Adds the devices of the desk. A device that was taken off it may be believed for another
    /// reason.
    pub(super) fn with_desk(mut self, desk: Option<&DeskRecord>) -> Self {
        for (name, device) in desk.iter().flat_map(|desk| &desk.devices) {
            self.add(name, &device.key);
        }
        self.former
            .extend(desk.iter().flat_map(|desk| &desk.former).cloned());
        self
    }

    /// Adds a device, unless its key has a name already.
    pub(super) fn add(&mut self, name: &str, key: &str) {
        self.devices
            .entry(key.trim().to_owned())
            .or_insert_with(|| name.to_owned());
    }

    /// Returns the name of the device that has signed it, for that subject.
    pub(super) fn signer(&self, envelope: &Envelope, subject: &str) -> Option<&str> {
        let name = self.devices.get(&envelope.key)?;
        is_signed(envelope, subject).then_some(name)
    }

    /// Returns the fault of an envelope that no trusted device has signed.
    fn stranger(&self, envelope: &Envelope, subject: &str) -> RecordFault {
        if self.former.contains(&envelope.key) && is_signed(envelope, subject) {
            RecordFault::Former
        } else {
            RecordFault::Strange
        }
    }

    /// Opens a record of a device that is believed.
    ///
    /// # Errors
    /// When it cannot be read, or is not believed.
    pub(super) fn open<T: DeserializeOwned>(
        &self,
        subject: &str,
        payload: &[u8],
    ) -> Result<Signed<T>, RecordFault> {
        let envelope = Envelope::read(payload)?;
        let device = self.signer(&envelope, subject);
        let device = device
            .ok_or_else(|| self.stranger(&envelope, subject))?
            .to_owned();
        let record = serde_json::from_str(&envelope.body).map_err(|_| RecordFault::Unreadable)?;
        Ok(Signed { device, record })
    }
}

/// Opens a record of the device with that key, and no other.
///
/// # Errors
/// As [`Trust::open`].
pub(super) fn open_of<T: DeserializeOwned>(
    key: &str,
    subject: &str,
    payload: &[u8],
) -> Result<T, RecordFault> {
    let mut trust = Trust::default();
    trust.add("", key);
    trust.open(subject, payload).map(|signed| signed.record)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hub::key::of_byte;
    use beckon_core::hub::{DeviceEntry, HereRecord, Seat};

    const SUBJECT: &str = "bk.here.own.Ab3d";

    fn written(byte: u8, subject: &str, body: &str) -> Vec<u8> {
        of_byte(byte)
            .seal(subject, body.into())
            .write()
            .into_bytes()
    }

    #[test]
    fn only_what_a_listed_device_has_signed_for_this_subject_is_believed() {
        let listed = BTreeMap::from([("laptop".to_owned(), format!(" {}\n", of_byte(1).public()))]);
        let trust = Trust::of(&listed);
        let open = |payload: &[u8]| trust.open::<HereRecord>(SUBJECT, payload);
        let record = HereRecord::new("laptop", "run", 1, Seat::default());
        let body = serde_json::to_string(&record).unwrap();
        let signed = Signed {
            device: "laptop".to_owned(),
            record,
        };
        assert_eq!(open(&written(1, SUBJECT, &body)), Ok(signed));
        let strange = Err(RecordFault::Strange);
        assert_eq!(open(&written(2, SUBJECT, "{\"v\":1}")), strange);
        assert_eq!(
            open(&written(1, "bk.here.own.Ab3e", "{\"v\":1}")),
            strange,
            "it is replayed"
        );
        let unreadable = Err(RecordFault::Unreadable);
        assert_eq!(open(b"{\"v\":1}"), unreadable, "it is not signed");
        assert_eq!(open(&written(1, SUBJECT, "no record")), unreadable);
        let broken = BTreeMap::from([("laptop".to_owned(), "no key".to_owned())]);
        let none = Trust::of(&broken).open::<HereRecord>(SUBJECT, b"bk1 no key\n{\"v\":1}");
        assert!(none.is_err());
    }

    #[test]
    fn the_desks_devices_are_trusted_besides_the_listed_ones() {
        let device = DeviceEntry {
            key: of_byte(2).public(),
            ..DeviceEntry::default()
        };
        let devices = BTreeMap::from([("tower".to_owned(), device)]);
        let desk = DeskRecord {
            devices,
            ..DeskRecord::default()
        };
        let trust = Trust::of(&BTreeMap::from([(
            "laptop".to_owned(),
            of_byte(1).public(),
        )]));
        let tower = of_byte(2).seal(SUBJECT, String::new());
        assert_eq!(trust.signer(&tower, SUBJECT), None);
        let trust = trust.with_desk(Some(&desk));
        assert_eq!(trust.signer(&tower, SUBJECT), Some("tower"));
        let laptop = of_byte(1).seal(SUBJECT, String::new());
        assert_eq!(trust.signer(&laptop, SUBJECT), Some("laptop"));
    }

    #[test]
    fn only_the_desks_admin_decides_who_belongs_to_it() {
        let subject = DeskRecord::subject();
        let body = r#"{"v":1,"revision":1}"#;
        let open = |payload: &[u8]| open_of::<DeskRecord>(&of_byte(1).public(), &subject, payload);
        assert_eq!(
            open(&written(1, &subject, body)).map(|desk| desk.revision),
            Ok(1)
        );
        assert_eq!(open(&written(2, &subject, body)), Err(RecordFault::Strange));
    }

    #[test]
    fn what_a_device_has_left_that_was_taken_off_is_no_strangers() {
        let desk = DeskRecord {
            former: vec![of_byte(2).public()],
            ..DeskRecord::default()
        };
        let trust = Trust::default().with_desk(Some(&desk));
        let open = |byte| trust.open::<HereRecord>(SUBJECT, &written(byte, SUBJECT, "{}"));
        assert_eq!(open(2), Err(RecordFault::Former));
        assert_eq!(open(3), Err(RecordFault::Strange));
        let elsewhere = written(2, "bk.here.own.Ab3e", "{}");
        let forged = trust.open::<HereRecord>(SUBJECT, &elsewhere);
        assert_eq!(forged, Err(RecordFault::Strange), "it has not signed that");
    }

    #[test]
    fn a_key_has_one_name() {
        let key = of_byte(1).public();
        let listed = [("laptop", &key), ("tower", &key)].map(|(n, k)| (n.to_owned(), k.clone()));
        let trust = Trust::of(&BTreeMap::from(listed));
        let sealed = of_byte(1).seal(SUBJECT, String::new());
        assert_eq!(trust.signer(&sealed, SUBJECT), Some("laptop"));
    }
}
