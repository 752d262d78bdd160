//! Tests of a window that is called: it comes to the desktop that its human looks at, with the
//! keyboard, wherever it was.

use super::stage::Stage;
use crate::common::SOON;
use beckon_support::desktop::WindowManager;
use beckon_support::eventually;
use beckon_support::process::Process;

/// Puts the window on the first desktop, and the human into a terminal on the second.
async fn at_work_elsewhere(stage: &Stage) -> Process {
    stage.desktop.turn_to(0);
    stage.ask("que_1", "Now?").await;
    call(stage).await;
    stage.window("Beckon").await;
    stage.desktop.turn_to(1);
    let terminal = Process::spawn(stage.desktop.command("xterm"));
    let window = eventually("a terminal", SOON, async || {
        stage.desktop.windows("--class", "xterm").pop()
    })
    .await;
    eventually("the terminal has the keyboard", SOON, async || {
        let _ = stage.desktop.xdotool(&["windowfocus", &window]);
        (stage.desktop.focused()? == window).then_some(())
    })
    .await;
    // A key makes the last event on that desktop the human's own.
    stage.desktop.key("a");
    terminal
}

async fn call(stage: &Stage) {
    let shown = stage.beckon.command(&["show", "que_1", "--window"]).await;
    assert_eq!(shown.status, Some(0), "{shown:?}");
}

/// Checks that the window is on the desktop that is looked at, and gets what is typed.
async fn is_here(stage: &Stage) {
    let window = stage.painted("Beckon").await;
    eventually("the window has the keyboard", SOON, async || {
        (stage.desktop.focused()? == window).then_some(())
    })
    .await;
    let desktop = stage.desktop.xdotool(&["get_desktop"]);
    assert_eq!(desktop.as_deref().map(str::trim), Some("1"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_window_on_another_desktop_comes_with_the_keyboard_when_it_is_called() {
    for manager in [WindowManager::Openbox, WindowManager::Xfwm4] {
        let stage = Stage::under(manager).await;
        let _terminal = at_work_elsewhere(&stage).await;
        call(&stage).await;
        is_here(&stage).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_click_on_a_notification_brings_the_window_from_another_desktop() {
    for manager in [WindowManager::Openbox, WindowManager::Xfwm4] {
        let stage = Stage::under(manager).await;
        let _terminal = at_work_elsewhere(&stage).await;
        stage.press("Now?", "Answer…").await;
        is_here(&stage).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_closed_window_is_called_to_the_desktop_that_is_looked_at() {
    let stage = Stage::under(WindowManager::Openbox).await;
    let _terminal = at_work_elsewhere(&stage).await;
    stage.desktop.turn_to(0);
    stage.close("Beckon").await;
    stage.desktop.turn_to(1);
    call(&stage).await;
    is_here(&stage).await;
}
