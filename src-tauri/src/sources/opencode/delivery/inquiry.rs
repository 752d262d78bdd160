//! Finds out what became of asks that are gone.

use super::proof::{self, StoredCall};
use crate::sources::opencode::api::OpenCodeApi;
use crate::sources::opencode::api::stored::StoredOutcome;
use crate::sources::opencode::dialect::ApiDialect;
use crate::sources::opencode::{OpenCodeReporter, forms};
use anyhow::Result;
use beckon_core::{Ask, AskState, Entry, SourceReport};

pub(super) async fn inquire(api: &OpenCodeApi, reporter: &OpenCodeReporter, entry: &Entry) {
    let outcome = match ApiDialect::of(&entry.ask.session) {
        ApiDialect::Forms => {
            let given = match &entry.state {
                AskState::Answering { answer, .. } => Some(answer),
                AskState::Open | AskState::Settled { .. } => None,
            };
            forms::delivery::outcome(api, &entry.ask, given).await
        }
        ApiDialect::First | ApiDialect::Second => outcome(api, &entry.ask).await,
    };
    let answers = match outcome {
        Ok(StoredOutcome::Answered(answers)) => Some(answers),
        Ok(StoredOutcome::Dismissed) => None,
        Ok(StoredOutcome::Neither) => return,
        Err(error) => {
            return tracing::debug!(ask = %entry.ask.id, error = format!("{error:#}"), "its end stays unexplained");
        }
    };
    let own = entry.ask.id.own.clone();
    reporter.tell(SourceReport::Explained { own, answers });
}

async fn outcome(api: &OpenCodeApi, ask: &Ask) -> Result<StoredOutcome> {
    Ok(match proof::stored(api, ask).await? {
        StoredCall::Answered(answers) => StoredOutcome::Answered(answers),
        StoredCall::Dismissed => StoredOutcome::Dismissed,
        StoredCall::Waits | StoredCall::Over | StoredCall::Unclear => StoredOutcome::Neither,
    })
}
