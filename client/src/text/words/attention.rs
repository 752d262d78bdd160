//! The words for a request that was seen or is snoozed.

use super::clock;
use crate::text::{Texts, Value};
use crate::wire::SetAside;
use beckon_core::{Attention, Timestamp};
use jiff::tz::TimeZone;

/// Says how a request stands after somebody has marked it as seen or snoozed it; `None`: it can
/// ring again.
pub fn set_aside(texts: &Texts, set_aside: Option<SetAside>, now: Timestamp) -> String {
    let wanted = || texts.get("attention-wanted");
    set_aside.map_or_else(wanted, |aside| said(texts, &TimeZone::system(), aside, now))
}

/// Says the same as a line of a card; `None` if there is nothing to say.
pub fn attention(
    texts: &Texts,
    zone: &TimeZone,
    attention: Attention,
    now: Timestamp,
) -> Option<String> {
    Some(said(texts, zone, SetAside::of(attention)?, now))
}

fn said(texts: &Texts, zone: &TimeZone, aside: SetAside, now: Timestamp) -> String {
    match aside {
        SetAside::Seen => texts.get("attention-seen"),
        SetAside::Snoozed { until: None } => texts.get("attention-until-back"),
        SetAside::Snoozed { until: Some(until) } => {
            let time = clock(texts, zone, Timestamp(until), now);
            texts.with("attention-snoozed", &[("time", Value::from(time))])
        }
    }
}
