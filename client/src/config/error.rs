//! The reasons why `config.toml` is not used.
//!
//! Not here: how they are found (`validate`), and the sentences for people (`text`).

use crate::config::{AddressFault, AddressUse, ProxyError};
use std::fmt;
use std::path::PathBuf;

/// A reason why the file is not used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum UnusableConfig {
    /// The system does not let us read the file.
    #[error("Failed to read {}: {reason}", path.display())]
    Unread {
        /// The path of the file.
        path: PathBuf,
        /// The reason, in the system's words.
        reason: String,
    },
    /// The file is a text in UTF-16, as Windows programs save it.
    #[error("Failed to read {}: it is saved as UTF-16", path.display())]
    Utf16 {
        /// The path of the file.
        path: PathBuf,
    },
    /// The file cannot be understood.
    #[error(transparent)]
    Invalid(#[from] ConfigError),
}

/// A part of the file that does not fit.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ConfigError {
    /// A value that its key does not take.
    #[error("{key} is {value}; allowed is {takes}")]
    Value {
        /// The key, with its section.
        key: &'static str,
        /// The value, as it is written in the file.
        value: String,
        /// The kind of value that the key takes.
        takes: ValueType,
    },
    /// A text that is no address of a proxy. The text itself is not told: it may hold a password.
    #[error("{key} {invalid}")]
    Proxy {
        /// The key, with its section.
        key: &'static str,
        /// The reason why it is no address of a proxy.
        invalid: ProxyError,
    },
    /// An address with something in it that must not be there. The address itself is not told: a
    /// query may hold a password too.
    #[error("{key} {fault}; allowed is an address like {like}")]
    Address {
        /// The key, with its section.
        key: &'static str,
        /// The part that must not be there.
        fault: AddressFault,
        /// An address that would do.
        like: &'static str,
    },
    /// An empty name. Asks are known by the names of their sources, so each source needs one.
    #[error("{key} is empty; allowed is any other text")]
    NoName {
        /// The key, with its section.
        key: &'static str,
    },
    /// A name that is in the file twice, or is one of Beckon's own.
    #[error("{key} {name:?} is there twice, or Beckon's own; each needs its own name")]
    NameTaken {
        /// The key, with its section.
        key: &'static str,
        /// The name that is taken.
        name: String,
    },
    /// A file that is no TOML, or of another shape.
    #[error("line {line}: {reason}")]
    Unreadable {
        /// The number of the line, counted from 1.
        line: usize,
        /// The reason, in the words of the TOML reader.
        reason: String,
    },
}

/// A kind of value that a key takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueType {
    /// Any text.
    Text,
    /// True or false.
    YesNo,
    /// A length of time.
    Span,
    /// A length of time, or `never`.
    SpanOrNever,
    /// Hours of the day, or none.
    Hours,
    /// A condition under which asks are forwarded ([`super::ForwardWhen`]).
    Forward,
    /// The permissions that one press may allow.
    OnePress,
    /// The asks that come through while the desktop is told not to disturb.
    BreakThrough,
    /// The API that a service speaks.
    Kind,
    /// The address of a hub that may be used as it is.
    HubAddress,
    /// The public key of a device.
    DeviceKey,
    /// A port.
    Port,
    /// An address of a server; an example of one.
    Address(&'static str),
    /// An address of a single resource; an example of one.
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
