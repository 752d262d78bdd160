//! Tests of a network that falls apart: one machine reaches the hub and the other doesn't, neither
//! is told so, and both are answered at.

use super::seats::Machine;
use super::*;
use crate::common::http::call;
use beckon_support::notifications::Shown;
use beckon_support::relay::Relay;
use serde_json::json;

/// Two Beckons that know each other; one of them reaches the hub over a wire that the test holds.
struct Parted {
    wire: Relay,
    owner: Beckon,
    other: Beckon,
    _hub: Nats,
}

impl Parted {
    async fn of_owner() -> Self {
        Self::with([true, false]).await
    }

    async fn of_other() -> Self {
        Self::with([false, true]).await
    }

    async fn with(behind_wire: [bool; 2]) -> Self {
        let hub = Nats::start(Version::V2_10_26);
        let (wire, devices) = (Relay::to_port(hub.port()), listing(&hub, &[0, 1]).await);
        let wired = format!("nats://127.0.0.1:{}", wire.port());
        let [owner, other] = [0, 1].map(|device| {
            let url = if behind_wire[device] {
                wired.clone()
            } else {
                hub.url()
            };
            builder_at(&url, device, &devices, ALONE).build()
        });
        for beckon in [&owner, &other] {
            beckon.start();
            connected(beckon).await;
        }
        Self {
            wire,
            owner,
            other,
            _hub: hub,
        }
    }

    /// Checks that both have the answer that was first, and that the later one was refused with a
    /// reason.
    async fn ended_with(&self, late: &Value, choice: &str) {
        for beckon in [&self.owner, &self.other] {
            nothing_open(beckon).await;
        }
        let verdict = answer(&self.other, late, "2").await;
        assert_eq!(verdict["state"], "already answered", "{verdict}");
        assert_eq!(verdict["by"], "elsewhere", "{verdict}");
        let (_, page) = call(&self.other, reqwest::Method::GET, "/history", &Value::Null).await;
        let known = &page["entries"][0];
        assert_eq!(known["answer"], json!([[choice]]), "{known}");
        assert_eq!(known["responder"]["vouched"], "device", "{known}");
        for beckon in [&self.owner, &self.other] {
            eventually(
                "nothing is amiss, and nothing was refused",
                2 * SOON,
                async || (beckon.status().await["warnings"] == json!([])).then_some(()),
            )
            .await;
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_machine_without_the_hub_has_delivered_stands_and_whoever_answered_meanwhile_is_told()
 {
    let parted = Parted::of_owner().await;
    let asker = ask(&parted.owner, "Which side?");
    let (here, there) = (one_open(&parted.owner).await, one_open(&parted.other).await);
    parted.wire.hold();
    assert_eq!(
        answer(&parted.owner, &here["id"], "1").await["state"],
        "taken"
    );
    assert_eq!(said(asker).await, "Left\n");
    let given = answer(&parted.other, &there["id"], "2").await;
    assert_eq!(given["state"], "sent", "nobody knows better yet: {given}");
    parted.wire.mend();
    parted.ended_with(&there["id"], "Left").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_that_was_delivered_while_the_wire_was_cut_stands() {
    let parted = Parted::of_owner().await;
    let asker = ask(&parted.owner, "Which side?");
    let (here, there) = (one_open(&parted.owner).await, one_open(&parted.other).await);
    parted.wire.cut();
    warned(&parted.owner, "hub").await;
    let given = answer(&parted.other, &there["id"], "2").await;
    assert_eq!(given["state"], "sent", "{given}");
    assert_eq!(
        answer(&parted.owner, &here["id"], "1").await["state"],
        "taken"
    );
    assert_eq!(said(asker).await, "Left\n");
    parted.wire.mend();
    parted.ended_with(&there["id"], "Left").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_that_was_held_on_its_way_comes_too_late_and_is_told_so() {
    let parted = Parted::of_other().await;
    let asker = ask(&parted.owner, "Which side?");
    let (here, there) = (one_open(&parted.owner).await, one_open(&parted.other).await);
    parted.wire.hold();
    let given = answer(&parted.other, &there["id"], "2").await;
    assert_ne!(given["state"], "taken", "{given}");
    assert_eq!(
        answer(&parted.owner, &here["id"], "1").await["state"],
        "taken"
    );
    assert_eq!(said(asker).await, "Left\n");
    parted.wire.mend();
    parted.ended_with(&there["id"], "Left").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_waits_for_an_owner_that_is_cut_off_and_is_delivered_once() {
    let parted = Parted::of_owner().await;
    let asker = ask(&parted.owner, "Which side?");
    let there = one_open(&parted.other).await;
    parted.wire.cut();
    warned(&parted.owner, "hub").await;
    assert_eq!(
        answer(&parted.other, &there["id"], "2").await["state"],
        "sent"
    );
    parted.wire.mend();
    assert_eq!(said(asker).await, "Right\n");
    for beckon in [&parted.owner, &parted.other] {
        nothing_open(beckon).await;
    }
    let again = answer(&parted.other, &there["id"], "1").await;
    assert_eq!(again["state"], "already answered", "{again}");
    assert_eq!(again["by"], "cli", "it was theirs: {again}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_press_that_was_held_on_its_way_comes_back_to_whoever_sits_there() {
    let hub = Nats::start(Version::V2_10_26);
    let (wire, devices) = (Relay::to_port(hub.port()), listing(&hub, &[0, 1]).await);
    let owner = builder_at(&hub.url(), 0, &devices, ALONE).build();
    let wired = format!("nats://127.0.0.1:{}", wire.port());
    let there = Machine::around(builder_at(&wired, 1, &devices, ALONE));
    for beckon in [&owner, &there.beckon] {
        beckon.start();
        connected(beckon).await;
    }
    there.sits(true);
    let asker = ask(&owner, "Which side?");
    let here = one_open(&owner).await;
    let is_it = |shown: &Shown| shown.body.contains("Which side?");
    let card = there.notifications.wait_for(is_it, SOON).await;
    wire.hold();
    there
        .notifications
        .press(card.id, card.action("Right").unwrap());
    eventually("it is on its way", SOON, async || {
        (there.beckon.list().await.first()?["state"] == "answering").then_some(())
    })
    .await;
    assert_eq!(answer(&owner, &here["id"], "1").await["state"], "taken");
    assert_eq!(said(asker).await, "Left\n");
    wire.mend();
    let late = |shown: &Shown| shown.summary.starts_with("Too late: ");
    let late = there.notifications.wait_for(late, 2 * SOON).await;
    assert!(late.body.contains("Your answer was: “Right”"), "{late:?}");
    assert!(late.body.starts_with("Already answered by "), "{late:?}");
}
