//! The body that is posted for an answer: that the thread goes on or stops, or the answers to its
//! questions. How it is posted is in `resume`.

use crate::sources::interrupts::threads::ORDINARY;
use crate::sources::interrupts::wire;
use beckon_core::{Answer, Ask, Reply};
use serde::Serialize;

/// The body of `POST resume/{thread_id}`.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub(super) struct ResumeBody {
    pub(super) action: ResumeAction,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) answers: Option<Vec<String>>,
}

#[derive(Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum ResumeAction {
    Continue,
    Cancel,
    Answer,
}

/// Returns which of the two actions was chosen, for an interrupt that has no questions that take
/// answers.
fn ordinary(ask: &Ask, replies: &[Reply]) -> Option<wire::ResumeChoice> {
    let [question] = ask.questions() else {
        return None;
    };
    let is_ordinary = ask.session.api.as_deref() == Some(ORDINARY);
    let [reply] = replies else { return None };
    let chosen = reply
        .choices
        .first()
        .and_then(|&index| question.choices.get(index));
    chosen.filter(|_| is_ordinary).and_then(wire::action)
}

/// Builds the body for an answer, with one answer per question. None of them is empty: core has
/// checked that.
pub(super) fn body(ask: &Ask, answer: &Answer) -> Option<ResumeBody> {
    let (action, answers) = match answer {
        Answer::Continue => (ResumeAction::Continue, None),
        Answer::Cancel | Answer::Dismiss => (ResumeAction::Cancel, None),
        Answer::Replies(replies) => match ordinary(ask, replies) {
            Some(wire::ResumeChoice::GoOn) => (ResumeAction::Continue, None),
            Some(wire::ResumeChoice::Stop) => (ResumeAction::Cancel, None),
            None => (
                ResumeAction::Answer,
                Some(
                    ask.replies_to_texts(replies)
                        .into_iter()
                        .flatten()
                        .collect(),
                ),
            ),
        },
        Answer::Grant(_) => return None,
    };
    Some(ResumeBody { action, answers })
}
