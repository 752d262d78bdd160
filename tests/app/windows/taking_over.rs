//! Tests of keys at a person's pace in the real window, while the ask in front of them is answered
//! elsewhere: the keys act on nothing else, and typed text stays.

use super::driver::{Driver, picture};
use super::stage::Stage;
use crate::common::http::call;
use crate::common::{DIRECTORY, SOON};
use beckon_support::desktop::Place;
use beckon_support::eventually;
use beckon_support::replay::{Kind, permission};
use reqwest::Method;
use serde_json::json;
use std::time::Duration;
use tokio::process::Child;

/// The milliseconds between two keys of a person who types well.
const PACE: &str = "110";
/// `PAUSE_MS` of the page, and a tenth of a second.
const LONGER_THAN_THE_PAUSE: Duration = Duration::from_millis(1600);

#[tokio::test(flavor = "multi_thread")]
async fn what_is_typed_into_an_answer_allows_nothing_when_that_is_answered_elsewhere() {
    let stage = Stage::start().await;
    stage.ask("que_1", "Which table?").await;
    let publish = permission("per_1", "bash", "npm publish --access public");
    stage.replay.ask(Kind::Permission, DIRECTORY, publish).await;
    let driver = Driver::start(&stage, &["answer"]).await;
    driver.reads("Which table?").await;
    stage.window("Beckon").await;
    driver.keys(&["3"]).await;

    let mut typing = typing(&stage, "drop the old table 1 a s e r and");
    eventually("the first words are there", SOON, async || {
        let written = driver
            .run("return document.querySelector('textarea').value")
            .await;
        written.as_str()?.starts_with("drop").then_some(())
    })
    .await;
    let answered = stage
        .beckon
        .command(&["answer", "que_1", "--choice", "1"])
        .await;
    assert_eq!(answered.status, Some(0), "{answered:?}");
    assert!(typing.wait().await.unwrap().success());
    driver.reads("It's over").await;
    picture(&stage, &driver, "over").await;

    assert!(driver.text().await.contains("Which table?"));
    let list = stage.beckon.list().await;
    assert_eq!(list.len(), 1, "{list:?}");
    assert_eq!(list[0]["state"], "open", "{list:?}");
    driver.press("Next request").await;
    driver.reads("npm publish").await;
    assert!(driver.text().await.contains("What you typed wasn't sent"));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_typed_on_after_an_answer_was_sent_presses_nothing_of_the_next_request() {
    let stage = Stage::start().await;
    stage.ask("que_1", "Which table?").await;
    let publish = permission("per_1", "bash", "npm publish");
    stage.replay.ask(Kind::Permission, DIRECTORY, publish).await;
    let driver = Driver::start(&stage, &["answer"]).await;
    driver.reads("Which table?").await;
    stage.window("Beckon").await;
    driver.keys(&["3"]).await;

    typed(&stage, "drop it").await;
    assert!(stage.desktop.xdotool(&["key", "ctrl+Return"]).is_some());
    driver.says("npm publish").await;
    // Its first letter is that of "Allow once", and a blank presses a button.
    typed(&stage, "and then drop it ").await;
    still_open(&stage).await;

    // After a pause letters act again; those of a word press nothing.
    tokio::time::sleep(LONGER_THAN_THE_PAUSE).await;
    typed(&stage, "and a ").await;
    still_open(&stage).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_that_grows_over_the_resting_pointer_has_not_been_looked_at() {
    let stage = Stage::start().await;
    let harmless = permission("per_1", "bash", "ls");
    stage.put(Kind::Permission, "ls", harmless).await;
    let lines: Vec<String> = (1..=14).map(|line| format!("echo {line}")).collect();
    let long = permission("per_2", "bash", &lines.join("\n"));
    stage.replay.ask(Kind::Permission, DIRECTORY, long).await;
    let driver = Driver::start(&stage, &["answer"]).await;
    driver.reads("ls").await;
    stage.window("Beckon").await;
    let before = place(&stage);
    let middle = before.x + before.width / 2;
    stage.desktop.point((middle, before.y + before.height / 2));
    stage.desktop.point((middle, before.y + before.height + 40));

    // No shortcut has these letters. Whoever types them does not pause.
    let mut typing = typing(&stage, &"nd".repeat(30));
    let allowed = stage.beckon.command(&["grant", "per_1"]).await;
    assert_eq!(allowed.status, Some(0), "{allowed:?}");
    driver.says("echo 2").await;
    eventually("the window has grown over the pointer", SOON, async || {
        let now = place(&stage);
        (now.y + now.height > before.y + before.height + 40).then_some(())
    })
    .await;
    for _ in 0..5 {
        stage.desktop.key("Return");
        tokio::time::sleep(Duration::from_millis(110)).await;
    }
    assert!(typing.wait().await.unwrap().success());
    still_open(&stage).await;
}

/// Returns where the answer window is.
fn place(stage: &Stage) -> Place {
    let places = stage.desktop.places("--name", "Beckon");
    places.into_iter().next_back().expect("a window is there")
}

async fn typed(stage: &Stage, words: &str) {
    assert!(typing(stage, words).wait().await.unwrap().success());
}

/// Starts to type at a person's pace.
fn typing(stage: &Stage, words: &str) -> Child {
    let typing = tokio::process::Command::new("xdotool")
        .args(["type", "--delay", PACE, words])
        .env_clear()
        .envs(stage.environment())
        .spawn();
    typing.unwrap()
}

async fn still_open(stage: &Stage) {
    let list = stage.beckon.list().await;
    let states: Vec<&str> = list
        .iter()
        .filter_map(|ask| ask["state"].as_str())
        .collect();
    assert_eq!(states, ["open"], "{list:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_window_hears_of_its_own_page_only() {
    let stage = Stage::start().await;
    stage.ask("que_1", "The first?").await;
    stage.ask("que_2", "The second?").await;
    let driver = Driver::start(&stage, &["answer", "que_1"]).await;
    driver.reads("The first?").await;
    driver
        .run("document.querySelector('nav button.next').click()")
        .await;
    let title = "return document.querySelector('main h1, main h2, h1').innerText";
    eventually("the second one is shown", SOON, async || {
        let title = driver.run(title).await;
        title.as_str()?.contains("The second?").then_some(())
    })
    .await;

    let settings = json!({ "page": { "window": "settings", "tab": "presence" } });
    let (status, told) = call(&stage.beckon, Method::POST, "/windows/open", &settings).await;
    assert_eq!(status, 200, "{told}");
    eventually("both windows are there", SOON, async || {
        let windows = stage
            .desktop
            .xdotool(&["search", "--onlyvisible", "--name", "Beckon"])?;
        (windows.lines().count() >= 2).then_some(())
    })
    .await;
    stage.ask("que_3", "The third?").await;
    stage.ask("que_4", "The fourth?").await;
    driver.reads("3 more").await;
    let shown = driver.run(title).await;
    assert!(shown.as_str().unwrap().contains("The second?"), "{shown}");
}
