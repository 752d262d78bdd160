//! The names of this machine and its user, as the system knows them.
//!
//! Not here: the name that the settings may say instead, and how names are shown.

#[cfg_attr(unix, path = "account/unix.rs")]
#[cfg_attr(not(unix), path = "account/windows.rs")]
mod platform;

/// Returns the user's full name, or their account's; `None` where the system tells neither.
pub(crate) fn person() -> Option<String> {
    platform::person().filter(|name| !name.trim().is_empty())
}

/// Returns the machine's name.
pub(crate) fn machine() -> Option<String> {
    let name = platform::machine()?;
    // macOS gives the name by which the machine is found on the local network.
    let name = name.strip_suffix(".local").unwrap_or(&name).to_owned();
    (!name.trim().is_empty()).then_some(name)
}
