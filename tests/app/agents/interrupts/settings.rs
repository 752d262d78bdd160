//! Tests of a service in the settings: tested before it is added, watched as soon as it is in the
//! file, gone when it is removed.

use super::scene::{call, confirm, id};
use crate::common::SOON;
use beckon_support::beckon::Beckon;
use beckon_support::bus::Bus;
use beckon_support::eventually;
use beckon_support::interrupts::Service;
use beckon_support::keyring::Keyring;
use beckon_support::replay::Replay;
use reqwest::Method;
use serde_json::{Value, json};

const FILE: &str =
    "# mine\nopencode = [] # none yet\n\n[presence]\n# a long tea\naway_after = \"4m\"\n";

struct Desk {
    beckon: Beckon,
    keyring: Keyring,
    _bus: Bus,
}

impl Desk {
    /// Starts a Beckon that watches nothing.
    async fn start() -> Self {
        let bus = Bus::start();
        let keyring = Keyring::start(&bus);
        let program = Beckon::builder(env!("CARGO_BIN_EXE_beckon"));
        let beckon = program.bus(&bus).config(FILE).start();
        beckon.wait_ready().await;
        Self {
            beckon,
            keyring,
            _bus: bus,
        }
    }

    async fn call(&self, method: Method, path: &str, body: Value) -> Value {
        let (status, told) = call(&self.beckon, method, path, &body).await;
        assert_eq!(status, 200, "{path}: {told}");
        told
    }

    async fn tests(&self, asked: Value) -> Value {
        self.call(Method::POST, "/servers/test", asked).await
    }

    fn file(&self) -> String {
        std::fs::read_to_string(self.beckon.home().join("config.toml")).unwrap()
    }

    async fn wait_sources(&self, wanted: &[(&str, &str, &str)]) {
        eventually(&format!("sources {wanted:?}"), SOON, async || {
            let status = self.beckon.status().await;
            let told = |source: &Value| {
                let text = |key: &str| source[key].as_str().unwrap().to_owned();
                (text("name"), text("kind"), text("state"))
            };
            let sources: Vec<_> = status["sources"].as_array()?.iter().map(told).collect();
            let wanted = wanted
                .iter()
                .map(|(n, k, s)| ((*n).into(), (*k).into(), (*s).into()));
            (sources == wanted.collect::<Vec<_>>()).then_some(())
        })
        .await;
    }
}

/// Returns the request that a form would send for that service.
fn new(service: &Service) -> Value {
    let (stream, resume) = service.addresses();
    json!({ "kind": "interrupts", "name": "research", "url": stream, "resume": resume })
}

#[tokio::test(flavor = "multi_thread")]
async fn a_service_is_added_with_its_token_answered_and_removed_and_the_file_is_as_it_was() {
    let (desk, service) = (Desk::start().await, Service::start());
    service.want_token("t0p-s3cret");
    let settings = desk
        .call(Method::POST, "/settings/servers", new(&service))
        .await;
    let row = &settings["servers"][0];
    assert_eq!(
        (&row["kind"], &row["secret"]),
        (&json!("interrupts"), &json!("interrupts:research"))
    );
    let file = desk.file();
    let added = file.strip_prefix(FILE).unwrap();
    assert!(
        added.contains("[[interrupts]]\nname = \"research\"\nstream = "),
        "{file}"
    );
    desk.wait_sources(&[("research", "interrupts", "unauthorized")])
        .await;

    let token = json!({ "value": "t0p-s3cret" });
    desk.call(Method::POST, "/secrets/interrupts:research", token)
        .await;
    desk.wait_sources(&[("research", "interrupts", "live")])
        .await;
    assert_eq!(
        desk.keyring.secret("interrupts:research").as_deref(),
        Some(&b"t0p-s3cret"[..])
    );
    let settings = desk.call(Method::GET, "/settings", Value::Null).await;
    assert_eq!(settings["servers"][0]["has_password"], true);
    service.interrupt("t", confirm("Go?"));
    let ask = eventually("its ask", SOON, async || desk.beckon.list().await.pop()).await;
    let taken = desk.beckon.command(&["grant", id(&ask), "--json"]).await;
    assert_eq!(taken.json()["state"], "taken", "{taken:?}");

    desk.call(Method::DELETE, "/settings/servers/research", Value::Null)
        .await;
    desk.wait_sources(&[]).await;
    assert_eq!(desk.file(), FILE);
    assert_eq!(
        desk.keyring.secret("interrupts:research"),
        None,
        "its token is forgotten"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_service_that_cannot_be_is_refused_in_words() {
    let (desk, service) = (Desk::start().await, Service::start());
    let (mut nowhere, mut nameless) = (new(&service), new(&service));
    nowhere["resume"] = Value::Null;
    nameless["name"] = json!(" ");
    let mut strange = new(&service);
    strange["url"] = json!("file:///etc/passwd");
    for (body, why) in [
        (nowhere, "resume"),
        (nameless, "name"),
        (strange, "interrupts.stream"),
    ] {
        let (status, told) = call(&desk.beckon, Method::POST, "/settings/servers", &body).await;
        assert_eq!(status, 400, "{body}");
        assert!(told["message"].as_str().unwrap().contains(why), "{told}");
    }
    assert_eq!(desk.file(), FILE);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_test_says_what_answers_and_disturbs_nobody() {
    let (desk, service) = (Desk::start().await, Service::start());
    service.interrupt("t", confirm("Go?"));
    let tested = desk.tests(new(&service)).await;
    assert_eq!(
        tested["message"], "It sends events and takes answers.",
        "{tested}"
    );
    assert_eq!(
        (&tested["ok"], &tested["kind"]),
        (&json!(true), &json!("interrupts"))
    );

    service.want_token("t0p-s3cret");
    let tested = desk.tests(new(&service)).await;
    assert_eq!(
        (&tested["ok"], &tested["unauthorized"]),
        (&json!(false), &json!(true))
    );
    let mut with_token = new(&service);
    with_token["password"] = json!("t0p-s3cret");
    assert_eq!(desk.tests(with_token.clone()).await["ok"], true);
    with_token["resume"] = json!("http://127.0.0.1:1/api/resume");
    let tested = desk.tests(with_token).await;
    assert_eq!(
        (&tested["ok"], &tested["unauthorized"]),
        (&json!(false), &json!(false))
    );

    assert!(
        service.waits("t") && service.resumed().is_empty(),
        "nothing was resumed"
    );
    assert_eq!(service.violations(), Vec::<String>::new());
    service.wait_streams(0, SOON).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_test_knows_what_else_answers_there() {
    let (desk, service, opencode) = (Desk::start().await, Service::start(), Replay::start());
    let (stream, _) = service.addresses();
    let endpoint = desk.beckon.endpoint().unwrap();
    let beckon = json!({ "url": endpoint["url"], "password": endpoint["token"] });
    let opencode_as = |kind: &str| json!({ "kind": kind, "url": opencode.url(), "resume": stream });
    for (asked, ok, kind, words) in [
        (
            json!({ "url": opencode.url() }),
            true,
            json!("opencode"),
            "OpenCode ",
        ),
        (
            beckon,
            true,
            json!("opencode"),
            "Another Beckon is responding",
        ),
        (
            opencode_as("interrupts"),
            false,
            json!("opencode"),
            "Choose that type",
        ),
        (
            opencode_as("langgraph"),
            false,
            json!("opencode"),
            "Choose that type",
        ),
        (
            json!({ "url": stream }),
            false,
            json!("interrupts"),
            "Choose that type",
        ),
        (
            json!({ "url": "http://127.0.0.1:1" }),
            false,
            Value::Null,
            "No response",
        ),
    ] {
        let tested = desk.tests(asked.clone()).await;
        assert_eq!(
            (&tested["ok"], &tested["kind"]),
            (&json!(ok), &kind),
            "{asked}: {tested}"
        );
        assert!(
            tested["message"].as_str().unwrap().contains(words),
            "{asked}: {tested}"
        );
    }
}
