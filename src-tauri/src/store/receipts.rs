//! The table `receipts`: what happened to each ask, and when. The history is read from it.

use anyhow::Result;
use beckon_core::{AskId, News, Timestamp};
use rusqlite::{Connection, params};

pub(super) const CREATE: &str = "
    CREATE TABLE receipts (
        id     INTEGER PRIMARY KEY,
        source TEXT NOT NULL,
        own    TEXT NOT NULL,
        what   TEXT NOT NULL,
        at     INTEGER NOT NULL
    ) STRICT;";

pub(super) fn put(connection: &Connection, news: &[News], at: Timestamp) -> Result<()> {
    let mut statement = connection
        .prepare_cached("INSERT INTO receipts (source, own, what, at) VALUES (?1, ?2, ?3, ?4)")?;
    for (ask, what) in news.iter().filter_map(row) {
        statement.execute(params![ask.source.0, ask.own, what, at.0])?;
    }
    Ok(())
}

fn row(news: &News) -> Option<(&AskId, &'static str)> {
    match news {
        News::Asked(ask) => Some((ask, "asked")),
        News::Shown(ask, _) => Some((ask, "shown")),
        News::Answered(ask, _) => Some((ask, "answered")),
        News::Sent(ask) => Some((ask, "sent")),
        News::Undelivered(ask) => Some((ask, "undelivered")),
        News::Returned(ask) => Some((ask, "returned")),
        News::Settled(ask, _) => Some((ask, "settled")),
        News::Reopened(ask) => Some((ask, "reopened")),
        News::Changed(ask) => Some((ask, "changed")),
        // It is no part of what became of it.
        News::Attention(_) | News::Source(_) | News::Standing => None,
    }
}
