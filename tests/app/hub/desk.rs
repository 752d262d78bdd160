//! Tests of who belongs to a desk: the newest list that its admin has signed counts wherever it is
//! shown, and no older one.

use super::serving::{Serving, joined, machine};
use super::*;
use std::time::Instant;

/// The login of the first device, as nats-server's own tools write it.
const LOGIN: &str = "SUANQYR6J6C4QT6OG5V6SLOLHJN4T7TNTC6UTVRFE5FU64BAOBNJXZ4AYA";
const DESK: &str = "bk.desk.own";

/// Returns the signed list of the desk, as the admin's hub shows it.
async fn signed(serving: &Serving) -> Vec<u8> {
    let url = format!("nats://127.0.0.1:{}", serving.port);
    let public = nkeys::KeyPair::from_seed(LOGIN).unwrap().public_key();
    // While the server takes a new list, it refuses every connection.
    let client = eventually("the admin is let in", SOON, async || {
        let options = async_nats::ConnectOptions::with_nkey(LOGIN.to_owned());
        let options = options.custom_inbox_prefix(format!("_INBOX_{public}"));
        options.connect(&url).await.ok()
    })
    .await;
    let stream = async_nats::jetstream::new(client)
        .get_stream("BK_DESK")
        .await
        .unwrap();
    stream
        .get_last_raw_message_by_subject(DESK)
        .await
        .unwrap()
        .payload
        .to_vec()
}

/// Returns the signed lists with a second device, and without it.
async fn two_lists() -> [Vec<u8>; 2] {
    let (admin, other) = (machine(0, Version::V2_10_26), machine(1, Version::V2_10_26));
    let serving = Serving::start(&admin, &[]);
    joined(&other, &serving.code().await, "tower").await;
    let with = signed(&serving).await;
    let removed = admin.command(&["hub", "people", "--remove", "tower"]).await;
    assert_eq!(removed.status, Some(0), "{removed:?}");
    [with, signed(&serving).await]
}

/// Prepares that device's Beckon at a server that lets everybody in, for the desk that `admin`
/// administers.
fn believer(hub: &Nats, device: usize, admin: &str) -> Beckon {
    let config = format!(
        "opencode = []\n[hub]\nurl = \"{}\"\nadmin = \"{admin}\"\n",
        hub.url()
    );
    let builder = Beckon::builder(env!("CARGO_BIN_EXE_beckon")).config(&config);
    builder.env("BECKON_HUB_KEY", SEEDS[device]).build()
}

/// Waits until the Beckon has got this many lists.
async fn has_heard(beckon: &Beckon, lists: usize) {
    eventually("it hears who belongs to the desk", SOON, async || {
        let heard = log(beckon)
            .matches("who belongs to the desk has changed")
            .count();
        (heard == lists).then_some(())
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_removed_device_is_refused_within_a_second_also_where_the_server_lets_it_in() {
    let [with, without] = two_lists().await;
    let hub = Nats::start(Version::V2_10_26);
    let admin = public_key(&hub, 0).await;
    let (owner, other) = (believer(&hub, 0, &admin), believer(&hub, 1, &admin));
    for beckon in [&owner, &other] {
        beckon.start();
        connected(beckon).await;
    }
    let client = async_nats::connect(hub.url()).await.unwrap();
    client.publish(DESK, with.clone().into()).await.unwrap();
    client.flush().await.unwrap();
    has_heard(&owner, 1).await;
    let asker = ask(&owner, "Still you?");
    let shown = one_open(&other).await;
    let began = Instant::now();
    client.publish(DESK, without.into()).await.unwrap();
    client.flush().await.unwrap();
    has_heard(&owner, 2).await;
    let took = began.elapsed();
    assert!(took < Duration::from_secs(1), "{took:?}");
    let refused = async || {
        let answer = ["answer", shown["id"].as_str().unwrap(), "--choice", "1"];
        let output = other.command(&answer).await;
        assert_ne!(output.status, Some(0), "{output:?}");
        assert_eq!(one_open(&owner).await["state"], "open");
    };
    refused().await;
    // A hub that shows an older list brings no device back, not even for a Beckon that has just
    // started.
    owner.kill9();
    client.publish(DESK, with.into()).await.unwrap();
    client.flush().await.unwrap();
    owner.start();
    eventually("it is connected again", SOON, async || {
        (log(&owner).matches("state=Connected").count() == 2).then_some(())
    })
    .await;
    eventually("it is asked anew there", SOON, async || {
        (one_open(&other).await["state"] == "open").then_some(())
    })
    .await;
    refused().await;
    assert_eq!(
        answer(&owner, &one_open(&owner).await["id"], "2").await["state"],
        "taken"
    );
    assert_eq!(said(asker).await, "Right\n");
}

#[tokio::test(flavor = "multi_thread")]
async fn commands_go_by_the_newest_list_that_is_known_and_say_that_the_server_shows_an_older_one() {
    let [with, without] = two_lists().await;
    let hub = Nats::start(Version::V2_10_26);
    let admin = public_key(&hub, 0).await;
    let other = believer(&hub, 2, &admin);
    other.start();
    connected(&other).await;
    let client = async_nats::connect(hub.url()).await.unwrap();
    let publish = async |list: Vec<u8>| {
        client.publish(DESK, list.into()).await.unwrap();
        client.flush().await.unwrap();
    };
    publish(without).await;
    has_heard(&other, 1).await;
    let newest = other.command(&["hub", "people", "--json"]).await;
    assert_eq!(
        (newest.json().as_array().unwrap().len(), &*newest.stderr),
        (1, "")
    );

    publish(with).await;
    let older = "The hub shows an older list of its devices";
    let listed = other.command(&["hub", "people", "--json"]).await;
    assert_eq!(listed.json(), newest.json(), "nobody is back");
    assert!(listed.stderr.contains(older), "{listed:?}");
    for words in [
        vec!["hub", "routes"],
        vec!["audit", "--hub", "--since", "1d"],
    ] {
        let output = other.command(&words).await;
        assert_eq!(output.status, Some(0), "{output:?}");
        assert!(output.stderr.contains(older), "{output:?}");
    }
    let looked_at = other.command(&["hub", "doctor"]).await;
    assert_eq!(looked_at.status, Some(1), "{looked_at:?}");
    assert!(looked_at.stdout.contains(older), "{looked_at:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_machine_that_goes_to_another_hub_keeps_nothing_of_the_former_one() {
    let hubs = [
        Nats::start(Version::V2_10_26),
        Nats::start(Version::V2_10_26),
    ];
    let devices = listing(&hubs[0], &[0, 1, 2]).await;
    let owners = [member(&hubs[0], 0, &devices), member(&hubs[1], 2, &devices)];
    let moving = member(&hubs[0], 1, &devices);
    for beckon in owners.iter().chain([&moving]) {
        beckon.start();
        connected(beckon).await;
    }
    let _asked = [ask(&owners[0], "Of one?"), ask(&owners[1], "Of two?")];
    let settings = super::serving::config(&moving);
    for (at, question) in [
        (0, "Of one?"),
        (1, "Of two?"),
        (0, "Of one?"),
        (1, "Of two?"),
    ] {
        moving.write_config(&settings.replace(&hubs[0].url(), &hubs[at].url()));
        eventually("what that hub's asks, and no other's", SOON, async || {
            let only = <[Value; 1]>::try_from(moving.list().await)
                .ok()
                .map(|[only]| only)?;
            (only["questions"][0]["question"] == question).then_some(())
        })
        .await;
        assert_eq!(moving.status().await["warnings"], serde_json::json!([]));
    }
}
