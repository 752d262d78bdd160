//! Tests that what the disk refuses for a moment ends up in the database as if it never had.

use crate::channels::telegram::pairing::pairings::{
    ChatId, PairedGroup, PairedPerson, PairingChange, ReadOffset, UserId,
};
use crate::store::{CommitRows, HubMove, Store};
use beckon_core::hub::DeskRecord;
use beckon_core::{
    Ask, AskContent, AskId, AskState, Channel, Entry, News, Outcome, PresenceOverride, RowChange,
    Session, Surface, Timestamp,
};
use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};
use rusqlite::Connection;
use rusqlite::types::Value;
use std::path::Path;
use tempfile::TempDir;

const NOW: Timestamp = Timestamp(1_000_000);

/// The rows of a commit, owned.
#[derive(Clone, Debug, Default)]
struct Rows {
    save: Vec<RowChange>,
    news: Vec<News>,
    pairings: Vec<PairingChange>,
    rounds: Vec<(u64, u32)>,
    drafts: Vec<(AskId, Option<String>)>,
    desks: Vec<(String, DeskRecord)>,
    moves: Vec<HubMove>,
}

impl Rows {
    fn commit(&self, store: &mut Store, at: i64) -> bool {
        let rows = CommitRows {
            save: &self.save,
            news: &self.news,
            pairings: &self.pairings,
            rounds: &self.rounds,
            drafts: &self.drafts,
            desks: &self.desks,
            moves: &self.moves,
            ..CommitRows::default()
        };
        store.commit(&rows, Timestamp(at)).is_ok()
    }
}

fn fresh() -> (TempDir, Store) {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(&folder.path().join("beckon.db"), NOW)
        .unwrap()
        .store;
    (folder, store)
}

fn id(number: u64) -> AskId {
    AskId::new("local", format!("q{number}"))
}

fn entry(number: u64) -> Entry {
    let ask = Ask {
        id: id(number),
        kind: AskContent::Confirm(format!("Go on with {number}?")),
        session: Session::default(),
        call: None,
        asked_at: NOW,
    };
    Entry::new(ask, number)
}

fn answered(number: u64, at: i64) -> RowChange {
    let mut entry = entry(number);
    let outcome = Outcome::Answered {
        answer: beckon_core::Answer::Continue,
        by: Surface::Cli,
    };
    entry.state = AskState::Settled {
        outcome,
        at: Timestamp(at),
    };
    RowChange::Ask(Box::new(entry))
}

fn of_each_kind() -> Vec<Rows> {
    let person = PairedPerson {
        id: UserId(7),
        name: "Olga".into(),
        private: true,
    };
    vec![
        Rows {
            save: vec![RowChange::Ask(Box::new(entry(1)))],
            news: vec![News::Asked(id(1))],
            ..Rows::default()
        },
        Rows {
            save: vec![answered(1, 5)],
            news: vec![News::Answered(id(1), Surface::Cli)],
            ..Rows::default()
        },
        Rows {
            save: vec![RowChange::Standing {
                said: PresenceOverride::Away,
                said_until: None,
                paused_until: None,
            }],
            ..Rows::default()
        },
        Rows {
            pairings: vec![PairingChange::Person(person)],
            ..Rows::default()
        },
        Rows {
            pairings: vec![PairingChange::NoPerson(UserId(7))],
            ..Rows::default()
        },
        Rows {
            rounds: vec![(3, 2)],
            ..Rows::default()
        },
        Rows {
            drafts: vec![(id(2), Some("{}".into()))],
            ..Rows::default()
        },
        Rows {
            desks: vec![("key".into(), desk(4))],
            ..Rows::default()
        },
        Rows {
            moves: vec![HubMove::Joined("home".into())],
            ..Rows::default()
        },
    ]
}

fn desk(revision: u64) -> DeskRecord {
    DeskRecord {
        v: 1,
        revision,
        ..DeskRecord::default()
    }
}

/// Returns every row of every table but the numbers that are reserved, in order.
fn dump(store: &Store) -> Vec<Vec<Value>> {
    let connection = &store.connection;
    let tables = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'
         AND name NOT IN ('serials', 'instance') ORDER BY name";
    let names: Vec<String> = connection
        .prepare(tables)
        .unwrap()
        .query_map([], |row| row.get(0))
        .unwrap()
        .collect::<Result<_, _>>()
        .unwrap();

    let mut rows = Vec::new();
    for name in names {
        let mut statement = connection
            .prepare(&format!("SELECT * FROM {name} ORDER BY 1, 2"))
            .unwrap();
        let columns = statement.column_count();
        let mut found = statement.query([]).unwrap();
        while let Some(row) = found.next().unwrap() {
            let mut values = vec![Value::Text(name.clone())];
            values.extend((0..columns).map(|column| row.get::<_, Value>(column).unwrap()));
            rows.push(values);
        }
    }
    rows
}

/// A way in which the disk refuses.
#[derive(Clone, Copy, Debug)]
enum Refusal {
    /// Another program writes.
    Busy,
    /// The database may have no more pages.
    Full,
    /// The database is mounted read-only after an error.
    ReadOnly,
}

/// Makes the disk refuse until the returned connection is dropped and [`allow`] is called.
fn refuse(store: &Store, folder: &Path, how: Refusal) -> Option<Connection> {
    match how {
        Refusal::Busy => {
            let other = Connection::open(folder.join("beckon.db")).unwrap();
            other.execute_batch("BEGIN IMMEDIATE").unwrap();
            Some(other)
        }
        Refusal::Full => {
            let pages: i64 = store
                .connection
                .query_row("PRAGMA page_count", [], |row| row.get(0))
                .unwrap();
            set_pragma(store, "max_page_count", pages);
            None
        }
        Refusal::ReadOnly => {
            set_pragma(store, "query_only", 1);
            None
        }
    }
}

fn allow(store: &Store, other: Option<Connection>) {
    drop(other);
    set_pragma(store, "max_page_count", 1_000_000);
    set_pragma(store, "query_only", 0);
}

fn set_pragma(store: &Store, name: &str, value: i64) {
    let statement = format!("PRAGMA {name} = {value}");
    store.connection.execute_batch(&statement).unwrap();
}

/// Makes rows that need many pages more, so that a full disk takes in none of them.
fn large() -> Rows {
    Rows {
        drafts: vec![(id(99), Some("x".repeat(200_000)))],
        ..Rows::default()
    }
}

#[test]
fn what_is_refused_for_a_moment_is_saved_afterwards_in_its_order() {
    for how in [Refusal::Busy, Refusal::Full, Refusal::ReadOnly] {
        let (folder, mut store) = fresh();
        let (_other_folder, mut lucky) = fresh();
        let steps: Vec<Rows> = [large()].into_iter().chain(of_each_kind()).collect();

        let other = refuse(&store, folder.path(), how);
        for (rows, at) in steps.iter().zip(10..) {
            assert!(!rows.commit(&mut store, at), "{how:?}");
            assert!(store.refusal().is_some(), "{how:?}");
            assert!(rows.commit(&mut lucky, at));
        }
        assert!(store.save_again().is_err(), "{how:?}");
        allow(&store, other);

        store.save_again().unwrap();
        assert_eq!(store.refusal(), None);
        assert_eq!(dump(&store), dump(&lucky), "{how:?}");
    }
}

#[test]
fn a_commit_that_works_again_takes_what_was_refused_with_it() {
    let (folder, mut store) = fresh();
    let other = refuse(&store, folder.path(), Refusal::Busy);
    assert!(!of_each_kind()[3].commit(&mut store, 1));
    allow(&store, other);
    let due = store.next_attempt().unwrap();
    while std::time::Instant::now() < due {
        std::thread::yield_now();
    }

    assert!(of_each_kind()[2].commit(&mut store, 2));

    let again = Store::open(&folder.path().join("beckon.db"), NOW).unwrap();
    assert!(
        again
            .store
            .pairings()
            .unwrap()
            .people
            .contains_key(&UserId(7))
    );
    assert_eq!(
        again.store.load(Timestamp(0)).unwrap().said,
        PresenceOverride::Away
    );
}

#[test]
fn a_commit_waits_for_another_program_no_longer_than_the_loop_may_be_away() {
    let (folder, mut store) = fresh();
    let other = refuse(&store, folder.path(), Refusal::Busy);
    let began = std::time::Instant::now();
    let mut longest = std::time::Duration::ZERO;
    for rows in of_each_kind() {
        let before = began.elapsed();
        rows.commit(&mut store, 1);
        longest = longest.max(began.elapsed() - before);
    }
    assert!(longest.as_secs() < 1, "{longest:?}");
    assert!(began.elapsed().as_secs() < 2, "{:?}", began.elapsed());
    drop(other);
}

#[test]
fn a_step_that_can_never_be_saved_holds_no_other_up() {
    let unsavable = || Rows {
        rounds: vec![(u64::MAX, 1)],
        ..Rows::default()
    };
    let (folder, mut store) = fresh();
    assert!(!unsavable().commit(&mut store, 1));
    assert_eq!(store.refusal(), None, "it is not kept");

    let other = refuse(&store, folder.path(), Refusal::Busy);
    let standing = of_each_kind().swap_remove(2);
    for rows in [&unsavable(), &standing] {
        assert!(!rows.commit(&mut store, 1));
    }
    allow(&store, other);
    store.save_again().unwrap();
    assert_eq!(
        store.load(Timestamp(0)).unwrap().said,
        PresenceOverride::Away
    );
}

#[test]
fn a_draft_that_is_not_saved_yet_is_found_nevertheless() {
    let (folder, mut store) = fresh();
    let draft = beckon_client::wire::WindowDraft {
        replies: vec![beckon_core::Reply::text("half a sentence")],
        page: 0,
        seen: None,
    };
    let other = refuse(&store, folder.path(), Refusal::Busy);
    assert!(store.keep_draft(&id(1), &draft, NOW).is_err());
    assert_eq!(store.drafts().unwrap()[&id(1)], draft);
    allow(&store, other);
}

/// Makes some rows of a life, with few names, so that they meet.
fn random_rows(dice: &mut StdRng, at: i64) -> Rows {
    let number = dice.random_range(1..5);
    let mut rows = Rows::default();
    match dice.random_range(0..9) {
        0 => {
            rows.save.push(RowChange::Ask(Box::new(entry(number))));
            rows.news.push(News::Asked(id(number)));
        }
        1 => {
            rows.save.push(answered(number, at));
        }
        2 => {
            let mut gone = entry(number);
            gone.state = AskState::Settled {
                outcome: Outcome::Gone,
                at: Timestamp(at),
            };
            rows.save.push(RowChange::Ask(Box::new(gone)));
            rows.save.push(RowChange::Gone {
                ask: id(number),
                given: Some((beckon_core::Answer::Continue, Surface::Tray)),
                inquired: true,
            });
        }
        3 => {
            let card = RowChange::Card {
                ask: id(number),
                serial: Some(number),
                channel: Channel::Telegram,
                handle: Some(at.to_string()),
                closed: dice.random(),
            };
            rows.save.push(card);
        }
        4 => rows.save.push(RowChange::NoCard {
            ask: id(number),
            channel: Channel::Telegram,
        }),
        5 => rows.pairings.push(random_pairing(dice, at)),
        6 => rows.rounds.push((number, dice.random_range(1..9))),
        7 => {
            let draft = dice.random::<bool>().then(|| at.to_string());
            rows.drafts.push((id(number), draft));
        }
        _ => rows
            .desks
            .push(("key".into(), desk(dice.random_range(1..40)))),
    }
    rows
}

fn random_pairing(dice: &mut StdRng, at: i64) -> PairingChange {
    let number = dice.random_range(1..4);
    match dice.random_range(0..6) {
        0 => PairingChange::Person(PairedPerson {
            id: UserId(number),
            name: at.to_string(),
            private: dice.random(),
        }),
        1 => PairingChange::NoPerson(UserId(number)),
        2 => PairingChange::Group(dice.random::<bool>().then(|| PairedGroup {
            chat: ChatId(-number),
            title: at.to_string(),
            topics: true,
        })),
        3 => PairingChange::Topic(number.to_string(), i32::try_from(at).ok()),
        4 => PairingChange::List(ChatId(number), dice.random::<bool>().then_some(5)),
        _ => PairingChange::Read(ReadOffset {
            bot: UserId(1),
            address: None,
            next: at,
        }),
    }
}

#[test]
fn a_random_life_over_a_disk_that_refuses_now_and_then_leaves_the_same_database() {
    for seed in 0..16 {
        let dice = &mut StdRng::seed_from_u64(seed);
        let (folder, mut unlucky) = fresh();
        let (_other_folder, mut lucky) = fresh();
        // More than are kept one by one, in one life of four.
        let most = if seed % 4 == 0 { 2_500 } else { 120 };
        let mut other = None;

        for at in 1..most {
            let is_refused = other.is_some();
            if most < 1_000 && dice.random_range(0..12) == 0 {
                other = match other.take() {
                    Some(other) => {
                        allow(&unlucky, Some(other));
                        None
                    }
                    None => refuse(&unlucky, folder.path(), Refusal::Busy),
                };
            } else if most > 1_000 && !is_refused {
                other = refuse(&unlucky, folder.path(), Refusal::Busy);
            }
            let rows = random_rows(dice, at);
            rows.commit(&mut unlucky, at);
            assert!(rows.commit(&mut lucky, at));
        }

        allow(&unlucky, other);
        unlucky.save_before_end().unwrap();
        let (saved, expected) = (dump(&unlucky), dump(&lucky));
        let first = saved
            .iter()
            .zip(&expected)
            .find(|(saved, expected)| saved != expected);
        assert_eq!(first, None, "seed {seed}");
        assert_eq!(saved.len(), expected.len(), "seed {seed}");
    }
}
