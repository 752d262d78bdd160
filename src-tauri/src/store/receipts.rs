//! The table `receipts`: the events of each ask, with their times. The audit is read from it
//! (`history/audit.rs`).

use anyhow::Result;
use beckon_client::wire::{self, AnswerPlace, Ending, ReturnCode};
use beckon_core::hub::team::Agreement;
use beckon_core::{AskId, AskState, Channel, Entry, News, Outcome, RowChange, Surface, Timestamp};
use rusqlite::{Connection, params};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

pub(super) const CREATE: &str = "
    CREATE TABLE receipts (
        id     INTEGER PRIMARY KEY,
        source TEXT NOT NULL,
        own    TEXT NOT NULL,
        what   TEXT NOT NULL,
        at     INTEGER NOT NULL
    ) STRICT;";

/// The columns for the ask as it was at the event (its number and its fingerprint, since its name
/// may be another ask's now), for the person who answered, and for the rest. `NULL` in earlier
/// rows.
pub(super) const DETAILS: &str = "
    ALTER TABLE receipts ADD COLUMN serial INTEGER;
    ALTER TABLE receipts ADD COLUMN shown TEXT;
    ALTER TABLE receipts ADD COLUMN responder TEXT;
    ALTER TABLE receipts ADD COLUMN detail TEXT;";

/// The details of an event.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct ReceiptDetail {
    /// The channel on which the ask was shown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub channel: Option<Channel>,
    /// The place where it was answered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<AnswerPlace>,
    /// The decision that was made.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ending: Option<Ending>,
    /// The way in which the ask ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outcome: Option<wire::OutcomeKind>,
    /// The reason why the answer came back.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub returned: Option<wire::ReturnCode>,
}

/// Saves the news of a step, each with its time, after the step's asks. For an ask that is not
/// among these the database has the details.
pub(super) fn put<'a>(
    connection: &Connection,
    save: &[RowChange],
    news: impl ExactSizeIterator<Item = (Timestamp, &'a News)>,
) -> Result<()> {
    if news.len() == 0 {
        return Ok(());
    }
    let saved: BTreeMap<&AskId, &Entry> = save.iter().filter_map(entry).collect();
    let mut statement = connection.prepare_cached(
        "INSERT INTO receipts (source, own, what, at, detail, serial, shown, responder)
         SELECT ?1, ?2, ?3, ?4, ?5, serial, fingerprint, CASE WHEN ?6 THEN responder ELSE ?7 END
         FROM (SELECT ?1 AS source, ?2 AS own) LEFT JOIN asks USING (source, own)",
    )?;
    for (at, news) in news {
        let Some((ask, what)) = row(news) else {
            continue;
        };
        let detail = detail(news, saved.get(ask).copied());
        let detail = serde_json::to_string(&detail)?;
        let is_answer = is_of_an_answer(news);
        let agreed = saved
            .get(ask)
            .and_then(|entry| agreed(news, entry)?.responder.as_ref());
        let agreed = agreed.map(serde_json::to_string).transpose()?;
        statement.execute(params![
            ask.source.0,
            ask.own,
            what,
            at.0,
            detail,
            is_answer,
            agreed
        ])?;
    }
    Ok(())
}

fn entry(row: &RowChange) -> Option<(&AskId, &Entry)> {
    match row {
        RowChange::Ask(entry) => Some((&entry.ask.id, entry.as_ref())),
        _ => None,
    }
}

/// Whether the news are of an answer that counts: only then does the receipt name its giver.
fn is_of_an_answer(news: &News) -> bool {
    match news {
        News::Answered(..) | News::Sent(_) | News::Undelivered(_) => true,
        News::Settled(_, outcome) => outcome.is_decided(),
        _ => false,
    }
}

/// Returns the agreement that the news tell of: a yes where two are needed.
fn agreed<'a>(news: &News, entry: &'a Entry) -> Option<&'a Agreement> {
    entry
        .agreed
        .last()
        .filter(|_| matches!(news, News::Agreed(_)))
}

fn detail(news: &News, entry: Option<&Entry>) -> ReceiptDetail {
    let none = ReceiptDetail::default();
    match news {
        News::Shown(_, channel) => ReceiptDetail {
            channel: Some(*channel),
            ..none
        },
        News::Answered(_, by) => {
            let ending = entry.and_then(|entry| decided(entry, *by));
            ReceiptDetail {
                by: Some((*by).into()),
                ending,
                ..none
            }
        }
        News::Agreed(_) => {
            let agreed = entry.and_then(|entry| agreed(news, entry));
            let answered = |it: &Agreement| Outcome::Answered {
                answer: it.answer.clone(),
                by: it.by,
            };
            let ending = entry.zip(agreed.map(answered));
            let ending = ending.map(|(entry, outcome)| wire::ending_of(&entry.ask, &outcome));
            ReceiptDetail {
                by: agreed.map(|it| it.by.into()),
                ending,
                ..none
            }
        }
        News::Settled(_, outcome) => ReceiptDetail {
            by: AnswerPlace::of(outcome),
            ending: entry.map(|entry| wire::ending_of(&entry.ask, outcome)),
            outcome: Some(outcome.into()),
            returned: entry.and_then(|entry| lost(entry, outcome)),
            ..none
        },
        News::Returned(_) => {
            let why = entry.and_then(|entry| entry.returned.as_ref());
            ReceiptDetail {
                returned: why.map(wire::return_code),
                ..none
            }
        }
        _ => none,
    }
}

/// Returns what became of an answer to an agent that has stopped waiting. `None` if there was none.
fn lost(entry: &Entry, outcome: &Outcome) -> Option<ReturnCode> {
    let late = entry.late.as_ref().filter(|_| *outcome == Outcome::Gone)?;
    Some(if late.may_have_arrived {
        ReturnCode::Unproven
    } else {
        ReturnCode::Undelivered
    })
}

/// Returns the decision of an answer that is on its way.
fn decided(entry: &Entry, by: Surface) -> Option<Ending> {
    let AskState::Answering { answer, .. } = &entry.state else {
        return None;
    };
    let outcome = match by {
        Surface::Clock => Outcome::Expired,
        by => Outcome::Answered {
            answer: answer.clone(),
            by,
        },
    };
    Some(wire::ending_of(&entry.ask, &outcome))
}

fn row(news: &News) -> Option<(&AskId, &'static str)> {
    let row = match news {
        News::Asked(ask) => (ask, "asked"),
        News::Shown(ask, _) => (ask, "shown"),
        News::Answered(ask, _) => (ask, "answered"),
        News::Sent(ask) => (ask, "sent"),
        News::Undelivered(ask) => (ask, "undelivered"),
        News::Returned(ask) => (ask, "returned"),
        News::Settled(ask, _) => (ask, "settled"),
        News::Reopened(ask) => (ask, "reopened"),
        News::Changed(ask) => (ask, "changed"),
        News::Agreed(ask) => (ask, "agreed"),
        // These news are not about what became of an ask.
        News::Attention(_)
        | News::Held(_)
        | News::CallTold(_)
        | News::Source(_)
        | News::Standing => return None,
    };
    Some(row)
}
