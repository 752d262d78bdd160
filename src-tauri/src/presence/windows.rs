//! The backend for Windows. It asks when the last input was and whether the session is locked;
//! messages to a hidden window also tell of locking, sleep and waking.
//!
//! Windows has no event for input that does not come with every key.

#[path = "windows/window.rs"]
mod window;

use super::polled::{self, PolledState};
use super::{BackendRequest, FactSink};
use crate::platform::part::Part;
use beckon_client::wire::LegKind;
use beckon_core::{PresenceSource, Span};
use std::collections::BTreeSet;
use std::ptr::null_mut;
use tokio::sync::watch;
use windows_sys::Win32::System::RemoteDesktop::{
    WTS_CURRENT_SERVER_HANDLE, WTS_CURRENT_SESSION, WTS_SESSIONSTATE_LOCK, WTS_SESSIONSTATE_UNLOCK,
    WTSFreeMemory, WTSINFOEXW, WTSQuerySessionInformationW, WTSSessionInfoEx,
};
use windows_sys::Win32::System::SystemInformation::GetTickCount;
use windows_sys::Win32::UI::Input::KeyboardAndMouse::{GetLastInputInfo, LASTINPUTINFO};

pub(super) fn start(sink: FactSink, wish: watch::Receiver<BackendRequest>) {
    tokio::spawn(Part::Presence.run(polled::run(sink.clone(), wish, look)));
    let listen = move || {
        let Err(error) = window::listen(sink);
        tracing::info!(
            error = format!("{error:#}"),
            "locking and sleep are only seen by asking"
        );
    };
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

/// Returns the time since the last input. Both counts are milliseconds since the start in 32 bits:
/// they begin anew every 49 days.
fn untouched() -> Option<Span> {
    let size = u32::try_from(size_of::<LASTINPUTINFO>()).ok()?;
    let mut last = LASTINPUTINFO {
        cbSize: size,
        dwTime: 0,
    };
    // SAFETY: the structure is ours and says its own size.
    #[expect(unsafe_code)]
    let (found, now) = unsafe { (GetLastInputInfo(&mut last), GetTickCount()) };
    (found != 0).then(|| Span::millis(i64::from(now.wrapping_sub(last.dwTime))))
}

/// Returns whether our session is locked.
fn locked() -> Option<bool> {
    let (mut buffer, mut size) = (null_mut(), 0);
    // SAFETY: both places are ours; what comes back in them is checked before it is read.
    #[expect(unsafe_code)]
    let found = unsafe {
        let (server, session) = (WTS_CURRENT_SERVER_HANDLE, WTS_CURRENT_SESSION);
        WTSQuerySessionInformationW(server, session, WTSSessionInfoEx, &mut buffer, &mut size)
    };
    if found == 0 || buffer.is_null() {
        return None;
    }
    let whole = usize::try_from(size).is_ok_and(|size| size >= size_of::<WTSINFOEXW>());
    // SAFETY: the system filled that many bytes, and it is told to free them once they are read.
    #[expect(unsafe_code)]
    let flags = unsafe {
        let info = whole.then(|| buffer.cast::<WTSINFOEXW>().read_unaligned());
        WTSFreeMemory(buffer.cast());
        info.filter(|info| info.Level == 1)
            .map(|info| info.Data.WTSInfoExLevel1.SessionFlags)
    };
    match flags?.cast_unsigned() {
        WTS_SESSIONSTATE_LOCK => Some(true),
        WTS_SESSIONSTATE_UNLOCK => Some(false),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_says_when_the_last_input_was() {
        assert!(untouched().is_some_and(|untouched| untouched >= Span(0)));
    }

    #[test]
    fn asking_for_the_lock_does_no_harm_where_nobody_knows() {
        assert_ne!(locked(), Some(true), "nobody can lock this session");
    }
}
