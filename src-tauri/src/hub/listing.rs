//! The first list of what is asked. It may be long and the line to the hub slow: it takes as long
//! as it takes, and what was read before a connection broke is not read again.
//!
//! Not here: what comes after the list (`incoming.rs`).

use super::connection::HubLink;
use super::follow::Followed;
use super::rooms::{DeviceRooms, RecordSize, Room};
use super::trust::Trust;
use super::{HubReport, HubState};
use anyhow::Result;
use async_nats::datetime::DateTime;
use async_nats::jetstream::consumer::DeliverPolicy;
use async_nats::jetstream::message::Message;
use beckon_core::hub::{AskRecord, AskSubject, HereSubject, Signed};
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// How long until a reader that is not done reports again how far it has come.
const TELLS_EVERY: Duration = Duration::from_secs(1);

/// The asks that were read, until all of them are.
#[derive(Default)]
pub(super) struct AskListing {
    /// The time at which the stream that was read was made: another stream counts from the
    /// beginning.
    made: Option<DateTime>,
    /// The devices whose records were believed.
    trust: Trust,
    /// The number of the last record on the hub.
    last: u64,
    records: BTreeMap<AskSubject, (Signed<AskRecord>, DateTime)>,
    rooms: DeviceRooms,
}

impl AskListing {
    /// Returns where to read on, in the stream that was made at that time.
    pub(super) fn resume(&mut self, made: DateTime, trust: &Trust) -> DeliverPolicy {
        let is_same = self.made == Some(made) && self.trust == *trust && self.last > 0;
        if is_same {
            let start_sequence = self.last.saturating_add(1);
            return DeliverPolicy::ByStartSequence { start_sequence };
        }
        *self = Self {
            made: Some(made),
            trust: trust.clone(),
            ..Self::default()
        };
        DeliverPolicy::LastPerSubject
    }

    /// Keeps a record, if its device has room for it.
    fn keep(
        &mut self,
        (subject, signed): (AskSubject, Signed<AskRecord>),
        size: usize,
        stands_since: DateTime,
    ) {
        let record = RecordSize {
            subject: &subject,
            is_over: signed.record.is_ended(),
            size,
        };
        match self.rooms.take(&signed.device, &record) {
            Room::Given => {}
            Room::InsteadOf(older) => _ = self.records.remove(&older),
            Room::Refused => return,
        }
        self.records.insert(subject, (signed, stands_since));
    }
}

/// The progress of the reading.
struct Progress {
    told_at: Instant,
    bytes: u64,
}

impl Progress {
    fn begin() -> Self {
        Self {
            told_at: Instant::now(),
            bytes: 0,
        }
    }

    fn add(&mut self, message: &Message, link: &HubLink<'_>) {
        let size = u64::try_from(message.payload.len()).unwrap_or(u64::MAX);
        self.bytes = self.bytes.saturating_add(size);
        if self.told_at.elapsed() >= TELLS_EVERY {
            self.told_at = Instant::now();
            let state = HubState::Reading(self.bytes);
            link.reports.post(HubReport::State(state));
        }
    }
}

impl HubLink<'_> {
    /// Reads what stands there: first the machines, of which the server began to tell first.
    pub(super) async fn list(
        &mut self,
        asks: &mut Followed,
        here: &mut Followed,
    ) -> Result<HubReport> {
        let mut progress = Progress::begin();
        // Records are kept by subject: a server may send one again and again.
        let mut there = BTreeMap::new();
        while !here.is_caught_up() {
            let message = here.next_held().await?;
            progress.add(&message, self);
            let read = self.read(&message, HereSubject::parse);
            there.extend(self.or_refuse(&message, read));
            self.pace.keep(self.reports).await;
        }

        while !asks.is_caught_up() {
            let message = asks.next_held().await?;
            progress.add(&message, self);
            self.list_ask(&message);
            self.pace.keep(self.reports).await;
        }

        Ok(HubReport::Listed {
            asks: self.listed(asks),
            here: there.into_iter().collect(),
        })
    }

    fn list_ask(&mut self, message: &Message) {
        let read = self.read(message, AskSubject::parse);
        if let Some((subject, signed)) = self.or_refuse(message, read)
            && let Ok(info) = message.info()
        {
            let size = message.payload.len();
            self.listing.keep((subject, signed), size, info.published);
        }
        let sequence = message.info().map_or(0, |info| info.stream_sequence);
        self.listing.last = self.listing.last.max(sequence);
    }

    /// Returns all that was read, with the time that each ask has waited since its record was
    /// published.
    fn listed(&mut self, asks: &Followed) -> BTreeMap<AskSubject, Signed<AskRecord>> {
        let listing = std::mem::take(&mut self.listing);
        self.rooms = listing.rooms;
        let aged = listing.records.into_iter().map(|(subject, read)| {
            let (mut signed, stands_since) = read;
            let stood = asks.stood_since(stands_since);
            let stood = u64::try_from(stood.as_millis()).unwrap_or(u64::MAX);
            signed.record.waited_ms = signed.record.waited_ms.saturating_add(stood);
            (subject, signed)
        });
        aged.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use async_nats::datetime::from_nanos;

    fn at(nanos: i128) -> DateTime {
        from_nanos(nanos).unwrap()
    }

    fn reads_on(listing: &mut AskListing, made: DateTime, trust: &Trust) -> Option<u64> {
        match listing.resume(made, trust) {
            DeliverPolicy::ByStartSequence { start_sequence } => Some(start_sequence),
            _ => None,
        }
    }

    #[test]
    fn what_was_read_is_not_read_again_unless_the_stream_or_whom_to_believe_is_another() {
        let mut listing = AskListing::default();
        let mut trust = Trust::default();
        assert_eq!(reads_on(&mut listing, at(1), &trust), None);
        listing.last = 7;
        assert_eq!(reads_on(&mut listing, at(1), &trust), Some(8));
        assert_eq!(reads_on(&mut listing, at(2), &trust), None, "made anew");
        listing.last = 9;
        trust.add("tower", "a key");
        assert_eq!(reads_on(&mut listing, at(2), &trust), None);
        assert_eq!(listing.last, 0);
    }
}
