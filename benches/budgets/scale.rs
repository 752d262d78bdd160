//! The budgets of many servers with much that is open, and of many askers that wait at once.
//!
//! The servers are paths of one small program: what is measured is Beckon, which keeps a stream for
//! each of them.

use super::{cpu, memory_kib, question, resident_kib};
use axum::extract::{Path, Query, State};
use axum::response::sse::{Event, Sse};
use axum::routing::{get, post};
use axum::{Json, Router};
use beckon_support::beckon::Beckon;
use futures_util::stream::{self, Stream, StreamExt};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::convert::Infallible;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::broadcast;

const SERVERS: usize = 200;
const OPEN: usize = 50;
/// The number of asks that come and go while the others stay.
const PASSING: usize = 500;
const WAITING: usize = 1_000;
const LOOK: Duration = Duration::from_millis(20);
const LIMIT: Duration = Duration::from_secs(60);

/// Measures the budgets of scale.
pub(super) async fn measure() {
    for (servers, open) in [(1, 0), (SERVERS, 0), (20, SERVERS * OPEN / 20)] {
        made_of(servers, open).await;
    }
    let alone = passing(1, 0).await;
    let crowded = passing(SERVERS, OPEN).await;
    println!(
        "{:<58} {:>9.2} ms {:>9.2} ms {:>10}",
        "CPU of an ask that comes and goes: none, 10,000 open", alone, crowded, "equal"
    );
    let (servers, of_few) = (
        passing(SERVERS, 0).await,
        passing(20, SERVERS * OPEN / 20).await,
    );
    let what = "  200 servers with none open, 20 with 10,000";
    println!("{what:<58} {servers:>9.2} ms {of_few:>9.2} ms");
    waiting().await;
}

/// Prints what the memory of many servers with many open asks consists of.
async fn made_of(servers: usize, open: usize) {
    let fake = Fake::start(open).await;
    let config: String = (0..servers).map(|n| fake.config(n)).collect();
    let beckon = Beckon::builder(env!("CARGO_BIN_EXE_beckon"))
        .config(&config)
        .start();
    let api = Api::of(&beckon).await;
    api.until(|status| is_live(status, servers) && status["open"] == servers * open)
        .await;
    let pid = beckon.pid().unwrap();
    let [own, mapped] = ["RssAnon", "RssFile"].map(|line| memory_kib(pid, line) as f64 / 1024.0);
    let what = format!("  {servers} servers × {open} asks: its own · mapped");
    println!("{what:<58} {own:>8.1} MiB {mapped:>8.1} MiB");
}

/// Measures the CPU milliseconds of one ask that comes and goes, with this many others open.
async fn passing(servers: usize, open: usize) -> f64 {
    let fake = Fake::start(open).await;
    let config: String = (0..servers).map(|n| fake.config(n)).collect();
    let beckon = Beckon::builder(env!("CARGO_BIN_EXE_beckon"))
        .config(&config)
        .build();
    let began = Instant::now();
    beckon.start();
    let api = Api::of(&beckon).await;
    api.until(|status| is_live(status, servers) && status["open"] == servers * open)
        .await;
    let pid = beckon.pid().unwrap();
    if open > 0 {
        let (took, rss) = (
            began.elapsed().as_secs_f64(),
            resident_kib(pid) as f64 / 1024.0,
        );
        let what = format!("{servers} servers × {open} asks: start → reconciled");
        println!("{what:<58} {took:>10.2} s {:>12} {:>10}", "", "3 s");
        println!("{:<58} {rss:>8.1} MiB {:>12} {:>10}", "  RSS", "", "60 MiB");
    }
    // The start's own work must be over before a single ask is measured.
    tokio::time::sleep(Duration::from_secs(3)).await;
    let mut news = api.watch().await;
    let before = cpu(pid);
    for n in 0..PASSING {
        fake.come_and_go(n);
    }
    news.until_settled(&format!("que_passing_{}", PASSING - 1))
        .await;
    (cpu(pid) - before).as_secs_f64() * 1e3 / PASSING as f64
}

fn is_live(status: &Value, servers: usize) -> bool {
    let sources = status["sources"]
        .as_array()
        .map(Vec::as_slice)
        .unwrap_or_default();
    sources.len() == servers && sources.iter().all(|source| source["state"] == "live")
}

/// Measures a thousand askers that wait for their answers by a connection each.
async fn waiting() {
    let beckon = Beckon::builder(env!("CARGO_BIN_EXE_beckon"))
        .config("opencode = []\n")
        .start();
    let api = Arc::new(Api::of(&beckon).await);
    let began = Instant::now();
    let askers: Vec<_> = (0..WAITING)
        .map(|n| tokio::spawn(api.clone().ask(n)))
        .collect();
    api.until(|status| status["open"] == WAITING).await;
    let asked = began.elapsed().as_secs_f64();
    let rss = resident_kib(beckon.pid().unwrap()) as f64 / 1024.0;
    let answering = Instant::now();
    for n in 0..WAITING {
        api.answer(n).await;
    }
    for (n, asker) in askers.into_iter().enumerate() {
        assert_eq!(asker.await.unwrap(), json!([[format!("answer {n}")]]));
    }
    let answered = answering.elapsed().as_secs_f64();
    println!(
        "{:<58} {asked:>10.2} s {answered:>10.2} s",
        "1,000 waits: asked, answered one by one"
    );
    println!("{:<58} {rss:>8.1} MiB", "  RSS");
}

/// The local API of a running Beckon.
pub(super) struct Api {
    http: reqwest::Client,
    url: String,
    token: String,
}

impl Api {
    pub(super) async fn of(beckon: &Beckon) -> Self {
        let endpoint =
            beckon_support::eventually("the endpoint", LIMIT, async || beckon.endpoint());
        let endpoint = endpoint.await;
        let text = |key: &str| endpoint[key].as_str().unwrap().to_owned();
        let http = reqwest::Client::builder().no_proxy().build().unwrap();
        Self {
            http,
            url: text("url"),
            token: text("token"),
        }
    }

    pub(super) async fn get(&self, path: &str) -> Value {
        let request = self
            .http
            .get(format!("{}{path}", self.url))
            .bearer_auth(&self.token);
        request.send().await.unwrap().json().await.unwrap()
    }

    async fn post(&self, path: &str, body: &Value) -> Value {
        let request = self
            .http
            .post(format!("{}{path}", self.url))
            .bearer_auth(&self.token);
        request
            .json(body)
            .send()
            .await
            .unwrap()
            .json()
            .await
            .unwrap()
    }

    pub(super) async fn until(&self, fits: impl Fn(&Value) -> bool) {
        let began = Instant::now();
        while !fits(&self.get("/status").await) {
            assert!(began.elapsed() < LIMIT, "not reached within {LIMIT:?}");
            tokio::time::sleep(LOOK).await;
        }
    }

    async fn watch(&self) -> News {
        let request = self
            .http
            .get(format!("{}/watch", self.url))
            .bearer_auth(&self.token);
        let bytes = request.send().await.unwrap().bytes_stream();
        News(Box::pin(bytes.map(|bytes| bytes.unwrap().to_vec())))
    }

    async fn ask(self: Arc<Self>, n: usize) -> Value {
        let body = json!({ "id": format!("ask_{n}"), "questions": [{ "question": "Go on?" }] });
        self.post("/question?wait=60", &body).await["answers"].clone()
    }

    async fn answer(&self, n: usize) {
        let body = json!({ "answers": [[format!("answer {n}")]] });
        assert_eq!(
            self.post(&format!("/question/ask_{n}/reply"), &body).await,
            json!(true)
        );
    }
}

/// The stream of events. It is read instead of the list, since reading a list of ten thousand asks
/// would be measured too.
struct News(std::pin::Pin<Box<dyn Stream<Item = Vec<u8>>>>);

impl News {
    async fn until_settled(&mut self, id: &str) {
        let mut heard = String::new();
        let settled = |line: &str| line.contains(id) && line.contains("\"what\":\"settled\"");
        let hearing = async {
            while !heard.lines().any(settled) {
                heard += &String::from_utf8_lossy(&self.0.next().await.unwrap());
            }
        };
        tokio::time::timeout(LIMIT, hearing).await.unwrap();
    }
}

/// Servers that all have the same asks open: `/7/question` is the path of the seventh.
#[derive(Clone)]
struct Fake {
    url: String,
    open: usize,
    frames: broadcast::Sender<String>,
}

impl Fake {
    async fn start(open: usize) -> Self {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let fake = Self {
            url,
            open,
            frames: broadcast::channel(4 * PASSING).0,
        };
        let router = Router::new()
            .route("/{n}/global/event", get(events))
            .route(
                "/{n}/global/health",
                get(async || Json(json!({ "version": "1.18.33" }))),
            )
            .route(
                "/{n}/path",
                get(async |Path(n)| Json(json!({ "directory": directory(n) }))),
            )
            .route("/{n}/project", get(async || Json(json!([]))))
            .route("/{n}/experimental/session", get(async || Json(json!([]))))
            .route("/{n}/session/status", get(statuses))
            .route("/{n}/session/{id}", get(session))
            .route("/{n}/question", get(questions))
            .route("/{n}/permission", get(async || Json(json!([]))))
            .route("/{n}/question/{id}/reply", post(async || Json(json!(true))))
            .with_state(fake.clone());
        tokio::spawn(async move { axum::serve(listener, router).await });
        fake
    }

    fn config(&self, n: usize) -> String {
        format!(
            "[[opencode]]\nname = \"s{n}\"\nurl = \"{}/{n}\"\n",
            self.url
        )
    }

    /// Makes the first server ask a question and answer it.
    fn come_and_go(&self, n: usize) {
        let id = format!("que_passing_{n}");
        let asked = question(&id, "ses_0_0", "Passing?", &["Yes", "No"]);
        let told = json!({ "sessionID": "ses_0_0", "requestID": id, "answers": [["Yes"]] });
        for (kind, properties) in [("question.asked", asked), ("question.replied", told)] {
            let payload = json!({ "type": kind, "properties": properties });
            let frame = json!({ "directory": directory(0), "payload": payload });
            self.frames.send(frame.to_string()).unwrap();
        }
    }
}

type Frames = Sse<std::pin::Pin<Box<dyn Stream<Item = Result<Event, Infallible>> + Send>>>;

async fn events(Path(n): Path<usize>, State(fake): State<Fake>) -> Frames {
    let hello = json!({ "payload": { "type": "server.connected", "properties": {} } }).to_string();
    let frames = fake.frames.subscribe();
    let later = stream::unfold(frames, |mut frames| async move {
        Some((frames.recv().await.ok()?, frames))
    });
    let later = later.filter(move |_| std::future::ready(n == 0)).boxed();
    let all = stream::iter([hello]).chain(later);
    Sse::new(Box::pin(all.map(|frame| Ok(Event::default().data(frame)))))
}

async fn questions(
    Path(n): Path<usize>,
    Query(query): Query<HashMap<String, String>>,
    State(fake): State<Fake>,
) -> Json<Vec<Value>> {
    let here = query
        .get("directory")
        .is_some_and(|asked| *asked == directory(n));
    let asked = |k: usize| {
        let (id, session) = (format!("que_{n}_{k}"), format!("ses_{n}_{}", k / 10));
        question(
            &id,
            &session,
            &format!("Question {k} of server {n}?"),
            &["Yes", "No"],
        )
    };
    Json((0..fake.open).filter(|_| here).map(asked).collect())
}

async fn statuses(Path(n): Path<usize>) -> Json<Value> {
    let busy = |k: usize| (format!("ses_{n}_{k}"), json!({ "type": "busy" }));
    Json(
        (0..OPEN)
            .map(busy)
            .collect::<serde_json::Map<_, _>>()
            .into(),
    )
}

async fn session(Path((n, id)): Path<(usize, String)>) -> Json<Value> {
    Json(json!({ "id": id, "title": "A session", "directory": directory(n) }))
}

fn directory(n: usize) -> String {
    format!("/srv/project-{n}")
}
