//! Tests of the first minute, with everything real but the phone. A person who has just installed
//! Beckon names a server and its password, makes the bot known, pairs a phone, answers the test
//! question, and then what an agent asks.

use super::driver::{Driver, ENTER, picture};
use super::stage::{Stage, environment};
use crate::common::{SOON, asked_by, named};
use beckon_support::beckon::Beckon;
use beckon_support::desktop::Desktop;
use beckon_support::eventually;
use beckon_support::keyring::Keyring;
use beckon_support::model::{Model, script};
use beckon_support::notifications::Notifications;
use beckon_support::opencode::{OpenCode, Terminal, Version};
use beckon_support::replay::Replay;
use beckon_support::telegram::{TOKEN, Telegram};
use serde_json::json;
use std::ffi::OsString;
use std::time::{Duration, Instant};

/// The time that a person has for it.
const A_MINUTE: Duration = Duration::from_secs(60);
/// The time limit for a start of OpenCode's interface, which takes up to ten seconds, and longer
/// when several start at once.
const STARTED: Duration = Duration::from_secs(120);
const PASSWORD: &str = "a password of the server";

#[tokio::test(flavor = "multi_thread")]
async fn from_the_first_start_to_an_answered_test_question_within_a_minute() {
    let model = Model::start();
    let server = OpenCode::builder(Version::V1_18_33, &model).password(PASSWORD);
    let opencode = server.start().await;
    let telegram = Telegram::start();
    let (stage, keyring) = just_installed(&telegram, []).await;
    let began = Instant::now();
    let driver = Driver::start(&stage, &["settings", "welcome"]).await;
    name_the_server(&driver, &opencode).await;
    set_up_the_phone(&stage, &driver, &telegram).await;
    answer_the_test(&stage, &driver).await;
    assert!(began.elapsed() < A_MINUTE, "it took {:?}", began.elapsed());
    assert_eq!(
        keyring.secret("telegram").as_deref(),
        Some(TOKEN.as_bytes())
    );
    assert_eq!(
        keyring.secret("opencode:work").as_deref(),
        Some(PASSWORD.as_bytes())
    );
    assert!(!stage.config().contains(PASSWORD) && !stage.config().contains(TOKEN));
    drop(driver);

    let directory = opencode.directory().to_owned();
    let session = opencode.session(&directory, "A session").await;
    let asked = asked_by(json!([named("Which one?", &["This", "That"])]));
    opencode
        .prompt(&session, &directory, &script(&[asked]))
        .await;
    stage.shown("Which one?").await;
    let driver = Driver::start(&stage, &["answer"]).await;
    driver.reads("Which one?").await;
    driver.keys(&["2", ENTER]).await;
    eventually("the model reads it", SOON, async || {
        let results = model.tool_results();
        results
            .iter()
            .any(|(_, told)| told.contains("\"Which one?\"=\"That\""))
            .then_some(())
    })
    .await;
    assert_eq!(telegram.complaints(), Vec::<String>::new());
}

/// The most common case is OpenCode in a terminal, which opens no port, and Claude Code.
#[tokio::test(flavor = "multi_thread")]
async fn agents_that_run_here_are_connected_from_the_first_page_within_a_minute() {
    let (model, telegram) = (Model::start(), Telegram::start());
    let opencode = Terminal::builder(Version::V1_18_33, &model);
    let beside = [(
        "XDG_CONFIG_HOME".to_owned(),
        opencode.config_home().into_os_string(),
    )];
    let (stage, _keyring) = just_installed(&telegram, beside).await;
    let user = stage.beckon.folder().join("user");
    std::fs::create_dir_all(user.join(".claude")).unwrap();
    let began = Instant::now();
    let driver = Driver::start(&stage, &["settings", "welcome"]).await;
    driver.reads("Connect your agents").await;
    driver.press("Add hooks").await;
    driver.reads("Hooks added").await;
    driver.press("Install plugin").await;
    driver.reads("Plugin installed").await;
    let set_up = began.elapsed();

    let asked = asked_by(json!([named("Which one?", &["This", "That"])]));
    let terminal = opencode
        .env("BECKON_HOME", stage.beckon.home())
        .start(&script(&[asked]));
    stage
        .daemon
        .wait_for(|shown| shown.summary.ends_with("Which one?"), STARTED)
        .await;
    let asked_at = Instant::now();
    is_listed_as_connected(&driver, &terminal.directory()).await;
    picture(&stage, &driver, "connected").await;
    stage.press("Which one?", "That").await;
    eventually("the model reads it", SOON, async || {
        let results = model.tool_results();
        results
            .iter()
            .any(|(_, told)| told.contains("\"Which one?\"=\"That\""))
            .then_some(())
    })
    .await;
    // The time that OpenCode itself takes to start is not part of the first page.
    let took = set_up + asked_at.elapsed();
    assert!(took < A_MINUTE, "it took {took:?}");
    let hooks = std::fs::read_to_string(user.join(".claude/settings.json")).unwrap();
    assert!(hooks.contains("hook claude-code"), "{hooks}");
}

/// Waits until the page lists the OpenCode of that directory as connected. The page lists every
/// OpenCode of this machine, including those of tests that run at the same time.
async fn is_listed_as_connected(driver: &Driver, directory: &str) {
    let row = format!(
        "const rows = [...document.querySelectorAll('li')];
         return rows.find((row) => row.innerText.includes({directory:?}))?.innerText;"
    );
    eventually("the page lists it as connected", SOON, async || {
        let row = driver.run(&row).await;
        row.as_str()?.contains("Connected").then_some(())
    })
    .await;
}

/// Starts a desktop with a keychain, and a Beckon that knows no server and no bot: only where the
/// Telegram of this test is, and where OpenCode has its settings if that is in `beside`.
async fn just_installed(
    telegram: &Telegram,
    beside: impl IntoIterator<Item = (String, OsString)>,
) -> (Stage, Keyring) {
    let desktop = Desktop::start();
    let daemon = Notifications::start(desktop.bus());
    let keyring = Keyring::start(desktop.bus());
    let config = format!(
        "opencode = []\n[telegram]\napi_url = \"{}\"\n",
        telegram.url()
    );
    let builder = Beckon::builder(env!("CARGO_BIN_EXE_beckon"))
        .args(&[])
        .config(&config);
    let variables = environment(&desktop).into_iter().chain(beside);
    let beckon = variables.fold(builder, |b, (n, v)| b.env(&n, v)).start();
    beckon.wait_ready().await;
    (
        Stage {
            beckon,
            daemon,
            replay: Replay::start(),
            desktop,
        },
        keyring,
    )
}

async fn name_the_server(driver: &Driver, opencode: &OpenCode) {
    driver.reads("Connect your agents").await;
    driver
        .run("document.querySelector('summary').click()")
        .await;
    driver.press("Add a server").await;
    driver.fill("add-name", "work").await;
    driver.fill("add-url", &opencode.url()).await;
    driver.fill("add-password", "wrong").await;
    driver.press("Test and add").await;
    driver.reads("password").await;
    driver.fill("add-password", PASSWORD).await;
    driver.press("Test and add").await;
    driver.reads("Added work").await;
    driver.press("Next").await;
}

async fn set_up_the_phone(stage: &Stage, driver: &Driver, telegram: &Telegram) {
    driver.reads("Answer from your phone").await;
    driver.fill("token", TOKEN).await;
    driver.press("Check and save").await;
    driver.press("Show QR code").await;
    driver.reads("https://t.me/").await;
    let link = driver
        .run("return document.querySelector('code').innerText")
        .await;
    picture(stage, driver, "pairing").await;
    let code = link
        .as_str()
        .unwrap()
        .rsplit('=')
        .next()
        .unwrap()
        .to_owned();
    let ada = telegram.user("Ada");
    telegram.start_link(ada, &code);
    driver.reads("Ada").await;
    driver.press("Next").await;
}

async fn answer_the_test(stage: &Stage, driver: &Driver) {
    driver.press("Send a test question").await;
    stage.press("Did this reach you?", "Yes").await;
    driver.reads("You answered: Yes").await;
    stage.daemon.wait_empty(SOON).await;
    driver.press("Done").await;
    stage.no_window("Beckon").await;
}
