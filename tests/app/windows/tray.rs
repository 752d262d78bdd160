//! The tray's menu in a real panel, by the pointer, while requests come and go.

use super::stage::Stage;
use crate::common::SOON;
use beckon_support::desktop::Place;
use beckon_support::eventually;
use std::path::Path;
use std::time::{Duration, Instant};

/// Within the only icon of the panel.
const ICON: (i32, i32) = (12, 17);
/// The program in which the panel runs its tray.
const TRAY: &str = "wrapper-2.0";
/// More than a panel is high, and less than a menu.
const MENU: i32 = 100;
/// More than the panel's own menu is high (136 pixels in xfce4-panel 4.18), and less than Beckon's.
const OWN_MENU: i32 = 180;
/// The time within which a panel that has taken a click shows a menu. A click that comes while one is
/// shown closes it.
const OPENS_WITHIN: Duration = Duration::from_secs(3);

/// Opens the menu by a right click on the icon; returns where the menu is. Before the panel has drawn
/// the icon it shows a menu of its own, which is closed again.
async fn opened(stage: &Stage) -> Place {
    let mut clicked: Option<Instant> = None;
    let place = eventually("an open menu", SOON, async || {
        match menu(stage) {
            Some(menu) if menu.height > OWN_MENU => return Some(menu),
            Some(_) => {
                stage.desktop.key("Escape");
                clicked = None;
            }
            None if clicked.is_none_or(|at| at.elapsed() > OPENS_WITHIN) => {
                stage.desktop.point(ICON);
                stage.desktop.xdotool(&["click", "3"])?;
                clicked = Some(Instant::now());
            }
            None => {}
        }
        None
    });
    place.await
}

fn menu(stage: &Stage) -> Option<Place> {
    let places = stage.desktop.places("--class", TRAY).into_iter();
    places.rev().find(|place| place.height > MENU)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_click_on_settings_opens_them_although_a_request_went_while_the_menu_was_open() {
    let mut stage = Stage::start().await;
    stage.desktop.start_panel();
    // So that the last answers have a line already, and one line goes with the request.
    stage.ask("que_0", "Before?").await;
    stage.press("Before?", "Yes").await;
    stage.reply("que_0").await;
    stage.ask("que_1", "First?").await;
    stage.ask("que_2", "Second?").await;
    let place = opened(&stage).await;
    if let Some(folder) = std::env::var_os("BECKON_TEST_PICTURES") {
        stage
            .desktop
            .screenshot(&Path::new(&folder).join("tray-menu.png"));
    }

    let answered = stage
        .beckon
        .command(&["answer", "que_1", "--choice", "1"])
        .await;
    assert_eq!(answered.status, Some(0), "{answered:?}");
    stage.reply("que_1").await;
    eventually("one waits", SOON, async || {
        (stage.beckon.list().await.len() == 1).then_some(())
    })
    .await;
    stage
        .desktop
        .point((place.x + 40, place.y + place.height - 44));
    stage.desktop.click_here();

    stage.window("^Beckon settings$").await;
    assert!(stage.beckon.is_running());
}
