//! The requests of LangGraph's API that Beckon makes.

use super::wire::{self, ListedThread, ServerInfo, ThreadStand};
use crate::sources::http::credential::ServerCredential;
use crate::sources::http::sse::StreamError;
use crate::sources::http::{
    BODY_WITHIN, BodyError, HEADERS_WITHIN, client, fault, json, reason, refusal_text,
};
use crate::sources::interrupts::wire::detail;
use beckon_client::config::InterruptsService;
use beckon_client::platform::percent::segment;
use beckon_client::platform::secret::Secret;
use beckon_core::{Answer, Ask, DeliveryFailure, ReturnReason, SourceFault};
use reqwest::{Client, Method, Response, StatusCode};
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use tokio::sync::Mutex;

/// So many threads at a time …
const PAGE: usize = 100;
/// … and no more than so many in all: nobody answers them.
const MOST: usize = 10_000;

/// One server, with what it takes to be let in.
pub(super) struct LangGraphApi {
    client: Client,
    base: String,
    token: Mutex<ServerCredential>,
}

impl LangGraphApi {
    pub(super) fn new(service: InterruptsService) -> Self {
        Self::with(service, None)
    }

    /// The same with a token that is not kept (yet).
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

    /// The server's version, if it tells.
    pub(super) async fn version(&self) -> Result<Option<String>, StreamError> {
        let info: ServerInfo = self.read(Method::GET, "/info", None).await?;
        Ok(info.version)
    }

    /// Every thread that waits for somebody. `known` are those that waited a moment ago: while the
    /// list is read page by page others leave it, and one may slip from a page that is still to come
    /// to one that was read.
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
            let page: Vec<Box<RawValue>> =
                self.read(Method::POST, "/threads/search", Some(query)).await?;
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

    /// Those that no page had are looked at one by one.
    async fn add_slipped(
        &self,
        threads: &mut Vec<ListedThread>,
        known: &BTreeSet<String>,
    ) -> Result<(), StreamError> {
        let listed: BTreeSet<&str> = threads.iter().map(ListedThread::id).collect();
        let missing: Vec<&String> =
            known.iter().filter(|thread| !listed.contains(thread.as_str())).collect();
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

    /// Where a thread stands.
    pub(super) async fn stand(&self, thread: &str) -> Result<ThreadStand, StreamError> {
        self.read(Method::GET, &format!("/threads/{}/state", segment(thread)), None).await
    }

    /// Resumes the thread, if it still waits for that.
    pub(super) async fn resume(&self, ask: &Ask, answer: &Answer) -> Result<(), DeliveryFailure> {
        let path = format!("/threads/{}", segment(&ask.session.id));
        let thread: ListedThread = self.look(&path).await?;
        if wire::is_breakpoint(ask) {
            return self.leave_breakpoint(ask, &thread, answer).await;
        }
        let pending = thread.find(ask).ok_or(DeliveryFailure::NotFound)?;
        let value = wire::value(ask, pending, answer)?;
        self.run(&thread, json!({ "command": { "resume": { pending.id.as_str(): value } } })).await
    }

    /// It goes on with nothing new, or nothing more of it runs.
    async fn leave_breakpoint(
        &self,
        ask: &Ask,
        thread: &ListedThread,
        answer: &Answer,
    ) -> Result<(), DeliveryFailure> {
        let path = format!("/threads/{}/state", segment(thread.id()));
        let stand: ThreadStand = self.look(&path).await?;
        if stand.own().as_ref() != Some(&ask.id.own) {
            return Err(DeliveryFailure::NotFound);
        }
        match answer {
            Answer::Continue => self.run(thread, json!({ "input": null })).await,
            _ => {
                let end = json!({ "values": null, "as_node": "__end__" });
                self.taken(self.sent(Method::POST, &path, Some(end)).await).await
            }
        }
    }

    async fn look<T: DeserializeOwned + Send + 'static>(
        &self,
        path: &str,
    ) -> Result<T, DeliveryFailure> {
        let sent = self.sent(Method::GET, path, None).await;
        let response = sent.map_err(|error| DeliveryFailure::Other(reason(&error)))?;
        match response.status() {
            StatusCode::OK => {
                let read = json(response, BODY_WITHIN).await;
                read.map_err(|error| DeliveryFailure::Other(error.to_string()))
            }
            _ => Err(refusal(response).await),
        }
    }

    /// Behind a run of somebody else's this one would meet what comes after that.
    async fn run(&self, thread: &ListedThread, how: Value) -> Result<(), DeliveryFailure> {
        let mut run = how;
        run["assistant_id"] = json!(thread.assistant());
        run["multitask_strategy"] = json!("reject");
        let path = format!("/threads/{}/runs", segment(thread.id()));
        self.taken(self.sent(Method::POST, &path, Some(run)).await).await
    }

    async fn taken(&self, sent: reqwest::Result<Response>) -> Result<(), DeliveryFailure> {
        match sent {
            Ok(response) if response.status().is_success() => Ok(()),
            Ok(response) => Err(refusal(response).await),
            Err(error) if error.is_connect() => Err(DeliveryFailure::Other(reason(&error))),
            Err(_) => Err(DeliveryFailure::Returned(ReturnReason::Unproven)),
        }
    }

    /// Is there a token that was not tried?
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
            Some(body) => request.json(&body),
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
            StatusCode::OK => json(response, BODY_WITHIN).await.map_err(|error| match error {
                BodyError::Strange(error) => {
                    StreamError::NoStream(SourceFault::Other(error.to_string()))
                }
                error => StreamError::Other(error.into()),
            }),
            StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN => Err(StreamError::Refused),
            status @ (StatusCode::NOT_FOUND | StatusCode::METHOD_NOT_ALLOWED) => {
                Err(StreamError::NoStream(SourceFault::Status(status.as_u16())))
            }
            status => Err(StreamError::Other(SourceFault::Status(status.as_u16()))),
        }
    }
}

async fn refusal(response: Response) -> DeliveryFailure {
    match response.status() {
        StatusCode::UNAUTHORIZED => DeliveryFailure::Returned(ReturnReason::Unauthorized),
        StatusCode::FORBIDDEN => DeliveryFailure::Returned(ReturnReason::Forbidden),
        StatusCode::NOT_FOUND => DeliveryFailure::NotFound,
        // Said by whoever has not even looked at it; 409 while another run of the thread ends.
        status @ (StatusCode::CONFLICT
        | StatusCode::TOO_MANY_REQUESTS
        | StatusCode::SERVICE_UNAVAILABLE) => {
            DeliveryFailure::Other(format!("it answers {status}"))
        }
        status => {
            let text = detail(&refusal_text(response).await);
            DeliveryFailure::Returned(ReturnReason::Refused(format!("{status}: {text}")))
        }
    }
}

#[cfg(test)]
mod tests;
