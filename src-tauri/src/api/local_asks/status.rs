//! The status of an ask that was made through Beckon, as its asker reads it.

use crate::sources::local_asks::messages::{AnsweredQuestions, AskEnd, AskProgress};
use beckon_client::wire::{self, AskedState, LocalAskStatus, PermissionReply};
use beckon_core::AskContent;

/// Returns the JSON for an ask as it is.
pub(super) fn open_or_ended(id: String, seen: AskProgress) -> LocalAskStatus {
    let kind = match seen {
        AskProgress::Ended(end) => return ended(id, end),
        AskProgress::Open(kind) => kind,
    };
    let (questions, permission) = match &kind {
        AskContent::Questions(questions) => (questions.iter().map(wire::question).collect(), None),
        kind => (Vec::new(), wire::permission(kind).map(Box::new)),
    };
    let state = AskedState::Open;
    LocalAskStatus {
        id,
        state,
        answers: None,
        replies: None,
        decision: None,
        questions,
        permission,
    }
}

/// Returns the JSON for an ask that has ended.
pub(crate) fn ended(id: String, end: AskEnd) -> LocalAskStatus {
    let without_answer = |state| LocalAskStatus {
        id,
        state,
        answers: None,
        replies: None,
        decision: None,
        questions: Vec::new(),
        permission: None,
    };
    match end {
        AskEnd::Answered(AnsweredQuestions { texts, replies }) => LocalAskStatus {
            answers: Some(texts),
            replies,
            ..without_answer(AskedState::Answered)
        },
        AskEnd::Granted(grant) => {
            let decision = Some(PermissionReply::from(&grant));
            LocalAskStatus {
                decision,
                ..without_answer(AskedState::Answered)
            }
        }
        AskEnd::Dismissed => without_answer(AskedState::Dismissed),
        AskEnd::TimedOut => without_answer(AskedState::TimedOut),
        AskEnd::Gone => without_answer(AskedState::Gone),
    }
}
