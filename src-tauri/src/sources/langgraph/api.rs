//! The requests of LangGraph's API that Beckon makes.

use super::wire::{self, Info, Thread};
use crate::config::Interrupts;
use crate::percent::segment;
use crate::secrets::Secret;
use crate::sources::credential::Credential;
use crate::sources::http::{
    BODY_WITHIN, HEADERS_WITHIN, Unreadable, client, json, reason, refusal_text,
};
use crate::sources::interrupts::wire::detail;
use crate::sources::sse::Broken;
use beckon_core::{Answer, Ask, Failure, Fault, Returned};
use reqwest::{Client, Method, Response, StatusCode};
use serde::de::DeserializeOwned;
use serde_json::Value;
use tokio::sync::Mutex;

/// So many threads at a time …
const PAGE: usize = 100;
/// … and no more than so many in all: nobody answers them.
const MOST: usize = 10_000;

/// One server, with what it takes to be let in.
pub(super) struct Api {
    client: Client,
    base: String,
    token: Mutex<Credential>,
}

impl Api {
    pub(super) fn new(service: Interrupts) -> Self {
        Self::with(service, None)
    }

    /// The same with a token that is not kept (yet).
    pub(super) fn with(service: Interrupts, token: Option<Secret>) -> Self {
        Self {
            client: client(service.url.starts_with("https:")),
            base: service.url.trim_end_matches('/').to_owned(),
            token: Mutex::new(Credential::at_hand(format!("interrupts:{}", service.name), token)),
        }
    }

    /// The server's version, if it tells.
    pub(super) async fn version(&self) -> Result<Option<String>, Broken> {
        let info: Info = self.read(Method::GET, "/info", None).await?;
        Ok(info.version)
    }

    /// Every thread that waits for somebody.
    pub(super) async fn interrupted(&self) -> Result<Vec<Thread>, Broken> {
        let mut threads: Vec<Thread> = Vec::new();
        loop {
            let query = serde_json::json!({
                "status": "interrupted", "limit": PAGE, "offset": threads.len(),
                "select": ["thread_id", "status", "metadata", "interrupts"],
            });
            let page: Vec<Thread> = self.read(Method::POST, "/threads/search", Some(query)).await?;
            let last = page.len() < PAGE;
            threads.extend(page);
            if last || threads.len() >= MOST {
                return Ok(threads);
            }
        }
    }

    /// Resumes the thread, if it still waits for that.
    pub(super) async fn resume(&self, ask: &Ask, answer: &Answer) -> Result<(), Failure> {
        let path = format!("/threads/{}", segment(&ask.session.id));
        let thread = self.sent(Method::GET, &path, None).await;
        let thread = thread.map_err(|error| Failure::Other(reason(&error)))?;
        let thread: Thread = match thread.status() {
            StatusCode::OK => {
                let read = json(thread, HEADERS_WITHIN).await;
                read.map_err(|error| Failure::Other(error.to_string()))?
            }
            _ => return Err(refusal(thread).await),
        };
        let pending = thread.find(&ask.id).ok_or(Failure::NotFound)?;
        let value = wire::value(ask, pending, answer).ok_or(Failure::NotFound)?;
        let run = serde_json::json!({
            "assistant_id": thread.assistant(),
            "command": { "resume": { pending.id.as_str(): value } },
        });
        let run = self.sent(Method::POST, &format!("{path}/runs"), Some(run)).await;
        match run {
            Ok(run) if run.status().is_success() => Ok(()),
            Ok(run) => Err(refusal(run).await),
            Err(error) if error.is_connect() => Err(Failure::Other(reason(&error))),
            Err(_) => Err(Failure::Returned(Returned::Unproven)),
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

    async fn read<T: DeserializeOwned>(
        &self,
        method: Method,
        path: &str,
        body: Option<Value>,
    ) -> Result<T, Broken> {
        let other = |error: &reqwest::Error| Broken::Other(Fault::Other(reason(error)));
        let sent = tokio::time::timeout(HEADERS_WITHIN, self.sent(method, path, body)).await;
        let Ok(sent) = sent else {
            return Err(Broken::Other(Fault::Silent));
        };
        let response = sent.map_err(|error| other(&error))?;
        match response.status() {
            StatusCode::OK => json(response, BODY_WITHIN).await.map_err(|error| match error {
                Unreadable::Strange(error) => Broken::NoStream(Fault::Other(error.to_string())),
                error => Broken::Other(error.into()),
            }),
            StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN => Err(Broken::Refused),
            status @ (StatusCode::NOT_FOUND | StatusCode::METHOD_NOT_ALLOWED) => {
                Err(Broken::NoStream(Fault::Status(status.as_u16())))
            }
            status => Err(Broken::Other(Fault::Status(status.as_u16()))),
        }
    }
}

async fn refusal(response: Response) -> Failure {
    match response.status() {
        StatusCode::UNAUTHORIZED => Failure::Returned(Returned::Unauthorized),
        StatusCode::FORBIDDEN => Failure::Returned(Returned::Forbidden),
        StatusCode::NOT_FOUND => Failure::NotFound,
        // Said by whoever has not even looked at it.
        status @ (StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE) => {
            Failure::Other(format!("it answers {status}"))
        }
        status => {
            let text = detail(&refusal_text(response).await);
            Failure::Returned(Returned::Refused(format!("{status}: {text}")))
        }
    }
}
