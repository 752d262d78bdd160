//! The real router with the loop's part behind it, a home of its own, and a history.

use crate::api::fuzzing::{TOKEN, room};
use crate::api::router;
use crate::app::fuzzing::{FuzzedLoop, open_desk};
use crate::app::inbox::{LoopInput, Mailbox};
use crate::store::{CommitRows, Store};
use axum::Router;
use axum::body::Body;
use axum::http::{Method, Request, Response, StatusCode, header};
use beckon_client::platform::clock;
use beckon_client::platform::paths::Paths;
use beckon_core::{Answer, AskContent, AskState, Grant, Outcome, RowChange, Surface};
use futures_util::StreamExt;
use std::path::Path;
use tokio::sync::mpsc::UnboundedReceiver;
use tower_service::Service;

/// An API that answers as the running Beckon does, as far as no other room is needed for it.
pub(super) struct TestRoom {
    router: Router,
    inbox: UnboundedReceiver<LoopInput>,
    behind: FuzzedLoop,
    _home: tempfile::TempDir,
}

/// A response.
pub(super) struct Answered {
    pub(super) status: StatusCode,
    pub(super) media: String,
    pub(super) allow: String,
    /// The body; of a stream its first event.
    pub(super) body: String,
}

impl TestRoom {
    pub(super) fn new() -> Self {
        let home = tempfile::tempdir().unwrap();
        let paths = Paths::below(home.path());
        fill(&paths.database);
        // Without servers the keychain is not asked for their secrets.
        std::fs::write(&paths.config, "opencode = []\n").unwrap();
        let (mailbox, inbox) = Mailbox::new();
        let room = room(paths, mailbox);
        Self {
            router: router(room),
            inbox,
            behind: FuzzedLoop::new(),
            _home: home,
        }
    }

    /// Sends a request with the token.
    pub(super) async fn ask(&mut self, method: &Method, path: &str, body: &str) -> Answered {
        let request = Request::builder()
            .method(method)
            .uri(path)
            .header(header::AUTHORIZATION, format!("Bearer {TOKEN}"))
            .header(header::CONTENT_TYPE, "application/json")
            .body(Body::from(body.to_owned()));
        self.send(request.unwrap()).await
    }

    pub(super) async fn send(&mut self, request: Request<Body>) -> Answered {
        let Self {
            router,
            inbox,
            behind,
            ..
        } = self;
        let answer = async { read(router.call(request).await.unwrap()).await };
        tokio::pin!(answer);
        loop {
            tokio::select! {
                biased;
                answered = &mut answer => return answered,
                Some(input) = inbox.recv() => behind.take(input),
            }
        }
    }
}

async fn read(response: Response<Body>) -> Answered {
    let header = |name| {
        let value = response
            .headers()
            .get(name)
            .and_then(|value| value.to_str().ok());
        value.unwrap_or_default().to_owned()
    };
    let (status, media, allow) = (
        response.status(),
        header(header::CONTENT_TYPE),
        header(header::ALLOW),
    );
    let pieces = if media == "text/event-stream" {
        1
    } else {
        usize::MAX
    };
    let pieces = response.into_body().into_data_stream().take(pieces);
    let pieces: Vec<_> = pieces.map(|piece| piece.unwrap().to_vec()).collect().await;
    Answered {
        status,
        media,
        allow,
        body: String::from_utf8(pieces.concat()).unwrap(),
    }
}

/// Fills the history with a question that was answered here, and a permission that was always
/// granted.
fn fill(database: &Path) {
    let now = clock::now();
    let entries = open_desk().view(now).asks.into_iter().map(|ask| ask.entry);
    let settled = entries.map(|mut entry| {
        let answer = match entry.ask.kind {
            AskContent::Permission(_) => Answer::Grant(Grant::Always),
            _ => Answer::Dismiss,
        };
        let outcome = Outcome::Answered {
            answer,
            by: Surface::Api,
        };
        entry.state = AskState::Settled { outcome, at: now };
        RowChange::Ask(Box::new(entry))
    });
    let save: Vec<RowChange> = settled.collect();
    let mut store = Store::open(database, now).unwrap().store;
    store
        .commit(
            &CommitRows {
                save: &save,
                ..CommitRows::default()
            },
            now,
        )
        .unwrap();
}
