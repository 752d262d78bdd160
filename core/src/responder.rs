//! The giver of an answer, with which device they gave it, and on whose word that is so.
//!
//! Not here: where (that is the [`Surface`]), and where the names come from; the program reads
//! them.

use crate::{Surface, visible};
use alloc::string::String;
use serde::{Deserialize, Serialize};

/// The longest name, in characters; longer ones are cut. No person's is longer, and none fills a
/// card.
pub const LONGEST_NAME: usize = 64;

/// The giver of an answer, and their device. There is none for an answer in the agent itself, nor
/// for one from before Beckon noted it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Responder {
    /// The person's name, fit to be shown; `None` if no name is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub person: Option<String>,
    /// The device's name, fit to be shown; `None` if no name is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub device: Option<String>,
    /// The party that vouches for it.
    pub vouched: Voucher,
}

/// The party that vouches for who the person was.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Voucher {
    /// The machine itself: its user, or one of their programs, answered here.
    Machine,
    /// Telegram, for a paired person.
    Telegram {
        /// The person's id there, which stays when they change their name.
        user: i64,
    },
    /// A device of the hub that is trusted here: it has signed the answer, or it is the device of
    /// the machine that was asked, and has signed that this was the answer.
    Device {
        /// The name of the device here, fit to be shown.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        name: Option<String>,
    },
    /// Another Beckon, which passed the answer on. Nothing here proves it.
    Peer {
        /// The name that the other Beckon gives itself, fit to be shown.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        name: Option<String>,
    },
}

impl Responder {
    /// Makes a responder with names as they are shown and kept: of no more than [`LONGEST_NAME`]
    /// characters in one line, with every hidden character named, and none where nothing is left.
    pub fn new(person: Option<&str>, device: Option<&str>, vouched: Voucher) -> Self {
        let vouched = match vouched {
            Voucher::Device { name } => Voucher::Device {
                name: name.as_deref().and_then(fit_name),
            },
            Voucher::Peer { name } => Voucher::Peer {
                name: name.as_deref().and_then(fit_name),
            },
            Voucher::Machine | Voucher::Telegram { .. } => vouched,
        };
        Self {
            person: person.and_then(fit_name),
            device: device.and_then(fit_name),
            vouched,
        }
    }

    /// Whether a device of the hub answered, and not this machine or one that speaks for it.
    pub fn is_of_another_device(&self) -> bool {
        matches!(self.vouched, Voucher::Device { .. })
    }

    /// Whether neither a person nor a device is known.
    pub fn is_unknown(&self) -> bool {
        self.person.is_none() && self.device.is_none()
    }
}

impl Surface {
    /// Whether this machine's user answers there, as far as the machine can tell. A program speaks
    /// for the user that runs it.
    pub fn is_of_this_machine(self) -> bool {
        match self {
            Self::Notification | Self::Tray | Self::Window | Self::Cli | Self::Api => true,
            Self::Telegram | Self::Clock => false,
        }
    }
}

/// Returns a name fit to be shown. It is cut before hidden characters are named as well as after,
/// since a name could be megabytes long.
fn fit_name(name: &str) -> Option<String> {
    let words = name.split_whitespace().flat_map(|word| [" ", word]).skip(1);
    let line: String = words.flat_map(str::chars).take(LONGEST_NAME).collect();
    let shown: String = visible::prose(&line)
        .text
        .chars()
        .take(LONGEST_NAME)
        .collect();
    (!visible::is_blank(&shown)).then_some(shown)
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString;

    fn named(person: &str) -> Option<String> {
        Responder::new(Some(person), None, Voucher::Machine).person
    }

    #[test]
    fn a_hostile_name_is_one_short_line_that_hides_nothing() {
        assert_eq!(named("Ada\u{202e}ecnailA").unwrap(), "Ada⟨U+202E⟩ecnailA");
        assert_eq!(named("Ada\u{1b}[2J\nroot").unwrap(), "Ada⟨U+001B⟩[2J root");
        assert_eq!(
            named(&"x".repeat(1 << 20)).unwrap().chars().count(),
            LONGEST_NAME
        );
        assert_eq!(
            named(&"\u{202e}".repeat(1_000)).unwrap().chars().count(),
            LONGEST_NAME
        );
        let peer = Voucher::Peer {
            name: Some("a\u{7}b".to_string()),
        };
        let told = Responder::new(None, None, peer);
        assert_eq!(
            told.vouched,
            Voucher::Peer {
                name: Some("a⟨U+0007⟩b".to_string())
            }
        );
        let device = Voucher::Device {
            name: Some(" \n".to_string()),
        };
        assert_eq!(
            Responder::new(None, None, device).vouched,
            Voucher::Device { name: None }
        );
    }

    #[test]
    fn a_name_of_nothing_is_none_and_that_of_anybody_stays_as_it_is() {
        for blank in ["", "  \n", "\u{200f}\u{200e}"] {
            assert_eq!(named(blank), None, "{blank:?}");
        }
        for name in ["Ada Lovelace", "张伟", "נועה", "👩\u{200d}💻"] {
            assert_eq!(named(name).as_deref(), Some(name), "{name:?}");
        }
    }
}
