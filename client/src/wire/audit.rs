//! The lines of `audit --jsonl`.

use super::codes::{AnswerPlace, OutcomeKind, ReturnCode, WatchEvent, WireWord};
use super::ending::{AskKind, Ending};
use super::responder::AnsweredBy;
use beckon_core::{Ask, Channel};
use serde::{Deserialize, Serialize};

/// An event in the life of an ask. A field that the version of that time did not note is `null`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AuditLine {
    /// The time of the event, as RFC 3339 in UTC with milliseconds.
    pub at: String,
    /// The event.
    pub what: WireWord<WatchEvent>,
    /// The source's own id of the ask.
    pub id: String,
    /// The source that the ask came from.
    pub source: String,
    /// The kind of the ask.
    pub kind: Option<AskKind>,
    /// The topic of the ask in a line, as the history has it.
    pub title: Option<String>,
    /// The last part of the ask's directory.
    pub project: Option<String>,
    /// A hash of all that was shown of the ask then: the fingerprint that an answer is compared
    /// with.
    pub shown: Option<String>,
    /// The surface on which it was shown; with `shown`.
    pub on: Option<WireWord<Channel>>,
    /// The place where it was answered.
    pub by: Option<WireWord<AnswerPlace>>,
    /// The person who answered.
    pub responder: Option<AnsweredBy>,
    /// The decision.
    pub ending: Option<WireWord<Ending>>,
    /// The outcome.
    pub outcome: Option<WireWord<OutcomeKind>>,
    /// The reason why the answer came back.
    pub returned: Option<WireWord<ReturnCode>>,
}

impl AuditLine {
    /// Makes the line of an event at that moment, in milliseconds since 1970, for an ask of that
    /// source, with nothing more.
    pub fn new(at: i64, what: WatchEvent, source: String, id: String) -> Self {
        Self {
            at: rfc3339(at),
            what: what.into(),
            id,
            source,
            kind: None,
            title: None,
            project: None,
            shown: None,
            on: None,
            by: None,
            responder: None,
            ending: None,
            outcome: None,
            returned: None,
        }
    }

    /// Adds what the ask is about.
    #[must_use]
    pub fn about(self, ask: &Ask) -> Self {
        Self {
            kind: Some(AskKind::of(&ask.kind)),
            title: super::history::asked(&ask.kind).into_iter().next(),
            project: Some(ask.session.project().to_owned()),
            ..self
        }
    }
}

fn rfc3339(at: i64) -> String {
    let at = jiff::Timestamp::from_millisecond(at).unwrap_or_default();
    format!("{at:.3}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_moment_is_told_in_utc_with_its_milliseconds() {
        assert_eq!(rfc3339(1_700_000_000_000), "2023-11-14T22:13:20.000Z");
        assert_eq!(rfc3339(1_700_000_000_007), "2023-11-14T22:13:20.007Z");
        assert_eq!(
            rfc3339(i64::MAX),
            "1970-01-01T00:00:00.000Z",
            "beyond what a clock shows"
        );
    }
}
