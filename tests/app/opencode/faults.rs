//! Tests of the faults of a server, a proxy or a network: each is survived, and a later question is
//! shown and answered.

use crate::common::{
    DIRECTORY, Rehearsal, SESSION, SOON, Stage, asked_by, config, named, yes_or_no,
};
use beckon_support::beckon::Beckon;
use beckon_support::bus::Bus;
use beckon_support::eventually;
use beckon_support::model::{Model, script};
use beckon_support::notifications::{Notifications, Shown};
use beckon_support::opencode::{OpenCode, Version};
use beckon_support::replay::{
    Fault, Kind, OnReply, Replay, Streaming, frame, permission, question,
};
use serde_json::json;

async fn still_answers(stage: &Rehearsal) {
    stage.replay.wait_streams(1, SOON).await;
    stage.ask("que_after", "After all that?").await;
    stage.press("After all that?", "Yes").await;
    stage.answered_once("que_after", "Yes").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_answers_nonsense_is_told_of_and_found_once_it_is_well() {
    let cases = [
        (Streaming::Status(503), "503"),
        (Streaming::Status(302), "302"),
        (Streaming::Status(204), "204"),
        (Streaming::Html, "text/html"),
    ];
    for (streaming, told) in cases {
        let stage = Rehearsal::without_beckon();
        stage.replay.streaming(streaming.clone());
        stage.beckon.start();
        let status = stage.beckon.wait_ready().await;
        let source = &status["sources"][0];
        assert_eq!(source["state"], "unreachable", "{streaming:?}: {status}");
        assert!(
            source["error"].as_str().unwrap().contains(told),
            "{streaming:?}: {status}"
        );
        stage.replay.streaming(Streaming::Open);
        still_answers(&stage).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn bytes_that_are_no_frame_do_not_hide_the_next_question() {
    let good = frame(
        Some(DIRECTORY),
        "question.asked",
        yes_or_no("que_1", "After the noise?"),
    );
    let noises: [(&str, Vec<u8>); 8] = [
        ("an invalid byte", b"data: {\"payload\":{\"type\":\"message.part\xff\"}}\n\n".to_vec()),
        ("a byte order mark", "\u{feff}data: {}\n\n".into()),
        ("no JSON", b"data: {\"payload\":{\"type\":\n\n".to_vec()),
        ("an event without a type", b"data: {\"payload\":{}}\n\n".to_vec()),
        ("a question without an id", b"data: {\"payload\":{\"type\":\"question.asked\",\"properties\":{\"questions\":7}}}\n\n".to_vec()),
        ("comments and other fields", b": hello\nevent: x\nid: 7\nretry: 1\nfoo: bar\n\n".to_vec()),
        ("an unknown event", frame(Some(DIRECTORY), "something.new", json!({ "a": [1, null] }))),
        ("zeroes", vec![0; 4096].into_iter().chain(*b"\n\n").collect()),
    ];
    for (what, noise) in noises {
        let stage = Rehearsal::start().await;
        stage.replay.send(&noise).await;
        stage.open("que_1", "After the noise?");
        // The stream may have been given up meanwhile; then the list contains the question.
        stage.replay.send(&good).await;
        stage.press("After the noise?", "Yes").await;
        stage.answered_once("que_1", "Yes").await;
        eprintln!("survived: {what}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_frame_cut_anywhere_is_put_together_again() {
    let stage = Rehearsal::start().await;
    for size in 1..=7 {
        let (id, text) = (format!("que_{size}"), format!("Pièce 🦀 {size}?"));
        stage.open(&id, &text);
        let whole = frame(Some(DIRECTORY), "question.asked", yes_or_no(&id, &text));
        stage.replay.send_in_pieces(&whole, &[size]).await;
        stage.press(&text, "No").await;
        stage.answered_once(&id, "No").await;
    }
    assert_eq!(
        stage.replay.count("/global/event"),
        1,
        "the stream was never given up"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_frame_above_the_cap_is_refused_and_the_stream_goes_on() {
    let stage = Rehearsal::start().await;
    stage
        .replay
        .send(b"data: {\"payload\":{\"type\":\"message.part.updated\",\"x\":\"")
        .await;
    let megabyte = vec![b'x'; 1 << 20];
    for _ in 0..40 {
        stage.replay.send(&megabyte).await;
    }
    stage.replay.send(b"\"}}\n\n").await;
    still_answers(&stage).await;
    assert_eq!(
        stage.replay.count("/global/event"),
        1,
        "the stream was never given up"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn what_large_changes_took_of_memory_is_given_back() {
    let stage = Rehearsal::start().await;
    stage.ask("que_1", "Before?").await;
    let before = stage.beckon.resident_kib();
    for n in 0..3 {
        let line = format!("+ line of change {n}, which says nothing\n");
        let diff = line.repeat(20_000_000 / line.len());
        let edit = json!({ "id": format!("per_{n}"), "sessionID": SESSION, "permission": "edit",
            "patterns": ["a.rs"], "metadata": { "filepath": "a.rs", "diff": diff }, "always": [] });
        stage.replay.ask(Kind::Permission, DIRECTORY, edit).await;
    }
    eventually("all are open", SOON, async || {
        (stage.beckon.list().await.len() == 4).then_some(())
    })
    .await;
    eventually("the memory is given back", SOON, async || {
        (stage.beckon.resident_kib() < before + 30_000).then_some(())
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refused_password_is_said_and_the_right_one_from_the_environment_works() {
    let model = Model::start();
    let server = OpenCode::builder(Version::V1_18_33, &model)
        .password("opensesame")
        .start()
        .await;
    let bus = Bus::start();
    let daemon = Notifications::start(&bus);
    let with = |password: &str| {
        Beckon::builder(env!("CARGO_BIN_EXE_beckon"))
            .bus(&bus)
            .config(&config(&server.url()))
            .env("BECKON_OPENCODE_PASSWORD_LOCAL", password)
            .start()
    };
    let wrong = with("opensaysme");
    let status = wrong.wait_ready().await;
    assert_eq!(status["sources"][0]["state"], "unauthorized", "{status}");
    assert!(!wrong.stderr().contains("opensaysme"));
    drop(wrong);

    let right = with("opensesame");
    eventually("it is let in", SOON, async || {
        let status = right.wait_ready().await;
        (status["sources"][0]["state"] == "live").then_some(())
    })
    .await;
    let directory = server.directory().to_owned();
    let session = server.session(&directory, "Behind a password").await;
    let steps = [asked_by(json!([named("Open?", &["Yes", "No"])]))];
    server.prompt(&session, &directory, &script(&steps)).await;
    let shown = daemon
        .wait_for(|shown| shown.summary.ends_with("Open?"), SOON)
        .await;
    daemon.press(shown.id, shown.action("Yes").unwrap());
    server.wait_idle(&session, &directory).await;
    assert!(
        model
            .tool_results()
            .iter()
            .any(|(_, told)| told.contains("\"Open?\"=\"Yes\""))
    );
    assert!(!right.stderr().contains("opensesame"));
}

#[tokio::test(flavor = "multi_thread")]
async fn two_servers_with_the_same_ids_are_kept_apart() {
    let replays = [Replay::start(), Replay::start()];
    let bus = Bus::start();
    let daemon = Notifications::start(&bus);
    let settings = format!(
        "[[opencode]]\nname = \"one\"\nurl = \"{}\"\n[[opencode]]\nname = \"two\"\nurl = \"{}\"\n",
        replays[0].url(),
        replays[1].url()
    );
    let program = Beckon::builder(env!("CARGO_BIN_EXE_beckon"));
    let beckon = program.bus(&bus).config(&settings).start();
    beckon.wait_ready().await;
    for (replay, text) in replays.iter().zip(["From one?", "From two?"]) {
        replay.session(SESSION, DIRECTORY, "A session");
        replay.wait_streams(1, SOON).await;
        replay
            .ask(Kind::Question, DIRECTORY, yes_or_no("que_1", text))
            .await;
    }
    let ending = |text: &'static str| {
        move |s: &beckon_support::notifications::Shown| s.summary.ends_with(text)
    };
    daemon.wait_for(ending("From one?"), SOON).await;
    let two = daemon.wait_for(ending("From two?"), SOON).await;
    let ambiguous = beckon
        .command(&["answer", "que_1", "--choice", "1", "--json"])
        .await;
    assert_ne!(ambiguous.status, Some(0), "{ambiguous:?}");
    daemon.press(two.id, two.action("No").unwrap());
    let replies = replays[1].wait_replies(1, SOON).await;
    assert_eq!(replies[0].body, json!({ "answers": [["No"]] }));
    eventually("one is left", SOON, async || {
        (beckon.list().await.len() == 1).then_some(())
    })
    .await;
    assert_eq!(beckon.list().await[0]["source"], "one");
    let answered = beckon
        .command(&["answer", "one/que_1", "--choice", "1", "--json"])
        .await;
    assert_eq!(answered.json()["state"], "taken", "{answered:?}");
    assert_eq!(
        replays[0].replies()[0].body,
        json!({ "answers": [["Yes"]] })
    );
    assert_eq!(
        (replays[0].replies().len(), replays[1].replies().len()),
        (1, 1)
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_that_is_refused_a_few_times_is_sent_until_it_is_taken() {
    let stage = Rehearsal::start().await;
    stage.ask("que_1", "Go on?").await;
    stage.replay.on_reply(OnReply::Status(500));
    stage.press("Go on?", "Yes").await;
    stage.replies("que_1", 3).await;
    assert_eq!(stage.state_of("que_1").await.as_deref(), Some("answering"));
    stage.replay.on_reply(OnReply::Confirm);
    stage.nothing_left().await;
    let replies = stage.replies("que_1", 4).await;
    assert!(
        replies
            .iter()
            .all(|reply| reply.body == json!({ "answers": [["Yes"]] }))
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_that_the_server_refuses_at_every_try_comes_back_to_the_human() {
    let stage = Rehearsal::start().await;
    stage.ask("que_1", "Go on?").await;
    stage.replay.on_reply(OnReply::Status(400));
    stage.press("Go on?", "Yes").await;
    let returned = async || {
        let list = stage.beckon.list().await;
        // The ask is also open until the press has arrived.
        let mut returned = list.iter().map(|ask| &ask["returned"]);
        returned.find(|why| !why.is_null()).cloned()
    };
    let why = eventually("the ask open again", SOON, returned).await;
    assert_eq!(why["reason"], "refused", "{why}");
    assert!(why["detail"].as_str().unwrap().contains("400"), "{why}");
    let tried = stage.replay.replies().len();
    assert_eq!(tried, 20);
    stage.replay.on_reply(OnReply::Confirm);
    stage.press("Go on?", "No").await;
    stage.nothing_left().await;
    let replies = stage.replay.replies();
    assert_eq!(replies[tried..].len(), 1);
    assert_eq!(replies[tried].body, json!({ "answers": [["No"]] }));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_to_what_the_server_no_longer_knows_settles_it() {
    let stage = Rehearsal::start().await;
    stage.settle().await;
    stage.ask("que_1", "Known?").await;
    stage.replay.withdraw("que_1");
    let late = stage
        .beckon
        .command(&["answer", "que_1", "--choice", "1", "--json"])
        .await;
    assert_eq!(
        (&late.json()["state"], late.status),
        (&json!("gone"), Some(1)),
        "{late:?}"
    );
    // The notice stays until its human has read it.
    let is_told = |shown: &Shown| format!("{} {}", shown.summary, shown.body).contains("arrive");
    let told = stage.daemon.wait_for(is_told, SOON).await;
    stage.daemon.close(told.id, 2);
    stage.nothing_left().await;
    assert_eq!(stage.replay.replies().len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_yes_without_effect_is_no_proof_and_the_answer_is_sent_again() {
    let stage = Rehearsal::start().await;
    stage.ask("que_1", "Go on?").await;
    stage.replay.on_reply(OnReply::Ignore);
    stage.press("Go on?", "Yes").await;
    stage.replies("que_1", 2).await;
    assert_eq!(stage.state_of("que_1").await.as_deref(), Some("answering"));
    stage.replay.on_reply(OnReply::Confirm);
    stage.nothing_left().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_yes_whose_event_got_lost_is_proven_by_the_list_alone() {
    let stage = Rehearsal::start().await;
    stage.ask("que_1", "Go on?").await;
    stage.replay.on_reply(OnReply::Quiet);
    let taken = stage
        .beckon
        .command(&["answer", "que_1", "--choice", "1", "--json"])
        .await;
    assert_eq!(taken.json()["state"], "taken", "{taken:?}");
    stage.answered_once("que_1", "Yes").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_list_that_cannot_be_read_is_read_once_it_can() {
    for fault in [Fault::Status(500), Fault::Hang] {
        let stage = Rehearsal::start().await;
        stage.ask("que_1", "Before?").await;
        stage.replay.fault("/question", Some(fault));
        stage.open("que_2", "Meanwhile?");
        stage.replay.cut().await;
        stage.replay.wait_streams(1, SOON).await;
        assert_eq!(
            stage.state_of("que_1").await.as_deref(),
            Some("open"),
            "an unread list drops nothing"
        );
        stage.replay.fault("/question", None);
        stage.press("Meanwhile?", "Yes").await;
        stage.press("Before?", "No").await;
        stage.answered_once("que_2", "Yes").await;
        stage.answered_once("que_1", "No").await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn directories_that_hang_keep_back_nobodys_asks_but_their_own() {
    let stage = Rehearsal::without_beckon();
    for n in 0..30 {
        let directory = format!("/hanging/{n}");
        stage.replay.session(
            &format!("ses_hanging_{n}"),
            &directory,
            "Behind a dead disk",
        );
        stage
            .replay
            .fault_in("/question", &directory, Some(Fault::Hang));
    }
    let behind = question("que_behind", "ses_hanging_7", "Behind it?", &["Yes", "No"]);
    stage.replay.open(Kind::Question, "/hanging/7", behind);
    let beside = permission("per_beside", "ses_hanging_7", "make beside it");
    stage.replay.open(Kind::Permission, "/hanging/7", beside);
    stage.open("que_1", "Elsewhere?");
    stage.beckon.start();
    stage.shown("Elsewhere?").await;
    let status = stage.beckon.status().await;
    assert_eq!(
        status["sources"][0]["state"], "connecting",
        "not all is read: {status}"
    );
    stage.wait_state("per_beside", "open").await;
    stage.press("Elsewhere?", "Yes").await;
    assert_eq!(
        stage.replies("que_1", 1).await[0].body,
        json!({ "answers": [["Yes"]] })
    );
    stage.ready().await;
    assert_eq!(
        stage.state_of("que_behind").await,
        None,
        "nobody could know"
    );
    for n in 0..30 {
        stage
            .replay
            .fault_in("/question", &format!("/hanging/{n}"), None);
    }
    stage.shown("Behind it?").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_may_or_may_not_be_waited_for_rings() {
    for fault in [Fault::Status(500), Fault::Hang] {
        let stage = Rehearsal::without_beckon();
        stage.replay.fault("/session/status", Some(fault));
        stage.open("que_1", "Still there?");
        stage.beckon.start();
        stage.press("Still there?", "Yes").await;
        stage.answered_once("que_1", "Yes").await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn directories_are_read_although_the_server_does_not_name_them_any_more() {
    let stage = Rehearsal::start().await;
    stage.ask("que_1", "Before?").await;
    for path in ["/path", "/project"] {
        stage.replay.fault(path, Some(Fault::Status(500)));
    }
    stage.open("que_2", "Meanwhile?");
    stage.replay.cut().await;
    stage.shown("Meanwhile?").await;
    assert_eq!(stage.state_of("que_1").await.as_deref(), Some("open"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_healthy_server_is_read_a_few_times_for_each_connection_and_then_its_stream_is_enough() {
    let stage = Rehearsal::start().await;
    stage.settle().await;
    let read = || {
        (
            stage.replay.count("/question"),
            stage.replay.count("/permission"),
        )
    };
    let settled = read();
    assert!(settled.0 == settled.1 && settled.0 <= 6, "{settled:?}");
    stage.ask("que_1", "Go on?").await;
    stage.ask("que_2", "And now?").await;
    assert_eq!(read(), settled);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_question_in_a_second_directory_without_git_asked_before_the_start_is_shown_1_18() {
    elsewhere_and_earlier(Version::V1_18_33).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_question_in_a_second_directory_without_git_asked_before_the_start_is_shown_1_1() {
    elsewhere_and_earlier(Version::V1_1_53).await;
}

async fn elsewhere_and_earlier(version: Version) {
    let stage = Stage::without_beckon(version).await;
    let folder = stage.opencode.home().path().join("no git here");
    std::fs::create_dir(&folder).unwrap();
    let directory = folder.to_str().unwrap();
    let session = stage.opencode.session(directory, "Outside").await;
    let steps = [asked_by(json!([named("Outside?", &["Yes", "No"])]))];
    stage
        .opencode
        .prompt(&session, directory, &script(&steps))
        .await;
    stage.opencode.wait_questions(directory, 1).await;
    stage.beckon.start();
    let shown = stage.shown("Outside?").await;
    stage.daemon.press(shown.id, shown.action("No").unwrap());
    stage.model_reads("\"Outside?\"=\"No\"").await;
    stage.nothing_left().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_question_below_another_repository_asked_before_the_start_is_shown_1_18() {
    below_another_repository(Version::V1_18_33).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_question_below_another_repository_asked_before_the_start_is_shown_1_1() {
    below_another_repository(Version::V1_1_53).await;
}

async fn below_another_repository(version: Version) {
    let stage = Stage::without_beckon(version).await;
    let repository = stage.opencode.home().path().join("another repository");
    make_repository(&repository);
    let folder = repository.join("deep/süßes Verzeichnis");
    std::fs::create_dir_all(&folder).unwrap();
    asked_there(&stage, folder.to_str().unwrap()).await;
    stage.beckon.start();
    stage.shown("There?").await;
}

/// Makes a repository. Its first commit, which names the project, tells it apart from the server's
/// own.
fn make_repository(folder: &std::path::Path) {
    let git = |arguments: &[&str]| {
        let mut command = std::process::Command::new("git");
        command
            .arg("-C")
            .arg(folder)
            .args(["-c", "user.name=T", "-c", "user.email=t@localhost"]);
        assert!(
            command.args(arguments).status().unwrap().success(),
            "git {arguments:?}"
        );
    };
    std::fs::create_dir(folder).unwrap();
    git(&["init", "--quiet"]);
    git(&["commit", "--quiet", "--allow-empty", "--message", "Another"]);
}

async fn asked_there(stage: &Stage, directory: &str) {
    let session = stage.opencode.session(directory, "There").await;
    let steps = [asked_by(json!([named("There?", &["Yes", "No"])]))];
    stage
        .opencode
        .prompt(&session, directory, &script(&steps))
        .await;
    stage.opencode.wait_questions(directory, 1).await;
}

/// 1.18.33 lists the hundred latest sessions unless a request asks for more.
#[tokio::test(flavor = "multi_thread")]
async fn a_session_that_has_waited_while_a_hundred_others_came_is_found() {
    let stage = Stage::without_beckon(Version::V1_18_33).await;
    let folder = stage.opencode.home().path().join("no git here");
    std::fs::create_dir(&folder).unwrap();
    asked_there(&stage, folder.to_str().unwrap()).await;
    for n in 0..101 {
        stage
            .opencode
            .session(&stage.directory(), &format!("Session {n}"))
            .await;
    }
    stage.beckon.start();
    stage.shown("There?").await;
}
