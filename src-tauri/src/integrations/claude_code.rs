//! Beckon's hooks in Claude Code's `settings.json`: looked at, put there, taken out again. That file is the
//! user's: what else stands in it stays as it is, to the byte, and in its order.
//!
//! Which hooks there are and why is told in `docs/claude-code.md`.

mod object;
mod version;

use super::claude_home;
use crate::platform::program;
use anyhow::{Context as _, Result};
use beckon_client::platform::failure::SystemFailure;
use beckon_client::wire::{HookSetting, HookState};
use object::OrderedObject;
use serde_json::value::{RawValue, to_raw_value};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
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

/// What our hooks run, after the program's own path.
const RUNS: &str = "hook claude-code";
/// What a user may have added to it.
const FINISHED: &str = " --finished";
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

/// Puts the hooks there.
///
/// # Errors
/// When the settings cannot be understood, read or written.
pub(crate) fn install() -> Result<(PathBuf, HookChange)> {
    changed(Some(&WantedHooks::here()?), |before| match before {
        true => HookChange::Renewed,
        false => HookChange::Added,
    })
}

/// Takes them out.
///
/// # Errors
/// As in [`install`].
pub(crate) fn remove() -> Result<(PathBuf, HookChange)> {
    changed(None, |_| HookChange::Removed)
}

fn changed(
    wanted: Option<&WantedHooks>,
    told: impl Fn(bool) -> HookChange,
) -> Result<(PathBuf, HookChange)> {
    let file = settings_file().map_err(anyhow::Error::from)?;
    let text = read(&file)?;
    let understood = || SystemFailure::Understand(file.clone());
    let before = has_hooks(&text).with_context(understood)?;
    let Some(changed) = with_hooks(&text, wanted).with_context(understood)? else {
        return Ok((file, HookChange::None));
    };
    replace(&file, &changed)?;
    Ok((file, told(before)))
}

/// How they stand in Claude Code's settings. This may ask Claude Code for its version, which takes a
/// moment.
///
/// # Errors
/// When the settings cannot be understood or read.
pub(crate) fn look() -> Result<HookSetting> {
    let file = settings_file().map_err(anyhow::Error::from)?;
    let text = read(&file)?;
    let understood = || SystemFailure::Understand(file.clone());
    let state = if !has_hooks(&text).with_context(understood)? {
        if is_here() {
            HookState::No
        } else {
            HookState::NotFound
        }
    } else if with_hooks(&text, Some(&WantedHooks::here()?))
        .with_context(understood)?
        .is_none()
    {
        HookState::Yes
    } else {
        HookState::Outdated
    };
    Ok(HookSetting {
        state,
        file: file.display().to_string(),
        error: None,
    })
}

/// Is there a Claude Code here? It has been started once, or lies where programs do.
fn is_here() -> bool {
    claude_home::folder().is_ok_and(|folder| folder.is_dir()) || version::is_installed()
}

fn read(file: &Path) -> Result<String> {
    match std::fs::read_to_string(file) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok("{}".into()),
        read => read.with_context(|| SystemFailure::Read(file.to_owned())),
    }
}

/// Claude Code keeps there what holds for all projects. It may be a link into somebody's dotfiles.
fn settings_file() -> Result<PathBuf, SystemFailure> {
    let file = claude_home::folder()?.join("settings.json");
    Ok(dunce::canonicalize(&file).unwrap_or(file))
}

impl WantedHooks {
    fn here() -> Result<Self> {
        Ok(Self {
            command: our_command()?,
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

/// Hooks are run by a shell, from any directory. The shell is to make way for us: killed, Claude
/// Code would leave it behind, and we would not see that nobody waits any more.
fn our_command() -> Result<String> {
    let program = program::path()?;
    let exec = if cfg!(windows) { "" } else { "exec " };
    Ok(format!("{exec}\"{}\" {RUNS}", program.display()))
}

/// The file with our hooks, or without them; `None` when that is how it is.
fn with_hooks(text: &str, wanted: Option<&WantedHooks>) -> Result<Option<String>> {
    let mut settings: OrderedObject = serde_json::from_str(text)?;
    let mut hooks: OrderedObject = settings.read("hooks")?;
    for (event, pace, since) in EVENTS {
        let mut entries: Vec<Box<RawValue>> = hooks.read(event)?;
        let ours = entries
            .iter()
            .find(|entry| is_ours(entry))
            .map(|entry| entry.get().to_owned());
        entries.retain(|entry| !is_ours(entry));
        if let Some(wanted) = wanted.filter(|wanted| wanted.knows(since, ours.is_some())) {
            let kept = ours.is_some_and(|ours| ours.contains(FINISHED));
            let command = format!("{}{}", wanted.command, if kept { FINISHED } else { "" });
            entries.push(to_raw_value(&entry(&command, pace))?);
        }
        let entries = (!entries.is_empty())
            .then(|| to_raw_value(&entries))
            .transpose()?;
        hooks.put(event, entries);
    }
    let hooks = (!hooks.is_empty())
        .then(|| to_raw_value(&hooks))
        .transpose()?;
    settings.put("hooks", hooks);
    let said = |text: &str| serde_json::from_str::<Value>(text);
    let changed = serde_json::to_string_pretty(&settings)? + "\n";
    Ok((said(&changed)? != said(text)?).then_some(changed))
}

/// Is any of them there?
fn has_hooks(text: &str) -> Result<bool> {
    let hooks: OrderedObject = serde_json::from_str::<OrderedObject>(text)?.read("hooks")?;
    for (event, ..) in EVENTS {
        let entries: Vec<Box<RawValue>> = hooks.read(event)?;
        if entries.iter().any(|entry| is_ours(entry)) {
            return Ok(true);
        }
    }
    Ok(false)
}

fn entry(command: &str, pace: HookPace) -> Value {
    let mut hook = json!({ "type": "command", "command": command });
    match pace {
        HookPace::Patient => hook["timeout"] = json!(PATIENCE),
        HookPace::Beside => hook["async"] = json!(true),
        HookPace::Usual => {}
    }
    json!({ "hooks": [hook] })
}

/// One that runs nothing else besides.
fn is_ours(entry: &RawValue) -> bool {
    let entry: Value = serde_json::from_str(entry.get()).unwrap_or_default();
    let hooks = entry["hooks"]
        .as_array()
        .map(Vec::as_slice)
        .unwrap_or_default();
    let runs = |hook: &Value| hook["command"].as_str().is_some_and(|it| it.contains(RUNS));
    !hooks.is_empty() && hooks.iter().all(runs)
}

/// Through a file beside it, so that there is a whole one at any moment.
fn replace(file: &Path, text: &str) -> Result<()> {
    let write = || -> std::io::Result<()> {
        std::fs::create_dir_all(file.parent().unwrap_or(file))?;
        let fresh = file.with_extension("json.beckon");
        std::fs::write(&fresh, text)?;
        if let Ok(metadata) = std::fs::metadata(file) {
            std::fs::set_permissions(&fresh, metadata.permissions())?;
        }
        std::fs::rename(fresh, file)
    };
    write().with_context(|| SystemFailure::Write(file.into()))
}

#[cfg(test)]
mod tests;
