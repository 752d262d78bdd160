//! The client of the local API, for all other processes of ours. It shows the token only to the
//! running Beckon: over the socket in `run/`, which is private, or, if there is no socket, over a
//! connection whose other end has proven itself (`connection/proving.rs`).

pub mod endpoint;
pub mod proof;
mod proving;

use crate::platform::paths::Paths;
use crate::platform::percent::segment;
use crate::platform::private;
use crate::platform::secret::Secret;
use crate::text::words;
use crate::text::{Texts, Value};
use crate::wire::Problem;
use anyhow::{Context, Result};
use endpoint::{Endpoint, socket_beside};
use proving::{ProvingLayer, Unproven};
use reqwest::header::CONTENT_TYPE;
use reqwest::{ClientBuilder, Method, RequestBuilder, StatusCode};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::error::Error;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The time in which a running Beckon answers. One that needs longer is hung.
const ANSWER_WITHIN: Duration = Duration::from_secs(5);
/// The largest body of a request that the local API takes, in bytes.
pub const LARGEST_BODY: usize = 2 << 20;

/// The client, for the running Beckon.
#[derive(Clone, Debug)]
pub struct Client {
    http: reqwest::Client,
    url: String,
    token: Secret,
}

/// A reason why a request was not done.
#[derive(Debug, thiserror::Error)]
pub enum ClientError {
    /// No Beckon is running.
    #[error("Beckon is not running")]
    NotRunning,
    /// The program that listens at Beckon's port has not proven itself: it is another program, or
    /// an older Beckon.
    #[error("Somebody else listens where Beckon was, or an older Beckon")]
    Unproven,
    /// Other users may write to that directory, so they could have put an address there.
    #[error("Other users of this machine may write to {}", .0.display())]
    Exposed(PathBuf),
    /// The API refused the request, and said why.
    #[error("{}", .1.message)]
    Problem(StatusCode, Problem),
    /// Beckon does not answer; the reason in the words of the system.
    #[error("Beckon does not answer ({0})")]
    Silent(String),
    /// The request is larger than what Beckon takes at once.
    #[error("That is more than Beckon takes at once")]
    TooLarge,
    /// The answer is none that a Beckon of this version gives; its status.
    #[error("Beckon answers {0}")]
    Odd(StatusCode),
    /// Arguments of a command that don't fit what they are for, in words for a person already.
    #[error("{0}")]
    Misused(String),
    /// A reason that is in words for a person already.
    #[error("{0}")]
    Said(String),
    /// Any other error.
    #[error(transparent)]
    Other(#[from] anyhow::Error),
}

impl ClientError {
    /// Returns the reason in words for a person. What the API says is in their language already.
    pub fn words(&self, texts: &Texts) -> String {
        match self {
            Self::NotRunning => texts.get("cli-not-running"),
            Self::Unproven => texts.get("cli-unproven"),
            Self::Exposed(dir) => texts.with(
                "failed-exposed",
                &[("file", dir.display().to_string().into())],
            ),
            Self::Problem(_, Problem { message: text, .. })
            | Self::Misused(text)
            | Self::Said(text) => text.clone(),
            Self::Silent(reason) => {
                texts.with("failed-silent", &[("reason", Value::from(reason.as_str()))])
            }
            Self::TooLarge => texts.get("failed-too-large"),
            Self::Odd(status) => {
                texts.with("failed-odd", &[("status", Value::from(status.to_string()))])
            }
            Self::Other(error) => words::failure(texts, error),
        }
    }
}

impl Client {
    /// Makes the client of the Beckon whose files are there.
    ///
    /// # Errors
    /// [`ClientError::NotRunning`] when it has left no address, [`ClientError::Exposed`] when
    /// others could have left it.
    pub fn new(paths: &Paths) -> Result<Self, ClientError> {
        let run = paths.run();
        if !private::is_private(run).map_err(|_| ClientError::NotRunning)? {
            return Err(ClientError::Exposed(run.into()));
        }
        let endpoint = Endpoint::read(&paths.endpoint).ok_or(ClientError::NotRunning)?;
        let token = Secret::new(endpoint.token);
        let http = reqwest::Client::builder()
            .no_proxy()
            .tls_built_in_root_certs(false)
            .connect_timeout(ANSWER_WITHIN);
        let http = match endpoint.socket {
            Some(_) => over_socket(http, &socket_beside(&paths.endpoint)),
            None => http.connector_layer(ProvingLayer::new(token.clone())),
        };
        let http = http.build().context("Failed to set up a client")?;
        Ok(Self {
            http,
            url: endpoint.url,
            token,
        })
    }

    /// Whether Beckon answers at all within that time.
    pub async fn is_alive(&self, within: Duration) -> bool {
        let answer = self
            .request(Method::GET, "/global/health")
            .timeout(within)
            .send()
            .await;
        answer.is_ok_and(|response| response.status().is_success())
    }

    /// Sends a GET, and reads the answer as JSON.
    ///
    /// # Errors
    /// When nobody is there, or the API refuses.
    pub async fn get<T: DeserializeOwned>(&self, path: &str) -> Result<T, ClientError> {
        self.get_within(path, Duration::ZERO).await
    }

    /// Sends a GET, and reads the answer as JSON; waits for `within` and a little more.
    ///
    /// # Errors
    /// When nobody is there, or the API refuses.
    pub async fn get_within<T: DeserializeOwned>(
        &self,
        path: &str,
        within: Duration,
    ) -> Result<T, ClientError> {
        read(
            self.request(Method::GET, path)
                .timeout(within.saturating_add(ANSWER_WITHIN)),
        )
        .await
    }

    /// Sends a POST with a JSON body; waits for `within` and a little more.
    ///
    /// # Errors
    /// When nobody is there, or the API refuses.
    pub async fn post<B: Serialize + ?Sized, T: DeserializeOwned>(
        &self,
        path: &str,
        body: &B,
        within: Duration,
    ) -> Result<T, ClientError> {
        let json = serde_json::to_vec(body).context("Failed to write a request")?;
        // If the request is too large, the answer may be lost: the connection ends before all is
        // sent.
        if json.len() > LARGEST_BODY {
            return Err(ClientError::TooLarge);
        }
        let request = self
            .request(Method::POST, path)
            .header(CONTENT_TYPE, "application/json")
            .body(json);
        read(request.timeout(within.saturating_add(ANSWER_WITHIN))).await
    }

    /// Sends a PATCH with a JSON body.
    ///
    /// # Errors
    /// When nobody is there, or the API refuses.
    pub async fn patch<B: Serialize + ?Sized, T: DeserializeOwned>(
        &self,
        path: &str,
        body: &B,
    ) -> Result<T, ClientError> {
        read(
            self.request(Method::PATCH, path)
                .json(body)
                .timeout(ANSWER_WITHIN),
        )
        .await
    }

    /// Sends a DELETE.
    ///
    /// # Errors
    /// When nobody is there, or the API refuses.
    pub async fn delete<T: DeserializeOwned>(&self, path: &str) -> Result<T, ClientError> {
        self.delete_within(path, Duration::ZERO).await
    }

    /// Sends a DELETE; waits for `within` and a little more.
    ///
    /// # Errors
    /// When nobody is there, or the API refuses.
    pub async fn delete_within<T: DeserializeOwned>(
        &self,
        path: &str,
        within: Duration,
    ) -> Result<T, ClientError> {
        read(
            self.request(Method::DELETE, path)
                .timeout(within.saturating_add(ANSWER_WITHIN)),
        )
        .await
    }

    /// Sends a GET whose answer is read as it comes.
    ///
    /// # Errors
    /// When nobody is there.
    pub async fn stream(&self, path: &str) -> Result<reqwest::Response, ClientError> {
        let response = self.request(Method::GET, path).send().await;
        response.map_err(|error| absent(&error))
    }

    fn request(&self, method: Method, path: &str) -> RequestBuilder {
        let request = self.http.request(method, format!("{}{path}", self.url));
        request.bearer_auth(self.token.expose())
    }
}

#[cfg(unix)]
fn over_socket(http: ClientBuilder, socket: &Path) -> ClientBuilder {
    http.unix_socket(socket)
}

/// Changes nothing: no endpoint names a socket on a system without them.
#[cfg(not(unix))]
fn over_socket(http: ClientBuilder, _: &Path) -> ClientBuilder {
    http
}

/// Returns why there is no connection: nobody listens, or another program does.
fn absent(error: &reqwest::Error) -> ClientError {
    let mut causes = std::iter::successors(error.source(), |&cause| cause.source());
    let unproven = causes.any(|cause| cause.is::<Unproven>());
    if unproven {
        ClientError::Unproven
    } else {
        ClientError::NotRunning
    }
}

/// Escapes an id, to be a part of a path.
pub fn encode(id: &str) -> String {
    segment(id).to_string()
}

async fn read<T: DeserializeOwned>(request: RequestBuilder) -> Result<T, ClientError> {
    let response = request.send().await.map_err(|error| {
        if error.is_connect() {
            return absent(&error);
        }
        ClientError::Silent(error.to_string())
    })?;
    let status = response.status();
    let text = response
        .text()
        .await
        .map_err(|error| ClientError::Silent(error.to_string()))?;
    if status.is_success() {
        return serde_json::from_str(&text).map_err(|_| ClientError::Odd(status));
    }
    Err(match serde_json::from_str(&text) {
        Ok(problem) => ClientError::Problem(status, problem),
        Err(_) => ClientError::Odd(status),
    })
}
