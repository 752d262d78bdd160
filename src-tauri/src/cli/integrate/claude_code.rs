//! `beckon integrate claude-code`: the hooks in Claude Code's `settings.json`. That file is the
//! user's: what else stands in it stays as it is, to the byte, and in its order.
//!
//! Which hooks there are and why is told in `docs/claude-code.md`.

use super::super::{Context, Done, say};
use super::program;
use crate::failed::Failed;
use crate::texts::Value as Word;
use anyhow::{Context as _, Result};
use serde::de::{MapAccess, Visitor};
use serde::ser::SerializeMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::value::{RawValue, to_raw_value};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

const EVENTS: [(&str, Pace); 7] = [
    ("PermissionRequest", Pace::Patient),
    ("PostToolUse", Pace::Beside),
    ("PostToolUseFailure", Pace::Beside),
    ("UserPromptSubmit", Pace::Beside),
    ("Notification", Pace::Beside),
    ("Stop", Pace::Beside),
    ("SessionEnd", Pace::Usual),
];

/// How Claude Code runs a hook.
#[derive(Clone, Copy, Debug)]
enum Pace {
    /// It waits as long as a human may take.
    Patient,
    /// It does not wait.
    Beside,
    /// It waits for its usual time; it ends with the session and would take one beside it along.
    Usual,
}

/// What our hooks run, after the program's own path.
const RUNS: &str = "hook claude-code";
/// A human may be away for a day; in seconds.
const PATIENCE: u32 = 86_400;

pub(super) fn run(context: &Context, remove: bool) -> Done {
    let file = settings_file().map_err(anyhow::Error::from)?;
    let command = (!remove).then(our_command).transpose()?;
    let text = match std::fs::read_to_string(&file) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => "{}".into(),
        read => read.with_context(|| Failed::Read(file.clone()))?,
    };
    let changed =
        with_hooks(&text, command.as_deref()).with_context(|| Failed::Understand(file.clone()))?;
    let key = match (&changed, remove) {
        (None, false) => "integrate-claude-there",
        (None, true) => "integrate-claude-not-there",
        (Some(_), false) => "integrate-claude-installed",
        (Some(_), true) => "integrate-claude-removed",
    };
    if let Some(changed) = changed {
        replace(&file, &changed)?;
    }
    say(&context.texts.with(key, &[("file", Word::from(file.display().to_string()))]));
    Ok(ExitCode::SUCCESS)
}

/// Where Claude Code keeps what holds for all projects. It may be a link into somebody's dotfiles.
fn settings_file() -> Result<PathBuf, Failed> {
    let set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
    let home = if cfg!(windows) { "USERPROFILE" } else { "HOME" };
    let folder = match set("CLAUDE_CONFIG_DIR") {
        Some(folder) => PathBuf::from(folder),
        None => PathBuf::from(set(home).ok_or(Failed::NoHome(home))?).join(".claude"),
    };
    let file = folder.join("settings.json");
    Ok(std::fs::canonicalize(&file).unwrap_or(file))
}

/// Hooks are run by a shell, from any directory.
fn our_command() -> Result<String> {
    Ok(format!("\"{}\" {RUNS}", program::path()?.display()))
}

/// The file with our hooks, or without them if there is no command; `None` when that is how it is.
fn with_hooks(text: &str, command: Option<&str>) -> Result<Option<String>> {
    let mut settings: Object = serde_json::from_str(text)?;
    let mut hooks: Object = settings.read("hooks")?;
    for (event, pace) in EVENTS {
        let mut entries: Vec<Box<RawValue>> = hooks.read(event)?;
        entries.retain(|entry| !is_ours(entry));
        entries.extend(command.map(|command| to_raw_value(&entry(command, pace))).transpose()?);
        let entries = (!entries.is_empty()).then(|| to_raw_value(&entries)).transpose()?;
        hooks.put(event, entries);
    }
    let hooks = (!hooks.0.is_empty()).then(|| to_raw_value(&hooks)).transpose()?;
    settings.put("hooks", hooks);
    let said = |text: &str| serde_json::from_str::<Value>(text);
    let changed = serde_json::to_string_pretty(&settings)? + "\n";
    Ok((said(&changed)? != said(text)?).then_some(changed))
}

fn entry(command: &str, pace: Pace) -> Value {
    let mut hook = json!({ "type": "command", "command": command });
    match pace {
        Pace::Patient => hook["timeout"] = json!(PATIENCE),
        Pace::Beside => hook["async"] = json!(true),
        Pace::Usual => {}
    }
    json!({ "hooks": [hook] })
}

/// One that runs nothing else besides.
fn is_ours(entry: &RawValue) -> bool {
    let entry: Value = serde_json::from_str(entry.get()).unwrap_or_default();
    let hooks = entry["hooks"].as_array().map(Vec::as_slice).unwrap_or_default();
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
    write().with_context(|| Failed::Write(file.into()))
}

/// A JSON object whose values are kept as they are written.
#[derive(Debug, Default)]
struct Object(Vec<(String, Box<RawValue>)>);

impl Object {
    /// The value of that key, or an empty one.
    fn read<T: Default + for<'a> Deserialize<'a>>(&self, key: &str) -> Result<T> {
        let Some((_, value)) = self.0.iter().find(|(name, _)| name == key) else {
            return Ok(T::default());
        };
        serde_json::from_str(value.get()).with_context(|| format!("{key:?} is of another kind"))
    }

    /// In its old place, if it has one.
    fn put(&mut self, key: &str, value: Option<Box<RawValue>>) {
        let at = self.0.iter().position(|(name, _)| name == key);
        match (at, value) {
            (Some(at), Some(value)) => self.0[at].1 = value,
            (Some(at), None) => drop(self.0.remove(at)),
            (None, Some(value)) => self.0.push((key.to_owned(), value)),
            (None, None) => {}
        }
    }
}

impl Serialize for Object {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        self.0.iter().try_for_each(|(key, value)| map.serialize_entry(key, value))?;
        map.end()
    }
}

impl<'de> Deserialize<'de> for Object {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct InOrder;
        impl<'de> Visitor<'de> for InOrder {
            type Value = Object;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("a JSON object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Object, A::Error> {
                let mut object = Object::default();
                while let Some(pair) = map.next_entry()? {
                    object.0.push(pair);
                }
                Ok(object)
            }
        }
        deserializer.deserialize_map(InOrder)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const THEIRS: &str = r#"{
  "zeta": [1.0,   2],
  "hooks": {
    "Stop": [{ "hooks": [{ "type": "command", "command": "say done" }] }],
    "PreCompact": []
  },
  "alpha": { "b": 1, "a": 18446744073709551615 }
}"#;

    #[test]
    fn the_hooks_come_and_go_and_all_else_stays() {
        let with = with_hooks(THEIRS, Some("\"/bin/beckon\" hook claude-code")).unwrap().unwrap();
        for kept in ["\"zeta\": [1.0,   2]", "{ \"b\": 1, \"a\": 18446744073709551615 }"] {
            assert!(with.contains(kept), "{with}");
        }
        let settings: Value = serde_json::from_str(&with).unwrap();
        assert_eq!(settings["hooks"]["Stop"].as_array().unwrap().len(), 2);
        assert_eq!(settings["hooks"]["Stop"][1]["hooks"][0]["async"], true);
        assert_eq!(settings["hooks"]["PermissionRequest"][0]["hooks"][0]["timeout"], PATIENCE);
        assert_eq!(with_hooks(&with, Some("\"/bin/beckon\" hook claude-code")).unwrap(), None);
        let moved = with_hooks(&with, Some("\"/opt/beckon\" hook claude-code")).unwrap().unwrap();
        assert!(!moved.contains("/bin/beckon"), "{moved}");
        let without = with_hooks(&moved, None).unwrap().unwrap();
        let said = |text: &str| serde_json::from_str::<Value>(text).unwrap();
        assert_eq!(said(&without), said(THEIRS));
        assert_eq!(with_hooks(&without, None).unwrap(), None);
    }

    #[test]
    fn a_file_that_is_no_settings_is_left_alone() {
        for text in ["", "[]", "{\"hooks\": 7}", "{\"hooks\": {\"Stop\": {}}}", "{ // note\n}"] {
            assert!(with_hooks(text, Some("beckon hook claude-code")).is_err(), "{text}");
        }
        let fresh = with_hooks("{}", Some("beckon hook claude-code")).unwrap().unwrap();
        assert_eq!(with_hooks(&fresh, None).unwrap().unwrap(), "{}\n");
    }
}
