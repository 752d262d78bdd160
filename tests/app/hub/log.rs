//! Tests of the log on the hub: the events at one machine can be read at another, each once and in
//! order, and forged entries are told apart.

use super::serving::{Serving, invite, joined, machine};
use super::*;
use crate::common::http::call;
use async_nats::jetstream;
use reqwest::Method;
use serde_json::json;

/// Returns the lines of `beckon audit --hub --since 1h --jsonl`, with the exit code.
async fn audit(beckon: &Beckon) -> (Option<i32>, Vec<Value>) {
    let output = beckon
        .command(&["audit", "--hub", "--since", "1h", "--jsonl"])
        .await;
    let lines = output
        .stdout
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    (output.status, lines)
}

/// Returns the events that the device has signed, in order.
fn of<'a>(lines: &'a [Value], device: &str) -> Vec<&'a str> {
    let signed = lines.iter().filter(|line| line["device"] == device);
    signed
        .map(|line| line["line"]["what"].as_str().unwrap_or("begins"))
        .collect()
}

fn numbers(lines: &[Value], device: &str) -> Vec<u64> {
    let signed = lines.iter().filter(|line| line["device"] == device);
    signed
        .map(|line| line["number"].as_u64().unwrap())
        .collect()
}

/// Waits until the owner has written this many times that an agent got its answer; returns the log.
async fn taken(reader: &Beckon, owner: &str, times: usize) -> Vec<Value> {
    eventually("the owner has written it", SOON, async || {
        let (_, lines) = audit(reader).await;
        let taken = of(&lines, owner)
            .into_iter()
            .filter(|what| *what == "taken")
            .count();
        (taken == times).then_some(lines)
    })
    .await
}

/// Waits until that Beckon reports this state of its hub.
async fn hub_is(beckon: &Beckon, state: &str) {
    eventually(&format!("the hub is {state}"), SOON, async || {
        let (_, seen) = call(beckon, Method::GET, "/hub", &Value::Null).await;
        (seen["state"] == state).then_some(())
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_asked_at_one_machine_and_answered_at_the_other_is_read_at_both() {
    for version in [Version::V2_9_10, Version::V2_10_26, Version::V2_15_1] {
        let hub = Nats::start(version);
        let (owner, other) = two(&hub).await;
        let asker = ask(&owner, "Which \u{202e}way?");
        let shown = one_open(&other).await;
        answer(&other, &shown["id"], "1").await;
        assert_eq!(said(asker).await, "Left\n");
        taken(&other, "device0", 1).await;
        let lines = eventually("the answerer has written, too", SOON, async || {
            let (_, lines) = audit(&other).await;
            of(&lines, "device1").contains(&"answered").then_some(lines)
        })
        .await;
        let (first, second) = (of(&lines, "device0"), of(&lines, "device1"));
        assert_eq!(first[..2], ["begins", "asked"], "{lines:?}");
        assert_eq!(second, ["begins", "answered"], "its owner tells the rest");
        let answered = lines
            .iter()
            .find(|line| line["line"]["what"] == "answered")
            .unwrap();
        let asked = lines
            .iter()
            .find(|line| line["line"]["what"] == "asked")
            .unwrap();
        assert_eq!(asked["line"]["title"], "Which \u{202e}way?");
        assert_eq!(asked["line"]["project"], answered["line"]["project"]);
        let of_one = |line: &Value| [line["ask"].clone(), line["line"]["shown"].clone()];
        assert_eq!(
            of_one(asked),
            of_one(answered),
            "it is one ask, and what was shown of it"
        );
        assert!(
            asked["ask"].is_string() && asked["line"]["shown"].is_string(),
            "{asked}"
        );
        let taken = lines
            .iter()
            .find(|line| line["line"]["what"] == "taken")
            .unwrap();
        assert_eq!(
            taken["line"]["responder"]["signed_by"], "device1",
            "{taken}"
        );
        for device in ["device0", "device1"] {
            let numbers = numbers(&lines, device);
            let expected: Vec<u64> = (1..).take(numbers.len()).collect();
            assert_eq!(numbers, expected);
        }
        let written = first.len() + second.len() - 2;
        assert_eq!(
            audit(&owner).await,
            (Some(0), lines),
            "both read the same, and all is proven"
        );
        let told = owner.command(&["audit", "--hub", "--since", "1h"]).await;
        assert_eq!(told.status, Some(0), "{told:?}");
        assert!(
            told.stdout.contains("device1") && !told.stdout.contains('\u{202e}'),
            "{told:?}"
        );
        let name = shown["id"].as_str().unwrap().rsplit('/').next().unwrap();
        let lines_of_it = told
            .stdout
            .lines()
            .filter(|line| line.contains(name))
            .count();
        assert_eq!(lines_of_it, written, "{told:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_comes_later_reads_what_happened_and_not_what_was_asked() {
    let hub = Nats::start(Version::V2_10_26);
    let devices = listing(&hub, &[0, 1]).await;
    let owner = member(&hub, 0, &devices);
    owner.start();
    connected(&owner).await;
    let asker = ask(&owner, "Which secret?");
    answer(&owner, &one_open(&owner).await["id"], "1").await;
    said(asker).await;
    let later = member(&hub, 1, &devices);
    let lines = taken(&later, "device0", 1).await;
    let asked = lines
        .iter()
        .find(|line| line["line"]["what"] == "asked")
        .unwrap();
    assert_eq!(
        (&asked["line"]["title"], &asked["line"]["project"]),
        (&Value::Null, &Value::Null)
    );
    assert!(asked["line"]["shown"].is_string(), "{asked}");
    let own = taken(&owner, "device0", 1).await;
    assert!(
        own.iter()
            .any(|line| line["line"]["title"] == "Which secret?"),
        "{own:?}"
    );
    let jetstream = jetstream::new(async_nats::connect(hub.url()).await.unwrap());
    let stream = jetstream.get_stream("BK_LOG").await.unwrap();
    for number in 1..=lines.len() as u64 {
        let record = stream.get_raw_message(number).await.unwrap();
        assert!(
            !String::from_utf8_lossy(&record.payload).contains("secret"),
            "{record:?}"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_happened_while_the_hub_was_away_is_written_when_it_is_back_and_nothing_twice() {
    let hub = Nats::start(Version::V2_10_26);
    let (owner, other) = two(&hub).await;
    let asker = ask(&owner, "With it?");
    answer(&owner, &one_open(&owner).await["id"], "1").await;
    said(asker).await;
    taken(&other, "device0", 1).await;
    hub.kill9();
    warned(&owner, "hub").await;
    let asker = ask(&owner, "Without it?");
    answer(&owner, &one_open(&owner).await["id"], "1").await;
    said(asker).await;
    owner.kill9();
    hub.go();
    owner.start();
    let lines = taken(&other, "device0", 2).await;
    assert_eq!(
        of(&lines, "device0")
            .iter()
            .filter(|what| **what == "asked")
            .count(),
        2
    );
    assert_eq!(audit(&other).await.0, Some(0), "{lines:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_hub_was_restored_without_is_written_again() {
    let hub = Nats::start(Version::V2_10_26);
    let (owner, other) = two(&hub).await;
    let asker = ask(&owner, "Before?");
    answer(&owner, &one_open(&owner).await["id"], "1").await;
    said(asker).await;
    taken(&other, "device0", 1).await;
    let backup = hub.back_up();
    let asker = ask(&owner, "After?");
    answer(&owner, &one_open(&owner).await["id"], "1").await;
    said(asker).await;
    let before = taken(&other, "device0", 2).await;
    hub.restore(&backup);
    let after = taken(&other, "device0", 2).await;
    assert_eq!(of(&after, "device0"), of(&before, "device0"));
    assert_eq!(numbers(&after, "device0"), numbers(&before, "device0"));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_others_put_into_a_log_is_told_from_it_and_its_machine_writes_on() {
    let hub = Nats::start(Version::V2_10_26);
    let (owner, other) = two(&hub).await;
    let asker = ask(&owner, "Which way?");
    answer(&owner, &one_open(&owner).await["id"], "1").await;
    said(asker).await;
    taken(&other, "device0", 1).await;
    let jetstream = jetstream::new(async_nats::connect(hub.url()).await.unwrap());
    let stream = jetstream.get_stream("BK_LOG").await.unwrap();
    let first = stream.get_raw_message(1).await.unwrap();
    for payload in [first.payload.clone(), "bk1 nobody\n{}".into(), "{}".into()] {
        jetstream
            .publish(first.subject.clone(), payload)
            .await
            .unwrap()
            .await
            .unwrap();
    }
    assert!(stream.purge().await.is_err() && stream.delete_message(1).await.is_err());
    let asker = ask(&owner, "And then?");
    answer(&owner, &one_open(&owner).await["id"], "1").await;
    said(asker).await;
    let lines = eventually("it writes on", 2 * SOON, async || {
        let (_, lines) = audit(&other).await;
        let taken = of(&lines, "device0")
            .into_iter()
            .filter(|what| *what == "taken")
            .count();
        (taken == 2).then_some(lines)
    })
    .await;
    let faults: Vec<&Value> = lines
        .iter()
        .map(|line| &line["fault"])
        .filter(|fault| !fault.is_null())
        .collect();
    assert_eq!(
        json!(faults),
        json!(["again", "unreadable", "unreadable"]),
        "{lines:?}"
    );
    assert_eq!(audit(&other).await.0, Some(1), "not all is proven");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_happened_between_leaving_and_joining_again_is_not_told() {
    let (admin, other) = [0, 1]
        .map(|device| machine(device, Version::V2_10_26))
        .into();
    let serving = Serving::start(&admin, &[]);
    other.start();
    other.wait_ready().await;
    let decided = async |question: &str| {
        let asker = ask(&other, question);
        answer(&other, &one_open(&other).await["id"], "1").await;
        said(asker).await;
    };
    joined(&other, &serving.code().await, "tower").await;
    hub_is(&other, "connected").await;
    decided("At the hub?").await;
    taken(&admin, "tower", 1).await;
    let left = other.command(&["hub", "leave"]).await;
    assert_eq!(left.status, Some(0), "{left:?}");
    hub_is(&other, "off").await;
    decided("By myself?").await;
    joined(&other, &invite(&admin).await, "tower").await;
    hub_is(&other, "connected").await;
    decided("At the hub again?").await;
    let lines = taken(&admin, "tower", 2).await;
    let told = of(&lines, "tower");
    let times = |what: &str| told.iter().filter(|told| **told == what).count();
    assert_eq!((times("begins"), times("asked")), (2, 2), "{lines:?}");
    assert_eq!(
        audit(&admin).await.0,
        Some(0),
        "nothing is missing: {lines:?}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_hub_there_is_no_log_of_it() {
    let alone = Beckon::builder(env!("CARGO_BIN_EXE_beckon"))
        .config(ALONE)
        .build();
    let refused = alone.command(&["audit", "--hub", "--since", "1h"]).await;
    assert_eq!(refused.status, Some(1), "{refused:?}");
    assert!(refused.stderr.contains("beckon hub join"), "{refused:?}");
}
