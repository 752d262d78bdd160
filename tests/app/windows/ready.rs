//! Tests of a window that is made ready before it is wanted: for asks that no button can answer,
//! and when the tray's menu is opened. It is not shown until its human wants it, and not kept for
//! ever.

use super::stage::{Stage, web_views};
use crate::common::menu::Tray;
use crate::common::{SESSION, SOON};
use beckon_support::desktop::WindowManager;
use beckon_support::eventually;
use beckon_support::replay::{Kind, question};
use serde_json::Value;
use std::time::Duration;

/// The time after which a window counts as drawn: a page that does not report that it is drawn is
/// waited for (`GIVE_UP` of `frame.rs`), and a second more.
const LATER: Duration = Duration::from_secs(4);

/// Makes two questions, for which no notification has a button.
fn set(id: &str) -> Value {
    let mut set = question(id, SESSION, "Which?", &["A", "B"]);
    let second = question(id, SESSION, "When?", &["Now", "Later"]);
    set["questions"]
        .as_array_mut()
        .unwrap()
        .push(second["questions"][0].clone());
    set
}

async fn made_ready(stage: &Stage) -> u32 {
    eventually("a window program", SOON, async || {
        stage.window_processes().first().copied()
    })
    .await
}

#[tokio::test(flavor = "multi_thread")]
async fn what_no_button_can_answer_finds_its_window_ready_and_unseen() {
    let stage = Stage::start().await;
    stage.put(Kind::Question, "2 questions", set("que_1")).await;
    let ready = made_ready(&stage).await;
    eventually("a web view", SOON, async || {
        (web_views(ready) == 1).then_some(())
    })
    .await;
    assert!(
        stage.desktop.windows("--name", "Beckon").is_empty(),
        "it is not seen"
    );
    stage.press("2 questions", "Answer…").await;
    stage.painted("Beckon").await;
    assert_eq!(stage.window_processes(), [ready]);
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_opens_the_menu_of_the_tray_finds_the_window_ready() {
    let stage = Stage::start().await;
    let tray = Tray::of(stage.desktop.bus(), &stage.beckon);
    assert_eq!(
        stage.window_processes(),
        Vec::<u32>::new(),
        "nobody wants one"
    );
    // The call by which a panel announces that it shows the menu.
    let _: bool = tray.menu().call("AboutToShow", &0).unwrap();
    let ready = made_ready(&stage).await;
    eventually("a web view", SOON, async || {
        (web_views(ready) == 1).then_some(())
    })
    .await;
    assert!(
        stage.desktop.windows("--name", "Beckon").is_empty(),
        "it is not seen"
    );
    tray.press("Open Beckon").await;
    stage.painted("Beckon").await;
    assert_eq!(stage.window_processes(), [ready]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_window_that_has_stood_ready_for_seconds_shows_its_page_when_it_is_called() {
    for manager in [WindowManager::Openbox, WindowManager::Xfwm4] {
        let stage = Stage::under(manager).await;
        stage.put(Kind::Question, "2 questions", set("que_1")).await;
        let ready = made_ready(&stage).await;
        tokio::time::sleep(LATER).await;
        let shown = stage.beckon.command(&["show", "que_1", "--window"]).await;
        assert_eq!(shown.status, Some(0), "{shown:?}");
        stage.painted("Beckon").await;
        assert_eq!(stage.window_processes(), [ready]);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_window_that_has_stood_ready_shows_its_page_after_a_press_of_a_button_and_once_closed() {
    let stage = Stage::start().await;
    stage.put(Kind::Question, "2 questions", set("que_1")).await;
    made_ready(&stage).await;
    tokio::time::sleep(LATER).await;
    stage.press("2 questions", "Answer…").await;
    stage.painted("Beckon").await;
    stage.close("Beckon").await;
    // The notification has gone with its press.
    let shown = stage.beckon.command(&["show", "que_1", "--window"]).await;
    assert_eq!(shown.status, Some(0), "{shown:?}");
    stage.painted("Beckon").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_window_that_was_made_ready_in_vain_goes_again() {
    let stage = Stage::with("[window]\nkeep_warm = \"2s\"\n").await;
    stage.put(Kind::Question, "2 questions", set("que_1")).await;
    made_ready(&stage).await;
    eventually("no window program", SOON, async || {
        stage.window_processes().is_empty().then_some(())
    })
    .await;
    stage.press("2 questions", "Answer…").await;
    stage.window("Beckon").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_window_of_text_is_not_drawn_by_the_graphics_card() {
    let stage = Stage::start().await;
    stage.put(Kind::Question, "2 questions", set("que_1")).await;
    stage.press("2 questions", "Answer…").await;
    stage.window("Beckon").await;
    let [program] = stage.window_processes()[..] else {
        panic!("one window program")
    };
    let environment = std::fs::read(format!("/proc/{program}/environ")).unwrap();
    let environment = String::from_utf8_lossy(&environment);
    let has = |variable: &str| environment.split('\0').any(|it| it == variable);
    assert!(has("WEBKIT_DISABLE_DMABUF_RENDERER=1") && has("GDK_GL=disable"));
}
