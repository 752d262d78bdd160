//! Measurements of a hundred machines with fifty asks each: how long it takes until a joining
//! Beckon has all asks, and how much memory they take. And how long an answer takes from another
//! machine to its agent.

use super::crowd::{self, Device, Listener};
use super::*;
use beckon_core::hub::{AskRecord, AskSubject, SharedState};
use futures_util::future::join_all;
use std::time::Instant;

const MACHINES: u8 = 100;
const ASKS: u64 = 50;

/// Fills the hub with what that many machines would share.
async fn fill(hub: &Nats, like: &AskRecord) {
    let client = async_nats::connect(hub.url()).await.unwrap();
    for machine in 0..MACHINES {
        let key = crowd::key(101 + machine);
        let records = (1..=ASKS).map(|serial| {
            let subject = AskSubject {
                node: format!("{machine:04}Node"),
                serial,
            }
            .subject();
            let name = format!("{machine:04}-{serial}");
            let machine = format!("machine {machine}");
            let state = SharedState::Open;
            let record = AskRecord {
                name,
                machine,
                state,
                ..like.clone()
            };
            let sealed = crowd::sealed(&key, &subject, &record);
            crowd::publish(&client, subject, sealed)
        });
        assert!(join_all(records).await.into_iter().all(|kept| kept));
    }
}

/// Returns the filled hub, and a Beckon that is to join it.
async fn filled() -> (Nats, Beckon) {
    let hub = Nats::start(Version::V2_10_26);
    let first = member(&hub, 0, "");
    first.start();
    connected(&first).await;
    let mut asked = Listener::begin(&hub).await;
    let asker = ask(
        &first,
        "Which way shall the migration go, and what is to be kept of it?",
    );
    let like = asked.next_open().await.record;
    let own = one_open(&first).await;
    answer(&first, &own["id"], "1").await;
    said(asker).await;
    first.terminate();
    fill(&hub, &like).await;
    let joining = member(&hub, 1, &crowd::listed(101..101 + MACHINES));
    (hub, joining)
}

async fn reconciled(joining: &Beckon) -> Duration {
    joining.start();
    let began = Instant::now();
    connected(joining).await;
    let all = usize::from(MACHINES) * ASKS as usize;
    eventually("all are known", Duration::from_secs(120), async || {
        let asked = log(joining)
            .lines()
            .filter(|line| line.contains(" asked "))
            .count();
        (asked >= all).then_some(())
    })
    .await;
    began.elapsed()
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "a budget, to be read on a quiet machine; docs/measured.md"]
async fn a_hundred_machines_with_fifty_asks_each_are_known_soon() {
    let (_hub, joining) = filled().await;
    let took = reconciled(&joining).await;
    println!(
        "5,000 asks of 100 machines: {took:?}, {} KiB resident",
        joining.resident_kib()
    );
    assert_eq!(joining.list().await.len(), 5_000);
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "a budget, to be read on a quiet machine; docs/measured.md"]
async fn an_answer_from_elsewhere_is_soon_with_its_agent() {
    let hub = Nats::start(Version::V2_10_26);
    let owner = member(&hub, 0, &crowd::listed([101]));
    owner.start();
    connected(&owner).await;
    let device = Device::connect(&hub, 101).await;
    let mut asked = Listener::begin(&hub).await;
    let mut took = Vec::new();
    for number in 0..100 {
        let asker = ask(&owner, &format!("Number {number}?"));
        let open = asked.next_open().await;
        let began = Instant::now();
        assert!(device.answers(&open, 0).await);
        asked.ended(&open.to.ask).await;
        took.push(began.elapsed());
        assert_eq!(said(asker).await, "Left\n");
    }
    took.sort();
    println!(
        "answer published to its end heard: p50 {:?}, p99 {:?}",
        took[50], took[98]
    );
}
