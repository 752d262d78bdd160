//! Where the human is, and what they may say of it.
//!
//! Not here: the rest of the menu, and what their word leads to.

use super::{Action, Item, Line, submenu};
use crate::text::words;
use crate::text::{Texts, Value};
use beckon_core::{Override, Presence, PresenceView, Span, Timestamp};
use jiff::tz::TimeZone;

/// Until when the human's word holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Until {
    /// Until they say otherwise.
    Further,
    /// For an hour from now.
    AnHour,
    /// Until then.
    At(Timestamp),
}

impl Until {
    /// The end of a word that is given `now`; `None`: it has none.
    pub fn end(self, now: Timestamp) -> Option<Timestamp> {
        match self {
            Self::Further => None,
            Self::AnHour => Some(now + Span::minutes(60)),
            Self::At(end) => Some(end),
        }
    }
}

pub(super) fn presence_item(
    texts: &Texts,
    zone: &TimeZone,
    presence: &PresenceView,
    now: Timestamp,
) -> Line {
    let ways = [
        way(texts, presence, Override::Auto),
        way(texts, presence, Override::Here),
        way_until(texts, zone, presence, Override::Here, now),
        way(texts, presence, Override::Away),
        way_until(texts, zone, presence, Override::Away, now),
        Some(said(texts.get("tray-presence-away-hour"), Override::Away, Until::AnHour, false)),
    ];
    submenu(heading(texts, zone, presence, now), ways.into_iter().flatten().collect())
}

fn heading(texts: &Texts, zone: &TimeZone, presence: &PresenceView, now: Timestamp) -> String {
    let unknown = presence.standing.reading.presence == Presence::Unknown;
    if presence.standing.said == Override::Auto && unknown {
        return texts.get("tray-presence-unknown");
    }
    let evidence = words::evidence(texts, zone, presence, now);
    let key = if presence.away { "tray-away" } else { "tray-here" };
    texts.with(key, &[("evidence", Value::from(evidence))])
}

/// To say it until further notice.
fn way(texts: &Texts, presence: &PresenceView, this: Override) -> Option<Line> {
    let key = match this {
        Override::Auto => "tray-presence-auto",
        Override::Here => "tray-presence-here",
        Override::Away => "tray-presence-away",
    };
    let holds = presence.standing.said == this && presence.said_until.is_none();
    Some(said(texts.get(key), this, Until::Further, holds))
}

/// What was said for a while; pressing it changes nothing.
fn way_until(
    texts: &Texts,
    zone: &TimeZone,
    presence: &PresenceView,
    this: Override,
    now: Timestamp,
) -> Option<Line> {
    let key = match this {
        Override::Auto => return None,
        Override::Here => "tray-presence-here-until",
        Override::Away => "tray-presence-away-until",
    };
    let end = presence.said_until.filter(|_| presence.standing.said == this)?;
    let time = Value::from(words::clock(texts, zone, end, now));
    Some(said(texts.with(key, &[("time", time)]), this, Until::At(end), true))
}

fn said(label: String, said: Override, until: Until, holds: bool) -> Line {
    let action = Some(Action::Said { said, until });
    Line::Item(Item { label, enabled: true, checked: Some(holds), action, ..Item::default() })
}
