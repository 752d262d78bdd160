//! The HTTP response for one step of a script, streamed or whole. Which step to play is decided in
//! `model.rs`.

use std::time::Duration;

use axum::Json;
use axum::body::{Body, Bytes};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use futures_util::StreamExt;
use serde_json::{Value, json};

use super::{MODEL, Step, ToolCall};

/// The length of each piece of arguments; real models send arguments in pieces, too.
const PIECE: usize = 40;

pub(super) fn answer(step: Step, number: usize, streamed: bool) -> Response {
    match step {
        Step::Fail(status) => failure(status),
        step if streamed => stream(&step, number),
        step => Json(whole(&step, number)).into_response(),
    }
}

fn failure(status: u16) -> Response {
    let error =
        json!({ "error": { "message": "scripted failure", "type": "invalid_request_error" } });
    (StatusCode::from_u16(status).unwrap(), Json(error)).into_response()
}

fn stream(step: &Step, number: usize) -> Response {
    let gap = gap(step);
    let mut frames: Vec<String> = deltas(step, number)
        .into_iter()
        .map(|delta| frame(&chunk(delta, number)))
        .collect();
    frames.push(frame(&last_chunk(step, number)));
    frames.push("data: [DONE]\n\n".to_owned());
    let frames = futures_util::stream::iter(frames).then(move |frame| async move {
        if !gap.is_zero() {
            tokio::time::sleep(gap).await;
        }
        Ok::<_, std::io::Error>(Bytes::from(frame))
    });
    (
        [(header::CONTENT_TYPE, "text/event-stream")],
        Body::from_stream(frames),
    )
        .into_response()
}

fn gap(step: &Step) -> Duration {
    match step {
        Step::Chunks { gap_ms, .. } => Duration::from_millis(*gap_ms),
        _ => Duration::ZERO,
    }
}

fn deltas(step: &Step, number: usize) -> Vec<Value> {
    let mut deltas = vec![json!({ "role": "assistant", "content": "" })];
    match step {
        Step::Text(text) => deltas.push(json!({ "content": text })),
        Step::Chunks { count, text, .. } => {
            deltas.extend((0..*count).map(|_| json!({ "content": text })));
        }
        Step::Tools(calls) => {
            for (index, call) in calls.iter().enumerate() {
                deltas.extend(call_deltas(call, number, index));
            }
        }
        Step::Fail(_) => {}
    }
    deltas
}

fn call_deltas(call: &ToolCall, number: usize, index: usize) -> Vec<Value> {
    let head = json!({ "tool_calls": [{ "index": index, "id": call_id(number, index),
        "type": "function", "function": { "name": call.name, "arguments": "" } }] });
    let arguments: Vec<char> = call.arguments.to_string().chars().collect();
    let pieces = arguments.chunks(PIECE).map(|piece| {
        let piece: String = piece.iter().collect();
        json!({ "tool_calls": [{ "index": index, "function": { "arguments": piece } }] })
    });
    std::iter::once(head).chain(pieces).collect()
}

fn call_id(number: usize, index: usize) -> String {
    format!("call_lab_{number}_{index}")
}

fn chunk(delta: Value, number: usize) -> Value {
    json!({ "id": format!("lab-{number}"), "object": "chat.completion.chunk", "created": 0,
        "model": MODEL, "choices": [{ "index": 0, "delta": delta, "finish_reason": null }] })
}

fn last_chunk(step: &Step, number: usize) -> Value {
    let mut chunk = chunk(json!({}), number);
    chunk["choices"][0]["finish_reason"] = json!(finish(step));
    chunk["usage"] = usage();
    chunk
}

fn finish(step: &Step) -> &'static str {
    if matches!(step, Step::Tools(_)) {
        "tool_calls"
    } else {
        "stop"
    }
}

fn usage() -> Value {
    json!({ "prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15 })
}

fn frame(chunk: &Value) -> String {
    format!("data: {chunk}\n\n")
}

fn whole(step: &Step, number: usize) -> Value {
    json!({ "id": format!("lab-{number}"), "object": "chat.completion", "created": 0,
        "model": MODEL, "usage": usage(), "choices": [{ "index": 0,
            "message": whole_message(step, number), "finish_reason": finish(step) }] })
}

fn whole_message(step: &Step, number: usize) -> Value {
    match step {
        Step::Tools(calls) => {
            let calls: Vec<Value> = calls
                .iter()
                .enumerate()
                .map(|(index, call)| {
                    json!({ "id": call_id(number, index), "type": "function", "function":
                    { "name": call.name, "arguments": call.arguments.to_string() } })
                })
                .collect();
            json!({ "role": "assistant", "content": null, "tool_calls": calls })
        }
        Step::Text(text) => json!({ "role": "assistant", "content": text }),
        Step::Chunks { count, text, .. } => {
            json!({ "role": "assistant", "content": text.repeat(*count) })
        }
        Step::Fail(_) => json!({ "role": "assistant", "content": "" }),
    }
}
