//! The room that each device has for its asks: a device that fills its own takes none of the
//! others'. Open asks count apart from those that are over, which are many after a week and matter
//! little. Only devices that are believed have room, so there are not more of them than the list
//! names.
//!
//! Not here: who is believed (`trust.rs`), and how fast records are read (`pace.rs`).

use beckon_core::hub::AskSubject;
use std::collections::{BTreeMap, BTreeSet};

/// The most open asks that are read of one device, and the most of its asks that are over.
const MOST_OF_ONE: usize = 4_096;
/// The most bytes of one device's open asks.
const MOST_BYTES_OF_ONE: usize = 32 * 1024 * 1024;
/// The most of a device's asks that are counted as left out.
const MOST_LEFT_OUT: usize = 10_000;

/// The rooms of all devices, by their names.
#[derive(Debug, Default)]
pub(super) struct DeviceRooms(BTreeMap<String, DeviceRoom>);

#[derive(Debug, Default)]
struct DeviceRoom {
    /// The sizes of its open asks.
    open: BTreeMap<AskSubject, usize>,
    /// The sum of these.
    bytes: usize,
    /// Its asks that are over, as far as that was heard.
    over: BTreeSet<AskSubject>,
    /// Its open asks for which there was no room.
    left_out: BTreeSet<AskSubject>,
}

/// A record for which room is wanted.
#[derive(Debug)]
pub(super) struct RecordSize<'a> {
    pub(super) subject: &'a AskSubject,
    pub(super) is_over: bool,
    /// Its bytes.
    pub(super) size: usize,
}

/// Whether there is room for a record.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Room {
    /// The request has room.
    Given,
    /// The request has room if that one is forgotten, which has been over for longer.
    InsteadOf(AskSubject),
    /// There is none.
    Refused,
}

impl DeviceRooms {
    /// Gives a record of that device room, if there is any.
    pub(super) fn take(&mut self, device: &str, record: &RecordSize<'_>) -> Room {
        let room = self.0.entry(device.to_owned()).or_default();
        if record.is_over {
            return room.take_over(record.subject);
        }
        if room.take_open(record) {
            return Room::Given;
        }
        if room.left_out.len() < MOST_LEFT_OUT {
            room.left_out.insert(record.subject.clone());
        }
        Room::Refused
    }

    /// Returns how many open asks were left out of each device of which any were.
    pub(super) fn left_out(&self) -> BTreeMap<String, u32> {
        let counted = self.0.iter().map(|(device, room)| {
            let count = u32::try_from(room.left_out.len()).unwrap_or(u32::MAX);
            (device.clone(), count)
        });
        counted.filter(|(_, count)| *count > 0).collect()
    }
}

impl DeviceRoom {
    fn take_open(&mut self, record: &RecordSize<'_>) -> bool {
        let former = self.open.get(record.subject).copied();
        let others = self.bytes - former.unwrap_or_default();
        let has_place = former.is_some() || self.open.len() < MOST_OF_ONE;
        let bytes = others.saturating_add(record.size);
        if !has_place || bytes > MOST_BYTES_OF_ONE {
            return false;
        }
        self.bytes = bytes;
        self.open.insert(record.subject.clone(), record.size);
        self.over.remove(record.subject);
        self.left_out.remove(record.subject);
        true
    }

    fn take_over(&mut self, subject: &AskSubject) -> Room {
        let former = self.open.remove(subject);
        self.bytes -= former.unwrap_or_default();
        self.left_out.remove(subject);
        let is_new = self.over.insert(subject.clone());
        if self.over.len() <= MOST_OF_ONE {
            return Room::Given;
        }
        let oldest = self.over.pop_first();
        // The end of an ask that was open here is told in any case.
        match oldest.filter(|_| former.is_none() && is_new) {
            Some(oldest) => Room::InsteadOf(oldest),
            None => Room::Given,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn subject(serial: usize) -> AskSubject {
        AskSubject {
            node: "Ab3d".into(),
            serial: serial as u64,
        }
    }

    fn open(rooms: &mut DeviceRooms, device: &str, serial: usize, size: usize) -> Room {
        let record = RecordSize {
            subject: &subject(serial),
            is_over: false,
            size,
        };
        rooms.take(device, &record)
    }

    fn over(rooms: &mut DeviceRooms, serial: usize) -> Room {
        let record = RecordSize {
            subject: &subject(serial),
            is_over: true,
            size: 100,
        };
        rooms.take("a", &record)
    }

    #[test]
    fn one_device_takes_no_more_than_its_room_and_what_is_left_out_is_counted() {
        let mut rooms = DeviceRooms::default();
        let taken = (0..5_000).filter(|it| open(&mut rooms, "a", *it, 100) == Room::Given);
        assert_eq!(taken.count(), MOST_OF_ONE);
        assert_eq!(open(&mut rooms, "b", 1, MOST_BYTES_OF_ONE), Room::Given);
        assert_eq!(open(&mut rooms, "b", 2, 1), Room::Refused);
        assert_eq!(open(&mut rooms, "c", 1, 1), Room::Given);
        let left_out = [("a".to_owned(), 904), ("b".to_owned(), 1)];
        assert_eq!(rooms.left_out(), BTreeMap::from(left_out));
    }

    #[test]
    fn an_ask_that_is_told_again_takes_no_more_room_and_one_that_is_over_gives_it_back() {
        let mut rooms = DeviceRooms::default();
        for _ in 0..10_000 {
            assert_eq!(open(&mut rooms, "a", 1, 60_000), Room::Given);
        }
        assert_eq!(open(&mut rooms, "a", 2, MOST_BYTES_OF_ONE), Room::Refused);
        assert_eq!(over(&mut rooms, 1), Room::Given);
        assert_eq!(open(&mut rooms, "a", 2, MOST_BYTES_OF_ONE), Room::Given);
        assert_eq!(rooms.left_out(), BTreeMap::new());
    }

    #[test]
    fn asks_that_are_over_take_no_room_of_open_ones_and_the_newest_are_kept() {
        let mut rooms = DeviceRooms::default();
        for serial in 0..10_000 {
            let room = over(&mut rooms, serial);
            match serial.checked_sub(MOST_OF_ONE) {
                Some(oldest) => assert_eq!(room, Room::InsteadOf(subject(oldest))),
                None => assert_eq!(room, Room::Given),
            }
        }
        for serial in 10_000..20_000 {
            assert_eq!(open(&mut rooms, "a", serial, 100), Room::Given);
            assert_eq!(over(&mut rooms, serial), Room::Given, "it was open here");
        }
        assert_eq!(rooms.left_out(), BTreeMap::new());
    }
}
