//! Tests of where the human sits: Beckons with a screen and notifications of their own, at a real
//! nats-server. The machine rings at which the human sits, and the phone when they sit at none.

mod clocks;
mod measuring;

use super::*;
use crate::common::http::call;
use crate::common::phone::Phone;
use beckon_support::bus::Bus;
use beckon_support::notifications::{Notifications, Shown};
use beckon_support::presence::Logind;
use reqwest::Method;
use serde_json::json;

/// The time limit for a state that needs 45 s of silence, after which a machine counts as unheard.
const UNHEARD: Duration = Duration::from_secs(60);

/// A machine: its Beckon, its notifications, and the service that tells about its screen.
pub(super) struct Machine {
    pub(super) beckon: Beckon,
    pub(super) notifications: Notifications,
    pub(super) logind: Logind,
    _buses: (Bus, Bus),
}

impl Machine {
    /// Prepares a machine at which nobody sits: its screen is locked.
    fn new(hub: &Nats, device: usize, devices: &str, phone: Option<&Phone>) -> Self {
        let phone_config = phone.map(Phone::config).unwrap_or_default();
        Self::with(
            hub,
            (device, devices),
            &format!("{ALONE}{phone_config}"),
            phone.is_some(),
        )
    }

    fn with(hub: &Nats, device: (usize, &str), settings: &str, has_phone: bool) -> Self {
        let tune = |program| {
            if has_phone {
                Phone::knows_token(program)
            } else {
                program
            }
        };
        Self::tuned(hub, device, settings, tune)
    }

    fn tuned(
        hub: &Nats,
        (device, devices): (usize, &str),
        settings: &str,
        tune: impl FnOnce(Builder) -> Builder,
    ) -> Self {
        Self::around(tune(builder(hub, device, devices, settings)))
    }

    pub(super) fn around(program: Builder) -> Self {
        let (session, system) = (Bus::start(), Bus::start());
        let (notifications, logind) = (Notifications::start(&session), Logind::start(&system));
        logind.set_locked(true);
        let beckon = program.bus(&session).system_bus(&system).build();
        Self {
            beckon,
            notifications,
            logind,
            _buses: (session, system),
        }
    }

    pub(super) fn sits(&self, sits: bool) {
        self.logind.set_locked(!sits);
    }

    /// Waits until the machine has this state about the others, in the words of `status --json`.
    pub(super) async fn knows(&self, elsewhere: &str) {
        eventually(&format!("it knows {elsewhere}"), UNHEARD, async || {
            let status = self.beckon.status().await;
            (status["presence"]["elsewhere"] == elsewhere).then_some(())
        })
        .await;
    }

    pub(super) async fn rings(&self, question: &str) -> Shown {
        let asks =
            |shown: &Shown| shown.summary.contains(question) || shown.body.contains(question);
        self.notifications.wait_for(asks, UNHEARD).await
    }

    pub(super) fn rang(&self) -> usize {
        self.notifications.count()
    }
}

/// Starts this many machines, and waits until they have heard of each other; the first one has the
/// phone.
async fn machines<const N: usize>(hub: &Nats, phone: Option<&Phone>) -> [Machine; N] {
    let devices = listing(hub, &[0, 1, 2][..N]).await;
    let all = std::array::from_fn(|device| {
        Machine::new(hub, device, &devices, phone.filter(|_| device == 0))
    });
    for machine in &all {
        machine.beckon.start();
        machine.logind.wait_watched().await;
        connected(&machine.beckon).await;
    }
    if let Some(phone) = phone {
        phone.pair(&all[0].beckon).await;
    }
    all
}

async fn open_at(machine: &Machine, question: &str) {
    eventually("it is open there", SOON, async || {
        let open = machine.beckon.list().await;
        open.iter()
            .any(|ask| ask["questions"][0]["question"] == question)
            .then_some(())
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_machine_at_which_the_human_sits_rings_once_and_the_others_and_the_phone_stay_silent() {
    let hub = Nats::start(Version::V2_10_26);
    let phone = Phone::new();
    let all: [Machine; 3] = machines(&hub, Some(&phone)).await;
    all[2].sits(true);
    for other in &all[..2] {
        other.knows("seated").await;
    }
    for (owner, question) in ["First?", "Second?", "Third?"].into_iter().enumerate() {
        let asker = ask(&all[owner].beckon, question);
        let shown = all[2].rings(question).await;
        assert_eq!(
            shown.summary.contains(&format!(" on device{owner} · ")),
            owner != 2,
            "{shown:?}"
        );
        for machine in &all {
            open_at(machine, question).await;
        }
        let left = shown.action("Left").expect("a button").to_owned();
        all[2].notifications.press(shown.id, &left);
        assert_eq!(said(asker).await, "Left\n");
    }
    assert_eq!(all.each_ref().map(Machine::rang), [0, 0, 3]);
    assert_eq!(phone.sent("?"), 0);
    let status = all[0].beckon.command(&["status"]).await.stdout;
    assert!(status.contains("You're notified on"), "{status}");
}

#[tokio::test(flavor = "multi_thread")]
async fn who_sits_at_none_is_reached_by_phone_alone_and_rung_where_they_come_to() {
    let hub = Nats::start(Version::V2_10_26);
    let phone = Phone::new();
    let all: [Machine; 2] = machines(&hub, Some(&phone)).await;
    for machine in &all {
        machine.knows("gone").await;
    }
    let _asker = ask(&all[1].beckon, "Which way?");
    phone.card("Which way?").await;
    for machine in &all {
        open_at(machine, "Which way?").await;
    }
    assert_eq!(all.each_ref().map(Machine::rang), [0, 0]);
    all[1].sits(true);
    all[1].rings("Which way?").await;
    all[0].knows("seated").await;
    assert_eq!(all.each_ref().map(Machine::rang), [0, 1]);
    assert_eq!(phone.sent("Which way?"), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn who_moves_is_rung_where_they_sit_then_and_what_rang_before_stays_until_it_is_answered() {
    let hub = Nats::start(Version::V2_10_26);
    let all: [Machine; 2] = machines(&hub, None).await;
    all[0].sits(true);
    all[1].knows("seated").await;
    let asker = ask(&all[1].beckon, "Which way?");
    all[0].rings("Which way?").await;
    all[0].sits(false);
    all[1].sits(true);
    let shown = all[1].rings("Which way?").await;
    all[0].knows("seated").await;
    assert_eq!(all[0].notifications.open().len(), 1);
    all[1]
        .notifications
        .press(shown.id, shown.action("Right").unwrap());
    assert_eq!(said(asker).await, "Right\n");
    all[0].notifications.wait_empty(SOON).await;
    assert_eq!(all.each_ref().map(Machine::rang), [1, 1]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_machine_that_is_killed_where_the_human_sat_is_unknown_after_45_seconds_and_the_others_ring()
 {
    let hub = Nats::start(Version::V2_10_26);
    let all: [Machine; 2] = machines(&hub, None).await;
    all[0].sits(true);
    all[1].knows("seated").await;
    all[0].beckon.kill9();
    let killed = std::time::Instant::now();
    let _asker = ask(&all[1].beckon, "Anybody?");
    all[1].rings("Anybody?").await;
    let after = killed.elapsed();
    assert!(
        (28..50).contains(&after.as_secs()),
        "it was heard of 0 to 15 s before: {after:?}"
    );
    all[1].knows("unheard").await;
}

async fn share_presence(machine: &Machine, shared: bool) {
    let change = json!({ "key": "hub.share_presence", "value": shared });
    let (status, said) = call(&machine.beckon, Method::PATCH, "/settings", &change).await;
    assert_eq!(status, 200, "{said}");
}

#[tokio::test(flavor = "multi_thread")]
async fn where_presence_is_not_shared_the_others_know_nothing_of_it_at_once_and_ring_as_well() {
    let hub = Nats::start(Version::V2_10_26);
    let all: [Machine; 2] = machines(&hub, None).await;
    all[0].sits(true);
    all[1].knows("seated").await;
    let began = std::time::Instant::now();
    share_presence(&all[0], false).await;
    all[1].knows("unheard").await;
    assert!(
        began.elapsed() < Duration::from_secs(6),
        "at once, not with the next beat"
    );
    let told = all[1].beckon.status().await["presence"]["machines"][0].clone();
    assert_eq!(
        (&told["state"], &told["evidence"]),
        (&json!("unknown"), &json!("none")),
        "{told}"
    );
    assert_eq!(
        (&told["last_input"], &told["rings"]),
        (&Value::Null, &json!(true)),
        "{told}"
    );
    let own = all[0].beckon.status().await["presence"].clone();
    assert_eq!(
        (&own["withheld"], &own["state"]),
        (&json!(true), &json!("here")),
        "{own}"
    );
    let words = all[0].beckon.command(&["status"]).await.stdout;
    assert!(words.contains("aren't told whether you're here"), "{words}");
    for (owner, question) in ["First?", "Second?"].into_iter().enumerate() {
        let asker = ask(&all[owner].beckon, question);
        all[1].rings(question).await;
        let shown = all[0].rings(question).await;
        all[0]
            .notifications
            .press(shown.id, shown.action("Left").unwrap());
        assert_eq!(said(asker).await, "Left\n");
    }
    // The machine still hears where they sit instead.
    all[0].sits(false);
    all[1].sits(true);
    all[0].knows("seated").await;
    all[1].sits(false);
    all[0].sits(true);
    share_presence(&all[0], true).await;
    all[1].knows("seated").await;
    assert_eq!(
        log(&all[0].beckon).matches("state=Connected").count(),
        1,
        "by one connection"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_machine_that_hangs_is_as_good_as_gone_and_counts_again_when_it_goes_on() {
    let hub = Nats::start(Version::V2_10_26);
    let all: [Machine; 2] = machines(&hub, None).await;
    all[0].sits(true);
    all[1].knows("seated").await;
    all[0].beckon.sigstop();
    let _asker = ask(&all[1].beckon, "Anybody?");
    all[1].rings("Anybody?").await;
    all[0].beckon.sigcont();
    all[0].rings("Anybody?").await;
    all[1].knows("seated").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn without_the_hub_each_machine_goes_by_what_it_knows_and_with_it_again_by_all() {
    let hub = Nats::start(Version::V2_10_26);
    let all: [Machine; 2] = machines(&hub, None).await;
    all[0].sits(true);
    all[1].knows("seated").await;
    let _before = ask(&all[1].beckon, "Before?");
    all[0].rings("Before?").await;
    hub.kill9();
    warned(&all[1].beckon, "hub").await;
    let _meanwhile = ask(&all[1].beckon, "Meanwhile?");
    all[1].rings("Meanwhile?").await;
    assert_eq!(
        all[1].rang(),
        1,
        "what has rung where they sit does not ring here as well"
    );
    hub.go();
    all[1].knows("seated").await;
    all[0].rings("Meanwhile?").await;
    let _after = ask(&all[1].beckon, "After?");
    all[0].rings("After?").await;
    open_at(&all[1], "After?").await;
    assert_eq!(all[1].rang(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_machine_without_notifications_says_so_and_the_others_ring() {
    let hub = Nats::start(Version::V2_10_26);
    let mut all: [Machine; 2] = machines(&hub, None).await;
    all[0].sits(true);
    all[1].knows("seated").await;
    all[0].notifications.stop();
    all[1].knows("deaf").await;
    let _asker = ask(&all[1].beckon, "Anybody?");
    all[1].rings("Anybody?").await;
    let status = all[1].beckon.command(&["status"]).await.stdout;
    assert!(status.contains("no notifications"), "{status}");
    assert!(
        status.contains("Notifications don't work on device0, where you are"),
        "{status}"
    );
    // The sentence is for the machines that ring instead; the machine itself has other words for
    // it.
    let there = all[0].beckon.command(&["status"]).await.stdout;
    assert!(!there.contains("Notifications don't work on"), "{there}");
}
