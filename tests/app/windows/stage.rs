//! The stage of the windows: an X desktop, a strict notification daemon, an imitated OpenCode, and
//! Beckon with its tray and windows.

use crate::common::{DIRECTORY, SESSION, SOON, config, yes_or_no};
use beckon_support::beckon::{Beckon, Builder};
use beckon_support::desktop::{Desktop, WindowManager};
use beckon_support::eventually;
use beckon_support::notifications::{Notifications, Shown};
use beckon_support::replay::{Kind, Replay};
use serde_json::Value;
use std::collections::HashSet;
use std::ffi::OsString;

/// A number of colours above those of a window manager's frame and a plain ground together.
const COLOURS_OF_A_FRAME: usize = 64;

pub(crate) struct Stage {
    pub(crate) beckon: Beckon,
    pub(crate) daemon: Notifications,
    pub(crate) replay: Replay,
    pub(crate) desktop: Desktop,
}

impl Stage {
    pub(crate) async fn start() -> Self {
        Self::with("").await
    }

    /// Starts everything with more settings, and waits until it is ready.
    pub(crate) async fn with(more: &str) -> Self {
        let replay = Replay::start();
        let settings = config(&replay.url()) + more;
        Self::on(replay, |builder| builder.config(&settings)).await
    }

    /// Starts everything on a desktop with that window manager.
    pub(crate) async fn under(manager: WindowManager) -> Self {
        let replay = Replay::start();
        let settings = config(&replay.url());
        let desktop = Desktop::under(manager);
        Self::at(desktop, replay, |builder| builder.config(&settings)).await
    }

    /// Starts everything with a variable in Beckon's environment.
    pub(crate) async fn knowing(name: &str, value: &str) -> Self {
        let replay = Replay::start();
        let settings = config(&replay.url());
        Self::on(replay, |builder| builder.config(&settings).env(name, value)).await
    }

    /// Starts everything as after an installation: there is no `config.toml` yet.
    pub(crate) async fn without_a_file() -> Self {
        Self::on(Replay::start(), |builder| builder).await
    }

    async fn on(replay: Replay, tune: impl FnOnce(Builder) -> Builder) -> Self {
        Self::at(Desktop::start(), replay, tune).await
    }

    async fn at(desktop: Desktop, replay: Replay, tune: impl FnOnce(Builder) -> Builder) -> Self {
        replay.session(SESSION, DIRECTORY, "A session");
        let daemon = Notifications::start(desktop.bus());
        let builder = tune(Beckon::builder(env!("CARGO_BIN_EXE_beckon")).args(&[]));
        let beckon = environment(&desktop)
            .into_iter()
            .fold(builder, |b, (n, v)| b.env(&n, v));
        let beckon = beckon.start();
        beckon.wait_ready().await;
        Self {
            beckon,
            daemon,
            replay,
            desktop,
        }
    }

    /// Asks `text` (Yes or No) and waits for its card.
    pub(crate) async fn ask(&self, id: &str, text: &str) -> Shown {
        self.put(Kind::Question, text, yes_or_no(id, text)).await
    }

    /// Puts a request, and waits for the card whose title ends with `title`.
    pub(crate) async fn put(&self, kind: Kind, title: &str, request: Value) -> Shown {
        self.replay.ask(kind, DIRECTORY, request).await;
        self.shown(title).await
    }

    pub(crate) async fn shown(&self, title: &str) -> Shown {
        self.daemon
            .wait_for(|shown| shown.summary.ends_with(title), SOON)
            .await
    }

    /// Presses a button of the notification whose title ends with `title`.
    pub(crate) async fn press(&self, title: &str, label: &str) {
        self.daemon.press_titled(title, label, SOON).await;
    }

    /// Returns the environment for programs that belong to this Beckon.
    pub(crate) fn environment(&self) -> Vec<(String, OsString)> {
        let own = [
            ("HOME", self.beckon.folder().join("user")),
            ("XDG_RUNTIME_DIR", self.beckon.folder().join("runtime")),
            ("PATH", std::env::var_os("PATH").unwrap_or_default().into()),
            ("BECKON_HOME", self.beckon.home()),
        ];
        let own = own
            .into_iter()
            .map(|(name, path)| (name.to_owned(), path.into()));
        environment(&self.desktop).into_iter().chain(own).collect()
    }

    /// Returns the present text of `config.toml`.
    pub(crate) fn config(&self) -> String {
        std::fs::read_to_string(self.beckon.home().join("config.toml")).unwrap()
    }

    /// Waits for the reply to that ask.
    pub(crate) async fn reply(&self, id: &str) -> Value {
        eventually(&format!("a reply to {id}"), SOON, async || {
            self.replay
                .replies()
                .into_iter()
                .find(|reply| reply.id == id)
        })
        .await
        .body
    }

    /// Waits for the visible window with that title.
    pub(crate) async fn window(&self, title: &str) -> String {
        eventually(&format!("a window {title}"), SOON, async || {
            self.desktop.windows("--name", title).pop()
        })
        .await
    }

    /// Waits for the visible window with that title, until its page can be seen in it. Text alone
    /// has hundreds of colours; a ground with nothing on it has one, beside those of a frame.
    pub(crate) async fn painted(&self, title: &str) -> String {
        let window = self.window(title).await;
        eventually(&format!("a page in {title}"), SOON, async || {
            let place = self.desktop.places("--name", title).pop()?;
            let colours: HashSet<_> = self.desktop.pixels(place).into_iter().collect();
            (colours.len() > COLOURS_OF_A_FRAME).then_some(())
        })
        .await;
        window
    }

    /// Closes a window as a person does: a key that comes before the window has the focus is
    /// pressed again.
    pub(crate) async fn close(&self, title: &str) {
        eventually(&format!("{title} is closed"), SOON, async || {
            let Some(window) = self.desktop.windows("--name", title).pop() else {
                return Some(());
            };
            let keys = ["windowactivate", "--sync", &window, "key", "alt+F4"];
            let _ = self.desktop.xdotool(&keys);
            None
        })
        .await;
    }

    pub(crate) async fn no_window(&self, title: &str) {
        eventually(&format!("no window {title}"), SOON, async || {
            self.desktop
                .windows("--name", title)
                .is_empty()
                .then_some(())
        })
        .await;
    }

    /// Returns the window programs that Beckon has started.
    pub(crate) fn window_processes(&self) -> Vec<u32> {
        window_processes(self.beckon.pid().expect("beckon runs"))
    }
}

/// Returns the window programs that this process has started.
pub(crate) fn window_processes(parent: u32) -> Vec<u32> {
    children(parent)
        .into_iter()
        .filter(|pid| window_is_alive(*pid))
        .collect()
}

/// Returns how many processes draw the pages of this window program.
pub(crate) fn web_views(window: u32) -> usize {
    let stat = |pid| std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    children(window)
        .into_iter()
        .filter(|pid| stat(*pid).contains("(WebKitWebProces"))
        .count()
}

fn children(parent: u32) -> Vec<u32> {
    let tasks = std::fs::read_dir(format!("/proc/{parent}/task"))
        .into_iter()
        .flatten();
    let files = tasks.filter_map(|task| Some(task.ok()?.path().join("children")));
    let all: Vec<String> = files
        .filter_map(|f| std::fs::read_to_string(f).ok())
        .collect();
    let pids = all.iter().flat_map(|text| text.split_whitespace());
    pids.filter_map(|pid| pid.parse().ok()).collect()
}

/// Returns the display and the bus of a desktop. Beckon has a home of its own already.
pub(crate) fn environment(desktop: &Desktop) -> Vec<(String, OsString)> {
    let own = ["HOME", "PATH", "XDG_RUNTIME_DIR"];
    let theirs = desktop.environment().into_iter();
    theirs
        .filter(|(name, _)| !own.contains(&name.as_str()))
        .collect()
}

/// Tells whether the window program runs; one that is dead and not yet reaped does not. Its files
/// are closed with its last thread, which may outlive the first.
pub(crate) fn window_is_alive(pid: u32) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    let threads = std::fs::read_dir(format!("/proc/{pid}/task")).map_or(0, Iterator::count);
    stat.contains("(beckon-window)") && (threads > 1 || !stat.contains(") Z "))
}
