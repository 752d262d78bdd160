//! What there is to be seen of the channel.

use beckon_client::wire::{Paired, ProxyStatus, Standing};
use beckon_core::Timestamp;

/// How Telegram stands.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TelegramView {
    /// The connection, in one word.
    pub state: Standing,
    /// What is wrong, in words that say what to do.
    pub error: Option<String>,
    /// The bot's name, without the @.
    pub bot: Option<String>,
    /// In groups the bot hears everything.
    pub reads_groups: bool,
    /// Who may answer, and the group.
    pub paired: Vec<Paired>,
    /// Updates of those who may not, since the start.
    pub ignored: u64,
    /// Updates that could not be read, since the start.
    pub unread_updates: u64,
    /// What is amiss in single chats although Telegram works, a sentence each.
    pub troubles: Vec<String>,
    /// The token is that of the environment variable, not of the keychain.
    pub token_from_environment: bool,
    /// The proxy that leads there, and how it stands.
    pub proxy: Option<ProxyStatus>,
    /// A link that pairs is out, until then.
    pub pairing_until: Option<Timestamp>,
    /// The last code is void: it was written where others could read it, and paired nobody.
    pub pairing_exposed: bool,
}
