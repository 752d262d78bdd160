//! Times as people say them: `12 s`, `14:02`, `yesterday 14:02`.

use crate::channels::telegram::card::Scene;
use crate::texts::Value;
use beckon_core::{Span, Timestamp};
use jiff::Zoned;

/// `12 s`, `4 min`, `3 h`, `2 d`.
pub(in crate::channels::telegram) fn age(scene: &Scene<'_>, span: Span) -> String {
    let seconds = span.0.max(0) / 1_000;
    let (key, count) = match seconds {
        0..60 => ("telegram-age-seconds", seconds),
        60..3_600 => ("telegram-age-minutes", seconds / 60),
        3_600..172_800 => ("telegram-age-hours", seconds / 3_600),
        _ => ("telegram-age-days", seconds / 86_400),
    };
    scene.texts.with(key, &[("count", Value::from(count))])
}

/// `14:02`; `yesterday 14:02`, `tomorrow 14:02` or `2026-11-20 14:02` on other days.
pub(in crate::channels::telegram) fn clock(scene: &Scene<'_>, at: Timestamp) -> String {
    let (at, today) = (local(scene, at), local(scene, scene.now).date());
    let time = at.strftime("%H:%M").to_string();
    let day = at.date();
    let key = if day == today {
        return time;
    } else if today.yesterday().is_ok_and(|yesterday| day == yesterday) {
        "telegram-time-yesterday"
    } else if today.tomorrow().is_ok_and(|tomorrow| day == tomorrow) {
        "telegram-time-tomorrow"
    } else {
        "telegram-time-date"
    };
    let args = [("date", Value::from(day.to_string())), ("time", Value::from(time))];
    scene.texts.with(key, &args)
}

/// `at 14:02`, `yesterday 14:02`: as part of a sentence.
pub(in crate::channels::telegram) fn at(scene: &Scene<'_>, at: Timestamp) -> String {
    let clock = clock(scene, at);
    if local(scene, at).date() != local(scene, scene.now).date() {
        return clock;
    }
    scene.texts.with("telegram-time-at", &[("time", clock.into())])
}

fn local(scene: &Scene<'_>, at: Timestamp) -> Zoned {
    jiff::Timestamp::from_millisecond(at.0).unwrap_or_default().to_zoned(scene.zone.clone())
}
