//! The OpenCodes that run: which of them are seen, and the one step that would show the others.
//!
//! One that is not seen is worth a note, and no ill: its human may want it so.

use super::super::CommandContext;
use super::{Finding, RunningState};
use crate::integrations::claude_code::{self, usage};
use crate::sources::discovery::mdns;
use crate::sources::discovery::unwatched::{self, RunningAgent, WatchStatus, WatchedServers};
use crate::sources::opencode::plugin::Plugin;
use beckon_client::config::ServerTransport;
use beckon_client::platform::clock;
use beckon_client::text::{Value, words};
use beckon_client::wire::{HookSetting, HookState, Installed, Nearby};

pub(super) fn legs(context: &CommandContext, seen: Option<&RunningState>) -> Vec<Finding> {
    let plugin = Plugin::from_env().ok();
    let installed = plugin.as_ref().and_then(|plugin| plugin.installed().ok());
    let mut findings: Vec<Finding> = plugin
        .iter()
        .zip(installed)
        .filter_map(|(p, how)| of_plugin(context, p, how))
        .collect();
    findings.extend(
        claude_code::look()
            .ok()
            .and_then(|hooks| of_hooks(context, &hooks)),
    );
    let works = matches!(installed, Some(Installed::Yes | Installed::Outdated));
    let plugin_since = plugin
        .as_ref()
        .filter(|_| works)
        .and_then(Plugin::installed_at);
    let Some(seen) = seen else { return findings };
    let watching = WatchedServers::of(&seen.status.sources, &seen.registered, plugin_since);
    let running = unwatched::look(&watching);
    findings.extend(
        running
            .iter()
            .map(|(running, how)| of_process(context, running, how)),
    );
    findings
}

/// Returns the servers that announce themselves on the local network, for a human who wants to
/// watch them.
pub(super) async fn nearby(context: &CommandContext) -> Vec<Finding> {
    let note = |key: &str, args: &[(&'static str, Value<'static>)]| Finding {
        leg: "nearby".into(),
        ok: true,
        note: true,
        text: context.texts.with(key, args),
        hint: None,
    };
    let found = match mdns::look().await {
        Ok(found) => found,
        Err(error) => {
            return vec![note(
                "doctor-nearby-bad",
                &[("detail", error.root_cause().to_string().into())],
            )];
        }
    };
    if found.is_empty() {
        return vec![note("doctor-nearby-none", &[])];
    }
    let server = |Nearby { name, url }: Nearby| {
        note(
            "doctor-nearby",
            &[("name", Value::from(name)), ("url", Value::from(url))],
        )
    };
    found.into_iter().map(server).collect()
}

/// Checks the plugin. If it is not installed, that is said of the OpenCodes that lack it.
fn of_plugin(context: &CommandContext, plugin: &Plugin, installed: Installed) -> Option<Finding> {
    let (key, hint) = match installed {
        Installed::No => return None,
        Installed::Yes => ("doctor-plugin-ok", None),
        Installed::Outdated => ("doctor-plugin-outdated", Some("doctor-plugin-renew")),
        Installed::Foreign => ("doctor-plugin-foreign", None),
    };
    let file = Value::from(plugin.file().display().to_string());
    Some(Finding {
        leg: "plugin".into(),
        ok: true,
        note: installed != Installed::Yes,
        text: context.texts.with(key, &[("file", file)]),
        hint: hint.map(|hint| context.texts.get(hint)),
    })
}

/// Checks the hooks. If there are none, nothing is said: not everybody has Claude Code.
fn of_hooks(context: &CommandContext, hooks: &HookSetting) -> Option<Finding> {
    let (key, current) = match hooks.state {
        HookState::No | HookState::NotFound => return None,
        HookState::Yes => ("doctor-hooks-ok", true),
        HookState::Outdated => ("doctor-hooks-old", false),
        HookState::Off => ("doctor-hooks-off", false),
    };
    let args = [
        ("file", Value::from(hooks.file.clone())),
        (
            "by",
            Value::from(hooks.switched_off.clone().unwrap_or_default()),
        ),
    ];
    let is_outdated = hooks.state == HookState::Outdated;
    Some(Finding {
        leg: "hooks".into(),
        ok: true,
        note: !current,
        text: with_last_use(context, context.texts.with(key, &args)),
        hint: is_outdated.then(|| context.texts.get("doctor-hooks-renew")),
    })
}

/// Adds when the hooks ran last: that they are in a file does not say whether Claude Code has ever
/// run them.
fn with_last_use(context: &CommandContext, text: String) -> String {
    let text = Value::from(text);
    let Some(at) = usage::last(&context.paths) else {
        return context.texts.with("doctor-hooks-never", &[("text", text)]);
    };
    let (zone, at) = (clock::zone(), clock::timestamp(at));
    let time = words::clock(&context.texts, &zone, at, clock::now());
    let args = [("text", text), ("time", Value::from(time))];
    context.texts.with("doctor-hooks-last", &args)
}

fn of_process(context: &CommandContext, running: &RunningAgent, coverage: &WatchStatus) -> Finding {
    let (key, source, hint) = match coverage {
        WatchStatus::Seen(ServerTransport::Port, source) => {
            ("doctor-coverage-port", source.as_str(), None)
        }
        WatchStatus::Seen(ServerTransport::Door, source) => {
            ("doctor-coverage-door", source.as_str(), None)
        }
        WatchStatus::Seen(ServerTransport::Events, source) => {
            ("doctor-coverage-events", source.as_str(), None)
        }
        WatchStatus::NoPlugin => (
            "doctor-coverage-unseen",
            "",
            Some("doctor-coverage-integrate"),
        ),
        WatchStatus::BeganBefore => ("doctor-coverage-older", "", Some("doctor-coverage-restart")),
        WatchStatus::Silent => (
            "doctor-coverage-silent",
            "",
            Some("doctor-coverage-restart"),
        ),
    };
    let directory = running.process.directory.as_ref();
    let directory = directory.map(|directory| directory.display().to_string());
    let args = [
        ("pid", Value::from(running.process.pid.to_string())),
        (
            "directory",
            Value::from(directory.unwrap_or_else(|| "?".into())),
        ),
        ("source", Value::from(source.to_owned())),
    ];
    Finding {
        leg: "coverage".into(),
        ok: true,
        note: hint.is_some(),
        text: context.texts.with(key, &args),
        hint: hint.map(|hint| context.texts.get(hint)),
    }
}
