//! Tests of a hub with a long list: it is read to its end, however long that takes on a slow line,
//! and no device fills the place of others in it.

use super::crowd::{self, Device};
use super::*;
use beckon_core::hub::{AskRecord, AskSubject};
use beckon_support::relay::Relay;

/// Ten megabits a second, in bytes.
const LINE: u64 = 1_250_000;

/// A line of which the list's two megabytes take longer than any single answer may.
const NARROW: u64 = 150_000;

#[tokio::test(flavor = "multi_thread")]
async fn a_list_that_takes_longer_than_a_server_may_be_silent_is_read_to_its_end() {
    let hub = Nats::start(Version::V2_10_26);
    let devices = listing(&hub, &[0, 1]).await;
    let owner = member(&hub, 0, &devices);
    owner.start();
    connected(&owner).await;
    let asker = ask(&owner, "After all of that?");
    one_open(&owner).await;
    let client = async_nats::connect(hub.url()).await.unwrap();
    let jetstream = async_nats::jetstream::new(client);
    // The records are as large as 392 asks with diffs were; none of them is by a known device.
    fill(&jetstream, 400).await;
    let line = Relay::to_port(hub.port());
    line.slow_down(LINE);
    let url = format!("nats://127.0.0.1:{}", line.port());
    let other = builder_at(&url, 1, &devices, ALONE).build();
    other.start();
    other.wait_ready().await;
    warned(&other, "MB so far").await;
    let shown = one_open(&other).await;
    assert!(!log(&other).contains("does not answer"), "{}", log(&other));
    assert_eq!(answer(&other, &shown["id"], "2").await["state"], "taken");
    assert_eq!(said(asker).await, "Right\n");
}

#[tokio::test(flavor = "multi_thread")]
async fn on_a_narrow_line_no_answer_of_the_server_waits_behind_the_list() {
    let hub = Nats::start(Version::V2_10_26);
    let devices = listing(&hub, &[0, 1]).await;
    let owner = member(&hub, 0, &devices);
    owner.start();
    connected(&owner).await;
    let client = async_nats::connect(hub.url()).await.unwrap();
    fill(&async_nats::jetstream::new(client), 100).await;
    let line = Relay::to_port(hub.port());
    line.slow_down(NARROW);
    let url = format!("nats://127.0.0.1:{}", line.port());
    let other = builder_at(&url, 1, &devices, ALONE).build();

    other.start();
    other.wait_ready().await;
    connected(&other).await;

    assert!(!log(&other).contains("does not answer"), "{}", log(&other));
}

/// The bytes of a request that is nearly as large as a record may be.
const LARGE: usize = 60_000;

#[tokio::test(flavor = "multi_thread")]
async fn what_a_device_asks_beyond_its_room_is_left_out_and_said_and_takes_no_room_of_others() {
    let hub = Nats::start(Version::V2_10_26);
    let devices = format!("{}, {}", listing(&hub, &[0, 1]).await, crowd::listed([9]));
    let owner = member(&hub, 0, &devices);
    let other = member(&hub, 1, &devices);
    let flood = Device::connect(&hub, 9).await;
    owner.start();
    connected(&owner).await;

    // 32 MiB have room: 559 of them, before or after one has connected.
    ask_much(&flood, 1..=500).await;
    other.start();
    connected(&other).await;
    ask_much(&flood, 501..=600).await;
    warned(&other, "crowd9 has more open requests").await;
    warned(&other, "41 of them").await;
    warned(&owner, "41 of them").await;
    let asker = ask(&owner, "Is there room?");
    let shown = one_open(&other).await;
    assert_eq!(answer(&other, &shown["id"], "2").await["state"], "taken");
    assert_eq!(said(asker).await, "Right\n");
}

/// Publishes requests with those numbers, which nobody can read, and which are as large as they may
/// be.
async fn ask_much(device: &Device, numbers: std::ops::RangeInclusive<u64>) {
    let text = r#"{"v":1,"machine":"m","name":"n","round":1,"shown":"s","state":"open"}"#;
    for serial in numbers {
        let subject = AskSubject {
            node: "Flood".into(),
            serial,
        };
        let mut record: AskRecord = serde_json::from_str(text).unwrap();
        record.ask = "x".repeat(LARGE - 300);
        let sealed = device.sealed(&subject.subject(), &record);
        let missing = LARGE - sealed.len();
        record.ask.push_str(&"x".repeat(missing));
        let sealed = device.sealed(&subject.subject(), &record);
        assert_eq!(sealed.len(), LARGE);
        assert!(crowd::publish(&device.client, subject.subject(), sealed).await);
    }
}

/// Puts so many asks of 20 kB onto the hub.
async fn fill(jetstream: &async_nats::jetstream::Context, asks: usize) {
    for number in 0..asks {
        let (subject, payload) = (format!("bk.ask.own.Other.{number}"), "x".repeat(20_000));
        let kept = jetstream.publish(subject, payload.into()).await.unwrap();
        kept.await.unwrap();
    }
}
