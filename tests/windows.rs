//! The windows of the real program on a private X desktop: opened by a click, answered by keys, and
//! nothing is lost when one is killed. What the pages hold is read through WebKit's own driver.
#![allow(clippy::unwrap_used, clippy::expect_used, missing_docs)]
#![cfg(all(target_os = "linux", feature = "gui"))]

mod common;
#[path = "windows/stage.rs"]
mod stage;

use beckon_support::eventually;
use common::SOON;
use stage::Stage;

#[tokio::test(flavor = "multi_thread")]
async fn a_click_on_a_notification_opens_a_window_and_a_closed_one_opens_again() {
    let stage = Stage::start().await;
    stage.ask("que_1", "Now?").await;
    stage.press("Now?", "Answer…").await;
    let window = stage.window("Beckon").await;
    let first = stage.window_processes();
    assert_eq!(first.len(), 1);
    stage.desktop.close_window(&window);
    stage.no_window("Beckon").await;
    assert_eq!(stage.window_processes(), first, "a closed window stays warm");
    stage.press("Now?", "Answer…").await;
    stage.window("Beckon").await;
    assert_eq!(stage.window_processes(), first, "one program for every window");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_window_that_is_closed_gives_its_memory_back() {
    let stage = Stage::with("[window]\nkeep_warm = \"1s\"\n").await;
    stage.ask("que_1", "Now?").await;
    stage.press("Now?", "Answer…").await;
    let window = stage.window("Beckon").await;
    stage.desktop.close_window(&window);
    eventually("no window program", SOON, async || {
        stage.window_processes().is_empty().then_some(())
    })
    .await;
    assert!(stage.beckon.is_running());
    stage.press("Now?", "Answer…").await;
    stage.window("Beckon").await;
}
