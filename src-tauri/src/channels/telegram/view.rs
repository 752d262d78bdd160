//! The parts of the channel that are shown.

use beckon_client::wire::{Paired, ProxyStatus, Standing};
use beckon_core::Timestamp;

/// The state of Telegram.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TelegramView {
    /// The connection, in one word.
    pub state: Standing,
    /// The error, in words that say what to do.
    pub error: Option<String>,
    /// The bot's name, without the @.
    pub bot: Option<String>,
    /// Whether the bot hears everything in groups.
    pub reads_groups: bool,
    /// The people who may answer, and the group.
    pub paired: Vec<Paired>,
    /// The number of updates of people who may not answer, since the start.
    pub ignored: u64,
    /// The number of updates that could not be read, since the start.
    pub unread_updates: u64,
    /// The troubles in single chats although Telegram works, a sentence each.
    pub troubles: Vec<String>,
    /// Whether the token is that of the environment variable, not of the keychain.
    pub token_from_environment: bool,
    /// The proxy that leads there, and its state.
    pub proxy: Option<ProxyStatus>,
    /// The time until which a link that pairs is good, if one is out.
    pub pairing_until: Option<Timestamp>,
    /// Whether the last code is void: it was written where others could read it, and paired nobody.
    pub pairing_exposed: bool,
}
