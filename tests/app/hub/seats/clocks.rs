//! Tests of a machine whose clock is an hour ahead, or behind: asks expire by their owner's clock
//! and in time, and where the human sits is known as before.

use super::*;
use beckon_support::wall_clock::WallClock;

const HOUR: i64 = 3_600;
const HASTY: &str = "[questions]\nexpire_after = \"4s\"\n";

/// Two machines, one of which has a clock that is this far ahead.
struct Skewed {
    machines: [Machine; 2],
    clock: WallClock,
    skewed: usize,
    _hub: Nats,
}

impl Skewed {
    async fn with(skewed: usize, ahead: i64, owners: &str) -> Self {
        let (hub, clock) = (Nats::start(Version::V2_10_26), WallClock::new());
        clock.set_ahead(ahead);
        let devices = listing(&hub, &[0, 1]).await;
        let machines = std::array::from_fn(|device| {
            let settings = format!("{ALONE}{}", if device == 0 { owners } else { "" });
            Machine::tuned(&hub, (device, &devices), &settings, |program| {
                if device == skewed {
                    clock.rule(program)
                } else {
                    program
                }
            })
        });
        for machine in &machines {
            machine.beckon.start();
            machine.logind.wait_watched().await;
            connected(&machine.beckon).await;
        }
        Self {
            machines,
            clock,
            skewed,
            _hub: hub,
        }
    }

    /// Returns the time by that machine's clock.
    fn now_at(&self, machine: usize) -> i64 {
        if machine == self.skewed {
            self.clock.now()
        } else {
            self.clock.now() - self.clock.ahead() * 1_000
        }
    }
}

async fn each(story: impl AsyncFn(usize, i64)) {
    for (skewed, ahead) in [(0, HOUR), (0, -HOUR), (1, HOUR), (1, -HOUR)] {
        story(skewed, ahead).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_expires_does_so_in_its_time_whichever_clock_is_wrong() {
    each(async |skewed, ahead| {
        let home = Skewed::with(skewed, ahead, HASTY).await;
        let [owner, other] = &home.machines;
        let began = std::time::Instant::now();
        let asker = ask(&owner.beckon, "How long?");
        let shown = one_open(&other.beckon).await;
        let age = home.now_at(1) - shown["asked_at"].as_i64().unwrap();
        assert!(
            (-1_000..10_000).contains(&age),
            "{skewed} {ahead}: asked {age} ms ago"
        );
        nothing_open(&owner.beckon).await;
        let took = began.elapsed();
        assert!(
            took >= Duration::from_millis(3_900),
            "{skewed} {ahead}: {took:?}"
        );
        nothing_open(&other.beckon).await;
        drop(asker);
        let answered = ask(&owner.beckon, "In time?");
        let shown = one_open(&other.beckon).await;
        assert_eq!(
            answer(&other.beckon, &shown["id"], "2").await["state"],
            "taken"
        );
        assert_eq!(said(answered).await, "Right\n");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn who_sits_where_is_known_whichever_clock_is_wrong() {
    each(async |skewed, ahead| {
        let home = Skewed::with(skewed, ahead, "").await;
        let [owner, other] = &home.machines;
        other.sits(true);
        owner.knows("seated").await;
        let asker = ask(&owner.beckon, "Where?");
        let shown = other.rings("Where?").await;
        other
            .notifications
            .press(shown.id, shown.action("Left").unwrap());
        assert_eq!(said(asker).await, "Left\n");
        other.sits(false);
        owner.sits(true);
        other.knows("seated").await;
        let _asker = ask(&other.beckon, "And now?");
        owner.rings("And now?").await;
        assert_eq!((owner.rang(), other.rang()), (1, 1), "{skewed} {ahead}");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_clock_that_is_set_while_something_waits_loses_nothing_and_nobody() {
    for by in [HOUR, -HOUR] {
        let home = Skewed::with(0, 0, "").await;
        let [owner, other] = &home.machines;
        other.sits(true);
        owner.knows("seated").await;
        let asker = ask(&owner.beckon, "Before?");
        let shown = other.rings("Before?").await;
        home.clock.set_ahead(by);
        let second = ask(&owner.beckon, "After?");
        other.rings("After?").await;
        owner.knows("seated").await;
        assert_eq!(other.beckon.list().await.len(), 2);
        other
            .notifications
            .press(shown.id, shown.action("Left").unwrap());
        assert_eq!(said(asker).await, "Left\n");
        let left = one_open(&other.beckon).await;
        assert_eq!(
            answer(&other.beckon, &left["id"], "2").await["state"],
            "taken"
        );
        assert_eq!(said(second).await, "Right\n");
        assert_eq!(owner.rang(), 0);
    }
}
