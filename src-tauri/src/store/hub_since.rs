//! The table `hub_since`: which hub the history is told to, and after which row of it. What happened
//! while this machine was on none, or on another one, is never told there. One row, or none as long as
//! there was no hub; one that was left has no name.

use anyhow::Result;
use rusqlite::{Connection, OptionalExtension, Row};

/// Since when this machine is on a hub.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct HubSince {
    /// After which row of the history, which is told to the hub from there on.
    pub after: i64,
    /// Its bot stays with another hub, that was left before.
    pub is_bot_elsewhere: bool,
}

pub(super) const CREATE: &str = "
    CREATE TABLE hub_since (
        only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
        hub      TEXT,
        after    INTEGER NOT NULL
    ) STRICT;";

/// With which hub the bot stays, also while this machine is on another one; of those that were left before
/// this was kept nobody knows the name.
pub(super) const BOT_AT: &str = "
    ALTER TABLE hub_since ADD COLUMN bot_at TEXT;
    UPDATE hub_since SET bot_at = '' WHERE hub IS NULL;";

/// This machine is on that hub: since when?
pub(super) fn begin(connection: &Connection, hub: &str) -> Result<HubSince> {
    let known = "SELECT after, bot_at IS NOT NULL FROM hub_since WHERE hub = ?1";
    let since = |row: &Row<'_>| {
        Ok(HubSince {
            after: row.get(0)?,
            is_bot_elsewhere: row.get(1)?,
        })
    };
    if let Some(since) = connection.query_row(known, [hub], since).optional()? {
        return Ok(since);
    }
    connection.execute(
        "INSERT INTO hub_since (only_row, hub, after)
         VALUES (1, ?1, (SELECT coalesce(max(id), 0) FROM receipts))
         ON CONFLICT (only_row) DO UPDATE SET hub = excluded.hub, after = excluded.after,
             bot_at = CASE WHEN bot_at IN ('', excluded.hub) THEN NULL ELSE bot_at END",
        [hub],
    )?;
    begin(connection, hub)
}

/// It is on none. Does its bot stay with a hub that it was on? That is so of one that it leaves where
/// others have the bot (`is_bot_shared`), until it joins that one again.
pub(super) fn end(connection: &Connection, is_bot_shared: bool) -> Result<bool> {
    let last = "SELECT hub FROM hub_since";
    let last = connection
        .query_row(last, [], |row| row.get::<_, Option<String>>(0))
        .optional()?;
    // Where nothing is to be changed the disk isn't asked.
    let Some(Some(_)) = last else {
        return Ok(last.is_some());
    };
    connection.execute_batch(match is_bot_shared {
        true => "UPDATE hub_since SET bot_at = hub, hub = NULL",
        false => {
            "BEGIN;
             DELETE FROM hub_since WHERE bot_at IS NULL;
             UPDATE hub_since SET hub = NULL;
             COMMIT;"
        }
    })?;
    Ok(
        connection.query_row("SELECT EXISTS (SELECT 1 FROM hub_since)", [], |row| {
            row.get(0)
        })?,
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::receipts;

    /// As it was before the bot's hub was kept.
    fn former() -> Connection {
        let connection = Connection::open_in_memory().unwrap();
        connection.execute_batch(receipts::CREATE).unwrap();
        connection.execute_batch(CREATE).unwrap();
        connection
    }

    #[test]
    fn a_hub_that_was_left_begins_anew_and_one_that_is_away_does_not() {
        let connection = former();
        connection.execute_batch(BOT_AT).unwrap();
        let happens = || {
            let receipt =
                "INSERT INTO receipts (source, own, what, at) VALUES ('local', 'q1', 'asked', 1)";
            connection.execute(receipt, []).unwrap();
        };
        happens();
        assert_eq!(
            begin(&connection, "home").unwrap().after,
            1,
            "what was before is not told"
        );
        happens();
        assert_eq!(
            begin(&connection, "home").unwrap().after,
            1,
            "after a restart"
        );
        assert!(end(&connection, true).unwrap());
        assert!(end(&connection, false).unwrap(), "the bot stays there");
        happens();
        assert_eq!(
            begin(&connection, "home").unwrap().after,
            3,
            "it was left meanwhile"
        );
        assert!(!end(&connection, false).unwrap(), "nobody else has the bot");
        begin(&connection, "home").unwrap();
        happens();
        assert_eq!(begin(&connection, "work").unwrap().after, 4, "another one");
    }
    #[test]
    fn a_bot_stays_with_the_hub_that_was_left_until_that_one_is_joined_again() {
        let connection = former();
        connection.execute_batch(BOT_AT).unwrap();
        assert!(!end(&connection, true).unwrap(), "it was on none");
        begin(&connection, "home").unwrap();
        assert!(end(&connection, true).unwrap());
        assert!(begin(&connection, "work").unwrap().is_bot_elsewhere);
        assert!(
            end(&connection, false).unwrap(),
            "where nobody else has it, and home has"
        );
        assert!(end(&connection, false).unwrap(), "after a restart");
        begin(&connection, "work").unwrap();
        assert!(!begin(&connection, "home").unwrap().is_bot_elsewhere);
        assert!(!end(&connection, false).unwrap());
    }

    #[test]
    fn of_a_hub_that_was_left_before_its_name_was_kept_any_hub_may_be_it() {
        let connection = former();
        let left = "INSERT INTO hub_since (only_row, hub, after) VALUES (1, NULL, 7)";
        connection.execute(left, []).unwrap();
        connection.execute_batch(BOT_AT).unwrap();
        assert!(end(&connection, false).unwrap());
        begin(&connection, "home").unwrap();
        assert!(!end(&connection, false).unwrap());
    }
}
