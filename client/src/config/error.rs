//! Why `config.toml` is not used.
//!
//! Not here: how it is found (`validate`), and the sentences for people (`text`).

use crate::config::{AddressFault, AddressUse, ProxyError};
use std::fmt;
use std::path::PathBuf;

/// Why the file is not used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum UnusableConfig {
    /// The system does not give it out.
    #[error("Failed to read {}: {reason}", path.display())]
    Unread {
        /// Where it lies.
        path: PathBuf,
        /// In the system's words.
        reason: String,
    },
    /// It is a text, in an encoding of Windows.
    #[error("Failed to read {}: it is saved as UTF-16", path.display())]
    Utf16 {
        /// Where it lies.
        path: PathBuf,
    },
    /// It cannot be understood.
    #[error(transparent)]
    Invalid(#[from] ConfigError),
}

/// What does not fit.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ConfigError {
    /// A value that its key does not take.
    #[error("{key} is {value}; allowed is {takes}")]
    Value {
        /// With its section.
        key: &'static str,
        /// As it stands in the file.
        value: String,
        /// What the key takes.
        takes: ValueType,
    },
    /// A proxy that is none. What stands there is not told: it may hold a password.
    #[error("{key} {invalid}")]
    Proxy {
        /// With its section.
        key: &'static str,
        /// What is wrong with it.
        invalid: ProxyError,
    },
    /// An address with something in it that cannot be. What stands there is not told: a query may hold
    /// a password too.
    #[error("{key} {fault}; allowed is an address like {like}")]
    Address {
        /// With its section.
        key: &'static str,
        /// What is wrong with it.
        fault: AddressFault,
        /// An address that would do.
        like: &'static str,
    },
    /// Asks are known by the names of their sources.
    #[error("{key} is empty; allowed is any other text")]
    NoName {
        /// With its section.
        key: &'static str,
    },
    /// Twice in the file, or Beckon's own.
    #[error("{key} {name:?} is there twice, or Beckon's own; each needs its own name")]
    NameTaken {
        /// With its section.
        key: &'static str,
        /// The name.
        name: String,
    },
    /// It is no TOML, or of another shape.
    #[error("line {line}: {reason}")]
    Unreadable {
        /// From 1.
        line: usize,
        /// In the words of the TOML reader.
        reason: String,
    },
}

/// What a key takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueType {
    /// Any text.
    Text,
    /// True or false.
    YesNo,
    /// A length of time.
    Span,
    /// The same, or `never`.
    SpanOrNever,
    /// Hours of the day, or none.
    Hours,
    /// When to forward.
    Forward,
    /// What one press may allow.
    OnePress,
    /// Which asks come through.
    BreakThrough,
    /// What a service speaks.
    Kind,
    /// The address of a hub that may be used as it is.
    HubAddress,
    /// The public key of a device.
    DeviceKey,
    /// A port.
    Port,
    /// An address of a server like this one.
    Address(&'static str),
    /// An address of one resource like this one.
    Resource(&'static str),
    /// The address of a proxy, or none.
    Proxy,
}

impl ValueType {
    /// Returns what an address under that key leads to, and an example of one. `None` for keys that
    /// take no address of a server.
    pub(super) fn address_use(self) -> Option<(AddressUse, &'static str)> {
        match self {
            Self::Address(like) => Some((AddressUse::Server, like)),
            Self::Resource(like) => Some((AddressUse::Resource, like)),
            _ => None,
        }
    }
}

impl fmt::Display for ValueType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::HubAddress => {
                "tls://…, nats://… of this machine, or nats://… with insecure = true"
            }
            Self::DeviceKey => "a key as `beckon hub key` prints it",
            Self::Text => "a text",
            Self::YesNo => "true or false",
            Self::Span => "\"30s\", \"3m\", \"1h\" and the like",
            Self::SpanOrNever => "\"never\", \"30s\", \"3m\", \"1h\" and the like",
            Self::Hours => "\"\" and hours like \"23:00-07:30\"",
            Self::Forward => "\"away\", \"always\" or \"never\"",
            Self::OnePress => "\"unmarked\" or \"all\"",
            Self::BreakThrough => "\"never\", \"permissions\" or \"always\"",
            Self::Kind => "\"resume\" or \"langgraph\"",
            Self::Port => "a number from 0 to 65535",
            Self::Proxy => "\"\" and an address like socks5://127.0.0.1:1080",
            Self::Address(like) | Self::Resource(like) => {
                return write!(f, "an address like {like}");
            }
        })
    }
}
