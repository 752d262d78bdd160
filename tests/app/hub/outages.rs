//! Tests of a hub that is away, hangs, or responds to nobody; and of an owner that is away.

use super::*;
use serde_json::json;

#[tokio::test(flavor = "multi_thread")]
async fn a_hub_that_is_killed_is_missed_by_nobody_here_and_found_again_with_what_waits() {
    let hub = Nats::start(Version::V2_10_26);
    let (owner, other) = two(&hub).await;
    let asker = ask(&owner, "Still there?");
    let shown = one_open(&other).await;
    hub.kill9();
    warned(&owner, "hub").await;
    let local = ask(&owner, "Without it?");
    let own = eventually("both are open here", SOON, async || {
        let list = owner.list().await;
        list.into_iter()
            .find(|ask| ask["questions"][0]["question"] == "Without it?")
    })
    .await;
    assert_eq!(answer(&owner, &own["id"], "1").await["state"], "taken");
    assert_eq!(said(local).await, "Left\n");
    // The answer is given while the hub is away, and delivered when it is back.
    let id = shown["id"].as_str().unwrap().to_owned();
    let given = other
        .command(&["answer", &id, "--choice", "2", "--json"])
        .await;
    assert!(given.status.is_some(), "{given:?}");
    hub.go();
    assert_eq!(said(asker).await, "Right\n");
    nothing_open(&owner).await;
    nothing_open(&other).await;
    eventually("nothing is amiss", SOON, async || {
        (owner.status().await["warnings"] == json!([])).then_some(())
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_of_which_nobody_heard_whether_the_hub_has_it_is_read_back_and_taken_once() {
    let hub = Nats::start(Version::V2_10_26);
    let (owner, other) = two(&hub).await;
    let asker = ask(&owner, "Heard?");
    let shown = one_open(&other).await;
    hub.hang();
    let id = shown["id"].as_str().unwrap().to_owned();
    let given = other
        .command(&["answer", &id, "--choice", "2", "--json"])
        .await;
    assert!(!given.stdout.contains("taken"), "{given:?}");
    warned(&other, "hub").await;
    hub.go_on();
    assert_eq!(said(asker).await, "Right\n");
    nothing_open(&owner).await;
    nothing_open(&other).await;
    let client = async_nats::connect(hub.url()).await.unwrap();
    let mut stream = async_nats::jetstream::new(client)
        .get_stream("BK_ANSWERS")
        .await
        .unwrap();
    assert_eq!(stream.info().await.unwrap().state.messages, 1);
    assert_eq!(
        owner.status().await["warnings"],
        json!([]),
        "nothing was refused"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_waits_for_its_owner_who_takes_it_once() {
    let hub = Nats::start(Version::V2_10_26);
    let (owner, other) = two(&hub).await;
    let asker = ask(&owner, "Back soon?");
    let shown = one_open(&other).await;
    owner.kill9();
    let id = shown["id"].as_str().unwrap().to_owned();
    let given = other
        .command(&["answer", &id, "--choice", "1", "--json"])
        .await;
    assert!(given.stdout.contains("sent"), "{given:?}");
    owner.start();
    assert_eq!(said(asker).await, "Left\n");
    nothing_open(&other).await;
    nothing_open(&owner).await;
}
