//! The search for what does not fit in `config.toml`. It finds the key and the value, so that the
//! fault can be told in any language; the TOML reader only knows that something does not fit.

use crate::config::time::{parse_hours, parse_span};
use crate::config::{
    AddressFault, ConfigError, ForwardWhen, InterruptsKind, ProxyAddress, ProxyError, ValueType,
    check_address, hub, trim_address,
};
use beckon_core::{BreakThrough, OnePress};
use serde::Deserialize;
use toml::{Table, Value};

/// The most characters of a value that are shown.
const LONGEST: usize = 200;

/// The address of a server.
const SERVER: ValueType = ValueType::Address("http://127.0.0.1:4096");
/// The address of a service's stream.
const STREAM: ValueType = ValueType::Resource("http://127.0.0.1:8000/api/stream");
/// The address at which a service takes answers.
const RESUME: ValueType = ValueType::Resource("http://127.0.0.1:8000/api/resume");
/// The address of a LangGraph server.
const LANGGRAPH: ValueType = ValueType::Address("http://127.0.0.1:2024");
/// The address of the Bot API.
const BOTS: ValueType = ValueType::Address("https://api.telegram.org");

/// Every key, and the kind of value that it takes. A section may be a list of several.
const KEYS: &[(&str, ValueType)] = &[
    ("language", ValueType::Text),
    ("opencode.name", ValueType::Text),
    ("opencode.url", SERVER),
    ("opencode.username", ValueType::Text),
    ("opencode.any_user", ValueType::YesNo),
    ("interrupts.name", ValueType::Text),
    ("interrupts.kind", ValueType::Kind),
    ("interrupts.stream", STREAM),
    ("interrupts.resume", RESUME),
    ("interrupts.thread", ValueType::Text),
    ("interrupts.url", LANGGRAPH),
    ("interrupts.any_user", ValueType::YesNo),
    ("telegram.forward", ValueType::Forward),
    ("telegram.api_url", BOTS),
    ("telegram.any_user", ValueType::YesNo),
    ("telegram.proxy", ValueType::Proxy),
    ("presence.away_after", ValueType::Span),
    ("presence.lock_is_away", ValueType::YesNo),
    ("escalation.after", ValueType::SpanOrNever),
    ("escalation.remind", ValueType::SpanOrNever),
    ("escalation.quiet_hours", ValueType::Hours),
    ("questions.expire_after", ValueType::SpanOrNever),
    ("questions.before_dialog", ValueType::SpanOrNever),
    ("permissions.one_press", ValueType::OnePress),
    ("notifications.sound", ValueType::YesNo),
    ("notifications.break_through", ValueType::BreakThrough),
    ("turns.desktop_after", ValueType::SpanOrNever),
    ("turns.telegram", ValueType::YesNo),
    ("window.hotkey", ValueType::Text),
    ("window.undo", ValueType::SpanOrNever),
    ("window.keep_warm", ValueType::SpanOrNever),
    ("person.name", ValueType::Text),
    ("updates.check", ValueType::YesNo),
    ("api.port", ValueType::Port),
    ("hub.url", ValueType::HubAddress),
    ("hub.insecure", ValueType::YesNo),
    ("hub.any_user", ValueType::YesNo),
    ("hub.admin", ValueType::DeviceKey),
    ("hub.ca", ValueType::Text),
    ("hub.share_presence", ValueType::YesNo),
];

/// Returns the first value that does not fit. Also checks addresses, which the reader takes as any
/// text, and sections that are lists of values, in which the reader takes the values for those of
/// their keys, one after the other.
pub(super) fn first(text: &str, file: &Table) -> Option<ConfigError> {
    let unfit = KEYS.iter().find_map(|&(key, takes)| {
        let unfit = |value: &&Value| !takes.fits(value);
        let value = values(file, key).into_iter().find(unfit)?;
        Some(refusal(key, takes, value))
    });
    unfit.or_else(|| no_section(text, file))
}

fn refusal(key: &'static str, takes: ValueType, value: &Value) -> ConfigError {
    if takes == ValueType::Proxy {
        let invalid = no_proxy(value);
        return ConfigError::Proxy { key, invalid };
    }
    if let Some((fault, like)) = address_fault(takes, value) {
        return ConfigError::Address { key, fault, like };
    }
    ConfigError::Value {
        key,
        value: in_a_line(value),
        takes,
    }
}

/// Returns what is wrong with an address that would be one without it.
fn address_fault(takes: ValueType, value: &Value) -> Option<(AddressFault, &'static str)> {
    let (leads_to, like) = takes.address_use()?;
    let fault = check_address(value.as_str()?, leads_to).err()?;
    (fault != AddressFault::Form).then_some((fault, like))
}

/// Returns a new value for that key as it is to stand in the file: addresses without what a copy
/// brought along.
pub(super) fn as_written<'a>(key: &str, text: &'a str) -> &'a str {
    let takes = KEYS.iter().find(|(known, _)| *known == key);
    match takes {
        Some((_, ValueType::Proxy | ValueType::HubAddress)) => trim_address(text),
        Some((_, takes)) if takes.address_use().is_some() => trim_address(text),
        _ => text,
    }
}

fn no_proxy(value: &Value) -> ProxyError {
    let parsed = value.as_str().map(ProxyAddress::parse);
    parsed.and_then(Result::err).unwrap_or(ProxyError::Form)
}

fn no_section(text: &str, file: &Table) -> Option<ConfigError> {
    let sections = KEYS.iter().filter_map(|(key, _)| key.split_once('.'));
    let name = sections.map(|(section, _)| section).find(|name| {
        let tables = |value: &Value| match value {
            Value::Array(list) => {
                matches!(*name, "opencode" | "interrupts") && list.iter().all(Value::is_table)
            }
            value => value.is_table(),
        };
        file.get(*name).is_some_and(|value| !tables(value))
    })?;
    let begins = |line: &str| {
        line.trim_start_matches([' ', '\t', '[', '"', '\''])
            .starts_with(name)
    };
    let line = text.lines().position(begins).unwrap_or_default() + 1;
    Some(ConfigError::Unreadable {
        line,
        reason: format!("expected a table [{name}]"),
    })
}

/// Returns a value as it is in the file, cut if it is too long for a sentence.
fn in_a_line(value: &Value) -> String {
    let text = value.to_string();
    let line = text.lines().map(str::trim).collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}

/// Returns what is wrong with a file that the reader refuses.
pub(super) fn diagnose(text: &str, refused: &toml::de::Error) -> ConfigError {
    let found = text
        .parse::<Table>()
        .ok()
        .and_then(|file| first(text, &file));
    found.unwrap_or_else(|| ConfigError::Unreadable {
        line: line(text, refused.span().map_or(0, |span| span.start)),
        reason: refused.message().to_owned(),
    })
}

fn line(text: &str, offset: usize) -> usize {
    text.bytes()
        .take(offset)
        .filter(|byte| *byte == b'\n')
        .count()
        + 1
}

/// Returns all values of a key; of a list of sections, one of each.
fn values<'a>(file: &'a Table, key: &str) -> Vec<&'a Value> {
    let Some((section, leaf)) = key.split_once('.') else {
        return file.get(key).into_iter().collect();
    };
    match file.get(section) {
        Some(Value::Array(list)) => list.iter().filter_map(|table| table.get(leaf)).collect(),
        Some(section) => section.get(leaf).into_iter().collect(),
        None => Vec::new(),
    }
}

impl ValueType {
    fn fits(self, value: &Value) -> bool {
        let text = value.as_str();
        match self {
            Self::Text => text.is_some(),
            Self::YesNo => value.is_bool(),
            Self::Span => text.and_then(parse_span).is_some(),
            Self::SpanOrNever => text.is_some_and(|t| t == "never" || parse_span(t).is_some()),
            Self::Hours => text.is_some_and(|t| t.is_empty() || parse_hours(t).is_some()),
            Self::Forward => ForwardWhen::deserialize(value.clone()).is_ok(),
            Self::OnePress => OnePress::deserialize(value.clone()).is_ok(),
            Self::BreakThrough => BreakThrough::deserialize(value.clone()).is_ok(),
            Self::Kind => InterruptsKind::deserialize(value.clone()).is_ok(),
            Self::Port => value
                .as_integer()
                .is_some_and(|port| u16::try_from(port).is_ok()),
            // Whether the address may be used depends on `insecure` as well.
            Self::HubAddress => text.is_some_and(|t| hub::is_usable(t, true)),
            Self::DeviceKey => text.is_some_and(hub::is_key),
            Self::Address(_) | Self::Resource(_) => text.is_some_and(|text| {
                let takes = self.address_use();
                takes.is_some_and(|(leads_to, _)| check_address(text, leads_to).is_ok())
            }),
            Self::Proxy => text.is_some_and(|text| {
                trim_address(text).is_empty() || ProxyAddress::parse(text).is_ok()
            }),
        }
    }
}

#[cfg(test)]
mod tests;
