//! The window program: a client of the local API that draws. It is started for a page, stays hidden
//! for a while after it was closed, and ends. Nothing depends on it.
//!
//! Not here: decisions, and anything that must outlive a window.

mod commands;
mod follow;
mod frame;
mod problem;
mod shared;
mod sight;

use anyhow::{Context, Result};
use beckon::client::{Client, Refused};
use beckon::config;
use beckon::paths::Paths;
use beckon::texts::Texts;
use beckon::wire::{Page, Tab, Wish};
use shared::Shared;
use std::fs::{File, TryLockError};
use std::process::ExitCode;
use std::time::Duration;
use tauri::{Manager, RunEvent};

/// The exit code when there is no Beckon to be a window of; as of the command line.
const NOT_RUNNING: u8 = 5;

/// Runs the program.
pub(crate) fn main() -> ExitCode {
    tracing_subscriber::fmt()
        .with_max_level(tracing::Level::WARN)
        .with_writer(std::io::stderr)
        .init();
    match run() {
        Ok(code) => code,
        Err(error) => {
            tracing::error!(error = format!("{error:#}"), "the window cannot be opened");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<ExitCode> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let page =
        page(&words).context("Failed to read the arguments: answer [ID] | settings [TAB]")?;
    let paths = Paths::from_env()?;
    let client = match Client::new(&paths) {
        Ok(client) => client,
        Err(_) => return Ok(not_running(&paths)),
    };
    let Some(_lock) = lock(&paths)? else { return hand_over(&client, page) };
    match tauri::async_runtime::block_on(follow::attach(&client)) {
        Ok(wishes) => show(Shared::new(paths, client), page, wishes),
        Err(Refused::NotRunning) => Ok(not_running(&paths)),
        Err(refused) => Err(refused.into()),
    }
}

/// One window program per home: the lock is the system's and ends with the process, however it ends.
fn lock(paths: &Paths) -> Result<Option<File>> {
    let path = paths.endpoint.with_file_name("window.lock");
    let file = File::create(&path).with_context(|| format!("Failed to open {}", path.display()))?;
    match file.try_lock() {
        Ok(()) => Ok(Some(file)),
        Err(TryLockError::WouldBlock) => Ok(None),
        Err(TryLockError::Error(error)) => {
            Err(error).with_context(|| format!("Failed to lock {}", path.display()))
        }
    }
}

/// Another one runs: it is to show the page.
fn hand_over(client: &Client, page: Page) -> Result<ExitCode> {
    let wish = Wish { page, activation: std::env::var("XDG_ACTIVATION_TOKEN").ok() };
    let open = client.post::<_, bool>("/windows/open", &wish, Duration::ZERO);
    tauri::async_runtime::block_on(open)?;
    Ok(ExitCode::SUCCESS)
}

fn not_running(paths: &Paths) -> ExitCode {
    use std::io::Write;
    let texts = Texts::load(&config::language(&paths.config));
    let _ = writeln!(std::io::stderr(), "{}", texts.get("cli-not-running"));
    ExitCode::from(NOT_RUNNING)
}

fn show(shared: Shared, page: Page, wishes: follow::Frames) -> Result<ExitCode> {
    let app = tauri::Builder::default()
        .manage(shared)
        .invoke_handler(commands::all())
        .setup(move |app| {
            frame::open(app.handle(), page, None)?;
            follow::start(app.handle().clone(), wishes);
            Ok(())
        })
        .on_window_event(frame::on_event)
        .build(tauri::generate_context!())?;
    app.run(|app, event| {
        // Without a window it stays warm; `frame` says when it ends.
        if let RunEvent::ExitRequested { code: None, api, .. } = event {
            api.prevent_exit();
            app.state::<Shared>().grow_cold(app.clone());
        }
    });
    Ok(ExitCode::SUCCESS)
}

/// What the arguments ask for; nothing is the oldest ask.
fn page(words: &[String]) -> Option<Page> {
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words[..] {
        [] | ["answer"] => Some(Page::Answer { ask: None }),
        ["answer", ask] => Some(Page::Answer { ask: Some(ask.into()) }),
        ["settings"] => Some(Page::Settings { tab: Tab::default() }),
        ["settings", tab] => {
            let tab = serde_json::from_value(tab.into()).ok()?;
            Some(Page::Settings { tab })
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_arguments_name_a_page_or_nothing() {
        let page = |words: &[&str]| page(&words.iter().map(|w| (*w).into()).collect::<Vec<_>>());
        assert_eq!(page(&[]), Some(Page::Answer { ask: None }));
        assert_eq!(page(&["answer", "que_1"]), Some(Page::Answer { ask: Some("que_1".into()) }));
        assert_eq!(page(&["settings", "health"]), Some(Page::Settings { tab: Tab::Health }));
        assert_eq!(page(&["settings", "passwords"]), None);
        assert_eq!(page(&["open"]), None);
    }
}
