//! What Beckon adds with a real OpenCode: an answer from the phone beside one that is posted to the
//! server itself, and a hundred asks at once with and without Beckon.

use super::phone::paired;
use super::{SOON, row};
use beckon_support::beckon::Beckon;
use beckon_support::bus::Bus;
use beckon_support::eventually;
use beckon_support::model::{Model, Step, ToolCall, script};
use beckon_support::notifications::Notifications;
use beckon_support::opencode::{OpenCode, Version};
use beckon_support::presence::Logind;
use beckon_support::telegram::{TOKEN, Telegram};
use reqwest::Method;
use serde_json::json;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

const SAMPLES: usize = 25;
const AT_ONCE: usize = 100;
/// In turns, with and without Beckon.
const ROUNDS: usize = 3;
/// A human gets the cold path.
const PAUSE: Duration = Duration::from_millis(100);

pub(super) async fn measure() {
    answers().await;
    many().await;
}

/// What a server tells, with the time.
struct Events(Arc<Mutex<Vec<(Instant, String)>>>);

impl Events {
    async fn of(opencode: &OpenCode) -> Self {
        let mut stream = opencode.request(Method::GET, "/global/event").send().await.unwrap();
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

    /// When the server told of that first.
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
        heard.iter().filter(|(_, frame)| frame.contains("question.asked")).map(|it| it.0).collect()
    }
}

fn question(text: &str) -> String {
    let options =
        json!([{ "label": "Yes", "description": "" }, { "label": "No", "description": "" }]);
    let questions = json!([{ "question": text, "header": "A", "options": options }]);
    script(&[Step::Tools(vec![ToolCall::question(questions)]), Step::Text("Done.".into())])
}

fn config(opencode: &OpenCode) -> String {
    format!("[[opencode]]\nname = \"local\"\nurl = \"{}\"\n", opencode.url())
}

async fn answers() {
    let (model, telegram) = (Model::start(), Telegram::start());
    let opencode = OpenCode::start(Version::V1_18_33, &model).await;
    let (session, system) = (Bus::start(), Bus::start());
    let (_daemon, logind) = (Notifications::start(&session), Logind::start(&system));
    let config = format!("{}[telegram]\napi_url = \"{}\"\n", config(&opencode), telegram.url());
    let program = Beckon::builder(env!("CARGO_BIN_EXE_beckon")).bus(&session).system_bus(&system);
    let beckon = program.env("BECKON_TELEGRAM_TOKEN", TOKEN).config(&config).start();
    beckon.wait_ready().await;
    logind.wait_watched().await;
    let user = paired(&beckon, &telegram).await;
    logind.set_locked(true);
    let events = Events::of(&opencode).await;
    let directory = opencode.directory().to_owned();
    let (mut posted, mut tapped) = (Vec::new(), Vec::new());
    for n in 0..2 * SAMPLES {
        let text = format!("Question number {n}?");
        let session = opencode.session(&directory, "A session").await;
        opencode.prompt(&session, &directory, &question(&text)).await;
        let card = telegram
            .wait_for(user.into(), |m| m.text.contains(&text) && !m.keyboard().is_empty(), SOON * 2)
            .await;
        let id = opencode.wait_questions(&directory, 1).await[0]["id"].as_str().unwrap().to_owned();
        telegram.wait_polled(SOON).await;
        tokio::time::sleep(PAUSE).await;
        let began = if n % 2 == 0 {
            let began = Instant::now();
            opencode.reply(&directory, &id, json!([["No"]])).await;
            began
        } else {
            telegram.tap(user, user.into(), card.id, "No");
            let update = telegram.last_update();
            eventually("the update", SOON, async || telegram.handed_out(update)).await
        };
        let took = events.when("question.replied", &id).await.saturating_duration_since(began);
        if n % 2 == 0 { &mut posted } else { &mut tapped }.push(took);
        opencode.wait_idle(&session, &directory).await;
        opencode.delete(&session, &directory).await;
    }
    row("real OpenCode: a direct POST → replied", &posted, "");
    row("real OpenCode: tap on Telegram → replied", &tapped, "POST + 2 ms");
}

async fn many() {
    let (mut with, mut without) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        without.push(hundred_asked(false).await);
        with.push(hundred_asked(true).await);
    }
    row("100 asks at once, without Beckon: the last asked", &without, "");
    row("100 asks at once, with Beckon: the last asked", &with, "+ 5 %");
}

async fn hundred_asked(watched: bool) -> Duration {
    let model = Model::start();
    let opencode = OpenCode::start(Version::V1_18_33, &model).await;
    let bus = Bus::start();
    let _daemon = Notifications::start(&bus);
    let program = Beckon::builder(env!("CARGO_BIN_EXE_beckon")).bus(&bus);
    let beckon = program.config(&config(&opencode)).build();
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
