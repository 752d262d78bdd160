//! The requests that deliver: replies, what goes to another Beckon, and the reads that an answer
//! needs on its way.
//!
//! Not here: what a refusal means (`refusal`), and what becomes of an answer (`delivery`).

use super::OpenCodeApi;
use super::refusal::refusal;
use crate::sources::http::{HEADERS_WITHIN, json, reason, refusal_text};
use beckon_core::{DeliveryFailure, ReturnReason};
use reqwest::{Method, RequestBuilder, Response, StatusCode};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::time::Duration;

/// How long another Beckon may take to answer: it may wait for the agent's proof first.
const SPOKEN_WITHIN: Duration = Duration::from_secs(10);

/// The answer of another Beckon.
pub(in crate::sources::opencode) struct PeerInfo {
    pub(in crate::sources::opencode) status: StatusCode,
    pub(in crate::sources::opencode) body: Option<Value>,
}

impl OpenCodeApi {
    /// Posts a reply or a rejection. 200 is no proof that it was taken: 1.1.53 says it to anything.
    pub(in crate::sources::opencode) async fn post<T: Serialize + ?Sized>(
        &self,
        path: &str,
        directory: Option<&str>,
        body: Option<&T>,
    ) -> Result<(), DeliveryFailure> {
        let mut request = self
            .request(Method::POST, path, directory)
            .timeout(HEADERS_WITHIN);
        if let Some(body) = body {
            request = request.json(body);
        }
        change(request).await
    }

    /// Posts to another Beckon, and reads its answer. A request that may have arrived is not known
    /// to have failed, so the human's answer comes back as unproven.
    pub(in crate::sources::opencode) async fn speak(
        &self,
        path: &str,
        body: &Value,
    ) -> Result<PeerInfo, DeliveryFailure> {
        let request = self
            .request(Method::POST, path, None)
            .timeout(SPOKEN_WITHIN)
            .json(body);
        let response = request.send().await.map_err(|error| {
            if error.is_connect() {
                DeliveryFailure::Other(reason(&error))
            } else {
                DeliveryFailure::Returned(ReturnReason::Unproven)
            }
        })?;
        let status = response.status();
        Ok(PeerInfo {
            status,
            body: json(response, SPOKEN_WITHIN).await.ok(),
        })
    }

    /// Deletes a resource.
    pub(in crate::sources::opencode) async fn delete(
        &self,
        path: &str,
    ) -> Result<(), DeliveryFailure> {
        let request = self
            .request(Method::DELETE, path, None)
            .timeout(HEADERS_WITHIN);
        change(request).await
    }

    /// Reads what an answer needs on its way.
    pub(in crate::sources::opencode) async fn look_up<T: DeserializeOwned + Send + 'static>(
        &self,
        path: &str,
    ) -> Result<T, DeliveryFailure> {
        let request = self.get(path, None).timeout(HEADERS_WITHIN);
        let response = check(send(request).await?).await?;
        json(response, HEADERS_WITHIN)
            .await
            .map_err(|error| DeliveryFailure::Other(error.to_string()))
    }
}

/// Sends a request that changes something. Unless nobody was reached at all, it may have been
/// taken.
async fn change(request: RequestBuilder) -> Result<(), DeliveryFailure> {
    let sent = request.send().await;
    let response = sent.map_err(|error| {
        if error.is_connect() {
            DeliveryFailure::Other(reason(&error))
        } else {
            DeliveryFailure::Unanswered(reason(&error))
        }
    })?;
    check(response).await.map(drop)
}

/// Sends a request that only reads.
async fn send(request: RequestBuilder) -> Result<Response, DeliveryFailure> {
    request
        .send()
        .await
        .map_err(|error| DeliveryFailure::Other(reason(&error)))
}

async fn check(response: Response) -> Result<Response, DeliveryFailure> {
    match response.status() {
        status if status.is_success() => Ok(response),
        // Another Beckon, and OpenCode 2.x, say 409 for "already answered".
        StatusCode::NOT_FOUND | StatusCode::CONFLICT => Err(DeliveryFailure::NotFound),
        status => {
            let text = refusal_text(response).await;
            tracing::debug!(%status, text, "a reply was refused");
            Err(refusal(status, &text))
        }
    }
}
