//! Tests of the ask_user / resume API: a strict service that keeps to its documents, and every row
//! of them through the real program.

mod langgraph;
mod outages;
mod scene;
mod settings;
mod shapes;

use self::scene::{Scene, confirm, options, three_questions};
use crate::common::SOON;
use crate::common::phone::Phone;
use beckon_support::eventually;
use beckon_support::interrupts::{Fault, Framing, Service, Step};
use beckon_support::keyring::Keyring;
use beckon_support::notifications::Shown;
use serde_json::{Value, json};

#[tokio::test(flavor = "multi_thread")]
async fn values_and_own_words_go_back_in_the_order_of_the_questions() {
    for framing in [Framing::Named, Framing::Enveloped] {
        let scene = Scene::start_with(Service::speaking(framing)).await;
        scene.service.interrupt("thread-1", three_questions());
        let ask = scene.only().await;
        assert_eq!(
            (&ask["kind"], &ask["source"]),
            (&json!("question"), &json!("research"))
        );
        let customs: Vec<&Value> = ask["questions"]
            .as_array()
            .unwrap()
            .iter()
            .map(|q| &q["custom"])
            .collect();
        assert_eq!(customs, [&json!(false), &json!(true), &json!(true)]);
        let answers = ["--choice", "2", "--text", "my own", "--text", "free"];
        scene.answers(&ask, &answers, "taken").await;
        let body = json!({ "action": "answer", "answers": ["red", "my own", "free"] });
        scene.resumed_with("thread-1", &[body]).await;
        scene.nothing_left().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_button_of_the_notification_sends_the_value_behind_its_label() {
    let scene = Scene::start().await;
    let options = options(&[("Red", "red"), ("Red", "dark_red")]);
    let question = json!({ "question": "Favourite colour?", "options": options });
    scene
        .service
        .interrupt("t", json!({ "questions": [question] }));
    scene.press("research · Favourite colour?", "2 Red").await;
    scene
        .resumed_with(
            "t",
            &[json!({ "action": "answer", "answers": ["dark_red"] })],
        )
        .await;
    scene.nothing_left().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_ordinary_interrupt_is_continued_or_cancelled() {
    let scene = Scene::start().await;
    scene
        .service
        .interrupt("t", json!({ "info": "Deploy now?", "questions": null }));
    scene.press("research · Continue?", "Continue").await;
    scene
        .resumed_with("t", &[json!({ "action": "continue" })])
        .await;
    scene.nothing_left().await;

    scene.service.interrupt("u", confirm("Deploy then?"));
    let ask = scene.only().await;
    assert_eq!(
        (&ask["kind"], &ask["info"]),
        (&json!("confirm"), &json!("Deploy then?"))
    );
    let refused = scene
        .beckon
        .command(&["answer", scene::id(&ask), "--choice", "1"])
        .await;
    assert_eq!(refused.status, Some(2), "{refused:?}");
    for part in ["go on (Deploy then?)", "beckon grant", "beckon deny"] {
        assert!(refused.stderr.contains(part), "{refused:?}");
    }
    scene.takes(&["deny", scene::id(&ask)]).await;
    scene
        .resumed_with("u", &[json!({ "action": "cancel" })])
        .await;

    scene.service.interrupt("v", confirm("Deploy at last?"));
    let ask = scene.only().await;
    scene.takes(&["grant", scene::id(&ask)]).await;
    scene
        .resumed_with("v", &[json!({ "action": "continue" })])
        .await;
    scene.nothing_left().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn dismissed_questions_cancel_the_operation() {
    let scene = Scene::start().await;
    scene.service.interrupt("t", three_questions());
    let ask = scene.only().await;
    scene.takes(&["dismiss", scene::id(&ask)]).await;
    scene
        .resumed_with("t", &[json!({ "action": "cancel" })])
        .await;
    scene.nothing_left().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_that_does_not_fit_is_refused_before_it_is_sent() {
    let scene = Scene::start().await;
    scene.service.interrupt("t", three_questions());
    let ask = scene.only().await;
    let (id, full) = (scene::id(&ask), ["--text", "a", "--text", "b"]);
    for wrong in [
        &["--choice", "1", "--text", "own"][..],
        &["--choice", "1", "--text", "own", "--text", " "],
        &["--choice", "9", full[0], full[1], full[2], full[3]],
        &["--text", "green", full[0], full[1], full[2], full[3]],
        &[],
    ] {
        let refused = scene
            .beckon
            .command(&[&["answer", id], wrong].concat())
            .await;
        assert_eq!(refused.status, Some(2), "{wrong:?}: {refused:?}");
    }
    assert_eq!(scene.service.resumed(), []);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_thread_that_is_interrupted_again_asks_again_be_it_in_the_same_words() {
    let scene = Scene::start().await;
    let (service, same) = (&scene.service, || confirm("Run the next step?"));
    service.interrupt("t", same());
    service.then("t", &[Step::Tool, Step::Interrupt(same())]);
    service.then("t", &[Step::Speak, Step::InterruptAside(same())]);
    service.then("t", &[Step::Interrupt(three_questions())]);
    let mut seen = Vec::new();
    for _ in 0..3 {
        let ask = scene.next(&seen).await;
        scene.takes(&["grant", scene::id(&ask)]).await;
        seen.push(scene::id(&ask).to_owned());
    }
    let ask = scene.next(&seen).await;
    scene
        .answers(
            &ask,
            &["--choice", "1", "--text", "b", "--text", "c"],
            "taken",
        )
        .await;
    let go_on = || json!({ "action": "continue" });
    let answer = json!({ "action": "answer", "answers": ["blue", "b", "c"] });
    scene
        .resumed_with("t", &[go_on(), go_on(), go_on(), answer])
        .await;
    scene.nothing_left().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_two_documented_errors_are_told_and_the_ask_stays_open() {
    for error in [
        "answers count (2) does not match questions count (3)",
        "answer at index 1 is empty",
    ] {
        let scene = Scene::start().await;
        scene.service.interrupt("t", three_questions());
        let ask = scene.only().await;
        scene.service.fault(Fault::Error(error));
        let answers = ["--choice", "1", "--text", "b", "--text", "c"];
        let refused = scene.answer(&ask, &answers).await;
        assert_eq!(refused.status, Some(1), "{refused:?}");
        assert!(refused.stderr.contains(error), "{refused:?}");
        let open = scene.only().await;
        assert_eq!((&open["id"], &open["state"]), (&ask["id"], &json!("open")));
        assert_eq!(
            open["returned"],
            json!({ "reason": "refused", "detail": error })
        );
        let says =
            |shown: &Shown| shown.summary.ends_with("3 questions") && shown.body.contains(error);
        scene.daemon.wait_for(says, SOON).await;
        scene.answers(&ask, &answers, "taken").await;
        scene.nothing_left().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_status_that_refuses_is_told_as_what_it_is() {
    let cases = [
        (
            400,
            r#"{"detail":"action is not valid"}"#,
            "refused",
            "400 Bad Request: action is not valid",
        ),
        (
            400,
            r#"{"error":{"message":"answers is missing"}}"#,
            "refused",
            "answers is missing",
        ),
        (401, "{}", "unauthorized", "rejected Beckon's token"),
        (403, "{}", "forbidden", "another user"),
        (500, "oops", "refused", "500 Internal Server Error: oops"),
    ];
    for (status, body, reason, told) in cases {
        let scene = Scene::start().await;
        scene.service.interrupt("t", confirm("Go?"));
        let ask = scene.only().await;
        scene.service.fault(Fault::Status(status, body));
        let refused = scene.beckon.command(&["grant", scene::id(&ask)]).await;
        assert!(refused.stderr.contains(told), "{status}: {refused:?}");
        assert_eq!(scene.only().await["returned"]["reason"], reason);
        let locked = matches!(status, 401 | 403);
        scene
            .wait_state(if locked { "unauthorized" } else { "live" })
            .await;
        scene.takes(&["grant", scene::id(&ask)]).await;
        scene.wait_state("live").await;
        scene.nothing_left().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_thread_that_is_gone_is_gone_here_too() {
    let scene = Scene::start().await;
    scene.service.interrupt("t", confirm("Go?"));
    let ask = scene.only().await;
    scene.service.fault(Fault::Status(404, "{}"));
    let gone = scene
        .beckon
        .command(&["grant", scene::id(&ask), "--json"])
        .await;
    assert_eq!(gone.json()["state"], "gone", "{gone:?}");
    scene.nothing_left().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_service_that_is_only_busy_gets_the_answer_a_little_later() {
    let scene = Scene::start().await;
    scene.service.interrupt("t", confirm("Go?"));
    let ask = scene.only().await;
    scene.service.fault(Fault::Status(503, "{}"));
    scene.takes(&["grant", scene::id(&ask)]).await;
    assert_eq!(scene.service.resumed().len(), 2);
    scene.nothing_left().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_that_may_have_arrived_is_never_repeated_by_itself() {
    let scene = Scene::start().await;
    scene.service.interrupt("t", confirm("Delete it?"));
    let ask = scene.only().await;
    scene.service.fault(Fault::BreakOff);
    let refused = scene.beckon.command(&["grant", scene::id(&ask)]).await;
    assert!(
        refused
            .stderr
            .contains("can't tell whether the answer arrived"),
        "{refused:?}"
    );
    assert_eq!(scene.only().await["returned"]["reason"], "unproven");
    assert_eq!(scene.service.resumed().len(), 1);
    // The service took the first try and waits for nobody, as the next try shows.
    let gone = scene
        .beckon
        .command(&["grant", scene::id(&ask), "--json"])
        .await;
    assert_eq!(gone.json()["state"], "gone", "{gone:?}");
    scene.nothing_left().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn two_hundred_is_sent_and_the_first_frame_is_taken() {
    let scene = Scene::start().await;
    scene.service.interrupt("t", confirm("Go?"));
    scene.service.fault(Fault::Hold);
    scene.press("research · Continue?", "Continue").await;
    scene.service.wait_resumed(1, SOON).await;
    eventually("it is answering", SOON, async || {
        (scene.only().await["state"] == "answering").then_some(())
    })
    .await;
    scene.service.release();
    scene.nothing_left().await;
    assert_eq!(scene.service.resumed().len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_error_after_the_thread_went_on_takes_nothing_back() {
    let scene = Scene::start().await;
    scene.service.interrupt("t", confirm("Go?"));
    scene
        .service
        .then("t", &[Step::Speak, Step::Fail("the tool crashed")]);
    let ask = scene.only().await;
    scene.takes(&["grant", scene::id(&ask)]).await;
    scene.nothing_left().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn several_threads_wait_at_once_and_each_gets_its_own_answer() {
    let scene = Scene::start().await;
    for thread in ["a/b c", "7", "Ω"] {
        scene
            .service
            .interrupt(thread, confirm(&format!("Go, {thread}?")));
    }
    let asks = scene.open(3).await;
    for (ask, verb) in asks.iter().rev().zip(["grant", "deny", "grant"]) {
        scene.takes(&[verb, scene::id(ask)]).await;
    }
    for (thread, action) in [("Ω", "continue"), ("7", "cancel"), ("a/b c", "continue")] {
        scene
            .resumed_with(thread, &[json!({ "action": action })])
            .await;
    }
    scene.nothing_left().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_interrupt_said_again_on_a_new_connection_is_the_same_ask() {
    let scene = Scene::start().await;
    scene.service.announce_on_connect();
    scene.service.interrupt("t", three_questions());
    let ask = scene.only().await;
    scene.service.repeat("t");
    scene.service.cut();
    scene.service.wait_streams(1, SOON).await;
    scene.service.interrupt("u", confirm("Are you there?"));
    assert_eq!(scene.open(2).await[0]["id"], ask["id"]);
    let cards = scene.daemon.all();
    assert_eq!(
        cards
            .iter()
            .filter(|card| card.summary.contains("3 questions"))
            .count(),
        1
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn another_interrupt_of_a_thread_ends_the_one_before() {
    let scene = Scene::start().await;
    scene.service.interrupt("t", confirm("First?"));
    let first = scene.only().await;
    scene.service.interrupt("t", confirm("Second?"));
    let second = scene.next(&[scene::id(&first).to_owned()]).await;
    assert_eq!(second["info"], "Second?");
    assert_eq!(scene.only().await["id"], second["id"]);
    let late = scene
        .beckon
        .command(&["grant", scene::id(&first), "--json"])
        .await;
    assert_eq!(late.json()["state"], "already answered", "{late:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_open_interrupt_outlives_beckon_and_is_answered_by_its_thread() {
    let scene = Scene::start().await;
    scene.service.announce_on_connect();
    scene.service.interrupt("t", confirm("Go?"));
    let ask = scene.only().await;
    scene.shown("Continue?").await;
    scene.beckon.kill9();
    scene.beckon.start();
    scene.live().await;
    assert_eq!(scene.only().await["id"], ask["id"]);
    scene.press("research · Continue?", "Continue").await;
    scene
        .resumed_with("t", &[json!({ "action": "continue" })])
        .await;
    scene.nothing_left().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_crash_between_200_and_the_proof_leaves_the_decision_to_the_human() {
    let scene = Scene::start().await;
    scene.service.interrupt("t", confirm("Go?"));
    scene.service.fault(Fault::Hold);
    scene.press("research · Continue?", "Continue").await;
    scene.sent().await;
    scene.beckon.kill9();
    scene.beckon.start();
    scene.live().await;
    let ask = scene.only().await;
    assert_eq!(
        (&ask["state"], &ask["returned"]["reason"]),
        (&json!("open"), &json!("unproven"))
    );
    assert_eq!(scene.service.resumed().len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_token_lets_in_and_stands_in_no_log() {
    let service = Service::start();
    service.want_token("t0p-s3cret");
    let scene = Scene::without_beckon(service, "", |program| {
        let program = program.env("BECKON_LOG", "trace");
        program.env("BECKON_INTERRUPTS_TOKEN_RESEARCH", "t0p-s3cret")
    });
    scene.beckon.start();
    scene.live().await;
    scene.service.interrupt("t", confirm("Go?"));
    let ask = scene.only().await;
    scene.takes(&["grant", scene::id(&ask)]).await;
    scene.nothing_left().await;
    assert!(!scene.beckon.stderr().contains("t0p-s3cret"));
    let logs = std::fs::read_dir(scene.beckon.home().join("logs")).unwrap();
    for log in logs {
        let text = std::fs::read_to_string(log.unwrap().path()).unwrap();
        assert!(!text.contains("t0p-s3cret"));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn without_the_token_the_status_says_what_to_do() {
    let service = Service::start();
    service.want_token("t0p-s3cret");
    let scene = Scene::without_beckon(service, "", |program| program);
    scene.beckon.start();
    scene.wait_state("unauthorized").await;
    for command in ["status", "doctor"] {
        let told = scene.beckon.command(&[command]).await;
        assert!(
            told.stdout
                .contains("beckon secret set interrupts:research"),
            "{told:?}"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_token_that_is_set_is_kept_in_the_keychain_and_tried_at_once() {
    let service = Service::start();
    service.want_token("t0p-s3cret");
    let scene = Scene::without_beckon(service, "", |program| program);
    let keyring = Keyring::start(&scene.bus);
    scene.beckon.start();
    scene.wait_state("unauthorized").await;
    let value = json!({ "value": "t0p-s3cret" });
    scene.post("/secrets/interrupts:research", &value).await;
    scene.live().await;
    assert_eq!(
        keyring.secret("interrupts:research").as_deref(),
        Some(&b"t0p-s3cret"[..])
    );
    scene.service.interrupt("t", confirm("Go?"));
    let ask = scene.only().await;
    scene.takes(&["grant", scene::id(&ask)]).await;
    scene.nothing_left().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_that_speaks_opencode_answers_by_label_and_the_value_goes_back() {
    let scene = Scene::start().await;
    let question =
        json!({ "question": "Colour?", "options": options(&[("Red", "r"), ("Blue", "b")]) });
    scene
        .service
        .interrupt("t", json!({ "questions": [question] }));
    let ask = scene.only().await;
    let path = format!("/question/{}/reply", scene::id(&ask));
    scene.post(&path, &json!({ "answers": [["Blue"]] })).await;
    scene
        .resumed_with("t", &[json!({ "action": "answer", "answers": ["b"] })])
        .await;
    scene.nothing_left().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn another_users_thread_is_told_as_such() {
    let scene = Scene::start().await;
    scene.service.interrupt("t", confirm("Go?"));
    scene.service.give_away("t", "somebody-else");
    let ask = scene.only().await;
    let refused = scene.beckon.command(&["grant", scene::id(&ask)]).await;
    assert!(refused.stderr.contains("another user"), "{refused:?}");
    scene.wait_state("unauthorized").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn frames_that_are_odd_hide_no_interrupt() {
    let scene = Scene::start().await;
    let service = &scene.service;
    service.write("event: interrupt\ndata: {not json\n\n");
    service.write("data: [DONE]\n\nevent: ping\n\n: comment\n\ndata: {\"event\":7}\n\n");
    service.write("event: interrupt\nid: t-1\ndata: {\"info\":\"By the frame's id?\"}\n\n");
    service.write("data: {\"event\":\"interrupt\",\"data\":{\"info\":\"By data?\",\"data\":{\"threadId\":7}}}\n\n");
    let asks = scene.open(3).await;
    let told = |of: &dyn Fn(&Value) -> Value| -> Vec<Value> { asks.iter().map(of).collect() };
    let infos = told(&|ask| ask["info"].clone());
    assert_eq!(infos, ["{not json", "By the frame's id?", "By data?"]);
    assert_eq!(told(&|ask| ask["session"]["id"].clone()), ["", "t-1", "7"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_service_comes_and_goes_with_the_settings() {
    let scene = Scene::start().await;
    scene.service.interrupt("t", confirm("Go?"));
    scene.only().await;
    let second = Service::start();
    let both = scene.config("research") + &second.config("second");
    scene.beckon.write_config(&both);
    second.wait_streams(1, SOON).await;
    second.interrupt("t", confirm("Here too?"));
    let asks = scene.open(2).await;
    assert_eq!(asks[1]["source"], "second");
    scene
        .beckon
        .write_config(&("opencode = []\n".to_owned() + &second.config("second")));
    eventually("the first one's ask goes", SOON, async || {
        let list = scene.beckon.list().await;
        let [only] = list.as_slice() else { return None };
        (only["source"] == "second").then_some(())
    })
    .await;
    scene.service.wait_streams(0, SOON).await;
    let status = scene.beckon.status().await;
    assert_eq!(status["sources"].as_array().unwrap().len(), 1, "{status}");
    assert_eq!(status["sources"][0]["kind"], "interrupts", "{status}");
}

#[tokio::test(flavor = "multi_thread")]
async fn questions_and_interrupts_are_answered_on_telegram() {
    let phone = Phone::new();
    let scene = Scene::without_beckon(Service::start(), &phone.config(), Phone::knows_token);
    scene.beckon.start();
    scene.live().await;
    phone.pair(&scene.beckon).await;

    scene.service.interrupt(
        "t",
        json!({ "questions": [three_questions()["questions"][1]] }),
    );
    scene.service.then(
        "t",
        &[Step::Speak, Step::Interrupt(confirm("Then publish?"))],
    );
    let card = phone.card("Which way?").await;
    phone.tap(card.id, "✏️ Write my own").await;
    phone.reply(phone.prompt().await.id, "a phone's own");
    phone.ended(card.id, "a phone's own").await;

    let card = phone.card("Then publish?").await;
    scene.service.fault(Fault::Error("no publisher is free"));
    phone.tap(card.id, "Continue").await;
    let why = "The agent rejected the answer: no publisher is free";
    phone
        .says(&format!("⚠️ Not delivered: {why}\nresearch: Then publish?"))
        .await;
    phone.shows(card.id, why).await;
    phone.tap(card.id, "Continue").await;
    phone.ended(card.id, "Continued").await;
    let answer = json!({ "action": "answer", "answers": ["a phone's own"] });
    let go_on = || json!({ "action": "continue" });
    scene.resumed_with("t", &[answer, go_on(), go_on()]).await;
    scene.nothing_left().await;
    phone.nothing_left().await;
}
