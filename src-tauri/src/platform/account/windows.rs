//! Names from the session's environment.

pub(super) fn person() -> Option<String> {
    std::env::var("USERNAME").ok()
}

pub(super) fn machine() -> Option<String> {
    std::env::var("COMPUTERNAME").ok()
}
