//! The budgets, measured on the real program between a replayed OpenCode and a strict notification
//! daemon. Prints one table; where a machine's speed matters the figure is a ratio within the run.
//!
//! `cargo bench --bench budgets -- phone` measures the way to the phone alone, `chain` that through
//! a second Beckon, `scale` many servers and many waits, `worst` what is large, `agent` what a real
//! OpenCode notices, `flood` what small frames cost, `idle` what it costs to wait, `hook` the way
//! of a hook, `press` that of a press. The budgets that need windows are not here.
#![cfg(target_os = "linux")]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::print_stdout,
    missing_docs
)]

#[path = "budgets/agent.rs"]
mod agent;
#[path = "budgets/chain.rs"]
mod chain;
#[path = "budgets/hook.rs"]
mod hook;
#[path = "budgets/phone.rs"]
mod phone;
#[path = "budgets/scale.rs"]
mod scale;
#[path = "budgets/worst.rs"]
mod worst;

use beckon_support::beckon::Beckon;
use beckon_support::bus::Bus;
use beckon_support::notifications::Notifications;
use beckon_support::replay::{Kind, Replay, question};
use serde_json::json;
use std::collections::HashMap;
use std::time::{Duration, Instant};

const SAMPLES: usize = 300;
const SOON: Duration = Duration::from_secs(10);
const DIRECTORY: &str = "/home/dev/demo-project";
const FLOOD: &str = include_str!("recordings/flood-1.18.33.sse");
/// The greeting of a stream, sent once when it begins; a client that gets it reads the lists of
/// requests.
const GREETING: &str = "\"server.connected\"";

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    if let [_, word, url] = arguments.as_slice()
        && word == "count"
    {
        count_bytes(url);
        return;
    }
    let runtime = tokio::runtime::Runtime::new().unwrap();
    println!("{:<58} {:>12} {:>12} {:>10}", "", "p50", "p99", "budget");
    let part = arguments.iter().find(|argument| {
        let parts = [
            "phone", "chain", "scale", "worst", "agent", "flood", "idle", "hook", "press",
        ];
        parts.contains(&argument.as_str())
    });
    match part.map(String::as_str) {
        Some("phone") => runtime.block_on(phone::measure()),
        Some("chain") => runtime.block_on(chain::measure()),
        Some("agent") => runtime.block_on(agent::measure()),
        Some("flood") => runtime.block_on(flood_cpu()),
        Some("idle") => runtime.block_on(both_idle()),
        Some("hook") => runtime.block_on(hook::measure()),
        Some("press") => runtime.block_on(presses()),
        Some("worst") => runtime.block_on(worst::measure()),
        Some(_) => runtime.block_on(scale::measure()),
        None => runtime.block_on(all()),
    }
}

async fn all() {
    let bare = bare_notify().await;
    row("a bare Notify", &bare, "");
    presses().await;
    hook::measure().await;
    phone::measure().await;
    chain::measure().await;
    scale::measure().await;
    worst::measure().await;
    agent::measure().await;
    flood_cpu().await;
    one_large_frame().await;
    both_idle().await;
    starts().await;
}

async fn presses() {
    let stage = Stage::start(&["--headless"]).await;
    let times = stage.ask_and_press(SAMPLES, "calm").await;
    row("asked on the wire → Notify", &times.asked, "2 × bare, 3 ms");
    row("press → POST on the wire", &times.pressed, "0.5 ms, 3 ms");
    row("press → the card is gone", &times.gone, "");
    let times = stage.beneath_a_flood().await;
    row(
        "asked → Notify beneath 5,000 frames/s",
        &times.asked,
        "p99 5 ms",
    );
    row("press → POST beneath 5,000 frames/s", &times.pressed, "");
}

async fn both_idle() {
    idle("headless", &["--headless"], "14 MiB").await;
    idle("with tray", &[], "16 MiB").await;
}

/// The times from frame to notification, and from its press to the reply and to its end.
#[derive(Default)]
struct PressTimes {
    asked: Vec<Duration>,
    pressed: Vec<Duration>,
    gone: Vec<Duration>,
}

struct Stage {
    beckon: Beckon,
    daemon: Notifications,
    replay: Replay,
    _bus: Bus,
}

impl Stage {
    async fn start(arguments: &[&str]) -> Self {
        let (bus, replay) = (Bus::start(), Replay::start());
        let daemon = Notifications::start(&bus);
        let config = format!(
            "[[opencode]]\nname = \"local\"\nurl = \"{}\"\n",
            replay.url()
        );
        replay.session("ses_1", DIRECTORY, "A session");
        replay.busy("ses_1", true);
        let builder = Beckon::builder(env!("CARGO_BIN_EXE_beckon"))
            .bus(&bus)
            .config(&config);
        let beckon = builder.args(arguments).start();
        beckon.wait_ready().await;
        replay.wait_streams(1, SOON).await;
        Self {
            beckon,
            daemon,
            replay,
            _bus: bus,
        }
    }

    async fn ask_and_press(&self, samples: usize, run: &str) -> PressTimes {
        let mut times = PressTimes::default();
        for n in 0..samples {
            let text = format!("Question {run} {n}?");
            let id = format!("que_{run}_{n}");
            let request = question(&id, "ses_1", &text, &["Yes", "No"]);
            let sent = self.replay.ask(Kind::Question, DIRECTORY, request).await;
            let shown = self
                .daemon
                .wait_for(|shown| shown.summary.ends_with(&text), SOON)
                .await;
            times.asked.push(shown.at.saturating_duration_since(sent));
            let replies = self.replay.replies().len();
            let at = Instant::now();
            self.daemon.press(shown.id, shown.action("No").unwrap());
            self.replay.wait_replies(replies + 1, SOON).await;
            let reply = self
                .replay
                .replies()
                .into_iter()
                .find(|reply| reply.id == id)
                .unwrap();
            times.pressed.push(reply.at.saturating_duration_since(at));
            self.daemon.wait_empty(SOON).await;
            times.gone.push(at.elapsed());
        }
        times
    }

    async fn beneath_a_flood(&self) -> PressTimes {
        let frames = flood();
        let flood = self
            .replay
            .flood(&frames, Some(5_000), Duration::from_secs(6));
        let measure = self.ask_and_press(100, "flooded");
        tokio::join!(flood, measure).1
    }
}

async fn bare_notify() -> Vec<Duration> {
    let bus = Bus::start();
    let daemon = Notifications::start(&bus);
    let connection = bus.connect();
    let mut samples = Vec::new();
    for n in 0..SAMPLES {
        let hints: HashMap<&str, zbus::zvariant::Value<'_>> = HashMap::new();
        let title = format!("Bare {n}");
        let body = (
            "bench",
            0u32,
            "",
            title.as_str(),
            "",
            Vec::<&str>::new(),
            hints,
            0i32,
        );
        let name = beckon_support::notifications::NAME;
        let at = Instant::now();
        let path = "/org/freedesktop/Notifications";
        connection
            .call_method(Some(name), path, Some(name), "Notify", &body)
            .unwrap();
        let shown = daemon.wait_for(|shown| shown.summary == title, SOON).await;
        samples.push(shown.at.saturating_duration_since(at));
    }
    samples
}

/// Measures the CPU time of a flood of small frames, against a program that reads and counts the
/// same bytes from the same server at the same time.
async fn flood_cpu() {
    let stage = Stage::start(&["--headless"]).await;
    let program = std::env::current_exe().unwrap();
    let mut command = std::process::Command::new(program);
    command
        .args(["count", &stage.replay.url()])
        .stdout(std::process::Stdio::piped());
    let counter = command.spawn().unwrap();
    stage.replay.wait_streams(2, SOON).await;
    let pid = stage.beckon.pid().unwrap();
    let (ours, raw) = (cpu(pid), cpu(counter.id()));
    let sent = stage
        .replay
        .flood(&flood(), None, Duration::from_secs(5))
        .await;
    let text = "The flood is over?";
    let last = question("que_over", "ses_1", text, &["Yes"]);
    stage.replay.ask(Kind::Question, DIRECTORY, last).await;
    stage
        .daemon
        .wait_for(|shown| shown.summary.ends_with(text), SOON)
        .await;
    let (ours, raw) = (cpu(pid) - ours, cpu(counter.id()) - raw);
    stage.replay.cut().await;
    let counted = counter.wait_with_output().unwrap();
    let counted: u64 = String::from_utf8(counted.stdout)
        .unwrap()
        .trim()
        .parse()
        .unwrap();
    assert!(
        counted >= sent.bytes,
        "the counter has read the whole flood"
    );
    let megabytes = sent.bytes as f64 / 1e6;
    let per_megabyte = |spent: Duration| spent.as_secs_f64() * 1e3 / megabytes;
    println!(
        "{:<58} {:>9.2} ms {:>9.2} ms {:>10}",
        format!("CPU per MB of flood ({megabytes:.0} MB): ours, counting"),
        per_megabyte(ours),
        per_megabyte(raw),
        ""
    );
    let ratio = ours.as_secs_f64() / raw.as_secs_f64();
    println!(
        "{:<58} {:>12.2} {:>12} {:>10}",
        "  as a ratio", ratio, "", "1.5"
    );
}

/// Returns the recording without its greeting: each repeat of that would look like a server that
/// begins anew.
fn flood() -> Vec<u8> {
    let frames = FLOOD
        .split_inclusive("\n\n")
        .filter(|frame| !frame.contains(GREETING));
    frames.collect::<String>().into_bytes()
}

/// Reads a stream to its end and prints how many bytes it held.
fn count_bytes(url: &str) {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    let read = runtime.block_on(async {
        use futures_util::StreamExt;
        let client = reqwest::Client::builder().no_proxy().build().unwrap();
        let response = client
            .get(format!("{url}/global/event"))
            .send()
            .await
            .unwrap();
        let mut bytes = response.bytes_stream();
        let mut read: u64 = 0;
        while let Some(Ok(chunk)) = bytes.next().await {
            read += chunk.len() as u64;
        }
        read
    });
    println!("{read}");
}

async fn one_large_frame() {
    let stage = Stage::start(&["--headless"]).await;
    let pid = stage.beckon.pid().unwrap();
    let text = "x".repeat(20_000_000);
    let frame = beckon_support::replay::frame(
        Some(DIRECTORY),
        "message.part.updated",
        json!({ "part": { "type": "text", "text": text } }),
    );
    let before = cpu(pid);
    stage.replay.send(&frame).await;
    let request = question("que_large", "ses_1", "After it?", &["Yes"]);
    stage.replay.ask(Kind::Question, DIRECTORY, request).await;
    stage
        .daemon
        .wait_for(|shown| shown.summary.ends_with("After it?"), SOON)
        .await;
    let spent = (cpu(pid) - before).as_secs_f64();
    println!(
        "{:<58} {:>10.3} s {:>12} {:>10}",
        "CPU of one 20 MB frame", spent, "", "0.1 s"
    );
}

async fn idle(what: &str, arguments: &[&str], budget: &str) {
    let stage = Stage::start(arguments).await;
    let pid = stage.beckon.pid().unwrap();
    // The start's own work must be over before idleness is measured.
    tokio::time::sleep(Duration::from_secs(3)).await;
    let (before, slept) = (ticks(pid), switches(pid));
    tokio::time::sleep(Duration::from_secs(30)).await;
    let (spent, woken) = (
        ticks(pid) - before,
        (switches(pid).saturating_sub(slept)) * 2,
    );
    let rss = resident_kib(pid) as f64 / 1024.0;
    println!(
        "{:<58} {:>12} {:>12} {:>10}",
        format!("idle {what}: CPU ticks in 30 s"),
        spent,
        "",
        "0"
    );
    let wakeups = format!("idle {what}: voluntary context switches a minute");
    println!("{wakeups:<58} {woken:>12} {:>12} {:>10}", "", "60");
    println!(
        "{:<58} {:>8.1} MiB {:>12} {:>10}",
        format!("idle {what}: RSS"),
        rss,
        "",
        budget
    );
}

async fn starts() {
    let (mut tray, mut reconciled) = (Vec::new(), Vec::new());
    for _ in 0..10 {
        let (bus, replay) = (Bus::start(), Replay::start());
        replay.session("ses_1", DIRECTORY, "A session");
        let _daemon = Notifications::start(&bus);
        let config = format!(
            "[[opencode]]\nname = \"local\"\nurl = \"{}\"\n",
            replay.url()
        );
        let builder = Beckon::builder(env!("CARGO_BIN_EXE_beckon"))
            .bus(&bus)
            .config(&config);
        let beckon = builder.args(&[]).build();
        let connection = bus.connect();
        let at = Instant::now();
        beckon.start();
        let name = format!("org.kde.StatusNotifierItem-{}-1", beckon.pid().unwrap());
        tray.push(owned(&connection, &name, at));
        beckon.wait_ready().await;
        let last = replay
            .calls()
            .into_iter()
            .rfind(|call| call.path == "/permission");
        reconciled.push(last.unwrap().at.saturating_duration_since(at));
    }
    row("start → tray ready", &tray, "50 ms");
    row(
        "start → reconciled with a local server",
        &reconciled,
        "150 ms",
    );
}

fn owned(connection: &zbus::blocking::Connection, name: &str, since: Instant) -> Duration {
    let dbus = zbus::blocking::fdo::DBusProxy::new(connection).unwrap();
    loop {
        if dbus.name_has_owner(name.try_into().unwrap()).unwrap() {
            return since.elapsed();
        }
        assert!(since.elapsed() < SOON, "no tray item appeared");
        std::thread::yield_now();
    }
}

/// Returns the CPU time of a process so far, of all threads that live.
fn cpu(pid: u32) -> Duration {
    let tasks = std::fs::read_dir(format!("/proc/{pid}/task")).unwrap();
    let nanoseconds = tasks.filter_map(Result::ok).filter_map(|task| {
        let text = std::fs::read_to_string(task.path().join("schedstat")).ok()?;
        text.split_whitespace().next()?.parse::<u64>().ok()
    });
    Duration::from_nanos(nanoseconds.sum())
}

fn ticks(pid: u32) -> u64 {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap();
    let after_name = stat.rsplit(')').next().unwrap();
    let fields: Vec<&str> = after_name.split_whitespace().collect();
    fields[11].parse::<u64>().unwrap() + fields[12].parse::<u64>().unwrap()
}

/// Returns how often any thread of a process was woken.
fn switches(pid: u32) -> u64 {
    let threads = std::fs::read_dir(format!("/proc/{pid}/task")).unwrap();
    let of = |status: String| {
        let line = status
            .lines()
            .find(|line| line.starts_with("voluntary_ctxt_switches"))?;
        line.split_whitespace().nth(1)?.parse::<u64>().ok()
    };
    let status = |thread: std::fs::DirEntry| std::fs::read_to_string(thread.path().join("status"));
    threads
        .flatten()
        .filter_map(|thread| of(status(thread).ok()?))
        .sum()
}

fn resident_kib(pid: u32) -> u64 {
    memory_kib(pid, "VmRSS")
}

/// Returns a line of `/proc/PID/status` (proc_pid_status(5)): `RssAnon` is the memory that a
/// program has made itself, `RssFile` the part of its own files that the kernel has mapped.
fn memory_kib(pid: u32, line: &str) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap();
    let line = status.lines().find(|told| told.starts_with(line)).unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}

fn row(what: &str, samples: &[Duration], budget: &str) {
    let mut sorted = samples.to_vec();
    sorted.sort();
    let at = |share: f64| {
        let index = ((sorted.len() - 1) as f64 * share).round() as usize;
        format!("{:.3} ms", sorted[index].as_secs_f64() * 1e3)
    };
    println!("{what:<58} {:>12} {:>12} {budget:>10}", at(0.5), at(0.99));
}
