//! The history as other programs see it, and as a file.

mod activity;
mod always;

pub use activity::{Activity, ActivityDay, AnswersAt, BlockedMinutes};
pub use always::{AlwaysEnd, AlwaysGrant, GrantState};

use super::codes::{AnswerPlace, OutcomeKind, WireWord};
use super::ending::{AskDecision, AskKind, Ending, Replied};
use super::responder::AnsweredBy;
use beckon_core::{Ask, AskContent, LateAnswer, Outcome, Responder, Timestamp};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// An ask that is over.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct HistoryEntry {
    /// The source's own id of the ask.
    pub id: String,
    /// The source that it came from.
    pub source: String,
    /// The kind of the ask.
    pub kind: AskKind,
    /// The topic of the ask, in a line.
    pub title: String,
    /// The whole text of what was asked.
    pub asked: Vec<String>,
    /// The last part of the directory.
    pub project: String,
    /// The title of the session, once it was known.
    pub session: Option<String>,
    /// The whole directory.
    #[serde(default)]
    pub directory: String,
    /// The agent or program that asked, if its name says something.
    #[serde(default)]
    pub agent: Option<String>,
    /// The time when it was asked, in milliseconds since 1970.
    pub asked_at: i64,
    /// The time when it was over, in milliseconds since 1970.
    pub settled_at: i64,
    /// The way in which it ended.
    #[cfg_attr(test, ts(as = "OutcomeKind"))]
    pub outcome: WireWord<OutcomeKind>,
    /// The place where it was answered.
    #[cfg_attr(test, ts(as = "Option<AnswerPlace>"))]
    pub by: Option<WireWord<AnswerPlace>>,
    /// The person who answered; not known for an answer in the agent itself, or from before this
    /// was noted.
    #[serde(default)]
    pub responder: Option<AnsweredBy>,
    /// The answer, a list for each question; for a permission, its one word.
    pub answer: Vec<Vec<String>>,
    /// The decision, wherever it was made.
    pub ending: Ending,
    /// The choices and own texts, an item for each question; for a question set.
    pub replies: Vec<Replied>,
    /// The reason of a rejection, in the human's words.
    pub reason: Option<String>,
    /// The time for which the agent waited, in milliseconds.
    pub waited_ms: i64,
    /// The answer that was given here as well, and was not taken: another answer was faster, or the
    /// agent did not wait for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub late: Option<LateReply>,
}

/// An answer that came too late.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LateReply {
    /// The place where it was given.
    #[cfg_attr(test, ts(as = "Option<AnswerPlace>"))]
    pub by: Option<WireWord<AnswerPlace>>,
    /// The person who gave it, if that is known.
    #[serde(default)]
    pub responder: Option<AnsweredBy>,
    /// The answer, a list for each question; for a permission, its one word.
    pub answer: Vec<Vec<String>>,
    /// The decision that it would have been.
    pub ending: Ending,
    /// The choices and own texts, an item for each question; for a question set.
    pub replies: Vec<Replied>,
    /// The reason of the rejection, in the human's words.
    pub reason: Option<String>,
    /// Whether it was sent and never confirmed, so that the agent may have it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(test, ts(optional, as = "Option<bool>"))]
    pub may_have_arrived: bool,
}

/// A page of the history.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct HistoryPage {
    /// The entries, the newest first.
    pub entries: Vec<HistoryEntry>,
    /// Whether there are older entries that fit.
    pub more: bool,
}

/// Returns the entry of an ask that is over.
pub fn history_entry(
    ask: &Ask,
    outcome: &Outcome,
    responder: Option<&Responder>,
    at: Timestamp,
) -> HistoryEntry {
    let answer = match outcome {
        Outcome::Answered { answer, .. } => ask.to_labels(answer),
        Outcome::Elsewhere { answers } => answers.clone(),
        Outcome::DismissedElsewhere | Outcome::Expired | Outcome::Gone => None,
    };
    let asked = asked(&ask.kind);
    let AskDecision {
        ending,
        reason,
        replies,
    } = AskDecision::of(ask, outcome);
    HistoryEntry {
        id: ask.id.own.clone(),
        source: ask.id.source.0.clone(),
        kind: AskKind::of(&ask.kind),
        title: asked.first().cloned().unwrap_or_default(),
        asked,
        project: ask.session.project().to_owned(),
        session: ask.session.title.clone(),
        directory: ask.session.directory.clone(),
        agent: ask.session.who().map(str::to_owned),
        asked_at: ask.asked_at.0,
        settled_at: at.0,
        outcome: OutcomeKind::from(outcome).into(),
        by: AnswerPlace::of(outcome).map(WireWord::Known),
        responder: responder
            .filter(|_| outcome.is_decided())
            .map(AnsweredBy::from),
        answer: answer.unwrap_or_default(),
        ending,
        replies,
        reason,
        waited_ms: (at - ask.asked_at).0.max(0),
        late: None,
    }
}

impl LateReply {
    /// Makes the entry's answer that came too late.
    pub fn of(ask: &Ask, late: LateAnswer) -> Self {
        let LateAnswer {
            answer,
            by,
            responder,
            may_have_arrived,
        } = late;
        let labels = ask.to_labels(&answer).unwrap_or_default();
        let outcome = Outcome::Answered { answer, by };
        let AskDecision {
            ending,
            reason,
            replies,
        } = AskDecision::of(ask, &outcome);
        Self {
            by: AnswerPlace::of(&outcome).map(WireWord::Known),
            responder: responder.as_ref().map(AnsweredBy::from),
            answer: labels,
            ending,
            replies,
            reason,
            may_have_arrived,
        }
    }
}

pub(super) fn asked(kind: &AskContent) -> Vec<String> {
    match kind {
        AskContent::Questions(questions) => questions.iter().map(|q| q.question.clone()).collect(),
        AskContent::Permission(permission) => {
            let name = permission.permission.clone();
            let wants = permission.wants().into_iter().map(Cow::into_owned);
            [name].into_iter().chain(wants).collect()
        }
        AskContent::Confirm(info) => vec![info.clone()],
        AskContent::Unknown(unknown) => vec![unknown.raw.clone()],
    }
}

/// Returns the entries as a table for a spreadsheet (RFC 4180).
pub fn csv(entries: &[HistoryEntry]) -> String {
    let head = "asked_at,settled_at,waited_s,project,session,asked,outcome,by,answer,\
                ending,reason,agent,directory,person,device,vouched,late_answer\r\n";
    entries
        .iter()
        .fold(head.to_owned(), |text, entry| text + &row(entry))
}

fn row(entry: &HistoryEntry) -> String {
    let line = |answer: &[Vec<String>]| {
        answer
            .iter()
            .map(|texts| texts.join("; "))
            .collect::<Vec<_>>()
            .join(" / ")
    };
    let cells = [
        date(entry.asked_at),
        date(entry.settled_at),
        (entry.waited_ms / 1_000).to_string(),
        cell(&entry.project),
        cell(entry.session.as_deref().unwrap_or_default()),
        cell(&entry.asked.join(" / ")),
        cell(&entry.outcome.to_string()),
        cell(
            &entry
                .by
                .as_ref()
                .map(WireWord::to_string)
                .unwrap_or_default(),
        ),
        cell(&line(&entry.answer)),
        entry.ending.word(),
        cell(entry.reason.as_deref().unwrap_or_default()),
        cell(entry.agent.as_deref().unwrap_or_default()),
        cell(&entry.directory),
        cell(
            entry
                .responder
                .as_ref()
                .and_then(|who| who.person.as_deref())
                .unwrap_or_default(),
        ),
        cell(
            entry
                .responder
                .as_ref()
                .and_then(|who| who.device.as_deref())
                .unwrap_or_default(),
        ),
        cell(
            &entry
                .responder
                .as_ref()
                .map(|who| who.vouched.to_string())
                .unwrap_or_default(),
        ),
        cell(
            &entry
                .late
                .as_ref()
                .map(|late| line(&late.answer))
                .unwrap_or_default(),
        ),
    ];
    cells.join(",") + "\r\n"
}

fn date(at: i64) -> String {
    jiff::Timestamp::from_millisecond(at)
        .unwrap_or_default()
        .to_string()
}

/// Returns a cell of the table. A spreadsheet would take a text that begins like a formula for one,
/// and these are strangers' texts (<https://owasp.org/www-community/attacks/CSV_Injection>).
fn cell(text: &str) -> String {
    let formula = text.starts_with(['=', '+', '-', '@', '\t', '\r']);
    let guard = if formula { "'" } else { "" };
    format!("\"{guard}{}\"", text.replace('"', "\"\""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_cell_is_a_formula_or_ends_its_row() {
        assert_eq!(cell("=1+1"), "\"'=1+1\"");
        assert_eq!(cell("say \"hi\",\nthen go"), "\"say \"\"hi\"\",\nthen go\"");
    }
}
