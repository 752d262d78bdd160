//! The words of the wire: each list of words that programs compare, as an enum.
//!
//! A resident and a window or a command may be of two versions. So each reads a word of the other
//! as a [`WireWord`], which keeps an unknown word as it came.

use beckon_core::{Outcome, Surface};
use serde::{Deserialize, Serialize};
use std::fmt;

/// A word of the list `T`, or a word that only another version knows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum WireWord<T> {
    /// A word of the list.
    Known(T),
    /// A word that is not in the list, as it came.
    Unknown(String),
}

impl<T: Copy> WireWord<T> {
    /// Returns the word, if it is in the list.
    pub fn known(&self) -> Option<T> {
        match self {
            Self::Known(word) => Some(*word),
            Self::Unknown(_) => None,
        }
    }
}

impl<T: Default> Default for WireWord<T> {
    fn default() -> Self {
        Self::Known(T::default())
    }
}

impl<T> From<T> for WireWord<T> {
    fn from(word: T) -> Self {
        Self::Known(word)
    }
}

impl<T: PartialEq> PartialEq<T> for WireWord<T> {
    fn eq(&self, other: &T) -> bool {
        matches!(self, Self::Known(word) if word == other)
    }
}

/// The schema is that of the list: a word that is not in it is of another version.
#[cfg(feature = "schema")]
impl<T: schemars::JsonSchema> schemars::JsonSchema for WireWord<T> {
    fn inline_schema() -> bool {
        T::inline_schema()
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        T::schema_name()
    }

    fn schema_id() -> std::borrow::Cow<'static, str> {
        T::schema_id()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        T::json_schema(generator)
    }
}

/// Writes the word as in JSON.
impl<T: Serialize> fmt::Display for WireWord<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Known(word) => word.serialize(f),
            Self::Unknown(word) => f.write_str(word),
        }
    }
}

/// The state of a source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum SourceStatus {
    /// The state is not known yet.
    Connecting,
    /// The source tells of its asks.
    Live,
    /// The source does not answer.
    Unreachable,
    /// The source wants a password or token, or another one.
    Unauthorized,
}

/// The state of a channel or of the tray.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum OperatingState {
    /// The state is not known yet.
    Starting,
    /// The channel or tray is not set up.
    Off,
    /// The channel or tray works.
    Works,
    /// The channel or tray does not work.
    Down,
}

/// The state of a proxy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum ProxyState {
    /// Nothing was sent yet, or what was sent was lost on the way.
    Unknown,
    /// The proxy lets Beckon through.
    Works,
    /// The proxy does not answer.
    Unreachable,
    /// Another user of this machine listens at the proxy's address.
    AnotherUser,
    /// The server at that address is no proxy of that kind.
    Protocol,
    /// The proxy wants a user name and a password.
    PasswordMissing,
    /// The proxy wants another user name or password.
    PasswordRefused,
    /// The proxy takes no user name.
    PasswordUnwanted,
    /// The keychain does not give the password out.
    PasswordOutOfReach,
    /// The proxy does not reach Telegram.
    NoRoute,
}

/// The result of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum VerdictState {
    /// The answer is on its way.
    Sent,
    /// The agent has the answer.
    Taken,
    /// Another answer was faster.
    #[serde(rename = "already answered")]
    AlreadyAnswered,
    /// The agent had stopped waiting.
    Gone,
}

/// The state of an ask that is not settled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum ListedState {
    /// The ask waits for a human.
    Open,
    /// The ask's answer is on its way.
    Answering,
    /// The agent seems to have stopped waiting.
    Stale,
}

/// The reason why an answer came back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum ReturnCode {
    /// The agent refuses the answer.
    Refused,
    /// The agent's server wants a password, or another one.
    Unauthorized,
    /// The login at the agent's server may read there, but not answer.
    Forbidden,
    /// The fate of the answer is unknown: the agent may have taken it.
    Unproven,
    /// The agent asks something else now.
    Changed,
    /// The answer could not be delivered.
    Undelivered,
    /// The state of the ask is unknown: the agent may have stopped waiting.
    Unconfirmed,
    /// The thread that asked no longer exists.
    NoThread,
    /// The answer counts, but another person of the team has to agree as well.
    NeedsAnother,
    /// The hub does not let this device answer.
    HubForbidden,
    /// The device has no key with which to sign an answer.
    HubNoKey,
    /// The machine that asked does not list this device.
    HubUnlisted,
    /// The machine that asked could not read the answer.
    HubUnreadable,
    /// The answer does not fit what is asked there.
    HubUnfit,
    /// Other people of the team decide this ask.
    HubHeld,
}

/// The kind of event that a line of `watch` tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum WatchEvent {
    /// An ask is new.
    Asked,
    /// A channel shows the ask.
    Shown,
    /// A human has answered the ask.
    Answered,
    /// The answer was handed to the source.
    Sent,
    /// The source does not take the answer; delivery is tried again.
    Undelivered,
    /// The answer came back to the human.
    Returned,
    /// The source has proven that the agent took our answer.
    Taken,
    /// The ask has ended in another way.
    Settled,
    /// The ask waits again.
    Reopened,
    /// The human has seen the ask, snoozed it, or wants it again.
    Attention,
    /// Other people of a team decide the ask now.
    Held,
    /// A first person has agreed, where two must.
    Agreed,
    /// The ask's content has changed.
    Changed,
    /// More is known of the call that waits for a permission.
    Told,
    /// A source's state has changed.
    Source,
    /// The presence has changed.
    Presence,
}

/// The place where the answer that counts was given.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum AnswerPlace {
    /// A button of a desktop notification.
    Notification,
    /// The tray menu.
    Tray,
    /// The answer window.
    Window,
    /// The command line.
    Cli,
    /// Another program, by the local API.
    Api,
    /// Telegram.
    Telegram,
    /// No place: the time limit ran out.
    Clock,
    /// The agent itself.
    Elsewhere,
}

impl From<Surface> for AnswerPlace {
    fn from(surface: Surface) -> Self {
        match surface {
            Surface::Notification => Self::Notification,
            Surface::Tray => Self::Tray,
            Surface::Window => Self::Window,
            Surface::Cli => Self::Cli,
            Surface::Api => Self::Api,
            Surface::Telegram => Self::Telegram,
            Surface::Clock => Self::Clock,
        }
    }
}

impl AnswerPlace {
    /// Returns the place where an outcome was decided.
    pub fn of(outcome: &Outcome) -> Option<Self> {
        match outcome {
            Outcome::Answered { by, .. } => Some((*by).into()),
            Outcome::Elsewhere { .. } | Outcome::DismissedElsewhere => Some(Self::Elsewhere),
            Outcome::Expired => Some(Self::Clock),
            Outcome::Gone => None,
        }
    }
}

/// The end of an ask.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum OutcomeKind {
    /// The ask was answered through Beckon.
    Answered,
    /// The ask was answered in the agent itself.
    #[serde(rename = "answered elsewhere")]
    AnsweredElsewhere,
    /// The ask was dismissed in the agent itself, without an answer.
    #[serde(rename = "dismissed elsewhere")]
    DismissedElsewhere,
    /// The time limit ran out.
    Expired,
    /// The agent stopped waiting.
    Gone,
}

impl From<&Outcome> for OutcomeKind {
    fn from(outcome: &Outcome) -> Self {
        match outcome {
            Outcome::Answered { .. } => Self::Answered,
            Outcome::Elsewhere { .. } => Self::AnsweredElsewhere,
            Outcome::DismissedElsewhere => Self::DismissedElsewhere,
            Outcome::Expired => Self::Expired,
            Outcome::Gone => Self::Gone,
        }
    }
}

/// The human's decision about a permission, in the words of OpenCode's own reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum PermissionDecision {
    /// Allowed, this once.
    Once,
    /// Allowed, and whatever is like it from now on.
    Always,
    /// Not allowed.
    Reject,
}

/// The reason why the API refuses a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum ProblemCode {
    /// Another answer was faster.
    #[serde(rename = "already answered")]
    AlreadyAnswered,
    /// The name means several asks.
    Ambiguous,
    /// The settings file cannot be read.
    #[serde(rename = "broken file")]
    BrokenFile,
    /// Something else is asked now.
    Changed,
    /// The history is out of reach.
    Database,
    /// Beckon is ending, as a window is told.
    Ending,
    /// Any other failure, as the window program tells its pages.
    Failed,
    /// A file is out of reach.
    File,
    /// A file that is not Beckon's lies where Beckon's would.
    Foreign,
    /// Other people of a team decide the ask.
    Held,
    /// The agent had stopped waiting.
    Gone,
    /// Something else was asked under that id.
    #[serde(rename = "id taken")]
    IdTaken,
    /// The given proof of an answer has proven another answer before.
    #[serde(rename = "proof used")]
    ProofUsed,
    /// The request is malformed.
    Invalid,
    /// The keychain refuses.
    Keychain,
    /// The name belongs to another server.
    #[serde(rename = "name taken")]
    NameTaken,
    /// The local network is out of reach.
    Network,
    /// The answer counts, but another person of the team has to agree as well.
    #[serde(rename = "needs another")]
    NeedsAnother,
    /// There is no bot that could do it.
    #[serde(rename = "no bot")]
    NoBot,
    /// The draft could not be saved.
    #[serde(rename = "not kept")]
    NotKept,
    /// The change counts, but is not saved.
    #[serde(rename = "not saved")]
    NotSaved,
    /// The window in which a session runs cannot be brought to the front.
    #[serde(rename = "not shown")]
    NotShown,
    /// Beckon does not run, as the window program tells its pages.
    #[serde(rename = "not running")]
    NotRunning,
    /// Telegram refuses the token.
    Refused,
    /// The agent's server has given the answer back.
    Returned,
    /// The ask is settled.
    Settled,
    /// Beckon is ending.
    Stopping,
    /// The token is missing or wrong.
    Unauthorized,
    /// Nothing of that name exists.
    Unknown,
}

#[cfg(test)]
mod tests;
