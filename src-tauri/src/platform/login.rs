//! The login that a program belongs to, and whether its display and bus still answer.
//!
//! Not here: what follows from it (`beckon_core::LoginSession`).

#[cfg_attr(target_os = "linux", path = "login/linux.rs")]
#[cfg_attr(target_os = "macos", path = "login/macos.rs")]
#[cfg_attr(windows, path = "login/windows.rs")]
mod platform;

use beckon_client::platform::children::Program;
use beckon_core::{LoginReach, LoginSession};
use std::time::Duration;

/// The time after which a display counts as hanging if it takes connections and says nothing.
const ANSWER_WITHIN: Duration = Duration::from_secs(2);

/// Returns the login of this program.
pub(crate) fn own() -> LoginSession {
    platform::own()
}

/// Returns which parts of this program's login answer.
pub(crate) async fn own_reach() -> LoginReach {
    asked(platform::own_reach).await.unwrap_or_default()
}

/// Tells whether a window can be opened on the screen of a login.
pub(crate) async fn is_screen_there(login: LoginSession) -> bool {
    asked(move || platform::is_screen_there(&login))
        .await
        .unwrap_or_default()
}

/// Asks on a thread that may wait, for at most [`ANSWER_WITHIN`].
async fn asked<T: Send + 'static>(ask: impl FnOnce() -> T + Send + 'static) -> Option<T> {
    let asked = tokio::time::timeout(ANSWER_WITHIN, tokio::task::spawn_blocking(ask));
    asked.await.ok()?.ok()
}

/// Makes a program's windows come up in that login.
pub(crate) fn within(login: &LoginSession, program: Program) -> Program {
    platform::within(login, program)
}
