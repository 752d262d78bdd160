//! The handlers for answers, in our words and in OpenCode's.

mod attention;
mod opening;

pub(super) use attention::attend;
pub(super) use opening::open;

use super::error::ApiError;
use super::{ApiState, problem};
use crate::app::inbox::{FoundAsk, LoopInput};
use crate::app::snapshot::Bulletin;
use crate::platform::login;
use crate::sources::opencode::wire::QuestionReplyBody;
use axum::Json;
use axum::extract::{Path, Query, State};
use axum::response::{IntoResponse, Response};
use beckon_client::config::LOCAL_ASKS;
use beckon_client::wire::{
    self, AnswerBody, AnswerPlace, AnsweredBy, PermissionDecision, PermissionReply, Verdict,
    VerdictState,
};
use beckon_core::{
    Answer, AnswerRefusal, AskId, AskState as Standing, Entry, Event, Grant, LoginSession, News,
    Outcome, Responder, ReturnReason, SecondStart, Surface,
};
use serde::Deserialize;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::RecvError;

/// Returns why the answer came back before, if this is the same one sent again: then it is not
/// taken once more.
fn returned(given: &AnswerBody, found: &FoundAsk) -> Option<ReturnReason> {
    found
        .entry
        .as_ref()
        .filter(|_| given.is_sent_again())?
        .returned
        .clone()
}

/// Whether the same answer is already on its way, as far as can be told: a client that sends it
/// again need not know more.
fn is_underway(given: &AnswerBody, found: &FoundAsk) -> bool {
    let answering = |entry: &Entry| matches!(entry.state, Standing::Answering { .. });
    given.is_sent_again() && found.entry.as_ref().is_some_and(answering)
}

/// `?wait=SECONDS`
#[derive(Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct WaitQuery {
    /// The seconds to wait for the proof that the agent has taken the answer.
    #[serde(default)]
    wait: u64,
}

/// Takes an answer by choices, with the wish to know that it was taken.
pub(super) async fn answer(
    State(room): State<ApiState>,
    Path(id): Path<String>,
    Query(wait): Query<WaitQuery>,
    Json(given): Json<AnswerBody>,
) -> Response {
    // Between programs an id is exact: one that only begins like a forgotten ask's id is another
    // ask.
    let found = if given.seen.is_some() || given.is_sent_again() {
        exactly(&room, &id).await
    } else {
        one(&room, &id).await
    };
    let found = match found {
        Ok(found) => found,
        Err(response) => return response,
    };
    if let Some(why) = returned(&given, &found) {
        return problem(&room, &ApiError::Returned(why));
    }
    let news = room.mailbox.watch();
    if is_underway(&given, &found) {
        return received(&room, receipt(news, &found.id, given.by, wait.wait).await);
    }
    let responder = given.claimed();
    let AnswerBody {
        answer, seen, by, ..
    } = given;
    let taken_along = found.entry.as_ref().filter(|_| is_rejection(&answer));
    let also_rejects = taken_along.and_then(wire::also_rejects);
    let (ask, name) = (found.id, found.name);
    let event = Event::Answered {
        ask,
        answer,
        seen,
        by,
        responder,
    };
    match room.mailbox.answer(event).await {
        Ok(ask) => {
            let receipt = receipt(news, &ask, by, wait.wait);
            // Both waits begin with the answer: a person waits no longer for two than for one.
            let (receipt, is_saved) = tokio::join!(receipt, is_kept(&room, &ask));
            if is_saved || room.mailbox.is_saved_now().await {
                received(&room, receipt.map(|verdict| with_it(verdict, also_rejects)))
            } else {
                problem(&room, &ApiError::NotSaved)
            }
        }
        Err(refusal) => refused_after(&room, &name, refusal).await,
    }
}

/// Waits until the answer to an ask is kept. An agent's server knows what it was told. The answer
/// to an ask through Beckon itself may still wait here for its asker, so it must be saved.
async fn is_kept(room: &ApiState, ask: &AskId) -> bool {
    ask.source.0 != LOCAL_ASKS || room.mailbox.is_saved().await
}

fn is_rejection(answer: &Answer) -> bool {
    matches!(answer, Answer::Grant(Grant::Reject { .. }))
}

/// Adds how many others were rejected with it, unless the rejection did not count: then none were.
fn with_it(verdict: Verdict, also_rejects: Option<wire::AlsoRejects>) -> Verdict {
    let counts = matches!(
        verdict.state.known(),
        Some(VerdictState::Taken | VerdictState::Sent)
    );
    Verdict {
        also_rejects: also_rejects.filter(|_| counts),
        ..verdict
    }
}

fn received(room: &ApiState, receipt: Result<Verdict, ReturnReason>) -> Response {
    match receipt {
        Ok(verdict) => Json(verdict).into_response(),
        Err(why) => problem(room, &ApiError::Returned(why)),
    }
}

/// Handles `POST /question/{id}/reply`.
pub(super) async fn reply(
    State(room): State<ApiState>,
    Path(id): Path<String>,
    Json(reply): Json<QuestionReplyBody>,
) -> Response {
    let found = match exactly(&room, &id).await {
        Ok(found) => found,
        Err(response) => return response,
    };
    let Some(entry) = &found.entry else {
        return refused_because_settled(&room, &found);
    };
    match entry.ask.replies_from_texts(&reply.answers) {
        // The labels were read as those of this content.
        Ok(answer) => dialect(&room, &found, answer).await,
        Err(invalid) => refused(&room, AnswerRefusal::Invalid(invalid)),
    }
}

/// Handles `POST /question/{id}/reject`.
pub(super) async fn reject(State(room): State<ApiState>, Path(id): Path<String>) -> Response {
    match exactly(&room, &id).await {
        Ok(found) => dialect(&room, &found, Answer::Dismiss).await,
        Err(response) => response,
    }
}

/// Handles `POST /permission/{id}/reply`.
pub(super) async fn grant(
    State(room): State<ApiState>,
    Path(id): Path<String>,
    Json(reply): Json<PermissionReply>,
) -> Response {
    let grant = match reply.reply.known() {
        Some(PermissionDecision::Once) => Grant::Once,
        Some(PermissionDecision::Always) => Grant::Always,
        Some(PermissionDecision::Reject) => Grant::Reject {
            reason: reply.message,
        },
        None => return problem(&room, &ApiError::Grant),
    };
    match exactly(&room, &id).await {
        Ok(found) => dialect(&room, &found, Answer::Grant(grant)).await,
        Err(response) => response,
    }
}

/// Takes an answer in OpenCode's dialect. OpenCode says `true` when it has taken an answer, and so
/// do we.
async fn dialect(room: &ApiState, found: &FoundAsk, answer: Answer) -> Response {
    // It answers this ask alone: a client of the dialect has its equals on the list as well.
    let seen = found.entry.as_ref().map(|entry| entry.ask.fingerprint());
    let event = Event::Answered {
        ask: found.id.clone(),
        answer,
        seen,
        by: Surface::Api,
        responder: None,
    };
    match room.mailbox.answer(event).await {
        Ok(_) => Json(true).into_response(),
        Err(refusal) => refused_after(room, &found.name, refusal).await,
    }
}

/// Handles that Beckon was started a second time (`POST /show`).
pub(super) async fn show(
    State(room): State<ApiState>,
    Json(second): Json<LoginSession>,
) -> Json<SecondStart> {
    let decided = login::own().on_second_start(&second, login::own_reach().await);
    match decided {
        SecondStart::ComesForward => room.mailbox.input(LoopInput::Show),
        SecondStart::StaysElsewhere => {}
        SecondStart::GivesWay => {
            tracing::info!("Beckon was started in another login, and this one is gone");
            room.mailbox.input(LoopInput::Stop);
        }
    }
    Json(decided)
}

/// Finds an ask by its exact id: in OpenCode's dialect an id means the ask that was listed with it.
async fn exactly(room: &ApiState, name: &str) -> Result<FoundAsk, Response> {
    room.mailbox
        .named(name)
        .await
        .ok_or_else(|| refused(room, AnswerRefusal::Unknown))
}

/// Returns the one ask that a person means.
pub(super) async fn one(room: &ApiState, name: &str) -> Result<FoundAsk, Response> {
    let mut found = room.mailbox.find(name).await;
    match (found.pop(), found.len()) {
        (Some(found), 0) => Ok(found),
        (None, _) => Err(refused(room, AnswerRefusal::Unknown)),
        (Some(_), more) => Err(problem(room, &ApiError::Ambiguous(more + 1))),
    }
}

fn refused_because_settled(room: &ApiState, found: &FoundAsk) -> Response {
    let Some(outcome) = found.outcome.clone() else {
        return refused(room, AnswerRefusal::Unknown);
    };
    let faster = found.responder.as_ref().map(AnsweredBy::from);
    problem(
        room,
        &ApiError::Refused(AnswerRefusal::Settled { outcome }, faster.map(Box::new)),
    )
}

fn refused(room: &ApiState, refusal: AnswerRefusal) -> Response {
    problem(room, &ApiError::Refused(refusal, None))
}

/// Refuses an answer, and names who was faster, if somebody was.
async fn refused_after(room: &ApiState, name: &str, refusal: AnswerRefusal) -> Response {
    let is_late = matches!(
        refusal,
        AnswerRefusal::Answering { .. } | AnswerRefusal::Settled { .. }
    );
    let found = if is_late {
        room.mailbox.named(name).await
    } else {
        None
    };
    let faster = found.and_then(|found| found.responder);
    problem(
        room,
        &ApiError::Refused(refusal, faster.as_ref().map(|it| Box::new(it.into()))),
    )
}

/// Waits until the source proves what became of the answer, or sends it back.
async fn receipt(
    mut news: Receiver<Arc<Bulletin>>,
    ask: &AskId,
    by: Surface,
    seconds: u64,
) -> Result<Verdict, ReturnReason> {
    let mut trouble = None;
    let proof = async {
        loop {
            match news.recv().await {
                Ok(bulletin) => match &bulletin.news {
                    News::Settled(id, outcome) if id == ask => {
                        let responder =
                            bulletin.entry.as_ref().and_then(|it| it.responder.as_ref());
                        let late = bulletin.entry.as_ref().and_then(|it| it.late.as_ref());
                        if late.is_some_and(|late| late.may_have_arrived) {
                            trouble = None;
                            return None;
                        }
                        return Some(Ok(verdict(outcome, by, responder)));
                    }
                    News::Undelivered(id) if id == ask => {
                        let entry = bulletin.entry.as_ref();
                        trouble = entry.and_then(|entry| entry.undelivered.clone());
                    }
                    News::Returned(id) if id == ask => {
                        let why = bulletin
                            .entry
                            .as_ref()
                            .and_then(|entry| entry.returned.clone());
                        return Some(Err(why.unwrap_or(ReturnReason::Unproven)));
                    }
                    _ => {}
                },
                Err(RecvError::Lagged(_)) => {}
                Err(RecvError::Closed) => return None,
            }
        }
    };
    let proven = tokio::time::timeout(Duration::from_secs(seconds), proof).await;
    proven.ok().flatten().unwrap_or_else(|| {
        let place = AnswerPlace::from(by);
        let undelivered = trouble.as_ref().map(wire::undelivered);
        Ok(Verdict {
            undelivered,
            ..Verdict::new(VerdictState::Sent, Some(place.into()))
        })
    })
}

fn verdict(outcome: &Outcome, ours: Surface, responder: Option<&Responder>) -> Verdict {
    let state = match outcome {
        Outcome::Answered { by, .. } if *by == ours => VerdictState::Taken,
        Outcome::Gone => VerdictState::Gone,
        Outcome::Answered { .. }
        | Outcome::Elsewhere { .. }
        | Outcome::DismissedElsewhere
        | Outcome::Expired => VerdictState::AlreadyAnswered,
    };
    let faster = responder.filter(|_| state == VerdictState::AlreadyAnswered);
    let verdict = Verdict::new(state, AnswerPlace::of(outcome).map(Into::into));
    Verdict {
        responder: faster.map(AnsweredBy::from),
        ..verdict
    }
}
