//! Invariants of everything that comes from an agent's side, whichever source reads it.

#![allow(clippy::expect_used, reason = "a panic is how a door objects")]

use super::http::sse::SseFrames;
use super::{interrupts, langgraph, opencode};
use axum::http;
use beckon_client::text::Texts;
use beckon_core::visible::is_unprintable;
use beckon_core::{Answer, Ask, AskContent, Reply, SourceId};
use futures_util::stream;
use serde_json::value::RawValue;
use sse_stream::Sse;
use std::convert::Infallible;
use std::sync::{Arc, LazyLock};

/// The English texts.
pub(in crate::sources) static TEXTS: LazyLock<Arc<Texts>> =
    LazyLock::new(|| Arc::new(Texts::load("en")));

pub(crate) fn frames(data: &[u8]) {
    opencode::fuzzing::capped(data);
    for frame in whole(data) {
        opencode::fuzzing::frame(&frame);
    }
}

pub(crate) fn interrupts(data: &[u8]) {
    for frame in whole(data) {
        interrupts::fuzzing::frame(&frame);
    }
}

pub(crate) fn lists(data: &[u8]) {
    let body = data.to_vec();
    let items = super::http::understood::<Vec<Box<RawValue>>>(body.clone())
        .or_else(|_| super::http::understood::<Box<RawValue>>(body).map(|item| vec![item]));
    let Ok(items) = items else { return };
    opencode::fuzzing::items(&items);
    langgraph::fuzzing::items(&items);
}

pub(in crate::sources) fn source() -> SourceId {
    SourceId("local".into())
}

/// Reads the frames of a stream, and checks that they are the same wherever the stream is cut into
/// pieces. The length of a piece depends on the input, so each place is cut sooner or later.
fn whole(data: &[u8]) -> Vec<Sse> {
    let (whole, piece) = (read(data, data.len().max(1)), 1 + data.len() % 7);
    assert_eq!(read(data, piece), whole, "in pieces of {piece}");
    whole.0
}

/// Reads the frames of a response, and how it ended.
fn read(data: &[u8], piece: usize) -> (Vec<Sse>, String) {
    let pieces: Vec<_> = data
        .chunks(piece)
        .map(|piece| Ok::<_, Infallible>(piece.to_vec()))
        .collect();
    let response = http::Response::builder()
        .header(http::header::CONTENT_TYPE, "text/event-stream")
        .body(reqwest::Body::wrap_stream(stream::iter(pieces)))
        .expect("a response");
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .build();
    runtime.expect("a runtime").block_on(async move {
        let mut stream = SseFrames::of(response.into(), None).expect("a stream");
        let mut frames = Vec::new();
        loop {
            match stream.next(|_| true).await {
                Ok(frame) => frames.extend(frame),
                Err(end) => return (frames, format!("{end:?}")),
            }
        }
    })
}

/// Checks what holds of every ask, whatever it was made of.
pub(in crate::sources) fn holds(ask: &Ask) {
    // The form in which the store keeps it.
    let kept = serde_json::to_string(ask).expect("an ask can be kept");
    let read: Ask = serde_json::from_str(&kept).expect("what was kept can be read");
    assert_eq!(read, *ask, "after a restart");
    assert_eq!(read.fingerprint(), ask.fingerprint(), "its buttons");
    let cut = ask.clone().cut();
    assert_eq!(cut.clone().cut(), cut);
    if let AskContent::Unknown(unknown) = &ask.kind {
        let hidden = unknown
            .raw
            .chars()
            .find(|c| *c != '\n' && is_unprintable(*c));
        assert_eq!(hidden, None, "{:?}", unknown.raw);
        assert!(!unknown.raw.trim().is_empty(), "nothing of it is shown");
    }
    labels_name_their_choices(ask);
    let answer = first_answer(ask);
    if ask.check(&answer).is_ok() {
        let _ = ask.to_labels(&answer);
        let told = ask.to_source_texts(&answer);
        let _ = told.and_then(|texts| ask.from_source_texts(&texts));
    }
}

/// Checks that each label means the choice that the human made: a client of OpenCode's dialect
/// knows choices by their labels alone.
fn labels_name_their_choices(ask: &Ask) {
    let questions = ask.questions();
    let all: Vec<Vec<String>> = questions
        .iter()
        .map(beckon_core::Question::labels)
        .collect();
    let most = all.iter().map(Vec::len).max().unwrap_or_default().min(50);
    for nth in 0..most {
        let chosen = |labels: &Vec<String>| labels.get(nth).cloned().into_iter().collect();
        let texts: Vec<Vec<String>> = all.iter().map(chosen).collect();
        let answer = ask.replies_from_texts(&texts).expect("labels of ours");
        let Answer::Replies(replies) = answer else {
            panic!("no replies: {answer:?}")
        };
        for (question, reply) in questions.iter().zip(&replies) {
            let Some(meant) = question.choices.get(nth) else {
                continue;
            };
            let read = reply
                .choices
                .first()
                .map(|&index| question.choices[index].delivered());
            assert_eq!(read, Some(meant.delivered()), "{question:?}");
        }
    }
}

/// Returns the answer that a human would press first.
pub(in crate::sources) fn first_answer(ask: &Ask) -> Answer {
    match &ask.kind {
        AskContent::Questions(questions) => {
            let first = |question: &beckon_core::Question| {
                if question.choices.is_empty() {
                    Reply::text("ja")
                } else {
                    Reply::choice(0)
                }
            };
            Answer::Replies(questions.iter().map(first).collect())
        }
        AskContent::Permission(_) => Answer::Grant(beckon_core::Grant::Once),
        AskContent::Confirm(_) => Answer::Continue,
        AskContent::Unknown(_) => Answer::Dismiss,
    }
}
