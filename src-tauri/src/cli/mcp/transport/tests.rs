//! Lines as other people's clients have written them.

use super::LineTransport;
use super::envelope::Envelope;
use super::line::{Line, UnreadableCall, read_lines};
use super::open_requests::OpenRequests;
use rmcp::RoleServer;
use rmcp::model::{
    ClientRequest, EmptyResult, ErrorData, JsonRpcMessage, NumberOrString, ProgressNotification,
    ProgressNotificationParam, ProgressToken, RequestId, ServerNotification, ServerResult,
};
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};

/// Short, so that a line that is too long is written in a moment.
const LONGEST: usize = 4 * 1024;

type Received = RxJsonRpcMessage<RoleServer>;
type Sent = TxJsonRpcMessage<RoleServer>;

/// Reads the one message of a line.
fn read(line: &[u8]) -> Line {
    let mut messages = read_all(line);
    assert_eq!(messages.len(), 1, "{messages:?}");
    messages.remove(0)
}

fn read_all(line: &[u8]) -> Vec<Line> {
    read_lines(line, &Envelope::of(line))
}

/// Returns the arguments of a call.
fn called(line: &[u8]) -> Value {
    let mut taken = OpenRequests::default().take(read(line));
    let message = taken.messages.remove(0);
    let JsonRpcMessage::Request(request) = message else {
        panic!("{message:?}")
    };
    let ClientRequest::CallToolRequest(call) = request.request else {
        panic!("{request:?}")
    };
    json!(call.params.arguments)
}

fn call(arguments: &str) -> Vec<u8> {
    call_of("7", arguments)
}

fn call_of(id: &str, arguments: &str) -> Vec<u8> {
    let params = format!(r#"{{"name":"ask_user","arguments":{arguments}}}"#);
    format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{params}}}"#).into_bytes()
}

fn ping(id: &str) -> String {
    format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"ping"}}"#)
}

fn number(message: &Received) -> RequestId {
    let JsonRpcMessage::Request(request) = message else {
        panic!("{message:?}")
    };
    request.id.clone()
}

/// Answers as the library does.
fn answered(message: &Received) -> Sent {
    let result = ServerResult::EmptyResult(EmptyResult {});
    JsonRpcMessage::response(result, number(message))
}

/// Takes each line, answers each request, and returns what is written.
fn exchange(lines: &[&str]) -> Vec<String> {
    let mut open = OpenRequests::default();
    let mut written = Vec::new();
    for message in lines.iter().flat_map(|line| read_all(line.as_bytes())) {
        let taken = open.take(message);
        written.extend(taken.replies);
        for message in &taken.messages {
            if matches!(message, JsonRpcMessage::Request(_)) {
                written.extend(open.tell(answered(message)));
            }
        }
    }
    written
}

#[test]
fn a_broken_character_takes_no_call_along() {
    let half = call(r#"{"question":"Ship it \ud83d?"}"#);
    assert_eq!(called(&half), json!({ "question": "Ship it \u{fffd}?" }));
    let raw = call("{\"question\":\"a\tb\u{1}c\"}");
    assert_eq!(called(&raw)["question"], "a\tb\u{1}c");
    let mut latin = call(r#"{"question":"Gr*n?"}"#);
    let at = latin.iter().position(|byte| *byte == b'*').unwrap();
    latin[at] = 0xFC;
    assert!(
        called(&latin)["question"]
            .as_str()
            .unwrap()
            .starts_with("Gr")
    );
    let marked = [&b"\xEF\xBB\xBF"[..], &call(r#"{"question":"a"}"#), b"\r"].concat();
    assert_eq!(called(&marked), json!({ "question": "a" }));
}

#[test]
fn arguments_may_be_json_in_a_text() {
    let text = call(r#""{\"question\": \"a\"}""#);
    assert_eq!(called(&text), json!({ "question": "a" }));
    assert_eq!(called(&call(r#""""#)), json!(null));
    assert_eq!(called(&call("null")), json!(null));
}

#[test]
fn a_number_in_arguments_keeps_the_digits_of_its_writer() {
    let written = r#"{"choices":[1e3, 1.50, 12345678901234567890123, -0, 7, 2.5]}"#;
    let digits = json!(["1e3", "1.50", "12345678901234567890123", "-0", 7, 2.5]);
    assert_eq!(called(&call(written))["choices"], digits);
    let text = Value::from(written).to_string();
    assert_eq!(called(&call(&text))["choices"], digits);
}

#[test]
fn every_id_comes_back_as_it_was_written() {
    for id in [
        "1.5",
        "1.0",
        "1e3",
        "-0",
        "9007199254740993",
        "18446744073709551616",
        "123456789012345678901234567890",
        "1e999",
        r#""\u0061\/b""#,
        r#""\ud83d""#,
        r#""""#,
        r#""beckon""#,
    ] {
        let told = exchange(&[&ping(id)]);
        assert_eq!(
            told,
            [format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{}}}}"#)]
        );

        let broken = ping(id).replace("ping\"", "ping");
        let told = exchange(&[&broken]).remove(0);
        assert!(
            told.starts_with(&format!(r#"{{"jsonrpc":"2.0","id":{id},"error""#)),
            "{told}"
        );
    }
}

#[test]
fn two_requests_with_one_id_are_both_answered() {
    let mut open = OpenRequests::default();
    let first = open.take(read(ping("1").as_bytes())).messages.remove(0);
    let second = open.take(read(ping("1").as_bytes())).messages.remove(0);
    assert_ne!(number(&first), number(&second));
    assert!(open.tell(answered(&second)).is_some());
    assert!(open.tell(answered(&first)).is_some());
    assert!(open.tell(answered(&first)).is_none(), "once");
}

#[test]
fn a_batch_is_answered_by_one_list_once_all_of_it_is() {
    let told = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;
    let batch = format!("[{},\n {told}, 7, {}]", ping("1.5"), ping("\"b\""));
    let mut open = OpenRequests::default();
    // What is told before a session begins counts for nothing.
    open.take(read(br#"{"jsonrpc":"2.0","id":0,"method":"initialize"}"#));
    let taken = open.take(read(batch.as_bytes()));
    assert_eq!(taken.messages.len(), 3);
    assert!(taken.replies.is_empty());

    assert_eq!(open.tell(answered(&taken.messages[2])), None);
    let list = open.tell(answered(&taken.messages[0])).unwrap();
    let answers: Vec<Value> = serde_json::from_str(&list).unwrap();
    let ids: Vec<&Value> = answers.iter().map(|answer| &answer["id"]).collect();
    assert_eq!(ids, [&json!(null), &json!("b"), &json!(1.5)]);
    assert!(list.contains(r#""id":1.5"#), "{list}");
}

#[test]
fn a_batch_in_which_nobody_waits_is_not_answered_and_one_that_is_none_is_refused() {
    let told = r#"[{"jsonrpc":"2.0","method":"notifications/initialized"}]"#;
    assert!(exchange(&[told]).is_empty());

    let many = format!("[{}]", vec!["1"; 1_001].join(","));
    for none in [
        "[]",
        "[",
        "[[]",
        r#"[{"jsonrpc":"2.0","id":1,"method":"ping"}"#,
        &many,
    ] {
        let refused = exchange(&[none]);
        assert_eq!(refused.len(), 1, "{none}: {refused:?}");
        assert!(
            refused[0].contains(r#""id":null,"error""#),
            "{none}: {refused:?}"
        );
    }
    let nested = exchange(&["[[], 7]"]).remove(0);
    let answers: Vec<Value> = serde_json::from_str(&nested).unwrap();
    assert_eq!(answers.len(), 2, "{nested}");
}

#[test]
fn what_is_given_up_holds_up_no_batch_and_is_found_by_its_exact_id() {
    let cancel = |id: &str| {
        format!(
            r#"{{"jsonrpc":"2.0","method":"notifications/cancelled","params":{{"requestId":{id}}}}}"#
        )
    };
    let ids = ["123456789012345678901", "123456789012345678902"];
    let batch = format!("[{},{}]", ping(ids[0]), ping(ids[1]));
    let mut open = OpenRequests::default();
    let taken = open.take(read(batch.as_bytes()));

    let unknown = open.take(read(cancel("1").as_bytes()));
    assert!(unknown.messages.is_empty(), "another one is not given up");

    let given_up = open.take(read(cancel(ids[0]).as_bytes()));
    assert!(matches!(
        given_up.messages[..],
        [JsonRpcMessage::Notification(_)]
    ));
    let list = open.tell(answered(&taken.messages[1])).unwrap();
    assert!(
        list.starts_with(&format!(r#"[{{"jsonrpc":"2.0","id":{}"#, ids[1])),
        "{list}"
    );
    assert!(open.tell(answered(&taken.messages[0])).is_none());
}

#[test]
fn progress_is_told_by_the_token_that_came() {
    for (token, is_told) in [("1.5", true), (r#""x\/y""#, true), ("{}", false)] {
        let call = format!(
            r#"{{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{{"_meta":{{"progressToken":{token}}}}}}}"#
        );
        let mut open = OpenRequests::default();
        let message = open.take(read(call.as_bytes())).messages.remove(0);
        let NumberOrString::Number(number) = number(&message) else {
            panic!("{message:?}")
        };
        let token_here = ProgressToken(NumberOrString::Number(number));
        let progress = ProgressNotificationParam::new(token_here, 2.0);
        let progress =
            ServerNotification::ProgressNotification(ProgressNotification::new(progress));
        let line = open.tell(JsonRpcMessage::notification(progress));
        let expected = format!(r#""progressToken":{token}"#);
        let has_token = line.is_some_and(|line| line.contains(&expected));
        assert_eq!(has_token, is_told, "{token}");
    }
}

#[test]
fn a_call_that_cannot_be_read_is_told_from_what_nobody_waits_for() {
    let unreadable = |line: &[u8]| match read(line) {
        Line::Unreadable(UnreadableCall { id, .. }) => Some(id.map(|id| id.get().to_owned())),
        _ => None,
    };
    let whole = call(r#"{"question":"a"}"#);
    let cut = &whole[..whole.len() - 5];
    assert_eq!(unreadable(cut), Some(Some("7".into())));
    for without_id in [
        &br#"{"jsonrpc":"2.0","method":"ping""#[..],
        br#"{"jsonrpc":"2.0","method":"ping","id":7"#,
        br#"{"jsonrpc":"2.0","id":true,"method":"ping"}"#,
        br#"{"jsonrpc":"2.0","id":[7],"method":"ping"}"#,
        br#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#,
    ] {
        let told = String::from_utf8_lossy(without_id);
        assert_eq!(unreadable(without_id), Some(None), "{told}");
    }

    for params in ["7", "null", "[]", "{}", r#"{"name":null}"#] {
        let no_call =
            format!(r#"{{"jsonrpc":"2.0","id":"x","method":"tools/call","params":{params}}}"#);
        let answer = exchange(&[&no_call]).remove(0);
        assert!(
            answer.contains(r#""id":"x","error":{"code":-32602"#),
            "{answer}"
        );
    }
    for nothing in [
        "",
        "\n",
        "Content-Length: 71\r",
        r#"{"jsonrpc":"2.0","method":"notifications/initialized","params":7}"#,
        r#"{"jsonrpc":"2.0","method":"notifications/initialized","id":null}"#,
        r#"{"jsonrpc":"2.0","id":7,"result":{},"error":3}"#,
        r#"{"jsonrpc":"2.0","id":7,"result":{"#,
    ] {
        assert!(exchange(&[nothing]).is_empty(), "{nothing}");
    }
}

#[test]
fn every_message_of_a_line_is_answered_by_its_own_id() {
    let told = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;
    let batch = format!("[{}]", ping("3"));
    for line in [
        format!("{}{}{batch}", ping("1"), ping("2")),
        format!("{} {told}\t{} {batch}\r", ping("1"), ping("2")),
    ] {
        let answers = exchange(&[&line]).join("");
        for id in ["1", "2", "3"] {
            let answer = format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{}}}}"#);
            assert!(answers.contains(&answer), "{id}: {answers}");
        }
    }

    let cut = format!("{}{}", ping("1"), ping("\"b\"").replace("ping\"}", ""));
    let answers = exchange(&[&cut]);
    assert!(answers[0].contains(r#""id":1,"result""#), "{answers:?}");
    assert!(answers[1].contains(r#""id":"b","error""#), "{answers:?}");
}

/// An unescaped quote ends a text early, and what was meant is not known.
#[test]
fn what_stands_behind_a_message_and_is_none_lets_nothing_run() {
    for rest in ["}", "\"}", ", 7", "x"] {
        let answers = exchange(&[&format!("{}{rest}", ping("1"))]);
        assert_eq!(answers.len(), 1, "{rest}: {answers:?}");
        assert!(answers[0].contains(r#""id":1,"error""#), "{answers:?}");
    }
}

#[test]
fn what_is_no_message_at_all_is_answered_so() {
    for (line, code) in [
        ("hello", -32_700),
        ("{'id': 1}", -32_700),
        ("\u{feff}?", -32_700),
        ("7", -32_600),
        ("null", -32_600),
        (r#""text""#, -32_600),
        ("{}", -32_600),
        (r#"{"id":null}"#, -32_600),
    ] {
        let answers = exchange(&[line]);
        assert_eq!(answers.len(), 1, "{line}: {answers:?}");
        let answer: Value = serde_json::from_str(&answers[0]).unwrap();
        let error = (&answer["id"], &answer["error"]["code"]);
        assert_eq!(error, (&json!(null), &json!(code)), "{line}");
    }
}

#[test]
fn an_error_of_the_library_without_an_id_is_told() {
    let error: Sent = JsonRpcMessage::error(ErrorData::internal_error("odd", None), None);
    let line = OpenRequests::default().tell(error).unwrap();
    assert!(line.contains(r#""id":null"#), "{line}");
}

/// Says the lines, closes stdin, and returns what is written for them and the number of messages received.
async fn say(lines: Vec<u8>) -> (Vec<Value>, usize) {
    let (mut client, server) = tokio::io::duplex(64 * 1024);
    let (input, output) = tokio::io::split(server);
    let mut transport = LineTransport::limited(input, output, LONGEST);
    let receive = async {
        let mut received = 0;
        while transport.receive().await.is_some() {
            received += 1;
        }
        assert!(transport.line.bytes.capacity() <= 2 * LONGEST);
        transport.close().await.unwrap();
        received
    };
    let speak = async {
        let (reader, mut writer) = tokio::io::split(&mut client);
        let write = async {
            writer.write_all(&lines).await.unwrap();
            writer.shutdown().await.unwrap();
        };
        let read = async {
            let mut told = Vec::new();
            let mut lines = BufReader::new(reader).lines();
            while let Some(line) = lines.next_line().await.unwrap() {
                told.push(serde_json::from_str(&line).unwrap());
            }
            told
        };
        tokio::join!(write, read).1
    };
    let (received, told) = tokio::join!(receive, speak);
    (told, received)
}

#[tokio::test]
async fn what_cannot_be_read_is_answered_and_the_rest_goes_on() {
    let whole = call(r#"{"question":"a"}"#);
    let lines = [&whole[..whole.len() - 5], b"\n", &whole, b"\n"].concat();
    let (told, received) = say(lines).await;
    assert_eq!(received, 1);
    assert_eq!(told.len(), 1);
    let error = (&told[0]["id"], &told[0]["error"]["code"]);
    assert_eq!(error, (&json!(7), &json!(-32_700)));
}

#[tokio::test]
async fn a_line_that_is_too_long_is_answered_by_its_id_wherever_that_stands() {
    let long = "x".repeat(LONGEST);
    let endless = "x".repeat(100_000);
    let params = format!(r#""params":{{"id":3,"text":"\"id\":4 {long}"}}"#);
    for (line, id) in [
        (format!(r#"{{"method":"a",{params},"id":1.5}}"#), json!(1.5)),
        (format!(r#"{{"id":"b","method":"a",{params}}}"#), json!("b")),
        (format!(r#"{{"method":"a",{params}}}"#), json!(null)),
        (format!(r#"{{"method":"a",{params},"id":7"#), json!(null)),
        (
            format!(r#"[{{"method":"a",{params},"id":7}}]"#),
            json!(null),
        ),
        (format!(r#"{{"method":"a","id":"{endless}"}}"#), json!(null)),
    ] {
        let (told, received) = say((line + "\n" + &ping("2") + "\n").into_bytes()).await;
        assert_eq!(received, 1, "the next line is read");
        assert_eq!(told.len(), 1);
        assert_eq!(told[0]["id"], id);
        assert_eq!(told[0]["error"]["code"], -32_600);
    }

    let answer = format!(r#"{{"jsonrpc":"2.0","result":"{long}","id":1}}"#);
    assert_eq!(say(answer.into_bytes()).await, (Vec::new(), 0));
}

#[test]
fn arguments_that_are_none_reach_the_tool_which_says_what_is_right() {
    let one = json!({ "question": "Which one?" });
    for (given, read) in [
        (r#"[{"question":"Which one?"}]"#, one),
        ("[1,2]", json!({})),
        ("5", json!({})),
        ("false", json!({})),
        (r#""Which one?""#, json!({})),
    ] {
        assert_eq!(called(&call(given)), read, "{given}");
    }
}
