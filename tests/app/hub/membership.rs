//! Tests of a machine that joins and leaves a hub by the local API, as the settings window does:
//! with the same effect as the commands, and never half done.

use super::serving::{Serving, config, devices, invite, machine};
use super::*;
use crate::common::http::call;
use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD as BASE64;
use beckon_support::relay::Relay;
use reqwest::Method;
use serde_json::json;
use sha2::{Digest, Sha256};

const VERSION: Version = Version::V2_10_26;

async fn post(beckon: &Beckon, path: &str, body: &Value) -> (u16, Value) {
    call(beckon, Method::POST, path, body).await
}

async fn join(beckon: &Beckon, code: &str) -> (u16, Value) {
    post(beckon, "/hub/join", &json!({ "code": code })).await
}

async fn view(beckon: &Beckon) -> Value {
    call(beckon, Method::GET, "/hub", &Value::Null).await.1
}

async fn running(device: usize) -> Beckon {
    let beckon = machine(device, VERSION);
    beckon.start();
    beckon.wait_ready().await;
    beckon
}

#[tokio::test(flavor = "multi_thread")]
async fn a_machine_joins_by_the_page_and_leaves_by_it() {
    let admin = machine(0, VERSION);
    let serving = Serving::start(&admin, &[]);
    let other = running(1).await;
    let before = config(&other);
    let (status, joined) = join(&other, &format!("beckon hub join {}", serving.code().await)).await;
    assert_eq!(status, 200, "{joined}");
    let listed = devices(&admin).await;
    let listed = listed
        .iter()
        .find(|it| it["device"] == joined["device"])
        .unwrap();
    assert_eq!(
        (&joined["person"], listed["person"].is_string()),
        (&listed["person"], true)
    );
    connected(&other).await;
    let seen = view(&other).await;
    let own = seen["devices"]
        .as_array()
        .unwrap()
        .iter()
        .find(|it| it["this"] == true);
    assert_eq!(
        own.map(|own| &own["name"]),
        Some(&joined["device"]),
        "{seen}"
    );
    let served = seen["devices"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|it| it["admin"] == true);
    assert_eq!(
        (served.count(), &seen["built"]),
        (1, &json!(true)),
        "{seen}"
    );
    let (status, left) = post(&other, "/hub/leave", &Value::Null).await;
    assert_eq!((status, &left["url"]), (200, &joined["url"]), "{left}");
    assert_eq!(
        (&left["untold"], &left["serves"]),
        (&Value::Null, &json!(false)),
        "{left}"
    );
    assert_eq!(config(&other), before);
    assert_eq!(view(&other).await["state"], "off");
    assert_eq!(devices(&admin).await.len(), 1);
    let (status, refused) = post(&other, "/hub/leave", &Value::Null).await;
    assert_eq!(status, 409, "{refused}");
    // The machine comes back by another code.
    assert_eq!(join(&other, &invite(&admin).await).await.0, 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn why_a_code_is_not_taken_is_said_and_the_settings_are_as_they_were() {
    let (admin, second) = (machine(0, VERSION), machine(1, VERSION));
    let serving = Serving::start(&admin, &[]);
    let (used, other) = (serving.code().await, running(2).await);
    serving::joined(&second, &used, "tower").await;
    let before = config(&other);
    let refused = async |code: &str, status: u16, why: &str| {
        let (said, problem) = join(&other, code).await;
        assert_eq!(said, status, "{problem}");
        assert!(
            problem["message"].as_str().unwrap().contains(why),
            "{problem}"
        );
        assert_eq!(config(&other), before);
    };
    refused("bkj1-AAAA", 400, "isn't a code").await;
    refused(&used, 409, "already been used by another device").await;
    let fresh = invite(&admin).await;
    drop(serving);
    refused(&fresh, 502, "isn't reachable").await;
    let again = Serving::start(&admin, &["--address", "127.0.0.1"]);
    assert_eq!(join(&other, &again.code().await).await.0, 200);
    let (status, problem) = join(&other, &used).await;
    assert_eq!(status, 409, "{problem}");
    assert!(
        problem["message"]
            .as_str()
            .unwrap()
            .contains("is on another hub"),
        "{problem}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn where_the_certificate_cannot_be_kept_the_hub_has_nobody_more() {
    let admin = machine(0, VERSION);
    let serving = Serving::start(&admin, &["--tls"]);
    let other = running(1).await;
    let (before, folder) = (config(&other), other.home().join("hub"));
    std::fs::write(&folder, "not a folder").unwrap();
    let (status, problem) = join(&other, &serving.code().await).await;
    assert_eq!(
        (status, &problem["code"]),
        (500, &json!("file")),
        "{problem}"
    );
    assert_eq!(config(&other), before);
    assert_eq!(devices(&admin).await.len(), 1);
    assert_eq!(view(&other).await["state"], "off");
    std::fs::remove_file(&folder).unwrap();
    let (status, joined) = join(&other, &invite(&admin).await).await;
    assert_eq!(status, 200, "{joined}");
    connected(&other).await;
}

/// Returns the same code with another address of the hub.
fn by_way_of(code: &str, port: u16, other: u16) -> String {
    let bytes = BASE64.decode(code.strip_prefix("bkj1-").unwrap()).unwrap();
    let (bytes, _) = bytes.split_at(bytes.len() - 4);
    let url = format!("nats://127.0.0.1:{port}");
    let mut bytes = bytes.strip_suffix(url.as_bytes()).unwrap().to_vec();
    bytes.extend(format!("nats://127.0.0.1:{other}").bytes());
    let sum = Sha256::digest(&bytes);
    bytes.extend(&sum[..4]);
    format!("bkj1-{}", BASE64.encode(bytes))
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_does_not_hear_that_it_has_joined_is_off_again_and_may_try_again_by_the_same_code()
{
    let admin = machine(0, VERSION);
    let serving = Serving::start(&admin, &[]);
    let other = running(1).await;
    let (before, wire) = (config(&other), Relay::to_port(serving.port));
    let code = by_way_of(&serving.code().await, serving.port, wire.port());
    wire.mute_after("PUB bk.enrol.");
    let (status, problem) = join(&other, &code).await;
    assert_eq!(
        (status, &problem["code"]),
        (502, &json!("network")),
        "{problem}"
    );
    assert!(
        problem["message"].as_str().unwrap().contains("no answer"),
        "{problem}"
    );
    assert_eq!(config(&other), before);
    assert_eq!(devices(&admin).await.len(), 1, "it was taken back");
    wire.mend();
    assert_eq!(join(&other, &code).await.0, 200);
    connected(&other).await;
    assert_eq!(devices(&admin).await.len(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn where_nobody_knows_whether_the_hub_lists_it_that_is_said_and_the_same_code_mends_it() {
    let admin = machine(0, VERSION);
    let serving = Serving::start(&admin, &[]);
    let other = running(1).await;
    let (before, wire) = (config(&other), Relay::to_port(serving.port));
    let code = by_way_of(&serving.code().await, serving.port, wire.port());
    wire.mute_after("PUB ");
    let (status, problem) = join(&other, &code).await;
    assert_eq!(
        (status, &problem["code"]),
        (502, &json!("network")),
        "{problem}"
    );
    assert!(
        problem["message"]
            .as_str()
            .unwrap()
            .contains("may list this machine"),
        "{problem}"
    );
    assert_eq!(config(&other), before);
    assert_eq!(devices(&admin).await.len(), 2, "it does");
    wire.mend();
    assert_eq!(join(&other, &code).await.0, 200);
    connected(&other).await;
    assert_eq!(devices(&admin).await.len(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_machine_leaves_behind_that_has_gone_is_no_strangers_also_to_whoever_comes_later() {
    let admin = machine(0, VERSION);
    let serving = Serving::start(&admin, &[]);
    let code = serving.code().await;
    admin.start();
    connected(&admin).await;
    let other = running(1).await;
    assert_eq!(join(&other, &code).await.0, 200);
    connected(&other).await;
    let _asker = ask(&other, "And then?");
    one_open(&admin).await;
    assert_eq!(post(&other, "/hub/leave", &Value::Null).await.0, 200);
    nothing_open(&admin).await;
    admin.kill9();
    admin.start();
    let third = running(2).await;
    assert_eq!(join(&third, &invite(&admin).await).await.0, 200);
    for beckon in [&admin, &third] {
        connected(beckon).await;
        nothing_open(beckon).await;
        assert_eq!(beckon.status().await["warnings"], json!([]));
        assert!(
            !log(beckon).contains("a record on the hub is refused"),
            "{}",
            log(beckon)
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_its_human_has_set_stays_when_a_machine_leaves() {
    let admin = machine(0, VERSION);
    let serving = Serving::start(&admin, &[]);
    let other = running(1).await;
    assert_eq!(join(&other, &serving.code().await).await.0, 200);
    let withheld = json!({ "key": "hub.share_presence", "value": false });
    assert_eq!(
        call(&other, Method::PATCH, "/settings", &withheld).await.0,
        200
    );
    let left = other.command(&["hub", "leave"]).await;
    assert_eq!(left.status, Some(0), "{left:?}");
    let kept = config(&other);
    assert!(
        kept.contains("share_presence = false") && !kept.contains("url"),
        "{kept}"
    );
    assert_eq!(view(&other).await["state"], "off");
    assert_eq!(other.status().await["warnings"], json!([]));
    let left = other.command(&["hub", "leave"]).await;
    assert!(left.stderr.contains("hasn't joined a hub"), "{left:?}");
    assert_eq!(join(&other, &invite(&admin).await).await.0, 200);
    connected(&other).await;
    assert!(
        config(&other).contains("share_presence = false"),
        "{}",
        config(&other)
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_hub_that_is_away_keeps_nobody() {
    let admin = machine(0, VERSION);
    let serving = Serving::start(&admin, &[]);
    let other = running(1).await;
    let before = config(&other);
    assert_eq!(join(&other, &serving.code().await).await.0, 200);
    connected(&other).await;
    drop(serving);
    let left = other.command(&["hub", "leave"]).await;
    assert_eq!(left.status, Some(0), "{left:?}");
    assert!(left.stdout.contains("still lists this machine"), "{left:?}");
    assert_eq!(config(&other), before);
    assert_eq!(view(&other).await["state"], "off");
}

async fn remove(beckon: &Beckon, device: &str) -> (u16, Value) {
    post(beckon, "/hub/remove", &json!({ "device": device })).await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_machine_is_taken_off_by_the_page_of_the_one_that_serves_the_hub() {
    let admin = machine(0, VERSION);
    let serving = Serving::start(&admin, &[]);
    let code = serving.code().await;
    admin.start();
    connected(&admin).await;
    let other = running(1).await;
    let (status, joined) = join(&other, &code).await;
    assert_eq!(status, 200, "{joined}");
    connected(&other).await;
    let device = joined["device"].as_str().unwrap();
    let state = async |is: &str| {
        eventually(&format!("the other is {is}"), SOON, async || {
            (view(&admin).await["machines"].get(1)?["state"] == is).then_some(())
        })
        .await;
    };
    state("there").await;
    let seen = view(&admin).await;
    let own = seen["devices"]
        .as_array()
        .unwrap()
        .iter()
        .find(|it| it["this"] == true);
    let own = own.unwrap()["name"].as_str().unwrap();
    let refused = async |at: &Beckon, name: &str, why: &str| {
        let (status, problem) = remove(at, name).await;
        assert_eq!(
            (status, &problem["code"]),
            (409, &json!("refused")),
            "{problem}"
        );
        assert!(
            problem["message"].as_str().unwrap().contains(why),
            "{problem}"
        );
    };
    refused(&other, own, "Only the machine that serves the hub").await;
    refused(&admin, own, "This device serves the hub").await;
    refused(&admin, "nobody", "No device has that name").await;
    assert_eq!(devices(&admin).await.len(), 2);
    assert_eq!(remove(&admin, device).await, (200, json!(true)));
    state("removed").await;
    assert_eq!(view(&admin).await["devices"].as_array().unwrap().len(), 1);
    warned(&other, "doesn't let this device in").await;
    assert_eq!(
        join(&other, &code).await.0,
        409,
        "its code brings it back no more"
    );
    drop(serving);
    let (status, problem) = remove(&admin, device).await;
    assert_eq!(
        (status, &problem["code"]),
        (502, &json!("network")),
        "{problem}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn each_machine_says_which_beckon_it_runs() {
    let hub = Nats::start(VERSION);
    let (_owner, other) = two(&hub).await;
    eventually("the version of the other", SOON, async || {
        let seen = view(&other).await;
        let versions = seen["machines"]
            .as_array()?
            .iter()
            .map(|it| it["version"].clone());
        let versions: Vec<Value> = versions.collect();
        (versions == vec![json!(env!("CARGO_PKG_VERSION")); 2]).then_some(())
    })
    .await;
    let seen = view(&other).await;
    assert_eq!(
        (&seen["bot"], &seen["team"]),
        (&Value::Null, &Value::Null),
        "{seen}"
    );
}
