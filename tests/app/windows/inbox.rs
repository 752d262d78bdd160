//! Tests of the inbox in the real window, by keys alone: a real OpenCode's questions are answered
//! in their rows, similar permissions together, and what is snoozed or seen is so everywhere.

use super::driver::{Driver, ENTER, picture};
use super::stage::Stage;
use crate::common::{DIRECTORY, SESSION, SOON, asked_by, named};
use beckon_support::eventually;
use beckon_support::model::{Model, script};
use beckon_support::opencode::{OpenCode, Version};
use beckon_support::replay::{Kind, permission};
use serde_json::{Value, json};

/// Waits until the heading shows this count of waiting asks.
async fn waiting(driver: &Driver, count: usize) {
    driver.reads(&format!("{count} waiting")).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn questions_of_a_real_opencode_are_answered_in_their_rows_by_keys_alone() {
    let model = Model::start();
    let opencode = OpenCode::builder(Version::V1_18_33, &model).start().await;
    let stage = Stage::with(&format!(
        "[[opencode]]\nname = \"real\"\nurl = \"{}\"\n",
        opencode.url()
    ))
    .await;
    for (title, question) in [
        ("First", "Which one first?"),
        ("Second", "Which one second?"),
    ] {
        let session = opencode.session(opencode.directory(), title).await;
        let asked = asked_by(json!([named(question, &["This", "That"])]));
        opencode
            .prompt(&session, opencode.directory(), &script(&[asked]))
            .await;
        stage.shown(question).await;
    }
    let driver = Driver::start(&stage, &["inbox"]).await;
    waiting(&driver, 2).await;
    picture(&stage, &driver, "inbox").await;
    // A key that was meant for one row must not answer the next: for a moment no row takes an
    // answer.
    let ready = async || {
        let button = "return document.querySelector('[data-current] ~ * [data-key], [data-key]')
            ?.ariaDisabled === 'false'";
        eventually("the row may be answered", SOON, async || {
            (driver.run(button).await == true).then_some(())
        })
        .await;
    };
    driver.keys(&["j"]).await;
    ready().await;
    driver.keys(&["2", ENTER]).await;
    waiting(&driver, 1).await;
    ready().await;
    driver.keys(&["1", ENTER]).await;
    let read = async |told: &str| {
        eventually(&format!("the model reads {told}"), SOON, async || {
            let results = model.tool_results();
            results
                .iter()
                .any(|(_, result)| result.contains(told))
                .then_some(())
        })
        .await;
    };
    read("\"Which one second?\"=\"That\"").await;
    read("\"Which one first?\"=\"This\"").await;
    stage.daemon.wait_empty(SOON).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn similar_permissions_are_allowed_together_each_by_its_own_answer() {
    let stage = Stage::start().await;
    for n in 1..=4 {
        let command = format!("npm test -- part-{n}");
        let request = permission(&format!("per_{n}"), SESSION, &command);
        stage.replay.ask(Kind::Permission, DIRECTORY, request).await;
        eventually("it is on the list", SOON, async || {
            (stage.beckon.list().await.len() == n).then_some(())
        })
        .await;
    }
    let driver = Driver::start(&stage, &["inbox"]).await;
    waiting(&driver, 4).await;
    driver.keys(&[ENTER]).await;
    driver.reads("part-4").await;
    picture(&stage, &driver, "inbox-batch").await;
    // A rejection would reject the others as well.
    let granted = stage.beckon.command(&["grant", "per_2"]).await;
    assert_eq!(granted.status, Some(0), "{granted:?}");
    driver.reads("no longer waiting").await;
    eventually("three are to be allowed", SOON, async || {
        let button = "const several = document.querySelector('[data-several]');
            return several?.ariaDisabled === 'false' && several.innerText";
        let said = driver.run(button).await;
        said.as_str()
            .is_some_and(|said| said.contains("Allow 3 once"))
            .then_some(())
    })
    .await;
    driver.keys(&["a", ENTER]).await;
    for id in ["per_1", "per_2", "per_3", "per_4"] {
        assert_eq!(stage.reply(id).await, json!({ "reply": "once" }), "{id}");
    }
    assert_eq!(stage.replay.replies().len(), 4, "one answer to each");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_seen_or_snoozed_by_a_key_is_so_on_every_surface() {
    let stage = Stage::start().await;
    stage.ask("que_1", "First?").await;
    stage.ask("que_2", "Second?").await;
    let driver = Driver::start(&stage, &["inbox"]).await;
    waiting(&driver, 2).await;
    driver.keys(&["e"]).await;
    let aside = async |id: &str, is: Value| {
        eventually(&format!("{id} is {is}"), SOON, async || {
            let list = stage.beckon.list().await;
            let ask = list.into_iter().find(|ask| ask["id"] == id).unwrap();
            (ask["set_aside"]["is"] == is).then_some(())
        })
        .await;
    };
    aside("que_1", json!("seen")).await;
    driver.keys(&["j", "s", ENTER]).await;
    aside("que_2", json!("snoozed")).await;
    waiting(&driver, 1).await;
    stage.daemon.wait_empty(SOON).await;
    assert_eq!(stage.beckon.status().await["open"], 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_window_that_stands_or_was_closed_shows_the_inbox_when_it_is_asked_for() {
    let stage = Stage::start().await;
    stage.ask("que_1", "First?").await;
    stage.ask("que_2", "Second?").await;
    let driver = Driver::start(&stage, &["answer"]).await;
    driver.reads("Dismiss").await;
    for _ in 0..2 {
        let opened = stage.beckon.command(&["list", "--window"]).await;
        assert_eq!(opened.status, Some(0), "{opened:?}");
        waiting(&driver, 2).await;
        stage.close("Beckon").await;
        let one = stage.beckon.command(&["show", "que_2", "--window"]).await;
        assert_eq!(one.status, Some(0), "{one:?}");
        driver.reads("Dismiss").await;
    }
}
