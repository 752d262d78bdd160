//! Measurements of how long it takes until an ask rings at the machine where the human sits, and of
//! what a Beckon with a hub spends while nothing happens. They are for `docs/measured.md`.

use super::*;
use crate::common::config;
use beckon_support::replay::{Kind, Replay, question};
use std::time::Instant;

const ASKS: usize = 100;
const STILL: Duration = Duration::from_secs(30);

#[tokio::test(flavor = "multi_thread")]
#[ignore = "it measures: cargo test --release --test app -- --ignored --nocapture measuring"]
async fn what_is_asked_at_one_machine_rings_at_the_other() {
    let (hub, replay) = (Nats::start(Version::V2_10_26), Replay::start());
    replay.session("ses_1", "/home/me/shop", "A session");
    let devices = listing(&hub, &[0, 1]).await;
    let owner = Machine::with(&hub, (0, &devices), &config(&replay.url()), false);
    let seat = Machine::new(&hub, 1, &devices, None);
    for machine in [&owner, &seat] {
        machine.beckon.start();
        machine.logind.wait_watched().await;
        connected(&machine.beckon).await;
    }
    seat.sits(true);
    owner.knows("seated").await;
    replay.wait_streams(1, SOON).await;
    let mut took = Vec::new();
    for number in 0..ASKS {
        let (id, text) = (format!("que_{number}"), format!("Number {number}?"));
        let asked = Instant::now();
        let request = question(&id, "ses_1", &text, &["Left", "Right"]);
        replay.ask(Kind::Question, "/home/me/shop", request).await;
        let shown = seat.rings(&text).await;
        took.push(shown.at.duration_since(asked).as_secs_f64() * 1_000.0);
        seat.notifications
            .press(shown.id, shown.action("Left").unwrap());
        nothing_open(&seat.beckon).await;
    }
    assert_eq!(owner.rang(), 0);
    took.sort_by(f64::total_cmp);
    let at = |part: usize| took[(ASKS * part).div_ceil(100) - 1];
    eprintln!(
        "asked elsewhere → Notify: p50 {:.1} p99 {:.1} max {:.1} ms",
        at(50),
        at(99),
        at(100)
    );
    let before = [&owner, &seat].map(|it| ticks(&it.beckon));
    tokio::time::sleep(STILL).await;
    let after = [&owner, &seat].map(|it| ticks(&it.beckon));
    eprintln!(
        "CPU ticks in {STILL:?} of stillness: {:?}",
        [after[0] - before[0], after[1] - before[1]]
    );
}

/// Returns the CPU ticks that a Beckon has spent.
fn ticks(beckon: &Beckon) -> u64 {
    let stat = std::fs::read_to_string(format!("/proc/{}/stat", beckon.pid().unwrap())).unwrap();
    let fields: Vec<&str> = stat
        .rsplit(')')
        .next()
        .unwrap()
        .split_whitespace()
        .collect();
    fields[11].parse::<u64>().unwrap() + fields[12].parse::<u64>().unwrap()
}
