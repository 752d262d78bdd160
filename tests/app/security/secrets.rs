//! Tests of the keychain: a real gnome-keyring on a private bus that is present, late, locked, or
//! absent.

use crate::common;
use beckon_support::beckon::{Beckon, Output};
use beckon_support::bus::Bus;
use beckon_support::eventually;
use beckon_support::keyring::Keyring;
use beckon_support::notifications::Notifications;
use beckon_support::replay::Replay;
use beckon_support::telegram::{TOKEN, Telegram, USERNAME};
use serde_json::Value;
use std::time::{Duration, Instant};

const SOON: Duration = Duration::from_secs(20);
/// The time within which Beckon must notice a change by a signal; without one it would look again
/// after 30 s.
const AT_ONCE: Duration = Duration::from_secs(10);
/// The time limit for a call of the keychain, which takes 10 s at most; the rest is for a busy
/// machine.
const WITHIN: Duration = Duration::from_secs(16);

/// The stage: a bus on which a keyring may come and go, a Telegram, and a Beckon that is not
/// started yet.
struct Stage {
    beckon: Beckon,
    telegram: Telegram,
    bus: Bus,
}

impl Stage {
    fn new() -> Self {
        let (bus, telegram) = (Bus::start(), Telegram::start());
        let config = format!(
            "opencode = []\n[telegram]\napi_url = \"{}\"\n",
            telegram.url()
        );
        let beckon = Beckon::builder(env!("CARGO_BIN_EXE_beckon"))
            .bus(&bus)
            .config(&config);
        Self {
            beckon: beckon.build(),
            telegram,
            bus,
        }
    }

    async fn start(&self) {
        self.beckon.start();
        self.beckon.wait_ready().await;
    }

    async fn login(&self) -> Output {
        self.beckon
            .command_with_input(&["telegram", "login"], &format!("{TOKEN}\n"))
            .await
    }

    /// Makes Beckon read its token anew.
    async fn reload(&self) {
        let endpoint = self.beckon.endpoint().unwrap();
        let url = format!("{}/telegram/reload", endpoint["url"].as_str().unwrap());
        let client = reqwest::Client::builder().no_proxy().build().unwrap();
        let request = client
            .post(url)
            .bearer_auth(endpoint["token"].as_str().unwrap());
        assert_eq!(request.send().await.unwrap().status(), 200);
    }

    async fn wait_state(&self, state: &str) -> Value {
        eventually(&format!("Telegram is {state}"), SOON, async || {
            let telegram = self.beckon.status().await["channels"]["telegram"].clone();
            (telegram["state"] == state).then_some(telegram)
        })
        .await
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_login_is_stored_read_at_once_and_removed_again() {
    let stage = Stage::new();
    let keyring = Keyring::start(&stage.bus);
    stage.start().await;
    stage.wait_state("off").await;

    let login = stage.login().await;
    assert_eq!(login.status, Some(0), "{login:?}");
    assert!(login.stdout.contains(USERNAME), "{login:?}");
    assert_eq!(
        keyring.secret("telegram").as_deref(),
        Some(TOKEN.as_bytes())
    );
    let telegram = stage.wait_state("works").await;
    assert_eq!(telegram["bot"], USERNAME);
    assert_eq!(telegram["token_from_environment"], false);

    let logout = stage.beckon.command(&["telegram", "logout"]).await;
    assert_eq!(logout.status, Some(0), "{logout:?}");
    assert_eq!(keyring.secret("telegram"), None);
    let telegram = stage.wait_state("off").await;
    assert_eq!(telegram["bot"], Value::Null);
    let pair = stage.beckon.command(&["telegram", "pair", "--json"]).await;
    assert_eq!(pair.status, Some(1), "{pair:?}");
    assert!(pair.stderr.contains("beckon telegram login"), "{pair:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_keychain_that_comes_up_after_beckon_is_read_as_soon_as_it_is_there() {
    let stage = Stage::new();
    let mut keyring = Keyring::start(&stage.bus);
    assert_eq!(stage.login().await.status, Some(0));
    keyring.go();
    stage.start().await;
    stage.wait_state("off").await;

    keyring.come_back(&stage.bus);
    let there = Instant::now();
    stage.wait_state("works").await;
    assert!(there.elapsed() < AT_ONCE, "{:?}", there.elapsed());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_locked_keychain_is_said_and_read_as_soon_as_it_is_unlocked() {
    let stage = Stage::new();
    let keyring = Keyring::start(&stage.bus);
    assert_eq!(stage.login().await.status, Some(0));
    keyring.lock();
    stage.start().await;
    let telegram = stage.wait_state("down").await;
    assert!(
        telegram["error"].as_str().unwrap().contains("locked"),
        "{telegram}"
    );
    let login = stage.login().await;
    assert_eq!(login.status, Some(1), "{login:?}");
    assert!(login.stderr.contains("locked"), "{login:?}");
    assert!(login.stderr.contains("BECKON_TELEGRAM_TOKEN"), "{login:?}");

    keyring.unlock();
    let unlocked = Instant::now();
    stage.wait_state("works").await;
    assert!(unlocked.elapsed() < AT_ONCE, "{:?}", unlocked.elapsed());
}

#[tokio::test(flavor = "multi_thread")]
async fn an_owner_who_refuses_to_unlock_it_is_not_asked_again() {
    let stage = Stage::new();
    let keyring = Keyring::start(&stage.bus);
    assert_eq!(stage.login().await.status, Some(0));
    let owner = keyring.owner_refuses(&stage.bus);
    keyring.lock();
    stage.start().await;
    stage.wait_state("down").await;
    assert_eq!(owner.asked(), 1);
    for _ in 0..3 {
        stage.reload().await;
        stage.wait_state("down").await;
    }
    assert_eq!(owner.asked(), 1);
    keyring.unlock();
    stage.wait_state("works").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn while_a_keychain_waits_for_its_owner_everything_else_goes_on() {
    let stage = Stage::new();
    let keyring = Keyring::start(&stage.bus);
    assert_eq!(stage.login().await.status, Some(0));
    let _asleep = keyring.owner_is_asleep(&stage.bus);
    keyring.lock();
    let began = Instant::now();
    stage.start().await;
    assert!(
        began.elapsed() < Duration::from_secs(8),
        "ready after {:?}",
        began.elapsed()
    );
    let commands = async {
        while began.elapsed() < Duration::from_secs(8) {
            let asked = Instant::now();
            assert_eq!(
                stage.beckon.status().await["channels"]["telegram"]["state"],
                "starting"
            );
            assert!(
                asked.elapsed() < Duration::from_secs(5),
                "{:?}",
                asked.elapsed()
            );
            tokio::time::sleep(Duration::from_millis(200)).await;
        }
    };
    let login = async {
        let asked = Instant::now();
        let login = stage.login().await;
        assert_eq!(login.status, Some(1), "{login:?}");
        assert!(login.stderr.contains("Unlock it"), "{login:?}");
        assert!(asked.elapsed() < WITHIN, "{:?}", asked.elapsed());
    };
    tokio::join!(commands, login);
    let telegram = stage.wait_state("down").await;
    assert!(
        telegram["error"].as_str().unwrap().contains("Unlock it"),
        "{telegram}"
    );
    assert!(began.elapsed() < WITHIN, "{:?}", began.elapsed());
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_keychain_a_login_says_the_way_out_and_stores_nothing() {
    let stage = Stage::new();
    let login = stage.login().await;
    assert_eq!(login.status, Some(1), "{login:?}");
    for part in ["no keychain", "BECKON_TELEGRAM_TOKEN"] {
        assert!(login.stderr.contains(part), "{login:?}");
    }
    assert_eq!(stage.telegram.calls().len(), 1, "it was checked");
}

/// Returns the output of `beckon doctor --json`, and a function that gives its finding about a leg.
async fn doctor(beckon: &Beckon) -> (Output, impl Fn(&str) -> Value) {
    let output = beckon.command(&["doctor", "--json"]).await;
    let legs = output.json().as_array().unwrap().clone();
    let leg = move |name: &str| {
        legs.iter()
            .find(|leg| leg["leg"] == name)
            .cloned()
            .unwrap_or_default()
    };
    (output, leg)
}

#[tokio::test(flavor = "multi_thread")]
async fn no_keychain_is_a_note_as_long_as_none_is_needed() {
    let stage = common::Rehearsal::start().await;
    let (output, leg) = doctor(&stage.beckon).await;
    assert_eq!(output.status, Some(0), "{output:?}");
    let keychain = leg("keychain");
    assert_eq!(
        (&keychain["ok"], &keychain["note"]),
        (&true.into(), &true.into())
    );
    let text = keychain["text"].as_str().unwrap();
    for variable in ["BECKON_TELEGRAM_TOKEN", "BECKON_OPENCODE_PASSWORD_LOCAL"] {
        assert!(text.contains(variable), "{text}");
    }
    assert!(
        leg("telegram")["text"]
            .as_str()
            .unwrap()
            .contains("beckon telegram login")
    );

    let replay = Replay::start();
    replay.password("a password");
    stage.beckon.write_config(&common::config(&replay.url()));
    eventually("the password is missed", SOON, async || {
        (stage.beckon.status().await["sources"][0]["state"] == "unauthorized").then_some(())
    })
    .await;
    let (output, leg) = doctor(&stage.beckon).await;
    assert_eq!(output.status, Some(1), "{output:?}");
    assert_eq!(leg("keychain")["ok"], false, "{output:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_doctor_finds_a_working_keychain() {
    let stage = Stage::new();
    let _daemon = Notifications::start(&stage.bus);
    let _keyring = Keyring::start(&stage.bus);
    stage.start().await;
    let (output, leg) = doctor(&stage.beckon).await;
    assert_eq!(output.status, Some(0), "{output:?}");
    assert_eq!(
        (&leg("keychain")["ok"], &leg("keychain")["note"]),
        (&true.into(), &false.into())
    );
}
