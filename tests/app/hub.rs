//! Beckons of one person that share what they ask over a real nats-server: asked at one, answered at
//! another, with all that can go wrong between them.

use beckon_support::beckon::Beckon;
use beckon_support::eventually;
use beckon_support::nats::{Nats, Version};
use futures_util::StreamExt;
use serde_json::{Value, json};
use std::process::Stdio;
use std::time::Duration;
use tokio::process::Child;

const SOON: Duration = Duration::from_secs(20);

/// Seeds of three devices, and what `beckon hub key` says of each.
const SEEDS: [&str; 3] = [
    "AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE",
    "AgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgI",
    "AwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwM",
];

/// A Beckon of that device, not started yet.
fn member(hub: &Nats, device: usize, devices: &str) -> Beckon {
    let url = hub.url();
    let config = format!("opencode = []\n[hub]\nurl = \"{url}\"\ndevices = {{ {devices} }}\n");
    let builder = Beckon::builder(env!("CARGO_BIN_EXE_beckon")).config(&config);
    builder.env("BECKON_HUB_KEY", SEEDS[device]).build()
}

/// What that device's Beckon prints of its key.
async fn public_key(hub: &Nats, device: usize) -> String {
    let output = member(hub, device, "").command(&["hub", "key"]).await;
    assert_eq!(output.status, Some(0), "{output:?}");
    output.stdout.trim().to_owned()
}

/// The list of devices with these in it.
async fn listing(hub: &Nats, devices: &[usize]) -> String {
    let mut listed = Vec::new();
    for device in devices {
        listed.push(format!("device{device} = \"{}\"", public_key(hub, *device).await));
    }
    listed.join(", ")
}

/// Two that know each other's keys, connected.
async fn two(hub: &Nats) -> (Beckon, Beckon) {
    let devices = listing(hub, &[0, 1]).await;
    let both = (member(hub, 0, &devices), member(hub, 1, &devices));
    for beckon in [&both.0, &both.1] {
        beckon.start();
        connected(beckon).await;
    }
    both
}

async fn connected(beckon: &Beckon) {
    beckon.wait_ready().await;
    eventually("the hub is connected", SOON, async || {
        log(beckon).contains("state=Connected").then_some(())
    })
    .await;
}

fn log(beckon: &Beckon) -> String {
    beckon.stderr()
}

fn ask(beckon: &Beckon, question: &str) -> Child {
    let words = ["ask", "--question", question, "--choice", "Left", "--choice", "Right"];
    let mut command = beckon.prepare(&words);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    tokio::process::Command::from(command).kill_on_drop(true).spawn().unwrap()
}

async fn said(asker: Child) -> String {
    let output = tokio::time::timeout(SOON, asker.wait_with_output()).await.unwrap().unwrap();
    String::from_utf8(output.stdout).unwrap()
}

async fn one_open(beckon: &Beckon) -> Value {
    eventually("one open ask", SOON, async || {
        <[Value; 1]>::try_from(beckon.list().await).ok().map(|[only]| only)
    })
    .await
}

async fn nothing_open(beckon: &Beckon) {
    eventually("an empty list", SOON, async || beckon.list().await.is_empty().then_some(())).await;
}

async fn answer(beckon: &Beckon, id: &Value, choice: &str) -> Value {
    let words = ["answer", id.as_str().unwrap(), "--choice", choice, "--json"];
    beckon.command(&words).await.json()
}

async fn warned(beckon: &Beckon, of: &str) {
    eventually(&format!("a warning of {of}"), SOON, async || {
        beckon.status().await["warnings"].to_string().contains(of).then_some(())
    })
    .await;
}

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
    assert!(refused.stderr.contains("no listed device has signed"), "{refused:?}");
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
    client.publish(subject, "not even JSON".into()).await.unwrap();
    client.flush().await.unwrap();
    assert_eq!(answers.next().await.unwrap().payload, "not even JSON");
    warned(&owner, "1 unreadable").await;
    let shown = one_open(&other).await;
    assert_eq!(answer(&other, &shown["id"], "2").await["state"], "taken");
    assert_eq!(said(asker).await, "Right\n");
    nothing_open(&owner).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_hub_that_is_killed_is_missed_by_nobody_here_and_found_again_with_what_waits() {
    let hub = Nats::start(Version::V2_10_26);
    let (owner, other) = two(&hub).await;
    let asker = ask(&owner, "Still there?");
    let shown = one_open(&other).await;
    hub.kill9();
    warned(&owner, "hub").await;
    let local = ask(&owner, "Without it?");
    let own = eventually("both are open here", SOON, async || {
        let list = owner.list().await;
        list.into_iter().find(|ask| ask["questions"][0]["question"] == "Without it?")
    })
    .await;
    assert_eq!(answer(&owner, &own["id"], "1").await["state"], "taken");
    assert_eq!(said(local).await, "Left\n");
    // Given while the hub is away, and delivered when it is back.
    let id = shown["id"].as_str().unwrap().to_owned();
    let given = other.command(&["answer", &id, "--choice", "2", "--json"]).await;
    assert!(given.status.is_some(), "{given:?}");
    hub.go();
    assert_eq!(said(asker).await, "Right\n");
    nothing_open(&owner).await;
    nothing_open(&other).await;
    eventually("nothing is amiss", SOON, async || {
        (owner.status().await["warnings"] == json!([])).then_some(())
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_of_which_nobody_heard_whether_the_hub_has_it_is_read_back_and_taken_once() {
    let hub = Nats::start(Version::V2_10_26);
    let (owner, other) = two(&hub).await;
    let asker = ask(&owner, "Heard?");
    let shown = one_open(&other).await;
    hub.hang();
    let id = shown["id"].as_str().unwrap().to_owned();
    let given = other.command(&["answer", &id, "--choice", "2", "--json"]).await;
    assert!(!given.stdout.contains("taken"), "{given:?}");
    warned(&other, "hub").await;
    hub.go_on();
    assert_eq!(said(asker).await, "Right\n");
    nothing_open(&owner).await;
    nothing_open(&other).await;
    let client = async_nats::connect(hub.url()).await.unwrap();
    let mut stream = async_nats::jetstream::new(client).get_stream("BK_ANSWERS").await.unwrap();
    assert_eq!(stream.info().await.unwrap().state.messages, 1);
    assert_eq!(owner.status().await["warnings"], json!([]), "nothing was refused");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_waits_for_its_owner_who_takes_it_once() {
    let hub = Nats::start(Version::V2_10_26);
    let (owner, other) = two(&hub).await;
    let asker = ask(&owner, "Back soon?");
    let shown = one_open(&other).await;
    owner.kill9();
    let id = shown["id"].as_str().unwrap().to_owned();
    let given = other.command(&["answer", &id, "--choice", "1", "--json"]).await;
    assert!(given.stdout.contains("sent"), "{given:?}");
    owner.start();
    assert_eq!(said(asker).await, "Left\n");
    nothing_open(&other).await;
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
    async_nats::jetstream::new(client).create_stream(answers).await.unwrap();
    let beckon = member(&hub, 0, "");
    beckon.start();
    beckon.wait_ready().await;
    warned(&beckon, "BK_ANSWERS").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_hub_nobody_looks_for_one() {
    let hub = Nats::start(Version::V2_10_26);
    let beckon = Beckon::builder(env!("CARGO_BIN_EXE_beckon")).config("opencode = []\n").start();
    beckon.wait_ready().await;
    let asker = ask(&beckon, "Alone?");
    let own = one_open(&beckon).await;
    assert_eq!(answer(&beckon, &own["id"], "1").await["state"], "taken");
    assert_eq!(said(asker).await, "Left\n");
    let database = rusqlite::Connection::open(beckon.home().join("beckon.db")).unwrap();
    let rows: i64 =
        database.query_row("SELECT count(*) FROM rounds", [], |row| row.get(0)).unwrap();
    assert_eq!(rows, 0);
    assert!(!log(&beckon).contains("hub"), "{}", log(&beckon));
    let client = async_nats::connect(hub.url()).await.unwrap();
    let streams = async_nats::jetstream::new(client).query_account().await.unwrap().streams;
    assert_eq!(streams, 0);
    let threads = std::fs::read_dir(format!("/proc/{}/task", beckon.pid().unwrap())).unwrap();
    let names = threads.filter_map(|it| std::fs::read_to_string(it.ok()?.path().join("comm")).ok());
    assert!(names.into_iter().all(|name| !name.contains("nats")));
}
