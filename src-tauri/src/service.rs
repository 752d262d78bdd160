//! Starts the rooms of the resident program, and ends them.

use crate::app::App;
use crate::channels::desktop;
use crate::config::Config;
use crate::mailbox::{Input, Mailbox};
use crate::paths::{Paths, write_private};
use crate::sources::Source;
use crate::store::Store;
use crate::texts::{Texts, Value};
use crate::tray::{self, Action};
use crate::{api, clock, demo, logs, presence};
use anyhow::{Context, Result};
use beckon_core::{Desk, Event, SourceId, Span, Surface, Timestamp};
use std::collections::BTreeMap;
use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};
use tokio::runtime::Runtime;

/// Late presses on settled cards meet a memory for so long; as in the core.
const REMEMBERED: Span = Span::minutes(7 * 24 * 60);
/// The settings file is looked at so often; a look is one system call.
const LOOK_AT_CONFIG: Duration = Duration::from_secs(2);

/// How to run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Mode {
    /// Without tray and windows.
    pub headless: bool,
    /// With a pretend agent.
    pub demo: bool,
}

/// How it ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// It was told to.
    Stopped,
    /// Another one runs already, and was told to come forward.
    AlreadyRunning,
}

/// Runs until it is told to stop.
///
/// # Errors
/// When a room that nothing works without cannot start.
pub fn run(paths: &Paths, mode: Mode) -> Result<Ended> {
    paths.create()?;
    let Some(_lock) = lock(paths)? else {
        return Ok(Ended::AlreadyRunning);
    };
    logs::start(paths)?;
    // One worker: rooms only wait for sockets, and what two threads would gain they lose by waking
    // each other for every frame of a flood.
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(1)
        .enable_all()
        .build()
        .context("Failed to start the async runtime")?;
    let (mailbox, inbox) = Mailbox::new();
    let (app, _api) = {
        let _entered = runtime.enter();
        start_rooms(paths, mode, &mailbox, &runtime)?
    };
    let (handle, tray) = (runtime.handle().clone(), app.tray.clone());
    let ended = tray.clone();
    let desk = std::thread::Builder::new().name("desk".into()).spawn(move || {
        app.run(&inbox, &handle);
        if let Some(tray) = ended {
            tray.quit();
        }
    });
    let desk = desk.context("Failed to start the loop")?;
    tracing::info!(version = env!("CARGO_PKG_VERSION"), pid = std::process::id(), "ready");
    if let Some(tray) = &tray {
        tray::run_main_loop(tray);
    }
    if desk.join().is_err() {
        anyhow::bail!("Failed to go on: the loop ended by itself; its last log line says why");
    }
    runtime.shutdown_timeout(Duration::from_secs(1));
    Ok(Ended::Stopped)
}

fn start_rooms(
    paths: &Paths,
    mode: Mode,
    mailbox: &Mailbox,
    runtime: &Runtime,
) -> Result<(App, api::Handle)> {
    let mut warnings = Vec::new();
    let (config, config_warning) = read_config(&paths.config);
    let texts = Arc::new(Texts::load(&config.language));
    let now = clock::now();
    let opened = Store::open(&paths.database, now)?;
    if let Some(aside) = &opened.set_aside {
        let file = Value::from(aside.display().to_string());
        warnings.push(texts.with("warning-set-aside", &[("file", file)]));
    }
    let saved = opened.store.load(Timestamp(now.0 - REMEMBERED.0))?;
    let desk = Desk::restore(config.policy(), saved, now);
    let api = runtime.block_on(api::start(paths, mailbox.clone()))?;
    let wanted = mailbox.clone();
    let open = move |serial| wanted.input(Input::Open(serial));
    let desktop = desktop::start(texts.clone(), mailbox.clone(), icon_file(paths), open);
    let tray = (!mode.headless).then(|| start_tray(&texts, mailbox, paths));
    let presence = presence::start(mailbox.clone(), config.presence.away_after);
    let sources = start_sources(mode, &config, config_warning.clone(), mailbox, &texts);
    runtime.spawn(stop_on_signal(mailbox.clone()));
    runtime.spawn(watch_config(paths.config.clone(), mailbox.clone()));
    let app = App {
        desk,
        store: opened.store,
        sources,
        servers: Vec::new(),
        desktop,
        presence,
        tray,
        mailbox: mailbox.clone(),
        texts,
        warnings,
        config_warning,
        draw_at: None,
    };
    Ok((app, api))
}

/// Notification daemons want the picture as a file. Without one a card has no picture.
fn icon_file(paths: &Paths) -> Option<PathBuf> {
    let file = paths.endpoint.with_file_name("icon.png");
    match write_private(&file, include_bytes!("../../icons/128x128.png")) {
        Ok(()) => Some(file),
        Err(error) => {
            tracing::warn!(error = format!("{error:#}"), "no picture for notifications");
            None
        }
    }
}

fn start_sources(
    mode: Mode,
    config: &Config,
    warning: Option<String>,
    mailbox: &Mailbox,
    texts: &Texts,
) -> BTreeMap<SourceId, Source> {
    if mode.demo {
        let handle = demo::start(mailbox.clone(), texts);
        return BTreeMap::from([(SourceId(demo::NAME.into()), Source::Demo(handle))]);
    }
    // The loop starts them as it starts those that come later.
    mailbox.input(Input::Configure(Box::new(config.clone()), warning));
    BTreeMap::new()
}

fn start_tray(texts: &Arc<Texts>, mailbox: &Mailbox, paths: &Paths) -> tray::Tray {
    let (mailbox, logs) = (mailbox.clone(), paths.logs.clone());
    tray::start(texts.clone(), move |action| match action {
        Action::Press { serial, press } => {
            mailbox.post(Event::Pressed { serial, press, by: Surface::Tray });
        }
        Action::Open(serial) => mailbox.input(Input::Open(serial)),
        Action::Said(said) => mailbox.post(Event::Said(said)),
        Action::Pause(pause) => mailbox.post(Event::Pause(pause.until(clock::now()))),
        Action::OpenLogs => open_folder(&logs),
        Action::Quit => mailbox.input(Input::Stop),
    })
}

fn open_folder(folder: &Path) {
    let opener = match std::env::consts::OS {
        "macos" => "open",
        "windows" => "explorer",
        _ => "xdg-open",
    };
    if let Err(error) = std::process::Command::new(opener).arg(folder).spawn() {
        tracing::warn!(%error, opener, "the log folder cannot be opened");
    }
}

/// One Beckon per home: the lock is the system's and ends with the process, however it ends.
fn lock(paths: &Paths) -> Result<Option<File>> {
    let path = paths.endpoint.with_file_name("lock");
    let file = File::create(&path).with_context(|| format!("Failed to open {}", path.display()))?;
    match file.try_lock() {
        Ok(()) => Ok(Some(file)),
        Err(TryLockError::WouldBlock) => Ok(None),
        Err(TryLockError::Error(error)) => {
            Err(error).with_context(|| format!("Failed to lock {}", path.display()))
        }
    }
}

/// A file that does not fit is said and passed over.
fn read_config(path: &Path) -> (Config, Option<String>) {
    match Config::read(path) {
        Ok((config, unknown)) => (config, doubts(&unknown)),
        Err(error) => {
            let error = format!("{error:#}");
            tracing::warn!(error, "config.toml is not used");
            (Config::default(), Some(error))
        }
    }
}

fn doubts(unknown: &[String]) -> Option<String> {
    for key in unknown {
        tracing::warn!(key, "config.toml has a key that nobody knows");
    }
    (!unknown.is_empty()).then(|| format!("config.toml: {}?", unknown.join(", ")))
}

async fn watch_config(path: PathBuf, mailbox: Mailbox) {
    let changed = |path: &Path| std::fs::metadata(path).and_then(|m| m.modified()).ok();
    let mut seen: Option<SystemTime> = changed(&path);
    let mut look = tokio::time::interval(LOOK_AT_CONFIG);
    loop {
        look.tick().await;
        let now = changed(&path);
        if now == seen {
            continue;
        }
        seen = now;
        match Config::read(&path) {
            Ok((config, unknown)) => {
                tracing::info!("config.toml has changed");
                mailbox.input(Input::Configure(Box::new(config), doubts(&unknown)));
            }
            Err(error) => {
                let error = format!("{error:#}");
                tracing::warn!(error, "config.toml is not used; the last good settings stay");
                mailbox.input(Input::Warn(error));
            }
        }
    }
}

#[cfg(unix)]
async fn stop_on_signal(mailbox: Mailbox) {
    use tokio::signal::unix::{SignalKind, signal};
    let (Ok(mut term), Ok(mut int)) =
        (signal(SignalKind::terminate()), signal(SignalKind::interrupt()))
    else {
        return;
    };
    tokio::select! {
        _ = term.recv() => {}
        _ = int.recv() => {}
    }
    mailbox.input(Input::Stop);
}

#[cfg(not(unix))]
async fn stop_on_signal(mailbox: Mailbox) {
    if tokio::signal::ctrl_c().await.is_ok() {
        mailbox.input(Input::Stop);
    }
}
