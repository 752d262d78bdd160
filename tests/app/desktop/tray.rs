//! Tests of the tray of the real program, read and clicked over D-Bus as a panel does it.

use crate::common::menu::Tray;
use crate::common::{DIRECTORY, Rehearsal, SOON, config, yes_or_no};
use beckon_support::beckon::Beckon;
use beckon_support::bus::Bus;
use beckon_support::desktop::{ColourScheme, Portal};
use beckon_support::eventually;
use beckon_support::replay::Kind;
use serde_json::json;
use zbus::zvariant::Value;

#[tokio::test(flavor = "multi_thread")]
async fn a_choice_in_the_tray_menu_is_the_answer() {
    let (stage, tray) = start().await;
    stage.ask("que_1", "Go on?").await;
    let id = tray.wait_for("No").await;
    tray.click(id);
    let replies = stage.replies("que_1", 1).await;
    assert_eq!(replies[0].body["answers"], json!([["No"]]));
    stage.daemon.wait_empty(SOON).await;
    tray.wait_gone("No").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_tray_says_where_you_are_and_takes_your_word_for_it() {
    let (stage, tray) = start().await;
    tray.press("Away").await;
    eventually("away", SOON, async || {
        let status = stage.beckon.status().await;
        (status["presence"]["away"] == true && status["presence"]["override"] == "away")
            .then_some(())
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_hour_away_says_when_it_ends_also_after_a_crash() {
    let (stage, tray) = start().await;
    tray.press("Away for 1 h").await;
    let until = eventually("away for a while", SOON, async || {
        let presence = &stage.beckon.status().await["presence"];
        (presence["override"] == "away")
            .then(|| presence["until"].as_i64())
            .flatten()
    })
    .await;
    let label = tray.wait_like("Set by you until ").await;
    let end = label.split("until ").last().unwrap();
    tray.wait_for(&format!("Away until {end}")).await;
    stage.beckon.kill9();
    stage.beckon.start();
    stage.ready().await;
    assert_eq!(stage.beckon.status().await["presence"]["until"], until);
    let tray = Tray::of(&stage.bus, &stage.beckon);
    assert_eq!(tray.wait_like("Set by you until ").await, label);
    tray.press("Automatic").await;
    tray.wait_gone(&format!("Away until {end}")).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_open_menu_gets_older_in_place() {
    let (stage, tray) = start().await;
    stage.ask("que_1", "Go on?").await;
    let id = tray.wait_for("project: Go on?").await;
    let young = tray.wait_like("project: Go on? · ").await;
    let revision = tray.revision();
    eventually("it is older", SOON, async || {
        tray.open();
        let lines = tray.lines();
        let (now, label) = lines
            .iter()
            .find(|line| line.1.starts_with("project: Go on? · "))?;
        assert_eq!(*now, id, "its line is another one");
        (*label != young).then_some(())
    })
    .await;
    assert_eq!(tray.revision(), revision, "lines moved");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_last_answers_stand_in_the_menu_also_after_a_crash() {
    let (stage, tray) = start().await;
    assert!(tray.lines().iter().all(|line| line.1 != "Recent answers"));
    stage.ask("que_1", "Go on?").await;
    let id = tray.wait_for("No").await;
    tray.click(id);
    let label = tray.wait_like("project: No · in the tray, ").await;
    stage.beckon.kill9();
    stage.beckon.start();
    stage.ready().await;
    let tray = Tray::of(&stage.bus, &stage.beckon);
    tray.wait_for("Recent answers").await;
    assert_eq!(tray.wait_like("project: No · ").await, label);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_pause_takes_the_notifications_away_and_keeps_the_asks() {
    let (stage, tray) = start().await;
    stage.ask("que_1", "Go on?").await;
    tray.press("30 min").await;
    stage.daemon.wait_empty(SOON).await;
    assert_eq!(stage.beckon.list().await.len(), 1);
    tray.wait_like("Paused until ").await;
    tray.wait_for("project: Go on?").await;
    tray.press("Resume").await;
    stage.shown("Go on?").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn quit_ends_the_program_and_leaves_no_card() {
    let (stage, tray) = start().await;
    stage.ask("que_1", "Go on?").await;
    tray.press("Quit Beckon").await;
    eventually("the end", SOON, async || {
        (!stage.beckon.is_running()).then_some(())
    })
    .await;
    stage.daemon.wait_empty(SOON).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_hot_key_that_cannot_be_had_is_told_of_until_it_is_corrected() {
    let (stage, _tray) = start().await;
    let usual = config(&stage.replay.url());
    stage
        .beckon
        .write_config(&format!("{usual}[window]\nhotkey = \"B\"\n"));
    let status = eventually("an error of the hot key", SOON, async || {
        let status = stage.beckon.status().await;
        status["hotkey_error"].is_string().then_some(status)
    })
    .await;
    assert_eq!(status["warnings"], json!([status["hotkey_error"]]));
    stage.beckon.write_config(&usual);
    eventually("no error any more", SOON, async || {
        stage.beckon.status().await["hotkey_error"]
            .is_null()
            .then_some(())
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_bell_is_dark_on_a_desktop_of_light_colours_and_light_on_every_other() {
    let (_stage, tray) = start().await;
    assert!(tray.tone() > [200; 3], "where nobody says, panels are dark");
    let bus = Bus::start();
    let portal = Portal::start(&bus, ColourScheme::Light);
    let beckon = Beckon::builder(env!("CARGO_BIN_EXE_beckon"))
        .bus(&bus)
        .args(&[])
        .start();
    let tray = Tray::of(&bus, &beckon);
    let becomes = async |what: &str, is: fn(&[u8; 3]) -> bool| {
        eventually(what, SOON, async || is(&tray.tone()).then_some(())).await;
    };
    becomes("a dark bell", |tone| *tone < [80; 3]).await;
    portal.prefer(ColourScheme::Dark);
    becomes("a light bell", |tone| *tone > [200; 3]).await;
    portal.prefer(ColourScheme::Light);
    becomes("a dark bell", |tone| *tone < [80; 3]).await;
    portal.prefer(ColourScheme::None);
    becomes("a light bell", |tone| *tone > [200; 3]).await;
}

/// Starts a rehearsal with a tray, and returns the tray's menu.
async fn start() -> (Rehearsal, Tray) {
    let mut stage = Rehearsal::without_beckon();
    stage.beckon = Beckon::builder(env!("CARGO_BIN_EXE_beckon"))
        .bus(&stage.bus)
        .config(&config(&stage.replay.url()))
        .args(&[])
        .start();
    stage.ready().await;
    let tray = Tray::of(&stage.bus, &stage.beckon);
    (stage, tray)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_click_in_a_menu_that_has_changed_meanwhile_answers_nothing_else() {
    let (stage, tray) = start().await;
    stage.ask("que_1", "First?").await;
    let old = tray.wait_for("Yes").await;
    stage.press("First?", "Yes").await;
    stage.replies("que_1", 1).await;
    stage.daemon.wait_empty(SOON).await;
    let request = yes_or_no("que_2", "Second?");
    stage.replay.ask(Kind::Question, DIRECTORY, request).await;
    tray.wait_for("project: Second?").await;
    tray.wait_gone("project: First?").await;
    // Whatever the old line's number means now, it must not be an answer to the new ask.
    let _ = tray
        .menu()
        .call::<_, _, ()>("Event", &(old, "clicked", Value::from(0), 0u32));
    stage.press("Second?", "No").await;
    let replies = stage.replies("que_2", 1).await;
    assert_eq!(replies[0].body["answers"], json!([["No"]]));
}

#[tokio::test(flavor = "multi_thread")]
async fn lines_of_an_open_menu_stay_where_they_are_while_requests_come_and_go() {
    let (stage, tray) = start().await;
    stage.ask("que_1", "First?").await;
    let yes = tray.wait_for("Yes").await;
    tray.open();
    let (lines, revision) = (tray.lines(), tray.revision());

    stage.press("First?", "No").await;
    stage.replies("que_1", 1).await;
    stage.daemon.wait_empty(SOON).await;
    for (id, text) in [("que_2", "Second?"), ("que_3", "Third?")] {
        let request = yes_or_no(id, text);
        stage.replay.ask(Kind::Question, DIRECTORY, request).await;
    }
    eventually("the icon counts the two", SOON, async || {
        tray.tooltip().contains("2 waiting").then_some(())
    })
    .await;
    assert_eq!((tray.lines(), tray.revision()), (lines, revision));

    // What stands in the open menu means what it meant when it was opened.
    let _ = tray
        .menu()
        .call::<_, _, ()>("Event", &(yes, "clicked", Value::from(0), 0u32));
    tray.open();
    tray.wait_for("project: Second?").await;
    tray.wait_gone("project: First?").await;
    assert_eq!(stage.replay.replies().len(), 1, "nothing else was answered");
}
