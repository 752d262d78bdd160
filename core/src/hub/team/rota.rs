//! A weekly table of who is on duty. It goes by one time for all, since its readers live in many
//! zones.

use crate::{Span, Timestamp};
use alloc::collections::BTreeSet;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::str::FromStr;
use serde::{Deserialize, Serialize};

const DAYS: [&str; 7] = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];
const MINUTES_OF_DAY: u16 = 24 * 60;
const MINUTES_OF_WEEK: u16 = 7 * MINUTES_OF_DAY;
/// 1970 began on a Thursday.
const EPOCH: i64 = 3 * MINUTES_OF_DAY as i64;

/// The people on duty by time.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rota {
    /// The minutes by which the table's time is ahead of UTC.
    #[serde(default)]
    pub utc_offset: i16,
    /// The rows, one for each stretch of the week.
    #[serde(default)]
    pub shifts: Vec<Shift>,
}

/// A stretch of every week. It may go over Sunday's midnight. One that begins when it ends is the
/// whole week, if it is from before such shifts were refused.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shift {
    /// The table, as routes name it.
    pub rota: String,
    /// The person on duty.
    pub person: String,
    /// The minute from which on they are on duty.
    pub from: WeekMinute,
    /// The minute until which they are on duty.
    pub to: WeekMinute,
}

/// A minute of the week, from Monday's midnight on; written as `mon 09:00`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct WeekMinute(u16);

/// The error for a text that is no minute of the week.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is no time of the week; it is written like \"mon 09:00\"")]
pub struct NoWeekMinute(String);

impl FromStr for WeekMinute {
    type Err = NoWeekMinute;

    fn from_str(text: &str) -> Result<Self, NoWeekMinute> {
        let read = || {
            let (day, time) = text.split_once(' ')?;
            let day = DAYS.iter().position(|it| day.eq_ignore_ascii_case(it))?;
            let (hour, minute) = time.split_once(':')?;
            let number = |digits: &str, below: u16| {
                let is_number = digits.len() == 2 && digits.bytes().all(|it| it.is_ascii_digit());
                digits
                    .parse()
                    .ok()
                    .filter(|it: &u16| is_number && *it < below)
            };
            let of_day = number(hour, 24)? * 60 + number(minute, 60)?;
            Some(Self(u16::try_from(day).ok()? * MINUTES_OF_DAY + of_day))
        };
        read().ok_or_else(|| NoWeekMinute(text.into()))
    }
}

impl TryFrom<String> for WeekMinute {
    type Error = NoWeekMinute;

    fn try_from(text: String) -> Result<Self, NoWeekMinute> {
        text.parse()
    }
}

impl From<WeekMinute> for String {
    fn from(WeekMinute(minute): WeekMinute) -> Self {
        let (day, of_day) = (minute / MINUTES_OF_DAY, minute % MINUTES_OF_DAY);
        format!(
            "{} {:02}:{:02}",
            DAYS[usize::from(day) % DAYS.len()],
            of_day / 60,
            of_day % 60
        )
    }
}

impl Shift {
    fn contains(&self, minute: u16) -> bool {
        let (from, to) = (self.from.0, self.to.0);
        if from < to {
            (from..to).contains(&minute)
        } else {
            minute >= from || minute < to
        }
    }
}

impl Rota {
    /// Whether it has no shifts.
    pub fn is_empty(&self) -> bool {
        self.shifts.is_empty()
    }

    /// Whether that person is on duty at that time.
    pub fn is_on_duty(&self, rota: &str, person: &str, now: Timestamp) -> bool {
        let minute = self.minute(now);
        let is_theirs = |shift: &&Shift| shift.rota == rota && shift.person == person;
        self.shifts
            .iter()
            .filter(is_theirs)
            .any(|shift| shift.contains(minute))
    }

    /// Returns the tables by which that person is on duty at that time.
    pub fn duties<'a>(
        &'a self,
        person: &'a str,
        now: Timestamp,
    ) -> impl Iterator<Item = &'a str> + 'a {
        let rotas: BTreeSet<&str> = self
            .shifts
            .iter()
            .map(|shift| shift.rota.as_str())
            .collect();
        rotas
            .into_iter()
            .filter(move |rota| self.is_on_duty(rota, person, now))
    }

    /// Returns the time at which a duty by one of these rotas begins or ends next.
    pub(super) fn changes_after<'a>(
        &self,
        rotas: impl Iterator<Item = &'a str>,
        now: Timestamp,
    ) -> Option<Timestamp> {
        let minute = self.minute(now);
        let until = |at: WeekMinute| match at.0.checked_sub(minute) {
            None | Some(0) => MINUTES_OF_WEEK - (minute - at.0),
            Some(minutes) => minutes,
        };
        let named = rotas.flat_map(|rota| self.shifts.iter().filter(move |it| it.rota == rota));
        let next = named
            .flat_map(|shift| [until(shift.from), until(shift.to)])
            .min()?;
        let into_minute = Span::millis(now.0.rem_euclid(60_000));
        Some(Timestamp(now.0 - into_minute.0) + Span::minutes(i64::from(next)))
    }

    /// Returns the minute of the table's week.
    fn minute(&self, now: Timestamp) -> u16 {
        let minutes = now.0.div_euclid(60_000) + i64::from(self.utc_offset) + EPOCH;
        // The result is below 10,080, so it fits.
        minutes.rem_euclid(i64::from(MINUTES_OF_WEEK)) as u16
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;

    fn at(text: &str) -> WeekMinute {
        text.parse().unwrap()
    }

    fn shift(person: &str, from: &str, to: &str) -> Shift {
        Shift {
            rota: "nights".into(),
            person: person.into(),
            from: at(from),
            to: at(to),
        }
    }

    /// Friday, 27 November 2026, 22:00 UTC.
    const FRIDAY: Timestamp = Timestamp(1_795_816_800_000);

    #[test]
    fn a_time_of_the_week_is_read_as_it_is_written() {
        for text in ["mon 00:00", "thu 09:05", "sun 23:59"] {
            assert_eq!(String::from(at(text)), text);
        }
        for strange in [
            "",
            "mon",
            "mon 24:00",
            "mon 9:00",
            "mon 09:60",
            "xyz 09:00",
            "mon +9:00",
        ] {
            assert!(strange.parse::<WeekMinute>().is_err(), "{strange}");
        }
    }

    #[test]
    fn whoever_is_on_duty_changes_when_the_week_says_so_also_over_its_end() {
        let shifts = vec![
            shift("ada", "fri 22:00", "sat 06:00"),
            shift("ben", "sun 20:00", "mon 08:00"),
            shift("cleo", "tue 10:00", "tue 10:00"),
        ];
        let rota = Rota {
            utc_offset: 0,
            shifts,
        };
        let on_duty = |person, now| rota.is_on_duty("nights", person, now);
        assert!(on_duty("ada", FRIDAY) && !on_duty("ada", FRIDAY + Span::minutes(-1)));
        assert!(!on_duty("ada", FRIDAY + Span::minutes(8 * 60)));
        assert!(on_duty("ben", FRIDAY + Span::minutes(2 * 24 * 60)));
        assert!(
            on_duty("ben", FRIDAY + Span::minutes(2 * 24 * 60 + 9 * 60)),
            "Monday, 07:00"
        );
        assert!(on_duty("cleo", FRIDAY) && !rota.is_on_duty("days", "cleo", FRIDAY));
        let next = rota.changes_after(["nights"].into_iter(), FRIDAY + Span::millis(30_500));
        assert_eq!(next, Some(FRIDAY + Span::minutes(8 * 60)));
        assert_eq!(rota.changes_after(["days"].into_iter(), FRIDAY), None);
    }

    #[test]
    fn the_table_has_a_time_of_its_own() {
        let shifts = vec![shift("ada", "sat 06:00", "sat 07:00")];
        let rota = Rota {
            utc_offset: 8 * 60,
            shifts,
        };
        assert!(
            rota.is_on_duty("nights", "ada", FRIDAY),
            "it is Saturday morning in Shanghai"
        );
    }
}
