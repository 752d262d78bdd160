//! The streams: OpenCode's `/global/event`, and `/watch` with every receipt.

mod frames;

pub(super) use frames::DialectFrame;

use super::{ApiState, reads};
use crate::app::inbox::Mailbox;
use crate::app::snapshot::Bulletin;
use axum::extract::State;
use axum::response::sse::{Event, Sse};
use beckon_core::{Answer, AskContent, AskView, Entry, News, Outcome};
use frames::{DecidedRequest, DialectEvent, RepliedRequest, RequestIds};
use futures_util::{Stream, StreamExt, stream};
use serde::Serialize;
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::RecvError;
use tokio::time::{Interval, interval};

/// How long until the next heartbeat, as in OpenCode 1.18.
const HEARTBEAT: Duration = Duration::from_secs(10);

type FrameStream = Sse<std::pin::Pin<Box<dyn Stream<Item = Result<Event, Infallible>> + Send>>>;

/// Handles `GET /global/event`.
pub(super) async fn opencode(State(room): State<ApiState>) -> FrameStream {
    let first = stream::iter([Ok(event(&of_server(DialectEvent::Connected {})))]);
    let instance = room.instance.clone();
    let rest = follow(&room.mailbox).filter_map(move |tick| {
        let frame = match tick {
            StreamTick::Heartbeat => Some(of_server(DialectEvent::Heartbeat {})),
            StreamTick::News(bulletin) => dialect(&bulletin, &instance),
        };
        std::future::ready(frame.map(|frame| Ok(event(&frame))))
    });
    Sse::new(Box::pin(first.chain(rest)))
}

/// Handles `GET /watch`.
pub(super) async fn watch(State(room): State<ApiState>) -> FrameStream {
    let lines = follow(&room.mailbox).filter_map(|tick| async move {
        match tick {
            StreamTick::Heartbeat => Some(Ok(Event::default().comment("heartbeat"))),
            StreamTick::News(bulletin) => Some(Ok(event(&super::status::watched(&bulletin)))),
        }
    });
    Sse::new(Box::pin(lines))
}

enum StreamTick {
    Heartbeat,
    News(Arc<Bulletin>),
}

/// Returns news and heartbeats until the program ends, or the reader is too slow: then the stream
/// ends, and a reader that connects anew lists anew.
fn follow(mailbox: &Mailbox) -> impl Stream<Item = StreamTick> + Send + use<> {
    let mut beats = interval(HEARTBEAT);
    beats.reset();
    stream::unfold((mailbox.watch(), beats), |(news, beats)| next(news, beats))
}

async fn next(
    mut news: Receiver<Arc<Bulletin>>,
    mut beats: Interval,
) -> Option<(StreamTick, (Receiver<Arc<Bulletin>>, Interval))> {
    let tick = tokio::select! {
        bulletin = news.recv() => match bulletin {
            Ok(bulletin) => StreamTick::News(bulletin),
            Err(RecvError::Lagged(_) | RecvError::Closed) => return None,
        },
        _ = beats.tick() => StreamTick::Heartbeat,
    };
    Some((tick, (news, beats)))
}

fn event(frame: &impl Serialize) -> Event {
    Event::default().json_data(frame).unwrap_or_default()
}

/// Makes the frame of an event that belongs to no session.
fn of_server(payload: DialectEvent) -> DialectFrame {
    DialectFrame {
        directory: None,
        payload,
    }
}

/// Returns the news as an event of OpenCode's.
fn dialect(bulletin: &Bulletin, instance: &str) -> Option<DialectFrame> {
    let (entry, name) = (bulletin.entry.clone()?, bulletin.name.clone()?);
    let ask = AskView { name, entry };
    let payload = match &bulletin.news {
        News::Asked(_) | News::Reopened(_) | News::Changed(_) | News::CallTold(_) => {
            asked(&ask, instance)?
        }
        News::Settled(_, outcome) => settled(&ask, outcome),
        _ => return None,
    };
    Some(DialectFrame {
        directory: Some(ask.entry.ask.session.directory),
        payload,
    })
}

fn asked(ask: &AskView, instance: &str) -> Option<DialectEvent> {
    Some(match &ask.entry.ask.kind {
        // An ask of unknown form is told of as a question that takes no answer.
        AskContent::Questions(_) | AskContent::Unknown(_) => {
            DialectEvent::QuestionAsked(reads::question_request(ask, instance)?)
        }
        AskContent::Permission(_) => {
            DialectEvent::PermissionAsked(reads::permission_request(ask, instance)?)
        }
        AskContent::Confirm(_) => DialectEvent::OtherAsked(reads::other_request(ask, instance)?),
    })
}

fn settled(ask: &AskView, outcome: &Outcome) -> DialectEvent {
    let entry = &ask.entry;
    let ids = RequestIds {
        session: entry.ask.session.id.clone(),
        request: ask.name.clone(),
    };
    match (&entry.ask.kind, told(entry, outcome)) {
        (AskContent::Permission(_), told) => {
            let word = told.and_then(|told| told.into_iter().flatten().next());
            let reply = word.unwrap_or_else(|| "reject".into());
            DialectEvent::PermissionReplied(DecidedRequest { ids, reply })
        }
        (AskContent::Questions(_) | AskContent::Unknown(_), Some(answers)) => {
            DialectEvent::QuestionReplied(RepliedRequest { ids, answers })
        }
        (AskContent::Questions(_) | AskContent::Unknown(_), None) => {
            DialectEvent::QuestionRejected(ids)
        }
        (AskContent::Confirm(_), Some(answers)) => {
            DialectEvent::OtherReplied(RepliedRequest { ids, answers })
        }
        (AskContent::Confirm(_), None) => DialectEvent::OtherRejected(ids),
    }
}

/// Returns the answer as clients of the dialect know it: with labels, and no values.
fn told(entry: &Entry, outcome: &Outcome) -> Option<Vec<Vec<String>>> {
    match outcome {
        Outcome::Answered {
            answer: Answer::Dismiss,
            ..
        }
        | Outcome::DismissedElsewhere
        | Outcome::Expired
        | Outcome::Gone => None,
        Outcome::Answered { answer, .. } => entry.ask.to_labels(answer),
        Outcome::Elsewhere { answers } => match entry.ask.final_answer(outcome) {
            Some(answer) => entry.ask.to_labels(&answer),
            None => answers.clone(),
        },
    }
}
