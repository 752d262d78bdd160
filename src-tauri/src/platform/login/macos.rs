//! macOS: a program belongs to the login that has started it, and ends with it.

use beckon_client::platform::children::Program;
use beckon_core::{Login, LoginReach};

pub(super) fn own() -> Login {
    Login::default()
}

pub(super) fn own_reach() -> LoginReach {
    LoginReach {
        bus: true,
        screen: true,
    }
}

pub(super) fn is_screen_there(_login: &Login) -> bool {
    true
}

pub(super) fn within(_login: &Login, program: Program) -> Program {
    program
}
