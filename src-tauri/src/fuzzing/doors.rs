//! The doors themselves: each leads into its room.

use beckon_client::config::{Config, ConfigError, edit};
use beckon_client::text::{Texts, words};
use std::sync::LazyLock;

/// In every language.
static TEXTS: LazyLock<[Texts; 2]> = LazyLock::new(|| ["en", "zh-CN"].map(Texts::load));

/// The event stream of an OpenCode, of either generation: `data: {…}` and so on.
pub fn frames(data: &[u8]) {
    crate::sources::fuzzing::frames(data);
}

/// A list as OpenCode, another Beckon or LangGraph answers it, or one item of it.
pub fn lists(data: &[u8]) {
    crate::sources::fuzzing::lists(data);
}

/// The stream of a service with interrupts.
pub fn interrupts(data: &[u8]) {
    crate::sources::fuzzing::interrupts(data);
}

/// What `getUpdates` gives; anything but JSON is what a button carries, and words.
pub fn telegram(data: &[u8]) {
    crate::channels::telegram::fuzzing::telegram(data);
}

/// A request to the local API: `METHOD PATH` in the first line, its body in the others.
pub fn requests(data: &[u8]) {
    crate::api::fuzzing::requests(data);
}

/// Bodies of `POST /servers`, one a line, as plugins register their servers one after the other.
pub fn registrations(data: &[u8]) {
    crate::api::fuzzing::registrations(data);
}

/// What Claude Code hands its hooks.
pub fn hooks(data: &[u8]) {
    crate::cli::fuzzing::hooks(data);
}

/// The text of `config.toml`.
pub fn config(data: &[u8]) {
    let Ok(file) = std::str::from_utf8(data) else { return };
    match Config::parse(file) {
        Ok((config, unknown)) => can_be_edited(file, &config, &unknown),
        Err(misfit) => is_said_in_a_line(&misfit),
    }
}

/// Each key can be set to what it is, and nothing else changes by that; each can be taken out.
fn can_be_edited(file: &str, config: &Config, unknown: &[String]) {
    let _ = config.policy();
    for (key, value) in edit::values(config) {
        let set = edit::set(file, key, Some(&value)).expect(key);
        let (again, still_unknown) = Config::parse(&set).expect(key);
        assert_eq!((&again, still_unknown.as_slice()), (config, unknown), "{key} in {set}");
        let without = edit::set(file, key, None).expect(key);
        assert!(!edit::stands(&without, key), "{key} in {without}");
    }
    for server in &config.opencode {
        edit::remove(file, &server.name).expect("what is there can be taken out");
    }
}

fn is_said_in_a_line(misfit: &ConfigError) {
    for texts in &*TEXTS {
        let said = words::config(texts, misfit);
        assert!(!said.trim().is_empty() && !said.contains('\n'), "{said:?}");
    }
}
