//! Tests of a hub of one's own: it is served, joined by a code, and left; and of what a device is
//! refused that is not on its list.

use super::*;
use beckon_support::beckon::Output;
use beckon_support::ports::free_port;
use beckon_support::process::Process;
use futures_util::StreamExt;
use serde_json::json;
use std::io::Read;
use std::process::Command;
use std::sync::{Arc, Mutex};

/// Prepares a machine that knows no hub, with that nats-server on its path.
pub(super) fn machine(device: usize, version: Version) -> Beckon {
    machine_with(device, version, ALONE)
}

/// Prepares such a machine with these settings.
pub(super) fn machine_with(device: usize, version: Version, settings: &str) -> Beckon {
    program(device, version, settings).build()
}

/// Prepares the program of such a machine.
pub(super) fn program(device: usize, version: Version, settings: &str) -> Builder {
    let builder = Beckon::builder(env!("CARGO_BIN_EXE_beckon")).config(settings);
    let path = version.folder().into_os_string();
    builder
        .env("BECKON_HUB_KEY", SEEDS[device])
        .env("PATH", path)
}

/// A running `beckon hub serve`, with its output.
pub(super) struct Serving {
    process: Process,
    said: Arc<Mutex<String>>,
    pub(super) port: u16,
}

impl Serving {
    pub(super) fn start(on: &Beckon, more: &[&str]) -> Serving {
        Serving::at(on, free_port(), more)
    }

    pub(super) fn at(on: &Beckon, port: u16, more: &[&str]) -> Serving {
        Serving::run(Serving::prepared(on, port, more), port)
    }

    /// Starts `beckon hub serve` with a command that `change` has changed.
    pub(super) fn start_as(on: &Beckon, change: fn(&Command) -> Command) -> Serving {
        let port = free_port();
        Serving::run(change(&Serving::prepared(on, port, &[])), port)
    }

    fn prepared(on: &Beckon, port: u16, more: &[&str]) -> Command {
        let listen = format!("127.0.0.1:{port}");
        let words = [&["hub", "serve", "--listen", &listen], more].concat();
        on.prepare(&words)
    }

    fn run(mut command: Command, port: u16) -> Serving {
        command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut process = Process::spawn_terminated(command);
        let said = Arc::default();
        for stream in process.take_output() {
            gather(stream, Arc::clone(&said));
        }
        Serving {
            process,
            said,
            port,
        }
    }

    fn said(&self) -> String {
        self.said.lock().unwrap().clone()
    }

    /// Waits for a code in the output; returns the last one.
    pub(super) async fn code(&self) -> String {
        eventually("a code", SOON, async || code_in(&self.said())).await
    }

    async fn says(&self, what: &str) {
        eventually(what, SOON, async || {
            self.said().contains(what).then_some(())
        })
        .await;
    }

    async fn ends(&mut self) -> i32 {
        let ended = async || self.process.exit_status().and_then(|status| status.code());
        eventually("it ends", SOON, ended).await
    }

    /// Connects to the server without showing a key.
    async fn stranger(&self) -> Result<async_nats::Client, async_nats::ConnectError> {
        async_nats::connect(format!("nats://127.0.0.1:{}", self.port)).await
    }
}

fn gather(mut stream: Box<dyn Read + Send>, into: Arc<Mutex<String>>) {
    std::thread::spawn(move || {
        let mut bytes = [0; 4_096];
        while let Ok(count @ 1..) = stream.read(&mut bytes) {
            into.lock()
                .unwrap()
                .push_str(&String::from_utf8_lossy(&bytes[..count]));
        }
    });
}

fn code_in(text: &str) -> Option<String> {
    let at = text.rfind("bkj1-")?;
    let (line, _) = text[at..].split_once('\n')?;
    Some(line.to_owned())
}

pub(super) async fn invite(on: &Beckon) -> String {
    invite_with(on, &[]).await
}

pub(super) async fn invite_with(on: &Beckon, more: &[&str]) -> String {
    let output = on.command(&[&["hub", "invite"], more].concat()).await;
    assert_eq!(output.status, Some(0), "{output:?}");
    code_in(&output.stdout).unwrap()
}

async fn join(on: &Beckon, code: &str, name: &str) -> Output {
    on.command(&["hub", "join", code, "--name", name]).await
}

pub(super) async fn joined(on: &Beckon, code: &str, name: &str) {
    let output = join(on, code, name).await;
    assert_eq!(output.status, Some(0), "{output:?}");
    assert!(output.stdout.contains("has joined the hub"), "{output:?}");
}

pub(super) async fn refused(on: &Beckon, words: &[&str], why: &str) {
    let output = on.command(words).await;
    assert_eq!(output.status, Some(1), "{output:?}");
    assert!(output.stderr.contains(why), "{output:?}");
}

pub(super) async fn devices(on: &Beckon) -> Vec<Value> {
    let output = on.command(&["hub", "people", "--json"]).await;
    assert_eq!(output.status, Some(0), "{output:?}");
    output.json().as_array().unwrap().clone()
}

pub(super) fn config(of: &Beckon) -> String {
    std::fs::read_to_string(of.home().join("config.toml")).unwrap()
}

/// Starts a hub that the first machine serves and the second has joined, with both Beckons running.
async fn served(version: Version, more: &[&str]) -> (Serving, Beckon, Beckon) {
    let (admin, other) = (machine(0, version), machine(1, version));
    let serving = Serving::start(&admin, more);
    joined(&other, &serving.code().await, "tower").await;
    serving.says("tower has joined").await;
    let opened = format!("beckon hub serve --listen 0.0.0.0:{}\n", serving.port);
    serving.says(&opened).await;
    for beckon in [&admin, &other] {
        beckon.start();
        connected(beckon).await;
    }
    (serving, admin, other)
}

async fn asked_there_and_answered_here(version: Version, more: &[&str]) {
    let (_serving, admin, other) = served(version, more).await;
    let asker = ask(&admin, "Which way?");
    let shown = one_open(&other).await;
    assert_eq!(answer(&other, &shown["id"], "2").await["state"], "taken");
    assert_eq!(said(asker).await, "Right\n");
    let asker = ask(&other, "And back?");
    let shown = one_open(&admin).await;
    assert_eq!(answer(&admin, &shown["id"], "1").await["state"], "taken");
    assert_eq!(said(asker).await, "Left\n");
    nothing_open(&other).await;
    for beckon in [&admin, &other] {
        assert_eq!(beckon.status().await["warnings"], json!([]));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_device_that_joined_by_a_code_answers_the_asks_of_the_others() {
    asked_there_and_answered_here(Version::V2_10_26, &[]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn so_they_do_over_the_server_of_debian_and_over_a_new_one_with_tls() {
    asked_there_and_answered_here(Version::V2_9_10, &[]).await;
    asked_there_and_answered_here(Version::V2_15_1, &["--tls"]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_code_is_good_for_one_device_and_no_other_code_for_any() {
    let version = Version::V2_10_26;
    let [admin, second, third] = [0, 1, 2].map(|device| machine(device, version));
    let serving = Serving::start(&admin, &[]);
    let code = serving.code().await;
    joined(&second, &code, "tower").await;
    let before = config(&third);
    refused(
        &third,
        &["hub", "join", &code],
        "already been used by another device",
    )
    .await;
    refused(&third, &["hub", "join", "bkj1-AAAA"], "isn't a code").await;
    refused(
        &third,
        &["hub", "join", &code[..code.len() - 3]],
        "isn't a code",
    )
    .await;
    assert_eq!(config(&third), before);
    // A device that has not seen the end of joining may try again.
    joined(&second, &code, "tower").await;
    // A new process that serves at this port gives out other codes.
    drop(serving);
    let mut again = Serving::at(&admin, port_of(&config(&admin)), &[]);
    again.says("The hub is running").await;
    refused(&third, &["hub", "join", &code], "has expired").await;
    assert_eq!(config(&third), before);
    joined(&third, &invite(&admin).await, "tower").await;
    again.says("tower-2 has joined").await;
    let names: Vec<Value> = devices(&third)
        .await
        .iter()
        .map(|it| it["device"].clone())
        .collect();
    assert!(
        names.contains(&json!("tower")) && names.contains(&json!("tower-2")),
        "{names:?}"
    );
    again.process.stop();
}

fn port_of(config: &str) -> u16 {
    let (_, rest) = config.split_once("127.0.0.1:").unwrap();
    rest.split('"').next().unwrap().parse().unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_code_brings_nobody_to_another_hub_at_the_same_place() {
    let version = Version::V2_10_26;
    let [first, second, bearer] = [0, 1, 2].map(|device| machine(device, version));
    let serving = Serving::start(&first, &["--tls"]);
    let (code, port, before) = (serving.code().await, serving.port, config(&bearer));
    drop(serving);
    let other = Serving::at(&second, port, &["--tls"]);
    other.says("The hub is running").await;
    refused(
        &bearer,
        &["hub", "join", &code],
        "isn't the one that the code is for",
    )
    .await;
    assert_eq!(config(&bearer), before);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_device_that_is_taken_off_is_refused_at_once_and_let_in_no_more() {
    let (serving, admin, other) = served(Version::V2_10_26, &[]).await;
    let asker = ask(&admin, "Still you?");
    one_open(&other).await;
    let words = ["hub", "people", "--remove", "tower"];
    refused(&other, &words, "Only the machine that serves the hub").await;
    let began = std::time::Instant::now();
    let removed = admin.command(&["hub", "people", "--remove", "tower"]).await;
    assert_eq!(removed.status, Some(0), "{removed:?}");
    eventually("the admin's Beckon knows it", SOON, async || {
        log(&admin)
            .matches("who belongs to the desk")
            .nth(1)
            .map(|_| ())
    })
    .await;
    warned(&other, "doesn't let this device in").await;
    let took = began.elapsed();
    assert!(took < Duration::from_secs(5), "{took:?}");
    serving.says("tower is off the hub").await;
    refused(&other, &["hub", "people"], "doesn't let this device in").await;
    let own = one_open(&admin).await;
    assert_eq!(answer(&admin, &own["id"], "1").await["state"], "taken");
    assert_eq!(said(asker).await, "Left\n");
    assert_eq!(devices(&admin).await.len(), 1);
    // No other device was disconnected.
    assert_eq!(
        log(&admin).matches("the hub's state changed").count(),
        1,
        "{}",
        log(&admin)
    );
    refused(
        &admin,
        &["hub", "people", "--remove", "tower"],
        "No device has that name",
    )
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_but_the_admin_says_who_belongs_to_the_desk() {
    // This server lets everybody in, and do everything.
    let hub = Nats::start(Version::V2_10_26);
    let (admin, stranger) = (public_key(&hub, 0).await, listing(&hub, &[1]).await);
    let config = format!(
        "opencode = []\n[hub]\nurl = \"{}\"\nadmin = \"{admin}\"\n",
        hub.url()
    );
    let builder = Beckon::builder(env!("CARGO_BIN_EXE_beckon")).config(&config);
    let beckon = builder.env("BECKON_HUB_KEY", SEEDS[2]).start();
    connected(&beckon).await;
    let other = member(&hub, 1, &stranger);
    other.start();
    connected(&other).await;
    let client = async_nats::connect(hub.url()).await.unwrap();
    let jetstream = async_nats::jetstream::new(client.clone());
    let here = jetstream.get_stream("BK_HERE").await.unwrap();
    let subject = here
        .info_with_subjects("bk.here.>")
        .await
        .unwrap()
        .next()
        .await
        .unwrap();
    let signed = here
        .get_last_raw_message_by_subject(&subject.unwrap().0)
        .await
        .unwrap()
        .payload;
    client
        .publish("bk.desk.own", r#"{"v":1,"revision":9,"devices":{}}"#.into())
        .await
        .unwrap();
    client.flush().await.unwrap();
    warned(&beckon, "1 unreadable").await;
    client.publish("bk.desk.own", signed).await.unwrap();
    client.flush().await.unwrap();
    eventually("the store is asked", SOON, async || {
        let database = rusqlite::Connection::open(beckon.home().join("beckon.db")).unwrap();
        let rows: i64 = database
            .query_row("SELECT count(*) FROM hub_desk", [], |row| row.get(0))
            .unwrap();
        (rows == 0).then_some(())
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn who_shows_no_key_is_not_let_in_and_a_device_does_only_what_it_may() {
    let (serving, _admin, other) = served(Version::V2_10_26, &[]).await;
    let stranger = serving.stranger().await.unwrap_err();
    let text = stranger.to_string();
    assert!(text.contains("authorization violation"), "{text}");
    refused(
        &other,
        &["hub", "invite"],
        "Only the machine that serves the hub",
    )
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_server_does_not_allow_is_said_and_not_taken_for_a_server_that_is_away() {
    let version = Version::V2_10_26;
    let (admin, other) = (machine(0, version), machine(1, version));
    let serving = Serving::start(&admin, &[]);
    joined(&other, &serving.code().await, "tower").await;
    let desk = std::fs::read_to_string(admin.home().join("hub/desk.json")).unwrap();
    let desk: Value = serde_json::from_str(&desk).unwrap();
    let login = desk["devices"]["tower"]["login"].as_str().unwrap();
    // The device is let in here, and may do nothing more.
    let may = "publish: { allow: [\"$JS.API.STREAM.INFO.>\"] }, subscribe: { allow: [\">\"] }";
    let users =
        format!("authorization {{ users: [{{ nkey: {login}, permissions: {{ {may} }} }}] }}");
    let hub = Nats::configured(version, &users);
    let there = config(&other).replace(&format!("nats://127.0.0.1:{}", serving.port), &hub.url());
    other.write_config(&there);
    other.start();
    other.wait_ready().await;
    warned(
        &other,
        "doesn't allow what Beckon needs there: Permissions Violation",
    )
    .await;
    refused(&other, &["hub", "people"], "doesn't allow this device").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_machine_leaves_and_nothing_of_the_hub_stays_in_its_settings() {
    let version = Version::V2_10_26;
    let (admin, other) = (machine(0, version), machine(1, version));
    let before = config(&other);
    let serving = Serving::start(&admin, &[]);
    joined(&other, &serving.code().await, "tower").await;
    refused(
        &other,
        &["hub", "join", &invite_elsewhere()],
        "isn't a code",
    )
    .await;
    let left = other.command(&["hub", "leave"]).await;
    assert_eq!(left.status, Some(0), "{left:?}");
    assert!(
        !left.stdout.contains("still lists this machine"),
        "{left:?}"
    );
    assert_eq!(config(&other), before);
    serving.says("tower is off the hub").await;
    refused(&other, &["hub", "people"], "hasn't joined").await;
    refused(&other, &["hub", "leave"], "hasn't joined").await;
    // The machine comes back by another code.
    joined(&other, &invite(&admin).await, "tower").await;
    drop(serving);
    let left = other.command(&["hub", "leave"]).await;
    assert_eq!(left.status, Some(0), "{left:?}");
    assert!(left.stdout.contains("still lists this machine"), "{left:?}");
    assert_eq!(config(&other), before);
}

fn invite_elsewhere() -> String {
    "bkj1-somewhere-else".to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_server_ends_with_whoever_serves_and_its_end_is_said() {
    let admin = machine(0, Version::V2_10_26);
    let mut serving = Serving::start(&admin, &[]);
    serving.says("The hub is running").await;
    refused(&admin, &["hub", "serve"], "already serves a hub").await;
    serving.process.interrupt();
    assert_eq!(serving.ends().await, 0, "{}", serving.said());
    assert!(
        serving.said().contains("The hub has stopped"),
        "{}",
        serving.said()
    );
    assert!(serving.stranger().await.is_err());
    // Another program has the port.
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let mut other = Serving::at(&admin, taken.local_addr().unwrap().port(), &[]);
    assert_eq!(other.ends().await, 1, "{}", other.said());
    assert!(
        other.said().contains("address already in use"),
        "{}",
        other.said()
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_left_running_by_a_kill_is_ended_and_the_desk_is_as_it_was() {
    let version = Version::V2_10_26;
    let (admin, other) = (machine(0, version), machine(1, version));
    let mut serving = Serving::start(&admin, &[]);
    joined(&other, &serving.code().await, "tower").await;
    serving.process.kill_alone();
    assert!(
        serving
            .stranger()
            .await
            .is_err_and(|it| it.to_string().contains("violation"))
    );
    let again = Serving::at(&admin, serving.port, &[]);
    again.says("The hub is running").await;
    let there = devices(&other).await;
    assert_eq!(there.len(), 2, "{there:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_nats_server_or_with_an_old_one_it_says_what_to_install() {
    let admin = machine(0, Version::V2_10_26);
    let empty = tempfile::tempdir().unwrap();
    admin.set_env("PATH", &empty.path().to_string_lossy());
    if !std::path::Path::new("/usr/sbin/nats-server").exists() {
        refused(&admin, &["hub", "serve"], "nats-server isn't installed").await;
    }
    let program = empty.path().join("nats-server");
    std::fs::write(&program, "#!/bin/sh\necho nats-server: v2.8.4\n").unwrap();
    std::fs::set_permissions(
        &program,
        std::os::unix::fs::PermissionsExt::from_mode(0o755),
    )
    .unwrap();
    refused(&admin, &["hub", "serve"], "nats-server 2.8.4 is too old").await;
    assert!(!config(&admin).contains("[hub]"));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_inspection_checks_each_part_of_the_hub() {
    let (mut serving, admin, other) = served(Version::V2_10_26, &[]).await;
    for (beckon, role) in [
        (&admin, "this device serves the hub"),
        (&other, "is let in"),
    ] {
        eventually("both are there", SOON, async || {
            let output = beckon.command(&["hub", "doctor"]).await;
            assert_eq!(output.status, Some(0), "{output:?}");
            assert!(output.stdout.contains(role), "{output:?}");
            assert!(
                output
                    .stdout
                    .contains("what the hub has acknowledged is on its disk")
            );
            output.stdout.contains("tower").then_some(())
        })
        .await;
    }
    serving.process.stop();
    // The reason is printed only once.
    refused_on_stdout(
        &other,
        "isn't reachable (Connection refused (os error 111))\n",
    )
    .await;
    let once = "isn't reachable: Connection refused (os error 111). Everything";
    warned(&other, once).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_certificate_that_cannot_be_read_is_named_wherever_the_hub_is_asked_for() {
    let hub = Nats::start(Version::V2_10_26);
    let folder = tempfile::tempdir().unwrap();
    let (missing, empty) = (
        folder.path().join("missing.pem"),
        folder.path().join("empty.pem"),
    );
    std::fs::write(&empty, "").unwrap();
    for (ca, why) in [
        (
            missing,
            "can't be read: No such file or directory (os error 2)",
        ),
        (empty, "holds no certificate"),
    ] {
        let settings = format!("{ALONE}[hub]\nurl = {:?}\nca = {ca:?}\n", hub.url());
        let beckon = machine_with(0, Version::V2_10_26, &settings);
        let said = format!("{}, which “ca” in [hub] names, {why}", ca.display());
        refused_on_stdout(&beckon, &format!("Hub: {said}\n")).await;
        refused(&beckon, &["hub", "people"], &said).await;
        beckon.start();
        beckon.wait_ready().await;
        warned(&beckon, &format!("isn't reachable: {said}. Everything")).await;
    }
}

async fn refused_on_stdout(on: &Beckon, why: &str) {
    let output = on.command(&["hub", "doctor"]).await;
    assert_eq!(output.status, Some(1), "{output:?}");
    assert!(output.stdout.contains(why), "{output:?}");
}
