//! Tests of `beckon acp` between the real `opencode acp` and an editor made of the official SDK.

mod streams;

use crate::common::SOON;
use crate::common::counter::Scene;
use beckon_support::beckon::Beckon;
use beckon_support::eventually;
use beckon_support::model::{Model, Step, ToolCall, script};
use beckon_support::opencode::{AcpAgent, Version};
use serde_json::Value;
use std::process::Stdio;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, Lines};
use tokio::process::{Child, ChildStdin, ChildStdout};

/// The command that the agent wants to run.
const COMMAND: &str = "touch made && echo made";

/// An editor under way, with its agent behind `beckon acp`.
struct Editor {
    input: ChildStdin,
    output: Lines<BufReader<ChildStdout>>,
    agent: AcpAgent,
    _process: Child,
    _model: Model,
}

impl Editor {
    /// Starts everything, up to the agent's request for a permission.
    async fn asked(beckon: &Beckon) -> Self {
        let model = Model::start();
        let agent = AcpAgent::prepare(Version::V1_18_33, &model);
        let call = Step::Tools(vec![ToolCall::bash(COMMAND)]);
        let mut process = spawn(beckon, &agent, &script(&[call])).await;
        let mut editor = Self {
            input: process.stdin.take().unwrap(),
            output: BufReader::new(process.stdout.take().unwrap()).lines(),
            agent,
            _process: process,
            _model: model,
        };
        let asked = editor.next("asked").await;
        assert_eq!(asked["title"], COMMAND, "{asked}");
        editor
    }

    /// Reads on to an event of that name.
    async fn next(&mut self, name: &str) -> Value {
        loop {
            let event = self.read().await;
            if event["event"] == name {
                return event;
            }
            assert_ne!(event["event"], "exit", "{name} is still to come");
        }
    }

    async fn read(&mut self) -> Value {
        let line = tokio::time::timeout(SOON, self.output.next_line()).await;
        let line = line.expect("the editor sees something").unwrap();
        serde_json::from_str(&line.expect("the editor runs")).unwrap()
    }

    /// Does what its human does.
    async fn does(&mut self, word: &str) {
        let line = format!("{word}\n");
        self.input.write_all(line.as_bytes()).await.unwrap();
    }

    /// Waits for the end of the turn and of the agent; returns the events on the way.
    async fn ends(&mut self, reason: &str) -> Vec<String> {
        let mut events = Vec::new();
        loop {
            let event = self.read().await;
            match event["event"].as_str().unwrap() {
                "done" => assert_eq!(event["reason"], reason, "{event}"),
                "exit" => {
                    assert_eq!(event["code"], 0, "{event}");
                    return events;
                }
                name => events.push(name.to_owned()),
            }
        }
    }

    fn has_run(&self) -> bool {
        self.agent.directory().join("made").exists()
    }
}

async fn spawn(beckon: &Beckon, agent: &AcpAgent, prompt: &str) -> Child {
    let folder = tokio::task::spawn_blocking(beckon_support::npm::acp_sdk)
        .await
        .unwrap();
    // A script's module can import the packages beside it.
    let editor = folder.join("client.mjs");
    let source = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/tests/app/agents/acp/client.mjs"
    );
    std::fs::copy(source, &editor).unwrap();
    let behind = beckon.prepare(&["acp", "--"]);
    let variables = behind.get_envs();
    let mut command = tokio::process::Command::new("node");
    command
        .arg(editor)
        .arg(agent.directory())
        .arg(prompt)
        .arg(behind.get_program())
        .args(behind.get_args())
        .arg(agent.program())
        .env_clear()
        .envs(variables.filter_map(|(name, value)| Some((name, value?))))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .kill_on_drop(true);
    command.spawn().unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_yes_in_beckon_lets_the_tool_run_and_takes_the_editors_dialog_back() {
    let scene = Scene::start().await;
    let mut editor = Editor::asked(&scene.beckon).await;
    let id = scene.one_open().await;
    let shown = scene.beckon.command(&["show", &id, "--json"]).await.json();
    assert_eq!(shown["session"]["agent"], "OpenCode", "{shown}");
    let directory = editor.agent.directory();
    assert_eq!(shown["session"]["directory"], directory.to_str().unwrap());
    assert!(shown.to_string().contains(COMMAND), "{shown}");

    let grant = ["grant", &id, "--json"];
    let (granted, _) = tokio::join!(scene.beckon.command(&grant), editor.next("withdrawn"));
    assert_eq!(granted.json()["state"], "taken", "{granted:?}");
    editor.ends("end_turn").await;
    assert!(editor.has_run());
    scene.nothing_left().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_yes_in_the_editor_takes_the_card_away() {
    let scene = Scene::start().await;
    let mut editor = Editor::asked(&scene.beckon).await;
    scene.one_open().await;
    editor.does("allow_once").await;
    scene.nothing_left().await;
    let events = editor.ends("end_turn").await;
    assert!(!events.contains(&"withdrawn".to_owned()), "{events:?}");
    assert!(editor.has_run());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_no_in_beckon_is_one_for_the_agent() {
    let scene = Scene::start().await;
    let mut editor = Editor::asked(&scene.beckon).await;
    let id = scene.one_open().await;
    let deny = ["deny", &id, "--json"];
    let (denied, _) = tokio::join!(scene.beckon.command(&deny), editor.next("withdrawn"));
    assert_eq!(denied.json()["state"], "taken", "{denied:?}");
    editor.ends("end_turn").await;
    assert!(!editor.has_run());
    scene.nothing_left().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_turn_that_is_cancelled_takes_its_card_along() {
    let scene = Scene::start().await;
    let mut editor = Editor::asked(&scene.beckon).await;
    scene.one_open().await;
    editor.does("cancel").await;
    scene.nothing_left().await;
    editor.ends("cancelled").await;
    assert!(!editor.has_run());
}

#[tokio::test(flavor = "multi_thread")]
async fn without_beckon_the_editor_and_its_agent_are_by_themselves() {
    let scene = Scene::start().await;
    scene.beckon.terminate();
    let mut editor = Editor::asked(&scene.beckon).await;
    editor.does("allow_once").await;
    let events = editor.ends("end_turn").await;
    assert!(!events.contains(&"withdrawn".to_owned()), "{events:?}");
    assert!(editor.has_run());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_beckon_that_hangs_keeps_nobody_waiting() {
    let scene = Scene::start().await;
    scene.beckon.sigstop();
    let mut editor = Editor::asked(&scene.beckon).await;
    editor.does("allow_once").await;
    editor.ends("end_turn").await;
    assert!(editor.has_run());
    scene.beckon.sigcont();
    scene.nothing_left().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_beckon_that_is_killed_in_between_asks_again_when_it_is_back() {
    let scene = Scene::start().await;
    let mut editor = Editor::asked(&scene.beckon).await;
    let id = scene.one_open().await;
    scene.beckon.kill9();
    scene.beckon.start();
    scene.beckon.wait_ready().await;
    let back = eventually("the ask is there again", SOON, async || {
        let list = scene.beckon.list().await;
        list.into_iter().find(|ask| ask["id"] == id.as_str())
    });
    back.await;
    let grant = ["grant", &id, "--json"];
    let (granted, _) = tokio::join!(scene.beckon.command(&grant), editor.next("withdrawn"));
    assert_eq!(granted.json()["state"], "taken", "{granted:?}");
    editor.ends("end_turn").await;
    assert!(editor.has_run());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_beckon_that_is_killed_in_between_leaves_the_editor_its_dialog() {
    let scene = Scene::start().await;
    let mut editor = Editor::asked(&scene.beckon).await;
    scene.one_open().await;
    scene.beckon.kill9();
    editor.does("reject_once").await;
    let events = editor.ends("end_turn").await;
    assert!(!events.contains(&"withdrawn".to_owned()), "{events:?}");
    assert!(!editor.has_run());
}
