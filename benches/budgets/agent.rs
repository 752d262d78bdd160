//! The cost of Beckon with a real OpenCode: an answer from the phone beside one that is posted to
//! the server itself, and a hundred asks at once with and without Beckon.

use super::phone::paired;
use super::{SOON, row};
use beckon_support::beckon::Beckon;
use beckon_support::bus::Bus;
use beckon_support::eventually;
use beckon_support::model::{Model, Step, ToolCall, script};
use beckon_support::notifications::Notifications;
use beckon_support::opencode::{OpenCode, Version};
use beckon_support::presence::Logind;
use beckon_support::telegram::{Message, TOKEN, Telegram, UserId};
use beckon_support::wiretap::Wiretap;
use reqwest::{Client, Method};
use serde_json::json;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

const SAMPLES: usize = 25;
const AT_ONCE: usize = 100;
/// The number of rounds, with and without Beckon in turns.
const ROUNDS: usize = 3;
/// The pause before each answer, since a human always gets the cold path.
const PAUSE: Duration = Duration::from_millis(100);

pub(super) async fn measure() {
    answers().await;
    legs().await;
    many().await;
}

/// The events of a server, with their times.
struct Events(Arc<Mutex<Vec<(Instant, String)>>>);

impl Events {
    async fn of(opencode: &OpenCode) -> Self {
        let mut stream = opencode
            .request(Method::GET, "/global/event")
            .send()
            .await
            .unwrap();
        let heard = Arc::new(Mutex::new(Vec::new()));
        let events = Self(heard.clone());
        tokio::spawn(async move {
            let mut rest = String::new();
            while let Ok(Some(chunk)) = stream.chunk().await {
                let at = Instant::now();
                rest.push_str(&String::from_utf8_lossy(&chunk));
                while let Some((frame, behind)) = rest.split_once("\n\n") {
                    if frame.contains("\"question.") {
                        heard.lock().unwrap().push((at, frame.to_owned()));
                    }
                    rest = behind.to_owned();
                }
            }
        });
        events
    }

    /// Waits for the first event of this kind with this id; returns its time.
    async fn when(&self, kind: &str, id: &str) -> Instant {
        eventually(kind, SOON, async || {
            let heard = self.0.lock().unwrap();
            let of = |frame: &str| frame.contains(kind) && frame.contains(id);
            heard.iter().find(|(_, frame)| of(frame)).map(|(at, _)| *at)
        })
        .await
    }

    fn asked(&self) -> Vec<Instant> {
        let heard = self.0.lock().unwrap();
        heard
            .iter()
            .filter(|(_, frame)| frame.contains("question.asked"))
            .map(|it| it.0)
            .collect()
    }
}

fn question(text: &str) -> String {
    let options =
        json!([{ "label": "Yes", "description": "" }, { "label": "No", "description": "" }]);
    let questions = json!([{ "question": text, "header": "A", "options": options }]);
    script(&[
        Step::Tools(vec![ToolCall::question(questions)]),
        Step::Text("Done.".into()),
    ])
}

fn config(url: &str) -> String {
    format!("[[opencode]]\nname = \"local\"\nurl = \"{url}\"\n")
}

/// A stage with a real OpenCode whose questions go to the phone, since its human is away.
struct Stage {
    _model: Model,
    opencode: OpenCode,
    client: Client,
    /// The tap on the wire between Beckon and the server, where there is one.
    wire: Option<Wiretap>,
    telegram: Telegram,
    user: UserId,
    events: Events,
    _beckon: Beckon,
    _logind: Logind,
    _notifications: Notifications,
    _buses: [Bus; 2],
}

/// A question that waits for its answer.
struct Asked {
    id: String,
    card: i64,
    agent: String,
}

impl Stage {
    async fn start(tapped: bool) -> Self {
        let (model, telegram) = (Model::start(), Telegram::start());
        let opencode = OpenCode::start(Version::V1_18_33, &model).await;
        let wire = tapped.then(|| Wiretap::start(&opencode.url()));
        let url = wire.as_ref().map_or_else(|| opencode.url(), Wiretap::url);
        let (session, system) = (Bus::start(), Bus::start());
        let (notifications, logind) = (Notifications::start(&session), Logind::start(&system));
        let config = format!(
            "{}[telegram]\napi_url = \"{}\"\n",
            config(&url),
            telegram.url()
        );
        let program = Beckon::builder(env!("CARGO_BIN_EXE_beckon"))
            .bus(&session)
            .system_bus(&system);
        let beckon = program
            .env("BECKON_TELEGRAM_TOKEN", TOKEN)
            .config(&config)
            .start();
        beckon.wait_ready().await;
        logind.wait_watched().await;
        let user = paired(&beckon, &telegram).await;
        logind.set_locked(true);
        let events = Events::of(&opencode).await;
        Self {
            _model: model,
            opencode,
            client: Client::new(),
            wire,
            telegram,
            user,
            events,
            _beckon: beckon,
            _logind: logind,
            _notifications: notifications,
            _buses: [session, system],
        }
    }

    /// Asks a question, and waits until it has been on the phone for a moment.
    async fn ask(&self, n: usize) -> Asked {
        let text = format!("Question number {n}?");
        let directory = self.opencode.directory();
        let agent = self.opencode.session(directory, "A session").await;
        self.opencode
            .prompt(&agent, directory, &question(&text))
            .await;
        let stands = |m: &Message| m.text.contains(&text) && !m.keyboard().is_empty();
        let card = self
            .telegram
            .wait_for(self.user.into(), stands, SOON * 2)
            .await
            .id;
        let waiting = self.opencode.wait_questions(directory, 1).await;
        let id = waiting[0]["id"].as_str().unwrap().to_owned();
        self.telegram.wait_polled(SOON).await;
        tokio::time::sleep(PAUSE).await;
        Asked { id, card, agent }
    }

    /// Posts the answer to the place to which Beckon would; returns the time at which it was sent.
    async fn post(&self, asked: &Asked) -> Instant {
        let path = format!("/question/{}/reply", asked.id);
        let url = self
            .wire
            .as_ref()
            .map_or_else(|| self.opencode.url(), Wiretap::url);
        let request = self.client.post(format!("{url}{path}"));
        let request = request.query(&[("directory", self.opencode.directory())]);
        let request = request.json(&json!({ "answers": [["No"]] }));
        let began = Instant::now();
        assert!(request.send().await.unwrap().status().is_success());
        began
    }

    /// Taps the answer on the phone; returns the time at which Beckon was told.
    async fn tap(&self, asked: &Asked) -> Instant {
        self.telegram
            .tap(self.user, self.user.into(), asked.card, "No");
        let update = self.telegram.last_update();
        eventually("the update", SOON, async || {
            self.telegram.handed_out(update)
        })
        .await
    }

    /// Returns the time at which the server reported the answer.
    async fn replied(&self, asked: &Asked) -> Instant {
        self.events.when("question.replied", &asked.id).await
    }

    async fn ended(&self, asked: &Asked) {
        self.opencode
            .wait_idle(&asked.agent, self.opencode.directory())
            .await;
        self.opencode
            .delete(&asked.agent, self.opencode.directory())
            .await;
    }
}

async fn answers() {
    let stage = Stage::start(false).await;
    let (mut posted, mut tapped) = (Vec::new(), Vec::new());
    for n in 0..2 * SAMPLES {
        let asked = stage.ask(n).await;
        let (began, took) = match n % 2 {
            0 => (stage.post(&asked).await, &mut posted),
            _ => (stage.tap(&asked).await, &mut tapped),
        };
        took.push(stage.replied(&asked).await.saturating_duration_since(began));
        stage.ended(&asked).await;
    }
    row("real OpenCode: a direct POST → replied", &posted, "");
    row(
        "real OpenCode: tap on Telegram → replied",
        &tapped,
        "POST + 2 ms",
    );
}

/// Measures the parts of such an answer's time: the way to the server's door, and behind it, which
/// is the server's part.
async fn legs() {
    let stage = Stage::start(true).await;
    let wire = stage.wire.as_ref().unwrap();
    let (mut there, mut behind) = <([Vec<Duration>; 2], [Vec<Duration>; 2])>::default();
    for n in 0..2 * SAMPLES {
        let asked = stage.ask(n).await;
        let began = match n % 2 {
            0 => stage.post(&asked).await,
            _ => stage.tap(&asked).await,
        };
        let replied = stage.replied(&asked).await;
        let posted = wire
            .posted()
            .into_iter()
            .find(|posted| posted.id == asked.id)
            .unwrap();
        there[n % 2].push(posted.at.saturating_duration_since(began));
        behind[n % 2].push(replied.saturating_duration_since(posted.at));
        stage.ended(&asked).await;
    }
    row("  a direct POST → at the server's door", &there[0], "");
    row("  tap on Telegram → at the server's door", &there[1], "");
    row(
        "  at the server's door → replied, posted directly",
        &behind[0],
        "",
    );
    row(
        "  at the server's door → replied, by Beckon",
        &behind[1],
        "",
    );
}

async fn many() {
    let (mut with, mut without) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        without.push(hundred_asked(false).await);
        with.push(hundred_asked(true).await);
    }
    row(
        "100 asks at once, without Beckon: the last asked",
        &without,
        "",
    );
    row(
        "100 asks at once, with Beckon: the last asked",
        &with,
        "+ 5 %",
    );
}

async fn hundred_asked(watched: bool) -> Duration {
    let model = Model::start();
    let opencode = OpenCode::start(Version::V1_18_33, &model).await;
    let bus = Bus::start();
    let _daemon = Notifications::start(&bus);
    let program = Beckon::builder(env!("CARGO_BIN_EXE_beckon")).bus(&bus);
    let beckon = program.config(&config(&opencode.url())).build();
    if watched {
        beckon.start();
        beckon.wait_ready().await;
    }
    let events = Events::of(&opencode).await;
    let directory = opencode.directory().to_owned();
    let mut sessions = Vec::new();
    for _ in 0..AT_ONCE {
        sessions.push(opencode.session(&directory, "A session").await);
    }
    tokio::time::sleep(Duration::from_secs(1)).await;
    let began = Instant::now();
    let prompts = sessions.iter().enumerate().map(|(n, session)| {
        let text = question(&format!("Question number {n}?"));
        let (opencode, directory) = (&opencode, &directory);
        async move { opencode.prompt(session, directory, &text).await }
    });
    futures_util::future::join_all(prompts).await;
    let last = eventually("a hundred asks", Duration::from_secs(60), async || {
        let asked = events.asked();
        (asked.len() >= AT_ONCE).then(|| *asked.last().unwrap())
    })
    .await;
    last.saturating_duration_since(began)
}
