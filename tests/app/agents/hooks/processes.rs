//! Tests of two Claude Codes that continue one session, like `claude --resume` in two terminals:
//! the asks, answers and ends of one change nothing of the other.

use super::*;
use std::path::PathBuf;
use tokio::process::ChildStdin;

/// A process in Claude Code's place, which runs hooks when it is told to.
struct Claude {
    shell: Child,
    stdin: ChildStdin,
    folder: PathBuf,
    program: String,
}

impl Claude {
    fn start(scene: &Scene) -> Self {
        let hook = scene.beckon.prepare(&[]);
        let environment = hook
            .get_envs()
            .filter_map(|(name, value)| Some((name, value?)));
        let mut shell = tokio::process::Command::new("sh");
        shell
            .env_clear()
            .envs(environment)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .kill_on_drop(true);
        let mut shell = shell.spawn().unwrap();
        let stdin = shell.stdin.take().unwrap();
        Self {
            folder: scene.beckon.folder().to_owned(),
            program: format!("{:?}", hook.get_program()),
            shell,
            stdin,
        }
    }

    fn pid(&self) -> u32 {
        self.shell.id().unwrap()
    }

    /// Writes the register's entry of the process.
    fn registered(&self, status: &str, since: u64) {
        let folder = self.folder.join("user/.claude/sessions");
        std::fs::create_dir_all(&folder).unwrap();
        let session = event("permission_request")["session_id"].clone();
        let entry = json!({
            "pid": self.pid(), "sessionId": session, "status": status, "statusUpdatedAt": since,
        });
        let fresh = folder.join(format!("fresh-{}", self.pid()));
        std::fs::write(&fresh, entry.to_string()).unwrap();
        std::fs::rename(fresh, self.entry()).unwrap();
    }

    fn entry(&self) -> PathBuf {
        let name = format!("user/.claude/sessions/{}.json", self.pid());
        self.folder.join(name)
    }

    /// Runs a hook for that event and waits for it in the shell; returns the file that gets its
    /// output.
    async fn runs(&mut self, name: &str, event: &Value) -> PathBuf {
        let told = self.folder.join(format!("{name}-{}.json", self.pid()));
        let said = told.with_extension("said");
        std::fs::write(&told, event.to_string()).unwrap();
        let program = &self.program;
        let line = format!(
            "{program} hook claude-code < {told:?} > {said:?}.part; mv {said:?}.part {said:?}\n"
        );
        self.stdin.write_all(line.as_bytes()).await.unwrap();
        said
    }

    /// Runs a hook in the background; returns the file that gets its output.
    async fn runs_beside(&mut self, name: &str, event: &Value) -> PathBuf {
        let told = self.folder.join(format!("{name}-{}.json", self.pid()));
        let said = told.with_extension("said");
        std::fs::write(&told, event.to_string()).unwrap();
        let program = &self.program;
        let line = format!(
            "({program} hook claude-code < {told:?} > {said:?}.part; mv {said:?}.part {said:?}) &\n"
        );
        self.stdin.write_all(line.as_bytes()).await.unwrap();
        said
    }
}

/// Waits for a hook to end; returns its output.
async fn said(file: &Path) -> String {
    eventually("the hook ends", SOON, async || {
        std::fs::read_to_string(file).ok()
    })
    .await
}

/// Returns a request for a command of the session.
fn asks(command: &str) -> Value {
    let input = json!({ "command": command, "description": "Runs it" });
    with("permission_request", json!({ "tool_input": input }))
}

/// Waits for the open asks; returns their ids, each with its command.
async fn open(scene: &Scene, count: usize) -> Vec<(String, String)> {
    eventually("the open asks", SOON, async || {
        let list = scene.beckon.list().await;
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        let asks = list
            .iter()
            .map(|ask| (text(&ask["id"]), text(&ask["permission"]["command"])));
        (list.len() == count).then(|| asks.collect())
    })
    .await
}

/// Starts two processes, each with an open dialog and its hook beside it.
async fn two_that_ask(scene: &Scene) -> [(Claude, PathBuf, String); 2] {
    let mut first = Claude::start(scene);
    let mut second = Claude::start(scene);
    for claude in [&first, &second] {
        claude.registered("waiting", 1_000);
    }
    let first_said = first.runs_beside("asks", &asks("npm ci")).await;
    open(scene, 1).await;
    let second_said = second.runs_beside("asks", &asks("npm test")).await;
    let list = open(scene, 2).await;
    let id = |command: &str| {
        let (id, _) = list.iter().find(|(_, its)| its == command).unwrap();
        id.clone()
    };
    [
        (first, first_said, id("npm ci")),
        (second, second_said, id("npm test")),
    ]
}

#[tokio::test(flavor = "multi_thread")]
async fn each_process_of_a_session_ends_what_it_has_asked_itself() {
    let scene = Scene::start().await;
    let session = json!({ "session_id": event("permission_request")["session_id"] });
    for name in ["Stop", "SessionEnd"] {
        let [
            (mut first, first_said, first_id),
            (mut second, second_said, _),
        ] = two_that_ask(&scene).await;
        let mut ends = with("stop", session.clone());
        ends["hook_event_name"] = json!(name);
        let told = second.runs(name, &ends).await;
        said(&told).await;
        assert_eq!(said(&second_said).await, "", "{name}");
        assert_eq!(scene.one_open().await, first_id, "{name}");

        // The end of the own process removes the ask, even if the process has left the register by
        // then.
        std::fs::remove_file(first.entry()).unwrap();
        let told = first.runs(name, &ends).await;
        said(&told).await;
        assert_eq!(said(&first_said).await, "", "{name}");
        scene.nothing_left().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn each_process_of_a_session_has_a_dialog_of_its_own() {
    let scene = Scene::start().await;
    for which in [0, 1] {
        let both = two_that_ask(&scene).await;
        let (answered, its, _) = &both[which];
        let (other, others, id) = &both[1 - which];
        answered.registered("busy", 2_000);
        assert_eq!(said(its).await, "");
        assert_eq!(&scene.one_open().await, id);

        let words = ["grant", id];
        let (output, _) = tokio::join!(scene.beckon.command(&words), async {
            assert!(said(others).await.contains("allow"));
            other.registered("busy", 2_000);
        });
        assert_eq!(output.stdout.trim(), "Delivered.", "{output:?}");
        scene.nothing_left().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_event_of_one_process_ends_no_equal_call_of_the_other() {
    let scene = Scene::start().await;
    let mut first = Claude::start(&scene);
    let mut second = Claude::start(&scene);
    for claude in [&first, &second] {
        claude.registered("waiting", 1_000);
    }
    let asking = asks("npm ci");
    let asked = first.runs_beside("asks", &asking).await;
    let id = scene.one_open().await;
    let mut ran = asking.clone();
    ran["hook_event_name"] = json!("PostToolUse");
    let told = second.runs("ran", &ran).await;
    said(&told).await;
    assert_eq!(scene.one_open().await, id);
    let told = first.runs("ran", &ran).await;
    said(&told).await;
    assert_eq!(said(&asked).await, "");
    scene.nothing_left().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_hook_of_an_older_beckon_asked_ends_with_its_session() {
    let scene = Scene::start().await;
    let session = event("permission_request")["session_id"].clone();
    let plain: String = session.as_str().unwrap().replace('-', "");
    for (name, ends) in [
        ("main.t.01234567", "Stop"),
        ("89abcdef.t.01234567", "SessionEnd"),
    ] {
        let mut claude = Claude::start(&scene);
        claude.registered("busy", 1_000);
        // An id of the kind from before processes had marks.
        let body = json!({ "permission": "bash", "command": "npm ci", "receipts": true,
                           "id": format!("cc.{plain}.{name}.0123") });
        let (status, asked) = scene.send("POST", "/permission", Some(body)).await;
        assert_eq!(status, 201, "{asked}");
        scene.one_open().await;
        let event = with(
            "stop",
            json!({ "hook_event_name": ends, "session_id": session }),
        );
        let told = claude.runs("ends", &event).await;
        said(&told).await;
        scene.nothing_left().await;
    }
}
