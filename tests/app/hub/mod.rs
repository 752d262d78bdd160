//! Tests of Beckons of one person that share their asks over a real nats-server: asked at one,
//! answered at another, with all that can go wrong between them. This file holds what the tests
//! share.

mod ageing;
mod answering;
mod bearer;
mod crowd;
mod desk;
mod disk;
mod doubles;
mod holder;
mod intruder;
mod kills;
mod liars;
mod log;
mod long_lists;
mod machines;
mod membership;
mod one_person;
mod outages;
mod partition;
mod permissions;
mod races;
mod restarts;
mod restored;
mod seats;
mod serving;
mod shared_bot;
mod strangers;
mod team;
mod unreached;
mod without;

use beckon_support::beckon::{Beckon, Builder};
use beckon_support::eventually;
use beckon_support::nats::{Nats, Version};
use serde_json::Value;
use std::process::Stdio;
use std::time::Duration;
use tokio::process::Child;

const SOON: Duration = Duration::from_secs(20);

/// The seeds of three devices, in the form of `BECKON_HUB_KEY`.
const SEEDS: [&str; 3] = [
    "AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE",
    "AgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgI",
    "AwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwM",
];

/// Prepares the Beckon of that device, without starting it.
fn member(hub: &Nats, device: usize, devices: &str) -> Beckon {
    builder(hub, device, devices, ALONE).build()
}

/// The settings that watch no agent.
const ALONE: &str = "opencode = []\n";

/// Prepares the Beckon of a device with these settings before those of the hub.
fn builder(hub: &Nats, device: usize, devices: &str, settings: &str) -> Builder {
    builder_at(&hub.url(), device, devices, settings)
}

/// Prepares the Beckon of a device with another address of the hub.
fn builder_at(url: &str, device: usize, devices: &str, settings: &str) -> Builder {
    let config = format!("{settings}[hub]\nurl = \"{url}\"\ndevices = {{ {devices} }}\n");
    let builder = Beckon::builder(env!("CARGO_BIN_EXE_beckon")).config(&config);
    builder.env("BECKON_HUB_KEY", SEEDS[device])
}

/// Returns what that device's Beckon prints of its key.
async fn public_key(hub: &Nats, device: usize) -> String {
    let output = member(hub, device, "").command(&["hub", "key"]).await;
    assert_eq!(output.status, Some(0), "{output:?}");
    output.stdout.trim().to_owned()
}

/// Returns the list of these devices, as the settings contain it.
async fn listing(hub: &Nats, devices: &[usize]) -> String {
    let mut listed = Vec::new();
    for device in devices {
        listed.push(format!(
            "device{device} = \"{}\"",
            public_key(hub, *device).await
        ));
    }
    listed.join(", ")
}

/// Starts two Beckons that know each other's keys, and waits until both are connected.
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
    let words = [
        "ask",
        "--question",
        question,
        "--choice",
        "Left",
        "--choice",
        "Right",
    ];
    let mut command = beckon.prepare(&words);
    command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    tokio::process::Command::from(command)
        .kill_on_drop(true)
        .spawn()
        .unwrap()
}

async fn said(asker: Child) -> String {
    let output = tokio::time::timeout(SOON, asker.wait_with_output())
        .await
        .unwrap()
        .unwrap();
    String::from_utf8(output.stdout).unwrap()
}

async fn one_open(beckon: &Beckon) -> Value {
    eventually("one open ask", SOON, async || {
        let [only] = <[Value; 1]>::try_from(beckon.list().await).ok()?;
        (only["permission"]["is_partial"] != true).then_some(only)
    })
    .await
}

async fn nothing_open(beckon: &Beckon) {
    eventually("an empty list", SOON, async || {
        beckon.list().await.is_empty().then_some(())
    })
    .await;
}

async fn answer(beckon: &Beckon, id: &Value, choice: &str) -> Value {
    let words = ["answer", id.as_str().unwrap(), "--choice", choice, "--json"];
    beckon.command(&words).await.json()
}

async fn warned(beckon: &Beckon, of: &str) {
    eventually(&format!("a warning of {of}"), SOON, async || {
        beckon.status().await["warnings"]
            .to_string()
            .contains(of)
            .then_some(())
    })
    .await;
}
