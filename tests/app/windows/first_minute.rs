//! The first minute: everything real but the phone. A person who has just installed Beckon names a
//! server and its password, makes the bot known, pairs a phone, answers the test question, and then
//! what an agent asks.

use super::driver::{Driver, ENTER, picture};
use super::stage::{Stage, environment};
use crate::common::{SOON, asked_by, named};
use beckon_support::beckon::Beckon;
use beckon_support::desktop::Desktop;
use beckon_support::eventually;
use beckon_support::keyring::Keyring;
use beckon_support::model::{Model, script};
use beckon_support::notifications::Notifications;
use beckon_support::opencode::{OpenCode, Version};
use beckon_support::replay::Replay;
use beckon_support::telegram::{TOKEN, Telegram};
use serde_json::json;
use std::time::{Duration, Instant};

/// What a person has for it.
const A_MINUTE: Duration = Duration::from_secs(60);
const PASSWORD: &str = "a password of the server";

#[tokio::test(flavor = "multi_thread")]
async fn from_the_first_start_to_an_answered_test_question_within_a_minute() {
    let model = Model::start();
    let server = OpenCode::builder(Version::V1_18_33, &model).password(PASSWORD);
    let opencode = server.start().await;
    let telegram = Telegram::start();
    let (stage, keyring) = just_installed(&telegram).await;
    let began = Instant::now();
    let driver = Driver::start(&stage, &["settings", "welcome"]).await;
    name_the_server(&driver, &opencode).await;
    set_up_the_phone(&stage, &driver, &telegram).await;
    answer_the_test(&stage, &driver).await;
    assert!(began.elapsed() < A_MINUTE, "it took {:?}", began.elapsed());
    assert_eq!(keyring.secret("telegram").as_deref(), Some(TOKEN.as_bytes()));
    assert_eq!(keyring.secret("opencode:work").as_deref(), Some(PASSWORD.as_bytes()));
    assert!(!stage.config().contains(PASSWORD) && !stage.config().contains(TOKEN));
    drop(driver);

    let directory = opencode.directory().to_owned();
    let session = opencode.session(&directory, "A session").await;
    let asked = asked_by(json!([named("Which one?", &["This", "That"])]));
    opencode.prompt(&session, &directory, &script(&[asked])).await;
    stage.shown("Which one?").await;
    let driver = Driver::start(&stage, &["answer"]).await;
    driver.reads("Which one?").await;
    driver.keys(&["2", ENTER]).await;
    eventually("the model reads it", SOON, async || {
        let results = model.tool_results();
        results.iter().any(|(_, told)| told.contains("\"Which one?\"=\"That\"")).then_some(())
    })
    .await;
    assert_eq!(telegram.complaints(), Vec::<String>::new());
}

/// A desktop with a keychain, and a Beckon that knows no server and no bot: only where the Telegram
/// of this test is.
async fn just_installed(telegram: &Telegram) -> (Stage, Keyring) {
    let desktop = Desktop::start();
    let daemon = Notifications::start(desktop.bus());
    let keyring = Keyring::start(desktop.bus());
    let config = format!("opencode = []\n[telegram]\napi_url = \"{}\"\n", telegram.url());
    let builder = Beckon::builder(env!("CARGO_BIN_EXE_beckon")).args(&[]).config(&config);
    let beckon = environment(&desktop).into_iter().fold(builder, |b, (n, v)| b.env(&n, v)).start();
    beckon.wait_ready().await;
    (Stage { beckon, daemon, replay: Replay::start(), desktop }, keyring)
}

async fn name_the_server(driver: &Driver, opencode: &OpenCode) {
    driver.reads("Which agents").await;
    driver.press("Add a server").await;
    driver.fill("add-name", "work").await;
    driver.fill("add-url", &opencode.url()).await;
    driver.fill("add-password", "wrong").await;
    driver.press("Test and add").await;
    driver.reads("password").await;
    driver.fill("add-password", PASSWORD).await;
    driver.press("Test and add").await;
    driver.reads("work is added").await;
    driver.press("Next").await;
}

async fn set_up_the_phone(stage: &Stage, driver: &Driver, telegram: &Telegram) {
    driver.reads("And when you are away?").await;
    driver.fill("token", TOKEN).await;
    driver.press("Check and keep").await;
    driver.press("Show the code").await;
    driver.reads("https://t.me/").await;
    let link = driver.run("return document.querySelector('code').innerText").await;
    picture(stage, driver, "pairing").await;
    let code = link.as_str().unwrap().rsplit('=').next().unwrap().to_owned();
    let ada = telegram.user("Ada");
    telegram.start_link(ada, &code);
    driver.reads("Ada").await;
    driver.press("Next").await;
}

async fn answer_the_test(stage: &Stage, driver: &Driver) {
    driver.press("Send a test question").await;
    stage.press("Does this reach you?", "Yes").await;
    driver.reads("You answered: Yes").await;
    stage.daemon.wait_empty(SOON).await;
    driver.press("Done").await;
    stage.no_window("Beckon").await;
}
