//! A measurement of a hundred thousand open asks of fifty machines: the time and the memory that
//! they take, without a server and without a disk.
#![allow(
    clippy::disallowed_methods,
    clippy::print_stderr,
    reason = "how long it takes is the question"
)]

use crate::common::{START, permission};
use beckon_core::hub::{AskRecord, AskSubject, RECORD_VERSION, RemoteAsks, SharedState, way};
use beckon_core::{Ask, Desk, Event, Policy, SourceId, SourceReport, shown_hash};
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

const MACHINES: usize = 50;
const OF_EACH: u64 = 2_000;

/// The content of a request as it travels: the size of an ordinary one.
const TOLD: usize = 1_500;

fn record(machine: usize, serial: u64) -> (AskSubject, AskRecord) {
    let subject = AskSubject {
        node: format!("{machine:04}Node"),
        serial,
    };
    let asked = permission("p");
    let record = AskRecord {
        v: RECORD_VERSION,
        machine: format!("machine {machine}"),
        name: serial.to_string(),
        count: 1,
        round: 1,
        shown: shown_hash(&asked.kind, asked.fingerprint()),
        state: SharedState::Open,
        reason: None,
        waited_ms: 0,
        agreed: Vec::new(),
        apart: false,
        decided: None,
        signer: Some(format!("machine {machine}")),
        heard_at: None,
        ask: "x".repeat(TOLD),
    };
    (subject, record)
}

fn ask_of(subject: &AskSubject, record: &AskRecord) -> Option<Ask> {
    let mut ask = permission("p");
    ask.id = record.id(subject);
    ask.session.id = format!("ses_{}", subject.own_id());
    ask.session.via = vec![subject.node.clone()];
    ask.session.api = Some(way(record.round, ask.fingerprint()));
    Some(ask)
}

/// Returns the memory of this process now, in MiB; nothing where the system does not tell.
fn memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("VmRSS"));
    let kib = line.and_then(|line| line.split_whitespace().nth(1)?.parse::<u64>().ok());
    kib.unwrap_or_default() / 1024
}

fn time<T>(what: &str, work: impl FnOnce() -> T) -> (T, Duration) {
    let (before, began) = (memory(), Instant::now());
    let done = work();
    let took = began.elapsed();
    eprintln!("{what}: {took:?}, {before} MiB became {} MiB", memory());
    (done, took)
}

#[test]
#[ignore = "a measurement, to be read on a quiet machine; docs/measured.md"]
fn a_hundred_thousand_asks_of_fifty_machines_are_known_and_one_more_changes_little() {
    let machines = 0..MACHINES;
    let all = machines.flat_map(|machine| (1..=OF_EACH).map(move |serial| record(machine, serial)));
    let there: BTreeMap<AskSubject, AskRecord> = all.collect();
    let mut remote = RemoteAsks::default();
    let mut desk = Desk::new(Policy::default());
    eprintln!("{} MiB are the records as they were read", memory());

    time("taken in", || remote.list(there, Vec::new()));
    let sources: Vec<SourceId> = remote.sources().into_iter().collect();
    let mut away = Vec::new();
    time("listed to the desk", || {
        for source in &sources {
            let began = Instant::now();
            let listing = remote.listing(source, ask_of, |_, _| false);
            let report = SourceReport::Listed(listing);
            desk.handle(Event::Source(source.clone(), report), START);
            away.push(began.elapsed());
        }
    });
    let [first, .., last] = away[..] else {
        panic!("{away:?}")
    };
    eprintln!(
        "the loop is away for {first:?} for the first machine's {OF_EACH}, {last:?} for the last's"
    );
    assert_eq!(desk.asks().count(), MACHINES * OF_EACH as usize);

    let (subject, new) = record(7, OF_EACH + 1);
    let (_, one) = time("one more", || {
        let source = new.source();
        let ask = ask_of(&subject, &new).expect("an ask");
        remote.take(subject, new);
        desk.handle(Event::Source(source, SourceReport::Asked(ask)), START)
    });
    time("the whole view", || desk.view(START).asks.len());
    time("the outline", || desk.outline(START));
    assert!(one < Duration::from_millis(200), "{one:?}");
}
