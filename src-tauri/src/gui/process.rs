//! The starter of the window program. It starts `beckon-window` when a window is wanted, and passes
//! the page to one that runs. The resident does not depend on that program: if it dies, only the
//! picture is lost.
//!
//! Not here: what a window shows, and who may have one.

use crate::platform::login;
use crate::platform::sink::Sink;
use beckon_client::platform::children::Program;
use beckon_client::platform::paths;
use beckon_client::wire::{Page, PageRequest, Tab, WindowMessage};
use beckon_core::{LoginSession, Span};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use tokio::process::{Child, Command};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

/// The opener of windows.
#[derive(Debug)]
pub(crate) struct GuiProcess {
    /// The sink that is told when the window program has ended.
    ended: Sink<()>,
    /// The window program; `None` if there is nothing to open windows with.
    program: Option<PathBuf>,
    /// Whether a window program stays for a while after its last window was closed.
    stays: bool,
    state: ProcessState,
    /// The login on whose screen the windows are; `None` is the resident's own.
    login: Option<LoginSession>,
}

/// The variables by which WebKitGTK and GTK draw without the graphics card.
///
/// `WEBKIT_WEB_RENDER_DEVICE_FILE` is not among them, although it would keep the card's drivers out
/// of the window program. Where it is set, WebKitGTK (2.50.6, `DRMMainDevice.cpp`) never makes the
/// object that follows the desktop's settings, and a page learns of no dark theme, text size or
/// reduced motion (`docs/measured.md` has what it costs).
const PLAIN_DRAWING: [(&str, &str); 2] = [(CARDLESS, "1"), ("GDK_GL", "disable")];
/// The variable that shows the user's wish: if they have set it, the others are left alone as well.
const CARDLESS: &str = "WEBKIT_DISABLE_DMABUF_RENDERER";

/// The state of the window program.
#[derive(Debug, Default)]
enum ProcessState {
    #[default]
    Absent,
    /// The program was started and has not connected yet; another page may be wanted meanwhile.
    Starting(Option<PageRequest>),
    Attached(UnboundedSender<WindowMessage>),
    /// The program was told to end, since a page is wanted on another screen. Only one program at a
    /// time has the windows.
    Leaving(PageRequest),
}

impl GuiProcess {
    /// Makes an opener that starts `program`.
    pub(crate) fn new(program: Option<PathBuf>, ended: Sink<()>) -> Self {
        Self {
            ended,
            program,
            stays: false,
            state: ProcessState::Absent,
            login: None,
        }
    }

    /// Sets for how long a window program stays after its last window was closed; `None` if it does
    /// not.
    pub(crate) fn keep_warm(&mut self, span: Option<Span>) {
        self.stays = span.is_some();
    }

    /// Tells whether a window is ever made ready before it is wanted.
    pub(crate) fn prepares(&self) -> bool {
        self.program.is_some() && self.stays
    }

    /// Prepares a hidden window, as one may be wanted soon.
    pub(crate) fn prepare(&mut self) {
        match &self.state {
            ProcessState::Absent if self.prepares() => _ = self.start(None),
            ProcessState::Absent | ProcessState::Starting(_) | ProcessState::Leaving(_) => {}
            ProcessState::Attached(_) => self.tell(WindowMessage::Prepare),
        }
    }

    /// Shows a page; returns `false` when there is no window program.
    pub(crate) fn open(&mut self, wish: PageRequest) -> bool {
        tracing::debug!(page = ?wish.page, state = ?self.state, "a window is wanted");
        let elsewhere = self.is_for_another_screen(&wish);
        match &mut self.state {
            ProcessState::Attached(door) if elsewhere => {
                let _ = door.send(WindowMessage::Bye);
                self.state = ProcessState::Leaving(wish);
                true
            }
            ProcessState::Leaving(next) => {
                *next = wish;
                true
            }
            ProcessState::Attached(door)
                if door.send(WindowMessage::Wish(wish.clone())).is_ok() =>
            {
                true
            }
            ProcessState::Starting(next) => {
                *next = Some(wish);
                true
            }
            ProcessState::Absent | ProcessState::Attached(_) => self.start(Some(&wish)),
        }
    }

    /// Tells whether a page is wanted on another screen than that of the present windows.
    fn is_for_another_screen(&self, wish: &PageRequest) -> bool {
        let own = login::own();
        let here = self.login.as_ref().unwrap_or(&own);
        let there = wish.login.as_ref().unwrap_or(&own);
        !here.shares_screen(there)
    }

    /// Notes that the window program has connected. A lock of the system makes sure that only one
    /// runs; one that was killed a moment ago may still look alive from here.
    pub(crate) fn attach(&mut self) -> UnboundedReceiver<WindowMessage> {
        let (door, told) = unbounded_channel();
        if matches!(self.state, ProcessState::Leaving(_)) {
            let _ = door.send(WindowMessage::Bye);
            return told;
        }
        let former = std::mem::replace(&mut self.state, ProcessState::Attached(door.clone()));
        if let ProcessState::Starting(Some(wish)) = former {
            let _ = door.send(WindowMessage::Wish(wish));
        }
        told
    }

    /// Notes that a window program that was started has ended.
    pub(crate) fn ended(&mut self) {
        match std::mem::take(&mut self.state) {
            ProcessState::Attached(door) if !door.is_closed() => {
                self.state = ProcessState::Attached(door);
            }
            ProcessState::Leaving(next) => _ = self.start(Some(&next)),
            ProcessState::Absent | ProcessState::Starting(_) | ProcessState::Attached(_) => {}
        }
    }

    /// Tells the windows that the settings have changed.
    pub(crate) fn changed(&self) {
        self.tell(WindowMessage::Changed);
    }

    /// Tells the windows that Beckon ends.
    pub(crate) fn end(&self) {
        self.tell(WindowMessage::Bye);
    }

    fn tell(&self, word: WindowMessage) {
        if let ProcessState::Attached(door) = &self.state {
            let _ = door.send(word);
        }
    }

    fn start(&mut self, wish: Option<&PageRequest>) -> bool {
        self.state = ProcessState::Absent;
        self.login = wish.and_then(|wish| wish.login.clone());
        let Some(program) = &self.program else {
            return false;
        };
        let started = command(program, wish).and_then(|mut window| window.spawn());
        match started {
            Ok(child) => {
                let seen = wish.is_some();
                tracing::info!(pid = child.id(), seen, "the window program is started");
                tokio::spawn(reap(child, self.ended.clone()));
                self.state = ProcessState::Starting(None);
                true
            }
            Err(error) => {
                tracing::warn!(%error, program = %program.display(), "no window can be opened");
                false
            }
        }
    }
}

/// Returns `beckon-window` beside this program, if it is installed.
pub(crate) fn beside_us() -> Option<PathBuf> {
    paths::beside_us("beckon-window")
        .ok()
        .filter(|program| program.is_file())
}

/// Returns the arguments that open a page, or prepare a window.
fn arguments(page: Option<&Page>) -> Vec<String> {
    match page {
        Some(Page::Answer { inbox: true, .. }) => vec!["inbox".into()],
        Some(Page::Answer { ask, inbox: false }) => {
            ["answer".into()].into_iter().chain(ask.clone()).collect()
        }
        Some(Page::Settings { tab }) => vec!["settings".into(), tab_word(*tab)],
        None => vec!["prepare".into()],
    }
}

fn tab_word(tab: Tab) -> String {
    serde_json::to_value(tab)
        .ok()
        .and_then(|v| v.as_str().map(str::to_owned))
        .unwrap_or_default()
}

fn command(program: &Path, wish: Option<&PageRequest>) -> std::io::Result<Command> {
    let mut window = Program::at(program)?
        .args(arguments(wish.map(|wish| &wish.page)))
        .beside_us();
    if let Some(login) = wish.and_then(|wish| wish.login.as_ref()) {
        window = login::within(login, window);
    }
    // A page of text needs no graphics card. Without it WebKit starts with 60 MiB less, and the
    // drivers that show nothing but white with WebKit are not used (tauri-apps/tauri#9304).
    if std::env::var_os(CARDLESS).is_none() {
        window = PLAIN_DRAWING
            .into_iter()
            .fold(window, |window, (name, value)| window.env(name, value));
    }
    // X11 desktops use the second name for the token.
    for name in ["XDG_ACTIVATION_TOKEN", "DESKTOP_STARTUP_ID"] {
        window = match wish.and_then(|wish| wish.activation.as_ref()) {
            Some(token) => window.env(name, token),
            None => window.env_remove(name),
        };
    }
    // The output goes where Beckon's own goes. If Beckon's console was closed there is nothing to
    // write to, nor to pass on.
    if cfg!(unix) {
        window = window.adjust(|command| {
            command.stdout(Stdio::inherit()).stderr(Stdio::inherit());
        });
    }
    Ok(window.into_command().into())
}

async fn reap(mut child: Child, ended: Sink<()>) {
    match child.wait().await {
        Ok(status) if status.success() => tracing::debug!("the window program has ended"),
        Ok(status) => tracing::warn!(%status, "the window program has ended by an error"),
        Err(error) => tracing::warn!(%error, "the window program is lost"),
    }
    ended.post(());
}

#[cfg(test)]
mod tests;
