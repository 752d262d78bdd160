//! Tests of a server of the settings that gets another name or address, and of its asks and its
//! password.

use crate::common::http::call;
use crate::common::{SESSION, SOON, yes_or_no};
use beckon_support::beckon::{Beckon, Builder};
use beckon_support::bus::Bus;
use beckon_support::eventually;
use beckon_support::keyring::Keyring;
use beckon_support::replay::{Kind, Replay};
use reqwest::Method;
use serde_json::{Value, json};

const PASSWORD: &str = "opensesame";
const SECRET: &str = "opencode:box";

/// A Beckon that watches `box`, which wants a password that is in the keychain.
struct Desk {
    beckon: Beckon,
    keyring: Keyring,
    server: Replay,
    file: String,
    _bus: Bus,
}

fn server() -> Replay {
    let server = Replay::start();
    server.session(SESSION, "/a", "A session");
    server
}

impl Desk {
    async fn start() -> Self {
        Self::with(|program| program).await
    }

    async fn with(tune: impl FnOnce(Builder) -> Builder) -> Self {
        let bus = Bus::start();
        let (keyring, server) = (Keyring::start(&bus), server());
        server.password(PASSWORD);
        server.open(Kind::Question, "/a", yes_or_no("que_1", "Here?"));
        let table = "[[opencode]] # upstairs\nname = \"box\"";
        let file = format!("# mine\n{table}\nurl = \"{}\" # by hand\n", server.url());
        let program = Beckon::builder(env!("CARGO_BIN_EXE_beckon"));
        let beckon = tune(program).bus(&bus).config(&file).start();
        beckon.wait_ready().await;
        let desk = Self {
            beckon,
            keyring,
            server,
            file,
            _bus: bus,
        };
        let secret = format!("/secrets/{SECRET}");
        assert_eq!(
            desk.call(Method::POST, &secret, json!({ "value": PASSWORD }))
                .await
                .0,
            200
        );
        desk.wait_asks(&["box"]).await;
        desk
    }

    async fn call(&self, method: Method, path: &str, body: Value) -> (u16, Value) {
        call(&self.beckon, method, path, &body).await
    }

    async fn change(&self, name: &str, change: Value) -> (u16, Value) {
        self.call(Method::PATCH, &format!("/settings/servers/{name}"), change)
            .await
    }

    fn config(&self) -> String {
        std::fs::read_to_string(self.beckon.home().join("config.toml")).unwrap()
    }

    async fn wait_state(&self, name: &str, state: &str) {
        eventually(&format!("{name} is {state}"), SOON, async || {
            let status = self.beckon.status().await;
            let [source] = status["sources"].as_array()?.as_slice() else {
                return None;
            };
            (source["name"] == name && source["state"] == state).then_some(())
        })
        .await;
    }

    /// Waits until asks of these sources wait, and no others.
    async fn wait_asks(&self, sources: &[&str]) {
        eventually(&format!("asks of {sources:?}"), SOON, async || {
            let asks = self.beckon.list().await;
            let found: Vec<&str> = asks
                .iter()
                .filter_map(|ask| ask["source"].as_str())
                .collect();
            (found == sources).then_some(())
        })
        .await;
    }

    fn secret(&self, name: &str) -> Option<String> {
        self.keyring
            .secret(name)
            .map(|secret| String::from_utf8(secret).unwrap())
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn at_another_address_is_another_server_which_is_never_told_the_password() {
    let desk = Desk::start().await;
    let stranger = server();
    stranger.password("another");
    let (status, settings) = desk.change("box", json!({ "url": stranger.url() })).await;
    assert_eq!(status, 200, "{settings}");
    let row = &settings["servers"][0];
    assert_eq!(
        (&row["url"], &row["has_password"]),
        (&json!(stranger.url()), &json!(false))
    );
    desk.wait_state("box", "unauthorized").await;
    desk.wait_asks(&[]).await;
    assert!(!stranger.calls().is_empty());
    assert!(stranger.calls().iter().all(|call| !call.with_credentials));
    assert_eq!(desk.secret(SECRET), None);
    let moved = desk.file.replace(&desk.server.url(), &stranger.url());
    assert_eq!(desk.config(), moved, "the rest of the file is as it was");
}

#[tokio::test(flavor = "multi_thread")]
async fn another_name_keeps_the_password_and_its_asks_come_back_under_it() {
    let desk = Desk::start().await;
    let (status, settings) = desk.change("box", json!({ "name": "attic" })).await;
    assert_eq!(status, 200, "{settings}");
    eventually("its password is there", SOON, async || {
        let (_, settings) = desk.call(Method::GET, "/settings", Value::Null).await;
        (settings["servers"][0]["has_password"] == true).then_some(())
    })
    .await;
    desk.wait_state("attic", "live").await;
    desk.wait_asks(&["attic"]).await;
    assert_eq!(desk.secret("opencode:attic").as_deref(), Some(PASSWORD));
    assert_eq!(desk.secret(SECRET), None);
    assert_eq!(desk.config(), desk.file.replace("\"box\"", "\"attic\""));
    let answered = desk
        .beckon
        .command(&["answer", "que_1", "--choice", "1", "--json"])
        .await;
    assert_eq!(answered.json()["state"], "taken", "{answered:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_one_of_that_name_left_in_the_keychain_is_not_shown_to_another_server() {
    let desk = Desk::start().await;
    let left = json!({ "value": "of somebody else" });
    assert_eq!(
        desk.call(Method::POST, "/secrets/opencode:attic", left)
            .await
            .0,
        200
    );
    let stranger = server();
    let change = json!({ "name": "attic", "url": stranger.url() });
    assert_eq!(desk.change("box", change).await.0, 200);
    desk.wait_state("attic", "live").await;
    // The server demands a password, and is not given any.
    stranger.password(PASSWORD);
    stranger.end();
    desk.wait_state("attic", "unauthorized").await;
    assert!(stranger.calls().iter().all(|call| !call.with_credentials));
    assert_eq!(
        (desk.secret("opencode:attic"), desk.secret(SECRET)),
        (None, None)
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_refused_changes_neither_the_file_nor_the_keychain() {
    let desk = Desk::start().await;
    let guest = server();
    let registered = json!({ "name": "guest", "url": guest.url() });
    assert_eq!(desk.call(Method::POST, "/servers", registered).await.0, 201);
    for (name, change, refused) in [
        ("box", json!({ "name": "guest" }), (409, "name taken")),
        ("box", json!({ "name": "asks" }), (400, "invalid")),
        ("box", json!({ "name": " " }), (400, "invalid")),
        ("box", json!({ "url": "ftp://box" }), (400, "invalid")),
        ("guest", json!({ "url": guest.url() }), (404, "unknown")),
    ] {
        let (status, told) = desk.change(name, change.clone()).await;
        assert_eq!(
            (status, told["code"].as_str()),
            (refused.0, Some(refused.1)),
            "{change}: {told}"
        );
    }
    desk.keyring.lock();
    let (status, told) = desk.change("box", json!({ "url": guest.url() })).await;
    assert_eq!((status, &told["code"]), (503, &json!("keychain")), "{told}");
    desk.keyring.unlock();
    assert_eq!(desk.config(), desk.file);
    assert_eq!(desk.secret(SECRET).as_deref(), Some(PASSWORD));
    desk.wait_asks(&["box"]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_the_environment_gives_is_sent_to_no_other_address() {
    let tune = |program: Builder| program.env("BECKON_OPENCODE_PASSWORD_BOX", PASSWORD);
    let desk = Desk::with(tune).await;
    let stranger = server();
    let (status, told) = desk.change("box", json!({ "url": stranger.url() })).await;
    assert_eq!((status, &told["code"]), (409, &json!("refused")), "{told}");
    let said = told["message"].as_str().unwrap();
    assert!(said.contains("BECKON_OPENCODE_PASSWORD_BOX"), "{said}");
    assert_eq!(desk.config(), desk.file);
    assert!(stranger.calls().is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn one_that_is_added_is_not_shown_what_another_of_its_name_left_in_the_keychain() {
    let desk = Desk::start().await;
    let left = json!({ "value": "of somebody else" });
    assert_eq!(
        desk.call(Method::POST, "/secrets/opencode:attic", left)
            .await
            .0,
        200
    );
    let stranger = server();
    stranger.password(PASSWORD);
    let new = json!({ "name": "attic", "url": stranger.url() });
    let (status, told) = desk.call(Method::POST, "/settings/servers", new).await;
    assert_eq!(status, 200, "{told}");
    eventually("it wants a password", SOON, async || {
        let sources = desk.beckon.status().await["sources"].clone();
        let unauthorized = |source: &Value| source["state"] == "unauthorized";
        let mut attic = sources
            .as_array()?
            .iter()
            .filter(|source| source["name"] == "attic");
        attic.any(unauthorized).then_some(())
    })
    .await;
    assert_eq!(desk.secret("opencode:attic"), None);
    assert!(stranger.calls().iter().all(|call| !call.with_credentials));
}

#[tokio::test(flavor = "multi_thread")]
async fn one_whose_password_cannot_be_kept_is_not_added_and_its_name_stays_free() {
    let desk = Desk::start().await;
    let attic = server();
    attic.password("another");
    let new = json!({ "name": "attic", "url": attic.url(), "password": "another" });
    desk.keyring.lock();
    let (status, told) = desk
        .call(Method::POST, "/settings/servers", new.clone())
        .await;
    assert_eq!(status, 503, "{told}");
    assert_eq!(desk.config(), desk.file);
    assert_eq!(attic.calls().len(), 0, "nobody looks there");
    desk.keyring.unlock();
    let (status, told) = desk.call(Method::POST, "/settings/servers", new).await;
    assert_eq!(status, 200, "{told}");
    eventually("it is let in", SOON, async || {
        let sources = desk.beckon.status().await["sources"].clone();
        let is_live = |source: &Value| source["name"] == "attic" && source["state"] == "live";
        sources.as_array()?.iter().any(is_live).then_some(())
    })
    .await;
    assert_eq!(desk.secret("opencode:attic").as_deref(), Some("another"));
    assert!(!desk.config().contains("another"));
}
