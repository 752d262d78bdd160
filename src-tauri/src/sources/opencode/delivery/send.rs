//! Sends one answer, and reports how far it has come.

use super::connection::{AskKnowledge, ConnectionView};
use super::inquiry;
use super::proof;
use super::recheck::recheck;
use crate::sources::opencode::api::OpenCodeApi;
use crate::sources::opencode::dialect::ApiDialect;
use crate::sources::opencode::wire::v2::session_path;
use crate::sources::opencode::wire::{QuestionReplyBody, QuestionRequest};
use crate::sources::opencode::{OpenCodeReporter, forms, peer};
use beckon_client::platform::percent::segment;
use beckon_client::wire::PermissionReply;
use beckon_core::{Answer, Ask, DeliveryFailure, Entry, SourceFault, SourceReport};
use std::time::{Duration, Instant};

/// The number of tries to find the id under which an ask is listed now.
const TRIES: u32 = 20;
/// The pause between two such tries.
const BETWEEN: Duration = Duration::from_millis(300);

pub(super) async fn deliver(
    api: &OpenCodeApi,
    reporter: &OpenCodeReporter,
    (connection, known): (&ConnectionView, AskKnowledge),
    entry: &Entry,
    answer: &Answer,
) {
    let ask = &entry.ask;
    let own = ask.id.own.clone();
    if peer::is_from_peer(&ask.session) {
        match peer::post(api, entry, answer).await {
            Ok(peer::PeerProgress::TooOld) => {}
            got => return report_peer_progress(reporter, ask, answer, got),
        }
        if let Err(failure) = peer::travels_as_text(ask, answer) {
            return reporter.tell(SourceReport::NotSent { own, failure });
        }
    }
    if known == AskKnowledge::Before
        && let Err(failure) = recheck(api, ask).await
    {
        return reporter.tell(SourceReport::NotSent { own, failure });
    }
    // The checks before have taken their time, and an abort may have been heard meanwhile.
    if connection.was_aborted(&own) {
        return reporter.tell(SourceReport::Gone { own });
    }
    let dialect = ApiDialect::of(&ask.session);
    let sent = match dialect {
        ApiDialect::Forms => forms::delivery::post(api, ask, answer).await,
        ApiDialect::First | ApiDialect::Second => resolve_and_post(api, ask, answer).await,
    };
    match sent {
        Ok(()) if dialect == ApiDialect::First => reporter.tell(proof::of(api, ask, answer).await),
        Ok(()) => reporter.tell(SourceReport::Sent { own }),
        Err(failure) => {
            tracing::debug!(ask = %ask.id, ?failure, "an answer was not delivered");
            reporter.tell(SourceReport::NotSent { own, failure });
        }
    }
}

/// Reports the end of an ask that is no longer listed, and whose answer may have been taken. The
/// answer is not sent again, since 1.1.53 says yes to that, too.
pub(super) async fn tell_end_of_unanswered(
    api: &OpenCodeApi,
    reporter: &OpenCodeReporter,
    entry: &Entry,
) {
    let own = entry.ask.id.own.clone();
    let unknown = SourceReport::NotSent {
        own,
        failure: DeliveryFailure::Unanswered(SourceFault::Silent.to_string()),
    };
    let end = inquiry::inquire(api, entry).await;
    reporter.tell(end.unwrap_or(unknown));
}

/// Reports what another Beckon made of an answer. If its agent has the answer, that is proof.
fn report_peer_progress(
    reporter: &OpenCodeReporter,
    ask: &Ask,
    answer: &Answer,
    got: Result<peer::PeerProgress, DeliveryFailure>,
) {
    let own = ask.id.own.clone();
    match got {
        Ok(got) => {
            reporter.tell(SourceReport::Sent { own: own.clone() });
            if let peer::PeerProgress::Taken = got {
                reporter.tell(match ask.to_source_texts(answer) {
                    Some(answers) => SourceReport::Replied {
                        own,
                        answers: Some(answers),
                    },
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

/// Posts an answer under the id that the ask came with. If the server does not know that any more,
/// posts it under the id that the ask has now, as long as somebody may still wait for it.
async fn resolve_and_post(
    api: &OpenCodeApi,
    ask: &Ask,
    answer: &Answer,
) -> Result<(), DeliveryFailure> {
    let mut sent = post(api, ask, &ask.id.own, answer).await;
    let began = Instant::now();
    for _ in 0..TRIES {
        if !matches!(sent, Err(DeliveryFailure::NotFound)) || ask.questions().is_empty() {
            break;
        }
        match same_ask_under_another_id(api, ask).await {
            Some(now_called) => sent = post(api, ask, &now_called, answer).await,
            None if began.elapsed() > TRIES * BETWEEN => break,
            None if !proof::may_wait(api, ask).await => break,
            None => tokio::time::sleep(BETWEEN).await,
        }
    }
    sent
}

async fn post(
    api: &OpenCodeApi,
    ask: &Ask,
    own: &str,
    answer: &Answer,
) -> Result<(), DeliveryFailure> {
    let id = segment(own);
    let (below, directory) = match ApiDialect::of(&ask.session) {
        ApiDialect::First => (String::new(), Some(ask.session.directory.as_str())),
        ApiDialect::Second | ApiDialect::Forms => (session_path(&ask.session.id), None),
    };
    match answer {
        Answer::Replies(replies) => {
            let body = QuestionReplyBody {
                answers: ask.replies_to_texts(replies),
            };
            api.post(
                &format!("{below}/question/{id}/reply"),
                directory,
                Some(&body),
            )
            .await
        }
        Answer::Grant(grant) => {
            let body = PermissionReply::from(grant);
            api.post(
                &format!("{below}/permission/{id}/reply"),
                directory,
                Some(&body),
            )
            .await
        }
        Answer::Dismiss => {
            api.post::<()>(&format!("{below}/question/{id}/reject"), directory, None)
                .await
        }
        // Core checks answers against their ask, and OpenCode has no confirms.
        Answer::Continue | Answer::Cancel => Err(DeliveryFailure::NotFound),
    }
}

/// Finds the id under which the same ask is listed now, as OpenCode documents it: that of the same
/// tool call, else of the session's only question, provided that it asks the same.
async fn same_ask_under_another_id(api: &OpenCodeApi, ask: &Ask) -> Option<String> {
    let listed = api.questions(&ask.session).await.ok()?;
    let of_session: Vec<&QuestionRequest> = listed
        .iter()
        .filter(|q| q.session_id == ask.session.id)
        .collect();
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
    let same = (*found)
        .clone()
        .into_ask(&ask.id.source, &ask.session.directory, now)
        .cut();
    (same.kind == ask.kind).then_some(same.id.own)
}
