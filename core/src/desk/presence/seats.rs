//! What the human's other machines say, and what this one says to them.

use super::super::{Desk, Entry, Transition};
use crate::hub::{Elsewhere, Hands, Seat, SeatNews, SeatView};
use crate::{Channel, ForwardMode, News, PolicyInput, Presence, Reach, Timestamp};
use alloc::borrow::ToOwned;
use alloc::collections::BTreeSet;
use alloc::string::String;
use alloc::vec::Vec;

impl Transition<'_> {
    /// Whoever moves to another machine changes every ask, also where this desk stays as it is: not
    /// every machine shows the same.
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
    /// What this machine says of its human to the others. Here it goes by all that it knows, whether
    /// they are told or not.
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

    /// By the readings alone; what was said goes beside it.
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

    /// What the others say, as far as it counts for what is asked of this machine.
    pub(super) fn elsewhere(&self, now: Timestamp) -> Elsewhere {
        if self.seats.is_empty() {
            Elsewhere::Unheard
        } else {
            self.seats
                .elsewhere(&self.own_seat(now), None, self.last_serial)
        }
    }

    /// What the others say, each for itself.
    pub(in super::super) fn seat_views(&self, now: Timestamp) -> Vec<SeatView> {
        if self.seats.is_empty() {
            Vec::new()
        } else {
            self.seats.views(&self.own_seat(now), self.last_serial, now)
        }
    }

    /// What counts for one ask: what is not shown at the other machines rings as if there were none.
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
