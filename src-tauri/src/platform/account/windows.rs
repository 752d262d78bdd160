//! What the session's environment says.

pub(super) fn person() -> Option<String> {
    std::env::var("USERNAME").ok()
}

pub(super) fn machine() -> Option<String> {
    std::env::var("COMPUTERNAME").ok()
}
