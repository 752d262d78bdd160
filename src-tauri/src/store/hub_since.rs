//! The table `hub_since`: the hub to which the history is published, and the row after which that
//! begins. What happened while this machine was on no hub, or on another one, is never published
//! there. It has one row, or none as long as there was no hub; a hub that was left has no name.

use anyhow::Result;
use rusqlite::{Connection, OptionalExtension, Row};

/// The point in the history since which this machine is on a hub.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct HubSince {
    /// The last row of the history that is not published on the hub; all later rows are.
    pub after: i64,
    /// Whether machines of another hub, which was left, go on serving the bot.
    pub is_bot_elsewhere: bool,
}

pub(super) const CREATE: &str = "
    CREATE TABLE hub_since (
        only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
        hub      TEXT,
        after    INTEGER NOT NULL
    ) STRICT;";

/// The column for the hub whose machines go on serving the bot, also while this machine is on
/// another hub. Empty for a hub that was left before this column existed: its name is not known.
pub(super) const BOT_AT: &str = "
    ALTER TABLE hub_since ADD COLUMN bot_at TEXT;
    UPDATE hub_since SET bot_at = '' WHERE hub IS NULL;";

/// The facts about the hub that this machine is on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct KnownSince {
    /// The row and the bot, for that hub.
    pub since: HubSince,
    /// Whether the machine was on that hub before; otherwise [`HubMove::Joined`] is to be saved.
    pub is_known: bool,
}

/// The facts about the bot when this machine is on no hub.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct KnownLeft {
    /// Whether machines of a hub that was left go on serving the bot.
    pub stays: bool,
    /// Whether the machine was on a hub until now, so that [`HubMove::Left`] is to be saved.
    pub is_news: bool,
}

/// A change of the hub that this machine is on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum HubMove {
    /// The machine is on that hub.
    Joined(String),
    /// The machine is on no hub. If it has left one whose machines have the bot, these go on
    /// serving it.
    Left {
        /// Whether other machines of the hub have the bot.
        is_bot_shared: bool,
    },
}

/// Returns since when this machine is on that hub, as it will be after [`HubMove::Joined`].
pub(super) fn read(connection: &Connection, hub: &str) -> Result<KnownSince> {
    let known = "SELECT after, bot_at IS NOT NULL FROM hub_since WHERE hub = ?1";
    let since = |row: &Row<'_>| {
        Ok(HubSince {
            after: row.get(0)?,
            is_bot_elsewhere: row.get(1)?,
        })
    };
    if let Some(since) = connection.query_row(known, [hub], since).optional()? {
        return Ok(KnownSince {
            since,
            is_known: true,
        });
    }

    let joined = "SELECT (SELECT coalesce(max(id), 0) FROM receipts),
         EXISTS (SELECT 1 FROM hub_since WHERE bot_at NOT IN ('', ?1))";
    let since = connection.query_row(joined, [hub], since)?;
    Ok(KnownSince {
        since,
        is_known: false,
    })
}

/// Returns whether machines of a hub that was left go on serving the bot, as it will be after
/// [`HubMove::Left`].
pub(super) fn read_left(connection: &Connection, is_bot_shared: bool) -> Result<KnownLeft> {
    let last = "SELECT hub, bot_at FROM hub_since";
    let row = |row: &Row<'_>| {
        let hub: Option<String> = row.get(0)?;
        let bot_at: Option<String> = row.get(1)?;
        Ok((hub, bot_at))
    };
    let known = match connection.query_row(last, [], row).optional()? {
        None => KnownLeft {
            stays: false,
            is_news: false,
        },
        Some((None, _)) => KnownLeft {
            stays: true,
            is_news: false,
        },
        Some((Some(_), bot_at)) => KnownLeft {
            stays: is_bot_shared || bot_at.is_some(),
            is_news: true,
        },
    };
    Ok(known)
}

/// Saves a change; one that is saved already changes nothing.
pub(super) fn put(connection: &Connection, to: &HubMove) -> Result<()> {
    match to {
        HubMove::Joined(hub) => connection.execute(
            "INSERT INTO hub_since (only_row, hub, after)
             VALUES (1, ?1, (SELECT coalesce(max(id), 0) FROM receipts))
             ON CONFLICT (only_row) DO UPDATE SET hub = excluded.hub, after = excluded.after,
                 bot_at = CASE WHEN bot_at IN ('', excluded.hub) THEN NULL ELSE bot_at END
             WHERE hub IS NOT excluded.hub",
            [hub],
        )?,
        HubMove::Left {
            is_bot_shared: true,
        } => connection.execute(
            "UPDATE hub_since SET bot_at = hub, hub = NULL WHERE hub IS NOT NULL",
            [],
        )?,
        HubMove::Left {
            is_bot_shared: false,
        } => {
            connection.execute(
                "DELETE FROM hub_since WHERE hub IS NOT NULL AND bot_at IS NULL",
                [],
            )?;
            connection.execute("UPDATE hub_since SET hub = NULL", [])?
        }
    };
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::receipts;

    /// Joins a hub and returns its row, which must be the same before and after.
    fn begin(connection: &Connection, hub: &str) -> Result<HubSince> {
        let said = read(connection, hub)?.since;
        put(connection, &HubMove::Joined(hub.to_owned()))?;
        let after = read(connection, hub)?;
        assert!(after.is_known);
        assert_eq!(said, after.since);
        Ok(said)
    }

    /// Leaves whatever hub it is on, in the same way.
    fn end(connection: &Connection, is_bot_shared: bool) -> Result<bool> {
        let said = read_left(connection, is_bot_shared)?.stays;
        put(connection, &HubMove::Left { is_bot_shared })?;
        let after = read_left(connection, is_bot_shared)?;
        assert!(!after.is_news);
        assert_eq!(said, after.stays);
        Ok(said)
    }

    /// Makes the table as it was before the bot's hub was kept.
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
    fn a_left_hub_without_a_name_may_be_any_hub() {
        let connection = former();
        let left = "INSERT INTO hub_since (only_row, hub, after) VALUES (1, NULL, 7)";
        connection.execute(left, []).unwrap();
        connection.execute_batch(BOT_AT).unwrap();
        assert!(end(&connection, false).unwrap());
        begin(&connection, "home").unwrap();
        assert!(!end(&connection, false).unwrap());
    }
}
