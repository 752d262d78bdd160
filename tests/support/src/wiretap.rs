//! A wire between Beckon and an agent's server that passes every byte on and notes the answers and
//! their times. The wire may be slow, so that a Beckon that is killed is killed with an answer
//! under way.
//!
//! The server behind it is the real one: nothing is imitated here.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use futures_util::StreamExt;
use reqwest::{Client, RequestBuilder};
use serde_json::Value;

use crate::serving::Serving;

/// The header fields that concern one connection and are not passed on.
const OF_A_CONNECTION: [HeaderName; 4] = [
    header::CONNECTION,
    header::HOST,
    header::TRANSFER_ENCODING,
    header::CONTENT_LENGTH,
];

/// An answer that was sent to the server.
#[derive(Clone, Debug)]
pub struct Posted {
    /// The id of the request that it answers.
    pub id: String,
    /// `reply` or `reject`.
    pub verb: String,
    /// The body, or null if it has none.
    pub body: Value,
    /// The moment at which it was on the wire.
    pub at: Instant,
    /// The status with which the server responded, and when. The client may not have received it.
    pub said: Option<(u16, Instant)>,
}

struct Line {
    upstream: String,
    client: Client,
    posted: Mutex<Vec<Posted>>,
    asked: AtomicUsize,
    slow: Mutex<(Duration, Duration)>,
}

/// The wire, while it stands; every connection breaks on drop.
pub struct Wiretap {
    serving: Serving,
    line: Arc<Line>,
}

impl Wiretap {
    /// Opens a free port that leads to `upstream`.
    pub fn start(upstream: &str) -> Wiretap {
        let line = Arc::new(Line {
            upstream: upstream.to_owned(),
            client: Client::builder().no_proxy().build().unwrap(),
            posted: Mutex::default(),
            asked: AtomicUsize::new(0),
            slow: Mutex::default(),
        });
        let router = Router::new().fallback(pass).with_state(Arc::clone(&line));
        Wiretap {
            serving: Serving::start(router, 0),
            line,
        }
    }

    /// Returns the URL to be used in place of the server's own address.
    pub fn url(&self) -> String {
        format!("http://{}", self.serving.address())
    }

    /// Delays answers by `there` on their way to the server, and the server's responses by `back`.
    pub fn slow(&self, there: Duration, back: Duration) {
        *self.line.slow.lock().unwrap() = (there, back);
    }

    /// Returns the answers that were sent so far, in order.
    pub fn posted(&self) -> Vec<Posted> {
        self.line.posted.lock().unwrap().clone()
    }

    /// Returns the number of answers that were sent so far.
    pub fn posted_count(&self) -> usize {
        self.line.posted.lock().unwrap().len()
    }

    /// Returns how many requests the server's streams have reported.
    pub fn asked_count(&self) -> usize {
        self.line.asked.load(Ordering::Relaxed)
    }
}

async fn pass(State(line): State<Arc<Line>>, request: Request) -> Response {
    let (parts, body) = request.into_parts();
    let Ok(body) = axum::body::to_bytes(body, usize::MAX).await else {
        return StatusCode::BAD_REQUEST.into_response();
    };
    let path = parts
        .uri
        .path_and_query()
        .map_or("/", |path| path.as_str())
        .to_owned();
    let posted = line.note(&parts.method, parts.uri.path(), &body);
    let request = line
        .client
        .request(parts.method, format!("{}{path}", line.upstream));
    let request = request.headers(passed(&parts.headers)).body(body);
    let response = match posted {
        // An answer on the wire arrives, even if its sender has died meanwhile.
        Some(posted) => tokio::spawn(answer(Arc::clone(&line), posted, request))
            .await
            .ok(),
        None => request.send().await.ok(),
    };
    let Some(response) = response else {
        return StatusCode::BAD_GATEWAY.into_response();
    };
    let (status, headers) = (response.status(), passed(response.headers()));
    let stream = response.bytes_stream().inspect(move |chunk| {
        line.count(chunk.as_deref().unwrap_or_default());
    });
    (status, headers, Body::from_stream(stream)).into_response()
}

async fn answer(line: Arc<Line>, posted: usize, request: RequestBuilder) -> reqwest::Response {
    let (there, back) = *line.slow.lock().unwrap();
    tokio::time::sleep(there).await;
    let response = request.send().await.unwrap();
    let said = (response.status().as_u16(), Instant::now());
    line.posted.lock().unwrap()[posted].said = Some(said);
    tokio::time::sleep(back).await;
    response
}

fn passed(headers: &HeaderMap) -> HeaderMap {
    let mut headers = headers.clone();
    OF_A_CONNECTION
        .iter()
        .for_each(|name| _ = headers.remove(name));
    headers
}

impl Line {
    /// Notes the request if it is an answer, and returns its place in the record.
    fn note(&self, method: &Method, path: &str, body: &Bytes) -> Option<usize> {
        let mut parts = path.trim_matches('/').rsplit('/');
        let (verb, id, kind) = (parts.next()?, parts.next()?, parts.next()?);
        let answers =
            matches!(verb, "reply" | "reject") && matches!(kind, "question" | "permission");
        if method != Method::POST || !answers {
            return None;
        }
        let (id, verb, at) = (id.to_owned(), verb.to_owned(), Instant::now());
        let body = serde_json::from_slice(body).unwrap_or_default();
        let mut posted = self.posted.lock().unwrap();
        posted.push(Posted {
            id,
            verb,
            body,
            at,
            said: None,
        });
        Some(posted.len() - 1)
    }

    fn count(&self, chunk: &[u8]) {
        let text = String::from_utf8_lossy(chunk);
        let asked = ["\"question.asked\"", "\"permission.asked\""];
        let asked: usize = asked.iter().map(|event| text.matches(event).count()).sum();
        self.asked.fetch_add(asked, Ordering::Relaxed);
    }
}
