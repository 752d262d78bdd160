//! Runs many lives of a world on all processors, and says which of them fail.
//!
//! Each day lives other ones, so that checks of many days see more than one day's. `BECKON_MODEL_CASES`
//! sets how many of each world, `BECKON_MODEL_FROM` the first seed; `BECKON_MODEL_SEED` runs one and prints
//! its story.

use std::fmt::Debug;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::SystemTime;

/// Of each world, unless somebody says otherwise. A million are lived by `cargo xtask prove`.
const USUAL: u64 = 60_000;
/// More seeds than anybody lives in a day.
const SEEDS_PER_DAY: u64 = 10_000_000;
const SECONDS_PER_DAY: u64 = 24 * 60 * 60;

/// Fewer lives may miss what is rare.
const ENOUGH: u64 = 10_000;
/// The rarest thing of a world happens so often in a thousand lives.
const RAREST: u64 = 2;

/// How much happened in a world.
pub trait Counts: Copy + Debug + Default + Send {
    fn counts(&self) -> Vec<(&'static str, u64)>;
    fn add(&mut self, more: &Self);
}

/// A world with a log of what happens in it, if somebody wants to read that.
pub trait Life {
    type Tally: Counts;

    fn new(seed: u64, log: bool) -> Self;
    /// Everything happens, and every promise is checked.
    fn live(&mut self);
    fn tally(&self) -> Self::Tally;
    fn log(&mut self) -> Vec<String>;
}

/// Lives of that world; `share` of a hundred of the usual number.
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

/// Up to a few lives that fail, each with its seed and what it says.
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
                    // Of a million the rest takes long: this one can be looked at meanwhile.
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

/// Runs one seed and prints what happened.
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
