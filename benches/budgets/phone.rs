//! The budgets of the way to the phone and back.

use super::{DIRECTORY, SOON, row};
use beckon_support::beckon::Beckon;
use beckon_support::bus::Bus;
use beckon_support::eventually;
use beckon_support::notifications::Notifications;
use beckon_support::presence::Logind;
use beckon_support::replay::{Kind, Replay, question};
use beckon_support::telegram::{Message, Method, TOKEN, Telegram, UserId};
use std::time::{Duration, Instant};

const SAMPLES: usize = 25;
/// The pause between samples. A chat takes three messages at once and then one a second, and each
/// sample begins with all three.
const REFILL: Duration = Duration::from_millis(3_300);

struct Stage {
    beckon: Beckon,
    replay: Replay,
    telegram: Telegram,
    user: UserId,
    logind: Logind,
    _daemon: Notifications,
    _buses: [Bus; 2],
}

/// Pairs a person who may answer on Telegram.
pub(super) async fn paired(beckon: &Beckon, telegram: &Telegram) -> UserId {
    let user = telegram.user("Ada");
    let code = eventually("a pairing code", SOON, async || {
        let paired = beckon.command(&["telegram", "pair", "--json"]).await;
        (paired.status == Some(0)).then(|| paired.json()["code"].as_str().unwrap().to_owned())
    })
    .await;
    telegram.start_link(user, &code);
    telegram
        .wait_for(user.into(), |m| m.text.contains("Paired"), SOON)
        .await;
    user
}

impl Stage {
    async fn start() -> Self {
        let (replay, telegram) = (Replay::start(), Telegram::start());
        let (session, system) = (Bus::start(), Bus::start());
        let (daemon, logind) = (Notifications::start(&session), Logind::start(&system));
        logind.set_idle(false);
        replay.session("ses_1", DIRECTORY, "A session");
        replay.busy("ses_1", true);
        let config = format!(
            "[[opencode]]\nname = \"local\"\nurl = \"{}\"\n[telegram]\napi_url = \"{}\"\n",
            replay.url(),
            telegram.url()
        );
        let program = Beckon::builder(env!("CARGO_BIN_EXE_beckon"));
        let program = program
            .bus(&session)
            .system_bus(&system)
            .env("BECKON_TELEGRAM_TOKEN", TOKEN);
        let beckon = program.config(&config).start();
        beckon.wait_ready().await;
        logind.wait_watched().await;
        replay.wait_streams(1, SOON).await;
        let user = paired(&beckon, &telegram).await;
        let buses = [session, system];
        Self {
            beckon,
            replay,
            telegram,
            user,
            logind,
            _daemon: daemon,
            _buses: buses,
        }
    }

    async fn ask(&self, n: usize) -> (String, String) {
        let (id, text) = (format!("que_{n}"), format!("Question {n}?"));
        let request = question(&id, "ses_1", &text, &["Yes", "No"]);
        self.replay.ask(Kind::Question, DIRECTORY, request).await;
        (id, text)
    }

    async fn card(&self, text: &str) -> Message {
        let wanted = |m: &Message| m.text.contains(text) && !m.keyboard().is_empty();
        self.telegram.wait_for(self.user.into(), wanted, SOON).await
    }

    /// Locks the screen; returns the time from the signal to the card on the wire.
    async fn lock(&self, text: &str) -> Duration {
        let at = Instant::now();
        self.logind.set_locked(true);
        let sent = self
            .telegram
            .wait_call(
                |c| c.method == Method::SendMessage && c.param("text").contains(text),
                SOON,
            )
            .await;
        sent.at.saturating_duration_since(at)
    }

    /// Taps a button; returns the time from the update on the wire to the reply on the wire.
    async fn tap(&self, id: &str, card: &Message) -> Duration {
        self.telegram.wait_polled(SOON).await;
        self.telegram
            .tap(self.user, self.user.into(), card.id, "No");
        let update = self.telegram.last_update();
        let reply = eventually("a reply", SOON, async || {
            self.replay
                .replies()
                .into_iter()
                .find(|reply| reply.id == id)
        })
        .await;
        let handed = self.telegram.handed_out(update).unwrap();
        reply.at.saturating_duration_since(handed)
    }

    async fn settled(&self, card: &Message) {
        eventually("the card has ended", SOON, async || {
            let card = self.telegram.message(self.user.into(), card.id)?;
            (card.text.contains('✅')).then_some(())
        })
        .await;
        self.logind.set_locked(false);
        eventually("back at the desk", SOON, async || {
            (self.beckon.status().await["presence"]["away"] == false).then_some(())
        })
        .await;
    }
}

pub(super) async fn measure() {
    let stage = Stage::start().await;
    let (mut locked, mut tapped) = (Vec::new(), Vec::new());
    for n in 0..SAMPLES {
        let (id, text) = stage.ask(n).await;
        locked.push(stage.lock(&text).await);
        let card = stage.card(&text).await;
        tapped.push(stage.tap(&id, &card).await);
        stage.settled(&card).await;
        tokio::time::sleep(REFILL).await;
    }
    row("tap (update sent) → POST on the wire", &tapped, "p99 20 ms");
    row(
        "lock signal → sendMessage on the wire",
        &locked,
        "p99 100 ms",
    );
}
