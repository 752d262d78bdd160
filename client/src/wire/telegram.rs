//! Telegram as others see it: in `status --json`, `telegram … --json` and the local API.

use super::codes::{ProxyState, WireWord};
use crate::wire::Paired;
use crate::wire::Standing;
use serde::{Deserialize, Serialize};

/// `channels.telegram` of `status --json`.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TelegramStatus {
    /// `off` until a bot is set up, `starting`, `works`, `down`.
    pub state: Standing,
    /// The bot's name, without the @.
    pub bot: Option<String>,
    /// How many people and groups are paired.
    pub paired: usize,
    /// What is wrong, and what to do.
    pub error: Option<String>,
    /// What is amiss in single chats although the bot works, a sentence each.
    #[serde(default)]
    pub troubles: Vec<String>,
    /// Updates of those who are not paired, since the start.
    pub ignored: u64,
    /// Updates that could not be read, since the start: somebody's words or presses were lost.
    #[serde(default)]
    pub unread_updates: u64,
    /// The last link pairs nobody any more: its code was sent where others could read it, by nobody in
    /// particular.
    #[serde(default)]
    pub pairing_exposed: bool,
    /// The token is that of the environment variable, not of the keychain.
    pub token_from_environment: bool,
    /// The proxy of `config.toml` that leads to it.
    pub proxy: Option<ProxyStatus>,
}

/// `channels.telegram.proxy` of `status --json`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ProxyStatus {
    /// Its address, without its password.
    pub address: String,
    /// Whether it lets us through; what is to be done stands in the status's error.
    #[cfg_attr(test, ts(as = "ProxyState"))]
    pub state: WireWord<ProxyState>,
}

/// `GET /telegram`
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TelegramInfo {
    /// As in the status.
    #[serde(flatten)]
    pub status: TelegramStatus,
    /// In groups the bot hears everything.
    pub reads_groups: bool,
    /// Who may answer, and the group.
    pub people: Vec<Paired>,
    /// Milliseconds since 1970 until which the link that is out pairs; none is out when absent.
    pub pairing_until: Option<i64>,
}

/// `telegram pair --json`
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PairingLink {
    /// Whoever opens it first is paired.
    pub link: String,
    /// The same for a group: it adds the bot to one, and pairs that with whoever does it.
    #[serde(default)]
    pub group_link: String,
    /// What in a group is written instead, where the bot is in it already.
    #[serde(default)]
    pub group_command: String,
    /// What the link carries.
    pub code: String,
    /// Milliseconds since 1970.
    pub expires_at: i64,
}

/// `POST /telegram/test`
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "TestCard"))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CardTested {
    /// To so many chats a card is on its way.
    pub chats: usize,
    /// It came back while somebody waited for that.
    pub back: Option<Back>,
}

/// Somebody has tapped the test card.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Back {
    /// Their name on Telegram.
    pub by: String,
    /// Milliseconds since it was sent.
    pub after_ms: u64,
}
