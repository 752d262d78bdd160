//! `GET /hub`: the machines that share what they ask, and how this one stands among them.

use super::codes::WireWord;
use super::hub_team::HubTeam;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// How this Beckon stands with the hub, and who else is there.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct HubView {
    /// This Beckon can join one; some are built without.
    pub built: bool,
    /// How the connection stands.
    #[cfg_attr(test, ts(as = "HubConnection"))]
    pub state: WireWord<HubConnection>,
    /// With `down` and `forbidden`: why, in the words of the system. With `rules`: the stream that has
    /// others.
    pub detail: Option<String>,
    /// The server, as the settings name it.
    pub url: Option<String>,
    /// This device's public key, once it is known.
    pub key: Option<String>,
    /// Why there is no key, in the words of the keychain; empty where none was made yet.
    pub no_key: Option<String>,
    /// This machine first, and then the others by name.
    pub machines: Vec<HubMachine>,
    /// Whose answers are taken here.
    pub devices: Vec<HubDevice>,
    /// Which of the machines serves the Telegram bot, where this one has a bot.
    pub bot: Option<HubBot>,
    /// The people, where there are several.
    pub team: Option<HubTeam>,
    /// What was refused since this start.
    pub refused: HubRefused,
}

/// How the connection to the hub stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum HubConnection {
    /// The settings name no hub.
    #[default]
    Off,
    /// Not yet.
    Connecting,
    /// It does.
    Connected,
    /// It does not.
    Down,
    /// A stream is there with other rules, and is not relied on.
    Rules,
    /// The server does not know this device, or no longer.
    Unknown,
    /// The server does not let this device do what it has to.
    Forbidden,
}

/// One of the machines.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct HubMachine {
    /// Its name among Beckons, which no other one has.
    #[serde(default)]
    pub node: String,
    /// Its name for people: that of its device, where one signs for it.
    pub name: String,
    /// It is this one.
    pub this: bool,
    /// Is it there?
    #[cfg_attr(test, ts(as = "MachineState"))]
    pub state: WireWord<MachineState>,
    /// The device that signs there, as it is called here.
    pub device: Option<String>,
    /// Whose it is, where there are several people.
    pub person: Option<String>,
    /// Of its Beckon, where it says so.
    pub version: Option<String>,
    /// When its last word came here, by the clock here: milliseconds since 1970. Nothing where that
    /// isn't known, as after a restart.
    #[serde(default)]
    pub last_heard: Option<i64>,
    /// It serves the Telegram bot.
    pub serves_bot: bool,
    /// So many of its requests wait.
    pub open: usize,
}

/// Is a machine there?
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum MachineState {
    /// It was heard of a moment ago.
    There,
    /// It was not heard of for a while.
    Away,
    /// Its device is on no list any more: nothing that it says counts.
    Removed,
    /// Nobody knows: the hub is not connected.
    Unknown,
}

/// A device whose answers are taken here.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct HubDevice {
    /// What it is called here, fit to be shown.
    pub name: String,
    /// Whose it is, where the desk says so.
    pub person: Option<String>,
    /// Its public key.
    pub key: String,
    /// Who says that it is to be trusted.
    #[cfg_attr(test, ts(as = "DeviceTrust"))]
    pub by: WireWord<DeviceTrust>,
    /// It is this one.
    pub this: bool,
    /// It serves the hub, and says who belongs to it.
    pub admin: bool,
}

/// The Telegram bot that the machines share.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct HubBot {
    /// Its name, without the @.
    pub name: String,
    /// Who serves it.
    #[cfg_attr(test, ts(as = "BotServing"))]
    pub served: WireWord<BotServing>,
    /// With `elsewhere`: the machine that does.
    pub machine: Option<String>,
}

/// Which machine serves a bot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum BotServing {
    /// This one.
    Here,
    /// Another one.
    Elsewhere,
    /// None yet.
    Nobody,
    /// Nobody knows: the hub is not connected.
    Unknown,
    /// None of this hub, because somebody else polls.
    Foreign,
}

/// Joining a hub, leaving it and taking a device off it have come to an end within so long, also where
/// the hub does not answer: whoever asks for it waits longer than its steps do together, each of which
/// has its own limit.
pub const HUB_WITHIN: Duration = Duration::from_secs(90);

/// The body of `POST /hub/join`
#[derive(Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct JoinBody {
    /// As `beckon hub invite` prints it. Whoever has it may join, once.
    pub code: String,
    /// What this machine is to be called there; its own name if nothing is said.
    #[serde(default)]
    pub name: Option<String>,
}

/// `POST /hub/join`
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct HubJoined {
    /// Where the hub is.
    pub url: String,
    /// What this machine is called there.
    pub device: String,
    /// Whose machine it is there, if its admin says so.
    #[serde(default)]
    pub person: Option<String>,
}

/// `POST /hub/leave`
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct HubLeft {
    /// Where the hub is.
    pub url: String,
    /// This machine serves it, and so stays on its list.
    pub serves: bool,
    /// Why the hub could not be told, and still lists this machine.
    pub untold: Option<String>,
    /// The Telegram bot whose token stays here: the machines of the hub may serve it, too.
    pub bot: Option<String>,
}

/// The body of `POST /hub/remove`
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RemoveBody {
    /// The device, as the hub calls it.
    pub device: String,
}

/// Who says that a device is to be trusted.
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

/// How much was refused, by reason. The requests stay open.
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
    /// Answers that do not fit.
    pub unfit: u32,
}
