//! What this machine and its user call themselves, as the system knows it.
//!
//! Not here: the name that the settings may say instead, and how names are shown.

#[cfg_attr(unix, path = "account/unix.rs")]
#[cfg_attr(not(unix), path = "account/windows.rs")]
mod platform;

/// The user's full name, or their account's; `None` where the system tells neither.
pub(crate) fn person() -> Option<String> {
    platform::person().filter(|name| !name.trim().is_empty())
}

/// What the machine is called.
pub(crate) fn machine() -> Option<String> {
    let name = platform::machine()?;
    // macOS says the name by which it is found on the local network.
    let name = name.strip_suffix(".local").unwrap_or(&name).to_owned();
    (!name.trim().is_empty()).then_some(name)
}
