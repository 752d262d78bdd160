use super::*;

/// Returns everything that is made of these bytes, and how it ended.
fn read(bytes: &[u8], piece: usize) -> (Vec<u8>, Option<OddServer>) {
    let mut reader = OperationReader::default();
    let mut written = Vec::new();
    for piece in bytes.chunks(piece) {
        reader.push(piece);
        loop {
            match reader.next() {
                Ok(Some(Operation::Greeting(greeting))) => written.extend(greeting.write()),
                Ok(Some(Operation::Plain(plain))) => written.extend(plain),
                Ok(Some(Operation::Ping)) => written.extend(PING),
                Ok(Some(Operation::Pong)) => written.extend(PONG),
                Ok(Some(Operation::Message(message))) => written.extend(message.written),
                Ok(None) => break,
                Err(odd) => return (written, Some(odd)),
            }
        }
    }
    (written, None)
}

fn becomes(said: &str, plain: &str) {
    for piece in [1, 2, 3, 5, 7, 11, said.len().max(1)] {
        let (written, odd) = read(said.as_bytes(), piece);
        assert_eq!(
            String::from_utf8_lossy(&written),
            plain,
            "{said:?} by {piece}"
        );
        assert_eq!(odd, None, "{said:?}");
    }
}

fn ends(said: &[u8], with: OddServer) {
    for piece in [1, 7, 4096, said.len()] {
        let (_, odd) = read(said, piece);
        assert_eq!(odd, Some(with), "{:?}", String::from_utf8_lossy(said));
    }
}

/// Makes a record of a stream, with such a head.
fn record(head: &str) -> String {
    let (total, ack) = (
        head.len() + 4,
        "$JS.ACK.BK_ASKS.x.1.7.3.1790000000000000000.0",
    );
    format!(
        "HMSG bk.ask.own.a.1 9 {ack} {} {total}\r\n{head}body\r\n",
        head.len()
    )
}

const RECORD: &str =
    "MSG bk.ask.own.a.1 9 $JS.ACK.BK_ASKS.x.1.7.3.1790000000000000000.0 4\r\nbody\r\n";

#[test]
fn what_an_honest_server_says_goes_on_as_it_is() {
    for said in [
        "PING\r\nPONG\r\n+OK\r\n",
        "-ERR 'Authorization Violation'\r\n",
        "MSG a.b 1 0\r\n\r\n",
        "MSG a.b 1 reply.to 5\r\na\r\nb \r\n",
        "HMSG _INBOX.x 1 16 16\r\nNATS/1.0 503\r\n\r\n\r\n",
        "HMSG d 4 $JS.FC.s.c.x 40 40\r\nNATS/1.0 100 FlowControl Request\r\n\r\n\r\n\r\n",
        RECORD,
    ] {
        let said = said
            .replace("40 40", "36 36")
            .replace("\r\n\r\n\r\n\r\n", "\r\n\r\n\r\n");
        becomes(&said, &said);
    }
    let heartbeat = "NATS/1.0 100 Idle Heartbeat\r\nNats-Last-Consumer: 7\r\n\r\n";
    let said = format!("HMSG d 4 {0} {0}\r\n{heartbeat}\r\n", heartbeat.len());
    becomes(&said, &said);
}

#[test]
fn a_greeting_keeps_what_is_needed_and_names_no_other_server() {
    let said = r#"INFO {"server_id":"N","server_name":"hub","version":"2.10.26","proto":1,"go":"go1","host":"h","port":4222,"headers":true,"max_payload":1048576,"client_id":5,"nonce":"abc","connect_urls":["1.2.3.4:4222"],"tls_required":true,"jetstream":true,"xkey":"X"}"#;
    let plain = r#"INFO {"server_id":"N","server_name":"hub","version":"2.10.26","nonce":"abc","max_payload":1048576,"client_id":5,"headers":true,"auth_required":false,"jetstream":true,"ldm":false}"#;
    becomes(&format!("{said} \r\n"), &format!("{plain}\r\n"));
    for odd in [
        "INFO\r\n",
        "INFO {\r\n",
        "INFO []\r\n",
        "INFO {\"max_payload\":-1}\r\n",
        "INFO {\"port\":4222} {}\r\n",
    ] {
        ends(odd.as_bytes(), OddServer::NoNats);
    }
}

#[test]
fn an_error_that_is_too_long_is_cut() {
    let said = format!("-ERR '{}'\r\n", "x".repeat(5_000));
    becomes(
        &said,
        &format!("-ERR '{}'\r\n", "x".repeat(LONGEST_REFUSAL)),
    );
    // A quotation mark stands where it is cut.
    let begin = "x".repeat(LONGEST_REFUSAL - 1);
    becomes(
        &format!("-ERR '{begin}'y\r\n"),
        &format!("-ERR '{begin}'\r\n"),
    );
}

#[test]
fn an_error_of_any_form_is_one_line_of_text() {
    for (said, plain) in [
        ("-ERR\r\n", "-ERR ''\r\n"),
        ("-ERR \r\n", "-ERR ''\r\n"),
        ("-ERR '\r\n", "-ERR ''\r\n"),
        ("-err 'x'\r\n", "-ERR 'x'\r\n"),
        (
            "-ERR x\n\u{1b}[31my\r\n",
            "-ERR 'x\u{fffd}\u{fffd}[31my'\r\n",
        ),
    ] {
        becomes(said, plain);
    }
    let (written, odd) = read(b"-ERR '\xff'\r\n", 1);
    assert_eq!(
        (written.as_slice(), odd),
        ("-ERR '\u{fffd}'\r\n".as_bytes(), None)
    );
}

#[test]
fn a_number_that_no_message_has_ends_the_connection() {
    for said in [
        "MSG x 1 18446744073709551600\r\n",
        "MSG x 1 18446744073709551616\r\n",
        "MSG x 1 900000000000\r\n",
        "MSG x 1 131073\r\n",
        "HMSG x 1 0 18446744073709551600\r\n",
        "HMSG x 1 18446744073709551600 18446744073709551600\r\n",
    ] {
        ends(said.as_bytes(), OddServer::LargeMessage);
    }
    for said in [
        "MSG x 1 -1\r\n",
        "MSG x 1 +1\r\n",
        "MSG x 1 0x1\r\n",
        "MSG x 1\r\n",
        "MSG x\r\n",
        "MSG\r\n",
        "MSG a b c d e\r\n",
        "MSG x y 0\r\n",
        "MSG x 18446744073709551616 0\r\n",
        "HMSG x 1 5 4\r\nabcd\r\n",
        "HMSG x 1 4\r\n",
        "MSG x 1 2\r\nabcd\r\n",
        "HTTP/1.1 400 Bad Request\r\n",
        "\r\n",
        " PING\r\n",
        "SSH-2.0-OpenSSH_9.6\r\n",
    ] {
        ends(said.as_bytes(), OddServer::NoNats);
    }
}

#[test]
fn a_reply_that_the_library_would_count_on_or_that_is_the_guards_own_is_left_out() {
    for reply in ["$JS.ACK.s.c.1.18446744073709551615.1.1.0", "_BECKON.READ.1"] {
        let said = format!("MSG x 1 {reply} 2\r\nab\r\n");
        becomes(&said, "MSG x 1 2\r\nab\r\n");
    }
}

#[test]
fn a_line_without_an_end_is_left_before_it_fills_the_memory() {
    let endless = vec![b'x'; LARGEST_LINE + 2];
    ends(&endless, OddServer::LongLine);
    let mut ended = endless;
    ended.extend(b"\r\n");
    ends(&ended, OddServer::LongLine);
}

#[test]
fn the_largest_message_goes_on() {
    let payload = "x".repeat(LARGEST_MESSAGE);
    let said = format!("MSG a 1 {LARGEST_MESSAGE}\r\n{payload}\r\nPING\r\n");
    assert_eq!(read(said.as_bytes(), 65_536), (said.into_bytes(), None));
}

#[test]
fn a_record_is_handed_on_whatever_its_head_is() {
    for head in [
        "NATS/1.0\r\n\r\n",
        "NATS/1.0\r\nNats-Msg-Id: 1\r\n\r\n",
        "NATS/1.0 100 Idle Heartbeat\r\n\r\n",
        "NATS/1.0 503\r\n\r\n",
        "NATS/1.0 x\r\n\r\n",
        "NATS/1.0\r\na line without a colon\r\n\r\n",
        "NATS/2.0\r\n\r\n",
        "HTTP/1.1 200 OK\r\n\r\n",
        "\u{0}",
    ] {
        becomes(&record(head), RECORD);
    }
    let mut said = record("NATS/1.0\r\nx: ?\r\n\r\n").into_bytes();
    let at = said.iter().position(|it| *it == b'?').unwrap();
    said[at] = 0xff;
    assert_eq!(read(&said, 3), (RECORD.as_bytes().to_vec(), None));
}

#[test]
fn a_subject_that_is_no_text_is_one_word() {
    becomes(
        "MSG a\u{3000}b\u{85} 1 0\r\n\r\n",
        "MSG a\u{fffd}b\u{fffd} 1 0\r\n\r\n",
    );
    let (written, odd) = read(b"MSG bk.ask.own.\xff.1 1 0\r\n\r\n", 2);
    assert_eq!(odd, None);
    assert_eq!(written, "MSG bk.ask.own.\u{fffd}.1 1 0\r\n\r\n".as_bytes());
}

#[test]
fn an_odd_head_of_an_answer_is_no_head_and_odd_lines_of_it_are_left_out() {
    becomes("HMSG a 1 10 12\r\nNATS/1.0 xab\r\n", "MSG a 1 2\r\nab\r\n");
    let head = "NATS/1.0 404 No\r\nno colon\r\nA: 1\r\n B: 2\r\n\r\n";
    let plain = "NATS/1.0 404 No\r\nA: 1\r\n\r\n";
    becomes(
        &format!("HMSG a 1 {0} {0}\r\n{head}\r\n", head.len()),
        &format!("HMSG a 1 {0} {0}\r\n{plain}\r\n", plain.len()),
    );
}

#[test]
fn a_record_that_is_read_back_comes_without_its_head() {
    let answer = |head: &str| {
        let json = format!(
            r#"{{"type":"io.nats.jetstream.api.v1.stream_msg_get_response","message":{{"subject":"a","seq":18446744073709551615,{head}"data":"Ym9keQ=="}}}}"#
        );
        format!("MSG _INBOX.x 0 {}\r\n{json}\r\n", json.len())
    };
    becomes(&answer(""), &answer(""));
    let (written, odd) = read(answer(r#""hdrs":"bm8gaGVhZA==","#).as_bytes(), 5);
    let written = String::from_utf8(written).unwrap();
    assert_eq!(odd, None);
    assert!(!written.contains("hdrs"), "{written}");
    assert!(
        written.contains(r#""seq":18446744073709551615"#),
        "{written}"
    );
}
