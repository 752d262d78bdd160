//! The change of a single key of `config.toml`, as a person would make it: comments and order stay.
//! The file's own reader checks every change before it counts.
//!
//! Not here: reading and writing the file. Whole tables are changed in `origins` and `hub`.

mod hub;
mod origins;

pub use hub::{JoinedHub, join_hub, leave_hub};
pub use origins::{OriginChange, add, change, find, remove};

use super::{Config, ConfigError, ForwardWhen, ProxyAddress, validate};
use beckon_core::{BreakThrough, OnePress, QuietHours, Span};
use serde::{Deserialize, Serialize};
use toml_edit::{DocumentMut, Item, TableLike};

/// The value of a key.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(rename = "SettingValue")
)]
#[serde(untagged)]
pub enum Value {
    /// Yes or no.
    Bool(bool),
    /// A number.
    Number(i64),
    /// Anything else.
    Text(String),
}

/// A reason why a change was not made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EditError {
    /// There is no such key.
    #[error("there is no setting {0:?}")]
    NoSuchKey(String),
    /// No server of that name is in the file.
    #[error("there is no server {0:?} in config.toml")]
    NoSuchServer(String),
    /// The file cannot be read as it is, so nothing can be changed in it.
    #[error("config.toml has an error of its own; correct that first: {0}")]
    Broken(ConfigError),
    /// The entry that is to be changed has been changed meanwhile.
    #[error("config.toml has changed meanwhile")]
    Changed,
    /// The value does not fit.
    #[error(transparent)]
    Invalid(ConfigError),
}

type ReadFile = fn(&Config) -> Value;

/// Every key that holds a single value, and how that value is read from the settings.
const KEYS: &[(&str, ReadFile)] = &[
    ("language", |c| text(&c.language)),
    ("telegram.forward", |c| text(forward(c.telegram.forward))),
    ("telegram.api_url", |c| text(&c.telegram.api_url)),
    ("telegram.proxy", |c| {
        text(&proxy(c.telegram.proxy.as_ref()))
    }),
    ("presence.away_after", |c| span(c.presence.away_after)),
    ("presence.lock_is_away", |c| {
        Value::Bool(c.presence.lock_is_away)
    }),
    ("escalation.after", |c| span_or_never(c.escalation.after)),
    ("escalation.remind", |c| span_or_never(c.escalation.remind)),
    ("escalation.quiet_hours", |c| {
        hours(c.escalation.quiet_hours)
    }),
    ("questions.expire_after", |c| {
        span_or_never(c.questions.expire_after)
    }),
    ("questions.before_dialog", |c| {
        span_or_never(c.questions.before_dialog)
    }),
    ("permissions.one_press", |c| {
        text(one_press(c.permissions.one_press))
    }),
    ("notifications.sound", |c| {
        Value::Bool(c.notifications.sound)
    }),
    ("notifications.break_through", |c| {
        text(break_through(c.notifications.break_through))
    }),
    ("turns.desktop_after", |c| {
        span_or_never(c.turns.desktop_after)
    }),
    ("turns.telegram", |c| Value::Bool(c.turns.telegram)),
    ("window.hotkey", |c| text(&c.window.hotkey)),
    ("window.undo", |c| span_or_never(c.window.undo)),
    ("window.keep_warm", |c| span_or_never(c.window.keep_warm)),
    ("person.name", |c| text(&c.person.name)),
    ("updates.check", |c| Value::Bool(c.updates.check)),
    ("hub.share_presence", |c| {
        Value::Bool(c.hub.as_ref().is_none_or(|hub| hub.share_presence))
    }),
];

/// Returns every key with its value in that file. The keys of a hub are among them only if one was
/// joined.
pub fn values(config: &Config) -> impl Iterator<Item = (&'static str, Value)> {
    let there = KEYS
        .iter()
        .filter(|(key, _)| config.hub.is_some() || !is_of_hub(key));
    there.map(|(key, read)| (*key, read(config)))
}

fn is_of_hub(key: &str) -> bool {
    key.starts_with("hub.")
}

/// Whether the file has the key.
pub fn stands(file: &str, key: &str) -> bool {
    let Ok(document) = file.parse::<DocumentMut>() else {
        return false;
    };
    let found = key
        .split('.')
        .try_fold(document.as_item(), |item, part| item.get(part));
    found.is_some()
}

/// Returns the file with that key set. Without a value the key is removed, and the default holds.
///
/// # Errors
/// When the key is unknown, or the value does not fit; says what would.
pub fn set(file: &str, key: &str, new: Option<&Value>) -> Result<String, EditError> {
    if !KEYS.iter().any(|(known, _)| *known == key) {
        return Err(EditError::NoSuchKey(key.into()));
    }
    let mut document = parsed(file)?;
    if is_of_hub(key) && !document.contains_key("hub") {
        return Err(EditError::NoSuchKey(key.into()));
    }
    let (table, leaf): (&mut dyn TableLike, &str) = match key.split_once('.') {
        Some((table, leaf)) => (section(&mut document, table)?, leaf),
        None => (document.as_table_mut(), key),
    };
    match new {
        Some(Value::Text(text)) => {
            let written = validate::as_written(key, text);
            put(table, leaf, &Value::Text(written.to_owned()));
        }
        Some(new) => put(table, leaf, new),
        None => _ = table.remove(leaf),
    }
    checked(&document)
}

fn parsed(file: &str) -> Result<DocumentMut, EditError> {
    Config::parse(file).map_err(EditError::Broken)?;
    file.parse()
        .map_err(|error: toml_edit::TomlError| unreadable(error.message().into()))
}

fn checked(document: &DocumentMut) -> Result<String, EditError> {
    let file = document.to_string();
    Config::parse(&file).map_err(EditError::Invalid)?;
    Ok(file)
}

/// Returns the error for a file that our own reader takes, but that the editing library refuses, or
/// in which another value is where a section should be.
fn unreadable(reason: String) -> EditError {
    EditError::Broken(ConfigError::Unreadable { line: 1, reason })
}

/// Returns a section to change it, and adds it if it is missing. A section that a person has
/// written in one line stays so, with the comment behind it.
fn section<'a>(
    document: &'a mut DocumentMut,
    name: &str,
) -> Result<&'a mut dyn TableLike, EditError> {
    let item = document.entry(name).or_insert_with(toml_edit::table);
    item.as_table_like_mut()
        .ok_or_else(|| unreadable(format!("{name} is no section")))
}

/// Puts a value under a key. If it replaces another value, it keeps the comment behind that.
fn put(table: &mut dyn TableLike, leaf: &str, new: &Value) {
    let mut fresh = match new {
        Value::Bool(new) => toml_edit::Value::from(*new),
        Value::Number(new) => toml_edit::Value::from(*new),
        Value::Text(new) => toml_edit::Value::from(new.as_str()),
    };
    match table.get_mut(leaf).and_then(Item::as_value_mut) {
        Some(old) => {
            *fresh.decor_mut() = old.decor().clone();
            *old = fresh;
        }
        None => _ = table.insert(leaf, Item::Value(fresh)),
    }
}

fn text(text: &str) -> Value {
    Value::Text(text.into())
}

fn proxy(proxy: Option<&ProxyAddress>) -> String {
    proxy.map(ToString::to_string).unwrap_or_default()
}

fn forward(when: ForwardWhen) -> &'static str {
    match when {
        ForwardWhen::Away => "away",
        ForwardWhen::Always => "always",
        ForwardWhen::Never => "never",
    }
}

fn one_press(what: OnePress) -> &'static str {
    match what {
        OnePress::Unmarked => "unmarked",
        OnePress::All => "all",
    }
}

fn break_through(what: BreakThrough) -> &'static str {
    match what {
        BreakThrough::Never => "never",
        BreakThrough::Permissions => "permissions",
        BreakThrough::Always => "always",
    }
}

fn span(span: Span) -> Value {
    let seconds = span.0 / 1_000;
    let units = [(86_400, "d"), (3_600, "h"), (60, "m"), (1, "s")];
    let fits = units
        .into_iter()
        .find(|(unit, _)| seconds > 0 && seconds % unit == 0);
    let (unit, name) = fits.unwrap_or((1, "s"));
    Value::Text(format!("{}{name}", seconds / unit))
}

fn span_or_never(after: Option<Span>) -> Value {
    after.map_or_else(|| text("never"), span)
}

fn hours(hours: Option<QuietHours>) -> Value {
    let Some(QuietHours { from, to }) = hours else {
        return text("");
    };
    let clock = |minute: u16| format!("{:02}:{:02}", minute / 60, minute % 60);
    Value::Text(format!("{}-{}", clock(from), clock(to)))
}

#[cfg(test)]
mod tests;
