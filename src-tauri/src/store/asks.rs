//! The table `asks`: a row for each ask, with its state, as long as the history has it.
//!
//! An index costs one more page in every commit, so there are only two. Both make the start
//! independent of the length of the history. An ask can be long, and is stored before the columns
//! that are searched, so without an index all of it would be read (measured, see docs/measured.md).

use super::PRETEND;
use super::readable::readable;
use anyhow::Result;
use beckon_core::{
    Answer, Ask, AskId, AskState, Attention, ButtonTarget, Entry, Fingerprint, LateAnswer, Outcome,
    Responder, ReturnReason, SettledAsk, Surface, Timestamp,
};
use rusqlite::{Connection, OptionalExtension, Row, params};

/// An answer that was on its way, and where it was given, as the column `given` keeps them.
type StoredAnswer = (Answer, Surface);

pub(super) const CREATE: &str = "
    CREATE TABLE asks (
        serial     INTEGER PRIMARY KEY,
        source     TEXT NOT NULL,
        own        TEXT NOT NULL,
        ask        TEXT NOT NULL,
        state      TEXT NOT NULL,
        asked_at   INTEGER NOT NULL,
        settled_at INTEGER,
        UNIQUE (source, own)
    ) STRICT;";

/// The columns for an ask's draft, reminders and warning, which is given once, and for the answer
/// of an ask that is gone, in case it comes back.
pub(super) const DRAFTS: &str = "
    ALTER TABLE asks ADD COLUMN draft TEXT;
    ALTER TABLE asks ADD COLUMN reminded_at INTEGER;
    ALTER TABLE asks ADD COLUMN warned_at INTEGER;
    ALTER TABLE asks ADD COLUMN given TEXT;
    ALTER TABLE asks ADD COLUMN inquired INTEGER NOT NULL DEFAULT 0;";

/// The two indexes: one of open asks, and one of everything that is searched among settled asks
/// except the ask itself. Earlier rows have no fingerprint; theirs is computed from the ask.
pub(super) const INDEXES: &str = "
    ALTER TABLE asks ADD COLUMN fingerprint TEXT;
    CREATE INDEX asks_open ON asks (serial) WHERE settled_at IS NULL;
    CREATE INDEX asks_settled ON asks
        (settled_at, source, own, state, given, inquired, fingerprint)
        WHERE settled_at IS NOT NULL;";

/// The column for the reason why the last answer came back.
pub(super) const RETURNED: &str = "
    ALTER TABLE asks ADD COLUMN returned TEXT;";

/// The column for whether the ask was seen or snoozed; `NULL` for neither.
pub(super) const ATTENTION: &str = "
    ALTER TABLE asks ADD COLUMN attention TEXT;";

/// The column for who answered, as far as that is known; `NULL` in rows from before.
pub(super) const RESPONDER: &str = "
    ALTER TABLE asks ADD COLUMN responder TEXT;";

/// The column for the people of a team who have agreed, where two must.
pub(super) const AGREED: &str = "
    ALTER TABLE asks ADD COLUMN agreed TEXT;";

/// The column for an answer that was given here and came too late.
pub(super) const LATE: &str = "
    ALTER TABLE asks ADD COLUMN late TEXT;";

/// The column for the fingerprint of what was asked, whatever was known of its call; `NULL` where
/// it equals the ask's fingerprint.
pub(super) const REQUEST: &str = "
    ALTER TABLE asks ADD COLUMN request TEXT;
    DROP INDEX asks_settled;
    CREATE INDEX asks_settled ON asks
        (settled_at, source, own, state, given, inquired, fingerprint, request)
        WHERE settled_at IS NOT NULL;";

/// The column for the reason why an answer does not arrive. It is kept so that the human is told
/// once, and not again after each restart.
pub(super) const UNDELIVERED: &str = "
    ALTER TABLE asks ADD COLUMN undelivered TEXT;";

/// The column for the time at which our answer was given. An agent waits for its human until then,
/// however long the answer is on its way. `NULL` in earlier rows.
pub(super) const ANSWERED_AT: &str = "
    ALTER TABLE asks ADD COLUMN answered_at INTEGER;";

pub(super) fn put(connection: &Connection, entry: &Entry) -> Result<()> {
    let settled_at = match &entry.state {
        AskState::Settled { at, .. } => Some(at.0),
        AskState::Open | AskState::Answering { .. } => None,
    };
    let answered_at = match &entry.state {
        AskState::Answering { at, .. } => Some(at.0),
        AskState::Open | AskState::Settled { .. } => None,
    };
    let said = Some(entry.attention).filter(|said| *said != Attention::default());
    let agreed = Some(&entry.agreed).filter(|agreed| !agreed.is_empty());
    let request = Some(entry.ask.request_fingerprint())
        .filter(|request| *request != entry.target().fingerprint)
        .map(|request| request.to_string());
    let mut statement = connection.prepare_cached(
        "INSERT INTO asks
             (serial, source, own, ask, state, asked_at, settled_at, draft, reminded_at, warned_at,
              fingerprint, returned, attention, responder, agreed, late, request,
              undelivered, answered_at)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18,
                 ?19)
         ON CONFLICT (source, own) DO UPDATE SET
             serial = excluded.serial, asked_at = excluded.asked_at,
             ask = excluded.ask, state = excluded.state, settled_at = excluded.settled_at,
             draft = excluded.draft, reminded_at = excluded.reminded_at,
             warned_at = excluded.warned_at, fingerprint = excluded.fingerprint,
             returned = excluded.returned, attention = excluded.attention,
             responder = excluded.responder, agreed = excluded.agreed, late = excluded.late,
             request = excluded.request, undelivered = excluded.undelivered,
             answered_at = iif(excluded.settled_at IS NULL, excluded.answered_at, answered_at),
             given = NULL, inquired = 0",
    )?;
    statement.execute(params![
        i64::try_from(entry.serial)?,
        entry.ask.id.source.0,
        entry.ask.id.own,
        serde_json::to_string(&entry.ask)?,
        serde_json::to_string(&entry.state)?,
        entry.ask.asked_at.0,
        settled_at,
        entry
            .draft
            .as_ref()
            .map(serde_json::to_string)
            .transpose()?,
        entry.reminded_at.map(|at| at.0),
        entry.warned_at.map(|at| at.0),
        entry.target().fingerprint.to_string(),
        entry
            .returned
            .as_ref()
            .map(serde_json::to_string)
            .transpose()?,
        said.map(|attention| serde_json::to_string(&attention))
            .transpose()?,
        entry
            .responder
            .as_ref()
            .map(serde_json::to_string)
            .transpose()?,
        agreed.map(serde_json::to_string).transpose()?,
        entry.late.as_ref().map(serde_json::to_string).transpose()?,
        request,
        entry
            .undelivered
            .as_ref()
            .map(serde_json::to_string)
            .transpose()?,
        answered_at,
    ])?;
    Ok(())
}

/// Saves what is kept of an ask that is gone, in the row that [`put`] wrote.
pub(super) fn put_gone(
    connection: &Connection,
    ask: &AskId,
    given: Option<&StoredAnswer>,
    inquired: bool,
) -> Result<()> {
    let mut statement = connection.prepare_cached(
        "UPDATE asks SET given = ?3, inquired = ?4 WHERE source = ?1 AND own = ?2",
    )?;
    let given = given.map(serde_json::to_string).transpose()?;
    statement.execute(params![ask.source.0, ask.own, given, inquired])?;
    Ok(())
}

/// Selects the asks that are open and those that have cards. Their numbers come first (a cross join
/// keeps that order): otherwise SQLite would go through all asks in order to sort.
pub(super) const OPEN: &str =
    "SELECT serial, ask, state, draft, reminded_at, warned_at, returned, attention, responder,
         agreed, late, undelivered FROM (
         SELECT serial FROM asks WHERE settled_at IS NULL
         UNION SELECT asks.serial FROM cards CROSS JOIN asks USING (source, own))
     CROSS JOIN asks USING (serial) ORDER BY serial";

/// Returns the asks that are not settled, and the settled ones that still have a card to be
/// withdrawn.
pub(super) fn open(connection: &Connection) -> Result<Vec<Entry>> {
    let mut statement = connection.prepare(OPEN)?;
    readable(statement.query([])?, read)
}

/// Returns the latest asks that settled since then, at most that many.
pub(super) fn settled_since(
    connection: &Connection,
    since: Timestamp,
    most: usize,
) -> Result<Vec<(AskId, SettledAsk)>> {
    let mut statement = connection.prepare(
        "SELECT serial, source, own, state, given, inquired, fingerprint, request FROM asks
         WHERE settled_at >= ?1 ORDER BY settled_at DESC LIMIT ?2",
    )?;
    let rows = statement.query(params![since.0, i64::try_from(most)?])?;
    let memories = readable(rows, |row| memory(connection, row))?;
    Ok(memories.into_iter().flatten().collect())
}

fn memory(connection: &Connection, row: &Row<'_>) -> Result<Option<(AskId, SettledAsk)>> {
    let text = |column| row.get::<_, String>(column);
    let AskState::Settled { outcome, at } = serde_json::from_str(&text(3)?)? else {
        return Ok(None);
    };
    let given: Option<String> = row.get(4)?;
    let given: Option<StoredAnswer> = given
        .map(|given| serde_json::from_str(&given))
        .transpose()?;
    let (number, inquired, kept): (i64, bool, Option<String>) =
        (row.get(0)?, row.get(5)?, row.get(6)?);
    let fingerprint = fingerprint(connection, number, kept.as_deref())?;
    let request: Option<String> = row.get(7)?;
    let request = request.map_or(Ok(fingerprint), |request| request.parse())?;
    let ask = if inquired {
        Some(Box::new(ask(connection, number)?))
    } else {
        None
    };
    let serial = u64::try_from(number)?;
    // The index does not have the answer, so it is read for the few asks whose answer was under
    // way.
    let responder = given
        .as_ref()
        .map(|_| responder_of(connection, number))
        .transpose()?
        .flatten();
    let (listed, told_on) = (false, Vec::new());
    let memory = SettledAsk {
        serial,
        fingerprint,
        request,
        outcome,
        at,
        ask,
        given,
        responder,
        listed,
        told_on,
        unanswered: false,
        told_lost: false,
    };
    Ok(Some((AskId::new(text(1)?, text(2)?), memory)))
}

fn fingerprint(connection: &Connection, serial: i64, kept: Option<&str>) -> Result<Fingerprint> {
    match kept {
        Some(kept) => Ok(kept.parse()?),
        None => Ok(ask(connection, serial)?.fingerprint()),
    }
}

fn ask(connection: &Connection, serial: i64) -> Result<Ask> {
    let mut statement = connection.prepare_cached("SELECT ask FROM asks WHERE serial = ?1")?;
    let ask: String = statement.query_row([serial], |row| row.get(0))?;
    Ok(serde_json::from_str(&ask)?)
}

fn responder_of(connection: &Connection, serial: i64) -> Result<Option<Responder>> {
    let mut statement =
        connection.prepare_cached("SELECT responder FROM asks WHERE serial = ?1")?;
    let text: Option<String> = statement.query_row([serial], |row| row.get(0))?;
    Ok(text.and_then(|text| responder(&text)))
}

/// Returns who answered the ask with that id. `None` if there is no such ask or this is not known.
pub(super) fn responder_to(connection: &Connection, ask: &AskId) -> Result<Option<Responder>> {
    let mut statement =
        connection.prepare_cached("SELECT responder FROM asks WHERE source = ?1 AND own = ?2")?;
    let name = (&ask.source.0, &ask.own);
    let text: Option<Option<String>> = statement.query_row(name, |row| row.get(0)).optional()?;
    Ok(text.flatten().and_then(|text| responder(&text)))
}

/// Parses who answered. `None` if a newer Beckon wrote it in another way.
pub(super) fn responder(text: &str) -> Option<Responder> {
    serde_json::from_str(text).ok()
}

/// Parses an answer that came too late. `None` if a newer Beckon wrote it in another way.
pub(super) fn late(text: &str) -> Option<LateAnswer> {
    serde_json::from_str(text).ok()
}

/// Returns the answer to an ask that is gone, if it was on its way and never proved taken. An
/// answer by the time limit is nobody's.
pub(super) fn unproven(text: &str) -> Option<LateAnswer> {
    let (answer, by): StoredAnswer = serde_json::from_str(text).ok()?;
    (by != Surface::Clock).then_some(LateAnswer {
        answer,
        by,
        responder: None,
        may_have_arrived: false,
    })
}

/// Returns how the ask that a button was made for ended. `None` if it has not ended, is unknown, or
/// is not the button's.
pub(super) fn outcome(connection: &Connection, target: ButtonTarget) -> Result<Option<Outcome>> {
    let serial = i64::try_from(target.serial)?;
    let mut statement = connection.prepare_cached(
        "SELECT state, fingerprint FROM asks WHERE serial = ?1 AND settled_at IS NOT NULL",
    )?;
    let row = |row: &Row<'_>| Ok((row.get(0)?, row.get(1)?));
    let row: Option<(String, Option<String>)> = statement.query_row([serial], row).optional()?;
    let Some((state, kept)) = row else {
        return Ok(None);
    };
    if fingerprint(connection, serial, kept.as_deref())? != target.fingerprint {
        return Ok(None);
    }
    match serde_json::from_str(&state)? {
        AskState::Settled { outcome, .. } => Ok(Some(outcome)),
        AskState::Open | AskState::Answering { .. } => Ok(None),
    }
}

/// Returns the last asks that have an answer, at most that many, the newest last.
pub(super) fn latest(connection: &Connection, since: Timestamp, most: usize) -> Result<Vec<Entry>> {
    // Only numbers are sorted, since an ask can be long. Of many that ended at the same moment the
    // index decides which are taken; otherwise all would be read.
    let mut statement = connection.prepare(
        "SELECT serial, ask, state, draft, reminded_at, warned_at, returned, attention, responder,
             agreed, late, undelivered
         FROM asks
         WHERE serial IN (
             SELECT serial FROM asks
             WHERE settled_at >= ?1 AND source <> ?2
                 AND json_extract(state, '$.settled.outcome') <> 'gone'
             ORDER BY settled_at DESC LIMIT ?3)
         ORDER BY settled_at, serial",
    )?;
    readable(
        statement.query(params![since.0, PRETEND, i64::try_from(most)?])?,
        read,
    )
}

/// Reads the columns serial, ask, state, draft, reminded_at, warned_at, returned, attention,
/// responder, agreed, late, undelivered.
fn read(row: &Row<'_>) -> Result<Entry> {
    let text = |column| row.get::<_, String>(column);
    let time = |column| Ok::<_, rusqlite::Error>(row.get::<_, Option<i64>>(column)?.map(Timestamp));
    // An earlier build kept everything that a source sent.
    let ask = serde_json::from_str::<Ask>(&text(1)?)?.cut();
    let draft: Option<String> = row.get(3)?;
    let mut entry = Entry::new(ask, u64::try_from(row.get::<_, i64>(0)?)?);
    entry.state = serde_json::from_str(&text(2)?)?;
    // A draft of another form is dropped: the ask is worth more.
    entry.draft = draft.and_then(|draft| serde_json::from_str(&draft).ok());
    (entry.reminded_at, entry.warned_at) = (time(4)?, time(5)?);
    let returned: Option<String> = row.get(6)?;
    // It still counts that the answer came back, even if the reason cannot be read.
    let why = |text: String| serde_json::from_str(&text).unwrap_or(ReturnReason::Unproven);
    entry.returned = returned.map(why);
    let attention: Option<String> = row.get(7)?;
    // An ask whose attention cannot be read may ring.
    let said = attention.and_then(|said| serde_json::from_str(&said).ok());
    entry.attention = said.unwrap_or_default();
    entry.responder = row
        .get::<_, Option<String>>(8)?
        .and_then(|text| responder(&text));
    let agreed: Option<String> = row.get(9)?;
    // An agreement that cannot be read counts as none.
    entry.agreed = agreed
        .and_then(|text| serde_json::from_str(&text).ok())
        .unwrap_or_default();
    entry.late = row
        .get::<_, Option<String>>(10)?
        .and_then(|text| late(&text));
    let undelivered: Option<String> = row.get(11)?;
    // A trouble that cannot be read is told again.
    entry.undelivered = undelivered.and_then(|text| serde_json::from_str(&text).ok());
    Ok(entry)
}
