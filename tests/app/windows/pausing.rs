//! Tests of a pause in the real web view: it is shown above what waits, and ended from there.

use super::driver::Driver;
use super::stage::Stage;
use crate::common::SOON;
use beckon_support::eventually;
use serde_json::json;

#[tokio::test(flavor = "multi_thread")]
async fn the_answer_window_says_that_it_is_paused_and_ends_that_but_begins_none() {
    let stage = Stage::start().await;
    let endpoint = stage.beckon.endpoint().unwrap();
    let (url, token) = (
        endpoint["url"].as_str().unwrap(),
        endpoint["token"].as_str().unwrap(),
    );
    let until = jiff::Timestamp::now().as_millisecond() + 600_000;
    let pause = reqwest::Client::new()
        .post(format!("{url}/pause"))
        .bearer_auth(token);
    pause
        .json(&json!({ "until": until }))
        .send()
        .await
        .unwrap()
        .error_for_status()
        .unwrap();
    let paused = async || stage.beckon.status().await["paused_until"].as_i64();
    eventually("it is paused", SOON, async || {
        paused().await.filter(|at| *at == until)
    })
    .await;
    let driver = Driver::start(&stage, &["answer"]).await;
    driver
        .reads("no notifications, nothing new on Telegram")
        .await;
    driver.press("Resume").await;
    eventually("the pause is over", SOON, async || {
        paused().await.is_none().then_some(())
    })
    .await;
    eventually("nothing speaks of it", SOON, async || {
        (!driver.text().await.contains("Paused until")).then_some(())
    })
    .await;
    let refused = driver.invoke("pause", json!({ "minutes": 30 })).await;
    assert!(refused.get("refused").is_some(), "{refused}");
    assert_eq!(paused().await, None);
}
