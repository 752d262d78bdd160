//! Tests of the windows of the real program on a private X desktop: opened by a click, answered by
//! keys, and nothing is lost when one is killed. The contents of the pages are read through
//! WebKit's own driver.

mod called;
mod covering;
mod driver;
mod first_minute;
mod fitting;
mod hostile;
mod inbox;
mod keyboard;
mod look;
mod pausing;
mod ready;
mod stage;
mod standing;
mod taking_over;
mod tray;

use self::driver::{Driver, ENTER};
use self::stage::Stage;
use crate::common::SOON;
use beckon_support::eventually;
use beckon_support::process::Process;
use serde_json::{Value, json};

#[tokio::test(flavor = "multi_thread")]
async fn a_click_on_a_notification_opens_a_window_and_a_closed_one_opens_again() {
    let stage = Stage::start().await;
    stage.ask("que_1", "Now?").await;
    stage.press("Now?", "Answer…").await;
    stage.window("Beckon").await;
    let first = stage.window_processes();
    assert_eq!(first.len(), 1);
    stage.close("Beckon").await;
    assert_eq!(
        stage.window_processes(),
        first,
        "a closed window stays warm"
    );
    let shown = stage.beckon.command(&["show", "que_1", "--window"]).await;
    assert_eq!(shown.status, Some(0), "{shown:?}");
    stage.window("Beckon").await;
    assert_eq!(
        stage.window_processes(),
        first,
        "one program for every window"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_window_that_is_closed_gives_its_memory_back() {
    let stage = Stage::with("[window]\nkeep_warm = \"1s\"\n").await;
    stage.ask("que_1", "Now?").await;
    stage.press("Now?", "Answer…").await;
    stage.window("Beckon").await;
    stage.close("Beckon").await;
    eventually("no window program", SOON, async || {
        stage.window_processes().is_empty().then_some(())
    })
    .await;
    assert!(stage.beckon.is_running());
    assert_eq!(
        stage.beckon.command(&["show", "--window"]).await.status,
        Some(0)
    );
    stage.window("Beckon").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_typed_is_there_again_after_the_window_was_killed() {
    let stage = Stage::start().await;
    stage.ask("que_1", "Now?").await;
    let driver = Driver::start(&stage, &["answer"]).await;
    driver.reads("Now?").await;
    driver
        .run("document.querySelector('textarea').focus()")
        .await;
    driver.write("as soon as it rains").await;
    eventually("the draft is kept", SOON, async || {
        let drafts = driver.invoke("drafts", json!({})).await;
        (drafts["ok"]["que_1"]["replies"][0]["text"] == "as soon as it rains").then_some(())
    })
    .await;
    driver.kill9();
    drop(driver);
    assert!(stage.beckon.is_running());
    let driver = Driver::start(&stage, &["answer"]).await;
    driver.reads("Now?").await;
    let text = driver
        .run("return document.querySelector('textarea').value")
        .await;
    assert_eq!(text, "as soon as it rains");
    driver
        .run("document.querySelector('textarea').focus()")
        .await;
    driver.with_control(ENTER).await;
    assert_eq!(
        stage.reply("que_1").await,
        json!({ "answers": [["as soon as it rains"]] })
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_saved_setting_holds_at_once_and_the_file_keeps_its_comments() {
    let stage = Stage::with("# mine\n[presence]\naway_after = \"3m\" # tea\n").await;
    let driver = Driver::start(&stage, &["settings", "presence"]).await;
    let saved = json!({ "key": "presence.away_after", "value": "7m" });
    let saved = driver.invoke("save_setting", saved).await;
    assert!(saved["ok"]["keys"].is_array(), "{saved}");
    assert!(
        stage
            .config()
            .contains("# mine\n[presence]\naway_after = \"7m\" # tea")
    );
    let wrong = json!({ "key": "presence.away_after", "value": "soon" });
    let refused = driver.invoke("save_setting", wrong).await;
    assert_eq!(refused["refused"]["code"], "invalid", "{refused}");
    assert!(
        refused["refused"]["message"]
            .as_str()
            .unwrap()
            .contains("soon")
    );
    let url = stage.replay.url();
    let server = json!({ "name": "second", "url": url, "username": "opencode" });
    let added = driver.invoke("add_server", server).await;
    assert_eq!(added["ok"]["servers"][1]["name"], "second", "{added}");
    eventually("the second server is watched", SOON, async || {
        let status = stage.beckon.status().await;
        (status["sources"][1]["state"] == "live").then_some(())
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn no_command_gives_a_secret_and_the_answer_window_may_not_set_one() {
    let stage = Stage::start().await;
    stage.ask("que_1", "Now?").await;
    let endpoint = stage.beckon.endpoint().unwrap();
    let (token, url) = (text(&endpoint["token"]), text(&endpoint["url"]));
    let reads = [
        "open_view",
        "settings",
        "telegram_people",
        "history",
        "health",
    ];
    let settings = Driver::start(&stage, &["settings"]).await;
    for command in reads {
        let told = settings.invoke(command, json!({})).await;
        assert!(
            told["ok"].is_object() || told["ok"].is_array(),
            "{command}: {told}"
        );
        assert!(
            !told.to_string().contains(&token),
            "{command} gives the token"
        );
        assert!(
            !told.to_string().contains(&url),
            "{command} gives the address"
        );
    }
    let html = settings
        .run("return document.documentElement.outerHTML")
        .await
        .to_string();
    assert!(!html.contains(&token));
    drop(settings);
    let answer = Driver::start(&stage, &["answer"]).await;
    for command in ["set_secret", "save_setting", "telegram_login", "settings"] {
        let told = answer.invoke(command, json!({})).await;
        let refused = told["refused"].as_str().unwrap_or_default();
        assert!(refused.contains("not allowed"), "{command}: {told}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_from_elsewhere_is_neither_loaded_nor_asked() {
    let stage = Stage::start().await;
    let driver = Driver::start(&stage, &["answer"]).await;
    let url = stage.replay.url();
    driver
        .run(&format!(
            "fetch('{url}/stolen').catch(() => {{}}); location.href = '{url}/gone'"
        ))
        .await;
    driver
        .run("document.body.append(Object.assign(new Image(), {src: 'http://127.0.0.1:9/x.png'}))")
        .await;
    let refused = driver
        .invoke("open_link", json!({ "url": "file:///etc/passwd" }))
        .await;
    assert_eq!(refused["refused"]["code"], "failed", "{refused}");
    let place = driver.run("return location.protocol").await;
    assert_eq!(place, "tauri:");
    assert_eq!(
        (stage.replay.count("/stolen"), stage.replay.count("/gone")),
        (0, 0)
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn the_self_test_goes_through_every_leg_and_leaves_nothing() {
    let stage = Stage::start().await;
    let driver = Driver::start(&stage, &["settings", "health"]).await;
    let findings = driver.invoke("self_test", json!({})).await;
    let findings = findings["ok"].as_array().cloned().unwrap_or_default();
    let legs: Vec<&str> = findings.iter().filter_map(|f| f["leg"].as_str()).collect();
    assert_eq!(legs, ["loop", "desktop", "answer", "store", "telegram"]);
    assert!(
        findings[..4].iter().all(|f| f["ok"] == true),
        "{findings:?}"
    );
    let telegram = findings[4]["text"].as_str().unwrap_or_default();
    assert!(
        telegram.contains("isn't set up"),
        "nobody has given it a token: {findings:?}"
    );
    assert_eq!(
        stage.daemon.all().len(),
        1,
        "one notification came and went"
    );
    stage.daemon.wait_empty(SOON).await;
    assert!(stage.beckon.list().await.is_empty());
    let history = driver.invoke("history", json!({ "limit": 9 })).await;
    assert_eq!(
        history["ok"]["entries"],
        json!([]),
        "a self-test is nobody's history"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_second_start_hands_its_page_over_and_ends() {
    let stage = Stage::start().await;
    let driver = Driver::start(&stage, &["answer"]).await;
    stage.window("Beckon").await;
    let mut second = std::process::Command::new(env!("CARGO_BIN_EXE_beckon-window"));
    second
        .args(["settings", "history"])
        .env_clear()
        .envs(stage.environment());
    let mut second = Process::spawn(second);
    let status = eventually("the second ends", SOON, async || second.exit_status()).await;
    assert!(status.success());
    eventually("two windows", SOON, async || {
        (stage.desktop.windows("--name", "Beckon").len() == 2).then_some(())
    })
    .await;
    drop(driver);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_history_says_who_answered_what_and_goes_into_a_file() {
    let stage = Stage::start().await;
    stage.ask("que_1", "Now?").await;
    let driver = Driver::start(&stage, &["settings", "history"]).await;
    assert_eq!(
        stage
            .beckon
            .command(&["answer", "que_1", "--choice", "1"])
            .await
            .status,
        Some(0)
    );
    let found = driver
        .invoke("history", json!({ "text": "now", "limit": 5 }))
        .await;
    let entry = &found["ok"]["entries"][0];
    assert_eq!(
        (&entry["by"], &entry["answer"]),
        (&json!("cli"), &json!([["Yes"]])),
        "{found}"
    );
    let path = driver
        .invoke("export_history", json!({ "format": "csv" }))
        .await;
    let csv = std::fs::read_to_string(path["ok"].as_str().unwrap()).unwrap();
    assert!(
        csv.contains("\"Now?\",\"answered\",\"cli\",\"Yes\""),
        "{csv}"
    );
    let view = driver.invoke("open_view", json!({})).await;
    assert_eq!(view["ok"]["today"]["answered"], 1, "{view}");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_hot_key_opens_the_answer_window_and_another_can_be_taken_at_once() {
    let stage = Stage::with("[window]\nhotkey = \"Ctrl+Alt+B\"\n").await;
    stage.desktop.key("ctrl+alt+b");
    stage.window("Beckon").await;
    stage.close("Beckon").await;
    let config = stage.config().replace("Ctrl+Alt+B", "Ctrl+Alt+K");
    stage.beckon.write_config(&config);
    eventually("the other key opens it", SOON, async || {
        stage.desktop.key("ctrl+alt+k");
        (!stage.desktop.windows("--name", "Beckon").is_empty()).then_some(())
    })
    .await;
    stage
        .beckon
        .write_config(&config.replace("Ctrl+Alt+K", "B"));
    eventually("a key that cannot be had is told of", SOON, async || {
        let status = stage.beckon.status().await;
        let warned = status["warnings"].to_string().contains("window.hotkey");
        (warned && status["hotkey_error"] == status["warnings"][0]).then_some(())
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_very_first_start_shows_somebody_round_once() {
    let stage = Stage::without_a_file().await;
    stage.window("Beckon").await;
    stage.beckon.terminate();
    stage.no_window("Beckon").await;
    stage.beckon.start();
    stage.beckon.wait_ready().await;
    let status = stage.beckon.command(&["show", "--window"]).await;
    assert_eq!(status.status, Some(0), "{status:?}");
    stage.window("Beckon").await;
    assert_eq!(
        stage.desktop.windows("--name", "Beckon").len(),
        1,
        "the answer window alone"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_window_gets_the_token_of_the_click_and_no_secret() {
    let stage = Stage::knowing("BECKON_OPENCODE_PASSWORD_LOCAL", "hunter2").await;
    let shown = stage.ask("que_1", "Now?").await;
    stage.daemon.activation_token(shown.id, "click-1");
    stage.press("Now?", "Answer…").await;
    stage.window("Beckon").await;
    let window = stage.window_processes()[0];
    let environment = std::fs::read(format!("/proc/{window}/environ")).unwrap();
    let environment = String::from_utf8_lossy(&environment);
    assert!(
        environment.contains("XDG_ACTIVATION_TOKEN=click-1"),
        "{environment}"
    );
    assert!(environment.contains("BECKON_HOME=") && !environment.contains("hunter2"));
}

#[tokio::test(flavor = "multi_thread")]
async fn another_language_is_spoken_at_once_also_when_the_file_is_edited_by_hand() {
    let stage = Stage::start().await;
    let driver = Driver::start(&stage, &["answer"]).await;
    driver.reads("Nobody").await;
    stage
        .beckon
        .write_config(&format!("language = \"zh-CN\"\n{}", stage.config()));
    eventually("the page speaks Chinese", SOON, async || {
        (driver.run("return document.documentElement.lang").await == "zh-CN").then_some(())
    })
    .await;
}

fn text(value: &Value) -> String {
    value.as_str().unwrap().to_owned()
}
