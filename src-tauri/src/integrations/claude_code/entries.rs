//! The hooks in the text of Claude Code's settings: which are ours, and how they are added and
//! removed. An entry of somebody else may hold one of ours beside its own.

use super::json_text::{ChildPath, JsonText};
use super::line::{self, FINISHED, HookLine};
use super::{EVENTS, HookPace, PATIENCE, WantedHooks};
use anyhow::{Result, bail, ensure};
use serde_json::{Value, json};

/// The settings, seen as hooks.
#[derive(Debug)]
pub(super) struct HookEntries {
    text: JsonText,
}

/// A hook of ours.
#[derive(Debug)]
struct OurHook {
    /// The hook itself; its entry is two steps above it.
    place: ChildPath,
    line: HookLine,
    /// The tools for which its entry is.
    matcher: Value,
}

impl HookEntries {
    /// Reads the settings.
    ///
    /// # Errors
    /// When hooks stand there in a form that Claude Code does not take either.
    pub(super) fn read(text: JsonText) -> Result<Self> {
        let entries = Self { text };
        let Some(hooks) = entries.text.member(&[], "hooks") else {
            return Ok(entries);
        };
        ensure!(entries.text.is_object(&hooks), "\"hooks\" is no object");
        for (event, ..) in EVENTS {
            let list = entries.text.member(&hooks, event);
            let is_list = list.is_none_or(|list| entries.text.is_list(&list));
            ensure!(is_list, "{event:?} is no list");
        }
        Ok(entries)
    }

    /// Makes sure that Claude Code takes the file: one hook that is written wrongly, of whatever
    /// event, and it skips all of it (<https://github.com/anthropics/claude-code/issues/75081>).
    ///
    /// # Errors
    /// With the event whose hooks are written wrongly.
    pub(super) fn check(&self) -> Result<()> {
        let Some(hooks) = self.text.member(&[], "hooks") else {
            return Ok(());
        };
        let Value::Object(events) = self.text.value(&hooks) else {
            bail!("\"hooks\" is no object");
        };
        for (event, entries) in &events {
            let is_taken = entries.as_array().is_some_and(|it| it.iter().all(is_entry));
            ensure!(
                is_taken,
                "Claude Code skips all of this file: each of {event:?} has to be an object with a list \
                 \"hooks\", and its \"matcher\" a text"
            );
        }
        Ok(())
    }

    pub(super) fn into_text(self) -> JsonText {
        self.text
    }

    /// Tells whether any of ours is there that Claude Code looks at.
    pub(super) fn has_ours(&self) -> bool {
        let lists = EVENTS.iter().filter_map(|(event, ..)| self.list(event));
        lists
            .into_iter()
            .any(|list| !self.ours_in(&list).is_empty())
    }

    /// Adds the hooks that are wanted, and renews those that are there. What a user gave one of
    /// them stays: its entry's matcher, its time, its place.
    ///
    /// # Errors
    /// When the text cannot be changed.
    pub(super) fn install(&mut self, wanted: &WantedHooks) -> Result<()> {
        for (event, pace, since) in EVENTS {
            let list = self.list(event);
            let ours = list.map(|list| self.ours_in(&list)).unwrap_or_default();
            if !wanted.knows(since, !ours.is_empty()) {
                self.remove_all(ours);
                continue;
            }
            if ours.is_empty() {
                self.add(event, &entry(&wanted.command, pace))?;
            } else {
                self.renew(ours, &wanted.command, pace)?;
            }
        }
        Ok(())
    }

    /// Removes all of ours, also those in members of the same name that Claude Code does not look
    /// at: they would count again once the last one is gone.
    pub(super) fn remove(&mut self) {
        for (event, ..) in EVENTS {
            let hooks = self.text.named(&[], "hooks").into_iter();
            let lists = hooks.flat_map(|hooks| self.text.named(&hooks, event));
            let ours = lists.flat_map(|list| self.ours_in(&list)).collect();
            self.remove_all(ours);
        }
    }

    fn add(&mut self, event: &str, entry: &Value) -> Result<()> {
        let Some(hooks) = self.text.member(&[], "hooks") else {
            return self
                .text
                .append(&[], Some("hooks"), &json!({ event: [entry] }));
        };
        match self.text.member(&hooks, event) {
            Some(list) => self.text.append(&list, None, entry),
            None => self.text.append(&hooks, Some(event), &json!([entry])),
        }
    }

    /// Renews hooks of ours. One is enough for the same tools, so doubles are removed.
    fn renew(&mut self, ours: Vec<OurHook>, command: &str, pace: HookPace) -> Result<()> {
        let mut kept: Vec<Value> = Vec::new();
        let mut doubles = Vec::new();
        for hook in ours {
            if kept.contains(&hook.matcher) {
                doubles.push(hook);
                continue;
            }
            self.renew_one(&hook, command, pace)?;
            kept.push(hook.matcher);
        }
        self.remove_all(doubles);
        Ok(())
    }

    fn renew_one(&mut self, hook: &OurHook, command: &str, pace: HookPace) -> Result<()> {
        let wanted = if hook.line.finished {
            json!(format!("{command} {FINISHED}"))
        } else {
            json!(command)
        };
        // Where its words stand by themselves, the user decides how it is started.
        if !hook.line.in_words
            && let Some(place) = self.text.member(&hook.place, "command")
            && self.text.value(&place) != wanted
        {
            self.text.replace(&place, &wanted)?;
        }
        if let Some((name, value)) = pace.setting()
            && self.text.member(&hook.place, name).is_none()
        {
            self.text.append(&hook.place, Some(name), &value)?;
        }
        Ok(())
    }

    /// Removes hooks from the last one on, so that the places of the others stay.
    fn remove_all(&mut self, hooks: Vec<OurHook>) {
        for hook in hooks.into_iter().rev() {
            self.take_out(&hook.place);
        }
    }

    /// Removes a hook, and what is empty without it.
    fn take_out(&mut self, hook: &[usize]) {
        let [hooks, event, entry, list, _] = *hook else {
            return;
        };
        self.text.remove(hook);
        if !self.text.items(&[hooks, event, entry, list]).is_empty() {
            return;
        }
        for above in [&[hooks, event, entry][..], &[hooks, event], &[hooks]] {
            self.text.remove(above);
            let Some((_, container)) = above.split_last() else {
                return;
            };
            if container.is_empty() || !self.text.items(container).is_empty() {
                return;
            }
        }
    }

    /// Returns the place of the entries of an event that Claude Code looks at.
    fn list(&self, event: &str) -> Option<ChildPath> {
        self.text.member(&self.text.member(&[], "hooks")?, event)
    }

    fn ours_in(&self, list: &[usize]) -> Vec<OurHook> {
        let entries = self.text.items(list).into_iter();
        entries.flat_map(|entry| self.ours_of(&entry)).collect()
    }

    fn ours_of(&self, entry: &[usize]) -> Vec<OurHook> {
        let Some(hooks) = self.text.member(entry, "hooks") else {
            return Vec::new();
        };
        let matcher = self.text.member(entry, "matcher");
        let matcher = matcher
            .map(|place| self.text.value(&place))
            .unwrap_or_default();
        let places = self.text.items(&hooks).into_iter();
        let ours = places.filter_map(|place| {
            let line = our_line(&self.text.value(&place))?;
            let matcher = matcher.clone();
            Some(OurHook {
                place,
                line,
                matcher,
            })
        });
        ours.collect()
    }
}

/// Whether Claude Code takes it for hooks and the tools that they are for.
fn is_entry(entry: &Value) -> bool {
    let matcher = entry.get("matcher");
    entry["hooks"].is_array() && matcher.is_none_or(Value::is_string)
}

/// Reads a hook's command as ours; `None` if it is not. The words may stand in `args`, behind a
/// launcher of the user's.
fn our_line(hook: &Value) -> Option<HookLine> {
    let command = hook["command"].as_str();
    let command = command.filter(|_| hook["type"] == "command")?;
    match &hook["args"] {
        Value::Null => line::read(command),
        Value::Array(words) => {
            let words: Option<Vec<&str>> = words.iter().map(Value::as_str).collect();
            line::read_words(command, &words?)
        }
        _ => None,
    }
}

fn entry(command: &str, pace: HookPace) -> Value {
    let mut hook = json!({ "type": "command", "command": command });
    if let Some((name, value)) = pace.setting() {
        hook[name] = value;
    }
    json!({ "hooks": [hook] })
}

impl HookPace {
    /// Returns the field of a hook that sets its pace.
    fn setting(self) -> Option<(&'static str, Value)> {
        match self {
            Self::Patient => Some(("timeout", json!(PATIENCE))),
            Self::Beside => Some(("async", json!(true))),
            Self::Usual => None,
        }
    }
}
