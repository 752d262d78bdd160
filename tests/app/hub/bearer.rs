//! Tests of a person with a good code and a program of their own: what the code does not let them
//! do. And of `hub serve`, when nats-server does not take a list, or when an old list has a fault.

use super::intruder::{self, Intruder};
use super::serving::{Serving, devices, invite, joined, machine, refused};
use super::*;
use beckon_support::stranger::{Forwarder, is_another_user};
use futures_util::StreamExt;
use serde_json::json;
use std::fs;
use std::path::PathBuf;

const VERSION: Version = Version::V2_10_26;

fn desk_file(admin: &Beckon) -> PathBuf {
    admin.home().join("hub/desk.json")
}

pub(super) fn desk(admin: &Beckon) -> Value {
    serde_json::from_str(&fs::read_to_string(desk_file(admin)).unwrap()).unwrap()
}

fn login_of(admin: &Beckon, device: &str) -> String {
    let login = &desk(admin)["devices"][device]["login"];
    login.as_str().unwrap().to_owned()
}

/// Returns how often the server's configuration contains that login.
fn let_in(admin: &Beckon, login: &str) -> usize {
    let configuration = fs::read_to_string(admin.home().join("hub/nats.conf")).unwrap();
    configuration.matches(&format!("nkey: {login}")).count()
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_has_a_code_takes_no_login_of_another_device() {
    let [admin, tower, third] = [0, 1, 2].map(|device| machine(device, VERSION));
    let serving = Serving::start(&admin, &[]);
    joined(&tower, &serving.code().await, "tower").await;
    let taken = login_of(&admin, "tower");

    // A thief without the key of that login is refused.
    let thief = Intruder::of_seed(7);
    let code = invite(&admin).await;
    let proven = thief.enrol_with(&code, &taken, &thief.login_key()).await;
    assert_eq!(proven["reply"]["refused"], "invalid", "{proven}");
    let unproven = thief.enrol_as(&code, json!({ "login": taken })).await;
    assert_eq!(unproven["reply"]["refused"], "invalid", "{unproven}");
    // The key does not help either, from another device; nor does a login that belongs to nobody.
    let copy = Intruder::of_seed(2);
    assert_eq!(copy.login(), taken);
    let doubled = thief.enrol_with(&code, &taken, &copy.login_key()).await;
    assert_eq!(doubled["reply"]["refused"], "login_taken", "{doubled}");
    assert_eq!(let_in(&admin, &taken), 1);
    assert_eq!(devices(&admin).await.len(), 2);

    // The hub goes on as before: others join by a code, and a removed device is out.
    joined(&third, &invite(&admin).await, "third").await;
    let removed = admin.command(&["hub", "people", "--remove", "tower"]).await;
    assert_eq!(removed.status, Some(0), "{removed:?}");
    refused(&tower, &["hub", "people"], "doesn't let this device in").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_old_list_that_names_a_login_twice_or_none_is_served_all_the_same() {
    let [admin, tower, third] = [0, 1, 2].map(|device| machine(device, VERSION));
    let serving = Serving::start(&admin, &[]);
    joined(&tower, &serving.code().await, "tower").await;
    drop(serving);
    let mut written = desk(&admin);
    let login = login_of(&admin, "tower");
    let [double, odd, none] = [7, 8, 9].map(|seed| Intruder::of_seed(seed).key());
    written["devices"]["double"] = json!({ "key": double, "login": login });
    written["devices"]["odd"] = json!({ "key": odd, "login": "U\" }, {" });
    written["devices"]["none"] = json!({ "key": none });
    fs::write(desk_file(&admin), written.to_string()).unwrap();

    let again = Serving::start(&admin, &[]);
    joined(&third, &again.code().await, "third").await;
    assert_eq!(let_in(&admin, &login), 1);
    let removed = admin
        .command(&["hub", "people", "--remove", "double"])
        .await;
    assert_eq!(removed.status, Some(0), "{removed:?}");
    joined_at(&tower, &again, &invite(&admin).await).await;
}

/// Moves a machine to the hub's new address by another code.
async fn joined_at(tower: &Beckon, serving: &Serving, code: &str) {
    let left = tower.command(&["hub", "leave"]).await;
    assert_eq!(left.status, Some(0), "{left:?}");
    joined(tower, code, "tower").await;
    assert!(serving::config(tower).contains(&serving.port.to_string()));
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_takes_a_device_off_hears_that_the_server_goes_by_an_older_list() {
    let [admin, tower] = [0, 1].map(|device| machine(device, VERSION));
    let serving = Serving::start(&admin, &[]);
    joined(&tower, &serving.code().await, "tower").await;
    let file = admin.home().join("hub/nats.conf");
    let aside = admin.home().join("hub/aside.conf");
    fs::rename(&file, &aside).unwrap();
    fs::create_dir_all(file.join("in the way")).unwrap();

    let removed = admin.command(&["hub", "people", "--remove", "tower"]).await;
    assert_eq!(removed.status, Some(1), "{removed:?}");
    let said = "nats-server still goes by an older one";
    assert!(removed.stderr.contains(said), "{removed:?}");
    assert!(!removed.stdout.contains("off the hub"), "{removed:?}");
    refused(&admin, &["hub", "invite"], said).await;

    // The list can be written again, and the removal is tried again.
    fs::remove_dir_all(&file).unwrap();
    fs::rename(&aside, &file).unwrap();
    eventually("the tower is let in no more", SOON, async || {
        let output = tower.command(&["hub", "people"]).await;
        output
            .stderr
            .contains("doesn't let this device in")
            .then_some(())
    })
    .await;
    joined(&tower, &invite(&admin).await, "tower").await;
}
#[tokio::test(flavor = "multi_thread")]
async fn what_a_device_has_left_on_the_hub_goes_with_it_and_the_log_stays() {
    let [admin, tower] = [0, 1].map(|device| machine(device, VERSION));
    let serving = Serving::start(&admin, &[]);
    joined(&tower, &serving.code().await, "tower").await;
    for beckon in [&admin, &tower] {
        beckon.start();
        connected(beckon).await;
    }
    let _theirs = ask(&tower, "Theirs?");
    one_open(&admin).await;
    let _own = ask(&admin, "Ours?");
    eventually("both see both", SOON, async || {
        (tower.list().await.len() == 2).then_some(())
    })
    .await;
    tower.kill9();

    let url = format!("nats://127.0.0.1:{}", serving.port);
    let hub = intruder::connected(&Intruder::of_seed(1).login_key(), &url).await;
    let jetstream = async_nats::jetstream::new(hub);
    let held = async |stream: &str, of: &str| {
        let stream = jetstream.get_stream(stream).await.unwrap();
        stream.info_with_subjects(of).await.unwrap().count().await
    };
    assert_eq!(held("BK_ASKS", "bk.ask.>").await, 2);
    let logs = held("BK_LOG", "bk.log.>").await;

    let removed = admin.command(&["hub", "people", "--remove", "tower"]).await;
    assert_eq!(removed.status, Some(0), "{removed:?}");
    assert_eq!(held("BK_ASKS", "bk.ask.>").await, 1);
    assert_eq!(held("BK_LOG", "bk.log.>").await, logs);
    let still = one_open(&admin).await;
    assert_eq!(still["questions"][0]["question"], "Ours?", "{still}");
}

/// Makes a nats-server that ignores a new list once that folder has a file `deaf`.
fn deaf(folder: &std::path::Path) -> String {
    let real = VERSION.folder().join("nats-server");
    let script = format!(
        "#!/bin/sh\ncase \"$1\" in --version|-t) exec {0} \"$@\";; esac\n{0} \"$@\" &\nserver=$!\n\
         trap \"kill $server\" TERM\ntrap '[ -e {1}/deaf ] || kill -HUP $server' HUP\n\
         while kill -0 $server; do wait; done\n",
        real.display(),
        folder.display()
    );
    let program = folder.join("nats-server");
    fs::write(&program, script).unwrap();
    let executable = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    fs::set_permissions(&program, executable).unwrap();
    format!("{}:/usr/bin:/bin", folder.display())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_is_deaf_to_a_new_list_is_started_anew() {
    let [admin, tower] = [0, 1].map(|device| machine(device, VERSION));
    let folder = tempfile::tempdir().unwrap();
    admin.set_env("PATH", &deaf(folder.path()));
    let serving = Serving::start(&admin, &[]);
    joined(&tower, &serving.code().await, "tower").await;
    fs::write(folder.path().join("deaf"), "").unwrap();
    let removed = admin.command(&["hub", "people", "--remove", "tower"]).await;
    assert_eq!(removed.status, Some(0), "{removed:?}");
    refused(&tower, &["hub", "people"], "doesn't let this device in").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_hub_of_another_user_of_the_machine_is_joined_where_the_settings_allow_it() {
    if !is_another_user() {
        return;
    }
    let [admin, tower] = [0, 1].map(|device| machine(device, VERSION));
    let serving = Serving::start(&admin, &[]);
    let code = serving.code().await;
    let forwarder = Forwarder::to_port(serving.port, &admin.home());
    let url = format!("nats://127.0.0.1:{}", forwarder.port());
    let code = intruder::readdressed(&code, &url);
    refused(
        &tower,
        &["hub", "join", &code],
        "set any_user = true in [hub]",
    )
    .await;
    assert_eq!(devices(&admin).await.len(), 1);

    tower.write_config(&format!("{ALONE}[hub]\nany_user = true\n"));
    let joined = tower.command(&["hub", "join", &code]).await;

    assert_eq!(joined.status, Some(0), "{joined:?}");
    assert!(joined.stdout.contains("has joined the hub"), "{joined:?}");
    assert!(!joined.stdout.contains("another user"), "{joined:?}");
    assert_eq!(devices(&admin).await.len(), 2);
    tower.start();
    connected(&tower).await;
}
