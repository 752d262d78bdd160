//! Tests of refusals: each is explained in the current language on every way in, and its code stays
//! the same.

use crate::common::{DIRECTORY, Rehearsal, SESSION, SOON, config};
use beckon_client::text::{Texts, Value as Word};
use beckon_support::beckon::Beckon;
use beckon_support::eventually;
use beckon_support::replay::{Kind, permission};
use reqwest::Method;
use serde_json::{Value, json};

/// A refused request: its contents, the code, and the text with its arguments.
struct Refused {
    asked: (Method, &'static str, Value),
    code: &'static str,
    text: (&'static str, Vec<(&'static str, Word<'static>)>),
}

fn refused(
    method: Method,
    path: &'static str,
    body: Value,
    code: &'static str,
    key: &'static str,
    args: &[(&'static str, &'static str)],
) -> Refused {
    let args = args
        .iter()
        .map(|(name, value)| (*name, Word::from(*value)))
        .collect();
    Refused {
        asked: (method, path, body),
        code,
        text: (key, args),
    }
}

fn table() -> Vec<Refused> {
    let (get, post) = (Method::GET, Method::POST);
    let (patch, delete) = (Method::PATCH, Method::DELETE);
    let dismiss = json!({ "answer": "dismiss", "by": "window" });
    let grant = json!({ "answer": { "grant": "once" }, "by": "window" });
    let server = |name: &str, url: &str| json!({ "name": name, "url": url });
    let set = |key: &str, value: &str| json!({ "key": key, "value": value });
    let twice = json!({ "presence": "away", "for": "1h", "until": 7 });
    let too_long = [("key", "presence.away_after"), ("value", "\"soon\"")];
    let no_address = [("key", "opencode.url"), ("value", "\"here\"")];
    let no_address = [no_address.as_slice(), &[("like", "http://127.0.0.1:4096")]].concat();
    let mut table = vec![
        refused(
            get.clone(),
            "/show/nothing",
            json!(null),
            "unknown",
            "refusal-unknown",
            &[],
        ),
        refused(
            post.clone(),
            "/answer/nothing",
            dismiss,
            "unknown",
            "refusal-unknown",
            &[],
        ),
        refused(
            post.clone(),
            "/answer/que_1",
            grant,
            "invalid",
            "invalid-kind",
            &[],
        ),
        refused(
            post.clone(),
            "/presence",
            twice,
            "invalid",
            "problem-until-and-for",
            &[],
        ),
        refused(
            post.clone(),
            "/question",
            json!({}),
            "invalid",
            "problem-no-questions",
            &[],
        ),
        refused(
            post.clone(),
            "/question",
            json!({"questions": [{"question": "Which?", "options": [{"label": "x".repeat(9_000)}]}]}),
            "invalid",
            "problem-long-label",
            &[("question", "1"), ("most", "8")],
        ),
        refused(
            post.clone(),
            "/permission",
            json!({}),
            "invalid",
            "problem-no-permission",
            &[],
        ),
        refused(
            post.clone(),
            "/notify",
            json!({}),
            "invalid",
            "problem-empty-notice",
            &[],
        ),
        refused(
            delete.clone(),
            "/question/no",
            json!({}),
            "unknown",
            "problem-not-open",
            &[],
        ),
        refused(
            get.clone(),
            "/session/no",
            json!(null),
            "unknown",
            "problem-no-session",
            &[],
        ),
        refused(
            delete.clone(),
            "/telegram/people/7",
            json!({}),
            "unknown",
            "problem-not-paired",
            &[],
        ),
    ];
    table.extend([
        refused(
            post.clone(),
            "/settings/servers",
            server(" ", "x"),
            "invalid",
            "problem-nameless",
            &[],
        ),
        refused(
            post.clone(),
            "/settings/servers",
            server("a", "here"),
            "invalid",
            "config-address",
            &no_address,
        ),
        refused(
            patch.clone(),
            "/settings",
            set("presence.away_after", "soon"),
            "invalid",
            "config-span",
            &too_long,
        ),
        refused(
            patch.clone(),
            "/settings",
            set("nonsense", "7"),
            "unknown",
            "setting-unknown",
            &[("key", "nonsense")],
        ),
        refused(
            patch.clone(),
            "/settings/servers/no",
            json!({ "url": "http://box:4096" }),
            "unknown",
            "setting-no-server",
            &[("name", "no")],
        ),
        refused(
            delete,
            "/settings/servers/no",
            json!({}),
            "unknown",
            "setting-no-server",
            &[("name", "no")],
        ),
        refused(
            post.clone(),
            "/secrets/no",
            json!({ "value": "x" }),
            "invalid",
            "problem-no-secret",
            &[],
        ),
        refused(
            post.clone(),
            "/secrets/telegram",
            json!({ "value": "" }),
            "invalid",
            "secret-empty",
            &[],
        ),
        refused(
            post.clone(),
            "/telegram/login",
            json!({ "token": "x" }),
            "invalid",
            "login-no-token",
            &[],
        ),
        refused(
            post,
            "/servers",
            json!({ "url": "here" }),
            "invalid",
            "problem-address",
            &[("like", "http://127.0.0.1:4096")],
        ),
    ]);
    table
}

async fn ask(beckon: &Beckon, (method, path, body): &(Method, &str, Value)) -> Value {
    let endpoint = beckon.endpoint().expect("run/endpoint.json is there");
    let client = reqwest::Client::builder().no_proxy().build().unwrap();
    let url = format!("{}{path}", endpoint["url"].as_str().unwrap());
    let request = client.request(method.clone(), url).json(body);
    let request = request.bearer_auth(endpoint["token"].as_str().unwrap());
    request.send().await.unwrap().json().await.unwrap()
}

async fn all_are_said_in(stage: &Rehearsal, language: &str) {
    let texts = Texts::load(language);
    for Refused {
        asked,
        code,
        text: (key, args),
    } in table()
    {
        let said = ask(&stage.beckon, &asked).await;
        assert_eq!(said["code"], code, "{asked:?}: {said}");
        assert_eq!(said["message"], texts.with(key, &args), "{asked:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_refused_is_said_in_the_language_of_the_moment() {
    let stage = Rehearsal::start().await;
    stage.ask("que_1", "Go on?").await;
    all_are_said_in(&stage, "en").await;
    let other = (
        Method::PATCH,
        "/settings",
        json!({ "key": "language", "value": "zh-CN" }),
    );
    ask(&stage.beckon, &other).await;
    all_are_said_in(&stage, "zh-CN").await;
    let unknown = stage.beckon.command(&["show", "nothing"]).await;
    assert_eq!(
        unknown.stderr.trim(),
        Texts::load("zh-CN").get("refusal-unknown")
    );
    let no_question = stage
        .beckon
        .command(&["answer", "que_1", "--question", "2", "--text", "x"]);
    let args = [("question", Word::from(2)), ("count", Word::from(1))];
    assert_eq!(
        no_question.await.stderr.trim(),
        Texts::load("zh-CN").with("invalid-question", &args)
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_warning_speaks_the_language_that_the_broken_file_wishes_for() {
    let stage = Rehearsal::without_beckon();
    let settings = |language: &str, more: &str| {
        format!(
            "language = \"{language}\"\n{}{more}",
            config(&stage.replay.url())
        )
    };
    let broken = "[questions]\nexpire_after = \"soonish\"\n";
    stage.beckon.write_config(&settings("zh-CN", broken));
    stage.beckon.start();
    stage.beckon.wait_ready().await;
    let texts = Texts::load("zh-CN");
    let why = [("key", "questions.expire_after"), ("value", "\"soonish\"")];
    let why = why.map(|(name, value)| (name, Word::from(value)));
    let why = texts.with("config-span-or-never", &why);
    let warning = texts.with("warning-config", &[("reason", Word::from(why.clone()))]);
    assert_eq!(stage.beckon.status().await["warnings"], json!([warning]));
    let doctor = stage.beckon.command(&["doctor"]).await.stdout;
    assert!(doctor.contains(&why), "{doctor}");

    stage
        .beckon
        .write_config(&settings("zh-CN", "nonsense = 1\n"));
    let unknown = |language: &str| {
        let keys = [("keys", Word::from("opencode.0.nonsense"))];
        Texts::load(language).with("warning-unknown-keys", &keys)
    };
    warns(&stage, &unknown("zh-CN")).await;
    stage.beckon.write_config(&settings("en", "nonsense = 1\n"));
    warns(&stage, &unknown("en")).await;
}

async fn warns(stage: &Rehearsal, warning: &str) {
    eventually(warning, SOON, async || {
        (stage.beckon.status().await["warnings"] == json!([warning])).then_some(())
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_out_of_reach_is_told_of_in_the_language_of_the_moment() {
    let stage = Rehearsal::without_beckon();
    stage
        .replay
        .streaming(beckon_support::replay::Streaming::Status(503));
    stage.beckon.start();
    let told = stage.beckon.wait_ready().await;
    let said = |language: &str| {
        Texts::load(language).with("fault-status", &[("detail", Word::from("503"))])
    };
    assert_eq!(told["sources"][0]["error"], said("en"), "{told}");
    let other = (
        Method::PATCH,
        "/settings",
        json!({ "key": "language", "value": "zh-CN" }),
    );
    ask(&stage.beckon, &other).await;
    let told = stage.beckon.status().await;
    assert_eq!(told["sources"][0]["error"], said("zh-CN"), "{told}");
    let gone = (
        Method::POST,
        "/servers/test",
        json!({ "url": "http://127.0.0.1:9" }),
    );
    let tested = ask(&stage.beckon, &gone).await;
    assert!(
        tested["message"]
            .as_str()
            .unwrap()
            .starts_with("没有回应："),
        "{tested}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn an_id_that_was_typed_for_what_was_asked_before_answers_nothing_else() {
    let stage = Rehearsal::start().await;
    let ask = async |command: &str| {
        let request = permission("per_1", SESSION, command);
        stage.replay.ask(Kind::Permission, DIRECTORY, request).await;
        stage
            .daemon
            .wait_for(|shown| shown.body.contains(command), SOON)
            .await;
    };
    ask("ls build/").await;
    let first = stage.beckon.list().await[0]["fingerprint"]
        .as_str()
        .unwrap()
        .to_owned();
    stage.replay.withdraw("per_1");
    ask("rm -rf ~/work").await;
    for command in ["grant", "deny"] {
        let refused = stage.beckon.command(&[command, "per_1"]).await;
        assert_eq!(refused.status, Some(1), "{refused:?}");
        assert!(refused.stderr.contains("--seen"), "{refused:?}");
    }
    let refused = stage
        .beckon
        .command(&["grant", "per_1", "--seen", &first])
        .await;
    assert!(
        refused.stderr.contains("has changed since you saw it"),
        "{refused:?}"
    );
    assert_eq!(stage.replay.replies().len(), 0);
    let shown = stage.beckon.command(&["show", "per_1"]).await.stdout;
    let seen = shown
        .split("--seen ")
        .nth(1)
        .expect("it says how")
        .split_whitespace()
        .next();
    let granted = stage
        .beckon
        .command(&["grant", "per_1", "--seen", seen.unwrap()])
        .await;
    assert_eq!(granted.status, Some(0), "{granted:?}");
    assert_eq!(stage.replies("per_1", 1).await.len(), 1);
}
