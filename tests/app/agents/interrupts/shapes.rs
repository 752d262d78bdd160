//! Tests of the shapes of interrupts: options of an ordinary one, the documents' own example, and
//! all fields on one level.

use super::scene::{Scene, id, options};
use crate::common::SOON;
use beckon_support::eventually;
use beckon_support::interrupts::Service;
use serde_json::json;

#[tokio::test(flavor = "multi_thread")]
async fn options_of_an_ordinary_interrupt_are_choices_and_its_two_actions_are_not() {
    let scene = Scene::start().await;
    let approve = options(&[("批准", "approve"), ("拒绝", "reject")]);
    for (thread, label, action) in [("a", "批准", "continue"), ("r", "拒绝", "cancel")] {
        let info = format!("Deploy {thread}?");
        scene
            .service
            .interrupt(thread, json!({ "info": info, "options": approve }));
        scene.press(&format!("research · {info}"), label).await;
        scene
            .resumed_with(thread, &[json!({ "action": action })])
            .await;
        scene.nothing_left().await;
    }

    let actions = options(&[("Confirm", "confirm"), ("Cancel", "cancel")]);
    scene
        .service
        .interrupt("u", json!({ "info": "Deploy?", "options": actions }));
    scene.press("research · Continue?", "Continue").await;
    scene
        .resumed_with("u", &[json!({ "action": "continue" })])
        .await;
    scene.nothing_left().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_choice_that_the_service_does_not_take_leaves_one_that_it_does() {
    let scene = Scene::start().await;
    let choices = options(&[("Blue", "blue"), ("Green", "green")]);
    scene.service.interrupt(
        "t",
        json!({ "info": "Which deployment?", "options": choices }),
    );
    let ask = scene.only().await;
    let refused = scene.answer(&ask, &["--choice", "2"]).await;
    assert!(
        refused
            .stderr
            .contains("does not match questions count (0)"),
        "{refused:?}"
    );
    scene.answers(&ask, &["--choice", "3"], "taken").await;
    let answer = json!({ "action": "answer", "answers": ["green"] });
    scene
        .resumed_with("t", &[answer, json!({ "action": "continue" })])
        .await;
    scene.open(0).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_documents_own_example_is_shown_and_says_what_is_missing() {
    let scene = Scene::start().await;
    scene.service.interrupt_as_documented("t");
    let ask = scene.only().await;
    assert_eq!(ask["questions"][0]["question"], "Favourite colour?");
    let told = eventually("it says what is missing", SOON, async || {
        let ask = scene.only().await;
        (ask["returned"]["reason"] == "no-thread").then_some(ask)
    })
    .await;
    eventually("the card says so", SOON, async || {
        let card = scene.shown("Favourite colour?").await;
        card.body.contains("config.toml").then_some(())
    })
    .await;
    let refused = scene.answer(&told, &["--choice", "1"]).await;
    assert!(refused.stderr.contains("thread"), "{refused:?}");
    assert_eq!(scene.service.resumed(), []);
    let away = scene
        .beckon
        .command(&["dismiss", id(&told), "--json"])
        .await;
    assert_eq!(away.json()["state"], "gone", "{away:?}");
    scene.nothing_left().await;
    assert!(scene.service.waits("t"), "nothing was sent");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stream_of_one_thread_is_answered_by_the_thread_of_the_settings() {
    let service = Service::start();
    let scene = Scene::without_beckon(service, "thread = \"t/1\"\n", |program| program);
    scene.beckon.start();
    scene.live().await;
    scene.service.interrupt_as_documented("t/1");
    let ask = scene.only().await;
    scene.answers(&ask, &["--text", "my own"], "taken").await;
    let body = json!({ "action": "answer", "answers": ["my own"] });
    scene.resumed_with("t/1", &[body]).await;
    scene.nothing_left().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_event_with_its_data_on_one_level_asks_its_questions() {
    let scene = Scene::start().await;
    let question = json!({ "question": "Colour?", "options": options(&[("Red", "r")]) });
    let asked = json!({ "questions": [question] });
    scene.service.interrupt_unheard("t", asked.clone());
    let mut flat = asked;
    flat["event"] = json!("interrupt");
    flat["thread_id"] = json!("t");
    scene.service.write(&format!("data: {flat}\n\n"));
    scene.press("research · Colour?", "Red").await;
    scene
        .resumed_with("t", &[json!({ "action": "answer", "answers": ["r"] })])
        .await;
    scene.nothing_left().await;
}
