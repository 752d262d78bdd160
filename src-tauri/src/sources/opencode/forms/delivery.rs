//! Sends answers to a 2.x server, and finds out what became of its forms.

use super::super::OpenCodeReporter;
use super::super::api::OpenCodeApi;
use super::super::wire::v2::{DataEnvelope, session_path};
use super::answer::{FormAnswer, UnfitReply};
use super::wire::{Form, FormState};
use crate::platform::part;
use crate::sources::opencode::api::stored::StoredOutcome;
use crate::sources::opencode::events::FormReplied;
use anyhow::Result;
use beckon_client::platform::percent::segment;
use beckon_client::wire::PermissionReply;
use beckon_client::wire::{PermissionDecision, WireWord};
use beckon_core::{Answer, Ask, DeliveryFailure, Reply, ReturnReason, Session, SourceReport};
use serde::Serialize;

#[derive(Serialize)]
struct FormReply<'a> {
    answer: &'a FormAnswer,
}

#[derive(Serialize)]
struct FormDecision {
    decision: WireWord<PermissionDecision>,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<String>,
}

/// Sends an answer to an ask of this dialect.
pub(in super::super) async fn post(
    api: &OpenCodeApi,
    ask: &Ask,
    answer: &Answer,
) -> Result<(), DeliveryFailure> {
    let own = &ask.id.own;
    match answer {
        Answer::Replies(replies) => reply(api, ask, replies).await,
        Answer::Grant(grant) => {
            let id = segment(own);
            let path = format!("{}/permission/{id}/reply", session_path(&ask.session.id));
            let PermissionReply {
                reply: decision,
                message,
            } = grant.into();
            api.post(&path, None, Some(&FormDecision { decision, message }))
                .await
        }
        Answer::Dismiss => api.delete(&form_path(&ask.session, own)).await,
        // Core checks answers against their ask, and OpenCode has no confirms.
        Answer::Continue | Answer::Cancel => Err(DeliveryFailure::NotFound),
    }
}

async fn reply(api: &OpenCodeApi, ask: &Ask, replies: &[Reply]) -> Result<(), DeliveryFailure> {
    // After a restart a server is taken for one of 1.x until it was heard.
    let Some(context) = api.forms() else {
        return Err(DeliveryFailure::Other(
            "it was not heard as one of 2.x yet".into(),
        ));
    };
    let path = form_path(&ask.session, &ask.id.own);
    let form: DataEnvelope<Form> = api.look_up(&path).await?;
    let refused = |unfit: UnfitReply| {
        DeliveryFailure::Returned(ReturnReason::Refused(unfit.words(&context.texts)))
    };
    let answer = form.data.answer(replies).map_err(refused)?;
    context.sent.note(&ask.id.own, &answer);
    api.post(
        &format!("{path}/reply"),
        None,
        Some(&FormReply { answer: &answer }),
    )
    .await
}

/// Reports that a form was answered, as the stream says. First finds out whether the answer is
/// ours, and with what words the form was answered.
pub(in super::super) fn tell_reply(
    api: &OpenCodeApi,
    reporter: &OpenCodeReporter,
    replied: FormReplied,
) {
    let FormReplied {
        id: own,
        session_id,
        answer,
    } = replied;
    if api
        .forms()
        .is_some_and(|context| context.sent.is_ours(&own, &answer))
    {
        return reporter.tell(SourceReport::Replied { own, answers: None });
    }
    let (api, reporter) = (api.clone(), reporter.clone());
    part::spawn(async move {
        let session = Session {
            id: session_id,
            ..Session::default()
        };
        let form: Result<DataEnvelope<Form>> = api.read(&form_path(&session, &own), None).await;
        let answers = match form {
            Ok(form) => Some(form.data.to_texts(&answer)),
            // The words are lost, but that it was answered is what counts.
            Err(_) => None,
        };
        reporter.tell(SourceReport::Replied { own, answers });
    });
}

/// Finds out what became of a form. `given` is our answer, if one was on its way.
pub(in super::super) async fn outcome(
    api: &OpenCodeApi,
    ask: &Ask,
    given: Option<&Answer>,
) -> Result<StoredOutcome> {
    let form: DataEnvelope<Form> = api
        .read(&form_path(&ask.session, &ask.id.own), None)
        .await?;
    let form = form.data;
    Ok(match &form.state {
        Some(FormState::Answered { answer }) => match given {
            Some(ours @ Answer::Replies(replies))
                if form.answer(replies).as_ref() == Ok(answer) =>
            {
                ask.to_source_texts(ours)
                    .map_or(StoredOutcome::Dismissed, StoredOutcome::Answered)
            }
            _ => StoredOutcome::Answered(form.to_texts(answer)),
        },
        Some(FormState::Cancelled) => StoredOutcome::Dismissed,
        Some(FormState::Pending | FormState::Unknown) | None => StoredOutcome::Neither,
    })
}

fn form_path(session: &Session, form: &str) -> String {
    format!("{}/form/{}", session_path(&session.id), segment(form))
}
