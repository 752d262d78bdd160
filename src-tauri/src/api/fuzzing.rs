//! The properties that must hold of every request to the API, and of what is asked through it.

#![allow(clippy::expect_used, reason = "a panic is how a door objects")]

use super::local_asks::{PermissionBody, QuestionBody};
use super::{ApiState, asks_and_answers, dialect, guarded};
use crate::app::fuzzing::FuzzedLoop;
use crate::app::inbox::{LoopInput, Mailbox};
use crate::sources::local_asks::messages::NewAsk;
use crate::store::HistoryReader;
use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::{HeaderValue, Request, Response, StatusCode, header};
use beckon_client::platform::paths::Paths;
use beckon_client::text::Texts;
use beckon_client::wire::Problem;
use std::cell::RefCell;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use tokio::runtime::Runtime;
use tokio::sync::mpsc::UnboundedReceiver;
use tower_service::Service;

pub(super) const TOKEN: &str = "token";
/// How long a request that waits is waited for; then it is left waiting.
const PATIENCE: Duration = Duration::from_millis(5);
/// The longest body of a problem, whatever was asked for.
const LONGEST_PROBLEM: usize = 64 << 10;

/// Sends a request. A refused one must be refused in words, as a [`Problem`], and none may end in a
/// panic.
pub(crate) fn requests(data: &[u8]) {
    let line = data.split(|byte| *byte == b'\n').next().unwrap_or_default();
    let body = data.get(line.len() + 1..).unwrap_or_default();
    let Some((method, path)) = std::str::from_utf8(line)
        .ok()
        .and_then(|it| it.split_once(' '))
    else {
        return;
    };
    ROOM.with_borrow_mut(|room| room.ask(&mut FuzzedLoop::new(), (method, path), body));
}

/// Registers servers one after the other: one that gets 201 must be known by its name.
pub(crate) fn registrations(data: &[u8]) {
    let mut behind = FuzzedLoop::new();
    for body in data.split(|byte| *byte == b'\n').take(16) {
        ROOM.with_borrow_mut(|room| room.ask(&mut behind, ("POST", "/servers"), body));
    }
}

/// Returns the ask for that body, or why it is refused, after a round through JSON, as programs
/// send it.
pub(crate) fn question(body: &QuestionBody) -> Result<NewAsk, String> {
    let sent = serde_json::to_string(body).expect("a body can be sent");
    let read: QuestionBody = serde_json::from_str(&sent).expect("what is sent can be read");
    read.into_new(true).map_err(|why| format!("{why:?}"))
}

/// Returns the ask for that permission's body, or why it is refused, after a round through JSON.
pub(crate) fn permission(body: &PermissionBody) -> Result<NewAsk, String> {
    let sent = serde_json::to_string(body).expect("a body can be sent");
    let read: PermissionBody = serde_json::from_str(&sent).expect("what is sent can be read");
    read.into_new(true).map_err(|why| format!("{why:?}"))
}

thread_local! {
    /// The room, whose routes are the same for all requests; what is behind them is new for each.
    static ROOM: RefCell<FuzzedRoom> = RefCell::new(FuzzedRoom::new());
}

/// Makes the API's state of a Beckon in English with these paths.
pub(super) fn room(paths: Paths, mailbox: Mailbox) -> ApiState {
    ApiState {
        mailbox,
        token: TOKEN.into(),
        known: None,
        instance: "instance".into(),
        history: HistoryReader::of(&paths.database),
        paths: Arc::new(paths),
        texts: Arc::new(Texts::load("en")),
    }
}

struct FuzzedRoom {
    /// The runtime, which is never dropped: that would wait for threads to end, and while Windows
    /// ends the thread to which it belongs, it ends no other.
    runtime: &'static Runtime,
    router: Router,
    inbox: UnboundedReceiver<LoopInput>,
}

impl FuzzedRoom {
    fn new() -> Self {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build();
        let (mailbox, inbox) = Mailbox::new();
        // The folder has no files.
        let room = room(Paths::below(Path::new("/nonexistent/beckon")), mailbox);
        // Some of the other routes would change the settings of the user who runs this.
        let router = guarded([dialect(), asks_and_answers()].concat(), &room).with_state(room);
        let runtime = Box::leak(Box::new(runtime.expect("a runtime")));
        Self {
            runtime,
            router,
            inbox,
        }
    }

    fn ask(&mut self, behind: &mut FuzzedLoop, (method, path): (&str, &str), body: &[u8]) {
        let request = Request::builder()
            .method(method)
            .uri(path)
            .header(header::AUTHORIZATION, format!("Bearer {TOKEN}"))
            .header(header::CONTENT_TYPE, "application/json")
            .body(Body::from(body.to_vec()));
        // Hyper lets in no request that is not well-formed.
        let Ok(request) = request else { return };
        let Self {
            runtime,
            router,
            inbox,
        } = self;
        while inbox.try_recv().is_ok() {}
        runtime.block_on(async {
            let answer = async { is_fit(router.call(request).await.expect("an answer")).await };
            tokio::pin!(answer);
            let over = tokio::time::sleep(PATIENCE);
            tokio::pin!(over);
            loop {
                tokio::select! {
                    biased;
                    () = &mut answer => break,
                    Some(input) = inbox.recv() => behind.take(input),
                    () = &mut over => break,
                }
            }
        });
    }
}

async fn is_fit(response: Response<Body>) {
    let status = response.status();
    let kind = response.headers().get(header::CONTENT_TYPE).cloned();
    if status.is_success() || status.is_redirection() {
        return;
    }
    let body = to_bytes(response.into_body(), LONGEST_PROBLEM)
        .await
        .expect("a short answer");
    // The route does not exist, or not with that method.
    let routeless = body.is_empty()
        && matches!(
            status,
            StatusCode::NOT_FOUND | StatusCode::METHOD_NOT_ALLOWED
        );
    if routeless {
        return;
    }
    let is_json = kind == Some(HeaderValue::from_static("application/json"));
    let problem = serde_json::from_slice::<Problem>(&body);
    let said = problem.is_ok_and(|problem| !problem.message.trim().is_empty());
    assert!(
        is_json && said,
        "{status} {kind:?} {:?}",
        body.escape_ascii().to_string()
    );
}
