//! Tests that the windows look as the desktop's settings say, where no portal reports these: for
//! programs that Beckon has started, in the environment that it has given them.

use super::stage::Stage;
use crate::common::SOON;
use beckon_support::desktop::{Look, Place};
use beckon_support::eventually;

/// The brightness that separates ground from text: in a light theme, brighter is ground and darker
/// is text.
const INK: u8 = 110;

async fn open(stage: &Stage) {
    stage.ask("que_1", "Now?").await;
    let shown = stage.beckon.command(&["show", "que_1", "--window"]).await;
    assert_eq!(shown.status, Some(0), "{shown:?}");
    stage.window("Beckon").await;
}

fn place(stage: &Stage) -> Option<Place> {
    stage.desktop.places("--name", "Beckon").pop()
}

/// Returns the colour of the page's ground, at its edge.
fn ground(stage: &Stage) -> Option<[u8; 3]> {
    let Place { x, y, .. } = place(stage)?;
    let corner = Place {
        x: x + 5,
        y: y + 5,
        width: 1,
        height: 1,
    };
    stage.desktop.pixels(corner).pop()
}

/// Returns how many pixels of the window are text.
fn ink(stage: &Stage, place: Place) -> usize {
    let pixels = stage.desktop.pixels(place).into_iter();
    pixels
        .filter(|pixel| pixel.iter().all(|part| *part < INK))
        .count()
}

/// Waits until the window has this width and its contents are drawn; returns the pixels of text.
async fn ink_at_width(stage: &Stage, width: i32) -> usize {
    let mut before = 0;
    eventually(&format!("a window {width} wide"), SOON, async || {
        let place = place(stage).filter(|place| place.width == width)?;
        let now = ink(stage, place);
        let is_still = now > 0 && now == std::mem::replace(&mut before, now);
        is_still.then_some(now)
    })
    .await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_window_is_dark_where_the_desktop_is_and_turns_with_it() {
    let mut stage = Stage::start().await;
    let dark = Look {
        theme: "Adwaita-dark",
        ..Look::default()
    };
    stage.desktop.take_look(dark);
    open(&stage).await;
    eventually("a dark window", SOON, async || {
        (ground(&stage)? == [0x1b, 0x1b, 0x1a]).then_some(())
    })
    .await;
    stage.desktop.take_look(Look::default());
    eventually("a light window", SOON, async || {
        (ground(&stage)? == [0xf6, 0xf6, 0xf4]).then_some(())
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn with_larger_texts_on_the_desktop_a_window_and_all_in_it_are_larger() {
    let mut stage = Stage::start().await;
    stage.desktop.take_look(Look::default());
    open(&stage).await;
    let usual = ink_at_width(&stage, 420).await;
    let large = Look {
        dpi: 144,
        ..Look::default()
    };
    stage.desktop.take_look(large);
    let larger = ink_at_width(&stage, 630).await;
    // The same area has 2.25 times as many pixels then.
    assert!(
        larger * 10 > usual * 17,
        "{usual} pixels of text, then {larger}"
    );
    stage.close("Beckon").await;
    let shown = stage.beckon.command(&["show", "que_1", "--window"]).await;
    assert_eq!(shown.status, Some(0), "{shown:?}");
    stage.desktop.take_look(Look::default());
    ink_at_width(&stage, 420).await;
}
