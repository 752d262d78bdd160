//! The output of `status --json`: the state of Beckon.

use super::BlockedMinutes;
use super::codes::{OperatingState, SourceStatus, WireWord};
use super::state::{Abilities, Leg, SourceKind};
use super::telegram::TelegramStatus;
use super::updates::UpdateStatus;
use beckon_core::hub::{Elsewhere, Hands, Seat, SeatView};
use beckon_core::{
    BreakThrough, Presence, PresenceOverride, PresenceReading, PresenceSource, PresenceState,
    PresenceView, Timestamp,
};
use serde::{Deserialize, Serialize};

/// The output of `status --json`.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Status {
    /// Beckon's version.
    pub version: String,
    /// Whether every source and the notifications have reported their state.
    pub ready: bool,
    /// The watched sources.
    pub sources: Vec<Source>,
    /// The presence of the human.
    pub presence: PresenceStatus,
    /// The state of the channels.
    pub channels: Channels,
    /// The state of the tray.
    pub tray: TrayStatus,
    /// The number of asks that wait for a human.
    pub open: usize,
    /// The end of the pause in which nothing rings, in milliseconds since 1970.
    pub paused_until: Option<i64>,
    /// The warnings: the database that was broken and set aside at this start, and whatever else is
    /// wrong.
    pub warnings: Vec<String>,
    /// The number of times since this start that an agent asked something that could not be read;
    /// one of the warnings says it too.
    #[serde(default)]
    pub unreadable: usize,
    /// The reason why there is no hot key although one is set; one of the warnings says it too.
    #[serde(default)]
    pub hotkey_error: Option<String>,
    /// The knowledge whether there is a newer Beckon.
    #[serde(default)]
    pub updates: UpdateStatus,
    /// The time for which agents waited for their human; absent if the request did not ask for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub blocked_minutes: Option<BlockedMinutes>,
}

/// A source.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Source {
    /// The name of the source.
    pub name: String,
    /// The API that it speaks.
    #[serde(default)]
    pub kind: SourceKind,
    /// The address of the source.
    pub url: String,
    /// The state of the source.
    #[cfg_attr(test, ts(as = "SourceStatus"))]
    pub state: WireWord<SourceStatus>,
    /// The version of the source.
    pub version: Option<String>,
    /// The fault of the source.
    pub error: Option<String>,
    /// Whether it is another Beckon.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(test, ts(optional, as = "Option<bool>"))]
    pub beckon: bool,
    /// Whether it is read by a published contract that was not tried on a real server.
    #[serde(default)]
    pub experimental: bool,
    /// The part that could not be read, of a source that is `live`: something may be asked there
    /// that is not known here. It is tried again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub missing: Option<String>,
}

/// The presence of the human.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PresenceStatus {
    /// The presence: `here`, `idle`, `locked`, `asleep`, `unknown`.
    #[cfg_attr(
        test,
        ts(type = "\"here\" | \"idle\" | \"locked\" | \"asleep\" | \"unknown\"")
    )]
    pub state: Presence,
    /// Whether they count as away.
    pub away: bool,
    /// The source of the evidence: `x11`, `logind`, … or `none`.
    #[cfg_attr(test, ts(type = "string"))]
    pub evidence: PresenceSource,
    /// The time of the last input, if that is known: milliseconds since 1970.
    #[serde(default)]
    pub last_input: Option<i64>,
    /// The human's own word.
    #[serde(rename = "override")]
    #[cfg_attr(test, ts(type = "\"auto\" | \"here\" | \"away\""))]
    pub said: PresenceOverride,
    /// The time until which that holds, in milliseconds since 1970.
    pub until: Option<i64>,
    /// The sources of the presence on this machine, and what each of them says now.
    #[serde(default)]
    pub legs: Vec<Leg>,
    /// The conclusion from the human's other machines: `unheard` (nothing), `gone` (they sit at
    /// none, and the phone rings), `beside` (they have said that they are there, but no machine
    /// sees their hands), `seated` (they sit at another one, which rings), `deaf` (they sit at one
    /// that can't ring).
    #[serde(default)]
    #[cfg_attr(
        test,
        ts(type = "\"unheard\" | \"gone\" | \"beside\" | \"seated\" | \"deaf\"")
    )]
    pub elsewhere: Elsewhere,
    /// Whether the machines on the hub are told nothing of it, as the settings say.
    #[serde(default)]
    pub withheld: bool,
    /// The machines that are heard of over the hub, and what they say.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(test, ts(optional, as = "Option<Vec<MachineStatus>>"))]
    pub machines: Vec<MachineStatus>,
}

/// The presence of the human at another machine, as that machine tells it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MachineStatus {
    /// The name among Beckons, which no other machine has.
    #[serde(default)]
    pub node: String,
    /// The name of the machine.
    pub machine: String,
    /// The state of the human's hands there: `here`, `idle`, `away`, `unknown`.
    #[cfg_attr(test, ts(type = "\"here\" | \"idle\" | \"away\" | \"unknown\""))]
    pub state: Hands,
    /// The source of the evidence.
    #[cfg_attr(test, ts(type = "string"))]
    pub evidence: PresenceSource,
    /// The time of the last input there, by the clock here: milliseconds since 1970.
    pub last_input: Option<i64>,
    /// The human's own word there.
    #[serde(rename = "override")]
    #[cfg_attr(test, ts(type = "\"auto\" | \"here\" | \"away\""))]
    pub said: PresenceOverride,
    /// Whether its notifications work.
    pub rings: bool,
    /// Whether it is paused.
    pub paused: bool,
    /// Whether it is one of those that `elsewhere` is about.
    #[serde(default)]
    pub seated: bool,
}

/// The state of the channels.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Channels {
    /// Desktop notifications.
    pub desktop: DesktopStatus,
    /// Telegram.
    pub telegram: TelegramStatus,
}

/// The state of desktop notifications.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct DesktopStatus {
    /// The state: `works`, `down`, `starting`.
    #[cfg_attr(test, ts(as = "OperatingState"))]
    pub state: WireWord<OperatingState>,
    /// The reason why they do not work.
    pub error: Option<String>,
    /// The program that shows them.
    pub daemon: Option<String>,
    /// The abilities of that program, while it works.
    #[serde(default)]
    pub can: Option<Abilities>,
    /// Whether the desktop is told not to disturb; absent if it does not say.
    #[serde(default)]
    pub do_not_disturb: Option<bool>,
    /// The requests that come through then.
    #[serde(default)]
    #[cfg_attr(test, ts(type = "\"never\" | \"permissions\" | \"always\""))]
    pub break_through: BreakThrough,
}

/// The state of the tray.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TrayStatus {
    /// The state: `works`, `down`, `starting`, and `off` without a tray.
    #[cfg_attr(test, ts(as = "OperatingState"))]
    pub state: WireWord<OperatingState>,
    /// The reason why there is no icon.
    pub error: Option<String>,
}

impl Status {
    /// Whether none of the sources is reachable, though there are some.
    pub fn is_deaf(&self) -> bool {
        !self.sources.is_empty()
            && !self
                .sources
                .iter()
                .any(|source| source.state == SourceStatus::Live)
    }
}

impl From<&SeatView> for MachineStatus {
    fn from(view: &SeatView) -> Self {
        let Seat {
            hands: state,
            evidence,
            word: said,
            rings,
            paused,
            ..
        } = view.seat;
        let (node, machine, seated) = (view.node.clone(), view.machine.clone(), view.seated);
        let last_input = view.last_input.map(|at| at.0);
        Self {
            node,
            machine,
            state,
            evidence,
            last_input,
            said,
            rings,
            paused,
            seated,
        }
    }
}

impl From<&MachineStatus> for SeatView {
    fn from(status: &MachineStatus) -> Self {
        let MachineStatus {
            state: hands,
            evidence,
            said: word,
            rings,
            paused,
            ..
        } = *status;
        let seat = Seat {
            hands,
            evidence,
            word,
            rings,
            paused,
            ..Seat::default()
        };
        let (node, machine) = (status.node.clone(), status.machine.clone());
        let (last_input, seated) = (status.last_input.map(Timestamp), status.seated);
        Self {
            node,
            machine,
            seat,
            last_input,
            seated,
        }
    }
}

impl From<PresenceView> for PresenceStatus {
    fn from(view: PresenceView) -> Self {
        let PresenceState { reading, said } = view.standing;
        Self {
            state: reading.presence,
            away: view.away,
            evidence: reading.evidence,
            last_input: reading.last_input.map(|at| at.0),
            said,
            until: view.said_until.map(|at| at.0),
            legs: Vec::new(),
            elsewhere: view.elsewhere,
            withheld: view.withheld,
            machines: Vec::new(),
        }
    }
}

impl From<&PresenceStatus> for PresenceView {
    fn from(status: &PresenceStatus) -> Self {
        let PresenceStatus {
            state: presence,
            evidence,
            said,
            ..
        } = *status;
        let reading = PresenceReading {
            presence,
            evidence,
            last_input: status.last_input.map(Timestamp),
        };
        Self {
            standing: PresenceState { reading, said },
            away: status.away,
            said_until: status.until.map(Timestamp),
            elsewhere: status.elsewhere,
            withheld: status.withheld,
        }
    }
}
