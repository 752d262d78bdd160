//! Tests that the answer window is as large as what it shows.

use super::driver::{Driver, ENTER};
use super::stage::Stage;
use crate::common::{DIRECTORY, SESSION, SOON};
use beckon_support::eventually;
use beckon_support::replay::{Kind, question};

const MANY: [&str; 12] = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l"];

/// Waits until the window has the height of what it shows, or its greatest height; returns the
/// height.
async fn fitted(driver: &Driver, most: i64) -> i64 {
    let script = "const frame = document.querySelector('.window');
        const last = frame.lastElementChild.getBoundingClientRect().bottom;
        const hole = document.querySelector('main').getBoundingClientRect().height
            - document.querySelector('main').scrollHeight;
        return [innerHeight, frame.scrollHeight, Math.round(last), Math.round(hole)];";
    let look = async || {
        let seen: Vec<i64> = serde_json::from_value(driver.run(script).await).ok()?;
        let [height, content, last, hole] = seen[..] else {
            return None;
        };
        let hugs = content <= height && last >= height - 1 && hole <= 1;
        (hugs || height == most && content > height).then_some(height)
    };
    eventually("a window that hugs its content", SOON, look).await
}

async fn height(driver: &Driver) -> i64 {
    driver.run("return innerHeight").await.as_i64().unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_answer_window_is_as_high_as_what_it_shows() {
    let stage = Stage::start().await;
    stage.ask("que_1", "Now?").await;
    let driver = Driver::start(&stage, &["answer"]).await;
    driver.reads("Now?").await;
    let low = fitted(&driver, 640).await;
    assert!((240..480).contains(&low), "{low}");
    let many = question("que_2", SESSION, "Which of them?", &MANY);
    // The notification does not cover the window.
    stage.replay.ask(Kind::Question, DIRECTORY, many).await;
    driver.keys(&["1", ENTER]).await;
    driver.reads("Which of them?").await;
    let most = async || (height(&driver).await == 640).then_some(());
    eventually("the most that it takes", SOON, most).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn one_that_was_dragged_keeps_its_size() {
    let stage = Stage::start().await;
    stage.ask("que_1", "Now?").await;
    let driver = Driver::start(&stage, &["answer"]).await;
    driver.reads("Now?").await;
    fitted(&driver, 640).await;
    let window = stage.window("Beckon").await;
    stage
        .desktop
        .xdotool(&["windowsize", &window, "500", "533"]);
    let dragged = async || (height(&driver).await == 533).then_some(());
    eventually("the size of the human", SOON, dragged).await;
    let many = question("que_2", SESSION, "Which?", &MANY);
    stage.replay.ask(Kind::Question, DIRECTORY, many).await;
    driver.keys(&["1", ENTER]).await;
    driver.reads("Which?").await;
    driver.settled().await;
    assert_eq!(height(&driver).await, 533);
}
