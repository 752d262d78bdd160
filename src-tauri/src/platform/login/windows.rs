//! Windows: a program belongs to the session that has started it, and ends with it.

use beckon_client::platform::children::Program;
use beckon_core::{LoginReach, LoginSession};

pub(super) fn own() -> LoginSession {
    LoginSession::default()
}

pub(super) fn own_reach() -> LoginReach {
    LoginReach {
        bus: true,
        screen: true,
    }
}

pub(super) fn is_screen_there(_login: &LoginSession) -> bool {
    true
}

pub(super) fn within(_login: &LoginSession, program: Program) -> Program {
    program
}
