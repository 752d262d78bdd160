//! The state that the parts of the window program share: the way to the resident, and which page
//! each window shows.

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
    /// The size of the desktop's texts for which the windows are made.
    text_scale: Mutex<f64>,
    /// Whether the answer window has the keyboard.
    focused: watch::Sender<bool>,
    /// The number of openings and closings, by which an old wait for the end is known to be void.
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

    /// Finds the resident that was started anew: it has another address.
    pub(crate) fn find_again(&self) -> Result<Client, ClientError> {
        let client = Client::new(&self.paths)?;
        *lock(&self.client) = client.clone();
        Ok(client)
    }

    /// Returns what that window was called for last.
    pub(crate) fn page(&self, label: &str) -> PageCall {
        lock(&self.calls).get(label).cloned().unwrap_or_default()
    }

    /// Calls that window for that page.
    pub(crate) fn turn_to(&self, label: &'static str, page: Page) {
        self.turns.fetch_add(1, Ordering::Relaxed);
        lock(&self.calls).entry(label).or_default().turn_to(page);
    }

    /// Tells whether a window that is wanted may be shown now. If not, it is remembered that it is
    /// wanted.
    pub(crate) fn may_be_seen(&self, label: &str, activation: Option<&str>) -> bool {
        let mut drawn = lock(&self.drawn);
        let state = drawn.entry(label.into()).or_default();
        if *state == DrawState::Yes {
            return true;
        }
        *state = DrawState::Awaited(activation.map(Into::into));
        false
    }

    /// Notes that a window's page is drawn. If somebody waited for it, returns with which token.
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

    /// Notes the size of the desktop's texts. Returns by which factor they have grown, if they have
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

    /// Returns a receiver of each change of that; where several come at once, of the latest alone.
    pub(crate) fn watch_focus(&self) -> watch::Receiver<bool> {
        self.focused.subscribe()
    }

    /// Notes that a window has closed. The number of this turn tells later whether one was wanted
    /// since.
    pub(crate) fn on_closed(&self) -> u64 {
        self.turns.fetch_add(1, Ordering::Relaxed) + 1
    }

    /// Tells whether nothing has been opened or closed since that turn.
    pub(crate) fn is_latest_turn(&self, turn: u64) -> bool {
        self.turns.load(Ordering::Relaxed) == turn
    }

    /// Returns how long the program stays when no window is to be seen.
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

/// The last call of a window.
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

/// Makes the call of a window that nobody has called yet.
impl Default for PageCall {
    fn default() -> Self {
        Self {
            page: Page::oldest(),
            number: 0,
        }
    }
}

/// Whether there is something to be seen in a window.
#[derive(Default, PartialEq, Eq)]
enum DrawState {
    /// The page is not drawn, and nobody waits for it.
    #[default]
    No,
    /// The page is not drawn and is wanted, with the token of the click.
    Awaited(Option<String>),
    Yes,
}

/// Locks a slot, which is whole even when a thread died while it held it.
fn lock<T>(slot: &Mutex<T>) -> MutexGuard<'_, T> {
    slot.lock().unwrap_or_else(PoisonError::into_inner)
}
