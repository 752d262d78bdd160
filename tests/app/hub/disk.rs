//! Tests of a hub whose disk is full: everything that the server claims to have taken is lost when
//! it ends, and what is open is published again to the next one. (nats-server acknowledges what it
//! has not written yet, unless it is configured to write first; its refusals are tested in
//! `restored.rs`.)

use super::*;
use serde_json::json;

/// Fills the server's disk with another stream.
async fn fill_up(hub: &Nats) {
    let client = async_nats::connect(hub.url()).await.unwrap();
    let jetstream = async_nats::jetstream::new(client);
    let filler = async_nats::jetstream::stream::Config {
        name: "FILLER".into(),
        subjects: vec!["filler".into()],
        ..Default::default()
    };
    jetstream.create_stream(filler).await.unwrap();
    for size in [100_000, 10_000, 1_000, 100] {
        while kept(&jetstream, size).await {}
    }
}

async fn kept(jetstream: &async_nats::jetstream::Context, size: usize) -> bool {
    match jetstream.publish("filler", "x".repeat(size).into()).await {
        Ok(acknowledged) => acknowledged.await.is_ok(),
        Err(_) => false,
    }
}

async fn full(version: Version) {
    let hub = Nats::on_a_small_disk(version, "12m");
    let (owner, other) = two(&hub).await;
    let before = ask(&owner, "Before?");
    one_open(&other).await;
    fill_up(&hub).await;
    let asker = ask(&owner, "Room?");
    let own = eventually("both are open here", SOON, async || {
        let list = owner.list().await;
        list.into_iter()
            .find(|ask| ask["questions"][0]["question"] == "Room?")
    })
    .await;
    assert_eq!(answer(&owner, &own["id"], "2").await["state"], "taken");
    assert_eq!(said(asker).await, "Right\n");
    // The server's administrator makes room, and restarts it.
    hub.kill9();
    hub.go();
    let shown = one_open(&other).await;
    assert_eq!(shown["questions"][0]["question"], "Before?", "{shown}");
    let taken = eventually(
        "it is answered from there",
        Duration::from_secs(60),
        async || {
            let verdict = answer(&other, &shown["id"], "1").await;
            (verdict["state"] == "taken" || verdict["state"] == "already answered").then_some(())
        },
    );
    taken.await;
    assert_eq!(said(before).await, "Left\n");
    for beckon in [&owner, &other] {
        nothing_open(beckon).await;
        eventually("nothing is amiss", SOON, async || {
            (beckon.status().await["warnings"] == json!([])).then_some(())
        })
        .await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn where_the_hubs_disk_is_full_what_is_asked_is_answered_where_it_is_and_told_to_the_next_server()
 {
    full(Version::V2_10_26).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_full_disk_of_debians_server_loses_no_ask() {
    full(Version::V2_9_10).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_full_disk_of_a_new_server_loses_no_ask() {
    full(Version::V2_15_1).await;
}
