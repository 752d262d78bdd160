//! The last answers as a submenu: a line for each, which opens the history.
//!
//! Not here: which ones, and what is kept of them (`tray/latest.rs`).

use super::{MenuAction, MenuLine, pressable, submenu};
use crate::tray::latest::{AskEnding, FinishedAsk, LatestAnswers};
use crate::tray::words::{WIDTH, cut};
use beckon_client::text::words;
use beckon_client::text::{Texts, Value};
use beckon_client::wire::{self, AnswerPlace, AnsweredBy};
use beckon_core::{Surface, Timestamp};
use jiff::tz::TimeZone;

/// The most characters of a place's name, so that it leaves room for what was answered, and that
/// for where and when.
const PLACE: usize = WIDTH / 4;
/// The number of characters of the answer that are always shown.
const LEAST: usize = 8;

/// Returns the submenu; nothing before the first answer.
pub(super) fn latest_item(
    texts: &Texts,
    zone: &TimeZone,
    latest: &LatestAnswers,
    now: Timestamp,
) -> Option<MenuLine> {
    let line =
        |ended: &FinishedAsk| pressable(line(texts, zone, ended, now), MenuAction::OpenHistory);
    let lines: Vec<MenuLine> = latest.iter().map(line).collect();
    (!lines.is_empty()).then(|| submenu(texts.get("tray-latest"), lines))
}

fn line(texts: &Texts, zone: &TimeZone, ended: &FinishedAsk, now: Timestamp) -> String {
    let time = words::clock(texts, zone, ended.at, now);
    let (key, by) = match ended.by {
        Some(Surface::Clock) => ("tray-latest-nobody", String::new()),
        _ => ("tray-latest-line", answered(texts, ended)),
    };
    let with = |what: &str| {
        let place = cut(&ended.place, PLACE);
        let args = [
            ("place", place.as_str()),
            ("what", what),
            ("by", &by),
            ("time", &time),
        ];
        texts.with(
            key,
            &args.map(|(name, text)| (name, Value::from(text.to_owned()))),
        )
    };
    let room = WIDTH.saturating_sub(with("").chars().count()).max(LEAST);
    with(&cut(&said(texts, &ended.what), room))
}

/// Returns where it was answered, or by whom at another machine.
fn answered(texts: &Texts, ended: &FinishedAsk) -> String {
    let place = ended.by.map_or(AnswerPlace::Elsewhere, AnswerPlace::from);
    let there = ended.who.as_ref().map(AnsweredBy::from);
    let there = there.and_then(|who| words::answered_there(texts, &who));
    there.unwrap_or_else(|| texts.get(&format!("ui-by-{}", wire::word(&place))))
}

fn said(texts: &Texts, what: &AskEnding) -> String {
    let key = match what {
        AskEnding::Chosen(answers) => return answers.join(&texts.get("tray-latest-comma")),
        AskEnding::Answers(count) => {
            return texts.with("tray-latest-answers", &[("count", Value::from(*count))]);
        }
        AskEnding::Expired(span) => {
            let age = Value::from(words::age(texts, *span));
            return texts.with("tray-latest-expired", &[("age", age)]);
        }
        AskEnding::Answered => "tray-latest-answered",
        AskEnding::Once => "tray-latest-once",
        AskEnding::Always => "tray-latest-always",
        AskEnding::Rejected => "tray-latest-rejected",
        AskEnding::Continued => "tray-latest-continued",
        AskEnding::Cancelled => "tray-latest-cancelled",
        AskEnding::Dismissed => "tray-latest-dismissed",
    };
    texts.get(key)
}
