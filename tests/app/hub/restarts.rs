//! Tests of an owner that dies after an answer has arrived over the hub, and before it is delivered
//! to the agent.

use super::*;
use crate::common::{DIRECTORY, SESSION};
use beckon_support::replay::{Kind, OnReply, Replay, question};
use serde_json::json;

/// An agent's server, its owner, and another machine.
struct Delivery {
    agent: Replay,
    owner: Beckon,
    other: Beckon,
    _hub: Nats,
}

impl Delivery {
    async fn start(then: OnReply) -> Self {
        let (hub, agent) = (Nats::start(Version::V2_10_26), Replay::start());
        agent.session(SESSION, DIRECTORY, "A session");
        agent.on_reply(then);
        let devices = listing(&hub, &[0, 1]).await;
        let watching = format!(
            "[[opencode]]\nname = \"agent\"\nurl = \"{}\"\n",
            agent.url()
        );
        let owner = builder(&hub, 0, &devices, &watching).build();
        let other = member(&hub, 1, &devices);
        for beckon in [&owner, &other] {
            beckon.start();
            connected(beckon).await;
        }
        let asked = question("que_1", SESSION, "Which way?", &["Left", "Right"]);
        agent.ask(Kind::Question, DIRECTORY, asked).await;
        Self {
            agent,
            owner,
            other,
            _hub: hub,
        }
    }

    /// Answers at the other machine, and kills the owner once its agent has got the answer; returns
    /// the ask's id.
    async fn answered_and_died(&self) -> Value {
        let shown = one_open(&self.other).await;
        let id = shown["id"].as_str().unwrap().to_owned();
        let words = ["answer", &id, "--choice", "2", "--json"];
        let (_, _) = tokio::join!(self.other.command(&words), async {
            self.agent.wait_replies(1, SOON).await;
            self.owner.kill9();
        });
        shown["id"].clone()
    }

    /// Checks that the ask is over at both, and that its agent got no other answer.
    async fn over_with_right(&self) {
        self.owner.wait_ready().await;
        for beckon in [&self.owner, &self.other] {
            nothing_open(beckon).await;
        }
        let replies = self.agent.replies();
        assert!(
            replies
                .iter()
                .all(|reply| reply.body["answers"] == json!([["Right"]]))
        );
    }

    /// Checks that a later answer is told that the earlier one was the human's own.
    async fn ended_with_right(&self, id: &Value) {
        self.over_with_right().await;
        let late = answer(&self.other, id, "1").await;
        assert_eq!(late["state"], "already answered", "{late}");
        assert_eq!(late["by"], "cli", "it was theirs: {late}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_had_not_reached_its_agent_is_delivered_after_the_restart() {
    let delivery = Delivery::start(OnReply::Hang).await;
    let id = delivery.answered_and_died().await;
    delivery.agent.on_reply(OnReply::Confirm);
    delivery.owner.start();
    delivery.agent.wait_replies(2, SOON).await;
    delivery.ended_with_right(&id).await;
    assert_eq!(
        delivery.agent.replies().len(),
        2,
        "once before, and once after"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn what_had_reached_it_is_not_delivered_again() {
    let delivery = Delivery::start(OnReply::ConfirmAndHang).await;
    delivery.answered_and_died().await;
    delivery.owner.start();
    connected(&delivery.owner).await;
    // The agent may not say who answered it.
    delivery.over_with_right().await;
    assert_eq!(delivery.agent.replies().len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_came_while_it_was_dead_is_taken_after_what_was_under_way() {
    let delivery = Delivery::start(OnReply::Hang).await;
    let id = delivery.answered_and_died().await;
    // No other answer comes between: the round already has one.
    let again = answer(&delivery.other, &id, "1").await;
    assert_ne!(again["state"], "taken", "{again}");
    delivery.agent.on_reply(OnReply::Confirm);
    delivery.owner.start();
    delivery.agent.wait_replies(2, SOON).await;
    delivery.ended_with_right(&id).await;
}
