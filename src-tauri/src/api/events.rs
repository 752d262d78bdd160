//! The streams: OpenCode's `/global/event`, and `/watch` with every receipt.

use super::{ApiState, reads};
use crate::app::inbox::Mailbox;
use crate::app::snapshot::Bulletin;
use axum::extract::State;
use axum::response::sse::{Event, Sse};
use beckon_core::{Answer, AskContent, AskView, Entry, News, Outcome};
use futures_util::{Stream, StreamExt, stream};
use serde_json::{Value, json};
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::RecvError;
use tokio::time::{Interval, interval};

/// As OpenCode 1.18 does.
const HEARTBEAT: Duration = Duration::from_secs(10);

type FrameStream = Sse<std::pin::Pin<Box<dyn Stream<Item = Result<Event, Infallible>> + Send>>>;

/// `GET /global/event`
pub(super) async fn opencode(State(room): State<ApiState>) -> FrameStream {
    let hello = json!({ "payload": { "type": "server.connected", "properties": {} } });
    let first = stream::iter([Ok(event(&hello))]);
    let instance = room.instance.clone();
    let rest = follow(&room.mailbox).filter_map(move |tick| {
        let frame = match tick {
            StreamTick::Heartbeat => {
                Some(json!({ "payload": { "type": "server.heartbeat", "properties": {} } }))
            }
            StreamTick::News(bulletin) => dialect(&bulletin, &instance),
        };
        std::future::ready(frame.map(|frame| Ok(event(&frame))))
    });
    Sse::new(Box::pin(first.chain(rest)))
}

/// `GET /watch`
pub(super) async fn watch(State(room): State<ApiState>) -> FrameStream {
    let lines = follow(&room.mailbox).filter_map(|tick| async move {
        match tick {
            StreamTick::Heartbeat => Some(Ok(Event::default().comment("heartbeat"))),
            StreamTick::News(bulletin) => {
                let line =
                    serde_json::to_value(super::status::watched(&bulletin)).unwrap_or_default();
                Some(Ok(event(&line)))
            }
        }
    });
    Sse::new(Box::pin(lines))
}

enum StreamTick {
    Heartbeat,
    News(Arc<Bulletin>),
}

/// News and heartbeats until the program ends, or the reader is too slow: then the stream ends,
/// and a reader that connects anew lists anew.
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

fn event(value: &Value) -> Event {
    Event::default().data(value.to_string())
}

/// What happened, as OpenCode would say it.
fn dialect(bulletin: &Bulletin, instance: &str) -> Option<Value> {
    let (entry, name) = (bulletin.entry.clone()?, bulletin.name.clone()?);
    let ask = AskView { name, entry };
    let (kind, properties) = match &bulletin.news {
        News::Asked(_) | News::Reopened(_) | News::Changed(_) => asked(&ask, instance)?,
        News::Settled(_, outcome) => settled(&ask, outcome),
        _ => return None,
    };
    let directory = &ask.entry.ask.session.directory;
    Some(json!({ "directory": directory, "payload": { "type": kind, "properties": properties } }))
}

fn asked(ask: &AskView, instance: &str) -> Option<(&'static str, Value)> {
    let told = match &ask.entry.ask.kind {
        // One of unknown form is told of as a question that takes no answer.
        AskContent::Questions(_) | AskContent::Unknown(_) => {
            ("question.asked", serde_json::to_value(reads::question_request(ask, instance)?))
        }
        AskContent::Permission(_) => {
            ("permission.asked", serde_json::to_value(reads::permission_request(ask, instance)?))
        }
        AskContent::Confirm(_) => {
            ("ask.asked", serde_json::to_value(reads::other_request(ask, instance)?))
        }
    };
    Some((told.0, told.1.ok()?))
}

fn settled(ask: &AskView, outcome: &Outcome) -> (&'static str, Value) {
    let entry = &ask.entry;
    let ids = json!({ "sessionID": entry.ask.session.id, "requestID": ask.name });
    let with = |key: &str, value: Value| {
        let mut ids = ids.clone();
        ids[key] = value;
        ids
    };
    match (&entry.ask.kind, told(entry, outcome)) {
        (AskContent::Permission(_), told) => {
            let word = told.and_then(|told| told.into_iter().flatten().next());
            let word = word.unwrap_or_else(|| "reject".into());
            ("permission.replied", with("reply", Value::String(word)))
        }
        (AskContent::Questions(_) | AskContent::Unknown(_), Some(answers)) => {
            ("question.replied", with("answers", json!(answers)))
        }
        (AskContent::Questions(_) | AskContent::Unknown(_), None) => ("question.rejected", ids),
        (AskContent::Confirm(_), Some(answers)) => ("ask.replied", with("answers", json!(answers))),
        (AskContent::Confirm(_), None) => ("ask.rejected", ids),
    }
}

/// Clients of the dialect know the labels, and no values.
fn told(entry: &Entry, outcome: &Outcome) -> Option<Vec<Vec<String>>> {
    match outcome {
        Outcome::Answered { answer: Answer::Dismiss, .. }
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
