//! What the parts of the window program share: the way to the resident, and which page each window
//! shows.

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

/// One for the whole program.
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
    /// Counts openings and closings, so that an old wait for the end is known to be void.
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

    /// The way to the resident.
    pub(crate) fn client(&self) -> Client {
        lock(&self.client).clone()
    }

    /// The resident was started anew: it has another address.
    pub(crate) fn find_again(&self) -> Result<Client, ClientError> {
        let client = Client::new(&self.paths)?;
        *lock(&self.client) = client.clone();
        Ok(client)
    }

    /// What that window shows.
    pub(crate) fn page(&self, label: &str) -> PageCall {
        lock(&self.calls).get(label).cloned().unwrap_or_default()
    }

    /// Somebody calls that window, for that page.
    pub(crate) fn turn_to(&self, label: &'static str, page: Page) {
        self.turns.fetch_add(1, Ordering::Relaxed);
        lock(&self.calls).entry(label).or_default().turn_to(page);
    }

    /// A window is wanted: may it be seen now? If not, it is remembered that it is wanted.
    pub(crate) fn may_be_seen(&self, label: &str, activation: Option<&str>) -> bool {
        let mut drawn = lock(&self.drawn);
        let state = drawn.entry(label.into()).or_default();
        if *state == DrawState::Yes {
            return true;
        }
        *state = DrawState::Awaited(activation.map(Into::into));
        false
    }

    /// A window's page is drawn: was somebody waiting for it, and with which token?
    pub(crate) fn is_drawn(&self, label: &str) -> Option<Option<String>> {
        match lock(&self.drawn).insert(label.into(), DrawState::Yes) {
            Some(DrawState::Awaited(activation)) => Some(activation),
            _ => None,
        }
    }

    /// Of the answer window.
    pub(crate) fn given_heights(&self) -> MutexGuard<'_, GivenHeights> {
        lock(&self.given_heights)
    }

    /// The desktop's texts have that size now. Returns by how much larger they are than before, if they are
    /// others.
    pub(crate) fn rescale_texts(&self, scale: f64) -> Option<f64> {
        let former = std::mem::replace(&mut *lock(&self.text_scale), scale);
        let by = scale / former;
        ((by - 1.0).abs() > f64::EPSILON).then_some(by)
    }

    /// The answer window has the keyboard, or not any more.
    pub(crate) fn focus(&self, focused: bool) {
        self.focused.send_replace(focused);
    }

    /// Tells of each change of that, and of the latest alone where several come at once.
    pub(crate) fn watch_focus(&self) -> watch::Receiver<bool> {
        self.focused.subscribe()
    }

    /// A window has closed. The number of this turn tells later whether one was wanted since.
    pub(crate) fn on_closed(&self) -> u64 {
        self.turns.fetch_add(1, Ordering::Relaxed) + 1
    }

    /// Has nothing been opened or closed since that turn?
    pub(crate) fn is_latest_turn(&self, turn: u64) -> bool {
        self.turns.load(Ordering::Relaxed) == turn
    }

    /// For how long the program stays when no window is to be seen.
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

/// What a window was called for last.
#[derive(Clone, Debug)]
pub(crate) struct PageCall {
    pub(crate) page: Page,
    /// How often it was called so far.
    pub(crate) number: u32,
}

impl PageCall {
    /// The first call, for that page.
    pub(crate) fn first(page: Page) -> Self {
        Self { page, number: 1 }
    }

    fn turn_to(&mut self, page: Page) {
        self.page = page;
        self.number += 1;
    }
}

/// Nobody has called it yet.
impl Default for PageCall {
    fn default() -> Self {
        Self {
            page: Page::oldest(),
            number: 0,
        }
    }
}

/// Is there something to be seen in a window?
#[derive(Default, PartialEq, Eq)]
enum DrawState {
    /// Not yet, and nobody waits for it.
    #[default]
    No,
    /// Not yet; it is wanted, with the token of the click.
    Awaited(Option<String>),
    Yes,
}

/// A slot is whole even when a thread died while it held it.
fn lock<T>(slot: &Mutex<T>) -> MutexGuard<'_, T> {
    slot.lock().unwrap_or_else(PoisonError::into_inner)
}
