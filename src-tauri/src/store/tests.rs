//! What is committed comes back, also from a file that an older Beckon wrote.

use super::*;
use beckon_core::{
    Answer, Ask, AskId, Channel, Choice, Desk, Draft, Entry, Event, Grant, Kind, Outcome, Override,
    Page, Permission, Policy, Question, Reply, Session, State, Surface, Tap,
};

const NOW: Timestamp = Timestamp(1_000_000);

#[test]
fn a_draft_and_what_was_nudged_come_back() {
    let (_folder, mut store) = fresh();
    let mut entry = open("q1");
    let mut draft = Draft::new(&entry.ask);
    draft.tap(&entry.ask, Tap::Choose { question: 0, choice: 1 }).unwrap();
    draft.tap(&entry.ask, Tap::Own { question: 0 }).unwrap();
    draft.tap(&entry.ask, Tap::Dismiss).unwrap();
    entry.draft = Some(draft);
    (entry.reminded_at, entry.warned_at) = (Some(Timestamp(5)), Some(Timestamp(6)));
    put(&mut store, &[Save::Ask(Box::new(entry.clone()))]);
    assert_eq!(load(&store).entries, [entry.clone()]);
    entry.draft = None;
    put(&mut store, &[Save::Ask(Box::new(entry.clone()))]);
    assert_eq!(load(&store).entries, [entry]);
}

#[test]
fn a_closed_card_comes_back_closed() {
    let (_folder, mut store) = fresh();
    let ask = || id("q1");
    let channel = Channel::Desktop;
    let card = |handle: Option<&str>, closed| {
        let handle = handle.map(str::to_owned);
        Save::Card { ask: ask(), channel, handle, closed }
    };
    put(&mut store, &[Save::Ask(Box::new(open("q1"))), card(Some("7"), false)]);
    for (handle, closed) in [(Some("7"), false), (None, true), (Some("8"), false)] {
        put(&mut store, &[card(handle, closed)]);
        let saved = load(&store);
        let card = &saved.entries[0].cards[&channel];
        assert_eq!((card.handle.as_deref(), card.closed), (handle, closed));
    }
    put(&mut store, &[Save::NoCard { ask: ask(), channel }]);
    assert!(load(&store).entries[0].cards.is_empty());
}

#[test]
fn what_the_human_said_comes_back_with_its_end() {
    let (_folder, mut store) = fresh();
    let (said_until, paused_until) = (Some(Timestamp(7)), Some(Timestamp(8)));
    put(&mut store, &[Save::Standing { said: Override::Away, said_until, paused_until }]);
    let saved = load(&store);
    assert_eq!((saved.said, saved.said_until), (Override::Away, said_until));
    assert_eq!(saved.paused_until, paused_until);
}

#[test]
fn the_answer_to_an_ask_that_is_gone_is_kept_until_the_ask_is_saved_again() {
    let (_folder, mut store) = fresh();
    let given = Some((Answer::Grant(Grant::Always), Surface::Telegram));
    let mut entry = open("p1");
    entry.state = State::Settled { outcome: Outcome::Gone, at: NOW };
    let ask = Save::Ask(Box::new(entry.clone()));
    let gone = Save::Gone { ask: id("p1"), given: given.clone(), inquired: true };
    put(&mut store, &[ask.clone(), gone]);
    let memory = &load(&store).memory[0].1;
    assert_eq!((&memory.given, memory.ask.as_deref()), (&given, Some(&entry.ask)));
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
    let tap = Tap::Choose { question: 0, choice: 1 };
    let tapped = Event::Tapped { target, tap, by: Surface::Telegram };
    put(&mut store, &desk.handle(tapped, NOW).save);
    let again = Desk::restore(Policy::default(), load(&store), NOW);
    let (before, after) = (desk.entry(&id("q1")).unwrap(), again.entry(&id("q1")).unwrap());
    assert_eq!((&before.draft, &before.state), (&after.draft, &after.state));
    assert_eq!(after.draft.as_ref().map(|draft| draft.page), Some(Page::Question(1)));
    assert_eq!(before.cards[&Channel::Telegram].handle, after.cards[&Channel::Telegram].handle);
    assert_eq!(desk.memory(&id("q2")), again.memory(&id("q2")));
}

#[test]
fn a_file_from_before_drafts_is_read_and_written_on() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("beckon.db");
    let mut old = Connection::open(&path).unwrap();
    Migrations::from_slice(&MIGRATIONS[..4]).to_latest(&mut old).unwrap();
    let entry = open("q1");
    old.execute(
        "INSERT INTO asks (serial, source, own, ask, state, asked_at)
         VALUES (1, 'local', 'q1', ?1, '\"open\"', 0)",
        [serde_json::to_string(&entry.ask).unwrap()],
    )
    .unwrap();
    old.execute("INSERT INTO cards VALUES ('local', 'q1', 'desktop', '7')", []).unwrap();
    old.execute("INSERT INTO standing VALUES (1, '\"away\"', 9)", []).unwrap();
    drop(old);
    let mut store = Store::open(&path, NOW).unwrap().store;
    let saved = load(&store);
    let card = &saved.entries[0].cards[&Channel::Desktop];
    assert_eq!((card.handle.as_deref(), card.closed), (Some("7"), false));
    assert_eq!((saved.said, saved.said_until), (Override::Away, None));
    assert_eq!((saved.entries[0].draft.as_ref(), saved.entries[0].warned_at), (None, None));
    put(&mut store, &[Save::Ask(Box::new(entry))]);
}

#[test]
fn the_last_answers_come_back_the_newest_last_and_the_self_tests_are_none() {
    let (_folder, mut store) = fresh();
    let answered = || Outcome::Answered { answer: both(), by: Surface::Cli };
    let ended = |serial: u64, source: &str, at, outcome| {
        let mut entry = Entry::new(ask(&format!("q{serial}")), serial);
        entry.ask.id.source.0 = source.into();
        entry.state = State::Settled { outcome, at: Timestamp(at) };
        Save::Ask(Box::new(entry))
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
            Save::Ask(Box::new(Entry::new(ask("q7"), 7))),
        ],
    );
    let serials = |since| {
        let latest = store.latest(Timestamp(since), 3).unwrap();
        latest.iter().map(|entry| entry.serial).collect::<Vec<_>>()
    };
    assert_eq!(serials(0), [4, 1, 6]);
    assert_eq!(serials(400), [1, 6]);
}

/// One ask is open on both channels, another was answered and then lost.
fn life() -> Vec<Event> {
    let source = id("q1").source;
    let report = |report| Event::Source(source.clone(), report);
    let listed = beckon_core::Listing { asks: vec![(ask("q1"), true)], ..Default::default() };
    vec![
        Event::ChannelUp(Channel::Desktop),
        Event::ChannelUp(Channel::Telegram),
        report(beckon_core::SourceReport::Asked(ask("q1"))),
        report(beckon_core::SourceReport::Asked(ask("q2"))),
        Event::Shown { channel: Channel::Telegram, ask: id("q1"), handle: "m1".into() },
        Event::Answered { ask: id("q2"), answer: both(), seen: None, by: Surface::Cli },
        report(beckon_core::SourceReport::Listed(listed)),
    ]
}

fn both() -> Answer {
    Answer::Replies(vec![Reply::choice(0), Reply::choice(1)])
}

fn fresh() -> (tempfile::TempDir, Store) {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(&folder.path().join("beckon.db"), NOW).unwrap().store;
    (folder, store)
}

fn put(store: &mut Store, rows: &[Save]) {
    store.commit(&Rows { save: rows, ..Rows::default() }, NOW, false).unwrap();
}

fn load(store: &Store) -> Saved {
    store.load(Timestamp(0)).unwrap()
}

fn open(own: &str) -> Entry {
    Entry::new(ask(own), 1)
}

fn ask(own: &str) -> Ask {
    let choice = |label: &str| Choice { label: label.into(), ..Choice::default() };
    let choices = vec![choice("Yes"), choice("No")];
    let question = Question { custom: true, choices, ..Question::default() };
    let kind = match own {
        "p1" => Kind::Permission(Permission::default()),
        _ => Kind::Questions(vec![question.clone(), question]),
    };
    Ask { id: id(own), kind, session: Session::default(), call: None, asked_at: NOW }
}

fn id(own: &str) -> AskId {
    AskId::new("local", own)
}
