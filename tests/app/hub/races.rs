//! Tests of many devices that answer an ask at the same moment: one answer counts, and the agent
//! gets that one.

use super::crowd::{self, Device, Listener};
use super::*;
use futures_util::future::join_all;
use serde_json::json;

/// The number of devices that answer at the same time.
const CROWD: u8 = 40;

fn crowd() -> impl Iterator<Item = u8> {
    101..101 + CROWD
}

/// Asks a question with a choice for each device.
fn ask_all(beckon: &Beckon, question: &str) -> Child {
    let choices: Vec<String> = (0..CROWD)
        .map(|number| format!("Choice {number}"))
        .collect();
    let mut words = vec!["ask", "--question", question];
    choices
        .iter()
        .for_each(|choice| words.extend(["--choice", choice]));
    let mut command = beckon.prepare(&words);
    command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    tokio::process::Command::from(command)
        .kill_on_drop(true)
        .spawn()
        .unwrap()
}

async fn race(version: Version, asks: usize) {
    let hub = Nats::start(version);
    let owner = member(&hub, 0, &crowd::listed(crowd()));
    owner.start();
    connected(&owner).await;
    let devices = join_all(crowd().map(|number| Device::connect(&hub, number))).await;
    let mut asked = Listener::begin(&hub).await;
    for number in 0..asks {
        let asker = ask_all(&owner, &format!("Race {number}?"));
        let open = asked.next_open().await;
        let answers = devices
            .iter()
            .enumerate()
            .map(|(choice, it)| it.answers(&open, choice));
        let kept = join_all(answers).await;
        let winners: Vec<usize> = (0..kept.len()).filter(|choice| kept[*choice]).collect();
        let [winner] = winners[..] else {
            panic!("{number}: {winners:?} are kept")
        };
        assert_eq!(
            said(asker).await,
            format!("Choice {winner}\n"),
            "race {number}"
        );
    }
    nothing_open(&owner).await;
    assert_eq!(owner.status().await["warnings"], json!([]));
    let mut stream = async_nats::jetstream::new(devices[0].client.clone());
    stream.set_timeout(SOON);
    let answers = stream
        .get_stream("BK_ANSWERS")
        .await
        .unwrap()
        .cached_info()
        .state
        .messages;
    assert_eq!(answers, asks as u64);
}

#[tokio::test(flavor = "multi_thread")]
async fn one_of_forty_answers_at_once_is_kept_and_heard() {
    race(Version::V2_10_26, 5).await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "some minutes: two hundred asks on each of the three versions; docs/proof.md"]
async fn one_of_forty_answers_at_once_is_kept_and_heard_two_hundred_times() {
    for version in [Version::V2_9_10, Version::V2_10_26, Version::V2_15_1] {
        race(version, 200).await;
        println!("{version:?}: 200 of 200");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_signed_for_another_round_or_ask_is_refused_and_the_next_round_is_open() {
    let hub = Nats::start(Version::V2_10_26);
    let owner = member(&hub, 0, &crowd::listed([101]));
    owner.start();
    connected(&owner).await;
    let device = Device::connect(&hub, 101).await;
    let mut asked = Listener::begin(&hub).await;
    let first = ask_all(&owner, "Which?");
    let open = asked.next_open().await;
    let signed = device.sealed(&open.to.subject(), &crowd::answer(&open, 3));
    assert!(crowd::publish(&device.client, open.to.subject(), signed.clone()).await);
    assert_eq!(said(first).await, "Choice 3\n");
    // The same question is asked once more, and the same signed answer is copied to it.
    let second = ask_all(&owner, "Which?");
    let open = asked.next_open().await;
    assert!(crowd::publish(&device.client, open.to.subject(), signed).await);
    let next = asked.next_open().await;
    assert_eq!(
        (next.to.ask, next.to.round),
        (open.to.ask, open.to.round + 1)
    );
    warned(&owner, "not signed by a listed device").await;
    let own = one_open(&owner).await;
    assert_eq!(own["state"], "open", "{own}");
    assert_eq!(answer(&owner, &own["id"], "1").await["state"], "taken");
    assert_eq!(said(second).await, "Choice 0\n");
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_takes_the_places_of_rounds_to_come_keeps_nobody_from_answering() {
    let hub = Nats::start(Version::V2_10_26);
    let owner = member(&hub, 0, &crowd::listed([101]));
    owner.start();
    connected(&owner).await;
    let device = Device::connect(&hub, 101).await;
    let mut asked = Listener::begin(&hub).await;
    let asker = ask_all(&owner, "Which?");
    let mut open = asked.next_open().await;
    for round in [2, 3, 1] {
        open.to.round = round;
        assert!(crowd::publish(&device.client, open.to.subject(), "nothing".into()).await);
    }
    let open = asked.next_open().await;
    assert_eq!(open.to.round, 4);
    assert!(device.answers(&open, 7).await);
    assert_eq!(said(asker).await, "Choice 7\n");
}
