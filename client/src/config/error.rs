//! The reasons why `config.toml` is not used.
//!
//! Not here: how they are found (`validate`), and the sentences for people (`text`).

use crate::config::{AddressFault, AddressUse, ProxyError};
use std::fmt;
use std::path::PathBuf;

/// The reason why the file is not used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum UnusableConfig {
    /// A file that the system does not let Beckon read.
    #[error("Failed to read {}: {reason}", path.display())]
    Unread {
        /// The file's path.
        path: PathBuf,
        /// The reason in the system's words.
        reason: String,
    },
    /// A file in UTF-16, an encoding that editors on Windows write.
    #[error("Failed to read {}: it is saved as UTF-16", path.display())]
    Utf16 {
        /// The file's path.
        path: PathBuf,
    },
    /// A file that cannot be understood.
    #[error(transparent)]
    Invalid(#[from] ConfigError),
}

/// The part of the file that does not fit.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ConfigError {
    /// A value that its key does not take.
    #[error("{key} is {value}; allowed is {takes}")]
    Value {
        /// The key with its section.
        key: &'static str,
        /// The value as it is in the file.
        value: String,
        /// The kind of value that the key takes.
        takes: ValueType,
    },
    /// An invalid proxy. The text is not repeated, since it may hold a password.
    #[error("{key} {invalid}")]
    Proxy {
        /// The key with its section.
        key: &'static str,
        /// The fault of the proxy.
        invalid: ProxyError,
    },
    /// An invalid address. The text is not repeated, since its query may hold a password.
    #[error("{key} {fault}; allowed is an address like {like}")]
    Address {
        /// The key with its section.
        key: &'static str,
        /// The fault of the address.
        fault: AddressFault,
        /// An example of a valid address.
        like: &'static str,
    },
    /// A server without a name. Asks are known by the names of their sources.
    #[error("{key} is empty; allowed is any other text")]
    NoName {
        /// The key with its section.
        key: &'static str,
    },
    /// A name that is twice in the file, or is Beckon's own.
    #[error("{key} {name:?} is there twice, or Beckon's own; each needs its own name")]
    NameTaken {
        /// The key with its section.
        key: &'static str,
        /// The name.
        name: String,
    },
    /// A text that is no TOML, or has another structure.
    #[error("line {line}: {reason}")]
    Unreadable {
        /// The line, from 1.
        line: usize,
        /// The reason in the words of the TOML reader.
        reason: String,
    },
}

/// The kind of value that a key takes.
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
    /// A mode of forwarding.
    Forward,
    /// The asks that one press may allow.
    OnePress,
    /// The asks that come through while the desktop is told not to disturb.
    BreakThrough,
    /// A protocol of services.
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
    /// Returns the kind of address that a value is, and an example of one; `None` for values that
    /// are no address of a server.
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
