//! The requests of OpenCode's API that Beckon makes, as its `/doc` defines them: here whom they go to,
//! with what, and how many at once.
//!
//! Not here: which are made about sessions (`sessions`), and what is sent (`sending`).

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

/// So many answers are read at once, of all servers together: each connection takes memory, and what
/// a crowd of them took once is not given back.
static SLOTS: Semaphore = Semaphore::const_new(48);
/// Names the directory of a request, percent-encoded, in place of the query.
const DIRECTORY: &str = "x-opencode-directory";
/// Nearly all answers come within 10 ms.
const SLOT_WITHIN: Duration = Duration::from_millis(200);
/// So many requests to one server are under way at once, those that hang among them; answers of
/// humans are not counted. Each is a file descriptor.
const MOST_AT_ONCE: usize = 128;

/// One server, with what it takes to be let in.
#[derive(Clone)]
pub(super) struct OpenCodeApi {
    client: Client,
    base: String,
    username: String,
    password: Option<Secret>,
    /// For one of 2.x.
    forms: Option<FormContext>,
    /// Held by each request under way.
    places: Arc<Semaphore>,
    /// How many answers are on their way.
    answers: Arc<watch::Sender<usize>>,
}

/// An answer is on its way as long as this is held.
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

    /// What can wait lets an answer go first.
    pub(super) fn send_answer(&self) -> AnswerUnderWay {
        self.answers.send_modify(|count| *count += 1);
        AnswerUnderWay(self.answers.clone())
    }

    /// Waits until no answer is on its way.
    pub(super) async fn answers_sent(&self) {
        let _ = self.answers.subscribe().wait_for(|count| *count == 0).await;
    }

    /// The same server, as one of 2.x.
    pub(super) fn in_forms(self, forms: FormContext) -> Self {
        Self {
            forms: Some(forms),
            ..self
        }
    }

    /// What its forms need, if it is one of 2.x.
    pub(super) fn forms(&self) -> Option<&FormContext> {
        self.forms.as_ref()
    }

    /// A GET; `directory` goes along byte for byte.
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

    /// What the server says of itself.
    pub(super) async fn health(&self) -> Result<wire::ServerHealth> {
        self.read("/global/health", None).await
    }
}

/// Whether a name has what looks like an escaped byte. 1.1.53 decodes the query once more and looks into
/// another folder then; what its own client sends, this header, both versions decode once.
fn has_an_escape(directory: &str) -> bool {
    let is_escape = |bytes: &[u8]| {
        bytes[0] == b'%' && bytes[1].is_ascii_hexdigit() && bytes[2].is_ascii_hexdigit()
    };
    directory.as_bytes().windows(3).any(is_escape)
}

async fn answer(path: &str, request: RequestBuilder) -> Result<Response> {
    // One that gets no slot in time goes without: servers that hang must not hold up others.
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
