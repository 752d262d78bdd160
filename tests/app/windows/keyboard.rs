//! Tests of every shape of ask in the real web view, answered by keys alone, with a visible focus
//! and the clipboard at hand.

use super::driver::{Driver, ENTER, TAB, picture};
use super::stage::Stage;
use crate::common::{DIRECTORY, SESSION, SOON};
use beckon_support::eventually;
use beckon_support::interrupts::Service;
use beckon_support::replay::{Kind, permission, question};
use serde_json::{Value, json};

#[tokio::test(flavor = "multi_thread")]
async fn a_question_is_answered_by_two_keys() {
    let stage = Stage::start().await;
    stage.ask("que_1", "Now?").await;
    let driver = Driver::start(&stage, &["answer"]).await;
    driver.reads("Now?").await;
    picture(&stage, &driver, "single").await;
    driver.keys(&["2", ENTER]).await;
    assert_eq!(stage.reply("que_1").await, json!({ "answers": [["No"]] }));
    stage.daemon.wait_empty(SOON).await;
    driver.reads("Nobody").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_own_answer_is_as_high_as_its_text_from_the_first_and_at_any_width() {
    let stage = Stage::start().await;
    stage.ask("que_1", "Now?").await;
    let driver = Driver::start(&stage, &["answer"]).await;
    driver.reads("Now?").await;
    // The page is drawn before its window is shown, and so has its size already.
    assert_eq!(lines(&driver).await, 1);
    let window = stage.window("Beckon").await;
    driver.keys(&["3"]).await;
    driver.write(&"word ".repeat(9)).await;
    for (width, expected) in [("330", 2), ("800", 1)] {
        stage
            .desktop
            .xdotool(&["windowsize", &window, width, "560"]);
        let high = async || (lines(&driver).await == expected).then_some(());
        eventually(&format!("{expected} lines at {width}"), SOON, high).await;
    }
}

/// Returns the height of the own answer's field, in lines.
async fn lines(driver: &Driver) -> i64 {
    let script = "const field = document.querySelector('textarea');
        return Math.round(field.clientHeight / parseFloat(getComputedStyle(field).lineHeight));";
    driver.run(script).await.as_i64().unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn permissions_are_answered_by_keys_alone() {
    let stage = Stage::start().await;
    let driver = Driver::start(&stage, &["answer"]).await;
    let mut always = permission("per_1", SESSION, "make");
    always["always"] = json!(["make *"]);
    let asks = [
        always,
        permission("per_2", SESSION, "list-all"),
        permission("per_3", SESSION, "copy-all"),
    ];
    for (ask, keys) in asks
        .into_iter()
        .zip([["2", ENTER], ["1", ENTER], ["3", "no"]])
    {
        let command = ask["patterns"][0].as_str().unwrap().to_owned();
        let id = ask["id"].as_str().unwrap().to_owned();
        stage.replay.ask(Kind::Permission, DIRECTORY, ask).await;
        driver.reads(&command).await;
        driver.settled().await;
        match keys {
            ["3", reason] => {
                driver.keys(&["3"]).await;
                driver.write(reason).await;
                driver.with_control(ENTER).await;
            }
            ["2", _] => {
                driver.keys(&["2"]).await;
                driver.reads("make *").await;
                // A broad permission is never the default: Enter alone would go back.
                driver.keys(&[TAB, ENTER]).await;
            }
            keys => driver.keys(&keys).await,
        }
        stage.reply(&id).await;
        stage.daemon.wait_empty(SOON).await;
    }
    assert_eq!(stage.reply("per_1").await, json!({ "reply": "always" }));
    assert_eq!(stage.reply("per_2").await, json!({ "reply": "once" }));
    assert_eq!(
        stage.reply("per_3").await,
        json!({ "reply": "reject", "message": "no" })
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_dangerous_command_is_not_allowed_by_enter_alone() {
    let stage = Stage::start().await;
    let driver = Driver::start(&stage, &["answer"]).await;
    let dangerous = permission("per_1", SESSION, "rm -rf dist");
    stage
        .put(Kind::Permission, "wants to run rm", dangerous)
        .await;
    driver.reads("Deletes files, and can't be undone.").await;
    let may_press = "return document.querySelector('[data-key=\"1\"]')?.ariaDisabled === 'false'";
    eventually("it may be answered", SOON, async || {
        (driver.run(may_press).await == true).then_some(())
    })
    .await;
    let marked = driver
        .run("return document.querySelector('mark').innerText")
        .await;
    assert_eq!(marked, "rm -rf");
    driver.keys(&[ENTER, ENTER]).await;
    driver.with_control(ENTER).await;
    assert_eq!(stage.beckon.list().await[0]["state"], "open");
    driver.keys(&["1", ENTER]).await;
    assert_eq!(stage.reply("per_1").await, json!({ "reply": "once" }));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_permission_is_allowed_once_and_denied_with_a_reason() {
    let stage = Stage::start().await;
    stage
        .put(
            Kind::Permission,
            "wants to run make",
            permission("per_1", SESSION, "make"),
        )
        .await;
    let driver = Driver::start(&stage, &["answer"]).await;
    driver.reads("make").await;
    picture(&stage, &driver, "permission").await;
    let seen = stage.beckon.list().await[0]["fingerprint"].clone();
    let stale = json!({ "id": "per_1", "seen": "0123456789", "reason": "not on Fridays" });
    let refused = driver.invoke("deny", stale).await;
    assert!(
        refused["refused"].to_string().contains("has changed"),
        "{refused}"
    );
    let deny = json!({ "id": "per_1", "seen": seen, "reason": "not on Fridays" });
    let verdict = driver.invoke("deny", deny).await;
    assert_eq!(verdict["ok"]["state"], "taken", "{verdict}");
    let body = stage.reply("per_1").await;
    assert_eq!(
        body,
        json!({ "reply": "reject", "message": "not on Fridays" })
    );
    let again = driver
        .invoke(
            "grant",
            json!({ "id": "per_1", "seen": seen, "always": false }),
        )
        .await;
    assert_eq!(
        again["ok"],
        json!({ "state": "already answered", "by": "window" }),
        "{again}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_set_with_several_choices_and_own_text_is_answered_by_keys_alone() {
    let stage = Stage::start().await;
    let mut set = question("que_1", SESSION, "Which?", &["A", "B", "C"]);
    set["questions"][0]["multiple"] = json!(true);
    let own = question("que_1", SESSION, "What name?", &[]);
    set["questions"]
        .as_array_mut()
        .unwrap()
        .push(own["questions"][0].clone());
    // The window is opened before the ask, which would otherwise make another window ready.
    let driver = Driver::start(&stage, &["answer"]).await;
    stage.replay.ask(Kind::Question, DIRECTORY, set).await;
    driver.reads("Which?").await;
    driver.settled().await;
    driver.keys(&["1", "3"]).await;
    driver.with_control(ENTER).await;
    driver.reads("What name?").await;
    driver.write("Ada\u{597d}").await;
    driver.with_control(ENTER).await;
    driver.reads("Ada\u{597d}").await;
    picture(&stage, &driver, "review").await;
    // The set is not sent yet: the review is one more step.
    driver.with_control(ENTER).await;
    let body = stage.reply("que_1").await;
    assert_eq!(body, json!({ "answers": [["A", "C"], ["Ada\u{597d}"]] }));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_confirm_is_answered_by_keys_alone() {
    let service = Service::start();
    let stage = Stage::with(&service.config("research")).await;
    service.wait_streams(1, SOON).await;
    let driver = Driver::start(&stage, &["answer"]).await;
    for (thread, info, keys) in [
        ("t", "Deploy now?", vec![ENTER]),
        ("u", "Delete it all?", vec!["2", ENTER]),
    ] {
        service.interrupt(thread, json!({ "info": info }));
        driver.reads(info).await;
        driver.settled().await;
        driver.keys(&keys).await;
        eventually("the thread goes on", SOON, async || {
            (!service.waits(thread)).then_some(())
        })
        .await;
        driver.reads("Nobody").await;
    }
    let told: Vec<Value> = service
        .resumed()
        .into_iter()
        .map(|resumed| resumed.body)
        .collect();
    assert_eq!(
        (&told[0]["action"], &told[1]["action"]),
        (&json!("continue"), &json!("cancel"))
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn whatever_has_the_focus_is_seen_to_have_it() {
    let stage = Stage::start().await;
    stage.ask("que_1", "Now?").await;
    let driver = Driver::start(&stage, &["answer"]).await;
    driver.reads("Now?").await;
    driver.settled().await;
    let ringed = "const it = document.activeElement;
        const ring = (node) => {
            const style = getComputedStyle(node);
            return style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 2;
        };
        const around = [it, it.parentElement, it.closest('label, [class]')];
        const at = it.closest('label, button, textarea, a, summary') ?? it;
        return [it === document.body ? 'nothing' : (at.innerText || it.placeholder || it.tagName),
            around.some((node) => node && ring(node))]";
    let mut seen = Vec::new();
    for _ in 0..5 {
        driver.keys(&[TAB]).await;
        let it = driver.run(ringed).await;
        assert_eq!(it[1], true, "no ring round {}", it[0]);
        seen.push(it[0].to_string());
    }
    seen.dedup();
    assert!(seen.len() >= 4, "Tab goes through the page: {seen:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_copied_in_the_window_can_be_pasted_there() {
    let stage = Stage::start().await;
    stage.ask("que_1", "Now?").await;
    let driver = Driver::start(&stage, &["answer"]).await;
    driver.reads("Now?").await;
    driver
        .run("document.querySelector('textarea').focus()")
        .await;
    driver.write("tea").await;
    let window = stage.window("Beckon").await;
    let keys = ["key", "ctrl+a", "ctrl+c", "End", "ctrl+v"];
    let focus = ["windowactivate", "--sync", &window];
    stage.desktop.xdotool(&[&focus[..], &keys[..]].concat());
    eventually("it is there twice", SOON, async || {
        let text = driver
            .run("return document.querySelector('textarea').value")
            .await;
        (text == "teatea").then_some(())
    })
    .await;
}
