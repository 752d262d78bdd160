//! The proof of an answer by the stored tool call. 1.1.53 answers 200 to anything, also to an
//! answer that nobody waits for.

use crate::sources::opencode::api::OpenCodeApi;
use crate::sources::opencode::dialect::ApiDialect;
use anyhow::{Context, Result};
use beckon_core::{Answer, Ask, AskContent, DeliveryFailure, SourceReport};
use serde_json::Value;
use std::collections::BTreeMap;
use std::time::Duration;

/// The number of looks at a call. One that was answered is stored as answered within milliseconds,
/// and under load within these looks.
const TRIES: u32 = 10;
pub(super) const BETWEEN: Duration = Duration::from_millis(300);

/// The state of the call behind an ask.
pub(in crate::sources::opencode) enum StoredCall {
    /// The call was answered with these texts.
    Answered(Vec<Vec<String>>),
    /// The human dismissed it.
    Dismissed,
    /// The human rejected its permission.
    Refused,
    /// The call has failed otherwise: nobody got an answer.
    Over,
    /// The call has ended, and does not say with what answer.
    Unclear,
    /// The call has not ended. One whose server has died stays in this state for ever.
    Waits,
}

/// Reads the call from the message that holds it.
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

/// Returns the report about an answer to which the server has said 200. Nothing is stored of the
/// answer to a permission, and where the call cannot be read the list is left to tell.
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
            // The call was over before the answer came.
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
    // The question is neither asked any more nor answered: its agent has died.
    SourceReport::NotSent {
        own,
        failure: DeliveryFailure::NotFound,
    }
}

/// Tells whether an ask is listed; true where the list cannot be read.
async fn is_listed(api: &OpenCodeApi, ask: &Ask) -> bool {
    let listed = api.questions(&ask.session).await;
    listed.map_or(true, |listed| {
        listed.iter().any(|question| question.id == ask.id.own)
    })
}

/// Tells whether somebody may wait for an answer, as far as can be known.
pub(in crate::sources::opencode) async fn may_wait(api: &OpenCodeApi, ask: &Ask) -> bool {
    match stored(api, ask).await {
        Ok(StoredCall::Waits) => is_busy(api, ask).await,
        Ok(_) => false,
        Err(_) => is_busy(api, ask).await,
    }
}

/// Tells whether the call of an ask has not ended although its session works on nothing: then
/// nobody reads its answer.
pub(in crate::sources::opencode) async fn is_left_running(api: &OpenCodeApi, ask: &Ask) -> bool {
    matches!(stored(api, ask).await, Ok(StoredCall::Waits)) && !is_busy(api, ask).await
}

/// Tells whether the session of an ask works on something, as far as can be known.
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
