//! Times as people say them: `12 s`, `14:02`, `yesterday 14:02`.

use super::CardContext;
use beckon_client::text::words;
use beckon_core::{Span, Timestamp};
use jiff::Zoned;

/// Returns a span as `12 s`, `4 min`, `3 h`, `2 d`.
pub(in crate::channels::telegram) fn age(scene: &CardContext<'_>, span: Span) -> String {
    words::age(scene.texts, span)
}

/// Returns a time as `14:02`; on other days as `yesterday 14:02`, `tomorrow 14:02` or
/// `2026-11-20 14:02`.
pub(in crate::channels::telegram) fn clock(scene: &CardContext<'_>, at: Timestamp) -> String {
    words::clock(scene.texts, scene.zone, at, scene.now)
}

/// Returns a time as part of a sentence: `at 14:02`, `yesterday 14:02`.
pub(in crate::channels::telegram) fn at(scene: &CardContext<'_>, at: Timestamp) -> String {
    let clock = clock(scene, at);
    if local(scene, at).date() != local(scene, scene.now).date() {
        return clock;
    }
    scene
        .texts
        .with("telegram-time-at", &[("time", clock.into())])
}

fn local(scene: &CardContext<'_>, at: Timestamp) -> Zoned {
    jiff::Timestamp::from_millisecond(at.0)
        .unwrap_or_default()
        .to_zoned(scene.zone.clone())
}
