//! Tests of Telegram behind a proxy, which people use whose network blocks Telegram. Only the proxy
//! knows where `api.telegram.test` is, and the server there speaks TLS. Everything for Telegram
//! goes through it, and nothing else does; its password is seen nowhere.

use crate::common::phone::{Outing, Phone};
use crate::common::{Rehearsal, SOON};
use beckon_support::beckon::{Beckon, Builder, Output};
use beckon_support::eventually;
use beckon_support::keyring::Keyring;
use beckon_support::proxy::{Asked, Proxy, Speaks};
use beckon_support::stranger::{Stranger, is_another_user};
use beckon_support::telegram::{TOKEN, USERNAME};
use beckon_support::tls::{self, Front};
use serde_json::{Value, json};

const VARIABLE: &str = "BECKON_TELEGRAM_PROXY_PASSWORD";
const PASSWORD: &str = "Pr0xy/p4ss:word";

/// The phone behind a proxy, beside an imitated OpenCode.
struct Road {
    outing: Outing,
    proxy: Proxy,
    front: Front,
}

impl Road {
    /// Starts everything but Beckon; the settings name the proxy with that user.
    fn build(speaks: Speaks, user: Option<&str>, tune: impl FnOnce(Builder) -> Builder) -> Self {
        let (phone, proxy) = (Phone::new(), Proxy::start(speaks));
        let front = Front::start(
            phone
                .telegram
                .url()
                .trim_start_matches("http://")
                .parse()
                .unwrap(),
        );
        proxy.leads(tls::NAME, front.address());
        let stage = Rehearsal::with(&config(&proxy.url(user)), |program| {
            tune(
                program
                    .env("SSL_CERT_FILE", tls::authority())
                    .env("BECKON_LOG", "trace"),
            )
        });
        Self {
            outing: Outing::of(stage, phone),
            proxy,
            front,
        }
    }

    /// Starts everything, and pairs through the proxy.
    async fn start(speaks: Speaks) -> Self {
        let road = Self::build(speaks, Some("me"), |program| {
            Phone::knows_token(program).env(VARIABLE, PASSWORD)
        });
        road.proxy.login("me", PASSWORD);
        road.begin().await;
        road.outing.phone.pair(road.beckon()).await;
        road
    }

    async fn begin(&self) {
        self.beckon().start();
        self.outing.stage.ready().await;
    }

    fn beckon(&self) -> &Beckon {
        &self.outing.stage.beckon
    }

    /// Waits until the proxy has that state, and the status explains it with words that contain
    /// `part`.
    async fn wait_proxy(&self, state: &str, part: &str) -> Value {
        eventually(&format!("the proxy is {state}: {part}"), SOON, async || {
            let status = self.outing.status().await;
            let told = status["error"].as_str().unwrap_or_default().contains(part);
            (status["proxy"]["state"] == state && told).then_some(status)
        })
        .await
    }

    /// Checks that Telegram was asked for by its name, and reached through the proxy only.
    async fn nothing_went_around(&self) {
        let telegram = Asked {
            host: tls::NAME.into(),
            port: 443,
        };
        eventually("as many connections as were asked for", SOON, async || {
            let asked = self.proxy.asked();
            assert!(
                !asked.is_empty() && asked.iter().all(|asked| *asked == telegram),
                "{asked:?}"
            );
            (self.front.taken() == asked.len()).then_some(())
        })
        .await;
    }

    /// Checks that no password is seen anywhere.
    async fn the_password_is_nowhere(&self) {
        for arguments in [
            &["status", "--json"][..],
            &["doctor", "--json"],
            &["doctor"],
            &["status"],
        ] {
            says_no_password(&self.beckon().command(arguments).await);
        }
        let settings = self.call(reqwest::Method::GET, Value::Null).await.1;
        for shown in [
            settings.to_string(),
            self.outing.log(),
            self.beckon().stderr(),
        ] {
            assert!(
                !shown.contains(PASSWORD) && !shown.contains("Pr0xy"),
                "{shown}"
            );
        }
    }

    /// Calls `/settings` of the local API.
    async fn call(&self, method: reqwest::Method, body: Value) -> (u16, Value) {
        let endpoint = self.beckon().endpoint().unwrap();
        let url = format!("{}/settings", endpoint["url"].as_str().unwrap());
        let client = reqwest::Client::builder().no_proxy().build().unwrap();
        let request = client
            .request(method, url)
            .bearer_auth(endpoint["token"].as_str().unwrap());
        let response = request.json(&body).send().await.unwrap();
        (response.status().as_u16(), response.json().await.unwrap())
    }

    async fn set(&self, proxy: &str) -> (u16, Value) {
        self.call(
            reqwest::Method::PATCH,
            json!({ "key": "telegram.proxy", "value": proxy }),
        )
        .await
    }
}

fn config(proxy: &str) -> String {
    format!(
        "[telegram]\napi_url = \"https://{}\"\nproxy = \"{proxy}\"\n",
        tls::NAME
    )
}

fn says_no_password(output: &Output) {
    let said = format!("{}{}", output.stdout, output.stderr);
    assert!(!said.contains("Pr0xy"), "{said}");
}

async fn everything_goes_through(speaks: Speaks) {
    let road = Road::start(speaks).await;
    let card = road.outing.ask("que_1", "Through the proxy?").await;
    road.outing.phone.tap(card.id, "Yes").await;
    road.outing.phone.ended(card.id, "✅ Yes · by you").await;
    road.outing.stage.answered_once("que_1", "Yes").await;
    let status = road.wait_proxy("works", "").await;
    assert_eq!(status["proxy"]["address"], road.proxy.url(Some("me")));
    let said = road.beckon().command(&["status"]).await.stdout;
    assert!(
        said.contains(&format!("through {}", road.proxy.url(Some("me")))),
        "{said}"
    );
    road.nothing_went_around().await;
    road.the_password_is_nowhere().await;
    road.outing.nothing_left().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn pairing_a_card_and_its_answer_go_through_a_socks_proxy_and_nothing_around_it() {
    everything_goes_through(Speaks::Socks5).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn pairing_a_card_and_its_answer_go_through_an_http_proxy_and_nothing_around_it() {
    everything_goes_through(Speaks::Http).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn while_the_proxy_is_down_that_is_said_and_cards_come_when_it_is_back() {
    let mut road = Road::start(Speaks::Socks5).await;
    road.proxy.go();
    let status = road.wait_proxy("unreachable", "doesn't answer").await;
    assert_eq!(status["state"], "down");
    road.outing.begin("que_1", "Still there?").await;
    road.outing.stage.shown("Still there?").await;
    let doctor = road.beckon().command(&["doctor"]).await;
    assert_eq!(doctor.status, Some(1));
    assert!(
        doctor.stdout.contains("correct telegram.proxy"),
        "{doctor:?}"
    );
    road.proxy.come_back();
    let card = road.outing.phone.card("Still there?").await;
    road.outing.phone.tap(card.id, "No").await;
    road.outing.stage.answered_once("que_1", "No").await;
    road.wait_proxy("works", "").await;
    road.nothing_went_around().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn another_user_who_takes_the_port_of_the_proxy_is_not_shown_the_password() {
    if !is_another_user() {
        return;
    }
    let mut road = Road::start(Speaks::Http).await;
    road.proxy.go();
    let port = road.proxy.address().port();
    let stranger = Stranger::listen(port, road.beckon().folder());
    road.wait_proxy("another-user", "any_user = true").await;
    assert_eq!(stranger.heard(), "");
    drop(stranger);
    road.proxy.come_back();
    road.wait_proxy("works", "").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_password_is_kept_in_the_keychain_and_a_wrong_one_is_told() {
    let road = Road::build(Speaks::Socks5, Some("me"), Phone::knows_token);
    let keyring = Keyring::start(&road.outing.stage.bus);
    road.proxy.login("me", PASSWORD);
    road.begin().await;
    road.wait_proxy("password-missing", "beckon secret set telegram:proxy")
        .await;

    let set = async |password: &str| {
        let arguments = ["secret", "set", "telegram:proxy"];
        let set = road.beckon().command_with_input(&arguments, password).await;
        assert_eq!(set.status, Some(0), "{set:?}");
        says_no_password(&set);
    };
    set("Pr0xy but wrong").await;
    road.wait_proxy("password-refused", "refuses the user name or the password")
        .await;
    road.the_password_is_nowhere().await;
    set(PASSWORD).await;
    road.wait_proxy("works", "").await;
    assert_eq!(
        keyring.secret("telegram:proxy").as_deref(),
        Some(PASSWORD.as_bytes())
    );
    assert_eq!(
        road.call(reqwest::Method::GET, Value::Null).await.1["has_proxy_password"],
        true
    );
    road.the_password_is_nowhere().await;

    let remove = road
        .beckon()
        .command(&["secret", "remove", "telegram:proxy"])
        .await;
    assert_eq!(remove.status, Some(0), "{remove:?}");
    assert_eq!(keyring.secret("telegram:proxy"), None);
    road.wait_proxy("password-missing", "").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_locked_keychain_is_said_and_the_proxy_is_used_once_it_is_unlocked() {
    let road = Road::build(Speaks::Http, Some("me"), Phone::knows_token);
    let keyring = Keyring::start(&road.outing.stage.bus);
    road.proxy.login("me", PASSWORD);
    let arguments = ["secret", "set", "telegram:proxy"];
    let set = road.beckon().command_with_input(&arguments, PASSWORD).await;
    assert_eq!(set.status, Some(0), "{set:?}");
    keyring.lock();
    road.begin().await;
    road.wait_proxy("password-out-of-reach", VARIABLE).await;
    assert_eq!(
        road.proxy.refused(),
        0,
        "nobody is asked without the password"
    );
    keyring.unlock();
    road.wait_proxy("works", "").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_proxy_is_set_and_taken_away_without_a_restart() {
    let road = Road::build(Speaks::Socks5, None, Phone::knows_token);
    let former = std::fs::read_to_string(road.beckon().home().join("config.toml")).unwrap();
    let without = former.replace("proxy = ", "# proxy = ");
    road.beckon().write_config(&without);
    road.begin().await;
    let status = road.outing.wait_status("down", "cannot be reached").await;
    assert_eq!(status["proxy"], Value::Null);

    let (code, settings) = road.set(&road.proxy.url(None)).await;
    assert_eq!(code, 200, "{settings}");
    road.wait_proxy("works", "").await;
    road.nothing_went_around().await;
    road.beckon().write_config(&without);
    road.outing.wait_status("down", "cannot be reached").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_password_in_the_file_is_refused_and_shown_nowhere() {
    let road = Road::build(Speaks::Socks5, None, Phone::knows_token);
    road.begin().await;
    road.wait_proxy("works", "").await;
    let with = format!(
        "socks5://me:{}@{}",
        PASSWORD.replace('/', "-"),
        road.proxy.address()
    );
    let (code, refused) = road.set(&with).await;
    assert_eq!(code, 400, "{refused}");
    let message = refused["message"].as_str().unwrap();
    assert!(
        message.contains("keychain") && !message.contains("Pr0xy"),
        "{message}"
    );

    let file = road.beckon().home().join("config.toml");
    let former = std::fs::read_to_string(&file).unwrap();
    road.beckon()
        .write_config(&former.replace(&road.proxy.url(None), &with));
    let warning = eventually("a warning", SOON, async || {
        road.beckon().status().await["warnings"][0]
            .as_str()
            .map(str::to_owned)
    })
    .await;
    assert!(
        warning.contains("beckon secret set telegram:proxy"),
        "{warning}"
    );
    road.the_password_is_nowhere().await;
    road.wait_proxy("works", "").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_token_is_checked_through_the_proxy() {
    let road = Road::build(Speaks::Http, Some("me"), |program| {
        program.env(VARIABLE, PASSWORD)
    });
    let _keyring = Keyring::start(&road.outing.stage.bus);
    road.proxy.login("me", "another");
    let login = async || {
        road.beckon()
            .command_with_input(&["telegram", "login"], TOKEN)
            .await
    };
    let refused = login().await;
    assert_eq!(refused.status, Some(1), "{refused:?}");
    assert!(
        refused
            .stderr
            .contains("refuses the user name or the password"),
        "{refused:?}"
    );
    road.proxy.login("me", PASSWORD);
    let stored = login().await;
    assert!(stored.stdout.contains(USERNAME), "{stored:?}");
    road.nothing_went_around().await;
}
