//! The records on the hub, and their subjects.

use crate::{Ask, DecisionKind, ReturnReason, Span, Surface};
use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use serde::de::IgnoredAny;
use serde::{Deserialize, Deserializer, Serialize};

/// The version of the records that are written here. One of another version is never answered.
pub const RECORD_VERSION: u32 = 1;
/// The size in bytes above which a record is neither written nor read.
pub const LARGEST_RECORD: usize = 64 * 1024;
/// The part of a subject that names the desk. One person's machines are one desk; a team will have
/// more.
pub(super) const DESK: &str = "own";

/// An ask as its owner publishes it. The hub keeps only the latest record of each ask.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AskRecord {
    /// [`RECORD_VERSION`]
    pub v: u32,
    /// The owner's machine, for people.
    pub machine: String,
    /// The ask's name at its owner.
    pub name: String,
    /// The owner's count of its publications, by which it recognizes an older one that arrives
    /// late.
    #[serde(default)]
    pub count: u64,
    /// The number of the round in which an answer is wanted: one more than the used rounds.
    pub round: u32,
    /// The hash of the content that was shown, as [`crate::shown_hash`] returns it.
    pub shown: String,
    /// The ask's state.
    pub state: SharedState,
    /// The reason why it is asked once more, if its last answer came back.
    #[serde(
        default,
        deserialize_with = "known_or_default",
        skip_serializing_if = "Option::is_none"
    )]
    pub reason: Option<ReturnReason>,
    /// The time for which the ask had waited when this was published, in milliseconds. A span,
    /// since the machines' clocks differ.
    #[serde(default)]
    pub waited_ms: u64,
    /// The people of a team who have agreed, where two people must.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub agreed: Vec<String>,
    /// Whether the people who answered disagree.
    #[serde(default, skip_serializing_if = "core::ops::Not::not")]
    pub apart: bool,
    /// The decision and who made it, once there is one.
    #[serde(
        default,
        deserialize_with = "known_or_default",
        skip_serializing_if = "Option::is_none"
    )]
    pub decided: Option<SharedDecision>,
    /// The name by which this machine knows the device that signed the record; never sent.
    #[serde(skip)]
    pub signer: Option<String>,
    /// The time at which the record was read, by the steady clock; never sent.
    #[serde(skip)]
    pub heard_at: Option<Span>,
    /// The ask itself, in the form in which Beckons tell each other; opaque here.
    #[serde(default)]
    pub ask: String,
}

/// The longest wait that is believed. No agent waits for longer; a record that claims more only
/// tries to be first in the list.
const LONGEST_WAIT: Span = Span::minutes(60 * 24 * 365);

impl AskRecord {
    /// Returns the time for which the ask has waited at `now`, at most a year. `now` is of the same
    /// clock as `heard_at`.
    pub fn waited(&self, now: Span) -> Span {
        let since = self
            .heard_at
            .map_or(0, |at| now.0.saturating_sub(at.0).max(0));
        let told = i64::try_from(self.waited_ms)
            .unwrap_or(i64::MAX)
            .min(LONGEST_WAIT.0);
        Span(told.saturating_add(since).min(LONGEST_WAIT.0))
    }
}

/// The decision of an ask and who made it, in the owner's word.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SharedDecision {
    /// The decision.
    pub how: DecisionKind,
    /// The person who decided, if known.
    #[serde(default)]
    pub person: Option<String>,
    /// The device on which the person decided, if known.
    #[serde(default)]
    pub device: Option<String>,
    /// The nonce by which the machine that gave the answer recognizes it, if it came over the hub.
    #[serde(default)]
    pub nonce: Option<String>,
}

/// Deserializes a value, or the default for a value that only a later Beckon knows.
pub(super) fn known_or_default<'de, T, D>(deserializer: D) -> Result<T, D::Error>
where
    T: Deserialize<'de> + Default,
    D: Deserializer<'de>,
{
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Told<T> {
        Known(T),
        Other(IgnoredAny),
    }
    Ok(match Told::deserialize(deserializer)? {
        Told::Known(known) => known,
        Told::Other(_) => T::default(),
    })
}

/// The progress of a shared ask.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SharedState {
    /// An ask that waits for an answer.
    Open,
    /// An ask whose answer is on its way to the agent; with the answer's nonce, if it came over the
    /// hub.
    Answering(Option<String>),
    /// An ask that is over.
    Ended(SharedEnd),
}

/// The end of a shared ask.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SharedEnd {
    /// Answered, by these texts where they are known.
    Answered(Option<Vec<Vec<String>>>),
    /// Rejected or dismissed.
    Rejected,
    /// An ask for which nobody waits any more.
    Gone,
}

/// An answer as it is published. The hub keeps the first one of each round.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AnswerRecord {
    /// [`RECORD_VERSION`]
    pub v: u32,
    /// The hash of what the human saw.
    pub shown: String,
    /// The answer, in JSON.
    pub answer: String,
    /// The nonce by which the writer of the answer recognizes it.
    pub nonce: String,
    /// The person who answered, by the word of the machine that sends it.
    #[serde(default)]
    pub person: Option<String>,
    /// The device on which they answered.
    #[serde(default)]
    pub device: Option<String>,
    /// The surface on which they answered; `None` also for a surface that only a later Beckon
    /// knows.
    #[serde(default, deserialize_with = "known_or_default")]
    pub surface: Option<Surface>,
}

/// The subject under which a Beckon announces its presence.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct HereSubject {
    /// The Beckon's name among Beckons.
    pub node: String,
}

/// The subject of an ask's record. It is serialized as its text.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct AskSubject {
    /// The owner's name among Beckons.
    pub node: String,
    /// The ask's number at its owner.
    pub serial: u64,
}

/// The subject of the answer of a round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnswerSubject {
    /// The ask.
    pub ask: AskSubject,
    /// The round.
    pub round: u32,
}

impl AskSubject {
    /// Returns the subject as the hub writes it.
    pub fn subject(&self) -> String {
        format!("bk.ask.{DESK}.{}.{}", self.node, self.serial)
    }

    /// Parses a subject; `None` for any that is not written like ours.
    pub fn parse(subject: &str) -> Option<Self> {
        let rest = subject
            .strip_prefix("bk.ask.")?
            .strip_prefix(DESK)?
            .strip_prefix('.')?;
        let (node, serial) = rest.split_once('.')?;
        let parsed = Self {
            node: node.to_owned(),
            serial: serial.parse().ok()?,
        };
        (is_node(node) && parsed.subject() == subject).then_some(parsed)
    }

    /// Returns the subject of all asks.
    pub fn every() -> String {
        format!("bk.ask.{DESK}.>")
    }

    /// Returns the subject of another machine's ask; `None` if the ask does not name its owner and
    /// number.
    pub fn of(ask: &Ask) -> Option<Self> {
        let (node, serial) = (ask.session.via.first()?, ask.id.own.rsplit_once('-')?.1);
        Some(Self {
            node: node.clone(),
            serial: serial.parse().ok()?,
        })
    }

    /// Returns the subject of an ask. `(node, serial)` are this Beckon's name and the ask's number
    /// here, for an own ask; `None` for an own ask that is not shared.
    pub fn named(ask: &Ask, (node, serial): (&str, u64)) -> Option<Self> {
        match ask.machine() {
            Some(_) => Self::of(ask),
            None => ask.is_shared().then(|| Self {
                node: node.to_owned(),
                serial,
            }),
        }
    }

    /// Returns the id that the ask has on every other machine's desk.
    pub fn own_id(&self) -> String {
        let node: String = self.node.chars().take(4).collect();
        format!("{node}-{}", self.serial)
    }
}

/// The error for a text that is no subject of an ask.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("this is no subject of an ask")]
pub struct NoAskSubject;

impl TryFrom<String> for AskSubject {
    type Error = NoAskSubject;

    fn try_from(subject: String) -> Result<Self, NoAskSubject> {
        Self::parse(&subject).ok_or(NoAskSubject)
    }
}

impl From<AskSubject> for String {
    fn from(subject: AskSubject) -> Self {
        subject.subject()
    }
}

impl AnswerSubject {
    /// Returns the subject as the hub writes it.
    pub fn subject(&self) -> String {
        format!(
            "bk.answer.{DESK}.{}.{}.{}",
            self.ask.node, self.ask.serial, self.round
        )
    }

    /// Parses a subject; `None` for any that is not written like ours.
    pub fn parse(subject: &str) -> Option<Self> {
        let rest = subject.strip_prefix("bk.answer.")?;
        let (ask, round) = rest.rsplit_once('.')?;
        let ask = AskSubject::parse(&format!("bk.ask.{ask}"))?;
        let parsed = Self {
            ask,
            round: round.parse().ok()?,
        };
        (parsed.subject() == subject).then_some(parsed)
    }

    /// Returns the subject of all answers to that owner.
    pub fn every_to(node: &str) -> String {
        format!("bk.answer.{DESK}.{node}.>")
    }
}

/// Whether a text may be a node's name. Only letters and digits are allowed, so that a name cannot
/// add levels to a subject.
pub(super) fn is_node(node: &str) -> bool {
    !node.is_empty() && node.len() <= 64 && node.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

impl HereSubject {
    /// Returns the subject as the hub writes it.
    pub fn subject(&self) -> String {
        format!("bk.here.{DESK}.{}", self.node)
    }

    /// Parses a subject; `None` for any that is not written like ours.
    pub fn parse(subject: &str) -> Option<Self> {
        let node = subject
            .strip_prefix("bk.here.")?
            .strip_prefix(DESK)?
            .strip_prefix('.')?;
        is_node(node).then(|| Self {
            node: node.to_owned(),
        })
    }

    /// Returns the subject of the presence of all Beckons.
    pub fn every() -> String {
        format!("bk.here.{DESK}.>")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ask() -> AskSubject {
        AskSubject {
            node: "Ab3dE6gH1J".into(),
            serial: 12,
        }
    }

    #[test]
    fn a_subject_is_read_as_it_was_written_and_no_other_is() {
        let answer = AnswerSubject {
            ask: ask(),
            round: 3,
        };
        assert_eq!(AskSubject::parse(&ask().subject()), Some(ask()));
        assert_eq!(AnswerSubject::parse(&answer.subject()), Some(answer));
        for strange in [
            "bk.ask.own.Ab3dE6gH1J.012",
            "bk.ask.own.Ab3dE6gH1J.+12",
            "bk.ask.own.Ab3d.E6gH1J.12",
            "bk.ask.own.*.12",
            "bk.ask.own..12",
            "bk.ask.other.Ab3dE6gH1J.12",
            "bk.ask.own.Ab3dE6gH1J.99999999999999999999999",
        ] {
            assert_eq!(AskSubject::parse(strange), None, "{strange}");
        }
        let here = HereSubject { node: ask().node };
        assert_eq!(HereSubject::parse(&here.subject()), Some(here));
        assert_eq!(HereSubject::parse("bk.here.own.Ab3d.E6gH1J"), None);
        assert_eq!(AnswerSubject::parse("bk.answer.own.Ab3dE6gH1J.12"), None);
        assert_eq!(AnswerSubject::parse("bk.answer.own.Ab3dE6gH1J.12.-1"), None);
    }
}
