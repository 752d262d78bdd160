//! The words that several surfaces share: times, lengths of time, and where the human is here; why
//! an answer is not taken in `words/refusing.rs`, what went wrong in `words/failing.rs`, what an
//! agent asks permission for in `words/wanting.rs`, and the answers to that in `words/deciding.rs`.
//!
//! Not here: the texts themselves (`locales/`), and what only one surface says.

mod attention;
mod deciding;
mod failing;
mod holding;
mod limiting;
mod machine;
mod refusing;
mod responding;
mod routing;
mod versions;
mod wanting;

pub use attention::{attention, set_aside};
pub use deciding::{DecisionWord, decision};
pub use failing::{address, causes, config, failure, fault, keychain, setting, unusable};
pub use holding::{agreed, agreed_to, hold, needs_another};
pub use limiting::limits;
pub use machine::{machine, rings_at};
pub use refusing::{AnswerOwner, invalid_answer, lost, refusal, refusal_after, too_late};
pub use responding::{answered_by, answered_there, responder};
pub use routing::{member, route, route_now, shifts};
pub use versions::other_version;
pub use wanting::{place, place_of, place_on, title, topic, wish};

use crate::text::{Texts, Value};
use crate::wire;
use beckon_core::hub::{Elsewhere, HubRefusal};
use beckon_core::risk::Risk;
use beckon_core::{
    BreakThrough, Entry, Presence, PresenceOverride, PresenceReading, PresenceSource, PresenceView,
    RejectionReach, ReturnReason, SourceFault, Span, Timestamp, UndeliveredAnswer,
};
use jiff::tz::TimeZone;
use std::collections::BTreeSet;

/// The time without input after which the human is said to be idle. Before that, an older last
/// input only means that nobody has asked for a newer one.
const IN_USE: Span = Span::seconds(30);

/// Says that an answer does not arrive, and why, in a sentence.
pub fn undelivered(texts: &Texts, trouble: &UndeliveredAnswer) -> String {
    undelivered_for(texts, trouble.why.as_deref())
}

/// Says the same of what another process of ours is told.
pub fn undelivered_told(texts: &Texts, trouble: &wire::Undelivered) -> String {
    undelivered_for(texts, trouble.why.as_deref())
}

fn undelivered_for(texts: &Texts, why: Option<&str>) -> String {
    match why {
        Some(why) => texts.with("undelivered", &[("why", Value::from(why))]),
        None => texts.get("undelivered-unconfirmed"),
    }
}

/// Says why an answer came back, in a sentence.
pub fn returned(texts: &Texts, why: &ReturnReason) -> String {
    let none = String::new;
    let (key, detail) = match why {
        ReturnReason::Refused(detail) => ("returned-refused", detail.clone()),
        ReturnReason::Unauthorized => ("returned-unauthorized", none()),
        ReturnReason::Forbidden => ("returned-forbidden", none()),
        ReturnReason::Unproven => ("returned-unproven", none()),
        ReturnReason::Undelivered(SourceFault::LeftOut) => ("returned-left-out", none()),
        ReturnReason::Undelivered(why) => ("returned-undelivered", fault(texts, why)),
        ReturnReason::Unconfirmed => ("returned-unconfirmed", none()),
        ReturnReason::NoThread => ("returned-no-thread", none()),
        ReturnReason::NeedsAnother => ("returned-needs-another", none()),
        ReturnReason::Changed => ("returned-changed", none()),
        ReturnReason::Hub(refusal) => (not_passed(*refusal), none()),
    };
    texts.with(key, &[("why", Value::from(detail))])
}

/// Returns the text that says why an answer for another machine's agent did not get there.
fn not_passed(refusal: HubRefusal) -> &'static str {
    match refusal {
        HubRefusal::Forbidden => "returned-hub-forbidden",
        HubRefusal::NoKey => "returned-hub-no-key",
        HubRefusal::Unlisted => "returned-hub-unlisted",
        HubRefusal::Unreadable => "returned-hub-unreadable",
        HubRefusal::Unfit => "returned-hub-unfit",
        HubRefusal::Held => "returned-hub-held",
    }
}

/// Returns the key of the sentence of that name for what comes through while the desktop is told
/// not to disturb.
pub fn of_disturb(key: &str, break_through: BreakThrough) -> String {
    let word = match break_through {
        BreakThrough::Never => "never",
        BreakThrough::Permissions => "permissions",
        BreakThrough::Always => "always",
    };
    format!("{key}-{word}")
}

/// Says how often an ask is asked, if one answer goes to several; `None` for one.
pub fn asked_times(texts: &Texts, entry: &Entry) -> Option<String> {
    let count = entry.also_asked + 1;
    (count > 1).then(|| texts.with("asked-times", &[("count", Value::from(count))]))
}

/// Says what else a rejection of this ask would reach, in a sentence.
pub fn also_rejects(texts: &Texts, entry: &Entry) -> Option<String> {
    let (reach, count) = entry.rejects_beside()?;
    let key = match reach {
        RejectionReach::Itself => return None,
        RejectionReach::Session => "also-rejects",
        RejectionReach::PerhapsSession => "also-rejects-perhaps",
    };
    Some(texts.with(key, &[("count", Value::from(count))]))
}

/// Says what is dangerous about allowing it, in a sentence for each kind.
pub fn risks(texts: &Texts, entry: &Entry) -> Vec<String> {
    let kinds: BTreeSet<Risk> = entry.risks().iter().map(|mark| mark.risk).collect();
    kinds
        .into_iter()
        .map(|risk| texts.get(risk_key(risk)))
        .collect()
}

fn risk_key(risk: Risk) -> &'static str {
    match risk {
        Risk::Deletes => "risk-deletes",
        Risk::Admin => "risk-admin",
        Risk::Rewrites => "risk-rewrites",
        Risk::RunsDownload => "risk-runs-download",
        Risk::RunsUnseen => "risk-runs-unseen",
        Risk::Outside => "risk-outside",
    }
}

/// Says where the human is and what shows it, in the computer's time zone:
/// `here: keyboard or mouse 12 s ago, X11`.
pub fn presence(texts: &Texts, view: &PresenceView, now: Timestamp) -> String {
    presence_in(texts, &TimeZone::system(), view, now)
}

fn presence_in(texts: &Texts, zone: &TimeZone, view: &PresenceView, now: Timestamp) -> String {
    let said = match view.standing.said {
        PresenceOverride::Auto => {
            return by_reading(texts, view.standing.reading, view.elsewhere, now);
        }
        PresenceOverride::Here => "presence-said-here",
        PresenceOverride::Away => "presence-said-away",
    };
    until(texts, zone, said, view.said_until, now)
}

fn by_reading(
    texts: &Texts,
    reading: PresenceReading,
    elsewhere: Elsewhere,
    now: Timestamp,
) -> String {
    let evidence = evidence_of(texts, reading, now);
    match reading.presence {
        Presence::Here => texts.with("presence-here", &[("evidence", Value::from(evidence))]),
        Presence::Unknown if !elsewhere.is_nobody_seated() => texts.get("machine-unknown"),
        _ => evidence,
    }
}

/// Says only what shows where the human is: `keyboard or mouse 12 s ago, X11`.
pub fn evidence(texts: &Texts, zone: &TimeZone, view: &PresenceView, now: Timestamp) -> String {
    match view.standing.said {
        PresenceOverride::Auto => evidence_of(texts, view.standing.reading, now),
        _ => until(texts, zone, "presence-said-so", view.said_until, now),
    }
}

fn evidence_of(texts: &Texts, reading: PresenceReading, now: Timestamp) -> String {
    let since = reading.last_input.map(|at| now - at);
    let key = match reading.presence {
        Presence::Here => hands(reading.evidence, since),
        Presence::Idle if since.is_none() => "presence-idle-for-a-while",
        Presence::Idle => "presence-idle",
        Presence::Locked => "presence-locked",
        Presence::Asleep => "presence-asleep",
        Presence::Unknown => "presence-unknown",
    };
    let age = age(texts, since.unwrap_or(Span(0)));
    let source = texts.get(source(reading.evidence));
    texts.with(
        key,
        &[("age", Value::from(age)), ("source", Value::from(source))],
    )
}

/// Returns the text for hands in use. A source that sees the input says when it last came, if it
/// can; Wayland only says that it comes. A source that does not see it has only seen somebody come
/// back.
fn hands(evidence: PresenceSource, since: Option<Span>) -> &'static str {
    match (evidence, since) {
        (PresenceSource::Logind | PresenceSource::ScreenSaver, Some(_)) => "presence-back",
        (PresenceSource::Wayland, _) | (_, None) => "presence-in-use",
        (_, Some(since)) if since > IN_USE => "presence-in-use",
        _ => "presence-input",
    }
}

/// Returns the text that names the source of the presence.
pub fn source(evidence: PresenceSource) -> &'static str {
    match evidence {
        PresenceSource::None => "presence-source-none",
        PresenceSource::Said => "presence-source-said",
        PresenceSource::X11 => "presence-source-x11",
        PresenceSource::Wayland => "presence-source-wayland",
        PresenceSource::Mutter => "presence-source-mutter",
        PresenceSource::Logind => "presence-source-logind",
        PresenceSource::ScreenSaver => "presence-source-screen-saver",
        PresenceSource::System => "presence-source-system",
        PresenceSource::ClockJump => "presence-source-clock-jump",
    }
}

fn until(
    texts: &Texts,
    zone: &TimeZone,
    key: &str,
    until: Option<Timestamp>,
    now: Timestamp,
) -> String {
    let Some(until) = until else {
        return texts.get(key);
    };
    let time = Value::from(clock(texts, zone, until, now));
    texts.with(&format!("{key}-until"), &[("time", time)])
}

/// Says a length of time: `12 s`, `4 min`, `3 h`, `2 d`.
pub fn age(texts: &Texts, span: Span) -> String {
    let seconds = span.0.max(0) / 1_000;
    let (key, count) = match seconds {
        0..60 => ("age-seconds", seconds),
        60..3_600 => ("age-minutes", seconds / 60),
        3_600..172_800 => ("age-hours", seconds / 3_600),
        _ => ("age-days", seconds / 86_400),
    };
    texts.with(key, &[("count", Value::from(count))])
}

/// Says a time: `14:02`, or on other days than `now`: `yesterday 14:02`, `tomorrow 08:00` or
/// `2026-11-20 14:02`.
pub fn clock(texts: &Texts, zone: &TimeZone, at: Timestamp, now: Timestamp) -> String {
    let local = |at: Timestamp| {
        jiff::Timestamp::from_millisecond(at.0)
            .unwrap_or_default()
            .to_zoned(zone.clone())
    };
    let (day, today) = (local(at).date(), local(now).date());
    let time = local(at).strftime("%H:%M").to_string();
    let key = if day == today {
        return time;
    } else if today.yesterday().is_ok_and(|yesterday| day == yesterday) {
        "time-yesterday"
    } else if today.tomorrow().is_ok_and(|tomorrow| day == tomorrow) {
        "time-tomorrow"
    } else {
        "time-date"
    };
    let args = [
        ("date", Value::from(day.to_string())),
        ("time", Value::from(time)),
    ];
    texts.with(key, &args)
}

#[cfg(test)]
mod tests;
