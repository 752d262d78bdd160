//! Tests that what is committed comes back, also from a file that an older Beckon wrote.

mod frozen;

use super::*;
use beckon_core::hub::HubRefusal;
use beckon_core::{
    Answer, Ask, AskContent, AskId, AskState, CardPage, CardSight, CardTap, Channel, Choice, Desk,
    Draft, Entry, Event, Grant, LeftoverCard, Outcome, Permission, Policy, PresenceOverride,
    Question, Reply, ReturnReason, Session, SourceFault, Surface,
};
use rusqlite_migration::Migrations;

const NOW: Timestamp = Timestamp(1_000_000);

#[test]
fn a_draft_and_what_was_reminded_come_back() {
    let (_folder, mut store) = fresh();
    let mut entry = open("q1");
    let mut draft = Draft::new(&entry.ask);
    draft
        .tap(
            &entry.ask,
            CardTap::Choose {
                question: 0,
                choice: 1,
            },
        )
        .unwrap();
    let from = draft.page;
    draft.tap(&entry.ask, CardTap::Back { from }).unwrap();
    draft.tap(&entry.ask, CardTap::Own { question: 0 }).unwrap();
    draft.tap(&entry.ask, CardTap::Dismiss).unwrap();
    entry.draft = Some(draft);
    (entry.reminded_at, entry.warned_at) = (Some(Timestamp(5)), Some(Timestamp(6)));
    put(&mut store, &[RowChange::Ask(Box::new(entry.clone()))]);
    assert_eq!(load(&store).entries, [entry.clone()]);
    entry.draft = None;
    put(&mut store, &[RowChange::Ask(Box::new(entry.clone()))]);
    assert_eq!(load(&store).entries, [entry]);
}

#[test]
fn who_answered_is_kept_with_the_answer_and_when_what_became_of_it_is_still_to_be_found() {
    let (_folder, mut store) = fresh();
    let vouched = beckon_core::Voucher::Telegram { user: 7 };
    let bob = beckon_core::Responder::new(Some("Bob"), Some("Telegram"), vouched);
    let mut entry = open("q1");
    entry.responder = Some(bob.clone());
    put(&mut store, &[RowChange::Ask(Box::new(entry.clone()))]);
    assert_eq!(load(&store).entries, [entry.clone()]);
    entry.state = AskState::Settled {
        outcome: Outcome::Gone,
        at: NOW,
    };
    let (given, inquired) = (Some((both(), Surface::Telegram)), false);
    let gone = RowChange::Gone {
        ask: id("q1"),
        given,
        inquired,
    };
    put(&mut store, &[RowChange::Ask(Box::new(entry)), gone]);
    assert_eq!(load(&store).memory[0].1.responder, Some(bob));
}

#[test]
fn why_an_answer_came_back_is_kept_and_of_a_later_form_that_it_did() {
    let (_folder, mut store) = fresh();
    let mut entry = open("q1");
    let whys = [
        ReturnReason::Refused("no".into()),
        ReturnReason::Unproven,
        ReturnReason::Undelivered(SourceFault::NoEvents(None)),
        ReturnReason::Undelivered(SourceFault::Status(500)),
        ReturnReason::Hub(HubRefusal::Forbidden),
    ];
    for why in whys.map(Some).into_iter().chain([None]) {
        entry.returned = why;
        put(&mut store, &[RowChange::Ask(Box::new(entry.clone()))]);
        assert_eq!(load(&store).entries, [entry.clone()]);
    }
    store
        .connection
        .execute("UPDATE asks SET returned = '\"to come\"'", [])
        .unwrap();
    assert_eq!(
        load(&store).entries[0].returned,
        Some(ReturnReason::Unproven)
    );
}

#[test]
fn a_closed_card_comes_back_closed() {
    let (_folder, mut store) = fresh();
    let ask = || id("q1");
    let channel = Channel::Desktop;
    let card = |handle: Option<&str>, closed| {
        let handle = handle.map(str::to_owned);
        RowChange::Card {
            ask: ask(),
            serial: Some(1),
            channel,
            handle,
            closed,
        }
    };
    put(
        &mut store,
        &[RowChange::Ask(Box::new(open("q1"))), card(Some("7"), false)],
    );
    for (handle, closed) in [(Some("7"), false), (None, true), (Some("8"), false)] {
        put(&mut store, &[card(handle, closed)]);
        let saved = load(&store);
        let card = &saved.entries[0].cards[&channel];
        assert_eq!((card.handle.as_deref(), card.closed), (handle, closed));
    }
    put(
        &mut store,
        &[RowChange::NoCard {
            ask: ask(),
            channel,
        }],
    );
    assert!(load(&store).entries[0].cards.is_empty());
}

#[test]
fn a_card_is_left_over_when_its_name_is_another_asks() {
    let (_folder, mut store) = fresh();
    let (channel, handle) = (Channel::Telegram, Some("7".to_owned()));
    let mut entry = open("q1");
    let serial = Some(entry.serial);
    let card = RowChange::Card {
        ask: id("q1"),
        serial,
        channel,
        handle: handle.clone(),
        closed: false,
    };
    put(&mut store, &[RowChange::Ask(Box::new(entry.clone())), card]);
    assert!(
        load(&store).entries[0].cards.contains_key(&channel) && load(&store).leftover.is_empty()
    );
    entry.serial += 1;
    put(&mut store, &[RowChange::Ask(Box::new(entry))]);
    let saved = load(&store);
    let leftover = LeftoverCard {
        ask: id("q1"),
        channel,
        serial,
        handle,
    };
    assert_eq!(
        (&saved.leftover, saved.entries[0].cards.len()),
        (&vec![leftover], 0)
    );
    put(
        &mut store,
        &[RowChange::NoCard {
            ask: id("q1"),
            channel,
        }],
    );
    assert!(load(&store).leftover.is_empty());
}

#[test]
fn what_the_human_said_comes_back_with_its_end() {
    let (_folder, mut store) = fresh();
    let (said_until, paused_until) = (Some(Timestamp(7)), Some(Timestamp(8)));
    put(
        &mut store,
        &[RowChange::Standing {
            said: PresenceOverride::Away,
            said_until,
            paused_until,
        }],
    );
    let saved = load(&store);
    assert_eq!(
        (saved.said, saved.said_until),
        (PresenceOverride::Away, said_until)
    );
    assert_eq!(
        (saved.paused_until, saved.standing_at),
        (paused_until, Some(NOW))
    );
}

#[test]
fn the_answer_to_an_ask_that_is_gone_is_kept_until_the_ask_is_saved_again() {
    let (_folder, mut store) = fresh();
    let given = Some((Answer::Grant(Grant::Always), Surface::Telegram));
    let mut entry = open("p1");
    entry.state = AskState::Settled {
        outcome: Outcome::Gone,
        at: NOW,
    };
    let ask = RowChange::Ask(Box::new(entry.clone()));
    let gone = RowChange::Gone {
        ask: id("p1"),
        given: given.clone(),
        inquired: true,
    };
    put(&mut store, &[ask.clone(), gone]);
    let memory = &load(&store).memory[0].1;
    assert_eq!(
        (&memory.given, memory.ask.as_deref()),
        (&given, Some(&entry.ask))
    );
    put(&mut store, &[ask]);
    let memory = &load(&store).memory[0].1;
    assert_eq!((&memory.given, &memory.ask), (&None, &None));
}

#[test]
fn a_desk_that_starts_again_is_the_desk_that_was() {
    let (_folder, mut store) = fresh();
    let mut desk = Desk::new(Policy::default());
    for event in life() {
        put(&mut store, &desk.handle(event, NOW).save);
    }
    let target = desk.entry(&id("q1")).unwrap().target();
    let tap = CardTap::Choose {
        question: 0,
        choice: 1,
    };
    let tapped = Event::Tapped {
        target,
        tap,
        sight: CardSight::Clear,
        by: Surface::Telegram,
        responder: None,
    };
    put(&mut store, &desk.handle(tapped, NOW).save);
    let again = Desk::restore(Policy::default(), load(&store), NOW);
    let (before, after) = (
        desk.entry(&id("q1")).unwrap(),
        again.entry(&id("q1")).unwrap(),
    );
    assert_eq!((&before.draft, &before.state), (&after.draft, &after.state));
    assert_eq!(
        after.draft.as_ref().map(|draft| draft.page),
        Some(CardPage::Question(1))
    );
    assert_eq!(
        before.cards[&Channel::Telegram].handle,
        after.cards[&Channel::Telegram].handle
    );
    let known = desk.memory(&id("q2")).cloned().unwrap();
    // The channels on which the end was told are not kept over a restart.
    let kept = beckon_core::SettledAsk {
        told_on: Vec::new(),
        unanswered: false,
        told_lost: false,
        ..known
    };
    assert_eq!(Some(&kept), again.memory(&id("q2")));
}

#[test]
fn a_file_from_before_drafts_is_read_and_written_on() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("beckon.db");
    let mut old = Connection::open(&path).unwrap();
    Migrations::from_slice(&MIGRATIONS[..4])
        .to_latest(&mut old)
        .unwrap();
    let entry = open("q1");
    old.execute(
        "INSERT INTO asks (serial, source, own, ask, state, asked_at)
         VALUES (1, 'local', 'q1', ?1, '\"open\"', 0)",
        [serde_json::to_string(&entry.ask).unwrap()],
    )
    .unwrap();
    old.execute(
        "INSERT INTO cards VALUES ('local', 'q1', 'desktop', '7')",
        [],
    )
    .unwrap();
    old.execute("INSERT INTO standing VALUES (1, '\"away\"', 9)", [])
        .unwrap();
    drop(old);
    let mut store = Store::open(&path, NOW).unwrap().store;
    let saved = load(&store);
    let card = &saved.entries[0].cards[&Channel::Desktop];
    assert_eq!((card.handle.as_deref(), card.closed), (Some("7"), false));
    assert_eq!(
        (saved.said, saved.said_until),
        (PresenceOverride::Away, None)
    );
    assert_eq!(
        (saved.entries[0].draft.as_ref(), saved.entries[0].warned_at),
        (None, None)
    );
    put(&mut store, &[RowChange::Ask(Box::new(entry))]);
}

#[test]
fn the_last_answers_come_back_the_newest_last_and_the_self_tests_are_none() {
    let (_folder, mut store) = fresh();
    let answered = || Outcome::Answered {
        answer: both(),
        by: Surface::Cli,
    };
    let ended = |serial: u64, source: &str, at, outcome| {
        let mut entry = Entry::new(ask(&format!("q{serial}")), serial);
        entry.ask.id.source.0 = source.into();
        entry.state = AskState::Settled {
            outcome,
            at: Timestamp(at),
        };
        RowChange::Ask(Box::new(entry))
    };
    put(
        &mut store,
        &[
            ended(1, "local", 500, answered()),
            ended(2, "local", 100, Outcome::Expired),
            ended(3, "local", 600, Outcome::Gone),
            ended(4, "local", 300, Outcome::DismissedElsewhere),
            ended(5, "self-test", 700, answered()),
            ended(6, "local", 500, Outcome::Elsewhere { answers: None }),
            RowChange::Ask(Box::new(Entry::new(ask("q7"), 7))),
        ],
    );
    let serials = |since| {
        let latest = store.latest(Timestamp(since), 3).unwrap();
        latest.iter().map(|entry| entry.serial).collect::<Vec<_>>()
    };
    assert_eq!(serials(0), [4, 1, 6]);
    assert_eq!(serials(400), [1, 6]);
}

#[test]
fn a_number_that_was_given_is_never_given_again_though_its_row_is_lost() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("beckon.db");
    let mut given = 0;
    for _ in 0..3 {
        let store = &mut Store::open(&path, NOW).unwrap().store;
        let first = load(store).last_serial + 1;
        assert!(first > given, "{first} after {given}");
        for serial in first..first + 1_200 {
            let entry = Entry::new(ask(&format!("q{serial}")), serial);
            put(store, &[RowChange::Ask(Box::new(entry))]);
            given = serial;
        }
        // Only what was reserved is left, as after a power cut.
        store.connection.execute("DELETE FROM asks", []).unwrap();
    }
}

#[test]
fn numbers_given_while_the_disk_takes_in_nothing_are_reserved_all_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("beckon.db");
    let mut store = Store::open(&path, NOW).unwrap().store;
    let pages: i64 = store
        .connection
        .query_row("PRAGMA page_count", [], |row| row.get(0))
        .unwrap();
    let full = format!("PRAGMA max_page_count = {pages}");
    store.connection.query_row(&full, [], |_| Ok(())).unwrap();
    let first = load(&store).last_serial + 1;
    let mut refused = 0;
    for serial in first..first + 400 {
        let save = [RowChange::Ask(Box::new(Entry::new(
            ask(&format!("q{serial}")),
            serial,
        )))];
        let committed = store.commit(
            &CommitRows {
                save: &save,
                ..CommitRows::default()
            },
            NOW,
        );
        refused += u64::from(committed.is_err());
    }
    assert!(refused > 300, "{refused}");
    drop(store);
    let again = Store::open(&path, NOW).unwrap().store;
    assert!(load(&again).last_serial >= first + 400);
}

#[test]
fn a_row_that_nobody_understands_keeps_nothing_else_back() {
    let (_folder, mut store) = fresh();
    let mut ended = Entry::new(ask("q3"), 3);
    ended.state = AskState::Settled {
        outcome: Outcome::Gone,
        at: NOW,
    };
    let mut strange = ended.clone();
    (strange.serial, strange.ask.id.own) = (4, "q4".into());
    let rows = [open("q1"), Entry::new(ask("q2"), 2), ended, strange];
    put(
        &mut store,
        &rows.map(|entry| RowChange::Ask(Box::new(entry))),
    );
    let damage = "UPDATE asks SET ask = '{', state = '7' WHERE serial IN (1, 4)";
    store.connection.execute(damage, []).unwrap();
    let saved = load(&store);
    assert_eq!(
        saved
            .entries
            .iter()
            .map(|entry| entry.serial)
            .collect::<Vec<_>>(),
        [2]
    );
    assert_eq!(
        saved
            .memory
            .iter()
            .map(|(_, memory)| memory.serial)
            .collect::<Vec<_>>(),
        [3]
    );
}

#[test]
fn of_many_settled_asks_the_latest_are_read_and_the_others_are_looked_up() {
    let (_folder, mut store) = fresh();
    let most = u64::try_from(MOST_REMEMBERED).unwrap();
    let rows: Vec<RowChange> = (1..=most + 10)
        .map(|serial| settled(serial, serial))
        .collect();
    put(&mut store, &rows);
    let memory = load(&store).memory;
    assert_eq!(memory.len(), MOST_REMEMBERED);
    assert!(memory.iter().all(|(_, memory)| memory.serial > 10));
    let target = |serial| Entry::new(ask(&format!("q{serial}")), serial).target();
    assert_eq!(store.outcome(target(1)).unwrap(), Some(Outcome::Expired));
    assert_eq!(store.outcome(target(most + 11)).unwrap(), None);
    let another = ButtonTarget {
        serial: 2,
        ..target(1)
    };
    assert_eq!(
        store.outcome(another).unwrap(),
        None,
        "the button was made for another ask"
    );
    store
        .connection
        .execute("UPDATE asks SET fingerprint = NULL", [])
        .unwrap();
    assert_eq!(
        store.outcome(target(1)).unwrap(),
        Some(Outcome::Expired),
        "as from before"
    );
}

#[test]
fn an_ask_that_was_forgotten_and_is_asked_once_more_goes_by_its_new_number() {
    let (_folder, mut store) = fresh();
    put(&mut store, &[settled(1, 1)]);
    put(
        &mut store,
        &[RowChange::Ask(Box::new(Entry::new(ask("q1"), 2)))],
    );
    assert_eq!(load(&store).entries[0].serial, 2);
    let old = Entry::new(ask("q1"), 1).target();
    assert_eq!(store.outcome(old).unwrap(), None);
}

/// The start must not read the history, which is long: the rows lie behind their asks.
#[test]
fn what_is_read_at_the_start_is_found_by_indexes() {
    let (_folder, store) = fresh();
    for (query, index) in [
        (
            "SELECT serial FROM asks WHERE settled_at IS NULL",
            "asks_open",
        ),
        (
            "SELECT serial, source, own, state, given, inquired, fingerprint FROM asks
             WHERE settled_at >= 7 ORDER BY settled_at DESC LIMIT 9",
            "COVERING INDEX asks_settled",
        ),
        // Sorted by one thing more, all that ended in one moment would be looked at.
        (
            "SELECT serial FROM asks
             WHERE settled_at >= 7 AND source <> 'x'
                 AND json_extract(state, '$.settled.outcome') <> 'gone'
             ORDER BY settled_at DESC LIMIT 3",
            "COVERING INDEX asks_settled",
        ),
    ] {
        let steps = plan(&store, query);
        assert!(steps.len() == 1 && steps[0].contains(index), "{steps:?}");
    }
    let steps = plan(&store, asks::OPEN);
    let through = |step: &&String| step.contains("SCAN asks") && !step.contains("asks_open");
    assert_eq!(steps.iter().find(through), None, "{steps:?}");
}

fn plan(store: &Store, query: &str) -> Vec<String> {
    let mut plan = store
        .connection
        .prepare(&format!("EXPLAIN QUERY PLAN {query}"))
        .unwrap();
    let steps = plan.query_map([], |row| row.get::<_, String>(3)).unwrap();
    steps.map(Result::unwrap).collect()
}

fn settled(serial: u64, at: u64) -> RowChange {
    let mut entry = Entry::new(ask(&format!("q{serial}")), serial);
    let at = Timestamp(i64::try_from(at).unwrap());
    entry.state = AskState::Settled {
        outcome: Outcome::Expired,
        at,
    };
    RowChange::Ask(Box::new(entry))
}

/// Returns events after which one ask is open on both channels, and another was answered and then
/// lost.
fn life() -> Vec<Event> {
    let source = id("q1").source;
    let report = |report| Event::Source(source.clone(), report);
    let listed = beckon_core::SourceListing {
        asks: vec![(ask("q1"), true)],
        ..Default::default()
    };
    vec![
        Event::ChannelUp(Channel::Desktop),
        Event::ChannelUp(Channel::Telegram),
        report(beckon_core::SourceReport::Asked(ask("q1"))),
        report(beckon_core::SourceReport::Asked(ask("q2"))),
        Event::Shown {
            channel: Channel::Telegram,
            ask: id("q1"),
            handle: "m1".into(),
        },
        Event::Answered {
            ask: id("q2"),
            answer: both(),
            seen: None,
            by: Surface::Cli,
            responder: None,
        },
        report(beckon_core::SourceReport::NotSent {
            own: "q2".into(),
            failure: beckon_core::DeliveryFailure::Other("no route".into()),
        }),
        report(beckon_core::SourceReport::Listed(listed)),
    ]
}

fn both() -> Answer {
    Answer::Replies(vec![Reply::choice(0), Reply::choice(1)])
}

fn fresh() -> (tempfile::TempDir, Store) {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(&folder.path().join("beckon.db"), NOW)
        .unwrap()
        .store;
    (folder, store)
}

fn put(store: &mut Store, rows: &[RowChange]) {
    store
        .commit(
            &CommitRows {
                save: rows,
                ..CommitRows::default()
            },
            NOW,
        )
        .unwrap();
}

fn load(store: &Store) -> SavedState {
    store.load(Timestamp(0)).unwrap()
}

fn open(own: &str) -> Entry {
    Entry::new(ask(own), 1)
}

fn ask(own: &str) -> Ask {
    let choice = |label: &str| Choice {
        label: label.into(),
        ..Choice::default()
    };
    let choices = vec![choice("Yes"), choice("No")];
    let question = Question {
        custom: true,
        choices,
        ..Question::default()
    };
    let kind = match own {
        "p1" => AskContent::Permission(Permission::default()),
        _ => AskContent::Questions(vec![question.clone(), question]),
    };
    Ask {
        id: id(own),
        kind,
        session: Session::default(),
        call: None,
        asked_at: NOW,
    }
}

fn id(own: &str) -> AskId {
    AskId::new("local", own)
}
