//! Tests that live days of Beckon, on each of which it is killed at some instant: no ask or answer
//! is lost or doubled, none goes to another place, and no card is left behind.
//!
//! `BECKON_DAYS` sets how many days; `BECKON_DAY_SEED` lives one and tells its story;
//! `BECKON_DAYS_PROGRAM` names another program than the one that was just built. `cargo xtask
//! prove` runs them, and `docs/proof.md` says what they find.

mod checks;
mod day;
mod human;
mod killing;
mod script;
mod soak;
mod world;

use day::Day;
use futures_util::FutureExt;
use script::{KillKind, Script};
use std::panic::AssertUnwindSafe;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Instant;
use world::Office;

/// The number of days in every run of the tests: one for each kind of kill, half a minute in all.
const SHORT: u64 = 3;
/// The number of failed days after which no further day is begun.
const ENOUGH: usize = 3;

#[test]
fn whatever_the_instant_at_which_it_is_killed_nothing_is_lost_doubled_misled_or_left_behind() {
    let one = number("BECKON_DAY_SEED");
    let (from, until) = match one {
        Some(seed) => (seed, seed + 1),
        None => (0, number("BECKON_DAYS").unwrap_or(SHORT)),
    };
    let days = run(from, until);
    say(&table(&days));
    days.iter()
        .filter(|_| one.is_some())
        .for_each(|day| say(&told(day)));
    let failed: Vec<u64> = days
        .iter()
        .filter(|day| !day.breaches.is_empty())
        .map(|day| day.seed)
        .collect();
    assert!(
        failed.is_empty(),
        "cargo xtask prove --seed N tells one of them: {failed:?}"
    );
}

/// Lives the days, two at a time: both mostly wait.
fn run(from: u64, until: u64) -> Vec<Day> {
    let (next, days) = (AtomicU64::new(from), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..2.min(until - from) {
            scope.spawn(|| {
                let runtime = tokio::runtime::Runtime::new().unwrap();
                runtime.block_on(live(&next, until, &days));
            });
        }
    });
    let mut days = days.into_inner().unwrap();
    days.sort_by_key(|day| day.seed);
    days
}

/// Lives day after day until none is left.
async fn live(next: &AtomicU64, until: u64, days: &Mutex<Vec<Day>>) {
    let mut office = Arc::new(Office::open().await);
    loop {
        let seed = next.fetch_add(1, Ordering::Relaxed);
        let failed = |day: &&Day| !day.breaches.is_empty();
        if seed >= until || days.lock().unwrap().iter().filter(failed).count() >= ENOUGH {
            return;
        }
        let began = Instant::now();
        let lived = AssertUnwindSafe(day::live(office.clone(), seed))
            .catch_unwind()
            .await;
        let day = lived.unwrap_or_else(|panic| broken_off(seed, &*panic));
        let (name, breaches) = (day.kind.name(), day.breaches.len());
        let took = began.elapsed().as_secs_f64();
        if number("BECKON_DAYS").is_some() {
            let asks = day.asks;
            say(&format!(
                "day {seed}: {name}, {took:.1} s, {asks} asks, {breaches} breaches"
            ));
        }
        if breaches > 0 {
            say(&told(&day));
        }
        if breaches > 0 {
            office = Arc::new(Office::open().await);
        }
        days.lock().unwrap().push(day);
    }
}

fn told(day: &Day) -> String {
    let Day {
        seed,
        log,
        breaches,
        ..
    } = day;
    format!(
        "--- seed {seed}, {}\n{log}\n{}\n---",
        day.kind.name(),
        breaches.join("\n")
    )
}

/// Returns the day that broke off by a panic; that is a breach, too.
fn broken_off(seed: u64, panic: &(dyn std::any::Any + Send)) -> Day {
    let said = panic.downcast_ref::<String>().cloned();
    let said = said.or(panic.downcast_ref::<&str>().map(|said| (*said).to_owned()));
    let breaches = vec![format!("it broke off: {}", said.unwrap_or_default())];
    let (kind, log) = (Script::new(seed).kill.kind, String::new());
    Day {
        seed,
        kind,
        hit: false,
        asks: 0,
        answers: 0,
        strays: 0,
        breaches,
        log,
    }
}

fn table(days: &[Day]) -> String {
    let mut lines = vec![
        "| kill | days | with cards open | asks | answers | on their way | breaches |".to_owned(),
        "|---|---|---|---|---|---|---|".to_owned(),
    ];
    let kinds = KillKind::ALL.map(Some).into_iter().chain([None]);
    lines.extend(kinds.map(|kind| {
        let of: Vec<&Day> = days
            .iter()
            .filter(|day| kind.is_none_or(|kind| day.kind == kind))
            .collect();
        let sum = |count: fn(&Day) -> usize| of.iter().map(|day| count(day)).sum::<usize>();
        format!(
            "| {} | {} | {} | {} | {} | {} | {} |",
            kind.map_or("together", KillKind::name),
            of.len(),
            sum(|day| usize::from(day.hit)),
            sum(|day| day.asks),
            sum(|day| day.answers),
            sum(|day| day.strays),
            sum(|day| day.breaches.len()),
        )
    }));
    lines.join("\n")
}

#[allow(
    clippy::print_stderr,
    reason = "whoever proves something wants to see it"
)]
fn say(text: &str) {
    eprintln!("{text}");
}

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}
