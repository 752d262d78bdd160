//! The backend for macOS. It asks when the last input was and whether the screen is locked;
//! notifications also tell of locking, sleep and waking.
//!
//! macOS has no event for input that needs no permission.

#[path = "macos/signals.rs"]
mod signals;

use super::polled::{self, PolledState};
use super::{BackendRequest, FactSink};
use crate::platform::part::Part;
use beckon_client::wire::LegKind;
use beckon_core::{PresenceSource, Span};
use objc2_core_foundation::{CFBoolean, CFDictionary, CFRetained, CFString, CFType};
use objc2_core_graphics::{
    CGEventSource, CGEventSourceStateID, CGEventType, CGSessionCopyCurrentDictionary,
};
use std::collections::BTreeSet;
use tokio::sync::watch;

/// `kCGAnyInputEventType` of `CGEventTypes.h`.
const ANY_INPUT: CGEventType = CGEventType(u32::MAX);
/// The key of the lock in the session's dictionary. It is in no header, but there since Mac OS X
/// 10.5; it is absent while the screen is not locked.
const SCREEN_IS_LOCKED: &str = "CGSSessionScreenIsLocked";

pub(super) fn start(sink: FactSink, wish: watch::Receiver<BackendRequest>) {
    tokio::spawn(Part::Presence.run(polled::run(sink.clone(), wish, look)));
    let listen = move || signals::listen(sink);
    if let Err(error) = std::thread::Builder::new()
        .name("presence".into())
        .spawn(listen)
    {
        tracing::warn!(%error, "locking and sleep are only seen by asking");
    }
}

/// Whether all backends have been heard.
pub(super) fn is_all(heard: &BTreeSet<PresenceSource>) -> bool {
    heard.contains(&PresenceSource::System)
}

/// Returns the backend that would have to tell of something that none tells of.
pub(super) fn witness(_: LegKind) -> PresenceSource {
    PresenceSource::System
}

fn look() -> PolledState {
    PolledState {
        untouched: untouched(),
        locked: locked(),
    }
}

fn untouched() -> Option<Span> {
    let state = CGEventSourceStateID::CombinedSessionState;
    let seconds = CGEventSource::seconds_since_last_event_type(state, ANY_INPUT);
    // Where there is no session with a screen it is not a sensible number.
    let sensible = (0.0..1e9).contains(&seconds);
    #[expect(
        clippy::cast_possible_truncation,
        reason = "within the range just checked"
    )]
    sensible.then_some(Span::millis((seconds * 1_000.0) as i64))
}

/// Returns whether the screen is locked; `None` where there is no screen.
fn locked() -> Option<bool> {
    let session = CGSessionCopyCurrentDictionary()?;
    // SAFETY: the session's dictionary has strings for keys and objects for values.
    #[expect(unsafe_code)]
    let session: CFRetained<CFDictionary<CFString, CFType>> =
        unsafe { CFRetained::cast_unchecked(session) };
    let locked = session.get(&CFString::from_static_str(SCREEN_IS_LOCKED));
    let locked = locked.and_then(|locked| locked.downcast::<CFBoolean>().ok());
    Some(locked.is_some_and(|locked| locked.value()))
}
