//! Tests of what is refused: answers and asks that no listed device has signed, and streams with
//! other rules.

use super::*;
use futures_util::StreamExt;
use serde_json::json;

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_of_a_device_that_is_not_listed_is_refused_and_the_ask_stays_open() {
    let hub = Nats::start(Version::V2_10_26);
    let devices = listing(&hub, &[0, 1]).await;
    let (owner, stranger) = (member(&hub, 0, &devices), member(&hub, 2, &devices));
    for beckon in [&owner, &stranger] {
        beckon.start();
        connected(beckon).await;
    }
    let asker = ask(&owner, "May I?");
    let shown = one_open(&stranger).await;
    let id = shown["id"].as_str().unwrap();
    let refused = stranger.command(&["answer", id, "--choice", "1"]).await;
    assert_eq!(refused.status, Some(1), "{refused:?}");
    assert!(
        refused.stderr.contains("doesn't list this device"),
        "{refused:?}"
    );
    warned(&owner, "1 not signed by a listed device").await;
    let own = one_open(&owner).await;
    assert_eq!(own["state"], "open", "{own}");
    eventually("it is asked anew there", SOON, async || {
        (one_open(&stranger).await["state"] == "open").then_some(())
    })
    .await;
    assert_eq!(answer(&owner, &own["id"], "2").await["state"], "taken");
    assert_eq!(said(asker).await, "Right\n");
    nothing_open(&stranger).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_stranger_publishes_is_refused_and_the_ask_stays_answerable() {
    let hub = Nats::start(Version::V2_10_26);
    let (owner, other) = two(&hub).await;
    let asker = ask(&owner, "Really?");
    one_open(&other).await;
    let client = async_nats::connect(hub.url()).await.unwrap();
    let mut answers = client.subscribe("bk.answer.>").await.unwrap();
    let stream = async_nats::jetstream::new(client.clone());
    let asks = stream.get_stream("BK_ASKS").await.unwrap();
    let subjects = asks.info_with_subjects("bk.ask.>").await.unwrap();
    let subjects: Vec<String> = subjects.map(|it| it.unwrap().0).collect().await;
    let subject = format!("{}.1", subjects[0].replace("bk.ask.", "bk.answer."));
    client
        .publish(subject, "not even JSON".into())
        .await
        .unwrap();
    client.flush().await.unwrap();
    assert_eq!(answers.next().await.unwrap().payload, "not even JSON");
    warned(&owner, "1 unreadable").await;
    let shown = one_open(&other).await;
    assert_eq!(answer(&other, &shown["id"], "2").await["state"], "taken");
    assert_eq!(said(asker).await, "Right\n");
    nothing_open(&owner).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stream_with_other_rules_is_not_used_and_said() {
    let hub = Nats::start(Version::V2_10_26);
    let client = async_nats::connect(hub.url()).await.unwrap();
    let answers = async_nats::jetstream::stream::Config {
        name: "BK_ANSWERS".into(),
        subjects: vec!["bk.answer.>".into()],
        ..Default::default()
    };
    async_nats::jetstream::new(client)
        .create_stream(answers)
        .await
        .unwrap();
    let beckon = member(&hub, 0, "");
    beckon.start();
    beckon.wait_ready().await;
    warned(&beckon, "BK_ANSWERS").await;
}

async fn subjects(stream: &async_nats::jetstream::stream::Stream, of: &str) -> Vec<String> {
    let subjects = stream.info_with_subjects(of).await.unwrap();
    subjects.map(|it| it.unwrap().0).collect().await
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_strange_machine_asks_is_shown_nowhere_and_counted() {
    let hub = Nats::start(Version::V2_10_26);
    let (stranger, own) = (
        member(&hub, 2, ""),
        member(&hub, 0, &listing(&hub, &[1]).await),
    );
    for beckon in [&stranger, &own] {
        beckon.start();
        connected(beckon).await;
    }
    let _asker = ask(&stranger, "Shall I?");
    one_open(&stranger).await;
    // The two records are the stranger's presence and its ask.
    warned(&own, "2 records on the hub").await;
    nothing_open(&own).await;
    let sources = own.status().await["sources"].to_string();
    assert!(!sources.contains("hub:"), "{sources}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_record_that_is_copied_or_altered_is_not_shown() {
    let hub = Nats::start(Version::V2_10_26);
    let (owner, other) = two(&hub).await;
    let _asker = ask(&owner, "Once?");
    let shown = one_open(&other).await;
    let client = async_nats::connect(hub.url()).await.unwrap();
    let jetstream = async_nats::jetstream::new(client.clone());
    let asks = jetstream.get_stream("BK_ASKS").await.unwrap();
    let subject = subjects(&asks, "bk.ask.>").await.remove(0);
    let signed = asks
        .get_last_raw_message_by_subject(&subject)
        .await
        .unwrap()
        .payload;
    // The copies are another ask of the same machine, the same ask with another text, and the ask
    // as it was before.
    client
        .publish(format!("{subject}7"), signed.clone())
        .await
        .unwrap();
    let text = String::from_utf8(signed.to_vec()).unwrap();
    let plain = text.split_once('\n').unwrap().1.to_owned();
    client
        .publish(format!("{subject}8"), plain.into())
        .await
        .unwrap();
    client
        .publish(subject, text.replace("Once?", "Twice?").into())
        .await
        .unwrap();
    client.flush().await.unwrap();
    warned(&other, "2 records on the hub").await;
    warned(&other, "1 unreadable").await;
    assert_eq!(one_open(&other).await["id"], shown["id"]);
    assert_eq!(one_open(&other).await["questions"][0]["question"], "Once?");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_device_without_a_key_sees_and_says_that_it_can_not_be_heard() {
    let hub = Nats::start(Version::V2_10_26);
    let devices = listing(&hub, &[0]).await;
    let owner = member(&hub, 0, &devices);
    let url = hub.url();
    let config = format!("opencode = []\n[hub]\nurl = \"{url}\"\ndevices = {{ {devices} }}\n");
    let mute = Beckon::builder(env!("CARGO_BIN_EXE_beckon"))
        .config(&config)
        .build();
    for beckon in [&owner, &mute] {
        beckon.start();
        connected(beckon).await;
    }
    let _asker = ask(&owner, "Heard?");
    one_open(&mute).await;
    warned(&mute, "beckon hub key").await;
    assert_eq!(owner.status().await["warnings"], json!([]));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_beginning_of_a_too_large_ask_is_shown_and_the_hub_stays_connected() {
    let hub = Nats::start(Version::V2_10_26);
    let (owner, other) = two(&hub).await;
    // Every quotation mark takes many more characters when a text is written into a text.
    let _asker = ask(&owner, &"\"".repeat(20_000));
    let shown = one_open(&other).await;
    assert!(shown["unknown"].is_string(), "{shown}");
    let _next = ask(&owner, "And this?");
    eventually("the next one is shown as well", SOON, async || {
        (other.list().await.len() == 2).then_some(())
    })
    .await;
    assert_eq!(owner.status().await["warnings"], json!([]));
}
