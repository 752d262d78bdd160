//! `beckon-window`, the only program that links a web view: a client of the local API that draws.
//! It is started for a page, stays hidden for a while after it was closed, and ends. Nothing
//! depends on it.
//!
//! Not here: decisions, and anything that must outlive a window.
#![cfg_attr(windows, windows_subsystem = "windows")]

mod commands;
mod doctor;
mod fitting;
mod follow;
mod font;
mod forward;
mod frame;
mod problem;
mod shared;
mod text_size;
mod view;
mod web_view;

use anyhow::{Context, Result};
use beckon_client::config;
use beckon_client::connection::{Client, ClientError};
use beckon_client::platform::paths::Paths;
use beckon_client::text::Texts;
use beckon_client::wire::{Page, PageRequest, Tab, View};
use shared::{PageCall, SharedWindows};
use std::fs::{File, TryLockError};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;
use tauri::{App, AppHandle, Manager, RunEvent};

/// The exit code when there is no Beckon to be a window of; the same as that of the command line.
const NOT_RUNNING: u8 = 5;

/// Runs the program.
fn main() -> ExitCode {
    tracing_subscriber::fmt()
        .with_max_level(tracing::Level::WARN)
        .with_writer(std::io::stderr)
        .init();
    end_on_panic();
    match run() {
        Ok(code) => code,
        Err(error) => {
            tracing::error!(error = format!("{error:#}"), "the window cannot be opened");
            ExitCode::FAILURE
        }
    }
}

/// Makes a panic end the program: nobody should look at a window of which a part has ended. The
/// resident opens another.
fn end_on_panic() {
    std::panic::set_hook(Box::new(|panic| {
        tracing::error!(%panic, "the window ends");
        std::process::exit(101)
    }));
}

fn run() -> Result<ExitCode> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let wanted = wanted(&words)
        .context("Failed to read the arguments: answer [ID] | settings [TAB] | prepare")?;
    let paths = Paths::from_env()?;
    let client = match Client::new(&paths) {
        Ok(client) => client,
        Err(_) => return Ok(not_running(&paths)),
    };
    let Some(_lock) = lock(&paths)? else {
        return hand_over(&client, wanted);
    };
    if !web_view::is_here() {
        // Nobody waits for a window that is only made ready.
        if matches!(wanted, StartPage::Page(_)) {
            web_view::tell_it_is_missing(&paths);
        }
        return Ok(ExitCode::FAILURE);
    }
    if nothing_to_draw_on() && is_gone(&client) {
        return Ok(not_running(&paths));
    }
    let met =
        tauri::async_runtime::spawn(meet(client.clone(), paths.config.clone(), wanted.call()));
    // Gtk and its like take as long to start as the resident to answer.
    let app = tauri::Builder::default()
        .manage(SharedWindows::new(paths.clone(), client))
        .invoke_handler(commands::all())
        .on_window_event(frame::on_event)
        .build(tauri::generate_context!())?;
    match tauri::async_runtime::block_on(met)? {
        Ok((wishes, view)) => show(app, wanted, view.as_ref(), wishes),
        Err(ClientError::NotRunning | ClientError::Unproven) => Ok(not_running(&paths)),
        Err(refused) => Err(refused.into()),
    }
}

/// Tells whether there is no display. Gtk fails without one before it could be found out that the
/// resident is gone.
fn nothing_to_draw_on() -> bool {
    let has = |name| std::env::var_os(name).is_some();
    cfg!(target_os = "linux") && !has("DISPLAY") && !has("WAYLAND_DISPLAY")
}

fn is_gone(client: &Client) -> bool {
    let attached = tauri::async_runtime::block_on(follow::attach(client));
    matches!(
        attached,
        Err(ClientError::NotRunning | ClientError::Unproven)
    )
}

/// Becomes the resident's window program, and asks what is to be seen.
async fn meet(
    client: Client,
    config: PathBuf,
    call: PageCall,
) -> Result<(follow::FrameTexts, Option<View>), ClientError> {
    let view = view::seen_by(&client, &config, call);
    let (wishes, view) = tokio::join!(follow::attach(&client), view);
    Ok((wishes?, view.ok()))
}

/// Locks the home for one window program: the lock is the system's and ends with the process,
/// however it ends.
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

/// Hands the page over to the window program that runs already.
fn hand_over(client: &Client, wanted: StartPage) -> Result<ExitCode> {
    let StartPage::Page(page) = wanted else {
        return Ok(ExitCode::SUCCESS);
    };
    let wish = PageRequest::here(page, std::env::var("XDG_ACTIVATION_TOKEN").ok());
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

fn show(
    app: App,
    wanted: StartPage,
    view: Option<&View>,
    wishes: follow::FrameTexts,
) -> Result<ExitCode> {
    // Windows that are made now have that size already.
    app.state::<SharedWindows>()
        .rescale_texts(text_size::scale());
    text_size::follow(app.handle(), frame::on_text_size);
    match wanted {
        StartPage::Page(page) => frame::start(app.handle(), page, view)?,
        StartPage::Nothing => prepare(app.handle(), view)?,
    }
    follow::start(app.handle().clone(), wishes);
    app.run(|app, event| {
        // The program stays warm without a window; `frame` decides when it ends.
        if let RunEvent::ExitRequested {
            code: None, api, ..
        } = event
        {
            api.prevent_exit();
            frame::grow_cold(app);
        }
    });
    Ok(ExitCode::SUCCESS)
}

/// Makes a window ready, but not for ever.
fn prepare(app: &AppHandle, view: Option<&View>) -> tauri::Result<()> {
    frame::prepare(app, view)?;
    frame::grow_cold(app);
    Ok(())
}

/// The page for which the program is started.
#[derive(Debug, PartialEq)]
enum StartPage {
    Page(Page),
    /// No page: the program is to be there when one is wanted.
    Nothing,
}

impl StartPage {
    fn call(&self) -> PageCall {
        match self {
            Self::Page(page) => PageCall::first(page.clone()),
            Self::Nothing => PageCall::default(),
        }
    }
}

/// Reads the arguments; without any, the oldest ask is wanted.
fn wanted(words: &[String]) -> Option<StartPage> {
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let page = match words[..] {
        [] | ["answer"] => Page::oldest(),
        ["inbox"] => Page::inbox(),
        ["answer", ask] => Page::answer(Some(ask.into())),
        ["settings"] => Page::Settings {
            tab: Tab::default(),
        },
        ["settings", tab] => Page::Settings {
            tab: serde_json::from_value(tab.into()).ok()?,
        },
        ["prepare"] => return Some(StartPage::Nothing),
        _ => return None,
    };
    Some(StartPage::Page(page))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_arguments_name_a_page_or_nothing() {
        let of = |words: &[&str]| wanted(&words.iter().map(|w| (*w).into()).collect::<Vec<_>>());
        let page = |page| Some(StartPage::Page(page));
        assert_eq!(of(&[]), page(Page::oldest()));
        assert_eq!(
            of(&["answer", "que_1"]),
            page(Page::answer(Some("que_1".into())))
        );
        assert_eq!(of(&["inbox"]), page(Page::inbox()));
        assert_eq!(
            of(&["settings", "health"]),
            page(Page::Settings { tab: Tab::Health })
        );
        assert_eq!(of(&["settings", "passwords"]), None);
        assert_eq!(of(&["prepare"]), Some(StartPage::Nothing));
        assert_eq!(of(&["open"]), None);
    }
}
