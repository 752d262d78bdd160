//! The doors themselves: each leads into its room.

use beckon_client::config::{Config, ConfigError, edit};
use beckon_client::text::{Texts, words};
use beckon_core::{Permission, risk};
use std::sync::LazyLock;

/// The texts in every language.
static TEXTS: LazyLock<[Texts; 2]> = LazyLock::new(|| ["en", "zh-CN"].map(Texts::load));

/// Reads the event stream of an OpenCode, of either generation: `data: {…}` and so on.
pub fn frames(data: &[u8]) {
    crate::sources::fuzzing::frames(data);
}

/// Reads a list as OpenCode, another Beckon or LangGraph answers it, or one item of it.
pub fn lists(data: &[u8]) {
    crate::sources::fuzzing::lists(data);
}

/// Reads the stream of a service with interrupts.
pub fn interrupts(data: &[u8]) {
    crate::sources::fuzzing::interrupts(data);
}

/// Reads the answer to `getUpdates`; bytes that are no JSON are taken as the data of a button, and
/// as words.
pub fn telegram(data: &[u8]) {
    crate::channels::telegram::fuzzing::telegram(data);
}

/// Sends a request to the local API: `METHOD PATH` in the first line, its body in the others.
pub fn requests(data: &[u8]) {
    crate::api::fuzzing::requests(data);
}

/// Bodies of `POST /servers`, one a line, as plugins register their servers one after the other.
pub fn registrations(data: &[u8]) {
    crate::api::fuzzing::registrations(data);
}

/// Reads the input that Claude Code gives its hooks.
pub fn hooks(data: &[u8]) {
    crate::cli::fuzzing::hooks(data);
}

/// Reads the bytes that a hub's server sends, before the library that speaks its protocol sees
/// them.
pub fn hub(data: &[u8]) {
    crate::hub::guard::fuzzing::server(data);
}

/// Looks for risks in a command that an agent wants to run: its project's directory in the first
/// line, the command in the others. Each mark must be found at its place in the command, and the
/// marks must be in order.
pub fn commands(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let (directory, command) = text.split_once('\n').unwrap_or(("", &text));
    let marks = risk::of_command(command, directory);
    for mark in &marks {
        assert_eq!(
            command.get(mark.range.clone()),
            Some(mark.words.as_str()),
            "{mark:?}"
        );
        assert!(!mark.words.is_empty(), "{mark:?}");
    }
    assert!(
        marks.is_sorted_by_key(|mark| (mark.range.start, mark.range.end)),
        "{marks:?}"
    );
    let shell = Permission {
        permission: "bash".to_owned(),
        ..Permission::default()
    };
    let told = Permission {
        command: Some(command.to_owned()),
        ..shell.clone()
    };
    if !command.trim().is_empty() {
        assert_eq!(told.risks(directory), marks);
    }
    let pattern = Permission {
        patterns: vec![command.to_owned()],
        ..shell
    };
    assert_eq!(
        pattern.risks(directory).is_empty(),
        marks.is_empty(),
        "the same as a pattern"
    );
}

/// Reads the text of `config.toml`.
pub fn config(data: &[u8]) {
    let Ok(file) = std::str::from_utf8(data) else {
        return;
    };
    match Config::parse(file) {
        Ok((config, unknown)) => can_be_edited(file, &config, &unknown),
        Err(invalid) => is_said_in_a_line(&invalid),
    }
}

/// Asserts that each key can be set to its value without any other change, and that each can be
/// taken out.
fn can_be_edited(file: &str, config: &Config, unknown: &[String]) {
    let _ = config.policy();
    for (key, value) in edit::values(config) {
        let set = edit::set(file, key, Some(&value)).expect(key);
        let (again, still_unknown) = Config::parse(&set).expect(key);
        assert_eq!(
            (&again, still_unknown.as_slice()),
            (config, unknown),
            "{key} in {set}"
        );
        let without = edit::set(file, key, None).expect(key);
        assert!(!edit::stands(&without, key), "{key} in {without}");
    }
    for server in &config.opencode {
        edit::remove(file, &server.name).expect("what is there can be taken out");
    }
}

fn is_said_in_a_line(invalid: &ConfigError) {
    for texts in &*TEXTS {
        let said = words::config(texts, invalid);
        assert!(!said.trim().is_empty() && !said.contains('\n'), "{said:?}");
    }
}
