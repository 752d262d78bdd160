//! The requests of OpenCode's API that Beckon makes, as its `/doc` defines them: here the server
//! they go to, its password, and how many run at once.
//!
//! Not here: the requests about sessions (`sessions`), and what is sent (`sending`).

pub(super) mod compatibility;
pub(super) mod forms;
mod refusal;
pub(crate) mod saved;
pub(super) mod sending;
pub(super) mod sessions;
pub(super) mod stored;

use super::wire;
use crate::sources::http::{BODY_WITHIN, HEADERS_WITHIN, client, json};
use anyhow::{Context, Result, bail};
use beckon_client::config::OpenCodeServer;
use beckon_client::platform::percent::segment;
use beckon_client::platform::secret::Secret;
use forms::FormContext;
use reqwest::{Client, Method, RequestBuilder, Response, StatusCode};
use serde::de::DeserializeOwned;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{Semaphore, watch};

/// The most answers that are read at once, of all servers together. Each connection takes memory,
/// and what many of them took once is not given back.
static SLOTS: Semaphore = Semaphore::const_new(48);
/// The header that names the directory of a request, percent-encoded, in place of the query.
const DIRECTORY: &str = "x-opencode-directory";
/// How long a request waits for a slot. Nearly all answers come within 10 ms.
const SLOT_WITHIN: Duration = Duration::from_millis(200);
/// The most requests that are under way to one server at once, those that hang among them. Answers
/// of humans are not counted. Each request is a file descriptor.
const MOST_AT_ONCE: usize = 128;

/// A server, and the password that it takes.
#[derive(Clone)]
pub(super) struct OpenCodeApi {
    client: Client,
    base: String,
    username: String,
    password: Option<Secret>,
    /// The context of forms, for a server of 2.x.
    forms: Option<FormContext>,
    /// The permits that requests under way hold.
    places: Arc<Semaphore>,
    /// The number of answers that are on their way.
    answers: Arc<watch::Sender<usize>>,
}

/// A guard that counts an answer as on its way for as long as it is held.
pub(super) struct AnswerUnderWay(Arc<watch::Sender<usize>>);

impl Drop for AnswerUnderWay {
    fn drop(&mut self) {
        self.0.send_modify(|count| *count -= 1);
    }
}

impl OpenCodeApi {
    pub(super) fn new(server: &OpenCodeServer, password: Option<Secret>) -> Self {
        Self {
            client: client(server.url.starts_with("https:"), server.any_user),
            base: server.url.trim_end_matches('/').to_owned(),
            username: server.username.clone(),
            password,
            forms: None,
            places: Arc::new(Semaphore::new(MOST_AT_ONCE)),
            answers: Arc::new(watch::Sender::new(0)),
        }
    }

    /// Counts an answer as on its way until the guard is dropped. Whatever can wait lets it go
    /// first.
    pub(super) fn send_answer(&self) -> AnswerUnderWay {
        self.answers.send_modify(|count| *count += 1);
        AnswerUnderWay(self.answers.clone())
    }

    /// Waits until no answer is on its way.
    pub(super) async fn answers_sent(&self) {
        let _ = self.answers.subscribe().wait_for(|count| *count == 0).await;
    }

    /// Returns the same server, as one of 2.x.
    pub(super) fn in_forms(self, forms: FormContext) -> Self {
        Self {
            forms: Some(forms),
            ..self
        }
    }

    /// Returns the context of forms, if the server is one of 2.x.
    pub(super) fn forms(&self) -> Option<&FormContext> {
        self.forms.as_ref()
    }

    /// Builds a GET; `directory` goes along byte for byte.
    pub(super) fn get(&self, path: &str, directory: Option<&str>) -> RequestBuilder {
        self.request(Method::GET, path, directory)
    }

    fn request(&self, method: Method, path: &str, directory: Option<&str>) -> RequestBuilder {
        let mut request = self.client.request(method, format!("{}{path}", self.base));
        if let Some(directory) = directory {
            request = if has_an_escape(directory) {
                request.header(DIRECTORY, segment(directory).to_string())
            } else {
                request.query(&[("directory", directory)])
            };
        }
        match &self.password {
            Some(password) => request.basic_auth(&self.username, Some(password.expose())),
            None => request,
        }
    }

    /// Reads JSON.
    pub(super) async fn read<T: DeserializeOwned + Send + 'static>(
        &self,
        path: &str,
        directory: Option<&str>,
    ) -> Result<T> {
        self.fetch(path, self.get(path, directory)).await
    }

    /// Reads JSON of one directory, below `/api`.
    pub(super) async fn read_at<T: DeserializeOwned + Send + 'static>(
        &self,
        path: &str,
        directory: &str,
    ) -> Result<T> {
        let at = [("location[directory]", directory)];
        self.fetch(path, self.get(path, None).query(&at)).await
    }

    /// Reads JSON; `None` when there is no such thing.
    pub(super) async fn read_if_there<T: DeserializeOwned + Send + 'static>(
        &self,
        path: &str,
    ) -> Result<Option<T>> {
        self.if_there(path, self.get(path, None)).await
    }

    async fn if_there<T: DeserializeOwned + Send + 'static>(
        &self,
        path: &str,
        request: RequestBuilder,
    ) -> Result<Option<T>> {
        let _place = self.places.acquire().await;
        let response = answer(path, request).await?;
        match response.status() {
            StatusCode::NOT_FOUND => Ok(None),
            _ => understood(path, response).await.map(Some),
        }
    }

    async fn fetch<T: DeserializeOwned + Send + 'static>(
        &self,
        path: &str,
        request: RequestBuilder,
    ) -> Result<T> {
        let _place = self.places.acquire().await;
        understood(path, answer(path, request).await?).await
    }

    /// Reads the server's report about itself.
    pub(super) async fn health(&self) -> Result<wire::ServerHealth> {
        self.read("/global/health", None).await
    }
}

/// Tells whether a directory's name contains what looks like an escaped byte. 1.1.53 decodes the
/// query once more and then looks into another folder. Its own client sends the directory in a
/// header, which both versions decode once.
fn has_an_escape(directory: &str) -> bool {
    let is_escape = |bytes: &[u8]| {
        bytes[0] == b'%' && bytes[1].is_ascii_hexdigit() && bytes[2].is_ascii_hexdigit()
    };
    directory.as_bytes().windows(3).any(is_escape)
}

async fn answer(path: &str, request: RequestBuilder) -> Result<Response> {
    // A request that gets no slot in time goes without: servers that hang must not hold up others.
    let _slot = tokio::time::timeout(SLOT_WITHIN, SLOTS.acquire()).await;
    tokio::time::timeout(HEADERS_WITHIN, request.timeout(BODY_WITHIN).send())
        .await
        .with_context(|| format!("Failed to read {path}: no answer"))?
        .with_context(|| format!("Failed to read {path}"))
}

async fn understood<T: DeserializeOwned + Send + 'static>(
    path: &str,
    response: Response,
) -> Result<T> {
    if !response.status().is_success() {
        bail!("Failed to read {path}: it answers {}", response.status());
    }
    json(response, BODY_WITHIN)
        .await
        .with_context(|| format!("Failed to read {path}"))
}
