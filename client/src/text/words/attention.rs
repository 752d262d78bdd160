//! That a request was seen or is snoozed, in words.

use super::clock;
use crate::text::{Texts, Value};
use crate::wire::SetAside;
use beckon_core::{Attention, Timestamp};
use jiff::tz::TimeZone;

/// How it stands after somebody has said so; `None`: it can ring again.
pub fn set_aside(texts: &Texts, set_aside: Option<SetAside>, now: Timestamp) -> String {
    match set_aside {
        None => texts.get("attention-wanted"),
        Some(SetAside::Seen) => texts.get("attention-seen"),
        Some(SetAside::Snoozed { until }) => {
            snoozed(texts, &TimeZone::system(), until.map(Timestamp), now)
        }
    }
}

/// The same as a line of a card; `None`: nothing is to be said.
pub fn attention(
    texts: &Texts,
    zone: &TimeZone,
    attention: Attention,
    now: Timestamp,
) -> Option<String> {
    match attention {
        Attention::Wanted { .. } => None,
        Attention::Seen => Some(texts.get("attention-seen")),
        Attention::Snoozed { until } => Some(snoozed(texts, zone, until, now)),
    }
}

fn snoozed(texts: &Texts, zone: &TimeZone, until: Option<Timestamp>, now: Timestamp) -> String {
    match until {
        None => texts.get("attention-until-back"),
        Some(until) => {
            let time = clock(texts, zone, until, now);
            texts.with("attention-snoozed", &[("time", Value::from(time))])
        }
    }
}
