//! Sends answers, and finds out what became of asks that are gone.

use super::api::Api;
use super::dialect::Dialect;
use super::wire::{PermissionReply, QuestionRequest, Reply};
use super::{Command, Reporter, forms, kin, v2};
use anyhow::{Context, Result};
use beckon_core::{Answer, Ask, Entry, Failure, SourceReport, State};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};

/// Carries out a command beside the stream.
pub(super) fn carry_out(api: &Api, reporter: &Reporter, command: Command) {
    let (api, reporter) = (api.clone(), reporter.clone());
    match command {
        Command::Deliver(entry, answer) => {
            tokio::spawn(async move { deliver(&api, &reporter, &entry, &answer).await });
        }
        Command::Inquire(entry) => {
            tokio::spawn(async move { inquire(&api, &reporter, &entry).await });
        }
        Command::Refresh => {}
    }
}

async fn deliver(api: &Api, reporter: &Reporter, entry: &Entry, answer: &Answer) {
    let ask = &entry.ask;
    let own = ask.id.own.clone();
    if kin::is_from_kin(&ask.session) {
        match kin::post(api, entry, answer).await {
            Ok(kin::Got::TooOld) => {}
            got => return tell_kin(reporter, ask, answer, got),
        }
        if let Err(failure) = kin::travels_as_text(ask, answer) {
            return reporter.tell(SourceReport::NotSent { own, failure });
        }
    }
    let mut sent = match Dialect::of(&ask.session) {
        Dialect::Forms => forms::delivery::post(api, ask, answer).await,
        Dialect::First | Dialect::Second => post(api, ask, &own, answer).await,
    };
    if matches!(sent, Err(Failure::NotFound))
        && Dialect::of(&ask.session) != Dialect::Forms
        && let Some(now_called) = same_ask_under_another_id(api, ask).await
    {
        sent = post(api, ask, &now_called, answer).await;
    }
    match sent {
        Ok(()) => reporter.tell(SourceReport::Sent { own }),
        Err(failure) => {
            tracing::debug!(ask = %ask.id, ?failure, "an answer was not delivered");
            reporter.tell(SourceReport::NotSent { own, failure });
        }
    }
}

/// What another Beckon made of an answer. That the agent has it is proof.
fn tell_kin(reporter: &Reporter, ask: &Ask, answer: &Answer, got: Result<kin::Got, Failure>) {
    let own = ask.id.own.clone();
    match got {
        Ok(got) => {
            reporter.tell(SourceReport::Sent { own: own.clone() });
            if let kin::Got::Taken = got {
                reporter.tell(match ask.told(answer) {
                    Some(answers) => SourceReport::Replied { own, answers: Some(answers) },
                    None => SourceReport::Rejected { own },
                });
            }
        }
        Err(failure) => {
            tracing::debug!(ask = %ask.id, ?failure, "an answer was not delivered");
            reporter.tell(SourceReport::NotSent { own, failure });
        }
    }
}

async fn post(api: &Api, ask: &Ask, own: &str, answer: &Answer) -> Result<(), Failure> {
    let id = utf8_percent_encode(own, NON_ALPHANUMERIC);
    let (below, directory) = match Dialect::of(&ask.session) {
        Dialect::First => (String::new(), Some(ask.session.directory.as_str())),
        Dialect::Second | Dialect::Forms => (v2::session_path(&ask.session.id), None),
    };
    match answer {
        Answer::Replies(replies) => {
            let body = Reply { answers: ask.delivered(replies) };
            api.post(&format!("{below}/question/{id}/reply"), directory, Some(&body)).await
        }
        Answer::Grant(grant) => {
            let body = PermissionReply::from(grant);
            api.post(&format!("{below}/permission/{id}/reply"), directory, Some(&body)).await
        }
        Answer::Dismiss => {
            api.post::<()>(&format!("{below}/question/{id}/reject"), directory, None).await
        }
        // Core checks answers against their ask, and OpenCode has no confirms.
        Answer::Continue | Answer::Cancel => Err(Failure::NotFound),
    }
}

/// The documented resolution: the same tool call, else the session's only question, provided that
/// it asks the same.
async fn same_ask_under_another_id(api: &Api, ask: &Ask) -> Option<String> {
    let listed = api.questions(&ask.session).await.ok()?;
    let of_session: Vec<&QuestionRequest> =
        listed.iter().filter(|q| q.session_id == ask.session.id).collect();
    let call = ask.call.as_ref().map(|call| &call.call);
    let same_call = of_session
        .iter()
        .find(|q| call.is_some() && q.tool.as_ref().map(|tool| &tool.call_id) == call);
    let found = match (same_call, of_session.as_slice()) {
        (Some(found), _) => found,
        (None, [only]) if call.is_none() || only.tool.is_none() => only,
        // Another call is another ask, however alike the question.
        (None, _) => return None,
    };
    let now = ask.asked_at;
    let same = (*found).clone().into_ask(&ask.id.source, &ask.session.directory, now);
    (same.kind == ask.kind).then_some(same.id.own)
}

async fn inquire(api: &Api, reporter: &Reporter, entry: &Entry) {
    let outcome = match Dialect::of(&entry.ask.session) {
        Dialect::Forms => {
            let given = match &entry.state {
                State::Answering { answer, .. } => Some(answer),
                State::Open | State::Settled { .. } => None,
            };
            forms::delivery::outcome(api, &entry.ask, given).await
        }
        Dialect::First | Dialect::Second => outcome(api, &entry.ask).await,
    };
    match outcome {
        Ok(Some(answers)) => {
            let own = entry.ask.id.own.clone();
            reporter.tell(SourceReport::Explained { own, answers });
        }
        Ok(None) => {}
        Err(error) => {
            tracing::debug!(ask = %entry.ask.id, error = format!("{error:#}"), "its end stays unexplained");
        }
    }
}

/// The tool's result in the stored message: `Some(Some(answers))` answered, `Some(None)` rejected,
/// `None` neither (aborted, or a permission, of which nothing is stored).
async fn outcome(api: &Api, ask: &Ask) -> Result<Option<Option<Vec<Vec<String>>>>> {
    let call = ask.call.as_ref().context("Failed to look: the ask names no call")?;
    let message = api.message(&ask.session, &call.message).await?;
    let part = message.parts.into_iter().find(|part| part.call_id.as_ref() == Some(&call.call));
    let Some(state) = part.and_then(|part| part.state) else { return Ok(None) };
    if let Some(answers) = state.metadata.as_ref().and_then(|metadata| metadata.get("answers")) {
        return Ok(Some(Some(serde_json::from_value(answers.clone())?)));
    }
    let dismissed = state.error.is_some_and(|error| error.contains("dismissed this question"));
    Ok((state.status == "error" && dismissed).then_some(None))
}
