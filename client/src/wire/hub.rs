//! `GET /hub`: the machines that share their asks over the hub, and this machine's connection to
//! it.

use super::codes::WireWord;
use super::hub_team::HubTeam;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// The connection of this Beckon to the hub, and the other machines and people on it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct HubView {
    /// Whether this Beckon can join a hub; some are built without the hub's client.
    pub built: bool,
    /// The state of the connection.
    #[cfg_attr(test, ts(as = "HubConnection"))]
    pub state: WireWord<HubConnection>,
    /// The reason for the state. With `down` and `forbidden` it is in the words of the system; with
    /// `rules` it is the name of the stream that has other rules.
    pub detail: Option<String>,
    /// The server's address, as the settings have it.
    pub url: Option<String>,
    /// The public key of this device, once it is known.
    pub key: Option<String>,
    /// The reason why there is no key, in the words of the keychain; empty where none was made yet.
    pub no_key: Option<String>,
    /// The machines: this one first, then the others by name.
    pub machines: Vec<HubMachine>,
    /// The devices whose answers are accepted here.
    pub devices: Vec<HubDevice>,
    /// The Telegram bot and which of the machines serves it, if this machine has a bot.
    pub bot: Option<HubBot>,
    /// The people of the team, if there are several.
    pub team: Option<HubTeam>,
    /// The numbers of records and answers that were refused since this start.
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
    /// The connection is being made.
    Connecting,
    /// The connection works.
    Connected,
    /// There is no connection.
    Down,
    /// A stream on the hub has other rules than Beckon's, so it is not used.
    Rules,
    /// The server does not know this device, or no longer.
    Unknown,
    /// The server does not let this device do what it has to do.
    Forbidden,
}

/// A machine of the hub.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct HubMachine {
    /// The machine's unique name among Beckons.
    #[serde(default)]
    pub node: String,
    /// The machine's name for people: that of its device, if a device signs for it.
    pub name: String,
    /// Whether it is this machine.
    pub this: bool,
    /// Whether the machine is online.
    #[cfg_attr(test, ts(as = "MachineState"))]
    pub state: WireWord<MachineState>,
    /// The name here of the device that signs for the machine.
    pub device: Option<String>,
    /// The person whose machine it is, if there are several people.
    pub person: Option<String>,
    /// The version of the machine's Beckon, if it tells.
    pub version: Option<String>,
    /// The time at which the machine was last heard of, by the clock here: milliseconds since 1970.
    /// Missing where that is not known, as after a restart.
    #[serde(default)]
    pub last_heard: Option<i64>,
    /// Whether the machine serves the Telegram bot.
    pub serves_bot: bool,
    /// The number of the machine's requests that wait.
    pub open: usize,
}

/// Whether a machine is online.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum MachineState {
    /// The machine was heard of a moment ago.
    There,
    /// The machine was not heard of for a while.
    Away,
    /// The machine's device was removed from the list: nothing that it says counts.
    Removed,
    /// The state is unknown, since the hub is not connected.
    Unknown,
}

/// A device whose answers are accepted here.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct HubDevice {
    /// The device's name here, fit to be shown.
    pub name: String,
    /// The person whose device it is, if the desk's list tells.
    pub person: Option<String>,
    /// The device's public key.
    pub key: String,
    /// The party that says that the device is to be trusted.
    #[cfg_attr(test, ts(as = "DeviceTrust"))]
    pub by: WireWord<DeviceTrust>,
    /// Whether it is this device.
    pub this: bool,
    /// Whether the device serves the hub, and decides who belongs to it.
    pub admin: bool,
}

/// The Telegram bot that the machines share.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct HubBot {
    /// The bot's name, without the @.
    pub name: String,
    /// The machine that serves the bot.
    #[cfg_attr(test, ts(as = "BotServing"))]
    pub served: WireWord<BotServing>,
    /// The name of the machine that serves the bot; present with `elsewhere`.
    pub machine: Option<String>,
}

/// The machine that serves a bot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum BotServing {
    /// The machine of this Beckon.
    Here,
    /// Another machine.
    Elsewhere,
    /// No machine yet.
    Nobody,
    /// Unknown, since the hub is not connected.
    Unknown,
    /// No machine of this hub, because a machine outside of it polls the bot.
    Foreign,
}

/// The time limit for joining a hub, leaving it, or taking a device off it, also where the hub does
/// not answer. A caller waits longer than the steps take together, each of which has its own limit.
pub const HUB_WITHIN: Duration = Duration::from_secs(90);

/// The body of `POST /hub/join`
#[derive(Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct JoinBody {
    /// The code, as `beckon hub invite` prints it. Whoever has it may join, once.
    pub code: String,
    /// The name for this machine on the hub; without one, the machine's own name.
    #[serde(default)]
    pub name: Option<String>,
}

/// The response of `POST /hub/join`
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct HubJoined {
    /// The hub's address.
    pub url: String,
    /// The name of this machine on the hub.
    pub device: String,
    /// The person whose machine it is there, if the hub's admin says so.
    #[serde(default)]
    pub person: Option<String>,
}

/// The response of `POST /hub/leave`
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct HubLeft {
    /// The hub's address.
    pub url: String,
    /// Whether this machine serves the hub, and so stays on its list.
    pub serves: bool,
    /// The reason why the hub could not be told, and still lists this machine.
    pub untold: Option<String>,
    /// The Telegram bot whose token stays on this machine. The machines of the hub may go on
    /// serving it.
    pub bot: Option<String>,
}

/// The body of `POST /hub/remove`
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RemoveBody {
    /// The device's name on the hub.
    pub device: String,
}

/// The party that says that a device is to be trusted.
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

/// The numbers of refused records and answers, by reason. The requests that they answer stay open.
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
