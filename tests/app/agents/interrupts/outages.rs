//! Tests of outages: the stream breaks, the service goes down, Beckon dies. An answer is used for
//! what its human saw, or not at all.

use super::scene::{Scene, confirm, id};
use crate::common::SOON;
use beckon_support::eventually;
use serde_json::json;
use std::time::Duration;

#[tokio::test(flavor = "multi_thread")]
async fn what_was_not_heard_since_the_connection_broke_gets_no_answer_unless_the_human_insists() {
    let scene = Scene::start().await;
    scene.service.interrupt("t", confirm("Run the unit tests?"));
    let ask = scene.only().await;
    scene.service.cut();
    scene
        .service
        .interrupt_unheard("t", confirm("Delete the production database?"));
    scene.service.wait_streams(1, SOON).await;
    for again in ["given", "given once more in the same breath"] {
        let doubted = scene.beckon.command(&["grant", id(&ask)]).await;
        assert!(
            doubted.stderr.contains("may be waiting for something else"),
            "{again}: {doubted:?}"
        );
    }
    assert_eq!(scene.only().await["returned"]["reason"], "unconfirmed");
    assert_eq!(scene.service.resumed(), []);
    scene.service.repeat("t");
    let next = scene.next(&[id(&ask).to_owned()]).await;
    assert_eq!(next["info"], "Delete the production database?");
    scene.takes(&["deny", id(&next)]).await;
    scene
        .resumed_with("t", &[json!({ "action": "cancel" })])
        .await;
    scene.nothing_left().await;
}

/// Answers while the service is down; then its thread waits for something else, because of another
/// client.
async fn answered_in_an_outage(announces: bool, outage: Duration) {
    let mut scene = Scene::start().await;
    if announces {
        scene.service.announce_on_connect();
    }
    scene.service.interrupt("t", confirm("Run the unit tests?"));
    scene.only().await;
    scene.service.down();
    let card = scene.shown("Continue?").await;
    scene
        .daemon
        .press(card.id, card.action("Continue").unwrap());
    // The answer comes back within seconds, perhaps before anybody has looked.
    eventually("it is answering, or has come back", SOON, async || {
        let ask = scene.only().await;
        let has_come_back = !ask["returned"].is_null();
        (ask["state"] == "answering" || has_come_back).then_some(())
    })
    .await;
    tokio::time::sleep(outage).await;
    scene
        .service
        .interrupt_unheard("t", confirm("Delete the production database?"));
    scene.service.up();
    scene.service.wait_streams(1, SOON).await;
    eventually(
        "the answer has come back, or its ask is over",
        SOON,
        async || {
            let ask = scene.only().await;
            (ask["state"] == "open").then_some(())
        },
    )
    .await;
    // The time in which all earlier retries would have come.
    tokio::time::sleep(Duration::from_secs(3)).await;
    assert_eq!(scene.service.resumed(), []);
    assert!(scene.service.waits("t"));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_given_in_an_outage_never_reaches_what_the_thread_waits_for_afterwards() {
    tokio::join!(
        answered_in_an_outage(true, Duration::from_millis(800)),
        answered_in_an_outage(false, Duration::from_millis(800)),
        answered_in_an_outage(true, Duration::from_secs(8)),
        answered_in_an_outage(false, Duration::from_secs(8)),
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_given_in_an_outage_comes_back_within_seconds_and_says_why() {
    let mut scene = Scene::start().await;
    scene.service.interrupt("t", confirm("Go?"));
    let ask = scene.only().await;
    scene.service.down();
    let late = scene.beckon.command(&["grant", id(&ask)]).await;
    assert!(late.stderr.contains("didn't get through"), "{late:?}");
    let open = scene.only().await;
    let state = (&open["state"], &open["returned"]["reason"]);
    assert_eq!(state, (&json!("open"), &json!("undelivered")));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_service_that_is_back_at_once_and_says_the_same_gets_the_answer() {
    let mut scene = Scene::start().await;
    scene.service.announce_on_connect();
    scene.service.interrupt("t", confirm("Go?"));
    scene.only().await;
    scene.service.down();
    let card = scene.shown("Continue?").await;
    scene
        .daemon
        .press(card.id, card.action("Continue").unwrap());
    eventually("it is answering", SOON, async || {
        (scene.only().await["state"] == "answering").then_some(())
    })
    .await;
    scene.service.up();
    scene
        .resumed_with("t", &[json!({ "action": "continue" })])
        .await;
    scene.nothing_left().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_that_beckon_had_accepted_when_it_died_is_the_humans_again() {
    let mut scene = Scene::start().await;
    scene.service.announce_on_connect();
    scene.service.interrupt("t", confirm("Go?"));
    scene.only().await;
    scene.service.down();
    let press = scene.shown("Continue?").await;
    scene
        .daemon
        .press(press.id, press.action("Continue").unwrap());
    eventually("it is answering", SOON, async || {
        (scene.only().await["state"] == "answering").then_some(())
    })
    .await;
    scene.beckon.kill9();
    scene.service.up();
    scene.beckon.start();
    scene.live().await;
    let ask = eventually("it is open again", SOON, async || {
        let ask = scene.only().await;
        (ask["returned"]["reason"] == "unproven").then_some(ask)
    })
    .await;
    assert_eq!(scene.service.resumed(), []);
    scene.takes(&["grant", id(&ask)]).await;
    scene.nothing_left().await;
}
