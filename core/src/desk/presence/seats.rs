//! The presence that the human's other machines tell, and what this one tells them.

use super::super::{Desk, Entry, Transition};
use crate::hub::{Elsewhere, Hands, Seat, SeatNews, SeatView};
use crate::{Channel, ForwardMode, News, PolicyInput, Presence, Reach, Timestamp};
use alloc::borrow::ToOwned;
use alloc::collections::BTreeSet;
use alloc::string::String;
use alloc::vec::Vec;

impl Transition<'_> {
    /// Takes in news of the other machines. A human who moves to another machine changes every ask,
    /// even if this desk's own situation stays the same: not every machine shows the same asks.
    pub(in super::super) fn on_seats(&mut self, news: SeatNews) {
        let last_serial = self.desk.last_serial;
        if self.desk.seats.take(news, last_serial, self.now) {
            self.step.news.push(News::Standing);
            self.look_anew();
        }
    }

    pub(super) fn expire_seats(&mut self) {
        if self.desk.seats.expire(self.now) {
            self.step.news.push(News::Standing);
            self.look_anew();
        }
    }
}

impl Desk {
    /// Returns what this machine tells the others of its human. This desk itself goes by all that
    /// it knows, whether the others are told or not.
    pub fn seat(&self, now: Timestamp) -> Seat {
        let own = self.own_seat(now);
        let mut seat = if self.policy.shares_presence {
            own
        } else {
            own.withheld()
        };
        seat.hears = self.seats.nodes().map(ToOwned::to_owned).collect();
        seat
    }

    fn own_seat(&self, now: Timestamp) -> Seat {
        let standing = self.standing_at(now);
        let idle = standing
            .reading
            .last_input
            .map(|at| u64::try_from((now - at).0).unwrap_or(0));
        Seat {
            hands: self.hands(now),
            idle_ms: idle,
            evidence: standing.reading.evidence,
            word: standing.said,
            rings: !self.none_works_here(),
            phone: self.reaches_away(),
            paused: self.is_paused(now),
            hears: BTreeSet::new(),
        }
    }

    /// Returns what the readings alone say; what the human said is told beside it.
    fn hands(&self, now: Timestamp) -> Hands {
        let read = self.standing_at(now).unsaid();
        let (after, lock) = (self.policy.away_after, self.policy.lock_is_away);
        match read.reading.presence {
            Presence::Unknown => Hands::Unknown,
            _ if read.away(now, after, lock) => Hands::Away,
            Presence::Here => Hands::Here,
            Presence::Idle | Presence::Locked | Presence::Asleep => Hands::Idle,
        }
    }

    fn reaches_away(&self) -> bool {
        let reaches = |channel: &Channel| channel.reach() == Reach::Away && self.works(*channel);
        self.policy.forward != ForwardMode::Never && Channel::ALL.iter().any(reaches)
    }

    /// Returns what the others say, as far as it counts for asks of this machine.
    pub(super) fn elsewhere(&self, now: Timestamp) -> Elsewhere {
        if self.seats.is_empty() {
            Elsewhere::Unheard
        } else {
            self.seats
                .elsewhere(&self.own_seat(now), None, self.last_serial)
        }
    }

    /// Returns what each of the others says.
    pub(in super::super) fn seat_views(&self, now: Timestamp) -> Vec<SeatView> {
        if self.seats.is_empty() {
            Vec::new()
        } else {
            self.seats.views(&self.own_seat(now), self.last_serial, now)
        }
    }

    /// Returns the situation that counts for one ask: an ask that is not shown at the other
    /// machines rings as if there were none.
    pub(in super::super) fn situation_of(&self, entry: &Entry, now: Timestamp) -> PolicyInput {
        if self.seats.is_empty() {
            return self.situation(now);
        }
        let via = entry.ask.session.via.first().map(String::as_str);
        let is_shown = entry.ask.is_shared() || via.is_some_and(|node| self.seats.is_member(node));
        let elsewhere = if is_shown {
            self.seats.elsewhere(&self.own_seat(now), via, entry.serial)
        } else {
            Elsewhere::Unheard
        };
        self.situation_with(elsewhere, now)
    }
}
