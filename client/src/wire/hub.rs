//! The answer to `GET /hub`: the machines that share what they ask, and this one's connection to
//! the hub.

use super::codes::WireWord;
use super::hub_team::HubTeam;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// The connection of this Beckon to the hub, and who else is there.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct HubView {
    /// Whether this Beckon can join a hub; some are built without.
    pub built: bool,
    /// The state of the connection.
    #[cfg_attr(test, ts(as = "HubConnection"))]
    pub state: WireWord<HubConnection>,
    /// The reason, in the words of the system, with `down` and `forbidden`; the stream that has
    /// other rules, with `rules`.
    pub detail: Option<String>,
    /// The address of the server, as the settings name it.
    pub url: Option<String>,
    /// The public key of this device, once it is known.
    pub key: Option<String>,
    /// The reason why there is no key, in the words of the keychain; empty if none was made yet.
    pub no_key: Option<String>,
    /// The machines, this one first, then the others by name.
    pub machines: Vec<HubMachine>,
    /// The devices whose answers are taken here.
    pub devices: Vec<HubDevice>,
    /// The Telegram bot, and which of the machines serves it; if this machine has a bot.
    pub bot: Option<HubBot>,
    /// The people, if there are several.
    pub team: Option<HubTeam>,
    /// The number of records and answers that were refused since this start.
    pub refused: HubRefused,
}

/// The state of the connection to the hub.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum HubConnection {
    /// The settings name no hub.
    #[default]
    Off,
    /// The hub is not connected yet.
    Connecting,
    /// The hub is connected.
    Connected,
    /// The hub cannot be connected.
    Down,
    /// The hub has a stream with other rules, which must not be relied on.
    Rules,
    /// The server does not know this device, or does not know it any more.
    Unknown,
    /// The server does not let this device do what it has to.
    Forbidden,
}

/// A machine of the hub.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct HubMachine {
    /// The name among Beckons, which no other machine has.
    #[serde(default)]
    pub node: String,
    /// The name for people: the name of its device, if a device signs for it.
    pub name: String,
    /// Whether it is this machine.
    pub this: bool,
    /// The state of the machine.
    #[cfg_attr(test, ts(as = "MachineState"))]
    pub state: WireWord<MachineState>,
    /// The name here of the device that signs for it.
    pub device: Option<String>,
    /// The person whose machine it is, if there are several people.
    pub person: Option<String>,
    /// The version of its Beckon, if it says so.
    pub version: Option<String>,
    /// The time when its last record came here, by the clock here: milliseconds since 1970; absent
    /// if that isn't known, as after a restart.
    #[serde(default)]
    pub last_heard: Option<i64>,
    /// Whether it serves the Telegram bot.
    pub serves_bot: bool,
    /// The number of its requests that wait.
    pub open: usize,
}

/// The state of a machine of the hub.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum MachineState {
    /// The machine was heard of a moment ago.
    There,
    /// The machine was not heard of for a while.
    Away,
    /// The machine's device is on no list any more, so nothing that it says counts.
    Removed,
    /// The state is not known, since the hub is not connected.
    Unknown,
}

/// A device whose answers are taken here.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct HubDevice {
    /// The name of the device here, fit to be shown.
    pub name: String,
    /// The person whose device it is, if the desk says so.
    pub person: Option<String>,
    /// The public key of the device.
    pub key: String,
    /// The party that says it is to be trusted.
    #[cfg_attr(test, ts(as = "DeviceTrust"))]
    pub by: WireWord<DeviceTrust>,
    /// Whether it is this device.
    pub this: bool,
    /// Whether it is the admin: it serves the hub, and says who belongs to it.
    pub admin: bool,
}

/// The Telegram bot that the machines share.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct HubBot {
    /// The name of the bot, without the @.
    pub name: String,
    /// The machine that serves it, as seen from this one.
    #[cfg_attr(test, ts(as = "BotServing"))]
    pub served: WireWord<BotServing>,
    /// The name of the machine that serves it; with `elsewhere`.
    pub machine: Option<String>,
}

/// The machine that serves a bot, as seen from this one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum BotServing {
    /// The bot is served by this machine.
    Here,
    /// The bot is served by another machine of the hub.
    Elsewhere,
    /// The bot is served by no machine yet.
    Nobody,
    /// The machine is not known, since the hub is not connected.
    Unknown,
    /// The bot is served by no machine of this hub, since another program polls.
    Foreign,
}

/// The time within which joining a hub, leaving it and taking a device off it have come to an end,
/// also if the hub does not answer. It is longer than the limits of all their steps together.
pub const HUB_WITHIN: Duration = Duration::from_secs(90);

/// The body of `POST /hub/join`.
#[derive(Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct JoinBody {
    /// The code that `beckon hub invite` prints. Whoever has it may join, once.
    pub code: String,
    /// The name that this machine is to have there; its own name if absent.
    #[serde(default)]
    pub name: Option<String>,
}

/// The answer to `POST /hub/join`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct HubJoined {
    /// The address of the hub.
    pub url: String,
    /// The name that this machine has there.
    pub device: String,
    /// The person whose machine it is there, if the admin says so.
    #[serde(default)]
    pub person: Option<String>,
}

/// The answer to `POST /hub/leave`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct HubLeft {
    /// The address of the hub.
    pub url: String,
    /// Whether this machine serves the hub, and so stays on its list.
    pub serves: bool,
    /// The reason why the hub could not be told, and still lists this machine.
    pub untold: Option<String>,
    /// The Telegram bot whose token stays here: the machines of the hub may serve it, too.
    pub bot: Option<String>,
}

/// The body of `POST /hub/remove`.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RemoveBody {
    /// The name of the device on the hub.
    pub device: String,
}

/// The party that says a device is to be trusted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum DeviceTrust {
    /// The settings of this machine.
    List,
    /// The admin of the desk.
    Desk,
}

/// The number of records and answers that were refused, by reason. The requests stay open.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct HubRefused {
    /// Records that could not be read, and answers of another version.
    pub unreadable: u32,
    /// Records of devices that are not trusted.
    pub strange: u32,
    /// Answers that no trusted device has signed.
    pub forged: u32,
    /// Answers to something else than what is asked.
    pub other_content: u32,
    /// Answers that do not fit the question.
    pub unfit: u32,
}
