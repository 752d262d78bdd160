//! An answer on its way: the POST, and its reply, on which the thread goes on.
//!
//! An answer that may have arrived is never sent by itself a second time: the thread may stand at
//! its next interrupt by then, and a second `continue` would approve what nobody has seen.

use super::api::Api;
use super::threads::ORDINARY;
use super::wire::{self, Frame, Interrupt};
use crate::sources::http::sse::{Broken, Frames};
use beckon_core::{Answer, Ask, Failure, Fault, Reply, Returned, Span, Turn, TurnEnd};
use reqwest::{Response, StatusCode};
use serde::Serialize;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::mpsc::UnboundedSender;

/// A service may start its agent before it says anything. Below the desk's own limit of 30 s.
const HEADERS_WITHIN: Duration = Duration::from_secs(20);
/// Of what a refusal says so many characters are kept.
const DETAIL: usize = 300;

const UNPROVEN: Failure = Failure::Returned(Returned::Unproven);

/// What becomes of an answer.
#[derive(Debug)]
pub(super) enum Progress {
    /// 200.
    Sent,
    /// The thread goes on: it was taken.
    WentOn,
    /// The thread is interrupted (again).
    Interrupted(Interrupt),
    /// It has certainly not arrived, for that reason; it may be tried again.
    NotArrived(Fault),
    /// It was not taken.
    Failed(Failure),
    /// The reply has ended; the turn, if one was begun.
    Over(Option<Turn>),
}

/// `POST resume/{thread_id}`
#[derive(Debug, PartialEq, Eq, Serialize)]
struct Body {
    action: Action,
    #[serde(skip_serializing_if = "Option::is_none")]
    answers: Option<Vec<String>>,
}

#[derive(Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
enum Action {
    Continue,
    Cancel,
    Answer,
}

/// Sends an answer and reads the reply to its end.
pub(super) async fn resume(
    api: Arc<Api>,
    ask: Ask,
    answer: Answer,
    progress: UnboundedSender<(Ask, Progress)>,
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
    tell(Progress::Sent);
    let end = read(frames, &tell).await;
    let stopped = body(&ask, &answer).is_some_and(|body| body.action == Action::Cancel);
    let turn = end.filter(|_| !stopped).map(|end| {
        let took = i64::try_from(began.elapsed().as_millis()).unwrap_or(i64::MAX);
        Turn { session: ask.session.clone(), took: Span::millis(took), end }
    });
    tell(Progress::Over(turn));
}

async fn post(api: &Api, ask: &Ask, answer: &Answer) -> Result<Frames, Progress> {
    // Core checks answers against their ask.
    let body = body(ask, answer).ok_or(Progress::Failed(Failure::NotFound))?;
    let mut response = send(api, ask, &body).await?;
    if is_lock(response.status()) && api.renew().await {
        response = send(api, ask, &body).await?;
    }
    if !response.status().is_success() {
        return Err(refusal(response).await);
    }
    // Whatever is no stream of events shows nothing of what became of it.
    Frames::of(response, None).map_err(|_| Progress::Failed(UNPROVEN))
}

async fn send(api: &Api, ask: &Ask, body: &Body) -> Result<Response, Progress> {
    let request = api.resume(&ask.session.id).await.json(body).send();
    match tokio::time::timeout(HEADERS_WITHIN, request).await {
        Ok(Ok(response)) => Ok(response),
        Ok(Err(error)) if error.is_connect() => {
            Err(Progress::NotArrived(Fault::Other(crate::sources::http::reason(&error))))
        }
        Ok(Err(_)) | Err(_) => Err(Progress::Failed(UNPROVEN)),
    }
}

fn is_lock(status: StatusCode) -> bool {
    matches!(status, StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN)
}

async fn refusal(response: Response) -> Progress {
    Progress::Failed(match response.status() {
        StatusCode::UNAUTHORIZED => Failure::Returned(Returned::Unauthorized),
        StatusCode::FORBIDDEN => Failure::Returned(Returned::Forbidden),
        StatusCode::NOT_FOUND | StatusCode::CONFLICT | StatusCode::GONE => Failure::NotFound,
        // Said by whoever has not even looked at it.
        status @ (StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE) => {
            return Progress::NotArrived(Fault::Status(status.as_u16()));
        }
        status => {
            let text = crate::sources::http::refusal_text(response).await;
            let detail: String = wire::detail(&text).chars().take(DETAIL).collect();
            let said = if detail.is_empty() { detail } else { format!(": {detail}") };
            Failure::Returned(Returned::Refused(format!("{status}{said}")))
        }
    })
}

/// Reads the reply; how the turn ended, if the thread went on and was not interrupted again.
async fn read(mut frames: Frames, tell: &impl Fn(Progress)) -> Option<TurnEnd> {
    let mut reply = Shown::default();
    loop {
        let frame = match frames.next(|_| true).await {
            Ok(Some(frame)) => wire::read(&frame),
            Ok(None) => continue,
            Err(broken) => {
                reply.on_break(&broken).into_iter().for_each(tell);
                return None;
            }
        };
        let over = matches!(frame, Frame::End);
        reply.on_frame(frame).into_iter().for_each(tell);
        if over {
            return reply.end();
        }
    }
}

/// What a reply has shown so far.
#[derive(Default)]
struct Shown {
    /// The thread went on, so the answer was taken.
    proven: bool,
    /// The service did not take it.
    refused: bool,
    interrupted: bool,
    error: Option<String>,
}

impl Shown {
    fn on_frame(&mut self, frame: Frame) -> Vec<Progress> {
        match frame {
            Frame::WentOn | Frame::End => self.prove().into_iter().collect(),
            Frame::Interrupt(interrupt) => {
                self.interrupted = true;
                self.prove().into_iter().chain([Progress::Interrupted(*interrupt)]).collect()
            }
            Frame::Error(error) if self.proven => {
                self.error = Some(error);
                Vec::new()
            }
            Frame::Error(_) if self.refused => Vec::new(),
            Frame::Error(error) => {
                self.refused = true;
                vec![Progress::Failed(Failure::Returned(Returned::Refused(error)))]
            }
            Frame::Nothing => Vec::new(),
        }
    }

    fn prove(&mut self) -> Option<Progress> {
        let first = !self.proven && !self.refused;
        self.proven |= first;
        first.then_some(Progress::WentOn)
    }

    fn on_break(&self, broken: &Broken) -> Option<Progress> {
        tracing::debug!(?broken, proven = self.proven, "a reply broke off");
        let open = !self.proven && !self.refused;
        open.then_some(Progress::Failed(Failure::Returned(Returned::Unproven)))
    }

    fn end(self) -> Option<TurnEnd> {
        let went_on = self.proven && !self.interrupted;
        went_on.then(|| self.error.map_or(TurnEnd::Done, TurnEnd::Failed))
    }
}

/// Which action was chosen, where the interrupt has no questions that take answers.
fn ordinary(ask: &Ask, replies: &[Reply]) -> Option<wire::Act> {
    let [question] = ask.questions() else { return None };
    let is_ordinary = ask.session.api.as_deref() == Some(ORDINARY);
    let [reply] = replies else { return None };
    let chosen = reply.choices.first().and_then(|&index| question.choices.get(index));
    chosen.filter(|_| is_ordinary).and_then(wire::action)
}

/// One answer per question, none of them empty: core has checked that.
fn body(ask: &Ask, answer: &Answer) -> Option<Body> {
    let (action, answers) = match answer {
        Answer::Continue => (Action::Continue, None),
        Answer::Cancel | Answer::Dismiss => (Action::Cancel, None),
        Answer::Replies(replies) => match ordinary(ask, replies) {
            Some(wire::Act::GoOn) => (Action::Continue, None),
            Some(wire::Act::Stop) => (Action::Cancel, None),
            None => (Action::Answer, Some(ask.delivered(replies).into_iter().flatten().collect())),
        },
        Answer::Grant(_) => return None,
    };
    Some(Body { action, answers })
}

#[cfg(test)]
mod tests;
