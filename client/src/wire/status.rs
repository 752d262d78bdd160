//! `status --json`: how Beckon stands.

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

/// `status --json`
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Status {
    /// Beckon's version.
    pub version: String,
    /// Every source and the notifications have said how they stand.
    pub ready: bool,
    /// The watched sources.
    pub sources: Vec<Source>,
    /// Where the human is.
    pub presence: PresenceStatus,
    /// The channels.
    pub channels: Channels,
    /// The tray.
    pub tray: TrayStatus,
    /// Asks that wait for a human.
    pub open: usize,
    /// Milliseconds since 1970 until which nothing rings.
    pub paused_until: Option<i64>,
    /// The database that was broken and set aside at this start, and what else is amiss.
    pub warnings: Vec<String>,
    /// How often an agent asked something that could not be read, since this start; one of the
    /// warnings says it too.
    #[serde(default)]
    pub unreadable: usize,
    /// Why there is no hot key although one is set; one of the warnings too.
    #[serde(default)]
    pub hotkey_error: Option<String>,
    /// Whether a newer Beckon is there.
    #[serde(default)]
    pub updates: UpdateStatus,
    /// How long agents waited for their human; absent where it is not looked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub blocked_minutes: Option<BlockedMinutes>,
}

/// A source.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Source {
    /// Its name.
    pub name: String,
    /// What it speaks.
    #[serde(default)]
    pub kind: SourceKind,
    /// Its address.
    pub url: String,
    /// How it stands.
    #[cfg_attr(test, ts(as = "SourceStatus"))]
    pub state: WireWord<SourceStatus>,
    /// Its version.
    pub version: Option<String>,
    /// What is wrong.
    pub error: Option<String>,
    /// It is another Beckon.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(test, ts(optional, as = "Option<bool>"))]
    pub beckon: bool,
    /// It is read by a published contract that was not tried on a real server.
    #[serde(default)]
    pub experimental: bool,
    /// Of one that is `live`: what could not be read, so that something may be asked there that
    /// nobody here knows of. It is tried again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub missing: Option<String>,
}

/// Where the human is.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PresenceStatus {
    /// `here`, `idle`, `locked`, `asleep`, `unknown`.
    #[cfg_attr(
        test,
        ts(type = "\"here\" | \"idle\" | \"locked\" | \"asleep\" | \"unknown\"")
    )]
    pub state: Presence,
    /// Do they count as away?
    pub away: bool,
    /// What that rests on: `x11`, `logind`, … or `none`.
    #[cfg_attr(test, ts(type = "string"))]
    pub evidence: PresenceSource,
    /// When the last input was, if that is known: milliseconds since 1970.
    #[serde(default)]
    pub last_input: Option<i64>,
    /// What the human said.
    #[serde(rename = "override")]
    #[cfg_attr(test, ts(type = "\"auto\" | \"here\" | \"away\""))]
    pub said: PresenceOverride,
    /// Milliseconds since 1970 until which that holds.
    pub until: Option<i64>,
    /// Who tells of what on this machine, and what they say now.
    #[serde(default)]
    pub legs: Vec<Leg>,
    /// What follows from the human's other machines: `unheard` (nothing), `gone` (they sit at none,
    /// and the phone rings), `beside` (they have said that they are there, hands are seen nowhere), `seated` (they sit at
    /// another one, which rings), `deaf` (they sit at one that can't ring).
    #[serde(default)]
    #[cfg_attr(
        test,
        ts(type = "\"unheard\" | \"gone\" | \"beside\" | \"seated\" | \"deaf\"")
    )]
    pub elsewhere: Elsewhere,
    /// The machines on the hub are told nothing of it, as the settings say.
    #[serde(default)]
    pub withheld: bool,
    /// What those say that are heard of over the hub.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(test, ts(optional, as = "Option<Vec<MachineStatus>>"))]
    pub machines: Vec<MachineStatus>,
}

/// What another machine says of its human.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MachineStatus {
    /// Its name among Beckons, which no other one has.
    #[serde(default)]
    pub node: String,
    /// Its name.
    pub machine: String,
    /// Are their hands there: `here`, `idle`, `away`, `unknown`.
    #[cfg_attr(test, ts(type = "\"here\" | \"idle\" | \"away\" | \"unknown\""))]
    pub state: Hands,
    /// What that rests on.
    #[cfg_attr(test, ts(type = "string"))]
    pub evidence: PresenceSource,
    /// When the last input was there, by the clock here: milliseconds since 1970.
    pub last_input: Option<i64>,
    /// What they said there.
    #[serde(rename = "override")]
    #[cfg_attr(test, ts(type = "\"auto\" | \"here\" | \"away\""))]
    pub said: PresenceOverride,
    /// Its notifications work.
    pub rings: bool,
    /// It is paused.
    pub paused: bool,
    /// It is one of those that `elsewhere` is about.
    #[serde(default)]
    pub seated: bool,
}

/// The channels.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Channels {
    /// Desktop notifications.
    pub desktop: DesktopStatus,
    /// Telegram.
    pub telegram: TelegramStatus,
}

/// Desktop notifications.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct DesktopStatus {
    /// `works`, `down`, `starting`.
    #[cfg_attr(test, ts(as = "OperatingState"))]
    pub state: WireWord<OperatingState>,
    /// Why it does not.
    pub error: Option<String>,
    /// Who shows them.
    pub daemon: Option<String>,
    /// What that does, while it works.
    #[serde(default)]
    pub can: Option<Abilities>,
    /// Whether the desktop is told not to disturb; nothing where it does not say.
    #[serde(default)]
    pub do_not_disturb: Option<bool>,
    /// Which requests come through then.
    #[serde(default)]
    #[cfg_attr(test, ts(type = "\"never\" | \"permissions\" | \"always\""))]
    pub break_through: BreakThrough,
}

/// The tray.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TrayStatus {
    /// `works`, `down`, `starting`, and `off` without one.
    #[cfg_attr(test, ts(as = "OperatingState"))]
    pub state: WireWord<OperatingState>,
    /// Why there is no icon.
    pub error: Option<String>,
}

impl Status {
    /// Is none of the sources reachable, though there are some?
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
