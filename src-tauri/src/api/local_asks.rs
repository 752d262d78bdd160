//! The requests to ask through Beckon itself (`POST /question`, `POST /permission`), to look at an
//! ask, and to withdraw it. The bodies are in `local_asks/body.rs`.

mod body;
mod meant;
pub(crate) mod status;

pub(crate) use body::{
    AskerBody, LimitsBody, PermissionBody, QuestionBody, TimeLimit, UnreadableBody, new_id,
};

use crate::api::error::{ApiError, AskRefusal};
use crate::api::lenient_body::{Lenient, LenientFields};
use crate::api::{ApiState, once_saved, problem};
use crate::app::inbox::{LoopInput, Mailbox};
use crate::sources::local_asks::messages::{
    AskEnd, AskProgress, AskerReceipt, AskerRequest, HandedEnd, IdClash, NewAsk, ReceiptEnd,
    ReceivedAnswer,
};
use axum::Json;
use axum::body::{Body, Bytes};
use axum::extract::{Path, Query, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use futures_util::stream;
use serde::{Deserialize, Serialize};
use std::convert::Infallible;
use std::time::Duration;
use tokio::sync::oneshot;

/// The most bytes of a proof. It is kept with its ask for days; the id of a call and its place take
/// some 100 bytes.
const LONGEST_PROOF: usize = 300;

/// `?wait=SECONDS`
#[derive(Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct WaitQuery {
    /// The longest wait, in seconds.
    pub(super) wait: Option<u64>,
}

/// The response to `POST /question`, which comes at once.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct AskedId {
    /// The id of the ask: the asker's own, or a new unique one.
    id: String,
}

/// Handles `POST /question[?wait=SECONDS]`: 201 with the id; with `wait` 200 once it has ended, 202
/// when the wait ran out before.
pub(super) async fn ask(
    State(room): State<ApiState>,
    Query(WaitQuery { wait }): Query<WaitQuery>,
    LenientFields(asking): LenientFields,
) -> Response {
    let asking = match meant::question(asking) {
        Ok(asking) => asking,
        Err(unclear) => return problem(&room, &ApiError::Shape(unclear.to_string())),
    };
    ask_for(&room, asking.into_new(wait.is_some()), wait).await
}

/// Asks a question for a client that waits for that long.
pub(super) async fn ask_and_wait(
    room: &ApiState,
    asking: QuestionBody,
    within: Duration,
) -> Response {
    ask_for(room, asking.into_new(true), Some(within.as_secs())).await
}

/// Handles `POST /permission[?wait=SECONDS]`: the same for a permission.
pub(super) async fn request(
    State(room): State<ApiState>,
    Query(WaitQuery { wait }): Query<WaitQuery>,
    Lenient(requesting): Lenient<PermissionBody>,
) -> Response {
    ask_for(&room, requesting.into_new(wait.is_some()), wait).await
}

/// Counts something that could not be read, or not be asked, and shows a card that says so (`POST
/// /unreadable[?wait=SECONDS]`). Answered as `POST /permission` is; where nothing is asked, 201
/// with an id that is empty.
pub(super) async fn unreadable(
    State(room): State<ApiState>,
    Query(WaitQuery { wait }): Query<WaitQuery>,
    Lenient(unreadable): Lenient<UnreadableBody>,
) -> Response {
    let agent = unreadable.asker.agent.clone().unwrap_or_default();
    room.mailbox.input(LoopInput::Unreadable {
        agent,
        reason: unreadable.reason.clone(),
    });
    match unreadable.into_new(wait.is_some()) {
        Some(new) => ask_for(&room, new, wait).await,
        None => (StatusCode::CREATED, Json(AskedId { id: String::new() })).into_response(),
    }
}

async fn ask_for(room: &ApiState, new: Result<NewAsk, AskRefusal>, wait: Option<u64>) -> Response {
    let new = match new {
        Ok(new) => new,
        Err(why) => return problem(room, &ApiError::Unaskable(why)),
    };
    let own = new.own.clone();
    let is_named = new.is_named;
    let (reply, asked) = oneshot::channel();
    room.mailbox
        .input(LoopInput::Asking(AskerRequest::Ask(Box::new(new), reply)));
    match (asked.await, wait) {
        (Err(_), _) => problem(room, &ApiError::Stopping),
        (Ok(Err(IdClash)), _) => problem(room, &ApiError::IdTaken),
        (Ok(Ok(())), None) => hand_ticket(room, own, is_named).await,
        (Ok(Ok(())), Some(seconds)) => attend(room, own, seconds).await,
    }
}

/// Hands out the ticket when its ask is saved. If the disk goes on refusing, and the asker has no
/// other name for the ask, it is withdrawn: nobody could fetch the answer.
async fn hand_ticket(room: &ApiState, own: String, is_named: bool) -> Response {
    if room.mailbox.is_saved().await {
        return (StatusCode::CREATED, Json(AskedId { id: own })).into_response();
    }

    if !is_named {
        ended(room, |reply| AskerRequest::Withdraw(own, reply)).await;
    }
    problem(room, &ApiError::NotSaved)
}

/// Returns the progress of a question or permission (`GET /question/{id}[?wait=SECONDS]`): 200, or
/// 202 when a wait ran out before the end. Only a client that waits counts as the asker's
/// connection; one that reads the end has taken it either way.
pub(super) async fn look(
    State(room): State<ApiState>,
    Path(id): Path<String>,
    Query(WaitQuery { wait }): Query<WaitQuery>,
) -> Response {
    if let Some(seconds) = wait {
        return attend(&room, id, seconds).await;
    }
    let (reply, seen) = oneshot::channel();
    room.mailbox
        .input(LoopInput::Asking(AskerRequest::Look(id.clone(), reply)));
    match seen.await {
        Ok(Some(seen @ AskProgress::Open(_))) => {
            Json(status::open_or_ended(id, seen)).into_response()
        }
        _ => attend(&room, id, 0).await,
    }
}

/// Withdraws a question or permission (`DELETE /question/{id}`): its asker needs no answer any
/// more.
pub(super) async fn withdraw(State(room): State<ApiState>, Path(id): Path<String>) -> Response {
    let withdrawn = ended(&room, |reply| AskerRequest::Withdraw(id, reply)).await;
    if !withdrawn.status().is_success() {
        return withdrawn;
    }
    once_saved(&room, withdrawn).await
}

/// The body of `POST /question/{id}/receipt`
#[derive(Debug, Deserialize, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct ReceiptBody {
    /// The fate of the answer.
    pub receipt: AskerReceipt,
    /// The asker's name for what proves that the answer was taken. A proof counts for one answer: a
    /// second answer with the same proof is refused with 409.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proof: Option<String>,
}

/// Takes the receipt for an answer that its asker passed on, or for the ask
/// (`POST /question/{id}/receipt`, and the same for a permission).
pub(super) async fn receipt(
    State(room): State<ApiState>,
    Path(own): Path<String>,
    Json(ReceiptBody { receipt, proof }): Json<ReceiptBody>,
) -> Response {
    let is_long = |proof: &String| proof.len() > LONGEST_PROOF;
    if proof.as_ref().is_some_and(is_long) {
        return problem(&room, &ApiError::Shape("a long proof".to_owned()));
    }
    let received = ReceivedAnswer {
        own,
        receipt,
        proof,
    };

    let (reply, end) = oneshot::channel();
    room.mailbox
        .input(LoopInput::Asking(AskerRequest::Receipt(received, reply)));
    match end.await {
        Ok(ReceiptEnd::Counted) => once_saved(&room, Json(true).into_response()).await,
        Ok(ReceiptEnd::NotOpen) => problem(&room, &ApiError::NotOpen),
        Ok(ReceiptEnd::ProofUsed) => problem(&room, &ApiError::ProofUsed),
        Err(_) => problem(&room, &ApiError::Stopping),
    }
}

async fn ended(
    room: &ApiState,
    wish: impl FnOnce(oneshot::Sender<bool>) -> AskerRequest,
) -> Response {
    let (reply, ended) = oneshot::channel();
    room.mailbox.input(LoopInput::Asking(wish(reply)));
    match ended.await {
        Ok(true) => Json(true).into_response(),
        Ok(false) => problem(room, &ApiError::NotOpen),
        Err(_) => problem(room, &ApiError::Stopping),
    }
}

/// Waits for the end of an ask for at most that many seconds. Meanwhile this counts as the asker's
/// connection.
async fn attend(room: &ApiState, own: String, seconds: u64) -> Response {
    let (seen_to, seen) = oneshot::channel();
    let (end_to, end) = oneshot::channel();
    let wish = AskerRequest::Attend {
        own: own.clone(),
        seen: seen_to,
        end: end_to,
    };
    room.mailbox.input(LoopInput::Asking(wish));
    let attendance = AskerPresence {
        mailbox: room.mailbox.clone(),
        own,
    };
    let Ok(seen) = seen.await else {
        return problem(room, &ApiError::Stopping);
    };
    let Some(seen) = seen else {
        return problem(room, &ApiError::NotAsked);
    };
    // An ask that has ended sends its end at once, so the end is awaited however short the wait is.
    let patience = if matches!(seen, AskProgress::Ended(_)) {
        Duration::MAX
    } else {
        Duration::from_secs(seconds)
    };
    match tokio::time::timeout(patience, end).await {
        Ok(Ok(handed)) => hand_once_saved(room, attendance, handed).await,
        Ok(Err(_)) => problem(room, &ApiError::Stopping),
        Err(_) => {
            let open = status::open_or_ended(attendance.own.clone(), seen);
            (StatusCode::ACCEPTED, Json(open)).into_response()
        }
    }
}

/// Hands an end over when it is saved. If the disk goes on refusing, an asker that waits gets it
/// anyway and is not kept from its work; one with a ticket is asked to come again.
async fn hand_once_saved(
    room: &ApiState,
    attendance: AskerPresence,
    handed: HandedEnd,
) -> Response {
    let HandedEnd { end, by_ticket } = handed;
    let is_saved = room.mailbox.is_saved().await;
    if by_ticket && !is_saved {
        return problem(room, &ApiError::NotSaved);
    }
    attendance.hand(end)
}

/// The presence of an asker, who is connected as long as this value lives: when the connection
/// ends, it is dropped with the request.
struct AskerPresence {
    mailbox: Mailbox,
    own: String,
}

impl AskerPresence {
    /// Returns the response with the end. When all of it is written, the loop is told that the end
    /// was taken.
    fn hand(self, end: AskEnd) -> Response {
        let asked = status::ended(self.own.clone(), end);
        let bytes = Bytes::from(serde_json::to_vec(&asked).unwrap_or_default());
        // The first poll gets the bytes; the second one comes when these are written.
        let body = stream::unfold((Some(bytes), self), |(bytes, attendance)| async move {
            match bytes {
                Some(bytes) => Some((Ok::<_, Infallible>(bytes), (None, attendance))),
                None => {
                    let taken = AskerRequest::Taken(attendance.own.clone());
                    attendance.mailbox.input(LoopInput::Asking(taken));
                    None
                }
            }
        });
        let kind = [(header::CONTENT_TYPE, "application/json")];
        (StatusCode::OK, kind, Body::from_stream(body)).into_response()
    }
}

impl Drop for AskerPresence {
    fn drop(&mut self) {
        self.mailbox
            .input(LoopInput::Asking(AskerRequest::Left(std::mem::take(
                &mut self.own,
            ))));
    }
}
