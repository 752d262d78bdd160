//! A test of a long day without kills, which shows the cost of a Beckon that is never closed. Days
//! of the other kind follow one another at a real OpenCode, without their kills, and beside them a
//! crowd asks at an imitated one, with floods of frames and broken streams (`soak/crowd.rs`).
//! Meanwhile the memory, files and threads of Beckon are noted (`soak/gauge.rs`), and in the end
//! none of these may have grown, except for what is kept on purpose (`soak/growth.rs`).
//!
//! `cargo xtask prove soak [MINUTES]` runs it; `docs/proof.md` has its figures.

mod crowd;
mod gauge;
mod growth;

use super::day;
use super::human::Human;
use super::killing::{Killed, Strays};
use super::script::{KillKind, Script};
use super::world::{Office, World};
use super::{checks, number, say};
use beckon_support::wiretap::Posted;
use crowd::Crowd;
use gauge::Gauge;
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

const MINUTE: Duration = Duration::from_secs(60);
/// The number of breaches after which no further day is begun.
const ENOUGH: usize = 3;

#[tokio::test(flavor = "multi_thread")]
#[ignore = "it takes an hour: cargo xtask prove soak"]
async fn whatever_comes_and_goes_in_an_hour_nothing_grows_but_what_is_kept() {
    let minutes = number("BECKON_SOAK_MINUTES").unwrap_or(60);
    let office = Arc::new(Office::open().await);
    let crowd = Crowd::open();
    let world = Arc::new(World::with(office, &crowd.config(), |program| program).await);
    crowd.fill_the_memory(&world).await;
    let gauge = Gauge::start(&world, crowd.count());
    let (over, until) = (
        AtomicBool::new(false),
        Instant::now() + MINUTE * u32::try_from(minutes).unwrap(),
    );
    let ((lived, mut breaches), at_the_crowd) =
        tokio::join!(days(&world, until, &over), crowd.live(&world, &over));
    let samples = gauge.stop();
    breaches.extend(at_the_crowd);
    breaches.extend(evening(&world).await);
    breaches.extend(growth::judge(&samples));
    let (real, mass) = (
        world.wire.asked_count(),
        crowd.count().load(Ordering::Relaxed),
    );
    say(&format!(
        "{minutes} minutes, {lived} days: {real} asks of OpenCode, {mass} of the crowd"
    ));
    say(&growth::table(&samples));
    if !breaches.is_empty() {
        say(&day::in_full(&world).await);
    }
    assert!(breaches.is_empty(), "{}", breaches.join("\n"));
}

/// Lives one day after another at the real server; returns how many, and the breaches. The crowd
/// ends with the last day; and when one of the crowd is lost, the days end.
async fn days(world: &Arc<World>, until: Instant, over: &AtomicBool) -> (u64, Vec<String>) {
    let (mut seed, mut breaches) = (0, Vec::new());
    while Instant::now() < until && breaches.len() < ENOUGH && !over.load(Ordering::Relaxed) {
        let found = one_day(world, seed).await;
        for breach in &found {
            say(&format!("day {seed}: {breach}"));
        }
        breaches.extend(
            found
                .into_iter()
                .map(|breach| format!("day {seed}: {breach}")),
        );
        seed += 1;
    }
    over.store(true, Ordering::Relaxed);
    (seed, breaches)
}

/// Lives the day of a script, without its kill.
async fn one_day(world: &Arc<World>, seed: u64) -> Vec<String> {
    let mut script = Script::new(seed);
    script.kill.kind = KillKind::Stop;
    world.wire.slow(script.wire.0, script.wire.1);
    let night = AtomicBool::new(false);
    let human = Human::new(world.clone(), &script);
    let agents = async {
        let sessions = day::work(world, &script).await;
        night.store(true, Ordering::Relaxed);
        sessions
    };
    let events = day::events(world, &script, Instant::now());
    let (sessions, watched, ()) = tokio::join!(agents, human.live(&night), events);
    let outcomes = day::outcomes(world, &script, &sessions).await;
    let unharmed = unharmed(world);
    let mut breaches = checks::answers(&outcomes, &watched);
    breaches.extend(second_thoughts(&world.wire.posted()));
    breaches.extend(checks::doubles(world, &script, &unharmed));
    day::clear(world, &sessions).await;
    // The machine wakes if it slept, and the human is at the screen again every other day.
    world.logind.prepare_for_sleep(false);
    world.logind.set_locked(seed.is_multiple_of(2));
    world.forget();
    breaches
}

/// Returns the answers that differ from an earlier one to the same request. The same answer may be
/// sent again if the server's response was not heard in time, as on a busy machine; the days with a
/// kill check that nothing else leads to that.
fn second_thoughts(posted: &[Posted]) -> Vec<String> {
    let mut said = HashMap::<&str, &Posted>::new();
    let mut breaches = Vec::new();
    for post in posted {
        let first = *said.entry(&post.id).or_insert(post);
        if (&first.verb, &first.body) != (&post.verb, &post.body) {
            breaches.push(format!(
                "answered once more, and otherwise: {first:?}, and {post:?}"
            ));
        }
    }
    breaches
}

/// Returns the report of a kill that did not happen.
fn unharmed(world: &World) -> Killed {
    let (at, back) = (world.began, world.began);
    Killed {
        at,
        back,
        open: 0,
        strays: Strays::default(),
        breaches: Vec::new(),
    }
}

/// Checks that nothing is left when all have gone, and that no rule was broken.
async fn evening(world: &World) -> Vec<String> {
    let mut breaches = day::orphans(world, &unharmed(world), false).await;
    breaches.extend(world.daemon().violations());
    breaches.extend(world.phone.telegram.complaints());
    breaches
}
