//! OpenCode 2.x, experimental: no questions but forms, below `/api`, and events of another shape.
//! Built from the published contract (2.0.5 to 2.1.2) and not run against a real server yet.
//!
//! Shapes stand in `wire`, a form as an ask in `ask`, an answer as the form wants it in `answer`,
//! events in `frame`, the whole list in `list`, what is sent and found out in `delivery`.

mod answer;
mod ask;
pub(super) mod delivery;
pub(super) mod frame;
pub(super) mod list;
mod wire;

use super::api::OpenCodeApi;
use super::api::generation::ApiGeneration;
use crate::text::Texts;
use beckon_core::{Ask, DeliveryFailure, ReturnReason, SourceId, Timestamp};
use delivery::SentForms;
use reqwest::StatusCode;
use serde::Deserialize;
use std::sync::Arc;

/// Comments come every 15 s as heartbeats; the server's own clients wait so long.
pub(super) const SILENCE: std::time::Duration = std::time::Duration::from_secs(45);

/// What the forms of one server need beside the server.
#[derive(Clone)]
pub(super) struct FormContext {
    /// For the choices that a form does not spell out.
    pub(super) texts: Arc<Texts>,
    sent: SentForms,
}

impl FormContext {
    pub(super) fn new(texts: Arc<Texts>) -> Self {
        Self { texts, sent: SentForms::default() }
    }
}

/// A form as an ask of that source and directory.
pub(super) fn ask(
    raw: &str,
    source: &SourceId,
    directory: &str,
    texts: &Texts,
    now: Timestamp,
) -> serde_json::Result<Ask> {
    let form: wire::Form = serde_json::from_str(raw)?;
    Ok(form.ask(source, directory, texts, now))
}

/// The body of an error.
#[derive(Debug, Deserialize)]
struct FormRefusal {
    #[serde(rename = "_tag")]
    tag: String,
    message: String,
}

/// What a refused delivery means: an answer that does not fit its form comes back to the human, with
/// the server's reason. What is refused as a request is tried again for a while: 4xx, but for those that
/// speak of who asks or of when (RFC 9110, 15.5). Anything else is tried again.
pub(super) fn refusal(status: StatusCode, body: &str) -> DeliveryFailure {
    let refused: Option<FormRefusal> = serde_json::from_str(body).ok();
    match refused.filter(|refused| refused.tag == "FormInvalidAnswerError") {
        Some(refused) => DeliveryFailure::Returned(ReturnReason::Refused(refused.message)),
        None if status.is_client_error() && !may_pass(status) => {
            DeliveryFailure::Refused(format!("it answers {status}"))
        }
        None => DeliveryFailure::Other(format!("it answers {status}")),
    }
}

/// May the same request be taken later?
fn may_pass(status: StatusCode) -> bool {
    matches!(
        status,
        StatusCode::UNAUTHORIZED
            | StatusCode::FORBIDDEN
            | StatusCode::PROXY_AUTHENTICATION_REQUIRED
            | StatusCode::REQUEST_TIMEOUT
            | StatusCode::LOCKED
            | StatusCode::TOO_EARLY
            | StatusCode::TOO_MANY_REQUESTS
    )
}

/// `GET /api/info`
#[derive(Debug, Deserialize)]
struct ServerInfo {
    version: String,
}

/// The version of a server that speaks in forms; `None` when it does not.
pub(super) async fn version(api: &OpenCodeApi) -> Option<String> {
    let told = match api.read::<ServerInfo>("/api/info", None).await {
        Ok(info) => Some(info.version),
        // Older ones tell it where 1.x does.
        Err(_) => api.health().await.ok().and_then(|health| health.version),
    };
    told.filter(|version| ApiGeneration::of(version) == ApiGeneration::Forms)
}
