//! The requests of LangGraph's API that Beckon makes.

use super::wire::{self, Info, Stand, Thread};
use crate::config::Interrupts;
use crate::platform::percent::segment;
use crate::platform::secrets::Secret;
use crate::sources::http::credential::Credential;
use crate::sources::http::sse::Broken;
use crate::sources::http::{
    BODY_WITHIN, HEADERS_WITHIN, Unreadable, client, fault, json, reason, refusal_text,
};
use crate::sources::interrupts::wire::detail;
use beckon_core::{Answer, Ask, Failure, Fault, Returned};
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
            client: client(service.url.starts_with("https:"), service.any_user),
            base: service.url.trim_end_matches('/').to_owned(),
            token: Mutex::new(Credential::at_hand(format!("interrupts:{}", service.name), token)),
        }
    }

    /// The server's version, if it tells.
    pub(super) async fn version(&self) -> Result<Option<String>, Broken> {
        let info: Info = self.read(Method::GET, "/info", None).await?;
        Ok(info.version)
    }

    /// Every thread that waits for somebody. `known` are those that waited a moment ago: while the
    /// list is read page by page others leave it, and one may slip from a page that is still to come
    /// to one that was read.
    pub(super) async fn interrupted(
        &self,
        known: &BTreeSet<String>,
    ) -> Result<Vec<Thread>, Broken> {
        let (mut threads, mut offset): (Vec<Thread>, usize) = (Vec::new(), 0);
        loop {
            let query = json!({
                "status": "interrupted", "limit": PAGE, "offset": offset,
                "select": ["thread_id", "status", "metadata", "interrupts"],
            });
            let page: Vec<Box<RawValue>> =
                self.read(Method::POST, "/threads/search", Some(query)).await?;
            offset += page.len();
            threads.extend(page.iter().map(|item| Thread::read(item)));
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
        threads: &mut Vec<Thread>,
        known: &BTreeSet<String>,
    ) -> Result<(), Broken> {
        let listed: BTreeSet<&str> = threads.iter().map(Thread::id).collect();
        let missing: Vec<&String> =
            known.iter().filter(|thread| !listed.contains(thread.as_str())).collect();
        for thread in missing {
            let path = format!("/threads/{}", segment(thread));
            match self.read::<Box<RawValue>>(Method::GET, &path, None).await {
                Ok(thread) => threads.push(Thread::read(&thread)),
                Err(Broken::NoStream(_)) => {}
                Err(broken) => return Err(broken),
            }
        }
        Ok(())
    }

    /// Where a thread stands.
    pub(super) async fn stand(&self, thread: &str) -> Result<Stand, Broken> {
        self.read(Method::GET, &format!("/threads/{}/state", segment(thread)), None).await
    }

    /// Resumes the thread, if it still waits for that.
    pub(super) async fn resume(&self, ask: &Ask, answer: &Answer) -> Result<(), Failure> {
        let path = format!("/threads/{}", segment(&ask.session.id));
        let thread: Thread = self.look(&path).await?;
        if wire::is_breakpoint(ask) {
            return self.leave_breakpoint(ask, &thread, answer).await;
        }
        let pending = thread.find(ask).ok_or(Failure::NotFound)?;
        let value = wire::value(ask, pending, answer)?;
        self.run(&thread, json!({ "command": { "resume": { pending.id.as_str(): value } } })).await
    }

    /// It goes on with nothing new, or nothing more of it runs.
    async fn leave_breakpoint(
        &self,
        ask: &Ask,
        thread: &Thread,
        answer: &Answer,
    ) -> Result<(), Failure> {
        let path = format!("/threads/{}/state", segment(thread.id()));
        let stand: Stand = self.look(&path).await?;
        if stand.own().as_ref() != Some(&ask.id.own) {
            return Err(Failure::NotFound);
        }
        match answer {
            Answer::Continue => self.run(thread, json!({ "input": null })).await,
            _ => {
                let end = json!({ "values": null, "as_node": "__end__" });
                self.taken(self.sent(Method::POST, &path, Some(end)).await).await
            }
        }
    }

    async fn look<T: DeserializeOwned + Send + 'static>(&self, path: &str) -> Result<T, Failure> {
        let sent = self.sent(Method::GET, path, None).await;
        let response = sent.map_err(|error| Failure::Other(reason(&error)))?;
        match response.status() {
            StatusCode::OK => {
                let read = json(response, BODY_WITHIN).await;
                read.map_err(|error| Failure::Other(error.to_string()))
            }
            _ => Err(refusal(response).await),
        }
    }

    /// Behind a run of somebody else's this one would meet what comes after that.
    async fn run(&self, thread: &Thread, how: Value) -> Result<(), Failure> {
        let mut run = how;
        run["assistant_id"] = json!(thread.assistant());
        run["multitask_strategy"] = json!("reject");
        let path = format!("/threads/{}/runs", segment(thread.id()));
        self.taken(self.sent(Method::POST, &path, Some(run)).await).await
    }

    async fn taken(&self, sent: reqwest::Result<Response>) -> Result<(), Failure> {
        match sent {
            Ok(response) if response.status().is_success() => Ok(()),
            Ok(response) => Err(refusal(response).await),
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

    async fn read<T: DeserializeOwned + Send + 'static>(
        &self,
        method: Method,
        path: &str,
        body: Option<Value>,
    ) -> Result<T, Broken> {
        let other = |error: &reqwest::Error| Broken::Other(fault(error));
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
        // Said by whoever has not even looked at it; 409 while another run of the thread ends.
        status @ (StatusCode::CONFLICT
        | StatusCode::TOO_MANY_REQUESTS
        | StatusCode::SERVICE_UNAVAILABLE) => Failure::Other(format!("it answers {status}")),
        status => {
            let text = detail(&refusal_text(response).await);
            Failure::Returned(Returned::Refused(format!("{status}: {text}")))
        }
    }
}

#[cfg(test)]
mod tests;
