//! Tests of a hub whose server is hostile, or not even a NATS server: it can withhold what others
//! publish, and nothing else. And of records on a hub that nobody can read.

use super::*;
use beckon_support::lying_nats::{GREETING, Lines, LyingNats};
use beckon_support::relay::Relay;
use beckon_support::repeating_nats::RepeatingNats;
use beckon_support::stranger::{Stranger, is_another_user};
use std::io::{Read, Write};
use std::net::TcpStream;

const NO_NATS: &str = "doesn't speak like a NATS server";
const LONG: &str = "a line that doesn't end";
const LARGE: &str = "a message larger than anything";
const TOO_MUCH: &str = "far more than was asked for";

fn at_liar(liar: &LyingNats) -> Beckon {
    builder_at(&liar.url(), 0, "", ALONE).build()
}

/// Waits until the server was called this many times more.
async fn called(liar: &LyingNats, times: usize) {
    let before = liar.ended();
    eventually("the liar is called", SOON, async || {
        (liar.ended() >= before + times).then_some(())
    })
    .await;
}

/// Checks that the Beckon has never panicked, and that an ask there can be answered there.
async fn is_well(beckon: &Beckon) {
    assert!(!log(beckon).contains("panic"), "{}", log(beckon));
    let asker = ask(beckon, "Left or right?");
    let own = one_open(beckon).await;
    answer(beckon, &own["id"], "1").await;
    assert_eq!(said(asker).await, "Left\n");
}

/// Checks that each of these lies is reported for what it is, and has no other effect. Each is told
/// to a Beckon that was started anew: a server that lies is called more and more seldom.
async fn lies(all: &[(Lines, &str)]) {
    let liar = LyingNats::start(Lines::first("-ERR\r\n"));
    let beckon = at_liar(&liar);
    for (lines, told) in all {
        liar.say(lines.clone());
        beckon.start();
        beckon.wait_ready().await;
        warned(&beckon, told).await;
        is_well(&beckon).await;
        beckon.kill9();
    }
    beckon.start();
    beckon.wait_ready().await;
    let (_, told) = all.last().unwrap();
    warned(&beckon, told).await;
    let doctor = beckon.command(&["hub", "doctor"]).await;
    assert!(doctor.stdout.contains(told), "{doctor:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_greets_oddly_is_told_for_what_it_is() {
    lies(&[
        (Lines::first("HTTP/1.1 400 Bad Request\r\n\r\n"), NO_NATS),
        (Lines::first("INFO {\"max_payload\":-1}\r\n"), NO_NATS),
        (Lines::first("INFO []\r\n"), NO_NATS),
        (Lines::first("x").endless("x".repeat(4096)), LONG),
        // The greeting ends here.
        (Lines::first(&GREETING[..40]), "it does not answer"),
    ])
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_whose_errors_say_nothing_is_not_reached() {
    let refusal = [GREETING, "-ERR\r\n"].concat();
    lies(&[(Lines::first(refusal), "isn't reachable")]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_whose_messages_are_none_is_told_for_what_it_is() {
    lies(&[
        (Lines::then("-ERR\r\nMSG x\r\n"), NO_NATS),
        (Lines::then("HMSG x 1 5 4\r\nabcd\r\n"), NO_NATS),
        (
            Lines::then("MSG x 1 100000\r\n").endless("x".repeat(65_536)),
            NO_NATS,
        ),
        // The server reads none of the responses.
        (Lines::then("").endless("PING\r\n".repeat(1_000)), TOO_MUCH),
        (
            Lines::then("").endless("MSG x 9 0\r\n\r\n".repeat(1_000)),
            TOO_MUCH,
        ),
    ])
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_says_without_an_end_what_nobody_asked_for_is_told_for_what_it_is() {
    let endless = |said: &str| Lines::then("").endless(said.repeat(1_000));
    lies(&[
        (endless("-ERR 'slow down'\r\n"), TOO_MUCH),
        (endless("-ERR\r\n"), TOO_MUCH),
        (endless(GREETING), TOO_MUCH),
        (endless("+OK\r\n"), TOO_MUCH),
        (endless("PONG\r\n"), TOO_MUCH),
        // The library's subscription for replies to its requests.
        (endless("MSG _INBOX.x.y 0 2\r\nhi\r\n"), TOO_MUCH),
        (
            endless("MSG bk.ask.own.x.1 4294967296 2\r\nhi\r\n"),
            TOO_MUCH,
        ),
    ])
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_whose_messages_are_larger_than_any_is_told_for_what_it_is() {
    let size = "18446744073709551600";
    lies(&[
        (Lines::then(format!("HMSG x 1 {size} {size}\r\n")), LARGE),
        (
            Lines::then("MSG x 1 900000000000\r\n").endless("x".repeat(65_536)),
            LARGE,
        ),
        (Lines::then(format!("MSG x 1 {size}\r\n")), LARGE),
    ])
    .await;
}

/// Returns the highest memory use of a Beckon, in MB.
fn memory(beckon: &Beckon) -> u64 {
    let status =
        std::fs::read_to_string(format!("/proc/{}/status", beckon.pid().unwrap())).unwrap();
    let line = status
        .lines()
        .find(|line| line.starts_with("VmHWM"))
        .unwrap();
    let kilobytes = line.split_whitespace().nth(1).unwrap();
    kilobytes.parse::<u64>().unwrap() / 1024
}

#[tokio::test(flavor = "multi_thread")]
async fn what_nobody_asked_for_does_not_fill_the_memory() {
    let liar = LyingNats::start(Lines::first("x").endless("x".repeat(65_536)));
    let beckon = at_liar(&liar);
    beckon.start();
    beckon.wait_ready().await;
    let before = memory(&beckon);
    called(&liar, 1).await;
    liar.say(Lines::then("MSG x 1 900000000000\r\n").endless("x".repeat(65_536)));
    called(&liar, 2).await;
    let message = format!("MSG x 1 100000\r\n{}\r\n", "x".repeat(100_000));
    liar.say(Lines::then("").endless(message));
    called(&liar, 2).await;
    let after = memory(&beckon);
    assert!(after < before + 100, "{before} MB became {after} MB");
    is_well(&beckon).await;
}

/// The time that an answer given at the machine where it was asked takes at most, with all commands,
/// on a machine that does other things too.
const USUAL: Duration = Duration::from_secs(4);

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_repeats_what_was_asked_without_an_end_holds_up_nothing_else_here() {
    let hub = Nats::start(Version::V2_10_26);
    let server = RepeatingNats::before(hub.port());
    let devices = listing(&hub, &[0, 1]).await;
    let owner = member(&hub, 0, &devices);
    let other = builder_at(&server.url(), 1, &devices, ALONE).build();
    for beckon in [&owner, &other] {
        beckon.start();
        connected(beckon).await;
    }
    let asker = ask(&owner, "Again?");
    let shown = one_open(&other).await;
    answer(&other, &shown["id"], "2").await;
    assert_eq!(said(asker).await, "Right\n");
    nothing_open(&other).await;
    let before = memory(&other);

    server.repeat(true);
    eventually("it repeats", SOON, async || {
        (server.sent() > 10_000).then_some(())
    })
    .await;
    let began = std::time::Instant::now();
    for _ in 0..3 {
        answered_here(&other, "Left or right?").await;
    }
    let took = began.elapsed();
    warned(&other, TOO_MUCH).await;
    let after = memory(&other);

    eprintln!(
        "{} records repeated, {took:?}, {before} MB became {after} MB",
        server.sent()
    );
    assert!(took < 3 * USUAL, "{took:?}");
    assert!(after < before + 150, "{before} MB became {after} MB");
    assert!(!log(&other).contains("panic"), "{}", log(&other));
    server.repeat(false);
    nothing_open(&other).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_reads_nothing_is_told_and_what_it_does_not_take_fills_no_memory() {
    let hub = Nats::start(Version::V2_10_26);
    let wire = Relay::to_port(hub.port());
    let url = format!("nats://127.0.0.1:{}", wire.port());
    let beckon = builder_at(&url, 0, "", ALONE).build();
    beckon.start();
    connected(&beckon).await;
    let before = memory(&beckon);

    wire.hold();
    let long = "Which of these? ".repeat(1_500);
    let askers: Vec<Child> = (0..60).map(|_| ask(&beckon, &long)).collect();
    eventually("all are asked", SOON, async || {
        (beckon.list().await.len() >= askers.len()).then_some(())
    })
    .await;
    let began = std::time::Instant::now();
    answered_here(&beckon, "Left or right?").await;
    let took = began.elapsed();
    eventually("it is told", 2 * SOON, async || {
        let warnings = beckon.status().await["warnings"].to_string();
        let is_told = ["it does not take what it is told", "it does not answer"];
        is_told.iter().any(|it| warnings.contains(it)).then_some(())
    })
    .await;
    let after = memory(&beckon);

    eprintln!("answered in {took:?}, {before} MB became {after} MB");
    assert!(took < USUAL, "{took:?}");
    assert!(after < before + 100, "{before} MB became {after} MB");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_says_a_letter_a_second_is_not_waited_for() {
    let hub = Nats::start(Version::V2_10_26);
    let wire = Relay::to_port(hub.port());
    let url = format!("nats://127.0.0.1:{}", wire.port());
    wire.slow_down(1);
    let beckon = builder_at(&url, 0, "", ALONE).build();
    beckon.start();
    beckon.wait_ready().await;
    warned(&beckon, "it does not answer").await;
    is_well(&beckon).await;
}

/// Asks something at that Beckon and answers it there, whatever else is open.
async fn answered_here(beckon: &Beckon, question: &str) {
    let asker = ask(beckon, question);
    let own = eventually("it is asked", SOON, async || {
        let open = beckon.list().await;
        open.into_iter()
            .find(|it| it.to_string().contains(question))
    })
    .await;
    answer(beckon, &own["id"], "1").await;
    assert_eq!(said(asker).await, "Left\n");
}

/// Stores a record with this header verbatim, which no client would send.
fn store(hub: &Nats, subject: &str, head: &[u8]) {
    let mut stream = TcpStream::connect(("127.0.0.1", hub.port())).unwrap();
    let (size, total) = (head.len(), head.len() + 4);
    let line = format!(
        "CONNECT {{\"headers\":true,\"verbose\":false}}\r\nHPUB {subject} {size} {total}\r\n"
    );
    let said = [line.as_bytes(), head, b"body\r\nPING\r\n"].concat();
    stream.write_all(&said).unwrap();
    let mut heard: Vec<u8> = Vec::new();
    let mut bytes = [0; 4096];
    while !heard.windows(6).any(|it| it == b"PONG\r\n") {
        let read = stream.read(&mut bytes).unwrap();
        heard.extend(&bytes[..read]);
        assert!(read > 0, "{}", String::from_utf8_lossy(&heard));
    }
}

const HEADS: [&[u8]; 7] = [
    b"NATS/1.0 x\r\n\r\n",
    b"NATS/1.0\r\na line without a colon\r\n\r\n",
    b"NATS/1.0\r\nx: \xff\r\n\r\n",
    b"NATS/1.0 100 Idle Heartbeat\r\n\r\n",
    b"NATS/1.0 503\r\n\r\n",
    b"HTTP/1.1 200 OK\r\n\r\n",
    b"\0",
];

#[tokio::test(flavor = "multi_thread")]
async fn records_with_odd_heads_are_passed_over_and_counted_and_lock_nobody_out() {
    let hub = Nats::start(Version::V2_10_26);
    let (owner, other) = two(&hub).await;
    let asker = ask(&owner, "Still there?");
    one_open(&other).await;
    other.kill9();
    for (number, head) in HEADS.iter().enumerate() {
        store(&hub, &format!("bk.ask.own.Odd{number}.1"), head);
    }
    store(&hub, "bk.ask.own.\u{3000}.1", HEADS[0]);
    warned(&owner, "8 unreadable").await;
    other.start();
    other.wait_ready().await;
    warned(&other, "8 unreadable").await;
    let shown = one_open(&other).await;
    assert_eq!(answer(&other, &shown["id"], "2").await["state"], "taken");
    assert_eq!(said(asker).await, "Right\n");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_with_an_odd_head_in_the_place_of_a_round_is_counted_and_asked_anew() {
    let hub = Nats::start(Version::V2_10_26);
    let (owner, other) = two(&hub).await;
    let asker = ask(&owner, "Is it so?");
    one_open(&other).await;
    let client = async_nats::connect(hub.url()).await.unwrap();
    let asks = async_nats::jetstream::new(client)
        .get_stream("BK_ASKS")
        .await
        .unwrap();
    let mut subjects = asks.info_with_subjects("bk.ask.>").await.unwrap();
    let (subject, _) = futures_util::StreamExt::next(&mut subjects)
        .await
        .unwrap()
        .unwrap();
    // The owner is not there when the record arrives; it is found when the owner is back.
    owner.kill9();
    store(
        &hub,
        &format!("{}.1", subject.replace("bk.ask.", "bk.answer.")),
        HEADS[1],
    );
    owner.start();
    owner.wait_ready().await;
    warned(&owner, "1 unreadable").await;
    let shown = one_open(&other).await;
    eventually("it can be answered", SOON, async || {
        (answer(&other, &shown["id"], "2").await["state"] == "taken").then_some(())
    })
    .await;
    assert_eq!(said(asker).await, "Right\n");
}

#[tokio::test(flavor = "multi_thread")]
async fn where_another_user_listens_nothing_is_said_unless_the_settings_allow_it() {
    if !is_another_user() {
        return;
    }
    let hub = Nats::prepared(Version::V2_10_26);
    let beckon = member(&hub, 0, "");
    let stranger = Stranger::listen(hub.port(), &beckon.home());
    beckon.start();
    beckon.wait_ready().await;
    warned(&beckon, "another user of this machine").await;
    let doctor = beckon.command(&["hub", "doctor"]).await;
    assert!(doctor.stdout.contains("any_user"), "{doctor:?}");
    assert_eq!(stranger.heard(), "");
    let url = hub.url();
    beckon.write_config(&format!("{ALONE}[hub]\nurl = \"{url}\"\nany_user = true\n"));
    // Now Beckon talks to the server, which speaks another protocol, and speaks only when spoken
    // to.
    eventually("it is another reason", SOON, async || {
        let warnings = beckon.status().await["warnings"].to_string();
        let is_away = warnings.contains("isn't reachable");
        (is_away && !warnings.contains("any_user")).then_some(())
    })
    .await;
}
