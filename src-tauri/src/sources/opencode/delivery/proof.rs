//! What the stored tool call tells of an ask: 1.1.53 answers 200 to anything, also to an answer that
//! nobody waits for.

use crate::sources::opencode::api::OpenCodeApi;
use crate::sources::opencode::dialect::ApiDialect;
use anyhow::{Context, Result};
use beckon_core::{Answer, Ask, AskContent, DeliveryFailure, SourceReport};
use serde_json::Value;
use std::collections::BTreeMap;
use std::time::Duration;

/// A call that was answered is stored as answered within milliseconds, and under load within this.
const TRIES: u32 = 10;
pub(super) const BETWEEN: Duration = Duration::from_millis(300);

/// How far the call behind an ask is.
pub(in crate::sources::opencode) enum StoredCall {
    /// It was answered so.
    Answered(Vec<Vec<String>>),
    /// It was dismissed.
    Dismissed,
    /// Leave for it was not given.
    Refused,
    /// It has failed otherwise: nobody got an answer.
    Over,
    /// It has ended, and does not say with what answer.
    Unclear,
    /// It has not ended. One whose server has died is called so for ever.
    Waits,
}

/// Reads it from the message that holds it.
pub(in crate::sources::opencode) async fn stored(
    api: &OpenCodeApi,
    ask: &Ask,
) -> Result<StoredCall> {
    let call = ask
        .call
        .as_ref()
        .context("Failed to look: the ask names no call")?;
    let message = api.message(&ask.session, &call.message).await?;
    let part = message
        .parts
        .into_iter()
        .find(|part| part.call_id.as_ref() == Some(&call.call));
    let state = part
        .and_then(|part| part.state)
        .context("Failed to find the call")?;
    if let Some(answers) = state
        .metadata
        .as_ref()
        .and_then(|metadata| metadata.get("answers"))
    {
        return Ok(StoredCall::Answered(serde_json::from_value(
            answers.clone(),
        )?));
    }
    let says = |words: &str| {
        let error = state.error.as_deref();
        error.is_some_and(|error| error.contains(words))
    };
    Ok(match state.status.as_str() {
        "error" if says("dismissed this question") => StoredCall::Dismissed,
        "error" if says("rejected permission") => StoredCall::Refused,
        "error" => StoredCall::Over,
        "completed" => StoredCall::Unclear,
        _ => StoredCall::Waits,
    })
}

/// What is to be told of an answer to which the server has said 200. Of a permission nothing is stored,
/// and where the call cannot be read the list is left to tell.
pub(in crate::sources::opencode) async fn of(
    api: &OpenCodeApi,
    ask: &Ask,
    answer: &Answer,
) -> SourceReport {
    let own = ask.id.own.clone();
    if !matches!(ask.kind, AskContent::Questions(_)) || ask.call.is_none() {
        return SourceReport::Sent { own };
    }
    for _ in 0..TRIES {
        match stored(api, ask).await {
            Ok(StoredCall::Answered(answers)) => {
                return SourceReport::Replied {
                    own,
                    answers: Some(answers),
                };
            }
            Ok(StoredCall::Dismissed) => return SourceReport::Rejected { own },
            // It was over before the answer came.
            Ok(StoredCall::Over | StoredCall::Refused) => {
                return SourceReport::NotSent {
                    own,
                    failure: DeliveryFailure::NotFound,
                };
            }
            Ok(StoredCall::Waits) if is_listed(api, ask).await => break,
            Ok(StoredCall::Waits) => tokio::time::sleep(BETWEEN).await,
            Ok(StoredCall::Unclear) | Err(_) => return SourceReport::Sent { own },
        }
    }
    tracing::debug!(ask = %ask.id, ?answer, "the call shows nothing of the answer");
    if is_listed(api, ask).await {
        return SourceReport::Sent { own };
    }
    // Neither asked any more nor answered: its agent has died.
    SourceReport::NotSent {
        own,
        failure: DeliveryFailure::NotFound,
    }
}

/// Where the list cannot be read, it may be.
async fn is_listed(api: &OpenCodeApi, ask: &Ask) -> bool {
    let listed = api.questions(&ask.session).await;
    listed.map_or(true, |listed| {
        listed.iter().any(|question| question.id == ask.id.own)
    })
}

/// May somebody wait for an answer, as far as can be told?
pub(in crate::sources::opencode) async fn may_wait(api: &OpenCodeApi, ask: &Ask) -> bool {
    match stored(api, ask).await {
        Ok(StoredCall::Waits) => is_busy(api, ask).await,
        Ok(_) => false,
        Err(_) => is_busy(api, ask).await,
    }
}

/// Whether the call of an ask has not ended although its session works on nothing: nobody reads what it gets.
pub(in crate::sources::opencode) async fn is_left_running(api: &OpenCodeApi, ask: &Ask) -> bool {
    matches!(stored(api, ask).await, Ok(StoredCall::Waits)) && !is_busy(api, ask).await
}

/// Whether the session of an ask works on something, as far as can be told.
pub(in crate::sources::opencode) async fn is_busy(api: &OpenCodeApi, ask: &Ask) -> bool {
    if ApiDialect::of(&ask.session) != ApiDialect::First {
        return true;
    }
    let directory = Some(ask.session.directory.as_str());
    let statuses = api
        .read::<BTreeMap<String, Value>>("/session/status", directory)
        .await;
    statuses.map_or(true, |statuses| statuses.contains_key(&ask.session.id))
}
