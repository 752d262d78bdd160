//! Asked at one machine and answered at another, or at all of them at once.

use super::*;
use serde_json::json;

async fn answered_at_the_other(version: Version) {
    let hub = Nats::start(version);
    let (owner, other) = two(&hub).await;
    let asker = ask(&owner, "Which way?");
    let shown = one_open(&other).await;
    assert_eq!(shown["questions"][0]["question"], "Which way?");
    assert!(shown["source"].as_str().unwrap().starts_with("hub:"), "{shown}");
    let verdict = answer(&other, &shown["id"], "2").await;
    assert_eq!(verdict["state"], "taken", "{verdict}");
    assert_eq!(said(asker).await, "Right\n");
    nothing_open(&owner).await;
    nothing_open(&other).await;
    assert_eq!(owner.status().await["warnings"], json!([]));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_asked_at_one_is_answered_at_another() {
    answered_at_the_other(Version::V2_10_26).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn so_it_is_with_the_server_of_debian() {
    answered_at_the_other(Version::V2_9_10).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn so_it_is_with_a_new_server() {
    answered_at_the_other(Version::V2_15_1).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_answered_where_it_was_asked_goes_everywhere() {
    let hub = Nats::start(Version::V2_10_26);
    let (owner, other) = two(&hub).await;
    let asker = ask(&owner, "Here?");
    let there = one_open(&other).await;
    let here = one_open(&owner).await;
    assert_eq!(answer(&owner, &here["id"], "1").await["state"], "taken");
    assert_eq!(said(asker).await, "Left\n");
    nothing_open(&other).await;
    let late = answer(&other, &there["id"], "2").await;
    assert_eq!(late["state"], "already answered", "{late}");
    assert_eq!(late["by"], "elsewhere", "{late}");
}

#[tokio::test(flavor = "multi_thread")]
async fn of_all_who_answer_at_once_one_counts_and_the_agent_hears_it_once() {
    let hub = Nats::start(Version::V2_10_26);
    let devices = listing(&hub, &[0, 1, 2]).await;
    let all = [0, 1, 2].map(|device| member(&hub, device, &devices));
    for beckon in &all {
        beckon.start();
        connected(beckon).await;
    }
    for round in 0..5 {
        let asker = ask(&all[0], &format!("Round {round}?"));
        let (first, second) = (one_open(&all[1]).await, one_open(&all[2]).await);
        let own = one_open(&all[0]).await;
        let answers = tokio::join!(
            answer(&all[0], &own["id"], "1"),
            answer(&all[1], &first["id"], "2"),
            answer(&all[2], &second["id"], "2"),
        );
        let told = said(asker).await;
        assert!(told == "Left\n" || told == "Right\n", "{told:?}");
        for beckon in &all {
            nothing_open(beckon).await;
        }
        let answers = [answers.0, answers.1, answers.2];
        let taken = answers.iter().filter(|verdict| verdict["state"] == "taken").count();
        assert_eq!(taken, 1, "{answers:?}");
        assert_eq!(answers[0]["state"] == "taken", told == "Left\n", "{answers:?}");
    }
}
