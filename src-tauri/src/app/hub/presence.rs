//! The presence of this machine's human as it is told to the other machines, and what they tell of
//! theirs.

use super::watching::shown_name;
use super::*;
use beckon_core::hub::{HeardWhen, HereRecord, HereSubject, Seat, SeatNews, Signed};

/// The time for which newly heard machines are gathered before they are told of this one. If a
/// hundred come back at once, each would otherwise answer each.
const GATHER: Duration = Duration::from_secs(1);

/// The last record of this machine's human that was told.
#[derive(Debug)]
pub(super) struct OwnSeat {
    machine: String,
    /// A random word of this run, that no other run has.
    run: String,
    count: u64,
    told: Option<Seat>,
    /// The time at which others are told of machines that are newly heard here.
    due: Option<Instant>,
}

impl OwnSeat {
    pub(super) fn new(machine: String) -> Self {
        let run = format!("{:016x}", rand::random::<u64>());
        Self {
            machine,
            run,
            count: 0,
            told: None,
            due: None,
        }
    }

    /// Returns the record to be told for `seat`, if it differs enough from the last one.
    fn next(&mut self, seat: Seat, at: Instant) -> Option<HereRecord> {
        let is_told = self.told.as_ref().is_some_and(|told| {
            // An idle time that is no longer to be known is taken back at once.
            let is_taken_back = told.idle_ms.is_some() && seat.idle_ms.is_none();
            told.is_like(&seat) && !is_taken_back
        });
        if is_told {
            return None;
        }
        let hears = seat.hears.clone();
        let is_news = self.told.as_ref().is_none_or(|told| {
            !Seat {
                hears,
                ..told.clone()
            }
            .is_like(&seat)
        });
        if !is_news && at < *self.due.get_or_insert(at + GATHER) {
            return None;
        }
        Some(self.record(seat))
    }

    fn record(&mut self, seat: Seat) -> HereRecord {
        self.count += 1;
        self.due = None;
        self.told = Some(seat.clone());
        let version = Some(env!("CARGO_PKG_VERSION").to_owned());
        HereRecord {
            version,
            ..HereRecord::new(&self.machine, &self.run, self.count, seat)
        }
    }
}

impl App {
    /// Tells others at once where the human is now. Not before the list of the others is read: the
    /// record would say that none of them is heard.
    pub(in crate::app) fn tell_seat(&mut self) {
        let Some(hub) = self
            .hub
            .as_mut()
            .filter(|hub| hub.is_connected() && hub.listed)
        else {
            return;
        };
        let seat = self.desk.seat(clock::now());
        if let Some(record) = hub.own_seat.next(seat, Instant::now()) {
            hub.tell(HubCommand::Here(record));
        }
    }

    /// Tells others that this machine is there. The record is sent by the loop, so that it also
    /// proves that the loop runs.
    pub(super) fn beat(&mut self) {
        self.tell_machines();
        self.renew();
        let Some(hub) = self.hub.as_mut().filter(|hub| hub.listed) else {
            return;
        };
        let record = hub.own_seat.record(self.desk.seat(clock::now()));
        hub.tell(HubCommand::Here(record));
    }

    /// Returns how long until a record is due that others do not have yet.
    pub(in crate::app) fn seat_due(&self) -> Option<Duration> {
        let due = self
            .hub
            .as_ref()
            .filter(|hub| hub.is_connected())?
            .own_seat
            .due?;
        Some(due.saturating_duration_since(Instant::now()))
    }

    pub(super) fn on_joined(&mut self) {
        let node = self.instance.to_string();
        self.handle(Event::Seats(SeatNews::Joined(node)));
    }

    pub(super) fn on_seat(
        &mut self,
        subject: HereSubject,
        signed: Signed<HereRecord>,
        when: HeardWhen,
    ) {
        // Another person's seat in a team says nothing of this machine's human.
        if !self
            .hub
            .as_ref()
            .is_some_and(|hub| hub.is_mine(&signed.device))
        {
            return;
        }
        let machine = shown_name(&signed.device);
        let record = HereRecord {
            machine,
            ..signed.record
        };
        self.handle(Event::Seats(SeatNews::Heard(subject.node, record, when)));
    }
}
