//! The runner that lives many lives of a world on all processors and reports those that fail.
//!
//! Each day uses other seeds, so that the checks of many days see more than those of one.
//! `BECKON_MODEL_CASES` sets the number of lives of each world, `BECKON_MODEL_FROM` the first seed;
//! `BECKON_MODEL_SEED` runs one seed and prints its story.

use std::fmt::Debug;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::SystemTime;

/// The usual number of lives of each world. `cargo xtask prove` lives a million.
const USUAL: u64 = 60_000;
/// The number of seeds set aside for each day; more than anybody lives in one.
const SEEDS_PER_DAY: u64 = 10_000_000;
const SECONDS_PER_DAY: u64 = 24 * 60 * 60;

/// The number of lives from which rare events must occur; fewer lives may miss them.
const ENOUGH: u64 = 10_000;
/// The lowest frequency that every event of a world must have, in a thousand lives.
const RAREST: u64 = 2;

/// The counts of the events in a world.
pub trait Counts: Copy + Debug + Default + Send {
    fn counts(&self) -> Vec<(&'static str, u64)>;
    fn add(&mut self, more: &Self);
}

/// A world with a log of its events, if the log is wanted.
pub trait Life {
    type Tally: Counts;

    fn new(seed: u64, log: bool) -> Self;
    /// Lives the whole life and checks every promise.
    fn live(&mut self);
    fn tally(&self) -> Self::Tally;
    fn log(&mut self) -> Vec<String>;
}

/// Lives many lives of that world: `share` per cent of the usual number.
pub fn many<L: Life>(share: u64) {
    if let Some(seed) = number("BECKON_MODEL_SEED") {
        return tell::<L>(seed);
    }
    let cases = number("BECKON_MODEL_CASES").unwrap_or(USUAL) * share / 100;
    let first = number("BECKON_MODEL_FROM").unwrap_or_else(first_of_the_day);
    let (lives, tally) = (AtomicU64::new(0), Mutex::new(L::Tally::default()));
    let failed = run::<L>(first, cases, &lives, &tally);
    let lives = lives.into_inner().min(cases);
    assert!(
        failed.is_empty(),
        "in {lives} lives (read one with BECKON_MODEL_SEED): {failed:#?}"
    );
    let tally = tally.into_inner().unwrap();
    eprintln!("{lives} lives, the first BECKON_MODEL_SEED={first}: {tally:?}");
    let tame = tally
        .counts()
        .into_iter()
        .find(|(_, count)| count * 1_000 < RAREST * lives);
    assert!(
        lives < ENOUGH || tame.is_none(),
        "too tame a world: {tame:?} in {lives} lives"
    );
}

fn first_of_the_day() -> u64 {
    let since = SystemTime::UNIX_EPOCH.elapsed().unwrap_or_default();
    since.as_secs() / SECONDS_PER_DAY * SEEDS_PER_DAY
}

/// Lives the seeds on all processors until a few lives have failed; returns the seeds of these with
/// their messages.
fn run<L: Life>(
    first: u64,
    cases: u64,
    next: &AtomicU64,
    tally: &Mutex<L::Tally>,
) -> Vec<(u64, String)> {
    let failed = Mutex::new(Vec::new());
    let work = || {
        while failed.lock().unwrap().len() < 3 {
            let life = next.fetch_add(1, Ordering::Relaxed);
            if life >= cases {
                return;
            }
            let seed = first + life;
            let live = || {
                let mut life = L::new(seed, false);
                life.live();
                life.tally()
            };
            match catch_unwind(AssertUnwindSafe(live)) {
                Ok(more) => tally.lock().unwrap().add(&more),
                Err(said) => {
                    // The rest of a million takes long; this life can be looked at meanwhile.
                    eprintln!("BECKON_MODEL_SEED={seed} fails");
                    failed.lock().unwrap().push((seed, words(&*said)));
                }
            }
        }
    };
    let threads = std::thread::available_parallelism().map_or(2, std::num::NonZero::get);
    std::thread::scope(|scope| (0..threads).for_each(|_| drop(scope.spawn(work))));
    failed.into_inner().unwrap()
}

/// Lives one seed and prints its story.
fn tell<L: Life>(seed: u64) {
    let mut life = L::new(seed, true);
    let result = catch_unwind(AssertUnwindSafe(|| life.live()));
    eprintln!("{}", life.log().join("\n"));
    assert!(result.is_ok(), "seed {seed} fails");
}

fn words(said: &(dyn std::any::Any + Send)) -> String {
    let text = said.downcast_ref::<String>().map(String::as_str);
    let text = text
        .or(said.downcast_ref::<&str>().copied())
        .unwrap_or_default();
    text.chars().take(400).collect()
}

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}
