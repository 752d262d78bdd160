//! Beckon's hooks in Claude Code's `settings.json`: looked at, put there, taken out again. That file is the
//! user's: what else stands in it stays as it is, to the byte, and in its order; so does what they gave a
//! hook of ours.
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

/// What we are told of, how, and since which version there is such an event, as far as is known.
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
/// What is written for a Claude Code that does not say its version.
const EVERYBODY_HAS: Version = Version(2, 1, 50);

/// How Claude Code runs a hook.
#[derive(Clone, Copy, Debug, PartialEq)]
enum HookPace {
    /// It waits as long as a human may take.
    Patient,
    /// It does not wait.
    Beside,
    /// It waits for its usual time; it ends with the session and would take one beside it along.
    Usual,
}

/// A human may be away for a day; in seconds.
const PATIENCE: u32 = 86_400;

/// What is to stand in the settings.
#[derive(Clone, Debug)]
struct WantedHooks {
    command: String,
    /// Claude Code's version, if it says.
    version: Option<Version>,
}

/// What became of the hooks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum HookChange {
    /// They stand there now.
    Added,
    /// They stand there as this Beckon writes them; before, otherwise.
    Renewed,
    /// They are gone.
    Removed,
    /// It was so already.
    None,
}

/// What was done, and what it is worth.
#[derive(Debug)]
pub(crate) struct HookReport {
    /// Claude Code's settings.
    pub(crate) file: PathBuf,
    pub(crate) change: HookChange,
    /// What keeps Claude Code from running them.
    pub(crate) switched_off: Option<HookSwitch>,
}

/// Puts the hooks there. The line that is written is run once before.
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

/// Takes them out.
///
/// # Errors
/// As in [`install`].
pub(crate) fn remove() -> Result<HookReport> {
    change(|entries| {
        entries.remove();
        Ok(HookChange::Removed)
    })
}

/// Changes the file. What `edit` says that it has done holds if that made a difference.
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

/// How they stand in Claude Code's settings. This may ask Claude Code for its version, which takes a
/// moment.
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

/// Is there a Claude Code here? It has been started once, or lies where programs do.
fn is_here() -> bool {
    claude_home::folder().is_ok_and(|folder| folder.is_dir()) || version::is_installed()
}

/// Claude Code keeps there what holds for all projects. It may be a link into somebody's dotfiles.
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

    /// An event that may be too new is only kept where it stands already.
    fn knows(&self, since: Version, is_there: bool) -> bool {
        match self.version {
            Some(version) => version >= since,
            None => is_there || EVERYBODY_HAS >= since,
        }
    }
}

#[cfg(test)]
mod tests;
