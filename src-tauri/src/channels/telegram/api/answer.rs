//! The answers of the Bot API, read from bytes that somebody else wrote: an oddity in one update
//! does not spoil the others, and never stops the bot from being heard again.
//!
//! Not here: the connection (`api`), and what an update says (`updates/parsing`).

use super::CallError;
use beckon_client::json::{self, fields};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::time::Duration;

/// The longest wait, however long a server asks to wait: it is asked again after this, and tells
/// anew if it was right.
const LONGEST_WAIT: Duration = Duration::from_secs(15 * 60);
/// The wait after a 429 that names none.
const USUAL_WAIT: Duration = Duration::from_secs(5);

/// An answer as it came over HTTP.
pub(super) struct HttpAnswer {
    /// The status of HTTP.
    pub(super) status: u16,
    /// The wait that its header asks for.
    pub(super) retry_after: Option<Duration>,
    /// Whether there was more than is read of an answer.
    pub(super) is_capped: bool,
    /// The bytes.
    pub(super) body: Vec<u8>,
}

/// The frame of every answer: <https://core.telegram.org/bots/api#making-requests>
#[derive(serde::Deserialize)]
struct ResponseEnvelope<T> {
    ok: bool,
    result: Option<T>,
    error_code: Option<u16>,
    description: Option<String>,
    parameters: Option<Value>,
}

/// Reads the result, or why there is none.
pub(super) fn read_answer<T: DeserializeOwned>(answer: &HttpAnswer) -> Result<T, CallError> {
    let strict = serde_json::from_slice::<ResponseEnvelope<T>>(&answer.body);
    let envelope = match strict {
        Ok(envelope) => envelope,
        Err(_) => read_odd(answer).ok_or_else(|| no_answer(answer))?,
    };

    match envelope {
        ResponseEnvelope {
            ok: true,
            result: Some(result),
            ..
        } => Ok(result),
        ResponseEnvelope { ok: true, .. } => Err(CallError::Odd),
        refusal => Err(refusal.trouble(answer)),
    }
}

/// Returns the updates of an answer of `getUpdates`.
#[cfg(any(test, fuzzing))]
pub(in crate::channels::telegram) fn updates(answer: &[u8]) -> Option<Vec<Value>> {
    let answer = HttpAnswer {
        status: 200,
        retry_after: None,
        is_capped: false,
        body: answer.to_vec(),
    };
    read_answer(&answer).ok()
}

/// Reads an answer that is no plain JSON, or of which a field is of another type. Returns `None` where
/// there is no object that was read to its end; an answer that we cut off ourselves has none.
fn read_odd<T: DeserializeOwned>(answer: &HttpAnswer) -> Option<ResponseEnvelope<T>> {
    let mut read = json::read(&answer.body).filter(|read| read.value.is_object())?;
    if read.flaws.reshaped {
        return None;
    }
    if read.flaws.cut {
        if !answer.is_capped {
            return None;
        }
        leave_out_last(&mut read.value);
    }

    let code = fields::text(&read.value, "error_code").and_then(|code| code.parse().ok());
    Some(ResponseEnvelope {
        ok: fields::flag(&read.value, "ok")?,
        error_code: code,
        description: fields::text(&read.value, "description"),
        parameters: read.value.get("parameters").cloned(),
        result: serde_json::from_value(read.value["result"].take()).ok(),
    })
}

/// Leaves the last item of a list out, which was cut: it comes again after the others. An item that
/// is too large by itself keeps its number alone, so that what follows it is read some time.
fn leave_out_last(envelope: &mut Value) {
    let Some(items) = envelope.get_mut("result").and_then(Value::as_array_mut) else {
        return;
    };

    let last = items.pop();
    if let (true, Some(number)) = (
        items.is_empty(),
        last.as_ref().and_then(|it| it.get("update_id")),
    ) {
        items.push(json!({ "update_id": number }));
    }
}

/// Returns the error of an answer that is no JSON. It comes from something in between, whatever its
/// status, and says nothing about what was asked. Two statuses count all the same: a call that is
/// too large will be so again, and the time to wait is meant for us.
fn no_answer(answer: &HttpAnswer) -> CallError {
    match (answer.status, answer.retry_after) {
        (413, _) => CallError::TooLarge,
        (429, Some(wait)) => CallError::TooFast(wait.min(LONGEST_WAIT)),
        (status, _) => CallError::Server(status),
    }
}

impl<T> ResponseEnvelope<T> {
    fn trouble(self, answer: &HttpAnswer) -> CallError {
        let parameters = self.parameters.unwrap_or_default();
        if let Some(seconds) = number(&parameters, "retry_after") {
            let seconds = u64::try_from(seconds).unwrap_or(0);
            return CallError::TooFast(Duration::from_secs(seconds).min(LONGEST_WAIT));
        }
        if let Some(chat) = number(&parameters, "migrate_to_chat_id") {
            return CallError::Moved(chat);
        }

        let said = self.description.unwrap_or_default();
        match self.error_code.unwrap_or(answer.status) {
            404 if said.contains("method") => CallError::Other(said),
            401 | 404 => CallError::Unauthorized,
            403 if is_of_rights(&said) => CallError::NoRight(said),
            403 => CallError::Blocked,
            409 if said.to_lowercase().contains("webhook") => CallError::Webhook,
            409 => CallError::OtherPoller,
            429 => CallError::TooFast(answer.retry_after.unwrap_or(USUAL_WAIT).min(LONGEST_WAIT)),
            413 => CallError::TooLarge,
            400 => bad_request(said),
            code if code >= 500 => CallError::Server(code),
            _ => CallError::Other(said),
        }
    }
}

/// Returns a whole number, however it is written.
fn number(message: &Value, name: &str) -> Option<i64> {
    let text = fields::text(message, name)?;
    let whole = text.trim().trim_end_matches(".0");
    whole.parse().ok()
}

/// Returns the error of a 400. The API tells its refusals apart by their words only
/// (<https://github.com/tdlib/telegram-bot-api>, `fail_query_with_error`).
fn bad_request(said: String) -> CallError {
    let words = said.to_lowercase();
    let has = |part: &str| words.contains(part);
    match () {
        () if has("message is not modified") => CallError::NotModified,
        () if has("query is too old") => CallError::TooOld,
        () if has("topic_closed") => CallError::TopicClosed,
        () if has("thread not found") || has("topic_") => CallError::TopicGone,
        () if has("chat not found") || has("group chat was deactivated") => CallError::ChatGone,
        () if has("message to edit not found")
            || has("message to delete not found")
            || has("message can't be edited")
            || has("message can't be deleted")
            || has("message to be replied not found")
            || has("reply message not found")
            || has("replied message not found")
            || has("message_id_invalid") =>
        {
            CallError::MessageGone
        }
        () if has("can't parse entities") => CallError::Markup(said),
        () if is_of_rights(&said) => CallError::NoRight(said),
        () => CallError::Other(said),
    }
}

/// Whether a refusal is about rights: "not enough rights to send text messages to the chat",
/// `CHAT_WRITE_FORBIDDEN` and the like. Then it is not about what was to be sent, and rights come
/// back.
fn is_of_rights(said: &str) -> bool {
    let words = said.to_lowercase();
    ["rights", "_forbidden", "chat_restricted"]
        .iter()
        .any(|part| words.contains(part))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(status: u16, body: &[u8]) -> HttpAnswer {
        HttpAnswer {
            status,
            retry_after: None,
            is_capped: false,
            body: body.to_vec(),
        }
    }

    fn trouble(body: &str) -> CallError {
        read_answer::<bool>(&answer(400, body.as_bytes())).unwrap_err()
    }

    const NO_RIGHT: &str = "Bad Request: not enough rights to send text messages to the chat";

    #[test]
    fn a_right_that_is_lacking_is_no_block() {
        let body =
            r#"{"ok":false,"error_code":403,"description":"Forbidden: CHAT_WRITE_FORBIDDEN"}"#;
        assert_eq!(
            trouble(body),
            CallError::NoRight("Forbidden: CHAT_WRITE_FORBIDDEN".into())
        );
        let body = r#"{"ok":false,"error_code":403,"description":"Forbidden: bot was blocked by the user"}"#;
        assert_eq!(trouble(body), CallError::Blocked);
    }

    #[test]
    fn a_refusal_is_told_by_its_words() {
        let cases = [
            (
                "Bad Request: message is not modified: specified new …",
                CallError::NotModified,
            ),
            (
                "Bad Request: message to edit not found",
                CallError::MessageGone,
            ),
            (
                "Bad Request: message thread not found",
                CallError::TopicGone,
            ),
            ("Bad Request: chat not found", CallError::ChatGone),
            (
                "Bad Request: query is too old and response timeout expired",
                CallError::TooOld,
            ),
            (NO_RIGHT, CallError::NoRight(NO_RIGHT.into())),
        ];
        for (said, expected) in cases {
            let body = format!(r#"{{"ok":false,"error_code":400,"description":"{said}"}}"#);
            assert_eq!(trouble(&body), expected, "{said}");
        }
    }

    #[test]
    fn a_wait_and_a_move_come_with_their_figure() {
        let wait = r#"{"ok":false,"error_code":429,"description":"Too Many Requests","parameters":{"retry_after":7}}"#;
        assert_eq!(trouble(wait), CallError::TooFast(Duration::from_secs(7)));
        let for_ever = wait.replace(":7}", ":4294967295}");
        assert_eq!(trouble(&for_ever), CallError::TooFast(LONGEST_WAIT));
        let moved = r#"{"ok":false,"error_code":400,"description":"upgraded","parameters":{"migrate_to_chat_id":-100}}"#;
        assert_eq!(trouble(moved), CallError::Moved(-100));
    }

    #[test]
    fn a_gateway_in_between_is_a_server_out_of_order() {
        for status in [200, 302, 401, 403, 404, 502] {
            assert_eq!(
                read_answer::<bool>(&answer(status, b"<html>Hello</html>")),
                Err(CallError::Server(status))
            );
        }
        assert_eq!(
            read_answer::<bool>(&answer(413, b"<html>Too large</html>")),
            Err(CallError::TooLarge)
        );
    }

    fn numbers(body: &[u8], is_capped: bool) -> Result<Vec<i64>, CallError> {
        let answer = HttpAnswer {
            is_capped,
            ..answer(200, body)
        };
        let updates = read_answer::<Vec<Value>>(&answer)?;
        Ok(updates
            .iter()
            .map(|update| update["update_id"].as_i64().unwrap())
            .collect())
    }

    #[test]
    fn an_oddity_in_one_update_takes_no_other_along() {
        let odd: [&[u8]; 8] = [
            br#""text":"cut \ud83d""#,
            br#""from":{"id":7,"first_name":"\udc00\ud800"}"#,
            b"\"text\":\"caf\xe9\"",
            b"\"text\":\"a\tb\x01\x1b[2J\"",
            br#""text":"C:\Users","n":1e999"#,
            br#""date":NaN"#,
            br#""text":"\u12""#,
            br#""text":"x","#,
        ];
        for field in odd {
            let mut body = b"\xef\xbb\xbf{\"ok\":true,\"result\":[{\"update_id\":1},{\"update_id\":2,\"message\":{".to_vec();
            body.extend_from_slice(field);
            body.extend_from_slice(b"}},{\"update_id\":3}]}");

            let shown = String::from_utf8_lossy(field);
            assert_eq!(numbers(&body, false), Ok(vec![1, 2, 3]), "{shown}");
        }

        let deep = format!("{}{}", "[".repeat(5_000), "]".repeat(5_000));
        let body =
            format!(r#"{{"ok":true,"result":[{{"update_id":1,"x":{deep}}},{{"update_id":2}}]}}"#);
        assert_eq!(numbers(body.as_bytes(), false), Ok(vec![1, 2]));
    }

    #[test]
    fn of_what_is_more_than_is_read_the_whole_updates_count_and_one_too_large_keeps_its_number() {
        let two = br#"{"ok":true,"result":[{"update_id":1,"message":{}},{"update_id":2,"message":{"text":"a"#;
        assert_eq!(numbers(two, true), Ok(vec![1]));

        let one = br#"{"ok":true,"result":[{"update_id":2,"message":{"text":"a"#;
        let capped = HttpAnswer {
            is_capped: true,
            ..answer(200, one)
        };
        let read = read_answer::<Vec<Value>>(&capped);
        assert_eq!(
            read,
            Ok(vec![json!({ "update_id": 2 })]),
            "no half of its words"
        );

        // What somebody else has cut may come whole the next time.
        assert_eq!(numbers(one, false), Err(CallError::Server(200)));
    }

    #[test]
    fn a_wait_is_read_from_wherever_it_stands() {
        let asked = |status, body: &str| {
            let answer = HttpAnswer {
                retry_after: Some(Duration::from_secs(9)),
                ..answer(status, body.as_bytes())
            };
            read_answer::<bool>(&answer).unwrap_err()
        };
        let wait = |seconds| CallError::TooFast(Duration::from_secs(seconds));

        assert_eq!(asked(429, "<html>slow down</html>"), wait(9));
        assert_eq!(asked(429, r#"{"ok":false,"error_code":429}"#), wait(9));
        for said in ["7", "7.0", "\"7\""] {
            let body =
                format!(r#"{{"ok":false,"error_code":429,"parameters":{{"retry_after":{said}}}}}"#);
            assert_eq!(asked(429, &body), wait(7), "{said}");
        }
        let new = r#"{"ok":false,"error_code":400,"description":"Bad Request: chat not found","parameters":{"new":1}}"#;
        assert_eq!(asked(400, new), CallError::ChatGone);
    }
}
