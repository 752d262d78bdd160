//! Finds out what became of asks that are gone.

use super::proof::{self, BETWEEN, StoredCall};
use super::recheck;
use crate::sources::opencode::api::OpenCodeApi;
use crate::sources::opencode::api::stored::StoredOutcome;
use crate::sources::opencode::dialect::ApiDialect;
use crate::sources::opencode::forms;
use crate::sources::opencode::sessions::stopped::{self, TurnState};
use anyhow::Result;
use beckon_core::{Answer, Ask, AskContent, AskState, Entry, Grant, SourceReport};

/// The number of looks at a call whose permission may have been refused: after about a second it
/// has failed.
const LOOKS: u32 = 4;

/// Returns what is known of the end of an ask. `None` where the server cannot be reached and an
/// answer may have been taken: the next try finds it out.
pub(super) async fn inquire(api: &OpenCodeApi, entry: &Entry) -> Option<SourceReport> {
    let own = entry.ask.id.own.clone();
    let given = match &entry.state {
        AskState::Answering { answer, .. } => Some(answer),
        AskState::Open | AskState::Settled { .. } => None,
    };
    let outcome = match ApiDialect::of(&entry.ask.session) {
        ApiDialect::Forms => forms::delivery::outcome(api, &entry.ask, given).await,
        ApiDialect::First | ApiDialect::Second => outcome(api, &entry.ask, given).await,
    };
    match outcome {
        Ok(StoredOutcome::Answered(answers)) => Some(SourceReport::Explained {
            own,
            answers: Some(answers),
        }),
        Ok(StoredOutcome::Dismissed) => Some(SourceReport::Explained { own, answers: None }),
        Ok(StoredOutcome::Neither) => Some(SourceReport::Unexplained { own }),
        Err(error) => {
            tracing::debug!(ask = %entry.ask.id, error = format!("{error:#}"), "the end of an ask can't be found out");
            let is_tried_again = entry.may_have_been_taken() && recheck::is_nobody_there(&error);
            (!is_tried_again).then_some(SourceReport::Unexplained { own })
        }
    }
}

async fn outcome(api: &OpenCodeApi, ask: &Ask, given: Option<&Answer>) -> Result<StoredOutcome> {
    if matches!(ask.kind, AskContent::Permission(_)) {
        return permission_outcome(api, ask, given).await;
    }
    Ok(match proof::stored(api, ask).await? {
        StoredCall::Answered(answers) => StoredOutcome::Answered(answers),
        StoredCall::Dismissed => StoredOutcome::Dismissed,
        StoredCall::Waits | StoredCall::Refused | StoredCall::Over | StoredCall::Unclear => {
            StoredOutcome::Neither
        }
    })
}

/// Finds out how a permission was answered. Nothing is stored of that, yet its call tells. A call
/// that has run was allowed, and so was one that still runs and whose request is gone. A call that
/// was refused fails at once.
async fn permission_outcome(
    api: &OpenCodeApi,
    ask: &Ask,
    given: Option<&Answer>,
) -> Result<StoredOutcome> {
    for _ in 0..LOOKS {
        match proof::stored(api, ask).await? {
            StoredCall::Unclear => return Ok(allowed(ask, given)),
            StoredCall::Refused => return Ok(StoredOutcome::Answered(refused())),
            StoredCall::Answered(_) | StoredCall::Dismissed | StoredCall::Over => {
                return Ok(StoredOutcome::Neither);
            }
            StoredCall::Waits => tokio::time::sleep(BETWEEN).await,
        }
    }
    let runs =
        proof::is_busy(api, ask).await && stopped::look_at_turn(api, ask).await == TurnState::Waits;
    Ok(if runs {
        allowed(ask, given)
    } else {
        StoredOutcome::Neither
    })
}

/// Reports that the call was allowed: by our own answer, if that allowed it, and else for once.
fn allowed(ask: &Ask, given: Option<&Answer>) -> StoredOutcome {
    let is_yes = |answer: &&Answer| matches!(answer, Answer::Grant(Grant::Once | Grant::Always));
    let ours = given.filter(is_yes);
    let texts = ours.and_then(|answer| ask.to_source_texts(answer));
    StoredOutcome::Answered(texts.unwrap_or_else(|| vec![vec!["once".to_owned()]]))
}

fn refused() -> Vec<Vec<String>> {
    vec![vec!["reject".to_owned()]]
}
