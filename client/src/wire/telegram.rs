//! Telegram as programs see it: in `status --json`, `telegram … --json` and the local API.

use super::codes::{ProxyState, WireWord};
use crate::wire::Paired;
use crate::wire::Standing;
use serde::{Deserialize, Serialize};

/// The value of `channels.telegram` of `status --json`.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TelegramStatus {
    /// The state: `off` until a bot is set up, `starting`, `works`, `down`.
    pub state: Standing,
    /// The bot's name, without the @.
    pub bot: Option<String>,
    /// The number of people and groups that are paired.
    pub paired: usize,
    /// The fault, and what to do about it.
    pub error: Option<String>,
    /// The faults of single chats although the bot works, a sentence each.
    #[serde(default)]
    pub troubles: Vec<String>,
    /// The number of updates, since the start, from chats that are not paired.
    pub ignored: u64,
    /// The number of updates, since the start, that could not be read: somebody's words or presses
    /// were lost.
    #[serde(default)]
    pub unread_updates: u64,
    /// Whether the token is that of the environment variable, not of the keychain.
    pub token_from_environment: bool,
    /// The proxy of `config.toml` through which Telegram is reached.
    pub proxy: Option<ProxyStatus>,
}

/// The value of `channels.telegram.proxy` of `status --json`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ProxyStatus {
    /// The proxy's address, without its password.
    pub address: String,
    /// The state of the proxy. What is to be done about a fault is in the status's error.
    #[cfg_attr(test, ts(as = "ProxyState"))]
    pub state: WireWord<ProxyState>,
}

/// The response of `GET /telegram`
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TelegramInfo {
    /// The fields of the status.
    #[serde(flatten)]
    pub status: TelegramStatus,
    /// Whether the bot gets all messages of groups.
    pub reads_groups: bool,
    /// The people who may answer, and the groups.
    pub people: Vec<Paired>,
    /// The end of the time in which the pairing link that was given out works, in milliseconds
    /// since 1970; absent when no link is out.
    pub pairing_until: Option<i64>,
    /// Whether the last pairing link was made invalid, because its code was sent where others could
    /// read it.
    #[serde(default)]
    pub pairing_exposed: bool,
}

/// The output of `telegram pair --json`
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PairingLink {
    /// A link that pairs the first person who opens it.
    pub link: String,
    /// A link for a group: it adds the bot to a group, and pairs the group with the person who does
    /// so.
    #[serde(default)]
    pub group_link: String,
    /// The command to write in a group that has the bot already.
    #[serde(default)]
    pub group_command: String,
    /// The code in these links.
    pub code: String,
    /// The time at which the links stop working, in milliseconds since 1970.
    pub expires_at: i64,
}

/// The response of `POST /telegram/test`
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "TestCard"))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CardTested {
    /// The number of chats to which a card was sent.
    pub chats: usize,
    /// The tap on the test card, if it came while the request waited.
    pub back: Option<Back>,
}

/// A tap on the test card.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Back {
    /// The person's name on Telegram.
    pub by: String,
    /// Milliseconds since the card was sent.
    pub after_ms: u64,
}
