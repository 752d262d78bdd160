//! Tests that nothing new covers the answer window while its human is in it; what came meanwhile is
//! shown afterwards.

use super::driver::Driver;
use super::stage::Stage;
use crate::common::{DIRECTORY, SOON, yes_or_no};
use beckon_support::eventually;
use beckon_support::replay::Kind;

#[tokio::test(flavor = "multi_thread")]
async fn while_somebody_is_in_the_answer_window_no_new_notification_covers_it() {
    let stage = Stage::start().await;
    stage.ask("que_1", "The first?").await;
    let driver = Driver::start(&stage, &["answer"]).await;
    driver.reads("The first?").await;
    let window = stage.window("Beckon").await;
    eventually("the window has the keyboard", SOON, async || {
        let _ = stage.desktop.xdotool(&["windowactivate", &window]);
        (stage.desktop.focused()? == window).then_some(())
    })
    .await;
    driver.settled().await;
    let request = yes_or_no("que_2", "The second?");
    stage.replay.ask(Kind::Question, DIRECTORY, request).await;
    driver.reads("1 more").await;
    assert_eq!(stage.daemon.all().len(), 1, "{:?}", stage.daemon.all());
    stage.close("Beckon").await;
    stage.press("The second?", "Yes").await;
    stage.reply("que_2").await;
}
