//! The sending of an answer: the POST, and its reply, on which the thread goes on.
//!
//! An answer that may have arrived is never sent again without a human. The thread may have reached
//! its next interrupt by then, and a second `continue` would approve what nobody has seen.

mod body;

use super::api::InterruptsApi;
use super::wire::{self, Interrupt, ServiceFrame};
use crate::sources::http::sse::{SseFrames, StreamError};
use beckon_core::{
    Answer, Ask, DeliveryFailure, FinishedTurn, ReturnReason, SourceFault, Span, TurnEnd,
};
use body::{ResumeAction, ResumeBody, body};
use reqwest::{Response, StatusCode};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::mpsc::UnboundedSender;

/// How long the headers of a reply may take. A service may start its agent before it says anything;
/// the desk's own limit is 30 s.
const HEADERS_WITHIN: Duration = Duration::from_secs(20);
/// The most characters that are kept of a refusal's text.
const DETAIL: usize = 300;

const UNPROVEN: DeliveryFailure = DeliveryFailure::Returned(ReturnReason::Unproven);

/// An event while an answer is being sent.
#[derive(Debug)]
pub(super) enum ResumeProgress {
    /// The service accepted the POST.
    Sent,
    /// The thread goes on, so the answer was taken.
    WentOn,
    /// The thread is interrupted (again).
    Interrupted(Interrupt),
    /// The answer has certainly not arrived, for that reason, so it may be sent again.
    NotArrived(SourceFault),
    /// The answer was not taken.
    Failed(DeliveryFailure),
    /// The reply has ended; with the turn that ended, if one did.
    Over(Option<FinishedTurn>),
}

/// Sends an answer and reads the reply to its end.
pub(super) async fn resume(
    api: Arc<InterruptsApi>,
    ask: Ask,
    answer: Answer,
    progress: UnboundedSender<(Ask, ResumeProgress)>,
) {
    let tell = |what| _ = progress.send((ask.clone(), what));
    let began = Instant::now();
    let frames = match post(&api, &ask, &answer).await {
        Ok(frames) => frames,
        Err(why) => {
            tracing::debug!(ask = %ask.id, ?why, "an answer was not delivered");
            return tell(why);
        }
    };
    tell(ResumeProgress::Sent);
    let end = read(frames, &tell).await;
    let stopped = body(&ask, &answer).is_some_and(|body| body.action == ResumeAction::Cancel);
    let turn = end.filter(|_| !stopped).map(|end| {
        let took = i64::try_from(began.elapsed().as_millis()).unwrap_or(i64::MAX);
        FinishedTurn {
            session: ask.session.clone(),
            took: Span::millis(took),
            end,
        }
    });
    tell(ResumeProgress::Over(turn));
}

async fn post(
    api: &InterruptsApi,
    ask: &Ask,
    answer: &Answer,
) -> Result<SseFrames, ResumeProgress> {
    // Core checks answers against their ask.
    let body = body(ask, answer).ok_or(ResumeProgress::Failed(DeliveryFailure::NotFound))?;
    let mut response = send(api, ask, &body).await?;
    if is_lock(response.status()) && api.renew().await {
        response = send(api, ask, &body).await?;
    }
    if !response.status().is_success() {
        return Err(refusal(response).await);
    }
    // A reply that is no event stream proves nothing about the answer.
    SseFrames::of(response, None).map_err(|_| ResumeProgress::Failed(UNPROVEN))
}

async fn send(
    api: &InterruptsApi,
    ask: &Ask,
    body: &ResumeBody,
) -> Result<Response, ResumeProgress> {
    let request = api.resume(&ask.session.id).await.json(body).send();
    match tokio::time::timeout(HEADERS_WITHIN, request).await {
        Ok(Ok(response)) => Ok(response),
        Ok(Err(error)) if error.is_connect() => Err(ResumeProgress::NotArrived(
            SourceFault::Other(crate::sources::http::reason(&error)),
        )),
        Ok(Err(_)) | Err(_) => Err(ResumeProgress::Failed(UNPROVEN)),
    }
}

fn is_lock(status: StatusCode) -> bool {
    matches!(status, StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN)
}

async fn refusal(response: Response) -> ResumeProgress {
    ResumeProgress::Failed(match response.status() {
        StatusCode::UNAUTHORIZED => DeliveryFailure::Returned(ReturnReason::Unauthorized),
        StatusCode::FORBIDDEN => DeliveryFailure::Returned(ReturnReason::Forbidden),
        StatusCode::NOT_FOUND | StatusCode::CONFLICT | StatusCode::GONE => {
            DeliveryFailure::NotFound
        }
        // These statuses come from a proxy or a rate limiter that has not even passed the answer
        // on.
        status @ (StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE) => {
            return ResumeProgress::NotArrived(SourceFault::Status(status.as_u16()));
        }
        status => {
            let text = crate::sources::http::refusal_text(response).await;
            let detail: String = wire::detail(&text).chars().take(DETAIL).collect();
            let said = if detail.is_empty() {
                detail
            } else {
                format!(": {detail}")
            };
            DeliveryFailure::Returned(ReturnReason::Refused(format!("{status}{said}")))
        }
    })
}

/// Reads the reply. Returns how the turn ended, if the thread went on and was not interrupted
/// again.
async fn read(mut frames: SseFrames, tell: &impl Fn(ResumeProgress)) -> Option<TurnEnd> {
    let mut reply = ReplyEvidence::default();
    loop {
        let frame = match frames.next(|_| true).await {
            Ok(Some(frame)) => wire::read(&frame),
            Ok(None) => continue,
            Err(broken) => {
                reply.on_break(&broken).into_iter().for_each(tell);
                return None;
            }
        };
        let over = matches!(frame, ServiceFrame::End);
        reply.on_frame(frame).into_iter().for_each(tell);
        if over {
            return reply.end();
        }
    }
}

/// The evidence that a reply has shown so far.
#[derive(Default)]
struct ReplyEvidence {
    /// Whether the thread went on, so the answer was taken.
    proven: bool,
    /// Whether the service did not take the answer.
    refused: bool,
    interrupted: bool,
    error: Option<String>,
}

impl ReplyEvidence {
    fn on_frame(&mut self, frame: ServiceFrame) -> Vec<ResumeProgress> {
        match frame {
            ServiceFrame::WentOn | ServiceFrame::End => self.prove().into_iter().collect(),
            ServiceFrame::Interrupt(interrupt) => {
                self.interrupted = true;
                self.prove()
                    .into_iter()
                    .chain([ResumeProgress::Interrupted(*interrupt)])
                    .collect()
            }
            ServiceFrame::Error(error) if self.proven => {
                self.error = Some(error);
                Vec::new()
            }
            ServiceFrame::Error(_) if self.refused => Vec::new(),
            ServiceFrame::Error(error) => {
                self.refused = true;
                vec![ResumeProgress::Failed(DeliveryFailure::Returned(
                    ReturnReason::Refused(error),
                ))]
            }
            ServiceFrame::Nothing => Vec::new(),
        }
    }

    fn prove(&mut self) -> Option<ResumeProgress> {
        let first = !self.proven && !self.refused;
        self.proven |= first;
        first.then_some(ResumeProgress::WentOn)
    }

    fn on_break(&self, broken: &StreamError) -> Option<ResumeProgress> {
        tracing::debug!(?broken, proven = self.proven, "a reply broke off");
        let open = !self.proven && !self.refused;
        open.then_some(ResumeProgress::Failed(DeliveryFailure::Returned(
            ReturnReason::Unproven,
        )))
    }

    fn end(self) -> Option<TurnEnd> {
        let went_on = self.proven && !self.interrupted;
        went_on.then(|| self.error.map_or(TurnEnd::Done, TurnEnd::Failed))
    }
}

#[cfg(test)]
mod tests;
