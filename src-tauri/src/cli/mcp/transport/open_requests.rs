//! The requests under way. Each has a number of our own towards the library, which knows whole
//! numbers and texts only, and takes two calls with one id for one; towards its sender it has the
//! id that came.
//!
//! Not here: reading and writing lines.

use super::handshake;
use super::line::{Line, Request, Told, Unreadable, UnreadableCall};
use rmcp::RoleServer;
use rmcp::model::{ErrorCode, ErrorData, JsonRpcMessage, RequestId, ServerNotification};
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use serde::Serialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// The requests under way, and the batches that some of them came in.
#[derive(Debug, Default)]
pub(super) struct OpenRequests {
    /// The number of the next request or batch.
    next: i64,
    open: BTreeMap<i64, OpenRequest>,
    /// The session has begun. What is told before that would end it.
    has_begun: bool,
    batches: BTreeMap<i64, OpenBatch>,
}

/// The consequences of a line.
#[derive(Debug, Default)]
pub(super) struct Taken {
    /// The messages for the library.
    pub(super) messages: Vec<RxJsonRpcMessage<RoleServer>>,
    /// The replies for the client, at once.
    pub(super) replies: Vec<String>,
}

#[derive(Debug)]
struct OpenRequest {
    id: Box<RawValue>,
    progress_token: Option<Box<RawValue>>,
    batch: Option<i64>,
}

/// A batch, which is answered by one list, once all of it is.
#[derive(Debug, Default)]
struct OpenBatch {
    waits_for: usize,
    replies: Vec<String>,
}

impl OpenRequests {
    /// Takes what a line says.
    pub(super) fn take(&mut self, line: Line) -> Taken {
        let mut taken = Taken::default();
        match line {
            Line::Batch(lines) => self.take_batch(lines, &mut taken),
            line => self.take_one(line, None, &mut taken),
        }
        taken
    }

    /// Returns the line for a message of the library, if there is one.
    pub(super) fn tell(&mut self, message: TxJsonRpcMessage<RoleServer>) -> Option<String> {
        match message {
            JsonRpcMessage::Response(response) => {
                let result = serde_json::to_value(response.result).ok()?;
                self.end(&response.id, Outcome::Result(result))
            }
            JsonRpcMessage::Error(error) => match error.id {
                Some(id) => self.end(&id, Outcome::Error(error.error)),
                None => Some(reply(None, &Outcome::Error(error.error))),
            },
            JsonRpcMessage::Notification(told) => match told.notification {
                ServerNotification::ProgressNotification(progress) => {
                    let params = serde_json::to_value(progress.params).ok()?;
                    self.progress(params)
                }
                notification => {
                    let message: TxJsonRpcMessage<RoleServer> =
                        JsonRpcMessage::notification(notification);
                    serde_json::to_string(&message).ok()
                }
            },
            request @ JsonRpcMessage::Request(_) => serde_json::to_string(&request).ok(),
        }
    }

    fn take_batch(&mut self, lines: Vec<Line>, taken: &mut Taken) {
        let batch = self.number();
        self.batches.insert(batch, OpenBatch::default());
        for line in lines {
            self.take_one(line, Some(batch), taken);
        }
        taken.replies.extend(self.ended_batch(batch));
    }

    fn take_one(&mut self, line: Line, batch: Option<i64>, taken: &mut Taken) {
        match line {
            Line::Request(request) => self.take_request(*request, batch, taken),
            Line::Told(told) => self.take_told(told, taken),
            Line::Unreadable(call) => self.refuse(&call, batch, taken),
            // A batch within a batch is read as no message.
            Line::Batch(_) | Line::Nothing => {}
        }
    }

    fn take_request(&mut self, request: Request, batch: Option<i64>, taken: &mut Taken) {
        let number = self.number();
        let Request {
            mut message,
            id,
            progress_token,
        } = request;
        let begins_session = handshake::begins_session(&message);
        message["id"] = json!(number);
        let meta = message.pointer_mut("/params/_meta");
        if let Some(meta) = meta.and_then(Value::as_object_mut) {
            // A value that is no token can't be sent back.
            meta.remove("progressToken");
            if progress_token.is_some() {
                meta.insert("progressToken".to_owned(), json!(number));
            }
        }

        let Ok(message) = serde_json::from_value(message) else {
            let call = UnreadableCall {
                id: Some(id),
                reason: Unreadable::NoMessage,
            };
            self.refuse(&call, batch, taken);
            return;
        };
        taken.messages.push(message);
        self.has_begun |= begins_session;

        if let Some(batch) = batch.and_then(|batch| self.batches.get_mut(&batch)) {
            batch.waits_for += 1;
        }
        let open = OpenRequest {
            id,
            progress_token,
            batch,
        };
        self.open.insert(number, open);
    }

    fn take_told(&mut self, told: Told, taken: &mut Taken) {
        let Told {
            mut message,
            given_up,
        } = told;
        if message["method"] == "notifications/cancelled" {
            let number = given_up.and_then(|id| self.give_up(&id, taken));
            let Some(number) = number else {
                return;
            };
            message["params"]["requestId"] = json!(number);
        } else if !self.has_begun {
            tracing::debug!("something was told before the session began");
            return;
        }
        taken.messages.extend(serde_json::from_value(message).ok());
    }

    /// Gives up the newest request of that id, which then gets no answer any more. Returns its
    /// number.
    fn give_up(&mut self, id: &RawValue, taken: &mut Taken) -> Option<i64> {
        let newest = |is_meant: &dyn Fn(&RawValue) -> bool| {
            let mut open = self.open.iter().rev();
            let found = open.find(|(_, open)| is_meant(&open.id));
            found.map(|(number, _)| *number)
        };
        let exactly = newest(&|own| is_same(own, id));
        let number = exactly.or_else(|| newest(&|own| is_alike(own, id)))?;

        let given_up = self.open.remove(&number)?;
        if let Some(batch) = given_up.batch {
            self.one_less(batch);
            taken.replies.extend(self.ended_batch(batch));
        }
        Some(number)
    }

    fn refuse(&mut self, call: &UnreadableCall, batch: Option<i64>, taken: &mut Taken) {
        tracing::warn!(reason = ?call.reason, "a message of the client can't be read, and is answered so");
        let reply = reply(call.id.as_deref(), &Outcome::Error(call.reason.error()));
        match batch.and_then(|batch| self.batches.get_mut(&batch)) {
            Some(batch) => batch.replies.push(reply),
            None => taken.replies.push(reply),
        }
    }

    fn end(&mut self, number: &RequestId, outcome: Outcome) -> Option<String> {
        let RequestId::Number(number) = number else {
            return None;
        };
        let open = self.open.remove(number)?;
        let reply = reply(Some(&open.id), &outcome);
        let Some(batch) = open.batch else {
            return Some(reply);
        };

        self.one_less(batch);
        self.batches.get_mut(&batch)?.replies.push(reply);
        self.ended_batch(batch)
    }

    fn one_less(&mut self, batch: i64) {
        if let Some(batch) = self.batches.get_mut(&batch) {
            batch.waits_for = batch.waits_for.saturating_sub(1);
        }
    }

    /// Returns the list of all answers, once all are there. Nobody waits for a batch without any.
    fn ended_batch(&mut self, number: i64) -> Option<String> {
        let is_ended = self.batches.get(&number)?.waits_for == 0;
        let batch = is_ended.then(|| self.batches.remove(&number))??;
        let is_waited_for = !batch.replies.is_empty();
        is_waited_for.then(|| format!("[{}]", batch.replies.join(",")))
    }

    /// Returns the line that tells that a request goes on, with the token that came with it.
    fn progress(&self, params: Value) -> Option<String> {
        let number = params["progressToken"].as_i64()?;
        let token = self.open.get(&number)?.progress_token.as_deref()?;
        let Value::Object(mut rest) = params else {
            return None;
        };
        rest.remove("progressToken");

        let told = Progress {
            jsonrpc: "2.0",
            method: "notifications/progress",
            params: ProgressParams { token, rest },
        };
        serde_json::to_string(&told).ok()
    }

    fn number(&mut self) -> i64 {
        self.next += 1;
        self.next
    }
}

impl Unreadable {
    fn error(self) -> ErrorData {
        match self {
            Self::Broken => ErrorData::new(
                ErrorCode::PARSE_ERROR,
                "This call can't be read: it is no whole JSON message.",
                None,
            ),
            Self::TooLong => ErrorData::new(
                ErrorCode::INVALID_REQUEST,
                "This call is too long: a line may have 16 MiB, a batch 1,000 messages.",
                None,
            ),
            Self::NoTool => ErrorData::new(
                ErrorCode::INVALID_PARAMS,
                "This call names no tool: \"params\" is an object with its \"name\".",
                None,
            ),
            Self::NoMessage => ErrorData::new(
                ErrorCode::INVALID_REQUEST,
                "This is no call: an object with \"jsonrpc\", \"method\" and an \"id\" is.",
                None,
            ),
        }
    }
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "lowercase")]
enum Outcome {
    Result(Value),
    Error(ErrorData),
}

#[derive(Serialize)]
struct Reply<'a> {
    jsonrpc: &'static str,
    /// The id; `null` if it is not known.
    id: Option<&'a RawValue>,
    #[serde(flatten)]
    outcome: &'a Outcome,
}

#[derive(Serialize)]
struct Progress<'a> {
    jsonrpc: &'static str,
    method: &'static str,
    params: ProgressParams<'a>,
}

#[derive(Serialize)]
struct ProgressParams<'a> {
    #[serde(rename = "progressToken")]
    token: &'a RawValue,
    #[serde(flatten)]
    rest: Map<String, Value>,
}

/// Whether both are one id. A text may be written in several ways.
fn is_same(one: &RawValue, other: &RawValue) -> bool {
    let text = |id: &RawValue| serde_json::from_str::<String>(id.get()).ok();
    one.get() == other.get() || text(one).is_some_and(|one| text(other) == Some(one))
}

/// Whether both are one id but for quotation marks: some clients write a number without them where
/// they ask, and within them where they give up
/// (<https://github.com/langchain4j/langchain4j/issues/3689>).
fn is_alike(one: &RawValue, other: &RawValue) -> bool {
    let plain = |id: &RawValue| {
        let text = serde_json::from_str::<String>(id.get());
        text.unwrap_or_else(|_| id.get().to_owned())
    };
    plain(one) == plain(other)
}

fn reply(id: Option<&RawValue>, outcome: &Outcome) -> String {
    let reply = Reply {
        jsonrpc: "2.0",
        id,
        outcome,
    };
    // Only maps with keys that are no texts can't be written.
    serde_json::to_string(&reply).unwrap_or_default()
}
