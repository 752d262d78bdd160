//! Beckon's hooks in Claude Code's `settings.json`: looked at, installed, removed. That file is the
//! user's. What else stands in it stays as it is, to the byte, and in its order, and so does what
//! they added to a hook of ours.
//!
//! Which hooks there are and why is told in `docs/claude-code.md`.

mod entries;
mod json_text;
mod line;
mod switches;
pub(crate) mod usage;
mod version;

pub(crate) use line::{TRIAL, trial_answer};
pub(crate) use switches::HookSwitch;

use super::claude_home;
use anyhow::{Context as _, Result};
use beckon_client::platform::failure::SystemFailure;
use beckon_client::platform::foreign;
use beckon_client::wire::{HookSetting, HookState};
use entries::HookEntries;
use json_text::JsonText;
use std::path::PathBuf;
use version::Version;

/// The events that Claude Code tells us of: how each hook is run, and the first version that has
/// the event, as far as is known.
const EVENTS: [(&str, HookPace, Version); 12] = [
    ("PermissionRequest", HookPace::Patient, Version(2, 0, 45)),
    ("Elicitation", HookPace::Patient, Version(2, 1, 197)),
    ("ElicitationResult", HookPace::Beside, Version(2, 1, 197)),
    ("PermissionDenied", HookPace::Beside, Version(2, 1, 197)),
    ("PostToolUse", HookPace::Beside, Version(2, 0, 45)),
    ("PostToolUseFailure", HookPace::Beside, EVERYBODY_HAS),
    ("UserPromptSubmit", HookPace::Beside, Version(2, 0, 45)),
    ("Notification", HookPace::Beside, Version(2, 0, 45)),
    ("Stop", HookPace::Beside, Version(2, 0, 45)),
    ("StopFailure", HookPace::Beside, Version(2, 1, 197)),
    ("SubagentStop", HookPace::Beside, Version(2, 0, 45)),
    ("SessionEnd", HookPace::Usual, Version(2, 0, 45)),
];
/// The version for which hooks are written if Claude Code does not say its own.
const EVERYBODY_HAS: Version = Version(2, 1, 50);

/// The way in which Claude Code runs a hook.
#[derive(Clone, Copy, Debug, PartialEq)]
enum HookPace {
    /// Claude Code waits for the hook as long as a human may take.
    Patient,
    /// Claude Code does not wait for the hook.
    Beside,
    /// Claude Code waits for its usual time. The hook runs as the session ends, and one that is not
    /// waited for would be ended with it.
    Usual,
}

/// The time in seconds that a patient hook may take: a human may be away for a day.
const PATIENCE: u32 = 86_400;

/// The hooks that are to stand in the settings.
#[derive(Clone, Debug)]
struct WantedHooks {
    command: String,
    /// Claude Code's version, if it says.
    version: Option<Version>,
}

/// The change that was made to the hooks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum HookChange {
    /// The hooks were added.
    Added,
    /// The hooks were rewritten as this Beckon writes them.
    Renewed,
    /// The hooks were removed.
    Removed,
    /// The hooks were so already.
    None,
}

/// The result of a change, and whether the hooks will run.
#[derive(Debug)]
pub(crate) struct HookReport {
    /// Claude Code's settings.
    pub(crate) file: PathBuf,
    pub(crate) change: HookChange,
    /// The switch that keeps Claude Code from running the hooks.
    pub(crate) switched_off: Option<HookSwitch>,
}

/// Installs the hooks. The command line is run once before it is written.
///
/// # Errors
/// When the settings cannot be understood, read or written, or the line does not run.
pub(crate) fn install() -> Result<HookReport> {
    let wanted = WantedHooks::here()?;
    line::try_out(&wanted.command)?;
    let file = settings_file()?;
    change(|entries| {
        let checked = entries.check();
        checked.with_context(|| SystemFailure::Understand(file.clone()))?;
        let was_there = entries.has_ours();
        entries.install(&wanted)?;
        Ok(if was_there {
            HookChange::Renewed
        } else {
            HookChange::Added
        })
    })
}

/// Removes the hooks.
///
/// # Errors
/// As in [`install`].
pub(crate) fn remove() -> Result<HookReport> {
    change(|entries| {
        entries.remove();
        Ok(HookChange::Removed)
    })
}

/// Changes the file. The change that `edit` reports holds if it made a difference to the text.
fn change(mut edit: impl FnMut(&mut HookEntries) -> Result<HookChange>) -> Result<HookReport> {
    let file = settings_file()?;
    let mut done = HookChange::None;
    let is_changed = foreign::change(&file, |before| {
        let text = JsonText::read(before.unwrap_or_default());
        let before = text.with_context(|| SystemFailure::Understand(file.clone()))?;
        let mut entries = HookEntries::read(before.clone())
            .with_context(|| SystemFailure::Understand(file.clone()))?;
        done = edit(&mut entries)?;
        let after = entries.into_text();
        Ok((after != before).then(|| after.into_file()))
    })?;
    let change = if is_changed { done } else { HookChange::None };
    Ok(HookReport {
        switched_off: switches::off(&file),
        file,
        change,
    })
}

/// Whether Claude Code asks through our hooks. In doubt it does not.
pub(crate) fn asks_by_hooks() -> bool {
    let Ok(file) = settings_file() else {
        return false;
    };
    let text = foreign::read(&file).ok().flatten().unwrap_or_default();
    let entries = JsonText::read(&text).and_then(HookEntries::read);
    let are_there = entries.is_ok_and(|entries| entries.has_ours());
    are_there && switches::off(&file).is_none()
}

/// Looks how the hooks stand in Claude Code's settings. This may ask Claude Code for its version,
/// which takes a moment.
///
/// # Errors
/// When the settings cannot be understood or read.
pub(crate) fn look() -> Result<HookSetting> {
    let file = settings_file()?;
    let text = foreign::read(&file).with_context(|| SystemFailure::Read(file.clone()))?;
    let before = JsonText::read(&text.unwrap_or_default());
    let before = before.with_context(|| SystemFailure::Understand(file.clone()))?;
    let mut entries = HookEntries::read(before.clone())
        .with_context(|| SystemFailure::Understand(file.clone()))?;
    let checked = entries.check();
    checked.with_context(|| SystemFailure::Understand(file.clone()))?;
    let has_ours = entries.has_ours();
    entries.install(&WantedHooks::here()?)?;
    let is_current = entries.into_text() == before;

    let switched_off = switches::off(&file);
    let state = match (has_ours, is_current) {
        (false, _) if is_here() => HookState::No,
        (false, _) => HookState::NotFound,
        (true, _) if switched_off.is_some() => HookState::Off,
        (true, true) => HookState::Yes,
        (true, false) => HookState::Outdated,
    };
    Ok(HookSetting {
        state,
        file: file.display().to_string(),
        switched_off: switched_off.map(|switch| switch.to_string()),
        error: None,
    })
}

/// Tells whether there is a Claude Code here: it has been started once, or lies where programs do.
fn is_here() -> bool {
    claude_home::folder().is_ok_and(|folder| folder.is_dir()) || version::is_installed()
}

/// Returns the file in which Claude Code keeps what holds for all projects. It may be a link into
/// somebody's dotfiles.
fn settings_file() -> Result<PathBuf> {
    let file = claude_home::folder()?.join("settings.json");
    let behind = foreign::behind_links(&file);
    behind.with_context(|| SystemFailure::Read(file))
}

impl WantedHooks {
    fn here() -> Result<Self> {
        Ok(Self {
            command: line::write()?,
            version: version::installed(),
        })
    }

    /// Tells whether a hook for an event is wanted. Without a known version, an event that may be
    /// too new is only kept where it stands already.
    fn knows(&self, since: Version, is_there: bool) -> bool {
        match self.version {
            Some(version) => version >= since,
            None => is_there || EVERYBODY_HAS >= since,
        }
    }
}

#[cfg(test)]
mod tests;
