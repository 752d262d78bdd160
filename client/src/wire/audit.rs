//! A line of `audit --jsonl`.

use super::codes::{AnswerPlace, OutcomeKind, ReturnCode, WatchEvent, WireWord};
use super::ending::{AskKind, Ending};
use super::responder::AnsweredBy;
use beckon_core::{Ask, Channel};
use serde::{Deserialize, Serialize};

/// One thing that happened to one ask. What was not noted, since the version then did not, is `null`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AuditLine {
    /// When, as RFC 3339 in UTC with milliseconds.
    pub at: String,
    /// What has happened.
    pub what: WireWord<WatchEvent>,
    /// The source's own id of the ask.
    pub id: String,
    /// Where it came from.
    pub source: String,
    /// What it was.
    pub kind: Option<AskKind>,
    /// What it was about, in a line, as the history has it.
    pub title: Option<String>,
    /// The last part of its directory.
    pub project: Option<String>,
    /// A hash of all that was shown of it then: the fingerprint that an answer is held against.
    pub shown: Option<String>,
    /// With `shown`: on which surface.
    pub on: Option<WireWord<Channel>>,
    /// Where it was answered.
    pub by: Option<WireWord<AnswerPlace>>,
    /// Who answered.
    pub responder: Option<AnsweredBy>,
    /// What was decided.
    pub ending: Option<WireWord<Ending>>,
    /// How it ended.
    pub outcome: Option<WireWord<OutcomeKind>>,
    /// Why the answer came back.
    pub returned: Option<WireWord<ReturnCode>>,
}

impl AuditLine {
    /// What happened at that moment, in milliseconds since 1970, to an ask of that source, and
    /// nothing more.
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

    /// With what the ask is about.
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
