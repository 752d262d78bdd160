//! Tests of the texts of an agent that means harm, or means well and says too much, in the real web
//! view.

use super::driver::{Driver, ENTER, TAB};
use super::stage::Stage;
use crate::common::SESSION;
use beckon_support::replay::{Kind, question};
use serde_json::{Value, json};

const HARM: &str =
    "<img src=x onerror=\"window.pwned=1\"><script>window.pwned=1</script>\u{202e}txt.exe\u{200b}";

async fn harmless(driver: &Driver) {
    assert_eq!(driver.run("return typeof window.pwned").await, "undefined");
    assert_eq!(
        driver
            .run("return document.querySelectorAll('body img, body script').length")
            .await,
        0
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn ten_megabytes_and_ten_thousand_choices_are_answered_by_two_keys() {
    let stage = Stage::start().await;
    let text = HARM.to_owned() + &"so much to say ".repeat(700_000);
    assert!(text.len() > 10_000_000);
    let mut long = question("que_1", SESSION, &text, &[]);
    let choices =
        (0..10_000).map(|n| json!({ "label": format!("{HARM} {n}"), "description": HARM }));
    long["questions"][0]["options"] = Value::Array(choices.collect());
    let driver = Driver::start(&stage, &["answer"]).await;
    stage
        .replay
        .ask(Kind::Question, crate::common::DIRECTORY, long)
        .await;
    driver.reads("so much to say").await;
    driver.settled().await;
    driver.reads("U+202E").await;
    harmless(&driver).await;
    driver.keys(&["2", ENTER]).await;
    let reply = stage.reply("que_1").await;
    assert_eq!(
        reply,
        json!({ "answers": [[format!("{HARM} 1")]] }),
        "delivered as it was given"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_command_hides_is_made_visible_before_it_is_allowed() {
    let stage = Stage::start().await;
    let mut wish = beckon_support::replay::permission("per_1", SESSION, "make");
    let command = format!("echo {HARM}{}", "; true".repeat(3_000));
    wish["patterns"] = json!([command]);
    wish["metadata"]["command"] = json!(command);
    let driver = Driver::start(&stage, &["answer"]).await;
    stage
        .replay
        .ask(Kind::Permission, crate::common::DIRECTORY, wish)
        .await;
    driver.reads("U+202E").await;
    driver.settled().await;
    harmless(&driver).await;
    driver.keys(&["1", ENTER]).await;
    driver.reads("Allow this once?").await;
    assert!(
        stage.replay.replies().is_empty(),
        "one press allows nothing that is cut off"
    );
    driver.keys(&[TAB, ENTER]).await;
    assert_eq!(stage.reply("per_1").await, json!({ "reply": "once" }));
}
