//! The requests of OpenCode's v1 API that Beckon makes, as its `/doc` defines them.

use super::wire;
use crate::config::Server;
use crate::secrets::Secret;
use crate::sources::http::{HEADERS_WITHIN, client, reason};
use anyhow::{Context, Result, bail};
use beckon_core::Failure;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use reqwest::{Client, Method, RequestBuilder, StatusCode};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::time::Duration;
use tokio::sync::Semaphore;

/// A list of thousands of sessions is still read within this.
const BODY_WITHIN: Duration = Duration::from_secs(15);

/// So many answers are read at once, of all servers together: each connection takes memory, and what
/// a crowd of them took once is not given back.
static SLOTS: Semaphore = Semaphore::const_new(48);
/// Nearly all answers come within 10 ms.
const SLOT_WITHIN: Duration = Duration::from_millis(200);

/// Sessions are listed latest first, and 1.18.33 stops after 100 unless it is told otherwise: one
/// that has been waiting for long would not be found.
const ALL_OF_THEM: [(&str, u32); 1] = [("limit", 1_000_000)];

/// One server, with what it takes to be let in.
#[derive(Clone)]
pub(super) struct Api {
    client: Client,
    base: String,
    username: String,
    password: Option<Secret>,
}

impl Api {
    pub(super) fn new(server: &Server, password: Option<Secret>) -> Self {
        Self {
            client: client(server.url.starts_with("https:")),
            base: server.url.trim_end_matches('/').to_owned(),
            username: server.username.clone(),
            password,
        }
    }

    /// A GET; `directory` goes along byte for byte.
    pub(super) fn get(&self, path: &str, directory: Option<&str>) -> RequestBuilder {
        self.request(Method::GET, path, directory)
    }

    fn request(&self, method: Method, path: &str, directory: Option<&str>) -> RequestBuilder {
        let mut request = self.client.request(method, format!("{}{path}", self.base));
        if let Some(directory) = directory {
            request = request.query(&[("directory", directory)]);
        }
        match &self.password {
            Some(password) => request.basic_auth(&self.username, Some(password.expose())),
            None => request,
        }
    }

    /// Reads JSON.
    pub(super) async fn read<T: DeserializeOwned>(
        &self,
        path: &str,
        directory: Option<&str>,
    ) -> Result<T> {
        fetch(path, self.get(path, directory)).await
    }

    /// The sessions of all projects, on servers that have this path.
    pub(super) async fn sessions_everywhere(&self) -> Result<Vec<wire::SessionInfo>> {
        let path = "/experimental/session";
        fetch(path, self.get(path, None).query(&ALL_OF_THEM)).await
    }

    /// The sessions of the project to which a worktree belongs, whatever directory they run in.
    /// Where the query names a directory, those of every other one are left out; where a header
    /// names it, they are not (seen on 1.1.53 and 1.18.33).
    pub(super) async fn sessions_of_project(
        &self,
        worktree: &str,
    ) -> Result<Vec<wire::SessionInfo>> {
        let encoded = utf8_percent_encode(worktree, NON_ALPHANUMERIC).to_string();
        let request = self.get("/session", None).header("x-opencode-directory", encoded);
        fetch("/session", request.query(&ALL_OF_THEM)).await
    }

    /// What the server says of itself.
    pub(super) async fn health(&self) -> Result<wire::Health> {
        self.read("/global/health", None).await
    }

    /// Posts a reply or a rejection. 200 is no proof that it was taken: 1.1.53 says it to anything.
    pub(super) async fn post<T: Serialize + ?Sized>(
        &self,
        path: &str,
        directory: &str,
        body: Option<&T>,
    ) -> Result<(), Failure> {
        let mut request = self.request(Method::POST, path, Some(directory)).timeout(HEADERS_WITHIN);
        if let Some(body) = body {
            request = request.json(body);
        }
        let response = request.send().await.map_err(|error| Failure::Other(reason(&error)))?;
        match response.status() {
            status if status.is_success() => Ok(()),
            // 409 is another Beckon's word for "already answered".
            StatusCode::NOT_FOUND | StatusCode::CONFLICT => Err(Failure::NotFound),
            status => {
                let text = response.text().await.unwrap_or_default();
                tracing::debug!(%status, text, "a reply was refused");
                Err(Failure::Other(format!("it answers {status}")))
            }
        }
    }
}

async fn fetch<T: DeserializeOwned>(path: &str, request: RequestBuilder) -> Result<T> {
    // One that gets no slot in time goes without: servers that hang must not hold up others.
    let _slot = tokio::time::timeout(SLOT_WITHIN, SLOTS.acquire()).await;
    let response = tokio::time::timeout(HEADERS_WITHIN, request.timeout(BODY_WITHIN).send())
        .await
        .with_context(|| format!("Failed to read {path}: no answer"))?
        .with_context(|| format!("Failed to read {path}"))?;
    if !response.status().is_success() {
        bail!("Failed to read {path}: it answers {}", response.status());
    }
    response.json().await.with_context(|| format!("Failed to understand {path}"))
}
