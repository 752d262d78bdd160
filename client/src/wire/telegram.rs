//! The state of Telegram as other programs see it: in `status --json`, `telegram … --json` and the
//! local API.

use super::codes::{ProxyState, WireWord};
use crate::wire::Paired;
use crate::wire::Standing;
use serde::{Deserialize, Serialize};

/// The part `channels.telegram` of `status --json`.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TelegramStatus {
    /// The state: `off` until a bot is set up, `starting`, `works`, `standby` while another machine
    /// serves the bot, `down`.
    pub state: Standing,
    /// The name of the bot, without the @.
    pub bot: Option<String>,
    /// The number of people and groups that are paired.
    pub paired: usize,
    /// The fault, and what to do about it.
    pub error: Option<String>,
    /// The faults of single chats although the bot works, a sentence each.
    #[serde(default)]
    pub troubles: Vec<String>,
    /// The number of updates from people who are not paired, since the start.
    pub ignored: u64,
    /// The number of updates that could not be read, since the start: somebody's words or presses
    /// were lost.
    #[serde(default)]
    pub unread_updates: u64,
    /// Whether the last link pairs nobody any more, since a sender whom Telegram does not name sent
    /// its code where other people could read it.
    #[serde(default)]
    pub pairing_exposed: bool,
    /// Whether the token comes from the environment variable, not from the keychain.
    pub token_from_environment: bool,
    /// The proxy of `config.toml` through which Telegram is reached.
    pub proxy: Option<ProxyStatus>,
}

/// The part `channels.telegram.proxy` of `status --json`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ProxyStatus {
    /// The address of the proxy, without its password.
    pub address: String,
    /// The state of the proxy; what is to be done is in the status's error.
    #[cfg_attr(test, ts(as = "ProxyState"))]
    pub state: WireWord<ProxyState>,
}

/// The answer to `GET /telegram`.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TelegramInfo {
    /// The state, as in the status.
    #[serde(flatten)]
    pub status: TelegramStatus,
    /// Whether the bot hears everything in groups.
    pub reads_groups: bool,
    /// The people who may answer, and the group.
    pub people: Vec<Paired>,
    /// The time until which the open link pairs, in milliseconds since 1970; absent if there is
    /// none.
    pub pairing_until: Option<i64>,
}

/// The output of `telegram pair --json`.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PairingLink {
    /// The link; the first person who opens it is paired.
    pub link: String,
    /// The link for a group: it adds the bot to one, and pairs the group with the person who does
    /// it.
    #[serde(default)]
    pub group_link: String,
    /// The text to write in a group instead, if the bot is in it already.
    #[serde(default)]
    pub group_command: String,
    /// The code that the link carries.
    pub code: String,
    /// The time when the link expires, in milliseconds since 1970.
    pub expires_at: i64,
}

/// The answer to `POST /telegram/test`.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "TestCard"))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CardTested {
    /// The number of chats to which a card is on its way.
    pub chats: usize,
    /// The tap on the card, if it came while the request waited for it.
    pub back: Option<Back>,
}

/// A tap on the test card.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Back {
    /// The name on Telegram of the person who tapped it.
    pub by: String,
    /// The milliseconds since it was sent.
    pub after_ms: u64,
}
