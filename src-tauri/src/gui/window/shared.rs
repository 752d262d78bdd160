//! The state that the parts of the window program share: the client of the resident, and the page
//! that each window shows.

use super::fitting::GivenHeights;
use beckon_client::config::Config;
use beckon_client::connection::{Client, ClientError};
use beckon_client::platform::paths::Paths;
use beckon_client::wire::Page;
use beckon_core::Span;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::watch;

/// The shared state, one for the whole program.
pub(crate) struct SharedWindows {
    pub(crate) paths: Paths,
    client: Mutex<Client>,
    calls: Mutex<BTreeMap<&'static str, PageCall>>,
    drawn: Mutex<BTreeMap<String, DrawState>>,
    given_heights: Mutex<GivenHeights>,
    /// The text size of the desktop for which the windows are made.
    text_scale: Mutex<f64>,
    /// Whether the answer window has the keyboard.
    focused: watch::Sender<bool>,
    /// The number of openings and closings. It tells whether a wait for the program's end is
    /// outdated.
    turns: AtomicU64,
}

impl SharedWindows {
    pub(crate) fn new(paths: Paths, client: Client) -> Self {
        Self {
            paths,
            client: Mutex::new(client),
            calls: Mutex::default(),
            drawn: Mutex::default(),
            given_heights: Mutex::default(),
            text_scale: Mutex::new(1.0),
            focused: watch::Sender::new(false),
            turns: AtomicU64::default(),
        }
    }

    /// Returns the client of the resident.
    pub(crate) fn client(&self) -> Client {
        lock(&self.client).clone()
    }

    /// Makes a client of a resident that was restarted, and so has another address.
    pub(crate) fn find_again(&self) -> Result<Client, ClientError> {
        let client = Client::new(&self.paths)?;
        *lock(&self.client) = client.clone();
        Ok(client)
    }

    /// Returns the last call of that window.
    pub(crate) fn page(&self, label: &str) -> PageCall {
        lock(&self.calls).get(label).cloned().unwrap_or_default()
    }

    /// Calls that window for that page.
    pub(crate) fn turn_to(&self, label: &'static str, page: Page) {
        self.turns.fetch_add(1, Ordering::Relaxed);
        lock(&self.calls).entry(label).or_default().turn_to(page);
    }

    /// Tells whether a window that is wanted may be shown now. If its page is not drawn yet, the
    /// wish is remembered.
    pub(crate) fn may_be_seen(&self, label: &str, activation: Option<&str>) -> bool {
        let mut drawn = lock(&self.drawn);
        let state = drawn.entry(label.into()).or_default();
        if *state == DrawState::Yes {
            return true;
        }
        *state = DrawState::Awaited(activation.map(Into::into));
        false
    }

    /// Notes that a window's page is drawn. If the window was wanted meanwhile, returns the
    /// activation token of that wish.
    pub(crate) fn is_drawn(&self, label: &str) -> Option<Option<String>> {
        match lock(&self.drawn).insert(label.into(), DrawState::Yes) {
            Some(DrawState::Awaited(activation)) => Some(activation),
            _ => None,
        }
    }

    /// Locks the heights that the answer window was given.
    pub(crate) fn given_heights(&self) -> MutexGuard<'_, GivenHeights> {
        lock(&self.given_heights)
    }

    /// Notes the text size of the desktop. Returns the factor by which it has grown, if it has
    /// changed.
    pub(crate) fn rescale_texts(&self, scale: f64) -> Option<f64> {
        let former = std::mem::replace(&mut *lock(&self.text_scale), scale);
        let by = scale / former;
        ((by - 1.0).abs() > f64::EPSILON).then_some(by)
    }

    /// Notes whether the answer window has the keyboard.
    pub(crate) fn focus(&self, focused: bool) {
        self.focused.send_replace(focused);
    }

    /// Returns a receiver of focus changes. Of several changes at once it gets only the latest.
    pub(crate) fn watch_focus(&self) -> watch::Receiver<bool> {
        self.focused.subscribe()
    }

    /// Notes that a window has closed. Returns the number of this turn, which tells later whether a
    /// window was wanted since.
    pub(crate) fn on_closed(&self) -> u64 {
        self.turns.fetch_add(1, Ordering::Relaxed) + 1
    }

    /// Tells whether no window was opened or closed since that turn.
    pub(crate) fn is_latest_turn(&self, turn: u64) -> bool {
        self.turns.load(Ordering::Relaxed) == turn
    }

    /// Returns how long the program stays when no window is visible.
    pub(crate) fn keep_warm(&self) -> Duration {
        let config = Config::read(&self.paths.config).map(|(config, _)| config);
        let span = config
            .unwrap_or_default()
            .window
            .keep_warm
            .unwrap_or(Span(0));
        Duration::from_millis(u64::try_from(span.0).unwrap_or(0))
    }
}

/// The last call of a window: the page that it was to show.
#[derive(Clone, Debug)]
pub(crate) struct PageCall {
    pub(crate) page: Page,
    /// The number of calls so far.
    pub(crate) number: u32,
}

impl PageCall {
    /// Makes the first call, for that page.
    pub(crate) fn first(page: Page) -> Self {
        Self { page, number: 1 }
    }

    fn turn_to(&mut self, page: Page) {
        self.page = page;
        self.number += 1;
    }
}

/// Makes the call of a window that was not called yet.
impl Default for PageCall {
    fn default() -> Self {
        Self {
            page: Page::oldest(),
            number: 0,
        }
    }
}

/// Whether the page of a window is drawn.
#[derive(Default, PartialEq, Eq)]
enum DrawState {
    /// The page is not drawn, and the window is not wanted.
    #[default]
    No,
    /// The page is not drawn and the window is wanted, with the activation token of the click.
    Awaited(Option<String>),
    Yes,
}

/// Locks a slot. Its content is valid even if a thread panicked while it held the lock.
fn lock<T>(slot: &Mutex<T>) -> MutexGuard<'_, T> {
    slot.lock().unwrap_or_else(PoisonError::into_inner)
}
