//! The lines about where the human is, and what they may say of it.
//!
//! Not here: the rest of the menu, and what their word leads to.

use super::{MenuAction, MenuEntry, MenuLine, note, submenu};
use beckon_client::text::words;
use beckon_client::text::{Texts, Value};
use beckon_core::hub::Elsewhere;
use beckon_core::{Presence, PresenceOverride, PresenceView, Span, Timestamp};
use jiff::tz::TimeZone;

/// The time until which the human's word holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OverrideUntil {
    /// The word holds until they say otherwise.
    Further,
    /// The word holds for an hour from now.
    AnHour,
    /// The word holds until that time.
    At(Timestamp),
}

impl OverrideUntil {
    /// Returns the end of a word that is given `now`; `None`: it has none.
    pub(crate) fn end(self, now: Timestamp) -> Option<Timestamp> {
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
    (presence, seated): (&PresenceView, &[String]),
    now: Timestamp,
) -> MenuLine {
    let ways = [
        way(texts, presence, PresenceOverride::Auto),
        way(texts, presence, PresenceOverride::Here),
        way_until(texts, zone, presence, PresenceOverride::Here, now),
        way(texts, presence, PresenceOverride::Away),
        way_until(texts, zone, presence, PresenceOverride::Away, now),
        Some(said(
            texts.get("tray-presence-away-hour"),
            PresenceOverride::Away,
            OverrideUntil::AnHour,
            false,
        )),
    ];
    let evidence = note(sentence(&words::evidence(texts, zone, presence, now)));
    let below = [MenuLine::Separator, evidence]
        .into_iter()
        .chain(rings(texts, presence, seated));
    let heading = heading(texts, presence, seated);
    submenu(heading, ways.into_iter().flatten().chain(below).collect())
}

/// Returns the heading. A human who sits at another machine is not away, and reads where they are
/// taken to be.
fn heading(texts: &Texts, presence: &PresenceView, seated: &[String]) -> String {
    let unknown = presence.standing.reading.presence == Presence::Unknown;
    let by_reading = presence.standing.said == PresenceOverride::Auto;
    texts.get(match presence.away {
        _ if by_reading && !seated.is_empty() => {
            return texts.with("tray-at", &[("machines", Value::from(seated.join(", ")))]);
        }
        _ if by_reading && unknown => "tray-presence-unknown",
        true => "tray-away",
        false => "tray-here",
    })
}

/// Returns the line about where it rings because of the other machines.
fn rings(texts: &Texts, presence: &PresenceView, seated: &[String]) -> Option<MenuLine> {
    let key = match presence.elsewhere {
        Elsewhere::Unheard | Elsewhere::Beside => return None,
        Elsewhere::Seated => "tray-rings-there",
        Elsewhere::Deaf => "tray-rings-deaf",
        Elsewhere::Gone => "tray-rings-phone",
    };
    let is_told = presence.elsewhere == Elsewhere::Gone || !seated.is_empty();
    let machines = [("machines", Value::from(seated.join(", ")))];
    is_told.then(|| note(texts.with(key, &machines)))
}

/// Makes a line of its own of a part of a sentence.
fn sentence(part: &str) -> String {
    let mut letters = part.chars();
    letters.next().map_or_else(String::new, |first| {
        first.to_uppercase().chain(letters).collect()
    })
}

/// Returns the line by which the human says it until further notice.
fn way(texts: &Texts, presence: &PresenceView, this: PresenceOverride) -> Option<MenuLine> {
    let key = match this {
        PresenceOverride::Auto => "tray-presence-auto",
        PresenceOverride::Here => "tray-presence-here",
        PresenceOverride::Away => "tray-presence-away",
    };
    let holds = presence.standing.said == this && presence.said_until.is_none();
    Some(said(texts.get(key), this, OverrideUntil::Further, holds))
}

/// Returns the line for what was said for a while; pressing it changes nothing.
fn way_until(
    texts: &Texts,
    zone: &TimeZone,
    presence: &PresenceView,
    this: PresenceOverride,
    now: Timestamp,
) -> Option<MenuLine> {
    let key = match this {
        PresenceOverride::Auto => return None,
        PresenceOverride::Here => "tray-presence-here-until",
        PresenceOverride::Away => "tray-presence-away-until",
    };
    let end = presence
        .said_until
        .filter(|_| presence.standing.said == this)?;
    let time = Value::from(words::clock(texts, zone, end, now));
    Some(said(
        texts.with(key, &[("time", time)]),
        this,
        OverrideUntil::At(end),
        true,
    ))
}

fn said(label: String, said: PresenceOverride, until: OverrideUntil, holds: bool) -> MenuLine {
    let action = Some(MenuAction::Said { said, until });
    MenuLine::Item(MenuEntry {
        label,
        enabled: true,
        checked: Some(holds),
        action,
        ..MenuEntry::default()
    })
}
