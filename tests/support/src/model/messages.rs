//! The Anthropic Messages API of the scripted model, for Claude Code. The script itself is in
//! `model.rs`.

use super::{Record, Step, ToolCall, next_step, text_of};
use axum::Json;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};
use std::sync::Arc;
use std::sync::atomic::Ordering;

pub(super) async fn count(Json(_): Json<Value>) -> Json<Value> {
    Json(json!({ "input_tokens": 100 }))
}

pub(super) async fn complete(
    State(record): State<Arc<Record>>,
    Json(request): Json<Value>,
) -> Response {
    let number = record.requests.fetch_add(1, Ordering::SeqCst) + 1;
    let messages = request["messages"].as_array().cloned().unwrap_or_default();
    note_results(&record, &messages);
    let step = match request["tools"].as_array() {
        Some(tools) if !tools.is_empty() => next_step(&messages),
        _ => Step::Text("A scripted session".to_owned()),
    };
    if let Step::Fail(status) = step {
        let error = json!({ "type": "invalid_request_error", "message": "scripted failure" });
        let body = Json(json!({ "type": "error", "error": error }));
        return (StatusCode::from_u16(status).unwrap(), body).into_response();
    }
    let blocks = blocks(&step, number);
    match request["stream"].as_bool() {
        Some(true) => stream(&blocks, number),
        _ => Json(message(&blocks, number, stop_reason(&blocks))).into_response(),
    }
}

/// Notes the results of tools, which stand in the user's messages in this API.
fn note_results(record: &Record, messages: &[Value]) {
    let mut seen = record.tool_results.lock().unwrap();
    let blocks = messages
        .iter()
        .filter_map(|message| message["content"].as_array())
        .flatten();
    for block in blocks.filter(|block| block["type"] == "tool_result") {
        let id = block["tool_use_id"].as_str().unwrap_or_default().to_owned();
        let entry = (id, text_of(&block["content"]));
        if !seen.contains(&entry) {
            seen.push(entry);
        }
    }
}

fn blocks(step: &Step, number: usize) -> Vec<Value> {
    let text = |text: &str| vec![json!({ "type": "text", "text": text })];
    match step {
        Step::Text(said) => text(said),
        Step::Chunks {
            count, text: said, ..
        } => text(&said.repeat(*count)),
        Step::Tools(calls) => calls
            .iter()
            .enumerate()
            .map(|it| tool_use(it, number))
            .collect(),
        Step::Fail(_) => Vec::new(),
    }
}

fn tool_use((index, call): (usize, &ToolCall), number: usize) -> Value {
    let ToolCall { name, arguments } = call;
    json!({ "type": "tool_use", "id": format!("toolu_{number}_{index}"), "name": name,
            "input": arguments })
}

fn stop_reason(blocks: &[Value]) -> &'static str {
    let calls = blocks.iter().any(|block| block["type"] == "tool_use");
    if calls { "tool_use" } else { "end_turn" }
}

fn message(blocks: &[Value], number: usize, stop_reason: &str) -> Value {
    json!({ "id": format!("msg_{number}"), "type": "message", "role": "assistant", "model": "lab",
            "content": blocks, "stop_reason": stop_reason, "stop_sequence": null,
            "usage": { "input_tokens": 10, "output_tokens": 10 } })
}

fn stream(blocks: &[Value], number: usize) -> Response {
    let mut events = vec![json!({ "type": "message_start", "message": message(&[], number, "") })];
    events[0]["message"]["stop_reason"] = Value::Null;
    events.extend(
        blocks
            .iter()
            .enumerate()
            .flat_map(|(index, block)| streamed(index, block)),
    );
    let delta = json!({ "stop_reason": stop_reason(blocks), "stop_sequence": null });
    let usage = json!({ "output_tokens": 10 });
    events.push(json!({ "type": "message_delta", "delta": delta, "usage": usage }));
    events.push(json!({ "type": "message_stop" }));
    let frame = |event: &Value| {
        format!(
            "event: {}\ndata: {event}\n\n",
            event["type"].as_str().unwrap_or_default()
        )
    };
    let body: String = events.iter().map(frame).collect();
    ([(header::CONTENT_TYPE, "text/event-stream")], body).into_response()
}

/// Returns the three events of a block: it begins empty, is filled by a delta, and ends.
fn streamed(index: usize, block: &Value) -> [Value; 3] {
    let mut empty = block.clone();
    let delta = if block["type"] == "tool_use" {
        empty["input"] = json!({});
        json!({ "type": "input_json_delta", "partial_json": block["input"].to_string() })
    } else {
        empty["text"] = json!("");
        json!({ "type": "text_delta", "text": block["text"] })
    };
    [
        json!({ "type": "content_block_start", "index": index, "content_block": empty }),
        json!({ "type": "content_block_delta", "index": index, "delta": delta }),
        json!({ "type": "content_block_stop", "index": index }),
    ]
}
