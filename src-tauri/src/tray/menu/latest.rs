//! The last answers as a submenu: a line for each, which opens the history.
//!
//! Not here: which ones, and what is kept of them (`tray/latest.rs`).

use super::{Action, Line, pressable, submenu};
use crate::text::words;
use crate::text::{Texts, Value};
use crate::tray::latest::{Ended, Latest, What};
use crate::tray::words::{WIDTH, cut};
use crate::wire;
use beckon_core::{Surface, Timestamp};
use jiff::tz::TimeZone;

/// A long name leaves room for what was answered, and that for where and when.
const PLACE: usize = WIDTH / 4;
/// So much of the answer is always there.
const LEAST: usize = 8;

/// Nothing before the first answer.
pub(super) fn latest_item(
    texts: &Texts,
    zone: &TimeZone,
    latest: &Latest,
    now: Timestamp,
) -> Option<Line> {
    let line = |ended: &Ended| pressable(line(texts, zone, ended, now), Action::OpenHistory);
    let lines: Vec<Line> = latest.iter().map(line).collect();
    (!lines.is_empty()).then(|| submenu(texts.get("tray-latest"), lines))
}

fn line(texts: &Texts, zone: &TimeZone, ended: &Ended, now: Timestamp) -> String {
    let time = words::clock(texts, zone, ended.at, now);
    let (key, by) = match ended.by {
        Some(Surface::Clock) => ("tray-latest-nobody", String::new()),
        Some(by) => ("tray-latest-line", texts.get(&format!("ui-by-{}", wire::surface(by)))),
        None => ("tray-latest-line", texts.get("ui-by-elsewhere")),
    };
    let with = |what: &str| {
        let place = cut(&ended.place, PLACE);
        let args = [("place", place.as_str()), ("what", what), ("by", &by), ("time", &time)];
        texts.with(key, &args.map(|(name, text)| (name, Value::from(text.to_owned()))))
    };
    let room = WIDTH.saturating_sub(with("").chars().count()).max(LEAST);
    with(&cut(&said(texts, &ended.what), room))
}

fn said(texts: &Texts, what: &What) -> String {
    let key = match what {
        What::Chosen(answers) => return answers.join(&texts.get("tray-latest-comma")),
        What::Answers(count) => {
            return texts.with("tray-latest-answers", &[("count", Value::from(*count))]);
        }
        What::Expired(span) => {
            let age = Value::from(words::age(texts, *span));
            return texts.with("tray-latest-expired", &[("age", age)]);
        }
        What::Answered => "tray-latest-answered",
        What::Once => "tray-latest-once",
        What::Always => "tray-latest-always",
        What::Rejected => "tray-latest-rejected",
        What::Continued => "tray-latest-continued",
        What::Cancelled => "tray-latest-cancelled",
        What::Dismissed => "tray-latest-dismissed",
    };
    texts.get(key)
}
