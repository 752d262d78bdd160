//! The start and the end of the rooms of the resident program.

mod home_lock;

use crate::api;
use crate::app::inbox::{LoopInput, Mailbox, SessionInput};
use crate::app::warning::Warning;
use crate::app::{self, App, Rooms};
use crate::channels::desktop::DesktopNews;
use crate::channels::telegram::pairing::pairings::Pairings;
use crate::channels::{Channels, desktop, telegram};
use crate::gui::process::{self, GuiProcess};
use crate::platform::console;
use crate::platform::fault::{self, FormerFaults};
use crate::platform::file_watch::FileWatch;
use crate::platform::identity;
use crate::platform::limits;
use crate::platform::logs;
use crate::platform::part::{self, Part};
use crate::platform::signals;
use crate::presence;
use crate::sources::Source;
use crate::sources::demo;
use crate::sources::local_asks::LocalAsks;
use crate::sources::local_asks::messages::AskRecord;
use crate::sources::opencode;
use crate::store::{Aside, DatabaseUpkeep, Store};
use crate::tray::{self, MenuAction};
use crate::updates;
use anyhow::{Context, Result};
use beckon_client::config::{self, Config};
use beckon_client::platform::clock;
use beckon_client::platform::failure::SystemFailure;
use beckon_client::platform::paths::{Paths, write_private};
use beckon_client::text::Texts;
use beckon_client::wire::{Page, PageRequest, Tab};
use beckon_core::{Desk, Entry, Event, REMEMBERED, SavedState, SourceId, Surface, Timestamp};
use home_lock::LockedPlace;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};
use tokio::sync::mpsc::UnboundedReceiver;

/// How long until sources that nobody watches are dropped: plugins look for a new Beckon every two
/// seconds, so a server that has not registered itself again by then will not.
const REGISTERED_WITHIN: Duration = Duration::from_secs(15);

/// The mode in which to run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct RunMode {
    /// Whether it runs without tray and windows.
    pub headless: bool,
    /// Whether it runs with a pretend agent.
    pub demo: bool,
    /// Whether the running Beckon is ending because it reaches nobody in this login, so that this
    /// one waits to take its place.
    pub takes_over: bool,
    /// The number of panics in a row that have ended Beckon before (`platform/fault.rs`).
    pub after_faults: u32,
}

/// The end of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ServiceEnd {
    /// The program was told to stop.
    Stopped,
    /// Another Beckon runs already, and was told to show itself.
    AlreadyRunning,
}

/// Runs until told to stop.
///
/// # Errors
/// When a room that everything depends on cannot start.
pub(super) fn run(paths: &Paths, mode: RunMode, former: FormerFaults) -> Result<ServiceEnd> {
    paths.create()?;
    let starts_anew = former.count > 0 || !former.tried.is_empty();
    if starts_anew {
        std::thread::sleep(fault::pause(former.count));
    }
    let Some(held) = home_lock::take(paths, mode)? else {
        // Another Beckon was started meanwhile, and this one needs nothing from it.
        return Ok(if starts_anew {
            ServiceEnd::Stopped
        } else {
            ServiceEnd::AlreadyRunning
        });
    };
    let ended_at = held.end_of_former(mode);
    logs::start(paths)?;
    if !mode.headless {
        console::close_own();
    }
    limits::raise_open_files();
    limits::give_back_memory();
    let (mailbox, inbox) = Mailbox::new();
    let tried = former.tried.clone();
    fault::start_anew_on_panic(former);
    let (config, config_warning) = read_config(&paths.config);
    let texts = Arc::new(Texts::load(&config.language));
    let tray = (!mode.headless).then(|| start_tray(&texts, &mailbox));
    let start = LoopStart {
        paths: paths.clone(),
        mode,
        config,
        config_warning,
        texts,
        mailbox,
        tried,
        ended_at,
        home: held.place()?,
    };
    let shown = tray.clone();
    let desk = std::thread::Builder::new()
        .name("desk".into())
        .spawn(move || {
            let ended = start.run(inbox, shown.clone());
            if let Some(tray) = shown {
                tray.quit();
            }
            ended
        });
    let desk = desk.context("Failed to start the loop")?;
    if let Some(tray) = &tray {
        tray::run_main_loop(tray);
    }
    match desk.join() {
        Ok(ended) => ended.map(|()| {
            held.note_end();
            ServiceEnd::Stopped
        }),
        Err(_) => Err(SystemFailure::LoopEnded.into()),
    }
}

/// The values with which the loop's thread begins.
struct LoopStart {
    paths: Paths,
    mode: RunMode,
    config: Config,
    config_warning: Option<Warning>,
    texts: Arc<Texts>,
    mailbox: Mailbox,
    /// The parts that were left out and are tried again.
    tried: Vec<Part>,
    /// The time when the former Beckon ended, if it noted it.
    ended_at: Option<Timestamp>,
    /// The folder that is locked.
    home: LockedPlace,
}

impl LoopStart {
    /// Runs the loop. It shares one thread with all rooms that wait for sockets: switching threads
    /// costs more than anything that they do for an ask (measured, see docs/measured.md).
    fn run(self, inbox: UnboundedReceiver<LoopInput>, tray: Option<tray::Tray>) -> Result<()> {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .context("Failed to start the async runtime")?;
        runtime.block_on(async {
            let tried = self.tried.clone();
            let (app, home, _api) = self.start_rooms(tray).await?;
            tokio::spawn(async move { fault::try_left_out_again(&tried).await });
            tokio::spawn(home.keep());
            tracing::info!(
                version = env!("CARGO_PKG_VERSION"),
                pid = std::process::id(),
                "ready"
            );
            app.run(inbox).await;
            anyhow::Ok(())
        })?;
        runtime.shutdown_timeout(Duration::from_secs(1));
        Ok(())
    }

    async fn start_rooms(
        self,
        tray: Option<tray::Tray>,
    ) -> Result<(App, LockedPlace, api::ApiHandle)> {
        let Self {
            paths,
            mode,
            config,
            config_warning,
            texts,
            mailbox,
            ended_at,
            home,
            ..
        } = self;
        let now = clock::now();
        let first =
            !paths.config.exists() && !paths.database.exists() && mode == RunMode::default();
        let opened = Store::open_reading(&paths.database, now, |store| {
            RestoredState::read(store, now)
        })?;
        let (store, kept) = (opened.store, opened.kept);
        if let Some(tray) = &tray {
            kept.latest.iter().for_each(|entry| tray.remember(entry));
            tray.one_press(config.permissions.one_press);
        }
        let seal = identity::bound(&kept.seal, paths.home());
        let instance: Arc<str> = seal.as_str().into();
        let api = api::start(
            &paths,
            &config.api,
            mailbox.clone(),
            texts.clone(),
            instance.clone(),
        );
        let api = api.await?;
        let desktop = start_desktop(&paths, &config, &texts, &mailbox, seal.clone());
        let presence = presence::start(mailbox.sink(LoopInput::Event), config.presence.away_after);
        // Telegram is started only when it is known whether the human is here: before that, a phone
        // could ring in the wrong place.
        let known = presence.settled();
        let settings = telegram::TelegramSettings {
            address: (&config.telegram).into(),
            seal,
            pairings: kept.pairings,
            one_press: config.permissions.one_press,
            shared: config.hub.is_some() && crate::hub::IS_BUILT,
            silent_for: ended_at.map(|ended_at| clock::now() - ended_at),
        };
        let (events, reports) = (
            mailbox.sink(LoopInput::Event),
            mailbox.sink(LoopInput::Telegram),
        );
        let telegram = telegram::start(settings, texts.clone(), events, reports, known);
        if first {
            mailbox.input(LoopInput::Welcome);
        }
        look_about(mode, paths.config.clone(), &mailbox);
        look_after(&paths.database, opened.unclean, &mailbox)?;
        if opened.set_aside.is_some() {
            store.told_of_aside()?;
        }
        // The local user is known before anybody can answer.
        mailbox.post(Event::User(app::user(&config)));
        let app = App::new(Rooms {
            asks: LocalAsks::restore(kept.asking, &kept.saved.entries, now),
            desk: Desk::restore(config.policy(), kept.saved, now),
            store,
            sources: start_sources(mode, &config, config_warning.clone(), &mailbox, &texts),
            instance,
            channels: Channels { desktop, telegram },
            presence,
            marker: presence::PresenceMarker::start(paths.endpoint.with_file_name("here")),
            opener: start_gui(mode, &config, &mailbox),
            tray,
            updates: updates::start(paths.home().join("updates.json")),
            mailbox,
            texts,
            warnings: begun_with(mode, opened.set_aside, &paths),
            config_warning,
        });
        Ok((app, home, api))
    }
}

/// Returns the warnings for a person who has not looked since the last start.
fn begun_with(mode: RunMode, set_aside: Option<Aside>, paths: &Paths) -> Vec<Warning> {
    let faults = mode.after_faults;
    let logs = paths.logs.clone();
    let faulty = match part::left_out() {
        _ if faults == 0 => None,
        [] => Some(Warning::Fault(logs)),
        parts => Some(Warning::LeftOut(parts, logs)),
    };
    if faulty.is_some() {
        let without = part::left_out();
        tracing::warn!(
            faults,
            ?without,
            "started anew after a fault of Beckon's own"
        );
    }
    set_aside
        .map(Warning::SetAside)
        .into_iter()
        .chain(faulty)
        .collect()
}

fn start_desktop(
    paths: &Paths,
    config: &Config,
    texts: &Arc<Texts>,
    mailbox: &Mailbox,
    seal: String,
) -> desktop::DesktopChannel {
    let wanted = mailbox.clone();
    let open = move |serial, activation| wanted.input(LoopInput::Open(serial, activation));
    let news = mailbox.sink(|news| match news {
        DesktopNews::Event(event) => LoopInput::Event(*event),
        DesktopNews::Replied(target, text) => LoopInput::Reply(target, text),
        DesktopNews::WavedAway(ask) => LoopInput::WavedAway(ask),
        DesktopNews::Misclicked(ask) => LoopInput::Misclicked(ask),
        DesktopNews::Changed => LoopInput::DesktopChanged,
    });
    let mut desktop = desktop::start(texts.clone(), news, icon_file(paths), seal, open);
    desktop.sound(config.notifications.sound);
    desktop.one_press(config.permissions.one_press);
    desktop.break_through(config.notifications.break_through);
    desktop
}

fn start_gui(mode: RunMode, config: &Config, mailbox: &Mailbox) -> GuiProcess {
    let program = if mode.headless {
        None
    } else {
        process::beside_us()
    };
    let mut opener = GuiProcess::new(program, mailbox.sink(|()| LoopInput::WindowEnded));
    opener.keep_warm(config.window.keep_warm);
    opener
}

/// The stored state with which the rooms begin.
struct RestoredState {
    saved: SavedState,
    /// The last answers, for the tray, which tells of earlier runs too.
    latest: Vec<Entry>,
    asking: Vec<AskRecord>,
    pairings: Pairings,
    seal: String,
}

impl RestoredState {
    fn read(store: &Store, now: Timestamp) -> Result<Self> {
        let since = Timestamp(now.0 - REMEMBERED.0);
        Ok(Self {
            saved: store.load(since)?,
            latest: store.latest(since, tray::MOST_LATEST)?,
            asking: store.asking()?,
            pairings: store.pairings()?,
            seal: store.seal()?,
        })
    }
}

/// Starts the upkeep of the database, beside the loop.
fn look_after(database: &Path, unclean: bool, mailbox: &Mailbox) -> Result<()> {
    let mailbox = mailbox.clone();
    let damaged = move |file| mailbox.input(LoopInput::Amiss(Warning::Damaged(file)));
    DatabaseUpkeep::of(database, unclean)
        .start(damaged)
        .context("Failed to start the upkeep")
}

/// Starts the tasks that watch something for as long as Beckon runs.
fn look_about(mode: RunMode, config: PathBuf, mailbox: &Mailbox) {
    tokio::spawn(stop_on_signal(mailbox.clone()));
    tokio::spawn(watch_config(config, mailbox.clone()));
    tokio::spawn(drop_unwatched(mailbox.clone()));
    if !mode.demo {
        let found = mailbox.sink(LoopInput::Source);
        tokio::spawn(Part::Discovery.run(opencode::service::find(found)));
    }
}

/// Writes the icon, since notification daemons want the picture as a file. Without one a card has
/// no picture.
fn icon_file(paths: &Paths) -> Option<PathBuf> {
    let file = paths.endpoint.with_file_name("icon.png");
    let picture = include_bytes!("../../../icons/128x128.png");
    if std::fs::read(&file).is_ok_and(|there| there == picture) {
        return Some(file);
    }
    match write_private(&file, picture) {
        Ok(()) => Some(file),
        Err(error) => {
            tracing::warn!(error = format!("{error:#}"), "no picture for notifications");
            None
        }
    }
}

fn start_sources(
    mode: RunMode,
    config: &Config,
    warning: Option<Warning>,
    mailbox: &Mailbox,
    texts: &Texts,
) -> BTreeMap<SourceId, Source> {
    if mode.demo {
        let handle = demo::start(mailbox.sink(LoopInput::Source), texts);
        return BTreeMap::from([(SourceId(demo::NAME.into()), Source::Demo(handle))]);
    }
    // The loop starts these servers in the same way as those that come later.
    mailbox.input(LoopInput::Configure(Box::new(config.clone()), warning));
    BTreeMap::new()
}

fn start_tray(texts: &Arc<Texts>, mailbox: &Mailbox) -> tray::Tray {
    let mailbox = mailbox.clone();
    tray::start(texts.clone(), move |action| match action {
        MenuAction::Press { target, press } => {
            mailbox.post(Event::Pressed {
                target,
                press,
                by: Surface::Tray,
            });
        }
        MenuAction::Open(serial) => {
            mailbox.input(LoopInput::Open(serial, tray::activation_token()))
        }
        MenuAction::OpenSession(serial) => {
            mailbox.input(LoopInput::Session(SessionInput::Show(serial)))
        }
        MenuAction::Said { said, until } => {
            mailbox.post(Event::Said {
                said,
                until: until.end(clock::now()),
            });
        }
        MenuAction::Pause(pause) => mailbox.post(Event::Pause(pause.until(clock::now()))),
        MenuAction::OpenMenu => mailbox.input(LoopInput::PrepareWindow),
        MenuAction::OpenBeckon => want(&mailbox, Page::oldest()),
        MenuAction::OpenInbox => want(&mailbox, Page::inbox()),
        MenuAction::OpenHistory => want(&mailbox, Page::Settings { tab: Tab::History }),
        MenuAction::OpenSettings => want(
            &mailbox,
            Page::Settings {
                tab: Tab::default(),
            },
        ),
        MenuAction::Quit => mailbox.input(LoopInput::Stop),
    })
}

/// Opens a page after a click in the tray.
fn want(mailbox: &Mailbox, page: Page) {
    let wish = PageRequest::here(page, tray::activation_token());
    mailbox.input(LoopInput::Window(wish, None));
}

/// Reads the settings. A file that does not fit is reported and not used.
fn read_config(path: &Path) -> (Config, Option<Warning>) {
    match Config::read(path) {
        Ok((config, unknown)) => (config, doubts(unknown)),
        Err(error) => {
            tracing::warn!(%error, "config.toml is not used");
            // The language may still be readable: the warning is for the same person.
            let language = config::language(path);
            (
                Config {
                    language,
                    ..Config::default()
                },
                Some(Warning::Config(error)),
            )
        }
    }
}

fn doubts(unknown: Vec<String>) -> Option<Warning> {
    for key in &unknown {
        tracing::warn!(key, "config.toml has a key that nobody knows");
    }
    (!unknown.is_empty()).then_some(Warning::UnknownKeys(unknown))
}

async fn drop_unwatched(mailbox: Mailbox) {
    tokio::time::sleep(REGISTERED_WITHIN).await;
    mailbox.input(LoopInput::DropUnwatched);
}

async fn watch_config(path: PathBuf, mailbox: Mailbox) {
    let mut watch = FileWatch::new(path.clone());
    let changed = |path: &Path| std::fs::metadata(path).and_then(|m| m.modified()).ok();
    let mut seen: Option<SystemTime> = changed(&path);
    loop {
        watch.changed().await;
        let now = changed(&path);
        if now == seen {
            continue;
        }
        seen = now;
        match Config::read(&path) {
            Ok((config, unknown)) => {
                tracing::info!("config.toml has changed");
                mailbox.input(LoopInput::Configure(Box::new(config), doubts(unknown)));
            }
            Err(error) => {
                tracing::warn!(%error, "config.toml is not used; the last good settings stay");
                mailbox.input(LoopInput::Warn(Warning::Config(error)));
            }
        }
    }
}

async fn stop_on_signal(mailbox: Mailbox) {
    signals::told_to_end().await;
    mailbox.input(LoopInput::Stop);
}
