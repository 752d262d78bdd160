//! Tests of setting Telegram up from the command line, and of what is reported about it there.

use beckon_support::beckon::{Beckon, Output};
use beckon_support::eventually;
use beckon_support::telegram::{ChatId, Group, Message, TOKEN, Telegram, USERNAME, UserId};
use serde_json::{Value, json};
use std::process::Stdio;
use std::time::Duration;
use tokio::io::{AsyncBufReadExt, BufReader, Lines};
use tokio::process::ChildStdout;

const SOON: Duration = Duration::from_secs(20);
const VARIABLE: &str = "BECKON_TELEGRAM_TOKEN";

/// A Beckon with the token in its environment, and the Telegram that it talks to. There is no
/// session bus, so no keychain either, and no OpenCode.
struct Stage {
    beckon: Beckon,
    telegram: Telegram,
}

impl Stage {
    async fn start() -> Self {
        let stage = Self::with(|builder| builder.env(VARIABLE, TOKEN));
        stage.beckon.start();
        stage.beckon.wait_ready().await;
        stage.wait_state("works").await;
        stage
    }

    fn with(
        set: impl FnOnce(beckon_support::beckon::Builder) -> beckon_support::beckon::Builder,
    ) -> Self {
        let telegram = Telegram::start();
        let builder = Beckon::builder(env!("CARGO_BIN_EXE_beckon")).config(&config(&telegram));
        Self {
            beckon: set(builder).build(),
            telegram,
        }
    }

    async fn wait_state(&self, state: &str) -> Value {
        eventually(&format!("Telegram is {state}"), SOON, async || {
            let telegram = self.beckon.status().await["channels"]["telegram"].clone();
            (telegram["state"] == state).then_some(telegram)
        })
        .await
    }

    async fn run(&self, arguments: &[&str]) -> Output {
        self.beckon
            .command(&[&["telegram"], arguments].concat())
            .await
    }

    async fn well(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments).await;
        assert_eq!(output.status, Some(0), "{arguments:?}: {output:?}");
        output.stdout
    }

    async fn people(&self) -> Value {
        serde_json::from_str(&self.well(&["people", "--json"]).await).unwrap()
    }

    /// Pairs a person of that name by a fresh link.
    async fn pair(&self, name: &str) -> ChatId {
        let link = self.run(&["pair", "--json"]).await.json();
        let user = self.telegram.user(name);
        self.telegram
            .start_link(user, link["code"].as_str().unwrap());
        self.telegram
            .wait_for(user.into(), |card| card.text.contains("Paired"), SOON)
            .await;
        user.into()
    }

    /// Pairs a group by a fresh code, as a person of that name.
    async fn pair_group(&self, name: &str) -> ChatId {
        let link = self.run(&["pair", "--json"]).await.json();
        let user = self.telegram.user(name);
        let group = self.telegram.group(&[user], Group::default());
        let start = format!("/start@{USERNAME} {}", link["code"].as_str().unwrap());
        self.telegram.command(user, group, &start);
        self.telegram
            .wait_for(group, |card| card.text.contains("Paired"), SOON)
            .await;
        group
    }
}

/// Sends the settings window's request for a test card; returns who tapped it within this many
/// seconds.
async fn test_and_wait(endpoint: Value, seconds: u64) -> Value {
    let part = |name: &str| endpoint[name].as_str().unwrap().to_owned();
    let address = format!("{}/telegram/test?wait={seconds}", part("url"));
    let request = reqwest::Client::new()
        .post(address)
        .bearer_auth(part("token"));
    request.send().await.unwrap().json().await.unwrap()
}

fn config(telegram: &Telegram) -> String {
    format!(
        "opencode = []\n[telegram]\napi_url = \"{}\"\n",
        telegram.url()
    )
}

#[tokio::test(flavor = "multi_thread")]
async fn a_link_pairs_whoever_opens_it_once() {
    let stage = Stage::start().await;
    let link = stage.run(&["pair", "--json"]).await.json();
    let code = link["code"].as_str().unwrap();
    assert_eq!(
        link["link"],
        format!("https://t.me/{USERNAME}?start={code}")
    );
    assert!(
        link["expires_at"].as_i64().unwrap() > 1_700_000_000_000,
        "{link}"
    );

    let ann = stage.telegram.user("Ann");
    stage.telegram.start_link(ann, code);
    stage
        .telegram
        .wait_for(ann.into(), |card| card.text.contains("Paired"), SOON)
        .await;
    assert_eq!(
        stage.people().await,
        json!([{ "id": ann.0, "name": "Ann", "group": false, "blocked": false }])
    );

    let eve = stage.telegram.user("Eve");
    stage.telegram.start_link(eve, code);
    stage.telegram.wait_confirmed(SOON).await;
    assert_eq!(
        stage.people().await.as_array().unwrap().len(),
        1,
        "a code works once"
    );
    let status = stage.beckon.status().await["channels"]["telegram"].clone();
    assert_eq!(status["paired"], 1);
    assert_eq!(status["ignored"], 1, "{status}");
    assert_eq!(stage.telegram.complaints(), Vec::<String>::new());
}

/// A `beckon telegram pair` that waits, and its lines.
struct Waiting {
    lines: Lines<BufReader<ChildStdout>>,
    child: tokio::process::Child,
}

impl Waiting {
    fn start(stage: &Stage, arguments: &[&str]) -> Self {
        let command = stage
            .beckon
            .prepare(&[&["telegram", "pair"], arguments].concat());
        let mut command = tokio::process::Command::from(command);
        command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut child = command.kill_on_drop(true).spawn().unwrap();
        Self {
            lines: BufReader::new(child.stdout.take().unwrap()).lines(),
            child,
        }
    }

    async fn line_with(&mut self, part: &str) -> String {
        let reading = async {
            loop {
                let line = self
                    .lines
                    .next_line()
                    .await
                    .unwrap()
                    .expect("a line with {part}");
                if line.contains(part) {
                    return line;
                }
            }
        };
        tokio::time::timeout(SOON, reading)
            .await
            .expect("a line in time")
    }

    async fn end(mut self) -> (Option<i32>, String) {
        let output = tokio::time::timeout(SOON, async {
            let mut rest = String::new();
            while let Some(line) = self.lines.next_line().await.unwrap() {
                rest += &format!("{line}\n");
            }
            (self.child.wait().await.unwrap().code(), rest)
        });
        output.await.expect("it ends")
    }
}

/// Returns the code of the link in a line.
fn code_in(line: &str) -> &str {
    line.rsplit_once("?start=").expect("a link").1.trim()
}

#[tokio::test(flavor = "multi_thread")]
async fn pairing_draws_a_code_and_waits_for_whoever_opens_it() {
    let stage = Stage::start().await;
    let mut waiting = Waiting::start(&stage, &[]);
    waiting.line_with("█▀").await;
    let line = waiting.line_with("?start=").await;
    let ann = stage.telegram.user("Ann");
    stage.telegram.start_link(ann, code_in(&line));
    let (status, said) = waiting.end().await;
    assert_eq!(status, Some(0));
    assert!(said.contains("Ann"), "{said}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_newer_link_ends_the_wait_for_the_older_one() {
    let stage = Stage::start().await;
    let file = stage.beckon.folder().join("code.svg");
    let mut waiting = Waiting::start(&stage, &["--svg", file.to_str().unwrap()]);
    waiting.line_with("?start=").await;
    assert!(std::fs::read_to_string(&file).unwrap().contains("<svg"));
    stage.run(&["pair", "--json"]).await.json();
    assert_eq!(waiting.end().await.0, Some(1));
}

#[tokio::test(flavor = "multi_thread")]
async fn people_and_the_group_are_listed_tested_and_unpaired() {
    let stage = Stage::start().await;
    let refused = stage.run(&["test"]).await;
    assert_eq!(refused.status, Some(1), "{refused:?}");
    assert!(
        refused.stderr.contains("beckon telegram pair"),
        "{refused:?}"
    );

    let ann = stage.pair("Ann").await;
    let group = stage.pair_group("Bob").await;

    let listed = stage.well(&["people"]).await;
    assert!(
        listed.contains("Ann") && listed.contains("Bob") && listed.contains("group"),
        "{listed}"
    );
    assert!(stage.well(&["test"]).await.contains("2 chats"));
    for chat in [ann, group] {
        stage
            .telegram
            .wait_for(chat, |card| card.text.contains("Test from Beckon"), SOON)
            .await;
    }

    stage.well(&["unpair", "ann"]).await;
    stage.well(&["unpair", &group.0.to_string()]).await;
    let nobody = stage.run(&["unpair", "Ann"]).await;
    assert_eq!(nobody.status, Some(1), "{nobody:?}");
    assert_eq!(stage.people().await[0]["name"], "Bob");
    assert_eq!(stage.telegram.complaints(), Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_test_card_says_on_both_sides_that_it_came_back_and_is_no_ask() {
    let stage = Stage::start().await;
    let ann = stage.pair("Ann").await;
    let waits = tokio::spawn(test_and_wait(
        stage.beckon.endpoint().unwrap(),
        SOON.as_secs(),
    ));
    let card = stage
        .telegram
        .wait_for(ann, |card| !card.keyboard().is_empty(), SOON)
        .await;
    assert_eq!(card.labels(), [["It works"]]);
    assert!(!card.silent, "{card:?}");
    assert_eq!(stage.beckon.list().await, Vec::<Value>::new());
    stage.telegram.tap(UserId(ann.0), ann, card.id, "It works");
    let tested = waits.await.unwrap();
    assert_eq!(
        (&tested["chats"], &tested["back"]["by"]),
        (&json!(1), &json!("Ann")),
        "{tested}"
    );
    assert!(
        tested["back"]["after_ms"].as_u64().unwrap() < SOON.as_millis() as u64,
        "{tested}"
    );
    let card = stage
        .telegram
        .wait_for(ann, |card| card.text.contains('✅'), SOON)
        .await;
    assert!(
        card.text.starts_with("✅ It works · ") && card.keyboard().is_empty(),
        "{card:?}"
    );
    eventually("the tap is acknowledged", SOON, async || {
        stage.telegram.unanswered_taps().is_empty().then_some(())
    })
    .await;
    assert_eq!(stage.telegram.complaints(), Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_test_card_that_nobody_waits_for_any_more_still_counts_after_a_restart() {
    let stage = Stage::start().await;
    let ann = stage.pair("Ann").await;
    let tested = test_and_wait(stage.beckon.endpoint().unwrap(), 0).await;
    assert_eq!(tested, json!({ "chats": 1, "back": null }));
    let card = stage
        .telegram
        .wait_for(ann, |card| !card.keyboard().is_empty(), SOON)
        .await;
    stage.beckon.kill9();
    stage.telegram.tap(UserId(ann.0), ann, card.id, "It works");
    stage.beckon.start();
    let back = |message: &Message| message.id == card.id && message.keyboard().is_empty();
    let card = stage.telegram.wait_for(ann, back, SOON).await;
    assert!(card.text.starts_with("✅ It works"), "{card:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_bot_nobody_can_be_paired_and_it_is_said_what_to_do() {
    let stage = Stage::with(|builder| builder);
    stage.beckon.start();
    stage.beckon.wait_ready().await;
    let output = stage.run(&["pair", "--json"]).await;
    assert_eq!(output.status, Some(1), "{output:?}");
    assert_eq!(output.json()["code"], "no bot", "{output:?}");
    assert!(
        output.stderr.contains("beckon telegram login"),
        "{output:?}"
    );
    assert_eq!(
        stage.beckon.status().await["channels"]["telegram"]["bot"],
        Value::Null
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn the_status_says_where_the_token_is_from_and_whether_there_is_a_tray() {
    let stage = Stage::start().await;
    let status = stage.beckon.status().await;
    let telegram = &status["channels"]["telegram"];
    assert_eq!(telegram["bot"], USERNAME);
    assert_eq!(telegram["token_from_environment"], true);
    assert_eq!(telegram["paired"], 0);
    assert!(
        telegram["error"]
            .as_str()
            .unwrap()
            .contains("beckon telegram pair"),
        "{telegram}"
    );
    assert_eq!(status["tray"]["state"], "off");
    let said = stage.beckon.command(&["status"]).await.stdout;
    assert!(said.contains(VARIABLE), "{said}");
    stage.pair("Ann").await;
    let said = stage.beckon.command(&["status"]).await.stdout;
    assert!(
        said.contains(&format!("@{USERNAME}, 1 chat paired")),
        "{said}"
    );
}

/// Returns what `beckon doctor --json` finds about a leg.
async fn leg(stage: &Stage, name: &str) -> Value {
    let output = stage.beckon.command(&["doctor", "--json"]).await;
    let legs = output.json();
    legs.as_array()
        .unwrap()
        .iter()
        .find(|leg| leg["leg"] == name)
        .cloned()
        .unwrap_or_default()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_doctor_tells_who_is_paired_and_what_the_bot_does_not_hear() {
    let stage = Stage::start().await;
    let bot = leg(&stage, "telegram").await;
    assert_eq!(bot["ok"], true, "{bot}");
    assert!(bot["text"].as_str().unwrap().contains(VARIABLE), "{bot}");
    let paired = leg(&stage, "paired").await;
    assert_eq!(paired["ok"], false);
    assert!(
        paired["text"]
            .as_str()
            .unwrap()
            .contains("beckon telegram pair"),
        "{paired}"
    );
    stage.pair("Ann").await;
    assert_eq!(
        leg(&stage, "privacy").await,
        Value::Null,
        "no group, no privacy mode"
    );
    stage.pair_group("Bob").await;
    let paired = leg(&stage, "paired").await;
    assert!(
        paired["text"].as_str().unwrap().contains("Ann, Bob"),
        "{paired}"
    );
    let privacy = leg(&stage, "privacy").await;
    assert_eq!(
        (&privacy["ok"], &privacy["note"]),
        (&true.into(), &true.into()),
        "{privacy}"
    );
    assert!(
        privacy["text"].as_str().unwrap().contains("/setprivacy"),
        "{privacy}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn the_doctor_tells_of_another_program_that_has_the_bot() {
    let stage = Stage::start().await;
    stage.telegram.rival(true);
    stage.wait_state("down").await;
    let bot = leg(&stage, "telegram").await;
    assert_eq!(bot["ok"], false, "{bot}");
    assert!(
        bot["text"]
            .as_str()
            .unwrap()
            .contains("another program is using"),
        "{bot}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn the_doctor_tells_of_a_webhook() {
    let stage = Stage::start().await;
    stage.telegram.set_webhook(Some("https://example.org/hook"));
    stage.wait_state("down").await;
    let bot = leg(&stage, "telegram").await;
    assert!(bot["text"].as_str().unwrap().contains("webhook"), "{bot}");
    let test = stage.run(&["test"]).await;
    assert_eq!(test.status, Some(1), "{test:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_token_that_telegram_does_not_know_is_not_stored() {
    let stage = Stage::with(|builder| builder);
    let login = async |token: &str| {
        stage
            .beckon
            .command_with_input(&["telegram", "login"], token)
            .await
    };
    let unknown = login("7000000001:AAnother_Token_that_nobody_knows_0000").await;
    assert_eq!(unknown.status, Some(1), "{unknown:?}");
    assert!(unknown.stderr.contains("Nothing was stored"), "{unknown:?}");
    let none = login("the token\n").await;
    assert_eq!(none.status, Some(1), "{none:?}");
    assert_eq!(
        stage.telegram.calls().len(),
        1,
        "what is no token goes nowhere"
    );
}
