//! The tables of pairings: who may answer on Telegram, where cards go, and how far updates were
//! read.

use crate::channels::telegram::pairing::pairings::{
    ChatId, PairedGroup, PairedPerson, PairingChange, Pairings, ReadOffset, UserId,
};
use anyhow::Result;
use rusqlite::{Connection, OptionalExtension, params};

pub(super) const CREATE: &str = "
    CREATE TABLE telegram_read (
        only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
        bot      INTEGER NOT NULL,
        next     INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE telegram_people (
        id      INTEGER PRIMARY KEY,
        name    TEXT NOT NULL,
        private INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE telegram_group (
        only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
        chat     INTEGER NOT NULL,
        title    TEXT NOT NULL,
        topics   INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE telegram_topics (
        project TEXT PRIMARY KEY,
        thread  INTEGER NOT NULL
    ) STRICT;";

/// The column for the server whose numbers of updates these are.
pub(super) const ADDRESS: &str = "ALTER TABLE telegram_read ADD COLUMN address TEXT;";

/// The column for the list of waiting asks, a message in each chat.
pub(super) const LISTS: &str = "
    CREATE TABLE telegram_lists (
        chat    INTEGER PRIMARY KEY,
        message INTEGER NOT NULL
    ) STRICT;";

pub(super) fn put(connection: &Connection, entries: &[PairingChange]) -> Result<()> {
    for entry in entries {
        match entry {
            PairingChange::Read(ReadOffset { bot, address, next }) => connection.execute(
                "INSERT INTO telegram_read (only_row, bot, address, next) VALUES (1, ?1, ?2, ?3)
                 ON CONFLICT (only_row) DO UPDATE SET
                     bot = excluded.bot, address = excluded.address, next = excluded.next",
                params![bot.0, address, next],
            )?,
            PairingChange::Person(person) => connection.execute(
                "INSERT INTO telegram_people (id, name, private) VALUES (?1, ?2, ?3)
                 ON CONFLICT (id) DO UPDATE SET name = excluded.name, private = excluded.private",
                params![person.id.0, person.name, person.private],
            )?,
            PairingChange::NoPerson(id) => {
                connection.execute("DELETE FROM telegram_people WHERE id = ?1", [id.0])?
            }
            PairingChange::Group(group) => put_group(connection, group.as_ref())?,
            PairingChange::Topic(project, Some(thread)) => connection.execute(
                "INSERT INTO telegram_topics (project, thread) VALUES (?1, ?2)
                 ON CONFLICT (project) DO UPDATE SET thread = excluded.thread",
                params![project, thread],
            )?,
            PairingChange::Topic(project, None) => {
                connection.execute("DELETE FROM telegram_topics WHERE project = ?1", [project])?
            }
            PairingChange::List(chat, Some(message)) => connection.execute(
                "INSERT INTO telegram_lists (chat, message) VALUES (?1, ?2)
                 ON CONFLICT (chat) DO UPDATE SET message = excluded.message",
                params![chat.0, message],
            )?,
            PairingChange::List(chat, None) => {
                connection.execute("DELETE FROM telegram_lists WHERE chat = ?1", [chat.0])?
            }
        };
    }
    Ok(())
}

fn put_group(connection: &Connection, group: Option<&PairedGroup>) -> Result<usize> {
    let before = read_group(connection)?;
    if before.map(|group| group.chat) != group.map(|group| group.chat) {
        connection.execute("DELETE FROM telegram_topics", [])?;
    }
    connection.execute("DELETE FROM telegram_group", [])?;
    let Some(group) = group else { return Ok(0) };
    Ok(connection.execute(
        "INSERT INTO telegram_group (only_row, chat, title, topics) VALUES (1, ?1, ?2, ?3)",
        params![group.chat.0, group.title, group.topics],
    )?)
}

pub(super) fn read(connection: &Connection) -> Result<Pairings> {
    let read = connection
        .query_row("SELECT bot, address, next FROM telegram_read", [], |row| {
            Ok(ReadOffset {
                bot: UserId(row.get(0)?),
                address: row.get(1)?,
                next: row.get(2)?,
            })
        })
        .optional()?;
    let mut people = connection.prepare("SELECT id, name, private FROM telegram_people")?;
    let people = people.query_map([], |row| {
        Ok(PairedPerson {
            id: UserId(row.get(0)?),
            name: row.get(1)?,
            private: row.get(2)?,
        })
    })?;
    let people = people.map(|person| person.map(|person| (person.id, person)));
    let mut topics = connection.prepare("SELECT project, thread FROM telegram_topics")?;
    let topics = topics.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
    let mut lists = connection.prepare("SELECT chat, message FROM telegram_lists")?;
    let lists = lists.query_map([], |row| Ok((ChatId(row.get(0)?), row.get(1)?)))?;
    Ok(Pairings {
        read,
        people: people.collect::<Result<_, _>>()?,
        group: read_group(connection)?,
        topics: topics.collect::<Result<_, _>>()?,
        lists: lists.collect::<Result<_, _>>()?,
    })
}

fn read_group(connection: &Connection) -> Result<Option<PairedGroup>> {
    let group = connection.query_row(
        "SELECT chat, title, topics FROM telegram_group",
        [],
        |row| {
            Ok(PairedGroup {
                chat: ChatId(row.get(0)?),
                title: row.get(1)?,
                topics: row.get(2)?,
            })
        },
    );
    Ok(group.optional()?)
}
