//! Tests of the way from a request to the place where its session runs: real terminals under a real
//! window manager, a real tmux, and a script in the place of a browser.

use crate::common::menu::Tray;
use crate::common::{Rehearsal, SOON};
use beckon_support::beckon::Beckon;
use beckon_support::desktop::Desktop;
use beckon_support::eventually;
use beckon_support::model::{Model, Step, ToolCall, script};
use beckon_support::opencode::{Terminal, Version};
use beckon_support::process::Process;
use serde_json::{Value, json};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// The time limit for a real OpenCode to start and ask, also on a busy machine.
const STARTED: Duration = Duration::from_secs(180);

/// Beckon on a desktop with a window manager.
struct Desk {
    // First: Beckon ends before its desktop does.
    beckon: Beckon,
    desktop: Desktop,
}

impl Desk {
    async fn start() -> Self {
        let desktop = Desktop::start();
        // No arguments: Beckon runs with its tray.
        let builder = Beckon::builder(env!("CARGO_BIN_EXE_beckon"))
            .args(&[])
            .bus(desktop.bus());
        let display = desktop
            .environment()
            .into_iter()
            .filter(|(name, _)| name == "DISPLAY");
        let builder = display.fold(builder, |builder, (name, value)| builder.env(&name, value));
        let beckon = builder.config("").start();
        beckon.wait_ready().await;
        Self { beckon, desktop }
    }

    /// Opens a terminal with that title, in which the command runs.
    fn terminal(&self, title: &str, run: &Command) -> Process {
        let mut terminal = self.desktop.command("xterm");
        terminal.envs(
            run.get_envs()
                .filter_map(|(name, value)| Some((name, value?))),
        );
        terminal
            .env("DISPLAY", self.desktop.display())
            .args(["-T", title, "-e"]);
        Process::spawn({
            terminal.arg(run.get_program()).args(run.get_args());
            terminal
        })
    }

    /// Opens another window that covers the wanted one.
    async fn other(&self) -> Process {
        let mut sleep = Command::new("sleep");
        let other = self.terminal("other", sleep.arg("1000"));
        self.front("other").await;
        other
    }

    async fn front(&self, title: &str) {
        eventually(&format!("{title} is in front"), SOON, async || {
            let front = self
                .desktop
                .xdotool(&["getactivewindow", "getwindowname"])?;
            (front.trim() == title).then_some(())
        })
        .await;
    }

    async fn one_open(&self) -> String {
        let ask: Value = eventually("one open ask", STARTED, async || {
            let mut asks = self.beckon.list().await;
            (asks.len() == 1).then(|| asks.remove(0))
        })
        .await;
        assert_eq!(ask["opens"], true, "{ask}");
        ask["id"].as_str().unwrap().to_owned()
    }

    fn asking(&self) -> Command {
        self.beckon
            .prepare(&["ask", "--question", "Which one?", "--choice", "This"])
    }
}

/// A tmux server of the test's own.
struct Tmux {
    socket: PathBuf,
    _server: Process,
}

impl Tmux {
    async fn start(desk: &Desk, run: &Command) -> Self {
        let socket = desk.beckon.folder().join("tmux");
        let mut server = Command::new("tmux");
        server
            .arg("-S")
            .arg(&socket)
            .args(["-f", "/dev/null", "-D"])
            .env_remove("TMUX");
        server.envs(
            run.get_envs()
                .filter_map(|(name, value)| Some((name, value?))),
        );
        let server = Process::spawn(server);
        // The socket's file exists a moment before the server listens.
        eventually("tmux listens", SOON, async || {
            UnixStream::connect(&socket).ok()
        })
        .await;
        let tmux = Self {
            socket,
            _server: server,
        };
        let mut open = tmux.command(&["new-session", "-d", "-s", "work", "-n", "asker"]);
        open.arg(run.get_program()).args(run.get_args());
        assert!(open.status().unwrap().success());
        assert!(
            tmux.command(&["new-window", "-t", "work", "-n", "else", "sleep", "1000"])
                .status()
                .unwrap()
                .success()
        );
        tmux
    }

    fn command(&self, arguments: &[&str]) -> Command {
        tmux(&self.socket, arguments)
    }

    fn window(&self) -> String {
        let told = self
            .command(&["display-message", "-p", "-t", "work", "#{window_name}"])
            .output();
        String::from_utf8_lossy(&told.unwrap().stdout)
            .trim()
            .to_owned()
    }
}

fn tmux(socket: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new("tmux");
    command
        .arg("-N")
        .arg("-S")
        .arg(socket)
        .args(arguments)
        .env_remove("TMUX");
    command
}

#[tokio::test(flavor = "multi_thread")]
async fn the_terminal_of_whoever_asks_comes_to_the_front() {
    let desk = Desk::start().await;
    let _terminal = desk.terminal("asker", &desk.asking());
    let ask = desk.one_open().await;
    let _other = desk.other().await;
    let opened = desk.beckon.command(&["open", &ask]).await;
    assert_eq!(opened.status, Some(0), "{opened:?}");
    desk.front("asker").await;
    let answered = desk
        .beckon
        .command(&["answer", &ask, "--choice", "1"])
        .await;
    assert_eq!(answered.status, Some(0), "{answered:?}");
    let again = desk.beckon.command(&["open", &ask]).await;
    assert_eq!(again.status, Some(1), "{again:?}");
    assert!(again.stderr.contains("answered"), "{again:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn within_tmux_its_pane_is_chosen_in_the_terminal_that_shows_the_session() {
    let desk = Desk::start().await;
    let server = Tmux::start(&desk, &desk.asking()).await;
    let ask = desk.one_open().await;
    // When no terminal shows the session, the command says so, and how to attach.
    let detached = desk.beckon.command(&["open", &ask]).await;
    assert_eq!(detached.status, Some(1), "{detached:?}");
    let (_, told) = detached.stderr.split_once("Type: ").expect("what to type");
    // The test types the very command that Beckon names.
    let mut attach = Command::new("sh");
    attach.args(["-c", told.lines().next().unwrap()]);
    let _terminal = desk.terminal("attached", &attach);
    desk.front("attached").await;
    let _other = desk.other().await;
    assert_eq!(server.window(), "else");
    let opened = desk.beckon.command(&["open", &ask]).await;
    assert_eq!(opened.status, Some(0), "{opened:?}");
    desk.front("attached").await;
    assert_eq!(server.window(), "asker");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_grouped_session_stays_with_the_terminal_that_shows_it() {
    let desk = Desk::start().await;
    let server = Tmux::start(&desk, &desk.asking()).await;
    let ask = desk.one_open().await;
    let mut view = Command::new("sh");
    // The session goes as soon as no terminal shows it.
    let script = format!(
        "exec tmux -S '{}' new-session -t work -s view ';' set-option destroy-unattached on",
        server.socket.display()
    );
    let _terminal = desk.terminal("view", view.args(["-c", &script]));
    desk.front("view").await;
    let _other = desk.other().await;
    let opened = desk.beckon.command(&["open", &ask]).await;
    assert_eq!(opened.status, Some(0), "{opened:?}");
    desk.front("view").await;
    let shown = [
        "display-message",
        "-p",
        "-t",
        "view",
        "#{session_name} #{window_name}",
    ];
    let shown = server.command(&shown).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&shown.stdout).trim(), "view asker");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_asker_that_has_ended_is_not_taken_for_another_process() {
    let desk = Desk::start().await;
    let endpoint = desk.beckon.endpoint().unwrap();
    let mut asker = Process::spawn({
        let mut sleep = Command::new("sleep");
        sleep.arg("1000");
        sleep
    });
    let body = json!({
        "questions": [{ "question": "Which one?", "header": "", "options": [] }],
        "pid": asker.pid().unwrap(),
    });
    let asked = reqwest::Client::new()
        .post(format!("{}/question", endpoint["url"].as_str().unwrap()))
        .bearer_auth(endpoint["token"].as_str().unwrap())
        .json(&body)
        .send()
        .await
        .unwrap();
    assert_eq!(asked.status(), 201);
    let ask = desk.one_open().await;
    let alive = desk.beckon.command(&["open", &ask]).await;
    assert!(!alive.stderr.contains("has ended"), "{alive:?}");
    asker.kill();
    let ended = desk.beckon.command(&["open", &ask]).await;
    assert_eq!(ended.status, Some(1), "{ended:?}");
    assert!(ended.stderr.contains("Its process has ended."), "{ended:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_terminal_opened_from_within_tmux_is_not_taken_for_its_pane() {
    let desk = Desk::start().await;
    let mut sleep = Command::new("sleep");
    let server = Tmux::start(&desk, sleep.arg("1000")).await;
    let mut asking = desk.asking();
    asking
        .env("TMUX", format!("{},1,0", server.socket.display()))
        .env("TMUX_PANE", "%0");
    let _terminal = desk.terminal("asker", &asking);
    let ask = desk.one_open().await;
    let _other = desk.other().await;
    let opened = desk.beckon.command(&["open", &ask]).await;
    assert_eq!(opened.status, Some(0), "{opened:?}");
    desk.front("asker").await;
    assert_eq!(
        server.window(),
        "else",
        "a pane was chosen that has nothing to do with it"
    );
}

/// A program that listens as tmux does, starts the asker with itself as the named server, and notes
/// what it is sent.
const FALSE_TMUX: &str = r#"
import os, socket, subprocess, sys
path, heard, *asking = sys.argv[1:]
listener = socket.socket(socket.AF_UNIX)
listener.bind(path)
listener.listen()
names = {"TMUX": f"{path},{os.getpid()},0", "TMUX_PANE": "%0"}
subprocess.Popen(asking, env={**os.environ, **names})
while True:
    client, _ = listener.accept()
    with open(heard, "ab") as file:
        file.write(b"came ")
        file.flush()
        file.write(client.recv(1))
"#;

/// tmux's client would start whatever its server names, outside of what confines that server.
#[tokio::test(flavor = "multi_thread")]
async fn a_socket_that_only_says_that_it_is_tmuxs_hears_nothing() {
    let desk = Desk::start().await;
    for held in [false, true] {
        let name = |name: &str| desk.beckon.folder().join(format!("{name}-{held}"));
        let (socket, heard) = (name("socket"), name("heard"));
        let mut server = Command::new(if held { "bwrap" } else { "python3" });
        if held {
            server.args(["--dev-bind", "/", "/", "--die-with-parent", "python3"]);
        }
        let asking = desk.asking();
        server.args(["-c", FALSE_TMUX]).arg(&socket).arg(&heard);
        server.arg(asking.get_program()).args(asking.get_args());
        server.envs(
            asking
                .get_envs()
                .filter_map(|(name, value)| Some((name, value?))),
        );
        let _terminal = desk.terminal("asker", &server);
        let ask = desk.one_open().await;
        let _other = desk.other().await;
        let opened = desk.beckon.command(&["open", &ask]).await;
        if held {
            // The terminal itself is found in any case.
            desk.front("asker").await;
        } else {
            let to_type = format!("tmux -S {} attach", socket.display());
            assert!(opened.stderr.contains(&to_type), "{opened:?}");
        }
        let heard = std::fs::read_to_string(&heard).unwrap_or_default();
        assert_eq!(heard.replace("came ", ""), "", "{held}: it was spoken to");
        let answered = desk
            .beckon
            .command(&["answer", &ask, "--choice", "1"])
            .await;
        assert_eq!(answered.status, Some(0), "{answered:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_tray_leads_to_a_real_opencode_in_its_terminal() {
    let desk = Desk::start().await;
    let model = Model::start();
    let plugin = Path::new(env!("CARGO_MANIFEST_DIR")).join("integrations/opencode/beckon.js");
    let question = json!([{
        "question": "Which one?",
        "header": "Pick",
        "options": [{ "label": "This", "description": "" }],
    }]);
    let steps = [Step::Tools(vec![ToolCall::question(question)])];
    let opencode = Terminal::builder(Version::V1_18_33, &model).plugin(&plugin);
    let opencode = opencode
        .env("BECKON_HOME", desk.beckon.home())
        .start(&script(&steps));
    let _terminal = desk.terminal("opencode", &tmux(&opencode.socket(), &["attach"]));
    desk.one_open().await;
    let _other = desk.other().await;
    Tray::of(desk.desktop.bus(), &desk.beckon)
        .press("Open session")
        .await;
    desk.front("opencode").await;
}

/// Makes the program that opens pages: it notes them in the returned file.
fn browser(folder: &Path) -> PathBuf {
    let (program, pages) = (folder.join("xdg-open"), folder.join("pages"));
    let text = format!(
        "#!/bin/sh\nprintf '%s\\n' \"$1\" >> '{}'\n",
        pages.display()
    );
    std::fs::write(&program, text).unwrap();
    std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
    pages
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_of_a_server_opens_in_the_browser_or_its_address_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let pages = browser(folder.path());
    let path = format!(
        "{}:{}",
        folder.path().display(),
        std::env::var("PATH").unwrap()
    );
    let stage = Rehearsal::with("", |program| program.env("PATH", path));
    stage.beckon.start();
    stage.ready().await;
    stage.ask("que_1", "Go on?").await;
    let opened = stage
        .beckon
        .command(&["open", "que_1", "--json"])
        .await
        .json();
    // The encoded part is `/home/me/project`.
    let page = format!(
        "{}/L2hvbWUvbWUvcHJvamVjdA/session/ses_1",
        stage.replay.url()
    );
    assert_eq!(opened, json!({ "in": "browser", "url": page }));
    eventually("the browser is given the page", SOON, async || {
        (std::fs::read_to_string(&pages).ok()? == format!("{page}\n")).then_some(())
    })
    .await;
    // No program that opens pages is left.
    std::fs::remove_file(folder.path().join("xdg-open")).unwrap();
    stage
        .beckon
        .set_env("PATH", folder.path().to_str().unwrap());
    stage.beckon.terminate();
    stage.beckon.start();
    stage.ready().await;
    stage.shown("Go on?").await;
    let refused = stage.beckon.command(&["open", "que_1"]).await;
    assert_eq!(refused.status, Some(1), "{refused:?}");
    assert!(refused.stderr.contains(&page), "{refused:?}");
    assert_eq!(
        stage.state_of("que_1").await.as_deref(),
        Some("open"),
        "going there answers nothing"
    );
}
