//! Tests of a person who holds the hub's server, who keeps its messages and sends them again. The
//! admin's requests never go over it; a device's request counts once.

use super::bearer::desk;
use super::intruder::{self, BearerCode, Intruder};
use super::serving::{Serving, devices, invite, joined, machine};
use super::*;
use serde_json::json;
use std::os::unix::fs::PermissionsExt;
use std::process::Command;

const VERSION: Version = Version::V2_10_26;

/// The seed of the serving machine, whose login may write everything, as the server's holder can.
const ADMIN: u8 = 1;

async fn as_holder(serving: &Serving) -> async_nats::Client {
    let url = format!("nats://127.0.0.1:{}", serving.port);
    intruder::connected(&Intruder::of_seed(ADMIN).login_key(), &url).await
}

#[tokio::test(flavor = "multi_thread")]
async fn what_the_admin_once_asked_is_answered_to_nobody_who_brings_it_again() {
    let admin = machine(0, VERSION);
    let serving = Serving::start(&admin, &[]);
    serving.code().await;
    let holder = as_holder(&serving).await;
    for (word, request) in [
        ("invite", json!({ "invite": { "person": null } })),
        ("rules", json!({ "rules": { "team": { "routes": [] } } })),
        ("remove", json!({ "remove": { "device": "tower" } })),
    ] {
        let subject = format!("bk.admin.{word}");
        let body = json!({ "nonce": "n", "request": request });
        let signed = Intruder::of_seed(ADMIN).seal(&subject, &body);
        let answered = holder.request(subject, signed.into()).await;
        let unheard = answered.unwrap_err().kind();
        assert_eq!(unheard, async_nats::RequestErrorKind::NoResponders);
    }
    assert_eq!(devices(&admin).await.len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_admins_commands_reach_the_keeper_where_nobody_reaches_the_server() {
    let [admin, tower] = [0, 1].map(|device| machine(device, VERSION));
    let serving = Serving::start(&admin, &[]);
    joined(&tower, &serving.code().await, "tower").await;
    let settings = serving::config(&admin);
    let nowhere = format!("127.0.0.1:{}", beckon_support::ports::free_port());
    let own = format!("127.0.0.1:{}", serving.port);
    admin.write_config(&settings.replace(&own, &nowhere));

    let socket = admin.home().join("hub/keeper.sock");
    let rights = std::fs::metadata(&socket).unwrap().permissions().mode();
    assert_eq!(rights & 0o777, 0o600);
    let code = invite(&admin).await;
    let rules = admin.home().join("rules.json");
    std::fs::write(&rules, r#"{"routes":[{"audience":["everyone"]}]}"#).unwrap();
    let words = ["hub", "routes", "--set", rules.to_str().unwrap()];
    let set = admin.command(&words).await;
    assert_eq!(set.status, Some(0), "{set:?}");
    let removed = admin.command(&["hub", "people", "--remove", "tower"]).await;
    assert_eq!(removed.status, Some(0), "{removed:?}");
    assert!(desk(&admin)["devices"]["tower"].is_null());
    let left = tower.command(&["hub", "leave"]).await;
    assert_eq!(left.status, Some(0), "{left:?}");
    joined(&tower, &code, "tower").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_device_once_asked_counts_once_whoever_brings_it_again() {
    let admin = machine(0, VERSION);
    let serving = Serving::start(&admin, &[]);
    let code = serving.code().await;
    let holder = as_holder(&serving).await;
    let device = Intruder::of_seed(7);
    let listed = || desk(&admin)["devices"]["evil"].is_object();

    let enrolment = device.enrolment(&code, "first");
    let subject = BearerCode::parse(&code).subject();
    let taken = intruder::ask(&holder, subject.clone(), enrolment.clone()).await;
    assert_eq!(taken["reply"]["enrolled"]["name"], "evil", "{taken}");
    let again = intruder::ask(&holder, subject.clone(), enrolment.clone()).await;
    assert_eq!(again["reply"]["refused"], "invalid", "{again}");

    // The device asks to leave, that message is withheld, and it joins again by the same code.
    let leave = device.leave(desk(&admin)["revision"].as_u64().unwrap());
    let anew = device.enrolment(&code, "second");
    let taken = intruder::ask(&holder, subject.clone(), anew).await;
    assert_eq!(taken["reply"]["enrolled"]["name"], "evil", "{taken}");
    let late = intruder::ask(&holder, "bk.leave.own".into(), leave).await;
    assert_eq!(late["reply"]["refused"], "invalid", "{late}");
    assert!(listed());

    // The device leaves, and its earlier enrolment does not bring it back.
    let leave = device.leave(desk(&admin)["revision"].as_u64().unwrap());
    let gone = intruder::ask(&holder, "bk.leave.own".into(), leave).await;
    assert_eq!(gone["reply"], "removed", "{gone}");
    let again = intruder::ask(&holder, subject, enrolment).await;
    assert_eq!(again["reply"]["refused"], "invalid", "{again}");
    assert!(!listed());
}

/// Prepares the command as a user whom the system does not know.
fn nameless(command: &Command) -> Command {
    let mut nameless = Command::new("/usr/bin/unshare");
    nameless.env_clear().args(["--user", "--map-user=54321"]);
    nameless.arg(command.get_program()).args(command.get_args());
    for (name, value) in command.get_envs() {
        nameless.env(name, value.unwrap_or_default());
    }
    nameless
}

#[tokio::test(flavor = "multi_thread")]
async fn the_machines_of_somebody_without_an_account_are_one_persons() {
    let [admin, tower] = [0, 1].map(|device| machine(device, VERSION));
    let serving = Serving::start_as(&admin, nameless);
    joined(&tower, &serving.code().await, "tower").await;
    let people: Vec<Value> = devices(&tower)
        .await
        .iter()
        .map(|device| device["person"].clone())
        .collect();
    assert_eq!(people.len(), 2);
    assert!(
        people[0].is_string() && people[0] == people[1],
        "{people:?}"
    );
}
