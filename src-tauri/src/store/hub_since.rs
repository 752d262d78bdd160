//! The table `hub_since`: which hub the history is told to, and after which row of it. What happened
//! while this machine was on none, or on another one, is never told there. One row, or none as long as
//! there was no hub; one that was left has no name.

use anyhow::Result;
use rusqlite::{Connection, OptionalExtension};

pub(super) const CREATE: &str = "
    CREATE TABLE hub_since (
        only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
        hub      TEXT,
        after    INTEGER NOT NULL
    ) STRICT;";

/// This machine is on that hub: after which row has it been there?
pub(super) fn begin(connection: &Connection, hub: &str) -> Result<i64> {
    let known = "SELECT after FROM hub_since WHERE hub = ?1";
    if let Some(after) = connection.query_row(known, [hub], |row| row.get(0)).optional()? {
        return Ok(after);
    }
    connection.execute(
        "INSERT INTO hub_since (only_row, hub, after)
         VALUES (1, ?1, (SELECT coalesce(max(id), 0) FROM receipts))
         ON CONFLICT (only_row) DO UPDATE SET hub = excluded.hub, after = excluded.after",
        [hub],
    )?;
    begin(connection, hub)
}

/// It is on none. Does its bot stay with a hub that it was on last? That is so of one that it leaves
/// where others have the bot (`is_bot_shared`), until it joins one again.
pub(super) fn end(connection: &Connection, is_bot_shared: bool) -> Result<bool> {
    let last = "SELECT hub FROM hub_since";
    let last = connection.query_row(last, [], |row| row.get::<_, Option<String>>(0)).optional()?;
    // Where nothing is to be changed the disk isn't asked.
    let Some(Some(_)) = last else { return Ok(last.is_some()) };
    let ended = match is_bot_shared {
        true => "UPDATE hub_since SET hub = NULL",
        false => "DELETE FROM hub_since",
    };
    connection.execute(ended, [])?;
    Ok(is_bot_shared)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::receipts;

    #[test]
    fn a_hub_that_was_left_begins_anew_and_one_that_is_away_does_not() {
        let connection = Connection::open_in_memory().unwrap();
        connection.execute_batch(receipts::CREATE).unwrap();
        connection.execute_batch(CREATE).unwrap();
        let happens = || {
            let receipt =
                "INSERT INTO receipts (source, own, what, at) VALUES ('local', 'q1', 'asked', 1)";
            connection.execute(receipt, []).unwrap();
        };
        happens();
        assert_eq!(begin(&connection, "home").unwrap(), 1, "what was before is not told");
        happens();
        assert_eq!(begin(&connection, "home").unwrap(), 1, "after a restart");
        assert!(end(&connection, true).unwrap());
        assert!(end(&connection, false).unwrap(), "the bot stays there");
        happens();
        assert_eq!(begin(&connection, "home").unwrap(), 3, "it was left meanwhile");
        assert!(!end(&connection, false).unwrap(), "nobody else has the bot");
        begin(&connection, "home").unwrap();
        happens();
        assert_eq!(begin(&connection, "work").unwrap(), 4, "another one");
    }
}
