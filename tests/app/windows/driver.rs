//! Reading and typing inside a web view, through WebKit's own driver
//! (<https://www.w3.org/TR/webdriver2/>).

use super::stage::{Stage, window_is_alive, window_processes};
use crate::common::SOON;
use beckon_support::process::Process;
use beckon_support::{eventually, eventually_blocking};
use serde_json::{Value, json};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

/// The time limit for a web view's processes to start: seconds usually, and half a minute on a
/// machine that builds at the same time.
const STARTED: Duration = Duration::from_secs(60);

/// The key codes of WebDriver.
pub(crate) const ENTER: &str = "\u{e007}";
pub(crate) const TAB: &str = "\u{e004}";
pub(crate) const CONTROL: &str = "\u{e009}";

/// A window program that the driver has started, with one of its windows selected.
pub(crate) struct Driver {
    session: String,
    http: reqwest::Client,
    process: Process,
}

impl Driver {
    /// Starts `beckon-window` with these arguments, on the stage's desktop.
    pub(crate) async fn start(stage: &Stage, arguments: &[&str]) -> Self {
        let port = beckon_support::ports::free_port();
        let mut command = Command::new("WebKitWebDriver");
        command
            .args(["--host=127.0.0.1", &format!("--port={port}")])
            .env_clear()
            .envs(stage.environment())
            .env("TAURI_WEBVIEW_AUTOMATION", "true")
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        let process = Process::spawn(command);
        let http = reqwest::Client::builder().no_proxy().build().unwrap();
        let options = json!({ "binary": env!("CARGO_BIN_EXE_beckon-window"), "args": arguments });
        let wanted = json!({ "browserName": "wry", "webkitgtk:browserOptions": options });
        let body = json!({ "capabilities": { "alwaysMatch": wanted } });
        let base = format!("http://127.0.0.1:{port}/session");
        let session = eventually("a session with the web view", STARTED, async || {
            let answer = http.post(&base).json(&body).send().await.ok()?;
            let answer: Value = answer.json().await.ok()?;
            Some(format!("{base}/{}", answer["value"]["sessionId"].as_str()?))
        })
        .await;
        Self {
            session,
            http,
            process,
        }
    }

    /// Kills the window program with SIGKILL.
    pub(crate) fn kill9(&self) {
        for window in self.process.pid().into_iter().flat_map(window_processes) {
            let kill = Command::new("kill")
                .args(["-9", &window.to_string()])
                .status();
            assert!(
                kill.is_ok_and(|status| status.success()),
                "the window was not killed"
            );
            let gone = || (!window_is_alive(window)).then_some(());
            eventually_blocking("the window is dead", SOON, gone);
        }
    }

    async fn post(&self, path: &str, body: Value) -> Value {
        let request = self
            .http
            .post(format!("{}/{path}", self.session))
            .json(&body);
        let answer: Value = request.send().await.unwrap().json().await.unwrap();
        answer["value"].clone()
    }

    /// Runs a script; returns its result.
    pub(crate) async fn run(&self, script: &str) -> Value {
        self.post("execute/sync", json!({ "script": script, "args": [] }))
            .await
    }

    /// Calls one of our commands; returns `{ok}` or `{refused}`.
    pub(crate) async fn invoke(&self, command: &str, arguments: Value) -> Value {
        let script = "const done = arguments[2];
            window.__TAURI_INTERNALS__.invoke(arguments[0], arguments[1]).then(
                (ok) => done({ ok }), (refused) => done({ refused }));";
        self.post(
            "execute/async",
            json!({ "script": script, "args": [command, arguments] }),
        )
        .await
    }

    /// Returns all text on the page.
    pub(crate) async fn text(&self) -> String {
        let text = self.run("return document.body.innerText").await;
        text.as_str().unwrap_or_default().to_owned()
    }

    /// Waits until the page contains the text, without a look at it.
    pub(crate) async fn says(&self, wanted: &str) {
        eventually(&format!("the page says {wanted:?}"), SOON, async || {
            self.text().await.contains(wanted).then_some(())
        })
        .await;
    }

    /// Waits until the page contains the text, and looks at the page as a person does.
    pub(crate) async fn reads(&self, wanted: &str) {
        self.says(wanted).await;
        self.look().await;
    }

    /// Moves the pointer over the page: an ask that has come up by itself takes keys only after
    /// that.
    async fn look(&self) {
        let to = |x, y| json!({ "type": "pointerMove", "duration": 20, "x": x, "y": y });
        let way = [to(5, 60), to(15, 75), to(25, 90)];
        let pointer = json!({ "type": "pointer", "id": "mouse", "actions": way });
        let said = self.post("actions", json!({ "actions": [pointer] })).await;
        assert!(said.is_null(), "{said}");
    }

    /// Waits until the ask takes an answer. One that has just come up takes none, since keys may
    /// have been meant for the one before. An ask that is not shown in full has no main button.
    pub(crate) async fn settled(&self) {
        let script = "
            const main = document.querySelector('[data-main]');
            const allow = document.querySelector('[data-letter=a]');
            return (main ?? allow)?.ariaDisabled === 'false';";
        eventually("the ask may be answered", SOON, async || {
            (self.run(script).await == true).then_some(())
        })
        .await;
        self.look().await;
    }

    /// Presses the button with that label, once it is there and enabled.
    pub(crate) async fn press(&self, label: &str) {
        let script = format!(
            "const named = [...document.querySelectorAll('button')].find((button) =>
                button.innerText.trim() === {} && !button.disabled);
            named?.click();
            return Boolean(named);",
            json!(label)
        );
        eventually(&format!("a button {label:?}"), SOON, async || {
            (self.run(&script).await == true).then_some(())
        })
        .await;
    }

    /// Types into the field with that id, over its contents.
    pub(crate) async fn fill(&self, id: &str, text: &str) {
        let script = format!(
            "const field = document.getElementById({});
            field?.focus();
            field?.select();
            return Boolean(field);",
            json!(id)
        );
        eventually(&format!("a field {id:?}"), SOON, async || {
            (self.run(&script).await == true).then_some(())
        })
        .await;
        self.write(text).await;
    }

    /// Waits until the contents of the page have been drawn.
    pub(crate) async fn drawn(&self) {
        let script = "requestAnimationFrame(() => requestAnimationFrame(arguments[0]))";
        self.post("execute/async", json!({ "script": script, "args": [] }))
            .await;
    }

    /// Types one key after the other.
    pub(crate) async fn keys(&self, keys: &[&str]) {
        let each = keys.iter().flat_map(|key| {
            [
                json!({ "type": "keyDown", "value": key }),
                json!({ "type": "keyUp", "value": key }),
            ]
        });
        self.act(each.collect()).await;
    }

    /// Types a key while Ctrl is held.
    pub(crate) async fn with_control(&self, key: &str) {
        let down = |key: &str| json!({ "type": "keyDown", "value": key });
        let up = |key: &str| json!({ "type": "keyUp", "value": key });
        self.act(vec![down(CONTROL), down(key), up(key), up(CONTROL)])
            .await;
    }

    pub(crate) async fn write(&self, text: &str) {
        let letters: Vec<String> = text.chars().map(String::from).collect();
        self.keys(&letters.iter().map(String::as_str).collect::<Vec<_>>())
            .await;
    }

    async fn act(&self, actions: Vec<Value>) {
        let keyboard = json!({ "type": "key", "id": "keyboard", "actions": actions });
        let said = self.post("actions", json!({ "actions": [keyboard] })).await;
        assert!(said.is_null(), "{said}");
    }
}

/// Kills the program, which the driver leaves behind.
impl Drop for Driver {
    fn drop(&mut self) {
        self.kill9();
    }
}

/// Takes a picture of everything that is to be seen, for a person to look at.
pub(crate) async fn picture(stage: &Stage, driver: &Driver, name: &str) {
    if let Some(folder) = std::env::var_os("BECKON_TEST_PICTURES") {
        driver.drawn().await;
        stage
            .desktop
            .screenshot(&Path::new(&folder).join(format!("{name}.png")));
    }
}
