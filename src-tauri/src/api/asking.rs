//! Asking through Beckon itself: `POST /question`, what became of it, and withdrawing it.

use super::{Room, problem};
use crate::asking::{Clash, End, New, Seen, Wish};
use crate::config::parse_span;
use crate::mailbox::{Input, Mailbox};
use crate::sources::opencode::wire::QuestionInfo;
use crate::wire::Asked;
use axum::Json;
use axum::body::{Body, Bytes};
use axum::extract::{Path, Query, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use beckon_core::{Question, Span};
use futures_util::stream;
use rand::Rng;
use serde::{Deserialize, Serialize};
use std::convert::Infallible;
use std::time::Duration;
use tokio::sync::oneshot;

/// A longer id serves nobody.
const LONGEST_ID: usize = 64;

/// The body of `POST /question`
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(default)]
pub struct Asking {
    /// The asker's own id for it. Asked again under the same id it is the same ask, so an asker
    /// whose connection broke simply asks again.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// The questions, as OpenCode's.
    pub questions: Vec<QuestionInfo>,
    /// What the asker calls its work.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// Where it works.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub directory: Option<String>,
    /// Nobody's answer after so long ends it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub timeout: Option<Timeout>,
    /// The asker fetches the answer when it likes; without a `wait` it does anyway. With one it is
    /// otherwise missed when it has no connection.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub ticket: bool,
}

/// A time limit: seconds, or `30s`, `5m`, `1h`.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(untagged)]
pub enum Timeout {
    /// Seconds.
    Seconds(f64),
    /// With its unit.
    Text(String),
}

/// `?wait=SECONDS`
#[derive(Deserialize)]
pub(super) struct Wait {
    wait: Option<u64>,
}

/// `POST /question[?wait=SECONDS]`: 201 with the id; with `wait` 200 once it has ended, 202 when the
/// wait ran out before.
pub(super) async fn ask(
    State(room): State<Room>,
    Query(Wait { wait }): Query<Wait>,
    Json(asking): Json<Asking>,
) -> Response {
    let new = match asking.into_new(wait.is_some()) {
        Ok(new) => new,
        Err(text) => return problem(StatusCode::BAD_REQUEST, "invalid", text),
    };
    let own = new.own.clone();
    let (reply, asked) = oneshot::channel();
    room.mailbox.input(Input::Asking(Wish::Ask(Box::new(new), reply)));
    match (asked.await, wait) {
        (Err(_), _) => stopping(),
        (Ok(Err(Clash)), _) => {
            problem(StatusCode::CONFLICT, "id taken", "that id stands for other questions")
        }
        (Ok(Ok(())), None) => {
            (StatusCode::CREATED, Json(serde_json::json!({ "id": own }))).into_response()
        }
        (Ok(Ok(())), Some(seconds)) => attend(&room, own, seconds).await,
    }
}

/// `GET /question/{id}[?wait=SECONDS]`: 200 with how it stands; when a wait ran out before the end,
/// 202. Only who waits counts as the asker's connection; who reads the end has taken it either way.
pub(super) async fn look(
    State(room): State<Room>,
    Path(id): Path<String>,
    Query(Wait { wait }): Query<Wait>,
) -> Response {
    if let Some(seconds) = wait {
        return attend(&room, id, seconds).await;
    }
    let (reply, seen) = oneshot::channel();
    room.mailbox.input(Input::Asking(Wish::Look(id.clone(), reply)));
    match seen.await {
        Ok(Some(seen)) if seen.end.is_none() => Json(Asked::new(id, seen)).into_response(),
        _ => attend(&room, id, 0).await,
    }
}

/// `DELETE /question/{id}`: its asker needs no answer any more.
pub(super) async fn withdraw(State(room): State<Room>, Path(id): Path<String>) -> Response {
    let (reply, withdrawn) = oneshot::channel();
    room.mailbox.input(Input::Asking(Wish::Withdraw(id, reply)));
    match withdrawn.await {
        Ok(true) => Json(true).into_response(),
        Ok(false) => problem(StatusCode::NOT_FOUND, "unknown", "no such ask is open here"),
        Err(_) => stopping(),
    }
}

/// Stays for the end, at most so long.
async fn attend(room: &Room, own: String, seconds: u64) -> Response {
    let (seen_to, seen) = oneshot::channel();
    let (end_to, end) = oneshot::channel();
    let wish = Wish::Attend { own: own.clone(), seen: seen_to, end: end_to };
    room.mailbox.input(Input::Asking(wish));
    let attendance = Attendance { mailbox: room.mailbox.clone(), own };
    let Ok(seen) = seen.await else { return stopping() };
    let Some(seen) = seen else {
        return problem(StatusCode::NOT_FOUND, "unknown", "nobody asked that here");
    };
    // What is seen to have ended is on its way.
    let patience = if seen.end.is_some() { Duration::MAX } else { Duration::from_secs(seconds) };
    match tokio::time::timeout(patience, end).await {
        Ok(Ok(end)) => attendance.hand(end),
        Ok(Err(_)) => stopping(),
        Err(_) => {
            let open = Asked::new(attendance.own.clone(), seen);
            (StatusCode::ACCEPTED, Json(open)).into_response()
        }
    }
}

/// An asker is connected as long as this lives: the connection's end drops it with its request.
struct Attendance {
    mailbox: Mailbox,
    own: String,
}

impl Attendance {
    /// The end, and the word that it was taken once all of it was written.
    fn hand(self, end: End) -> Response {
        let seen = Seen { questions: Vec::new(), end: Some(end) };
        let asked = Asked::new(self.own.clone(), seen);
        let bytes = Bytes::from(serde_json::to_vec(&asked).unwrap_or_default());
        // The first look gets the bytes, and the second one comes when these are written.
        let body = stream::unfold((Some(bytes), self), |(bytes, attendance)| async move {
            match bytes {
                Some(bytes) => Some((Ok::<_, Infallible>(bytes), (None, attendance))),
                None => {
                    let taken = Wish::Taken(attendance.own.clone());
                    attendance.mailbox.input(Input::Asking(taken));
                    None
                }
            }
        });
        let kind = [(header::CONTENT_TYPE, "application/json")];
        (StatusCode::OK, kind, Body::from_stream(body)).into_response()
    }
}

impl Drop for Attendance {
    fn drop(&mut self) {
        self.mailbox.input(Input::Asking(Wish::Left(std::mem::take(&mut self.own))));
    }
}

impl Asking {
    /// Checked, and with an id.
    fn into_new(self, waits: bool) -> Result<New, String> {
        let own = self.id.unwrap_or_else(new_id);
        let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
        if own.is_empty() || own.len() > LONGEST_ID || !own.chars().all(plain) {
            return Err(format!("id is 1 to {LONGEST_ID} letters, digits, - _ or ."));
        }
        if self.questions.is_empty() {
            return Err("questions is empty".into());
        }
        let questions: Vec<Question> = self.questions.into_iter().map(Question::from).collect();
        if let Some(number) = questions.iter().position(|q| !answerable(q)) {
            return Err(format!(
                "question {} has no text, or neither choices nor own text",
                number + 1
            ));
        }
        let directory = self.directory.or_else(|| self.title.clone());
        Ok(New {
            own,
            attended: waits && !self.ticket,
            questions,
            title: self.title,
            // A card names the place that asks; there is no better name.
            directory: directory.unwrap_or_else(|| "beckon ask".into()),
            timeout: self.timeout.map(Timeout::span).transpose()?,
        })
    }
}

fn answerable(question: &Question) -> bool {
    !question.question.trim().is_empty() && (question.custom || !question.choices.is_empty())
}

impl Timeout {
    fn span(self) -> Result<Span, String> {
        let span = match &self {
            Self::Seconds(seconds) => milliseconds(*seconds).map(Span::millis),
            Self::Text(text) => parse_span(text),
        };
        span.ok_or_else(|| "timeout is seconds, or 30s, 5m, 1h and the like".into())
    }
}

fn milliseconds(seconds: f64) -> Option<i64> {
    let duration = Duration::try_from_secs_f64(seconds).ok().filter(|d| !d.is_zero())?;
    // Ten years are as good as for ever, and no sum overflows.
    let most = Duration::from_secs(10 * 366 * 86_400);
    i64::try_from(duration.min(most).as_millis().max(1)).ok()
}

/// An id that nobody else gives.
pub fn new_id() -> String {
    format!("ask_{:024x}", rand::rng().random::<u128>() >> 32)
}

fn stopping() -> Response {
    problem(StatusCode::SERVICE_UNAVAILABLE, "stopping", "Beckon is about to end")
}
