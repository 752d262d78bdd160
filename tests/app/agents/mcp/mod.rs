//! Tests of `beckon mcp` with real MCP clients that ask their human: the library's own, and once
//! the official one (npm `@modelcontextprotocol/sdk`).

mod odd_lines;

use crate::common::SOON;
use crate::common::counter::Scene;
use crate::common::mcp::Raw;
use beckon_support::beckon::Beckon;
use beckon_support::eventually;
use rmcp::model::{
    CallToolRequest, CallToolRequestParams, CallToolResult, ClientRequest,
    ProgressNotificationParam,
};
use rmcp::service::{NotificationContext, PeerRequestOptions, RequestHandle, RunningService};
use rmcp::{ClientHandler, RoleClient, ServiceExt};
use serde_json::{Value, json};
use std::process::Stdio;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::process::Child;

/// A client that counts the reports that a call still lives.
#[derive(Clone, Default)]
struct Ears(Arc<AtomicUsize>);

impl ClientHandler for Ears {
    async fn on_progress(
        &self,
        _told: ProgressNotificationParam,
        _context: NotificationContext<RoleClient>,
    ) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }
}

struct Agent {
    client: RunningService<RoleClient, Ears>,
    server: Mutex<Child>,
    progress: Arc<AtomicUsize>,
}

impl Agent {
    async fn start(beckon: &Beckon) -> Self {
        let mut command = beckon.prepare(&["mcp"]);
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut server = tokio::process::Command::from(command)
            .kill_on_drop(true)
            .spawn()
            .unwrap();
        let streams = (server.stdout.take().unwrap(), server.stdin.take().unwrap());
        let ears = Ears::default();
        let progress = ears.0.clone();
        let client = ears.serve(streams).await.unwrap();
        Self {
            client,
            server: Mutex::new(server),
            progress,
        }
    }

    async fn call(&self, tool: &'static str, arguments: Value) -> CallToolResult {
        let Value::Object(arguments) = arguments else {
            panic!("not an object: {arguments}")
        };
        let call = CallToolRequestParams::new(tool).with_arguments(arguments);
        tokio::time::timeout(SOON, self.client.call_tool(call))
            .await
            .unwrap()
            .unwrap()
    }

    async fn told(&self, tool: &'static str, arguments: Value) -> Value {
        let result = self.call(tool, arguments).await;
        assert_ne!(result.is_error, Some(true), "{result:?}");
        result.structured_content.unwrap()
    }
}

impl Agent {
    /// Begins a call that can be given up.
    async fn call_begun(&self, tool: &'static str, arguments: Value) -> RequestHandle<RoleClient> {
        let Value::Object(arguments) = arguments else {
            panic!("not an object: {arguments}")
        };
        let call = CallToolRequestParams::new(tool).with_arguments(arguments);
        let request = ClientRequest::CallToolRequest(CallToolRequest::new(call));
        let options = PeerRequestOptions::no_options();
        self.client
            .send_cancellable_request(request, options)
            .await
            .unwrap()
    }

    /// Waits until the server has read everything that was sent to it before.
    async fn has_read_all(&self) {
        assert_eq!(self.client.list_all_tools().await.unwrap().len(), 3);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_tools_are_there_with_their_words() {
    let scene = Scene::start().await;
    let agent = Agent::start(&scene.beckon).await;
    let mut tools = agent.client.list_all_tools().await.unwrap();
    tools.sort_by(|a, b| a.name.cmp(&b.name));
    let about = agent.client.peer_info().unwrap();
    assert_eq!(
        serde_json::to_value(&*about).unwrap()["serverInfo"]["name"],
        "beckon"
    );
    let names: Vec<&str> = tools.iter().map(|tool| tool.name.as_ref()).collect();
    assert_eq!(names, ["ask_user", "check_answer", "notify_user"]);
    assert!(tools.iter().all(|tool| tool.description.is_some()));
    for tool in &tools {
        let hints = serde_json::to_value(&tool.annotations).unwrap();
        // Codex runs such a tool without a dialog of its own.
        let harmless =
            json!({ "readOnlyHint": true, "destructiveHint": false, "openWorldHint": false });
        assert_eq!(hints, harmless, "{}", tool.name);
    }
    let schema = serde_json::to_value(&tools[0].input_schema).unwrap();
    assert_eq!(schema["required"], json!(["question"]), "{schema}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_press_answers_the_agent_which_hears_meanwhile_that_the_call_lives() {
    let scene = Scene::start().await;
    let agent = Agent::start(&scene.beckon).await;
    let choices = json!([{ "label": "是", "description": "at once" }, { "label": "No" }]);
    let asked = json!({ "question": "Deploy now?", "choices": choices });
    let press = async {
        scene.shown("Deploy now?").await;
        eventually("progress", SOON, async || {
            (agent.progress.load(Ordering::SeqCst) > 0).then_some(())
        })
        .await;
        scene.press("Deploy now?", "是").await;
    };
    let (told, ()) = tokio::join!(agent.told("ask_user", asked), press);
    let replies = json!([{ "choices": [0], "text": null }]);
    assert_eq!(
        told,
        json!({ "state": "answered", "answers": ["是"], "replies": replies })
    );
    scene.nothing_left().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_official_client_gets_the_answer_of_a_press() {
    let scene = Scene::start().await;
    let folder = tokio::task::spawn_blocking(beckon_support::npm::mcp_sdk)
        .await
        .unwrap();
    // A script's module can import the packages beside it.
    let script = folder.join("client.mjs");
    std::fs::copy(
        concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/tests/app/agents/mcp/client.mjs"
        ),
        &script,
    )
    .unwrap();
    let server = scene.beckon.prepare(&["mcp"]);
    let mut client = tokio::process::Command::new("node");
    client
        .arg(script)
        .arg(server.get_program())
        .args(server.get_args())
        .env_clear();
    client.envs(
        server
            .get_envs()
            .filter_map(|(name, value)| Some((name, value?))),
    );
    let client = client
        .stdout(Stdio::piped())
        .kill_on_drop(true)
        .spawn()
        .unwrap();
    scene.press("Deploy now?", "是").await;
    let output = tokio::time::timeout(SOON, client.wait_with_output())
        .await
        .unwrap()
        .unwrap();
    let seen: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(
        seen["names"],
        json!(["ask_user", "check_answer", "notify_user"])
    );
    assert_eq!(seen["told"]["answers"], json!(["是"]));
    assert!(seen["progress"].as_u64().unwrap() > 0, "{seen}");
    scene.nothing_left().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_with_a_short_limit_gets_a_ticket_and_fetches_the_answer_later() {
    let scene = Scene::start().await;
    let agent = Agent::start(&scene.beckon).await;
    let choices = json!([{ "label": "A" }, { "label": "B" }, { "label": "C" }]);
    let asked = json!({
        "question": "Which?", "choices": choices, "multiple": true, "free_text": false,
        "wait_seconds": 0,
    });
    let told = agent.told("ask_user", asked).await;
    assert_eq!(told["state"], "pending");
    let id = scene.one_open().await;
    assert_eq!(told["ticket"], json!(id));
    let card = scene.beckon.command(&["show", &id, "--json"]).await.json();
    let client = Ears::default().get_info().client_info.name;
    assert_eq!(
        card["session"]["agent"],
        json!(client),
        "it says which program asks"
    );
    let check = json!({ "ticket": id, "wait_seconds": 0 });
    assert_eq!(agent.told("check_answer", check).await["state"], "pending");
    let answered = scene
        .beckon
        .command(&["answer", &id, "--choice", "3,1", "--json"])
        .await;
    assert_eq!(answered.json()["state"], "taken", "{answered:?}");
    let check = json!({ "ticket": id });
    let replies = json!([{ "choices": [2, 0], "text": null }]);
    let expected = json!({ "state": "answered", "answers": ["C", "A"], "replies": replies });
    assert_eq!(agent.told("check_answer", check.clone()).await, expected);
    let another = Agent::start(&scene.beckon).await;
    assert_eq!(
        another.told("check_answer", check).await,
        expected,
        "the ticket outlives its client"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_dismissed_question_is_no_answer() {
    let scene = Scene::start().await;
    let agent = Agent::start(&scene.beckon).await;
    let dismiss = async {
        let id = scene.one_open().await;
        scene.beckon.command(&["dismiss", &id]).await;
    };
    let asked = agent.told("ask_user", json!({ "question": "Name?" }));
    let (told, ()) = tokio::join!(asked, dismiss);
    assert_eq!(told["state"], "dismissed");
}

#[tokio::test(flavor = "multi_thread")]
async fn words_that_ask_nothing_are_shown() {
    let scene = Scene::start().await;
    let agent = Agent::start(&scene.beckon).await;
    let said = json!({ "title": "Nightly", "message": "All 312 tests passed." });
    assert_eq!(agent.told("notify_user", said).await["shown"], "desktop");
    let shown = scene
        .daemon
        .wait_for(|shown| shown.summary == "Nightly", SOON)
        .await;
    assert_eq!(shown.body, "All 312 tests passed.");
    assert!(
        agent
            .call("notify_user", json!({ "message": " " }))
            .await
            .is_error
            .unwrap()
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn of_a_book_that_asks_nothing_the_beginning_is_shown() {
    let scene = Scene::start().await;
    let agent = Agent::start(&scene.beckon).await;
    let book = format!("All\u{202e} passed. {}", "word ".repeat(180_000));
    let said = json!({ "title": "Nightly\u{200b}".repeat(50), "message": book });
    agent.told("notify_user", said).await;
    let shown = scene
        .daemon
        .wait_for(|shown| shown.summary.starts_with("Nightly"), SOON)
        .await;
    assert!(
        shown.body.starts_with("All⟨U+202E⟩ passed."),
        "{}",
        shown.body
    );
    let lengths = [&shown.summary, &shown.body].map(|text| text.chars().count());
    assert!(lengths[0] <= 101 && lengths[1] <= 1_001, "{lengths:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_that_ends_takes_its_question_with_it() {
    let scene = Scene::start().await;
    let agent = Agent::start(&scene.beckon).await;
    agent
        .told(
            "ask_user",
            json!({ "question": "Name?", "wait_seconds": 0 }),
        )
        .await;
    scene.one_open().await;
    agent.client.cancel().await.unwrap();
    let mut server = agent.server.into_inner().unwrap();
    assert!(
        tokio::time::timeout(SOON, server.wait())
            .await
            .unwrap()
            .unwrap()
            .success()
    );
    scene.nothing_left().await;
}

/// A time limit shorter than the times after which an asker is missed, and the library gives its
/// calls up.
const AT_ONCE: Duration = Duration::from_secs(5);

#[tokio::test(flavor = "multi_thread")]
async fn a_client_that_closes_stdin_during_a_call_takes_its_question_with_it_at_once() {
    let scene = Scene::start().await;
    for cancelled in [false, true] {
        let mut raw = Raw::start(&scene.beckon).await;
        let params = json!({ "name": "ask_user", "arguments": { "question": "Name?" } });
        let call = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params });
        raw.say(&call.to_string()).await;
        let id = scene.one_open().await;
        if cancelled {
            let given_up = json!({ "jsonrpc": "2.0", "method": "notifications/cancelled",
                "params": { "requestId": 1 } });
            raw.say(&given_up.to_string()).await;
        }

        let Raw {
            input,
            server: mut process,
            ..
        } = raw;
        drop(input);
        eventually("the question is gone", AT_ONCE, async || {
            scene.beckon.list().await.is_empty().then_some(())
        })
        .await;
        let ended = tokio::time::timeout(AT_ONCE, process.wait()).await;
        assert!(ended.unwrap().unwrap().success());
        assert_eq!(scene.look(&id).await["state"], "gone");
    }
    scene.nothing_left().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_asked_for_before_stdin_was_closed_is_answered() {
    let scene = Scene::start().await;
    let mut raw = Raw::start(&scene.beckon).await;
    raw.say(r#"{"jsonrpc":"2.0","id":5,"method":"tools/list"}"#)
        .await;
    let Raw {
        input, mut output, ..
    } = raw;
    drop(input);

    let told = tokio::time::timeout(SOON, output.next_line()).await;
    let told: Value = serde_json::from_str(&told.unwrap().unwrap().unwrap()).unwrap();
    assert_eq!(told["id"], 5);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_that_is_given_up_while_beckon_is_away_leaves_no_question_behind() {
    let scene = Scene::start().await;
    let agent = Agent::start(&scene.beckon).await;
    let call = agent
        .call_begun("ask_user", json!({ "question": "Name?" }))
        .await;
    let id = scene.one_open().await;
    scene.shown("Name?").await;
    scene.beckon.kill9();
    call.cancel(Some("the user pressed Esc".into()))
        .await
        .unwrap();
    agent.has_read_all().await;
    scene.beckon.start();
    scene.beckon.wait_ready().await;
    // The limit is shorter than the time after which an asker is missed.
    eventually(
        "the question is gone",
        Duration::from_secs(10),
        async || scene.beckon.list().await.is_empty().then_some(()),
    )
    .await;
    assert_eq!(scene.look(&id).await["state"], "gone");
    let late = scene
        .beckon
        .command(&["answer", &id, "--text", "Ada", "--json"])
        .await;
    assert_eq!(late.json()["state"], "gone", "{late:?}");
    scene.nothing_left().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_beckon_the_agent_is_told_so() {
    let scene = Scene::start().await;
    scene.beckon.terminate();
    let agent = Agent::start(&scene.beckon).await;
    let result = agent
        .call("ask_user", json!({ "question": "Anyone?" }))
        .await;
    assert_eq!(result.is_error, Some(true));
    assert!(
        format!("{result:?}").contains("Beckon is not running"),
        "{result:?}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn arguments_in_a_models_own_spelling_ask_what_is_meant() {
    let scene = Scene::start().await;
    let agent = Agent::start(&scene.beckon).await;
    let asked = json!({
        "question": "Which?", "choices": "[\"A\", {\"label\": \"B\", \"description\": null}]",
        "multiple": "true", "free_text": "false", "wait_seconds": "0",
    });
    let told = agent.told("ask_user", asked).await;
    let id = scene.one_open().await;
    let answered = scene
        .beckon
        .command(&["answer", &id, "--choice", "2,1", "--json"])
        .await;
    assert_eq!(answered.json()["state"], "taken", "{answered:?}");
    let check = json!({ "ticket": told["ticket"], "wait_seconds": null });
    assert_eq!(
        agent.told("check_answer", check).await["answers"],
        json!(["B", "A"])
    );

    let unclear = json!({ "question": "Which?", "choices": "A or B" });
    let refused = agent.call("ask_user", unclear).await;
    assert_eq!(refused.is_error, Some(true));
    assert!(
        format!("{refused:?}").contains("A right call"),
        "{refused:?}"
    );
    scene.nothing_left().await;
}
