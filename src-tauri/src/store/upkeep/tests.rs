//! A history that is too long, too large or too old, and a file that is damaged.

use super::*;
use crate::store::{CommitRows, Store};
use beckon_core::{
    Ask, AskContent, AskId, AskState, Channel, Entry, News, Outcome, Permission, RowChange, Session,
};

const LIMITS: HistoryLimits = HistoryLimits {
    most: 50,
    bytes: i64::MAX,
    least: 10,
    receipts: 60,
};

/// Makes a database of that many asks, settled one a second; of the first one a card is left.
fn history(asks: u64, diff: &str) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("beckon.db");
    let mut store = Store::open(&path, Timestamp(0)).unwrap().store;
    for serial in 1..=asks {
        let entry = settled(serial, diff);
        let ask = entry.ask.id.clone();
        let news = [
            News::Asked(ask.clone()),
            News::Settled(ask.clone(), Outcome::Gone),
        ];
        let channel = Channel::Telegram;
        let card = RowChange::Card {
            ask,
            serial: Some(serial),
            channel,
            handle: None,
            closed: false,
        };
        let mut save = vec![RowChange::Ask(Box::new(entry))];
        save.extend((serial == 1).then_some(card));
        let rows = CommitRows {
            save: &save,
            news: &news,
            ..CommitRows::default()
        };
        store.commit(&rows, Timestamp(0)).unwrap();
    }
    (folder, path)
}

fn settled(serial: u64, diff: &str) -> Entry {
    let diff = Some(diff.to_owned());
    let kind = AskContent::Permission(Permission {
        diff,
        ..Permission::default()
    });
    let id = AskId::new("local", format!("per_{serial}"));
    let session = Session::default();
    let mut entry = Entry::new(
        Ask {
            id,
            kind,
            session,
            call: None,
            asked_at: Timestamp(0),
        },
        serial,
    );
    let at = Timestamp(i64::try_from(serial).unwrap() * 1_000);
    entry.state = AskState::Settled {
        outcome: Outcome::Gone,
        at,
    };
    entry
}

fn connect(path: &Path) -> Connection {
    opening::connect_again(path, OpenFlags::SQLITE_OPEN_READ_WRITE).unwrap()
}

fn count(connection: &Connection, what: &str) -> i64 {
    connection
        .query_row(&format!("SELECT count(*) FROM {what}"), [], |row| {
            row.get(0)
        })
        .unwrap()
}

/// Prunes to the end; how many asks went in the largest step.
fn prune_all(connection: &Connection, limits: &HistoryLimits) -> i64 {
    let mut largest = 0;
    loop {
        let before = count(connection, "asks");
        let more = prune_surplus(connection, limits).unwrap();
        largest = largest.max(before - count(connection, "asks"));
        if !more {
            return largest;
        }
    }
}

#[test]
fn the_oldest_go_in_small_steps_and_a_card_to_be_withdrawn_keeps_its_ask() {
    let (_folder, path) = history(120, "");
    let connection = connect(&path);
    assert_eq!(prune_all(&connection, &LIMITS), STEP);
    assert_eq!(count(&connection, "asks"), 51);
    assert_eq!(
        count(&connection, "asks WHERE serial > 70 OR serial = 1"),
        51
    );
    assert_eq!(count(&connection, "receipts"), 60);
    let saved = Store::open(&path, Timestamp(0))
        .unwrap()
        .store
        .load(Timestamp(0))
        .unwrap();
    assert_eq!(saved.entries.len(), 1);
}

#[test]
fn a_history_that_takes_too_much_room_is_shortened_but_for_the_latest() {
    let (_folder, path) = history(40, &"+x\n".repeat(20_000));
    let connection = connect(&path);
    let room = bytes(&connection).unwrap();
    prune_all(
        &connection,
        &HistoryLimits {
            bytes: room * 2 / 3,
            ..LIMITS
        },
    );
    let left = count(&connection, "asks");
    assert!((15..=21).contains(&left), "{left}");
    assert!(bytes(&connection).unwrap() <= room * 2 / 3);
    prune_all(&connection, &HistoryLimits { bytes: 0, ..LIMITS });
    assert_eq!(count(&connection, "asks"), 11);
}

#[test]
fn what_is_too_old_goes_and_a_wrong_clock_takes_no_more_than_a_step() {
    let (_folder, path) = history(60, "");
    let connection = connect(&path);
    assert_eq!(prune_old(&connection, Timestamp(5_000)).unwrap(), 3);
    prune(&path, Timestamp(i64::MAX)).unwrap();
    assert_eq!(count(&connection, "asks"), 60 - 3 - STEP);
}

#[test]
fn rounds_go_with_the_asks_that_they_are_of_and_the_count_of_connections_stays() {
    let (_folder, path) = history(3, "");
    let connection = connect(&path);
    rounds::put(&connection, &[(0, 5), (2, 1), (3, 2), (99, 4)]).unwrap();
    prune_old(&connection, Timestamp(2_500)).unwrap();
    rounds::prune(&connection).unwrap();
    let left: Vec<(u64, u32)> = rounds::read(&connection).unwrap().into_iter().collect();
    assert_eq!(left, [(0, 5), (3, 2)]);
}

#[test]
fn a_damaged_page_is_found_and_the_next_start_sets_the_file_aside() {
    let (_folder, path) = history(40, &"+x\n".repeat(5_000));
    assert!(!is_damaged(&path));
    let mut bytes = std::fs::read(&path).unwrap();
    let middle = bytes.len() / 2 / 4_096 * 4_096;
    bytes[middle..middle + 40_960].fill(0xa5);
    std::fs::write(&path, bytes).unwrap();
    let opened = Store::open(&path, Timestamp(0)).unwrap();
    assert_eq!(opened.set_aside, None, "a start does not read all of it");
    drop(opened);
    assert!(is_damaged(&path));
    let opened = Store::open(&path, Timestamp(0)).unwrap();
    assert!(opened.set_aside.is_some());
    assert!(!is_damaged(&path));
}
