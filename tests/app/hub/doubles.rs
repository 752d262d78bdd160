//! Tests of two Beckons that share a hub, one of which also watches the other as a server: no ask
//! is shown or answered twice. Where the hub is faster than the direct link, its notification goes
//! when the other one comes, so it may ring a second time.

use super::*;
use beckon_support::bus::Bus;
use beckon_support::notifications::Notifications;
use beckon_support::ports::free_port;
use beckon_support::relay::Relay;
use beckon_support::wall_clock::WallClock;
use serde_json::json;

const TOKEN: &str = "a-token-that-both-of-them-know";

/// A far Beckon with an agent's asks, and a near one whose human watches it in both ways.
struct Twice {
    hub: Nats,
    far: Beckon,
    near: Beckon,
    daemon: Notifications,
    /// The direct link.
    wire: Relay,
    _bus: Bus,
}

impl Twice {
    async fn start() -> Self {
        Self::with(|near| near).await
    }

    /// Starts both; `tuned` changes the near one.
    async fn with(tuned: impl FnOnce(Builder) -> Builder) -> Self {
        let hub = Nats::start(Version::V2_10_26);
        let (devices, port) = (listing(&hub, &[0, 1]).await, free_port());
        let settings = format!("{ALONE}[api]\nport = {port}\n");
        let far = builder(&hub, 0, &devices, &settings)
            .env("BECKON_API_TOKEN", TOKEN)
            .build();
        let wire = Relay::to_port(port);
        let (bus, url) = (Bus::start(), format!("http://127.0.0.1:{}", wire.port()));
        let daemon = Notifications::start(&bus);
        let settings = format!("[[opencode]]\nname = \"far\"\nurl = \"{url}\"\n");
        let near = builder(&hub, 1, &devices, &settings).bus(&bus);
        let near = tuned(near.env("BECKON_OPENCODE_PASSWORD_FAR", TOKEN)).build();
        for beckon in [&far, &near] {
            beckon.start();
            connected(beckon).await;
        }
        let twice = Self {
            hub,
            far,
            near,
            daemon,
            wire,
            _bus: bus,
        };
        twice.watched().await;
        twice
    }

    async fn watched(&self) {
        eventually("the near one watches the far one", SOON, async || {
            let sources = self.near.status().await["sources"].clone();
            let live = |source: &Value| source["name"] == "far" && source["state"] == "live";
            sources.as_array().unwrap().iter().any(live).then_some(())
        })
        .await;
    }

    /// Checks that the far Beckon's ask is here once, in one notification.
    async fn shown_once(&self, question: &str) -> Value {
        let shown = self
            .daemon
            .wait_for(|shown| shown.summary.contains(question), SOON)
            .await;
        let only = one_open(&self.near).await;
        assert_eq!(only["questions"][0]["question"], question, "{shown:?}");
        self.one_notification().await;
        only
    }

    async fn one_notification(&self) {
        eventually("one notification", SOON, async || {
            (self.daemon.open().len() == 1).then_some(())
        })
        .await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_comes_by_the_hub_and_by_the_direct_link_stands_rings_and_is_answered_once() {
    let twice = Twice::start().await;
    for (number, choice) in ["1", "2", "1"].into_iter().enumerate() {
        let question = format!("Number {number}?");
        let asker = ask(&twice.far, &question);
        let only = twice.shown_once(&question).await;
        let verdict = answer(&twice.near, &only["id"], choice).await;
        assert_eq!(verdict["state"], "taken", "{verdict}");
        assert_eq!(
            said(asker).await,
            if choice == "1" { "Left\n" } else { "Right\n" }
        );
        nothing_open(&twice.far).await;
        nothing_open(&twice.near).await;
        twice.daemon.wait_empty(SOON).await;
        assert_eq!(twice.daemon.count(), number + 1, "it has rung once");
    }
    assert_eq!(twice.far.status().await["warnings"], json!([]));
    assert_eq!(twice.daemon.violations(), Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn when_either_way_is_lost_it_stands_by_the_other_and_still_once() {
    let twice = Twice::start().await;
    let asker = ask(&twice.far, "By which way?");
    twice.shown_once("By which way?").await;
    twice.hub.kill9();
    warned(&twice.near, "hub").await;
    twice.shown_once("By which way?").await;
    twice.hub.go();
    eventually("nothing is amiss", SOON, async || {
        (twice.near.status().await["warnings"] == json!([])).then_some(())
    })
    .await;
    let only = twice.shown_once("By which way?").await;
    assert_eq!(
        answer(&twice.near, &only["id"], "2").await["state"],
        "taken"
    );
    assert_eq!(said(asker).await, "Right\n");
    nothing_open(&twice.near).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn two_answers_by_the_two_ways_are_one() {
    let twice = Twice::start().await;
    let asker = ask(&twice.far, "Both?");
    let (near, far) = (twice.shown_once("Both?").await, one_open(&twice.far).await);
    let given = tokio::join!(
        answer(&twice.near, &near["id"], "1"),
        answer(&twice.far, &far["id"], "2"),
    );
    let told = said(asker).await;
    let taken = [&given.0, &given.1]
        .into_iter()
        .filter(|verdict| verdict["state"] == "taken");
    assert_eq!(taken.count(), 1, "{given:?}");
    assert_eq!(told == "Left\n", given.0["state"] == "taken", "{given:?}");
    nothing_open(&twice.near).await;
    nothing_open(&twice.far).await;
    twice.daemon.wait_empty(SOON).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_the_direct_link_keeps_back_comes_by_the_hub_whatever_the_clock_says() {
    let clock = WallClock::new();
    let twice = Twice::with(|near| clock.rule(near)).await;
    twice.wire.hold();
    let asker = ask(&twice.far, "Which way?");
    one_open(&twice.far).await;
    clock.set_by(-3_600);
    let only = one_open(&twice.near).await;
    assert!(
        only["source"].as_str().unwrap().starts_with("hub:"),
        "{only}"
    );
    assert_eq!(
        answer(&twice.near, &only["id"], "1").await["state"],
        "taken"
    );
    assert_eq!(said(asker).await, "Left\n");
}
