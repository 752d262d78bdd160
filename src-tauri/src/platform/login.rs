//! The login that a program belongs to, and whether that still answers.
//!
//! Not here: what follows from it (`beckon_core::LoginSession`).

#[cfg_attr(target_os = "linux", path = "login/linux.rs")]
#[cfg_attr(target_os = "macos", path = "login/macos.rs")]
#[cfg_attr(windows, path = "login/windows.rs")]
mod platform;

use beckon_client::platform::children::Program;
use beckon_core::{LoginReach, LoginSession};
use std::time::Duration;

/// A display that takes connections and says nothing hangs.
const ANSWER_WITHIN: Duration = Duration::from_secs(2);

/// The login of this program.
pub(crate) fn own() -> LoginSession {
    platform::own()
}

/// What of this program's login answers.
pub(crate) async fn own_reach() -> LoginReach {
    asked(platform::own_reach).await.unwrap_or_default()
}

/// Whether a window can be opened on the screen of a login.
pub(crate) async fn is_screen_there(login: LoginSession) -> bool {
    asked(move || platform::is_screen_there(&login))
        .await
        .unwrap_or_default()
}

/// Asks beside the loop.
async fn asked<T: Send + 'static>(ask: impl FnOnce() -> T + Send + 'static) -> Option<T> {
    let asked = tokio::time::timeout(ANSWER_WITHIN, tokio::task::spawn_blocking(ask));
    asked.await.ok()?.ok()
}

/// A program whose windows come up in that login.
pub(crate) fn within(login: &LoginSession, program: Program) -> Program {
    platform::within(login, program)
}
