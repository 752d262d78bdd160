//! The words of the wire: each list of words that programs compare, as an enum.
//!
//! A resident and a window or a command may be of two versions, so whatever reads a word of the
//! other takes it as a [`WireWord`]: one that it does not know is kept as it came.

use beckon_core::{Outcome, Surface};
use serde::{Deserialize, Serialize};
use std::fmt;

/// A word of the list `T`, or one of a version that has more of them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum WireWord<T> {
    /// One of ours.
    Known(T),
    /// As it came.
    Unknown(String),
}

impl<T: Copy> WireWord<T> {
    /// The word, if it is one of ours.
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

/// Described as the list: a word that is not in it is one of another version.
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

/// As in JSON.
impl<T: Serialize> fmt::Display for WireWord<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Known(word) => word.serialize(f),
            Self::Unknown(word) => f.write_str(word),
        }
    }
}

/// How a source stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum SourceStatus {
    /// Not known yet.
    Connecting,
    /// It tells of its asks.
    Live,
    /// It does not answer.
    Unreachable,
    /// It wants a password or token, or another one.
    Unauthorized,
}

/// How a channel or the tray stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum OperatingState {
    /// Not known yet.
    Starting,
    /// There is none.
    Off,
    /// It does its work.
    Works,
    /// It does not.
    Down,
}

/// How a proxy stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum ProxyState {
    /// Nothing was sent yet, or what was sent was lost on the way.
    Unknown,
    /// It lets us through.
    Works,
    /// It does not answer.
    Unreachable,
    /// On this machine another user listens there.
    AnotherUser,
    /// What answers there is no proxy of that kind.
    Protocol,
    /// It wants a user name and a password.
    PasswordMissing,
    /// It wants another user name or password.
    PasswordRefused,
    /// It takes no user name.
    PasswordUnwanted,
    /// The keychain does not give the password out.
    PasswordOutOfReach,
    /// It does not reach Telegram.
    NoRoute,
}

/// What came of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum VerdictState {
    /// It is on its way.
    Sent,
    /// Its agent has it.
    Taken,
    /// Another one was faster.
    #[serde(rename = "already answered")]
    AlreadyAnswered,
    /// The agent had stopped waiting.
    Gone,
}

/// How an ask stands that is not settled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum ListedState {
    /// It waits for a human.
    Open,
    /// Its answer is on its way.
    Answering,
    /// The agent seems to have stopped waiting.
    Stale,
}

/// Why an answer came back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum ReturnCode {
    /// The agent refuses it.
    Refused,
    /// The agent's server wants a password, or another one.
    Unauthorized,
    /// Who may look there may not answer.
    Forbidden,
    /// Nobody knows whether it was taken.
    Unproven,
    /// The agent asks something else by now.
    Changed,
    /// It could not be delivered.
    Undelivered,
    /// Nobody knows whether the agent still waits.
    Unconfirmed,
    /// The thread that asked is no more.
    NoThread,
    /// It counts, and somebody else of the team has to agree as well.
    NeedsAnother,
    /// The hub does not let this device answer.
    HubForbidden,
    /// This device has no key to sign an answer by.
    HubNoKey,
    /// The machine that was asked lists no such device.
    HubUnlisted,
    /// The machine that was asked could not read it.
    HubUnreadable,
    /// It does not fit what is asked there.
    HubUnfit,
    /// Others of the team decide it.
    HubHeld,
}

/// What a line of `watch` tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum WatchEvent {
    /// An ask is new.
    Asked,
    /// A channel shows it.
    Shown,
    /// A human has answered it.
    Answered,
    /// The answer was handed to its source.
    Sent,
    /// The source does not take the answer; it is tried on.
    Undelivered,
    /// The answer came back.
    Returned,
    /// The source has proven our answer.
    Taken,
    /// It ended otherwise.
    Settled,
    /// It waits again.
    Reopened,
    /// Its human has seen it, snoozed it, or wants it again.
    Attention,
    /// Who of a team decides it is another.
    Held,
    /// One of two who must has agreed.
    Agreed,
    /// It asks something else.
    Changed,
    /// More is known of the call that waits for a permission.
    Told,
    /// A source stands otherwise.
    Source,
    /// The presence is another.
    Presence,
}

/// Where the answer that counts was given.
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
    /// Nobody: the time limit ran out.
    Clock,
    /// In the agent itself.
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
    /// Where an outcome was decided.
    pub fn of(outcome: &Outcome) -> Option<Self> {
        match outcome {
            Outcome::Answered { by, .. } => Some((*by).into()),
            Outcome::Elsewhere { .. } | Outcome::DismissedElsewhere => Some(Self::Elsewhere),
            Outcome::Expired => Some(Self::Clock),
            Outcome::Gone => None,
        }
    }
}

/// How an ask ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum OutcomeKind {
    /// Through Beckon.
    Answered,
    /// In the agent itself.
    #[serde(rename = "answered elsewhere")]
    AnsweredElsewhere,
    /// In the agent itself, without an answer.
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
    /// Yes, this once.
    Once,
    /// Yes, and what is like it.
    Always,
    /// No.
    Reject,
}

/// Why the API does not do something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum ProblemCode {
    /// Another one was faster.
    #[serde(rename = "already answered")]
    AlreadyAnswered,
    /// A name means several asks.
    Ambiguous,
    /// The settings file cannot be read.
    #[serde(rename = "broken file")]
    BrokenFile,
    /// Something else is asked by now.
    Changed,
    /// The history is out of reach.
    Database,
    /// Beckon ends, as a window is told.
    Ending,
    /// Anything else, as the window program says it to its pages.
    Failed,
    /// A file is out of reach.
    File,
    /// Somebody else's file lies where ours would.
    Foreign,
    /// Others of a team decide it.
    Held,
    /// The agent had stopped waiting.
    Gone,
    /// Something else was asked under that id.
    #[serde(rename = "id taken")]
    IdTaken,
    /// What is said to prove an answer has proven another one.
    #[serde(rename = "proof used")]
    ProofUsed,
    /// What was sent is not right.
    Invalid,
    /// The keychain refuses.
    Keychain,
    /// That name is another's.
    #[serde(rename = "name taken")]
    NameTaken,
    /// The local network is out of reach.
    Network,
    /// The answer counts, and somebody else of a team has to agree as well.
    #[serde(rename = "needs another")]
    NeedsAnother,
    /// There is no bot that could do it.
    #[serde(rename = "no bot")]
    NoBot,
    /// What was typed could not be saved.
    #[serde(rename = "not kept")]
    NotKept,
    /// What was done counts, and is not saved.
    #[serde(rename = "not saved")]
    NotSaved,
    /// Where a session runs cannot be brought to the front.
    #[serde(rename = "not shown")]
    NotShown,
    /// Beckon does not run, as the window program says it to its pages.
    #[serde(rename = "not running")]
    NotRunning,
    /// Telegram refuses the token.
    Refused,
    /// The agent's server has given the answer back.
    Returned,
    /// The ask is settled.
    Settled,
    /// Beckon ends.
    Stopping,
    /// No token, or a wrong one.
    Unauthorized,
    /// There is no such thing.
    Unknown,
}

#[cfg(test)]
mod tests;
