//! Tests of a hub that is restored from a backup, or has no room: no ask is missing, and no answer
//! of another time is used.

use super::*;
use serde_json::json;

#[tokio::test(flavor = "multi_thread")]
async fn a_hub_that_is_restored_shows_what_is_asked_now_and_nothing_of_then() {
    let hub = Nats::start(Version::V2_10_26);
    let (owner, other) = two(&hub).await;
    let then = ask(&owner, "Then?");
    one_open(&other).await;
    hub.kill9();
    let backup = hub.back_up();
    hub.go();
    answer(&other, &one_open(&other).await["id"], "1").await;
    assert_eq!(said(then).await, "Left\n");
    nothing_open(&other).await;
    let now = ask(&owner, "Now?");
    one_open(&other).await;
    hub.kill9();
    hub.restore(&backup);
    hub.go();
    eventually("only what is asked now is shown", SOON, async || {
        let list = other.list().await;
        let [only] = &list[..] else { return None };
        (only["questions"][0]["question"] == "Now?").then_some(())
    })
    .await;
    // The ask may be called gone until its owner has published it again, and the answer is sent
    // nevertheless.
    let shown = one_open(&other).await;
    answer(&other, &shown["id"], "2").await;
    assert_eq!(said(now).await, "Right\n");
    nothing_open(&owner).await;
    nothing_open(&other).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_that_the_hub_has_lost_is_told_once_more() {
    let hub = Nats::start(Version::V2_10_26);
    let (owner, other) = two(&hub).await;
    let asker = ask(&owner, "Kept?");
    let shown = one_open(&other).await;
    owner.kill9();
    hub.kill9();
    let backup = hub.back_up();
    hub.go();
    let id = shown["id"].as_str().unwrap().to_owned();
    let given = other
        .command(&["answer", &id, "--choice", "1", "--json"])
        .await;
    assert!(given.status.is_some(), "{given:?}");
    let client = async_nats::connect(hub.url()).await.unwrap();
    let jetstream = async_nats::jetstream::new(client);
    eventually("the hub has the answer", SOON, async || {
        let mut stream = jetstream.get_stream("BK_ANSWERS").await.ok()?;
        (stream.info().await.ok()?.state.messages == 1).then_some(())
    })
    .await;
    hub.kill9();
    hub.restore(&backup);
    hub.go();
    owner.start();
    assert_eq!(said(asker).await, "Left\n");
    nothing_open(&other).await;
    nothing_open(&owner).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_hub_without_room_is_said_and_what_is_asked_is_answered_where_it_is() {
    let hub = Nats::configured(Version::V2_10_26, "");
    let (owner, other) = two(&hub).await;
    let client = async_nats::connect(hub.url()).await.unwrap();
    let jetstream = async_nats::jetstream::new(client);
    // Another stream takes all the room that the hub's configuration leaves.
    let filler = async_nats::jetstream::stream::Config {
        name: "FILLER".into(),
        subjects: vec!["filler".into()],
        ..Default::default()
    };
    jetstream.create_stream(filler).await.unwrap();
    let block = "x".repeat(900_000);
    while let Ok(acknowledged) = jetstream.publish("filler", block.clone().into()).await {
        if acknowledged.await.is_err() {
            break;
        }
    }
    let asker = ask(&owner, "Room?");
    let own = one_open(&owner).await;
    warned(&owner, "hub").await;
    assert_eq!(answer(&owner, &own["id"], "2").await["state"], "taken");
    assert_eq!(said(asker).await, "Right\n");
    jetstream.delete_stream("FILLER").await.unwrap();
    let asker = ask(&owner, "And now?");
    let shown = eventually("it is shown there", Duration::from_secs(60), async || {
        let list = other.list().await;
        list.into_iter()
            .find(|ask| ask["questions"][0]["question"] == "And now?")
    })
    .await;
    assert_eq!(answer(&other, &shown["id"], "1").await["state"], "taken");
    assert_eq!(said(asker).await, "Left\n");
    nothing_open(&owner).await;
    eventually("nothing is amiss", SOON, async || {
        (owner.status().await["warnings"] == json!([])).then_some(())
    })
    .await;
}
