//! The messages of a line, as far as the permissions need them (JSON-RPC 2.0 and
//! <https://agentclientprotocol.com/protocol/schema>). Not here: what follows from them.

use beckon_client::json;
use beckon_client::json::exact;
use serde_json::Value;

/// A message of JSON-RPC, as far as it is read here.
#[derive(Clone, Debug)]
pub(super) struct Message {
    /// The id as it is written, if it is a number or a text.
    pub(super) id: Option<String>,
    /// The method of a request or a notification; `None` for an answer.
    pub(super) method: Option<String>,
    pub(super) value: Value,
    /// Whether some of it may be missing, or is not what its writer meant.
    pub(super) is_unsure: bool,
    /// Whether the line has several messages.
    pub(super) is_in_batch: bool,
}

impl Message {
    fn of(value: Value, is_unsure: bool, is_in_batch: bool) -> Self {
        Self {
            id: id(&value["id"]),
            method: value["method"].as_str().map(str::to_owned),
            value,
            is_unsure,
            is_in_batch,
        }
    }

    pub(super) fn params(&self) -> &Value {
        &self.value["params"]
    }

    pub(super) fn result(&self) -> &Value {
        &self.value["result"]
    }
}

/// Reads the messages of a line; none if it is no JSON.
pub(super) fn read(line: &[u8]) -> Vec<Message> {
    let Some((value, is_unsure)) = read_value(line) else {
        return Vec::new();
    };
    match value {
        Value::Array(values) => {
            let messages = values.into_iter();
            messages
                .map(|value| Message::of(value, is_unsure, true))
                .collect()
        }
        value => vec![Message::of(value, is_unsure, false)],
    }
}

fn read_value(line: &[u8]) -> Option<(Value, bool)> {
    // An id may have more digits than a number of ours.
    let strict = std::str::from_utf8(line).ok().and_then(exact::read);
    if let Some(value) = strict {
        return Some((value, false));
    }
    let lenient = json::read(line)?;
    Some((
        lenient.value,
        lenient.flaws.replaced || lenient.flaws.hide_something(),
    ))
}

/// Returns an id as it is written.
pub(super) fn id(value: &Value) -> Option<String> {
    let is_id = value.is_number() || value.is_string();
    is_id.then(|| exact::written(value))
}

/// Returns the line that answers a request for a permission with one of its options.
pub(super) fn selection(id: &str, option: &str) -> Vec<u8> {
    let option = exact::written(&Value::from(option));
    let outcome = format!(r#"{{"outcome":"selected","optionId":{option}}}"#);
    format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},\"result\":{{\"outcome\":{outcome}}}}}\n").into()
}

/// Returns the line that takes a request back.
pub(super) fn cancellation(id: &str) -> Vec<u8> {
    let params = format!(r#"{{"requestId":{id}}}"#);
    format!("{{\"jsonrpc\":\"2.0\",\"method\":\"$/cancel_request\",\"params\":{params}}}\n").into()
}

/// Returns a line of these messages, which are part of a batch.
pub(super) fn batch(messages: &[&Message]) -> Vec<u8> {
    let texts: Vec<String> = messages
        .iter()
        .map(|message| exact::written(&message.value))
        .collect();
    format!("[{}]\n", texts.join(",")).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_goes_back_in_the_digits_in_which_it_came() {
        for id in [
            "0",
            "-7",
            "1.5e3",
            "123456789012345678901234567890",
            r#""a\"b""#,
            r#""7""#,
        ] {
            let line = format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"x"}}"#);
            let [message] = &read(line.as_bytes())[..] else {
                panic!("one message")
            };
            assert_eq!(message.id.as_deref(), Some(id));
        }
        for odd in ["null", "{}", "[1]", "true"] {
            let line = format!(r#"{{"id":{odd},"method":"x"}}"#);
            assert_eq!(read(line.as_bytes())[0].id, None, "{odd}");
        }
    }

    #[test]
    fn what_is_written_is_one_line_of_json() {
        let line = selection("7", "a\"\n\u{2028}");
        assert_eq!(line.iter().filter(|byte| **byte == b'\n').count(), 1);
        let [message] = &read(&line)[..] else {
            panic!("one message")
        };
        assert_eq!(message.result()["outcome"]["optionId"], "a\"\n\u{2028}");
        let line = cancellation("\"x\"");
        assert_eq!(read(&line)[0].params()["requestId"], "x");
    }

    #[test]
    fn a_line_that_is_broken_is_not_sure() {
        assert!(read(b"not json").iter().all(|it| it.is_unsure));
        assert!(read(b"{\"id\":1,\"method\":\"x\",\"params\":{\"a\":\"\xff\"}}")[0].is_unsure);
        assert!(!read(b"\xef\xbb\xbf{\"id\":1}").is_empty());
        assert_eq!(read(b"").len(), 0);
        let both = read(br#"[{"id":1},{"id":2,"method":"x"}]"#);
        assert!(both.len() == 2 && both[0].is_in_batch);
    }
}
