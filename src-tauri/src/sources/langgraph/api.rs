//! The requests of LangGraph's API that Beckon makes: here those that read.
//!
//! Not here: those that deliver an answer (`resuming`).

mod resuming;

use super::wire::{ListedThread, ServerInfo, ThreadStand};
use crate::sources::http::credential::ServerCredential;
use crate::sources::http::sse::StreamError;
use crate::sources::http::{BODY_WITHIN, BodyError, HEADERS_WITHIN, client, fault, json};
use beckon_client::config::InterruptsService;
use beckon_client::json::exact;
use beckon_client::platform::percent::segment;
use beckon_client::platform::secret::Secret;
use beckon_core::SourceFault;
use reqwest::header::CONTENT_TYPE;
use reqwest::{Client, Method, Response, StatusCode};
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use tokio::sync::Mutex;

/// The number of threads on a page of the list.
const PAGE: usize = 100;
/// The most threads that are listed in all. Nobody could answer more.
const MOST: usize = 10_000;

/// A server, and the token that it takes.
pub(super) struct LangGraphApi {
    client: Client,
    base: String,
    token: Mutex<ServerCredential>,
}

impl LangGraphApi {
    pub(super) fn new(service: InterruptsService) -> Self {
        Self::with(service, None)
    }

    /// Makes the same with a token that is not kept (yet).
    pub(super) fn with(service: InterruptsService, token: Option<Secret>) -> Self {
        Self {
            client: client(service.url.starts_with("https:"), service.any_user),
            base: service.url.trim_end_matches('/').to_owned(),
            token: Mutex::new(ServerCredential::at_hand(
                format!("interrupts:{}", service.name),
                token,
            )),
        }
    }

    /// Reads the server's version, if it tells.
    pub(super) async fn version(&self) -> Result<Option<String>, StreamError> {
        let info: ServerInfo = self.read(Method::GET, "/info", None).await?;
        Ok(info.version)
    }

    /// Lists every thread that waits for somebody. `known` are those that waited a moment ago.
    /// While the list is read page by page threads leave it, and one may slip from a page that is
    /// still to come to one that was already read.
    pub(super) async fn interrupted(
        &self,
        known: &BTreeSet<String>,
    ) -> Result<Vec<ListedThread>, StreamError> {
        let (mut threads, mut offset): (Vec<ListedThread>, usize) = (Vec::new(), 0);
        loop {
            let query = json!({
                "status": "interrupted", "limit": PAGE, "offset": offset,
                "select": ["thread_id", "status", "metadata", "interrupts"],
            });
            let page: Vec<Box<RawValue>> = self
                .read(Method::POST, "/threads/search", Some(query))
                .await?;
            offset += page.len();
            threads.extend(page.iter().map(|item| ListedThread::read(item)));
            if page.len() < PAGE || offset >= MOST {
                break;
            }
        }
        if offset >= PAGE {
            self.add_slipped(&mut threads, known).await?;
        }
        let mut seen = BTreeSet::new();
        threads.retain(|thread| seen.insert(thread.id().to_owned()));
        Ok(threads)
    }

    /// Reads the known threads that no page had, one by one.
    async fn add_slipped(
        &self,
        threads: &mut Vec<ListedThread>,
        known: &BTreeSet<String>,
    ) -> Result<(), StreamError> {
        let listed: BTreeSet<&str> = threads.iter().map(ListedThread::id).collect();
        let missing: Vec<&String> = known
            .iter()
            .filter(|thread| !listed.contains(thread.as_str()))
            .collect();
        for thread in missing {
            let path = format!("/threads/{}", segment(thread));
            match self.read::<Box<RawValue>>(Method::GET, &path, None).await {
                Ok(thread) => threads.push(ListedThread::read(&thread)),
                Err(StreamError::NoStream(_)) => {}
                Err(broken) => return Err(broken),
            }
        }
        Ok(())
    }

    /// Reads where a thread stands.
    pub(super) async fn stand(&self, thread: &str) -> Result<ThreadStand, StreamError> {
        self.read(
            Method::GET,
            &format!("/threads/{}/state", segment(thread)),
            None,
        )
        .await
    }

    /// Looks into the keychain, and tells whether it has a token that was not tried.
    pub(super) async fn renew(&self) -> bool {
        self.token.lock().await.renew().await
    }

    async fn sent(
        &self,
        method: Method,
        path: &str,
        body: Option<Value>,
    ) -> reqwest::Result<Response> {
        let request = self.client.request(method, format!("{}{path}", self.base));
        let request = match self.token.lock().await.secret() {
            Some(token) => request.bearer_auth(token.expose()),
            None => request,
        };
        let request = match body {
            Some(body) => request
                .header(CONTENT_TYPE, "application/json")
                .body(exact::written(&body)),
            None => request,
        };
        request.timeout(BODY_WITHIN).send().await
    }

    async fn read<T: DeserializeOwned + Send + 'static>(
        &self,
        method: Method,
        path: &str,
        body: Option<Value>,
    ) -> Result<T, StreamError> {
        let other = |error: &reqwest::Error| StreamError::Other(fault(error));
        let sent = tokio::time::timeout(HEADERS_WITHIN, self.sent(method, path, body)).await;
        let Ok(sent) = sent else {
            return Err(StreamError::Other(SourceFault::Silent));
        };
        let response = sent.map_err(|error| other(&error))?;
        match response.status() {
            StatusCode::OK => json(response, BODY_WITHIN)
                .await
                .map_err(|error| match error {
                    BodyError::Strange(error) => {
                        StreamError::NoStream(SourceFault::Other(error.to_string()))
                    }
                    error => StreamError::Other(error.into()),
                }),
            StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN => Err(StreamError::Refused),
            status @ (StatusCode::NOT_FOUND | StatusCode::METHOD_NOT_ALLOWED) => {
                Err(StreamError::NoStream(SourceFault::Status(status.as_u16())))
            }
            _ => Err(StreamError::of_status(&response)),
        }
    }
}

#[cfg(test)]
mod tests;
