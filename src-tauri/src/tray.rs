//! The tray: what is to be seen becomes a menu, a tooltip and an icon, and clicks become
//! [`MenuAction`]s. Plain data is in `tray/menu.rs`; the platform files only draw it.
//!
//! Not here: what an action does.

pub(crate) mod icon;
mod latest;
pub(crate) mod menu;
mod words;

#[cfg(target_os = "linux")]
#[path = "tray/linux.rs"]
mod platform;
#[cfg(not(target_os = "linux"))]
#[path = "tray/native.rs"]
mod platform;

pub(crate) use latest::MOST as MOST_LATEST;
pub(crate) use menu::{IconState, MenuAction};

use beckon_client::text::Texts;
use beckon_core::{DeskView, Entry, OnePress, Span, Timestamp};
use latest::LatestAnswers;
use menu::{Menu, TraySnapshot};
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The receiver of clicks. It is called on the tray's own thread (on macOS and Windows the main
/// one).
type TrayEvents = Arc<dyn Fn(MenuAction) + Send + Sync>;

/// The time after which texts that age are drawn anew while somebody waits.
const REDRAW: Duration = Duration::from_secs(60);

/// The tray. Clones are the same tray.
#[derive(Clone)]
pub(crate) struct Tray {
    door: platform::TrayHandle,
    state: SharedTrayState,
    last: Arc<Mutex<Option<TraySnapshot>>>,
    latest: Arc<Mutex<LatestAnswers>>,
    one_press: Arc<Mutex<OnePress>>,
    notices: Arc<Mutex<Vec<String>>>,
}

/// The state of the tray.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) enum TrayState {
    /// The tray has not started yet.
    #[default]
    Starting,
    /// The icon is registered.
    Works,
    /// There is no icon, for that reason; it is tried again.
    Fails(String),
}

/// Starts the tray. Never blocks and never fails: see [`Tray::state`].
///
/// On macOS and Windows the icon appears once [`run_main_loop`] runs.
pub(crate) fn start(
    texts: Arc<Texts>,
    events: impl Fn(MenuAction) + Send + Sync + 'static,
) -> Tray {
    let state = SharedTrayState::default();
    let door = platform::start(texts, Arc::new(events), state.clone());
    Tray {
        door,
        state,
        last: Arc::default(),
        latest: Arc::default(),
        one_press: Arc::default(),
        notices: Arc::default(),
    }
}

/// Gives the main thread to the tray until [`Tray::quit`]. macOS and Windows deliver clicks, and
/// macOS also notifications, only there; on Linux this just waits.
pub(crate) fn run_main_loop(tray: &Tray) {
    platform::run_main_loop(&tray.door);
}

/// The XDG activation token of the click that is being handled: without it Wayland does not let a
/// window come to the front. Only within the callback given to [`start`], and only on Linux.
pub(crate) fn activation_token() -> Option<String> {
    platform::activation_token()
}

impl Tray {
    /// Shows the view as of `now`. Returns at once. A view that looks the same is not drawn again.
    pub(crate) fn draw(&self, view: &DeskView, now: Timestamp) {
        let seen = TraySnapshot::of(view, &lock(&self.latest), *lock(&self.one_press));
        let glimpse = seen.with_notices(lock(&self.notices).clone());
        let mut last = lock(&self.last);
        if last.as_ref() == Some(&glimpse) {
            return;
        }
        *last = Some(glimpse.clone());
        self.door.draw(TimedGlimpse {
            glimpse,
            now,
            at: Instant::now(),
        });
    }

    /// Remembers an ask that is over: it stands among the last answers from the next drawing on, if
    /// it has an answer.
    pub(crate) fn remember(&self, entry: &Entry) {
        lock(&self.latest).note(entry);
    }

    /// Sets what may be allowed from the menu, from the next drawing on.
    pub(crate) fn one_press(&self, one_press: OnePress) {
        *lock(&self.one_press) = one_press;
    }

    /// Sets the notices about what keeps a phone from ringing although all seems well, from the
    /// next drawing on.
    pub(crate) fn tell(&self, notices: Vec<String>) {
        *lock(&self.notices) = notices;
    }

    /// Makes the next view be drawn even if it looks the same: the language has changed.
    pub(crate) fn forget(&self) {
        *lock(&self.last) = None;
    }

    /// Returns the state of the tray.
    pub(crate) fn state(&self) -> TrayState {
        self.state.get()
    }

    /// Takes the icon away and lets [`run_main_loop`] return.
    pub(crate) fn quit(&self) {
        self.door.quit();
    }
}

impl fmt::Debug for Tray {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tray")
            .field("state", &self.state())
            .finish_non_exhaustive()
    }
}

/// A snapshot, and when it was taken.
#[derive(Clone, Debug)]
struct TimedGlimpse {
    glimpse: TraySnapshot,
    now: Timestamp,
    at: Instant,
}

impl TimedGlimpse {
    fn nothing() -> Self {
        Self {
            glimpse: TraySnapshot::default(),
            now: Timestamp(0),
            at: Instant::now(),
        }
    }

    /// Returns how it looks at this moment.
    fn picture(&self, texts: &Texts) -> TrayPicture {
        let since = i64::try_from(self.at.elapsed().as_millis()).unwrap_or(i64::MAX);
        let now = self.now + Span::millis(since);
        let zone = jiff::tz::TimeZone::system();
        TrayPicture {
            menu: self.glimpse.menu(texts, &zone, now),
            tooltip: self.glimpse.tooltip(texts, &zone, now),
            icon: self.glimpse.icon(),
        }
    }
}

/// All that a platform draws.
#[derive(Clone, Debug, Default, PartialEq)]
struct TrayPicture {
    menu: Menu,
    tooltip: String,
    icon: IconState,
}

/// The state, written by the platform and read by whoever asks.
#[derive(Clone, Default)]
struct SharedTrayState(Arc<Mutex<TrayState>>);

impl SharedTrayState {
    fn get(&self) -> TrayState {
        lock(&self.0).clone()
    }

    fn set(&self, new: TrayState) {
        let mut state = lock(&self.0);
        if *state != new {
            tracing::info!(state = ?new, "tray");
            *state = new;
        }
    }
}

/// Locks a slot, which is whole even when a thread died while it held it.
fn lock<T>(slot: &Mutex<T>) -> MutexGuard<'_, T> {
    slot.lock().unwrap_or_else(PoisonError::into_inner)
}
