//! Tests of what is on the hub for long: it expires there, a stream of an earlier Beckon gets an
//! expiry, and nobody reads what is over.

use super::crowd::{self, Device};
use super::*;
use async_nats::jetstream::stream::{Config, DiscardPolicy};
use beckon_core::hub::{ANSWER_LIVES, AnswerSubject};
use futures_util::StreamExt;
use serde_json::json;

async fn jetstream(hub: &Nats) -> async_nats::jetstream::Context {
    async_nats::jetstream::new(async_nats::connect(hub.url()).await.unwrap())
}

/// Returns the stream's configuration by an earlier Beckon, which kept answers for ever.
fn unbounded() -> Config {
    Config {
        name: "BK_ANSWERS".into(),
        subjects: vec!["bk.answer.>".into()],
        max_messages_per_subject: 1,
        discard: DiscardPolicy::New,
        discard_new_per_subject: true,
        deny_delete: true,
        deny_purge: true,
        max_messages: -1,
        max_bytes: -1,
        max_consumers: -1,
        max_message_size: 64 * 1024,
        num_replicas: 1,
        ..Config::default()
    }
}

async fn bounded_anew(version: Version) {
    let hub = Nats::start(version);
    let jetstream = jetstream(&hub).await;
    jetstream.create_stream(unbounded()).await.unwrap();
    let kept = jetstream
        .publish("bk.answer.own.Ab3d.1.1", "of then".into())
        .await
        .unwrap();
    kept.await.unwrap();
    let (owner, other) = two(&hub).await;
    eventually("answers have an end", SOON, async || {
        let stream = jetstream.get_stream("BK_ANSWERS").await.ok()?;
        let info = stream.cached_info();
        let age = i64::try_from(info.config.max_age.as_millis()).unwrap();
        let rules = info.config.discard_new_per_subject && info.config.deny_purge;
        (age == ANSWER_LIVES.0 && rules && info.state.messages == 1).then_some(())
    })
    .await;
    let second = jetstream
        .publish("bk.answer.own.Ab3d.1.1", "of now".into())
        .await
        .unwrap();
    assert!(second.await.is_err(), "the first one stays");
    let asker = ask(&owner, "And now?");
    assert_eq!(
        answer(&other, &one_open(&other).await["id"], "2").await["state"],
        "taken"
    );
    assert_eq!(said(asker).await, "Right\n");
    assert_eq!(owner.status().await["warnings"], json!([]));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stream_without_an_expiry_gets_one_and_loses_no_answer() {
    bounded_anew(Version::V2_10_26).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stream_without_an_expiry_gets_one_at_the_server_of_debian() {
    bounded_anew(Version::V2_9_10).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stream_without_an_expiry_gets_one_at_a_new_server() {
    bounded_anew(Version::V2_15_1).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stream_that_may_not_be_changed_is_used_as_it_is() {
    let may = "publish: { allow: [\">\"], deny: [\"$JS.API.STREAM.UPDATE.>\"] }";
    let user = format!("{{ user: any, password: any, permissions: {{ {may} }} }}");
    let users = format!("authorization {{ users: [{user}] }}\nno_auth_user: any\n");
    let hub = Nats::configured(Version::V2_10_26, &users);
    let jetstream = jetstream(&hub).await;
    jetstream.create_stream(unbounded()).await.unwrap();
    let (owner, other) = two(&hub).await;
    let asker = ask(&owner, "As it is?");
    assert_eq!(
        answer(&other, &one_open(&other).await["id"], "2").await["state"],
        "taken"
    );
    assert_eq!(said(asker).await, "Right\n");
    for beckon in [&owner, &other] {
        assert_eq!(beckon.status().await["warnings"], json!([]));
        assert_eq!(log(beckon).matches("state=Connected").count(), 1);
    }
}

/// Returns how many answers that owner's consumer has got since it listens.
async fn handed_out(hub: &Nats, node: &str) -> Option<u64> {
    let stream = jetstream(hub).await.get_stream("BK_ANSWERS").await.ok()?;
    let consumers: Vec<_> = stream.consumers().collect().await;
    let mut consumers = consumers.into_iter().filter_map(Result::ok);
    let own = consumers.find(|consumer| consumer.config.filter_subject.contains(node))?;
    Some(own.delivered.consumer_sequence)
}

#[tokio::test(flavor = "multi_thread")]
async fn an_owner_that_is_back_takes_what_waits_for_it_and_reads_nothing_that_is_over() {
    let hub = Nats::start(Version::V2_10_26);
    let owner = member(&hub, 0, &crowd::listed([101]));
    owner.start();
    connected(&owner).await;
    let device = Device::connect(&hub, 101).await;
    let mut asked = crowd::Listener::begin(&hub).await;
    let asker = ask(&owner, "Still wanted?");
    let open = asked.next_open().await;
    owner.terminate();
    // The answers are for asks that ended long ago, and for asks that do not exist yet.
    let node = open.to.ask.node.clone();
    for serial in 1_000..1_300 {
        let mut ask = open.to.ask.clone();
        ask.serial = serial;
        let subject = AnswerSubject { ask, round: 1 }.subject();
        assert!(crowd::publish(&device.client, subject, "over".into()).await);
    }
    assert!(device.answers(&open, 1).await);
    owner.start();
    assert_eq!(said(asker).await, "Right\n");
    nothing_open(&owner).await;
    assert_eq!(
        handed_out(&hub, &node).await,
        Some(0),
        "it was looked up, and nothing else read"
    );
    assert_eq!(owner.status().await["warnings"], json!([]));
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_comes_later_knows_how_long_it_has_waited() {
    for version in [Version::V2_9_10, Version::V2_15_1] {
        let hub = Nats::start(version);
        let devices = listing(&hub, &[0, 1]).await;
        let (owner, other) = (member(&hub, 0, &devices), member(&hub, 1, &devices));
        owner.start();
        connected(&owner).await;
        let _asker = ask(&owner, "How long?");
        let asked_at = one_open(&owner).await["asked_at"].as_i64().unwrap();
        eventually("it has waited for a while", SOON, async || {
            let now = std::time::SystemTime::now()
                .duration_since(std::time::UNIX_EPOCH)
                .unwrap();
            (i64::try_from(now.as_millis()).unwrap() - asked_at > 4_000).then_some(())
        })
        .await;
        other.start();
        connected(&other).await;
        let known = async || one_open(&other).await["asked_at"].as_i64().unwrap() - asked_at;
        assert!(
            known().await.abs() < 1_000,
            "{version:?}: {} ms",
            known().await
        );
        // The owner keeps the time over a crash, too.
        owner.kill9();
        owner.start();
        connected(&owner).await;
        assert_eq!(one_open(&owner).await["asked_at"], asked_at, "{version:?}");
        other.kill9();
        other.start();
        other.wait_ready().await;
        assert!(
            known().await.abs() < 1_000,
            "{version:?}: {} ms",
            known().await
        );
    }
}
