//! The sentences for what went wrong. The reason is given in the words of the system or of the
//! library.

use crate::config::edit::EditError;
use crate::config::{AddressFault, ConfigError, ProxyError, UnusableConfig, ValueType};
use crate::platform::failure::{DatabaseError, SystemFailure};
use crate::platform::secret::{self, KeychainError};
use crate::text::{Texts, Value};
use beckon_core::SourceFault;
use std::path::Path;

/// Says anything that went wrong.
pub fn failure(texts: &Texts, error: &anyhow::Error) -> String {
    let reason = error.root_cause().to_string();
    let file = || error.downcast_ref().map(|why| unusable(texts, why));
    let invalid = || error.downcast_ref().map(|why| config(texts, why));
    let known = || error.downcast_ref().map(|why| failed(texts, why, reason));
    file()
        .or_else(invalid)
        .or_else(known)
        .unwrap_or_else(|| texts.with("failed", &[("reason", Value::from(causes(error)))]))
}

/// Says what went wrong and why, in the words of the errors themselves. Some libraries name the
/// cause in an error's own text, and as its cause as well; then it is said once.
pub fn causes(error: &anyhow::Error) -> String {
    let mut said = String::new();
    for cause in error.chain().map(ToString::to_string) {
        match said.as_str() {
            "" => said = cause,
            known if known.ends_with(&cause) => {}
            _ => said = format!("{said}: {cause}"),
        }
    }
    said
}

fn failed(texts: &Texts, failed: &SystemFailure, reason: String) -> String {
    let (key, file) = match failed {
        SystemFailure::Open(file) => ("failed-open", file),
        SystemFailure::Read(file) => ("failed-read", file),
        SystemFailure::Write(file) => ("failed-write", file),
        SystemFailure::Remove(file) => ("failed-remove", file),
        SystemFailure::Taken(file) => ("failed-taken", file),
        SystemFailure::Create(file) => ("failed-create", file),
        SystemFailure::NoPlace(file) => ("failed-no-place", file),
        SystemFailure::Exposed(file) => ("failed-exposed", file),
        SystemFailure::Understand(file) => ("failed-understand", file),
        SystemFailure::NoAppImage => return texts.get("failed-no-app-image"),
        SystemFailure::NoWebPage => return texts.get("failed-no-web-page"),
        SystemFailure::Start(program) => {
            let args = [
                ("program", Value::from(*program)),
                ("reason", Value::from(reason)),
            ];
            return texts.with("failed-start", &args);
        }
        SystemFailure::HookLine(line) => {
            let args = [
                ("line", Value::from(line.clone())),
                ("reason", Value::from(reason)),
            ];
            return texts.with("failed-hook-line", &args);
        }
        SystemFailure::Entry => {
            return texts.with("failed-entry", &[("reason", Value::from(reason))]);
        }
        SystemFailure::NoHome(variable) => {
            return texts.with("failed-no-home", &[("variable", Value::from(*variable))]);
        }
        SystemFailure::NotWhole(variable) => {
            return texts.with("failed-not-whole", &[("variable", Value::from(*variable))]);
        }
        SystemFailure::Newer { file, found, known } => return newer(texts, file, *found, *known),
        SystemFailure::Database { file, why } => (database(*why), file),
        SystemFailure::LoopEnded => return texts.get("failed-loop"),
    };
    of_file(texts, key, file, reason)
}

fn database(why: DatabaseError) -> &'static str {
    match why {
        DatabaseError::Busy => "failed-database-busy",
        DatabaseError::Full => "failed-database-full",
        DatabaseError::NotPermitted => "failed-database-not-permitted",
        DatabaseError::Unreachable => "failed-database-unreachable",
    }
}

fn of_file(texts: &Texts, key: &str, file: &Path, reason: String) -> String {
    let file = Value::from(file.display().to_string());
    texts.with(key, &[("file", file), ("reason", Value::from(reason))])
}

fn newer(texts: &Texts, file: &Path, found: i64, known: usize) -> String {
    let file = Value::from(file.display().to_string());
    let args = [
        ("file", file),
        ("found", Value::from(found)),
        ("known", Value::from(known)),
    ];
    texts.with("failed-newer", &args)
}

/// Says why the keychain did not do what it was asked, with the way out for the secret of that
/// name.
pub fn keychain(texts: &Texts, why: &KeychainError, name: &str) -> String {
    let (key, detail) = match why {
        KeychainError::Absent(_) => ("keychain-absent", ""),
        KeychainError::Locked(_) => ("keychain-locked", ""),
        KeychainError::NoPlace => ("keychain-no-place", ""),
        KeychainError::Several => ("keychain-several", ""),
        KeychainError::Silent => ("keychain-silent", ""),
        KeychainError::NoText => ("keychain-no-text", ""),
        KeychainError::Refused(detail) => ("keychain-refused", detail.as_str()),
    };
    let variable = Value::from(secret::variable(name));
    texts.with(
        key,
        &[("variable", variable), ("detail", Value::from(detail))],
    )
}

/// Says why a source is out of reach, as a part of a sentence.
pub fn fault(texts: &Texts, fault: &SourceFault) -> String {
    let (key, detail) = match fault {
        SourceFault::Silent => ("fault-silent", String::new()),
        SourceFault::FellSilent => ("fault-fell-silent", String::new()),
        SourceFault::Ended => ("fault-ended", String::new()),
        SourceFault::Status(status) => ("fault-status", status.to_string()),
        SourceFault::NoEvents(None) => ("fault-no-type", String::new()),
        SourceFault::NoEvents(Some(kind)) => ("fault-no-events", kind.clone()),
        SourceFault::TooLarge => ("fault-too-large", String::new()),
        SourceFault::TooSlow => ("fault-too-slow", String::new()),
        SourceFault::Newer => ("fault-newer", String::new()),
        SourceFault::AnotherUser => ("fault-another-user", String::new()),
        SourceFault::OwnerAway => ("fault-owner-away", String::new()),
        SourceFault::HubDown => ("fault-hub-down", String::new()),
        SourceFault::LeftOut => ("fault-left-out", String::new()),
        SourceFault::Other(reason) => return reason.clone(),
    };
    texts.with(key, &[("detail", Value::from(detail))])
}

/// Says why the settings file is not used.
pub fn unusable(texts: &Texts, why: &UnusableConfig) -> String {
    match why {
        UnusableConfig::Unread { path, reason } => {
            of_file(texts, "failed-read", path, reason.clone())
        }
        UnusableConfig::Utf16 { path } => {
            let file = Value::from(path.display().to_string());
            texts.with("config-utf16", &[("file", file)])
        }
        UnusableConfig::Invalid(invalid) => config(texts, invalid),
    }
}

/// Says what does not fit in the settings file.
pub fn config(texts: &Texts, invalid: &ConfigError) -> String {
    let text = |text: &str| Value::from(text.to_owned());
    match invalid {
        ConfigError::Value { key, value, takes } => {
            let (text_key, like) = taken(*takes);
            let args = [
                ("key", text(key)),
                ("value", text(value)),
                ("like", text(like)),
            ];
            texts.with(text_key, &args)
        }
        ConfigError::Proxy { key, invalid } => {
            texts.with(of_proxy(*invalid), &[("key", text(key))])
        }
        ConfigError::Address { key, fault, like } => {
            let args = [("key", text(key)), ("like", text(like))];
            texts.with(of_address(*fault), &args)
        }
        ConfigError::NoName { key } => texts.with("config-no-name", &[("key", text(key))]),
        ConfigError::NameTaken { key, name } => texts.with(
            "config-name-taken",
            &[("key", text(key)), ("value", text(name))],
        ),
        ConfigError::Unreadable { line, reason } => {
            // The number is given as a text: as a number it would be grouped by thousands.
            let line = Value::from(line.to_string());
            texts.with(
                "config-unreadable",
                &[("line", line), ("reason", text(reason))],
            )
        }
    }
}

fn taken(takes: ValueType) -> (&'static str, &'static str) {
    match takes {
        ValueType::Text => ("config-text", ""),
        ValueType::YesNo => ("config-yes-no", ""),
        ValueType::Span => ("config-span", ""),
        ValueType::SpanOrNever => ("config-span-or-never", ""),
        ValueType::Hours => ("config-hours", ""),
        ValueType::Forward => ("config-forward", ""),
        ValueType::OnePress => ("config-one-press", ""),
        ValueType::BreakThrough => ("config-break-through", ""),
        ValueType::Kind => ("config-kind", ""),
        ValueType::Port => ("config-port", ""),
        ValueType::HubAddress => ("config-hub", ""),
        ValueType::DeviceKey => ("config-device-key", ""),
        ValueType::Address(like) | ValueType::Resource(like) => ("config-address", like),
        ValueType::Proxy => ("config-proxy-form", ""),
    }
}

fn of_address(fault: AddressFault) -> &'static str {
    match fault {
        AddressFault::Form => "config-address-form",
        AddressFault::Login => "config-address-login",
        AddressFault::Blank => "config-address-blank",
        AddressFault::Query => "config-address-query",
        AddressFault::Fragment => "config-address-fragment",
    }
}

/// Says what is wrong with an address that somebody has just typed.
pub fn address(texts: &Texts, fault: AddressFault, like: &str) -> String {
    let key = match fault {
        AddressFault::Form | AddressFault::Login => "problem-address",
        AddressFault::Blank => "problem-address-blank",
        AddressFault::Query => "problem-address-query",
        AddressFault::Fragment => "problem-address-fragment",
    };
    texts.with(key, &[("like", Value::from(like.to_owned()))])
}

fn of_proxy(invalid: ProxyError) -> &'static str {
    match invalid {
        ProxyError::Scheme => "config-proxy-scheme",
        ProxyError::Password => "config-proxy-password",
        ProxyError::Port => "config-proxy-port",
        ProxyError::Form => "config-proxy-form",
    }
}

/// Says why a setting was not changed.
pub fn setting(texts: &Texts, refused: &EditError) -> String {
    let (key, name, what) = match refused {
        EditError::Invalid(invalid) => return config(texts, invalid),
        EditError::Changed => return texts.get("setting-changed"),
        EditError::NoSuchKey(name) => ("setting-unknown", "key", name.clone()),
        EditError::NoSuchServer(name) => ("setting-no-server", "name", name.clone()),
        EditError::Broken(invalid) => ("setting-broken-file", "reason", config(texts, invalid)),
    };
    texts.with(key, &[(name, Value::from(what))])
}

#[cfg(test)]
mod tests;
