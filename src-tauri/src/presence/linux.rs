//! The choice of backends on Linux. The one for keyboard and mouse is chosen at run time, the first
//! that works; logind and the screen savers tell of lock and sleep beside it.
//!
//! Not here: what any of them says.

#[path = "linux/bus.rs"]
mod bus;
#[path = "linux/logind.rs"]
mod logind;
#[path = "linux/mutter.rs"]
mod mutter;
#[path = "linux/screensaver.rs"]
mod screensaver;
#[path = "linux/wayland.rs"]
mod wayland;
#[path = "linux/x11.rs"]
mod x11;

use super::evidence::PresenceFact;
use super::{BackendRequest, FactSink};
use crate::platform::part::{self, Part};
use anyhow::{Context, Result};
use beckon_client::wire::LegKind;
use beckon_core::PresenceSource;
use std::collections::BTreeSet;
use std::convert::Infallible;
use std::os::fd::OwnedFd;
use std::time::Duration;
use tokio::io::Interest;
use tokio::io::unix::AsyncFd;
use tokio::sync::{Semaphore, watch};
use tokio::time::Instant;

/// The pause before a backend is looked for again that is not there, or has ended.
const RETRY: Duration = Duration::from_secs(30);
/// The time after which a server that has not answered is taken to hang.
const ANSWERS_WITHIN: Duration = Duration::from_secs(2);

pub(super) fn start(sink: FactSink, wish: watch::Receiver<BackendRequest>) {
    tokio::spawn(Part::Presence.run(keep_hands(sink.clone(), wish)));
    let to_logind = sink.clone();
    let logind = keep(PresenceSource::Logind, sink.clone(), async move || {
        logind::run(&to_logind).await
    });
    tokio::spawn(Part::Presence.run(logind));
    let to_savers = sink.clone();
    let savers = keep(PresenceSource::ScreenSaver, sink, async move || {
        screensaver::run(&to_savers).await
    });
    tokio::spawn(Part::Presence.run(savers));
}

/// Whether all backends have been heard. If none sees keyboard and mouse, [`PresenceSource::None`]
/// has been heard for them.
pub(super) fn is_all(heard: &BTreeSet<PresenceSource>) -> bool {
    let hands = KINDS.map(InputBackend::evidence);
    heard.contains(&PresenceSource::Logind)
        && heard.contains(&PresenceSource::ScreenSaver)
        && heard
            .iter()
            .any(|by| *by == PresenceSource::None || hands.contains(by))
}

/// Returns the backend that would have to tell of something that none tells of. For keyboard and
/// mouse it is any of several.
pub(super) fn witness(what: LegKind) -> PresenceSource {
    match what {
        LegKind::Idle => PresenceSource::None,
        LegKind::Lock | LegKind::Sleep => PresenceSource::Logind,
    }
}

/// Runs a backend again and again; what it told is void once it has ended.
async fn keep(by: PresenceSource, sink: FactSink, run: impl AsyncFn() -> Result<Infallible>) {
    let mut said = None;
    loop {
        let Err(error) = run().await;
        sink.post((by, PresenceFact::Gone));
        let text = format!("{error:#}");
        if said.as_ref() != Some(&text) {
            tracing::info!(backend = ?by, error = text, "a presence backend does not work");
            said = Some(text);
        }
        tokio::time::sleep(RETRY).await;
    }
}

/// A kind of backend that can see keyboard and mouse, best first. The compositor itself knows of
/// every input; an X server does unless it is only the compositor's guest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum InputBackend {
    Wayland,
    Mutter,
    X11,
}

const KINDS: [InputBackend; 3] = [
    InputBackend::Wayland,
    InputBackend::Mutter,
    InputBackend::X11,
];

/// A backend that works.
enum InputWatcher {
    Wayland(wayland::WaylandWatch),
    Mutter(mutter::Mutter),
    X11(x11::X11Watch),
}

impl InputBackend {
    fn evidence(self) -> PresenceSource {
        match self {
            Self::Wayland => PresenceSource::Wayland,
            Self::Mutter => PresenceSource::Mutter,
            Self::X11 => PresenceSource::X11,
        }
    }

    async fn open(self) -> Result<InputWatcher> {
        Ok(match self {
            Self::Wayland => InputWatcher::Wayland(wayland::WaylandWatch::open().await?),
            Self::Mutter => InputWatcher::Mutter(mutter::Mutter::open().await?),
            Self::X11 => InputWatcher::X11(x11::X11Watch::open().await?),
        })
    }
}

impl InputWatcher {
    /// Watches until it breaks.
    async fn run(
        self,
        sink: &FactSink,
        wish: &mut watch::Receiver<BackendRequest>,
    ) -> Result<Infallible> {
        match self {
            Self::Wayland(eyes) => eyes.run(sink, wish).await,
            Self::Mutter(eyes) => eyes.run(sink, wish).await,
            Self::X11(eyes) => eyes.run(sink, wish).await,
        }
    }
}

/// Keeps the best backend running that works. One that broke is left alone for a while, and the
/// next best takes over; one that is better than the one at work takes its place when it is back.
async fn keep_hands(sink: FactSink, mut wish: watch::Receiver<BackendRequest>) {
    let mut broken: Option<(InputBackend, Instant)> = None;
    let mut said_none = false;
    loop {
        let rested =
            |kind: &InputBackend| broken.is_none_or(|(it, at)| it != *kind || at.elapsed() > RETRY);
        let Some((kind, eyes)) = first(KINDS.into_iter().filter(rested)).await else {
            if !std::mem::replace(&mut said_none, true) {
                tracing::info!("nothing tells of keyboard and mouse: asks ring everywhere");
            }
            sink.post((PresenceSource::None, PresenceFact::Gone));
            tokio::time::sleep(RETRY).await;
            continue;
        };
        said_none = false;
        tracing::info!(backend = ?kind, "keyboard and mouse are watched");
        tokio::select! {
            Err(error) = eyes.run(&sink, &mut wish) => {
                tracing::info!(backend = ?kind, error = format!("{error:#}"), "a presence backend has ended");
                broken = Some((kind, Instant::now()));
            }
            () = a_better_one(kind) => {}
        }
        sink.post((kind.evidence(), PresenceFact::Gone));
    }
}

async fn first(kinds: impl Iterator<Item = InputBackend>) -> Option<(InputBackend, InputWatcher)> {
    for kind in kinds {
        match kind.open().await {
            Ok(eyes) => return Some((kind, eyes)),
            Err(error) => {
                tracing::debug!(backend = ?kind, error = format!("{error:#}"), "not usable");
            }
        }
    }
    None
}

/// Returns once something better than `kind` works.
async fn a_better_one(kind: InputBackend) {
    let better = || KINDS.into_iter().take_while(|other| *other != kind);
    if better().next().is_none() {
        std::future::pending::<()>().await;
    }
    loop {
        tokio::time::sleep(RETRY).await;
        if first(better()).await.is_some() {
            return;
        }
    }
}

/// Waits for a server on a thread of its own. A server that hangs keeps its thread, so `gate` lets
/// in only one call at a time.
async fn blocking<T: Send + 'static>(
    gate: &'static Semaphore,
    work: impl FnOnce() -> Result<T> + Send + 'static,
) -> Result<T> {
    let permit = gate
        .try_acquire()
        .context("Failed to ask: it has not answered yet")?;
    let waiting = part::spawn_blocking(move || {
        let _permit = permit;
        work()
    });
    let done = tokio::time::timeout(ANSWERS_WITHIN, waiting).await;
    done.context("Failed to get an answer in time")??
}

/// Returns a descriptor that tells when a socket has something to read. The library that talks over
/// the socket keeps its own.
#[expect(unsafe_code, reason = "the safe constructor is deprecated")]
fn readable(socket: OwnedFd) -> Result<AsyncFd<OwnedFd>> {
    // SAFETY: an `OwnedFd` is the same open file from first to last.
    let registered = unsafe { AsyncFd::register_with_interest(socket, Interest::READABLE) };
    Ok(registered?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_have_been_heard_when_also_those_have_that_know_nothing() {
        let mut heard = BTreeSet::from([PresenceSource::Logind, PresenceSource::ScreenSaver]);
        assert!(!is_all(&heard));
        heard.insert(PresenceSource::None);
        assert!(is_all(&heard));
        assert!(is_all(&BTreeSet::from([
            PresenceSource::Logind,
            PresenceSource::ScreenSaver,
            PresenceSource::X11
        ])));
    }
}
