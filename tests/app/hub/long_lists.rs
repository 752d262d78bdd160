//! Test of a hub with a long list at the end of a slow line: the list is read to its end, however
//! long that takes.

use super::*;
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

/// Puts so many asks of 20 kB onto the hub.
async fn fill(jetstream: &async_nats::jetstream::Context, asks: usize) {
    for number in 0..asks {
        let (subject, payload) = (format!("bk.ask.own.Other.{number}"), "x".repeat(20_000));
        let kept = jetstream.publish(subject, payload.into()).await.unwrap();
        kept.await.unwrap();
    }
}
