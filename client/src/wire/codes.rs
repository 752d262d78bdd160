//! The words of the wire: each list of words that programs compare, as an enum.
//!
//! A resident and a window or a command may have different versions. So each of them reads the
//! other's words as a [`WireWord`]: an unknown word is kept as it came.

use beckon_core::{Outcome, Surface};
use serde::{Deserialize, Serialize};
use std::fmt;

/// A word of the list `T`, or an unknown one of a version that has more words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum WireWord<T> {
    /// A word that this version knows.
    Known(T),
    /// A word that this version does not know, as it came.
    Unknown(String),
}

impl<T: Copy> WireWord<T> {
    /// Returns the word, if this version knows it.
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

/// Gives the schema of the list. A word that is not in it comes from another version.
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

/// Writes the word as it is in JSON.
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
    /// The source wants a password or token, or a different one.
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
    /// There is no such channel, or no tray.
    Off,
    /// The channel or the tray works.
    Works,
    /// The channel or the tray does not work.
    Down,
}

/// The state of a proxy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum ProxyState {
    /// The state is not known: nothing was sent yet, or what was sent was lost on the way.
    Unknown,
    /// The proxy lets us through.
    Works,
    /// The proxy does not answer.
    Unreachable,
    /// The proxy's port on this machine is another user's.
    AnotherUser,
    /// The program that answers there is no proxy of that kind.
    Protocol,
    /// The proxy wants a user name and a password.
    PasswordMissing,
    /// The proxy wants a different user name or password.
    PasswordRefused,
    /// The proxy takes no user name.
    PasswordUnwanted,
    /// The keychain does not give the password out.
    PasswordOutOfReach,
    /// The proxy does not reach Telegram.
    NoRoute,
}

/// The fate of an answer.
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

/// A reason why an answer came back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum ReturnCode {
    /// The agent refuses the answer.
    Refused,
    /// The agent's server wants a password, or a different one.
    Unauthorized,
    /// The agent's server lets this Beckon read, but not answer.
    Forbidden,
    /// The answer may have been taken or not: nothing proves it.
    Unproven,
    /// The agent asks something else now.
    Changed,
    /// The answer could not be delivered.
    Undelivered,
    /// The agent may still wait or not: that is not known.
    Unconfirmed,
    /// The thread that asked does not exist any more.
    NoThread,
    /// The answer counts, and another person of the team has to agree as well.
    NeedsAnother,
    /// The hub does not let this device answer.
    HubForbidden,
    /// The device here has no key to sign an answer with.
    HubNoKey,
    /// The machine that was asked does not list this device.
    HubUnlisted,
    /// The machine that was asked could not read the answer.
    HubUnreadable,
    /// The answer does not fit what is asked there.
    HubUnfit,
    /// Other people of the team decide the ask.
    HubHeld,
}

/// The event that a line of `watch` tells.
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
    /// The source does not take the answer; its delivery is still tried.
    Undelivered,
    /// The answer came back.
    Returned,
    /// The source has proven that it took our answer.
    Taken,
    /// The ask ended in another way.
    Settled,
    /// The ask waits again.
    Reopened,
    /// The human has seen the ask, has snoozed it, or wants to hear of it again.
    Attention,
    /// The people of a team who decide the ask have changed.
    Held,
    /// A person has agreed, of two who must.
    Agreed,
    /// The ask asks something else now.
    Changed,
    /// More is known of the call that waits for a permission.
    Told,
    /// The state of a source has changed.
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
    /// The clock: the time limit ran out, and nobody answered.
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

/// The way in which an ask ended.
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
    /// The ask was ended in the agent itself, without an answer.
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
    /// Allows it, this once.
    Once,
    /// Allows it, and what is like it.
    Always,
    /// Refuses it.
    Reject,
}

/// A reason why the API does not do something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum ProblemCode {
    /// Another answer was faster.
    #[serde(rename = "already answered")]
    AlreadyAnswered,
    /// The name fits several asks.
    Ambiguous,
    /// The settings file cannot be read.
    #[serde(rename = "broken file")]
    BrokenFile,
    /// Something else is asked now.
    Changed,
    /// The history is out of reach.
    Database,
    /// Beckon ends; a window is told this.
    Ending,
    /// Anything else; the window program tells its pages this.
    Failed,
    /// A file is out of reach.
    File,
    /// Another program's file is where ours would be.
    Foreign,
    /// Other people of a team decide the ask.
    Held,
    /// The agent had stopped waiting.
    Gone,
    /// Something else was asked under that id.
    #[serde(rename = "id taken")]
    IdTaken,
    /// The proof that is given for an answer has proven another answer.
    #[serde(rename = "proof used")]
    ProofUsed,
    /// The content of the request is not right.
    Invalid,
    /// The keychain refuses.
    Keychain,
    /// The name is taken.
    #[serde(rename = "name taken")]
    NameTaken,
    /// The local network is out of reach.
    Network,
    /// The answer counts, and another person of a team has to agree as well.
    #[serde(rename = "needs another")]
    NeedsAnother,
    /// There is no bot that could do it.
    #[serde(rename = "no bot")]
    NoBot,
    /// The text that was typed could not be saved.
    #[serde(rename = "not kept")]
    NotKept,
    /// The change counts, but is not saved.
    #[serde(rename = "not saved")]
    NotSaved,
    /// The place where a session runs cannot be brought to the front.
    #[serde(rename = "not shown")]
    NotShown,
    /// Beckon does not run; the window program tells its pages this.
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
    /// There is no token, or a wrong one.
    Unauthorized,
    /// There is no such thing.
    Unknown,
}

#[cfg(test)]
mod tests;
