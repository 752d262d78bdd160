//! Tests of what a real window reports about itself, and about a Beckon that dies while the window
//! is open.

use super::driver::Driver;
use super::stage::Stage;
use crate::common::SOON;
use beckon_support::eventually;

#[tokio::test(flavor = "multi_thread")]
async fn a_window_says_in_its_title_which_one_it_is() {
    let stage = Stage::start().await;
    let driver = Driver::start(&stage, &["settings", "general"]).await;
    stage.window("^Beckon settings$").await;
    drop(driver);
    let _driver = Driver::start(&stage, &["answer"]).await;
    stage.window("^Beckon requests$").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_window_says_that_its_beckon_has_died_and_takes_it_back() {
    let stage = Stage::start().await;
    stage.ask("que_1", "Now?").await;
    let driver = Driver::start(&stage, &["answer"]).await;
    driver.reads("Now?").await;
    driver.keys(&["3"]).await;
    driver.write("in my words").await;
    stage.beckon.kill9();
    driver.reads("Beckon isn't running").await;
    stage.beckon.start();
    eventually("the window takes it back", SOON, async || {
        let text = driver.text().await;
        (!text.contains("isn't running")).then_some(())
    })
    .await;
    let typed = driver
        .run("return document.querySelector('textarea').value")
        .await;
    assert_eq!(typed, "in my words");
}
