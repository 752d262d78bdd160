//! The cost of a second Beckon between the agent and the human.

use super::{DIRECTORY, SOON, row};
use beckon_support::beckon::Beckon;
use beckon_support::bus::Bus;
use beckon_support::notifications::Notifications;
use beckon_support::replay::{Kind, Replay, question};
use std::time::{Duration, Instant};

const SAMPLES: usize = 200;

/// Measures the way through two Beckons, there and back.
pub(super) async fn measure() {
    let replay = Replay::start();
    replay.session("ses_1", DIRECTORY, "A session");
    replay.busy("ses_1", true);
    let config = format!(
        "[[opencode]]\nname = \"local\"\nurl = \"{}\"\n",
        replay.url()
    );
    let (direct, far) = (Seat::at(&config, "").await, Seat::at(&config, "").await);
    let endpoint = far.beckon.endpoint().unwrap();
    let config = format!("[[opencode]]\nname = \"far\"\nurl = {}\n", endpoint["url"]);
    let near = Seat::at(&config, endpoint["token"].as_str().unwrap()).await;
    replay.wait_streams(2, SOON).await;
    let (mut one, mut two, mut pressed) = (Vec::new(), Vec::new(), Vec::new());
    for n in 0..SAMPLES {
        let (id, text) = (format!("que_{n}"), format!("Question {n}?"));
        let sent = replay
            .ask(
                Kind::Question,
                DIRECTORY,
                question(&id, "ses_1", &text, &["Yes"]),
            )
            .await;
        one.push(direct.shown(&text).await.0.saturating_duration_since(sent));
        let (at, card) = near.shown(&text).await;
        two.push(at.saturating_duration_since(sent));
        let began = Instant::now();
        near.daemon.press(card.id, card.action("Yes").unwrap());
        replay.wait_replies(n + 1, SOON).await;
        let reply = replay
            .replies()
            .into_iter()
            .find(|reply| reply.id == id)
            .unwrap();
        pressed.push(reply.at.saturating_duration_since(began));
        for seat in [&direct, &far, &near] {
            seat.daemon.wait_empty(SOON).await;
        }
    }
    let added: Vec<Duration> = two
        .iter()
        .zip(&one)
        .map(|(two, one)| two.saturating_sub(*one))
        .collect();
    row("asked → Notify through a second Beckon", &two, "");
    row("  what that adds", &added, "5 ms");
    row(
        "press → POST on the wire through a second Beckon",
        &pressed,
        "",
    );
}

/// A Beckon with a screen.
struct Seat {
    beckon: Beckon,
    daemon: Notifications,
    _bus: Bus,
}

impl Seat {
    async fn at(config: &str, password: &str) -> Self {
        let bus = Bus::start();
        let daemon = Notifications::start(&bus);
        let builder = Beckon::builder(env!("CARGO_BIN_EXE_beckon"))
            .bus(&bus)
            .config(config);
        let beckon = builder
            .env("BECKON_OPENCODE_PASSWORD_FAR", password)
            .start();
        beckon.wait_ready().await;
        Self {
            beckon,
            daemon,
            _bus: bus,
        }
    }

    async fn shown(&self, text: &str) -> (Instant, beckon_support::notifications::Shown) {
        let shown = self
            .daemon
            .wait_for(|shown| shown.summary.ends_with(text), SOON)
            .await;
        (shown.at, shown)
    }
}
