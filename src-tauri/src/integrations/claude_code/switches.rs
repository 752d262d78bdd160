//! The switches that keep Claude Code from running the hooks in its user's settings: one of the
//! user's own, or an organization's policy (<https://code.claude.com/docs/en/managed-settings>, and
//! what Claude Code 2.1.330 does with it).
//!
//! Not here: a project's own settings, which count in that project alone; what is given on Claude
//! Code's command line; policies in the registry of Windows and in profiles of macOS.

use crate::integrations::claude_home;
use beckon_client::json;
use beckon_client::platform::foreign;
use serde_json::Value;
use std::fmt;
use std::path::{Path, PathBuf};

/// A switch, and the file in which it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct HookSwitch {
    pub(crate) file: PathBuf,
    pub(crate) key: &'static str,
}

/// The key that switches all hooks off; in an organization's settings those of all others, and
/// `false` there undoes what a user says.
const ALL: &str = "disableAllHooks";
/// The keys of an organization's settings that leave a user's hooks out.
const POLICIES: [&str; 2] = ["allowManagedHooksOnly", "strictPluginOnlyCustomization"];

impl fmt::Display for HookSwitch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.key, self.file.display())
    }
}

/// Returns the switch that turns the hooks off, if there is one.
pub(super) fn off(settings: &Path) -> Option<HookSwitch> {
    off_in(settings, &managed_files())
}

fn off_in(settings: &Path, managed: &[PathBuf]) -> Option<HookSwitch> {
    let managed: Vec<(&PathBuf, Value)> = managed
        .iter()
        .filter_map(|file| Some((file, read(file)?)))
        .collect();
    let policy = managed.iter().find_map(|(file, policy)| {
        let key = key_of_policy(policy)?;
        let file = (*file).clone();
        Some(HookSwitch { file, key })
    });
    let is_undone = managed.iter().any(|(_, policy)| policy[ALL] == false);
    let own = read(settings).filter(|own| own[ALL] == true && !is_undone);
    let own = own.map(|_| HookSwitch {
        file: settings.to_owned(),
        key: ALL,
    });
    policy.or(own)
}

fn key_of_policy(policy: &Value) -> Option<&'static str> {
    let is_on = |key: &&str| match &policy[*key] {
        Value::Bool(on) => *on,
        Value::Array(surfaces) => surfaces.iter().any(|surface| surface == "hooks"),
        _ => false,
    };
    [ALL].into_iter().chain(POLICIES).find(is_on)
}

fn read(file: &Path) -> Option<Value> {
    let bytes = foreign::read(file).ok()??;
    json::read(&bytes).map(|read| read.value)
}

/// Returns the files in which an organization puts its settings, and the one in which Claude Code
/// keeps those that it was sent.
fn managed_files() -> Vec<PathBuf> {
    let folder = match std::env::consts::OS {
        "macos" => "/Library/Application Support/ClaudeCode",
        "windows" => r"C:\Program Files\ClaudeCode",
        _ => "/etc/claude-code",
    };
    let sent = claude_home::folder().map(|folder| folder.join("remote-settings.json"));
    sent.into_iter()
        .chain(files_of(Path::new(folder)))
        .collect()
}

/// Returns the one file, and the parts beside it.
fn files_of(folder: &Path) -> Vec<PathBuf> {
    let parts = std::fs::read_dir(folder.join("managed-settings.d"));
    let parts = parts.into_iter().flatten().flatten();
    let mut parts: Vec<PathBuf> = parts
        .map(|entry| entry.path())
        .filter(|file| {
            file.extension()
                .is_some_and(|extension| extension == "json")
        })
        .collect();
    parts.sort();
    parts.insert(0, folder.join("managed-settings.json"));
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The key that is found in these settings, with these of an organization.
    fn key(own: &str, managed: &[&str]) -> Option<&'static str> {
        let folder = tempfile::tempdir().unwrap();
        let settings = folder.path().join("settings.json");
        std::fs::write(&settings, own).unwrap();
        let parts = folder.path().join("managed-settings.d");
        std::fs::create_dir(&parts).unwrap();
        for (number, text) in managed.iter().enumerate() {
            std::fs::write(parts.join(format!("{number}.json")), text).unwrap();
        }
        off_in(&settings, &files_of(folder.path())).map(|switch| switch.key)
    }

    #[test]
    fn a_switch_is_found_where_it_counts() {
        let off = r#"{"disableAllHooks": true}"#;
        let on = r#"{"disableAllHooks": false}"#;
        assert_eq!(key("{}", &[]), None);
        assert_eq!(key(off, &[]), Some(ALL));
        assert_eq!(key(&format!("\u{feff}{off}"), &["not json"]), Some(ALL));
        assert_eq!(key(on, &[]), None);
        assert_eq!(key("{}", &[off]), Some(ALL));
        assert_eq!(key(off, &[on]), None, "an organization's word counts");
        assert_eq!(key(on, &[off]), Some(ALL));
    }

    #[test]
    fn a_policy_that_takes_no_hooks_of_users_is_named() {
        for (policy, found) in [
            (r#"{"allowManagedHooksOnly": true}"#, Some(POLICIES[0])),
            (r#"{"allowManagedHooksOnly": false}"#, None),
            (
                r#"{"strictPluginOnlyCustomization": true}"#,
                Some(POLICIES[1]),
            ),
            (
                r#"{"strictPluginOnlyCustomization": ["skills", "hooks"]}"#,
                Some(POLICIES[1]),
            ),
            (r#"{"strictPluginOnlyCustomization": ["skills"]}"#, None),
        ] {
            assert_eq!(key("{}", &["{}", policy]), found, "{policy}");
            assert_eq!(key(policy, &[]), None, "a user's own word for it is none");
        }
    }
}
